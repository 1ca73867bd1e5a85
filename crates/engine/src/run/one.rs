//! One whole message in memory.

use lanesum_spec::Algorithm;

use super::chain::{Chain, One, digest};
use crate::Digest;
use crate::choose::{AsEngine, Choice};
use crate::kernel::{Kernel, Select, Single};
use crate::words::by_width;

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
pub(crate) fn of_bytes(choice: Choice<'_>, message: &[u8]) -> Digest {
    by_width!(choice.algorithm().family(), I => {
        match choice.single::<I>() {
            Some(single) => of_words(choice.algorithm(), &single, message),
            None => in_lanes(choice, message),
        }
    })
}

/// Hashes one message on `kernel`, which must have one lane.
pub(super) fn by_kernel(algorithm: Algorithm, kernel: Kernel, message: &[u8]) -> Digest {
    let family = algorithm.family();
    by_width!(family, I => {
        let single = Single::<I>::with(kernel, family).expect("a kernel of one lane");
        of_words(algorithm, &single, message)
    })
}

/// Hashes one message, for words of one width.
#[inline]
fn of_words<I: Select>(algorithm: Algorithm, single: &Single<I>, message: &[u8]) -> Digest {
    let mut state = I::iv(algorithm);
    single.finish(&mut state, message, 0);
    digest(algorithm, &state)
}

/// Hashes one message when a policy forces a kernel with several lanes.
#[cold]
fn in_lanes(choice: Choice<'_>, message: &[u8]) -> Digest {
    let algorithm = choice.algorithm();
    Chain::initial(algorithm).end(One::of(choice), algorithm, message, message.len() as u64)
}
