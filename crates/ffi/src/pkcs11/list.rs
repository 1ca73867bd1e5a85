//! The lists of functions, and the interfaces that have them (PKCS #11 3.0 §5.4).

use core::ffi::{CStr, c_void};

use cryptoki_sys::*;

use super::{Status, at, call, digest, general, mac, many, object, random, session, slot, state};
use crate::guard::{reference, slice_mut};

/// The functions that no mechanism here has a use for: encryption, key pairs,
/// messages of PKCS #11 3.0.
#[allow(non_snake_case, clippy::too_many_arguments, reason = "as PKCS #11 has them")]
mod unsupported {
    use core::ffi::c_void;

    use cryptoki_sys::*;

    use super::super::{call, library::read};

    macro_rules! unsupported {
        ($($name:ident($($argument:ty),*);)*) => {$(
            pub unsafe extern "C" fn $name(
                session: CK_SESSION_HANDLE,
                $(_: $argument),*
            ) -> CK_RV {
                call(|| {
                    read(|library| library.session(session))?;
                    Err(CKR_FUNCTION_NOT_SUPPORTED)
                })
            }
        )*};
    }

    unsupported! {
        C_EncryptInit(*mut CK_MECHANISM, CK_OBJECT_HANDLE);
        C_Encrypt(*mut CK_BYTE, CK_ULONG, *mut CK_BYTE, *mut CK_ULONG);
        C_EncryptUpdate(*mut CK_BYTE, CK_ULONG, *mut CK_BYTE, *mut CK_ULONG);
        C_EncryptFinal(*mut CK_BYTE, *mut CK_ULONG);
        C_DecryptInit(*mut CK_MECHANISM, CK_OBJECT_HANDLE);
        C_Decrypt(*mut CK_BYTE, CK_ULONG, *mut CK_BYTE, *mut CK_ULONG);
        C_DecryptUpdate(*mut CK_BYTE, CK_ULONG, *mut CK_BYTE, *mut CK_ULONG);
        C_DecryptFinal(*mut CK_BYTE, *mut CK_ULONG);
        C_SignRecoverInit(*mut CK_MECHANISM, CK_OBJECT_HANDLE);
        C_SignRecover(*mut CK_BYTE, CK_ULONG, *mut CK_BYTE, *mut CK_ULONG);
        C_VerifyRecoverInit(*mut CK_MECHANISM, CK_OBJECT_HANDLE);
        C_VerifyRecover(*mut CK_BYTE, CK_ULONG, *mut CK_BYTE, *mut CK_ULONG);
        C_DigestEncryptUpdate(*mut CK_BYTE, CK_ULONG, *mut CK_BYTE, *mut CK_ULONG);
        C_DecryptDigestUpdate(*mut CK_BYTE, CK_ULONG, *mut CK_BYTE, *mut CK_ULONG);
        C_SignEncryptUpdate(*mut CK_BYTE, CK_ULONG, *mut CK_BYTE, *mut CK_ULONG);
        C_DecryptVerifyUpdate(*mut CK_BYTE, CK_ULONG, *mut CK_BYTE, *mut CK_ULONG);
        C_GenerateKeyPair(*mut CK_MECHANISM, *mut CK_ATTRIBUTE, CK_ULONG, *mut CK_ATTRIBUTE, CK_ULONG, *mut CK_OBJECT_HANDLE, *mut CK_OBJECT_HANDLE);
        C_WrapKey(*mut CK_MECHANISM, CK_OBJECT_HANDLE, CK_OBJECT_HANDLE, *mut CK_BYTE, *mut CK_ULONG);
        C_UnwrapKey(*mut CK_MECHANISM, CK_OBJECT_HANDLE, *mut CK_BYTE, CK_ULONG, *mut CK_ATTRIBUTE, CK_ULONG, *mut CK_OBJECT_HANDLE);
        C_DeriveKey(*mut CK_MECHANISM, CK_OBJECT_HANDLE, *mut CK_ATTRIBUTE, CK_ULONG, *mut CK_OBJECT_HANDLE);
        C_MessageEncryptInit(*mut CK_MECHANISM, CK_OBJECT_HANDLE);
        C_EncryptMessage(*mut c_void, CK_ULONG, *mut CK_BYTE, CK_ULONG, *mut CK_BYTE, CK_ULONG, *mut CK_BYTE, *mut CK_ULONG);
        C_EncryptMessageBegin(*mut c_void, CK_ULONG, *mut CK_BYTE, CK_ULONG);
        C_EncryptMessageNext(*mut c_void, CK_ULONG, *mut CK_BYTE, CK_ULONG, *mut CK_BYTE, *mut CK_ULONG, CK_FLAGS);
        C_MessageEncryptFinal();
        C_MessageDecryptInit(*mut CK_MECHANISM, CK_OBJECT_HANDLE);
        C_DecryptMessage(*mut c_void, CK_ULONG, *mut CK_BYTE, CK_ULONG, *mut CK_BYTE, CK_ULONG, *mut CK_BYTE, *mut CK_ULONG);
        C_DecryptMessageBegin(*mut c_void, CK_ULONG, *mut CK_BYTE, CK_ULONG);
        C_DecryptMessageNext(*mut c_void, CK_ULONG, *mut CK_BYTE, CK_ULONG, *mut CK_BYTE, *mut CK_ULONG, CK_FLAGS);
        C_MessageDecryptFinal();
        C_MessageSignInit(*mut CK_MECHANISM, CK_OBJECT_HANDLE);
        C_SignMessage(*mut c_void, CK_ULONG, *mut CK_BYTE, CK_ULONG, *mut CK_BYTE, *mut CK_ULONG);
        C_SignMessageBegin(*mut c_void, CK_ULONG);
        C_SignMessageNext(*mut c_void, CK_ULONG, *mut CK_BYTE, CK_ULONG, *mut CK_BYTE, *mut CK_ULONG);
        C_MessageSignFinal();
        C_MessageVerifyInit(*mut CK_MECHANISM, CK_OBJECT_HANDLE);
        C_VerifyMessage(*mut c_void, CK_ULONG, *mut CK_BYTE, CK_ULONG, *mut CK_BYTE, CK_ULONG);
        C_VerifyMessageBegin(*mut c_void, CK_ULONG);
        C_VerifyMessageNext(*mut c_void, CK_ULONG, *mut CK_BYTE, CK_ULONG, *mut CK_BYTE, CK_ULONG);
        C_MessageVerifyFinal();
    }
}

