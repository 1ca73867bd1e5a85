//! The interface between OpenSSL's core and its providers: the structures of openssl-core.h(7) and
//! the numbers of openssl-core_dispatch.h(7).
//!
//! They are part of OpenSSL's stable ABI since 3.0. A version ignores numbers that it does not
//! know.

use core::ffi::{c_char, c_int, c_uint, c_void};
use core::ptr;
use core::sync::atomic::AtomicUsize;

/// Any function, as stored in dispatch tables.
pub type Function = unsafe extern "C" fn();

/// An entry of a dispatch table (`OSSL_DISPATCH`). Number 0 terminates a table.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Dispatch {
    pub id: c_int,
    pub function: Option<Function>,
}

impl Dispatch {
    /// Terminates a dispatch table.
    pub const END: Self = Self { id: 0, function: None };
}

/// Creates a dispatch table entry, and checks the function's type against the interface.
macro_rules! dispatch {
    ($id:expr, $function:expr, fn($($argument:ty),*) $(-> $result:ty)?) => {{
        let function: unsafe extern "C" fn($($argument),*) $(-> $result)? = $function;
        $crate::openssl::abi::Dispatch {
            id: $id,
            // SAFETY: all function pointers have the same size, and the core calls this one with
            // the type for its number.
            function: Some(unsafe {
                core::mem::transmute::<
                    unsafe extern "C" fn($($argument),*) $(-> $result)?,
                    $crate::openssl::abi::Function,
                >(function)
            }),
        }
    }};
}
pub(super) use dispatch;

/// An entry of an algorithm table (`OSSL_ALGORITHM`). A null name terminates a table.
#[repr(C)]
pub struct Algorithms {
    pub names: *const c_char,
    pub properties: *const c_char,
    pub implementation: *const Dispatch,
    pub description: *const c_char,
}

// SAFETY: all pointers are to constant data.
unsafe impl Sync for Algorithms {}

impl Algorithms {
    /// Terminates an algorithm table.
    pub const END: Self = Self {
        names: ptr::null(),
        properties: ptr::null(),
        implementation: ptr::null(),
        description: ptr::null(),
    };
}

/// A parameter to set or to query (`OSSL_PARAM`). A null key terminates an array.
#[repr(C)]
pub struct Param {
    pub key: *const c_char,
    pub kind: c_uint,
    pub data: *mut c_void,
    pub data_len: usize,
    /// The only field that a provider writes. Arrays are accessed only through shared references,
    /// since applications may pass one constant array from all threads.
    pub return_len: AtomicUsize,
}

// SAFETY: this library writes only the atomic field. The functions that access the pointed-to data
// state their own requirements (`params.rs`).
unsafe impl Sync for Param {}

impl Param {
    #[allow(clippy::declare_interior_mutable_const, reason = "each use is to be its own")]
    /// Terminates an array of parameters.
    pub const END: Self = Self::describe_raw(ptr::null(), 0);

    const fn describe_raw(key: *const c_char, kind: c_uint) -> Self {
        let return_len = AtomicUsize::new(0);
        Self { key, kind, data: ptr::null_mut(), data_len: 0, return_len }
    }

    /// Describes a parameter that can be set or queried.
    pub const fn describe(key: &'static core::ffi::CStr, kind: c_uint) -> Self {
        Self::describe_raw(key.as_ptr(), kind)
    }
}

pub const INTEGER: c_uint = 1;
pub const UNSIGNED: c_uint = 2;
pub const UTF8_STRING: c_uint = 4;
pub const OCTET_STRING: c_uint = 5;
pub const UTF8_PTR: c_uint = 6;
pub const OCTET_PTR: c_uint = 7;

// Operations.
pub const OP_DIGEST: c_int = 1;
pub const OP_MAC: c_int = 3;
pub const OP_KDF: c_int = 4;

// Functions of the core.
pub const CORE_NEW_ERROR: c_int = 5;
pub const CORE_SET_ERROR_DEBUG: c_int = 6;
pub const CORE_VSET_ERROR: c_int = 7;

// Functions of a provider.
pub const PROVIDER_TEARDOWN: c_int = 1024;
pub const PROVIDER_GETTABLE_PARAMS: c_int = 1025;
pub const PROVIDER_GET_PARAMS: c_int = 1026;
pub const PROVIDER_QUERY_OPERATION: c_int = 1027;
pub const PROVIDER_SELF_TEST: c_int = 1031;

// Digests. 14 is for extendable-output functions; 15 and up require OpenSSL 3.5 or 4.0.
pub const DIGEST_NEWCTX: c_int = 1;
pub const DIGEST_INIT: c_int = 2;
pub const DIGEST_UPDATE: c_int = 3;
pub const DIGEST_FINAL: c_int = 4;
pub const DIGEST_DIGEST: c_int = 5;
pub const DIGEST_FREECTX: c_int = 6;
pub const DIGEST_DUPCTX: c_int = 7;
pub const DIGEST_GET_PARAMS: c_int = 8;
pub const DIGEST_SET_CTX_PARAMS: c_int = 9;
pub const DIGEST_GETTABLE_PARAMS: c_int = 11;
pub const DIGEST_SETTABLE_CTX_PARAMS: c_int = 12;
pub const DIGEST_COPYCTX: c_int = 15;
pub const DIGEST_SERIALIZE: c_int = 16;
pub const DIGEST_DESERIALIZE: c_int = 17;

// Message authentication.
pub const MAC_NEWCTX: c_int = 1;
pub const MAC_DUPCTX: c_int = 2;
pub const MAC_FREECTX: c_int = 3;
pub const MAC_INIT: c_int = 4;
pub const MAC_UPDATE: c_int = 5;
pub const MAC_FINAL: c_int = 6;
pub const MAC_GET_CTX_PARAMS: c_int = 8;
pub const MAC_SET_CTX_PARAMS: c_int = 9;
pub const MAC_GETTABLE_CTX_PARAMS: c_int = 11;
pub const MAC_SETTABLE_CTX_PARAMS: c_int = 12;

// Key derivation.
pub const KDF_NEWCTX: c_int = 1;
pub const KDF_DUPCTX: c_int = 2;
pub const KDF_FREECTX: c_int = 3;
pub const KDF_RESET: c_int = 4;
pub const KDF_DERIVE: c_int = 5;
pub const KDF_GETTABLE_CTX_PARAMS: c_int = 7;
pub const KDF_SETTABLE_CTX_PARAMS: c_int = 8;
pub const KDF_GET_CTX_PARAMS: c_int = 10;
pub const KDF_SET_CTX_PARAMS: c_int = 11;
