//! The table of algorithms: the source of names, numbers and lengths for the command, the manifests
//! and the libraries.

use core::fmt;
use core::str::FromStr;

use crate::{Family, md5, reference, ripemd160, sha1, sha2, sm3};

/// The initial chaining value of an algorithm.
#[derive(Debug)]
enum Iv {
    /// The words of the state, padded with zeros.
    Words32([u32; 8]),
    Words64([u64; 8]),
    /// The IV of SHA-512/t, generated on demand (FIPS 180-4 §5.3.6).
    Generated,
}

/// Pads the words of a state with zeros.
const fn padded(words: &[u32]) -> [u32; 8] {
    let mut padded = [0; 8];
    let mut i = 0;
    while i < words.len() {
        padded[i] = words[i];
        i += 1;
    }
    padded
}

/// A row of the table.
#[derive(Debug)]
struct Entry {
    name: &'static str,
    title: &'static str,
    tag: &'static str,
    aliases: &'static [&'static str],
    oid: Option<&'static str>,
    family: Family,
    iv: Iv,
    digest_bits: u16,
    broken: bool,
}

macro_rules! algorithms {
    (sha512_t { $($t:literal)* } $(
        $constant:ident $type:ident $function:ident: $name:literal, $title:literal, $tag:literal,
        $aliases:expr,
        $($oid:literal,)? $family:ident, $iv:expr, $bits:literal $(, $broken:ident)?;
    )*) => {
        /// The named algorithms, then SHA-512/t for every other t in whole bytes.
        static TABLE: [Entry; [$($name,)* $(stringify!($t)),*].len()] = [
            $(Entry {
                name: $name,
                title: $title,
                tag: $tag,
                aliases: &$aliases,
                oid: [$(Some($oid),)? None][0],
                family: Family::$family,
                iv: $iv,
                digest_bits: $bits,
                broken: false $(|| stringify!($broken).len() > 0)?,
            },)*
            $(Entry {
                name: concat!("sha512/", $t),
                title: concat!("SHA-512/", $t),
                tag: concat!("SHA512t", $t),
                aliases: &[concat!("sha512-", $t), concat!("sha2-512/", $t)],
                oid: None,
                family: Family::Sha512,
                iv: Iv::Generated,
                digest_bits: $t,
                broken: false,
            },)*
        ];

        /// Number of rows with an algorithm that has a constant.
        const NAMED: u8 = [$($name),*].len() as u8;

        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Index { $($constant),* }

        impl Algorithm {
            $(
                #[doc = concat!($title, ": digests of ", $bits, " bits.")]
                pub const $constant: Self = Self(Index::$constant as u8);
            )*
        }
    };
}

/// The table of named algorithms: calls the macro `$callback` with the remaining arguments followed
/// by the rows. A row is: constant, type, function, name, title, tag in a BSD line, aliases, OID
/// if it has one, family, IV, digest in bits, and whether it is broken.
#[doc(hidden)]
#[macro_export]
macro_rules! each_algorithm {
    ($($callback:ident)::+ $(, $($given:tt)*)?) => {
        $($callback)::+! { $($($given)*)?
            SHA1 Sha1 sha1: "sha1", "SHA-1", "SHA1", ["sha-1", "ssl3-sha1"], "1.3.14.3.2.26",
                Sha1, Iv::Words32(padded(&sha1::IV)), 160;
            SHA224 Sha224 sha224: "sha224", "SHA-224", "SHA224", ["sha-224", "sha2-224"], "2.16.840.1.101.3.4.2.4",
                Sha256, Iv::Words32(padded(&sha2::IV224)), 224;
            SHA256 Sha256 sha256: "sha256", "SHA-256", "SHA256", ["sha-256", "sha2-256"], "2.16.840.1.101.3.4.2.1",
                Sha256, Iv::Words32(padded(&sha2::IV256)), 256;
            SHA384 Sha384 sha384: "sha384", "SHA-384", "SHA384", ["sha-384", "sha2-384"], "2.16.840.1.101.3.4.2.2",
                Sha512, Iv::Words64(sha2::IV384), 384;
            SHA512 Sha512 sha512: "sha512", "SHA-512", "SHA512", ["sha-512", "sha2-512"], "2.16.840.1.101.3.4.2.3",
                Sha512, Iv::Words64(sha2::IV512), 512;
            SHA512_224 Sha512_224 sha512_224: "sha512/224", "SHA-512/224", "SHA512t224",
                ["sha512-224", "sha-512/224", "sha2-512/224", "sha512/224", "sha512_224"],
                "2.16.840.1.101.3.4.2.5", Sha512, Iv::Words64(sha2::IV512_224), 224;
            SHA512_256 Sha512_256 sha512_256: "sha512/256", "SHA-512/256", "SHA512t256",
                ["sha512-256", "sha-512/256", "sha2-512/256", "sha512/256", "sha512_256"],
                "2.16.840.1.101.3.4.2.6", Sha512, Iv::Words64(sha2::IV512_256), 256;
            MD5 Md5 md5: "md5", "MD5", "MD5", ["ssl3-md5"], "1.2.840.113549.2.5",
                Md5, Iv::Words32(padded(&md5::IV)), 128, broken;
            RIPEMD160 Ripemd160 ripemd160: "ripemd160", "RIPEMD-160", "RMD160", ["ripemd-160", "ripemd", "rmd160"],
                "1.3.36.3.2.1", Ripemd160, Iv::Words32(padded(&ripemd160::IV)), 160, broken;
            SM3 Sm3 sm3: "sm3", "SM3", "SM3", [], "1.2.156.10197.1.401", Sm3, Iv::Words32(sm3::IV), 256;
        }
    };
}
each_algorithm!(algorithms, sha512_t {
        8 16 24 32 40 48 56 64 72 80 88 96 104 112 120 128 136 144 152 160 168 176 184 192 200 208
        216 232 240 248 264 272 280 288 296 304 312 320 328 336 344 352 360 368 376 392 400 408
        416 424 432 440 448 456 464 472 480 488 496 504
});

