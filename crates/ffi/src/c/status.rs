//! Statuses: zero, or why nothing was done.

use core::ffi::{c_char, c_int};

use crate::guard::Failure;

/// All well.
pub const LANESUM_OK: c_int = 0;
/// A pointer is null that may not be.
pub const LANESUM_E_NULL: c_int = -1;
/// A pointer is not aligned as its type has to be.
pub const LANESUM_E_ALIGNMENT: c_int = -2;
/// A length is more than memory has, or too small for what is to go there.
pub const LANESUM_E_LENGTH: c_int = -3;
/// There is no such algorithm.
pub const LANESUM_E_ALGORITHM: c_int = -4;
/// The context was never initialised, or is finished.
pub const LANESUM_E_STATE: c_int = -5;
/// Another thread is using the context.
pub const LANESUM_E_BUSY: c_int = -6;
/// No row of that name can run here, or none that may run has the algorithm.
pub const LANESUM_E_ROW: c_int = -7;
/// Offsets go backwards or past the end of their buffer, rows overlap, or bytes
/// are not an exported state.
pub const LANESUM_E_MALFORMED: c_int = -8;
/// What is to be read and what is to be written overlap.
pub const LANESUM_E_OVERLAP: c_int = -9;
/// The function does not give what its parameters ask for: no iterations, or
/// more output than it has.
pub const LANESUM_E_PARAMETER: c_int = -10;
/// The tag is not that of the message.
pub const LANESUM_E_MISMATCH: c_int = -11;
/// liblanesum broke a promise of its own: please report it.
pub const LANESUM_E_INTERNAL: c_int = -12;

/// What a status means: one lower-case clause for a person. Never null, and there
/// as long as the library is.
#[unsafe(no_mangle)]
pub extern "C" fn lanesum_status_text(status: c_int) -> *const c_char {
    let failure = Failure::ALL.into_iter().find(|failure| failure.status() == status);
    match failure {
        None if status == LANESUM_OK => c"all well",
        None => c"not a status of liblanesum",
        Some(Failure::Null) => c"a pointer is null that may not be",
        Some(Failure::Alignment) => c"a pointer is not aligned as its type has to be",
        Some(Failure::Length) => c"a length is more than memory has, or too small",
        Some(Failure::Algorithm) => c"there is no such algorithm",
        Some(Failure::State) => c"the context was never initialised, or is finished",
        Some(Failure::Busy) => c"another thread is using the context",
        Some(Failure::Row) => c"no such row can run here, or none has the algorithm",
        Some(Failure::Malformed) => c"offsets, rows or an exported state are malformed",
        Some(Failure::Overlap) => c"what is read and what is written overlap",
        Some(Failure::Parameter) => c"the function does not give what its parameters ask for",
        Some(Failure::Mismatch) => c"the tag is not that of the message",
        Some(Failure::Internal) => c"liblanesum broke a promise of its own: please report it",
    }
    .as_ptr()
}

/// The version of the library, such as "0.1.0". Never null, and there as long as the
/// library is.
#[unsafe(no_mangle)]
pub extern "C" fn lanesum_version() -> *const c_char {
    const VERSION: &[u8] = concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes();
    VERSION.as_ptr().cast()
}
