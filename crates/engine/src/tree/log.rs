//! An append-only log.

use core::fmt;
use core::ops::Range;
use std::collections::TryReserveError;

use super::Tree;
use super::proof::{self, ProofError};
use crate::choose::AsEngine;
use crate::{Digest, Messages};

/// An append-only log as defined by RFC 6962 (Certificate Transparency). It proves that an entry is
/// included, and that the log has only grown. Caches the digests of all complete nodes, about two
/// per entry.
///
/// ```
/// use lanesum::{Algorithm, sha256, tree::Log};
///
/// let mut log = Log::new(Algorithm::SHA256);
/// log.append(&["first", "second"]);
/// let before = log.root();
/// log.append(&["third"]);
/// let (proof, leaf) = (log.proof(1)?, log.tree().entry("second"));
/// log.tree().verify(1, 3, &leaf, &proof, &log.root())?;
/// let proof = log.consistency(2)?;
/// log.tree().verify_consistency(2, 3, &before, &log.root(), &proof)?;
/// # Ok::<(), lanesum::tree::ProofError>(())
/// ```
#[derive(Clone)]
pub struct Log {
    tree: Tree,
    /// The digests of complete nodes, from the leaves upwards.
    levels: Vec<Vec<u8>>,
}

impl Log {
    /// Creates an empty log.
    pub fn new(engine: impl AsEngine) -> Self {
        Self { tree: Tree::rfc6962(engine), levels: vec![Vec::new()] }
    }

    /// Reserves memory for at least `entries` more entries: appending them does not allocate.
    ///
    /// # Errors
    ///
    /// If the memory is exhausted. The log is unchanged.
    pub fn try_reserve(&mut self, entries: usize) -> Result<(), TryReserveError> {
        self.levels.try_reserve(usize::BITS as usize)?;
        let mut nodes = self.leaves().saturating_add(entries);
        for level in 0.. {
            if nodes == 0 {
                break;
            }
            if level == self.levels.len() {
                self.levels.push(Vec::new());
            }
            let places = &mut self.levels[level];
            places.try_reserve(nodes.saturating_mul(self.tree.place_len) - places.len())?;
            nodes /= 2;
        }
        Ok(())
    }

    /// Appends entries of any length.
    pub fn append<M>(&mut self, entries: &M)
    where
        M: Messages + Sync + ?Sized,
    {
        self.tree.hash_entries(entries, &mut self.levels[0]);
        for level in 0.. {
            let len = self.levels[level].len();
            let hashed = 2 * self.levels.get(level + 1).map_or(0, Vec::len);
            let whole = len - len % self.tree.node_len();
            if hashed == whole {
                return;
            }
            if level + 1 == self.levels.len() {
                self.levels.push(Vec::new());
            }
            let [children, parents] = &mut self.levels[level..level + 2] else { unreachable!() };
            self.tree.hash_nodes(level, &children[hashed..whole], parents);
        }
    }

    /// Returns the format of the tree, with which proofs are verified.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Returns the number of entries.
    pub fn len(&self) -> u64 {
        self.leaves() as u64
    }

    fn leaves(&self) -> usize {
        self.levels[0].len() / self.tree.place_len
    }

    /// Whether the log is empty.
    pub fn is_empty(&self) -> bool {
        self.levels[0].is_empty()
    }

    /// Returns the root over all entries.
    pub fn root(&self) -> Digest {
        self.over(0..self.leaves())
    }

    /// Returns the root over the first `entries` entries: the log's root when it had no others.
    ///
    /// # Errors
    ///
    /// If the log has fewer entries.
    pub fn root_at(&self, entries: u64) -> Result<Digest, ProofError> {
        let entries = proof::check_size(entries, self.leaves())?;
        Ok(self.over(0..entries))
    }

    /// Returns the proof that an entry is in the log: the audit path of RFC 6962 §2.1.1.
    ///
    /// # Errors
    ///
    /// If `entry` is not less than the number of entries.
    pub fn proof(&self, entry: u64) -> Result<Vec<Digest>, ProofError> {
        self.proof_at(entry, self.len())
    }

    /// Returns the proof that an entry is among the first `size` entries, to verify with
    /// [`root_at(size)`](Self::root_at): RFC 6962 §2.1.1.
    ///
    /// # Errors
    ///
    /// If the log has fewer entries, or if `entry` is not less than `size`.
    pub fn proof_at(&self, entry: u64, size: u64) -> Result<Vec<Digest>, ProofError> {
        let size = proof::check_size(size, self.leaves())?;
        let entry = proof::check_leaf(entry, size)?;
        Ok(proof::path(entry, size, |leaves| self.over(leaves)))
    }

    /// Returns the proof that the log of the first `old` entries is a prefix of this one: RFC 6962
    /// §2.1.2. The proof is empty if `old` is 0 or the number of entries.
    ///
    /// # Errors
    ///
    /// If the log has fewer entries.
    pub fn consistency(&self, old: u64) -> Result<Vec<Digest>, ProofError> {
        self.consistency_at(old, self.len())
    }

    /// Returns the proof that the log of the first `old` entries is a prefix of that of the first `size` entries:
    /// RFC 6962 §2.1.2. The proof is empty if `old` is 0 or `size`.
    ///
    /// # Errors
    ///
    /// If the log has fewer entries, or if `old` exceeds `size`.
    pub fn consistency_at(&self, old: u64, size: u64) -> Result<Vec<Digest>, ProofError> {
        let size = proof::check_size(size, self.leaves())?;
        let old = proof::check_size(old, size)?;
        Ok(proof::consistency(old, size, |leaves| self.over(leaves)))
    }

    /// Returns the digest over `leaves`, which must begin at a multiple of a power of two at least as large as
    /// their number.
    fn over(&self, leaves: Range<usize>) -> Digest {
        let len = leaves.len();
        if len == 0 {
            return self.tree.empty_root();
        }
        if len.is_power_of_two() {
            let (level, place_len) = (len.ilog2(), self.tree.place_len);
            let start = (leaves.start >> level) * place_len;
            return self.tree.digest(&self.levels[level as usize][start..][..place_len]);
        }
        let middle = leaves.start + proof::half(len);
        let [left, right] = [leaves.start..middle, middle..leaves.end].map(|part| self.over(part));
        self.tree.digest(&self.tree.parent(left.as_bytes(), right.as_bytes()))
    }
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Log")
            .field("tree", &self.tree)
            .field("len", &self.len())
            .field("root", &self.root())
            .finish_non_exhaustive()
    }
}
