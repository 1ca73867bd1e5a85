//! An OpenSSL provider, provider(7): digests, HMAC, HKDF and PBKDF2 of every
//! program that calls OpenSSL 3.0 or later.
//!
//! The core loads the library and calls [`OSSL_provider_init`]; from there on it
//! calls through tables of functions. Nothing of libcrypto is linked: any one
//! will do, shared or part of a program.

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

/// What the core gets as the provider: its tables, which it reads for as long as
/// the provider is loaded.
struct Provider {
    /// The core's name for the provider, in calls back.
    core: *const c_void,
    errors: Errors,
    /// Whether the last self-test passed. Any thread may have it made again.
    healthy: AtomicBool,
    digests: Box<[Algorithms]>,
    macs: Box<[Algorithms]>,
    kdfs: Box<[Algorithms]>,
    build: CString,
    /// What the tables point into.
    _names: Vec<CString>,
}

// SAFETY: the core's handle is only passed back to it, by functions of its that any thread may
// call; the rest is constant, or atomic.
unsafe impl Sync for Provider {}

/// The properties of digests. `?provider=lanesum`, which may apply to all programs of a system, must make
/// none of them slower: it matches only digests that are not slower than OpenSSL's own on this CPU.
/// `?lanesum.all=yes` matches every digest.
const DIGESTS: &CStr = c"provider=lanesum,lanesum.all=yes";
const SLOWER_DIGESTS: &CStr = c"lanesum.all=yes";

/// What it can ask for to get the functions with keys. They are not to be got by
/// `?provider=lanesum`, which may stand for all programs of a system: they know the
/// digests above alone, and not the record layer of TLS 1.2, for which OpenSSL's
/// HMAC hides the length of what it authenticates (`tls-data-size`).
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

    /// What `call` did, as the core wants it; why it did not, on its queue.
    fn answer(&self, call: impl FnOnce() -> Result<(), Reason>) -> c_int {
        let result = barrier(Err(Reason::Failed), call);
        if let Err(reason) = result {
            self.errors.raise(self.core, reason);
        }
        c_int::from(result.is_ok())
    }
}

/// A line of a table; what it is made of outlives it.
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

/// Writes a digest where there is room for it, and its length where that is wanted.
///
/// # Safety
///
/// So many bytes can be written at `out`, and `out_len` is null or a length's place.
unsafe fn output(digest: &[u8], out: *mut u8, out_len: *mut usize) {
    // SAFETY: as the caller says.
    unsafe {
        copy(digest, out);
        if let Some(out_len) = out_len.as_mut() {
            *out_len = digest.len();
        }
    }
}

/// Where OpenSSL comes in: `core` goes with calls back, `upcalls` are what it
/// does for providers; it gets our functions and what to pass to them.
///
/// # Safety
///
/// As OpenSSL calls it: see provider-base(7).
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
        // SAFETY: the core passes its table, which a number 0 ends.
        let errors = unsafe { errors(upcalls) };
        report_environment();
        let ours = Handle::make(|| Some(Provider::new(core, errors)).filter(Provider::is_healthy));
        if ours.is_null() {
            errors.raise(core, Reason::Failed);
            return 0;
        }
        // SAFETY: and places for two pointers.
        unsafe {
            *functions = FUNCTIONS.as_ptr();
            *provider = ours;
        }
        1
    })
}

/// Reports on standard error, once in a process, what LANESUM_KERNEL takes away from the provider:
/// OpenSSL goes on with its own digests, and programs seldom print why.
fn report_environment() {
    static REPORTED: AtomicBool = AtomicBool::new(false);
    let text = match Policy::from_env() {
        Err(error) => format!("{error}; the OpenSSL provider is not loaded"),
        Ok(_) => {
            let missing = Algorithm::all().filter(|&algorithm| usable(algorithm).is_err());
            let missing: Vec<_> = missing.map(Algorithm::name).collect();
            if missing.is_empty() {
                return;
            }
            format!(
                "no allowed kernel has {}; the OpenSSL provider does not offer them",
                missing.join(", ")
            )
        }
    };
    if !REPORTED.swap(true, Ordering::Relaxed) {
        // A standard error that cannot be written to is nobody's to report.
        let _ = writeln!(std::io::stderr(), "lanesum: LANESUM_KERNEL: {text}");
    }
}

/// The functions of the error queue among the core's.
///
/// # Safety
///
/// A dispatch table of the core's starts at `upcalls`, or it is null.
unsafe fn errors(upcalls: *const Dispatch) -> Errors {
    let mut errors = Errors::default();
    let mut next = upcalls;
    // SAFETY: as the caller says; a number 0 ends the table.
    while let Some(&Dispatch { id, function }) = unsafe { next.as_ref() } {
        match id {
            0 => break,
            // SAFETY: the function behind this number is of this type.
            CORE_NEW_ERROR => errors.new = unsafe { mem::transmute_copy(&function) },
            // SAFETY: likewise.
            CORE_SET_ERROR_DEBUG => errors.debug = unsafe { mem::transmute_copy(&function) },
            // SAFETY: likewise.
            CORE_VSET_ERROR => errors.set = unsafe { mem::transmute_copy(&function) },
            _ => {}
        }
        next = next.wrapping_add(1);
    }
    errors
}

unsafe extern "C" fn teardown(provider: *mut c_void) {
    // SAFETY: the core gives back what it got, once, when nothing else is in use.
    unsafe { Handle::<Provider>::free(provider) };
}

/// The provider, as the core passes it to its functions, in all threads and for all contexts
/// at once.
///
/// # Safety
///
/// It is null, or what `OSSL_provider_init` gave, not yet torn down.
unsafe fn ours<'p>(provider: *mut c_void) -> Option<&'p Provider> {
    // SAFETY: as the caller says; until it is torn down, nobody borrows it alone.
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
        // SAFETY: the core passes the provider that it has.
        let Some(provider) = (unsafe { ours(provider) }) else { return 0 };
        // SAFETY: and an array of parameters, and waits.
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
        // SAFETY: the core passes the provider that it has, and a place for a flag.
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
    // SAFETY: the core passes the provider that it has, and waits.
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
