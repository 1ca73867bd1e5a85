//! Merkle trees that people have.

use core::ffi::{c_char, c_int, c_void};

use engine::tree::FileBuilder;
use engine::{Algorithm, Engine};

use super::algorithm::{algorithm, lanesum_algorithm};
use super::kernel::chosen;
use crate::guard::{self, Failure, Owned};

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

/// Makes the root of a tree over a message whose bytes come in pieces. lanesum_tree_begin makes
/// one, which lanesum_tree_free frees.
pub struct lanesum_tree_builder;

/// What makes the root of a tree.
fn builder(
    tree: lanesum_tree,
    engine: &Engine,
    leaf_len: usize,
    salt: &[u8],
) -> Result<FileBuilder, Failure> {
    let plain = |leaf: usize| match salt.is_empty() && leaf_len == leaf {
        true => Ok(()),
        false => Err(Failure::Malformed),
    };
    let shape = |builder: Result<FileBuilder, _>| builder.map_err(|_| Failure::Malformed);
    if !(1..=LONGEST_LEAF).contains(&leaf_len) {
        return Err(Failure::Malformed);
    }
    match tree {
        LANESUM_TREE_FS_VERITY => shape(FileBuilder::fs_verity(engine, leaf_len, salt)),
        LANESUM_TREE_DM_VERITY => shape(FileBuilder::dm_verity(engine, leaf_len, leaf_len, salt)),
        LANESUM_TREE_TORRENT2 if engine.algorithm() == Algorithm::SHA256 => {
            plain(16 << 10)?;
            Ok(FileBuilder::torrent2(engine))
        }
        LANESUM_TREE_S3 => {
            plain(leaf_len)?;
            Ok(FileBuilder::s3(engine, leaf_len))
        }
        _ => Err(Failure::Malformed),
    }
}

/// The same as the caller says it.
///
/// # Safety
///
/// `salt` is that long, and `kernels` null or a text that ends with a zero.
unsafe fn begun(
    tree: lanesum_tree,
    algorithm: Algorithm,
    leaf_len: usize,
    (salt, salt_len): (*const c_void, usize),
    kernels: *const c_char,
) -> Result<FileBuilder, Failure> {
    // SAFETY: the caller's promise.
    unsafe {
        let salt = guard::slice(salt.cast::<u8>(), salt_len)?;
        let engine = chosen(kernels, algorithm, |engine| engine.to_engine())?;
        builder(tree, &engine, leaf_len, salt)
    }
}

/// Begins a tree, in leaves of `leaf_len` bytes, over a message whose bytes come in pieces, and
/// writes where it is to `*builder`. Memory for it grows with the number of parts of
/// LANESUM_TREE_S3 alone. `kernels`: see lanesum_kernel.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_tree_begin(
    tree: lanesum_tree,
    algorithm: lanesum_algorithm,
    leaf_len: usize,
    salt: *const c_void,
    salt_len: usize,
    kernels: *const c_char,
    builder: *mut *mut lanesum_tree_builder,
) -> c_int {
    guard::call(|| {
        let algorithm = self::algorithm(algorithm)?;
        // SAFETY: the caller's promise.
        unsafe {
            Owned::<FileBuilder>::put(builder, || {
                begun(tree, algorithm, leaf_len, (salt, salt_len), kernels)
            })
        }
    })
}

/// Adds `len` bytes to the message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_tree_update(
    builder: *mut lanesum_tree_builder,
    data: *const c_void,
    len: usize,
) -> c_int {
    guard::call(|| {
        // SAFETY: the caller's promise.
        unsafe {
            let data = guard::slice(data.cast::<u8>(), len)?;
            Owned::<FileBuilder>::with(builder, |builder| {
                builder.as_mut().ok_or(Failure::State)?.update(data);
                Ok(())
            })
        }
    })
}

/// Writes the root over the whole message to `digest`, which has `room` bytes. The builder is then
/// finished, and still to be freed. If the call fails, it is as it was before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_tree_finish(
    builder: *mut lanesum_tree_builder,
    digest: *mut u8,
    room: usize,
) -> c_int {
    guard::call(|| {
        // SAFETY: the caller's promise.
        unsafe {
            let root = Owned::<FileBuilder>::with(builder, |builder| {
                let last = builder.as_ref().ok_or(Failure::State)?;
                guard::check_room(digest, room, last.algorithm().digest_len())?;
                last.check().map_err(|_| Failure::Length)?;
                let last = builder.take().ok_or(Failure::State)?;
                last.finish().map_err(|_| Failure::Length)
            })?;
            guard::put(digest, room, root.as_bytes())
        }
    })
}

/// Frees a builder, finished or not; of NULL nothing. No call may use it from then on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_tree_free(builder: *mut lanesum_tree_builder) {
    // SAFETY: the caller's promise.
    unsafe { Owned::<FileBuilder>::free(builder) }
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
            let message = guard::slice(message.cast::<u8>(), len)?;
            let mut builder = begun(tree, algorithm, leaf_len, (salt, salt_len), kernels)?;
            builder.update(message);
            let root = builder.finish().map_err(|_| Failure::Length)?;
            guard::put(digest, room, root.as_bytes())
        }
    })
}
