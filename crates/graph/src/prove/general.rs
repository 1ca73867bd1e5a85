//! What instructions do with general registers.

use std::cmp::Ordering;

use super::call::Call;
use super::domain::{self, Domain, Operation};
use super::instruction::{Instruction, Operand};
use super::processor::{Carried, Flags, Processor, RSP, Term};
use super::value::{Address, Byte, Content, OR, Region, Words, number};

type Bytes<W> = Vec<Byte<W>>;

impl<W: Copy + PartialEq> Call<'_, W> {
    /// One instruction without vectors, and where the next is: none if the caller's.
    pub(super) fn general_step<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &mut Processor<W>,
        instruction: &Instruction,
    ) -> Result<Option<u64>, String> {
        let name = &instruction.name[..];
        let next = Some(instruction.next);
        match (name, &instruction.operands[..]) {
            ("nop" | "endbr64", _) => {}
            ("jmp", [target]) => return self.target(words, machine, target).map(Some),
            (_, [Operand::Target(target)]) if name.starts_with('j') => {
                let taken = condition(machine.flags, &name[1..])?;
                words.domain.say(|| {
                    let (at, flags) = (instruction.address, machine.flags);
                    format!("{at:#x}: {} is {taken} by {flags:?}", instruction.text)
                });
                return Ok(if taken { Some(*target) } else { next });
            }
            ("call", [target]) => {
                let target = self.target(words, machine, target)?;
                // What is called right behind asks where it is.
                if !self.code.is_function(target) && target != instruction.next {
                    return Err("it calls what is no kernel's".into());
                }
                let here = Address::new(Region::Image, instruction.next as i64);
                let here = words.pointer.bytes(here);
                self.push(words, machine, &here)?;
                return Ok(Some(target));
            }
            ("ret", []) => {
                let to = self.pop(words, machine)?;
                return match words.value(&to) {
                    Content::Address(a) if a == Address::new(Region::Return, 0) => Ok(None),
                    Content::Address(a) if a.region == Region::Image && a.is_fixed() => {
                        Ok(Some(a.offset as u64))
                    }
                    _ => Err("it returns to somewhere else".into()),
                };
            }
            ("push", [from @ (Operand::General(..) | Operand::Memory(_))])
                if size(from).unwrap_or(words.pointer.0) == words.pointer.0 =>
            {
                let bytes = self.read(words, machine, from, words.pointer.0)?;
                self.push(words, machine, &bytes)?;
            }
            ("pop", [to @ Operand::General(_, len)]) if *len == words.pointer.0 => {
                let bytes = self.pop(words, machine)?;
                self.write(words, machine, to, &bytes)?;
            }
            ("mov" | "movzx" | "movsxd" | "movsx" | "movbe", [to, from]) => {
                let len = size(to)?;
                let from_len = size(from).unwrap_or(len);
                let mut bytes = self.read(words, machine, from, from_len)?;
                match name {
                    "movzx" => bytes.resize(len, Byte::Number(0)),
                    "movbe" => bytes.reverse(),
                    "movsx" | "movsxd" => {
                        let Content::Number(k) = words.value(&bytes) else {
                            return Err("what is extended by its sign is no number".into());
                        };
                        let unused = 64 - 8 * from_len as u32;
                        bytes = number(((k << unused) as i64 >> unused) as u64, len);
                    }
                    _ => {}
                }
                self.write(words, machine, to, &bytes)?;
            }
            ("lea", [to, Operand::Memory(place)]) => {
                let sum = self.effective(words, machine, place)?;
                let Some(sum) = sum.get(..size(to)?) else {
                    return Err("it has no meaning here".into());
                };
                self.write(words, machine, to, sum)?;
            }
            ("xchg", [x, y]) => {
                let len = size(x)?;
                let (a, b) =
                    (self.read(words, machine, x, len)?, self.read(words, machine, y, len)?);
                self.write(words, machine, x, &b)?;
                self.write(words, machine, y, &a)?;
            }
            ("bswap", [to]) => {
                let len = size(to)?;
                // Of 16 bits the result is not defined.
                if !matches!(len, 4 | 8) {
                    return Err("it has no meaning here".into());
                }
                let mut bytes = self.read(words, machine, to, len)?;
                bytes.reverse();
                self.write(words, machine, to, &bytes)?;
            }
            ("not", [to]) => {
                let x = self.read(words, machine, to, size(to)?)?;
                let result = words.bitwise(0x0f, [&x, &x, &x])?;
                self.write(words, machine, to, &result)?;
            }
            ("cmp" | "test", [x, y]) => {
                let len = size(x)?;
                let a = self.read(words, machine, x, len)?;
                let b = self.read(words, machine, y, len)?;
                let (_, flags) =
                    self.two(words, if name == "cmp" { "sub" } else { "and" }, &a, &b)?;
                machine.flags = flags;
            }
            ("add" | "sub" | "and" | "or" | "xor", [to, from]) => {
                let len = size(to)?;
                let result = if matches!(name, "xor" | "sub") && to == from {
                    // A register with itself is zero whatever it is.
                    machine.flags = numeric_flags("sub", 0, 0, len);
                    number(0, len)
                } else {
                    let x = self.read(words, machine, to, len)?;
                    let y = self.read(words, machine, from, len)?;
                    if name == "and" && *to == Operand::General(RSP, words.pointer.0) {
                        self.align(words, machine, &x, &y)?
                    } else {
                        let (result, flags) = self.two(words, name, &x, &y)?;
                        machine.flags = flags;
                        if name == "add" {
                            machine.carried = carried(words, [&x, &y], &result);
                        }
                        result
                    }
                };
                self.write(words, machine, to, &result)?;
            }
            ("adc", [to, from]) => {
                let len = size(to)?;
                let x = self.read(words, machine, to, len)?;
                let y = self.read(words, machine, from, len)?;
                let result = with_carry(words, machine, &x, &y)?;
                self.write(words, machine, to, &result)?;
            }
            ("shrd" | "shld", [to, from, Operand::Immediate(n)]) => {
                let (len, n) = (size(to)?, *n & 31);
                if len != 4 {
                    return Err("it has no meaning here".into());
                }
                let x = self.read(words, machine, to, len)?;
                let y = self.read(words, machine, from, len)?;
                let result = if n == 0 { x } else { funnel(words, name, &x, &y, n)? };
                machine.flags = Flags::default();
                self.write(words, machine, to, &result)?;
            }
            ("inc" | "dec", [to]) => {
                let len = size(to)?;
                let x = self.read(words, machine, to, len)?;
                let function = if name == "inc" { "add" } else { "sub" };
                let (result, flags) = self.two(words, function, &x, &number(1, len))?;
                machine.flags = Flags { carry: machine.flags.carry, ..flags };
                self.write(words, machine, to, &result)?;
            }
            ("andn", [to, x, y]) => {
                let len = size(to)?;
                let (x, y) =
                    (self.read(words, machine, x, len)?, self.read(words, machine, y, len)?);
                // ¬x ∧ y
                let result = words.bitwise(0x0c, [&x, &y, &y])?;
                machine.flags = Flags::default();
                self.write(words, machine, to, &result)?;
            }
            ("kmovw", [Operand::Mask(to), from @ Operand::General(_, 4)]) => {
                let bytes = self.read(words, machine, from, 2)?;
                machine.masks[*to] = match words.value(&bytes) {
                    Content::Number(k) => Some(k),
                    _ => None,
                };
            }
            ("imul", [to, x, y]) => {
                let len = size(to)?;
                let (x, y) =
                    (self.read(words, machine, x, len)?, self.read(words, machine, y, len)?);
                let result = words.product(&x, &y)?;
                machine.flags = Flags::default();
                self.write(words, machine, to, &result)?;
            }
            ("rorx", [to, from, Operand::Immediate(n)]) => {
                let len = size(to)?;
                let x = self.read(words, machine, from, len)?;
                let n = n % (8 * len as u64);
                let result = words.shifted(Operation::RotateRight, &x, n)?;
                self.write(words, machine, to, &result)?;
            }
            ("shl" | "shr" | "ror" | "rol", [to, Operand::Immediate(n)]) => {
                let len = size(to)?;
                let x = self.read(words, machine, to, len)?;
                let function = match name {
                    "shl" => Operation::ShiftLeft,
                    "shr" => Operation::ShiftRight,
                    "ror" => Operation::RotateRight,
                    _ => Operation::RotateLeft,
                };
                let n = n & if len == 8 { 63 } else { 31 };
                if n >= 8 * len as u64 {
                    return Err("a value is shifted by more bits than it has".into());
                }
                let result = words.shifted(function, &x, n)?;
                if n != 0 {
                    let zero = match words.value(&result) {
                        Content::Number(k) if name.starts_with('s') => Some(k == 0),
                        _ => None,
                    };
                    machine.flags = Flags { zero, ..Flags::default() };
                }
                self.write(words, machine, to, &result)?;
            }
            (_, [to, from]) if name.starts_with("cmov") => {
                let len = size(to)?;
                // It reads, whatever the condition is.
                let other = self.read(words, machine, from, len)?;
                let bytes = if condition(machine.flags, &name[4..])? {
                    other
                } else {
                    self.read(words, machine, to, len)?
                };
                self.write(words, machine, to, &bytes)?;
            }
            (_, [to]) if name.starts_with("set") => {
                let is = condition(machine.flags, &name[3..])?;
                self.write(words, machine, to, &number(u64::from(is), 1))?;
            }
            _ => return Err("it has no meaning here".into()),
        }
        Ok(next)
    }

    /// Where a jump or a call goes.
    fn target<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &Processor<W>,
        operand: &Operand,
    ) -> Result<u64, String> {
        if let Operand::Target(target) = operand {
            return Ok(*target);
        }
        // Far ones have a segment beside.
        if size(operand)? != words.pointer.0 {
            return Err("it has no meaning here".into());
        }
        let bytes = self.read(words, machine, operand, words.pointer.0)?;
        match words.value(&bytes) {
            Content::Address(a) if a.region == Region::Image && a.is_fixed() => Ok(a.offset as u64),
            _ => Err("where it goes is not known".into()),
        }
    }

    /// Where the stack pointer points.
    fn top<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &Processor<W>,
    ) -> Result<Address, String> {
        match words.value(&machine.general[RSP][..words.pointer.0]) {
            Content::Address(top) => Ok(top),
            _ => Err("the stack pointer is not known".into()),
        }
    }

    fn push<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &mut Processor<W>,
        bytes: &[Byte<W>],
    ) -> Result<(), String> {
        let top = self.top(words, machine)?.plus(-(words.pointer.0 as i64));
        machine.general[RSP] = words.pointer.register(top);
        self.store(machine, top, bytes)
    }

    fn pop<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &mut Processor<W>,
    ) -> Result<Bytes<W>, String> {
        let top = self.top(words, machine)?;
        let len = words.pointer.0;
        let bytes = self.load(machine, top, len)?;
        machine.general[RSP] = words.pointer.register(top.plus(len as i64));
        Ok(bytes)
    }

    /// The bytes of an operand.
    pub(super) fn read<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &Processor<W>,
        operand: &Operand,
        len: usize,
    ) -> Result<Bytes<W>, String> {
        match operand {
            Operand::General(register, own) if *own >= len => {
                Ok(machine.general[*register][..len].to_vec())
            }
            Operand::Immediate(k) => Ok(number(*k, len)),
            Operand::Memory(place) => {
                let from = self.place(words, machine, place)?;
                self.load(machine, from, len)
            }
            _ => Err("an operand has no meaning here".into()),
        }
    }

    /// Writes an operand. Half a register that is written clears its other half.
    pub(super) fn write<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &mut Processor<W>,
        operand: &Operand,
        bytes: &[Byte<W>],
    ) -> Result<(), String> {
        match operand {
            Operand::General(register, len) => {
                let general = &mut machine.general[*register];
                general[..*len].copy_from_slice(&bytes[..*len]);
                if *len == 4 {
                    general[4..].fill(Byte::Number(0));
                }
                Ok(())
            }
            Operand::Memory(place) => {
                let to = self.place(words, machine, place)?;
                self.store(machine, to, bytes)
            }
            _ => Err("an operand has no meaning here".into()),
        }
    }

    /// The stack pointer, aligned: how far down that is, is not known.
    fn align<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &mut Processor<W>,
        top: &[Byte<W>],
        mask: &[Byte<W>],
    ) -> Result<Bytes<W>, String> {
        let (Content::Address(top), Content::Number(mask)) = (words.value(top), words.value(mask))
        else {
            return Err("the stack pointer is not known".into());
        };
        let to = words.pointer.signed(mask as i64).wrapping_neg();
        if top.region != Region::Stack
            || !top.is_fixed()
            || to.count_ones() != 1
            || !(1..=4096).contains(&to)
        {
            return Err("the stack pointer is aligned in a way that is not understood".into());
        }
        self.align_frame(machine, to, top.offset);
        machine.flags = Flags::default();
        Ok(words.pointer.bytes(Address::new(Region::Frame, 0)))
    }

    /// A function of two values, and the flags.
    fn two<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        name: &str,
        x: &[Byte<W>],
        y: &[Byte<W>],
    ) -> Result<(Bytes<W>, Flags), String> {
        let len = x.len();
        let (a, b) = (words.value(x), words.value(y));
        if let (Content::Number(a), Content::Number(b)) = (a, b) {
            let function = match name {
                "add" => Operation::Add,
                "sub" => Operation::Sub,
                "and" => Operation::And,
                "or" => Operation::Or,
                _ => Operation::Xor,
            };
            let result = domain::value(function, 8 * len as u32, a, b);
            return Ok((number(result, len), numeric_flags(name, a, b, len)));
        }
        let is_address = |value: &Content<W>| matches!(value, Content::Address(_));
        match name {
            "and" if x == y && matches!(a, Content::Low(_)) => {
                let Content::Low(a) = a else { return Err("no number".into()) };
                Ok((x.to_vec(), self.flags_of_low(a)))
            }
            "add" | "sub" if matches!((a, b), (Content::Low(_), Content::Number(_))) => {
                let function = if name == "add" { Operation::Add } else { Operation::Sub };
                let result = words.arithmetic(function, x, y)?;
                let flags = match words.value(&result) {
                    Content::Low(a) => self.flags_of_low(a),
                    _ => Flags::default(),
                };
                // What is borrowed or carried is not said.
                Ok((result, Flags { carry: None, ..flags }))
            }
            // A number, or an address, with itself.
            "and" if x == y && is_address(&a) => {
                let Content::Address(a) = a else { return Err("no address".into()) };
                let flags = ordered(self.against_zero(a), Some(false));
                // In 32-bit code an address may have its highest bit.
                let sign = flags.sign.filter(|_| len == 8 || a.region == Region::Number);
                Ok((x.to_vec(), Flags { sign, ..flags }))
            }
            "and" => Ok((words.bitwise(0xc0, [x, y, y])?, Flags::default())),
            // Bits that a multiple of a power of two has not: a sum.
            "or" if are_apart(&a, &b) => {
                Ok((words.arithmetic(Operation::Add, x, y)?, Flags::default()))
            }
            "or" => Ok((words.bitwise(OR, [x, y, y])?, Flags::default())),
            "xor" => Ok((words.bitwise(0x3c, [x, y, y])?, Flags::default())),
            _ => {
                let function = if name == "add" { Operation::Add } else { Operation::Sub };
                let result = words.arithmetic(function, x, y)?;
                // Of a place and a number nothing is said, nor of what 2^64 may be lost of.
                let exact = |value: &Content<W>| match value {
                    Content::Address(a) => self.is_exact(*a),
                    Content::Number(_) => true,
                    _ => false,
                };
                let order = match words.value(&result) {
                    _ if !exact(&a) || !exact(&b) => None,
                    Content::Address(a) if a.region == Region::Number => self.against_zero(a),
                    Content::Number(k) if is_address(&a) || is_address(&b) => {
                        Some(words.pointer.signed(k as i64).cmp(&0))
                    }
                    _ => None,
                };
                // Without a sign they compare so only if neither is below zero.
                let pointer = words.pointer;
                let positive = |value: &Content<W>| match value {
                    Content::Address(a) => self.against_zero(*a).is_some_and(Ordering::is_ge),
                    Content::Number(k) => pointer.signed(*k as i64) >= 0,
                    _ => false,
                };
                let compares = name == "sub" && positive(&a) && positive(&b);
                let carry = order.filter(|_| compares).map(Ordering::is_lt);
                let flags = ordered(order, carry);
                // In 32-bit code the highest bit of one address may be set, and of another not.
                let is_place = |value: &Content<W>| matches!(value, Content::Address(a) if a.region != Region::Number);
                let overflow =
                    flags.overflow.filter(|_| len == 8 || !(is_place(&a) || is_place(&b)));
                Ok((result, Flags { overflow, ..flags }))
            }
        }
    }
}

