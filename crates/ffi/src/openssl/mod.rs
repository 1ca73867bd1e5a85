//! An OpenSSL provider, provider(7): digests, HMAC, HKDF and PBKDF2 for programs that use OpenSSL
//! 3.0 or later.
//!
//! The core loads the library and calls [`OSSL_provider_init`], and then calls functions through
//! dispatch tables. The library does not link to libcrypto, so it works with any libcrypto, shared
//! or static.

mod abi;
mod digest;
mod error;
mod handle;
mod kdf;
mod keyed;
mod mac;
mod params;
mod selftest;

use core::ffi::{CStr, c_int, c_void};
use core::sync::atomic::{AtomicBool, Ordering};
use core::{mem, ptr};
use std::ffi::CString;
use std::io::Write;

use abi::*;
use engine::unstable::BesideOpenssl;
use engine::{Algorithm, Policy};
use error::{Errors, Reason};
use handle::Handle;
use params::Params;

use crate::guard::{barrier, copy, usable};

/// The provider context: the core reads its tables while the provider is loaded.
struct Provider {
    /// The core's handle, passed to its callbacks.
    core: *const c_void,
    errors: Errors,
    /// Whether the last self-test passed. Any thread may repeat the test.
    healthy: AtomicBool,
    digests: Box<[Algorithms]>,
    macs: Box<[Algorithms]>,
    kdfs: Box<[Algorithms]>,
    build: CString,
    /// Owns the strings of the tables.
    _names: Vec<CString>,
}

// SAFETY: the core's handle is only passed to callbacks that any thread may call; the rest is
// constant or atomic.
unsafe impl Sync for Provider {}

/// The properties of digests. `?provider=lanesum`, which may apply to all programs of a system,
/// must not slow any of them down: it matches only digests that are at least as fast as OpenSSL's
/// on this CPU. `?lanesum.all=yes` matches every digest.
const DIGESTS: &CStr = c"provider=lanesum,lanesum.all=yes";
/// The properties of digests that are slower than OpenSSL's on this CPU.
const SLOWER_DIGESTS: &CStr = c"lanesum.all=yes";

/// The properties of keyed functions. `?provider=lanesum`, which may apply to all programs of a
/// system, must not match them: they support only the digests above, and not the record layer of
/// TLS 1.2, for which OpenSSL's HMAC hides the length of the authenticated data (`tls-data-size`).
const KEYED: &CStr = c"lanesum.keyed=yes";

impl Provider {
    fn new(core: *const c_void, errors: Errors) -> Self {
        let mut names = Vec::new();
        let digests = digest::all().map(|(algorithm, functions)| {
            let title = CString::new(algorithm.title()).unwrap_or_default();
            let name = CString::new(digest::names(algorithm)).unwrap_or_default();
            let beside = BesideOpenssl::here(algorithm.family());
            let is_slower = beside.is_some_and(BesideOpenssl::is_slower);
            let properties = if is_slower { SLOWER_DIGESTS } else { DIGESTS };
            let line = line(&name, properties, functions, &title);
            names.extend([name, title]);
            line
        });
        let digests = digests.chain([Algorithms::END]).collect();
        let hmac = line(c"HMAC", KEYED, &mac::FUNCTIONS, c"HMAC, FIPS 198-1");
        let macs = Box::new([hmac, Algorithms::END]);
        let kdfs = Box::new([
            line(c"HKDF", KEYED, &kdf::HKDF, c"HKDF, RFC 5869"),
            line(c"PBKDF2:1.2.840.113549.1.5.12", KEYED, &kdf::PBKDF2, c"PBKDF2, RFC 8018"),
            Algorithms::END,
        ]);
        let build = CString::new(selftest::build()).unwrap_or_default();
        let healthy = AtomicBool::new(selftest::passes());
        Self { core, errors, healthy, digests, macs, kdfs, build, _names: names }
    }

    fn is_healthy(&self) -> bool {
        self.healthy.load(Ordering::Relaxed)
    }

