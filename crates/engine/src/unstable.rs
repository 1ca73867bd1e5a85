//! **Unstable**: outside every promise of versions. The other crates of this workspace need
//! the kernels themselves (libraries whose callers keep chaining values, benches, tools that
//! look at kernels), and a way to overwrite secrets.

use crate::choose::Choice;
use crate::run::{Chain, One, state_head};
use crate::words::{MAX_LANES, State};
use crate::{Algorithm, Digest, Hasher, HmacKey, ImportError, Kernel, Policy};

pub use crate::keyed::pbkdf2_many_while;
#[cfg(feature = "std")]
pub use crate::locked::Locked;
pub use crate::peers::BesideOpenssl;
pub use crate::wipe::{Depth, below, below_as_said};
pub use crate::words::fill;

/// Compresses all of `data` into one chaining value, whose words are in the low bits, on the
/// kernel for one message: for libraries whose callers keep the chaining value, and fill blocks
/// by [`fill`].
///
/// # Panics
///
/// If `data` is not whole blocks.
pub fn compress(algorithm: Algorithm, words: &mut [u64; 8], data: &[u8]) {
    assert!(data.len().is_multiple_of(algorithm.block_len()), "whole blocks");
    let mut chain = Chain::new(algorithm, *words);
    chain.compress(One::of(Choice::automatic(algorithm)), data);
    *words = chain.words();
}

/// A hasher in which [`Hasher::reset`] has to begin the first message, too: this writes it where it is
/// put, and nothing twice.
#[inline(always)]
pub fn blank(algorithm: Algorithm) -> Hasher {
    Hasher::blank(algorithm)
}

/// The digest that the last chaining value of a message is.
pub fn digest(algorithm: Algorithm, words: [u64; 8]) -> Digest {
    Chain::new(algorithm, words).digest(algorithm)
}

/// The tag of one message, as [`HmacKey::mac`] makes it, for a call that overwrites all that it leaves: `depth`
/// is told how far down that is.
#[inline]
pub fn tag(key: &HmacKey, message: &[u8], depth: &mut Depth) -> Digest {
    *depth = key.message_depth().through_a_door();
    key.tag(message)
}

/// The same on the automatic kernel, whatever the key was made for.
#[inline]
pub fn tag_automatically(key: &HmacKey, message: &[u8], depth: &mut Depth) -> Digest {
    let one = key.automatic();
    *depth = key.depth_by(one).through_a_door();
    key.tag_by(one, message)
}

/// The policy with another clock for long runs (nanoseconds since some moment), such as that of a test;
/// without one it times nothing.
#[must_use]
pub fn with_clock(policy: Policy, clock: Option<fn() -> u64>) -> Policy {
    policy.with_clock(clock)
}

/// Why the kernel of the table called `name` cannot run.
pub fn why_absent(name: &str) -> &'static str {
    match Kernel::needs_optimization(|of, _| of == name) {
        true => "not compiled without optimization",
        false => "this CPU cannot run it",
    }
}

/// The algorithm of an exported state, before a kernel is looked for that has it.
///
/// # Errors
///
/// If `state` does not begin as one.
pub fn algorithm_of(state: &[u8]) -> Result<Algorithm, ImportError> {
    state_head(state).map(|(algorithm, _)| algorithm)
}

/// Chaining values for every lane of a kernel, and what it has for one algorithm.
#[derive(Clone)]
pub struct Chains {
    algorithm: Algorithm,
    kernel: Kernel,
    state: State,
}

impl Chains {
    /// Every lane at the algorithm's IV; `None` if the kernel has not got it.
    pub fn new(algorithm: Algorithm, kernel: Kernel) -> Option<Self> {
        let mut state = State::new(algorithm.family());
        (0..MAX_LANES).for_each(|l| state.set(l, &algorithm.iv()));
        kernel.supports(algorithm).then_some(Self { algorithm, kernel, state })
    }

    /// Compresses the first `blocks` blocks of `data[l]` into lane l.
    ///
    /// # Panics
    ///
    /// If there is not a slice of so many blocks for each lane of the kernel.
    pub fn compress(&mut self, data: &[&[u8]], blocks: usize) {
        self.kernel.compress_in(self.algorithm.family(), &mut self.state, 0, data, blocks);
    }

    /// The chaining value of lane `l` as a digest: no padding is done here.
    pub fn digest(&self, l: usize) -> Digest {
        Chain::new(self.algorithm, self.words(l)).digest(self.algorithm)
    }

    /// The chaining value of lane `l`, in the low bits of its words.
    pub fn words(&self, l: usize) -> [u64; 8] {
        self.state.get(l)
    }
}
