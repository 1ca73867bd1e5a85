//! The instructions that a kernel executes, with their registers and memory accesses, for models of a core.

use iced_x86::{
    Decoder, DecoderOptions, Formatter, GasFormatter, InstructionInfoFactory, Mnemonic, OpAccess,
    OpKind, Register,
};

use super::address::Region;
use super::call::{Blocks, Stride};
use super::domain::Numbers;
use super::fault::Fault;
use super::instruction::{Instruction, Operand};
use super::{Binary, random};

/// A register, or the flags, as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Resource {
    /// A general register.
    General(usize),
    /// A vector register.
    Vector(usize),
    /// A mask register.
    Mask(usize),
    /// The flags.
    Flags,
}

/// An access to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// The object; accesses to different objects do not overlap.
    region: Region,
    /// The distance between a lane's words in bytes times its coefficient, which is part of the address.
    stride: i32,
    /// The offset in bytes.
    pub offset: i64,
    /// The length in bytes.
    pub bytes: usize,
}

impl Access {
    /// Whether this access reads a byte of `store`.
    pub fn overlaps(&self, store: &Self) -> bool {
        let ends = |one: &Self| one.offset + one.bytes as i64;
        (self.region, self.stride) == (store.region, store.stride)
            && self.offset < ends(store)
            && store.offset < ends(self)
    }
}

/// An executed instruction.
#[derive(Clone, Debug)]
pub struct Executed {
    /// Its address.
    pub address: u64,
    /// The mnemonic.
    pub mnemonic: Mnemonic,
    /// The bytes of its widest vector operand; 0 without vectors.
    pub vector_bytes: usize,
    /// The number of registers in its memory operand's or `lea`'s address, and whether there is a scale or an offset:
    /// the operands that are added.
    pub addends: usize,
    /// The registers that its result depends on, except for its address, by the number of the operand. Implicit operands
    /// follow the others.
    pub reads: Vec<(usize, Resource)>,
    /// The number of the memory operand, if it has one.
    pub memory_operand: usize,
    /// The registers of its address.
    pub addressed_by: Vec<Resource>,
    /// The registers that it writes.
    pub writes: Vec<Resource>,
    /// The bytes that it loads.
    pub loads: Option<Access>,
    /// The bytes that it stores.
    pub stores: Option<Access>,
    /// Whether it is a conditional branch that cores may dispatch together with the instruction before it.
    pub is_fused: bool,
    /// The instruction in AT&T syntax.
    pub text: String,
}

impl Executed {
    /// Whether it sets its register to zero, whatever it contained, which needs no unit.
    pub fn is_zero(&self) -> bool {
        use Mnemonic::{Pxor, Sub, Vpxor, Vpxord, Vpxorq, Vxorpd, Vxorps, Xor, Xorpd, Xorps};
        let zeroes = [Pxor, Sub, Vpxor, Vpxord, Vpxorq, Vxorpd, Vxorps, Xor, Xorpd, Xorps];
        zeroes.contains(&self.mnemonic) && self.reads.is_empty() && self.loads.is_none()
    }

    /// Whether it only copies a register or memory.
    pub fn is_copy(&self) -> bool {
        use Mnemonic::{
            Mov, Movapd, Movaps, Movd, Movdqa, Movdqu, Movq, Movups, Vmovapd, Vmovaps, Vmovd,
            Vmovdqa, Vmovdqa32, Vmovdqa64, Vmovdqu, Vmovdqu8, Vmovdqu32, Vmovdqu64, Vmovq, Vmovups,
        };
        let copies = [
            Mov, Movaps, Movapd, Movd, Movdqa, Movdqu, Movq, Movups, Vmovaps, Vmovapd, Vmovd,
            Vmovdqa, Vmovdqa32, Vmovdqa64, Vmovdqu, Vmovdqu8, Vmovdqu32, Vmovdqu64, Vmovq, Vmovups,
        ];
        copies.contains(&self.mnemonic)
    }
}

