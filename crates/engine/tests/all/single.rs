//! Single messages on every single-lane kernel, compared with two peers, at every length up to 1000
//! bytes and with any alignment.

use crate::common::{engine, kernels, ring, rust_crypto};
use lanesum::Hasher;

#[test]
fn every_length_at_any_alignment_matches_two_peers() {
    let mut number = 7u32;
    let mut random = || {
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        number >> 8
    };
    let bytes: Vec<u8> = (0..1000 + 64).map(|_| random() as u8).collect();
    for (kernel, algorithm) in kernels().filter(|(kernel, _)| kernel.lanes() == 1) {
        let engine = engine(kernel, algorithm);
        for len in 0..=1000 {
            let message = &bytes[random() as usize % 64..][..len];
            let mut hasher = Hasher::new(&engine);
            let (first, rest) = message.split_at(random() as usize % (len + 1));
            hasher.update(first);
            hasher.update(rest);
            let digest = hasher.finish();
            assert_eq!(digest.as_bytes(), rust_crypto(algorithm, message), "{kernel} {len}");
            if let Some(theirs) = ring(algorithm, message) {
                assert_eq!(digest.as_bytes(), theirs, "{kernel}, {algorithm}, {len}");
            }
        }
    }
}
