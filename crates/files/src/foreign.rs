//! Hash algorithms from other crates, one message at a time.

use lanesum::Digest;
use lanesum_manifest::Foreign;
use sha3::digest::{Digest as _, Output};
use sha3::{Sha3_224, Sha3_256, Sha3_384, Sha3_512};

/// An incremental hasher.
#[derive(Clone)]
pub struct ForeignHasher(State);

#[derive(Clone)]
enum State {
    Blake2b(Box<blake2b_simd::State>),
    Blake3(Box<blake3::Hasher>),
    Sha3_224(Sha3_224),
    Sha3_256(Sha3_256),
    Sha3_384(Sha3_384),
    Sha3_512(Sha3_512),
}

impl ForeignHasher {
    /// Creates a hasher for a new message.
    pub fn new(algorithm: Foreign) -> Self {
        Self(match algorithm {
            Foreign::Blake2b => return Self::blake2b(64),
            Foreign::Blake3 => State::Blake3(Box::default()),
            Foreign::Sha3_224 => State::Sha3_224(Sha3_224::default()),
            Foreign::Sha3_256 => State::Sha3_256(Sha3_256::default()),
            Foreign::Sha3_384 => State::Sha3_384(Sha3_384::default()),
            Foreign::Sha3_512 => State::Sha3_512(Sha3_512::default()),
        })
    }

    /// Creates a BLAKE2b hasher with digests of `len` bytes.
    ///
    /// # Panics
    ///
    /// If `len` is not from 1 to 64.
    pub fn blake2b(len: usize) -> Self {
        let state = blake2b_simd::Params::new().hash_length(len).to_state();
        Self(State::Blake2b(Box::new(state)))
    }

    /// Appends `bytes` to the message.
    pub fn update(&mut self, bytes: &[u8]) {
        match &mut self.0 {
            State::Blake2b(state) => _ = state.update(bytes),
            State::Blake3(state) => _ = state.update(bytes),
            State::Sha3_224(state) => state.update(bytes),
            State::Sha3_256(state) => state.update(bytes),
            State::Sha3_384(state) => state.update(bytes),
            State::Sha3_512(state) => state.update(bytes),
        }
    }

    /// Returns the digest of the message.
    pub fn finish(&self) -> Digest {
        match &self.0 {
            State::Blake2b(state) => digest(state.finalize().as_bytes()),
            State::Blake3(state) => digest(state.finalize().as_bytes()),
            State::Sha3_224(state) => of_sha3(state),
            State::Sha3_256(state) => of_sha3(state),
            State::Sha3_384(state) => of_sha3(state),
            State::Sha3_512(state) => of_sha3(state),
        }
    }
}

fn of_sha3<D: sha3::digest::Digest + Clone>(state: &D) -> Digest {
    let output: Output<D> = state.clone().finalize();
    digest(&output)
}

fn digest(bytes: &[u8]) -> Digest {
    Digest::try_from(bytes).expect("no digest is longer than 64 bytes")
}
