//! The traits of RustCrypto's `digest` crate, version 0.11 (feature `digest`), for generic code:
//! HMAC, HKDF, PBKDF2, signatures.
//!
//! ```
//! use digest::Digest;
//! use lanesum::rustcrypto::Sha256;
//!
//! fn shown<D: Digest>(message: &[u8]) -> String {
//!     D::digest(message).iter().map(|byte| format!("{byte:02x}")).collect()
//! }
//! assert!(shown::<Sha256>(b"abc").starts_with("ba7816bf"));
//! ```
//!
//! The block-level traits are implemented too, so `hmac::Hmac<Sha256>`, `hkdf::Hkdf<Sha256>` and
//! `pbkdf2::pbkdf2_hmac::<Sha256>` work:
//!
//! ```
//! use hmac::{KeyInit, Mac};
//! use lanesum::rustcrypto::Sha256;
//!
//! let mut mac = hmac::Hmac::<Sha256>::new_from_slice(b"Jefe")?;
//! mac.update(b"what do ya want for nothing?");
//! let tag = mac.finalize().into_bytes();
//! assert_eq!(lanesum::HmacKey::new(Sha256::ALGORITHM, b"Jefe").mac(b"what do ya want for nothing?"), tag[..]);
//! # Ok::<(), hmac::digest::InvalidLength>(())
//! ```
//!
//! These traits hash one message at a time. To hash many, use [`hash_many`](crate::hash_many),
//! [`mac_many`](crate::mac_many), [`update_many`](crate::update_many) or [`Lanes`](crate::Lanes).
//! Dropping an [`HmacKey`](crate::HmacKey) overwrites its key; dropping an `hmac::Hmac` does not.

use core::fmt;

use ::digest::array::Array;
use ::digest::block_api::{
    AlgorithmName, Block, Buffer, BufferKindUser, CoreProxy, Eager, FixedOutputCore,
    SmallBlockSizeUser, UpdateCore,
};
use ::digest::common::hazmat::{DeserializeStateError, SerializableState, SerializedState};
use ::digest::common::{BlockSizeUser, OutputSizeUser, Reset};
use ::digest::typenum::U;
use ::digest::{FixedOutput, FixedOutputReset, HashMarker, Output, Update};
use lanesum_spec::{Algorithm, each_algorithm};

use crate::Hasher;
pub use crate::typed::types::*;

macro_rules! hashes {
    ($(
        $algorithm:ident $hash:ident $function:ident: $name:literal, $title:literal, $tag:literal, $aliases:expr,
        $($oid:literal,)? $family:ident, $iv:expr, $bits:literal $(, $broken:ident)?;
    )*) => {$(
        impl HashMarker for $hash {}

        impl OutputSizeUser for $hash {
            type OutputSize = U<{ Self::DIGEST_LEN }>;
        }

        impl BlockSizeUser for $hash {
            type BlockSize = U<{ Self::BLOCK_LEN }>;
        }

        impl Update for $hash {
            fn update(&mut self, data: &[u8]) {
                self.0.add(data);
            }
        }

        impl FixedOutput for $hash {
            fn finalize_into(self, out: &mut Output<Self>) {
                out.copy_from_slice(self.0.finish().as_bytes());
            }
        }

        impl FixedOutputReset for $hash {
            fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
                out.copy_from_slice(self.0.finish().as_bytes());
                self.0.reset();
            }
        }

        impl Reset for $hash {
            fn reset(&mut self) {
                self.0.reset();
            }
        }

        impl AlgorithmName for $hash {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($hash))
            }
        }

        impl CoreProxy for $hash {
            type Core = Core<Self>;

            fn compose(core: Core<Self>, buffer: Buffer<Core<Self>>) -> Self {
                let Core(mut hash) = core;
                hash.0.add(buffer.get_data());
                hash
            }

            fn decompose(mut self) -> (Core<Self>, Buffer<Core<Self>>) {
                let buffer = Buffer::<Core<Self>>::new(self.0.tail());
                self.0.drop_tail();
                (Core(self), buffer)
            }
        }

        $(
            #[cfg(feature = "oid")]
            impl ::digest::const_oid::AssociatedOid for $hash {
                const OID: ::digest::const_oid::ObjectIdentifier =
                    ::digest::const_oid::ObjectIdentifier::new_unwrap($oid);
            }
        )?

        /// The bytes of [`Hasher::export`], preceded by their length in one byte and padded with zeros.
        impl SerializableState for $hash {
            // An exported state is at most two blocks long.
            type SerializedStateSize = U<{ 2 * Self::BLOCK_LEN }>;

            fn serialize(&self) -> SerializedState<Self> {
                let mut serialized = SerializedState::<Self>::default();
                write_state(&self.0, &mut serialized);
                serialized
            }

            fn deserialize(serialized: &SerializedState<Self>) -> Result<Self, DeserializeStateError> {
                read_state(Self::ALGORITHM, serialized).map(Self).ok_or(DeserializeStateError)
            }
        }
    )*};
}

each_algorithm!(hashes);

/// The block-level half of the hash `H`. Its message so far is whole blocks, and its caller buffers the rest.
///
/// Needed only by code that is generic over RustCrypto's `EagerHash`.
#[derive(Clone, Debug, Default)]
pub struct Core<H>(H);

impl<H: HashMarker> HashMarker for Core<H> {}

impl<H: AlgorithmName> AlgorithmName for Core<H> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        H::write_alg_name(f)
    }
}

impl<H: OutputSizeUser> OutputSizeUser for Core<H> {
    type OutputSize = H::OutputSize;
}

impl<H: BlockSizeUser> BlockSizeUser for Core<H> {
    type BlockSize = H::BlockSize;
}

impl<H: SmallBlockSizeUser> BufferKindUser for Core<H> {
    type BufferKind = Eager;
}

impl<H: Reset> Reset for Core<H> {
    fn reset(&mut self) {
        self.0.reset();
    }
}

impl<H: Update + BlockSizeUser> UpdateCore for Core<H> {
    fn update_blocks(&mut self, blocks: &[Block<Self>]) {
        self.0.update(Array::slice_as_flattened(blocks));
    }
}

impl<H: Update + SmallBlockSizeUser + FixedOutputReset> FixedOutputCore for Core<H> {
    fn finalize_fixed_core(&mut self, buffer: &mut Buffer<Self>, out: &mut Output<Self>) {
        self.0.update(buffer.get_data());
        self.0.finalize_into_reset(out);
        buffer.reset();
    }
}

fn write_state(hasher: &Hasher, serialized: &mut [u8]) {
    let exported = hasher.export();
    let exported = exported.as_ref();
    serialized[0] = exported.len() as u8; // at most 4 + 1 + 10 + 8 + 64 + 127
    serialized[1..=exported.len()].copy_from_slice(exported);
}

fn read_state(algorithm: Algorithm, serialized: &[u8]) -> Option<Hasher> {
    let (&len, rest) = serialized.split_first()?;
    let (exported, padding) = rest.split_at_checked(len.into())?;
    let hasher = Hasher::import(exported).ok()?;
    let whole = padding.iter().all(|&byte| byte == 0);
    (whole && hasher.algorithm() == algorithm).then_some(hasher)
}
