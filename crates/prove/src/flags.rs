//! Flags, and carries between the halves of a word.

use std::cmp::Ordering;

use super::address::{Address, Region};
use super::call::Call;
use super::domain::{self, Domain, Operation};
use super::instruction::Mnemonic as M;
use super::lengths::{Bits, Count, LengthOf};
use super::processor::{Carried, Compared, Flags, Half, Processor};
use super::value::{Byte, Bytes, Content, bits, number};
use super::words::Words;

/// A condition of a jump, a conditional move or `setcc`, under the suffix of its mnemonic in Intel's manual.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    E,
    Ne,
    B,
    Ae,
    Be,
    A,
    S,
    Ns,
    L,
    Ge,
    Le,
    G,
}

impl Condition {
    /// The condition of an instruction, if it is supported.
    pub(super) fn of(mnemonic: M) -> Option<Self> {
        Some(match mnemonic {
            M::Je | M::Cmove | M::Sete => Self::E,
            M::Jne | M::Cmovne | M::Setne => Self::Ne,
            M::Jb | M::Cmovb | M::Setb => Self::B,
            M::Jae | M::Cmovae | M::Setae => Self::Ae,
            M::Jbe | M::Cmovbe | M::Setbe => Self::Be,
            M::Ja | M::Cmova | M::Seta => Self::A,
            M::Js | M::Cmovs | M::Sets => Self::S,
            M::Jns | M::Cmovns | M::Setns => Self::Ns,
            M::Jl | M::Cmovl | M::Setl => Self::L,
            M::Jge | M::Cmovge | M::Setge => Self::Ge,
            M::Jle | M::Cmovle | M::Setle => Self::Le,
            M::Jg | M::Cmovg | M::Setg => Self::G,
            _ => return None,
        })
    }

    /// Whether only the zero flag decides it.
    pub(super) fn is_equal(self) -> bool {
        matches!(self, Self::E | Self::Ne)
    }

    /// Whether it compares unsigned numbers.
    fn is_signless(self) -> bool {
        matches!(self, Self::B | Self::Be | Self::A | Self::Ae)
    }
}

