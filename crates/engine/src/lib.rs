//! The SHA engine: SHA-1, SHA-224/256, SHA-384/512 and SHA-512/t, one message or
//! many at once, each in the widest form that the CPU at hand runs well.
//!
//! ```
//! use lanesum::{Algorithm, Digest, hash, hash_many};
//!
//! let digest = hash(Algorithm::SHA256, b"abc");
//! assert_eq!(digest.to_string()[..8], *"ba7816bf");
//!
//! // Many messages go through SIMD lanes, one message in each.
//! let messages: [&[u8]; 3] = [b"warp", b"weft", b"abc"];
//! let mut digests = [Digest::default(); 3];
//! hash_many(Algorithm::SHA256, &messages, &mut digests[..]);
//! assert_eq!(digests[2], digest);
//! ```
//!
//! A stream is hashed with [`Hasher`]; streams that arrive in pieces, many at a
//! time, with [`Lanes`]. Hashing cannot fail, so nothing here returns a `Result`
//! but what reads from elsewhere.
#![cfg_attr(not(any(test, feature = "std")), no_std)]
#![deny(unsafe_code)]

#[allow(unsafe_code)]
mod backend;
mod batch;
mod blocks;
mod chain;
pub mod cost;
mod digest;
#[cfg(feature = "std")]
mod first_use;
mod hasher;
mod hkdf;
mod hmac;
mod lanes;
#[cfg(feature = "std")]
#[allow(unsafe_code)]
mod locked;
mod message;
#[cfg(feature = "multi")]
pub mod multi;
mod oneshot;
mod pbkdf2;
mod plan;
mod policy;
#[cfg(feature = "digest")]
pub mod rustcrypto;
mod state;
mod timing;
mod whole;
mod wipe;

#[doc(hidden)]
pub mod hazmat;

pub use self::digest::{Digest, ParseDigestError};
pub use backend::{Backend, Tier};
#[cfg(feature = "rayon")]
pub use batch::hash_many_parallel;
pub use batch::{
    BatchError, Bytes, Digests, HashIter, Hex, Messages, Offset, Offsets, Rows, hash, hash_iter,
    hash_many, hash_many_with,
};
pub use hasher::{Exported, Hasher, ImportError};
pub use hkdf::{Hkdf, HkdfError, hkdf_extract, hkdf_many, hkdf_many_with};
pub use hmac::{Hmac, HmacKey, mac_each, mac_each_with};
pub use lanes::{Done, Lanes};
pub use lanesum_spec::{Algorithm, Family, ParseAlgorithmError};
pub use message::Message;
pub use pbkdf2::{Pbkdf2Error, pbkdf2, pbkdf2_many, pbkdf2_many_with};
pub use policy::{Policy, PolicyError};
