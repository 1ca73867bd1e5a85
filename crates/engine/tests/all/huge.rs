//! Messages of more than 4 GiB, for which a 32-bit count would overflow, and bit counts of every
//! size.
//!
//! The bytes are zeros that are never written, so they occupy address space but hardly any memory.
#![cfg(target_pointer_width = "64")] // one slice of 4 GiB

use crate::common;

use std::convert::Infallible;
use std::thread;

use crate::common::{fixed, kernels};
use lanesum::{Algorithm, Done, Hasher, Lanes, Message, Policy};

/// More than 4 GiB, and not a whole number of blocks.
const LEN: usize = (4 << 30) + 3;

/// Returns an algorithm for each format of the bit count: 64 or 128 bits, in either byte order.
fn families() -> impl Iterator<Item = Algorithm> {
    let mut seen = Vec::new();
    Algorithm::all().filter(move |algorithm| {
        let new = !seen.contains(&algorithm.family());
        seen.push(algorithm.family());
        new
    })
}

/// Returns the digest of `len` zeros, computed by an independent crate in small pieces.
fn theirs(algorithm: Algorithm, len: usize) -> String {
    let mut hasher = common::rust_crypto_hasher(algorithm);
    let zeros = vec![0; 1 << 20];
    let mut left = len;
    while left > 0 {
        let n = left.min(zeros.len());
        hasher.update(&zeros[..n]);
        left -= n;
    }
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Zeros, at most `run` at a time.
struct Zeros<'z> {
    zeros: &'z [u8],
    left: usize,
    run: usize,
}

impl Message for Zeros<'_> {
    type Error = Infallible;

    fn fill(&mut self) -> Result<&[u8], Infallible> {
        Ok(&self.zeros[..self.left.min(self.run)])
    }

    fn consume(&mut self, n: usize) {
        self.left -= n;
    }
}

fn in_one_update(algorithm: Algorithm, policy: &Policy, zeros: &[u8]) -> String {
    let mut hasher = Hasher::new(policy.engine(algorithm).unwrap());
    hasher.update(zeros);
    assert_eq!(hasher.len(), LEN as u64);
    hasher.finish().to_string()
}

fn in_many_updates(algorithm: Algorithm, policy: &Policy, zeros: &[u8]) -> String {
    let mut hasher = Hasher::new(policy.engine(algorithm).unwrap());
    // The length of pieces is not a multiple of the block length, so blocks straddle them.
    for piece in zeros.chunks(1_000_003) {
        hasher.update(piece);
    }
    hasher.finish().to_string()
}

/// Hashes two huge messages in lanes, one in a single run and one in many, together with two short
/// ones. Returns the sorted digests.
fn in_lanes(algorithm: Algorithm, policy: &Policy, zeros: &[u8]) -> Vec<String> {
    let mut lanes = Lanes::new(policy.engine(algorithm).unwrap());
    let mut done = Vec::new();
    for (left, run) in [(LEN, usize::MAX), (3, 1), (LEN, 1_000_003), (0, 1)] {
        done.extend(lanes.push(Zeros { zeros, left, run }));
    }
    done.extend(lanes.drain());
    let digests = done.into_iter().map(|Done { digest: Ok(digest), .. }| digest.to_string());
    let mut digests: Vec<_> = digests.collect();
    digests.sort();
    digests
}

/// Compares the digests of every function under `policy` with `huge`, another library's digest.
fn check(algorithm: Algorithm, policy: &Policy, zeros: &[u8], huge: &str) {
    let kernel = policy.engine(algorithm).unwrap().kernel(1);
    thread::scope(|scope| {
        let once = scope.spawn(|| in_one_update(algorithm, policy, zeros));
        let often = scope.spawn(|| in_many_updates(algorithm, policy, zeros));
        let lanes = in_lanes(algorithm, policy, zeros);

        assert_eq!(once.join().unwrap(), huge, "{kernel} {algorithm}, one update");
        assert_eq!(often.join().unwrap(), huge, "{kernel} {algorithm}, many updates");
        let short = [3, 0].map(|len| theirs(algorithm, len));
        let mut all = [huge, huge, &short[0], &short[1]];
        all.sort();
        assert_eq!(lanes, all, "{kernel} {algorithm}, lanes");
    });
}

#[test]
#[ignore = "long: run by `cargo xtask test-long`"]
fn messages_over_4_gib_in_one_update_and_in_many_on_the_kernel_that_is_chosen() {
    let theirs = theirs(Algorithm::SHA256, LEN);
    check(Algorithm::SHA256, &Policy::automatic(), &vec![0; LEN], &theirs);
}

#[test]
#[ignore = "half an hour: run by `cargo xtask test-huge`"]
fn messages_over_4_gib_in_one_update_and_in_many_on_every_kernel() {
    common::say_what_is_left_out();
    let zeros = vec![0; LEN];
    for algorithm in families() {
        let theirs = theirs(algorithm, LEN);
        for (kernel, _) in kernels().filter(|(_, has)| *has == algorithm) {
            eprintln!("{kernel} {algorithm}");
            check(algorithm, &fixed(kernel), &zeros, &theirs);
        }
    }
}

/// Imports states with large byte counts, and compares the padding with one built by hand. The bit
/// count exceeds 2^32 at 512 MiB, and the maximum of 64 bits is reached just below 2^61 bytes.
#[test]
fn the_length_in_the_padding_has_all_its_bits() {
    for algorithm in Algorithm::all() {
        let block = algorithm.block_len() as u64;
        for bytes in [(1 << 29) - block, 1 << 29, 1 << 32, (1 << 61) - block] {
            let mut exported = Hasher::new(algorithm).export().as_ref().to_vec();
            // The length follows the four magic bytes and the length-prefixed name.
            let at = 4 + 1 + algorithm.name().len();
            exported[at..at + 8].copy_from_slice(&bytes.to_be_bytes());
            let mut hasher = Hasher::import(&exported).unwrap();
            hasher.update(b"abc");
            let padded = last_block(algorithm, b"abc", bytes + 3);
            assert_eq!(hasher.finish().as_bytes(), padded, "{algorithm} after {bytes} bytes");
        }
    }
}

/// Returns the digest, from the IV on, of a last block of `rest` and the padding of a message of
/// `bytes` bytes.
fn last_block(algorithm: Algorithm, rest: &[u8], bytes: u64) -> Vec<u8> {
    let family = algorithm.family();
    let mut block = vec![0; algorithm.block_len()];
    block[..rest.len()].copy_from_slice(rest);
    block[rest.len()] = 0x80;
    let bits = u128::from(bytes) * 8;
    let at = block.len() - family.length_len();
    if family.is_big_endian() {
        block[at..].copy_from_slice(&bits.to_be_bytes()[16 - family.length_len()..]);
    } else {
        block[at..].copy_from_slice(&bits.to_le_bytes()[..family.length_len()]);
    }
    let mut state = algorithm.iv();
    lanesum_spec::compress(family, &mut state, &block);
    let word_len = family.word_bits() as usize / 8;
    let digest = state.into_iter().flat_map(|word| {
        let mut bytes = word.to_be_bytes()[8 - word_len..].to_vec();
        if !family.is_big_endian() {
            bytes.reverse();
        }
        bytes
    });
    digest.take(algorithm.digest_len()).collect()
}
