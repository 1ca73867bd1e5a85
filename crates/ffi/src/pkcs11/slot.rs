//! The slot and its token, §5.5.

use core::ffi::c_void;

use cryptoki_sys::*;

use super::general::{MAKER, VERSION};
use super::library::{MAX_SESSIONS, read};
use super::{Status, at, call, give_list, mechanism, padded};

/// The only slot. Its token is always present.
const SLOT: CK_SLOT_ID = 0;

/// The maximum length of a PIN, for programs that query it. PINs are ignored.
const MAX_PIN: CK_ULONG = 255;

/// Checks the number of a slot.
pub fn check(slot: CK_SLOT_ID) -> Result<(), CK_RV> {
    if slot == SLOT { Ok(()) } else { Err(CKR_SLOT_ID_INVALID) }
}

pub unsafe extern "C" fn slots(
    _with_token: CK_BBOOL,
    out: *mut CK_SLOT_ID,
    count: *mut CK_ULONG,
) -> CK_RV {
    call(|| {
        read(|_| Ok(()))?;
        // SAFETY: the application passes valid output pointers.
        unsafe { give_list(&[SLOT], out, count) }
    })
}

pub unsafe extern "C" fn slot_info(slot: CK_SLOT_ID, info: *mut CK_SLOT_INFO) -> CK_RV {
    call(|| {
        read(|_| check(slot))?;
        // SAFETY: the application passes a valid output pointer.
        *unsafe { at(info) }.status()? = CK_SLOT_INFO {
            slotDescription: padded("Lanesum"),
            manufacturerID: padded(MAKER),
            flags: CKF_TOKEN_PRESENT,
            hardwareVersion: CK_VERSION { major: 0, minor: 0 },
            firmwareVersion: VERSION,
        };
        Ok(())
    })
}

pub unsafe extern "C" fn token_info(slot: CK_SLOT_ID, info: *mut CK_TOKEN_INFO) -> CK_RV {
    call(|| {
        let (all, writing) = read(|library| {
            check(slot)?;
            Ok(library.counts())
        })?;
        // SAFETY: the application passes a valid output pointer.
        *unsafe { at(info) }.status()? = CK_TOKEN_INFO {
            label: padded("lanesum"),
            manufacturerID: padded(MAKER),
            model: padded("SHA engine"),
            serialNumber: padded("1"),
            // Keys are as secure as the process, and a PIN would not change that. A user logs in
            // with any PIN or none, and there is no security officer.
            flags: CKF_RNG
                | CKF_TOKEN_INITIALIZED
                | CKF_USER_PIN_INITIALIZED
                | CKF_PROTECTED_AUTHENTICATION_PATH
                | CKF_DUAL_CRYPTO_OPERATIONS
                | CKF_SO_PIN_LOCKED,
            ulMaxSessionCount: MAX_SESSIONS as CK_ULONG,
            ulSessionCount: all as CK_ULONG,
            ulMaxRwSessionCount: MAX_SESSIONS as CK_ULONG,
            ulRwSessionCount: writing as CK_ULONG,
            ulMaxPinLen: MAX_PIN,
            ulMinPinLen: 0,
            // Objects exist only in sessions.
            ulTotalPublicMemory: 0,
            ulFreePublicMemory: 0,
            ulTotalPrivateMemory: 0,
            ulFreePrivateMemory: 0,
            hardwareVersion: CK_VERSION { major: 0, minor: 0 },
            firmwareVersion: VERSION,
            utcTime: padded(""),
        };
        Ok(())
    })
}

pub unsafe extern "C" fn mechanisms(
    slot: CK_SLOT_ID,
    out: *mut CK_MECHANISM_TYPE,
    count: *mut CK_ULONG,
) -> CK_RV {
    call(|| {
        read(|_| check(slot))?;
        let all: Vec<_> = mechanism::all().collect();
        // SAFETY: the application passes valid output pointers.
        unsafe { give_list(&all, out, count) }
    })
}

pub unsafe extern "C" fn mechanism_info(
    slot: CK_SLOT_ID,
    number: CK_MECHANISM_TYPE,
    info: *mut CK_MECHANISM_INFO,
) -> CK_RV {
    call(|| {
        read(|_| check(slot))?;
        // SAFETY: the application passes a valid output pointer.
        let place = unsafe { at(info) }.status()?;
        *place = mechanism::info(number)?;
        Ok(())
    })
}

pub unsafe extern "C" fn wait(
    flags: CK_FLAGS,
    slot: *mut CK_SLOT_ID,
    reserved: *mut c_void,
) -> CK_RV {
    call(|| {
        read(|_| Ok(()))?;
        if slot.is_null() || !reserved.is_null() {
            return Err(CKR_ARGUMENTS_BAD);
        }
        // The token is never inserted or removed, so a blocking call would never return.
        if flags & CKF_DONT_BLOCK == 0 {
            return Err(CKR_FUNCTION_NOT_SUPPORTED);
        }
        Err(CKR_NO_EVENT)
    })
}

pub unsafe extern "C" fn init_token(
    slot: CK_SLOT_ID,
    _pin: *mut CK_UTF8CHAR,
    _pin_len: CK_ULONG,
    label: *mut CK_UTF8CHAR,
) -> CK_RV {
    call(|| {
        let (sessions, _) = read(|library| {
            check(slot)?;
            Ok(library.counts())
        })?;
        match (label.is_null(), sessions) {
            (true, _) => Err(CKR_ARGUMENTS_BAD),
            (_, 0) => Err(CKR_PIN_LOCKED),
            _ => Err(CKR_SESSION_EXISTS),
        }
    })
}

pub unsafe extern "C" fn init_pin(
    session: CK_SESSION_HANDLE,
    _pin: *mut CK_UTF8CHAR,
    _pin_len: CK_ULONG,
) -> CK_RV {
    call(|| {
        read(|library| library.session(session))?;
        // Only a security officer may do this, and the token has no security officer.
        Err(CKR_USER_NOT_LOGGED_IN)
    })
}

pub unsafe extern "C" fn set_pin(
    session: CK_SESSION_HANDLE,
    _old: *mut CK_UTF8CHAR,
    _old_len: CK_ULONG,
    _new: *mut CK_UTF8CHAR,
    _new_len: CK_ULONG,
) -> CK_RV {
    call(|| {
        let writes = read(|library| library.writes(session))?;
        Err(if writes { CKR_FUNCTION_NOT_SUPPORTED } else { CKR_SESSION_READ_ONLY })
    })
}
