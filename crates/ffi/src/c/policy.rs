//! Policies: the allowed kernels, parsed once, and the number of threads per batch.

use core::ffi::{c_char, c_int};
use core::ops::Range;
use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

use engine::unstable::Selected;
use engine::{Algorithm, AsEngine, Engine, Policy};

use super::algorithm::NUMBERED;
use crate::guard::{self, Failure, barrier};

/// The allowed kernels and the number of threads per batch. lanesum_policy_new allocates a policy;
/// free it with lanesum_policy_free. Any number of threads may use one policy concurrently.
///
/// Parameters called `policy` also accept NULL: then LANESUM_KERNEL determines the allowed kernels,
/// and a batch runs on the calling thread. LANESUM_COSTS may name a file with the costs of kernels on this
/// CPU, written by `lanesum tune`. A policy never changes a digest.
///
/// The first successful call with each algorithm reads these variables and the file. Call setenv before the
/// first call of the library, and never concurrently with a call. Set-user-ID programs ignore LANESUM_COSTS.
pub struct lanesum_policy;

/// The contents of a `lanesum_policy`.
#[repr(C)]
struct Parsed {
    /// `MARK` until the policy is freed.
    mark: AtomicU64,
    policy: Policy,
    threads: usize,
    /// Indexed by [`place`]; `None` if no allowed kernel supports the algorithm.
    engines: [OnceLock<Option<Box<Engine>>>; PLACES],
}

const MARK: u64 = u64::from_be_bytes(*b"policy\0\0");

/// One entry per SHA-512/t, by digest length in bytes, and one for each other algorithm.
const PLACES: usize = 64 + NUMBERED.len();

/// Returns the index of an algorithm's engine.
fn place(algorithm: Algorithm) -> usize {
    match NUMBERED.iter().position(|(_, numbered)| *numbered == algorithm) {
        Some(place) => 64 + place,
        None => algorithm.digest_len(),
    }
}

impl Parsed {
    fn engine(&self, algorithm: Algorithm) -> Result<&Engine, Failure> {
        let engine = self.engines[place(algorithm)]
            .get_or_init(|| self.policy.engine(algorithm).ok().map(Box::new));
        engine.as_deref().ok_or(Failure::Kernel)
    }
}

/// Returns the contents of a policy, if it is valid.
///
/// # Safety
///
/// `policy` is null, or comes from lanesum_policy_new and is not freed during `'p`.
unsafe fn parsed<'p>(policy: *const lanesum_policy) -> Result<&'p Parsed, Failure> {
    // SAFETY: any bytes are a valid mark, and only the mark is read before it is checked.
    let mark = unsafe { guard::reference(policy.cast::<AtomicU64>())? };
    if mark.load(Ordering::Relaxed) != MARK {
        return Err(Failure::State);
    }
    // SAFETY: the mark is the first field of a `Parsed`.
    Ok(unsafe { &*policy.cast::<Parsed>() })
}

