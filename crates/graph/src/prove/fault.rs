//! Faults: the reasons why a kernel is refused.

use std::fmt;

use super::instruction::Instruction;

/// Why a kernel is not shown to be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The instruction, by its address, as it is shown; none if it is the whole.
    pub at: Option<(u64, String)>,
    /// What is wrong there.
    pub what: String,
}

impl Fault {
    pub(super) fn whole(what: String) -> Self {
        Self { at: None, what }
    }

    pub(super) fn at(instruction: &Instruction, what: String) -> Self {
        Self { at: Some((instruction.address, instruction.text.clone())), what }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.at {
            Some((address, text)) if text.is_empty() => write!(f, "{address:#x}: {}", self.what),
            Some((address, text)) => write!(f, "{address:#x}: {text}: {}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

impl std::error::Error for Fault {}