impl<W: Copy + PartialEq> Call<'_, W> {
    /// The flags of the lowest 32 bits of a number: whether these are zero, if the number has no
    /// more.
    fn flags_of_low(&self, x: Address) -> Flags {
        let [least, most] = self.bounds(x);
        let zero = match (least, most) {
            (0, 0) => Some(true),
            (1.., ..=0xffff_ffff) => Some(false),
            _ => None,
        };
        Flags { zero, ..Flags::default() }
    }
}

/// What the carry is of, if halves of words were added.
fn carried<D: Domain>(
    words: &mut Words<'_, D>,
    terms: [&[Byte<D::Word>]; 2],
    sum: &[Byte<D::Word>],
) -> Option<Carried<D::Word>> {
    let Content::Half(sum) = words.value(sum) else { return None };
    let mut term = |bytes: &[Byte<D::Word>]| match words.value(bytes) {
        Content::Half(word) => Some(Term::Word(word)),
        Content::Number(k) => Some(Term::Number(k)),
        _ => None,
    };
    Some(Carried { terms: [term(terms[0])?, term(terms[1])?], sum })
}

/// The sum of two values and the carry.
///
/// Of upper halves it is the upper half of the sum of the words that they are of, if the carry is
/// that of the lower halves of these.
fn with_carry<D: Domain>(
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
    let carried = carried.ok_or("a carry is not known")?;
    let half = |value: Content<D::Word>| match value {
        Content::Half(word) => Some(Term::Word(word)),
        Content::Number(k) => Some(Term::Number(k)),
        _ => None,
    };
    let (Some(a), Some(b)) = (half(a), half(b)) else {
        return Err("a carry is added to what is no half of a word".into());
    };
    let mut found = None;
    for [x, y] in [carried.terms, [carried.terms[1], carried.terms[0]]] {
        if found.is_none() {
            found = joined(words, x, a).zip(joined(words, y, b));
        }
    }
    let (x, y) = found.ok_or("a carry is taken of other words")?;
    let sum = words.domain.apply(Operation::Add, x, y);
    // The lower half, wherever it is, is this word's.
    for byte in machine.halves_mut() {
        if let Byte::Of(word, i @ 0..4) = *byte
            && word == carried.sum
        {
            *byte = Byte::Of(sum, i);
        }
    }
    Ok((4..8).map(|i| Byte::Of(sum, i)).collect())
}