impl<W: Copy + PartialEq> Call<'_, W> {
    /// Whether a condition holds; `None` if it depends on unknown lengths.
    pub(super) fn holds(
        &self,
        machine: &Processor<W>,
        condition: Condition,
    ) -> Result<Option<bool>, String> {
        let known = is_satisfied(machine.flags, condition);
        let Some(compared) = machine.compared.filter(|_| self.case().is_some()) else {
            let unknown = || "a condition is unknown or depends on a message".into();
            return known.ok_or_else(unknown).map(Some);
        };
        let signless = condition.is_signless();
        let is_above = |x: Address| self.bounds(x)[0] >= 0;
        let numbers = compared.numbers.filter(|all| !signless || all.iter().all(|x| is_above(*x)));
        let range = numbers.and_then(|[x, y]| self.difference(x, y));
        // The sign flag of a difference is its sign only if the difference fits in a register.
        let most = i128::from(self.pointer().most());
        let is_whole = |&[least, greatest]: &[i128; 2]| least >= -1 - most && greatest <= most;
        let range = range
            .filter(|range| !matches!(condition, Condition::S | Condition::Ns) || is_whole(range));
        Ok(known.or_else(|| ordering(condition, range?)))
    }

    /// The operands of a comparison, if only lengths decide them.
    pub(super) fn compared<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        mnemonic: M,
        values: [&[Byte<W>]; 2],
    ) -> Option<Compared> {
        self.case()?;
        let contents = values.map(|bytes| words.value(bytes));
        let [x, y] = contents;
        let lanes = x.open()?.lanes | y.open()?.lanes;
        let whole = values[0].len() == words.pointer.0;
        let zero = Address::new(Region::Number, 0);
        let numbers = match mnemonic {
            _ if !whole => None,
            M::Cmp | M::Sub => words.whole(x).zip(words.whole(y)),
            M::Test if values[0] == values[1] => words.whole(x).map(|x| (x, zero)),
            _ => None,
        };
        Some(Compared { numbers: numbers.map(|(x, y)| [x, y]), lanes })
    }

    /// The result of a conditional move whose condition is unknown: a minimum or maximum, or the
    /// common bits of both values.
    pub(super) fn either<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &Processor<W>,
        condition: Condition,
        [own, other]: [&[Byte<W>]; 2],
    ) -> Bytes<W> {
        let compared = machine.compared;
        let lanes = compared.map_or(0, |compared| compared.lanes);
        if let (Content::Address(x), Content::Address(y)) = (words.value(own), words.value(other))
            && let Some([a, b]) = compared.and_then(|compared| compared.numbers)
            && ([a, b] == [x, y] || [a, b] == [y, x])
            && (x, y) == (Address::counted(1, x.of), Address::counted(1, y.of))
            && condition.is_signless()
        {
            // The move happens if a < b, or if a > b.
            let is_above = matches!(condition, Condition::A | Condition::Ae);
            let greater = is_above == ([a, b] == [y, x]);
            if let Some(of) = x.of.extreme(y.of, greater) {
                return words.pointer.bytes(Address::counted(1, of));
            }
        }
        own.iter().zip(other).map(|(own, other)| own.joined(*other, lanes)).collect()
    }

    /// Twice a value.
    pub(super) fn doubled<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        x: &[Byte<W>],
    ) -> Result<(Bytes<W>, Flags), String> {
        if let Content::Bits(_) = words.value(x) {
            return Ok((words.shifted(Operation::ShiftLeft, x, 1)?, Flags::default()));
        }
        self.binary_operation(words, Operation::Add, x, x)
    }

    /// The lowest `count` bits of a value.
    pub(super) fn lowest<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        x: &[Byte<W>],
        count: &[Byte<W>],
    ) -> Result<Bytes<W>, String> {
        // Only the lowest byte of the count matters.
        let len = x.len();
        let bounded = match count[0] {
            Byte::Address(count, 0) if count.region == Region::Number => {
                Some((count, self.bounds(count)))
            }
            _ => None,
        };
        match (words.value(x), words.value(&count[..1])) {
            (Content::Number(x), Content::Number(count)) => {
                let mask = 1u64.checked_shl(count as u32).map_or(u64::MAX, |bit| bit - 1);
                Ok(number(x & mask, len))
            }
            (Content::Number(u64::MAX), _)
                if self.case().is_some()
                    && let Some((count, [least, most])) = bounded
                    && least >= 0
                    && most <= 64 =>
            {
                Ok(words.pointer.bytes(Address { region: Region::Ones, ..count }))
            }
            (Content::Number(_), _)
                if bounded.is_some_and(|(_, [least, most])| least >= 64 && most <= 0xff) =>
            {
                Ok(x.to_vec())
            }
            (Content::Number(_), _) => {
                let count = count[0].open().ok_or("the number of remaining bits is unknown")?;
                Ok(bits(Bits::open(count.lanes), len))
            }
            _ => Err("the number of remaining bits is unknown".into()),
        }
    }

    /// Whether a 32-bit number, possibly unsigned, is zero.
    pub(super) fn zero_of_32_bits(&self, x: Address, len: usize) -> Option<bool> {
        let is_one = len == 4 && x.region == Region::Number;
        is_one.then(|| self.flags_of_low(x).zero).flatten()
    }

    /// The flags of the lowest 32 bits of a number. Zero is known only if the number fits in 32
    /// bits.
    pub(super) fn flags_of_low(&self, x: Address) -> Flags {
        let [least, most] = self.bounds(x);
        let zero = match (least, most) {
            (0, 0) => Some(true),
            (1.., ..=0xffff_ffff) => Some(false),
            _ => None,
        };
        Flags { zero, ..Flags::default() }
    }
}

/// The flags of an exact result, by its order relative to zero. The caller must determine whether
/// the operation overflowed.
pub(super) fn ordered(order: Option<Ordering>, carry: Option<bool>) -> Flags {
    Flags {
        zero: order.map(Ordering::is_eq),
        sign: order.map(Ordering::is_lt),
        overflow: order.map(|_| false),
        carry,
    }
}

/// The flags of an operation on numbers of `len` bytes.
pub(super) fn numeric_flags(operation: Operation, x: u64, y: u64, len: usize) -> Flags {
    let bits = 8 * len as u32;
    let mask = u64::MAX >> (64 - bits);
    let high = |x: u64| x >> (bits - 1) & 1 == 1;
    let (x, y) = (x & mask, y & mask);
    let (result, carry, overflow) = match operation {
        Operation::Add => {
            let sum = x.wrapping_add(y) & mask;
            (sum, sum < x, high(x) == high(y) && high(x) != high(sum))
        }
        Operation::Sub => {
            let difference = x.wrapping_sub(y) & mask;
            (difference, x < y, high(x) != high(y) && high(x) != high(difference))
        }
        Operation::And => (x & y, false, false),
        Operation::Or => (x | y, false, false),
        _ => (x ^ y, false, false),
    };
    Flags {
        zero: Some(result == 0),
        carry: Some(carry),
        sign: Some(high(result)),
        overflow: Some(overflow),
    }
}

