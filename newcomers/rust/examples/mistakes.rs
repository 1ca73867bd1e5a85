//! Calls that do not compile. `.ci/newcomers` checks that the compiler's output contains each remedy.

use std::fs::File;

use lanesum::{Algorithm, Lanes, hash_many};

fn main() {
    let messages = ["first", "second"];
    let mut digests = [[0; 32]; 2];
    // Remedy: the first argument is an `Algorithm`, such as `Algorithm::SHA256`, or an `Engine`
    hash_many("sha256", &messages, &mut digests);
    // Remedy: `hash_iter` accepts iterators
    hash_many(Algorithm::SHA256, &messages.iter(), &mut digests);
    // Remedy: wrap a buffer of bytes: `Bytes(&mut buffer)`, `Truncated(&mut buffer, len)` or `Hex(&mut buffer)`
    hash_many(Algorithm::SHA256, &messages, &mut [0_u8; 64]);
    // Remedy: a vector receives digests as `Digest` or `[u8; N]`
    hash_many(Algorithm::SHA256, &messages, &mut vec![0_u8; 64]);
    // Remedy: implement `Message` for a type that wraps a `BufReader`
    let _: Lanes<File>;
    // Remedy: messages in memory are `&[u8]`
    let _: Lanes<Vec<u8>>;
}
