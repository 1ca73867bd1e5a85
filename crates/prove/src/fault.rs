//! Faults: the reasons for rejecting a kernel.

use std::fmt;

use super::instruction::Instruction;

/// The reason for a failed proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The address and disassembly of the instruction; `None` if the fault concerns the whole
    /// function.
    pub at: Option<(u64, String)>,
    /// The message.
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

/// The fault of an object that cannot be parsed.
pub(super) fn unreadable(error: object::Error) -> Fault {
    Fault::whole(format!("malformed file: {error}"))
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
