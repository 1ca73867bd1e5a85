//! Proofs that a leaf is in a tree, and that a log has only grown.

use core::fmt;
use core::ops::Range;

use super::{Levels, Missing, Tree};
use crate::Digest;

impl Levels<'_> {
    /// Returns the proof that a leaf is in the tree: the siblings of the leaf and of each node above
    /// it, from the leaf upwards and in order. For a log this is the audit path of RFC 6962 §2.1.1.
    ///
    /// # Errors
    ///
    /// If `leaf` is not less than the number of leaves.
    pub fn proof(&self, leaf: u64) -> Result<Vec<Digest>, ProofError> {
        let leaf = check_leaf(leaf, self.digests(0).len())?;
        let fan_out = self.tree.fan_out;
        let mut proof = Vec::new();
        let mut index = leaf;
        for level in 0..self.count() - 1 {
            let first = index - index % fan_out;
            let end = self.digests(level).len().min(first + fan_out);
            proof.extend((first..end).filter(|&i| i != index).map(|i| self.at(level, i)));
            index /= fan_out;
        }
        Ok(proof)
    }

    /// Returns the proof that the log of the first `old` entries is a prefix of this one: RFC 6962
    /// §2.1.2. The proof is empty if `old` is 0 or the number of entries.
    ///
    /// # Errors
    ///
    /// If `old` exceeds the number of entries, or if the tree's format is not that of RFC 6962.
    pub fn consistency(&self, old: u64) -> Result<Vec<Digest>, ProofError> {
        self.tree.check_log()?;
        let leaves = self.digests(0).len();
        let old = check_size(old, leaves)?;
        Ok(consistency(old, leaves, |leaves| self.subtree(leaves)))
    }

    /// Returns the digest over `leaves`, which must begin at a multiple of a power of two, and contain
    /// that many leaves or all that remain.
    fn subtree(&self, leaves: Range<usize>) -> Digest {
        let level = leaves.len().next_power_of_two().ilog2() as usize;
        self.at(level, leaves.start >> level)
    }
}

/// Converts the leaf index `leaf`; fails unless it is less than `leaves`.
pub(super) fn check_leaf(leaf: u64, leaves: usize) -> Result<usize, ProofError> {
    let error = ProofError::Leaf { leaf, leaves: leaves as u64 };
    usize::try_from(leaf).ok().filter(|&leaf| leaf < leaves).ok_or(error)
}

/// Converts the number of leaves `size`; fails if it exceeds `leaves`.
pub(super) fn check_size(size: u64, leaves: usize) -> Result<usize, ProofError> {
    let error = ProofError::Size { size, leaves: leaves as u64 };
    usize::try_from(size).ok().filter(|&size| size <= leaves).ok_or(error)
}

/// Returns the number of leaves on the left, out of at least two: the largest smaller power of two
/// (RFC 6962 §2.1).
pub(super) fn half(leaves: usize) -> usize {
    leaves.next_power_of_two() / 2
}

/// PATH of RFC 6962 §2.1.1: the halves that do not contain the leaf, smallest first.
pub(super) fn path(
    leaf: usize,
    leaves: usize,
    subtree: impl Fn(Range<usize>) -> Digest,
) -> Vec<Digest> {
    let mut proof = Vec::new();
    let mut rest = 0..leaves;
    while rest.len() > 1 {
        let middle = rest.start + half(rest.len());
        let other = if leaf < middle { middle..rest.end } else { rest.start..middle };
        rest = if leaf < middle { rest.start..middle } else { middle..rest.end };
        proof.push(subtree(other));
    }
    proof.reverse();
    proof
}

/// SUBPROOF of RFC 6962 §2.1.2: the other halves on the way to `old`, smallest first.
pub(super) fn consistency(
    old: usize,
    new: usize,
    subtree: impl Fn(Range<usize>) -> Digest,
) -> Vec<Digest> {
    let mut proof = Vec::new();
    if old == 0 || old == new {
        return proof;
    }
    let (mut rest, mut is_whole) = (0..new, true);
    while rest.end != old {
        let middle = rest.start + half(rest.len());
        if old <= middle {
            proof.push(subtree(middle..rest.end));
            rest.end = middle;
        } else {
            proof.push(subtree(rest.start..middle));
            (rest.start, is_whole) = (middle, false);
        }
    }
    if !is_whole {
        proof.push(subtree(rest));
    }
    proof.reverse();
    proof
}

impl Tree {
    /// Verifies with `proof` that `digest` is the digest of leaf `leaf` in a tree of `leaves` leaves
    /// with the root `root`.
    ///
    /// # Errors
    ///
    /// If `leaf` is not less than `leaves`, if the proof has the wrong length, or if it leads to
    /// another root.
    pub fn verify(
        &self,
        leaf: u64,
        leaves: u64,
        digest: &Digest,
        proof: &[Digest],
        root: &Digest,
    ) -> Result<(), ProofError> {
        if self.root_by(leaf, leaves, digest, proof)? == *root {
            Ok(())
        } else {
            Err(ProofError::Root)
        }
    }

