//! Compares SHA-1 with collision detection with the crates `sha1dc` and `sha1-checked`, and with plain SHA-1.
//!
//!     cargo bench -p lanesum --bench sha1dc
//!
//! Prints one line per call, number of messages and length: the minimum and the median of the rounds,
//! in nanoseconds per message.

use std::hint::black_box;
use std::time::Instant;

use lanesum::Algorithm;
use lanesum::sha1dc::{self as ours, Checked, Detection};
use sha1_checked::Digest as _;

/// The number of rounds in which each call is timed, and the minimum number of bytes per round.
const ROUNDS: usize = 41;
const BYTES: usize = 1 << 18;

/// The lengths of single messages, and the sizes of batches: a number of messages and their length, as of
/// git's objects.
const SINGLE: [usize; 11] = [0, 20, 55, 64, 128, 192, 256, 512, 1024, 4096, 65_536];
const BATCHES: [(usize, usize); 3] = [(1000, 200), (256, 1024), (64, 16_384)];

/// A library's name, and a function that hashes all messages.
type Call<'c> = (&'c str, &'c dyn Fn(&[&[u8]]));

fn main() {
    println!("call,messages,bytes,ns_min,ns_median");
    for len in SINGLE {
        let count = (BYTES / (len + 64)).max(4);
        print(1, len, count, &|messages| {
            for message in messages {
                _ = black_box(ours::hash(Algorithm::SHA1, Detection::new(), message));
            }
        });
    }
    for (count, len) in BATCHES {
        print(count, len, count, &|messages| {
            let mut checked = vec![Checked::default(); messages.len()];
            ours::hash_many(Algorithm::SHA1, Detection::new(), messages, &mut checked);
            black_box(checked);
        });
    }
}

/// Times all libraries with `count` messages of `len` bytes.
fn print(together: usize, len: usize, count: usize, ours: &dyn Fn(&[&[u8]])) {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let data: Vec<u8> = (0..len * 16 + 64)
        .map(|_| {
            // Marsaglia's xorshift. The share of blocks that fulfill the conditions of an attack is that of
            // random ones.
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state as u8
        })
        .collect();
    // Messages begin at different bytes.
    let messages: Vec<&[u8]> = (0..count).map(|i| &data[i % 16 * len + i % 64..][..len]).collect();
    let each = |hash: &dyn Fn(&[u8])| messages.iter().for_each(|message| hash(black_box(message)));
    let calls: [Call<'_>; 4] = [
        ("lanesum", ours),
        ("sha1dc", &|_| each(&|message| _ = black_box(sha1dc::digest(message)))),
        ("sha1-checked", &|_| each(&|message| _ = black_box(sha1_checked::Sha1::digest(message)))),
        ("lanesum plain", &|_| each(&|message| _ = black_box(lanesum::sha1(message)))),
    ];
    let mut times: [Vec<f64>; 4] = Default::default();
    for _ in 0..ROUNDS {
        for ((_, call), times) in calls.iter().zip(&mut times) {
            let start = Instant::now();
            call(&messages);
            times.push(start.elapsed().as_nanos() as f64 / count as f64);
        }
    }
    for ((name, _), mut times) in calls.iter().zip(times) {
        times.sort_by(f64::total_cmp);
        println!("{name},{together},{len},{:.1},{:.1}", times[0], times[ROUNDS / 2]);
    }
}
