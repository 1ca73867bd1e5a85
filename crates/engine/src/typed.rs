//! One function and one type for each named algorithm, for programs that know the algorithm at
//! compile time. Digests are arrays of constant length.

use lanesum_spec::each_algorithm;

macro_rules! typed {
    ($(
        $algorithm:ident $hash:ident $function:ident: $name:literal, $title:literal, $tag:literal,
        $aliases:expr, $($oid:literal,)? $family:ident, $iv:expr, $bits:literal $(, $broken:ident)?;
    )*) => {
        /// A function for each algorithm.
        pub(crate) mod functions {
            use super::types::*;
            use crate::choose::Selected;
            use crate::run::of_bytes;

            $(
                #[doc = concat!("The ", stringify!($hash), " digest of `message`: see [`", stringify!($hash), "`].")]
                ///
                /// ```
                #[doc = concat!("let digest = lanesum::", stringify!($function), "(b\"abc\");")]
                #[doc = concat!("assert_eq!(digest, lanesum::", stringify!($hash), "::digest(\"abc\"));")]
                /// ```
                #[inline]
                pub fn $function(message: impl AsRef<[u8]>) -> [u8; $hash::DIGEST_LEN] {
                    of_bytes(Selected::automatic($hash::ALGORITHM), message.as_ref()).first()
                }
            )*
        }

        /// A type for each algorithm.
        pub(crate) mod types {
            use super::functions::*;
            use crate::{Algorithm, Hasher};

            $(
                #[doc = concat!("[`Algorithm::", stringify!($algorithm), "`] as a type: hashes one message, whose bytes come in any pieces.")]
                ///
                /// ```
                #[doc = concat!("use lanesum::{", stringify!($function), ", ", stringify!($hash), "};")]
                ///
                #[doc = concat!("let mut hasher = ", stringify!($hash), "::new();")]
                /// hasher.update("fir").update("st");
                #[doc = concat!("assert_eq!(hasher.finish(), ", stringify!($function), "(\"first\"));")]
                /// ```
                ///
                /// With the feature `digest` it has the traits of RustCrypto's `digest` crate.
                #[derive(Clone, Debug)]
                pub struct $hash(pub(crate) Hasher);

                impl $hash {
                    /// The algorithm.
                    pub const ALGORITHM: Algorithm = Algorithm::$algorithm;
                    /// The length of a digest, in bytes.
                    pub const DIGEST_LEN: usize = Self::ALGORITHM.digest_len();
                    /// The length of a block, in bytes.
                    pub const BLOCK_LEN: usize = Self::ALGORITHM.block_len();

                    /// Returns the digest of `message`.
                    #[inline]
                    pub fn digest(message: impl AsRef<[u8]>) -> [u8; Self::DIGEST_LEN] {
                        $function(message)
                    }

                    /// Begins an empty message.
                    pub fn new() -> Self {
                        Self(Hasher::new(Self::ALGORITHM))
                    }

                    /// Appends `data` to the message.
                    pub fn update(&mut self, data: impl AsRef<[u8]>) -> &mut Self {
                        self.0.add(data.as_ref());
                        self
                    }

                    /// Returns the digest of the message so far. More data may be appended.
                    pub fn finish(&self) -> [u8; Self::DIGEST_LEN] {
                        self.0.finish().first()
                    }

                    /// Begins another message.
                    pub fn reset(&mut self) -> &mut Self {
                        self.0.reset();
                        self
                    }
                }

                impl Default for $hash {
                    fn default() -> Self {
                        Self::new()
                    }
                }

                /// Converts to a [`Hasher`], whose algorithm is known at run time, and which also reads, exports
                /// its state, and begins batches.
                impl From<$hash> for Hasher {
                    fn from(hash: $hash) -> Self {
                        hash.0
                    }
                }

                /// Fails and returns the hasher if it has another algorithm.
                impl TryFrom<Hasher> for $hash {
                    type Error = Hasher;

                    fn try_from(hasher: Hasher) -> Result<Self, Hasher> {
                        if hasher.algorithm() == Self::ALGORITHM { Ok(Self(hasher)) } else { Err(hasher) }
                    }
                }

                #[cfg(feature = "std")]
                impl std::io::Write for $hash {
                    fn write(&mut self, data: &[u8]) -> std::io::Result<usize> {
                        std::io::Write::write(&mut self.0, data)
                    }

                    fn flush(&mut self) -> std::io::Result<()> {
                        Ok(())
                    }
                }
            )*
        }
    };
}
each_algorithm!(typed);
