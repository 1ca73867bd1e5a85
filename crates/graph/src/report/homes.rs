//! Where words live when the registers end: what two ways to say so cost.

use crate::analyse::BoundError;
use crate::emit::instruction::{AsmInstruction, AsmOperand, Name};
use crate::emit::{Homes, Kernel, Target, WordSource};
use crate::model::Orders;
use crate::report::Section;

pub(crate) fn section() -> Result<Section, BoundError> {
    let mut section = Section::new("Where the registers end");
    section.text(
        "A block has sixteen words, the chaining value five or eight, and a core of 2003 seven registers or \
         fifteen, so most words are in memory. Which ones? The *ring* is the way of code by hand: the message \
         block itself, in which each word of the schedule is written over the one that it follows by sixteen, \
         as soon as it is known, and is an operand there whenever it is wanted. *Spilled* is decided by the graph alone: when a register is wanted, the word is written whose next \
         use is the furthest away, and it has a place of its own.",
    );
    section.text(
        "The columns are of one block: instructions, those that read memory, those that write it, and copies \
         from register to register. Both ways are in the same order, and are proven. What ships is the ring.",
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
        "Instructions of a block by where its words live.",
        &["kernel", "words", "instructions", "read memory", "write memory", "copies"],
        rows,
    );
    Ok(section)
}

fn is_memory(operand: &AsmOperand) -> bool {
    matches!(operand, AsmOperand::Memory(_))
}

/// Whether memory is an operand of it that it reads: `mov` alone writes its first without that.
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
