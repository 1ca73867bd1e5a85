//! The semantics of instructions on vector registers.

use super::bitwise::OR;
use super::call::Call;
use super::domain::{Domain, Operation};
use super::instruction::{Instruction, Mnemonic as M, Operand, Place};
use super::processor::Processor;
use super::sha;
use super::value::{Byte, Bytes, Content};
use super::words::Words;

macro_rules! equivalents {
    ($($first:ident: $($other:ident)*;)*) => {
        /// The first of the instructions with the same effect on a vector register. They differ in encoding, in the
        /// type of their elements, and in the size of the elements that a mask selects.
        fn first(mnemonic: M) -> M {
            match mnemonic {
                $($(M::$other)|* => M::$first,)*
                _ => mnemonic,
            }
        }
    };
}

equivalents! {
    Movdqa: Vmovdqa Movaps Vmovaps Movapd Vmovapd Vmovdqa32 Vmovdqa64;
    Movdqu: Vmovdqu Movups Vmovups Movupd Vmovupd Lddqu Vmovdqu8 Vmovdqu16 Vmovdqu32 Vmovdqu64;
    Movd: Vmovd Movss Vmovss;
    Movq: Vmovq;
    Movsd: Vmovsd;
    Movlps: Vmovlps Movlpd Vmovlpd;
    Movhps: Vmovhps Movhpd Vmovhpd;
    Movlhps: Vmovlhps;
    Movhlps: Vmovhlps;
    Movddup: Vmovddup;
    Pinsrd: Vpinsrd;
    Pinsrq: Vpinsrq;
    Insertps: Vinsertps;
    Pextrd: Vpextrd Extractps Vextractps;
    Pextrq: Vpextrq;
    Pxor: Vpxor Vpxord Vpxorq Xorps Vxorps Xorpd Vxorpd;
    Pand: Vpand Vpandd Vpandq Andps Vandps Andpd Vandpd;
    Pandn: Vpandn Vpandnd Vpandnq Andnps Vandnps Andnpd Vandnpd;
    Por: Vpor Vpord Vporq Orps Vorps Orpd Vorpd;
    Vpternlogd: Vpternlogq;
    Paddw: Vpaddw;
    Pmovmskb: Vpmovmskb;
    Paddd: Vpaddd;
    Paddq: Vpaddq;
    Psubd: Vpsubd;
    Psubq: Vpsubq;
    Pcmpeqb: Vpcmpeqb;
    Pcmpeqw: Vpcmpeqw;
    Pcmpeqd: Vpcmpeqd;
    Pcmpeqq: Vpcmpeqq;
    Psrlw: Vpsrlw;
    Psrld: Vpsrld;
    Psrlq: Vpsrlq;
    Psrldq: Vpsrldq;
    Psllw: Vpsllw;
    Pslld: Vpslld;
    Psllq: Vpsllq;
    Pslldq: Vpslldq;
    Palignr: Vpalignr;
    Pshufd: Vpshufd;
    Pshuflw: Vpshuflw;
    Pshufhw: Vpshufhw;
    Pshufb: Vpshufb;
    Shufps: Vshufps;
    Shufpd: Vshufpd;
    Punpckldq: Vpunpckldq Unpcklps Vunpcklps;
    Punpckhdq: Vpunpckhdq Unpckhps Vunpckhps;
    Punpcklqdq: Vpunpcklqdq Unpcklpd Vunpcklpd;
    Punpckhqdq: Vpunpckhqdq Unpckhpd Vunpckhpd;
    Pblendw: Vpblendw;
    Blendps: Vblendps Vpblendd;
    Vperm2i128: Vperm2f128;
    Vpermq: Vpermpd;
    Vpermt2d: Vpermt2q;
    Vpermi2d: Vpermi2q;
    Vshufi32x4: Vshufi64x2 Vshuff32x4 Vshuff64x2;
    Vinserti128: Vinsertf128 Vinserti32x4 Vinsertf32x4 Vinserti64x2 Vinsertf64x2;
    Vinserti64x4: Vinsertf64x4;
    Vextracti128: Vextractf128 Vextracti32x4 Vextractf32x4 Vextracti64x2 Vextractf64x2 Vextracti64x4 Vextractf64x4;
    Vpbroadcastd: Vbroadcastss;
    Vpbroadcastq: Vbroadcastsd;
    Vbroadcasti128: Vbroadcastf128 Vbroadcasti32x4 Vbroadcasti64x2;
}

/// Whether a move requires an aligned address.
pub(super) fn is_aligned_move(mnemonic: M) -> bool {
    first(mnemonic) == M::Movdqa
}

