//! Decoded machine code.

use std::fmt;

pub use iced_x86::Mnemonic;
use iced_x86::{
    Code, CpuidFeature, Decoder, DecoderOptions, EncodingKind, FastFormatter, FlowControl,
    Instruction as Decoded, MemorySize, OpKind, Register,
};

/// An operand of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A general register, and the number of its low bytes.
    General(usize, usize),
    /// The second lowest byte of a general register: ah, ch, dh or bh.
    High(usize),
    /// A vector register, and the number of its low bytes.
    Vector(usize, usize),
    /// A mask register.
    Mask(usize),
    /// A memory operand.
    Memory(Place),
    /// A constant.
    Immediate(u64),
    /// The target of a branch.
    Target(u64),
}

/// A memory operand at base + index · scale + offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The base register, if any.
    pub base: Option<usize>,
    /// The index register and its scale, if any.
    pub index: Option<(usize, u64)>,
    /// The vector of indices of a gather and their scale, if any.
    pub gathers: Option<(usize, u64)>,
    /// The offset; for an address in the program, the address.
    pub offset: i64,
    /// Whether the address is in the program (RIP-relative).
    pub image: bool,
    /// The size of the access in bytes; zero if there is no access.
    pub bytes: usize,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Its address.
    pub address: u64,
    /// The address of the next instruction.
    pub next: u64,
    /// The mnemonic.
    pub mnemonic: Mnemonic,
    /// Whether the encoding is VEX or EVEX, which have a separate destination operand and clear the rest of a vector
    /// register.
    pub is_vex: bool,
    /// The operands, destination first.
    pub operands: Vec<Operand>,
    /// The register of the write mask, if any.
    pub mask: Option<usize>,
    /// Whether masked-out elements become zero instead of keeping their values.
    pub zeroes: bool,
    /// Whether the memory operand is a single element, broadcast to all.
    pub broadcast: bool,
    /// Whether it modifies any flag.
    pub writes_flags: bool,
    /// The CPU features that it requires.
    pub features: &'static [CpuidFeature],
    /// The disassembly, for messages.
    pub text: String,
}

impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}: {}", self.address, self.text)
    }
}

/// Decodes `code` at `address`. An unsupported instruction yields its address and disassembly.
pub fn decode(code: &[u8], address: u64, bits: u32) -> Vec<Result<Instruction, (u64, String)>> {
    let mut decoder = Decoder::with_ip(bits, code, address, DecoderOptions::NONE);
    let mut formatter = FastFormatter::new();
    let mut all = Vec::new();
    let mut decoded = Decoded::default();
    while decoder.can_decode() {
        let from = decoder.position();
        decoder.decode_out(&mut decoded);
        let mut text = String::new();
        formatter.format(&decoded, &mut text);
        let bytes = &code[from..decoder.position()];
        all.push(one(&decoded, bytes, bits, text.clone()).ok_or((decoded.ip(), text)));
    }
    all
}

/// An operand that is a branch target, memory or a constant.
fn reference(decoded: &Decoded, i: u32, bits: u32) -> Option<Operand> {
    Some(match decoded.op_kind(i) {
        OpKind::NearBranch16 | OpKind::NearBranch32 | OpKind::NearBranch64 => {
            Operand::Target(decoded.near_branch_target())
        }
        OpKind::FarBranch32 => Operand::Target(decoded.far_branch32().into()),
        OpKind::Memory => {
            let image = decoded.is_ip_rel_memory_operand();
            let offset = decoded.memory_displacement64() as i64;
            let offset = if bits == 32 { i64::from(offset as i32) } else { offset };
            let number = |register: Register| register.full_register().number();
            let is_there = |register: &Register| *register != Register::None && !image;
            let base = Some(decoded.memory_base()).filter(is_there).map(number);
            let index = Some(decoded.memory_index()).filter(is_there).map(number);
            let index = index.map(|index| (index, decoded.memory_index_scale().into()));
            let bytes = access_len(decoded);
            Operand::Memory(Place { base, index, gathers: None, offset, image, bytes })
        }
        _ => Operand::Immediate(decoded.try_immediate(i).ok()?),
    })
}

