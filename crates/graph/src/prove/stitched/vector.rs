//! What the machine's vector instructions mean: bytes that move, and functions of words, lane
//! by lane.

use super::super::domain::Domain;
use super::line::Operand;
use super::machine::{Byte, Machine, Program, Region, Vector, address, store_bytes, unknown};
use crate::emit::semantics::Function;

impl<W: Copy + PartialEq> Program<'_, W> {
    /// The bytes of a vector operand.
    pub(super) fn fetch(
        &self,
        machine: &Machine<W>,
        operand: &Operand,
        bytes: usize,
        aligned: bool,
    ) -> Result<Vector<W>, String> {
        let mut vector = [Byte::Number(0); 32];
        match operand {
            Operand::Vector { number, .. } => {
                vector[..bytes].copy_from_slice(&machine.vectors[*number][..bytes]);
            }
            Operand::Memory { .. } => {
                let (region, offset) = address(machine, operand)?;
                if aligned && !self.is_aligned(region, offset, bytes) {
                    return Err("a place in memory is not aligned".into());
                }
                for (i, byte) in vector[..bytes].iter_mut().enumerate() {
                    *byte = self.byte(machine, region, offset + i as i64)?;
                }
            }
            _ => return Err("an operand has no meaning here".into()),
        }
        Ok(vector)
    }

    fn is_aligned(&self, region: Region, offset: i64, bytes: usize) -> bool {
        let from = if region == Region::Stack { self.alignment } else { 0 };
        let knows = matches!(region, Region::Stack | Region::Table);
        knows && (from + offset).rem_euclid(bytes as i64) == 0
    }

    pub(super) fn vector_step<D: Domain<Word = W>>(
        &self,
        domain: &mut D,
        machine: &mut Machine<W>,
        name: &str,
        operands: &[Operand],
    ) -> Result<(), String> {
        let (short, three) = match name.strip_prefix('v') {
            Some(short) => (short, true),
            None => (name, false),
        };
        // Stores.
        if let (
            "movdqa" | "movdqu",
            [to @ Operand::Memory { .. }, from @ Operand::Vector { bytes, .. }],
        ) = (short, operands)
        {
            let vector = self.fetch(machine, from, *bytes, false)?;
            let (region, offset) = address(machine, to)?;
            let aligned = short == "movdqu" || self.is_aligned(region, offset, *bytes);
            if region != Region::Stack || !aligned {
                return Err("it stores where it may not, or not aligned".into());
            }
            return store_bytes(machine, offset, &vector[..*bytes]);
        }
        let [Operand::Vector { number, bytes, mask }, sources @ ..] = operands else {
            return Err(format!("{name} has no meaning here"));
        };
        let (to, bytes) = (*number, *bytes);
        let old = machine.vectors[to];
        let immediate = match sources.last() {
            Some(Operand::Immediate(n)) => Some(*n as usize),
            _ => None,
        };
        let sources = &sources[..sources.len() - usize::from(immediate.is_some())];
        let unaligned = short == "movdqu" || three;
        let read = |i: usize| match sources.get(i) {
            Some(source) => {
                let half = (short == "inserti128" && i == 1) || short == "broadcasti128";
                let len = if half { 16 } else { bytes };
                self.fetch(machine, source, len, !unaligned || short == "movdqa")
            }
            None => Err(format!("{name} wants another operand")),
        };
        // Two operands: the first is the destination's.
        let pair = |i: usize| -> Result<[Vector<W>; 2], String> {
            if three { Ok([read(i)?, read(i + 1)?]) } else { Ok([old, read(0)?]) }
        };
        let one = || if three || sources.len() == 1 { read(0) } else { Ok(old) };
        let n = immediate.unwrap_or(0);
        let result: Vector<W> = match short {
            "movdqa" | "movdqu" => read(0)?,
            "inserti128" => {
                let (mut low, high) = (read(0)?, read(1)?);
                low[16..].copy_from_slice(&high[..16]);
                low
            }
            "broadcasti128" => {
                let mut low = read(0)?;
                low.copy_within(..16, 16);
                low
            }
            "paddd" | "paddq" | "pxor" | "pxord" | "por" => {
                let [x, y] = pair(0)?;
                let lane = if short == "paddq" { 8 } else { 4 };
                self.lanes(domain, short, lane, bytes, &[x, y])?
            }
            "pternlogd" if n == 150 => {
                self.lanes(domain, "pxor", 4, bytes, &[old, read(0)?, read(1)?])?
            }
            "psrlw" | "psllw" => {
                if n != 8 {
                    return Err("halves of words are shifted by other than a byte".into());
                }
                let x = one()?;
                std::array::from_fn(|i| match (short, i % 2) {
                    ("psrlw", 0) => x[i + 1],
                    ("psllw", 1) => x[i - 1],
                    _ => Byte::Number(0),
                })
            }
            "psrld" | "psrlq" | "pslld" | "psllq" | "prord" | "prorq" | "prold" => {
                let x = one()?;
                self.shifted(domain, short, n, bytes, &x)?
            }
            "psrldq" | "pslldq" => {
                let x = one()?;
                std::array::from_fn(|i| {
                    let (half, i) = (i / 16 * 16, i % 16);
                    let from = if short == "psrldq" { i.checked_add(n) } else { i.checked_sub(n) };
                    from.filter(|&i| i < 16).map_or(Byte::Number(0), |i| x[half + i])
                })
            }
            "palignr" => {
                let [high, low] = pair(0)?;
                std::array::from_fn(|i| {
                    let (half, i) = (i / 16 * 16, i % 16 + n);
                    if i < 16 { low[half + i] } else { high[half + i - 16] }
                })
            }
            "shufpd" if n == 1 => {
                let [x, y] = pair(0)?;
                std::array::from_fn(|i| match i % 16 {
                    j @ 0..8 => x[i / 16 * 16 + 8 + j],
                    j => y[i / 16 * 16 + j - 8],
                })
            }
            "pshufd" => {
                let x = read(0)?;
                std::array::from_fn(|i| x[i / 16 * 16 + 4 * (n >> (i % 16 / 4 * 2) & 3) + i % 4])
            }
            "pshuflw" | "pshufhw" => {
                let (x, half) = (read(0)?, if short == "pshuflw" { 0 } else { 8 });
                std::array::from_fn(|i| match (i % 16).checked_sub(half) {
                    Some(j @ 0..8) => x[i / 16 * 16 + half + 2 * (n >> (j / 2 * 2) & 3) + j % 2],
                    _ => x[i],
                })
            }
            "pshufb" => {
                let [x, order] = pair(0)?;
                let mut out = [Byte::Number(0); 32];
                for (i, byte) in out[..bytes].iter_mut().enumerate() {
                    *byte = match order[i] {
                        Byte::Number(k @ 0..16) => x[i / 16 * 16 + usize::from(k)],
                        Byte::Number(0x80..) => Byte::Number(0),
                        _ => return Err(unknown("an order of bytes")),
                    };
                }
                out
            }
            _ => return Err(format!("{name} has no meaning here")),
        };
        let lanes = mask.map_or(Some(u64::MAX), |mask| machine.masks[mask]);
        let lanes = lanes.ok_or_else(|| unknown("a mask"))?;
        let register = &mut machine.vectors[to];
        for (i, byte) in register[..bytes].iter_mut().enumerate() {
            if lanes >> (i / 4) & 1 == 1 {
                *byte = result[i];
            }
        }
        if three {
            register[bytes..].fill(Byte::Number(0));
        }
        Ok(())
    }

    /// A function of words, lane by lane.
    fn lanes<D: Domain<Word = W>>(
        &self,
        domain: &mut D,
        name: &str,
        lane: usize,
        bytes: usize,
        sources: &[Vector<W>],
    ) -> Result<Vector<W>, String> {
        if name.starts_with("padd") && lane != self.word_len {
            return Err("words are added at another width".into());
        }
        let zero = |bytes: &[Byte<W>]| bytes.iter().all(|byte| *byte == Byte::Number(0));
        let mut out = [Byte::Number(0); 32];
        // A function of bits alone leaves bytes apart where all but one are zero.
        if name == "por" {
            let [x, y] = sources else { return Err("por wants two operands".into()) };
            let apart = (0..bytes).all(|i| [x[i], y[i]].contains(&Byte::Number(0)));
            if apart {
                for i in 0..bytes {
                    out[i] = if x[i] == Byte::Number(0) { y[i] } else { x[i] };
                }
                return Ok(out);
            }
        }
        for at in (0..bytes).step_by(self.word_len) {
            let range = at..at + self.word_len;
            let mut parts = sources.iter().map(|x| &x[range.clone()]).filter(|x| !zero(x));
            let Some(first) = parts.next() else { continue };
            let Some(second) = parts.next() else {
                out[range].copy_from_slice(first);
                continue;
            };
            let mut word = self.word(domain, first)?;
            for part in std::iter::once(second).chain(parts) {
                let other = self.word(domain, part)?;
                word = match name {
                    // x + x
                    "paddd" | "paddq" if word == other => {
                        domain.apply_constant(Function::ShiftLeft, word, 1)
                    }
                    "paddd" | "paddq" => domain.apply(Function::Add, word, other),
                    "por" => domain.apply(Function::Or, word, other),
                    _ => domain.apply(Function::Xor, word, other),
                };
            }
            for (i, byte) in out[range].iter_mut().enumerate() {
                *byte = Byte::Of(word, i);
            }
        }
        Ok(out)
    }

    /// Words shifted or rotated; of 32 bits also two by two.
    fn shifted<D: Domain<Word = W>>(
        &self,
        domain: &mut D,
        name: &str,
        n: usize,
        bytes: usize,
        x: &Vector<W>,
    ) -> Result<Vector<W>, String> {
        let lane = if name.ends_with('q') { 8 } else { 4 };
        let function = match &name[..name.len() - 1] {
            "psrl" => Function::ShiftRight,
            "psll" => Function::ShiftLeft,
            "pror" => Function::RotateRight,
            _ => Function::RotateLeft,
        };
        let mut out = [Byte::Number(0); 32];
        for at in (0..bytes).step_by(lane) {
            let mut words = Vec::new();
            if lane == self.word_len {
                let word = self.word(domain, &x[at..at + lane])?;
                words.push(domain.apply_constant(function, word, n as u64));
            } else if name == "psrlq" && self.word_len == 4 && (1..32).contains(&n) {
                let low = self.word(domain, &x[at..at + 4])?;
                let high = self.word(domain, &x[at + 4..at + 8])?;
                if low != high {
                    return Err("two words are shifted as one".into());
                }
                words.push(domain.apply_constant(Function::RotateRight, low, n as u64));
                words.push(domain.apply_constant(Function::ShiftRight, high, n as u64));
            } else {
                return Err("words are shifted at another width".into());
            }
            for (i, byte) in out[at..at + lane].iter_mut().enumerate() {
                *byte = Byte::Of(words[i / self.word_len], i % self.word_len);
            }
        }
        Ok(out)
    }
}
