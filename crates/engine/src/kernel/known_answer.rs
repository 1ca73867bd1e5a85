//! The known-answer test that every kernel must pass before its first use in a process.

use lanesum_spec::{Algorithm, Family, MAX_BLOCK, pad};

use super::{Ending, Half, Kernel, KernelWord, Link};
use crate::words::{Columns, MAX_LANES, State, by_width, bytes, expand_end};

/// Compresses two blocks per lane, different in each, and compares with the scalar specification;
/// then an iteration of HMAC. The specification itself is first checked against the published
/// digest of "abc".
pub(super) fn known_answer(kernel: Kernel, family: Family) -> bool {
    const MAX_BLOCKS: usize = 2 * MAX_BLOCK;
    let algorithm = family.algorithm();
    if lanesum_spec::digest(algorithm, b"abc")[..4] != family.abc() {
        return false;
    }

    let lanes = kernel.lanes();
    let mut message = [0; MAX_BLOCKS + MAX_LANES];
    message.iter_mut().enumerate().for_each(|(i, byte)| *byte = (i * i + 3 * i) as u8);
    let block = family.block_len();
    let mut data = [&message[..2 * block]; MAX_LANES];
    data.iter_mut().enumerate().for_each(|(l, slice)| *slice = &message[l..l + 2 * block]);

    let mut state = State::new(family);
    (0..lanes).for_each(|l| state.set(l, &algorithm.iv()));
    kernel.compress_in(family, &mut state, 0, &data[..lanes], 2);
    let compresses = (0..lanes).all(|l| {
        let mut expected = algorithm.iv();
        for block in data[l].chunks_exact(block) {
            lanesum_spec::compress(family, &mut expected, block);
        }
        state.get(l)[..family.state_words()] == expected[..family.state_words()]
    });
    let mut blocks = data;
    blocks.iter_mut().for_each(|slice| *slice = &slice[..block]);
    // Whole messages with lengths around the end of a block.
    data.iter_mut().enumerate().for_each(|(l, slice)| *slice = &message[l..2 * block - l * 3]);
    compresses
        && by_width!(family, I => {
            finishes::<I>(kernel, algorithm, &data[..lanes], &blocks[..lanes])
                && digests_blocks::<I>(kernel, algorithm, &blocks[..lanes])
                && iterates::<I>(kernel, family)
        })
}

/// Compares digests with the specification: of whole messages, and of the one-block messages `blocks`, whose padding
/// block is precomputed.
fn finishes<I: KernelWord>(
    kernel: Kernel,
    algorithm: Algorithm,
    data: &[&[u8]],
    blocks: &[&[u8]],
) -> bool {
    let family = algorithm.family();
    let finish = |data: &[&[u8]], last| {
        let mut state = Columns::<I>::new();
        state.fill(MAX_LANES, &I::iv(algorithm));
        let mut digests = [[0; 64]; MAX_LANES];
        kernel.finish::<I>(
            family,
            state.words_mut(0),
            MAX_LANES,
            data,
            Ending { before: 0, padding_block: last },
        );
        kernel.write(family, state.words(0), MAX_LANES, &mut digests[..data.len()]);
        digests
    };
    let len = algorithm.digest_len();
    let expected = |message: &[u8]| lanesum_spec::digest(algorithm, message);
    let is_right =
        |(message, digest): (&&[u8], [u8; 64])| expected(message)[..len] == digest[..len];
    let last = expand_end(family, 0, family.block_len() as u64);
    data.iter().zip(finish(data, None)).all(is_right)
        && blocks.iter().zip(finish(blocks, Some(&last))).all(is_right)
}

/// Compares the digests of the one-block messages `blocks`, and of longer messages that share the first of them, with the
/// specification, if the kernel has a function for them.
fn digests_blocks<I: KernelWord>(kernel: Kernel, algorithm: Algorithm, blocks: &[&[u8]]) -> bool {
    let (family, len) = (algorithm.family(), algorithm.digest_len());
    let block = family.block_len();
    let iv = I::iv(algorithm);
    let digests = |iv: &[I; 8], data: &[&[u8]], ending| {
        let mut digests = [I::BLANK; MAX_LANES];
        kernel
            .digest_blocks(family, iv, data, ending, &mut digests[..data.len()])
            .then_some(digests)
    };
    let is_right = |message: &[u8], digest: I::Row| {
        lanesum_spec::digest(algorithm, message)[..len] == digest.as_ref()[..len]
    };

    let last = expand_end(family, 0, block as u64);
    let whole = digests(&iv, blocks, Ending { before: 0, padding_block: Some(&last) });
    let mut short = [&[][..]; MAX_LANES];
    for (to, message) in short.iter_mut().zip(blocks) {
        *to = &message[..block / 2];
    }
    let short = &short[..blocks.len()];
    let mut chain = algorithm.iv();
    lanesum_spec::compress(family, &mut chain, blocks[0]);
    let after = digests(&chain.map(I::truncate), short, Ending::after(block as u64));
    let mut longer = [0; 2 * MAX_BLOCK];
    longer[..block].copy_from_slice(blocks[0]);
    whole.is_none_or(|digests| {
        blocks.iter().zip(digests).all(|(data, digest)| is_right(data, digest))
    }) && after.is_none_or(|digests| {
        short.iter().zip(digests).all(|(rest, digest)| {
            let longer = &mut longer[..block + rest.len()];
            longer[block..].copy_from_slice(rest);
            is_right(longer, digest)
        })
    })
}

/// Compares one iteration in every lane, different in each, with the scalar specification over
/// padded bytes, for the shortest digest of the family.
fn iterates<I: KernelWord>(kernel: Kernel, family: Family) -> bool {
    let of_family = Algorithm::all().filter(|algorithm| algorithm.family() == family);
    let Some(algorithm) = of_family.min_by_key(|algorithm| algorithm.digest_len()) else {
        return false;
    };
    let columns = |of: u64| {
        let mut columns = Columns::<I>::new();
        for (place, word) in (1u64..).zip(columns.words_mut(0)) {
            let i = place * (of + 3);
            *word = I::truncate(i.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_right(20));
        }
        columns
    };
    let chains = [columns(0), columns(1)];
    let (before, sum_before) = (columns(2), columns(3));
    let (mut u, mut sum) = (before.clone(), sum_before.clone());
    let (link, starts) = (Link::new(algorithm), chains.each_ref().map(|chain| chain.words(0)));
    let (u_words, sum_words) = (u.words_mut(0), sum.words_mut(0));
    kernel.iterate(family, starts, &link, u_words, sum_words, MAX_LANES, Half::Inner, 1);

    let lane = |columns: &Columns<I>, l: usize| columns.lane(l).map(I::widen);
    (0..kernel.lanes()).all(|l| {
        let mut words = lane(&before, l);
        for chain in &chains {
            let mut block = [0; 2 * MAX_BLOCK];
            let len = algorithm.digest_len();
            let digest = bytes::<I>(family, &words.map(I::truncate));
            block[..len].copy_from_slice(&digest[..len]);
            let padded = pad(family, &mut block, len, (family.block_len() + len) as u64);
            words = lane(chain, l);
            lanesum_spec::compress(family, &mut words, &block[..padded]);
        }
        let (u, sum, sum_before) = (lane(&u, l), lane(&sum, l), lane(&sum_before, l));
        (0..family.state_words()).all(|i| u[i] == words[i] && sum[i] == sum_before[i] ^ words[i])
    })
}