/// The address of each instruction, and its operands that are branch targets, memory or constants. Includes instructions
/// that the prover does not support.
pub(super) fn references(code: &[u8], address: u64, bits: u32) -> Vec<(u64, Vec<Operand>)> {
    let decoder = Decoder::with_ip(bits, code, address, DecoderOptions::NONE);
    let all = decoder.into_iter().map(|decoded| {
        let operands = (0..decoded.op_count()).filter_map(|i| reference(&decoded, i, bits));
        (decoded.ip(), operands.collect())
    });
    all.collect()
}

/// Where execution continues after the last instruction of some code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Nowhere: the instruction jumps, returns or traps.
    Nothing,
    /// At the next address.
    Next,
    /// At the next address, if the function that the operand refers to returns.
    Call(Option<Operand>),
}

/// Where execution continues after code, and whether it has an instruction that may return to the caller: a return, or
/// a jump to another function.
pub(super) fn end_of(code: &[u8], address: u64, bits: u32) -> (End, bool) {
    let (mut end, mut returns) = (End::Next, false);
    let own = address..address + code.len() as u64;
    for decoded in Decoder::with_ip(bits, code, address, DecoderOptions::NONE) {
        end = match decoded.flow_control() {
            FlowControl::UnconditionalBranch
            | FlowControl::IndirectBranch
            | FlowControl::Return
            | FlowControl::Exception => End::Nothing,
            _ if decoded.mnemonic() == Mnemonic::Int3 => End::Nothing,
            FlowControl::Call | FlowControl::IndirectCall => {
                let operand = reference(&decoded, 0, bits);
                End::Call(operand.filter(|_| decoded.op_count() > 0))
            }
            _ => End::Next,
        };
        returns |= match decoded.flow_control() {
            FlowControl::Return | FlowControl::IndirectBranch => true,
            FlowControl::UnconditionalBranch | FlowControl::ConditionalBranch => {
                !own.contains(&decoded.near_branch_target())
            }
            _ => false,
        };
    }
    (end, returns)
}

/// The address of the field with the 4-byte displacement of an instruction's operand or branch
/// target, relative to the next instruction.
pub(super) fn relative_field(code: &[u8], address: u64, bits: u32) -> Option<u64> {
    let mut decoder = Decoder::with_ip(bits, code, address, DecoderOptions::NONE);
    let decoded = decoder.decode();
    let offsets = decoder.get_constant_offsets(&decoded);
    let is_branch = matches!(decoded.op0_kind(), OpKind::NearBranch32 | OpKind::NearBranch64);
    let offset = match (decoded.is_ip_rel_memory_operand(), is_branch) {
        (true, _) if offsets.displacement_size() == 4 => offsets.displacement_offset(),
        (_, true) if offsets.immediate_size() == 4 => offsets.immediate_offset(),
        _ => return None,
    };
    Some(address + offset as u64)
}

/// Whether an instruction has an operand-size prefix. A REX prefix before it is ignored.
fn has_size_prefix(bytes: &[u8], bits: u32) -> bool {
    const SIZE: u8 = 0x66;
    const PREFIXES: [u8; 11] = [SIZE, 0x67, 0xf0, 0xf2, 0xf3, 0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65];
    let is_rex = |byte: &u8| bits == 64 && (0x40..=0x4f).contains(byte);
    let is_prefix = |byte: &&u8| PREFIXES.contains(byte) || is_rex(byte);
    bytes.iter().take_while(is_prefix).any(|byte| *byte == SIZE)
}

/// Whether CPUs may fault on an encoding that the decoder accepts, or differ: scalar moves with the length of wide
/// vectors (VEX.L), moves of a 64-bit word (VEX.W) in 32-bit code, and `test` under a reserved opcode.
fn is_open(decoded: &Decoded, bytes: &[u8], bits: u32) -> bool {
    const LENGTH: u8 = 2;
    const WIDTH: u8 = 7;
    let vex = bytes.iter().position(|byte| matches!(byte, 0xc4 | 0xc5));
    let vex = vex.filter(|_| decoded.encoding() == EncodingKind::VEX).map(|from| &bytes[from..]);
    let has = |bit: u8| match vex {
        Some([0xc4, _, byte, ..]) => byte >> bit & 1 == 1,
        // This form has no VEX.W.
        Some([_, byte, ..]) => bit == LENGTH && byte >> bit & 1 == 1,
        _ => false,
    };
    match decoded.mnemonic() {
        Mnemonic::Vmovss | Mnemonic::Vmovsd => has(LENGTH),
        Mnemonic::Vpinsrd | Mnemonic::Vpextrd => bits == 32 && has(WIDTH),
        _ => matches!(
            decoded.code(),
            Code::Test_rm8_imm8_F6r1
                | Code::Test_rm16_imm16_F7r1
                | Code::Test_rm32_imm32_F7r1
                | Code::Test_rm64_imm32_F7r1
        ),
    }
}

