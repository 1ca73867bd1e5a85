//! Verifies a manifest in the format of `sha256sum`: `cargo run --example manifest SUMS` prints the
//! result for each file, and fails if any file does not match. The length of the digests determines
//! the hash function.

use std::fs::{self, File};
use std::{env, error::Error, process};

use lanesum::{Algorithm, Digest, Hasher};

/// Returns the algorithm of SHA-1 or SHA-2 with the length of this digest.
fn algorithm(digest: &Digest) -> Option<Algorithm> {
    let all = [
        Algorithm::SHA1,
        Algorithm::SHA224,
        Algorithm::SHA256,
        Algorithm::SHA384,
        Algorithm::SHA512,
    ];
    all.into_iter().find(|algorithm| algorithm.digest_len() == digest.as_bytes().len())
}

/// Whether the file of a line has the digest of that line.
fn check(digest: &str, path: &str) -> Result<bool, Box<dyn Error>> {
    let digest: Digest = digest.parse()?;
    let algorithm = algorithm(&digest).ok_or("no algorithm has digests of that length")?;
    let mut hasher = Hasher::new(algorithm);
    hasher.update_reader(File::open(path)?)?;
    Ok(hasher.finish() == digest)
}

fn main() -> Result<(), Box<dyn Error>> {
    let manifest = env::args().nth(1).ok_or("usage: manifest SUMS")?;
    let mut wrong = 0;
    for line in fs::read_to_string(manifest)?.lines() {
        let (digest, path) = line.split_once("  ").ok_or("a line is not `digest  path`")?;
        let verdict = match check(digest, path) {
            Ok(true) => "OK".to_owned(),
            Ok(false) => "FAILED".to_owned(),
            Err(error) => error.to_string(),
        };
        wrong += usize::from(verdict != "OK");
        println!("{path}: {verdict}");
    }
    process::exit(i32::from(wrong > 0));
}
