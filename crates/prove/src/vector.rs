//! The semantics of instructions on vector registers.

use super::bitwise::OR;
use super::call::Call;
use super::domain::{Domain, Operation};
use super::instruction::{Instruction, Operand, Place};
use super::processor::Processor;
use super::sha;
use super::value::{Byte, Bytes, Content};
use super::words::Words;

/// Moves that require an aligned address.
pub(super) const ALIGNED: [&str; 8] =
    ["movdqa", "movaps", "movapd", "vmovdqa", "vmovaps", "vmovapd", "vmovdqa32", "vmovdqa64"];

/// Moves that do not require alignment.
const UNALIGNED: [&str; 11] = [
    "movdqu",
    "movups",
    "movupd",
    "lddqu",
    "vmovdqu",
    "vmovups",
    "vmovupd",
    "vmovdqu8",
    "vmovdqu16",
    "vmovdqu32",
    "vmovdqu64",
];

impl<W: Copy + PartialEq> Call<'_, W> {
    /// Executes an instruction on vectors.
    pub(super) fn vector_step<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &mut Processor<W>,
        instruction: &Instruction,
    ) -> Result<(), String> {
        let name = &instruction.name[..];
        if let Some(mask) = instruction.mask {
            return self.masked(words, machine, instruction, mask);
        }
        if name == "vzeroupper" {
            for vector in &mut machine.vectors[..16] {
                vector[16..].fill(Byte::Number(0));
            }
            return Ok(());
        }
        if let [Operand::Mask(to), ..] = instruction.operands[..] {
            return self.compare_into(words, machine, instruction, to);
        }
        let operands = &instruction.operands[..];
        let is_move = ALIGNED.contains(&name) || UNALIGNED.contains(&name);
        match operands {
            // Full and partial stores.
            [Operand::Memory(place), Operand::Vector(from, len)] if is_move => {
                let to = self.place(words, machine, place)?;
                if ALIGNED.contains(&name) && !self.is_aligned(machine, to, *len as i64) {
                    return Err("an address may be misaligned".into());
                }
                let vector = machine.vectors[*from];
                return self.store(machine, to, &vector[..*len]);
            }
            [
                to @ (Operand::Memory(_) | Operand::General(..)),
                Operand::Vector(from, 16),
                rest @ ..,
            ] => {
                let short = name.strip_prefix('v').unwrap_or(name);
                let (len, at) = match (short, rest) {
                    ("movd" | "movss", []) => (4, 0),
                    ("movq" | "movsd" | "movlps" | "movlpd", []) => (8, 0),
                    ("movhps" | "movhpd", []) => (8, 8),
                    ("pextrd" | "extractps", [Operand::Immediate(n)]) => (4, 4 * (n & 3)),
                    ("pextrq", [Operand::Immediate(n)]) => (8, 8 * (n & 1)),
                    _ => return Err("unsupported instruction".into()),
                };
                let bytes = machine.vectors[*from][at as usize..][..len].to_vec();
                return self.write(words, machine, to, &bytes);
            }
            [Operand::Memory(place), Operand::Vector(from, 32), Operand::Immediate(n)]
                if name == "vextracti128" || name == "vextractf128" =>
            {
                let to = self.place(words, machine, place)?;
                let half = machine.vectors[*from][16 * (*n as usize & 1)..][..16].to_vec();
                return self.store(machine, to, &half);
            }
            _ => {}
        }
        let [Operand::Vector(to, len), sources @ ..] = operands else {
            return Err("unsupported instruction".into());
        };
        let (to, len) = (*to, *len);
        let old = machine.vectors[to][..len].to_vec();
        let result = if is_move {
            let [from] = sources else { return Err("unsupported instruction".into()) };
            self.fetch(words, machine, from, len, ALIGNED.contains(&name))?
        } else {
            self.function(words, machine, instruction, sources, &old)?
        };
        let register = &mut machine.vectors[to];
        register[..result.len()].copy_from_slice(&result);
        // Legacy SSE instructions preserve the rest of the register.
        if name.starts_with('v') {
            register[result.len()..].fill(Byte::Number(0));
        }
        Ok(())
    }

    /// The bytes of an operand.
    pub(super) fn fetch<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &Processor<W>,
        operand: &Operand,
        len: usize,
        aligned: bool,
    ) -> Result<Bytes<W>, String> {
        match operand {
            Operand::Vector(number, _) => Ok(machine.vectors[*number][..len].to_vec()),
            Operand::General(number, own) if *own >= len => {
                Ok(machine.general[*number][..len].to_vec())
            }
            Operand::Memory(place) => {
                let from = self.place(words, machine, place)?;
                if aligned && !self.is_aligned(machine, from, len as i64) {
                    return Err("an address may be misaligned".into());
                }
                self.load(machine, from, len)
            }
            _ => Err("unsupported operand".into()),
        }
    }

    /// The new contents of a destination register; `old` are its previous contents.
    fn function<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &Processor<W>,
        instruction: &Instruction,
        sources: &[Operand],
        old: &[Byte<W>],
    ) -> Result<Bytes<W>, String> {
        let name = &instruction.name[..];
        let len = old.len();
        // VEX and EVEX encodings have a separate destination operand.
        let (short, own) = name.strip_prefix('v').map_or((name, false), |short| (short, true));
        let (sources, n) = match sources {
            [sources @ .., Operand::Immediate(n)] => (sources, Some(*n)),
            _ => (sources, None),
        };
        let n = || n.ok_or_else(|| "its count is not a constant".to_owned());
        let part = |words: &mut Words<'_, D>, i: usize, len: usize| match sources.get(i) {
            // Legacy SSE instructions require aligned 16-byte operands in memory.
            Some(source @ Operand::Memory(Place { bytes, .. })) if instruction.broadcast => {
                let one = self.fetch(words, machine, source, *bytes, false)?;
                Ok(one.iter().copied().cycle().take(len).collect())
            }
            Some(source) => self.fetch(words, machine, source, len, !own && len == 16),
            None => Err("an operand is missing".to_owned()),
        };
        let two = |words: &mut Words<'_, D>| -> Result<[Bytes<W>; 2], String> {
            if own {
                Ok([part(words, 0, len)?, part(words, 1, len)?])
            } else {
                Ok([old.to_vec(), part(words, 0, len)?])
            }
        };
        let one = |words: &mut Words<'_, D>| {
            if sources.is_empty() { Ok(old.to_vec()) } else { part(words, 0, len) }
        };
        // Both operands are the same register.
        let alone = match sources {
            [Operand::Vector(x, _), Operand::Vector(y, _)] if own => x == y,
            [source] if !own => Some(source) == instruction.operands.first(),
            _ => false,
        };
        let moved = |x: &[Byte<W>], from: &dyn Fn(usize, usize) -> usize| -> Bytes<W> {
            (0..len).map(|i| x[i / 16 * 16 + from(i, i % 16)]).collect()
        };
        Ok(match short {
            "pxor" | "xorps" | "xorpd" | "pxord" | "pxorq" | "psubd" | "psubq" if alone => {
                vec![Byte::Number(0); len]
            }
            "pcmpeqd" | "pcmpeqb" | "pcmpeqw" | "pcmpeqq" if alone => vec![Byte::Number(0xff); len],
            "pcmpeqq" | "pminuq" | "pmaxuq" => {
                let [x, y] = two(words)?;
                let chunks = x.chunks_exact(8).zip(y.chunks_exact(8));
                chunks.flat_map(|(x, y)| self.ordered_element(words, short, x, y)).collect()
            }
            "paddd" | "paddq" | "psubd" | "psubq" => {
                let [x, y] = two(words)?;
                let function =
                    if short.starts_with("padd") { Operation::Add } else { Operation::Sub };
                let element = element(short);
                let chunks = x.chunks_exact(element).zip(y.chunks_exact(element));
                let mut out = Vec::with_capacity(len);
                for (x, y) in chunks {
                    out.extend(words.arithmetic(function, x, y)?);
                }
                out
            }
            "pand" | "pandd" | "pandq" | "andps" | "andpd" => {
                let [x, y] = two(words)?;
                words.bitwise(0xc0, [&x, &y, &y])?
            }
            "pandn" | "pandnd" | "pandnq" | "andnps" | "andnpd" => {
                let [x, y] = two(words)?;
                words.bitwise(0x0c, [&x, &y, &y])?
            }
            "por" | "pord" | "porq" | "orps" | "orpd" => {
                let [x, y] = two(words)?;
                words.bitwise(OR, [&x, &y, &y])?
            }
            "pxor" | "pxord" | "pxorq" | "xorps" | "xorpd" => {
                let [x, y] = two(words)?;
                words.bitwise(0x3c, [&x, &y, &y])?
            }
            "pternlogd" | "pternlogq" => {
                let (y, z) = (part(words, 0, len)?, part(words, 1, len)?);
                words.bitwise(n()? as u8, [old, &y, &z])?
            }
            "psrld" | "psrlq" | "pslld" | "psllq" | "psrlw" | "psllw" | "prord" | "prorq"
            | "prold" | "prolq" => {
                let (x, element, n) = (one(words)?, element(short), n()?);
                let bits = 8 * element as u64;
                let function = match &short[..4] {
                    "psrl" => Operation::ShiftRight,
                    "psll" => Operation::ShiftLeft,
                    "pror" => Operation::RotateRight,
                    _ => Operation::RotateLeft,
                };
                let shift = matches!(function, Operation::ShiftRight | Operation::ShiftLeft);
                if shift && n >= bits {
                    return Ok(vec![Byte::Number(0); len]);
                }
                let mut out = Vec::with_capacity(len);
                for x in x.chunks_exact(element) {
                    out.extend(words.shifted(function, x, n % bits)?);
                }
                out
            }
            "psrldq" | "pslldq" => {
                let (x, n) = (one(words)?, n()? as usize);
                let from = |i: usize| {
                    if short == "psrldq" { i.checked_add(n) } else { i.checked_sub(n) }
                };
                let byte = |i: usize| {
                    let place = from(i % 16).filter(|&place| place < 16);
                    place.map_or(Byte::Number(0), |place| x[i / 16 * 16 + place])
                };
                (0..len).map(byte).collect()
            }
            "palignr" => {
                let ([high, low], n) = (two(words)?, n()? as usize);
                let byte = |i: usize| match (i / 16 * 16, i % 16 + n) {
                    (quarter, place @ 0..16) => low[quarter + place],
                    (quarter, place @ 16..32) => high[quarter + place - 16],
                    _ => Byte::Number(0),
                };
                (0..len).map(byte).collect()
            }
            "pshufd" => {
                let (x, n) = (one(words)?, n()? as usize);
                moved(&x, &|_, i| 4 * (n >> (i / 4 * 2) & 3) + i % 4)
            }
            "pshuflw" | "pshufhw" => {
                let (x, n) = (one(words)?, n()? as usize);
                let half = if short == "pshuflw" { 0 } else { 8 };
                moved(&x, &|_, i| match i.checked_sub(half) {
                    Some(j @ 0..8) => half + 2 * (n >> (j / 2 * 2) & 3) + j % 2,
                    _ => i,
                })
            }
            "movddup" => {
                // A 16-byte form reads only 8 bytes of memory.
                let x = part(words, 0, if len == 16 { 8 } else { len })?;
                (0..len).map(|i| x[i / 16 * 16 + i % 8]).collect()
            }
            "shufps" => {
                let ([x, y], n) = (two(words)?, n()? as usize);
                let from = |_: usize, i: usize| 4 * (n >> (i / 4 * 2) & 3) + i % 4;
                let (x, y) = (moved(&x, &from), moved(&y, &from));
                (0..len).map(|i| if i % 16 < 8 { x[i] } else { y[i] }).collect()
            }
            "shufpd" => {
                let ([x, y], n) = (two(words)?, n()? as usize);
                let from = |i: usize, j: usize| 8 * (n >> (i / 8) & 1) + j % 8;
                let (x, y) = (moved(&x, &from), moved(&y, &from));
                (0..len).map(|i| if i % 16 < 8 { x[i] } else { y[i] }).collect()
            }
            "pshufb" => {
                let [x, order] = two(words)?;
                let mut out = Vec::with_capacity(len);
                for (i, order) in order.iter().enumerate() {
                    out.push(match order {
                        Byte::Number(0x80..) => Byte::Number(0),
                        Byte::Number(k) => x[i / 16 * 16 + usize::from(k & 15)],
                        _ => Byte::Unknown,
                    });
                }
                out
            }
            "punpckldq" | "punpckhdq" | "punpcklqdq" | "punpckhqdq" | "unpcklps" | "unpckhps"
            | "unpcklpd" | "unpckhpd" => {
                let [x, y] = two(words)?;
                let element = if short.ends_with("qdq") || short.ends_with("pd") { 8 } else { 4 };
                let high = if short.contains("ckh") { 8 } else { 0 };
                let byte = |i: usize| {
                    let (quarter, i) = (i / 16 * 16, i % 16);
                    let source = if i / element % 2 == 0 { &x } else { &y };
                    source[quarter + high + i / (2 * element) * element + i % element]
                };
                (0..len).map(byte).collect()
            }
            // The lower halves of both operands, or the upper ones.
            "movlhps" => {
                let [x, y] = two(words)?;
                [&x[..8], &y[..8]].concat()
            }
            "movhlps" => {
                let [x, y] = two(words)?;
                [&y[8..16], &x[8..16]].concat()
            }
            "pblendd" | "blendps" | "pblendw" => {
                let ([x, y], n) = (two(words)?, n()? as usize);
                let byte = |i: usize| {
                    // Each bit of a word blend covers the same words in each quarter.
                    let bit = if short == "pblendw" { i % 16 / 2 } else { i / 4 };
                    if n >> bit & 1 == 1 { y[i] } else { x[i] }
                };
                (0..len).map(byte).collect()
            }
            "pblendvb" if own => {
                let (x, y) = (part(words, 0, len)?, part(words, 1, len)?);
                let chosen = part(words, 2, len)?;
                let byte = |i: usize| match chosen[i].open() {
                    Some(bits) if bits.known & 0x80 == 0 => x[i].joined(y[i], bits.lanes),
                    Some(bits) => {
                        if bits.value & 0x80 == 0 {
                            x[i]
                        } else {
                            y[i]
                        }
                    }
                    None if x[i] == y[i] && !matches!(x[i], Byte::Bits(..)) => x[i],
                    None => Byte::Unknown,
                };
                (0..len).map(byte).collect()
            }
            // The lowest bytes of each 8-byte element.
            "pmovqd" | "pmovqw" => {
                let kept = element(short);
                let from = part(words, 0, len / kept * 8)?;
                match sources {
                    [Operand::Vector(_, all)] if *all == from.len() => {}
                    _ => return Err("unsupported instruction".into()),
                }
                (0..len).map(|i| from[i / kept * 8 + i % kept]).collect()
            }
            "perm2i128" | "perm2f128" => {
                let ([x, y], n) = (two(words)?, n()? as usize);
                let byte = |i: usize| {
                    let chosen = n >> (i / 16 * 4) & 15;
                    let source = if chosen & 2 == 0 { &x } else { &y };
                    if chosen & 8 == 0 { source[chosen % 2 * 16 + i % 16] } else { Byte::Number(0) }
                };
                (0..len).map(byte).collect()
            }
            "permt2q" | "permi2q" | "permt2d" | "permi2d" => {
                let (x, y) = (part(words, 0, len)?, part(words, 1, len)?);
                // The forms differ only in the operand that they overwrite.
                let (order, first) =
                    if short.starts_with("permt") { (&x[..], old) } else { (old, &x[..]) };
                let (element, mut out) = (element(short), Vec::with_capacity(len));
                for order in order.chunks_exact(element) {
                    let Content::Number(k) = words.value(order) else {
                        return Err("a permutation is unknown".into());
                    };
                    let at = element * (k as usize % (2 * len / element));
                    let (source, at) = if at < len { (first, at) } else { (&y[..], at - len) };
                    out.extend_from_slice(&source[at..at + element]);
                }
                out
            }
            "permq" | "permpd" => {
                let (x, n) = (part(words, 0, len)?, n()? as usize);
                (0..len).map(|i| x[i / 32 * 32 + 8 * (n >> (i / 8 % 4 * 2) & 3) + i % 8]).collect()
            }
            "shufi32x4" | "shufi64x2" | "shuff32x4" | "shuff64x2" if len > 16 => {
                let ([x, y], n) = (two(words)?, n()? as usize);
                // An index of four quarters has two bits, of two halves one.
                let places = len / 16;
                let byte = |i: usize| {
                    let source = if i < len / 2 { &x } else { &y };
                    source[16 * (n >> (i / 16 * (places / 2)) & (places - 1)) + i % 16]
                };
                (0..len).map(byte).collect()
            }
            "inserti128" | "insertf128" | "inserti32x4" | "insertf32x4" | "inserti64x2"
            | "insertf64x2" | "inserti64x4" | "insertf64x4" => {
                let part_len = if short.ends_with("64x4") { 32 } else { 16 };
                let at = part_len * (n()? as usize % (len / part_len));
                let mut x = part(words, 0, len)?;
                x[at..at + part_len].copy_from_slice(&part(words, 1, part_len)?);
                x
            }
            "extracti128" | "extractf128" | "extracti64x4" | "extractf64x4" | "extracti32x4"
            | "extractf32x4" | "extracti64x2" | "extractf64x2" => {
                let [Operand::Vector(_, all)] = sources else {
                    return Err("unsupported instruction".into());
                };
                let whole = part(words, 0, *all)?;
                whole[len * (n()? as usize % (all / len))..][..len].to_vec()
            }
            "broadcastss" | "pbroadcastd" | "broadcastsd" | "pbroadcastq" | "broadcasti128"
            | "broadcastf128" | "broadcasti32x4" | "broadcasti64x2" => {
                let element = match short {
                    "broadcastss" | "pbroadcastd" => 4,
                    "broadcastsd" | "pbroadcastq" => 8,
                    _ => 16,
                };
                let one = part(words, 0, element)?;
                one.iter().copied().cycle().take(len).collect()
            }
            "movd" | "movq" | "movss" | "movsd"
                if matches!(sources, [Operand::Memory(_) | Operand::General(..)])
                    || short == "movq" && matches!(sources, [Operand::Vector(..)]) =>
            {
                let element = if matches!(short, "movd" | "movss") { 4 } else { 8 };
                let mut bytes = part(words, 0, element)?;
                bytes.resize(16, Byte::Number(0));
                bytes
            }
            "pinsrd" | "pinsrq" => {
                let element = element(short);
                let (mut x, from) = if own { (part(words, 0, len)?, 1) } else { (old.to_vec(), 0) };
                let at = element * (n()? as usize % (16 / element));
                x[at..at + element].copy_from_slice(&part(words, from, element)?);
                x
            }
            // The SHA512 instructions have a VEX encoding, but their destination is also a source.
            "sha512rnds2" | "sha512msg1" | "sha512msg2" => {
                let (y, wk) = match short {
                    "sha512rnds2" => (part(words, 0, len)?, part(words, 1, 16)?),
                    "sha512msg1" => (part(words, 0, 16)?, Vec::new()),
                    _ => (part(words, 0, len)?, Vec::new()),
                };
                sha::function(words, short, None, old, &y, &wk)?
            }
            _ if short.starts_with("sha") && !own => {
                let y = part(words, 0, 16)?;
                sha::function(words, short, n().ok(), old, &y, &machine.vectors[0])?
            }
            _ => return Err("unsupported instruction".into()),
        })
    }
}

/// The element size of an instruction in bytes.
pub(super) fn element(name: &str) -> usize {
    match name {
        "vmovdqu8" => 1,
        "vmovdqu16" => 2,
        "vmovdqa64" | "vmovdqu64" => 8,
        _ if name.ends_with('q') => 8,
        _ if name.ends_with('w') => 2,
        _ => 4,
    }
}
