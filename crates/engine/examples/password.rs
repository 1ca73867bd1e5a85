//! Stores and verifies a password with PBKDF2-HMAC-SHA-256: `password new` reads one from standard
//! input and prints `iterations:salt:key`; `password check STORED` reads one and fails unless it
//! matches.

use std::error::Error;
use std::fs::File;
use std::io::{self, Read};
use std::{env, process};

use lanesum::{Algorithm, Digest, pbkdf2};

/// The number of iterations that OWASP recommended for SHA-256 in 2023.
const ITERATIONS: u32 = 600_000;

fn derive(password: &str, salt: &Digest, iterations: u32) -> Result<Digest, Box<dyn Error>> {
    let mut key = [0; 32];
    pbkdf2(Algorithm::SHA256, password, salt, iterations, &mut key)?;
    Ok(key.into())
}

/// Whether the password matches the stored one.
fn check(password: &str, stored: &str) -> Result<bool, Box<dyn Error>> {
    let parts: Vec<&str> = stored.split(':').collect();
    let [iterations, salt, key] = parts[..] else {
        return Err("STORED is not `iterations:salt:key`".into());
    };
    let key: Digest = key.parse()?;
    // Digests are compared in constant time.
    Ok(derive(password, &salt.parse()?, iterations.parse()?)? == key)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let password = io::read_to_string(io::stdin())?;
    let password = password.trim_end_matches('\n');
    match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["new"] => {
            let mut salt = [0; 16];
            File::open("/dev/urandom")?.read_exact(&mut salt)?;
            let salt = Digest::from(salt);
            println!("{ITERATIONS}:{salt}:{}", derive(password, &salt, ITERATIONS)?);
        }
        ["check", stored] if check(password, stored)? => println!("the password matches"),
        ["check", _] => {
            eprintln!("password: the password does not match");
            process::exit(1);
        }
        _ => return Err("usage: password new, or password check STORED".into()),
    }
    Ok(())
}