const V2_40: CK_VERSION = CK_VERSION { major: 2, minor: 40 };

/// The newest version that is whole here.
pub const V3_0: CK_VERSION = CK_VERSION { major: 3, minor: 0 };

macro_rules! lists {
    (both { $($name:ident: $function:expr,)* } new { $($new:ident: $added:expr,)* }) => {
        static FUNCTIONS: CK_FUNCTION_LIST =
            CK_FUNCTION_LIST { version: V2_40, $($name: Some($function),)* };

        static FUNCTIONS_3_0: CK_FUNCTION_LIST_3_0 = CK_FUNCTION_LIST_3_0 {
            version: V3_0,
            $($name: Some($function),)*
            $($new: Some($added),)*
        };
    };
}

lists! {
    both {
        C_Initialize: general::initialize,
        C_Finalize: general::finalize,
        C_GetInfo: general::info,
        C_GetFunctionList: C_GetFunctionList,
        C_GetSlotList: slot::slots,
        C_GetSlotInfo: slot::slot_info,
        C_GetTokenInfo: slot::token_info,
        C_GetMechanismList: slot::mechanisms,
        C_GetMechanismInfo: slot::mechanism_info,
        C_InitToken: slot::init_token,
        C_InitPIN: slot::init_pin,
        C_SetPIN: slot::set_pin,
        C_OpenSession: session::open,
        C_CloseSession: session::close,
        C_CloseAllSessions: session::close_all,
        C_GetSessionInfo: session::info,
        C_GetOperationState: state::get,
        C_SetOperationState: state::set,
        C_Login: session::login,
        C_Logout: session::logout,
        C_CreateObject: object::create,
        C_CopyObject: object::copy,
        C_DestroyObject: object::destroy,
        C_GetObjectSize: object::len,
        C_GetAttributeValue: object::get,
        C_SetAttributeValue: object::set,
        C_FindObjectsInit: object::find_init,
        C_FindObjects: object::find,
        C_FindObjectsFinal: object::find_final,
        C_EncryptInit: unsupported::C_EncryptInit,
        C_Encrypt: unsupported::C_Encrypt,
        C_EncryptUpdate: unsupported::C_EncryptUpdate,
        C_EncryptFinal: unsupported::C_EncryptFinal,
        C_DecryptInit: unsupported::C_DecryptInit,
        C_Decrypt: unsupported::C_Decrypt,
        C_DecryptUpdate: unsupported::C_DecryptUpdate,
        C_DecryptFinal: unsupported::C_DecryptFinal,
        C_DigestInit: digest::init,
        C_Digest: digest::one,
        C_DigestUpdate: digest::update,
        C_DigestKey: digest::key,
        C_DigestFinal: digest::finish,
        C_SignInit: mac::sign_init,
        C_Sign: mac::sign,
        C_SignUpdate: mac::sign_update,
        C_SignFinal: mac::sign_final,
        C_SignRecoverInit: unsupported::C_SignRecoverInit,
        C_SignRecover: unsupported::C_SignRecover,
        C_VerifyInit: mac::verify_init,
        C_Verify: mac::verify,
        C_VerifyUpdate: mac::verify_update,
        C_VerifyFinal: mac::verify_final,
        C_VerifyRecoverInit: unsupported::C_VerifyRecoverInit,
        C_VerifyRecover: unsupported::C_VerifyRecover,
        C_DigestEncryptUpdate: unsupported::C_DigestEncryptUpdate,
        C_DecryptDigestUpdate: unsupported::C_DecryptDigestUpdate,
        C_SignEncryptUpdate: unsupported::C_SignEncryptUpdate,
        C_DecryptVerifyUpdate: unsupported::C_DecryptVerifyUpdate,
        C_GenerateKey: object::generate,
        C_GenerateKeyPair: unsupported::C_GenerateKeyPair,
        C_WrapKey: unsupported::C_WrapKey,
        C_UnwrapKey: unsupported::C_UnwrapKey,
        C_DeriveKey: unsupported::C_DeriveKey,
        C_SeedRandom: random::seed,
        C_GenerateRandom: random::generate,
        C_GetFunctionStatus: general::not_parallel,
        C_CancelFunction: general::not_parallel,
        C_WaitForSlotEvent: slot::wait,
    }
    new {
        C_GetInterfaceList: C_GetInterfaceList,
        C_GetInterface: C_GetInterface,
        C_LoginUser: session::login_user,
        C_SessionCancel: session::cancel,
        C_MessageEncryptInit: unsupported::C_MessageEncryptInit,
        C_EncryptMessage: unsupported::C_EncryptMessage,
        C_EncryptMessageBegin: unsupported::C_EncryptMessageBegin,
        C_EncryptMessageNext: unsupported::C_EncryptMessageNext,
        C_MessageEncryptFinal: unsupported::C_MessageEncryptFinal,
        C_MessageDecryptInit: unsupported::C_MessageDecryptInit,
        C_DecryptMessage: unsupported::C_DecryptMessage,
        C_DecryptMessageBegin: unsupported::C_DecryptMessageBegin,
        C_DecryptMessageNext: unsupported::C_DecryptMessageNext,
        C_MessageDecryptFinal: unsupported::C_MessageDecryptFinal,
        C_MessageSignInit: unsupported::C_MessageSignInit,
        C_SignMessage: unsupported::C_SignMessage,
        C_SignMessageBegin: unsupported::C_SignMessageBegin,
        C_SignMessageNext: unsupported::C_SignMessageNext,
        C_MessageSignFinal: unsupported::C_MessageSignFinal,
        C_MessageVerifyInit: unsupported::C_MessageVerifyInit,
        C_VerifyMessage: unsupported::C_VerifyMessage,
        C_VerifyMessageBegin: unsupported::C_VerifyMessageBegin,
        C_VerifyMessageNext: unsupported::C_VerifyMessageNext,
        C_MessageVerifyFinal: unsupported::C_MessageVerifyFinal,
    }
}

