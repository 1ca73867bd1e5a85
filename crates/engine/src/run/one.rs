//! One whole message in memory.

use lanesum_spec::Algorithm;

use super::chain::{Chain, One};
use crate::Digest;
use crate::choose::{AsEngine, Selected};
use crate::kernel::{Kernel, Single};
use crate::words::{Width, by_width};

/// Hashes one message. If the engine is an [`Algorithm`](crate::Algorithm), the message runs on
/// the automatic kernel for it, which is selected once per process.
///
/// ```
/// use lanesum::{Algorithm, hash};
///
/// let algorithm: Algorithm = "sha512/256".parse()?;
/// assert_eq!(hash(algorithm, "abc").to_string()[..8], *"53048e26");
/// # Ok::<(), lanesum::ParseAlgorithmError>(())
/// ```
pub fn hash(engine: impl AsEngine, message: impl AsRef<[u8]>) -> Digest {
    of_bytes(engine.choice(), message.as_ref())
}

/// Hashes one message. Not generic, so that it is compiled once.
pub(crate) fn of_bytes(choice: Selected<'_>, message: &[u8]) -> Digest {
    let algorithm = choice.algorithm();
    match Single::with(choice.for_one(), algorithm.family()) {
        Some(single) => with(single, algorithm, message),
        None => in_lanes(choice, message),
    }
}

/// Hashes one message on `kernel`, which must have one lane.
pub(super) fn by_kernel(algorithm: Algorithm, kernel: Kernel, message: &[u8]) -> Digest {
    let single = Single::with(kernel, algorithm.family()).expect("a kernel of one lane");
    with(single, algorithm, message)
}

#[inline]
fn with(single: Single, algorithm: Algorithm, message: &[u8]) -> Digest {
    by_width!(algorithm.family(), I => {
        let mut state = I::iv(algorithm);
        single.finish(&mut state, message, 0);
        Digest::of(algorithm, &state)
    })
}

/// Hashes one message when a policy forces a kernel with several lanes.
#[cold]
fn in_lanes(choice: Selected<'_>, message: &[u8]) -> Digest {
    let algorithm = choice.algorithm();
    Chain::initial(algorithm).end(One::of(choice), algorithm, message, message.len() as u64)
}
