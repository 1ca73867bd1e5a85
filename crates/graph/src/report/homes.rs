//! The cost of two methods of keeping words in memory when registers run out.

use crate::analyse::BoundError;
use crate::emit::instruction::{AsmInstruction, AsmOperand, Name};
use crate::emit::{Homes, Kernel, Target, WordSource};
use crate::model::Orders;
use crate::report::Section;

pub(crate) fn section() -> Result<Section, BoundError> {
    let mut section = Section::new("Register pressure: ring or spilling");
    section.text(
        "A block has sixteen words, the chaining value five or eight, and a core of 2003 has seven or fifteen \
         registers, so most words are in memory. Two methods decide which. *Ring* is the method of hand-written \
         code: each word of the schedule overwrites the word of the message block sixteen places earlier, and \
         is read from there. *Spilled* uses only the graph: when a register is needed, the word with the \
         furthest next use is stored in a separate slot.",
    );
    section.text(
        "The columns count, per block, all instructions, memory reads, memory writes, and copies \
         from register to register. Both methods use the same order and are proven. Shipped kernels \
         use the ring.",
    );
    let orders = Orders::built_in()?;
    let mut rows = Vec::new();
    for target in Target::all().filter(|target| target.words == WordSource::Block) {
        let mut kernel = Kernel::new(target)?;
        let times = orders.of(&target.name()).map(|order| kernel.operations.times(order));
        let times = times.transpose()?.unwrap_or_else(|| kernel.start());
        for (homes, name) in [(Homes::Ring, "ring"), (Homes::Spilled, "spilled")] {
            kernel.homes = homes;
            let body = kernel.body(&times).instructions;
            let count = |is: &dyn Fn(&AsmInstruction) -> bool| {
                body.iter().filter(|instruction| is(instruction)).count().to_string()
            };
            rows.push(vec![
                target.name(),
                name.to_owned(),
                body.len().to_string(),
                count(&reads),
                count(&writes),
                count(&is_copy),
            ]);
        }
    }
    section.table(
        "Instructions per block, ring or spilled.",
        &["kernel", "words", "instructions", "read memory", "write memory", "copies"],
        rows,
    );
    Ok(section)
}

fn is_memory(operand: &AsmOperand) -> bool {
    matches!(operand, AsmOperand::Memory(_))
}

/// Whether the instruction reads a memory operand. Only `mov` writes its first operand without
/// reading it.
fn reads(instruction: &AsmInstruction) -> bool {
    let read = usize::from(instruction.name == Name::Mov);
    instruction.name != Name::Lea && instruction.operands.iter().skip(read).any(is_memory)
}

fn writes(instruction: &AsmInstruction) -> bool {
    let keeps = matches!(instruction.name, Name::Test | Name::Push);
    !keeps && instruction.operands.first().is_some_and(is_memory)
}

fn is_copy(instruction: &AsmInstruction) -> bool {
    let registers = |operand: &AsmOperand| matches!(operand, AsmOperand::Register(_));
    instruction.name == Name::Mov && instruction.operands.iter().all(registers)
}
