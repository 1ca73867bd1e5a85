//! The standard tree formats.

use core::fmt;

use lanesum_spec::Algorithm;

use super::{Missing, Tree};
use crate::choose::AsEngine;
use crate::{Digest, hash};

/// Maximum length of a block, in bytes, as in cryptsetup's `veritysetup`. fs-verity's blocks are not
/// longer than a page.
const MAX_BLOCK_LEN: usize = 512 << 10;

/// The longest salt of fs-verity, in bytes.
const FS_VERITY_SALT: usize = 32;

/// The longest salt of dm-verity, in bytes.
const DM_VERITY_SALT: usize = 256;

impl Tree {
    /// The tree of an RFC 6962 §2.1 log (Certificate Transparency), whose leaves are entries of any
    /// length.
    ///
    /// ```
    /// use lanesum::{Algorithm, sha256, tree::Tree};
    ///
    /// let log = Tree::rfc6962(Algorithm::SHA256);
    /// let levels = log.build_entries(&["first", "second", "third"]);
    /// let (root, leaf) = (levels.root(), sha256("\0second").into());
    /// log.verify(1, 3, &leaf, &levels.proof(1)?, &root)?;
    /// # Ok::<(), lanesum::tree::ProofError>(())
    /// ```
    pub fn rfc6962(engine: impl AsEngine) -> Self {
        // The leaf length is irrelevant: a log hashes entries, not a byte string.
        Self::new(engine, 1, 2).leaf_prefix([0]).node_prefix([1])
    }

    /// The tree of BitTorrent version 2 (BEP 52): SHA-256 over 16 KiB. For files longer than a piece,
    /// the level whose nodes cover one piece each is the piece layer.
    pub fn torrent2() -> Self {
        Self::torrent2_on(Algorithm::SHA256)
    }

    /// The tree of BitTorrent version 2 (BEP 52), computed by `engine`.
    ///
    /// # Panics
    ///
    /// If the engine's algorithm is not SHA-256.
    #[track_caller]
    pub fn torrent2_on(engine: impl AsEngine) -> Self {
        let algorithm = engine.choice().algorithm();
        assert!(
            algorithm == Algorithm::SHA256,
            "BitTorrent version 2 requires sha256, but the engine uses {algorithm}"
        );
        Self::new(engine, 16 << 10, 2).missing(Missing::EmptyTrees)
    }

    /// The tree of Linux's fs-verity. `fsverity digest` prints the digest of a descriptor that contains
    /// its root: [`fs_verity_digest`].
    ///
    /// # Errors
    ///
    /// If the block length is not a power of two up to 512 KiB or is less than two digests, if the salt is
    /// longer than 32 bytes, or if the algorithm is not SHA-256 or SHA-512.
    pub fn fs_verity(
        engine: impl AsEngine,
        block_len: usize,
        salt: &[u8],
    ) -> Result<Self, ShapeError> {
        let algorithm = engine.choice().algorithm();
        fs_verity_number(algorithm)?;
        let digest_len = algorithm.digest_len();
        check(salt.len() <= FS_VERITY_SALT, ShapeError::Salt { max: FS_VERITY_SALT })?;
        let fan_out = fan_out(block_len, digest_len)?;
        // The salt is padded to whole blocks of the hash function.
        let mut padded = salt.to_vec();
        padded.resize(salt.len().next_multiple_of(algorithm.block_len()), 0);
        let tree = Self::new(engine, block_len, fan_out).pad_leaves();
        Ok(tree.missing(Missing::Zeros).salt(padded))
    }

    /// The tree of Linux's dm-verity, format 1. The hash device contains the levels above the data,
    /// without the root digest.
    ///
    /// # Errors
    ///
    /// If a block length is not a power of two up to 512 KiB, if a hash block is shorter than two digests,
    /// or if the salt is longer than 256 bytes.
    pub fn dm_verity(
        engine: impl AsEngine,
        data_block_len: usize,
        hash_block_len: usize,
        salt: &[u8],
    ) -> Result<Self, ShapeError> {
        let place_len = engine.choice().algorithm().digest_len().next_power_of_two();
        check(salt.len() <= DM_VERITY_SALT, ShapeError::Salt { max: DM_VERITY_SALT })?;
        check_block(data_block_len)?;
        let fan_out = fan_out(hash_block_len, place_len)?;
        let tree = Self::new(engine, data_block_len, fan_out).place_len(place_len).pad_leaves();
        Ok(tree.missing(Missing::Zeros).salt(salt))
    }
}

