//! Compares SHA-1 with collision detection, for one message, with the crate `sha1-checked` and with
//! plain SHA-1.
//!
//!     cargo bench -p lanesum --bench sha1dc
//!
//! Prints one line per call and length: the minimum and the median of the rounds, in nanoseconds
//! per message.

use std::hint::black_box;
use std::time::Instant;

use lanesum::sha1dc::Sha1Dc;
use sha1_checked::Digest as _;

/// The number of rounds in which each call is timed, and the minimum number of bytes per round.
const ROUNDS: usize = 41;
const BYTES: usize = 1 << 18;

/// A library's name, and a function that returns its digest of message i.
type Call<'c> = (&'c str, &'c dyn Fn(usize) -> [u8; 20]);

fn main() {
    println!("call,bytes,ns_min,ns_median");
    for len in [0, 20, 64, 128, 192, 256, 512, 1024, 4096, 65_536] {
        let data: Vec<u8> = (0..len + 64).map(|i| (i % 251) as u8).collect();
        let messages = (BYTES / (len + 64)).max(4);
        // Messages begin at different bytes.
        let message = |i: usize| black_box(&data[i % 64..][..len]);
        let calls: [Call<'_>; 3] = [
            ("lanesum", &|i| Sha1Dc::new().update(message(i)).finish().digest()),
            ("sha1-checked", &|i| sha1_checked::Sha1::digest(message(i)).into()),
            ("lanesum without a look", &|i| lanesum::sha1(message(i))),
        ];
        let mut times: [Vec<f64>; 3] = Default::default();
        for _ in 0..ROUNDS {
            for ((_, call), times) in calls.iter().zip(&mut times) {
                let start = Instant::now();
                for i in 0..messages {
                    black_box(call(i));
                }
                times.push(start.elapsed().as_nanos() as f64 / messages as f64);
            }
        }
        for ((name, _), mut times) in calls.iter().zip(times) {
            times.sort_by(f64::total_cmp);
            println!("{name},{len},{:.1},{:.1}", times[0], times[ROUNDS / 2]);
        }
    }
}
