//! Policies: which kernels may run, parsed once, and how many threads share a batch.

use core::ffi::{c_char, c_int};
use core::ops::Range;
use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

use engine::{Algorithm, AsEngine, Engine, Policy};

use super::algorithm::number;
use crate::guard::{self, Failure, barrier};

/// Which kernels may run, and how many threads share a batch. lanesum_policy_new makes one, and
/// lanesum_policy_free frees it. Any number of threads may use one policy at once.
///
/// Calls with a parameter `policy` also accept NULL: then LANESUM_KERNEL says which kernels may
/// run, and a batch is hashed by the thread that calls. No digest depends on a policy.
pub struct lanesum_policy;

/// The value behind a `lanesum_policy`.
#[repr(C)]
struct Parsed {
    /// `MARK` until it is freed.
    mark: AtomicU64,
    policy: Policy,
    threads: usize,
    /// By [`place`]; `None`: no allowed kernel has the algorithm.
    engines: [OnceLock<Option<Box<Engine>>>; PLACES],
}

const MARK: u64 = u64::from_be_bytes(*b"policy\0\0");

/// A place for each of SHA-512/t, by its length in bytes, and eight more for all others.
const PLACES: usize = 64 + 8;

/// The place of an algorithm's engine.
fn place(algorithm: Algorithm) -> usize {
    match number(algorithm) {
        numbered @ 1..=8 => 63 + numbered as usize,
        _ => algorithm.digest_len(),
    }
}

impl Parsed {
    fn engine(&self, algorithm: Algorithm) -> Result<&Engine, Failure> {
        let engine = self.engines[place(algorithm)]
            .get_or_init(|| self.policy.engine(algorithm).ok().map(Box::new));
        engine.as_deref().ok_or(Failure::Kernel)
    }
}

/// The value behind a policy that is not null.
///
/// # Safety
///
/// `policy` is null or a policy of lanesum_policy_new that is not freed during `'p`.
unsafe fn parsed<'p>(policy: *const lanesum_policy) -> Result<&'p Parsed, Failure> {
    // SAFETY: any bytes are a valid mark, which is checked before anything else is read.
    let mark = unsafe { guard::reference(policy.cast::<AtomicU64>())? };
    if mark.load(Ordering::Relaxed) != MARK {
        return Err(Failure::State);
    }
    // SAFETY: the mark is the first field of a `Parsed`.
    Ok(unsafe { &*policy.cast::<Parsed>() })
}

/// Runs a call with the engine that a policy selects for an algorithm.
///
/// # Errors
///
/// If no allowed kernel has the algorithm, or LANESUM_KERNEL is invalid where it is read.
///
/// # Safety
///
/// `policy` is null or a policy of lanesum_policy_new that is not yet freed.
#[inline]
pub(super) unsafe fn chosen<R>(
    policy: *const lanesum_policy,
    algorithm: Algorithm,
    run: impl FnOnce(&(dyn AsEngine + Sync)) -> R,
) -> Result<R, Failure> {
    if policy.is_null() {
        return guard::usable(algorithm).map(|algorithm| run(&algorithm));
    }
    // SAFETY: the caller's promise.
    unsafe { by_policy(policy, algorithm, run) }
}

/// Out of line, so that the frames of calls without a policy stay small.
///
/// # Safety
///
/// As [`chosen`], and `policy` is not null.
#[inline(never)]
unsafe fn by_policy<R>(
    policy: *const lanesum_policy,
    algorithm: Algorithm,
    run: impl FnOnce(&(dyn AsEngine + Sync)) -> R,
) -> Result<R, Failure> {
    // SAFETY: the caller's promise.
    unsafe { parsed(policy)? }.engine(algorithm).map(|engine| run(engine))
}

/// How many threads share a batch by this policy.
///
/// # Safety
///
/// As [`chosen`].
pub(super) unsafe fn threads(policy: *const lanesum_policy) -> Result<usize, Failure> {
    if policy.is_null() {
        return Ok(1);
    }
    // SAFETY: the caller's promise.
    let threads = unsafe { parsed(policy)? }.threads;
    Ok(match threads {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    })
}

/// The least work of a part, in bytes to compress: it takes about as long as to start two threads.
const MIN_WORK: usize = 128 << 10;

