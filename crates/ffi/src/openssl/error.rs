//! Why a call failed, on OpenSSL's error queue.

use core::ffi::{c_char, c_uint, c_void};
use core::ptr;

use super::abi::Item;

/// Why a call failed: a number of the provider's own, and its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Reason {
    NoDigest = 1,
    ForeignDigest,
    NoKey,
    NoSecret,
    BadParameter,
    WrongLength,
    TooLong,
    NoIterations,
    Lower,
    Finished,
    Length,
    NoRoom,
    Record,
    Failed,
}

use Reason::*;

/// Every reason with its text, as the core wants them.
pub static REASONS: [Item; 15] = [
    item(NoDigest, c"no digest is set"),
    item(ForeignDigest, c"no digest of this provider's has that name: ask another provider"),
    item(NoKey, c"no key is set"),
    item(NoSecret, c"no password or no salt is set"),
    item(BadParameter, c"a parameter has the wrong type or an unknown value"),
    item(WrongLength, c"what is extracted is as long as a digest: ask for so many bytes"),
    item(TooLong, c"more output is asked for than the function gives"),
    item(NoIterations, c"the number of iterations is 0 or too large"),
    item(Lower, c"SP 800-132 wants 1000 iterations, 16 bytes of salt and a key of 14 at least"),
    item(Finished, c"the context is not initialised, or is finished"),
    item(Length, c"a length is more than memory has"),
    item(NoRoom, c"the buffer is too small for the output"),
    item(Record, c"TLS records without encrypt-then-MAC are for the default provider's HMAC"),
    item(Failed, c"the provider has failed its self-test, or broke a promise of its own"),
    Item { id: 0, text: ptr::null() },
];

const fn item(reason: Reason, text: &'static core::ffi::CStr) -> Item {
    Item { id: reason as c_uint, text: text.as_ptr() }
}

/// The core's functions for its error queue; none of them if it has none.
#[derive(Clone, Copy, Default)]
pub struct Errors {
    pub new: Option<unsafe extern "C" fn(core: *const c_void)>,
    pub set: Option<
        unsafe extern "C" fn(
            core: *const c_void,
            reason: u32,
            format: *const c_char,
            arguments: *mut c_void,
        ),
    >,
}

impl Errors {
    /// Puts `reason` on the queue of the calling thread.
    pub fn raise(&self, core: *const c_void, reason: Reason) {
        let (Some(new), Some(set)) = (self.new, self.set) else { return };
        // A `va_list` of no arguments. On every Unix ABI it is a pointer when passed,
        // and to nothing longer than this; a format without conversions reads none.
        let mut arguments = [0_u64; 8];
        // SAFETY: the functions are the core's, who gave the handle with them.
        unsafe {
            new(core);
            set(core, reason as u32, c"".as_ptr(), arguments.as_mut_ptr().cast());
        }
    }
}
