//! SHA-1 that notices blocks of collision attacks, as git does: one message, or many in lanes.
//!
//! Every known attack gives two messages whose schedules differ by what one of thirty-two
//! disturbance vectors says. Conditions on the schedule say for nearly all blocks that they are
//! none of a pair by any vector; they are read in lanes, of many blocks at once. Of the few other
//! blocks the chaining value of the other message is computed: if both lead to the same, that is a
//! collision.
//!
//! ```
//! use lanesum::sha1dc::{self, Checked, Detection, Sha1Dc};
//! use lanesum::Algorithm;
//!
//! let checked = Sha1Dc::new().update("abc").finish();
//! assert!(!checked.is_collision());
//! assert_eq!(checked.digest(), lanesum::sha1("abc"));
//!
//! // Many messages, one in each lane.
//! let mut all = [Checked::default(); 2];
//! sha1dc::hash_many(Algorithm::SHA1, Detection::new(), &["abc", "first"], &mut all);
//! assert_eq!(all[0], checked);
//! ```

mod many;
mod one;
mod pending;
mod watch;

use core::fmt;

use lanesum_spec::Algorithm;

pub use self::many::{Done, Lanes, hash_many};
pub use self::one::Sha1Dc;
use crate::Digest;
use crate::choose::{AsEngine, Choice};
use crate::words;

/// The length of a block, in bytes.
const BLOCK: usize = 64;

/// How many blocks are screened before they are compressed: few enough that they are in the first
/// cache still.
const BLOCKS: usize = 256;

/// What is taken for a collision, and what becomes of its digest. By itself, as git has it:
/// collisions of all 80 rounds, and SHA-1's own digest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Detection {
    is_safe: bool,
    finds_reduced: bool,
}

impl Detection {
    /// As git has it.
    pub const fn new() -> Self {
        Self { is_safe: false, finds_reduced: false }
    }

    /// Makes digests of the two messages of a collision differ: a block of an attack is compressed
    /// three times.
    #[must_use]
    pub const fn safe(mut self) -> Self {
        self.is_safe = true;
        self
    }

    /// Takes collisions of fewer than 80 rounds for collisions, too: those that are published as
    /// examples of attacks.
    #[must_use]
    pub const fn reduced(mut self) -> Self {
        self.finds_reduced = true;
        self
    }
}

/// The digest of a message, and whether the message is one of a collision.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
#[must_use = "a digest of a collision names two messages"]
pub struct Checked {
    digest: [u8; 20],
    is_collision: bool,
}

impl Checked {
    /// What the chaining value after a message says, and what was noticed before.
    fn new(state: &[u32; 8], is_collision: bool) -> Self {
        let bytes = words::bytes(Algorithm::SHA1.family(), state);
        Self { digest: *bytes.first_chunk().expect("digests are shorter"), is_collision }
    }

    /// The digest: SHA-1's own, unless detection was [safe](Detection::safe) and the message is one
    /// of a collision.
    pub fn digest(&self) -> [u8; 20] {
        self.digest
    }

    /// Whether a block of the message is one of a collision.
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

/// What a call was given.
///
/// # Panics
///
/// If that is of another algorithm.
#[track_caller]
fn choice(engine: &impl AsEngine) -> Choice<'_> {
    let choice = engine.choice();
    assert_eq!(choice.algorithm(), Algorithm::SHA1, "an engine of SHA-1");
    choice
}
