//! The scheduler on every kernel: messages of any length, mixed, in small pieces.

use crate::common;

use crate::common::{Drip, engine, kernels, ring, rust_crypto};
use lanesum::unstable::with_clock;
use lanesum::{Algorithm, Done, Engine, Kernel, Lanes, Policy};

#[test]
fn every_kernel_hashes_mixed_lengths() {
    common::say_what_is_left_out();
    for (kernel, algorithm) in kernels() {
        let mut lanes = Lanes::new(engine(kernel, algorithm));
        let mut done = Vec::new();
        for len in 0..=1000 {
            // Blocks straddle runs, whose lengths are irregular.
            done.extend(lanes.push(Drip::new(len, 1 + len * 7 % 200)));
        }
        done.extend(lanes.drain());

        assert_eq!(done.len(), 1001, "{kernel} {algorithm}");
        for Done { message, digest } in done {
            let digest = digest.unwrap();
            let len = message.bytes.len();
            let theirs = rust_crypto(algorithm, &message.bytes);
            assert_eq!(digest.as_bytes(), theirs, "{kernel} {algorithm} {len} bytes");
            if let Some(theirs) = ring(algorithm, &message.bytes) {
                assert_eq!(digest.as_bytes(), theirs, "{kernel} {algorithm} {len} bytes");
            }
        }
    }
}

#[test]
fn a_failing_message_does_not_affect_others() {
    for (kernel, algorithm) in kernels() {
        let mut lanes = Lanes::new(engine(kernel, algorithm));
        let mut done = Vec::new();
        for i in 0..100 {
            let (len, run) = (i * 37 % 700, 1 + i * 11 % 90);
            done.extend(lanes.push(match i % 5 {
                3 => Drip::failing(len, run, len / 2),
                _ => Drip::new(len, run),
            }));
        }
        done.extend(lanes.drain());
        assert_eq!(done.len(), 100);
        let (good, bad): (Vec<_>, Vec<_>) = done.into_iter().partition(|d| d.digest.is_ok());
        assert!(bad.len() >= 15, "{kernel} {algorithm}: {}", bad.len());
        for Done { message, digest } in good {
            let theirs = rust_crypto(algorithm, &message.bytes);
            assert_eq!(digest.unwrap().as_bytes(), theirs, "{kernel} {algorithm}");
        }
    }
}

#[test]
fn kernels_may_change_in_the_middle_of_messages() {
    for algorithm in Algorithm::all() {
        let kernels = Kernel::all().filter(|kernel| kernel.supports(algorithm));
        let engines: Vec<Engine> = kernels.map(|kernel| engine(kernel, algorithm)).collect();
        let mut lanes = Lanes::new(algorithm);
        let mut done = Vec::new();
        let mut random = 1u32;
        for i in 0..600 {
            random = random.wrapping_mul(0x9e3779b1).rotate_left(11) ^ i;
            lanes.set_engine(&engines[random as usize % engines.len()]);
            let len = random as usize / 64 % 3000;
            done.extend(lanes.push(Drip::new(len, 1 + random as usize % 500)));
        }
        done.extend(lanes.drain());
        assert_eq!(done.len(), 600);
        for Done { message, digest } in done {
            let theirs = rust_crypto(algorithm, &message.bytes);
            assert_eq!(digest.unwrap().as_bytes(), theirs, "{algorithm}");
        }
    }
}

#[test]
fn digests_do_not_depend_on_the_clock() {
    use std::sync::atomic::{AtomicU64, Ordering};
    static TIME: AtomicU64 = AtomicU64::new(1);
    /// A clock that advances irregularly, so that either kernel wins a trial.
    fn clock() -> u64 {
        let step = TIME.load(Ordering::Relaxed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 50;
        TIME.fetch_add(step, Ordering::Relaxed)
    }
    for algorithm in [Algorithm::SHA1, Algorithm::SHA256, Algorithm::SHA512] {
        let mut lanes =
            Lanes::new(with_clock(Policy::automatic(), Some(clock)).engine(algorithm).unwrap());
        // Long enough that a trial of the kernels starts and ends.
        let messages: Vec<Vec<u8>> = (0..70).map(|i| common::bytes(1_000_000 + 64 * i)).collect();
        let mut done = Vec::new();
        for message in &messages {
            done.extend(lanes.push(&message[..]));
        }
        done.extend(lanes.drain());
        let mut digests: Vec<String> =
            done.into_iter().map(|d| d.digest.unwrap().to_string()).collect();
        let mut theirs: Vec<String> =
            messages.iter().map(|m| lanesum::hash(algorithm, m).to_string()).collect();
        digests.sort();
        theirs.sort();
        assert_eq!(digests, theirs, "{algorithm}");
    }
}

#[test]
fn messages_that_are_not_drained_remain() {
    let mut lanes = Lanes::new(Algorithm::SHA256);
    let count = lanes.lanes();
    for len in 0..count {
        assert!(lanes.push(Drip::new(len, 1)).is_none());
    }
    assert_eq!(lanes.len(), count);
    assert!(lanes.drain().next().is_some());
    assert_eq!(lanes.len(), count - 1);
    assert_eq!(lanes.drain().count(), count - 1);
    assert!(lanes.is_empty() && lanes.drain().next().is_none());
}
