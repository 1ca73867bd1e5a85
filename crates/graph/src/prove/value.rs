//! The values that registers and memory hold, byte by byte. An instruction that moves bytes
//! needs no more meaning than that, and one that works on words finds them again.

use super::domain::{self, Domain, Operation};
use super::lengths::{Bits, Count};

/// What an address points into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Region {
    /// No object: a number, which may depend on how many blocks there are.
    Number,
    /// Chaining values: of several, those of this number.
    State(u8),
    /// Where the lanes' messages are, and how long.
    Data,
    /// A lane's blocks.
    Message(u16),
    /// Where chaining values are that are only read, and how long.
    Chains,
    /// What makes a digest the next block.
    Link,
    /// Where the lanes' digests are to be.
    Out,
    /// The stack; 0 is where the return address is.
    Stack,
    /// The stack, from where its pointer was aligned.
    Frame,
    /// The program itself, by its own addresses.
    Image,
    /// What the caller had in a register.
    Callers(u8),
    /// Where the caller goes on.
    Return,
    /// The last block of messages that are of one length, expanded.
    Expanded,
    /// No address: a number that has so many of its lowest bits set.
    Ones,
    /// Where only the length of another lane's message decides: that lane's proof sees to it.
    Elsewhere,
    /// Where the C library clears memory, and fills it.
    Memset,
}

/// An address, or a number, of which some is not known:
/// the region's + `done` · k + `total` · n + `stride` · s + `offset`, after k blocks, the
/// words of a lane lying s words apart, n being what `of` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address {
    /// What it points into.
    pub region: Region,
    /// What each block that is done adds.
    pub done: i32,
    /// What each of n adds.
    pub total: i32,
    /// What n is: as always where it adds nothing.
    pub of: Count,
    /// How often the distance of a lane's words is in it.
    pub stride: i32,
    /// The rest.
    pub offset: i64,
}

impl Address {
    /// So many bytes into a region.
    pub fn new(region: Region, offset: i64) -> Self {
        Self { region, done: 0, total: 0, of: Count::Blocks, stride: 0, offset }
    }

    /// Whether all is known of it but where its region is.
    pub fn is_fixed(self) -> bool {
        (self.done, self.total, self.stride) == (0, 0, 0)
    }

    /// So many of n.
    pub fn counted(total: i32, of: Count) -> Self {
        Self { total, of, ..Self::new(Region::Number, 0) }
    }

    /// The lanes whose lengths decide it, each a bit.
    pub fn lanes(self) -> u32 {
        self.of.lanes()
    }

    /// The same place so many bytes on.
    pub fn plus(self, n: i64) -> Self {
        Self { offset: self.offset.wrapping_add(n), ..self }
    }

    /// The sum, of which one is a mere number.
    fn sum(self, other: Self) -> Option<Self> {
        let region = match (self.region, other.region) {
            (region, Region::Number) | (Region::Number, region) => region,
            _ => return None,
        };
        let (total, of) = match (self.total, other.total) {
            (total, 0) => (total, self.of),
            (0, total) => (total, other.of),
            (x, y) if self.of == other.of => (x.checked_add(y)?, self.of),
            (1, 1) => (1, self.of.with(other.of)?),
            _ => return None,
        };
        Some(Self {
            region,
            done: self.done.checked_add(other.done)?,
            total,
            of: if total == 0 { Count::Blocks } else { of },
            stride: self.stride.checked_add(other.stride)?,
            offset: self.offset.wrapping_add(other.offset),
        })
    }

    /// The difference of two places in one region, or of a place and a number.
    pub fn minus(self, other: Self) -> Option<Self> {
        let minus = other.times(-1, other.region)?;
        if self.region == other.region {
            let x = Self { region: Region::Number, ..self };
            return x.sum(Self { region: Region::Number, ..minus });
        }
        if other.region == Region::Number { self.sum(minus) } else { None }
    }

    /// So many times that, as an address in a region.
    pub fn times(self, n: i64, region: Region) -> Option<Self> {
        let part = |x: i32| i32::try_from(i64::from(x).checked_mul(n)?).ok();
        Some(Self {
            region,
            done: part(self.done)?,
            total: part(self.total)?,
            of: if n == 0 { Count::Blocks } else { self.of },
            stride: part(self.stride)?,
            offset: self.offset.wrapping_mul(n),
        })
    }
}