/// Runs `run` with the engine that a policy selects for an algorithm.
///
/// # Errors
///
/// If no allowed kernel supports the algorithm, or if `policy` is null and LANESUM_KERNEL or LANESUM_COSTS is
/// invalid.
///
/// # Safety
///
/// `policy` is null, or comes from lanesum_policy_new and is not yet freed.
#[inline]
pub(super) unsafe fn chosen<R>(
    policy: *const lanesum_policy,
    algorithm: Algorithm,
    run: impl FnOnce(Selected<'_>) -> R,
) -> Result<R, Failure> {
    if policy.is_null() {
        return guard::usable(algorithm).map(|algorithm| run(algorithm.choice()));
    }
    // SAFETY: the caller guarantees a valid policy, and it is not null.
    unsafe { by_policy(policy, algorithm, run) }
}

/// Implements [`chosen`] for a policy, out of line to keep the stack frames of calls without one
/// small.
///
/// # Safety
///
/// As [`chosen`], and `policy` is not null.
#[inline(never)]
unsafe fn by_policy<R>(
    policy: *const lanesum_policy,
    algorithm: Algorithm,
    run: impl FnOnce(Selected<'_>) -> R,
) -> Result<R, Failure> {
    // SAFETY: the caller guarantees a valid policy.
    unsafe { parsed(policy)? }.engine(algorithm).map(|engine| run(engine.choice()))
}

/// Returns the number of threads that share a batch under this policy.
///
/// # Safety
///
/// As [`chosen`].
pub(super) unsafe fn threads(policy: *const lanesum_policy) -> Result<usize, Failure> {
    if policy.is_null() {
        return Ok(1);
    }
    // SAFETY: the caller guarantees a valid policy.
    let threads = unsafe { parsed(policy)? }.threads;
    Ok(match threads {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    })
}

/// The minimum work of a part, in bytes to compress. It takes about as long as starting two
/// threads.
const MIN_WORK: usize = 128 << 10;

/// Splits a batch of `count` messages and runs `run` on its parts, on at most `threads` threads
/// including the caller's. Message i has `work(i)` bytes to compress, and its result is the `len`
/// bytes of `out` at `i * len`.
///
/// # Errors
///
/// Returns one of the errors of `run`; results of other parts may have been written.
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

/// Runs a batch on several threads.
#[inline(never)]
fn in_parts(
    threads: usize,
    count: usize,
    work: &dyn Fn(usize) -> usize,
    (out, len): (&mut [u8], usize),
    run: &(impl Fn(Range<usize>, &mut [u8]) -> Result<(), Failure> + Sync),
) -> Result<(), Failure> {
    let total = (0..count).fold(0_usize, |sum, i| sum.saturating_add(work(i)));
    // Several parts per thread, so that a thread that finishes early can process another.
    let least = (total / threads.saturating_mul(4)).max(MIN_WORK);
    if total <= least {
        return run(0..count, out);
    }
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
            // If the system cannot start a thread, the other threads process its share.
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    *lock(&result)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Allocates a policy, and writes a pointer to it to `*policy`. `kernels` is a NUL-terminated,
/// comma-separated list of lower-case restrictions, which add up: a kernel ("sse2_x4": only this one), a tier
/// ("avx2": this tier and those that it includes) or an excluded tier ("-avx512"). Spaces around them
/// are ignored, and an empty list allows all kernels. If it is NULL, the environment variables
/// LANESUM_KERNEL and LANESUM_COSTS apply. `threads` is the maximum number of threads per batch, including the calling
/// thread; 0 means one per CPU. Only calls that hash at least 128 KiB per thread start threads, which
/// end before the call returns; such calls allocate memory.
///
/// LANESUM_E_KERNEL if `kernels` names a kernel or tier that does not exist or cannot run here, or
/// allows none, or if it is NULL and a variable is invalid. A policy is parsed once: a call with it takes less than 20 ns longer than one with NULL.
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
            // SAFETY: the caller passes a NUL-terminated string.
            false => Policy::parse(unsafe { guard::text(kernels, Failure::Kernel)? }),
        };
        let made = Box::new(Parsed {
            mark: AtomicU64::new(MARK),
            policy: parsed.map_err(|_| Failure::Kernel)?,
            threads,
            engines: [const { OnceLock::new() }; _],
        });
        // SAFETY: not null and aligned; the caller guarantees that it is valid for writes.
        unsafe { policy.write(Box::into_raw(made).cast()) };
        Ok(())
    })
}

/// Frees a policy. No-op if NULL. No other call may be using the policy.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_policy_free(policy: *mut lanesum_policy) {
    barrier((), || {
        // SAFETY: the caller guarantees that the policy is null or valid.
        if let Ok(parsed) = unsafe { parsed(policy) } {
            parsed.mark.store(0, Ordering::Relaxed);
            // SAFETY: `lanesum_policy_new` allocated it with `Box`, and no other call uses it.
            drop(unsafe { Box::from_raw(policy.cast::<Parsed>()) });
        }
    });
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn algorithms_do_not_share_an_engine() {
        let numbered = NUMBERED.iter().map(|&(_, algorithm)| algorithm);
        let truncated = (8..512).step_by(8).filter(|&t| t != 384);
        let all = truncated.map(|t| format!("sha512/{t}").parse().unwrap()).chain(numbered);
        let all: Vec<Algorithm> = all.collect();
        let places: BTreeSet<usize> = all.iter().map(|&algorithm| place(algorithm)).collect();
        assert_eq!(places.len(), all.len());
        assert!(*places.last().unwrap() < PLACES);
    }
}
