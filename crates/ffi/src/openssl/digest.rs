//! Digests, provider-digest(7).

use core::ffi::{c_int, c_void};
use core::ptr;

use engine::unstable::blank;
use engine::{Algorithm, Hasher, hash};

use super::abi::*;
use super::error::Reason;
use super::handle::Handle;
use super::output;
use super::params::Params;
use crate::guard::{barrier, hashing, import, put, slice, usable};

/// An incremental hash.
#[derive(Clone)]
struct Running {
    algorithm: Algorithm,
    /// `None` before initialization and after the end. Simple programs create a context per
    /// message, so creating one must not initialize a hasher that `init` overwrites.
    hasher: Option<Hasher>,
    /// Whether a secret is part of the message.
    has_secret: bool,
}

impl Running {
    /// Sets the only supported parameter: the SSL 3.0 master secret, with which SHA-1 finishes a
    /// message as RFC 6101 §5.6.8 specifies. Other digests ignore it. Returns `None` on failure.
    fn set(&mut self, params: Params<'_>) -> Option<()> {
        let secret =
            params.iter().find(|(name, _)| name == b"ssl3-ms" && takes_secret(self.algorithm));
        let Some(secret) = secret.and_then(|(_, value)| value.bytes()) else { return Some(()) };
        let hasher = self.hasher.as_mut()?;
        self.has_secret = true;
        hashing(true, || end_ssl3(hasher, secret))
    }
}

/// Whether SSL 3.0 client authentication uses this digest, considering only digests of this
/// provider.
fn takes_secret(algorithm: Algorithm) -> bool {
    algorithm == Algorithm::SHA1
}

/// Turns the hash of all handshake messages into that of RFC 6101 §5.6.8. Fails if the secret does
/// not have the length of a master secret.
fn end_ssl3(hasher: &mut Hasher, secret: &[u8]) -> Option<()> {
    /// The length of pad_1 and pad_2 for SHA-1, in bytes.
    const PAD: usize = 40;
    if secret.len() != 48 {
        return None;
    }
    hasher.update(secret);
    hasher.update([0x36; PAD]);
    let inner = hasher.finish();
    *hasher = Hasher::new(hasher.algorithm());
    hasher.update(secret);
    hasher.update([0x5c; PAD]);
    hasher.update(inner.as_bytes());
    Some(())
}

/// Returns the algorithm of entry `I` of the table. Each entry has separate functions, because some
/// of them receive no context.
fn algorithm<const I: usize>() -> Option<Algorithm> {
    Algorithm::all().nth(I)
}

/// Runs a call that does not report why it failed.
#[inline]
fn done(call: impl FnOnce() -> Option<()>) -> c_int {
    barrier(0, || call().is_some().into())
}

unsafe extern "C" fn newctx<const I: usize>(_provider: *mut c_void) -> *mut c_void {
    Handle::make(|| Some(Running { algorithm: algorithm::<I>()?, hasher: None, has_secret: false }))
}

unsafe extern "C" fn freectx(context: *mut c_void) {
    // SAFETY: the core frees a context of `newctx` or `dupctx` only once.
    unsafe { Handle::<Running>::free(context) };
}

unsafe extern "C" fn dupctx(context: *mut c_void) -> *mut c_void {
    // SAFETY: the core passes a valid context, which does not change during the call.
    let Some(running) = (unsafe { Handle::<Running>::share(context) }) else {
        return ptr::null_mut();
    };
    hashing(running.has_secret, || Handle::make(|| Some(running.clone())))
}

unsafe extern "C" fn copyctx(to: *mut c_void, from: *mut c_void) {
    done(|| {
        if to != from {
            // SAFETY: the core passes two valid contexts, which it does not otherwise use during
            // the call.
            let (to, from) =
                unsafe { (Handle::<Running>::borrow(to)?, Handle::<Running>::share(from)?) };
            hashing(from.has_secret, || to.clone_from(from));
        }
        Some(())
    });
}

unsafe extern "C" fn init(context: *mut c_void, params: *const Param) -> c_int {
    done(|| {
        // SAFETY: the core passes a valid context, which it does not otherwise use during the call.
        let running = unsafe { Handle::<Running>::borrow(context) }?;
        running.hasher.insert(blank(running.algorithm)).reset();
        running.has_secret = false;
        // SAFETY: the core passes a valid array of parameters.
        running.set(unsafe { Params::new(params) })
    })
}

unsafe extern "C" fn update(context: *mut c_void, data: *const u8, len: usize) -> c_int {
    done(|| {
        // SAFETY: the core passes a valid context, unused by others during the call, and `len`
        // readable bytes.
        let (running, data) =
            unsafe { (Handle::<Running>::borrow(context)?, slice(data, len).ok()?) };
        let hasher = running.hasher.as_mut()?;
        hashing(running.has_secret, || hasher.update(data));
        Some(())
    })
}

