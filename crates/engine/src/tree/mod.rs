//! Merkle trees in lanes: the leaves of a message are independent and of equal length, and so are
//! the nodes of a level.
//!
//! A [`Tree`] defines a format: the leaf length, the number of children of a node, the prefixes hashed
//! before leaves and nodes, and the filler for missing children. The standard formats are
//! [`Tree::rfc6962`], [`Tree::fs_verity`], [`Tree::dm_verity`] and [`Tree::torrent2`]. Flat lists of
//! digests are the leaves of a tree: BitTorrent's version 1 pieces ([`Tree::list`]) and Amazon S3's
//! composite checksum ([`Levels::composite`]). A [`FileBuilder`] computes the value that tools print
//! for a file, as its bytes arrive. A [`Log`] is append-only, and proves its contents.
//!
//! Leaf indices and tree sizes in proofs are `u64`, as in RFC 9162, because a proof may come from a log larger than
//! this machine's memory.
//!
//! ```
//! use lanesum::{Algorithm, tree::Tree};
//!
//! // The root over a message, and the levels that its hash device stores.
//! let tree = Tree::dm_verity(Algorithm::SHA256, 4096, 4096, b"salt")?;
//! let levels = tree.build(&vec![7; 300 * 4096]);
//! assert_eq!(levels.count(), 3);
//! assert_eq!(levels.digests(0).count(), 300);
//!
//! // Incrementally, without storing the levels.
//! let mut builder = tree.root_builder();
//! for _ in 0..300 {
//!     builder.update(&[7; 4096]);
//! }
//! assert_eq!(builder.finish(), levels.root());
//! # Ok::<(), lanesum::tree::ShapeError>(())
//! ```

mod builder;
mod file;
mod forms;
mod log;
mod proof;

use std::borrow::Cow;

use crate::choose::{AsEngine, Engine};
use crate::{Bytes, Digest, Hasher, Messages, Strided, hash, hash_many};

pub use builder::{Builder, Levels, RootBuilder};
pub use file::FileBuilder;
pub use forms::{ShapeError, fs_verity_digest};
pub use log::Log;
pub use proof::ProofError;

/// The filler for missing children of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Nothing: the node is shorter, and a single child moves up unchanged (RFC 6962).
    Nothing,
    /// Zero bytes, at every level (fs-verity, dm-verity).
    Zeros,
    /// The tree over leaves whose digests are zero bytes (BitTorrent version 2).
    EmptyTrees,
}

/// A tree format, and the engine that computes it.
#[derive(Clone, Debug)]
pub struct Tree {
    engine: Engine,
    /// A hasher of the bytes before each leaf.
    leaf: Hasher,
    /// A hasher of the bytes before each node's children.
    node: Hasher,
    leaf_len: usize,
    pads_leaves: bool,
    fan_out: usize,
    /// The length of a digest with its padding in a node, in bytes.
    place_len: usize,
    missing: Missing,
}

impl Tree {
    /// Defines a tree whose leaves are `leaf_len` bytes each, the last one possibly shorter, and whose
    /// nodes have `fan_out` children.
    ///
    /// # Panics
    ///
    /// If `leaf_len` is 0 or `fan_out` is less than 2.
    #[track_caller]
    pub fn new(engine: impl AsEngine, leaf_len: usize, fan_out: usize) -> Self {
        assert!(leaf_len > 0, "leaf_len is 0; it must be at least 1");
        assert!(fan_out >= 2, "fan_out is {fan_out}; it must be at least 2");
        let engine = engine.to_engine();
        Self {
            leaf: Hasher::new(&engine),
            node: Hasher::new(&engine),
            leaf_len,
            pads_leaves: false,
            fan_out,
            place_len: engine.algorithm().digest_len(),
            missing: Missing::Nothing,
            engine,
        }
    }

    /// Defines a flat list of digests: BitTorrent's version 1 pieces, or Amazon S3's parts.
    ///
    /// # Panics
    ///
    /// If `leaf_len` is 0.
    #[track_caller]
    pub fn list(engine: impl AsEngine, leaf_len: usize) -> Self {
        Self::new(engine, leaf_len, 2)
    }

    /// Appends `prefix` to the bytes hashed before each leaf.
    #[must_use]
    pub fn leaf_prefix(mut self, prefix: impl AsRef<[u8]>) -> Self {
        self.leaf.update(prefix);
        self
    }

