//! The widths of words, and what differs between them.

use lanesum_spec::{Algorithm, Compression, Expanded, Family, Int, each_family};

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

/// A block, expanded.
fn expand<C: Compression<N>, const N: usize>(block: &[u8]) -> Expanded<C::Int> {
    C::expand(core::array::from_fn(|t| {
        let word = C::Int::from_be_bytes(&block[t * C::Int::BYTES..][..C::Int::BYTES]);
        if C::BIG_ENDIAN { word } else { word.swap_bytes() }
    }))
}

macro_rules! expansions {
    (W32 $families32:tt W64 $families64:tt) => {
        expansions!(@ expand32 u32 $families32);
        expansions!(@ expand64 u64 $families64);
    };
    (@ $expand:ident $int:ident { $($name:ident: $module:ident::$family:ident,)* }) => {
        fn $expand(family: Family, block: &[u8]) -> Expanded<$int> {
            match family {
                $(Family::$family => expand::<lanesum_spec::$module::$family, _>(block),)*
                _ => unreachable!("its words are not of this width"),
            }
        }
    };
}
each_family!(expansions);

impl Select for u32 {
    fn select(functions: &Functions) -> Option<&FunctionsOf<Self>> {
        if let Functions::W32(functions) = functions { Some(functions) } else { None }
    }

    fn expand(family: Family, block: &[u8]) -> Expanded<Self> {
        expand32(family, block)
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

    fn expand(family: Family, block: &[u8]) -> Expanded<Self> {
        expand64(family, block)
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