    /// Runs `call` and returns 1 on success. On failure, adds the reason to the error queue and
    /// returns 0.
    fn answer(&self, call: impl FnOnce() -> Result<(), Reason>) -> c_int {
        let result = barrier(Err(Reason::Failed), call);
        if let Err(reason) = result {
            self.errors.raise(self.core, reason);
        }
        c_int::from(result.is_ok())
    }
}

/// Creates an entry of an algorithm table. The strings must outlive it.
fn line(
    names: &CStr,
    properties: &'static CStr,
    functions: &'static [Dispatch],
    description: &CStr,
) -> Algorithms {
    Algorithms {
        names: names.as_ptr(),
        properties: properties.as_ptr(),
        implementation: functions.as_ptr(),
        description: description.as_ptr(),
    }
}

/// Writes a digest to `out`, and its length to `out_len` if that is not null.
///
/// # Safety
///
/// `out` is valid for writes of `digest.len()` bytes; `out_len` is null or valid for writes.
unsafe fn output(digest: &[u8], out: *mut u8, out_len: *mut usize) {
    // SAFETY: the caller guarantees valid output pointers.
    unsafe {
        copy(digest, out);
        if let Some(out_len) = out_len.as_mut() {
            *out_len = digest.len();
        }
    }
}

/// The entry point of the provider. `core` is the core's handle for callbacks, and `upcalls` the
/// table of its functions. Sets `functions` to the provider's dispatch table and `provider` to the
/// context to pass to its functions.
///
/// # Safety
///
/// The arguments are as provider-base(7) specifies.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OSSL_provider_init(
    core: *const c_void,
    upcalls: *const Dispatch,
    functions: *mut *const Dispatch,
    provider: *mut *mut c_void,
) -> c_int {
    barrier(0, || {
        if functions.is_null() || provider.is_null() {
            return 0;
        }
        // SAFETY: the core passes its table, terminated by number 0.
        let errors = unsafe { errors(upcalls) };
        report_environment();
        let ours = Handle::make(|| Some(Provider::new(core, errors)).filter(Provider::is_healthy));
        if ours.is_null() {
            errors.raise(core, Reason::Failed);
            return 0;
        }
        // SAFETY: the core passes valid output pointers, which are not null.
        unsafe {
            *functions = FUNCTIONS.as_ptr();
            *provider = ours;
        }
        1
    })
}

/// Reports on standard error, once per process, the algorithms that LANESUM_KERNEL disables in the
/// provider, or why one of the variables disables all of it. OpenSSL silently falls back to its own digests, and programs rarely print why.
fn report_environment() {
    static REPORTED: AtomicBool = AtomicBool::new(false);
    let text = match Policy::from_env() {
        Err(error) => format!("{}: {error}; the OpenSSL provider is not loaded", error.variable()),
        Ok(_) => {
            let missing = Algorithm::all().filter(|&algorithm| usable(algorithm).is_err());
            let missing: Vec<_> = missing.map(Algorithm::name).collect();
            if missing.is_empty() {
                return;
            }
            format!(
                "LANESUM_KERNEL: no allowed kernel has {}; the OpenSSL provider does not offer them",
                missing.join(", ")
            )
        }
    };
    if !REPORTED.swap(true, Ordering::Relaxed) {
        // A failed write to standard error cannot be reported anywhere.
        let _ = writeln!(std::io::stderr(), "lanesum: {text}");
    }
}

/// Returns the core's functions for the error queue.
///
/// # Safety
///
/// `upcalls` is null or points to a dispatch table of the core.
unsafe fn errors(upcalls: *const Dispatch) -> Errors {
    let mut errors = Errors::default();
    let mut next = upcalls;
    // SAFETY: the caller guarantees a table that is terminated by number 0.
    while let Some(&Dispatch { id, function }) = unsafe { next.as_ref() } {
        match id {
            0 => break,
            // SAFETY: the core's function with this number has this type.
            CORE_NEW_ERROR => errors.new = unsafe { mem::transmute_copy(&function) },
            // SAFETY: the core's function with this number has this type.
            CORE_SET_ERROR_DEBUG => errors.debug = unsafe { mem::transmute_copy(&function) },
            // SAFETY: the core's function with this number has this type.
            CORE_VSET_ERROR => errors.set = unsafe { mem::transmute_copy(&function) },
            _ => {}
        }
        next = next.wrapping_add(1);
    }
    errors
}

