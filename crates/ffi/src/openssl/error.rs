//! Puts the reason why a call failed on OpenSSL's error queue.

use core::ffi::{c_char, c_int, c_void};

use lanesum_door::{Failure, causes};

causes! {
    /// Why a call failed: the number that OpenSSL's own provider has for the cause, of those that
    /// its providers share (`PROV_R_…`, openssl/proverr.h), so that programs see the same text.
    ///
    /// Texts of our own are no part of OpenSSL's tables: it takes them out of there when a program
    /// ends, which of two libcryptos in one process the wrong one may do. They go along as data.
    pub enum Reason: u32 {
        BadParameter = 104, "a parameter has the wrong type or an unknown value";
        WrongLength = 105, "a key is too short or of another length than the digest's";
        NoRoom = 106, "the buffer is too small for the output";
        SaltLength = 112, "SP 800-132 wants 16 bytes of salt at least";
        ForeignDigest = 122, "no digest of this provider's has that name: ask another provider";
        Iterations = 123, "PBKDF2 takes 1 to 2^32 - 1 iterations, and by SP 800-132 at least 1000";
        BadMode = 125, "HKDF has no such mode: it has EXTRACT_AND_EXPAND, EXTRACT_ONLY and EXPAND_ONLY";
        NoKey = 128, "no key is set: give the parameter key";
        NoDigest = 129, "no digest is set: give the parameter digest";
        NoPassword = 130, "no password is set: give the parameter pass";
        NoSalt = 131, "no salt is set: give the parameter salt";
        Record = 136, "TLS records without encrypt-then-MAC are for the default provider's HMAC";
        OutputLength = 139, "what is extracted is as long as a digest: ask for so many bytes";
        Length = 142, "a length is more than memory has";
        KeyLength = 171, "SP 800-132 wants a key of 14 bytes at least";
        Extendable = 183, "the digest has no length of its own";
        Failed = 192, "the provider has failed its self-test, broke a promise of its own, or is left \
no kernel by LANESUM_KERNEL";
        TooLong = 202, "more is given or asked for than the function takes or gives";
        Finished = 212, "the context is not initialised, or is finished: initialise it again";
    }
}

/// What is wrong with bytes that the core passes for an application.
impl From<Failure> for Reason {
    fn from(_: Failure) -> Self {
        Self::Length
    }
}

/// The library that these numbers are of (`ERR_LIB_PROV`), where a packed number has it.
const SHARED: u32 = 57 << 23;

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