    /// Appends `prefix` to the bytes hashed before the children of each node.
    #[must_use]
    pub fn node_prefix(mut self, prefix: impl AsRef<[u8]>) -> Self {
        self.node.update(prefix);
        self
    }

    /// Appends `salt` to the bytes hashed before each leaf and before the children of each node.
    #[must_use]
    pub fn salt(self, salt: impl AsRef<[u8]>) -> Self {
        let salt = salt.as_ref();
        self.leaf_prefix(salt).node_prefix(salt)
    }

    /// Pads the last leaf to full length with zeros.
    #[must_use]
    pub fn pad_leaves(mut self) -> Self {
        self.pads_leaves = true;
        self
    }

    /// Sets the filler for missing children.
    #[must_use]
    pub fn missing(mut self, missing: Missing) -> Self {
        self.missing = missing;
        self
    }

    /// Sets the length of each digest in a node to `place_len` bytes, padded with zeros.
    ///
    /// # Panics
    ///
    /// If `place_len` is less than the digest length.
    #[must_use]
    #[track_caller]
    pub fn place_len(mut self, place_len: usize) -> Self {
        let len = self.digest_len();
        assert!(place_len >= len, "place_len is {place_len}, but a digest has {len} bytes");
        self.place_len = place_len;
        self
    }

    /// Returns the length of a leaf, in bytes.
    pub fn leaf_len(&self) -> usize {
        self.leaf_len
    }

    /// Panics if `level` is not whole digests in the layout of a level.
    #[track_caller]
    fn check_whole(&self, level: &[u8]) {
        let (len, each) = (level.len(), self.place_len);
        assert!(len.is_multiple_of(each), "{len} bytes are not whole digests of {each} bytes each");
    }

    fn digest_len(&self) -> usize {
        self.engine.algorithm().digest_len()
    }

    /// Returns the length of a node with all its children, in bytes.
    fn node_len(&self) -> usize {
        self.fan_out.saturating_mul(self.place_len)
    }

    /// Hashes the leaves of `bytes` and appends their digests to `digests`. The last leaf may be
    /// short. The result is a part of a level, so threads can share a message.
    ///
    /// ```
    /// use lanesum::{Algorithm, tree::Tree};
    ///
    /// let tree = Tree::torrent2();
    /// let (first, second) = ([1; 1 << 15], [2; 100]);
    /// let mut digests = Vec::new();
    /// tree.hash_leaves(&first, &mut digests);
    /// tree.hash_leaves(&second, &mut digests);
    /// assert_eq!(tree.above(digests).root(), tree.build(&[&first[..], &second].concat()).root());
    /// ```
    pub fn hash_leaves(&self, bytes: &[u8], digests: &mut Vec<u8>) {
        let (whole, rest) = bytes.split_at(bytes.len() - bytes.len() % self.leaf_len);
        let leaves = Strided::new(whole, self.leaf_len).expect("whole leaves");
        self.hash_all(&self.leaf, &leaves, digests);
        if rest.is_empty() {
            return;
        }
        let mut padded;
        let mut last = rest;
        if self.pads_leaves {
            padded = rest.to_vec();
            padded.resize(self.leaf_len, 0);
            last = &padded;
        }
        self.hash_all(&self.leaf, &[last], digests);
    }

    /// Hashes messages of any length as leaves, and appends their digests to `digests`.
    pub fn hash_entries<M>(&self, entries: &M, digests: &mut Vec<u8>)
    where
        M: Messages + Sync + ?Sized,
    {
        self.hash_all(&self.leaf, entries, digests);
    }

    /// Returns the digest of one message as a leaf.
    ///
    /// ```
    /// use lanesum::{Algorithm, sha256, tree::Tree};
    ///
    /// let log = Tree::rfc6962(Algorithm::SHA256);
    /// assert_eq!(log.entry("first"), sha256("\0first"));
    /// ```
    pub fn entry(&self, message: impl AsRef<[u8]>) -> Digest {
        let mut leaf = self.leaf.clone();
        leaf.update(message);
        leaf.finish()
    }

    /// Hashes messages that continue the message of `prefix`, and appends their digests to `digests`.
    fn hash_all<M>(&self, prefix: &Hasher, messages: &M, digests: &mut Vec<u8>)
    where
        M: Messages + Sync + ?Sized,
    {
        let run = |to: &mut [u8]| match prefix.is_empty() {
            true => hash_many(&self.engine, messages, Bytes(to)),
            false => prefix.finish_many(&self.engine, messages, Bytes(to)),
        };
        let (start, count, len) = (digests.len(), messages.count(), self.digest_len());
        digests.resize(start + count * self.place_len, 0);
        let places = &mut digests[start..];
        if self.place_len == len {
            return run(places);
        }
        let mut packed = vec![0; count * len];
        run(&mut packed);
        for (place, digest) in places.chunks_exact_mut(self.place_len).zip(packed.chunks_exact(len))
        {
            place[..len].copy_from_slice(digest);
        }
    }