/// An interface, which is constant.
#[repr(transparent)]
struct Interface(CK_INTERFACE);

// SAFETY: what it points to is constant.
unsafe impl Sync for Interface {}

const fn interface<T>(name: &'static CStr, functions: &'static T) -> Interface {
    Interface(CK_INTERFACE {
        pInterfaceName: name.as_ptr().cast::<CK_UTF8CHAR>().cast_mut(),
        pFunctionList: (&raw const *functions).cast::<c_void>().cast_mut(),
        flags: 0,
    })
}

/// What there is, the newest of a name before its older versions.
static INTERFACES: [Interface; 3] = [
    interface(c"PKCS 11", &FUNCTIONS_3_0),
    interface(c"PKCS 11", &FUNCTIONS),
    interface(c"Vendor Lanesum", &many::FUNCTIONS),
];

/// `C_GetFunctionList`: the functions of version 2.40.
///
/// # Safety
///
/// As PKCS #11 has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn C_GetFunctionList(list: *mut *mut CK_FUNCTION_LIST) -> CK_RV {
    call(|| {
        // SAFETY: the application passes a place for a pointer.
        *unsafe { at(list) }.status()? = (&raw const FUNCTIONS).cast_mut();
        Ok(())
    })
}

/// `C_GetInterfaceList`: every interface.
///
/// # Safety
///
/// As PKCS #11 has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn C_GetInterfaceList(out: *mut CK_INTERFACE, count: *mut CK_ULONG) -> CK_RV {
    call(|| {
        // SAFETY: the application passes a place for a number.
        let count = unsafe { at(count) }.status()?;
        let room = core::mem::replace(count, INTERFACES.len() as CK_ULONG);
        if out.is_null() {
            return Ok(());
        }
        if room < INTERFACES.len() as CK_ULONG {
            return Err(CKR_BUFFER_TOO_SMALL);
        }
        // SAFETY: and room for at least so many interfaces.
        let out = unsafe { slice_mut(out, INTERFACES.len()) }.status()?;
        out.iter_mut().zip(&INTERFACES).for_each(|(to, interface)| *to = interface.0);
        Ok(())
    })
}

