//! Verifies the HMAC-SHA-256 of a file: `cargo run --example hmac KEYFILE TAG FILE` prints nothing
//! if the tag is correct, and fails otherwise. The tag is hexadecimal.

use std::error::Error;
use std::fs::{self, File};
use std::{env, process};

use lanesum::{Algorithm, Digest, Hmac, HmacKey};

fn check(key: &str, tag: &str, file: &str) -> Result<(), Box<dyn Error>> {
    let tag: Digest = tag.parse()?;
    let key = HmacKey::new(Algorithm::SHA256, fs::read(key)?);
    let mut hmac = Hmac::new(&key);
    hmac.update_reader(File::open(file)?)?;
    hmac.verify(tag)?;
    Ok(())
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [key, tag, file] = &arguments[..] else {
        eprintln!("usage: hmac KEYFILE TAG FILE");
        process::exit(2);
    };
    if let Err(error) = check(key, tag, file) {
        eprintln!("hmac: {file}: {error}");
        process::exit(1);
    }
}
