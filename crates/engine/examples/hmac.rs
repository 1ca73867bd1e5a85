//! Verifies the HMAC-SHA-256 of a file: `cargo run --example hmac KEYFILE TAG FILE` prints nothing
//! if the tag is correct, and fails otherwise. The tag is hexadecimal.

use std::fs::{self, File};
use std::{env, process};

use lanesum::{Algorithm, Digest, Hmac, HmacKey};

fn check(key: &str, tag: &str, file: &str) -> Result<(), String> {
    let tag: Digest = tag.parse().map_err(|error| format!("TAG: {error}"))?;
    let bytes = fs::read(key).map_err(|error| format!("{key}: {error}"))?;
    let mut hmac = Hmac::new(&HmacKey::new(Algorithm::SHA256, bytes));
    let read = File::open(file).and_then(|opened| hmac.update_reader(opened));
    read.map_err(|error| format!("{file}: {error}"))?;
    hmac.verify(tag).map_err(|error| format!("{file}: {error}"))
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [key, tag, file] = &arguments[..] else {
        eprintln!("usage: hmac KEYFILE TAG FILE");
        process::exit(2);
    };
    if let Err(error) = check(key, tag, file) {
        eprintln!("hmac: {error}");
        process::exit(1);
    }
}