/// A byte of a register or of memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Byte<W> {
    /// Nothing that is known: it may be moved and worked upon, and what comes of it is
    /// not known either. No branch and no address may depend on it.
    Unknown,
    /// A number that no message decides.
    Number(u8),
    /// The byte of a word that is so far from its lowest.
    Of(W, u8),
    /// The byte of an address, likewise.
    Address(Address, u8),
    /// A byte of which some bits are known, and which of its bits; the lanes are those whose
    /// lengths decide the others.
    Bits(u8, u8, u32),
}

impl<W: Copy + PartialEq> Byte<W> {
    /// What is known of it, if no message decides it.
    pub(super) fn open(self) -> Option<Bits> {
        match self {
            Self::Number(k) => Some(Bits::number(k.into())),
            Self::Bits(known, value, lanes) => {
                Some(Bits { known: known.into(), value: value.into(), lanes })
            }
            Self::Address(address, _) => Some(Bits::open(address.lanes())),
            Self::Unknown | Self::Of(..) => None,
        }
    }

    /// A byte of which so much is known.
    fn of_bits(Bits { known, value, lanes }: Bits) -> Self {
        match known as u8 {
            0xff => Self::Number(value as u8),
            known => Self::Bits(known, value as u8 & known, lanes),
        }
    }

    /// What is true of both, one of which it is as lengths of these lanes have it.
    pub(super) fn joined(self, other: Self, lanes: u32) -> Self {
        if self == other {
            return self;
        }
        let (Some(x), Some(y)) = (self.open(), other.open()) else { return Self::Unknown };
        let known = x.known & y.known & !(x.value ^ y.value);
        Self::of_bits(Bits { known, value: x.value & known, lanes: x.lanes | y.lanes | lanes })
    }
}

/// The bytes of a number of which some bits are known.
pub fn bits<W: Copy + PartialEq>(bits: Bits, len: usize) -> Vec<Byte<W>> {
    let byte =
        |i: usize| Bits { known: bits.known >> (8 * i), value: bits.value >> (8 * i), ..bits };
    (0..len).map(|i| Byte::of_bits(byte(i))).collect()
}

/// The table of x ∨ y for [`Words::bitwise`].
pub const OR: u8 = 0xfc;

/// What some bytes in a row are, the lowest first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Content<W> {
    /// Some of it is not known.
    Unknown,
    /// A number.
    Number(u64),
    /// A word.
    Word(W),
    /// The lower half of a word: so is every half, the upper one being that of the word
    /// rotated by half of its width.
    Half(W),
    /// An address.
    Address(Address),
    /// The lowest four bytes of a number that is larger.
    Low(Address),
    /// A number of which some bits are known.
    Bits(Bits),
    /// Bytes of several things.
    Mixed,
}

impl<W> Content<W> {
    /// What is known of a number, if no message decides it.
    pub(super) fn open(&self) -> Option<Bits> {
        match self {
            Self::Number(k) => Some(Bits::number(*k)),
            Self::Bits(bits) => Some(*bits),
            Self::Address(a) | Self::Low(a) => Some(Bits::open(a.lanes())),
            _ => None,
        }
    }
}

/// The bytes of a number.
pub fn number<W>(k: u64, len: usize) -> Vec<Byte<W>> {
    k.to_le_bytes()[..len].iter().map(|&byte| Byte::Number(byte)).collect()
}

/// Words of so many bytes, and what is known of them.
pub struct Words<'d, D: Domain> {
    /// What a word is.
    pub domain: &'d mut D,
    /// The bytes of one.
    pub len: usize,
    /// Those of an address.
    pub pointer: Pointer,
    /// The lane that is looked at, and the two words of the length of its message in bits, the
    /// lower one first, if that is asked for.
    pub length: Option<(u8, [D::Word; 2])>,
    /// Whether words are put together of bytes of others, as the end of a message is.
    pub joins: bool,
}

/// How many bytes an address has: four or eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pointer(pub usize);

