//! One whole message in memory.

use lanesum_spec::Algorithm;

use crate::Digest;
use crate::choose::{AsEngine, Selected, padding_block};
use crate::kernel::{Ending, Kernel, One};
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
    with(choice.one(), choice.algorithm(), message)
}

/// Hashes one message on `kernel`.
pub(super) fn by_kernel(algorithm: Algorithm, kernel: Kernel, message: &[u8]) -> Digest {
    with(One::new(kernel, algorithm.family()), algorithm, message)
}

#[inline(always)]
fn with(one: One, algorithm: Algorithm, message: &[u8]) -> Digest {
    by_width!(algorithm.family(), I => {
        let padding_block = padding_block(algorithm.family(), message.len());
        let ending = Ending { before: 0, padding_block };
        if padding_block.is_some()
            && let Some(iv) = I::stored_iv(algorithm)
            && let Some(bytes) = one.digest_block(iv, message, ending)
        {
            return Digest::of_bytes(algorithm, bytes.as_ref());
        }
        let mut state = I::iv(algorithm);
        one.finish(&mut state, message, ending);
        Digest::of(algorithm, &state)
    })
}
