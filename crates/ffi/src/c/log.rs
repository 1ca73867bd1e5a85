//! RFC 6962 logs, and inclusion and consistency proofs.

use core::ffi::{c_int, c_void};

use engine::tree::{Log, ProofError, Tree};
use engine::{Algorithm, Digest, Messages};

use super::algorithm::{algorithm, lanesum_algorithm};
use super::batch::Pointers;
use super::policy::{chosen, lanesum_policy};
use crate::guard::{self, Failure, Owned};

/// The maximum length of a proof, in bytes.
pub const LANESUM_MAX_PROOF_LEN: usize = 4160;

// 2^64 entries have at most one node of 64 bytes per level, plus one at the start of a consistency
// proof.
const _: () = assert!(LANESUM_MAX_PROOF_LEN == (u64::BITS as usize + 1) * Digest::MAX_LEN);

/// An append-only log (RFC 6962, Certificate Transparency). It proves that it contains an entry, or
/// that an earlier log is a prefix of it. lanesum_log_begin allocates it; free it with
/// lanesum_log_free.
pub struct lanesum_log;

/// Maps a proof error to a status.
fn refused(error: ProofError) -> Failure {
    match error {
        ProofError::Root => Failure::Mismatch,
        ProofError::Leaf { .. } | ProofError::Size { .. } => Failure::Entry,
        _ => Failure::ProofLength,
    }
}

/// Runs `work` on the log, concurrently with other queries.
///
/// # Safety
///
/// As for [`Owned::read`].
unsafe fn read<R>(
    log: *const lanesum_log,
    work: impl FnOnce(&Log) -> Result<R, Failure>,
) -> Result<R, Failure> {
    // SAFETY: the caller upholds the contract of `Owned::read`.
    unsafe { Owned::<Log>::read(log, |log| work(log.as_ref().ok_or(Failure::State)?)) }
}

/// Parses contiguous digests.
///
/// # Errors
///
/// If the last digest is incomplete.
fn digests(algorithm: Algorithm, bytes: &[u8]) -> Result<Vec<Digest>, Failure> {
    let digests = bytes.chunks_exact(algorithm.digest_len());
    if !digests.remainder().is_empty() {
        return Err(Failure::ProofLength);
    }
    digests.map(|digest| Digest::try_from(digest).map_err(|_| Failure::ProofLength)).collect()
}

/// Parses a root of `len` bytes, which must be the length of a digest.
///
/// # Safety
///
/// `root` is null or valid for reads of `len` bytes.
unsafe fn root(algorithm: Algorithm, root: *const u8, len: usize) -> Result<Digest, Failure> {
    if len != algorithm.digest_len() {
        return Err(Failure::RootLength);
    }
    // SAFETY: the caller guarantees `len` readable bytes.
    Digest::try_from(unsafe { guard::slice(root, len)? }).map_err(|_| Failure::RootLength)
}

/// Writes the root of an RFC 6962 (Certificate Transparency) log with `count` entries to `digest`,
/// a buffer of `room` bytes. Entry i is the `lens[i]` bytes at `entries[i]`. No entry may overlap
/// the digest. `policy`: see lanesum_policy. LANESUM_E_MEMORY if the digests of the tree, about two
/// per entry, do not fit in memory.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_tree_log(
    algorithm: lanesum_algorithm,
    entries: *const *const c_void,
    lens: *const usize,
    count: usize,
    digest: *mut u8,
    room: usize,
    policy: *const lanesum_policy,
) -> c_int {
    guard::call(|| {
        let algorithm = self::algorithm(algorithm)?;
        let len = algorithm.digest_len();
        guard::check_room(digest, room, len)?;
        let written = core::ptr::slice_from_raw_parts(digest.cast_const(), len);
        // SAFETY: the caller guarantees valid pointers; `Pointers::new` checks that no entry
        // overlaps the digest.
        unsafe {
            let entries = Pointers::new(entries, lens, count, written)?;
            let mut log = chosen(policy, algorithm, |engine| Log::new(engine))?;
            append(&mut log, &entries)?;
            guard::put(digest, room, log.root().as_bytes())
        }
    })
}