fn one(decoded: &Decoded, bytes: &[u8], bits: u32, text: String) -> Option<Instruction> {
    if decoded.is_invalid()
        || is_open(decoded, bytes, bits)
        || decoded.has_lock_prefix()
        || decoded.has_rep_prefix()
        || decoded.has_repne_prefix()
    {
        return None;
    }
    // With a prefix, some CPUs jump elsewhere, or pop two bytes from the stack.
    let plain: &[usize] = match (decoded.mnemonic(), decoded.op0_kind()) {
        (Mnemonic::Ret, _) => &[1],
        (Mnemonic::Push, kind) if kind != OpKind::Register && kind != OpKind::Memory => &[2, 5],
        (Mnemonic::Call, OpKind::NearBranch32 | OpKind::NearBranch64) => &[5],
        (Mnemonic::Jmp, OpKind::NearBranch32 | OpKind::NearBranch64) => &[2, 5],
        (_, OpKind::NearBranch32 | OpKind::NearBranch64) => &[2, 6],
        _ => &[],
    };
    if !plain.is_empty() && !plain.contains(&decoded.len()) {
        return None;
    }
    // Other prefixes may make up for a shorter displacement or constant.
    let goes = matches!(decoded.mnemonic(), Mnemonic::Jmp | Mnemonic::Call);
    if (goes || !plain.is_empty()) && has_size_prefix(bytes, bits) {
        return None;
    }
    let operands: Option<Vec<Operand>> =
        (0..decoded.op_count()).map(|i| operand(decoded, bits, i)).collect();
    let mask = decoded.op_mask();
    Some(Instruction {
        address: decoded.ip(),
        next: decoded.next_ip(),
        // Operands of padding have no effect.
        operands: if decoded.mnemonic() == Mnemonic::Nop { Vec::new() } else { operands? },
        mnemonic: decoded.mnemonic(),
        is_vex: decoded.encoding() != EncodingKind::Legacy,
        mask: (mask != Register::None).then(|| mask.number()),
        zeroes: decoded.zeroing_masking(),
        broadcast: decoded.is_broadcast(),
        writes_flags: decoded.rflags_modified() != 0,
        features: match decoded.mnemonic() {
            // Older CPUs execute `bsf`, which differs only for zero.
            Mnemonic::Tzcnt => &[CpuidFeature::INTEL386],
            _ => decoded.cpuid_features(),
        },
        text,
    })
}

fn operand(decoded: &Decoded, bits: u32, i: u32) -> Option<Operand> {
    Some(match decoded.op_kind(i) {
        OpKind::Register => {
            let register = decoded.op_register(i);
            if register.is_gpr() {
                let number = register.full_register().number();
                match register {
                    Register::AH | Register::CH | Register::DH | Register::BH => {
                        Operand::High(number)
                    }
                    _ => Operand::General(number, register.size()),
                }
            } else if register.is_vector_register() {
                Operand::Vector(register.number(), register.size())
            } else if register.is_k() {
                Operand::Mask(register.number())
            } else {
                return None;
            }
        }
        OpKind::NearBranch64 => Operand::Target(decoded.near_branch64()),
        OpKind::NearBranch32 if bits == 32 => Operand::Target(decoded.near_branch32().into()),
        OpKind::Memory => Operand::Memory(place(decoded, bits)?),
        _ => Operand::Immediate(decoded.try_immediate(i).ok()?),
    })
}