unsafe extern "C" fn last(
    context: *mut c_void,
    out: *mut u8,
    out_len: *mut usize,
    room: usize,
) -> c_int {
    done(|| {
        // SAFETY: the core passes a valid context, which it does not otherwise use during the call.
        let running = unsafe { Handle::<Running>::borrow(context) }?;
        if out.is_null() || room < running.algorithm.digest_len() {
            return None;
        }
        let hasher = running.hasher.as_ref()?;
        let digest = hashing(running.has_secret, || hasher.finish());
        running.hasher = None;
        // SAFETY: the core passes `room` writable bytes, which was checked.
        unsafe { output(digest.as_bytes(), out, out_len) };
        Some(())
    })
}

unsafe extern "C" fn digest<const I: usize>(
    _provider: *mut c_void,
    data: *const u8,
    len: usize,
    out: *mut u8,
    out_len: *mut usize,
    room: usize,
) -> c_int {
    done(|| {
        // SAFETY: the core passes `len` readable bytes.
        let (algorithm, data) = (algorithm::<I>()?, unsafe { slice(data, len) }.ok()?);
        if out.is_null() || room < algorithm.digest_len() {
            return None;
        }
        // SAFETY: the core passes `room` writable bytes, which was checked.
        unsafe { output(hash(algorithm, data).as_bytes(), out, out_len) };
        Some(())
    })
}

/// The parameters that every digest supports, provider-digest(7) "Digest Parameters".
static GETTABLE: [Param; 5] = [
    Param::describe(c"blocksize", UNSIGNED),
    Param::describe(c"size", UNSIGNED),
    Param::describe(c"xof", INTEGER),
    Param::describe(c"algid-absent", INTEGER),
    Param::END,
];

unsafe extern "C" fn gettable_params(_provider: *mut c_void) -> *const Param {
    GETTABLE.as_ptr()
}

unsafe extern "C" fn get_params<const I: usize>(params: *mut Param) -> c_int {
    done(|| {
        let algorithm = algorithm::<I>()?;
        // SAFETY: the core passes a valid array of parameters, which it does not change during the
        // call.
        let params = unsafe { Params::new(params) };
        let all = params.iter().all(|(key, value)| match key {
            b"blocksize" => value.set_number(algorithm.block_len() as u64),
            b"size" => value.set_number(algorithm.digest_len() as u64),
            b"xof" => value.set_number(0),
            // Only the SHA family omits the parameters of an algorithm identifier (RFC 5754 §2).
            b"algid-absent" => value.set_number(algorithm.family().is_fips().into()),
            _ => true,
        });
        all.then_some(())
    })
}

static SETTABLE: [Param; 2] = [Param::describe(c"ssl3-ms", OCTET_STRING), Param::END];

unsafe extern "C" fn settable(_context: *mut c_void, _provider: *mut c_void) -> *const Param {
    SETTABLE.as_ptr()
}

unsafe extern "C" fn set_params(context: *mut c_void, params: *const Param) -> c_int {
    done(|| {
        // SAFETY: the core passes a valid context, unused by others during the call, and a valid
        // array.
        unsafe { Handle::<Running>::borrow(context)?.set(Params::new(params)) }
    })
}

/// OpenSSL 4.0: writes the state of the hash, in the format of `Hasher::export`.
unsafe extern "C" fn serialize(context: *mut c_void, out: *mut u8, len: *mut usize) -> c_int {
    done(|| {
        // SAFETY: the core passes a valid context, and a pointer to a length, or null.
        let (running, len) = unsafe { (Handle::<Running>::share(context)?, len.as_mut()?) };
        let hasher = running.hasher.as_ref()?;
        hashing(running.has_secret, || {
            let state = hasher.export();
            let state = state.as_ref();
            let room = core::mem::replace(len, state.len());
            if !out.is_null() {
                // SAFETY: the core passes `room` writable bytes.
                unsafe { put(out, room, state) }.ok()?;
            }
            Some(())
        })
    })
}

unsafe extern "C" fn deserialize(context: *mut c_void, state: *const u8, len: usize) -> c_int {
    done(|| {
        // SAFETY: the core passes a valid context, unused by others during the call, and `len`
        // readable bytes.
        let (running, state) =
            unsafe { (Handle::<Running>::borrow(context)?, slice(state, len).ok()?) };
        // The state does not record whether the message contains a secret.
        let may_have = takes_secret(running.algorithm);
        hashing(may_have, || {
            let hasher = import(state).ok()?;
            if hasher.algorithm() != running.algorithm {
                return None;
            }
            (running.hasher, running.has_secret) = (Some(hasher), may_have);
            Some(())
        })
    })
}

