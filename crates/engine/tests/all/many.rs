//! Batches of whole messages.

use crate::common;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use crate::common::{bytes, engine, kernels, rust_crypto};
use lanesum::{
    Algorithm, BatchError, Bytes, Digest, Engine, Hasher, Hex, Messages, Offsets, Strided,
    Truncated, hash, hash_iter, hash_many,
};

/// Compares the digests of a batch of messages of these lengths with another library's.
fn check_with(engine: &Engine, lens: &[usize]) {
    let algorithm = engine.algorithm();
    let all = bytes(lens.iter().max().copied().unwrap_or(0) + lens.len());
    // Each begins at a different byte, so that messages of equal length differ.
    let messages: Vec<&[u8]> =
        lens.iter().enumerate().map(|(i, &len)| &all[i.min(96)..][..len]).collect();
    let mut digests = vec![hash(algorithm, b""); lens.len()];
    hash_many(engine, &messages, &mut digests);
    for (message, digest) in messages.iter().zip(&digests) {
        let theirs = rust_crypto(algorithm, message);
        let len = message.len();
        assert_eq!(digest.as_bytes(), theirs, "{engine:?} {len} of {lens:?}");
    }
}

fn check(algorithm: Algorithm, lens: &[usize]) {
    check_with(&Engine::new(algorithm), lens);
}

#[test]
fn every_kernel_hashes_batches_of_equal_and_of_mixed_lengths() {
    common::say_what_is_left_out();
    for (kernel, algorithm) in kernels() {
        let engine = engine(kernel, algorithm);
        let block = algorithm.block_len();
        for len in [0, 1, 32, 55, 56, 63, 64, 65, 111, 112, 119, 127, 128, 129, 5 * block] {
            check_with(&engine, &[len; 37]);
        }
        check_with(&engine, &(0..300).map(|i| i * 31 % 700).collect::<Vec<_>>());
        // Some are long enough to be streamed.
        check_with(&engine, &(0..40).map(|i| i * i * 40).collect::<Vec<_>>());
    }
}

#[test]
fn every_length_of_a_few_blocks_in_a_separate_batch() {
    for algorithm in Algorithm::all() {
        for len in 0..=300 {
            check(algorithm, &[len + 97; 40]);
        }
    }
}

#[test]
fn every_length_in_one_batch() {
    for algorithm in Algorithm::all() {
        check(algorithm, &(97..1100).collect::<Vec<_>>());
    }
}

#[test]
fn every_batch_size_with_mixed_lengths() {
    for algorithm in Algorithm::all() {
        for count in 0..=70 {
            let lens: Vec<usize> = (0..count).map(|i| i * 7919 % 1000).collect();
            check(algorithm, &lens);
        }
    }
}

#[test]
fn long_messages_among_short_ones() {
    for algorithm in Algorithm::all() {
        let lens: Vec<usize> =
            (0..1500).map(|i| if i % 31 == 0 { i * 100 } else { i * 13 % 200 }).collect();
        check(algorithm, &lens);
    }
}

#[test]
fn strided_messages_and_offsets_select_the_right_bytes() {
    let table = bytes(100 * 48);
    let rows = Strided::new(&table, 48).unwrap();
    assert_eq!(rows.count(), 100);
    let columns = Strided::with_stride(&table[8..], 16, 48, 100).unwrap();
    let offsets: Vec<i32> = (0..=100).map(|i| 4800.min(i * i * 48 / 90)).collect();
    let strings = Offsets::new(&table, &offsets).unwrap();

    let mut digests = vec![0; 100 * 32];
    hash_many(Algorithm::SHA256, &rows, Bytes(&mut digests));
    for (row, digest) in table.chunks(48).zip(digests.chunks(32)) {
        assert_eq!(rust_crypto(Algorithm::SHA256, row), digest);
    }
    hash_many(Algorithm::SHA256, &columns, Bytes(&mut digests));
    for (row, digest) in table.chunks(48).zip(digests.chunks(32)) {
        assert_eq!(rust_crypto(Algorithm::SHA256, &row[8..24]), digest);
    }
    hash_many(Algorithm::SHA256, &strings, Bytes(&mut digests));
    for (ends, digest) in offsets.windows(2).zip(digests.chunks(32)) {
        let string = &table[ends[0] as usize..ends[1] as usize];
        assert_eq!(rust_crypto(Algorithm::SHA256, string), digest);
    }
}

