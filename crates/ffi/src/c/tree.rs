//! Merkle trees in the standard formats.

use core::ffi::{c_int, c_void};

use engine::tree::{FileBuilder, ShapeError};
use engine::{Algorithm, AsEngine, Engine};

use super::algorithm::{algorithm, lanesum_algorithm};
use super::policy::{chosen, lanesum_policy};
use crate::guard::{self, Failure, Owned};

/// The format of a tree over the bytes of a message: a LANESUM_TREE_ constant.
pub type lanesum_tree = i32;

/// Linux fs-verity: the digest that `fsverity digest` prints. SHA-256 or SHA-512, with a salt of at
/// most 32 bytes.
pub const LANESUM_TREE_FS_VERITY: lanesum_tree = 1;
/// Linux dm-verity: the root hash that `veritysetup format` prints if data blocks and hash blocks
/// have the same length. The salt has at most 256 bytes.
pub const LANESUM_TREE_DM_VERITY: lanesum_tree = 2;
/// BitTorrent version 2: the `pieces root` of a file. SHA-256, leaves of 16384 bytes, no salt.
pub const LANESUM_TREE_TORRENT2: lanesum_tree = 3;
/// Amazon S3: the composite checksum of a multipart upload, whose parts are the leaves. No salt.
pub const LANESUM_TREE_S3: lanesum_tree = 4;

/// The maximum length of a leaf, in bytes.
const MAX_LEAF_LEN: usize = isize::MAX as usize;

/// The length of a leaf of BitTorrent version 2, in bytes.
const TORRENT2_LEAF_LEN: usize = 16 << 10;

/// Computes the root of a tree incrementally. lanesum_tree_begin allocates a builder; free it with
/// lanesum_tree_free.
pub struct lanesum_tree_builder;

/// Creates a builder, or reports the unsuitable argument.
fn builder(
    tree: lanesum_tree,
    engine: &Engine,
    leaf_len: usize,
    salt: &[u8],
) -> Result<FileBuilder, Failure> {
    let is_of = |algorithm| match engine.algorithm() == algorithm {
        true => Ok(()),
        false => Err(Failure::TreeAlgorithm),
    };
    let check = |holds: bool, failure| if holds { Ok(()) } else { Err(failure) };
    let is_length = check((1..=MAX_LEAF_LEN).contains(&leaf_len), Failure::LeafLength);
    match tree {
        LANESUM_TREE_FS_VERITY => {
            is_length?;
            FileBuilder::fs_verity(engine, leaf_len, salt).map_err(shape)
        }
        LANESUM_TREE_DM_VERITY => {
            is_length?;
            FileBuilder::dm_verity(engine, leaf_len, leaf_len, salt).map_err(shape)
        }
        LANESUM_TREE_TORRENT2 => {
            is_of(Algorithm::SHA256)?;
            check(leaf_len == TORRENT2_LEAF_LEN, Failure::LeafLength)?;
            check(salt.is_empty(), Failure::SaltLength)?;
            Ok(FileBuilder::torrent2(engine))
        }
        LANESUM_TREE_S3 => {
            is_length?;
            check(salt.is_empty(), Failure::SaltLength)?;
            Ok(FileBuilder::s3(engine, leaf_len))
        }
        _ => Err(Failure::Tree),
    }
}

/// Maps a tree error to a status.
fn shape(error: ShapeError) -> Failure {
    match error {
        ShapeError::Block { .. } => Failure::LeafLength,
        ShapeError::Salt { .. } => Failure::SaltLength,
        ShapeError::Rest { .. } => Failure::MessageLength,
        ShapeError::Algorithm { .. } => Failure::TreeAlgorithm,
        _ => Failure::Internal,
    }
}

/// Creates a builder from the arguments of a C call.
///
/// # Safety
///
/// `salt` is valid for reads of `salt_len` bytes; `policy` is as [`chosen`] requires.
unsafe fn begun(
    tree: lanesum_tree,
    algorithm: Algorithm,
    leaf_len: usize,
    (salt, salt_len): (*const c_void, usize),
    policy: *const lanesum_policy,
) -> Result<FileBuilder, Failure> {
    // SAFETY: the caller guarantees a valid salt and policy.
    unsafe {
        let salt = guard::slice(salt.cast::<u8>(), salt_len)?;
        let engine = chosen(policy, algorithm, |engine| engine.to_engine())?;
        builder(tree, &engine, leaf_len, salt)
    }
}

