//! Merkle trees that people have.

use core::ffi::{c_char, c_int, c_void};

use engine::tree::{Tree, fs_verity_digest};
use engine::{Algorithm, Digest, Engine};

use super::algorithm::{algorithm, lanesum_algorithm};
use super::batch::Pointers;
use super::kernel::chosen;
use crate::guard::{self, Failure};

/// A tree over the bytes of a message: a LANESUM_TREE_ constant.
pub type lanesum_tree = i32;

/// Linux's fs-verity: what `fsverity digest` prints. SHA-256 or SHA-512, a salt of at most 32
/// bytes.
pub const LANESUM_TREE_FS_VERITY: lanesum_tree = 1;
/// Linux's dm-verity: the root that `veritysetup format` prints, of blocks that are as long in the
/// data as in the tree. A salt of at most 256 bytes.
pub const LANESUM_TREE_DM_VERITY: lanesum_tree = 2;
/// The root of a file by BitTorrent version 2: SHA-256 of leaves of 16384 bytes, without a salt.
pub const LANESUM_TREE_TORRENT2: lanesum_tree = 3;
/// Amazon S3's composite checksum of an upload in parts, without a salt.
pub const LANESUM_TREE_S3: lanesum_tree = 4;

/// The longest leaf that can be had of a caller, in bytes.
const LONGEST_LEAF: usize = isize::MAX as usize;

fn root(
    tree: lanesum_tree,
    engine: &Engine,
    leaf_len: usize,
    salt: &[u8],
    data: &[u8],
) -> Result<Digest, Failure> {
    let plain = |leaf: usize| match salt.is_empty() && leaf_len == leaf {
        true => Ok(()),
        false => Err(Failure::Malformed),
    };
    let shape = |tree: Result<Tree, _>| tree.map_err(|_| Failure::Malformed);
    if !(1..=LONGEST_LEAF).contains(&leaf_len) {
        return Err(Failure::Malformed);
    }
    match tree {
        LANESUM_TREE_FS_VERITY => {
            let tree = shape(Tree::fs_verity(engine, leaf_len, salt))?;
            let root = tree.build(data).root();
            fs_verity_digest(engine, leaf_len, salt, data.len() as u64, &root)
                .map_err(|_| Failure::Malformed)
        }
        LANESUM_TREE_DM_VERITY => {
            let tree = shape(Tree::dm_verity(engine, leaf_len, leaf_len, salt))?;
            if data.is_empty() || !data.len().is_multiple_of(leaf_len) {
                return Err(Failure::Length);
            }
            Ok(tree.build(data).root())
        }
        LANESUM_TREE_TORRENT2 if engine.algorithm() == Algorithm::SHA256 => {
            plain(16 << 10)?;
            Ok(Tree::torrent2_on(engine).build(data).root())
        }
        LANESUM_TREE_S3 => {
            plain(leaf_len)?;
            let tree = Tree::list(engine, leaf_len);
            let mut leaves = Vec::new();
            match data.is_empty() {
                // An upload has at least one part.
                true => tree.hash_entries(&[b""], &mut leaves),
                false => tree.hash_leaves(data, &mut leaves),
            }
            Ok(tree.above(leaves).composite())
        }
        _ => Err(Failure::Malformed),
    }
}

/// Writes the root of a tree over a message of `len` bytes, in leaves of `leaf_len` bytes, to
/// `digest`, which has `room` bytes. `kernels`: see lanesum_kernel.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_tree_root(
    tree: lanesum_tree,
    algorithm: lanesum_algorithm,
    leaf_len: usize,
    salt: *const c_void,
    salt_len: usize,
    message: *const c_void,
    len: usize,
    digest: *mut u8,
    room: usize,
    kernels: *const c_char,
) -> c_int {
    guard::call(|| {
        let algorithm = self::algorithm(algorithm)?;
        guard::check_room(digest, room, algorithm.digest_len())?;
        // SAFETY: the caller's promise; all is read before the digest is written.
        unsafe {
            let salt = guard::slice(salt.cast::<u8>(), salt_len)?;
            let message = guard::slice(message.cast::<u8>(), len)?;
            let engine = chosen(kernels, algorithm, |engine| engine.to_engine())?;
            let root = root(tree, &engine, leaf_len, salt, message)?;
            guard::put(digest, room, root.as_bytes())
        }
    })
}

/// Writes the root of a log by RFC 6962 (Certificate Transparency) over `count` entries to
/// `digest`, which has `room` bytes. Entry i is the `lens[i]` bytes at `entries[i]`, none of which
/// may overlap with the digest.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_tree_log(
    algorithm: lanesum_algorithm,
    entries: *const *const c_void,
    lens: *const usize,
    count: usize,
    digest: *mut u8,
    room: usize,
    kernels: *const c_char,
) -> c_int {
    guard::call(|| {
        let algorithm = self::algorithm(algorithm)?;
        let len = algorithm.digest_len();
        guard::check_room(digest, room, len)?;
        let written = core::ptr::slice_from_raw_parts(digest.cast_const(), len);
        // SAFETY: the caller's promise; the entries are apart from the digest.
        unsafe {
            let entries = Pointers::new(entries, lens, count, written)?;
            let root = chosen(kernels, algorithm, |engine| {
                Tree::rfc6962(engine).build_entries(&entries).root()
            })?;
            guard::put(digest, room, root.as_bytes())
        }
    })
}
