//! The known answer that every kernel gives before its first use in a process.

use lanesum_spec::{Algorithm, Family};

use super::{Kernel, Rest, Select, iterate};
use crate::words::{Columns, MAX_LANES, State, by_width};

/// Compresses two blocks into every lane, different in each, and compares with
/// the specification read as numbers, and so for an iteration of HMAC. That is
/// itself first held against the published digest of "abc".
pub(super) fn known_answer(kernel: Kernel, family: Family) -> bool {
    const MAX_BLOCKS: usize = 2 * lanesum_spec::MAX_BLOCK;
    let algorithm = family.algorithm();
    if lanesum_spec::digest(algorithm, b"abc")[..4] != family.abc() {
        return false;
    }

    let lanes = kernel.lanes();
    let mut bytes = [0; MAX_BLOCKS + MAX_LANES];
    bytes.iter_mut().enumerate().for_each(|(i, byte)| *byte = (i * i + 3 * i) as u8);
    let block = family.block_len();
    let mut data = [&bytes[..2 * block]; MAX_LANES];
    data.iter_mut().enumerate().for_each(|(l, slice)| *slice = &bytes[l..l + 2 * block]);

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
    // Whole messages, of lengths around the end of a block.
    data.iter_mut().enumerate().for_each(|(l, slice)| *slice = &bytes[l..2 * block - l * 3]);
    compresses
        && by_width!(family, I => {
            finishes::<I>(kernel, algorithm, &data[..lanes])
                && iterate::known_answer::<I>(kernel, family)
        })
}

/// Whether whole messages and digests written are those of the specification; and those of messages of
/// one block, whose padding is expanded beforehand.
fn finishes<I: Select>(kernel: Kernel, algorithm: Algorithm, data: &[&[u8]]) -> bool {
    let family = algorithm.family();
    let finish = |data: &[&[u8]], last| {
        let mut state = Columns::<I>::new();
        state.fill(MAX_LANES, &I::iv(algorithm));
        let mut digests = [[0; 64]; MAX_LANES];
        kernel.finish::<I>(family, state.words_mut(0), MAX_LANES, data, Rest { before: 0, last });
        kernel.write(family, state.words(0), MAX_LANES, &mut digests);
        digests
    };
    let len = algorithm.digest_len();
    let expected = |message: &[u8]| lanesum_spec::digest(algorithm, message);
    let is_right =
        |(message, digest): (&&[u8], [u8; 64])| expected(message)[..len] == digest[..len];
    let block = &data[0][..family.block_len()];
    let of_block = finish(&[block; MAX_LANES][..data.len()], I::after_one(family));
    let digest = expected(block);
    data.iter().zip(finish(data, None)).all(is_right)
        && of_block[..data.len()].iter().all(|found| found[..len] == digest[..len])
}
