//! Merkle trees stored in a separate file, which identify the leaves that differ.

use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use lanesum::Digest;
use lanesum::tree::Tree;
use lanesum_files::{Kinds, open};

use super::read::Source;
use super::{Hashing, differs, failed, print_verdict};
use crate::Reported;
use crate::message::{Shown, print_message};

/// A stored tree. Its levels are consecutive, from the one below the root to the leaves, each padded to
/// whole blocks.
pub(super) struct StoredTree<'p> {
    pub(super) path: &'p Path,
    /// Offset of the tree in its file, in bytes.
    pub(super) start: usize,
    /// Length of a block, which is a node of the tree, in bytes.
    pub(super) block_len: usize,
}

impl StoredTree<'_> {
    /// Reports the blocks of a file that differ from the stored tree. `leads` checks the tree's
    /// root.
    pub(super) fn compare(
        &self,
        hashing: &Hashing,
        tree: &Tree,
        mut source: Source,
        (path, leads): (&Path, impl Fn(&Digest) -> Result<bool, Reported>),
        out: &mut Vec<u8>,
    ) -> Result<(), Reported> {
        let (bytes, leaf_len) = (source.bytes, tree.leaf_len() as u64);
        let unread = |error| failed("read", path, &error);
        if let Some(range) = &hashing.bytes {
            if *range.start() >= bytes {
                let (path, first) = (Shown(path.as_os_str()), range.start());
                print_message(format_args!(
                    "{path} has only {bytes} bytes in whole blocks: byte {first} is out of range"
                ));
                return Err(Reported::Failed);
            }
            source.start = range.start() / leaf_len * leaf_len;
            source.bytes = (range.end() / leaf_len + 1).saturating_mul(leaf_len).min(bytes);
        }
        let count = bytes.div_ceil(leaf_len) as usize;
        if count <= 1 {
            // The tree consists of the root only, which is not stored.
            let leaves = hashing.leaves(&source, tree).map_err(unread)?;
            return print_verdict(path, leads(&tree.above(leaves).root())?, out);
        }
        // Stored digests are padded to a power of two.
        let place_len = hashing.engine.algorithm().digest_len().next_power_of_two();
        let theirs = self.leaves(count * place_len, place_len);
        let theirs = theirs.map_err(|error| failed("read", self.path, &error))?;
        if !leads(&tree.above(theirs.clone()).root())? {
            print_message(format_args!("{} does not match the root", Shown(self.path.as_os_str())));
            return Err(Reported::Failed);
        }
        let ours = hashing.leaves(&source, tree).map_err(unread)?;
        let first = source.start / leaf_len;
        let theirs = theirs.chunks_exact(place_len).skip(first as usize);
        let mut is_same = true;
        for (number, (ours, theirs)) in (first..).zip(ours.chunks_exact(place_len).zip(theirs)) {
            if ours != theirs {
                differs(path, ("block", leaf_len), number, bytes, out);
                is_same = false;
            }
        }
        print_verdict(path, is_same, out)
    }

    /// Reads the stored digests of the leaves: `bytes` bytes, `place_len` bytes per digest.
    fn leaves(&self, bytes: usize, place_len: usize) -> io::Result<Vec<u8>> {
        let mut start = self.start;
        let mut level = bytes;
        loop {
            level = level.div_ceil(self.block_len) * place_len;
            if level <= place_len {
                break;
            }
            start += level.next_multiple_of(self.block_len);
        }
        let mut leaves = vec![0; bytes];
        open(self.path, Kinds::Storage)?.read_exact_at(&mut leaves, start as u64)?;
        Ok(leaves)
    }
}
