//! Instructions of x86 used by kernels, written and parsed in Intel syntax.

use std::fmt;

/// A general register, by its number in the encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Register(pub u8);

/// The stack pointer.
pub const RSP: Register = Register(4);

const NAMES: [[&str; 16]; 2] = [
    [
        "eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", "r8d", "r9d", "r10d", "r11d",
        "r12d", "r13d", "r14d", "r15d",
    ],
    [
        "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12",
        "r13", "r14", "r15",
    ],
];

impl Register {
    /// The name of its low `bits` bits, 32 or 64.
    pub fn name(self, bits: u32) -> &'static str {
        NAMES[usize::from(bits == 64)][usize::from(self.0)]
    }

    /// The name of the vector register of this number, of 16, 32 or 64 bytes.
    pub(super) fn vector_name(self, bytes: usize) -> String {
        let file = match bytes {
            16 => 'x',
            32 => 'y',
            _ => 'z',
        };
        format!("{file}mm{}", self.0)
    }

    /// The register called `name`, and its width in bits.
    pub fn named(name: &str) -> Option<(Self, u32)> {
        [32, 64].into_iter().zip(NAMES).find_map(|(bits, names)| {
            names.iter().position(|n| *n == name).map(|i| (Self(i as u8), bits))
        })
    }
}

/// The instruction set of a lane kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LaneIsa {
    /// AVX2.
    Avx2,
    /// AVX-512F, AVX-512BW and AVX-512VL, with vectors of 256 bits.
    Avx512Vl,
    /// AVX-512F and AVX-512BW.
    Avx512,
}

impl LaneIsa {
    /// Every value.
    pub const ALL: [Self; 3] = [Self::Avx2, Self::Avx512Vl, Self::Avx512];

    /// The prefix of the names of its kernels in the engine.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Avx2 => "avx2",
            Self::Avx512Vl => "avx512_vl",
            Self::Avx512 => "avx512",
        }
    }

    /// The CPUs that run it, for a reader of C.
    pub(super) fn machine(self) -> &'static str {
        match self {
            Self::Avx2 => "x86-64, System V ABI, AVX2",
            Self::Avx512Vl => "x86-64, System V ABI, AVX-512F, AVX-512BW, AVX-512VL",
            Self::Avx512 => "x86-64, System V ABI, AVX-512F, AVX-512BW",
        }
    }

    /// The size of a vector in bytes.
    pub(super) fn vector_len(self) -> usize {
        match self {
            Self::Avx2 | Self::Avx512Vl => 32,
            Self::Avx512 => 64,
        }
    }

    /// Whether it has AVX-512's encoding: 32 registers, broadcasts from memory, rotations, functions of three sources.
    pub(super) fn is_ternary(self) -> bool {
        self != Self::Avx2
    }

    /// Its vector registers.
    pub(super) fn registers(self) -> impl Iterator<Item = Register> {
        (0..if self.is_ternary() { 32 } else { 16 }).map(Register)
    }

    /// The name of a vector register.
    pub(super) fn register(self, n: usize) -> String {
        Register(n as u8).vector_name(self.vector_len())
    }
}

/// The base of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// A register's value.
    Register(Register),
    /// The kernel's table of constants, relative to the instruction.
    Constants,
}

/// An address: base + index + displacement, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AsmAddress {
    /// The base.
    pub base: Base,
    /// A second register, not scaled.
    pub index: Option<Register>,
    /// Bytes to add.
    pub displacement: i64,
    /// The width of its registers, in bits.
    pub bits: u32,
}

impl AsmAddress {
    /// The address `displacement` bytes from `base`, in 64-bit code.
    pub fn at(base: Register, displacement: i64) -> Self {
        Self { base: Base::Register(base), index: None, displacement, bits: 64 }
    }

    /// The address `displacement` bytes from `base`, in 32-bit code.
    pub fn narrow(base: Register, displacement: i64) -> Self {
        Self { bits: 32, ..Self::at(base, displacement) }
    }

    /// Its registers.
    pub fn registers(self) -> impl Iterator<Item = Register> {
        let base = match self.base {
            Base::Register(register) => Some(register),
            Base::Constants => None,
        };
        base.into_iter().chain(self.index)
    }
}

/// An operand of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AsmOperand {
    /// A register.
    Register(Register),
    /// A word in memory, or the address for `lea`.
    Memory(AsmAddress),
    /// A word in memory, broadcast to every lane of a vector.
    Broadcast(AsmAddress),
    /// A constant.
    Immediate(i64),
}

/// The instructions of kernels. Their semantics are in the prover, which reads the assembled machine
/// code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "their names are Intel's")]
pub enum Name {
    Mov,
    Lea,
    Add,
    Adc,
    Sub,
    And,
    Or,
    Xor,
    Not,
    Andn,
    Rorx,
    Ror,
    Rol,
    Shr,
    Shl,
    Shrd,
    Bswap,
    Test,
    Push,
    Pop,
    Jz,
    Jnz,
    Ret,
    Vmov,
    Vadd,
    Vsub,
    Vand,
    Vandn,
    Vor,
    Vxor,
    Vshr,
    Vshl,
    Vror,
    Vternary,
}

