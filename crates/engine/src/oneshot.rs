//! One whole message in memory: its blocks from where they are, its end padded in
//! a block or two on the stack, and no more. The end of a message that came in pieces
//! is the same.

use lanesum_spec::Algorithm;

use crate::hasher::default_backend;
use crate::kernel::{Select, Single};
use crate::words::{pad, sixteen};
use crate::{Digest, Hasher};

/// The digest of `message`.
#[inline]
pub(crate) fn hash(algorithm: Algorithm, message: &[u8]) -> Digest {
    let digest = match algorithm.family().word_bits() {
        32 => of_words::<u32, 128>(algorithm, message),
        _ => of_words::<u64, 256>(algorithm, message),
    };
    digest.unwrap_or_else(|| {
        // A policy has one message done by a row of many lanes.
        let mut hasher = Hasher::new(algorithm);
        hasher.update(message);
        hasher.finish()
    })
}

/// The same for words of one width; `TWO` is the length of two blocks.
#[inline]
fn of_words<I: Select, const TWO: usize>(algorithm: Algorithm, message: &[u8]) -> Option<Digest> {
    let family = algorithm.family();
    let single = Single::<I>::of(family, || default_backend(algorithm))?;
    let mut state = I::iv(algorithm);

    let block = const { TWO / 2 };
    let length_len = const { TWO / 16 };
    let (mut whole, mut end) = message.split_at(message.len() - message.len() % block);
    if whole.len() == block && end.len() + 1 + length_len <= block {
        // One call instead of two is worth the copy of a block.
        (whole, end) = (&[], message);
    }
    if !whole.is_empty() {
        single.compress(&mut state, whole);
    }

    let bytes = message.len() as u64;
    Some(self::end::<I, TWO>(algorithm, &mut state, end, bytes, |state, blocks| {
        single.compress(state, blocks);
    }))
}

/// The digest of a message of so many bytes, of which `end` are the last ones, less than two
/// blocks with their padding, and all others, whole blocks, are compressed in `state`.
/// `compress` does that with what is left, which lies in a copy of its own. `TWO` is the
/// length of two blocks.
#[inline]
pub(crate) fn end<I: Select, const TWO: usize>(
    algorithm: Algorithm,
    state: &mut [I; 8],
    end: &[u8],
    bytes: u64,
    compress: impl FnOnce(&mut [I; 8], &mut [u8]),
) -> Digest {
    let mut tail = [0; TWO];
    let padded = pad(&mut tail, end, const { TWO / 2 }, algorithm.family().is_big_endian(), bytes);
    compress(state, &mut tail[..padded]);
    digest(algorithm, state)
}

/// The digest that the last chaining value of a message is.
#[inline]
pub(crate) fn digest<I: Select>(algorithm: Algorithm, state: &[I; 8]) -> Digest {
    let big_endian = algorithm.family().is_big_endian();
    let mut bytes = [0; 64];
    let sixteens = state.chunks_exact(16 / I::BYTES);
    for (to, words) in bytes.as_chunks_mut().0.iter_mut().zip(sixteens) {
        let turned = words.iter().map(|&word| if big_endian { word.swap_bytes() } else { word });
        let number =
            turned.rev().fold(0, |all, word| all << (8 * I::BYTES) | u128::from(word.widen()));
        sixteen(to, number);
    }
    Digest::new(&bytes, algorithm.digest_len())
}
