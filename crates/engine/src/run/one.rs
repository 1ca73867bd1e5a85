//! One whole message in memory. Its whole blocks are read in place; its end is padded in one or two
//! blocks on the stack. A message of one block is copied there too.

use lanesum_spec::Algorithm;

use super::chain::{Chain, One, digest, end};
use crate::Digest;
use crate::choose::{AsEngine, Choice};
use crate::kernel::{Kernel, Select, Single};
use crate::words::{block_len, by_width};

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
            Some(single) => of_words::<I, { 2 * block_len::<I>() }>(choice.algorithm(), &single, message),
            None => in_lanes(choice, message),
        }
    })
}

/// Hashes one message on `kernel`, which must have one lane.
pub(super) fn by_kernel(algorithm: Algorithm, kernel: Kernel, message: &[u8]) -> Digest {
    let family = algorithm.family();
    by_width!(family, I => {
        let single = Single::<I>::with(kernel, family).expect("a kernel of one lane");
        of_words::<I, { 2 * block_len::<I>() }>(algorithm, &single, message)
    })
}

/// Hashes one message, for words of one width; `TWO` is the length of two blocks.
#[inline]
fn of_words<I: Select, const TWO: usize>(
    algorithm: Algorithm,
    single: &Single<I>,
    message: &[u8],
) -> Digest {
    let mut state = I::iv(algorithm);
    if single.finish(&mut state, message, 0) {
        return digest(algorithm, &state);
    }

    let block = const { TWO / 2 };
    let length_len = const { TWO / 16 };
    let (mut whole, mut rest) = message.split_at(message.len() - message.len() % block);
    if whole.len() == block && rest.len() + 1 + length_len <= block {
        // Saving a call is worth copying a block.
        (whole, rest) = (&[], message);
    }
    if !whole.is_empty() {
        single.compress(&mut state, whole);
    }
    end::<I, TWO>(algorithm, &mut state, rest, message.len() as u64, |state, blocks| {
        single.compress(state, blocks);
    })
}

/// Hashes one message when a policy forces a kernel with several lanes.
#[cold]
fn in_lanes(choice: Choice<'_>, message: &[u8]) -> Digest {
    let algorithm = choice.algorithm();
    let one = One::of(choice);
    let mut chain = Chain::initial(algorithm);
    let (whole, rest) = message.split_at(message.len() - message.len() % algorithm.block_len());
    chain.compress(one, whole);
    chain.end(one, algorithm, rest, message.len() as u64)
}