/// Allocates an empty log, and writes a pointer to it to `*log`. The log stores the digests of all
/// nodes, about two per entry. `policy`: see lanesum_policy.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_log_begin(
    algorithm: lanesum_algorithm,
    policy: *const lanesum_policy,
    log: *mut *mut lanesum_log,
) -> c_int {
    guard::call(|| {
        let algorithm = self::algorithm(algorithm)?;
        // SAFETY: the caller guarantees that `log` is valid for writes and `policy` null or valid.
        unsafe { Owned::<Log>::put(log, || chosen(policy, algorithm, |engine| Log::new(engine))) }
    })
}

/// Appends entries, if there is memory for their digests.
fn append(log: &mut Log, entries: &Pointers<'_>) -> Result<(), Failure> {
    log.try_reserve(entries.count()).map_err(|_| Failure::Memory)?;
    log.append(entries);
    Ok(())
}

/// Appends `count` entries to a log. Entry i is the `lens[i]` bytes at `entries[i]`. LANESUM_E_MEMORY
/// if the digests of the log, about two per entry, do not fit in memory; the log is then unchanged.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_log_append(
    log: *mut lanesum_log,
    entries: *const *const c_void,
    lens: *const usize,
    count: usize,
) -> c_int {
    guard::call(|| {
        // SAFETY: the caller guarantees valid pointers. No caller memory is written.
        unsafe {
            let nothing = core::ptr::slice_from_raw_parts(core::ptr::null(), 0);
            let entries = Pointers::new(entries, lens, count, nothing)?;
            Owned::<Log>::with(log, |log| append(log.as_mut().ok_or(Failure::State)?, &entries))
        }
    })
}

/// Writes the number of entries of a log to `*count`.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_log_count(log: *const lanesum_log, count: *mut u64) -> c_int {
    guard::call(|| {
        // SAFETY: the caller guarantees a valid log and that `count` is valid for writes.
        unsafe {
            guard::reference(count)?;
            count.write(read(log, |log| Ok(log.len()))?);
        }
        Ok(())
    })
}

/// Writes the root of the first `count` entries of a log to `digest`, a buffer of `room` bytes.
/// LANESUM_E_ENTRY if the log has fewer entries.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_log_root(
    log: *const lanesum_log,
    count: u64,
    digest: *mut u8,
    room: usize,
) -> c_int {
    guard::call(|| {
        // SAFETY: the caller guarantees a valid log and `room` writable bytes.
        unsafe {
            let root = read(log, |log| log.root_at(count).map_err(refused))?;
            guard::put(digest, room, root.as_bytes())
        }
    })
}

/// Writes the inclusion proof (audit path) of entry `entry`, counted from 0, to `proof`, a buffer
/// of `room` bytes, and its length to `*len`. A proof consists of contiguous digests, in total at
/// most LANESUM_MAX_PROOF_LEN bytes. LANESUM_E_LENGTH if it does not fit. Verify it with the log's
/// current number of entries and root. LANESUM_E_ENTRY if the log has no such entry.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_log_inclusion(
    log: *const lanesum_log,
    entry: u64,
    proof: *mut u8,
    room: usize,
    len: *mut usize,
) -> c_int {
    guard::call(|| {
        // SAFETY: the caller guarantees a valid log and valid output pointers.
        unsafe {
            let made = read(log, |log| log.proof(entry).map_err(refused))?;
            put(&made, (proof, room), len)
        }
    })
}

