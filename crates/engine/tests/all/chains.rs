//! Hash chains and double hashes: every algorithm on every kernel, compared with the specification.

use crate::common::{bytes, engine, kernels, rust_crypto, say_what_is_left_out};
use lanesum::unstable::{chain_many_while, with_clock};
use lanesum::{
    Algorithm, Bytes, Digest, Engine, Hex, Policy, Truncated, chain, chain_many, double_hash_many,
    hash,
};

/// Returns `links` links of a chain by the specification.
fn expected(algorithm: Algorithm, start: &[u8], links: u64) -> Vec<u8> {
    let mut digest = start.to_vec();
    for _ in 0..links {
        digest = lanesum_spec::digest(algorithm, &digest)[..algorithm.digest_len()].to_vec();
    }
    digest
}

fn starts(algorithm: Algorithm, count: usize) -> Vec<Digest> {
    (0..count).map(|i| hash(algorithm, i.to_le_bytes())).collect()
}

/// Compares a batch with the specification.
fn check(engine: &Engine, counts: &[u64]) {
    let algorithm = engine.algorithm();
    let starts = starts(algorithm, counts.len());
    let mut ends = vec![0; counts.len() * algorithm.digest_len()];
    chain_many(engine, &starts, counts, Bytes(&mut ends));
    for (i, end) in ends.chunks(algorithm.digest_len()).enumerate() {
        let right = expected(algorithm, starts[i].as_bytes(), counts[i]);
        assert_eq!(end, right, "{engine:?}: chain {i} of {counts:?}");
    }
}

#[test]
fn one_chain_on_every_kernel() {
    say_what_is_left_out();
    for (kernel, algorithm) in kernels() {
        let engine = engine(kernel, algorithm);
        let start = hash(algorithm, "start");
        // No links; one and two, which are half an iteration and a whole one; around the end of a step.
        for links in [0, 1, 2, 3, 511, 512, 513, 1025] {
            let right = expected(algorithm, start.as_bytes(), links);
            assert_eq!(chain(&engine, start, links), right[..], "{kernel} {algorithm}: {links}");
        }
    }
}

#[test]
fn chains_of_65_536_links_are_those_of_another_library() {
    for algorithm in Algorithm::all() {
        let start = hash(algorithm, "start");
        let mut digest = start.as_bytes().to_vec();
        for links in 1..=65_537 {
            digest = rust_crypto(algorithm, &digest);
            if links >= 65_535 {
                assert_eq!(chain(algorithm, start, links), digest[..], "{algorithm}: {links}");
                let mut ends = [Digest::EMPTY; 3];
                chain_many(algorithm, &[start; 3], &[links, 0, links], &mut ends);
                assert_eq!((ends[0], ends[1]), (ends[2], start), "{algorithm}: {links}");
                assert_eq!(ends[0], digest[..], "{algorithm}: {links}");
            }
        }
    }
}

#[test]
fn equal_and_ragged_chains_on_every_kernel() {
    for (kernel, algorithm) in kernels() {
        let (engine, lanes) = (engine(kernel, algorithm), kernel.lanes() as u64);
        check(&engine, &[]);
        check(&engine, &[0]);
        check(&engine, &vec![5; kernel.lanes()]);
        // More chains than lanes, in descending and ascending order, among them chains without links.
        check(&engine, &(0..2 * lanes + 1).rev().collect::<Vec<_>>());
        check(&engine, &(0..2 * lanes + 1).collect::<Vec<_>>());
        // One chain outlives the others.
        let long = |i| if i == 1 { 600 } else { i % 3 };
        check(&engine, &(0..lanes + 2).map(long).collect::<Vec<_>>());
    }
}

#[test]
fn any_number_of_chains() {
    for algorithm in Algorithm::all() {
        let engine = Engine::new(algorithm);
        for count in 0..70 {
            check(&engine, &(0..count).map(|i| i * 7 % 5).collect::<Vec<_>>());
        }
    }
}

#[test]
fn more_chains_than_a_window() {
    for count in [255, 256, 257, 2500] {
        let counts: Vec<u64> = (0..count).map(|i| i * i % 17).collect();
        check(&Engine::new(Algorithm::SHA256), &counts);
        check(&Engine::new(Algorithm::SHA512), &counts);
        #[cfg(feature = "rayon")]
        check(&Engine::new(Algorithm::SHA256).threads(3), &counts);
    }
}

