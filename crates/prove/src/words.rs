//! Reassembles words from bytes, and computes with them.

use std::cmp::Ordering;

use super::address::{Address, Region};
use super::domain::{self, Bit, Domain, Operation};
use super::lengths::{Bits, Count};
use super::value::{Byte, Bytes, Content, Pointer, bits, number, some_bits};

/// The view of bytes as words, with the facts needed to recognize them.
pub struct Words<'d, D: Domain> {
    /// The domain of words.
    pub domain: &'d mut D,
    /// Bytes per word.
    pub len: usize,
    /// The pointer size.
    pub pointer: Pointer,
    /// The lane under proof, and the two words of its message's length in bits, lower word first,
    /// if the function takes lengths.
    pub length: Option<(u8, [D::Word; 2])>,
    /// Whether to assemble words from bytes of others, as the end of a message requires.
    pub joins: bool,
    /// The word in which the message ends, and the number of message bytes in it, if known. The
    /// other bytes are padding.
    pub end: Option<(D::Word, usize)>,
    /// The total length of the message, compressed bytes included, if a copy of its end is padded.
    pub padded: Option<Address>,
    /// Whether words are big-endian in memory.
    pub big_endian: bool,
    /// Whether to gather bits of several words in a new word.
    pub gathers: bool,
}

