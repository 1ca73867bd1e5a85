//! The assembly text of a kernel.

use std::fmt;

use super::instruction::{AsmInstruction, AsmOperand, CONSTANTS, Name};

/// A line of a kernel's assembly text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// The target of branches.
    Label(String),
    /// An instruction; a branch also has its label.
    Instruction(AsmInstruction, Option<String>),
    /// A constant in the data, and its number of bits.
    Data(u64, u32),
    /// A directive of the assembler.
    Directive(String),
    /// A comment.
    Comment(String),
}

/// The assembly text of one kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Its lines.
    pub lines: Vec<Line>,
    /// The label of its table of constants.
    pub constants: String,
}

impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.lines {
            match line {
                Line::Label(label) => writeln!(f, "{label}:")?,
                Line::Instruction(instruction, None) => {
                    let text = instruction.to_string();
                    writeln!(f, "    {}", text.replace(CONSTANTS, &self.constants))?;
                }
                Line::Instruction(branch, Some(label)) => writeln!(f, "    {branch} {label}")?,
                Line::Data(k, 64) => writeln!(f, "    .quad {k:#018x}")?,
                Line::Data(k, _) => writeln!(f, "    .long {k:#010x}")?,
                Line::Directive(text) => writeln!(f, "    {text}")?,
                Line::Comment(text) => writeln!(f, "# {text}")?,
            }
        }
        Ok(())
    }
}

impl Listing {
    /// The instructions, in order.
    pub fn instructions(&self) -> impl Iterator<Item = &AsmInstruction> {
        self.lines.iter().filter_map(|line| match line {
            Line::Instruction(instruction, _) => Some(instruction),
            _ => None,
        })
    }
}

/// Writes assembly line by line.
#[derive(Debug, Default)]
pub(super) struct Writer {
    pub(super) lines: Vec<Line>,
}

impl Writer {
    pub(super) fn put(&mut self, name: Name, bits: u32, operands: &[AsmOperand]) {
        self.lines.push(Line::Instruction(AsmInstruction::new(name, bits, operands), None));
    }
    pub(super) fn instructions(&mut self, all: Vec<AsmInstruction>) {
        self.lines.extend(all.into_iter().map(|instruction| Line::Instruction(instruction, None)));
    }
    pub(super) fn branch(&mut self, name: Name, label: &str) {
        let branch = AsmInstruction::new(name, 64, &[]);
        self.lines.push(Line::Instruction(branch, Some(label.to_owned())));
    }
    /// Adds directives, or instructions outside of the rounds: one per line.
    pub(super) fn directive(&mut self, text: &str) {
        self.lines.extend(text.lines().map(|line| Line::Directive(line.to_owned())));
    }
}
