//! The values that tools print for a file, computed from its tree as the bytes arrive.

use core::fmt;

use lanesum_spec::Algorithm;

use super::forms::check;
use super::{Builder, RootBuilder, ShapeError, Tree, fs_verity_digest};
use crate::choose::{AsEngine, Engine};
use crate::{Digest, hash};

/// Computes the value that a tool such as `fsverity` prints for a file, whose bytes arrive in pieces.
///
/// ```
/// use lanesum::{Algorithm, tree::FileBuilder};
///
/// let mut builder = FileBuilder::fs_verity(Algorithm::SHA256, 4096, b"")?;
/// builder.update("wa").update("rp");
/// let digest = builder.finish()?;
/// assert_eq!(digest.to_string()[..16], *"f6af489d8f63ab3e");
/// # Ok::<(), lanesum::tree::ShapeError>(())
/// ```
pub struct FileBuilder {
    engine: Engine,
    kind: Kind,
    /// The length of the file so far, in bytes.
    bytes: u64,
}

enum Kind {
    FsVerity { root: RootBuilder<'static>, block_len: usize, salt: Vec<u8> },
    DmVerity { root: RootBuilder<'static>, block_len: usize },
    Torrent2(RootBuilder<'static>),
    S3(Builder<'static>),
}

impl FileBuilder {
    /// Computes the digest that `fsverity digest` prints.
    ///
    /// # Errors
    ///
    /// Fails if [`Tree::fs_verity`] does.
    pub fn fs_verity(
        engine: impl AsEngine,
        block_len: usize,
        salt: &[u8],
    ) -> Result<Self, ShapeError> {
        let root = Tree::fs_verity(&engine, block_len, salt)?.into_root_builder();
        Ok(Self::new(&engine, Kind::FsVerity { root, block_len, salt: salt.to_vec() }))
    }

    /// Computes the root that `veritysetup format` prints.
    ///
    /// # Errors
    ///
    /// Fails if [`Tree::dm_verity`] does.
    pub fn dm_verity(
        engine: impl AsEngine,
        data_block_len: usize,
        hash_block_len: usize,
        salt: &[u8],
    ) -> Result<Self, ShapeError> {
        let tree = Tree::dm_verity(&engine, data_block_len, hash_block_len, salt)?;
        let kind = Kind::DmVerity { root: tree.into_root_builder(), block_len: data_block_len };
        Ok(Self::new(&engine, kind))
    }

    /// Computes the root of a file in BitTorrent version 2: zero bytes for an empty file.
    ///
    /// # Panics
    ///
    /// If the engine's algorithm is not SHA-256.
    #[track_caller]
    pub fn torrent2(engine: impl AsEngine) -> Self {
        let kind = Kind::Torrent2(Tree::torrent2_on(&engine).into_root_builder());
        Self::new(&engine, kind)
    }

    /// Computes Amazon S3's composite checksum of an upload in parts of `part_len` bytes. An upload has
    /// at least one part.
    ///
    /// # Panics
    ///
    /// If `part_len` is 0.
    #[track_caller]
    pub fn s3(engine: impl AsEngine, part_len: usize) -> Self {
        Self::new(&engine, Kind::S3(Tree::list(&engine, part_len).into_builder()))
    }

    fn new(engine: &impl AsEngine, kind: Kind) -> Self {
        Self { engine: engine.to_engine(), kind, bytes: 0 }
    }

    /// Returns the algorithm of the tree and of the result.
    pub fn algorithm(&self) -> Algorithm {
        self.engine.algorithm()
    }

    /// Appends `data` to the file.
    pub fn update(&mut self, data: impl AsRef<[u8]>) -> &mut Self {
        let data = data.as_ref();
        self.bytes += data.len() as u64;
        match &mut self.kind {
            Kind::FsVerity { root, .. } | Kind::DmVerity { root, .. } | Kind::Torrent2(root) => {
                root.update(data);
            }
            Kind::S3(builder) => _ = builder.update(data),
        }
        self
    }

    /// Checks that the length so far is valid for the tree, so that [`finish`](Self::finish)
    /// succeeds.
    ///
    /// # Errors
    ///
    /// If a dm-verity file is empty or not whole blocks.
    pub fn check(&self) -> Result<(), ShapeError> {
        let Kind::DmVerity { block_len: block, .. } = self.kind else { return Ok(()) };
        let bytes = self.bytes;
        let is_whole = bytes > 0 && bytes.is_multiple_of(block as u64);
        check(is_whole, ShapeError::Rest { block, bytes })
    }

    /// Returns the value for the whole file.
    ///
    /// # Errors
    ///
    /// Fails if [`check`](Self::check) does.
    pub fn finish(self) -> Result<Digest, ShapeError> {
        self.check()?;
        match self.kind {
            Kind::FsVerity { root, block_len, salt } => {
                fs_verity_digest(&self.engine, block_len, &salt, self.bytes, &root.finish())
            }
            Kind::DmVerity { root, .. } | Kind::Torrent2(root) => Ok(root.finish()),
            Kind::S3(_) if self.bytes == 0 => {
                let part = hash(&self.engine, b"");
                Ok(hash(&self.engine, part))
            }
            Kind::S3(builder) => Ok(builder.finish().composite()),
        }
    }
}

impl std::io::Write for FileBuilder {
    fn write(&mut self, data: &[u8]) -> std::io::Result<usize> {
        self.update(data);
        Ok(data.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl fmt::Debug for FileBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileBuilder")
            .field("algorithm", &self.algorithm())
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}