/// Returns the functions of entry `I` of the algorithm table.
const fn functions<const I: usize>() -> [Dispatch; FUNCTIONS] {
    [
        dispatch!(DIGEST_SET_CTX_PARAMS, set_params, fn(*mut c_void, *const Param) -> c_int),
        dispatch!(
            DIGEST_SETTABLE_CTX_PARAMS,
            settable,
            fn(*mut c_void, *mut c_void) -> *const Param
        ),
        dispatch!(DIGEST_NEWCTX, newctx::<I>, fn(*mut c_void) -> *mut c_void),
        dispatch!(DIGEST_INIT, init, fn(*mut c_void, *const Param) -> c_int),
        dispatch!(DIGEST_UPDATE, update, fn(*mut c_void, *const u8, usize) -> c_int),
        dispatch!(DIGEST_FINAL, last, fn(*mut c_void, *mut u8, *mut usize, usize) -> c_int),
        dispatch!(
            DIGEST_DIGEST,
            digest::<I>,
            fn(*mut c_void, *const u8, usize, *mut u8, *mut usize, usize) -> c_int
        ),
        dispatch!(DIGEST_FREECTX, freectx, fn(*mut c_void)),
        dispatch!(DIGEST_DUPCTX, dupctx, fn(*mut c_void) -> *mut c_void),
        dispatch!(DIGEST_COPYCTX, copyctx, fn(*mut c_void, *mut c_void)),
        dispatch!(DIGEST_GET_PARAMS, get_params::<I>, fn(*mut Param) -> c_int),
        dispatch!(DIGEST_GETTABLE_PARAMS, gettable_params, fn(*mut c_void) -> *const Param),
        dispatch!(DIGEST_SERIALIZE, serialize, fn(*mut c_void, *mut u8, *mut usize) -> c_int),
        dispatch!(DIGEST_DESERIALIZE, deserialize, fn(*mut c_void, *const u8, usize) -> c_int),
        Dispatch::END,
    ]
}

/// The number of entries of a dispatch table, including its terminator.
const FUNCTIONS: usize = 15;

/// The number of leading entries that only digests for which [`takes_secret`] is true have.
const FOR_SECRETS: usize = 2;

const LINES_COUNT: usize = 12;

/// The functions of every entry to which the table may grow.
static LINES: [[Dispatch; FUNCTIONS]; LINES_COUNT] = [
    functions::<0>(),
    functions::<1>(),
    functions::<2>(),
    functions::<3>(),
    functions::<4>(),
    functions::<5>(),
    functions::<6>(),
    functions::<7>(),
    functions::<8>(),
    functions::<9>(),
    functions::<10>(),
    functions::<11>(),
];

/// Returns each algorithm for which LANESUM_KERNEL allows a kernel, with its functions.
pub fn all() -> impl Iterator<Item = (Algorithm, &'static [Dispatch])> {
    const { assert!(Algorithm::COUNT <= LINES_COUNT, "add functions to `LINES`") };
    let all = Algorithm::all().zip(&LINES);
    all.filter(|&(algorithm, _)| usable(algorithm).is_ok()).map(|(algorithm, line)| {
        let first = if takes_secret(algorithm) { 0 } else { FOR_SECRETS };
        (algorithm, &line[first..])
    })
}

/// Returns the names under which OpenSSL looks up the algorithm, preferred name first: `SHA2-256`
/// rather than `SHA256`. OpenSSL compares them case-insensitively.
pub fn names(algorithm: Algorithm) -> String {
    let mut names: Vec<_> = [algorithm.name(), algorithm.title(), algorithm.tag()]
        .into_iter()
        .chain(algorithm.aliases().iter().copied())
        .map(str::to_ascii_uppercase)
        .collect();
    // The sort is stable, so other names keep their order.
    names.sort_by_key(|name| !name.starts_with("SHA2-"));
    let mut unlike: Vec<_> = Vec::new();
    for name in names.into_iter().chain(algorithm.oid().map(str::to_owned)) {
        if !unlike.contains(&name) {
            unlike.push(name);
        }
    }
    unlike.join(":")
}

/// Looks up the digest that another function uses, by its OpenSSL name.
pub fn asked_for(name: &str) -> Result<Algorithm, Reason> {
    by_name(name).ok_or(if is_extendable(name) {
        Reason::Extendable
    } else {
        Reason::ForeignDigest
    })
}

/// Whether OpenSSL has an extendable-output function of this name: SHAKE, or the base of its KMAC.
fn is_extendable(name: &str) -> bool {
    let begins =
        |with: &str| name.get(..with.len()).is_some_and(|head| head.eq_ignore_ascii_case(with));
    let oids = ["2.16.840.1.101.3.4.2.11", "2.16.840.1.101.3.4.2.12"];
    begins("SHAKE") || begins("KECCAK-KMAC") || oids.contains(&name)
}

/// Looks up an algorithm by any of its names in OpenSSL, or by its OID, if LANESUM_KERNEL allows a
/// kernel for it.
fn by_name(name: &str) -> Option<Algorithm> {
    let by_oid = || Algorithm::all().find(|algorithm| algorithm.oid() == Some(name));
    let known = Algorithm::from_name(name).or_else(by_oid)?;
    Algorithm::all().find(|&algorithm| algorithm == known && usable(algorithm).is_ok())
}
