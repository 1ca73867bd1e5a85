//! The `digest` traits, by the tests that their own project has for them, and
//! against its crates.
#![cfg(feature = "digest")]

use crate::common;
use crate::rsp;

use digest::common::BlockSizeUser;
use digest::common::hazmat::SerializableState;
use digest::dev::{TestVector, feed_rand_16mib, fixed_reset_test, fixed_test};
use digest::{Digest, FixedOutputReset, HashMarker};
use hmac::{KeyInit, Mac, SimpleHmac};
use lanesum::rustcrypto::{
    Md5, Ripemd160, Sha1, Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256, Sm3,
};
use lanesum::{Algorithm, rustcrypto};

trait Hash:
    Digest + FixedOutputReset + HashMarker + Default + Clone + BlockSizeUser + SerializableState
{
}
impl<T> Hash for T where
    T: Digest + FixedOutputReset + HashMarker + Default + Clone + BlockSizeUser + SerializableState
{
}

/// What every hash must pass; `Theirs` is the same algorithm of another crate.
fn check<Ours: Hash, Theirs: Hash>(algorithm: Algorithm) {
    agrees_with_the_table::<Ours>(algorithm);
    passes_the_published_vectors::<Ours>(algorithm);
    agrees_on_random_data::<Ours, Theirs>(algorithm);
    goes_on_from_a_serialized_state::<Ours>(algorithm);
    refuses_what_is_no_state_of_its_own::<Ours>(algorithm);
    makes_the_same_hmac::<Ours, Theirs>(algorithm);
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
    // An empty tail, one of a byte, and the longest.
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
                assert!(types.contains(&algorithm), "no type for {algorithm}");
            }
            assert_eq!(types.len(), Algorithm::all().len());
        }

        #[cfg(feature = "oid")]
        #[test]
        fn object_identifiers_are_those_of_the_table() {
            use digest::const_oid::AssociatedOid;
            $(
                let algorithm = $ours::ALGORITHM;
                assert_eq!(Some(&*$ours::OID.to_string()), algorithm.oid(), "{algorithm}");
            )*
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

/// States as the first version wrote them (`data/*.bin`): a later one must read
/// and write the same.
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