/// Runs `run` on parts of a batch of `count` messages, on at most `threads` threads, one of which is
/// the caller's. Message i has `work(i)` bytes to compress, and its result is the `len` bytes at
/// `i * len` of `out`.
///
/// # Errors
///
/// One of the errors of `run`; the other parts may have been written.
#[inline(always)]
pub(super) fn share(
    threads: usize,
    count: usize,
    work: impl Fn(usize) -> usize,
    (out, len): (&mut [u8], usize),
    run: impl Fn(Range<usize>, &mut [u8]) -> Result<(), Failure> + Sync,
) -> Result<(), Failure> {
    match threads == 1 || count <= 1 {
        true => run(0..count, out),
        false => in_parts(threads, count, &work, (out, len), &run),
    }
}

/// A batch that several threads may share.
#[inline(never)]
fn in_parts(
    threads: usize,
    count: usize,
    work: &dyn Fn(usize) -> usize,
    (out, len): (&mut [u8], usize),
    run: &(impl Fn(Range<usize>, &mut [u8]) -> Result<(), Failure> + Sync),
) -> Result<(), Failure> {
    let total = (0..count).fold(0_usize, |sum, i| sum.saturating_add(work(i)));
    // Several parts for each thread, so that a thread that ends early takes another.
    let least = (total / threads.saturating_mul(4)).max(MIN_WORK);
    let (mut parts, mut rest, mut start, mut sum) = (Vec::new(), out, 0, 0_usize);
    for i in 0..count {
        sum = sum.saturating_add(work(i));
        if sum >= least || i + 1 == count {
            let (part, after) = rest.split_at_mut((i + 1 - start) * len);
            parts.push((start..i + 1, part));
            (rest, start, sum) = (after, i + 1, 0);
        }
    }
    let threads = threads.min(parts.len());
    let (parts, result) = (Mutex::new(parts.into_iter()), Mutex::new(Ok(())));
    let work = || {
        let next = || lock(&parts).next();
        while let Some((range, out)) = next() {
            if let Err(failure) = barrier(Err(Failure::Internal), || run(range, out)) {
                *lock(&result) = Err(failure);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // If the system has no more threads, the others do its share.
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    *lock(&result)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes a policy, and writes a pointer to it to `*policy`. `kernels` says which kernels may run:
/// a kernel ("sse2_x4": no other), a tier ("avx2": kernels of this tier and of those below it) or a
/// tier to leave out ("-avx512"), several of them separated by commas. If it is NULL, the
/// environment variable LANESUM_KERNEL says so. `threads` is the maximum number of threads that
/// share a batch, including the one that calls; 0 is one for each CPU. Threads are started by calls
/// that hash at least 128 KiB for each, and end before the call returns; such calls allocate memory.
///
/// LANESUM_E_KERNEL if `kernels` names a kernel or tier that does not exist or cannot run here, or
/// allows none. A policy is parsed once: calls with it cost the same as calls with NULL.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_policy_new(
    kernels: *const c_char,
    threads: usize,
    policy: *mut *mut lanesum_policy,
) -> c_int {
    guard::call(|| {
        guard::check(policy, 1)?;
        let parsed = match kernels.is_null() {
            true => Policy::from_env(),
            // SAFETY: a string that ends with a zero, as the caller promises.
            false => Policy::parse(unsafe { guard::text(kernels, Failure::Kernel)? }),
        };
        let made = Box::new(Parsed {
            mark: AtomicU64::new(MARK),
            policy: parsed.map_err(|_| Failure::Kernel)?,
            threads,
            engines: [const { OnceLock::new() }; _],
        });
        // SAFETY: not null and aligned; that it may be written to is the caller's promise.
        unsafe { policy.write(Box::into_raw(made).cast()) };
        Ok(())
    })
}

/// Frees a policy. Does nothing if it is NULL. No call may be using the policy.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_policy_free(policy: *mut lanesum_policy) {
    barrier((), || {
        // SAFETY: the caller's promise.
        if let Ok(parsed) = unsafe { parsed(policy) } {
            parsed.mark.store(0, Ordering::Relaxed);
            // SAFETY: `lanesum_policy_new` made it of a box, and no other call uses it.
            drop(unsafe { Box::from_raw(policy.cast::<Parsed>()) });
        }
    });
}
