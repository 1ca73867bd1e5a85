//! The function lists, and their interfaces (PKCS #11 3.0 §5.4).

use core::ffi::{CStr, c_void};

use cryptoki_sys::*;

use super::general::{V2_40, V3_0};
use super::library::read;
use super::{
    Status, at, call, digest, general, give_list, mac, many, object, random, session, slot, state,
};
use crate::guard::reference;

/// A function that no mechanism here supports: encryption, key pairs, or the message functions of
/// PKCS #11 3.0. Implemented for every function type whose first parameter is a session.
trait Unsupported {
    /// A function of this type that returns `CKR_FUNCTION_NOT_SUPPORTED`.
    const FUNCTION: Self;
}

macro_rules! unsupported {
    ($($argument:ident)*) => {
        impl<$($argument),*> Unsupported
            for unsafe extern "C" fn(CK_SESSION_HANDLE, $($argument),*) -> CK_RV
        {
            const FUNCTION: Self = {
                unsafe extern "C" fn unsupported<$($argument),*>(
                    session: CK_SESSION_HANDLE,
                    $(_: $argument),*
                ) -> CK_RV {
                    call(|| {
                        read(|library| library.session(session))?;
                        Err(CKR_FUNCTION_NOT_SUPPORTED)
                    })
                }
                unsupported
            };
        }
    };
}

unsupported!();
unsupported!(A);
unsupported!(A B);
unsupported!(A B C);
unsupported!(A B C D);
unsupported!(A B C D E);
unsupported!(A B C D E F);
unsupported!(A B C D E F G);
unsupported!(A B C D E F G H);

macro_rules! lists {
    (
        both { $($name:ident: $function:expr,)* }
        both_unsupported { $($unsupported:ident)* }
        new { $($new:ident: $added:expr,)* }
        new_unsupported { $($new_unsupported:ident)* }
    ) => {
        static FUNCTIONS: CK_FUNCTION_LIST = CK_FUNCTION_LIST {
            version: V2_40,
            $($name: Some($function),)*
            $($unsupported: Some(Unsupported::FUNCTION),)*
        };

        static FUNCTIONS_3_0: CK_FUNCTION_LIST_3_0 = CK_FUNCTION_LIST_3_0 {
            version: V3_0,
            $($name: Some($function),)*
            $($unsupported: Some(Unsupported::FUNCTION),)*
            $($new: Some($added),)*
            $($new_unsupported: Some(Unsupported::FUNCTION),)*
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
        C_DigestInit: digest::init,
        C_Digest: digest::whole,
        C_DigestUpdate: digest::update,
        C_DigestKey: digest::key,
        C_DigestFinal: digest::finish,
        C_SignInit: mac::init::<false>,
        C_Sign: mac::sign,
        C_SignUpdate: mac::update::<false>,
        C_SignFinal: mac::sign_final,
        C_VerifyInit: mac::init::<true>,
        C_Verify: mac::verify,
        C_VerifyUpdate: mac::update::<true>,
        C_VerifyFinal: mac::verify_final,
        C_GenerateKey: object::generate,
        C_SeedRandom: random::seed,
        C_GenerateRandom: random::generate,
        C_GetFunctionStatus: general::not_parallel,
        C_CancelFunction: general::not_parallel,
        C_WaitForSlotEvent: slot::wait,
    }
    both_unsupported {
        C_EncryptInit C_Encrypt C_EncryptUpdate C_EncryptFinal C_DecryptInit C_Decrypt
        C_DecryptUpdate C_DecryptFinal C_SignRecoverInit C_SignRecover C_VerifyRecoverInit
        C_VerifyRecover C_DigestEncryptUpdate C_DecryptDigestUpdate C_SignEncryptUpdate
        C_DecryptVerifyUpdate C_GenerateKeyPair C_WrapKey C_UnwrapKey C_DeriveKey
    }
    new {
        C_GetInterfaceList: C_GetInterfaceList,
        C_GetInterface: C_GetInterface,
        C_LoginUser: session::login_user,
        C_SessionCancel: session::cancel,
    }
    new_unsupported {
        C_MessageEncryptInit C_EncryptMessage C_EncryptMessageBegin C_EncryptMessageNext
        C_MessageEncryptFinal C_MessageDecryptInit C_DecryptMessage C_DecryptMessageBegin
        C_DecryptMessageNext C_MessageDecryptFinal C_MessageSignInit C_SignMessage
        C_SignMessageBegin C_SignMessageNext C_MessageSignFinal C_MessageVerifyInit C_VerifyMessage
        C_VerifyMessageBegin C_VerifyMessageNext C_MessageVerifyFinal
    }
}

/// A constant interface.
#[repr(transparent)]
struct Interface(CK_INTERFACE);

// SAFETY: all pointers are to constant data.
unsafe impl Sync for Interface {}

const fn interface<T>(name: &'static CStr, functions: &'static T) -> Interface {
    Interface(CK_INTERFACE {
        pInterfaceName: name.as_ptr().cast::<CK_UTF8CHAR>().cast_mut(),
        pFunctionList: (&raw const *functions).cast::<c_void>().cast_mut(),
        flags: 0,
    })
}

/// The supported interfaces, for each name from the newest version to the oldest.
static INTERFACES: [Interface; 3] = [
    interface(c"PKCS 11", &FUNCTIONS_3_0),
    interface(c"PKCS 11", &FUNCTIONS),
    interface(c"Vendor Lanesum", &many::FUNCTIONS),
];

/// `C_GetFunctionList`: returns the functions of version 2.40.
///
/// # Safety
///
/// The arguments are as PKCS #11 specifies.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn C_GetFunctionList(list: *mut *mut CK_FUNCTION_LIST) -> CK_RV {
    call(|| {
        // SAFETY: the application passes a valid output pointer.
        *unsafe { at(list) }.status()? = (&raw const FUNCTIONS).cast_mut();
        Ok(())
    })
}

/// `C_GetInterfaceList`: returns all interfaces.
///
/// # Safety
///
/// The arguments are as PKCS #11 specifies.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn C_GetInterfaceList(out: *mut CK_INTERFACE, count: *mut CK_ULONG) -> CK_RV {
    call(|| {
        let all = INTERFACES.each_ref().map(|interface| interface.0);
        // SAFETY: the application passes valid output pointers.
        unsafe { give_list(&all, out, count) }
    })
}

/// `C_GetInterface`: returns the interface with this name and version. The default name is PKCS
/// #11, the default version the newest.
///
/// # Safety
///
/// The arguments are as PKCS #11 specifies.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn C_GetInterface(
    name: *mut CK_UTF8CHAR,
    version: *mut CK_VERSION,
    out: *mut *mut CK_INTERFACE,
    flags: CK_FLAGS,
) -> CK_RV {
    call(|| {
        // SAFETY: the application passes a valid output pointer.
        let out = unsafe { at(out) }.status()?;
        let name = if name.is_null() {
            c"PKCS 11"
        } else {
            // SAFETY: the application passes a NUL-terminated name.
            unsafe { CStr::from_ptr(name.cast()) }
        };
        // SAFETY: the application passes a valid version, or null.
        let version = unsafe { reference(version) }.ok();
        let found = INTERFACES.iter().find(|Interface(interface)| {
            // SAFETY: names are constant and NUL-terminated; function lists begin with a version.
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
