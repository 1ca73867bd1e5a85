//! SHA-1 with detection of collision attacks, as in git: one message, or many in lanes.
//!
//! Every known attack constructs two messages whose schedules differ by one of thirty-two
//! disturbance vectors. Conditions on the schedule rule out nearly all blocks for all vectors; they
//! are screened in lanes, many blocks at a time. For the few remaining blocks, the chaining value
//! of the other message is computed. If both messages reach the same chaining value, that is a
//! collision.
//!
//! ```
//! use lanesum::sha1dc::{self, Checked, Detection};
//! use lanesum::Algorithm;
//!
//! let checked = sha1dc::hash(Algorithm::SHA1, Detection::new(), "abc");
//! assert!(!checked.is_collision());
//! assert_eq!(checked.digest(), lanesum::sha1("abc"));
//!
//! // Many messages, one in each lane.
//! let mut all = [Checked::default(); 2];
//! sha1dc::hash_many(Algorithm::SHA1, Detection::new(), &["abc", "first"], &mut all);
//! assert_eq!(all[0], checked);
//! ```

pub(crate) mod blocks;
mod many;
mod one;
mod pending;
mod watch;

use core::fmt;

use lanesum_spec::Algorithm;

pub use self::many::{Done, Lanes, hash_many};
pub use self::one::{Sha1Dc, hash};
use crate::Digest;
use crate::choose::{AsEngine, Selected};
use crate::words;

/// The length of a block, in bytes.
const BLOCK: usize = 64;

/// The number of blocks screened before they are compressed: few enough to stay in the L1 data
/// cache.
const BLOCKS: usize = 256;

/// Which collisions to detect, and the digest to return for one. The default is git's: full
/// 80-round collisions, and the standard SHA-1 digest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Detection {
    is_safe: bool,
    finds_reduced: bool,
    /// Whether every block of one message is checked with every vector.
    is_unscreened: bool,
}

impl Detection {
    /// Creates git's configuration.
    pub const fn new() -> Self {
        Self { is_safe: false, finds_reduced: false, is_unscreened: false }
    }

    /// Makes the digests of the two messages of a collision differ, by compressing a block of an attack
    /// three times.
    #[must_use]
    pub const fn safe(mut self) -> Self {
        self.is_safe = true;
        self
    }

    /// Also reports collisions of reduced-round SHA-1, which are published as examples of attacks.
    #[must_use]
    pub const fn reduced(mut self) -> Self {
        self.finds_reduced = true;
        self
    }

    /// Checks every block of one message with every vector, without screening.
    pub(crate) const fn unscreened(mut self) -> Self {
        self.is_unscreened = true;
        self
    }
}

/// The digest of a message, and whether a collision attack was detected in it.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
#[must_use = "a digest of a collision names two messages"]
pub struct Checked {
    digest: [u8; 20],
    is_collision: bool,
}

impl Checked {
    /// Creates a result from the final chaining value.
    fn new(state: &[u32; 8], is_collision: bool) -> Self {
        let bytes = words::bytes(Algorithm::SHA1.family(), state);
        Self { digest: *bytes.first_chunk().expect("digests are shorter"), is_collision }
    }

    /// Returns the digest: the standard SHA-1 digest, unless detection was [safe](Detection::safe) and a
    /// collision was detected.
    pub fn digest(&self) -> [u8; 20] {
        self.digest
    }

    /// Whether a block of the message is part of a collision.
    pub fn is_collision(&self) -> bool {
        self.is_collision
    }
}

impl fmt::Debug for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Checked")
            .field("digest", &Digest::from(*self))
            .field("is_collision", &self.is_collision)
            .finish()
    }
}

impl From<Checked> for Digest {
    fn from(checked: Checked) -> Self {
        checked.digest.into()
    }
}

/// Returns the choice of an engine.
///
/// # Panics
///
/// If the engine's algorithm is not SHA-1.
#[track_caller]
fn choice(engine: &impl AsEngine) -> Selected<'_> {
    let choice = engine.choice();
    let algorithm = choice.algorithm();
    assert!(
        algorithm == Algorithm::SHA1,
        "collision detection requires sha1, but the engine uses {algorithm}"
    );
    choice
}