impl<D: Domain> Words<'_, D> {
    /// The lowest `len` bytes of a word: all of them, or half.
    pub fn bytes(&self, word: D::Word, len: usize) -> Bytes<D::Word> {
        (0..len as u8).map(|i| Byte::Of(word, i)).collect()
    }

    /// The number that a value equals, in the region `Number`.
    pub fn whole(&self, value: Content<D::Word>) -> Option<Address> {
        match value {
            Content::Address(address) | Content::Low(address) => Some(address),
            Content::Number(k) => Some(Address::new(Region::Number, self.pointer.signed(k as i64))),
            _ => None,
        }
    }

    /// The meaning of bytes.
    pub fn value(&mut self, bytes: &[Byte<D::Word>]) -> Content<D::Word> {
        if let Some(word) = self.word_of_length(bytes) {
            return word;
        }
        if let Some(word) = self.word_of_end(bytes) {
            return Content::Word(word);
        }
        match bytes[0] {
            Byte::Of(word, first)
                if bytes.len() == self.len
                    && bytes.iter().enumerate().all(|(i, byte)| {
                        *byte == Byte::Of(word, ((usize::from(first) + i) % self.len) as u8)
                    }) =>
            {
                let n = 8 * u64::from(first);
                Content::Word(self.domain.apply_constant(Operation::RotateRight, word, n))
            }
            Byte::Of(word, first)
                if (bytes.len(), self.len) == (4, 8)
                    && first % 4 == 0
                    && (first..).zip(bytes).all(|(i, byte)| *byte == Byte::Of(word, i)) =>
            {
                Content::Half(if first == 0 { word } else { self.domain.swapped(word) })
            }
            // Two halves, possibly of the same word.
            Byte::Of(..) if bytes.len() == 8 && self.len == 8 => {
                match (self.value(&bytes[..4]), self.value(&bytes[4..])) {
                    (Content::Half(low), Content::Half(high)) => {
                        self.domain.joined(low, high).map_or(Content::Mixed, Content::Word)
                    }
                    (Content::Unknown, _) | (_, Content::Unknown) => Content::Unknown,
                    _ => self.number(bytes),
                }
            }
            Byte::Address(address, 0)
                if bytes.len() == self.pointer.0
                    && (0..).zip(bytes).all(|(i, byte)| *byte == Byte::Address(address, i)) =>
            {
                Content::Address(address)
            }
            Byte::Address(address, 0)
                if bytes.len() == 4
                    && address.region == Region::Number
                    && (0..).zip(bytes).all(|(i, byte)| *byte == Byte::Address(address, i)) =>
            {
                Content::Low(address)
            }
            _ => self.number(bytes),
        }
    }

    /// The number that constant bytes form.
    fn number(&self, bytes: &[Byte<D::Word>]) -> Content<D::Word> {
        if bytes.contains(&Byte::Unknown) {
            return Content::Unknown;
        }
        let mut k = 0;
        for (i, byte) in bytes.iter().enumerate() {
            let byte = match *byte {
                Byte::Number(byte) => Some(u64::from(byte)),
                Byte::Of(word, j) if self.joins => {
                    self.domain.number(word).map(|k| k >> (8 * j) & 0xff)
                }
                _ => None,
            };
            let Some(byte) = byte else { return some_bits(bytes) };
            k |= byte << (8 * i);
        }
        Content::Number(k)
    }

    /// A word of a message's length in bits; unknown for other lanes.
    fn word_of_length(&self, bytes: &[Byte<D::Word>]) -> Option<Content<D::Word>> {
        let (own, words) = self.length?;
        let Byte::Address(address, first) = bytes[0] else { return None };
        let is = |(i, byte): (u8, &Byte<D::Word>)| match *byte {
            // The upper word has three significant bits if words have 64 bits.
            Byte::Number(0) => self.len == 8 && i >= 4 && matches!(address.of, Count::High(_)),
            byte => byte == Byte::Address(address, i),
        };
        let all = (first..).zip(bytes).all(is);
        let (lane, i) = match address.of {
            // The upper word is part of the same number if that has both.
            Count::Bytes(lane)
                if address == Address::counted(8, address.of)
                    && (first == 0 || (usize::from(first), self.len) == (4, 4)) =>
            {
                (lane, usize::from(first) / 4)
            }
            Count::High(lane) if address == Address::counted(1, address.of) && first == 0 => {
                (lane, 1)
            }
            Count::Before
                if Some(address) == self.padded.and_then(|len| len.times(8, len.region))
                    && (first == 0 || (usize::from(first), self.len) == (4, 4)) =>
            {
                if (self.pointer.0, self.len) == (4, 8) && bytes.len() == 8 {
                    let middle = Address::counted(1, Count::Middle(own));
                    let is = |half: &[Byte<D::Word>], of| half == self.pointer.bytes(of);
                    let is = is(&bytes[..4], address) && is(&bytes[4..], middle);
                    return is.then_some(Content::Word(words[0]));
                }
                (own, usize::from(first) / 4)
            }
            _ => return None,
        };
        if !all || bytes.len() != self.len {
            return None;
        }
        Some(if lane == own { Content::Word(words[i]) } else { Content::Unknown })
    }

    /// The word in which the message ends: message bytes, the end bit, and zeros.
    fn word_of_end(&self, bytes: &[Byte<D::Word>]) -> Option<D::Word> {
        let (word, own) = self.end.filter(|_| bytes.len() == self.len)?;
        let is = |(i, byte): (usize, &Byte<D::Word>)| {
            let place = if self.big_endian { self.len - 1 - i } else { i };
            *byte
                == match place.cmp(&own) {
                    Ordering::Less => Byte::Of(word, i as u8),
                    Ordering::Equal => Byte::Number(0x80),
                    Ordering::Greater => Byte::Number(0),
                }
        };
        bytes.iter().enumerate().all(is).then_some(word)
    }

    /// A number that depends on lengths, divided by 2^n.
    fn divided(&self, a: Address, n: u64) -> Option<Address> {
        let bits = 8 * self.len as u64;
        if let Some(padded) = self.padded {
            let (lane, _) = self.length?;
            let is_high = match self.pointer.0 {
                8 => a == padded && n == bits - 3,
                // The upper half of a two-part number.
                _ => a == Address::counted(1, Count::BytesHigh(lane)) && (self.len, n) == (8, 29),
            };
            if is_high {
                return Some(Address::counted(1, Count::High(lane)));
            }
            // A number of bytes that is nonnegative and does not exceed the message.
            let block = 16 * self.len as i32;
            let is = (a.region, a.done, a.total, a.stride) == (Region::Number, block, 0, 0)
                && (0..2 * i64::from(block)).contains(&a.offset)
                && n <= block.trailing_zeros().into();
            return is.then(|| Address { done: a.done >> n, offset: a.offset >> n, ..a });
        }
        if (a.region, a.done, a.total, a.stride) != (Region::Number, 0, 1, 0) {
            return None;
        }
        let of = match a.of {
            // A block has sixteen words.
            of if 1 << n == 16 * self.len => of.blocks(a.offset, self.len)?,
            // With 32-bit addresses, this would divide only the lower half.
            Count::Bytes(lane) if a.offset == 0 && n == bits - 3 && self.pointer.0 == 8 => {
                Count::High(lane)
            }
            _ => return None,
        };
        Some(Address::counted(1, of))
    }

    /// A length rounded down to a multiple of the block length.
    pub(super) fn rounded(&self, a: Address, mask: u64) -> Option<Address> {
        // Bits above the lowest ones, and bits lost to overflow, do not affect these.
        let low = a.done.trailing_zeros().min(63);
        let ones = u64::MAX >> (64 - 8 * self.pointer.0);
        if (a.region, a.total, a.stride) == (Region::Number, 0, 0) && a.done != 0 {
            let rounds = |n: u32| mask == ones << n & ones;
            if mask < 1 << low {
                return Some(Address::new(Region::Number, (a.offset as u64 & mask) as i64));
            }
            if (0..=low).any(rounds) {
                return Some(Address { offset: a.offset & self.pointer.signed(mask as i64), ..a });
            }
        }
        let block_len = 16 * self.len as u64;
        let whole = mask == block_len.wrapping_neg() & ones;
        let n = u64::from(block_len.trailing_zeros());
        self.divided(a, n).filter(|_| whole)?.times(block_len as i64, Region::Number)
    }

    /// The bits of bytes, lowest first; `None` if a byte is neither constant nor part of a word.
    pub(super) fn bits_of(&self, bytes: &[Byte<D::Word>]) -> Option<Vec<Bit<D::Word>>> {
        let mut all = Vec::with_capacity(8 * bytes.len());
        for byte in bytes {
            match *byte {
                Byte::Number(k) => all.extend((0..8).map(|i| Bit::Is(k >> i & 1 == 1))),
                Byte::Of(word, at) => all.extend((0..8).map(|i| Bit::Of(word, 8 * at + i))),
                _ => return None,
            }
        }
        Some(all)
    }

    /// The lowest `len` bytes of a new word with these bits, lowest first, and zeros.
    pub(super) fn gathered(&mut self, bits: &[Bit<D::Word>], len: usize) -> Bytes<D::Word> {
        let word = self.domain.gathered(bits);
        let constant = |bit: &Bit<D::Word>| match *bit {
            Bit::Is(is) => Some(u64::from(is)),
            Bit::Of(word, i) => self.domain.number(word).map(|k| k >> i & 1),
        };
        let known: Option<Vec<u64>> = bits.iter().map(constant).collect();
        match known {
            Some(known) => number((0..).zip(known).map(|(i, bit)| bit << i).sum(), len),
            None => self.bytes(word, len),
        }
    }

    /// The highest bits of all bytes, as new words.
    pub(super) fn highest_bits(&mut self, bytes: &[Byte<D::Word>]) -> Option<Bytes<D::Word>> {
        let bits: Vec<_> = self.bits_of(bytes)?.into_iter().skip(7).step_by(8).collect();
        Some(bits.chunks(32).flat_map(|bits| self.gathered(bits, bits.len() / 8)).collect())
    }

    /// Bytes of several words as a new word, zero-extended.
    pub(super) fn gathered_bytes(&mut self, bytes: &[Byte<D::Word>]) -> Option<Bytes<D::Word>> {
        let bits = self.bits_of(bytes).filter(|_| self.gathers)?;
        Some(self.gathered(&bits, self.len))
    }

    /// New words with these bits, lowest first.
    fn rebuilt(&mut self, bits: &[Bit<D::Word>]) -> Bytes<D::Word> {
        let words = bits.chunks(8 * self.len);
        words.flat_map(|bits| self.gathered(bits, bits.len() / 8)).collect()
    }

    /// Shifts each part of `part` bits, whose bytes may be of several words.
    pub(super) fn shifted_parts(
        &mut self,
        is_left: bool,
        x: &[Byte<D::Word>],
        n: usize,
        part: usize,
    ) -> Option<Bytes<D::Word>> {
        let bits = self.bits_of(x).filter(|_| self.gathers)?;
        let from = |i: usize| {
            let source =
                if is_left { (i % part).checked_sub(n) } else { (i % part).checked_add(n) };
            let source = source.filter(|&source| source < part);
            source.map_or(Bit::Is(false), |source| bits[i / part * part + source])
        };
        let all: Vec<_> = (0..bits.len()).map(from).collect();
        Some(self.rebuilt(&all))
    }

    /// The product of bits and a number, if no two of its partial products have a bit in the same place: their
    /// sum has no carries.
    fn spread(&mut self, x: &[Byte<D::Word>], k: u64) -> Option<Bytes<D::Word>> {
        let bits = self.bits_of(x).filter(|_| self.gathers)?;
        let mut product = vec![Bit::Is(false); bits.len()];
        // Consecutive bits are mostly of one word.
        let mut last = None;
        let mut possible = |word: D::Word| match last {
            Some((same, possible)) if same == word => possible,
            _ => last.insert((word, self.domain.possible(word))).1,
        };
        for (i, &bit) in bits.iter().enumerate() {
            let is_possible = match bit {
                Bit::Is(is) => is,
                Bit::Of(word, at) => possible(word) >> at & 1 == 1,
            };
            if !is_possible {
                continue;
            }
            for j in (0..bits.len() - i).filter(|j| k >> j & 1 == 1) {
                if std::mem::replace(&mut product[i + j], bit) != Bit::Is(false) {
                    return None;
                }
            }
        }
        Some(self.rebuilt(&product))
    }

    /// The word that is zero if and only if these bytes are.
    pub(super) fn tested(&mut self, bytes: &[Byte<D::Word>]) -> Option<D::Word> {
        let gathered = self.gathered_bytes(bytes).filter(|_| bytes.len() <= self.len)?;
        let word = self.value(&gathered);
        self.as_word(word)
    }

    /// Whether a word is zero, as a byte.
    pub(super) fn is_zero(&mut self, word: D::Word) -> Option<Byte<D::Word>> {
        let possible = self.domain.possible(word);
        if let Some(k) = self.domain.number(word) {
            return Some(Byte::Number((k == 0).into()));
        }
        // Only a word with a single bit decides it by a bit.
        let only = Some(possible.trailing_zeros() as u8).filter(|_| possible.is_power_of_two())?;
        let bit = self.domain.gathered(&[Bit::Of(word, only)]);
        let one = self.domain.constant(1);
        Some(Byte::Of(self.domain.apply(Operation::Xor, bit, one), 0))
    }

    /// Converts a value to a word.
    ///
    /// The unused half of a half word does not affect the corresponding half of the result.
    pub(super) fn as_word(&mut self, value: Content<D::Word>) -> Option<D::Word> {
        match value {
            Content::Word(word) | Content::Half(word) => Some(word),
            Content::Number(k) => Some(self.domain.constant(k)),
            _ => None,
        }
    }

    /// The sum or difference of two values of `x.len()` bytes.
    pub fn arithmetic(
        &mut self,
        function: Operation,
        x: &[Byte<D::Word>],
        y: &[Byte<D::Word>],
    ) -> Result<Bytes<D::Word>, String> {
        let len = x.len();
        let (a, b) = (self.value(x), self.value(y));
        // Bytes of several words are a new word.
        if [a, b].contains(&Content::Mixed)
            && len == self.len
            && let (Some(x), Some(y)) = (self.gathered_bytes(x), self.gathered_bytes(y))
        {
            return self.arithmetic(function, &x, &y);
        }
        Ok(match (a, b) {
            (_, Content::Number(0)) => x.to_vec(),
            (Content::Number(0), _) if function == Operation::Add => y.to_vec(),
            (Content::Number(a), Content::Number(b)) => {
                number(domain::value(function, 8 * len as u32, a, b), len)
            }
            // The carry out of a 32-bit word is unknown, but the word may be known.
            (Content::Unknown, _) | (_, Content::Unknown) if len == 8 && self.len == 4 => {
                let low = self.arithmetic(function, &x[..4], &y[..4]);
                let mut low = low.unwrap_or_default();
                low.resize(8, Byte::Unknown);
                low
            }
            (Content::Unknown, _) | (_, Content::Unknown) => vec![Byte::Unknown; len],
            (Content::Bits(_), _) | (_, Content::Bits(_))
                if let (Some(a), Some(b)) = (a.open(), b.open()) =>
            {
                let sum = function == Operation::Add;
                bits(if sum { a.sum(b) } else { Bits::open(a.lanes | b.lanes) }, len)
            }
            // Only that lane's length decides the position in another lane's message.
            (Content::Address(a), Content::Bits(by)) | (Content::Bits(by), Content::Address(a))
                if function == Operation::Add
                    && let (Region::Message(lane), Some((own, _))) = (a.region, self.length)
                    && lane != u16::from(own)
                    && by.lanes == 1 << lane
                    && a.lanes() & !by.lanes == 0 =>
            {
                bits(Bits::open(by.lanes), len)
            }
            (Content::Address(_), _) | (_, Content::Address(_)) => {
                let both = self.whole(a).zip(self.whole(b));
                let result = both.and_then(|(a, b)| match function {
                    Operation::Add => a.sum(b),
                    _ => a.minus(b),
                });
                let lanes = a.open().zip(b.open()).map_or(0, |(a, b)| a.lanes | b.lanes);
                match result {
                    Some(result) => self.pointer.bytes(result),
                    None if lanes != 0 => bits(Bits::open(lanes), len),
                    None => return Err("a sum of addresses is not an address".into()),
                }
            }
            (Content::Low(a), Content::Number(k)) => {
                let k = Address::new(Region::Number, i64::from(k as i32));
                let result = if function == Operation::Add { a.sum(k) } else { a.minus(k) };
                let result = result.ok_or("a number is too large")?;
                self.pointer.bytes(result)[..len].to_vec()
            }
            (Content::Word(a), Content::Word(b)) | (Content::Half(a), Content::Half(b))
                if a == b && function == Operation::Add =>
            {
                let word = self.domain.apply_constant(Operation::ShiftLeft, a, 1);
                self.bytes(word, len)
            }
            (Content::Word(_) | Content::Half(_), _) | (_, Content::Word(_) | Content::Half(_)) => {
                let (Some(a), Some(b)) = (self.as_word(a), self.as_word(b)) else {
                    return Err(mixed_words());
                };
                let word = self.domain.apply(function, a, b);
                self.bytes(word, len)
            }
            // 32-bit words in 64-bit registers: the carry out of them is unknown.
            _ if len == 8 && self.len == 4 => {
                let mut low = self.arithmetic(function, &x[..4], &y[..4])?;
                low.resize(8, Byte::Unknown);
                low
            }
            _ => return Err(mixed_words()),
        })
    }

    /// A value shifted or rotated by `n` bits, fewer than it has.
    pub fn shifted(
        &mut self,
        function: Operation,
        x: &[Byte<D::Word>],
        n: u64,
    ) -> Result<Bytes<D::Word>, String> {
        let len = x.len();
        let value = self.value(x);
        let is_shift = matches!(function, Operation::ShiftLeft | Operation::ShiftRight);
        Ok(match value {
            Content::Number(k) => number(domain::value(function, 8 * len as u32, k, n), len),
            // Moves bytes of a message's end.
            _ if self.padded.is_some()
                && is_shift
                && n.is_multiple_of(8)
                && x.iter().all(|byte| matches!(byte, Byte::Of(..) | Byte::Number(_))) =>
            {
                shifted_bytes(function, x, (n / 8) as usize)
            }
            Content::Word(word) => {
                let word = self.domain.apply_constant(function, word, n);
                self.bytes(word, len)
            }
            Content::Half(word) if function == Operation::ShiftLeft => {
                let word = self.domain.apply_constant(function, word, n);
                self.bytes(word, len)
            }
            Content::Low(a) if function == Operation::ShiftLeft && a.lanes() != 0 => {
                let product = a.times(1 << n, Region::Number);
                let product = product.ok_or("a length is too large")?;
                self.pointer.bytes(product)[..len].to_vec()
            }
            Content::Address(a)
                if function == Operation::ShiftRight && self.divided(a, n).is_some() =>
            {
                let quotient = self.divided(a, n).ok_or_else(mixed_words)?;
                self.pointer.bytes(quotient)
            }
            Content::Bits(known)
                if matches!(function, Operation::ShiftLeft | Operation::ShiftRight) =>
            {
                bits(known.shifted(function == Operation::ShiftLeft, n, 8 * len as u32), len)
            }
            // A right shift of an upper half.
            Content::Half(word) if function == Operation::ShiftRight => {
                let word = self.domain.swapped(word);
                let word = self.domain.apply_constant(function, word, n);
                let word = self.domain.swapped(word);
                self.bytes(word, len)
            }
            Content::Address(a)
                if function == Operation::ShiftLeft && a.region == Region::Number =>
            {
                let product = a.times(1 << n, Region::Number);
                self.pointer.bytes(product.ok_or("a block count is too large")?)
            }
            _ if n.is_multiple_of(8) => shifted_bytes(function, x, (n / 8) as usize),
            Content::Unknown => vec![Byte::Unknown; len],
            // An index whose lower half is a word: the upper half of the result is unknown.
            Content::Mixed
                if self.gathers
                    && (len, self.len) == (8, 4)
                    && n < 32
                    && function == Operation::ShiftLeft
                    && matches!(self.value(&x[..4]), Content::Word(_)) =>
            {
                let mut low = self.shifted(function, &x[..4], n)?;
                low.resize(8, Byte::Unknown);
                low
            }
            // Two equal 32-bit words in a 64-bit register.
            Content::Mixed
                if (len, self.len, function) == (8, 4, Operation::ShiftRight)
                    && n < 32
                    && let (Content::Word(a), Content::Word(b)) =
                        (self.value(&x[..4]), self.value(&x[4..]))
                    && a == b =>
            {
                let low = self.domain.apply_constant(Operation::RotateRight, a, n);
                let high = self.domain.apply_constant(Operation::ShiftRight, a, n);
                [self.bytes(low, 4), self.bytes(high, 4)].concat()
            }
            Content::Mixed if is_shift => {
                let is_left = function == Operation::ShiftLeft;
                let shifted = self.shifted_parts(is_left, x, n as usize, 8 * len);
                shifted.ok_or("several words are shifted as one")?
            }
            _ => return Err(mixed_words()),
        })
    }

    /// The product of two values, one of them a number.
    pub fn product(
        &mut self,
        x: &[Byte<D::Word>],
        y: &[Byte<D::Word>],
    ) -> Result<Bytes<D::Word>, String> {
        match (self.value(x), self.value(y)) {
            (Content::Number(a), Content::Number(b)) => Ok(number(a.wrapping_mul(b), x.len())),
            (Content::Address(a), Content::Number(k))
            | (Content::Number(k), Content::Address(a))
                if a.region == Region::Number =>
            {
                let product = a.times(self.pointer.signed(k as i64), Region::Number);
                Ok(self.pointer.bytes(product.ok_or("a block count is too large")?))
            }
            (_, Content::Number(k)) => Ok(self.spread(x, k).ok_or("a factor is not a number")?),
            _ => Err("a factor is not a number".into()),
        }
    }
}

