//! **Unstable**: exempt from semantic versioning. Gives the other crates of this workspace access to
//! kernels (for libraries whose callers own the chaining values, benchmarks, and tools that inspect
//! kernels), and a way to overwrite secrets.

use crate::choose::AsEngine;
use crate::keyed::mac_many_at;
use crate::run::{Chain, state_head};
use crate::sha1dc::Detection;
use crate::sha1dc::blocks::Blocks;
use crate::words::{MAX_LANES, State};
use crate::{Algorithm, Digest, Hasher, HmacKey, ImportError, Kernel, Messages, Outputs, Policy};

pub use crate::base::Cpu;
pub use crate::choose::CostsFile;
#[doc(hidden)]
pub use crate::choose::Selected;
pub use crate::kernel::Assembly;
pub use crate::keyed::{Depth, pbkdf2_many_while, wiping_entry_stack, wiping_stack};
#[cfg(feature = "std")]
pub use crate::locked::Locked;
pub use crate::peers::BesideOpenssl;
pub use crate::run::chain_many_while;
pub use crate::sha1dc::blocks::Collision;
pub use crate::words::{fill, pad};

/// Compresses all of `data` into one chaining value, in the low bits of `words`, on the kernel for
/// one message. For libraries whose callers store the chaining value and assemble blocks with
/// [`fill`].
///
/// # Panics
///
/// If the length of `data` is not a multiple of the block length.
pub fn compress(algorithm: Algorithm, words: &mut [u64; 8], data: &[u8]) {
    assert!(data.len().is_multiple_of(algorithm.block_len()), "whole blocks");
    let mut chain = Chain::new(algorithm, *words);
    chain.compress(Selected::automatic(algorithm).one(), data);
    *words = chain.words();
}

/// Compresses all of `data` into a chaining value of SHA-1 on the automatic kernels, and checks each block
/// for collision attacks. Calls `found` for each block of a collision, in order. With `screens` false,
/// checks every block with every vector, which takes many times as long. For libraries whose callers store
/// the chaining value.
///
/// # Panics
///
/// If the length of `data` is not a multiple of the block length.
pub fn compress_sha1dc(
    detection: Detection,
    screens: bool,
    words: &mut [u32; 5],
    data: &[u8],
    mut found: impl FnMut(Collision<'_>),
) {
    assert!(data.len().is_multiple_of(Algorithm::SHA1.block_len()), "whole blocks");
    let detection = if screens { detection } else { detection.unscreened() };
    let [a, b, c, d, e] = *words;
    let mut state = [a, b, c, d, e, 0, 0, 0];
    let blocks = Blocks::new(Selected::automatic(Algorithm::SHA1), detection);
    blocks.compress(&mut state, data, &mut found);
    words.copy_from_slice(&state[..5]);
}

/// Creates a hasher that needs a [`Hasher::reset`] before its first message. `reset` writes the initial
/// state in place, and nothing is written twice.
#[inline(always)]
pub fn blank(algorithm: Algorithm) -> Hasher {
    Hasher::blank(algorithm)
}

/// Returns the digest of a final chaining value.
pub fn digest(algorithm: Algorithm, words: [u64; 8]) -> Digest {
    Chain::new(algorithm, words).digest(algorithm)
}

/// Returns the tag of one message, like [`HmacKey::mac`], for a caller that overwrites the stack. Sets
/// `depth` to the stack depth that it uses.
#[inline]
pub fn tag(key: &HmacKey, message: &[u8], depth: &mut Depth) -> Digest {
    *depth = key.message_depth();
    key.tag(message)
}

/// Returns the tag of one message on the automatic kernel, whatever kernel the key was prepared for. Sets
/// `depth` to the stack depth that it uses.
#[inline]
pub fn tag_automatically(key: &HmacKey, message: &[u8], depth: &mut Depth) -> Digest {
    let one = key.automatic();
    *depth = key.depth_by(one);
    key.tag_by(one, message)
}

/// Computes the tags of many messages under one key on the calling thread, like [`mac_many`](crate::mac_many), for a
/// caller that overwrites the stack. Sets `depth` to the stack depth that it uses.
///
/// # Panics
///
/// As [`mac_many`](crate::mac_many).
#[inline]
pub fn mac_many<M, D>(
    engine: impl AsEngine,
    key: &HmacKey,
    messages: &M,
    tags: D,
    depth: &mut Depth,
) where
    M: Messages + ?Sized,
    D: Outputs,
{
    mac_many_at(engine.choice(), key, messages, tags, depth);
}

/// Replaces the clock for long runs (nanoseconds since an arbitrary start), for example in a test. `None`
/// disables timing.
#[must_use]
pub fn with_clock(policy: Policy, clock: Option<fn() -> u64>) -> Policy {
    policy.with_clock(clock)
}

/// Returns the reason why the kernel `name` of the table cannot run.
pub fn why_absent(name: &str) -> &'static str {
    match Kernel::needs_optimization(|of, _| of == name) {
        true => "not compiled without optimization",
        false => "this CPU cannot run it",
    }
}

/// Returns the functions of this build that are assembly, for a comparison of their machine code with the proven
/// one. None on other architectures than x86-64.
// Not inlined: in libraries, kernels call exported functions indirectly.
#[inline(never)]
pub fn assembly() -> &'static [Assembly] {
    crate::kernel::ASSEMBLY
}

/// Returns the algorithm of an exported state, without selecting a kernel for it.
///
/// # Errors
///
/// If `state` does not begin like an exported state.
pub fn algorithm_of(state: &[u8]) -> Result<Algorithm, ImportError> {
    state_head(state).map(|(algorithm, _)| algorithm)
}

/// A kernel with a chaining value for each of its lanes.
#[derive(Clone)]
pub struct Chains {
    algorithm: Algorithm,
    kernel: Kernel,
    state: State,
}

impl Chains {
    /// Sets every lane to the algorithm's IV. Returns `None` if the kernel does not support the algorithm.
    pub fn new(algorithm: Algorithm, kernel: Kernel) -> Option<Self> {
        let mut state = State::new(algorithm.family());
        (0..MAX_LANES).for_each(|l| state.set(l, &algorithm.iv()));
        kernel.supports(algorithm).then_some(Self { algorithm, kernel, state })
    }

    /// Compresses the first `blocks` blocks of `data[l]` into lane l.
    ///
    /// # Panics
    ///
    /// If `data` does not contain a slice of at least `blocks` blocks for each lane of the kernel.
    pub fn compress(&mut self, data: &[&[u8]], blocks: usize) {
        self.kernel.compress_in(self.algorithm.family(), &mut self.state, 0, data, blocks);
    }

    /// Returns the chaining value of lane `l` as a digest, without padding.
    pub fn digest(&self, l: usize) -> Digest {
        Chain::new(self.algorithm, self.words(l)).digest(self.algorithm)
    }

    /// Returns the chaining value of lane `l`, in the low bits of the words.
    pub fn words(&self, l: usize) -> [u64; 8] {
        self.state.get(l)
    }
}