impl Pointer {
    /// A number of so many bytes, with its sign.
    pub fn signed(self, k: i64) -> i64 {
        if self.0 == 4 { i64::from(k as i32) } else { k }
    }

    /// The bytes of an address, or of a number if nothing of it is unknown.
    pub fn bytes<W>(self, address: Address) -> Vec<Byte<W>> {
        let address = Address { offset: self.signed(address.offset), ..address };
        match address {
            Address { region: Region::Number, offset, .. } if address.is_fixed() => {
                number(offset as u64, self.0)
            }
            _ => (0..self.0 as u8).map(|i| Byte::Address(address, i)).collect(),
        }
    }

    /// The same as a register holds it, whose other bytes are zero.
    pub fn register<W: Copy>(self, address: Address) -> [Byte<W>; 8] {
        let bytes = self.bytes(address);
        std::array::from_fn(|i| bytes.get(i).copied().unwrap_or(Byte::Number(0)))
    }

    /// The greatest number of bytes that an object has, as a number with a sign.
    pub fn most(self) -> i64 {
        if self.0 == 4 { i32::MAX.into() } else { i64::MAX }
    }
}

/// The bytes of a value.
pub(super) type Bytes<W> = Vec<Byte<W>>;

impl<D: Domain> Words<'_, D> {
    /// The lowest bytes of a word: all, or half of them.
    pub fn bytes(&self, word: D::Word, len: usize) -> Bytes<D::Word> {
        (0..len as u8).map(|i| Byte::Of(word, i)).collect()
    }

    /// The number that a value is, as an address in no object.
    pub fn whole(&self, value: Content<D::Word>) -> Option<Address> {
        match value {
            Content::Address(address) | Content::Low(address) => Some(address),
            Content::Number(k) => Some(Address::new(Region::Number, self.pointer.signed(k as i64))),
            _ => None,
        }
    }

    /// What bytes are.
    pub fn value(&mut self, bytes: &[Byte<D::Word>]) -> Content<D::Word> {
        if let Some(word) = self.word_of_length(bytes) {
            return word;
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
            // Halves of words that may be those of one.
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

    /// The number that bytes are, if they are one.
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

    /// A word of the length of a message in bits: of another lane's nothing is known.
    fn word_of_length(&self, bytes: &[Byte<D::Word>]) -> Option<Content<D::Word>> {
        let (own, words) = self.length?;
        let Byte::Address(address, 0) = bytes[0] else { return None };
        let is = |(i, byte): (u8, &Byte<D::Word>)| match *byte {
            // The upper word has three bits, where words have 64.
            Byte::Number(0) => self.len == 8 && i >= 4 && matches!(address.of, Count::High(_)),
            byte => byte == Byte::Address(address, i),
        };
        let all = (0..).zip(bytes).all(is);
        let (lane, i) = match address.of {
            Count::Bytes(lane) if address == Address::counted(8, address.of) => (lane, 0),
            Count::High(lane) if address == Address::counted(1, address.of) => (lane, 1),
            _ => return None,
        };
        if !all || bytes.len() != self.len {
            return None;
        }
        Some(if lane == own { Content::Word(words[i]) } else { Content::Unknown })
    }

    /// A number that lengths decide, divided by 2^n.
    fn divided(&self, a: Address, n: u64) -> Option<Address> {
        let bits = 8 * self.len as u64;
        if (a.region, a.done, a.total, a.stride) != (Region::Number, 0, 1, 0) {
            return None;
        }
        let of = match a.of {
            // Sixteen words are a block.
            of if 1 << n == 16 * self.len => of.blocks(a.offset, self.len)?,
            Count::Bytes(lane) if a.offset == 0 && n == bits - 3 => Count::High(lane),
            _ => return None,
        };
        Some(Address::counted(1, of))
    }

    /// A length rounded down to blocks.
    pub(super) fn rounded(&self, a: Address, mask: u64) -> Option<Address> {
        let block_len = 16 * self.len as u64;
        let whole = mask == block_len.wrapping_neg();
        let n = u64::from(block_len.trailing_zeros());
        self.divided(a, n).filter(|_| whole)?.times(block_len as i64, Region::Number)
    }

    /// A word, of a word or of a number.
    ///
    /// Of half a word the other half does not matter to who takes half of the result.
    pub(super) fn as_word(&mut self, value: Content<D::Word>) -> Option<D::Word> {
        match value {
            Content::Word(word) | Content::Half(word) => Some(word),
            Content::Number(k) => Some(self.domain.constant(k)),
            _ => None,
        }
    }

    /// A sum or a difference of two values of `x.len()` bytes.
    pub fn arithmetic(
        &mut self,
        function: Operation,
        x: &[Byte<D::Word>],
        y: &[Byte<D::Word>],
    ) -> Result<Bytes<D::Word>, String> {
        let len = x.len();
        let (a, b) = (self.value(x), self.value(y));
        Ok(match (a, b) {
            (_, Content::Number(0)) => x.to_vec(),
            (Content::Number(0), _) if function == Operation::Add => y.to_vec(),
            (Content::Number(a), Content::Number(b)) => {
                number(domain::value(function, 8 * len as u32, a, b), len)
            }
            // What is carried out of a word of 32 bits is not known, but the word may be.
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
                    None => return Err("addresses are added up to what is none".into()),
                }
            }
            (Content::Low(a), Content::Number(k)) => {
                let k = Address::new(Region::Number, i64::from(k as i32));
                let result = if function == Operation::Add { a.sum(k) } else { a.minus(k) };
                let result = result.ok_or("a number grows too large")?;
                self.pointer.bytes(result)[..len].to_vec()
            }
            // x + x
            (Content::Word(a), Content::Word(b)) | (Content::Half(a), Content::Half(b))
                if a == b && function == Operation::Add =>
            {
                let word = self.domain.apply_constant(Operation::ShiftLeft, a, 1);
                self.bytes(word, len)
            }
            (Content::Word(_) | Content::Half(_), _) | (_, Content::Word(_) | Content::Half(_)) => {
                let (Some(a), Some(b)) = (self.as_word(a), self.as_word(b)) else {
                    return Err(several());
                };
                let word = self.domain.apply(function, a, b);
                self.bytes(word, len)
            }
            // Words of 32 bits in registers of 64: what is carried out of them is not known.
            _ if len == 8 && self.len == 4 => {
                let mut low = self.arithmetic(function, &x[..4], &y[..4])?;
                low.resize(8, Byte::Unknown);
                low
            }
            _ => return Err(several()),
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
        Ok(match value {
            Content::Number(k) => number(domain::value(function, 8 * len as u32, k, n), len),
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
                let product = product.ok_or("a length grows too large")?;
                self.pointer.bytes(product)[..len].to_vec()
            }
            Content::Address(a)
                if function == Operation::ShiftRight && self.divided(a, n).is_some() =>
            {
                let quotient = self.divided(a, n).ok_or_else(several)?;
                self.pointer.bytes(quotient)
            }
            Content::Bits(known)
                if matches!(function, Operation::ShiftLeft | Operation::ShiftRight) =>
            {
                bits(known.shifted(function == Operation::ShiftLeft, n, 8 * len as u32), len)
            }
            // The upper half of its word shifted right.
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
                self.pointer.bytes(product.ok_or("a number of blocks grows too large")?)
            }
            _ if n.is_multiple_of(8) => {
                let by = (n / 8) as usize;
                let zero = Byte::Number(0);
                let at = |i: usize| match function {
                    Operation::ShiftLeft => i.checked_sub(by).map_or(zero, |i| x[i]),
                    Operation::ShiftRight => x.get(i + by).copied().unwrap_or(zero),
                    Operation::RotateLeft => x[(i + len - by) % len],
                    _ => x[(i + by) % len],
                };
                (0..len).map(at).collect()
            }
            Content::Unknown => vec![Byte::Unknown; len],
            // Two words of 32 bits that are the same, as one of 64.
            Content::Mixed if len == 8 && self.len == 4 && n < 32 => {
                let (low, high) = (self.value(&x[..4]), self.value(&x[4..]));
                match (low, high, function) {
                    (Content::Word(a), Content::Word(b), Operation::ShiftRight) if a == b => {
                        let low = self.domain.apply_constant(Operation::RotateRight, a, n);
                        let high = self.domain.apply_constant(Operation::ShiftRight, a, n);
                        [self.bytes(low, 4), self.bytes(high, 4)].concat()
                    }
                    _ => return Err("two words are shifted as one".into()),
                }
            }
            _ => return Err(several()),
        })
    }

    /// A product with a number.
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
                Ok(self.pointer.bytes(product.ok_or("a number of blocks grows too large")?))
            }
            _ => Err("what is multiplied is no number".into()),
        }
    }

    /// A function of bits of three operands: bit 4x + 2y + z of `table` is its value.
    /// A function of two is one of three that does not ask for the third.
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
            // Bytes may be in any order, if it is the same in all.
            let order = parts.iter().find_map(|part| self.order(part));
            let word = match &order {
                None => self.word_of(table, parts)?,
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

    /// Which byte of a word each of some bytes is, if each is another and they are no rotation of
    /// it, which has a name.
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

    /// The same of words, as a polynomial over GF(2); none if something is not known.
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
        let mut words = [None; 3];
        for (variable, bit) in [4, 2, 1].into_iter().enumerate() {
            if (0..8).any(|i| i & bit != 0 && polynomial >> i & 1 == 1) {
                let value = self.value(parts[variable]);
                if value == Content::Unknown {
                    return Ok(None);
                }
                words[variable] = Some(self.as_word(value).ok_or_else(several)?);
            }
        }
        let [x, y, z] = words;
        // An ∨ of two shifts is a rotation: that is seen of an ∨ alone.
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
            None => return Err(several()),
        };
        Ok(Some(sum))
    }
}

