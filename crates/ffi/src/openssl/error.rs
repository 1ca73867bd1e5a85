//! Why a call failed, on OpenSSL's error queue.

use core::ffi::{CStr, c_char, c_int, c_void};

/// Why a call failed: the number that OpenSSL's own provider has for the cause, of those that its
/// providers share (`PROV_R_…`, openssl/proverr.h), so that programs see the same text.
///
/// Texts of our own are no part of OpenSSL's tables: it takes them out of there when a program
/// ends, which of two libcryptos in one process the wrong one may do. They go along as data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Reason {
    BadParameter = 104,
    WrongLength = 105,
    NoRoom = 106,
    SaltLength = 112,
    ForeignDigest = 122,
    Iterations = 123,
    BadMode = 125,
    NoKey = 128,
    NoDigest = 129,
    NoPassword = 130,
    NoSalt = 131,
    Record = 136,
    OutputLength = 139,
    Length = 142,
    KeyLength = 171,
    Extendable = 183,
    Failed = 192,
    TooLong = 202,
    Finished = 212,
}

/// The library that these numbers are of (`ERR_LIB_PROV`), where a packed number has it.
const SHARED: u32 = 57 << 23;

impl Reason {
    const fn text(self) -> &'static CStr {
        match self {
            Self::BadParameter => c"a parameter has the wrong type or an unknown value",
            Self::WrongLength => c"a key is too short or of another length than the digest's",
            Self::NoRoom => c"the buffer is too small for the output",
            Self::SaltLength => c"SP 800-132 wants 16 bytes of salt at least",
            Self::ForeignDigest => {
                c"no digest of this provider's has that name: ask another provider"
            }
            Self::Iterations => c"the number of iterations is too small or too large",
            Self::BadMode => c"there is no such mode",
            Self::NoKey => c"no key is set",
            Self::NoDigest => c"no digest is set",
            Self::NoPassword => c"no password is set",
            Self::NoSalt => c"no salt is set",
            Self::Record => {
                c"TLS records without encrypt-then-MAC are for the default provider's HMAC"
            }
            Self::OutputLength => {
                c"what is extracted is as long as a digest: ask for so many bytes"
            }
            Self::KeyLength => c"SP 800-132 wants a key of 14 bytes at least",
            Self::Length => c"a length is more than memory has",
            Self::Extendable => c"the digest has no length of its own",
            Self::Failed => c"the provider has failed its self-test, or broke a promise of its own",
            Self::TooLong => c"more is given or asked for than the function takes or gives",
            Self::Finished => c"the context is not initialised, or is finished",
        }
    }
}

/// The core's functions for its error queue; none of them if it has none.
#[derive(Clone, Copy, Default)]
pub struct Errors {
    pub new: Option<unsafe extern "C" fn(core: *const c_void)>,
    pub debug: Option<
        unsafe extern "C" fn(
            core: *const c_void,
            file: *const c_char,
            line: c_int,
            function: *const c_char,
        ),
    >,
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
            // The number's library is every provider's: whose it is, is said in place of the file.
            if let Some(debug) = self.debug {
                debug(core, c"lanesum".as_ptr(), 0, c"lanesum".as_ptr());
            }
            let text = reason.text().as_ptr();
            set(core, SHARED | reason as u32, text, arguments.as_mut_ptr().cast());
        }
    }
}
