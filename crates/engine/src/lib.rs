//! The SHA engine: SHA-1, SHA-224/256, SHA-384/512 and SHA-512/t, one message or
//! many at once, each in the widest form that the CPU at hand runs well.
//!
//! ```
//! use lanesum::{Algorithm, hash_many, sha256};
//!
//! assert_eq!(sha256("abc")[..4], [0xba, 0x78, 0x16, 0xbf]);
//!
//! // Many messages go through SIMD lanes, one message in each.
//! let mut digests = [[0; 32]; 3];
//! hash_many(Algorithm::SHA256, &["warp", "weft", "abc"], &mut digests);
//! assert_eq!(digests[2], sha256("abc"));
//! ```
//!
//! # What to call when
//!
//! | you have | you call |
//! |---|---|
//! | one message, a function that you know | [`sha256`], [`sha512`] and so on: arrays of bytes |
//! | one message, a function known at run time | [`hash`]: a [`Digest`] |
//! | a message that comes in pieces, or a reader | [`Sha256`] and so on, or [`Hasher`] |
//! | many messages in memory | [`hash_many`] |
//! | messages that an iterator gives | [`hash_iter`] |
//! | many messages that begin alike (a salt, a domain) | [`Hasher::finish_many`] |
//! | many messages that come in pieces | [`Lanes`] |
//! | messages and a key | [`HmacKey::mac`], [`HmacKey::verify`], [`Hmac`] for pieces |
//! | many messages and a key, or keys | [`mac_many`], [`verify_many`] |
//! | a secret, to make keys of | [`Hkdf`], [`hkdf_many`] |
//! | a password | [`pbkdf2`], [`pbkdf2_many`] |
//! | a file or a log to make a Merkle tree of | [`tree`](mod@tree) (feature `std`) |
//! | SHA-1 of what others made, who may want it to collide | [`sha1dc`] |
//!
//! What a call is given first says how to hash: an [`Algorithm`], or an [`Engine`] where you choose
//! kernels ([`Policy`]) or threads (feature `rayon`). Hashing itself cannot fail; what can is a
//! `Result` where it is made: an engine, [`Offsets`], what is read.
//!
//! The folder `examples` has five small programs: `tree` hashes all files below a folder, `merkle`
//! gives the root of RFC 6962, `hmac` checks a tag, `manifest` verifies what `sha256sum` writes, and
//! `password` keeps a password and checks it.
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
mod peers;
mod run;
#[cfg(feature = "digest")]
pub mod rustcrypto;
pub mod sha1dc;
#[cfg(feature = "std")]
pub mod tree;
mod typed;
pub mod unstable;
mod wipe;
mod words;

pub use self::digest::{Digest, ParseDigestError};
pub use choose::{AsEngine, Engine, Policy, PolicyError};
pub use kernel::{Kernel, Tier};
pub use keyed::{
    Hkdf, HkdfError, Hmac, HmacKey, Keys, Pbkdf2Error, VerifyError, hkdf_extract, hkdf_many,
    mac_many, pbkdf2, pbkdf2_many, verify_many,
};
pub use lanes::{Done, Lanes};
pub use lanesum_spec::{Algorithm, Family, ParseAlgorithmError};
pub use messages::{BatchError, Message, Messages, Offset, Offsets, Strided};
pub use outputs::{Bytes, Hex, Outputs, Truncated};
pub use run::{Exported, HashIter, Hasher, ImportError, hash, hash_iter, hash_many};
pub use typed::{functions::*, types::*};
