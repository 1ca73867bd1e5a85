//! SHA-1, SHA-224/256, SHA-384/512 and SHA-512/t of one message or many in SIMD lanes, on the fastest kernels
//! for the CPU.
//!
//! ```
//! use lanesum::{Algorithm, Digest, hash_many, sha256};
//!
//! assert_eq!(sha256("abc")[..4], [0xba, 0x78, 0x16, 0xbf]);
//! println!("{}", Digest::from(sha256("abc"))); // in hexadecimal
//!
//! // Many messages run in SIMD lanes, one message per lane.
//! let mut digests = [[0; 32]; 3];
//! hash_many(Algorithm::SHA256, &["first", "second", "abc"], &mut digests);
//! assert_eq!(digests[2], sha256("abc"));
//! ```
//!
//! # What to call when
//!
//! | you have | you call |
//! |---|---|
//! | one message, a function that you know | [`sha256`], [`sha512`] and so on: arrays of bytes |
//! | one message, a function known at run time | [`hash`]: a [`Digest`] |
//! | a message in pieces | [`Sha256`] and so on, or [`Hasher`] |
//! | a reader | [`Hasher::update_reader`], [`std::io::copy`] to any of these |
//! | many messages in memory | [`hash_many`] |
//! | an iterator of messages | [`hash_iter`] |
//! | many messages, to hash twice (Bitcoin's double SHA-256) | [`double_hash_many`] |
//! | a digest, to hash again and again (a hash chain), or many | [`chain`], [`chain_many`] |
//! | many messages with a common prefix (a salt, a domain) | [`Hasher::finish_many`] |
//! | many files or readers, which block until bytes arrive | [`Lanes`] |
//! | pieces of many messages, as they arrive (uploads) | [`update_many`] |
//! | messages and a key | [`HmacKey::mac`], [`HmacKey::verify`], [`Hmac`] for pieces |
//! | many messages and a key, or keys | [`mac_many`], [`verify_many`] |
//! | a secret, to derive keys | [`Hkdf`], [`hkdf_many`] |
//! | a password | [`pbkdf2`], [`pbkdf2_many`] |
//! | a file or a log, for a Merkle tree | [`tree`](mod@tree) (feature `std`) |
//! | untrusted data to hash with SHA-1 | [`sha1dc`] |
//!
//! The first argument selects an [`Algorithm`], or an [`Engine`] with a choice of kernels ([`Policy`]) or threads
//! (feature `rayon`). Hashing cannot fail. Creating an engine or [`Offsets`], and reading, return a `Result`.
//!
//! Calls with invalid arguments panic, for example if the number of outputs is not the number of
//! messages, or if a key or an engine has another algorithm. The panic reports the caller's line.
//!
//! The directory `examples` has six small programs: `tree` hashes all files below a directory, `merkle`
//! computes the root of RFC 6962, `hmac` checks a tag, `manifest` verifies the output of `sha256sum`,
//! `password` stores a password and checks it, and `uploads` is a server on tokio that hashes thousands of
//! uploads at once.
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `std` (default) | readers and writers, [`tree`](mod@tree), `Policy::from_env`, a clock that times long runs; `alloc` |
//! | `alloc` | batches in `Vec`, `Box` and `Arc`, digests in a `Vec`: for programs without `std` |
//! | `rayon` | batches on several threads |
//! | `compat` | MD5, RIPEMD-160 and SM3 in SIMD lanes; without it, a batch of them is hashed one message at a time |
//! | `digest` | the traits of RustCrypto's `digest` 0.11 for [`Sha256`] and its siblings, with which `hmac::Hmac<Sha256>` and `hkdf::Hkdf<Sha256>` compile: [`rustcrypto`] |
//! | `oid` | `digest`, and RustCrypto's trait of object identifiers, for signatures |
//! | `serde` | [`Digest`] as hexadecimal in JSON and TOML, as bytes in binary formats |
//!
//! [`Algorithm`], [`Family`] and [`ParseAlgorithmError`] are defined in the crate `lanesum-spec`, a path that
//! compiler messages may show. They are re-exported and documented here.
//!
//! Without `std` the crate has the same kernels. On x86 it detects CPU features with CPUID, unless the
//! target lacks SSE2 (soft floats). On other architectures it uses the features of the compiler's target.
//!
//! # Development builds
//!
//! Compiled without optimization, as by `cargo test` and `cargo build`, a kernel with several lanes needs megabytes
//! of stack and is slower than one in assembly. Such a build has only the kernels for one message, and every call
//! needs less than 256 KiB of stack. On x86-64 the kernels of SHA-1 and SHA-2 are assembly, without the SHA
//! instructions: on an AMD Zen 4 one message of 4,000 bytes takes about 4 times as long as in a release build, and
//! one of 24 bytes about 20 times. A batch is not faster than a loop, and slower for short
//! messages. MD5, RIPEMD-160, SM3 and [`sha1dc`] have no
//! assembly and are many times slower. Copies of a key may remain on the stack after a call; a release build
//! overwrites them.
//!
//! Two lines of `Cargo.toml` give development builds the kernels of a release build. They take about as long to
//! compile, a minute or two, once; short messages remain slower, since the generic code of a call is compiled with
//! the caller:
//!
//! ```toml
//! [profile.dev.package.lanesum]
//! opt-level = 3
//! ```
//!
#![cfg_attr(feature = "digest", doc = "[`rustcrypto`]: mod@rustcrypto")]
#![cfg_attr(not(feature = "digest"), doc = "[`rustcrypto`]: #features")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(any(test, feature = "std")), no_std)]
#![deny(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;

mod base;
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
mod words;

pub use self::digest::{Digest, ParseDigestError};
pub use choose::{AsEngine, Engine, Policy, PolicyError};
pub use kernel::{Kernel, Tier};
pub use keyed::{
    Hkdf, HkdfError, Hmac, HmacKey, Keys, Pbkdf2Error, VerifyError, hkdf_extract, hkdf_many,
    mac_many, pbkdf2, pbkdf2_many, verify_many,
};
pub use lanes::{Done, Lanes};
#[doc(inline)]
pub use lanesum_spec::{Algorithm, Family, ParseAlgorithmError};
pub use messages::{BatchError, Message, Messages, Offset, Offsets, Strided};
pub use outputs::{Bytes, Hex, Outputs, Truncated};
pub use run::{
    Exported, HashIter, Hasher, ImportError, chain, chain_many, double_hash_many, hash, hash_iter,
    hash_many, update_many,
};
pub use typed::{functions::*, types::*};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