#[test]
fn kernels_change_during_chains() {
    fn clock() -> u64 {
        use std::sync::atomic::{AtomicU64, Ordering};
        static TIME: AtomicU64 = AtomicU64::new(1);
        let step = TIME.load(Ordering::Relaxed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 50;
        TIME.fetch_add(step, Ordering::Relaxed)
    }
    for algorithm in [Algorithm::SHA1, Algorithm::SHA256, Algorithm::SHA384] {
        let engine = with_clock(Policy::automatic(), Some(clock)).engine(algorithm).unwrap();
        check(&engine, &(0..70).map(|i| 6_000 + i).collect::<Vec<_>>());
    }
}

#[test]
fn every_form_of_starts_and_outputs() {
    let algorithm = Algorithm::SHA256;
    let starts = starts(algorithm, 3);
    let counts = [4, 0, 9];
    let mut ends = Vec::<Digest>::new();
    chain_many(algorithm, &starts, &counts, &mut ends);
    let flat: Vec<u8> = starts.iter().flat_map(|start| start.as_bytes().to_vec()).collect();
    let strided = lanesum::Strided::new(&flat, 32).unwrap();
    let (mut short, mut hex) = ([0; 3 * 20], [0; 3 * 64]);
    chain_many(algorithm, &strided, &counts, Truncated(&mut short, 20));
    chain_many(algorithm, &strided, &counts, Hex(&mut hex));
    for (i, end) in ends.iter().enumerate() {
        assert_eq!(*end, chain(algorithm, starts[i], counts[i]));
        assert_eq!(short[20 * i..][..20], end.as_bytes()[..20]);
        assert_eq!(hex[64 * i..][..64], *end.to_string().as_bytes());
    }
}

#[test]
fn counts_above_32_bits_are_not_truncated() {
    // Uninterrupted, these would take minutes: a call that ended early would have truncated its count.
    for count in [1 << 32, (1 << 33) + 1, u64::MAX] {
        let (mut steps, mut ends) = (0, [[0; 32]; 2]);
        let resume = &mut || {
            steps += 1;
            steps < 100
        };
        let starts = [[1; 32], [2; 32]];
        assert!(!chain_many_while(Algorithm::SHA256, &starts, &[count; 2], &mut ends, resume));
        assert_eq!(steps, 100);
    }
}

#[test]
#[ignore = "long: run by `cargo xtask test-long`"]
fn a_chain_of_more_than_2_to_the_32_links_is_the_sum_of_its_parts() {
    let algorithm = Algorithm::SHA1;
    let start = hash(algorithm, "start");
    let mut ends = [Digest::EMPTY; 2];
    chain_many(algorithm, &[start; 2], &[(1 << 32) + 3, 1 << 31], &mut ends);
    assert_eq!(ends[0], chain(algorithm, ends[1], (1 << 31) + 3));
}

#[test]
fn an_interrupted_batch_stops_within_a_few_hundred_links() {
    let (starts, mut ends) = ([[1; 32]; 3], [[0; 32]; 3]);
    let mut calls = 0;
    let mut resume = || {
        calls += 1;
        true
    };
    assert!(chain_many_while(Algorithm::SHA256, &starts, &[2_000; 3], &mut ends, &mut resume));
    assert!(calls >= 3, "called {calls} times in 2,000 links");
    assert_eq!(ends[2], expected(Algorithm::SHA256, &starts[2], 2_000)[..]);
}

#[test]
fn double_hashes_on_every_kernel() {
    for (kernel, algorithm) in kernels() {
        let (engine, all) = (engine(kernel, algorithm), bytes(1_000));
        let block = algorithm.block_len();
        // Messages of one length and of many, up to more than the lanes; none; long ones, which are streamed.
        let ragged = |i: usize| &all[..i * 37 % 700];
        let same = |_| &all[..80];
        let few = |i: usize| &all[..[block, 0, block - 9, 1_000][i % 4]];
        for count in [0, 1, 2, 3, kernel.lanes(), 2 * kernel.lanes() + 1] {
            for message in [&ragged as &dyn Fn(usize) -> _, &same, &few] {
                let messages: Vec<&[u8]> = (0..count).map(message).collect();
                let mut digests = Vec::<Digest>::new();
                double_hash_many(&engine, &messages, &mut digests);
                for (message, digest) in messages.iter().zip(digests) {
                    let once = lanesum_spec::digest(algorithm, message);
                    let right = expected(algorithm, &once[..algorithm.digest_len()], 1);
                    assert_eq!(digest, right[..], "{kernel} {algorithm}: {count}");
                }
            }
        }
    }
}

#[test]
fn double_hashes_of_many_and_of_long_messages() {
    let all = bytes(70_000);
    for algorithm in Algorithm::all() {
        for lens in [[80; 1_100].as_slice(), &[70_000, 0, 40_000, 80, 35_001, 9], &[64; 40]] {
            let messages: Vec<&[u8]> = lens.iter().map(|&len| &all[..len]).collect();
            let mut digests = Vec::<Digest>::new();
            double_hash_many(algorithm, &messages, &mut digests);
            for (message, digest) in messages.iter().zip(digests) {
                assert_eq!(digest, rust_crypto(algorithm, &rust_crypto(algorithm, message))[..]);
            }
        }
    }
}

#[test]
fn the_genesis_block_of_bitcoin_has_its_published_hash() {
    // https://en.bitcoin.it/wiki/Genesis_block
    let merkle: Digest =
        "3ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a".parse().unwrap();
    let mut header = [0; 80];
    header[0] = 1;
    header[36..68].copy_from_slice(merkle.as_bytes());
    header[68..]
        .copy_from_slice(&[0x29, 0xab, 0x5f, 0x49, 0xff, 0xff, 0, 0x1d, 0x1d, 0xac, 0x2b, 0x7c]);
    let mut digests = [[0; 32]; 20];
    double_hash_many(Algorithm::SHA256, &[header; 20], &mut digests);
    for mut digest in digests {
        // Displayed in reverse.
        digest.reverse();
        let hash = "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f";
        assert_eq!(Digest::from(digest).to_string(), hash);
    }
}
