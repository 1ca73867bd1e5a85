//! What each instruction does: the one table that emission, proof and model share.
//! `tests/all/semantics.rs` holds every line of it against the CPU.

use super::instruction::Name;

/// The function that an instruction computes from its sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// The first source.
    Copy,
    /// The sum that an address is.
    Address,
    /// x + y.
    Add,
    /// x + y, and the carry of the addition before.
    AddCarry,
    /// x − y.
    Sub,
    /// x ∧ y.
    And,
    /// x ∨ y.
    Or,
    /// x ⊕ y.
    Xor,
    /// ¬x.
    Not,
    /// ¬x ∧ y.
    NotAnd,
    /// x rotated right by y, a constant.
    RotateRight,
    /// x rotated left by y, a constant.
    RotateLeft,
    /// x shifted right by y, a constant.
    ShiftRight,
    /// x shifted left by y, a constant.
    ShiftLeft,
    /// x shifted right by a constant, bits of y coming in from the left.
    ShiftRightFrom,
    /// The bytes of x in reverse.
    Swap,
    /// x ∧ y, for the flags alone.
    Test,
    /// Onto the stack.
    Push,
    /// From the stack.
    Pop,
    /// To a label if the zero flag is set.
    IfZero,
    /// To a label if it is not.
    IfNotZero,
    /// To the caller.
    Return,
}

impl Function {
    /// Whether it makes a word of any two.
    pub fn is_of_two_words(self) -> bool {
        use Function::{Add, And, NotAnd, Or, Sub, Test, Xor};
        matches!(self, Add | Sub | And | Or | Xor | NotAnd | Test)
    }

    /// Whether it makes a word of any one and a constant.
    pub fn is_of_a_constant(self) -> bool {
        use Function::{RotateLeft, RotateRight, ShiftLeft, ShiftRight};
        self.is_of_two_words() || matches!(self, RotateLeft | RotateRight | ShiftLeft | ShiftRight)
    }
}

/// A line of the table.
#[derive(Clone, Copy, Debug)]
pub struct Semantics {
    /// The instruction.
    pub name: Name,
    /// What it computes.
    pub function: Function,
    /// Whether the first operand is also the first source.
    pub reads_destination: bool,
    /// Whether the zero flag says afterwards that the result is zero. What else
    /// leaves flags behind leaves them undefined here.
    pub sets_zero: bool,
    /// Whether it leaves every flag as it was.
    pub keeps_flags: bool,
    /// The operation of a machine's model that it is; what a machine does not name is `logic`.
    pub unit: &'static str,
    /// The feature that a CPU needs for it, as Rust names features.
    pub feature: Option<&'static str>,
}

const fn line(name: Name, function: Function, unit: &'static str) -> Semantics {
    Semantics {
        name,
        function,
        reads_destination: false,
        sets_zero: false,
        keeps_flags: true,
        unit,
        feature: None,
    }
}

/// x op= y, which sets flags.
const fn two(name: Name, function: Function, unit: &'static str) -> Semantics {
    Semantics {
        reads_destination: true,
        sets_zero: true,
        keeps_flags: false,
        ..line(name, function, unit)
    }
}

/// x op= constant, after which the flags are not known (those of a shift by zero
/// are the old ones).
const fn shift(name: Name, function: Function, unit: &'static str) -> Semantics {
    Semantics { sets_zero: false, ..two(name, function, unit) }
}

/// Every instruction.
pub const TABLE: [Semantics; Name::ALL.len()] = [
    line(Name::Mov, Function::Copy, "mov"),
    line(Name::Lea, Function::Address, "lea"),
    two(Name::Add, Function::Add, "add"),
    two(Name::Adc, Function::AddCarry, "add"),
    two(Name::Sub, Function::Sub, "add"),
    two(Name::And, Function::And, "logic"),
    two(Name::Or, Function::Or, "logic"),
    two(Name::Xor, Function::Xor, "logic"),
    Semantics { reads_destination: true, ..line(Name::Not, Function::Not, "logic") },
    Semantics {
        sets_zero: true,
        keeps_flags: false,
        feature: Some("bmi1"),
        ..line(Name::Andn, Function::NotAnd, "andn")
    },
    Semantics { feature: Some("bmi2"), ..line(Name::Rorx, Function::RotateRight, "rotate") },
    shift(Name::Ror, Function::RotateRight, "rotate"),
    shift(Name::Rol, Function::RotateLeft, "rotate"),
    shift(Name::Shr, Function::ShiftRight, "shift"),
    shift(Name::Shl, Function::ShiftLeft, "shift"),
    shift(Name::Shrd, Function::ShiftRightFrom, "shift"),
    Semantics { reads_destination: true, ..line(Name::Bswap, Function::Swap, "swap") },
    two(Name::Test, Function::Test, "logic"),
    line(Name::Push, Function::Push, "store"),
    line(Name::Pop, Function::Pop, "load"),
    line(Name::Jz, Function::IfZero, "add"),
    line(Name::Jnz, Function::IfNotZero, "add"),
    line(Name::Ret, Function::Return, "add"),
];

/// What `name` does.
pub fn of(name: Name) -> &'static Semantics {
    &TABLE[name as usize]
}

/// The result on numbers of `bits` bits, of every function that has one.
pub fn value(function: Function, bits: u32, x: u64, y: u64) -> Option<u64> {
    let mask = u64::MAX >> (64 - bits);
    let (x, y) = (x & mask, y & mask);
    let count = (y as u32) % bits;
    let rotate = |left: u32| if left == 0 { x } else { x << left | x >> (bits - left) };
    Some(
        mask & match function {
            Function::Copy => x,
            Function::Add | Function::Address => x.wrapping_add(y),
            Function::Sub => x.wrapping_sub(y),
            Function::And | Function::Test => x & y,
            Function::Or => x | y,
            Function::Xor => x ^ y,
            Function::Not => !x,
            Function::NotAnd => !x & y,
            Function::RotateRight => rotate((bits - count) % bits),
            Function::RotateLeft => rotate(count),
            Function::ShiftRight => x >> count,
            Function::ShiftLeft => x << count,
            Function::Swap if bits == 64 => x.swap_bytes(),
            Function::Swap => u64::from((x as u32).swap_bytes()),
            Function::AddCarry
            | Function::ShiftRightFrom
            | Function::Push
            | Function::Pop
            | Function::IfZero
            | Function::IfNotZero
            | Function::Return => return None,
        },
    )
}