/// A value shifted or rotated by whole bytes.
fn shifted_bytes<W: Copy>(function: Operation, x: &[Byte<W>], by: usize) -> Bytes<W> {
    let (len, zero) = (x.len(), Byte::Number(0));
    let at = |i: usize| match function {
        Operation::ShiftLeft => i.checked_sub(by).map_or(zero, |i| x[i]),
        Operation::ShiftRight => x.get(i + by).copied().unwrap_or(zero),
        Operation::RotateLeft => x[(i + len - by) % len],
        _ => x[(i + by) % len],
    };
    (0..len).map(at).collect()
}

pub(super) fn mixed_words() -> String {
    "an operand mixes bytes of several words".into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Numbers;

    fn words(domain: &mut Numbers, gathers: bool) -> Words<'_, Numbers> {
        Words {
            len: domain.bits as usize / 8,
            domain,
            pointer: Pointer(8),
            length: None,
            joins: false,
            end: None,
            padded: None,
            big_endian: true,
            gathers,
        }
    }

    /// Bytes of words in any order, and numbers: each known byte of a result is that of the same operation on numbers.
    #[test]
    fn operations_on_bytes_in_any_order_are_those_on_numbers() {
        let mut random = crate::random(64);
        let mut some = |n: u64| random() % n;
        let mut known = [0; 3];
        for i in 0..30_000 {
            // Only code with 32-bit words gathers bits.
            let (len, gathers) = [(4, false), (4, true), (8, false)][i % 3];
            let (size, all) = ([4, 8][some(2) as usize], [some(u64::MAX), some(u64::MAX)]);
            let of = |word: u64, at: u64| {
                let word = all[word as usize % 2] & (u64::MAX >> (64 - 8 * len));
                Byte::Of(word, (at % len) as u8)
            };
            let mut operand = || -> Bytes<u64> {
                let (kind, word, by, k) = (some(7), some(2), some(len), some(256) as u8);
                (0..size)
                    .map(|i| match kind {
                        0 => of(word, i),
                        // Rotated, reversed, and in groups of four bytes.
                        1 => of(word, i + by),
                        2 => of(word, by + 2 * len - i),
                        3 => of(word + i / 4, i % 4 + by / 4 * 4),
                        4 => Byte::Number(if i == by { k } else { 0 }),
                        5 => Byte::Number(0xff),
                        _ => of(some(2), some(len)),
                    })
                    .collect()
            };
            let [x, y, z] = [operand(), operand(), operand()];
            let number = |bytes: &[Byte<u64>]| {
                let byte = |byte: &Byte<u64>| match *byte {
                    Byte::Number(k) => Some(k),
                    Byte::Of(word, at) => Some((word >> (8 * at)) as u8),
                    _ => None,
                };
                bytes.iter().map(byte).collect::<Vec<Option<u8>>>()
            };
            let whole = |bytes: &[Byte<u64>]| {
                let bytes = number(bytes).into_iter().rev();
                bytes.fold(0, |k, byte| k << 8 | u64::from(byte.expect("a value")))
            };
            let [a, b, c] = [&x, &y, &z].map(|bytes| whole(bytes));
            let (bits, table, n) = (8 * size as u32, some(256) as u8, some(8 * size));
            let sum = [Operation::Add, Operation::Sub][some(2) as usize];
            let shifts = [
                Operation::ShiftLeft,
                Operation::ShiftRight,
                Operation::RotateLeft,
                Operation::RotateRight,
            ];
            let shift = shifts[some(4) as usize];
            let bit = |i: u32| {
                let index = (a >> i & 1) << 2 | (b >> i & 1) << 1 | c >> i & 1;
                u64::from(table >> index & 1) << i
            };
            let wanted = [
                (0..bits).map(bit).sum(),
                domain::value(sum, bits, a, b),
                domain::value(shift, bits, a, n),
            ];
            let mut domain = Numbers { bits: 8 * len as u32 };
            let mut words = words(&mut domain, gathers);
            let found = [
                words.bitwise(table, [&x, &y, &z]),
                words.arithmetic(sum, &x, &y),
                words.shifted(shift, &x, n),
            ];
            for (kind, found) in found.into_iter().enumerate() {
                let found = number(&found.unwrap_or_default());
                for (byte, wanted) in found.into_iter().zip(wanted[kind].to_le_bytes()) {
                    assert!(
                        byte.is_none_or(|byte| byte == wanted),
                        "{table:#x}, {sum:?}, {shift:?} by {n}: {x:x?}, {y:x?}, {z:x?}"
                    );
                    known[kind] += u32::from(byte.is_some());
                }
            }
        }
        assert!(known.iter().all(|&known| known > 20_000), "{known:?}");
    }

    /// A product of bits is known if and only if its partial products have no bit in the same place.
    #[test]
    fn known_products_of_bits_have_no_carries() {
        let mut random = crate::random(32);
        // A number with few bits.
        let mut few = || (0..4).fold(u64::MAX, |k, _| k & (random() << 32 | random()));
        let mut known = 0;
        for _ in 0..1000 {
            let (x, k) = (few(), few());
            let halves = [x as u32, (x >> 32) as u32].map(u64::from).into_iter();
            let bytes: Bytes<u64> =
                halves.flat_map(|half| (0..4).map(move |i| Byte::Of(half, i))).collect();
            let mut domain = Numbers { bits: u32::BITS };
            let mut words = words(&mut domain, true);
            let found = words.product(&bytes, &number(k, 8)).ok();
            let found = found.map(|found| words.value(&found));
            let terms = (0..64).filter(|i| k >> i & 1 == 1).map(|i| x << i);
            let (mut sum, mut has_carry) = (0, false);
            for term in terms {
                has_carry |= sum & term != 0;
                sum |= term;
            }
            assert_eq!(found, (!has_carry).then_some(Content::Number(sum)), "{x:#x} {k:#x}");
            known += u32::from(!has_carry);
        }
        assert!((100..900).contains(&known), "{known}");
    }
}