/// Returns the number of digests per block.
fn fan_out(block_len: usize, place_len: usize) -> Result<usize, ShapeError> {
    check_block(block_len)?;
    check(block_len >= 2 * place_len, ShapeError::Block { bytes: block_len })?;
    Ok(block_len / place_len)
}

/// Checks the length of a block. The last one is padded and hashed whole, so a length without a limit
/// could take forever.
fn check_block(len: usize) -> Result<(), ShapeError> {
    let is_valid = len.is_power_of_two() && len <= MAX_BLOCK_LEN;
    check(is_valid, ShapeError::Block { bytes: len })
}

pub(super) fn check(holds: bool, error: ShapeError) -> Result<(), ShapeError> {
    if holds { Ok(()) } else { Err(error) }
}

/// Returns the number of an algorithm in a descriptor (`FS_VERITY_HASH_ALG_…`).
fn fs_verity_number(algorithm: Algorithm) -> Result<u8, ShapeError> {
    match algorithm {
        Algorithm::SHA256 => Ok(1),
        Algorithm::SHA512 => Ok(2),
        _ => Err(ShapeError::Algorithm { algorithm }),
    }
}

/// Returns the fs-verity digest of a file: the digest of the descriptor (`struct fsverity_descriptor`) with
/// the root of its [tree](Tree::fs_verity) and the file length `bytes`.
///
/// # Errors
///
/// If the salt is longer than 32 bytes, the block length is not a power of two up to 512 KiB, or the algorithm is not
/// SHA-256 or SHA-512.
///
/// # Panics
///
/// If the length of `root` is not the digest length of the algorithm.
#[track_caller]
pub fn fs_verity_digest(
    engine: impl AsEngine,
    block_len: usize,
    salt: &[u8],
    bytes: u64,
    root: &Digest,
) -> Result<Digest, ShapeError> {
    let algorithm = engine.choice().algorithm();
    let number = fs_verity_number(algorithm)?;
    check(salt.len() <= FS_VERITY_SALT, ShapeError::Salt { max: FS_VERITY_SALT })?;
    check_block(block_len)?;
    let (len, expected) = (root.as_bytes().len(), algorithm.digest_len());
    assert!(len == expected, "root has {len} bytes, but a digest of {algorithm} has {expected}");
    let mut descriptor = [0; 256];
    descriptor[..4].copy_from_slice(&[1, number, block_len.ilog2() as u8, salt.len() as u8]);
    descriptor[8..16].copy_from_slice(&bytes.to_le_bytes());
    descriptor[16..][..len].copy_from_slice(root.as_bytes());
    descriptor[80..][..salt.len()].copy_from_slice(salt);
    Ok(hash(engine, descriptor))
}

/// The error for invalid parameters of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShapeError {
    /// The block length is not a power of two up to 512 KiB, or is less than two digests.
    Block {
        /// The length of a block, in bytes.
        bytes: usize,
    },
    /// The salt is too long.
    Salt {
        /// The maximum length, in bytes.
        max: usize,
    },
    /// The message is empty or not whole blocks.
    Rest {
        /// The length of a block, in bytes.
        block: usize,
        /// The length of the message, in bytes.
        bytes: u64,
    },
    /// The format does not support the hash function.
    Algorithm {
        /// The hash function.
        algorithm: Algorithm,
    },
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Block { bytes } => write!(
                f,
                "block size {bytes} is not a power of two up to {MAX_BLOCK_LEN}, or is too small for two digests"
            ),
            Self::Salt { max } => write!(f, "salt is longer than {max} bytes"),
            Self::Rest { block, bytes } => {
                write!(
                    f,
                    "message has {bytes} bytes; it must be whole blocks of {block}, at least one"
                )
            }
            Self::Algorithm { algorithm } => {
                write!(f, "fs-verity has no trees of {algorithm}, only of sha256 and sha512")
            }
        }
    }
}

impl core::error::Error for ShapeError {}
