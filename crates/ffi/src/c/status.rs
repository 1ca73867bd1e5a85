//! Statuses: 0 for success, or a negative number for each kind of failure.

use core::ffi::{c_char, c_int};

use lanesum_door::Failure;

/// Success.
pub const LANESUM_OK: c_int = 0;
/// A required pointer is NULL, or a pointer to data is NULL although its length is not 0.
pub const LANESUM_E_NULL: c_int = -1;
/// A pointer is not aligned for its type.
pub const LANESUM_E_ALIGNMENT: c_int = -2;
/// The output buffer is too small.
pub const LANESUM_E_LENGTH: c_int = -3;
/// No algorithm has this name or ID.
pub const LANESUM_E_ALGORITHM: c_int = -4;
/// The context was never initialized, or is finished.
pub const LANESUM_E_STATE: c_int = -5;
/// Another thread is using the context.
pub const LANESUM_E_BUSY: c_int = -6;
/// The kernel does not exist or cannot run here, or no allowed kernel supports the algorithm. With
/// a NULL policy, LANESUM_KERNEL determines the allowed kernels, and LANESUM_COSTS may be invalid.
pub const LANESUM_E_KERNEL: c_int = -7;
/// The exported state is invalid.
pub const LANESUM_E_MALFORMED: c_int = -8;
/// The output overlaps the input.
pub const LANESUM_E_OVERLAP: c_int = -9;
/// An argument is out of range: `iterations` is 0, a key is longer than the function can derive, an
/// extracted key is shorter than a digest, the start of a chain is not as long as a digest, or `live` is
/// not from 1 to 32.
pub const LANESUM_E_PARAMETER: c_int = -10;
/// The tag does not match the message, or the proof leads to another root.
pub const LANESUM_E_MISMATCH: c_int = -11;
/// Internal error in liblanesum: please report it.
pub const LANESUM_E_INTERNAL: c_int = -12;
/// A length, or the sum of several, exceeds the address space.
pub const LANESUM_E_TOO_LONG: c_int = -13;
/// An offset is less than its predecessor, or past the end of the buffer.
pub const LANESUM_E_OFFSETS: c_int = -14;
/// The stride is less than the length of a message.
pub const LANESUM_E_STRIDE: c_int = -15;
/// The detection has bits other than the LANESUM_SHA1DC_ constants.
pub const LANESUM_E_DETECTION: c_int = -16;
/// No tree format has this ID.
pub const LANESUM_E_TREE: c_int = -17;
/// The tree does not support the algorithm.
pub const LANESUM_E_TREE_ALGORITHM: c_int = -18;
/// The tree does not support this leaf length.
pub const LANESUM_E_LEAF_LENGTH: c_int = -19;
/// The tree does not support this salt length.
pub const LANESUM_E_SALT_LENGTH: c_int = -20;
/// The tree requires a non-empty message of a whole number of leaves.
pub const LANESUM_E_MESSAGE_LENGTH: c_int = -21;
/// The log has no such entry, or never had this number of entries.
pub const LANESUM_E_ENTRY: c_int = -22;
/// The length of the proof does not match its log.
pub const LANESUM_E_PROOF_LENGTH: c_int = -23;
/// The length of the root is not the length of a digest.
pub const LANESUM_E_ROOT_LENGTH: c_int = -24;
/// The entries of a log do not fit in memory.
pub const LANESUM_E_MEMORY: c_int = -25;

/// Returns the meaning of a status, a lower-case clause in English. The string is static: never
/// NULL, and valid while the library is loaded.
#[unsafe(no_mangle)]
pub extern "C" fn lanesum_status_text(status: c_int) -> *const c_char {
    match Failure::of_number(status) {
        None if status == LANESUM_OK => c"success",
        None => c"not a status of liblanesum",
        Some(failure) => failure.text(),
    }
    .as_ptr()
}

// cbindgen reads only literals, so the constants above repeat the numbers of `Failure`.
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
    assert!(LANESUM_E_TOO_LONG == Failure::TooLong.status());
    assert!(LANESUM_E_OFFSETS == Failure::Offsets.status());
    assert!(LANESUM_E_STRIDE == Failure::Stride.status());
    assert!(LANESUM_E_DETECTION == Failure::Detection.status());
    assert!(LANESUM_E_TREE == Failure::Tree.status());
    assert!(LANESUM_E_TREE_ALGORITHM == Failure::TreeAlgorithm.status());
    assert!(LANESUM_E_LEAF_LENGTH == Failure::LeafLength.status());
    assert!(LANESUM_E_SALT_LENGTH == Failure::SaltLength.status());
    assert!(LANESUM_E_MESSAGE_LENGTH == Failure::MessageLength.status());
    assert!(LANESUM_E_ENTRY == Failure::Entry.status());
    assert!(LANESUM_E_PROOF_LENGTH == Failure::ProofLength.status());
    assert!(LANESUM_E_ROOT_LENGTH == Failure::RootLength.status());
    assert!(LANESUM_E_MEMORY == Failure::Memory.status());
};

/// Returns the version of the loaded library, such as "0.1.0"; LANESUM_VERSION is the version of
/// the header. The string is static: never NULL, and valid while the library is loaded.
#[unsafe(no_mangle)]
pub extern "C" fn lanesum_version() -> *const c_char {
    const VERSION: &[u8] = concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes();
    VERSION.as_ptr().cast()
}
