//! The `digest` traits of the RustCrypto project, version 0.11, so that what is
//! generic over them (HMAC, HKDF, signatures) runs on this engine.
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
//! These hash one message at a time, as the traits do: for many at once use
//! [`Lanes`](crate::Lanes) or [`hash_many`](crate::hash_many).

use ::digest::common::hazmat::{DeserializeStateError, SerializableState, SerializedState};
use ::digest::common::{BlockSizeUser, OutputSizeUser, Reset};
use ::digest::typenum::U;
use ::digest::{FixedOutput, FixedOutputReset, HashMarker, Output, Update};
use lanesum_spec::{Algorithm, Family, each_algorithm};

use crate::Hasher;
pub use crate::typed::types::*;

macro_rules! hashes {
    ($(
        $algorithm:ident $hash:ident $function:ident: $name:literal, $title:literal, $tag:literal, $aliases:expr,
        $oid:literal, $family:ident, $iv:expr, $bits:literal $(, $broken:ident)?;
    )*) => {$(
        impl HashMarker for $hash {}

        #[cfg(feature = "multi")]
        impl crate::multi::Hash for $hash {
            const ALGORITHM: Algorithm = Self::ALGORITHM;
        }

        impl OutputSizeUser for $hash {
            type OutputSize = U<{ $bits / 8 }>;
        }

        impl BlockSizeUser for $hash {
            type BlockSize = U<{ Family::$family.block_len() }>;
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

        #[cfg(feature = "oid")]
        impl ::digest::const_oid::AssociatedOid for $hash {
            const OID: ::digest::const_oid::ObjectIdentifier =
                ::digest::const_oid::ObjectIdentifier::new_unwrap($oid);
        }

        /// As [`Hasher::export`] has it, after its length in a byte, with zeros
        /// to fill up.
        impl SerializableState for $hash {
            // It has at most the length of two blocks.
            type SerializedStateSize = U<{ 2 * Family::$family.block_len() }>;

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
