//! The `digest` traits, with the tests of the RustCrypto project for them, and compared with its
//! crates.
#![cfg(feature = "digest")]

use crate::{common, hkdf as hkdf_cases, hmac as hmac_cases, pbkdf2 as pbkdf2_cases, rsp};

use digest::block_api::{AlgorithmName, CoreProxy, EagerHash};
use digest::common::BlockSizeUser;
use digest::common::hazmat::SerializableState;
use digest::dev::{TestVector, feed_rand_16mib, fixed_reset_test, fixed_test};
use digest::{Digest, FixedOutputReset, HashMarker};
use hmac::{Hmac, HmacReset, KeyInit, Mac, SimpleHmac};
use lanesum::rustcrypto::{
    Md5, Ripemd160, Sha1, Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256, Sm3,
};
use lanesum::{Algorithm, rustcrypto};

trait Hash:
    EagerHash + CoreProxy + FixedOutputReset + HashMarker + Default + SerializableState
{
}
impl<T> Hash for T where
    T: EagerHash + CoreProxy + FixedOutputReset + HashMarker + Default + SerializableState
{
}

/// The tests for every hash. `Theirs` is the same algorithm of another crate.
fn check<Ours: Hash, Theirs: Hash>(algorithm: Algorithm) {
    agrees_with_the_table::<Ours>(algorithm);
    passes_the_published_vectors::<Ours>(algorithm);
    agrees_on_random_data::<Ours, Theirs>(algorithm);
    goes_on_from_a_serialized_state::<Ours>(algorithm);
    refuses_what_is_no_state_of_its_own::<Ours>(algorithm);
    makes_the_same_hmac::<Ours, Theirs>(algorithm);
    takes_a_message_apart_at_any_byte::<Ours>(algorithm);
    derives_the_published_tags_and_keys::<Ours>(algorithm);
}

fn takes_a_message_apart_at_any_byte<Ours: Hash>(algorithm: Algorithm) {
    let message = common::bytes(3 * algorithm.block_len());
    let theirs = common::rust_crypto(algorithm, &message);
    for split in 0..=message.len() {
        let mut hash = <Ours as Digest>::new();
        Digest::update(&mut hash, &message[..split]);
        let (core, buffer) = hash.decompose();
        assert_eq!(buffer.get_data(), &message[split - split % algorithm.block_len()..split]);
        let mut hash = Ours::compose(core, buffer);
        Digest::update(&mut hash, &message[split..]);
        assert_eq!(hash.finalize()[..], theirs[..], "{algorithm} split at {split}");
    }
}

/// Checks RustCrypto's HMAC, HKDF and PBKDF2 over this engine's hash.
fn derives_the_published_tags_and_keys<Ours: Hash>(algorithm: Algorithm) {
    for case in hmac_cases::published(algorithm) {
        let mut mac = Hmac::<Ours>::new_from_slice(&case.key).unwrap();
        case.message.chunks(7).for_each(|piece| mac.update(piece));
        assert_eq!(mac.verify_truncated_left(&case.tag).is_ok(), case.valid, "{}", case.name);
        let mut mac = HmacReset::<Ours>::new_from_slice(&case.key).unwrap();
        mac.update(b"another message");
        mac.reset();
        mac.update(&case.message);
        let is_right = mac.verify_truncated_left(&case.tag).is_ok();
        assert_eq!(is_right, case.valid, "{} after a reset", case.name);
    }
    for case in hkdf_cases::published(algorithm) {
        let (extracted, hkdf) = hkdf::Hkdf::<Ours>::extract(Some(&case.salt), &case.secret);
        if let Some(theirs) = &case.extracted {
            assert_eq!(extracted[..], theirs[..], "{}", case.name);
        }
        let mut key = vec![0; case.len];
        let expanded = hkdf.expand(&case.info, &mut key).is_ok();
        assert_eq!(expanded.then_some(key), case.key, "{}", case.name);
    }
    for case in pbkdf2_cases::published(algorithm, 5000) {
        let mut key = vec![0; case.key.len()];
        pbkdf2::pbkdf2_hmac::<Ours>(&case.password, &case.salt, case.iterations, &mut key);
        assert_eq!(key, case.key, "{}", case.name);
    }
}

fn agrees_with_the_table<Ours: Hash>(algorithm: Algorithm) {
    assert_eq!(<Ours as Digest>::output_size(), algorithm.digest_len(), "{algorithm}");
    assert_eq!(<Ours as BlockSizeUser>::block_size(), algorithm.block_len(), "{algorithm}");
}

fn passes_the_published_vectors<Ours: Hash>(algorithm: Algorithm) {
    let published = rsp::PUBLISHED.iter().find(|p| p.algorithm == algorithm.name()).unwrap();
    for file in published.messages {
        for case in rsp::messages(file) {
            let vector = TestVector { input: case.message.leak(), output: case.digest.leak() };
            fixed_test::<Ours>(&vector).unwrap_or_else(|e| panic!("{algorithm}, {file}: {e}"));
            fixed_reset_test::<Ours>(&vector)
                .unwrap_or_else(|e| panic!("{algorithm}, {file}: {e}"));
        }
    }
}

