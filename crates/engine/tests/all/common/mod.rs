//! Helpers for the tests: independent implementations to compare with, and messages that arrive in
//! small pieces.
#![allow(dead_code, unreachable_pub, reason = "no test uses all of it")]

use std::env;
use std::path::PathBuf;
use std::process::Command;

use digest::DynDigest;
use lanesum::{Algorithm, Engine, Kernel, Message, Policy};
use lanesum_testkit::{Kind, left_out};

/// Runs `$do` with `$hash` as the type of the RustCrypto crates for `$algorithm`.
macro_rules! with_rust_crypto {
    ($algorithm:expr, $hash:ident => $do:expr) => {
        match $algorithm {
            Algorithm::MD5 => {
                type $hash = md5::Md5;
                $do
            }
            Algorithm::RIPEMD160 => {
                type $hash = ripemd::Ripemd160;
                $do
            }
            Algorithm::SHA1 => {
                type $hash = sha1::Sha1;
                $do
            }
            Algorithm::SHA224 => {
                type $hash = sha2::Sha224;
                $do
            }
            Algorithm::SHA256 => {
                type $hash = sha2::Sha256;
                $do
            }
            Algorithm::SHA384 => {
                type $hash = sha2::Sha384;
                $do
            }
            Algorithm::SHA512 => {
                type $hash = sha2::Sha512;
                $do
            }
            Algorithm::SHA512_224 => {
                type $hash = sha2::Sha512_224;
                $do
            }
            Algorithm::SHA512_256 => {
                type $hash = sha2::Sha512_256;
                $do
            }
            Algorithm::SM3 => {
                type $hash = sm3::Sm3;
                $do
            }
            other => panic!("nothing to compare {other} with: add it to with_rust_crypto! (engine/tests/all/common/mod.rs)"),
        }
    };
}
pub(crate) use with_rust_crypto;

/// Returns a hasher of the RustCrypto crates, which support every algorithm.
pub fn rust_crypto_hasher(algorithm: Algorithm) -> Box<dyn DynDigest> {
    with_rust_crypto!(algorithm, Hash => Box::new(Hash::default()))
}

/// Returns the digest that the RustCrypto crates compute.
pub fn rust_crypto(algorithm: Algorithm, message: &[u8]) -> Vec<u8> {
    let mut hasher = rust_crypto_hasher(algorithm);
    hasher.update(message);
    hasher.finalize().to_vec()
}

/// Returns the digest that ring computes, if it supports the algorithm.
pub fn ring(algorithm: Algorithm, message: &[u8]) -> Option<Vec<u8>> {
    use ring::digest;
    let theirs = match algorithm {
        Algorithm::SHA1 => &digest::SHA1_FOR_LEGACY_USE_ONLY,
        Algorithm::SHA256 => &digest::SHA256,
        Algorithm::SHA384 => &digest::SHA384,
        Algorithm::SHA512 => &digest::SHA512,
        Algorithm::SHA512_256 => &digest::SHA512_256,
        _ => return None,
    };
    Some(digest::digest(theirs, message).as_ref().to_vec())
}

/// Returns every kernel of this CPU with every algorithm that it supports.
pub fn kernels() -> impl Iterator<Item = (Kernel, Algorithm)> {
    Kernel::all().flat_map(|kernel| {
        Algorithm::all()
            .filter(move |&algorithm| kernel.supports(algorithm))
            .map(move |algorithm| (kernel, algorithm))
    })
}

/// Reports the kernels that this CPU cannot run, so that a passing run does not hide them.
pub fn say_what_is_left_out() {
    for name in Kernel::table().filter_map(Result::err) {
        left_out(Kind::Kernel, name, "this CPU cannot run it");
    }
}

/// A command that runs this test program again.
pub fn itself() -> Command {
    started(env::current_exe().expect("this program"))
}

/// A command that runs a program built for the tests, in the emulator that runs them, if any
/// (`.ci/cross`).
pub fn started(program: PathBuf) -> Command {
    let runner = env::var("LANESUM_TEST_RUNNER").unwrap_or_default();
    let mut words = runner.split_whitespace();
    let Some(first) = words.next() else { return Command::new(program) };
    let mut command = Command::new(first);
    command.args(words).arg(program);
    command
}

/// Returns the engine that runs `algorithm` only on `kernel`.
pub fn engine(kernel: Kernel, algorithm: Algorithm) -> Engine {
    fixed(kernel).engine(algorithm).unwrap()
}

/// Returns the policy that allows only `kernel` and never times kernels.
pub fn fixed(kernel: Kernel) -> Policy {
    lanesum::unstable::with_clock(Policy::fixed(kernel), None)
}

/// Returns a message of `len` bytes whose blocks all differ.
pub fn bytes(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i % 251) as u8 ^ (i / 251) as u8).collect()
}

/// A message that arrives in runs of `run` bytes, and may fail at a given byte.
pub struct Drip {
    pub bytes: Vec<u8>,
    at: usize,
    end: usize,
    run: usize,
    fails_at: Option<usize>,
}

impl Drip {
    pub fn new(len: usize, run: usize) -> Self {
        Self { bytes: bytes(len), at: 0, end: 0, run, fails_at: None }
    }

    pub fn failing(len: usize, run: usize, at: usize) -> Self {
        Self { fails_at: Some(at), ..Self::new(len, run) }
    }
}

impl Message for Drip {
    type Error = &'static str;

    fn fill(&mut self) -> Result<&[u8], Self::Error> {
        if self.at == self.end {
            self.end = self.bytes.len().min(self.at + self.run);
            if self.fails_at.is_some_and(|fails_at| self.end > fails_at) {
                return Err("dripped dry");
            }
        }
        Ok(&self.bytes[self.at..self.end])
    }

    fn consume(&mut self, n: usize) {
        assert!(n <= self.end - self.at, "consumes at most the available bytes");
        self.at += n;
    }
}