/// Writes the consistency proof that the first `old` entries are a prefix of the log to `proof`, a
/// buffer of `room` bytes, and its length to `*len`. LANESUM_MAX_PROOF_LEN bytes are always enough.
/// LANESUM_E_LENGTH if the proof does not fit. LANESUM_E_ENTRY if the log has fewer than `old`
/// entries.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_log_consistency(
    log: *const lanesum_log,
    old: u64,
    proof: *mut u8,
    room: usize,
    len: *mut usize,
) -> c_int {
    guard::call(|| {
        // SAFETY: the caller guarantees a valid log and valid output pointers.
        unsafe {
            let made = read(log, |log| log.consistency(old).map_err(refused))?;
            put(&made, (proof, room), len)
        }
    })
}

/// Writes a proof to `to` and its length to `*len`.
///
/// # Safety
///
/// `to` is valid for writes of `room` bytes, and `len` is valid for writes.
unsafe fn put(
    proof: &[Digest],
    (to, room): (*mut u8, usize),
    len: *mut usize,
) -> Result<(), Failure> {
    let bytes = proof.iter().flat_map(Digest::as_bytes).copied().collect::<Vec<_>>();
    // SAFETY: the caller guarantees valid output pointers.
    unsafe {
        guard::reference(len)?;
        if !bytes.is_empty() {
            guard::put(to, room, &bytes)?;
        }
        len.write(bytes.len());
    }
    Ok(())
}

/// Frees a log. No-op if NULL. No call may use the log afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_log_free(log: *mut lanesum_log) {
    // SAFETY: the caller guarantees that the log is null, or valid and not in use.
    unsafe { Owned::<Log>::free(log) }
}

/// Verifies that the `len` bytes at `message` are entry `entry` of the log with `count` entries and
/// root `root`. LANESUM_E_MISMATCH if the proof leads to another root, LANESUM_E_PROOF_LENGTH if it
/// has the wrong length, LANESUM_E_ENTRY if `entry` is not less than `count`, LANESUM_E_ROOT_LENGTH
/// if `root_len` is not the length of a digest.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_log_verify_inclusion(
    algorithm: lanesum_algorithm,
    entry: u64,
    count: u64,
    message: *const c_void,
    len: usize,
    proof: *const u8,
    proof_len: usize,
    root: *const u8,
    root_len: usize,
) -> c_int {
    guard::call(|| {
        let algorithm = guard::usable(self::algorithm(algorithm)?)?;
        // SAFETY: the caller guarantees that the pointers are valid for their lengths.
        let (message, proof, root) = unsafe {
            (
                guard::slice(message.cast::<u8>(), len)?,
                guard::slice(proof, proof_len)?,
                self::root(algorithm, root, root_len)?,
            )
        };
        let (tree, proof) = (Tree::rfc6962(algorithm), digests(algorithm, proof)?);
        tree.verify(entry, count, &tree.entry(message), &proof, &root).map_err(refused)
    })
}

/// Verifies that the log with `old` entries and root `old_root` is a prefix of the log with `count`
/// entries and root `root`. Both roots have `root_len` bytes. LANESUM_E_MISMATCH if the proof leads
/// to another root, LANESUM_E_PROOF_LENGTH if it has the wrong length, LANESUM_E_ENTRY if `old` is
/// greater than `count`, LANESUM_E_ROOT_LENGTH if `root_len` is not the length of a digest.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_log_verify_consistency(
    algorithm: lanesum_algorithm,
    old: u64,
    count: u64,
    old_root: *const u8,
    root: *const u8,
    root_len: usize,
    proof: *const u8,
    proof_len: usize,
) -> c_int {
    guard::call(|| {
        let algorithm = guard::usable(self::algorithm(algorithm)?)?;
        // SAFETY: the caller guarantees that the pointers are valid for their lengths.
        let (old_root, root, proof) = unsafe {
            (
                self::root(algorithm, old_root, root_len)?,
                self::root(algorithm, root, root_len)?,
                guard::slice(proof, proof_len)?,
            )
        };
        let (tree, proof) = (Tree::rfc6962(algorithm), digests(algorithm, proof)?);
        tree.verify_consistency(old, count, &old_root, &root, &proof).map_err(refused)
    })
}