impl<W: Copy + PartialEq> Call<'_, W> {
    /// Executes an instruction on vectors.
    pub(super) fn vector_step<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &mut Processor<W>,
        instruction: &Instruction,
    ) -> Result<(), String> {
        let mnemonic = first(instruction.mnemonic);
        if let Some(mask) = instruction.mask {
            return self.masked(words, machine, instruction, mask);
        }
        if mnemonic == M::Vzeroupper {
            // 32-bit code has eight registers.
            for vector in &mut machine.vectors[..2 * words.pointer.0] {
                vector[16..].fill(Byte::Number(0));
            }
            return Ok(());
        }
        // The highest bits of all bytes.
        if let (M::Vpmovb2m, [to, Operand::Vector(from, len)]) =
            (mnemonic, &instruction.operands[..])
            && words.gathers
        {
            let highest = words.highest_bits(&machine.vectors[*from][..*len]);
            let mut bytes = highest.unwrap_or_else(|| vec![Byte::Unknown; len / 8]);
            bytes.resize(8, Byte::Number(0));
            return self.write(words, machine, to, &bytes);
        }
        if let [Operand::Mask(to), ..] = instruction.operands[..] {
            return self.compare_into(words, machine, instruction, to);
        }
        let operands = &instruction.operands[..];
        let is_move = matches!(mnemonic, M::Movdqa | M::Movdqu);
        match operands {
            // The highest bits of all bytes.
            [to @ Operand::General(_, 4), Operand::Vector(from, len)]
                if mnemonic == M::Pmovmskb && words.gathers =>
            {
                let mut bytes = words
                    .highest_bits(&machine.vectors[*from][..*len])
                    .unwrap_or_else(|| vec![Byte::Unknown; 4]);
                bytes.resize(4, Byte::Number(0));
                return self.write(words, machine, to, &bytes);
            }
            // Full and partial stores.
            [Operand::Memory(place), Operand::Vector(from, len)] if is_move => {
                let to = self.place(words, machine, place)?;
                if mnemonic == M::Movdqa && !self.is_aligned(machine, to, *len as i64) {
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
                let (len, at) = match (mnemonic, rest) {
                    (M::Movd, []) => (4, 0),
                    (M::Movq | M::Movsd | M::Movlps, []) => (8, 0),
                    (M::Movhps, []) => (8, 8),
                    (M::Pextrd, [Operand::Immediate(n)]) => (4, 4 * (n & 3)),
                    (M::Pextrq, [Operand::Immediate(n)]) => (8, 8 * (n & 1)),
                    _ => return Err("unsupported instruction".into()),
                };
                let bytes = machine.vectors[*from][at as usize..][..len].to_vec();
                return self.write(words, machine, to, &bytes);
            }
            [Operand::Memory(place), Operand::Vector(from, 32), Operand::Immediate(n)]
                if matches!(instruction.mnemonic, M::Vextracti128 | M::Vextractf128) =>
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
            self.fetch(words, machine, from, len, mnemonic == M::Movdqa)?
        } else {
            self.function(words, machine, instruction, sources, &old)?
        };
        let register = &mut machine.vectors[to];
        register[..result.len()].copy_from_slice(&result);
        // Legacy SSE instructions preserve the rest of the register.
        if instruction.is_vex {
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
        let (mnemonic, element) = (first(instruction.mnemonic), element(instruction.mnemonic));
        let len = old.len();
        // VEX and EVEX encodings have a separate destination operand.
        let own = instruction.is_vex;
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
        Ok(match mnemonic {
            M::Pxor | M::Psubd | M::Psubq if alone => vec![Byte::Number(0); len],
            M::Pcmpeqb | M::Pcmpeqw | M::Pcmpeqd | M::Pcmpeqq if alone => {
                vec![Byte::Number(0xff); len]
            }
            M::Pcmpeqq | M::Vpminuq | M::Vpmaxuq => {
                let [x, y] = two(words)?;
                let chunks = x.chunks_exact(8).zip(y.chunks_exact(8));
                chunks.flat_map(|(x, y)| self.ordered_element(words, mnemonic, x, y)).collect()
            }
            M::Paddd | M::Paddq | M::Psubd | M::Psubq => {
                let [x, y] = two(words)?;
                let is_sum = matches!(mnemonic, M::Paddd | M::Paddq);
                let function = if is_sum { Operation::Add } else { Operation::Sub };
                let chunks = x.chunks_exact(element).zip(y.chunks_exact(element));
                let mut out = Vec::with_capacity(len);
                for (x, y) in chunks {
                    out.extend(words.arithmetic(function, x, y)?);
                }
                out
            }
            M::Pand => {
                let [x, y] = two(words)?;
                words.bitwise(0xc0, [&x, &y, &y])?
            }
            M::Pandn => {
                let [x, y] = two(words)?;
                words.bitwise(0x0c, [&x, &y, &y])?
            }
            M::Por => {
                let [x, y] = two(words)?;
                words.bitwise(OR, [&x, &y, &y])?
            }
            M::Pxor => {
                let [x, y] = two(words)?;
                words.bitwise(0x3c, [&x, &y, &y])?
            }
            M::Vpternlogd => {
                let (y, z) = (part(words, 0, len)?, part(words, 1, len)?);
                words.bitwise(n()? as u8, [old, &y, &z])?
            }
            M::Psrlw
            | M::Psrld
            | M::Psrlq
            | M::Psllw
            | M::Pslld
            | M::Psllq
            | M::Vprord
            | M::Vprorq
            | M::Vprold
            | M::Vprolq => {
                let (x, n) = (one(words)?, n()?);
                let bits = 8 * element as u64;
                let function = match mnemonic {
                    M::Psrlw | M::Psrld | M::Psrlq => Operation::ShiftRight,
                    M::Psllw | M::Pslld | M::Psllq => Operation::ShiftLeft,
                    M::Vprord | M::Vprorq => Operation::RotateRight,
                    _ => Operation::RotateLeft,
                };
                let shift = matches!(function, Operation::ShiftRight | Operation::ShiftLeft);
                if shift && n >= bits {
                    return Ok(vec![Byte::Number(0); len]);
                }
                let mut out = Vec::with_capacity(len);
                if element == 2 && words.gathers && !n.is_multiple_of(8) {
                    for x in x.chunks_exact(words.len) {
                        let is_left = function == Operation::ShiftLeft;
                        match words.shifted_parts(is_left, x, n as usize, 16) {
                            Some(bytes) => out.extend(bytes),
                            None => out.resize(out.len() + words.len, Byte::Unknown),
                        }
                    }
                    return Ok(out);
                }
                for x in x.chunks_exact(element) {
                    out.extend(words.shifted(function, x, n % bits)?);
                }
                out
            }
            // A register added to itself.
            M::Paddw if alone && words.gathers => {
                let x = if own { part(words, 0, len)? } else { old.to_vec() };
                let mut out = Vec::with_capacity(len);
                for x in x.chunks_exact(words.len) {
                    match words.shifted_parts(true, x, 1, 16) {
                        Some(bytes) => out.extend(bytes),
                        None => out.resize(out.len() + words.len, Byte::Unknown),
                    }
                }
                out
            }
            M::Psrldq | M::Pslldq => {
                let (x, n) = (one(words)?, n()? as usize);
                let from = |i: usize| {
                    if mnemonic == M::Psrldq { i.checked_add(n) } else { i.checked_sub(n) }
                };
                let byte = |i: usize| {
                    let place = from(i % 16).filter(|&place| place < 16);
                    place.map_or(Byte::Number(0), |place| x[i / 16 * 16 + place])
                };
                (0..len).map(byte).collect()
            }
            M::Palignr => {
                let ([high, low], n) = (two(words)?, n()? as usize);
                let byte = |i: usize| match (i / 16 * 16, i % 16 + n) {
                    (quarter, place @ 0..16) => low[quarter + place],
                    (quarter, place @ 16..32) => high[quarter + place - 16],
                    _ => Byte::Number(0),
                };
                (0..len).map(byte).collect()
            }
            M::Valignd | M::Valignq => {
                let size = if mnemonic == M::Valignd { 4 } else { 8 };
                let ([high, low], n) = (two(words)?, n()? as usize * size % len);
                [&low[n..], &high[..n]].concat()
            }
            M::Pshufd => {
                let (x, n) = (one(words)?, n()? as usize);
                moved(&x, &|_, i| 4 * (n >> (i / 4 * 2) & 3) + i % 4)
            }
            M::Pshuflw | M::Pshufhw => {
                let (x, n) = (one(words)?, n()? as usize);
                let half = if mnemonic == M::Pshuflw { 0 } else { 8 };
                moved(&x, &|_, i| match i.checked_sub(half) {
                    Some(j @ 0..8) => half + 2 * (n >> (j / 2 * 2) & 3) + j % 2,
                    _ => i,
                })
            }
            M::Movddup => {
                // A 16-byte form reads only 8 bytes of memory.
                let x = part(words, 0, if len == 16 { 8 } else { len })?;
                (0..len).map(|i| x[i / 16 * 16 + i % 8]).collect()
            }
            M::Shufps => {
                let ([x, y], n) = (two(words)?, n()? as usize);
                let from = |_: usize, i: usize| 4 * (n >> (i / 4 * 2) & 3) + i % 4;
                let (x, y) = (moved(&x, &from), moved(&y, &from));
                (0..len).map(|i| if i % 16 < 8 { x[i] } else { y[i] }).collect()
            }
            M::Shufpd => {
                let ([x, y], n) = (two(words)?, n()? as usize);
                let from = |i: usize, j: usize| 8 * (n >> (i / 8) & 1) + j % 8;
                let (x, y) = (moved(&x, &from), moved(&y, &from));
                (0..len).map(|i| if i % 16 < 8 { x[i] } else { y[i] }).collect()
            }
            M::Pshufb => {
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
            M::Punpcklbw
            | M::Punpckhbw
            | M::Punpckldq
            | M::Punpckhdq
            | M::Punpcklqdq
            | M::Punpckhqdq => {
                let [x, y] = two(words)?;
                let (element, high) = match mnemonic {
                    M::Punpcklbw => (1, 0),
                    M::Punpckhbw => (1, 8),
                    M::Punpckldq => (4, 0),
                    M::Punpckhdq => (4, 8),
                    M::Punpcklqdq => (8, 0),
                    _ => (8, 8),
                };
                let byte = |i: usize| {
                    let (quarter, i) = (i / 16 * 16, i % 16);
                    let source = if i / element % 2 == 0 { &x } else { &y };
                    source[quarter + high + i / (2 * element) * element + i % element]
                };
                (0..len).map(byte).collect()
            }
            // Signed 16-bit numbers become unsigned bytes.
            M::Packuswb => {
                let [x, y] = two(words)?;
                let byte = |i: usize| {
                    let source = if i < 8 { &x } else { &y };
                    match (source[2 * (i % 8)], source[2 * (i % 8) + 1]) {
                        (low, Byte::Number(0)) => low,
                        (_, Byte::Number(0x80..)) => Byte::Number(0),
                        (_, Byte::Number(_)) => Byte::Number(0xff),
                        _ => Byte::Unknown,
                    }
                };
                (0..16).map(byte).collect()
            }
            // The lower halves of both operands, or the upper ones.
            M::Movlhps => {
                let [x, y] = two(words)?;
                [&x[..8], &y[..8]].concat()
            }
            M::Movhlps => {
                let [x, y] = two(words)?;
                [&y[8..16], &x[8..16]].concat()
            }
            M::Blendps | M::Pblendw => {
                let ([x, y], n) = (two(words)?, n()? as usize);
                let byte = |i: usize| {
                    // Each bit of a word blend covers the same words in each quarter.
                    let bit = if mnemonic == M::Pblendw { i % 16 / 2 } else { i / 4 };
                    if n >> bit & 1 == 1 { y[i] } else { x[i] }
                };
                (0..len).map(byte).collect()
            }
            M::Vpblendvb => {
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
            M::Vpmovqd | M::Vpmovqw => {
                let from = part(words, 0, len / element * 8)?;
                match sources {
                    [Operand::Vector(_, all)] if *all == from.len() => {}
                    _ => return Err("unsupported instruction".into()),
                }
                (0..len).map(|i| from[i / element * 8 + i % element]).collect()
            }
            M::Vperm2i128 => {
                let ([x, y], n) = (two(words)?, n()? as usize);
                let byte = |i: usize| {
                    let chosen = n >> (i / 16 * 4) & 15;
                    let source = if chosen & 2 == 0 { &x } else { &y };
                    if chosen & 8 == 0 { source[chosen % 2 * 16 + i % 16] } else { Byte::Number(0) }
                };
                (0..len).map(byte).collect()
            }
            M::Vpermt2d | M::Vpermi2d => {
                let (x, y) = (part(words, 0, len)?, part(words, 1, len)?);
                // The forms differ only in the operand that they overwrite.
                let (order, first) =
                    if mnemonic == M::Vpermt2d { (&x[..], old) } else { (old, &x[..]) };
                let mut out = Vec::with_capacity(len);
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
            M::Vpermq => {
                let (x, n) = (part(words, 0, len)?, n()? as usize);
                (0..len).map(|i| x[i / 32 * 32 + 8 * (n >> (i / 8 % 4 * 2) & 3) + i % 8]).collect()
            }
            M::Vshufi32x4 if len > 16 => {
                let ([x, y], n) = (two(words)?, n()? as usize);
                // An index of four quarters has two bits, of two halves one.
                let places = len / 16;
                let byte = |i: usize| {
                    let source = if i < len / 2 { &x } else { &y };
                    source[16 * (n >> (i / 16 * (places / 2)) & (places - 1)) + i % 16]
                };
                (0..len).map(byte).collect()
            }
            M::Vinserti128 | M::Vinserti64x4 => {
                let part_len = if mnemonic == M::Vinserti64x4 { 32 } else { 16 };
                let at = part_len * (n()? as usize % (len / part_len));
                let mut x = part(words, 0, len)?;
                x[at..at + part_len].copy_from_slice(&part(words, 1, part_len)?);
                x
            }
            M::Vextracti128 => {
                let [Operand::Vector(_, all)] = sources else {
                    return Err("unsupported instruction".into());
                };
                let whole = part(words, 0, *all)?;
                whole[len * (n()? as usize % (all / len))..][..len].to_vec()
            }
            M::Vpbroadcastd | M::Vpbroadcastq | M::Vbroadcasti128 => {
                let element = match mnemonic {
                    M::Vpbroadcastd => 4,
                    M::Vpbroadcastq => 8,
                    _ => 16,
                };
                let one = part(words, 0, element)?;
                one.iter().copied().cycle().take(len).collect()
            }
            M::Movd | M::Movq | M::Movsd
                if matches!(sources, [Operand::Memory(_) | Operand::General(..)])
                    || mnemonic == M::Movq && matches!(sources, [Operand::Vector(..)]) =>
            {
                let element = if mnemonic == M::Movd { 4 } else { 8 };
                let mut bytes = part(words, 0, element)?;
                bytes.resize(16, Byte::Number(0));
                bytes
            }
            M::Pinsrd | M::Pinsrq => {
                let (mut x, from) = if own { (part(words, 0, len)?, 1) } else { (old.to_vec(), 0) };
                let at = element * (n()? as usize % (16 / element));
                x[at..at + element].copy_from_slice(&part(words, from, element)?);
                x
            }
            M::Insertps => {
                let (mut x, from) = if own { (part(words, 0, len)?, 1) } else { (old.to_vec(), 0) };
                let n = n()? as usize;
                // In memory the source is a single element.
                let source = match sources.get(from) {
                    Some(Operand::Memory(_)) => part(words, from, 4)?,
                    _ => part(words, from, len)?[4 * (n >> 6 & 3)..][..4].to_vec(),
                };
                x[4 * (n >> 4 & 3)..][..4].copy_from_slice(&source);
                for (i, element) in x.chunks_exact_mut(4).enumerate() {
                    if n >> i & 1 == 1 {
                        element.fill(Byte::Number(0));
                    }
                }
                x
            }
            // The SHA512 instructions have a VEX encoding, but their destination is also a source.
            M::Vsha512rnds2 | M::Vsha512msg1 | M::Vsha512msg2 => {
                let (y, wk) = match mnemonic {
                    M::Vsha512rnds2 => (part(words, 0, len)?, part(words, 1, 16)?),
                    M::Vsha512msg1 => (part(words, 0, 16)?, Vec::new()),
                    _ => (part(words, 0, len)?, Vec::new()),
                };
                sha::function(words, mnemonic, None, old, &y, &wk)?
            }
            M::Sha1rnds4
            | M::Sha1nexte
            | M::Sha1msg1
            | M::Sha1msg2
            | M::Sha256rnds2
            | M::Sha256msg1
            | M::Sha256msg2 => {
                let y = part(words, 0, 16)?;
                sha::function(words, mnemonic, n().ok(), old, &y, &machine.vectors[0])?
            }
            _ => return Err("unsupported instruction".into()),
        })
    }
}

/// The element size of an instruction in bytes.
#[rustfmt::skip]
pub(super) fn element(mnemonic: M) -> usize {
    match mnemonic {
        M::Vmovdqu8 => 1,
        M::Vmovdqu16 | M::Psrlw | M::Vpsrlw | M::Psllw | M::Vpsllw | M::Vpmovqw => 2,
        M::Vmovdqa64 | M::Vmovdqu64 | M::Vpbroadcastq | M::Vpxorq | M::Paddq | M::Vpaddq | M::Psubq | M::Vpsubq
        | M::Psrlq | M::Vpsrlq | M::Psllq | M::Vpsllq | M::Vprorq | M::Vprolq | M::Vpermt2q | M::Vpermi2q
        | M::Pinsrq | M::Vpinsrq => 8,
        _ => 4,
    }
}