fn agrees_on_random_data<Ours: Hash, Theirs: Hash>(algorithm: Algorithm) {
    let mut ours = Ours::default();
    let mut theirs = Theirs::default();
    feed_rand_16mib(&mut ours);
    feed_rand_16mib(&mut theirs);
    assert_eq!(ours.finalize()[..], theirs.finalize()[..], "{algorithm}");
}

fn goes_on_from_a_serialized_state<Ours: Hash>(algorithm: Algorithm) {
    let block = algorithm.block_len();
    // An empty tail, a tail of one byte, and the longest one.
    for split in [0, 1, block - 1, block, block + 1, 3 * block - 1] {
        let message = common::bytes(4 * block);
        let mut hash = <Ours as Digest>::new();
        Digest::update(&mut hash, &message[..split]);
        let mut resumed = Ours::deserialize(&hash.serialize()).unwrap();
        Digest::update(&mut resumed, &message[split..]);
        let theirs = common::rust_crypto(algorithm, &message);
        assert_eq!(resumed.finalize()[..], theirs[..], "{algorithm} split at {split}");
    }
}

fn refuses_what_is_no_state_of_its_own<Ours: Hash>(algorithm: Algorithm) {
    let mut hash = <Ours as Digest>::new();
    Digest::update(&mut hash, common::bytes(algorithm.block_len() - 1));
    let good = hash.serialize();
    assert!(Ours::deserialize(&good).is_ok());
    // The length, the magic, the version, the length of the name.
    for at in [0, 1, 4, 5] {
        for bit in 0..8 {
            let mut bad = good.clone();
            bad[at] ^= 1 << bit;
            assert!(Ours::deserialize(&bad).is_err(), "{algorithm} byte {at} bit {bit}");
        }
    }
    let mut bad = good.clone();
    *bad.last_mut().unwrap() = 1;
    assert!(Ours::deserialize(&bad).is_err(), "{algorithm}: bytes after the end");
}

fn makes_the_same_hmac<Ours: Hash, Theirs: Hash>(algorithm: Algorithm) {
    let block = algorithm.block_len();
    // Keys shorter than, as long as and longer than a block.
    for key_len in [0, 1, block - 1, block, block + 1, 3 * block] {
        let key = common::bytes(key_len);
        let mut ours = SimpleHmac::<Ours>::new_from_slice(&key).unwrap();
        let mut theirs = SimpleHmac::<Theirs>::new_from_slice(&key).unwrap();
        for len in [0, 1, block, 5 * block + 3] {
            ours.update(&common::bytes(len));
            theirs.update(&common::bytes(len));
            let theirs = theirs.clone().finalize().into_bytes();
            assert_eq!(ours.clone().finalize().into_bytes()[..], theirs[..], "{algorithm}");
            ours.clone().verify_slice(&theirs).unwrap();
        }
    }
}

#[test]
fn the_name_of_an_hmac_contains_the_name_of_its_hash() {
    struct Named;

    impl core::fmt::Display for Named {
        fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
            Hmac::<Sha512_256>::write_alg_name(f)
        }
    }
    assert_eq!(Named.to_string(), "Hmac<Sha512_256>");
}

macro_rules! checked {
    ($($test:ident: $ours:ident, $theirs:ty;)*) => {
        $(
            #[test]
            fn $test() {
                check::<rustcrypto::$ours, $theirs>($ours::ALGORITHM);
            }
        )*

        #[test]
        fn every_named_algorithm_has_a_type() {
            let types = [$($ours::ALGORITHM),*];
            for algorithm in Algorithm::all() {
                assert!(types.contains(&algorithm), "{algorithm}: add its type to `checked!`");
            }
            assert_eq!(types.len(), Algorithm::all().len());
        }

        #[cfg(feature = "oid")]
        #[test]
        fn object_identifiers_match_the_table() {
            use digest::const_oid::AssociatedOid;
            let of_types = [$(($ours::ALGORITHM, $ours::OID.to_string())),*];
            for (algorithm, oid) in of_types {
                assert_eq!(Some(&*oid), algorithm.oid(), "{algorithm}");
            }
        }
    };
}
checked! {
    sha1: Sha1, sha1::Sha1;
    sha224: Sha224, sha2::Sha224;
    sha256: Sha256, sha2::Sha256;
    sha384: Sha384, sha2::Sha384;
    sha512: Sha512, sha2::Sha512;
    sha512_224: Sha512_224, sha2::Sha512_224;
    sha512_256: Sha512_256, sha2::Sha512_256;
    md5: Md5, md5::Md5;
    ripemd160: Ripemd160, ripemd::Ripemd160;
    sm3: Sm3, sm3::Sm3;
}

/// States written by the first version (`data/*.bin`), which later versions must read and write
/// unchanged.
mod serialized {
    use super::*;
    use digest::hash_serialization_test;

    hash_serialization_test!(sha1_state, Sha1);
    hash_serialization_test!(sha224_state, Sha224);
    hash_serialization_test!(sha256_state, Sha256);
    hash_serialization_test!(sha384_state, Sha384);
    hash_serialization_test!(sha512_state, Sha512);
    hash_serialization_test!(sha512_224_state, Sha512_224);
    hash_serialization_test!(sha512_256_state, Sha512_256);
    hash_serialization_test!(md5_state, Md5);
    hash_serialization_test!(ripemd160_state, Ripemd160);
    hash_serialization_test!(sm3_state, Sm3);
}
