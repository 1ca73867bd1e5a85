//! Statuses: zero for success, or the reason why nothing was done.

use core::ffi::{c_char, c_int};

use lanesum_door::Failure;

/// All well.
pub const LANESUM_OK: c_int = 0;
/// A pointer is null and what it points to is not empty.
pub const LANESUM_E_NULL: c_int = -1;
/// A pointer is not aligned as its type has to be.
pub const LANESUM_E_ALIGNMENT: c_int = -2;
/// The room is too small for what goes there, or a length is more than memory has.
pub const LANESUM_E_LENGTH: c_int = -3;
/// No algorithm has that name or number.
pub const LANESUM_E_ALGORITHM: c_int = -4;
/// The context was never initialised, or is finished.
pub const LANESUM_E_STATE: c_int = -5;
/// Another thread is using the context.
pub const LANESUM_E_BUSY: c_int = -6;
/// No kernel of that name can run here, or none that may run has the algorithm.
pub const LANESUM_E_KERNEL: c_int = -7;
/// Offsets go backwards or past the end, messages overlap, the state is no exported one, or there
/// is no such tree or proof.
pub const LANESUM_E_MALFORMED: c_int = -8;
/// What is read and what is written overlap.
pub const LANESUM_E_OVERLAP: c_int = -9;
/// No iterations, a key longer than the function gives, or a secret shorter than a digest.
pub const LANESUM_E_PARAMETER: c_int = -10;
/// The tag is not that of the message, or the proof leads to another root.
pub const LANESUM_E_MISMATCH: c_int = -11;
/// liblanesum broke a promise of its own: please report it.
pub const LANESUM_E_INTERNAL: c_int = -12;

/// What a status means, as one lower-case clause for a person. The text is never null,
/// and stays as long as the library is loaded.
#[unsafe(no_mangle)]
pub extern "C" fn lanesum_status_text(status: c_int) -> *const c_char {
    match Failure::of_number(status) {
        None if status == LANESUM_OK => c"all well",
        None => c"not a status of liblanesum",
        Some(failure) => failure.text(),
    }
    .as_ptr()
}

// The header has numbers, which its generator reads here; they are those of `Failure`.
const _: () = {
    assert!(LANESUM_E_NULL == Failure::Null.status());
    assert!(LANESUM_E_ALIGNMENT == Failure::Alignment.status());
    assert!(LANESUM_E_LENGTH == Failure::Length.status());
    assert!(LANESUM_E_ALGORITHM == Failure::Algorithm.status());
    assert!(LANESUM_E_STATE == Failure::State.status());
    assert!(LANESUM_E_BUSY == Failure::Busy.status());
    assert!(LANESUM_E_KERNEL == Failure::Kernel.status());
    assert!(LANESUM_E_MALFORMED == Failure::Malformed.status());
    assert!(LANESUM_E_OVERLAP == Failure::Overlap.status());
    assert!(LANESUM_E_PARAMETER == Failure::Parameter.status());
    assert!(LANESUM_E_MISMATCH == Failure::Mismatch.status());
    assert!(LANESUM_E_INTERNAL == Failure::Internal.status());
};

/// The version of the library, such as "0.1.0". The text is never null, and stays as long
/// as the library is loaded.
#[unsafe(no_mangle)]
pub extern "C" fn lanesum_version() -> *const c_char {
    const VERSION: &[u8] = concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes();
    VERSION.as_ptr().cast()
}