fn place(decoded: &Decoded, bits: u32) -> Option<Place> {
    if decoded.segment_prefix() != Register::None {
        return None;
    }
    let general = |register: Register| match register {
        Register::None => Some(None),
        _ if register.is_gpr64() && bits == 64 || register.is_gpr32() && bits == 32 => {
            Some(Some(register.number()))
        }
        _ => None,
    };
    let image = decoded.memory_base() == Register::RIP;
    let base = if image { None } else { general(decoded.memory_base())? };
    let scale = u64::from(decoded.memory_index_scale());
    let vector = decoded.memory_index();
    let (index, gathers) = if vector.is_vector_register() {
        (None, Some((vector.number(), scale)))
    } else {
        (general(vector)?, None)
    };
    let offset = decoded.memory_displacement64() as i64;
    Some(Place {
        base,
        index: index.map(|index| (index, scale)),
        gathers,
        offset: if bits == 32 { i64::from(offset as i32) } else { offset },
        image,
        bytes: access_len(decoded),
    })
}

/// The number of accessed bytes of memory, zero for `lea`.
fn access_len(decoded: &Decoded) -> usize {
    let size = decoded.memory_size();
    if size == MemorySize::Unknown { 0 } else { size.size() }
}

/// With an operand-size prefix, some CPUs jump elsewhere.
#[test]
fn prefixes_of_jumps_by_registers_are_minded() {
    let is_supported =
        |prefixes: &[u8]| decode(&[prefixes, &[0xff, 0xe0]].concat(), 0, 64)[0].is_ok();
    assert!(is_supported(&[]));
    for prefixes in [&[0x66][..], &[0xf2], &[0x48, 0x66]] {
        assert!(!is_supported(prefixes), "{prefixes:x?}");
    }
}

/// With an operand-size prefix, a constant is pushed with two bytes, and AMD's CPUs jump to a 16-bit address. Other
/// prefixes give the instruction the length of one without any.
#[test]
fn several_prefixes_do_not_hide_one_that_matters() {
    const SIZE: u8 = 0x66;
    const SEGMENT: u8 = 0x2e;
    for (code, len) in [(&[0x68, 0, 0][..], 5), (&[0x6a, 0], 5), (&[0x74, 0], 6), (&[0xeb, 0], 5)] {
        for bits in [64, 32] {
            let others = len - code.len();
            for place in 0..others {
                let prefix = |i| if i == place { SIZE } else { SEGMENT };
                let bytes: Vec<u8> = (0..others).map(prefix).chain(code.iter().copied()).collect();
                assert!(decode(&bytes, 0, bits)[0].is_err(), "{bytes:x?}, {bits} bits");
            }
        }
    }
}

/// Assemblers do not generate such encodings.
#[test]
fn encodings_that_the_manual_leaves_open_are_rejected() {
    for (bits, usual, open) in [
        // vmovss and vmovsd, from and to memory and behind a prefix.
        (64, &[0xc5, 0xfa, 0x10, 0x07][..], &[0xc5, 0xfe, 0x10, 0x07][..]),
        (64, &[0xc5, 0xfb, 0x11, 0x07], &[0xc5, 0xff, 0x11, 0x07]),
        (64, &[0xc4, 0xc1, 0x7a, 0x10, 0x07], &[0xc4, 0xc1, 0x7e, 0x10, 0x07]),
        (64, &[0x2e, 0xc5, 0xfa, 0x10, 0xc4], &[0x2e, 0xc5, 0xfe, 0x10, 0xc4]),
        // vpinsrd and vpextrd
        (32, &[0xc4, 0xe3, 0x71, 0x22, 0xc0, 1], &[0xc4, 0xe3, 0xf1, 0x22, 0xc0, 1]),
        (32, &[0xc4, 0xe3, 0x79, 0x16, 0xc0, 1], &[0xc4, 0xe3, 0xf9, 0x16, 0xc0, 1]),
        // test
        (64, &[0xf6, 0xc1, 5], &[0xf6, 0xc9, 5]),
        (64, &[0x66, 0xf7, 0xc1, 5, 0], &[0x66, 0xf7, 0xc9, 5, 0]),
        (64, &[0xf7, 0xc1, 5, 0, 0, 0], &[0xf7, 0xc9, 5, 0, 0, 0]),
        (64, &[0x48, 0xf7, 0xc1, 5, 0, 0, 0], &[0x48, 0xf7, 0xc9, 5, 0, 0, 0]),
    ] {
        for (bytes, is_known) in [(usual, true), (open, false)] {
            let found = decode(bytes, 0, bits);
            assert_eq!((found.len(), found[0].is_ok()), (1, is_known), "{bytes:x?}");
        }
    }
}
