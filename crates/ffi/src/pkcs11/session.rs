//! Sessions and logins, §5.6.

use core::ffi::c_void;

use cryptoki_sys::*;

use super::library::{self, read, within, write};
use super::{Status, at, call, slot};

pub unsafe extern "C" fn open(
    slot: CK_SLOT_ID,
    flags: CK_FLAGS,
    _application: *mut c_void,
    _notify: CK_NOTIFY,
    session: *mut CK_SESSION_HANDLE,
) -> CK_RV {
    call(|| {
        read(|_| slot::check(slot))?;
        if flags & CKF_SERIAL_SESSION == 0 {
            return Err(CKR_SESSION_PARALLEL_NOT_SUPPORTED);
        }
        // SAFETY: the application passes a valid output pointer.
        let place = unsafe { at(session) }.status()?;
        *place = library::open_session(flags & CKF_RW_SESSION != 0)?;
        Ok(())
    })
}

pub unsafe extern "C" fn close(session: CK_SESSION_HANDLE) -> CK_RV {
    call(|| library::close_session(session))
}

pub unsafe extern "C" fn close_all(slot: CK_SLOT_ID) -> CK_RV {
    call(|| {
        read(|_| slot::check(slot))?;
        library::close_all()
    })
}

pub unsafe extern "C" fn info(session: CK_SESSION_HANDLE, info: *mut CK_SESSION_INFO) -> CK_RV {
    call(|| {
        let (writes, logged_in) =
            read(|library| Ok((library.writes(session)?, library.logged_in)))?;
        // SAFETY: the application passes a valid output pointer.
        *unsafe { at(info) }.status()? = CK_SESSION_INFO {
            slotID: 0,
            state: match (writes, logged_in) {
                (false, false) => CKS_RO_PUBLIC_SESSION,
                (false, true) => CKS_RO_USER_FUNCTIONS,
                (true, false) => CKS_RW_PUBLIC_SESSION,
                (true, true) => CKS_RW_USER_FUNCTIONS,
            },
            flags: CKF_SERIAL_SESSION | if writes { CKF_RW_SESSION } else { 0 },
            ulDeviceError: 0,
        };
        Ok(())
    })
}

/// Logs in a user with any PIN. The PIN protects nothing, but programs that are configured with one
/// send it.
fn log_in(session: CK_SESSION_HANDLE, user: CK_USER_TYPE) -> Result<(), CK_RV> {
    write(|library| {
        library.session(session)?;
        match user {
            CKU_USER if library.logged_in => Err(CKR_USER_ALREADY_LOGGED_IN),
            CKU_USER => {
                library.logged_in = true;
                Ok(())
            }
            CKU_SO if library.logged_in => Err(CKR_USER_ANOTHER_ALREADY_LOGGED_IN),
            CKU_SO => Err(CKR_PIN_LOCKED),
            // No key here requires a separate login.
            CKU_CONTEXT_SPECIFIC => Err(CKR_OPERATION_NOT_INITIALIZED),
            _ => Err(CKR_USER_TYPE_INVALID),
        }
    })
}

pub unsafe extern "C" fn login(
    session: CK_SESSION_HANDLE,
    user: CK_USER_TYPE,
    _pin: *mut CK_UTF8CHAR,
    _pin_len: CK_ULONG,
) -> CK_RV {
    call(|| log_in(session, user))
}

pub unsafe extern "C" fn login_user(
    session: CK_SESSION_HANDLE,
    user: CK_USER_TYPE,
    _pin: *mut CK_UTF8CHAR,
    _pin_len: CK_ULONG,
    _name: *mut CK_UTF8CHAR,
    _name_len: CK_ULONG,
) -> CK_RV {
    // There is only one user, so the name is ignored.
    call(|| log_in(session, user))
}

pub unsafe extern "C" fn logout(session: CK_SESSION_HANDLE) -> CK_RV {
    call(|| {
        read(|library| library.session(session))?;
        library::logout()
    })
}

pub unsafe extern "C" fn cancel(session: CK_SESSION_HANDLE, flags: CK_FLAGS) -> CK_RV {
    call(|| {
        within(session, |session| {
            for (flag, operation) in
                [(CKF_SIGN, &mut session.sign), (CKF_VERIFY, &mut session.verify)]
            {
                if flags & flag != 0 {
                    *operation = None;
                }
            }
            if flags & CKF_DIGEST != 0 {
                session.digest = None;
            }
            if flags & CKF_FIND_OBJECTS != 0 {
                session.find = None;
            }
            Ok(())
        })
    })
}
