//! Initialization and finalization, §5.4, and the obsolete functions, §5.18.

use core::ffi::c_void;

use cryptoki_sys::*;

use super::library::{self, read};
use super::{Status, at, call, padded};
use crate::guard::reference;

/// The manufacturer.
pub const MAKER: &str = "The Lanesum developers";

/// The supported versions of PKCS #11: 2.40 for compatibility, and 3.0, the newest that is
/// complete.
pub const V2_40: CK_VERSION = CK_VERSION { major: 2, minor: 40 };
pub const V3_0: CK_VERSION = CK_VERSION { major: 3, minor: 0 };

/// The version of the library.
pub const VERSION: CK_VERSION = CK_VERSION {
    major: digits(env!("CARGO_PKG_VERSION_MAJOR")),
    minor: digits(env!("CARGO_PKG_VERSION_MINOR")),
};

const fn digits(text: &str) -> u8 {
    let (bytes, mut number, mut i) = (text.as_bytes(), 0, 0);
    while i < bytes.len() {
        number = number * 10 + bytes[i] - b'0';
        i += 1;
    }
    number
}

pub unsafe extern "C" fn initialize(arguments: *mut c_void) -> CK_RV {
    call(|| {
        if !arguments.is_null() {
            // SAFETY: the application passes valid arguments, or null.
            let arguments = unsafe { reference(arguments.cast::<CK_C_INITIALIZE_ARGS>()) };
            let arguments = arguments.status()?;
            let mutexes = [
                arguments.CreateMutex.is_some(),
                arguments.DestroyMutex.is_some(),
                arguments.LockMutex.is_some(),
                arguments.UnlockMutex.is_some(),
            ];
            let given = mutexes.iter().filter(|&&given| given).count();
            if !arguments.pReserved.is_null() || !matches!(given, 0 | 4) {
                return Err(CKR_ARGUMENTS_BAD);
            }
            // The library uses the locks of the system, so it fails if the application allows only
            // its own locks.
            if given == 4 && arguments.flags & CKF_OS_LOCKING_OK == 0 {
                return Err(CKR_CANT_LOCK);
            }
        }
        library::initialize()
    })
}

pub unsafe extern "C" fn finalize(reserved: *mut c_void) -> CK_RV {
    call(|| if reserved.is_null() { library::finalize() } else { Err(CKR_ARGUMENTS_BAD) })
}

pub unsafe extern "C" fn info(info: *mut CK_INFO) -> CK_RV {
    call(|| {
        read(|_| Ok(()))?;
        // SAFETY: the application passes a valid output pointer.
        *unsafe { at(info) }.status()? = CK_INFO {
            cryptokiVersion: V3_0,
            manufacturerID: padded(MAKER),
            flags: 0,
            libraryDescription: padded("Lanesum SHA engine"),
            libraryVersion: VERSION,
        };
        Ok(())
    })
}

pub unsafe extern "C" fn not_parallel(session: CK_SESSION_HANDLE) -> CK_RV {
    call(|| {
        read(|library| library.session(session))?;
        Err(CKR_FUNCTION_NOT_PARALLEL)
    })
}