/// `C_GetInterface`: the interface of that name and version; without a name
/// PKCS #11 itself, without a version the newest.
///
/// # Safety
///
/// As PKCS #11 has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn C_GetInterface(
    name: *mut CK_UTF8CHAR,
    version: *mut CK_VERSION,
    out: *mut *mut CK_INTERFACE,
    flags: CK_FLAGS,
) -> CK_RV {
    call(|| {
        // SAFETY: the application passes a place for a pointer.
        let out = unsafe { at(out) }.status()?;
        let name = if name.is_null() {
            c"PKCS 11"
        } else {
            // SAFETY: and a name that ends with a zero.
            unsafe { CStr::from_ptr(name.cast()) }
        };
        // SAFETY: and a version, or null.
        let version = unsafe { reference(version) }.ok();
        let found = INTERFACES.iter().find(|Interface(interface)| {
            // SAFETY: names are constant and end with a zero; lists begin with a version.
            let (known, has) = unsafe {
                (
                    CStr::from_ptr(interface.pInterfaceName.cast_const().cast()),
                    &*interface.pFunctionList.cast_const().cast::<CK_VERSION>(),
                )
            };
            known == name
                && version.is_none_or(|v| (v.major, v.minor) == (has.major, has.minor))
                && flags & !interface.flags == 0
        });
        let Interface(found) = found.ok_or(CKR_FUNCTION_FAILED)?;
        *out = (&raw const *found).cast_mut();
        Ok(())
    })
}
