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

mod choose;
mod digest;
#[allow(unsafe_code)]
mod kernel;
mod keyed;
mod lanes;
#[cfg(feature = "std")]
#[allow(unsafe_code)]
mod locked;
mod messages;
#[cfg(feature = "multi")]
pub mod multi;
mod outputs;
mod run;
#[cfg(feature = "digest")]
pub mod rustcrypto;
pub mod unstable;
mod wipe;
mod words;

pub use self::digest::{Digest, ParseDigestError};
pub use choose::{Policy, PolicyError};
pub use kernel::{Kernel, Tier};
pub use keyed::{
    Hkdf, HkdfError, Hmac, HmacKey, Pbkdf2Error, hkdf_extract, hkdf_many, hkdf_many_with, mac_each,
    mac_each_with, pbkdf2, pbkdf2_many, pbkdf2_many_with,
};
pub use lanes::{Done, Lanes};
pub use lanesum_spec::{Algorithm, Family, ParseAlgorithmError};
pub use messages::{BatchError, Message, Messages, Offset, Offsets, Strided};
pub use outputs::{Bytes, Hex, Outputs};
#[cfg(feature = "rayon")]
pub use run::hash_many_parallel;
pub use run::{
    Exported, HashIter, Hasher, ImportError, hash, hash_iter, hash_many, hash_many_with,
};
