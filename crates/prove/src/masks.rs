//! Instructions with mask registers, and comparisons of vectors.

use super::address::{Address, Region};
use super::call::Call;
use super::domain::Domain;
use super::flags::{Condition, ordering};
use super::instruction::{Instruction, Mnemonic as M, Operand, Place};
use super::lengths::Bits;
use super::processor::Processor;
use super::value::{Byte, Bytes, Content, bits, number};
use super::vector::{element, is_aligned_move};
use super::words::Words;

impl<W: Copy + PartialEq> Call<'_, W> {
    /// Executes a masked operation or move, which writes only the selected elements.
    pub(super) fn masked<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &mut Processor<W>,
        instruction: &Instruction,
        mask: usize,
    ) -> Result<(), String> {
        let mnemonic = instruction.mnemonic;
        match &instruction.operands[..] {
            [Operand::Memory(place), Operand::Vector(from, len)] => {
                return self.store_masked(words, machine, mnemonic, (place, *from, *len), mask);
            }
            [Operand::Vector(to, 64), Operand::Memory(place)] if mnemonic == M::Vpgatherdq => {
                return self.gather(words, machine, *to, place, mask);
            }
            _ => {}
        }
        let [Operand::Vector(to, len), sources @ ..] = &instruction.operands[..] else {
            return Err("unsupported mask".into());
        };
        let (to, len, element) = (*to, *len, element(mnemonic));
        let taken: Result<Vec<Option<bool>>, String> =
            (0..len / element).map(|i| self.is_taken(machine, mask, i)).collect();
        let taken = taken?;
        let old = machine.vectors[to];
        let left_out = |i: usize| if instruction.zeroes { Byte::Number(0) } else { old[i] };
        if let [Operand::Memory(place)] = sources
            && matches!(mnemonic, M::Vmovdqu8 | M::Vmovdqu32 | M::Vmovdqu64)
            && instruction.zeroes
        {
            // A masked load does not access the masked-out elements, which may be unmapped.
            let from = self.place(words, machine, place)?;
            let masked = words.value(&machine.masks[mask]);
            let mut result = Vec::with_capacity(len);
            if taken.contains(&None) {
                let masked = match masked {
                    Content::Address(a) if a.region == Region::Ones && element == 1 => a,
                    _ => Address::new(Region::Ones, -1),
                };
                let masked = Address { region: Region::Number, ..masked };
                result = self.beginning(from, masked, len)?;
            } else {
                for (i, taken) in taken.iter().enumerate() {
                    let at = from.plus((i * element) as i64);
                    match taken {
                        Some(true) => result.extend(self.load(machine, at, element)?),
                        _ => result.resize(result.len() + element, Byte::Number(0)),
                    }
                }
            }
            machine.vectors[to][..len].copy_from_slice(&result);
            machine.vectors[to][len..].fill(Byte::Number(0));
            return Ok(());
        }
        let adds = matches!(mnemonic, M::Vpaddd | M::Vpaddq | M::Vpxord | M::Vpxorq);
        let moves = matches!(
            mnemonic,
            M::Vmovdqa32 | M::Vmovdqa64 | M::Vmovdqu16 | M::Vpbroadcastd | M::Vpbroadcastq
        );
        let is_register =
            |source: &Operand| matches!(source, Operand::Vector(..) | Operand::General(..));
        // A full memory operand must be readable regardless of the mask.
        let is_whole = matches!(mnemonic, M::Vmovdqa32 | M::Vmovdqa64) && !instruction.broadcast;
        if !(adds || moves) || !(is_whole || sources.iter().all(is_register)) {
            return Err("unsupported mask".into());
        }
        let old_bytes: Bytes<W> = (0..len).map(left_out).collect();
        let whole = Instruction { mask: None, ..instruction.clone() };
        self.vector_step(words, machine, &whole)?;
        for (i, old) in old_bytes.into_iter().enumerate() {
            let new = machine.vectors[to][i];
            machine.vectors[to][i] =
                one_of(machine, mask, i / element, taken[i / element], [new, old]);
        }
        Ok(())
    }

    /// Whether a mask selects an element; `None` if unknown lengths decide it.
    fn is_taken(
        &self,
        machine: &Processor<W>,
        mask: usize,
        i: usize,
    ) -> Result<Option<bool>, String> {
        let unknown = || "a mask is unknown or depends on a message".to_owned();
        let bits = machine.masks[mask][i / 8].open().ok_or_else(unknown)?;
        match bits.known >> (i % 8) & 1 {
            1 => Ok(Some(bits.value >> (i % 8) & 1 == 1)),
            _ if self.case().is_some() => Ok(None),
            _ => Err(unknown()),
        }
    }

    /// A masked store of elements, or of their lower halves.
    fn store_masked<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &mut Processor<W>,
        mnemonic: M,
        (place, from, len): (&Place, usize, usize),
        mask: usize,
    ) -> Result<(), String> {
        let vector = &machine.vectors[from][..len];
        let bytes: Bytes<W> = match mnemonic {
            M::Vmovdqu8 | M::Vmovdqu32 | M::Vmovdqu64 | M::Vmovdqa32 | M::Vmovdqa64 => {
                vector.to_vec()
            }
            M::Vpmovqd => vector.chunks_exact(8).flat_map(|eight| &eight[..4]).copied().collect(),
            _ => return Err("unsupported mask".into()),
        };
        let (to, element) = (self.place(words, machine, place)?, element(mnemonic));
        if is_aligned_move(mnemonic) && !self.is_aligned(machine, to, len as i64) {
            return Err("an address may be misaligned".into());
        }
        for (i, new) in bytes.chunks_exact(element).enumerate() {
            let at = to.plus((i * element) as i64);
            match self.is_taken(machine, mask, i)? {
                Some(false) => {}
                Some(true) => self.store(machine, at, new)?,
                None => {
                    let old = self.load(machine, at, element)?;
                    let both = new.iter().zip(old);
                    let both: Bytes<W> = both
                        .map(|(&new, old)| one_of(machine, mask, i, None, [new, old]))
                        .collect();
                    self.store(machine, at, &both)?;
                }
            }
        }
        Ok(())
    }

    /// Gathers eight 8-byte elements with 32-bit indices.
    fn gather<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &mut Processor<W>,
        to: usize,
        place: &Place,
        mask: usize,
    ) -> Result<(), String> {
        let (index, scale) = place.gathers.ok_or("unsupported instruction")?;
        if index == to {
            return Err("unsupported instruction".into());
        }
        let from = Place { gathers: None, ..*place };
        let from = self.place(words, machine, &from)?;
        for i in 0..8 {
            match self.is_taken(machine, mask, i)? {
                Some(false) => continue,
                Some(true) => {}
                None => return Err("a mask is unknown".into()),
            }
            let Content::Number(k) = words.value(&machine.vectors[index][4 * i..4 * i + 4]) else {
                return Err("an address is unknown or depends on a message".into());
            };
            let by = i64::from(k as u32 as i32) * scale as i64;
            let bytes = self.load(machine, from.plus(by), 8)?;
            machine.vectors[to][8 * i..8 * i + 8].copy_from_slice(&bytes);
        }
        machine.masks[mask] = [Byte::Number(0); 8];
        Ok(())
    }

    /// Compares unsigned 64-bit elements into a mask.
    pub(super) fn compare_into<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &mut Processor<W>,
        instruction: &Instruction,
        to: usize,
    ) -> Result<(), String> {
        let (len, x, y, which) = match (instruction.mnemonic, &instruction.operands[1..]) {
            (M::Vpcmpeqq, [x @ Operand::Vector(_, len), y]) => (*len, x, y, Condition::E),
            (M::Vpcmpuq, [x @ Operand::Vector(_, len), y, Operand::Immediate(n)]) => {
                let which = match n {
                    0 => Condition::E,
                    1 => Condition::B,
                    2 => Condition::Be,
                    4 => Condition::Ne,
                    5 => Condition::Ae,
                    6 => Condition::A,
                    _ => return Err("unsupported instruction".into()),
                };
                (*len, x, y, which)
            }
            _ => return Err("unsupported instruction".into()),
        };
        if instruction.broadcast {
            return Err("unsupported instruction".into());
        }
        let x = self.fetch(words, machine, x, len, false)?;
        let y = self.fetch(words, machine, y, len, false)?;
        let mut all = Bits::number(0);
        for (i, (x, y)) in x.chunks_exact(8).zip(y.chunks_exact(8)).enumerate() {
            let Some((range, lanes)) = self.distance(words, x, y) else {
                machine.masks[to] = [Byte::Unknown; 8];
                return Ok(());
            };
            all.lanes |= lanes;
            match range.and_then(|range| ordering(which, range)) {
                Some(is) => all.value |= u64::from(is) << i,
                None => all.known &= !(1 << i),
            }
        }
        machine.masks[to].copy_from_slice(&bits(all, 8));
        Ok(())
    }

    /// The minimum or maximum of two unsigned 64-bit numbers, or a mask of whether they are equal.
    pub(super) fn ordered_element<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        mnemonic: M,
        x: &[Byte<W>],
        y: &[Byte<W>],
    ) -> Bytes<W> {
        let Some((range, lanes)) = self.distance(words, x, y) else {
            return vec![Byte::Unknown; 8];
        };
        let order = |which: Condition| range.and_then(|range| ordering(which, range));
        if mnemonic == M::Pcmpeqq {
            return match order(Condition::E) {
                Some(is) => number(if is { u64::MAX } else { 0 }, 8),
                None => bits(Bits::open(lanes), 8),
            };
        }
        let greater = mnemonic == M::Vpmaxuq;
        let is_below = order(Condition::Be).or_else(|| order(Condition::Ae).map(|is| !is));
        if let Some(is_below) = is_below {
            return if is_below == greater { y.to_vec() } else { x.to_vec() };
        }
        if let (Content::Address(x), Content::Address(y)) = (words.value(x), words.value(y))
            && (x, y) == (Address::counted(1, x.of), Address::counted(1, y.of))
            && let Some(of) = x.of.extreme(y.of, greater)
        {
            return words.pointer.bytes(Address::counted(1, of));
        }
        bits(Bits::open(lanes), 8)
    }

    /// Bounds of the difference of two 64-bit numbers, if known, and the lanes whose lengths decide
    /// it. `None` if it depends on a message.
    fn distance<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        x: &[Byte<W>],
        y: &[Byte<W>],
    ) -> Option<(Option<[i128; 2]>, u32)> {
        let (a, b) = (words.value(x), words.value(y));
        if let (Content::Number(a), Content::Number(b)) = (a, b) {
            let distance = i128::from(a) - i128::from(b);
            return Some((Some([distance; 2]), 0));
        }
        let lanes = a.open()?.lanes | b.open()?.lanes;
        let numbers = words.whole(a).zip(words.whole(b)).filter(|_| words.pointer.0 == 8);
        let is_above = |x: Address| self.bounds(x)[0] >= 0;
        let range = numbers
            .filter(|&(x, y)| is_above(x) && is_above(y))
            .and_then(|(x, y)| self.difference(x, y));
        Some((range, lanes))
    }
}

/// The result of a masked write of one byte: the first one if the mask selects element `i`, which is known if `taken`.
fn one_of<W: Copy + PartialEq>(
    machine: &Processor<W>,
    mask: usize,
    i: usize,
    taken: Option<bool>,
    [new, old]: [Byte<W>; 2],
) -> Byte<W> {
    match taken {
        Some(true) => new,
        Some(false) => old,
        None => {
            let lanes = machine.masks[mask][i / 8].open().map_or(0, |bits| bits.lanes);
            new.joined(old, lanes)
        }
    }
}