/// What bytes are of which some bits may be known.
fn some_bits<W: Copy + PartialEq>(bytes: &[Byte<W>]) -> Content<W> {
    if bytes.len() > 8 || !bytes.iter().any(|byte| matches!(byte, Byte::Bits(..))) {
        return Content::Mixed;
    }
    let mut all = Bits::number(0);
    for (i, byte) in bytes.iter().enumerate() {
        let Some(bits) = byte.open() else { return Content::Mixed };
        all.known &= !(!bits.known << (8 * i) & 0xff << (8 * i));
        all.value |= (bits.value & bits.known & 0xff) << (8 * i);
        all.lanes |= bits.lanes;
    }
    Content::Bits(all)
}

fn several() -> String {
    "bytes of several words are worked upon as one".into()
}

/// One byte of a function of bits, if it is plain from that byte alone.
fn byte_of<W: Copy + PartialEq>(table: u8, bytes: [Byte<W>; 3]) -> Option<Byte<W>> {
    let numbers = bytes.map(|byte| if let Byte::Number(k) = byte { Some(k) } else { None });
    if let [Some(x), Some(y), Some(z)] = numbers {
        let bit = |b: u32| {
            let index = (x >> b & 1) << 2 | (y >> b & 1) << 1 | (z >> b & 1);
            (table >> index & 1) << b
        };
        return Some(Byte::Number((0..8).map(bit).sum()));
    }
    // What is left of the table where a byte is all zeros, all ones or like another.
    let possible = |i: u8| {
        let bits = [i >> 2 & 1, i >> 1 & 1, i & 1];
        let agrees = |v: usize| match numbers[v] {
            Some(0) => bits[v] == 0,
            Some(0xff) => bits[v] == 1,
            _ => true,
        };
        let same = |v: usize, w: usize| {
            let is_known = !matches!(bytes[v], Byte::Unknown | Byte::Bits(..));
            bytes[v] != bytes[w] || !is_known || bits[v] == bits[w]
        };
        (0..3).all(agrees) && same(0, 1) && same(1, 2) && same(0, 2)
    };
    let is = |wanted: &dyn Fn(u8) -> u8| {
        (0..8).filter(|&i| possible(i)).all(|i| table >> i & 1 == wanted(i))
    };
    if is(&|_| 0) {
        return Some(Byte::Number(0));
    }
    if is(&|_| 1) {
        return Some(Byte::Number(0xff));
    }
    let one = (0..3).find(|v| is(&|i| i >> (2 - v) & 1)).map(|v| bytes[v]);
    let any = bytes.iter().any(|byte| matches!(byte, Byte::Bits(..)));
    one.or_else(|| if any { bit_by_bit(table, bytes) } else { None })
}

/// The same where some bits are known.
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
