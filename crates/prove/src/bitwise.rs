//! Bitwise functions: of single bytes if their values suffice, otherwise of words.

use super::domain::{Domain, Operation};
use super::lengths::Bits;
use super::value::{Byte, Bytes, Content};
use super::words::{Words, mixed_words};

/// The truth tables of x, y and z.
const VARIABLES: [u8; 3] = [0xf0, 0xcc, 0xaa];

/// The truth table of x ∨ y for [`Words::bitwise`].
pub const OR: u8 = 0xfc;

impl<D: Domain> Words<'_, D> {
    /// A bitwise function of three operands: bit 4x + 2y + z of `table` is its value. A binary
    /// function ignores the third operand.
    pub fn bitwise(
        &mut self,
        table: u8,
        sources: [&[Byte<D::Word>]; 3],
    ) -> Result<Bytes<D::Word>, String> {
        let len = sources[0].len();
        let mut out = Vec::with_capacity(len);
        for at in (0..len).step_by(self.len) {
            let end = len.min(at + self.len);
            let one = |i: usize| byte_of(table, sources.map(|source| source[i]));
            let known: Option<Bytes<D::Word>> = (at..end).map(one).collect();
            if let Some(known) = known {
                out.extend(known);
                continue;
            }
            let parts = sources.map(|source| &source[at..end]);
            // Bytes may be permuted, if all operands have the same permutation.
            let order = parts.iter().find_map(|part| self.order(part));
            let word = match &order {
                None => match self.word_of(table, parts) {
                    // Bytes of several words, or fewer than a word has.
                    Err(fault) => {
                        let gathered = parts.map(|part| self.gathered_bytes(part));
                        let [Some(x), Some(y), Some(z)] = gathered else { return Err(fault) };
                        self.word_of(table, [&x, &y, &z])?
                    }
                    found => found?,
                },
                Some(order) => {
                    let sorted = parts.map(|part| {
                        let mut sorted = part.to_vec();
                        part.iter().zip(order).for_each(|(byte, &i)| sorted[i] = *byte);
                        sorted
                    });
                    self.word_of(table, sorted.each_ref().map(Vec::as_slice))?
                }
            };
            let order = order.unwrap_or_else(|| (0..end - at).collect());
            match word {
                // Some bytes may still be known.
                None => out.extend((at..end).map(|i| one(i).unwrap_or(Byte::Unknown))),
                Some(word) => out.extend(order.iter().map(|&i| Byte::Of(word, i as u8))),
            }
        }
        Ok(out)
    }

    /// The permutation of a word's bytes in `part`. `None` for rotations, which are words
    /// themselves.
    fn order(&self, part: &[Byte<D::Word>]) -> Option<Vec<usize>> {
        let Byte::Of(whole, _) = part[0] else { return None };
        let place = |byte: &Byte<D::Word>| match *byte {
            Byte::Of(word, i) if word == whole => Some(usize::from(i)),
            _ => None,
        };
        let order: Vec<usize> = part.iter().map(place).collect::<Option<_>>()?;
        let all = (0..self.len).all(|i| order.contains(&i));
        let is_rotation = order.windows(2).all(|pair| (pair[0] + 1) % self.len == pair[1]);
        (all && order.len() == self.len && !is_rotation).then_some(order)
    }

    /// A bitwise function of words, as a polynomial over GF(2); `None` if an operand is unknown.
    fn word_of(
        &mut self,
        table: u8,
        parts: [&[Byte<D::Word>]; 3],
    ) -> Result<Option<D::Word>, String> {
        let mut polynomial = table;
        for bit in [1, 2, 4] {
            for i in (0..8).filter(|i| i & bit != 0) {
                polynomial ^= (polynomial >> (i ^ bit) & 1) << i;
            }
        }
        let mut values = [None; 3];
        for (variable, bit) in [4, 2, 1].into_iter().enumerate() {
            if (0..8).any(|i| i & bit != 0 && polynomial >> i & 1 == 1) {
                values[variable] = Some(self.value(parts[variable]));
            }
        }
        if values.contains(&Some(Content::Unknown)) {
            return Ok(None);
        }
        let mut words = [None; 3];
        for (word, value) in words.iter_mut().zip(values) {
            *word = value.map(|value| self.as_word(value).ok_or_else(mixed_words)).transpose()?;
        }
        let [x, y, z] = words;
        // The normal form recognizes a rotation as the ∨ of two shifts, so keep the ∨.
        if let (OR, Some(x), Some(y)) = (table, x, y) {
            return Ok(Some(self.domain.apply(Operation::Or, x, y)));
        }
        let mut sum = None;
        for i in 1..8 {
            if polynomial >> i & 1 == 0 {
                continue;
            }
            let factors = [(4, x), (2, y), (1, z)].into_iter().filter(|(bit, _)| i & bit != 0);
            let product = factors
                .filter_map(|(_, word)| word)
                .reduce(|p, word| self.domain.apply(Operation::And, p, word));
            sum = match (sum, product) {
                (Some(sum), Some(product)) => Some(self.domain.apply(Operation::Xor, sum, product)),
                (sum, product) => sum.or(product),
            };
        }
        let sum = match sum {
            Some(sum) if polynomial & 1 == 1 => self.domain.apply(Operation::Not, sum, sum),
            Some(sum) => sum,
            None => return Err(mixed_words()),
        };
        Ok(Some(sum))
    }
}

