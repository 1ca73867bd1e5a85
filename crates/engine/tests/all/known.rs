//! Known answers: every published vector, on every kernel, singly and in batches.

use crate::common;
use crate::rsp;

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::iter;

use crate::common::{engine, kernels};
use crate::rsp::{Case, PUBLISHED};
use lanesum::{Algorithm, Done, Hasher, Kernel, Lanes, Message, hash};

fn cases(algorithm: Algorithm) -> Vec<Case> {
    let published = PUBLISHED.iter().find(|published| published.algorithm == algorithm.name());
    let published = published.unwrap_or_else(|| panic!("no published vectors of {algorithm}"));
    published.messages.iter().flat_map(|file| rsp::messages(file)).collect()
}

/// Returns every kernel of this CPU with every algorithm that it supports and that has published
/// vectors, which every named algorithm must have.
fn published_kernels() -> impl Iterator<Item = (Kernel, Algorithm)> {
    assert_eq!(PUBLISHED.len(), Algorithm::all().len(), "vectors for every named algorithm");
    kernels()
}

/// A permutation of `0..len` in which neighboring elements are far apart.
fn mixed(len: usize) -> impl Iterator<Item = usize> + Clone {
    let step = (len * 3 / 7..).find(|step| gcd(*step, len) == 1).unwrap_or(1);
    (0..len).map(move |i| i * step % len)
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The names of kernels and tiers that tests can exclude or require match the engine's.
#[test]
fn the_tests_know_every_kernel_and_tier_by_name() {
    let kernels: BTreeSet<&str> =
        Kernel::table().map(|kernel| kernel.map_or_else(|name| name, Kernel::name)).collect();
    let listed: BTreeSet<&str> = lanesum_testkit::here().kernels.iter().copied().collect();
    let difference: Vec<_> = kernels.symmetric_difference(&listed).collect();
    assert!(
        difference.is_empty(),
        "only in the engine, or only in testkit/src/table.rs: {difference:?}"
    );
    let tiers: BTreeSet<&str> = lanesum::Tier::ALL.into_iter().map(lanesum::Tier::name).collect();
    assert_eq!(tiers, lanesum_testkit::TIERS.into_iter().collect());
    // A kernel's name begins with that of its tier.
    for kernel in Kernel::all().filter(|kernel| kernel.tier() != lanesum::Tier::Portable) {
        assert!(kernel.name().starts_with(&format!("{}_", kernel.tier().name())), "{kernel}");
    }
}

#[test]
fn every_kernel_computes_the_published_digest_of_one_message() {
    common::say_what_is_left_out();
    for (kernel, algorithm) in published_kernels() {
        for (i, case) in cases(algorithm).iter().enumerate() {
            let mut hasher = Hasher::new(engine(kernel, algorithm));
            hasher.update(&case.message);
            assert_eq!(hasher.finish().as_bytes(), case.digest, "{kernel} {algorithm} case {i}");
        }
    }
}

#[test]
fn every_kernel_computes_the_published_digests_of_mixed_batches() {
    for (kernel, algorithm) in published_kernels() {
        let cases = cases(algorithm);
        let mut lanes = Lanes::new(engine(kernel, algorithm));
        let mut seen = vec![false; cases.len()];
        // Batches of every size up to 64 mix short and long messages in full, partly filled and
        // refilled lanes.
        let mut order = mixed(cases.len()).cycle();
        for batch in 1..=64 {
            let mut done = Vec::new();
            for index in order.by_ref().take(batch) {
                done.extend(lanes.push((index, &cases[index].message[..])));
            }
            done.extend(lanes.drain());
            assert_eq!(done.len(), batch, "{kernel} {algorithm}");
            for Done { message: (index, _), digest } in done {
                let Ok(digest) = digest;
                let theirs = &cases[index].digest;
                assert_eq!(digest.as_bytes(), theirs, "{kernel} {algorithm} case {index}");
                seen[index] = true;
            }
        }
        assert!(seen.iter().all(|&seen| seen), "{kernel} {algorithm}: every vector was in a batch");
    }
}

#[test]
fn every_kernel_passes_the_monte_carlo_tests_as_one_stream() {
    for published in &PUBLISHED {
        let Some(file) = published.monte else { continue };
        let algorithm: Algorithm = published.algorithm.parse().unwrap();
        let monte = rsp::monte(file);
        assert_eq!(monte.digests.len(), 100, "{file}: a hundred digests");
        for (kernel, _) in kernels().filter(|(_, has)| *has == algorithm) {
            let engine = engine(kernel, algorithm);
            let ours = monte.run(|message| {
                let mut hasher = Hasher::new(&engine);
                hasher.update(message);
                hasher.finish().as_bytes().to_vec()
            });
            assert_eq!(ours, monte.digests, "{kernel} {algorithm}");
        }
    }
}

/// The chain from one digest of a Monte Carlo test to the next: a thousand links, each a message of
/// the last three digests.
struct Chain {
    index: usize,
    links: usize,
    last: [Vec<u8>; 3],
    message: Vec<u8>,
    at: usize,
}

impl Chain {
    fn new(index: usize, seed: &[u8]) -> Self {
        let last = [(); 3].map(|()| seed.to_vec());
        Self { index, links: 0, message: last.concat(), last, at: 0 }
    }

    /// Returns the next link, given the digest of this one.
    fn link(mut self, digest: &[u8]) -> Self {
        self.last.rotate_left(1);
        self.last[2] = digest.to_vec();
        Self { links: self.links + 1, message: self.last.concat(), at: 0, ..self }
    }
}

impl Message for Chain {
    type Error = Infallible;

    fn fill(&mut self) -> Result<&[u8], Infallible> {
        Ok(&self.message[self.at..])
    }

    fn consume(&mut self, n: usize) {
        self.at += n;
    }
}

/// Runs all hundred chains of a test in parallel, each from the preceding published digest, so that
/// every lane has different input.
#[test]
fn every_kernel_passes_the_monte_carlo_tests_in_all_lanes() {
    for published in &PUBLISHED {
        let Some(file) = published.monte else { continue };
        let algorithm: Algorithm = published.algorithm.parse().unwrap();
        let monte = rsp::monte(file);
        let seeds = iter::once(&monte.seed).chain(&monte.digests);
        for (kernel, _) in kernels().filter(|(_, has)| *has == algorithm) {
            let mut lanes = Lanes::new(engine(kernel, algorithm));
            let seeds = seeds.clone().take(monte.digests.len()).enumerate();
            let mut ready: Vec<Chain> = seeds.map(|(i, seed)| Chain::new(i, seed)).collect();
            let mut ended = 0;
            loop {
                let done = match ready.pop() {
                    Some(chain) => lanes.push(chain),
                    None if lanes.is_empty() => break,
                    None => lanes.drain().next(),
                };
                let Some(Done { message: chain, digest: Ok(digest) }) = done else { continue };
                let chain = chain.link(digest.as_bytes());
                if chain.links < 1000 {
                    ready.push(chain);
                } else {
                    let theirs = &monte.digests[chain.index];
                    assert_eq!(&chain.last[2], theirs, "{kernel} {algorithm} {}", chain.index);
                    ended += 1;
                }
            }
            assert_eq!(ended, 100, "{kernel} {algorithm}");
        }
    }
}

/// FIPS 180-4 §5.3.6.1 and 5.3.6.2 list the IVs for two values of t. SHA-512/t for other values has
/// no published vectors, but must differ from truncated SHA-512.
#[test]
fn every_sha512_t_has_its_own_iv_and_length() {
    for t in (8..512).step_by(8).filter(|&t| t != 384) {
        let algorithm: Algorithm = format!("sha512/{t}").parse().unwrap();
        let digest = hash(algorithm, b"abc");
        assert_eq!(digest.as_bytes().len(), t / 8);
        let reference = &lanesum_spec::digest(algorithm, b"abc")[..t / 8];
        assert_eq!(digest.as_bytes(), reference, "{algorithm}");
        if t >= 64 {
            let sha512 = hash(Algorithm::SHA512, b"abc");
            assert_ne!(digest.as_bytes(), &sha512.as_bytes()[..t / 8], "{algorithm}");
        }
    }
}
