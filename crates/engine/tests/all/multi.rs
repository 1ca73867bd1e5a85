//! The unstable traits for many messages in step, against one at a time.
#![cfg(feature = "multi")]

use digest::common::Block;
use digest::{Digest, Output};
use lanesum::multi::{Hash, Multi, MultiFixedOutput, MultiUpdate};
use lanesum::rustcrypto::{Sha1, Sha224, Sha256, Sha384, Sha512, Sha512_256};

/// Messages of two blocks and a tail, no two alike, in step and one at a time.
fn check<H, const MSGS: usize, const TAIL: usize>()
where
    H: Hash + Digest,
{
    let block = |i: usize, b: usize| {
        Block::<H>::try_from_iter((0..H::ALGORITHM.block_len()).map(|j| (i * 7 + b * 3 + j) as u8))
            .unwrap()
    };
    let blocks: Vec<[Block<H>; 2]> = (0..MSGS).map(|i| [block(i, 0), block(i, 1)]).collect();
    let tails: Vec<[u8; TAIL]> =
        (0..MSGS).map(|i| core::array::from_fn(|j| (i * 5 + j) as u8)).collect();

    let mut multi = Multi::<H, MSGS>::default();
    let blocks_of: [&[Block<H>; 2]; MSGS] = core::array::from_fn(|i| &blocks[i]);
    multi.update_blocks(&blocks_of);
    let tails_of: [&[u8; TAIL]; MSGS] = core::array::from_fn(|i| &tails[i]);
    let digests: [Output<H>; MSGS] = multi.finalize_fixed(&tails_of);

    for i in 0..MSGS {
        let mut one = H::new();
        blocks[i].iter().for_each(|block| one.update(block));
        one.update(tails[i]);
        assert_eq!(digests[i], one.finalize(), "{} {i} of {MSGS}, tail {TAIL}", H::ALGORITHM);
    }
}

#[test]
fn messages_in_step_have_the_digests_that_they_have_alone() {
    fn tails<H: Hash + Digest, const MSGS: usize>() {
        check::<H, MSGS, 0>();
        check::<H, MSGS, 1>();
        check::<H, MSGS, 55>();
        check::<H, MSGS, 56>();
        check::<H, MSGS, 200>();
    }
    fn counts<H: Hash + Digest>() {
        tails::<H, 0>();
        tails::<H, 1>();
        tails::<H, 3>();
        tails::<H, 32>();
        // More than there are lanes.
        tails::<H, 37>();
    }
    counts::<Sha1>();
    counts::<Sha224>();
    counts::<Sha256>();
    counts::<Sha384>();
    counts::<Sha512>();
    counts::<Sha512_256>();
}
