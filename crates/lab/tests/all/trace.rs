//! Tracing locates an injected fault.

use crate::common::{blocks, random};

use std::cell::Cell;
use std::ops::{Add, BitAnd, BitXor, Not, Sub};

use lanesum_graph::trace::{Blame, Event, Lanes, Log, departed_round, first_departure, rounds};
use lanesum_spec::sha2::Sha256;
use lanesum_spec::{Algorithm, Compression, Family, Hints, W32, Word};

thread_local! {
    /// Number of rotations before the faulty one, in lane 2.
    static FAULT: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Four lanes, with one faulty rotation.
#[derive(Clone, Copy)]
struct Four([W32; 4]);

macro_rules! lanewise {
    ($($trait:ident $method:ident),*) => {$(
        impl $trait for Four {
            type Output = Self;
            fn $method(self, y: Self) -> Self {
                Self(std::array::from_fn(|l| self.0[l].$method(y.0[l])))
            }
        }
    )*};
}
lanewise!(Add add, Sub sub, BitAnd bitand, BitXor bitxor);
impl Add<u32> for Four {
    type Output = Self;
    fn add(self, k: u32) -> Self {
        Self(self.0.map(|w| w + k))
    }
}
impl Not for Four {
    type Output = Self;
    fn not(self) -> Self {
        Self(self.0.map(|w| !w))
    }
}
impl Word for Four {
    type Int = u32;
    fn rotr(self, n: u32) -> Self {
        let mut right = self.0.map(|w| w.rotr(n));
        let left = FAULT.get();
        FAULT.set(left.wrapping_sub(1));
        if left == 0 {
            right[2] = right[2] + 1u32;
        }
        Self(right)
    }
    fn shr(self, n: u32) -> Self {
        Self(self.0.map(|w| w.shr(n)))
    }
}
impl Hints for Four {}
impl Lanes for Four {
    const LANES: usize = 4;
    fn lane(self, l: usize) -> u64 {
        self.0[l].lane(0)
    }
}

fn trace<W: Lanes<Int = u32>>(state: [W; 8], block: [W; 16]) -> Vec<Event> {
    let log = Log::default();
    let _ = Sha256::compress(state.map(|w| log.word(w)), block.map(|w| log.word(w)));
    log.finish()
}

#[test]
fn a_tracing_word_identifies_the_round_the_lane_and_the_operation() {
    let mut seed = 11;
    let data: [[u64; 16]; 4] = std::array::from_fn(|_| blocks(32, &mut seed)[1]);
    let iv = Algorithm::SHA256.iv().map(|w| W32(w as u32));
    let reference: Vec<Vec<Event>> =
        data.iter().map(|words| trace(iv, words.map(|w| W32(w as u32)))).collect();
    let lanes = || {
        let block = std::array::from_fn(|t| Four(std::array::from_fn(|l| W32(data[l][t] as u32))));
        trace(iv.map(|w| Four([w; 4])), block)
    };
    FAULT.set(usize::MAX);
    assert_eq!(first_departure(&reference, &lanes()), None);
    // Each round has six rotations until the schedule begins.
    FAULT.set(6 * 5 + 2);
    let found = first_departure(&reference, &lanes()).expect("the fault");
    assert_eq!((found.round, found.lane, found.operation), (5, 2, "rotr"));
    assert_eq!(found.found, found.expected.wrapping_add(1) & 0xffff_ffff);
}

#[test]
fn a_result_identifies_its_faulty_round() {
    let mut seed = 5;
    for algorithm in [Algorithm::SHA1, Algorithm::SHA256, Algorithm::SHA512] {
        let family = algorithm.family();
        let state: Vec<u64> = algorithm.iv()[..family.state_words()].to_vec();
        let bits = family.word_bits();
        let block = blocks(bits, &mut seed)[1];
        let right = rounds(family, &state, &block);
        let mask = u64::MAX >> (64 - bits);
        let result = |last: &[u64]| -> Vec<u64> {
            last.iter().zip(&state).map(|(x, y)| x.wrapping_add(*y) & mask).collect()
        };
        let good = result(&right.last().unwrap().state);
        assert_eq!(departed_round(family, &state, &block, &good), None);
        for t in [0, 1, 15, 16, 40, right.len() - 1] {
            // One bit of a is wrong after round t; the remaining rounds are correct.
            let mut words = right[t].state.clone();
            words[0] ^= 1 << (random(&mut seed) % 32);
            for (later, round) in right.iter().enumerate().skip(t + 1) {
                words = lanesum_graph_round(family, &words, round.w, later);
            }
            let blame = departed_round(family, &state, &block, &result(&words));
            assert_eq!(blame, Some(Blame::Round(t)), "{algorithm} {t}");
        }
        // Noise that is unrelated to the function.
        let noise: Vec<u64> = state.iter().map(|_| random(&mut seed) & mask).collect();
        assert_eq!(departed_round(family, &state, &block, &noise), Some(Blame::Several));
    }
}

/// One round of the specification.
fn lanesum_graph_round(family: Family, state: &[u64], w: u64, t: usize) -> Vec<u64> {
    use lanesum_spec::sha2::{self, Sha512, Variant};
    use lanesum_spec::{W64, sha1};
    match family {
        Family::Sha1 => {
            let s: [W32; 5] = std::array::from_fn(|i| W32(state[i] as u32));
            let f = [W32::ch, W32::xor3, W32::maj, W32::xor3][t / 20](s[1], s[2], s[3]);
            let wk = W32(w as u32) + sha1::K[t / 20];
            sha1::round(s, f, wk).map(|w| u64::from(w.0)).to_vec()
        }
        Family::Sha256 => {
            let s: [W32; 8] = std::array::from_fn(|i| W32(state[i] as u32));
            let wk = W32(w as u32) + <Sha256 as Variant>::K[t];
            sha2::round::<Sha256, W32, W32>(s, wk).map(|w| u64::from(w.0)).to_vec()
        }
        _ => {
            let s: [W64; 8] = std::array::from_fn(|i| W64(state[i]));
            let wk = W64(w) + <Sha512 as Variant>::K[t];
            sha2::round::<Sha512, W64, W64>(s, wk).map(|w| w.0).to_vec()
        }
    }
}
