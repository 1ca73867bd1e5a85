//! The semantics of instructions on general registers.

use std::cmp::Ordering;

use super::address::{Address, Region};
use super::bitwise::OR;
use super::call::Call;
use super::domain::{self, Domain, Operation};
use super::flags::{Condition, carried, funnel, numeric_flags, ordered, with_carry};
use super::instruction::{Instruction, Mnemonic as M, Operand};
use super::processor::{Flags, Processor, RSP};
use super::value::{Byte, Bytes, Content, number};
use super::words::Words;

impl<W: Copy + PartialEq> Call<'_, W> {
    /// Executes a non-vector instruction. Returns the next address, or `None` after returning to
    /// the caller.
    pub(super) fn general_step<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &mut Processor<W>,
        instruction: &Instruction,
    ) -> Result<Option<u64>, String> {
        let mnemonic = instruction.mnemonic;
        let next = Some(instruction.next);
        match (mnemonic, &instruction.operands[..]) {
            (M::Nop | M::Endbr64, _) => {}
            // With indirect branch tracking, the Linux kernel faults on jumps to code without
            // `endbr64`.
            (M::Jmp | M::Call, [Operand::General(..) | Operand::Memory(_)])
                if self.contract.in_linux =>
            {
                return Err("indirect jump or call".into());
            }
            (M::Jmp, [target]) => return self.target(words, machine, target).map(Some),
            (_, [Operand::Target(target)]) if mnemonic != M::Call => {
                let condition = Condition::of(mnemonic).ok_or("unsupported instruction")?;
                let taken = match self.holds(machine, condition) {
                    Err(_) if let Some(word) = machine.tested.filter(|_| condition.is_equal()) => {
                        let zero = words.domain.number(word).map(|k| k == 0);
                        zero.map(|zero| zero == (condition == Condition::E))
                    }
                    found => found?,
                };
                let Some(taken) = taken else {
                    let lanes = machine.compared.map_or(0, |compared| compared.lanes);
                    machine.fork = Some((*target, lanes));
                    return Ok(next);
                };
                words.domain.say(|| {
                    let (at, flags) = (instruction.address, machine.flags);
                    format!("{at:#x}: {} is {taken} by {flags:?}", instruction.text)
                });
                return Ok(if taken { Some(*target) } else { next });
            }
            (M::Call, [target]) => {
                if self.called_out(words, machine, target)? {
                    return Ok(next);
                }
                let target = self.target(words, machine, target)?;
                // A call of the next instruction reads the instruction pointer.
                if !self.code.is_function(target) && target != instruction.next {
                    return Err("it calls a function outside of the kernel".into());
                }
                let here = self.image.place(instruction.next).ok_or("no code follows the call")?;
                let here = words.pointer.bytes(here);
                self.push(words, machine, &here)?;
                return Ok(Some(target));
            }
            (M::Ret, []) => {
                let to = self.pop(words, machine)?;
                return match words.value(&to) {
                    Content::Address(a) if a == Address::new(Region::Return, 0) => Ok(None),
                    Content::Address(a) if self.image.is_within(a) && a.is_fixed() => {
                        Ok(Some(a.offset as u64))
                    }
                    _ => Err("it returns to a wrong address".into()),
                };
            }
            (M::Push, [from @ (Operand::General(..) | Operand::Memory(_))])
                if size(from).unwrap_or(words.pointer.0) == words.pointer.0 =>
            {
                let bytes = self.read(words, machine, from, words.pointer.0)?;
                self.push(words, machine, &bytes)?;
            }
            (M::Push, [from @ Operand::Immediate(_)]) => {
                let bytes = self.read(words, machine, from, words.pointer.0)?;
                self.push(words, machine, &bytes)?;
            }
            (M::Pop, [to @ Operand::General(_, len)]) if *len == words.pointer.0 => {
                let bytes = self.pop(words, machine)?;
                self.write(words, machine, to, &bytes)?;
            }
            (M::Mov | M::Movzx | M::Movsxd | M::Movsx | M::Movbe, [to, from]) => {
                let len = size(to)?;
                let from_len = size(from).unwrap_or(len);
                // CPUs differ for narrower operands.
                if mnemonic == M::Movsxd && len != 8 {
                    return Err("unsupported instruction".into());
                }
                let mut bytes = self.read(words, machine, from, from_len)?;
                match mnemonic {
                    M::Movzx => bytes.resize(len, Byte::Number(0)),
                    M::Movbe => bytes.reverse(),
                    M::Movsx | M::Movsxd => {
                        let Content::Number(k) = words.value(&bytes) else {
                            return Err("sign extension of a value other than a number".into());
                        };
                        let unused = 64 - 8 * from_len as u32;
                        bytes = number(((k << unused) as i64 >> unused) as u64, len);
                    }
                    _ => {}
                }
                self.write(words, machine, to, &bytes)?;
            }
            (M::Lea, [to, Operand::Memory(place)]) => {
                let sum = self.effective(words, machine, place)?;
                let Some(sum) = sum.get(..size(to)?) else {
                    return Err("unsupported instruction".into());
                };
                self.write(words, machine, to, sum)?;
            }
            (M::Xchg, [x, y]) => {
                let len = size(x)?;
                let (a, b) =
                    (self.read(words, machine, x, len)?, self.read(words, machine, y, len)?);
                self.write(words, machine, x, &b)?;
                self.write(words, machine, y, &a)?;
            }
            (M::Bswap, [to]) => {
                let len = size(to)?;
                // The result for 16 bits is undefined.
                if !matches!(len, 4 | 8) {
                    return Err("unsupported instruction".into());
                }
                let mut bytes = self.read(words, machine, to, len)?;
                bytes.reverse();
                self.write(words, machine, to, &bytes)?;
            }
            (M::Not, [to]) => {
                let x = self.read(words, machine, to, size(to)?)?;
                let result = words.bitwise(0x0f, [&x, &x, &x])?;
                self.write(words, machine, to, &result)?;
            }
            (M::Cmp | M::Test, [x, y]) => {
                let len = size(x)?;
                let a = self.read(words, machine, x, len)?;
                let b = self.read(words, machine, y, len)?;
                let (result, flags) = self.binary_operation(
                    words,
                    if mnemonic == M::Cmp { Operation::Sub } else { Operation::And },
                    &a,
                    &b,
                )?;
                machine.flags = flags;
                machine.compared = self.compared(words, mnemonic, [&a, &b]);
                machine.tested = words.tested(&result);
            }
            (M::Add | M::Sub | M::And | M::Or | M::Xor, [to, from]) => {
                let len = size(to)?;
                let result = if matches!(mnemonic, M::Xor | M::Sub) && to == from {
                    // A register XORed with or subtracted from itself is zero, even if unknown.
                    machine.flags = numeric_flags(Operation::Sub, 0, 0, len);
                    number(0, len)
                } else {
                    let x = self.read(words, machine, to, len)?;
                    let y = self.read(words, machine, from, len)?;
                    if mnemonic == M::And && *to == Operand::General(RSP, words.pointer.0) {
                        self.align(words, machine, &x, &y)?
                    } else {
                        let (result, flags) = if mnemonic == M::Add && to == from {
                            // Doubling keeps known bits.
                            self.doubled(words, &x)?
                        } else {
                            self.binary_operation(words, operation(mnemonic), &x, &y)?
                        };
                        machine.flags = flags;
                        machine.compared = self.compared(words, mnemonic, [&x, &y]);
                        machine.tested = words.tested(&result);
                        if mnemonic == M::Add {
                            machine.carried = carried(words, [&x, &y], &result);
                        }
                        result
                    }
                };
                self.write(words, machine, to, &result)?;
            }
            (M::Adc, [to, from]) => {
                let len = size(to)?;
                let x = self.read(words, machine, to, len)?;
                let y = self.read(words, machine, from, len)?;
                let result = with_carry(words, machine, &x, &y)?;
                self.write(words, machine, to, &result)?;
            }
            (M::Shrd | M::Shld, [to, from, count]) => {
                let len = size(to)?;
                let n = self.count(words, machine, count, len)?;
                // Moves bytes of a message's end.
                let moves = n.is_multiple_of(8) && (len == 8 || words.padded.is_some());
                if len != 4 && !(len == 8 && moves) {
                    return Err("unsupported instruction".into());
                }
                let x = self.read(words, machine, to, len)?;
                let y = self.read(words, machine, from, len)?;
                let result = match n {
                    0 => x,
                    _ if moves => {
                        let by = (n / 8) as usize;
                        match mnemonic {
                            M::Shrd => [x, y].concat()[by..by + len].to_vec(),
                            _ => [y, x].concat()[len - by..2 * len - by].to_vec(),
                        }
                    }
                    _ => funnel(words, mnemonic == M::Shrd, &x, &y, n)?,
                };
                machine.flags = Flags::default();
                self.write(words, machine, to, &result)?;
            }
            (M::Inc | M::Dec, [to]) => {
                let len = size(to)?;
                let x = self.read(words, machine, to, len)?;
                let function = if mnemonic == M::Inc { Operation::Add } else { Operation::Sub };
                let (result, flags) =
                    self.binary_operation(words, function, &x, &number(1, len))?;
                machine.flags = Flags { carry: machine.flags.carry, ..flags };
                self.write(words, machine, to, &result)?;
            }
            (M::Andn, [to, x, y]) => {
                let len = size(to)?;
                let (x, y) =
                    (self.read(words, machine, x, len)?, self.read(words, machine, y, len)?);
                // ¬x ∧ y
                let result = words.bitwise(0x0c, [&x, &y, &y])?;
                machine.flags = Flags::default();
                self.write(words, machine, to, &result)?;
            }
            (M::Kmovw | M::Kmovd | M::Kmovq, [to, from]) => {
                let len = match mnemonic {
                    M::Kmovw => 2,
                    M::Kmovd => 4,
                    _ => 8,
                };
                let mut bytes = self.read(words, machine, from, len)?;
                if let Operand::Memory(_) = to {
                    self.write(words, machine, to, &bytes)?;
                } else {
                    bytes.resize(8, Byte::Number(0));
                    self.write(words, machine, to, &bytes)?;
                }
            }
            // For zero, CPUs differ. Flags do, too.
            (M::Tzcnt, [to @ Operand::General(_, len @ (4 | 8)), from]) if words.gathers => {
                let len = *len;
                let x = self.read(words, machine, from, len)?;
                machine.flags = Flags::default();
                match words.value(&x) {
                    Content::Number(k) if k != 0 => {
                        self.write(words, machine, to, &number(k.trailing_zeros().into(), len))?;
                    }
                    Content::Word(word) => match words.domain.number(word) {
                        Some(k) if k != 0 => {
                            let result = number(k.trailing_zeros().into(), len);
                            self.write(words, machine, to, &result)?;
                        }
                        None => machine.scanned = Some(word),
                        _ => return Err("the lowest bit of zero".into()),
                    },
                    _ => return Err("the lowest bit of a value other than a word".into()),
                }
            }
            // With equal operands the result is all ones.
            (M::Kxnorw, [to, x @ Operand::Mask(_), y]) if x == y => {
                self.write(words, machine, to, &number(0xffff, 8))?;
            }
            (M::Bzhi, [to, from, count]) => {
                let len = size(to)?;
                let x = self.read(words, machine, from, len)?;
                let count = self.read(words, machine, count, len)?;
                let result = self.lowest(words, &x, &count)?;
                machine.flags = Flags::default();
                self.write(words, machine, to, &result)?;
            }
            (M::Imul, [to, y] | [to, _, y]) => {
                let len = size(to)?;
                let x = &instruction.operands[instruction.operands.len() - 2];
                let (x, y) =
                    (self.read(words, machine, x, len)?, self.read(words, machine, y, len)?);
                let result = words.product(&x, &y)?;
                machine.flags = Flags::default();
                self.write(words, machine, to, &result)?;
            }
            (M::Rorx, [to, from, Operand::Immediate(n)]) => {
                let len = size(to)?;
                let x = self.read(words, machine, from, len)?;
                let n = n % (8 * len as u64);
                let result = words.shifted(Operation::RotateRight, &x, n)?;
                self.write(words, machine, to, &result)?;
            }
            (M::Neg, [to]) => {
                let x = self.read(words, machine, to, size(to)?)?;
                let (result, flags) =
                    self.binary_operation(words, Operation::Sub, &number(0, x.len()), &x)?;
                machine.flags = flags;
                self.write(words, machine, to, &result)?;
            }
            (M::Shlx | M::Shrx, [to, from, count]) => {
                let len = size(to)?;
                let x = self.read(words, machine, from, len)?;
                let n = self.count(words, machine, count, len)?;
                let function =
                    if mnemonic == M::Shlx { Operation::ShiftLeft } else { Operation::ShiftRight };
                let result = words.shifted(function, &x, n)?;
                self.write(words, machine, to, &result)?;
            }
            (M::Shl | M::Shr | M::Ror | M::Rol, [to, count]) => {
                let len = size(to)?;
                let x = self.read(words, machine, to, len)?;
                let n = self.count(words, machine, count, len)?;
                let function = match mnemonic {
                    M::Shl => Operation::ShiftLeft,
                    M::Shr => Operation::ShiftRight,
                    M::Ror => Operation::RotateRight,
                    _ => Operation::RotateLeft,
                };
                if n >= 8 * len as u64 {
                    return Err("a value is shifted by more bits than it has".into());
                }
                let result = words.shifted(function, &x, n)?;
                if n != 0 {
                    let zero = match words.value(&result) {
                        Content::Number(k) if matches!(mnemonic, M::Shl | M::Shr) => Some(k == 0),
                        Content::Address(x) if mnemonic == M::Shr => {
                            self.against_zero(x).map(Ordering::is_eq)
                        }
                        _ => None,
                    };
                    machine.flags = Flags { zero, ..Flags::default() };
                }
                self.write(words, machine, to, &result)?;
            }
            (_, [to, from]) if let Some(condition) = Condition::of(mnemonic) => {
                let len = size(to)?;
                // The read happens regardless of the condition.
                let other = self.read(words, machine, from, len)?;
                let own = self.read(words, machine, to, len)?;
                let bytes = match self.holds(machine, condition)? {
                    Some(true) => other,
                    Some(false) => own,
                    None => self.either(words, machine, condition, [&own, &other]),
                };
                self.write(words, machine, to, &bytes)?;
            }
            (_, [to]) if let Some(condition) = Condition::of(mnemonic) => {
                let lanes = machine.compared.map_or(0, |compared| compared.lanes);
                let byte = match self.holds(machine, condition) {
                    Err(fault) => {
                        let word = machine.tested.filter(|_| condition == Condition::E);
                        word.and_then(|word| words.is_zero(word)).ok_or(fault)?
                    }
                    Ok(Some(is)) => Byte::Number(is.into()),
                    Ok(None) => Byte::Bits(0xfe, 0, lanes),
                };
                self.write(words, machine, to, &[byte])?;
            }
            _ => return Err("unsupported instruction".into()),
        }
        Ok(next)
    }

    /// The number of bits by which to shift a value of `len` bytes.
    fn count<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &Processor<W>,
        operand: &Operand,
        len: usize,
    ) -> Result<u64, String> {
        let bytes = self.read(words, machine, operand, 1)?;
        let Content::Number(n) = words.value(&bytes) else {
            return Err("a shift count is unknown".into());
        };
        Ok(n & if len == 8 { 63 } else { 31 })
    }

    /// The target of a jump or call.
    fn target<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &Processor<W>,
        operand: &Operand,
    ) -> Result<u64, String> {
        if let Operand::Target(target) = operand {
            return Ok(*target);
        }
        // Far pointers include a segment.
        if size(operand)? != words.pointer.0 {
            return Err("unsupported instruction".into());
        }
        let bytes = self.read(words, machine, operand, words.pointer.0)?;
        match words.value(&bytes) {
            Content::Address(a) if self.image.is_within(a) && a.is_fixed() => Ok(a.offset as u64),
            _ => Err("the branch target is unknown".into()),
        }
    }

    /// The stack pointer.
    fn top<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &Processor<W>,
    ) -> Result<Address, String> {
        match words.value(&machine.general[RSP][..words.pointer.0]) {
            Content::Address(top) => Ok(top),
            _ => Err("the stack pointer is unknown".into()),
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
            Operand::High(register) if len == 1 => Ok(vec![machine.general[*register][1]]),
            Operand::Mask(register) => Ok(machine.masks[*register][..len].to_vec()),
            Operand::Immediate(k) => Ok(number(*k, len)),
            Operand::Memory(place) => {
                let from = self.place(words, machine, place)?;
                self.load(machine, from, len)
            }
            _ => Err("unsupported operand".into()),
        }
    }

    /// Writes an operand. Writing 32 bits of a register clears its upper half.
    pub(super) fn write<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &mut Processor<W>,
        operand: &Operand,
        bytes: &[Byte<W>],
    ) -> Result<(), String> {
        match operand {
            Operand::General(register, len) => {
                if bytes.len() < *len {
                    return Err("unsupported instruction".into());
                }
                let known = self.number_at_hand(words, &bytes[..*len]);
                let bytes = known.as_deref().unwrap_or(bytes);
                let general = &mut machine.general[*register];
                general[..*len].copy_from_slice(&bytes[..*len]);
                if *len == 4 {
                    general[4..].fill(Byte::Number(0));
                }
                Ok(())
            }
            Operand::High(register) if bytes.len() == 1 => {
                machine.general[*register][1] = bytes[0];
                Ok(())
            }
            Operand::Mask(register) if bytes.len() == 8 => {
                machine.masks[*register].copy_from_slice(bytes);
                Ok(())
            }
            Operand::Memory(place) => {
                let to = self.place(words, machine, place)?;
                self.store(machine, to, bytes)
            }
            _ => Err("unsupported operand".into()),
        }
    }

    /// Aligns the stack pointer, which lowers it by an unknown amount.
    fn align<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &mut Processor<W>,
        top: &[Byte<W>],
        mask: &[Byte<W>],
    ) -> Result<Bytes<W>, String> {
        let (Content::Address(top), Content::Number(mask)) = (words.value(top), words.value(mask))
        else {
            return Err("the stack pointer is unknown".into());
        };
        let to = words.pointer.signed(mask as i64).wrapping_neg();
        // A callee aligns the stack pointer again.
        let is_frames = top.region == Region::Frame && top.is_fixed();
        if is_frames
            && to.count_ones() == 1
            && machine.aligned.is_some_and(|(frame, _)| (1..=frame).contains(&to))
        {
            machine.flags = Flags::default();
            return Ok(words.pointer.bytes(Address { offset: top.offset & -to, ..top }));
        }
        if top.region != Region::Stack
            || !top.is_fixed()
            || to.count_ones() != 1
            || !(1..=4096).contains(&to)
        {
            return Err("unsupported alignment of the stack pointer".into());
        }
        self.align_frame(machine, to, top.offset);
        machine.flags = Flags::default();
        Ok(words.pointer.bytes(Address::new(Region::Frame, 0)))
    }

    /// The result and flags of a binary operation.
    pub(super) fn binary_operation<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        operation: Operation,
        x: &[Byte<W>],
        y: &[Byte<W>],
    ) -> Result<(Bytes<W>, Flags), String> {
        let len = x.len();
        let (a, b) = (words.value(x), words.value(y));
        if let (Content::Number(a), Content::Number(b)) = (a, b) {
            let result = domain::value(operation, 8 * len as u32, a, b);
            return Ok((number(result, len), numeric_flags(operation, a, b, len)));
        }
        let is_address = |value: &Content<W>| matches!(value, Content::Address(_));
        match operation {
            Operation::And if x == y && matches!(a, Content::Low(_)) => {
                let Content::Low(a) = a else { return Err("no number".into()) };
                Ok((x.to_vec(), self.flags_of_low(a)))
            }
            Operation::Add | Operation::Sub
                if matches!((a, b), (Content::Low(_), Content::Number(_))) =>
            {
                let result = words.arithmetic(operation, x, y)?;
                let flags = match words.value(&result) {
                    Content::Low(a) => self.flags_of_low(a),
                    _ => Flags::default(),
                };
                // The carry is unknown.
                Ok((result, Flags { carry: None, ..flags }))
            }
            // An address or number ANDed with itself, or minus zero.
            Operation::And | Operation::Sub
                if is_address(&a)
                    && if operation == Operation::And {
                        x == y
                    } else {
                        b == Content::Number(0)
                    } =>
            {
                let Content::Address(a) = a else { return Err("no address".into()) };
                let flags = ordered(self.against_zero(a), Some(false));
                // Addresses may have their highest bit set; all kernel addresses do.
                let sign = flags.sign.filter(|_| a.region == Region::Number);
                let zero = flags.zero.or_else(|| self.zero_of_32_bits(a, len));
                Ok((x.to_vec(), Flags { sign, zero, ..flags }))
            }
            Operation::And => {
                let result = match (&a, &b) {
                    (Content::Address(a), Content::Number(k)) => words.rounded(*a, *k),
                    // Only if the result does not depend on the upper half.
                    (Content::Low(a), Content::Number(k)) => words
                        .rounded(*a, *k)
                        .filter(|result| *result == Address::new(Region::Number, result.offset)),
                    _ => None,
                };
                let result = match result {
                    Some(rounded) => words.pointer.bytes(rounded)[..len].to_vec(),
                    None => words.bitwise(0xc0, [x, y, y])?,
                };
                let flags = match words.value(&result) {
                    Content::Number(k) => numeric_flags(Operation::And, k, k, len),
                    Content::Address(a) if a.region == Region::Number => Flags {
                        zero: self.against_zero(a).map(Ordering::is_eq),
                        ..Flags::default()
                    },
                    _ => Flags::default(),
                };
                Ok((result, flags))
            }
            // OR with bits below those of a multiple of a power of two is an addition.
            Operation::Or if are_apart(&a, &b) => {
                Ok((words.arithmetic(Operation::Add, x, y)?, Flags::default()))
            }
            Operation::Or => Ok((words.bitwise(OR, [x, y, y])?, Flags::default())),
            Operation::Xor => Ok((words.bitwise(0x3c, [x, y, y])?, Flags::default())),
            _ => {
                let result = words.arithmetic(operation, x, y)?;
                // A sum of an address and a number has no known flags, nor does a number that may
                // overflow.
                let exact = |value: &Content<W>| match value {
                    Content::Address(a) => self.is_exact(*a),
                    Content::Number(_) => true,
                    _ => false,
                };
                let value = words.value(&result);
                let order = match value {
                    _ if !exact(&a) || !exact(&b) => None,
                    Content::Address(a) if a.region == Region::Number => self.against_zero(a),
                    Content::Number(k) if is_address(&a) || is_address(&b) => {
                        Some(words.pointer.signed(k as i64).cmp(&0))
                    }
                    _ => None,
                };
                // The unsigned comparison agrees only if neither operand is negative.
                let pointer = words.pointer;
                let positive = |value: &Content<W>| match value {
                    Content::Address(a) => self.is_negative(*a) == Some(false),
                    Content::Number(k) => pointer.signed(*k as i64) >= 0,
                    _ => false,
                };
                let compares = operation == Operation::Sub && positive(&a) && positive(&b);
                let is_less = match value {
                    Content::Address(x) if x.region == Region::Number && exact(&a) && exact(&b) => {
                        self.is_negative(x)
                    }
                    _ => order.map(Ordering::is_lt),
                };
                let carry = is_less.filter(|_| compares);
                let mut flags = ordered(order, carry);
                if let (None, Content::Address(result)) = (flags.zero, value) {
                    flags.zero = self.zero_of_32_bits(result, len);
                }
                // An object may contain the address at which the sign changes.
                let numbers = [words.whole(a), words.whole(b), words.whole(value)];
                let overflow = match numbers {
                    [Some(a), Some(b), Some(result)]
                        if [a, b].iter().all(|x| x.region == Region::Number) =>
                    {
                        flags.overflow.map(|_| wraps(operation, [a, b], result))
                    }
                    _ => None,
                };
                Ok((result, Flags { overflow, ..flags }))
            }
        }
    }
}

/// The operation of an instruction.
fn operation(mnemonic: M) -> Operation {
    match mnemonic {
        M::Add => Operation::Add,
        M::Sub => Operation::Sub,
        M::And => Operation::And,
        M::Or => Operation::Or,
        _ => Operation::Xor,
    }
}

/// Whether a sum or difference of two numbers overflows: `result` then differs from the exact value
/// by a multiple of 2^64 (2^32 in 32-bit code). Operands and result may all be small numbers of
/// either sign although the sum of their offsets is not.
fn wraps(operation: Operation, [x, y]: [Address; 2], result: Address) -> bool {
    let [x, y, result] = [x, y, result].map(|number| i128::from(number.offset));
    let exact = if operation == Operation::Add { x + y } else { x - y };
    exact != result
}

/// Whether a multiple of a power of two and a number have no bit in common.
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

/// The size of an operand in bytes.
pub(super) fn size(operand: &Operand) -> Result<usize, String> {
    match operand {
        Operand::General(_, len) => Ok(*len),
        Operand::High(_) => Ok(1),
        Operand::Memory(place) => Ok(place.bytes),
        _ => Err("unsupported operand".into()),
    }
}
