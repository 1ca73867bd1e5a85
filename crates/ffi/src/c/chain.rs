//! Hash chains, and double hashes of many messages.

use core::ffi::{c_int, c_void};
use core::mem::size_of_val;
use core::ptr::slice_from_raw_parts;

use engine::{Bytes, Messages, Strided, chain, chain_many, double_hash_many};

use super::algorithm::{algorithm, lanesum_algorithm, usable};
use super::batch::{Pointers, places, work};
use super::policy::{chosen, lanesum_policy, share, threads};
use crate::guard::{self, Failure};

/// Computes a hash chain: hashes the `start_len` bytes at `start`, a digest, `count` times, each time
/// the digest before. 0 times copies it. Writes the last digest to `digest`, a buffer of `room` bytes
/// that may overlap `start`. LANESUM_E_PARAMETER if `start_len` is not the length of a digest.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_chain(
    algorithm: lanesum_algorithm,
    start: *const c_void,
    start_len: usize,
    count: u64,
    digest: *mut u8,
    room: usize,
) -> c_int {
    guard::call(|| {
        let algorithm = usable(algorithm)?;
        guard::check_room(digest, room, algorithm.digest_len())?;
        // SAFETY: the caller guarantees valid pointers; `start` is read before `digest` is written.
        unsafe {
            let start = guard::slice::<u8>(start.cast(), start_len)?;
            if start.len() != algorithm.digest_len() {
                return Err(Failure::Parameter);
            }
            guard::put(digest, room, chain(algorithm, start, count).as_bytes())
        }
    })
}

/// Computes `count` hash chains in parallel SIMD lanes. Chain i starts from digest i of the
/// contiguous digests in `starts`, a buffer of `len` bytes, and has `counts[i]` links, as in
/// lanesum_chain; the numbers of links may differ. LANESUM_E_PARAMETER if `len` is not `count`
/// digests. The last digests are contiguous in `digests`, a buffer of `room` bytes that may overlap
/// neither `starts` nor `counts`. `policy`: see lanesum_policy.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_chain_many(
    algorithm: lanesum_algorithm,
    starts: *const c_void,
    len: usize,
    counts: *const u64,
    count: usize,
    digests: *mut u8,
    room: usize,
    policy: *const lanesum_policy,
) -> c_int {
    guard::call(|| {
        let algorithm = self::algorithm(algorithm)?;
        let each = algorithm.digest_len();
        let out = places(digests, room, count, each)?;
        // SAFETY: the caller guarantees valid pointers; `apart` checks that they do not overlap the
        // digests.
        unsafe {
            let starts = guard::slice::<u8>(starts.cast(), len)?;
            let counts = guard::slice(counts, count)?;
            if starts.len() != out.len() {
                return Err(Failure::Parameter);
            }
            guard::apart(starts, out)?;
            guard::apart(slice_from_raw_parts(counts.as_ptr().cast(), size_of_val(counts)), out)?;
            let out = guard::slice_mut(digests, out.len())?;
            let threads = threads(policy)?;
            chosen(policy, algorithm, |engine| {
                let links = |i: usize| usize::try_from(counts[i]).unwrap_or(usize::MAX);
                let work = |i| links(i).saturating_mul(algorithm.block_len());
                share(threads, count, work, (out, each), |range, out| {
                    let starts = &starts[range.start * each..range.end * each];
                    let starts = Strided::new(starts, each).map_err(|_| Failure::Internal)?;
                    chain_many(engine, &starts, &counts[range], Bytes(out));
                    Ok(())
                })
            })?
        }
    })
}

/// Hashes `count` messages as lanesum_hash_many does, and each digest once more: double SHA-256
/// (SHA256d), as in the blocks and transactions of Bitcoin. The second digests are contiguous in
/// `digests`, a buffer of `room` bytes. No message may overlap the digests. `policy`: see
/// lanesum_policy.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_double_hash_many(
    algorithm: lanesum_algorithm,
    messages: *const *const c_void,
    lens: *const usize,
    count: usize,
    digests: *mut u8,
    room: usize,
    policy: *const lanesum_policy,
) -> c_int {
    guard::call(|| {
        let algorithm = self::algorithm(algorithm)?;
        let out = places(digests, room, count, algorithm.digest_len())?;
        // SAFETY: the caller guarantees valid pointers; `Pointers::new` checks that no message
        // overlaps the digests.
        unsafe {
            let messages = Pointers::new(messages, lens, count, out)?;
            let out = guard::slice_mut(digests, out.len())?;
            let threads = threads(policy)?;
            chosen(policy, algorithm, |engine| {
                let work = |i| work(messages.message(i)) + algorithm.block_len();
                share(threads, count, work, (out, algorithm.digest_len()), |range, out| {
                    let part = messages.part(range.start, range.len());
                    double_hash_many(engine, &part, Bytes(out));
                    Ok(())
                })
            })?
        }
    })
}