impl Name {
    /// Every instruction on general registers.
    pub const ALL: [Self; 23] = [
        Self::Mov,
        Self::Lea,
        Self::Add,
        Self::Adc,
        Self::Sub,
        Self::And,
        Self::Or,
        Self::Xor,
        Self::Not,
        Self::Andn,
        Self::Rorx,
        Self::Ror,
        Self::Rol,
        Self::Shr,
        Self::Shl,
        Self::Shrd,
        Self::Bswap,
        Self::Test,
        Self::Push,
        Self::Pop,
        Self::Jz,
        Self::Jnz,
        Self::Ret,
    ];

    /// The mnemonic.
    pub fn text(self) -> &'static str {
        match self {
            Self::Mov => "mov",
            Self::Lea => "lea",
            Self::Add => "add",
            Self::Adc => "adc",
            Self::Sub => "sub",
            Self::And => "and",
            Self::Or => "or",
            Self::Xor => "xor",
            Self::Not => "not",
            Self::Andn => "andn",
            Self::Rorx => "rorx",
            Self::Ror => "ror",
            Self::Rol => "rol",
            Self::Shr => "shr",
            Self::Shl => "shl",
            Self::Shrd => "shrd",
            Self::Bswap => "bswap",
            Self::Test => "test",
            Self::Push => "push",
            Self::Pop => "pop",
            Self::Jz => "jz",
            Self::Jnz => "jnz",
            Self::Ret => "ret",
            Self::Vmov => "vmovdqu",
            Self::Vror => "vpror",
            Self::Vternary => "vpternlog",
            Self::Vadd => "vpadd",
            Self::Vsub => "vpsub",
            Self::Vand => "vpand",
            Self::Vandn => "vpandn",
            Self::Vor => "vpor",
            Self::Vxor => "vpxor",
            Self::Vshr => "vpsrl",
            Self::Vshl => "vpsll",
        }
    }

    /// The end of the mnemonic for vectors with words of this width: AVX-512 also names the width of
    /// words in moves and in bitwise operations.
    fn suffix(self, bits: u32, vector: Option<LaneIsa>) -> &'static str {
        let word = if bits == 64 { "q" } else { "d" };
        let is_ternary = vector.is_some_and(LaneIsa::is_ternary);
        match self {
            Self::Vadd | Self::Vsub | Self::Vshr | Self::Vshl | Self::Vror | Self::Vternary => word,
            Self::Vand | Self::Vandn | Self::Vor | Self::Vxor if is_ternary => word,
            Self::Vmov if is_ternary => "64",
            _ => "",
        }
    }

    /// Whether its first operand is also its first source.
    pub fn reads_destination(self) -> bool {
        use Name::{Adc, Add, And, Bswap, Not, Or, Rol, Ror, Shl, Shr, Shrd, Sub, Test, Xor};
        matches!(
            self,
            Add | Adc | Sub | And | Or | Xor | Not | Ror | Rol | Shr | Shl | Shrd | Bswap | Test
        )
    }

    /// Whether it is a branch.
    pub fn is_branch(self) -> bool {
        matches!(self, Self::Jz | Self::Jnz)
    }
}

/// An instruction on words of `bits` bits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AsmInstruction {
    /// Its operation.
    pub name: Name,
    /// The width of its words.
    pub bits: u32,
    /// The instruction set of its registers, if they are vectors.
    pub vector: Option<LaneIsa>,
    /// Its operands, the destination first.
    pub operands: Vec<AsmOperand>,
}

impl AsmInstruction {
    /// Creates an instruction.
    pub fn new(name: Name, bits: u32, operands: &[AsmOperand]) -> Self {
        Self { name, bits, vector: None, operands: operands.to_vec() }
    }
}

impl fmt::Display for AsmInstruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name.text())?;
        f.write_str(self.name.suffix(self.bits, self.vector))?;
        for (i, operand) in self.operands.iter().enumerate() {
            f.write_str(if i == 0 { " " } else { ", " })?;
            match *operand {
                AsmOperand::Register(register) => match self.vector {
                    Some(isa) => f.write_str(&isa.register(usize::from(register.0)))?,
                    None => f.write_str(register.name(self.bits))?,
                },
                AsmOperand::Immediate(k) => write!(f, "{k}")?,
                AsmOperand::Memory(address) => {
                    let vector = self.vector.map(LaneIsa::vector_len);
                    f.write_str(match (self.name, vector, self.bits) {
                        (Name::Lea, ..) => "",
                        (_, Some(32), _) => "ymmword ptr ",
                        (_, Some(_), _) => "zmmword ptr ",
                        (_, None, 64) => "qword ptr ",
                        (_, None, _) => "dword ptr ",
                    })?;
                    write!(f, "{address}")?;
                }
                AsmOperand::Broadcast(address) => {
                    let word = if self.bits == 64 { "qword" } else { "dword" };
                    let count = 8 * self.vector.map_or(0, LaneIsa::vector_len) / self.bits as usize;
                    write!(f, "{word} ptr {address}{{1to{count}}}")?;
                }
            }
        }
        Ok(())
    }
}

/// The placeholder for the table of constants, before its label is known.
pub const CONSTANTS: &str = "CONSTANTS";

impl fmt::Display for AsmAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.base {
            Base::Register(register) => write!(f, "[{}", register.name(self.bits))?,
            Base::Constants => write!(f, "[rip + {CONSTANTS}")?,
        }
        if let Some(index) = self.index {
            write!(f, " + {}", index.name(self.bits))?;
        }
        match self.displacement {
            0 => f.write_str("]"),
            d if d < 0 => write!(f, " - {}]", d.unsigned_abs()),
            d => write!(f, " + {d}]"),
        }
    }
}
