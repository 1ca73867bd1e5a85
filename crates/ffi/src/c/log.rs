//! Logs of RFC 6962, and proofs of their entries.

use core::ffi::{c_int, c_void};

use engine::tree::{Log, ProofError, Tree};
use engine::{Algorithm, Digest};

use super::algorithm::{algorithm, lanesum_algorithm};
use super::batch::Pointers;
use super::policy::{chosen, lanesum_policy};
use crate::guard::{self, Failure, Owned};

/// The maximum length of a proof, in bytes.
pub const LANESUM_MAX_PROOF_LEN: usize = 4160;

// Of 2^64 entries of 64 bytes: a node of each level, and one to begin with.
const _: () = assert!(LANESUM_MAX_PROOF_LEN == (u64::BITS as usize + 1) * Digest::MAX_LEN);

/// An append-only log of RFC 6962 (Certificate Transparency), which proves that it contains an entry,
/// and that an earlier log is its beginning. lanesum_log_begin makes one, and lanesum_log_free frees
/// it.
pub struct lanesum_log;

/// What is wrong with a proof.
fn refused(error: ProofError) -> Failure {
    match error {
        ProofError::Root => Failure::Mismatch,
        ProofError::Leaf { .. } => Failure::Entry,
        _ => Failure::ProofLength,
    }
}

/// # Safety
///
/// [`Owned::with`]'s.
unsafe fn with<R>(
    log: *const lanesum_log,
    work: impl FnOnce(&mut Log) -> Result<R, Failure>,
) -> Result<R, Failure> {
    // SAFETY: the caller's promise.
    unsafe { Owned::<Log>::with(log, |log| work(log.as_mut().ok_or(Failure::State)?)) }
}

/// The digests that a caller has one after the other.
///
/// # Errors
///
/// If they are not whole.
fn digests(algorithm: Algorithm, bytes: &[u8]) -> Result<Vec<Digest>, Failure> {
    let digests = bytes.chunks_exact(algorithm.digest_len());
    if !digests.remainder().is_empty() {
        return Err(Failure::ProofLength);
    }
    digests.map(|digest| Digest::try_from(digest).map_err(|_| Failure::ProofLength)).collect()
}

/// A root, which has to be of so many bytes.
///
/// # Safety
///
/// Other than null, there are as many.
unsafe fn root(algorithm: Algorithm, root: *const u8, len: usize) -> Result<Digest, Failure> {
    if len != algorithm.digest_len() {
        return Err(Failure::RootLength);
    }
    // SAFETY: the caller's promise.
    Digest::try_from(unsafe { guard::slice(root, len)? }).map_err(|_| Failure::RootLength)
}

/// Writes the root of a log of RFC 6962 (Certificate Transparency) with `count` entries to
/// `digest`, which has `room` bytes. Entry i is the `lens[i]` bytes at `entries[i]`. No entry may
/// overlap the digest. `policy`: see lanesum_policy.
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
        // SAFETY: the caller's promise; the entries are apart from the digest.
        unsafe {
            let entries = Pointers::new(entries, lens, count, written)?;
            let root = chosen(policy, algorithm, |engine| {
                Tree::rfc6962(engine).build_entries(&entries).root()
            })?;
            guard::put(digest, room, root.as_bytes())
        }
    })
}

/// Begins an empty log, and writes a pointer to it to `*log`. It stores the digests of all nodes,
/// twice as many as entries. `policy`: see lanesum_policy.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_log_begin(
    algorithm: lanesum_algorithm,
    policy: *const lanesum_policy,
    log: *mut *mut lanesum_log,
) -> c_int {
    guard::call(|| {
        let algorithm = self::algorithm(algorithm)?;
        // SAFETY: the caller's promise.
        unsafe { Owned::<Log>::put(log, || chosen(policy, algorithm, |engine| Log::new(engine))) }
    })
}

/// Appends `count` entries to a log. Entry i is the `lens[i]` bytes at `entries[i]`.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_log_append(
    log: *mut lanesum_log,
    entries: *const *const c_void,
    lens: *const usize,
    count: usize,
) -> c_int {
    guard::call(|| {
        // SAFETY: the caller's promise. Nothing of the caller's is written.
        unsafe {
            let nothing = core::ptr::slice_from_raw_parts(core::ptr::null(), 0);
            let entries = Pointers::new(entries, lens, count, nothing)?;
            with(log, |log| {
                log.append(&entries);
                Ok(())
            })
        }
    })
}

/// Writes the number of entries of a log to `*count`.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_log_count(log: *const lanesum_log, count: *mut u64) -> c_int {
    guard::call(|| {
        // SAFETY: the caller's promise.
        unsafe {
            guard::reference(count)?;
            count.write(with(log, |log| Ok(log.len()))?);
        }
        Ok(())
    })
}

/// Writes the root that a log had when it had `count` entries to `digest`, which has `room` bytes.
/// LANESUM_E_ENTRY if the log has fewer.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_log_root(
    log: *const lanesum_log,
    count: u64,
    digest: *mut u8,
    room: usize,
) -> c_int {
    guard::call(|| {
        // SAFETY: the caller's promise.
        unsafe {
            let root = with(log, |log| log.root_at(count).map_err(refused))?;
            guard::put(digest, room, root.as_bytes())
        }
    })
}

/// Writes the proof that entry `entry` is in a log (its audit path) to `proof`, which has `room`
/// bytes, and its length to `*len`: contiguous digests, of at most LANESUM_MAX_PROOF_LEN bytes.
/// LANESUM_E_ENTRY if there is no such entry; the first is 0.
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
        // SAFETY: the caller's promise.
        unsafe {
            let made = with(log, |log| log.proof(entry).map_err(refused))?;
            put(&made, (proof, room), len)
        }
    })
}

/// Writes the proof that the log of the first `old` entries is the beginning of a log to `proof`, as
/// lanesum_log_inclusion does. LANESUM_E_ENTRY if the log has fewer entries.
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
        // SAFETY: the caller's promise.
        unsafe {
            let made = with(log, |log| log.consistency(old).map_err(refused))?;
            put(&made, (proof, room), len)
        }
    })
}

/// # Safety
///
/// `proof` and `len` may be written to.
unsafe fn put(
    proof: &[Digest],
    (to, room): (*mut u8, usize),
    len: *mut usize,
) -> Result<(), Failure> {
    let bytes = proof.iter().flat_map(Digest::as_bytes).copied().collect::<Vec<_>>();
    // SAFETY: the caller's promise.
    unsafe {
        guard::reference(len)?;
        if !bytes.is_empty() {
            guard::put(to, room, &bytes)?;
        }
        len.write(bytes.len());
    }
    Ok(())
}

/// Frees a log. Does nothing if it is NULL. No call may use the log afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_log_free(log: *mut lanesum_log) {
    // SAFETY: the caller's promise.
    unsafe { Owned::<Log>::free(log) }
}

/// Verifies a proof that the `len` bytes at `message` are entry `entry` of a log with `count` entries
/// and this root. LANESUM_E_MISMATCH if it leads to another root, LANESUM_E_PROOF_LENGTH if the proof
/// has the wrong length, LANESUM_E_ENTRY if `entry` is not less than `count`, LANESUM_E_ROOT_LENGTH if
/// `root_len` is not the length of a digest.
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
        // SAFETY: the caller's promise.
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

/// Verifies a proof that the log with `old` entries and `old_root` is the beginning of the log with
/// `count` entries and `root`. Both roots have `root_len` bytes. The statuses are those of
/// lanesum_log_verify_inclusion; LANESUM_E_ENTRY if `old` is greater than `count`.
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
        // SAFETY: the caller's promise.
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