/// Allocates a builder for a tree with leaves of `leaf_len` bytes, and writes a pointer to it to
/// `*builder`. The builder uses constant memory, except for LANESUM_TREE_S3: one digest per part.
/// `policy`: see lanesum_policy.
///
/// Returns LANESUM_E_TREE, LANESUM_E_TREE_ALGORITHM, LANESUM_E_LEAF_LENGTH or LANESUM_E_SALT_LENGTH
/// for an unsupported combination, as described at lanesum_tree_root. LANESUM_E_KERNEL if `policy`
/// allows no kernel for the algorithm.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_tree_begin(
    tree: lanesum_tree,
    algorithm: lanesum_algorithm,
    leaf_len: usize,
    salt: *const c_void,
    salt_len: usize,
    policy: *const lanesum_policy,
    builder: *mut *mut lanesum_tree_builder,
) -> c_int {
    guard::call(|| {
        let algorithm = self::algorithm(algorithm)?;
        // SAFETY: the caller guarantees a valid salt, policy and output pointer.
        unsafe {
            Owned::<FileBuilder>::put(builder, || {
                begun(tree, algorithm, leaf_len, (salt, salt_len), policy)
            })
        }
    })
}

/// Adds the `len` bytes at `data` to the message. LANESUM_E_STATE if the builder is finished.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_tree_update(
    builder: *mut lanesum_tree_builder,
    data: *const c_void,
    len: usize,
) -> c_int {
    guard::call(|| {
        // SAFETY: the caller guarantees a valid builder and `len` readable bytes.
        unsafe {
            let data = guard::slice(data.cast::<u8>(), len)?;
            Owned::<FileBuilder>::with(builder, |builder| {
                builder.as_mut().ok_or(Failure::State)?.update(data);
                Ok(())
            })
        }
    })
}

/// Writes the root to `digest`, a buffer of `room` bytes. The builder is then finished, but not
/// freed. If the call fails, the builder is unchanged: LANESUM_E_LENGTH if `room` is less than the
/// length of a digest, LANESUM_E_MESSAGE_LENGTH if the message of a LANESUM_TREE_DM_VERITY is empty
/// or ends with a partial leaf, LANESUM_E_STATE if the builder is already finished.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_tree_finish(
    builder: *mut lanesum_tree_builder,
    digest: *mut u8,
    room: usize,
) -> c_int {
    guard::call(|| {
        // SAFETY: the caller guarantees a valid builder and `room` writable bytes.
        unsafe {
            let root = Owned::<FileBuilder>::with(builder, |builder| {
                let last = builder.as_ref().ok_or(Failure::State)?;
                guard::check_room(digest, room, last.algorithm().digest_len())?;
                last.check().map_err(shape)?;
                let last = builder.take().ok_or(Failure::State)?;
                last.finish().map_err(shape)
            })?;
            guard::put(digest, room, root.as_bytes())
        }
    })
}

/// Frees a builder, finished or not. No-op if NULL. No call may use the builder afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_tree_free(builder: *mut lanesum_tree_builder) {
    // SAFETY: the caller guarantees that the builder is null, or valid and not in use.
    unsafe { Owned::<FileBuilder>::free(builder) }
}

/// Writes the root of a tree over a message of `len` bytes, with leaves of `leaf_len` bytes, to
/// `digest`, a buffer of `room` bytes, which may overlap the message and the salt. `policy`: see
/// lanesum_policy.
///
/// Statuses:
/// LANESUM_E_ALGORITHM if `algorithm` is unknown;
/// LANESUM_E_NULL if `digest` (unless `room` is 0), or a non-empty `message` or `salt`, is NULL;
/// LANESUM_E_LENGTH if `room` is less than the length of a digest;
/// LANESUM_E_TOO_LONG if a length exceeds the address space;
/// LANESUM_E_KERNEL if `policy` allows no kernel for the algorithm;
/// LANESUM_E_TREE if `tree` is not a LANESUM_TREE_ constant;
/// LANESUM_E_TREE_ALGORITHM if the tree does not support the algorithm: fs-verity requires SHA-256 or
/// SHA-512, BitTorrent SHA-256;
/// LANESUM_E_LEAF_LENGTH if the tree does not support `leaf_len`: fs-verity and dm-verity require a
/// power of two from twice the length of a digest to 524288, BitTorrent 16384, S3 any from 1 to
/// PTRDIFF_MAX;
/// LANESUM_E_SALT_LENGTH if the salt is longer than 32 bytes (fs-verity) or 256 (dm-verity), or not
/// empty (BitTorrent, S3);
/// LANESUM_E_MESSAGE_LENGTH if the tree is dm-verity and the message is empty, or not a whole number of
/// leaves.
#[must_use]
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
    policy: *const lanesum_policy,
) -> c_int {
    guard::call(|| {
        let algorithm = self::algorithm(algorithm)?;
        guard::check_room(digest, room, algorithm.digest_len())?;
        // SAFETY: the caller guarantees valid pointers; all input is read before the digest is
        // written.
        unsafe {
            let message = guard::slice(message.cast::<u8>(), len)?;
            let mut builder = begun(tree, algorithm, leaf_len, (salt, salt_len), policy)?;
            builder.update(message);
            let root = builder.finish().map_err(shape)?;
            guard::put(digest, room, root.as_bytes())
        }
    })
}
