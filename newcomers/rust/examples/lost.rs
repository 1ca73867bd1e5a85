//! A loop that loses digests. `.ci/newcomers` checks that the compiler's output contains the remedy.
#![deny(unused_must_use)]

use lanesum::{Algorithm, Lanes};

fn main() {
    let mut lanes = Lanes::new(Algorithm::SHA256);
    for message in [&b"first"[..], b"second"] {
        // Remedy: its digest is lost if it is ignored
        lanes.push(message);
    }
    assert!(lanes.drain().all(|message| message.digest.is_ok()));
}
