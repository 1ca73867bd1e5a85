//! The two widths of words, and what differs between them.

use lanesum_spec::{Algorithm, Compression, Expanded, Family, Int, each_family};

/// `$then`, compiled for each width of words, where `$Int` is `u32` or `u64`: that of `$family`
/// runs.
macro_rules! by_width {
    ($family:expr, $Int:ident => $then:expr) => {
        match $family.word_bits() {
            32 => {
                type $Int = u32;
                $then
            }
            _ => {
                type $Int = u64;
                $then
            }
        }
    };
}
pub(crate) use by_width;

/// Words of one width.
pub(crate) trait Width: Int {
    /// An algorithm's initial chaining value.
    fn iv(algorithm: Algorithm) -> [Self; 8];

    /// A block of a family of these words, expanded.
    fn expand(family: Family, block: &[u8]) -> Expanded<Self>;
}

impl Width for u32 {
    #[inline]
    fn iv(algorithm: Algorithm) -> [Self; 8] {
        algorithm.iv32()
    }

    fn expand(family: Family, block: &[u8]) -> Expanded<Self> {
        expand32(family, block)
    }
}

impl Width for u64 {
    #[inline]
    fn iv(algorithm: Algorithm) -> [Self; 8] {
        algorithm.iv()
    }

    fn expand(family: Family, block: &[u8]) -> Expanded<Self> {
        expand64(family, block)
    }
}

/// The length of a block of sixteen words, in bytes.
pub(crate) const fn block_len<I: Int>() -> usize {
    16 * I::BYTES
}

/// A block, expanded.
fn expand<C: Compression<N>, const N: usize>(block: &[u8]) -> Expanded<C::Int> {
    C::expand(core::array::from_fn(|t| {
        super::read(C::BIG_ENDIAN, &block[t * C::Int::BYTES..][..C::Int::BYTES])
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
