//! The recorded graph evaluates to the same numbers as the specification.

use lanesum_graph::{eval, record};
use lanesum_spec::{Family, compress};

use crate::common::random;

#[test]
fn a_graph_evaluates_like_the_specification() {
    let mut seed = 1;
    for family in Family::ALL {
        for short in [false, true] {
            let recorded = record(family, short);
            for _ in 0..20 {
                let mut state: [u64; 8] =
                    std::array::from_fn(|_| random(&mut seed) >> (64 - family.word_bits()));
                let bytes: Vec<u8> =
                    (0..family.block_len()).map(|_| random(&mut seed) as u8).collect();
                let word_len = family.word_bits() as usize / 8;
                let words: [u64; 16] = std::array::from_fn(|t| {
                    let word = &bytes[t * word_len..][..word_len];
                    let fold = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
                    if family.is_big_endian() {
                        word.iter().fold(0, fold)
                    } else {
                        word.iter().rev().fold(0, fold)
                    }
                });
                let values = eval(&recorded.graph, &recorded.inputs(&state, &words));
                compress(family, &mut state, &bytes);
                for (i, &output) in recorded.spec.outputs.iter().enumerate() {
                    assert_eq!(values[output.index()], state[i], "{family:?} word {i}");
                }
            }
        }
    }
}

#[test]
fn the_short_form_is_proven_equal_to_the_plain_one() {
    for family in Family::ALL {
        let mut recorded = record(family, false);
        let short = recorded.record(true);
        for (plain, short) in recorded.spec.named().zip(short.named()) {
            assert!(recorded.graph.equal(plain, short), "{family:?}");
        }
    }
}
