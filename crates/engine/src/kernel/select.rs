//! The widths of words, and what differs between them.

use lanesum_spec::md5::Md5;
use lanesum_spec::ripemd160::Ripemd160;
use lanesum_spec::sha1::Sha1;
use lanesum_spec::sha2::{Sha256, Sha512};
use lanesum_spec::{Algorithm, Compression, Expanded, Family, Int};

use super::{Functions, FunctionsOf, single};

/// Words that kernels are made for.
pub(crate) trait Select: Int {
    fn select(functions: &Functions) -> Option<&FunctionsOf<Self>>;

    /// A block of a family of these words, expanded.
    fn expand(family: Family, block: &[u8]) -> Expanded<Self>;

    /// The word's bytes in a digest, from the first of `to`.
    fn write(self, family: Family, to: &mut [u8]);

    /// An algorithm's initial chaining value.
    fn iv(algorithm: Algorithm) -> [Self; 8];

    /// Where the kernels for one message are kept once they are found.
    fn found() -> &'static single::Found<Self>;

    /// The bytes of words in a digest, from the first of `to`.
    #[inline]
    fn write_all(family: Family, words: impl Iterator<Item = Self>, to: &mut [u8; 64]) {
        for (word, to) in words.zip(to.chunks_exact_mut(Self::BYTES)) {
            word.write(family, to);
        }
    }
}

/// The words of a block.
fn words<C: Compression<N>, const N: usize>(block: &[u8]) -> [C::Int; 16] {
    core::array::from_fn(|t| {
        let word = C::Int::from_be_bytes(&block[t * C::Int::BYTES..][..C::Int::BYTES]);
        if C::BIG_ENDIAN { word } else { word.swap_bytes() }
    })
}

impl Select for u32 {
    fn select(functions: &Functions) -> Option<&FunctionsOf<Self>> {
        if let Functions::W32(functions) = functions { Some(functions) } else { None }
    }

    fn expand(family: Family, block: &[u8]) -> Expanded<Self> {
        match family {
            Family::Md5 => Md5::expand(words::<Md5, 4>(block)),
            Family::Ripemd160 => Ripemd160::expand(words::<Ripemd160, 5>(block)),
            Family::Sha1 => Sha1::expand(words::<Sha1, 5>(block)),
            Family::Sha256 => Sha256::expand(words::<Sha256, 8>(block)),
            Family::Sha512 => unreachable!("its words have 64 bits"),
        }
    }

    #[inline]
    fn write(self, family: Family, to: &mut [u8]) {
        let word = if family.is_big_endian() { self.to_be_bytes() } else { self.to_le_bytes() };
        to.copy_from_slice(&word);
    }

    #[inline]
    fn iv(algorithm: Algorithm) -> [Self; 8] {
        algorithm.iv32()
    }

    fn found() -> &'static single::Found<Self> {
        &single::FOUND32
    }
}

impl Select for u64 {
    fn select(functions: &Functions) -> Option<&FunctionsOf<Self>> {
        if let Functions::W64(functions) = functions { Some(functions) } else { None }
    }

    fn expand(_: Family, block: &[u8]) -> Expanded<Self> {
        Sha512::expand(words::<Sha512, 8>(block))
    }

    #[inline]
    fn write(self, _: Family, to: &mut [u8]) {
        to.copy_from_slice(&self.to_be_bytes());
    }

    #[inline]
    fn iv(algorithm: Algorithm) -> [Self; 8] {
        algorithm.iv()
    }

    fn found() -> &'static single::Found<Self> {
        &single::FOUND64
    }
}