#[test]
fn digests_go_to_the_callers_memory_as_bytes_or_hex() {
    for algorithm in Algorithm::all().chain(Algorithm::from_name("sha512/192")) {
        let messages: Vec<Vec<u8>> = (0..50).map(|i| bytes(i * 3)).collect();
        let len = algorithm.digest_len();
        let mut raw = vec![0; 50 * len];
        hash_many(algorithm, &messages[..], Bytes(&mut raw));
        let mut hex = vec![0; 50 * 2 * len];
        hash_many(algorithm, &messages[..], Hex(&mut hex));
        for (i, message) in messages.iter().enumerate() {
            let digest = hash(algorithm, message);
            assert_eq!(digest.as_bytes(), &raw[i * len..][..len]);
            assert_eq!(digest.to_string().as_bytes(), &hex[i * 2 * len..][..2 * len]);
        }
    }
}

#[test]
fn batches_that_exceed_their_buffer_are_rejected() {
    let bytes = [0; 100];
    let refused = |offsets: &[i64]| Offsets::new(&bytes, offsets).unwrap_err();
    assert_eq!(refused(&[0, 40, 30]), BatchError::Backwards { index: 2 });
    assert_eq!(refused(&[0, 40, 101]), BatchError::PastEnd { index: 2, bytes: 100 });
    assert_eq!(refused(&[0, -1]), BatchError::Negative { index: 1 });
    assert!(Offsets::new(&bytes, &[0u64, u64::MAX]).is_err());
    assert!(Strided::new(&bytes, 0).is_err() && Strided::new(&bytes, 30).is_err());
    assert!(Strided::with_stride(&bytes, 10, 30, 5).is_err(), "past the end");
    assert!(Strided::with_stride(&bytes, 10, 5, 5).is_err(), "overlapping");
    assert!(Strided::with_stride(&bytes, 1, usize::MAX, 3).is_err(), "overflowing");
    assert!(Strided::with_stride(&bytes, usize::MAX, 1, 1).is_err(), "overflowing");
    assert_eq!(Strided::with_stride(&bytes, 10, 30, 4).unwrap().message(3).len(), 10);
    assert!(refused(&[0, 40, 30]).to_string().contains("offset 2"));

    let too_few = catch_unwind(|| {
        hash_many(Algorithm::SHA1, &[b"a", b"b"], Bytes(&mut [0; 20]));
    });
    assert!(too_few.is_err());
}

#[test]
fn no_messages_and_a_million_empty_ones() {
    hash_many(Algorithm::SHA256, &[] as &[&[u8]], Bytes(&mut []));
    assert_eq!(Offsets::new(&[], &[] as &[u32]).unwrap().count(), 0);
    assert_eq!(Offsets::new(&[], &[0u32]).unwrap().count(), 0);

    let mut digests = vec![0; 32_000_000];
    let empty = Strided::with_stride(&[], 0, 0, 1_000_000).unwrap();
    hash_many(Algorithm::SHA256, &empty, Bytes(&mut digests));
    let expected = rust_crypto(Algorithm::SHA256, b"");
    assert!(digests.chunks(32).all(|digest| digest == expected));
}

#[test]
fn hash_iter_yields_digests_in_order() {
    let messages: Vec<Vec<u8>> = (0..1000).map(|i| bytes(i * 37 % 500)).collect();
    let digests: Vec<_> = hash_iter(Algorithm::SHA512, &messages).collect();
    assert_eq!(digests.len(), 1000);
    for (message, digest) in messages.iter().zip(digests) {
        assert_eq!(digest, hash(Algorithm::SHA512, message));
    }
}

