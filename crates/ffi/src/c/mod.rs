//! The library of `heddle.h`.

use core::ffi::{c_char, c_int};

use crate::guard::Failure;

/// What a status means: one lower-case clause, for a person. Never null, and
/// there as long as the library is.
#[unsafe(no_mangle)]
pub extern "C" fn heddle_status_text(status: c_int) -> *const c_char {
    let failure = Failure::ALL.into_iter().find(|failure| failure.status() == status);
    match failure {
        _ if status == crate::guard::OK => c"all well",
        None => c"not a status of libheddle",
        Some(Failure::Null) => c"a pointer is null that may not be",
        Some(Failure::Alignment) => c"a pointer is not aligned as its type has to be",
        Some(Failure::Length) => c"a length is more than memory has, or does not fit the others",
        Some(Failure::Algorithm) => c"there is no such algorithm",
        Some(Failure::State) => c"the context was never initialised, or is finished",
        Some(Failure::Busy) => c"another thread is using the context",
        Some(Failure::Row) => c"no row of that name can run here, or none has the algorithm",
        Some(Failure::Malformed) => c"the bytes are not what they are to be",
        Some(Failure::Parameter) => c"the parameters ask for what the function does not give",
        Some(Failure::Mismatch) => c"the tag is not that of the message",
        Some(Failure::Internal) => c"libheddle broke a promise of its own: please report it",
    }
    .as_ptr()
}
