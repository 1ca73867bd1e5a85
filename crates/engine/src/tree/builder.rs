//! Incremental construction of trees, and the levels of a complete tree.

use core::fmt;
use std::borrow::Cow;

use super::Tree;
use crate::{Digest, Hasher, hash};

/// The minimum number of bytes gathered before leaves are hashed. Longer leaves are not gathered but
/// hashed as their bytes arrive.
const GATHER: usize = 256 << 10;

/// The minimum number of leaves gathered: the number of lanes.
const LEAVES: usize = 32;

/// The maximum number of leaves hashed before their nodes, which bounds the memory for their digests.
const MOST_LEAVES: usize = 1 << 16;

/// The minimum number of children gathered before their nodes are hashed.
const CHILDREN: usize = 1 << 12;

/// Builds a tree over a message that arrives in pieces.
///
/// ```
/// use lanesum::{Algorithm, tree::Tree};
///
/// let tree = Tree::torrent2();
/// let mut builder = tree.builder();
/// builder.update(b"first").update(b"second");
/// assert_eq!(builder.finish().root(), tree.build(b"firstsecond").root());
/// ```
pub struct Builder<'t> {
    tree: Cow<'t, Tree>,
    /// Bytes not yet hashed.
    gathered: Vec<u8>,
    /// An incomplete long leaf, and the number of its bytes so far.
    leaf: Option<(Hasher, usize)>,
    levels: Vec<Level>,
    keeps_levels: bool,
}

/// A level under construction.
#[derive(Default)]
struct Level {
    /// The digests, without those discarded.
    digests: Vec<u8>,
    /// The number of these bytes that are in nodes of the level above.
    hashed: usize,
    /// Whether earlier digests were discarded.
    has_forgotten: bool,
}

impl<'t> Builder<'t> {
    pub(super) fn new(tree: Cow<'t, Tree>, keeps_levels: bool) -> Self {
        Self {
            tree,
            gathered: Vec::new(),
            leaf: None,
            levels: vec![Level::default()],
            keeps_levels,
        }
    }

    /// Appends `data` to the message.
    pub fn update(&mut self, data: impl AsRef<[u8]>) -> &mut Self {
        let mut data = data.as_ref();
        let leaf_len = self.tree.leaf_len;
        let is_long = leaf_len > GATHER;
        // At least this many bytes are hashed in place, without gathering.
        let batch = match is_long {
            true => leaf_len,
            false => (leaf_len * LEAVES).max(GATHER).next_multiple_of(leaf_len),
        };
        while !data.is_empty() {
            if self.gathered.is_empty() && self.leaf.is_none() && data.len() >= batch {
                let most = leaf_len.saturating_mul(MOST_LEAVES);
                let whole = (data.len() - data.len() % leaf_len).min(most);
                self.tree.hash_leaves(&data[..whole], &mut self.levels[0].digests);
                data = &data[whole..];
            } else if is_long {
                let begin = || (self.tree.leaf.clone(), 0);
                let (mut leaf, had) = self.leaf.take().unwrap_or_else(begin);
                let (now, later) = data.split_at(data.len().min(leaf_len - had));
                leaf.update(now);
                match had + now.len() {
                    has if has == leaf_len => self.end(&leaf),
                    has => self.leaf = Some((leaf, has)),
                }
                data = later;
            } else {
                let (now, later) = data.split_at(data.len().min(batch - self.gathered.len()));
                self.gathered.extend(now);
                data = later;
                if self.gathered.len() == batch {
                    self.tree.hash_leaves(&self.gathered, &mut self.levels[0].digests);
                    self.gathered.clear();
                }
            }
            self.rise(false);
        }
        self
    }

    /// Appends the digest of a long leaf.
    fn end(&mut self, leaf: &Hasher) {
        let digests = &mut self.levels[0].digests;
        let len = digests.len() + self.tree.place_len;
        digests.extend(leaf.finish().as_bytes());
        digests.resize(len, 0);
    }

    /// Hashes the complete nodes, or at the end all nodes. At the end, the level with a single digest,
    /// the root, is the last.
    fn rise(&mut self, is_end: bool) {
        let (node_len, place_len) = (self.tree.node_len(), self.tree.place_len);
        for at in 0.. {
            let Some(level) = self.levels.get_mut(at) else { return };
            let waiting = level.digests.len() - level.hashed;
            let is_root = level.hashed == 0 && !level.has_forgotten && waiting <= place_len;
            let now = if is_end { waiting } else { waiting - waiting % node_len };
            if is_root || now == 0 || (!is_end && now < CHILDREN * place_len) {
                if is_end && !is_root {
                    continue;
                }
                return;
            }
            let mut nodes = Vec::new();
            self.tree.hash_nodes(at, &level.digests[level.hashed..][..now], &mut nodes);
            level.hashed += now;
            if !self.keeps_levels {
                level.digests.drain(..level.hashed);
                (level.hashed, level.has_forgotten) = (0, true);
            }
            if at + 1 == self.levels.len() {
                self.levels.push(Level::default());
            }
            self.levels[at + 1].digests.extend(nodes);
        }
    }