#[test]
fn an_iterator_that_panics_leaks_nothing() {
    let alive = Rc::new(());
    /// A message with a reference count.
    struct Counted(#[allow(dead_code, reason = "held, not read")] Rc<()>);
    impl AsRef<[u8]> for Counted {
        fn as_ref(&self) -> &[u8] {
            b"counted"
        }
    }
    let messages = (0..500).map(|i| {
        assert!(i < 300, "half-way");
        Counted(Rc::clone(&alive))
    });
    let mut digests = hash_iter(Algorithm::SHA256, messages);
    let taken = catch_unwind(AssertUnwindSafe(|| digests.by_ref().count()));
    assert!(taken.is_err());
    assert_eq!(Rc::strong_count(&alive), 1);
}

#[cfg(feature = "rayon")]
#[test]
fn digests_do_not_depend_on_threads() {
    let messages: Vec<Vec<u8>> = (0..3000).map(|i| bytes(i * 37 % 700)).collect();
    let mut one = vec![0; 3000 * 20];
    let mut many = vec![0; 3000 * 20];
    hash_many(Algorithm::SHA1, &messages[..], Bytes(&mut one));
    for threads in [0, 1, 2, 3, 11] {
        many.fill(0);
        let engine = Engine::new(Algorithm::SHA1).threads(threads);
        hash_many(&engine, &messages, Bytes(&mut many));
        assert!(one == many, "{threads} threads");
    }
}

#[test]
fn digests_are_written_to_common_types() {
    let messages: Vec<String> = (0..40).map(|i| "warp".repeat(i)).collect();
    for algorithm in Algorithm::all() {
        let theirs: Vec<Vec<u8>> =
            messages.iter().map(|m| rust_crypto(algorithm, m.as_bytes())).collect();
        let mut digests = Vec::new();
        hash_many(algorithm, &messages, &mut digests);
        assert!(digests.iter().map(Digest::as_bytes).eq(&theirs), "a vector that grows");
        let mut digests = [Digest::EMPTY; 40];
        hash_many(algorithm, &messages, &mut digests);
        assert!(digests.iter().map(Digest::as_bytes).eq(&theirs), "an array");
        // Truncated to the length of the places.
        let mut arrays = vec![[0; 12]; 99];
        hash_many(algorithm, &messages, &mut arrays);
        assert!(arrays.iter().map(|a| &a[..]).eq(theirs.iter().map(|d| &d[..12])), "arrays");
        for len in 1..=algorithm.digest_len() {
            let mut bytes = vec![0; 40 * len];
            hash_many(algorithm, &messages, Truncated(&mut bytes, len));
            assert!(bytes.chunks(len).eq(theirs.iter().map(|d| &d[..len])), "{len} bytes");
        }
    }
}

#[test]
#[should_panic(expected = "outputs of 33 bytes are longer than digests of 32 bytes")]
fn a_place_longer_than_a_digest_is_refused() {
    hash_many(Algorithm::SHA256, &["warp"], &mut [[0; 33]]);
}

#[test]
#[should_panic(expected = "output buffer has 32 bytes; 2 outputs of 32 bytes need 64")]
fn memory_for_half_of_each_digest_is_refused() {
    hash_many(Algorithm::SHA256, &["warp", "weft"], Bytes(&mut [0; 32]));
}

/// Prefixes of zero bytes, part of a block and several blocks; messages that leave the block
/// incomplete, complete it, and exceed it.
#[test]
fn batches_continue_a_hasher_s_prefix() {
    for (kernel, algorithm) in kernels() {
        let (engine, block) = (engine(kernel, algorithm), algorithm.block_len());
        for prefix in [0, 1, block - 1, block, block + 20, 3 * block] {
            let mut hasher = Hasher::new(algorithm);
            hasher.update(bytes(prefix));
            for lens in [vec![64; 33], (0..70).map(|i| i * 29 % 400).collect(), vec![5]] {
                let messages: Vec<Vec<u8>> = lens.iter().map(|&len| bytes(len)).collect();
                let mut digests = Vec::new();
                hasher.finish_many(&engine, &messages, &mut digests);
                for (message, digest) in messages.iter().zip(&digests as &Vec<Digest>) {
                    let theirs = rust_crypto(algorithm, &[&bytes(prefix), &message[..]].concat());
                    let len = message.len();
                    assert_eq!(digest.as_bytes(), theirs, "{engine:?} {prefix} and {len} bytes");
                }
            }
        }
    }
}

#[test]
#[should_panic(expected = "hasher uses sha1, but the engine uses sha256")]
fn a_hasher_of_another_algorithm_is_rejected() {
    let hasher = Hasher::new(Algorithm::SHA1);
    hasher.finish_many(Algorithm::SHA256, &["warp"], &mut Vec::<Digest>::new());
}
