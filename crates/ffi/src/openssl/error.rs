//! Reports failures on OpenSSL's error queue.

use core::ffi::{c_char, c_int, c_void};

use lanesum_door::{Failure, causes};

causes! {
    /// Why a call failed. The numbers are the reason codes that OpenSSL's providers share
    /// (`PROV_R_…`, openssl/proverr.h), as its default provider uses them, so that programs report
    /// the same text.
    ///
    /// Our texts are not registered in OpenSSL's tables: OpenSSL removes them when a program ends,
    /// and with two copies of libcrypto in one process, the wrong one might do so. They are passed
    /// as data.
    pub enum Reason: u32 {
        BadParameter = 104, "a parameter has the wrong type or an unknown value";
        WrongLength = 105, "a key is too short or of another length than the digest's";
        NoRoom = 106, "the buffer is too small for the output";
        SaltLength = 112, "SP 800-132 requires a salt of at least 16 bytes";
        ForeignDigest = 122, "this provider has no digest of that name: use another provider";
        Iterations = 123, "PBKDF2 requires 1 to 2^32 - 1 iterations, and SP 800-132 at least 1000";
        BadMode = 125, "HKDF has no such mode: use EXTRACT_AND_EXPAND, EXTRACT_ONLY or EXPAND_ONLY";
        NoKey = 128, "no key is set: set the parameter key";
        NoDigest = 129, "no digest is set: set the parameter digest";
        NoPassword = 130, "no password is set: set the parameter pass";
        NoSalt = 131, "no salt is set: set the parameter salt";
        Record = 136, "TLS records without encrypt-then-MAC are for the default provider's HMAC";
        OutputLength = 139, "an extracted key is as long as a digest: request that length";
        Length = 142, "a length exceeds the address space";
        KeyLength = 171, "SP 800-132 requires a key of at least 14 bytes";
        Extendable = 183, "the digest has no fixed length";
        Failed = 192, "the provider has failed its self-test or has an internal error, LANESUM_KERNEL \
leaves it no kernel, or LANESUM_COSTS is invalid";
        TooLong = 202, "a length exceeds the limit of the function";
        Finished = 212, "the context is not initialized, or is finished: initialize it again";
    }
}

/// Invalid application data that the core passes through.
impl From<Failure> for Reason {
    fn from(_: Failure) -> Self {
        Self::Length
    }
}

/// The library of these numbers (`ERR_LIB_PROV`), shifted into place in a packed error code.
const SHARED: u32 = 57 << 23;

/// The core's functions for its error queue; `None` if the core provides none.
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
    /// Adds `reason` to the error queue of the calling thread.
    pub fn raise(&self, core: *const c_void, reason: Reason) {
        let (Some(new), Some(set)) = (self.new, self.set) else { return };
        // An empty `va_list`. On every Unix ABI it is passed as a pointer to at most this many
        // bytes, and a format without conversions reads no arguments.
        let mut arguments = [0_u64; 8];
        // SAFETY: the functions are the core's, which passed `core` with them.
        unsafe {
            new(core);
            // All providers share the library number, so the file name identifies this provider.
            if let Some(debug) = self.debug {
                debug(core, c"lanesum".as_ptr(), 0, c"lanesum".as_ptr());
            }
            let text = reason.text().as_ptr();
            set(core, SHARED | reason as u32, text, arguments.as_mut_ptr().cast());
        }
    }
}