impl Binary<'_> {
    /// Executes the function that compresses `blocks` blocks, on concrete values, and returns every executed
    /// instruction in order.
    ///
    /// # Errors
    ///
    /// At the first instruction that violates the rules for kernels.
    pub fn trace(&self, blocks: usize) -> Result<Vec<Executed>, Fault> {
        let mut domain = Numbers { bits: self.kernel.family.word_bits() };
        let mut random = random(self.kernel.family.word_bits());
        let state: Vec<u64> = self.block.state.iter().map(|_| random()).collect();
        let message: Vec<u64> = (0..blocks * self.contract.block_words).map(|_| random()).collect();
        let call = self.call(Stride::Is(self.kernel.lanes), 0, &message, Blocks::Are(blocks));
        let mut machine = call.entry_state(self.entry, &state);
        let mut factory = InstructionInfoFactory::new();
        let mut all = Vec::new();
        loop {
            let instruction = self.code.at(machine.at)?;
            let fault = |what: String| Fault::at(instruction, what);
            let mut words = call.words(&mut domain);
            let memory = instruction.operands.iter().find_map(|operand| match operand {
                Operand::Memory(place) => Some(*place),
                _ => None,
            });
            let place = match memory {
                Some(place) if place.bytes > 0 && instruction.mnemonic != Mnemonic::Lea => {
                    let address = call.place(&mut words, &machine, &place).map_err(fault)?;
                    Some(Access {
                        region: address.region,
                        stride: address.stride,
                        offset: address.offset,
                        bytes: place.bytes,
                    })
                }
                _ => None,
            };
            let bytes = self.bytes(instruction).ok_or_else(|| fault("it has no code".into()))?;
            let mut one = executed(&mut factory, instruction, bytes, place);
            let before = all.last().is_some_and(|before: &Executed| {
                before.writes.contains(&Resource::Flags) && before.stores.is_none()
            });
            one.is_fused &= before;
            all.push(one);
            let next = call.step(&mut words, &mut machine, instruction).map_err(fault)?;
            let Some(next) = next else { return Ok(all) };
            machine.at = next;
        }
    }
}

/// The registers and accesses of an instruction with its memory operand at `place`.
fn executed(
    factory: &mut InstructionInfoFactory,
    instruction: &Instruction,
    bytes: &[u8],
    place: Option<Access>,
) -> Executed {
    let mut decoder = Decoder::with_ip(64, bytes, instruction.address, DecoderOptions::NONE);
    let decoded = decoder.decode();
    let info = factory.info(&decoded);
    let mut text = String::new();
    GasFormatter::new().format(&decoded, &mut text);
    let (mut reads, mut writes, mut addressed_by) = (Vec::new(), Vec::new(), Vec::new());
    let (base, index) = (decoded.memory_base(), decoded.memory_index());
    let has_memory = (0..decoded.op_count()).any(|i| decoded.op_kind(i) == OpKind::Memory);
    for register in [base, index].into_iter().filter(|_| has_memory) {
        addressed_by.extend(resource(register));
    }
    for used in info.used_registers() {
        let Some(one) = resource(used.register()) else { continue };
        let (is_read, is_written) = (is_read_by(used.access()), is_written_by(used.access()));
        // A register of the address is an operand, too, if another operand names it.
        let operands = (0..decoded.op_count()).filter(|&i| {
            decoded.op_kind(i) == OpKind::Register
                && resource(decoded.op_register(i)) == Some(one)
                && is_read_by(info.op_access(i))
        });
        let before = reads.len();
        if is_read {
            reads.extend(operands.map(|i| (i as usize, one)));
            if reads.len() == before && !addressed_by.contains(&one) {
                reads.push((decoded.op_count() as usize, one));
            }
        }
        if is_written {
            writes.push(one);
        }
    }
    if decoded.rflags_read() != 0 {
        reads.push((decoded.op_count() as usize, Resource::Flags));
    }
    if decoded.rflags_modified() != 0 {
        writes.push(Resource::Flags);
    }
    let accesses = |wanted: fn(OpAccess) -> bool| {
        place.filter(|_| info.used_memory().iter().any(|memory| wanted(memory.access())))
    };
    let (loads, stores) = (accesses(is_read_by), accesses(is_written_by));
    let memory_operand = (0..decoded.op_count()).position(|i| decoded.op_kind(i) == OpKind::Memory);
    let vector_bytes = instruction.operands.iter().map(|operand| match operand {
        Operand::Vector(_, bytes) => *bytes,
        _ => 0,
    });
    let has_offset = decoded.memory_displacement64() != 0 && base != Register::RIP;
    let addends = if has_memory {
        usize::from(base != Register::None)
            + usize::from(index != Register::None)
            + usize::from(has_offset)
            + usize::from(decoded.memory_index_scale() > 1)
    } else {
        0
    };
    Executed {
        address: instruction.address,
        mnemonic: instruction.mnemonic,
        vector_bytes: vector_bytes.max().unwrap_or(0),
        addends,
        reads,
        memory_operand: memory_operand.unwrap_or(0),
        addressed_by,
        writes,
        loads,
        stores,
        is_fused: decoded.is_jcc_short_or_near(),
        text,
    }
}

fn is_read_by(access: OpAccess) -> bool {
    use OpAccess::{CondRead, Read, ReadCondWrite, ReadWrite};
    matches!(access, Read | CondRead | ReadWrite | ReadCondWrite)
}

fn is_written_by(access: OpAccess) -> bool {
    use OpAccess::{CondWrite, ReadCondWrite, ReadWrite, Write};
    matches!(access, Write | CondWrite | ReadWrite | ReadCondWrite)
}

fn resource(register: Register) -> Option<Resource> {
    let full = register.full_register();
    if full.is_gpr() {
        Some(Resource::General(full.number()))
    } else if full.is_vector_register() {
        Some(Resource::Vector(full.number()))
    } else if full.is_k() {
        Some(Resource::Mask(full.number()))
    } else {
        None
    }
}
