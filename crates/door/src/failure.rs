//! Why a call did nothing.

use core::ffi::{CStr, c_int};

/// Why a call did nothing. The numbers are the statuses of `lanesum.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Failure {
    /// A pointer is null that may not be.
    Null = -1,
    /// A pointer is not aligned as its type has to be.
    Alignment = -2,
    /// A length is more than memory has, or too small for what is to go there.
    Length = -3,
    /// There is no such algorithm.
    Algorithm = -4,
    /// The context was never initialised, or is finished.
    State = -5,
    /// Another thread is using the context.
    Busy = -6,
    /// No row of that name can run here, or none that may run has the algorithm.
    Row = -7,
    /// Offsets go backwards or past the end of their buffer, rows overlap, or bytes
    /// are not an exported state.
    Malformed = -8,
    /// What is to be read and what is to be written overlap.
    Overlap = -9,
    /// The function does not give what its parameters ask for: no iterations, or
    /// more output than it has.
    Parameter = -10,
    /// The tag is not that of the message.
    Mismatch = -11,
    /// liblanesum broke a promise of its own: please report it.
    Internal = -12,
}

impl Failure {
    /// Every failure.
    pub const ALL: [Self; 12] = [
        Self::Null,
        Self::Alignment,
        Self::Length,
        Self::Algorithm,
        Self::State,
        Self::Busy,
        Self::Row,
        Self::Malformed,
        Self::Overlap,
        Self::Parameter,
        Self::Mismatch,
        Self::Internal,
    ];

    /// The status that a C caller gets.
    pub const fn status(self) -> c_int {
        self as c_int
    }

    /// What it means: one lower-case clause for a person.
    pub const fn text(self) -> &'static CStr {
        match self {
            Self::Null => c"a pointer is null that may not be",
            Self::Alignment => c"a pointer is not aligned as its type has to be",
            Self::Length => c"a length is more than memory has, or too small",
            Self::Algorithm => c"there is no such algorithm",
            Self::State => c"the context was never initialised, or is finished",
            Self::Busy => c"another thread is using the context",
            Self::Row => c"no such row can run here, or none has the algorithm",
            Self::Malformed => c"offsets, rows or an exported state are malformed",
            Self::Overlap => c"what is read and what is written overlap",
            Self::Parameter => c"the function does not give what its parameters ask for",
            Self::Mismatch => c"the tag is not that of the message",
            Self::Internal => c"liblanesum broke a promise of its own: please report it",
        }
    }
}
