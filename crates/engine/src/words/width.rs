//! The two word widths, and the differences between them.

use lanesum_spec::{Algorithm, Compression, Expanded, Family, Int, MAX_BLOCK, each_family, pad};

#[cfg(feature = "std")]
use crate::base::FirstUse;

/// Compiles `$then` for each word width, with `$Int` set to `u32` or `u64`, and runs the one of
/// `$family`.
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
    /// Returns an algorithm's initial chaining value.
    fn iv(algorithm: Algorithm) -> [Self; 8];

    /// Expands a block of a family with words of this width.
    fn expand(family: Family, block: &[u8]) -> Expanded<Self>;

    /// Returns the expanded second block of a message of exactly one block, which is only padding. It is
    /// computed once per process; returns `None` while another thread stores it.
    fn after_one(family: Family) -> Option<&'static Expanded<Self>>;
}

/// A cached value for each family.
#[cfg(feature = "std")]
type OfFamilies<I> = [FirstUse<Expanded<I>>; Family::ALL.len()];

/// [`Width::after_one`], with its cache.
#[cfg(feature = "std")]
#[inline]
fn after_one<I: Width>(
    family: Family,
    kept: &'static OfFamilies<I>,
) -> Option<&'static Expanded<I>> {
    #[cold]
    #[inline(never)]
    fn find<I: Width>(family: Family, to: &'static FirstUse<Expanded<I>>) {
        to.get_or(|| expand_end(family, 0, family.block_len() as u64));
    }

    let kept = &kept[family as usize];
    if kept.get().is_none() {
        find(family, kept);
    }
    kept.get()
}

impl Width for u32 {
    #[inline]
    fn iv(algorithm: Algorithm) -> [Self; 8] {
        algorithm.iv32()
    }

    fn expand(family: Family, block: &[u8]) -> Expanded<Self> {
        expand32(family, block)
    }

    #[inline]
    fn after_one(_family: Family) -> Option<&'static Expanded<Self>> {
        #[cfg(feature = "std")]
        {
            static KEPT: OfFamilies<u32> = [const { FirstUse::new() }; _];
            after_one(_family, &KEPT)
        }
        #[cfg(not(feature = "std"))]
        None
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

    #[inline]
    fn after_one(_family: Family) -> Option<&'static Expanded<Self>> {
        #[cfg(feature = "std")]
        {
            static KEPT: OfFamilies<u64> = [const { FirstUse::new() }; _];
            after_one(_family, &KEPT)
        }
        #[cfg(not(feature = "std"))]
        None
    }
}

/// Expands the last block of a message of `len` bytes, if that block is only padding. `rest` is the number of
/// bytes after the whole blocks; none of them may be in the last block.
pub(crate) fn expand_end<I: Width>(family: Family, rest: usize, len: u64) -> Expanded<I> {
    // The message's bytes can stay zeros, because none of them is in the last block.
    let mut tail = [0; 2 * MAX_BLOCK];
    let padded = pad(family, &mut tail, rest, len);
    I::expand(family, &tail[padded - family.block_len()..padded])
}

/// Returns the length of a block of sixteen words, in bytes.
pub(crate) const fn block_len<I: Int>() -> usize {
    16 * I::BYTES
}

/// Expands a block.
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
