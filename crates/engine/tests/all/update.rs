//! Pieces of many messages added in one call, on every kernel.

use crate::common::{bytes, engine, kernels, rust_crypto, say_what_is_left_out};
use lanesum::{Algorithm, Hasher, update_many};

/// Returns a random length, often close to a multiple of the block length.
fn piece_len(random: u32, block_len: usize) -> usize {
    let around = [0, 1, block_len - 1, block_len, block_len + 1, 2 * block_len, 5 * block_len + 3];
    match random as usize >> 8 {
        n if n % 4 == 0 => n / 4 % 2000,
        n => around[n / 4 % around.len()],
    }
}

#[test]
fn pieces_of_mixed_lengths_on_every_kernel() {
    /// More than the lanes of any kernel.
    const MESSAGES: usize = 75;

    say_what_is_left_out();
    let mut random = 1u32;
    let mut next = || {
        random = random.wrapping_mul(0x9e37_79b9).rotate_left(11) ^ 0x55;
        random
    };
    for (kernel, algorithm) in kernels() {
        let engine = engine(kernel, algorithm);
        let source = bytes(20_000);
        let mut hashers = vec![Hasher::new(&engine); MESSAGES];
        let mut lens = [0; MESSAGES];
        for round in 0..8 {
            // In some rounds only a few messages, or one, have a piece.
            let share = [1, 1, 2, 1, 10, 1, MESSAGES as u32, 1][round];
            let mut updates = Vec::new();
            for (hasher, len) in hashers.iter_mut().zip(&mut lens) {
                if next() >> 16 < u32::from(u16::MAX) / share {
                    let piece = piece_len(next(), algorithm.block_len());
                    updates.push((hasher, &source[*len..][..piece]));
                    *len += piece;
                }
            }
            update_many(&engine, updates);
        }
        for (hasher, len) in hashers.iter().zip(lens) {
            assert_eq!(hasher.len(), len as u64);
            let theirs = rust_crypto(algorithm, &source[..len]);
            assert_eq!(hasher.finish().as_bytes(), theirs, "{kernel} {algorithm} {len} bytes");
            let alone = Hasher::new(algorithm).update(&source[..len]).export().as_ref().to_vec();
            assert_eq!(hasher.export().as_ref(), alone, "{kernel} {algorithm} {len} bytes");
        }
    }
}

#[test]
fn pieces_before_a_hasher_of_another_algorithm_are_added() {
    let mut hashers = [Algorithm::SHA256, Algorithm::SHA1, Algorithm::SHA256].map(Hasher::new);
    let message = bytes(1000);
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        update_many(Algorithm::SHA256, hashers.iter_mut().zip([&message; 3]));
    }));
    let message = result.unwrap_err().downcast::<String>().unwrap();
    assert_eq!(*message, "hasher uses sha1, but the engine uses sha256");
    assert_eq!(hashers.each_ref().map(Hasher::len), [1000, 0, 0]);
    assert_eq!(hashers[0].finish().as_bytes(), rust_crypto(Algorithm::SHA256, &bytes(1000)));
}

#[test]
fn a_panic_of_the_iterator_leaves_no_message_half_changed() {
    let mut hashers = vec![Hasher::new(Algorithm::SHA256); 40];
    let (before, piece) = (bytes(30), bytes(500));
    hashers.iter_mut().for_each(|hasher| _ = hasher.update(&before));
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let updates = hashers.iter_mut().enumerate().map(|(i, hasher)| {
            assert!(i < 39, "no more pieces");
            (hasher, &piece)
        });
        update_many(Algorithm::SHA256, updates);
    }));
    assert!(result.is_err());
    let without = rust_crypto(Algorithm::SHA256, &before);
    let with = rust_crypto(Algorithm::SHA256, &[before, piece].concat());
    for hasher in hashers {
        let expected = if hasher.len() == 30 { &without } else { &with };
        assert_eq!(hasher.finish().as_bytes(), *expected);
    }
}