    /// Computes the root from `proof`, if `digest` is the digest of leaf `leaf` in a tree of `leaves`
    /// leaves.
    ///
    /// # Errors
    ///
    /// If `leaf` is not less than `leaves`, or if the proof has the wrong length.
    pub fn root_by(
        &self,
        leaf: u64,
        leaves: u64,
        digest: &Digest,
        proof: &[Digest],
    ) -> Result<Digest, ProofError> {
        if leaf >= leaves {
            return Err(ProofError::Leaf { leaf, leaves });
        }
        let fan_out = self.fan_out as u64;
        let (mut index, mut count, mut level) = (leaf, leaves, 0);
        let mut place = self.place(digest)?;
        let mut rest = proof.iter();
        while count > 1 {
            let first = index - index % fan_out;
            let mut node = Vec::new();
            for i in first..count.min(first.saturating_add(fan_out)) {
                if i == index {
                    node.extend(&place);
                } else {
                    node.extend(self.place(rest.next().ok_or(ProofError::Length)?)?);
                }
            }
            place.clear();
            self.hash_nodes(level, &node, &mut place);
            (index, count, level) = (index / fan_out, count.div_ceil(fan_out), level + 1);
        }
        if rest.next().is_some() {
            return Err(ProofError::Length);
        }
        Ok(self.digest(&place))
    }

    /// Verifies with `proof` that the log of `old` entries with the root `old_root` is a prefix of the
    /// log of `new` entries with the root `new_root`: RFC 9162 §2.1.4.2.
    ///
    /// # Errors
    ///
    /// If the tree's format is not that of RFC 6962, if the proof has the wrong length, or if it leads
    /// to another root.
    pub fn verify_consistency(
        &self,
        old: u64,
        new: u64,
        old_root: &Digest,
        new_root: &Digest,
        proof: &[Digest],
    ) -> Result<(), ProofError> {
        self.check_log()?;
        if old > new {
            return Err(ProofError::Size { size: old, leaves: new });
        }
        if old == 0 || old == new {
            let expected = if old == 0 { self.empty_root() } else { *new_root };
            return match proof {
                [] if *old_root == expected => Ok(()),
                [] => Err(ProofError::Root),
                _ => Err(ProofError::Length),
            };
        }
        // If the old size is a power of two, the old entries are a complete subtree, and the proof starts
        // from its root.
        let mut rest = proof.iter();
        let mut next = || self.place(rest.next().ok_or(ProofError::Length)?);
        let is_whole = old.is_power_of_two();
        let first = if is_whole { self.place(old_root)? } else { next()? };
        let (mut before, mut after) = (first.clone(), first);
        let (mut index, mut last) = (old - 1, new - 1);
        let shift = index.trailing_ones();
        (index, last) = (index >> shift, last >> shift);
        while last > 0 {
            if index & 1 == 1 || index == last {
                // A node without a sibling moves up until it has one.
                let lone = if index & 1 == 1 { 0 } else { index.trailing_zeros() };
                (index, last) = (index >> lone, last >> lone);
                let left = next()?;
                before = self.parent(&left, &before);
                after = self.parent(&left, &after);
            } else {
                after = self.parent(&after, &next()?);
            }
            (index, last) = (index >> 1, last >> 1);
        }
        if rest.next().is_some() {
            return Err(ProofError::Length);
        }
        self.same(&before, old_root)?;
        self.same(&after, new_root)
    }

    pub(super) fn parent(&self, left: &[u8], right: &[u8]) -> Vec<u8> {
        let mut place = Vec::new();
        self.hash_nodes(0, &[left, right].concat(), &mut place);
        place
    }

    /// Returns the digest padded to its place in a node.
    fn place(&self, digest: &Digest) -> Result<Vec<u8>, ProofError> {
        let bytes = digest.as_bytes();
        if bytes.len() != self.digest_len() {
            return Err(ProofError::Digest { bytes: bytes.len() });
        }
        let mut place = bytes.to_vec();
        place.resize(self.place_len, 0);
        Ok(place)
    }

    fn same(&self, place: &[u8], root: &Digest) -> Result<(), ProofError> {
        if *root == place[..self.digest_len()] { Ok(()) } else { Err(ProofError::Root) }
    }

    fn check_log(&self) -> Result<(), ProofError> {
        let is_log = self.fan_out == 2 && self.missing == Missing::Nothing;
        if is_log { Ok(()) } else { Err(ProofError::Form) }
    }
}

/// The error for an invalid proof, or for a proof that cannot exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProofError {
    /// The tree has no such leaf.
    Leaf {
        /// The index of the leaf.
        leaf: u64,
        /// The number of leaves of the tree.
        leaves: u64,
    },
    /// The tree has fewer leaves.
    Size {
        /// The number of leaves of the smaller tree.
        size: u64,
        /// The number of leaves of the tree.
        leaves: u64,
    },
    /// The proof has too many or too few digests.
    Length,
    /// The length of a digest is not that of the tree's hash function.
    Digest {
        /// The length of the digest, in bytes.
        bytes: usize,
    },
    /// The proof leads to another root.
    Root,
    /// The tree's format has no such proofs.
    Form,
}

impl fmt::Display for ProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Leaf { leaf, leaves } => {
                write!(f, "leaf {leaf} is out of range for a tree of {leaves} leaves")
            }
            Self::Size { size, leaves } => {
                write!(f, "size {size} is out of range for a tree of {leaves} leaves")
            }
            Self::Length => f.write_str("the proof has the wrong number of digests"),
            Self::Digest { bytes } => {
                write!(
                    f,
                    "digest of {bytes} bytes does not have the digest length of the tree's algorithm"
                )
            }
            Self::Root => f.write_str("the proof leads to another root"),
            Self::Form => f.write_str("consistency proofs require the tree format of RFC 6962"),
        }
    }
}

impl core::error::Error for ProofError {}