    /// Hashes the nodes of all `children`, digests of level `level` in the layout of [`Levels::bytes`],
    /// and appends their digests, a part of the level above, to `digests`. The last node may have
    /// fewer children.
    ///
    /// # Panics
    ///
    /// If `children` is not whole digests.
    #[track_caller]
    pub fn hash_nodes(&self, level: usize, children: &[u8], digests: &mut Vec<u8>) {
        self.check_whole(children);
        let (whole, rest) = children.split_at(children.len() - children.len() % self.node_len());
        let nodes = Strided::new(whole, self.node_len()).expect("whole nodes");
        self.hash_all(&self.node, &nodes, digests);
        if !rest.is_empty() {
            let mut node = rest.to_vec();
            match self.missing {
                Missing::Nothing if rest.len() == self.place_len => return digests.extend(rest),
                Missing::Nothing => {}
                Missing::Zeros => node.resize(self.node_len(), 0),
                Missing::EmptyTrees => {
                    let absent = self.empty_tree(level);
                    while node.len() < self.node_len() {
                        node.extend(&absent);
                    }
                }
            }
            self.hash_all(&self.node, &[node], digests);
        }
    }

    /// Returns the padded root of a tree of `levels` levels over leaves whose digests are zero bytes.
    pub(crate) fn empty_tree(&self, levels: usize) -> Vec<u8> {
        let mut place = vec![0; self.place_len];
        for _ in 0..levels {
            let node = place.repeat(self.fan_out);
            place.clear();
            self.hash_all(&self.node, &[node], &mut place);
        }
        place
    }

    /// Returns the digest in a place.
    fn digest(&self, place: &[u8]) -> Digest {
        Digest::try_from(&place[..self.digest_len()]).expect("the length of a digest")
    }

    /// Returns the root without leaves: the digest of the empty string if nothing replaces missing
    /// children (RFC 6962), otherwise zero bytes.
    fn empty_root(&self) -> Digest {
        match self.missing {
            Missing::Nothing => hash(&self.engine, b""),
            _ => Digest::from([0; Digest::MAX_LEN]).truncated(self.digest_len()),
        }
    }

    /// Builds the tree over the leaves of `bytes`.
    pub fn build(&self, bytes: &[u8]) -> Levels<'_> {
        let mut digests = Vec::new();
        self.hash_leaves(bytes, &mut digests);
        self.above(digests)
    }

    /// Builds the tree over entries of any length, each a leaf: a log of RFC 6962.
    pub fn build_entries<M>(&self, entries: &M) -> Levels<'_>
    where
        M: Messages + Sync + ?Sized,
    {
        let mut digests = Vec::new();
        self.hash_entries(entries, &mut digests);
        self.above(digests)
    }

    /// Builds the tree above leaves hashed by [`hash_leaves`](Self::hash_leaves).
    ///
    /// # Panics
    ///
    /// If `digests` is not whole digests.
    #[track_caller]
    pub fn above(&self, digests: Vec<u8>) -> Levels<'_> {
        self.check_whole(&digests);
        let mut levels = vec![digests];
        while levels[levels.len() - 1].len() > self.place_len {
            let mut nodes = Vec::new();
            self.hash_nodes(levels.len() - 1, &levels[levels.len() - 1], &mut nodes);
            levels.push(nodes);
        }
        Levels::new(Cow::Borrowed(self), levels)
    }

    /// Creates a builder for a message that arrives in pieces.
    pub fn builder(&self) -> Builder<'_> {
        Builder::new(Cow::Borrowed(self), true)
    }

    /// Converts into a builder, which owns the tree.
    pub fn into_builder(self) -> Builder<'static> {
        Builder::new(Cow::Owned(self), true)
    }

    /// Creates a builder that computes only the root.
    pub fn root_builder(&self) -> RootBuilder<'_> {
        RootBuilder(Builder::new(Cow::Borrowed(self), false))
    }

    /// Converts into a builder that computes only the root and owns the tree.
    pub fn into_root_builder(self) -> RootBuilder<'static> {
        RootBuilder(Builder::new(Cow::Owned(self), false))
    }
}