/// Whether the flags satisfy a condition, if known.
fn is_satisfied(flags: Flags, condition: Condition) -> Option<bool> {
    let Flags { zero, carry, sign, overflow } = flags;
    let less = sign.zip(overflow).map(|(sign, overflow)| sign != overflow);
    let or = |x: Option<bool>, y: Option<bool>| x.zip(y).map(|(x, y)| x || y);
    match condition {
        Condition::E => zero,
        Condition::Ne => zero.map(|is| !is),
        Condition::B => carry,
        Condition::Ae => carry.map(|is| !is),
        Condition::Be => or(carry, zero),
        Condition::A => or(carry, zero).map(|is| !is),
        Condition::S => sign,
        Condition::Ns => sign.map(|is| !is),
        Condition::L => less,
        Condition::Ge => less.map(|is| !is),
        Condition::Le => or(less, zero),
        Condition::G => or(less, zero).map(|is| !is),
    }
}

/// Whether a difference within these bounds satisfies a condition. If the comparison is unsigned,
/// both numbers must be nonnegative.
pub(super) fn ordering(condition: Condition, [least, most]: [i128; 2]) -> Option<bool> {
    let is = |yes: bool, no: bool| if yes || no { Some(yes) } else { None };
    match condition {
        Condition::E => is((least, most) == (0, 0), least > 0 || most < 0),
        Condition::Ne => is(least > 0 || most < 0, (least, most) == (0, 0)),
        Condition::S | Condition::L | Condition::B => is(most < 0, least >= 0),
        Condition::Ns | Condition::Ge | Condition::Ae => is(least >= 0, most < 0),
        Condition::Le | Condition::Be => is(most <= 0, least > 0),
        Condition::G | Condition::A => is(least > 0, most <= 0),
    }
}

/// The source of the carry after an addition of halves of words.
pub(super) fn carried<D: Domain>(
    words: &mut Words<'_, D>,
    terms: [&[Byte<D::Word>]; 2],
    sum: &[Byte<D::Word>],
) -> Option<Carried<D::Word>> {
    let contents = terms.map(|bytes| words.value(bytes));
    for [x, y] in [contents, [contents[1], contents[0]]] {
        if let (Content::Address(before), Content::Address(length)) = (x, y)
            && words.pointer.0 == 4
            && before == Address::counted(1, Count::Before)
            && let Count::Length(LengthOf::Lane(lane)) = length.of
            && length == Address::counted(1, length.of)
        {
            return Some(Carried::Length(lane));
        }
        // This sum, if a copy of the message's end is padded.
        if let (Content::Address(before), Some(len), Some((lane, _))) =
            (x, words.whole(y), words.length)
            && words.pointer.0 == 4
            && before == Address::counted(1, Count::Before)
            && words.padded.is_some_and(|padded| before.sum(len) == Some(padded))
        {
            return Some(Carried::Length(lane));
        }
    }
    let Content::Half(sum) = words.value(sum) else { return None };
    let mut term = |bytes: &[Byte<D::Word>]| match words.value(bytes) {
        Content::Half(word) => Some(Half::Word(word)),
        Content::Number(k) => Some(Half::Number(k)),
        _ => None,
    };
    Some(Carried::Halves { terms: [term(terms[0])?, term(terms[1])?], sum })
}

