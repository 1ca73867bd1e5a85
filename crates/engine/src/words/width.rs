//! The two word widths, and the differences between them.

use lanesum_spec::{Algorithm, Compression, Expanded, Family, Int, MAX_BLOCK, each_family, pad};

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

    /// Returns a reference to the same words, or `None` for SHA-512/t, whose words are computed. A copy that is loaded
    /// in wider pieces than it was stored would defeat store-to-load forwarding.
    fn stored_iv(algorithm: Algorithm) -> Option<&'static [Self; 8]>;

    /// Expands a block of a family with words of this width.
    fn expand(family: Family, block: &[u8]) -> Expanded<Self>;

    /// Returns an expanded block whose words have this width.
    ///
    /// # Panics
    ///
    /// If they have another.
    #[cfg(feature = "std")]
    fn expanded(any: &AnyExpanded) -> &Expanded<Self>;
}

/// An expanded block, in words of its family's width.
#[cfg(feature = "std")]
#[expect(clippy::large_enum_variant, reason = "there is one of each family")]
pub(crate) enum AnyExpanded {
    W32(Expanded<u32>),
    W64(Expanded<u64>),
}

#[cfg(feature = "std")]
impl AnyExpanded {
    /// Expands the last block of a message; see [`expand_end`].
    pub(crate) fn new(family: Family, rest: usize, len: u64) -> Self {
        match family.word_bits() {
            32 => Self::W32(expand_end(family, rest, len)),
            _ => Self::W64(expand_end(family, rest, len)),
        }
    }
}

impl Width for u32 {
    #[inline]
    fn iv(algorithm: Algorithm) -> [Self; 8] {
        *Self::stored_iv(algorithm).expect("an algorithm with 32-bit words")
    }

    #[inline]
    fn stored_iv(algorithm: Algorithm) -> Option<&'static [Self; 8]> {
        algorithm.iv32()
    }

    fn expand(family: Family, block: &[u8]) -> Expanded<Self> {
        expand32(family, block)
    }

    #[cfg(feature = "std")]
    #[inline]
    fn expanded(any: &AnyExpanded) -> &Expanded<Self> {
        match any {
            AnyExpanded::W32(words) => words,
            AnyExpanded::W64(_) => unreachable!("its words are of another width"),
        }
    }
}

impl Width for u64 {
    #[inline]
    fn iv(algorithm: Algorithm) -> [Self; 8] {
        Self::stored_iv(algorithm).copied().unwrap_or_else(|| algorithm.iv())
    }

    #[inline]
    fn stored_iv(algorithm: Algorithm) -> Option<&'static [Self; 8]> {
        algorithm.iv64()
    }

    fn expand(family: Family, block: &[u8]) -> Expanded<Self> {
        expand64(family, block)
    }

    #[cfg(feature = "std")]
    #[inline]
    fn expanded(any: &AnyExpanded) -> &Expanded<Self> {
        match any {
            AnyExpanded::W64(words) => words,
            AnyExpanded::W32(_) => unreachable!("its words are of another width"),
        }
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