/// The word of two halves, the lower one first.
fn joined<D: Domain>(
    words: &mut Words<'_, D>,
    low: Term<D::Word>,
    high: Term<D::Word>,
) -> Option<D::Word> {
    match (low, high) {
        (Term::Word(low), Term::Word(high)) => words.domain.joined(low, high),
        (Term::Number(low), Term::Number(high)) => Some(words.domain.constant(low | high << 32)),
        _ => None,
    }
}

/// A value shifted by fewer bits than it has, those of another coming in.
fn funnel<D: Domain>(
    words: &mut Words<'_, D>,
    name: &str,
    x: &[Byte<D::Word>],
    y: &[Byte<D::Word>],
    n: u64,
) -> Result<Bytes<D::Word>, String> {
    let (function, other) = match name {
        "shrd" => (Operation::RotateRight, Operation::ShiftLeft),
        _ => (Operation::RotateLeft, Operation::ShiftRight),
    };
    match (words.value(x), words.value(y)) {
        (Content::Half(low), Content::Half(high)) => {
            // Of a word whose lower half is the one and whose upper half the other.
            let word = words.domain.joined(low, high);
            let word = word.ok_or("what is shifted together is not one word")?;
            let word = words.domain.apply_constant(function, word, n);
            Ok(words.bytes(word, x.len()))
        }
        (Content::Number(x), Content::Number(y)) if n < 32 => {
            let shift = match other {
                Operation::ShiftLeft => Operation::ShiftRight,
                _ => Operation::ShiftLeft,
            };
            let [own, rest] = [domain::value(shift, 32, x, n), domain::value(other, 32, y, 32 - n)];
            Ok(number(own | rest, 4))
        }
        _ => Err("what is shifted together is not one word".into()),
    }
}