/// One byte of a bitwise function, if the operands' bytes determine it.
fn byte_of<W: Copy + PartialEq>(table: u8, bytes: [Byte<W>; 3]) -> Option<Byte<W>> {
    let numbers = bytes.map(|byte| if let Byte::Number(k) = byte { Some(k) } else { None });
    if let [Some(x), Some(y), Some(z)] = numbers {
        let bit = |b: u32| {
            let index = (x >> b & 1) << 2 | (y >> b & 1) << 1 | (z >> b & 1);
            (table >> index & 1) << b
        };
        return Some(Byte::Number((0..8).map(bit).sum()));
    }
    // The table entries that remain possible if a byte is all zeros, all ones, or equal to another
    // byte.
    let mut possible = 0xffu8;
    for (v, number) in numbers.into_iter().enumerate() {
        match number {
            Some(0) => possible &= !VARIABLES[v],
            Some(0xff) => possible &= VARIABLES[v],
            _ => {}
        }
    }
    for (v, w) in [(0, 1), (1, 2), (0, 2)] {
        let is_known = !matches!(bytes[v], Byte::Unknown | Byte::Bits(..));
        if is_known && bytes[v] == bytes[w] {
            possible &= !(VARIABLES[v] ^ VARIABLES[w]);
        }
    }
    if table & possible == 0 {
        return Some(Byte::Number(0));
    }
    if !table & possible == 0 {
        return Some(Byte::Number(0xff));
    }
    let one = (0..3).find(|&v| (table ^ VARIABLES[v]) & possible == 0).map(|v| bytes[v]);
    let any = bytes.iter().any(|byte| matches!(byte, Byte::Bits(..)));
    one.or_else(|| if any { bit_by_bit(table, bytes) } else { None })
}

/// One byte of a bitwise function of partially known bytes.
fn bit_by_bit<W: Copy + PartialEq>(table: u8, bytes: [Byte<W>; 3]) -> Option<Byte<W>> {
    let [x, y, z] = bytes.map(Byte::open);
    let sources = [x?, y?, z?];
    let mut result = Bits::open(sources.iter().fold(0, |lanes, source| lanes | source.lanes));
    for b in 0..8 {
        let agrees = |i: usize, v: usize| {
            sources[v].known >> b & 1 == 0 || sources[v].value >> b & 1 == (i >> (2 - v) & 1) as u64
        };
        let mut values = (0..8).filter(|&i| (0..3).all(|v| agrees(i, v))).map(|i| table >> i & 1);
        let first = values.next()?;
        if values.all(|value| value == first) {
            result.known |= 1 << b;
            result.value |= u64::from(first) << b;
        }
    }
    Some(Byte::of_bits(result))
}
