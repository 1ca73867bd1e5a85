//! FIPS 180-4, written once, as functions generic over a small word algebra.
//!
//! All other parts of Lanesum interpret these functions: as numbers ([`W32`], [`W64`]), as SIMD
//! lanes, as a dataflow graph, or as hardware.
//!
//! ```
//! use lanesum_spec::{Algorithm, digest};
//!
//! let sha256 = Algorithm::from_name("sha256").unwrap();
//! assert_eq!(digest(sha256, b"abc")[..4], [0xba, 0x78, 0x16, 0xbf]);
//! ```
//!
//! This crate is public so that other projects can interpret the specification too, but its API is
//! not yet stable.
#![no_std]
#![forbid(unsafe_code)]

mod algorithm;
mod compression;
mod family;
mod hints;
mod pad;
mod reference;
mod word;

pub mod md5;
pub mod ripemd160;
pub mod sha1;
pub mod sha1dc;
pub mod sha2;
pub mod sm3;

pub use algorithm::{Algorithm, ParseAlgorithmError};
pub use compression::{Compression, Expanded, MAX_EXPANDED};
pub use family::{Family, compress};
pub use hints::Hints;
pub use pad::{MAX_BLOCK, pad};
pub use reference::{DigestBytes, digest, sha512_t_iv};
pub use word::{Int, W32, W64, Word};