/// Whether a number has no bit that another has, which is a multiple of a power of two.
fn are_apart<W>(x: &Content<W>, y: &Content<W>) -> bool {
    match (x, y) {
        (Content::Address(a), Content::Number(k)) if a.region == Region::Number => {
            let parts = [a.done, a.total, a.stride].map(i64::from);
            let zeros = parts.into_iter().chain([a.offset]).map(i64::trailing_zeros).min();
            zeros.is_some_and(|zeros| k.checked_shr(zeros).unwrap_or(0) == 0)
        }
        _ => false,
    }
}

/// How many bytes an operand has.
fn size(operand: &Operand) -> Result<usize, String> {
    match operand {
        Operand::General(_, len) => Ok(*len),
        Operand::Memory(place) => Ok(place.bytes),
        _ => Err("an operand has no meaning here".into()),
    }
}

/// The flags of a result that is so ordered against zero, and is in no danger to be
/// taken for one of the other sign: addresses, and numbers of blocks.
fn ordered(order: Option<Ordering>, carry: Option<bool>) -> Flags {
    Flags {
        zero: order.map(Ordering::is_eq),
        sign: order.map(Ordering::is_lt),
        overflow: order.map(|_| false),
        carry,
    }
}

fn numeric_flags(name: &str, x: u64, y: u64, len: usize) -> Flags {
    let bits = 8 * len as u32;
    let mask = u64::MAX >> (64 - bits);
    let high = |x: u64| x >> (bits - 1) & 1 == 1;
    let (x, y) = (x & mask, y & mask);
    let (result, carry, overflow) = match name {
        "add" => {
            let sum = x.wrapping_add(y) & mask;
            (sum, sum < x, high(x) == high(y) && high(x) != high(sum))
        }
        "sub" => {
            let difference = x.wrapping_sub(y) & mask;
            (difference, x < y, high(x) != high(y) && high(x) != high(difference))
        }
        "and" => (x & y, false, false),
        "or" => (x | y, false, false),
        _ => (x ^ y, false, false),
    };
    Flags {
        zero: Some(result == 0),
        carry: Some(carry),
        sign: Some(high(result)),
        overflow: Some(overflow),
    }
}

/// Whether a condition holds.
fn condition(flags: Flags, name: &str) -> Result<bool, String> {
    let Flags { zero, carry, sign, overflow } = flags;
    let less = sign.zip(overflow).map(|(sign, overflow)| sign != overflow);
    let or = |x: Option<bool>, y: Option<bool>| x.zip(y).map(|(x, y)| x || y);
    let holds = match name {
        "e" => zero,
        "ne" => zero.map(|is| !is),
        "b" => carry,
        "ae" => carry.map(|is| !is),
        "be" => or(carry, zero),
        "a" => or(carry, zero).map(|is| !is),
        "s" => sign,
        "ns" => sign.map(|is| !is),
        "l" => less,
        "ge" => less.map(|is| !is),
        "le" => or(less, zero),
        "g" => or(less, zero).map(|is| !is),
        _ => None,
    };
    holds.ok_or_else(|| "a condition is not known, or depends on a message".into())
}