/// The sum of two values and the carry.
///
/// The sum of upper halves is the upper half of the sum of their words, if the carry comes from
/// their lower halves.
pub(super) fn with_carry<D: Domain>(
    words: &mut Words<'_, D>,
    machine: &mut Processor<D::Word>,
    x: &[Byte<D::Word>],
    y: &[Byte<D::Word>],
) -> Result<Bytes<D::Word>, String> {
    let (flags, carried) = (std::mem::take(&mut machine.flags), machine.carried.take());
    let (a, b) = (words.value(x), words.value(y));
    if let (Content::Number(a), Content::Number(b), Some(carry)) = (a, b, flags.carry) {
        let (a, b, bits) = (u128::from(a), u128::from(b), 8 * x.len() as u32);
        let sum = a + b + u128::from(carry);
        let high = |x: u128| x >> (bits - 1) & 1 == 1;
        machine.flags = Flags {
            zero: Some(sum & ((1 << bits) - 1) == 0),
            carry: Some(sum >> bits & 1 == 1),
            sign: Some(high(sum)),
            overflow: Some(high(a) == high(b) && high(a) != high(sum)),
        };
        return Ok(number(sum as u64, x.len()));
    }
    let (terms, old) = match carried.ok_or("a carry is unknown")? {
        Carried::Halves { terms, sum } => (terms, sum),
        Carried::Length(lane) => {
            let high = Content::Address(Address::counted(1, Count::BeforeHigh));
            let zero = Content::Number(0);
            if (a, b) != (high, zero) && (a, b) != (zero, high) {
                return Err("a carry comes from a different number".into());
            }
            return Ok(words.pointer.bytes(Address::counted(1, Count::BytesHigh(lane))));
        }
    };
    let half = |value: Content<D::Word>| match value {
        Content::Half(word) => Some(Half::Word(word)),
        Content::Number(k) => Some(Half::Number(k)),
        _ => None,
    };
    let (Some(a), Some(b)) = (half(a), half(b)) else {
        return Err("a carry is added to a value other than half a word".into());
    };
    let mut found = None;
    for [x, y] in [terms, [terms[1], terms[0]]] {
        if found.is_none() {
            found = joined(words, x, a).zip(joined(words, y, b));
        }
    }
    let (x, y) = found.ok_or("a carry comes from different words")?;
    let sum = words.domain.apply(Operation::Add, x, y);
    // All copies of the lower half now belong to this sum.
    for byte in machine.halves_mut() {
        if let Byte::Of(word, i @ 0..4) = *byte
            && word == old
        {
            *byte = Byte::Of(sum, i);
        }
    }
    Ok((4..8).map(|i| Byte::Of(sum, i)).collect())
}

/// The word with these halves, lower half first.
fn joined<D: Domain>(
    words: &mut Words<'_, D>,
    low: Half<D::Word>,
    high: Half<D::Word>,
) -> Option<D::Word> {
    match (low, high) {
        (Half::Word(low), Half::Word(high)) => words.domain.joined(low, high),
        (Half::Number(low), Half::Number(high)) => Some(words.domain.constant(low | high << 32)),
        _ => None,
    }
}

/// A double-width shift to the right or left, by fewer bits than a value has: bits of `y` enter `x`.
pub(super) fn funnel<D: Domain>(
    words: &mut Words<'_, D>,
    is_right: bool,
    x: &[Byte<D::Word>],
    y: &[Byte<D::Word>],
    n: u64,
) -> Result<Bytes<D::Word>, String> {
    let (function, other) = if is_right {
        (Operation::RotateRight, Operation::ShiftLeft)
    } else {
        (Operation::RotateLeft, Operation::ShiftRight)
    };
    match (words.value(x), words.value(y)) {
        (Content::Half(low), Content::Half(high)) => {
            // The word with both halves.
            let word = words.domain.joined(low, high);
            let word = word.ok_or("a double shift has operands of different words")?;
            let word = words.domain.apply_constant(function, word, n);
            Ok(words.bytes(word, x.len()))
        }
        // The upper half of a message's length in bits.
        (Content::Address(high), Content::Address(low))
            if let Count::BytesHigh(lane) = high.of
                && words.pointer.0 == 4
                && (is_right, n) == (false, 3)
                && high == Address::counted(1, high.of)
                && (low == Address::counted(1, Count::Bytes(lane))
                    || Some(low) == words.padded) =>
        {
            let of = if words.len == 8 { Count::Middle(lane) } else { Count::High(lane) };
            Ok(words.pointer.bytes(Address::counted(1, of)))
        }
        (Content::Number(x), Content::Number(y)) if n < 32 => {
            let shift = match other {
                Operation::ShiftLeft => Operation::ShiftRight,
                _ => Operation::ShiftLeft,
            };
            let [own, rest] = [domain::value(shift, 32, x, n), domain::value(other, 32, y, 32 - n)];
            Ok(number(own | rest, 4))
        }
        _ => Err("a double shift has operands of different words".into()),
    }
}
