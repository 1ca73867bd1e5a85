//! One whole message in memory: its blocks from where they are, its end padded in
//! a block or two on the stack, and no more.

use lanesum_spec::Algorithm;

use super::chain::{Chain, One, end};
use crate::Digest;
use crate::choose::for_one;
use crate::kernel::{Select, Single};

/// The digest of one message.
pub fn hash(algorithm: Algorithm, message: &[u8]) -> Digest {
    match algorithm.family().word_bits() {
        32 => of_words::<u32, 128>(algorithm, message),
        _ => of_words::<u64, 256>(algorithm, message),
    }
}

/// The same for words of one width; `TWO` is the length of two blocks.
#[inline]
fn of_words<I: Select, const TWO: usize>(algorithm: Algorithm, message: &[u8]) -> Digest {
    let Some(single) = Single::of(algorithm.family(), || for_one(None, algorithm)) else {
        return in_lanes(algorithm, message);
    };
    let mut state = I::iv(algorithm);

    let block = const { TWO / 2 };
    let length_len = const { TWO / 16 };
    let (mut whole, mut rest) = message.split_at(message.len() - message.len() % block);
    if whole.len() == block && rest.len() + 1 + length_len <= block {
        // One call instead of two is worth the copy of a block.
        (whole, rest) = (&[], message);
    }
    if !whole.is_empty() {
        single.compress(&mut state, whole);
    }
    end::<I, TWO>(algorithm, &mut state, rest, message.len() as u64, |state, blocks| {
        single.compress(state, blocks);
    })
}

/// The same where a policy has one message done by a kernel of many lanes.
#[cold]
fn in_lanes(algorithm: Algorithm, message: &[u8]) -> Digest {
    let one = One::of(None, algorithm);
    let mut chain = Chain::initial(algorithm);
    let (whole, rest) = message.split_at(message.len() - message.len() % algorithm.block_len());
    chain.compress(one, whole);
    chain.end(one, algorithm, rest, message.len() as u64)
}