unsafe extern "C" fn teardown(provider: *mut c_void) {
    // SAFETY: the core passes the context of `OSSL_provider_init` only once, when nothing else uses
    // it.
    unsafe { Handle::<Provider>::free(provider) };
}

/// Returns the provider for a handle that the core passes, possibly in several threads at once.
///
/// # Safety
///
/// The handle is null, or comes from `OSSL_provider_init` and is not yet torn down.
unsafe fn ours<'p>(provider: *mut c_void) -> Option<&'p Provider> {
    // SAFETY: the caller guarantees a valid handle, and `teardown` is the only exclusive access.
    unsafe { Handle::share(provider) }
}

static GETTABLE: [Param; 5] = [
    Param::describe(c"name", UTF8_PTR),
    Param::describe(c"version", UTF8_PTR),
    Param::describe(c"buildinfo", UTF8_PTR),
    Param::describe(c"status", UNSIGNED),
    Param::END,
];

unsafe extern "C" fn gettable_params(_provider: *mut c_void) -> *const Param {
    GETTABLE.as_ptr()
}

const VERSION: &CStr =
    match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => c"",
    };

unsafe extern "C" fn get_params(provider: *mut c_void, params: *mut Param) -> c_int {
    barrier(0, || {
        // SAFETY: the core passes its provider handle.
        let Some(provider) = (unsafe { ours(provider) }) else { return 0 };
        // SAFETY: the core passes a valid array of parameters, which it does not change during the
        // call.
        let params = unsafe { Params::new(params) };
        let all = params.iter().all(|(key, value)| match key {
            b"name" => value.set_text(c"Lanesum"),
            b"version" => value.set_text(VERSION),
            b"buildinfo" => value.set_text(&provider.build),
            b"status" => value.set_number(provider.is_healthy().into()),
            _ => true,
        });
        c_int::from(all)
    })
}

unsafe extern "C" fn query(
    provider: *mut c_void,
    operation: c_int,
    no_cache: *mut c_int,
) -> *const Algorithms {
    barrier(ptr::null(), || {
        // SAFETY: the core passes its provider handle, and a pointer to a flag, or null.
        let (provider, no_cache) = unsafe { (ours(provider), no_cache.as_mut()) };
        if let Some(no_cache) = no_cache {
            *no_cache = 0;
        }
        match (provider, operation) {
            (Some(provider), _) if !provider.is_healthy() => ptr::null(),
            (Some(provider), OP_DIGEST) => provider.digests.as_ptr(),
            (Some(provider), OP_MAC) => provider.macs.as_ptr(),
            (Some(provider), OP_KDF) => provider.kdfs.as_ptr(),
            _ => ptr::null(),
        }
    })
}

unsafe extern "C" fn self_test(provider: *mut c_void) -> c_int {
    // SAFETY: the core passes its provider handle.
    let Some(provider) = (unsafe { ours(provider) }) else { return 0 };
    let passes = barrier(false, selftest::passes);
    provider.healthy.store(passes, Ordering::Relaxed);
    c_int::from(passes)
}

static FUNCTIONS: [Dispatch; 6] = [
    dispatch!(PROVIDER_TEARDOWN, teardown, fn(*mut c_void)),
    dispatch!(PROVIDER_GETTABLE_PARAMS, gettable_params, fn(*mut c_void) -> *const Param),
    dispatch!(PROVIDER_GET_PARAMS, get_params, fn(*mut c_void, *mut Param) -> c_int),
    dispatch!(
        PROVIDER_QUERY_OPERATION,
        query,
        fn(*mut c_void, c_int, *mut c_int) -> *const Algorithms
    ),
    dispatch!(PROVIDER_SELF_TEST, self_test, fn(*mut c_void) -> c_int),
    Dispatch::END,
];