/// A hash algorithm: a compression function, an IV and a digest length.
///
/// In addition to the named constants, SHA-512/t is available by name for every t in whole bytes:
/// `Algorithm::from_name("sha512/192")`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Algorithm(u8);

impl Algorithm {
    /// The number of named algorithms.
    pub const COUNT: usize = NAMED as usize;

    /// Returns the named algorithms, SHA first.
    pub fn all() -> impl ExactSizeIterator<Item = Self> + DoubleEndedIterator {
        (0..NAMED).map(Self)
    }

    /// Returns the algorithm whose digest is the whole chaining value of `family`.
    ///
    /// # Panics
    ///
    /// If the table lacks it.
    pub(crate) const fn whole(family: Family) -> Self {
        let bits = family.word_bits() as usize * family.state_words();
        let mut i = 0;
        while i < NAMED {
            let entry = &TABLE[i as usize];
            if entry.family as u8 == family as u8 && entry.digest_bits as usize == bits {
                return Self(i);
            }
            i += 1;
        }
        panic!("a family without a line in the table of algorithms")
    }

    /// Returns the algorithm with this name, tag or alias, ignoring case.
    pub fn from_name(name: &str) -> Option<Self> {
        let position = TABLE.iter().position(|entry| {
            [entry.name, entry.tag, entry.title]
                .iter()
                .chain(entry.aliases)
                .any(|known| known.eq_ignore_ascii_case(name))
        })?;
        Some(Self(position as u8))
    }

    #[inline]
    const fn entry(self) -> &'static Entry {
        &TABLE[self.0 as usize]
    }

    /// Returns the name for command lines: `sha512/256`.
    pub const fn name(self) -> &'static str {
        self.entry().name
    }

    /// Returns the name as printed in FIPS 180-4: `SHA-512/256`.
    pub const fn title(self) -> &'static str {
        self.entry().title
    }

    /// Returns the name in a BSD checksum line: `SHA256 (file) = …`.
    pub const fn tag(self) -> &'static str {
        self.entry().tag
    }

    /// Returns other names, in lower case.
    pub const fn aliases(self) -> &'static [&'static str] {
        self.entry().aliases
    }

    /// Returns the object identifier, in dotted decimal, if one is assigned.
    pub const fn oid(self) -> Option<&'static str> {
        self.entry().oid
    }

    /// Returns the compression function.
    #[inline]
    pub const fn family(self) -> Family {
        self.entry().family
    }

    /// Returns the block length, in bytes: 64 or 128.
    #[inline]
    pub const fn block_len(self) -> usize {
        self.family().block_len()
    }

    /// Returns the digest length, in bytes.
    #[inline]
    pub const fn digest_len(self) -> usize {
        self.entry().digest_bits as usize / 8
    }

    /// Whether the algorithm is supported only for compatibility. New designs should not use it.
    pub const fn is_compatibility_only(self) -> bool {
        self.entry().broken
    }

    /// Returns the initial chaining value, FIPS 180-4 §5.3: the first
    /// [`state_words`](Family::state_words) words, each in the low bits.
    pub fn iv(self) -> [u64; 8] {
        match self.entry().iv {
            Iv::Words32(words) => words.map(u64::from),
            Iv::Words64(words) => words,
            Iv::Generated => reference::sha512_t_iv(self.entry().digest_bits.into()),
        }
    }

    /// Returns the initial chaining value as 32-bit words, or `None` if the family has 64-bit words.
    #[inline]
    pub fn iv32(self) -> Option<&'static [u32; 8]> {
        if let Iv::Words32(words) = &self.entry().iv { Some(words) } else { None }
    }

    /// Returns the initial chaining value as 64-bit words, or `None` if the family has 32-bit words, or if it is
    /// computed (SHA-512/t).
    #[inline]
    pub fn iv64(self) -> Option<&'static [u64; 8]> {
        if let Iv::Words64(words) = &self.entry().iv { Some(words) } else { None }
    }
}

impl fmt::Debug for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title())
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The name of an algorithm is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseAlgorithmError;

impl fmt::Display for ParseAlgorithmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown algorithm; supported: ")?;
        for algorithm in Algorithm::all() {
            write!(f, "{algorithm}, ")?;
        }
        f.write_str("and sha512/t for multiples of 8")
    }
}

impl core::error::Error for ParseAlgorithmError {}

impl FromStr for Algorithm {
    type Err = ParseAlgorithmError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::from_name(name).ok_or(ParseAlgorithmError)
    }
}