    /// Returns the tree over the whole message.
    pub fn finish(mut self) -> Levels<'t> {
        self.tree.hash_leaves(&self.gathered, &mut self.levels[0].digests);
        if let Some((mut leaf, has)) = self.leaf.take() {
            if self.tree.pads_leaves {
                let zeros = [0; 4096];
                let mut lacking = self.tree.leaf_len - has;
                while lacking > 0 {
                    let now = lacking.min(zeros.len());
                    leaf.update(&zeros[..now]);
                    lacking -= now;
                }
            }
            self.end(&leaf);
        }
        self.rise(true);
        Levels::new(self.tree, self.levels.into_iter().map(|level| level.digests).collect())
    }
}

/// Builds the root of a tree over a message that arrives in pieces. Levels are discarded, so memory
/// use does not grow with the message.
#[derive(Debug)]
pub struct RootBuilder<'t>(pub(super) Builder<'t>);

impl RootBuilder<'_> {
    /// Appends `data` to the message.
    pub fn update(&mut self, data: impl AsRef<[u8]>) -> &mut Self {
        self.0.update(data);
        self
    }

    /// Returns the root over the whole message.
    pub fn finish(self) -> Digest {
        self.0.finish().root()
    }
}

impl std::io::Write for Builder<'_> {
    fn write(&mut self, data: &[u8]) -> std::io::Result<usize> {
        self.update(data);
        Ok(data.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl std::io::Write for RootBuilder<'_> {
    fn write(&mut self, data: &[u8]) -> std::io::Result<usize> {
        self.0.write(data)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl fmt::Debug for Builder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder").field("tree", &self.tree).finish_non_exhaustive()
    }
}

/// A complete tree: its levels, from the leaves to the root.
#[derive(Clone)]
pub struct Levels<'t> {
    pub(super) tree: Cow<'t, Tree>,
    levels: Vec<Vec<u8>>,
}

impl<'t> Levels<'t> {
    pub(super) fn new(tree: Cow<'t, Tree>, levels: Vec<Vec<u8>>) -> Self {
        Self { tree, levels }
    }

    /// Returns the number of levels, including the leaves and the root.
    pub fn count(&self) -> usize {
        self.levels.len()
    }

    /// Returns the bytes of a level, 0 for the leaves: its digests as nodes contain them, each in
    /// [`place_len`](Tree::place_len) bytes.
    ///
    /// # Panics
    ///
    /// If `level` does not exist.
    #[track_caller]
    pub fn bytes(&self, level: usize) -> &[u8] {
        let count = self.count();
        assert!(level < count, "level is {level}; it must be less than {count}");
        &self.levels[level]
    }

    /// Returns the digests of a level, 0 for the leaves.
    ///
    /// # Panics
    ///
    /// If `level` does not exist.
    #[track_caller]
    pub fn digests(&self, level: usize) -> impl ExactSizeIterator<Item = Digest> {
        let places = self.bytes(level).chunks_exact(self.tree.place_len);
        places.map(|place| self.tree.digest(place))
    }

    /// Returns the digest at `index` in a level.
    pub(super) fn at(&self, level: usize, index: usize) -> Digest {
        let len = self.tree.place_len;
        self.tree.digest(&self.levels[level][index * len..][..len])
    }

    /// Returns the root. Without leaves it is the digest of the empty string if missing children are
    /// [`Nothing`](super::Missing::Nothing), otherwise zero bytes.
    pub fn root(&self) -> Digest {
        match self.levels.last() {
            Some(level) if !level.is_empty() => self.at(self.levels.len() - 1, 0),
            _ => self.tree.empty_root(),
        }
    }

    /// Returns the digest of the concatenated leaf digests: Amazon S3's composite checksum, whose leaves
    /// are the parts of an upload.
    ///
    /// ```
    /// use lanesum::{Algorithm, sha256, tree::Tree};
    ///
    /// let parts = Tree::list(Algorithm::SHA256, 4);
    /// let digests = [sha256("part"), sha256("last")].concat();
    /// assert_eq!(parts.build(b"partlast").composite(), sha256(digests));
    /// ```
    pub fn composite(&self) -> Digest {
        hash(&self.tree.engine, &self.levels[0])
    }
}

impl fmt::Debug for Levels<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Levels")
            .field("tree", &self.tree)
            .field("count", &self.count())
            .field("root", &self.root())
            .finish_non_exhaustive()
    }
}
