//! The word algebra, and its simplest interpretation: numbers.

use core::ops::{Add, BitAnd, BitXor, Not, Sub};

/// A machine integer for the constants of a word algebra: `u32` or `u64`.
pub trait Int: Copy + Eq + core::fmt::Debug + core::fmt::LowerHex + Send + Sync + 'static {
    /// The width of a word, in bits.
    const BITS: u32;
    /// The width of a word, in bytes.
    const BYTES: usize = Self::BITS as usize / 8;
    /// Zero.
    const ZERO: Self;
    /// The reference word of this integer: [`W32`] or [`W64`].
    type Number: crate::Hints<Int = Self> + From<Self> + Into<Self>;
    /// Returns the low [`BITS`](Self::BITS) bits of `word`.
    fn truncate(word: u64) -> Self;
    /// Widens the word to 64 bits.
    fn widen(self) -> u64;
    /// Decodes the word whose most significant byte is `bytes[0]`, FIPS 180-4 §3.1. Panics unless
    /// `bytes` is [`BYTES`](Self::BYTES) long.
    fn from_be_bytes(bytes: &[u8]) -> Self;
    /// Reverses the bytes of the word.
    fn swap_bytes(self) -> Self;
}

/// A word in some interpretation of FIPS 180-4: a number, a vector of lanes,
/// or a wire in a dataflow graph.
///
/// The operators follow FIPS 180-4 §2.2.2 and §3.2; `+` is addition modulo 2^w, where w is
/// the width of [`Int`](Word::Int) in bits. Adding an `Int` adds a constant, so an interpretation
/// can distinguish `K[t]` from data.
///
/// A word can only be made from another word: a vector word is proof that the CPU supports its
/// instructions.
pub trait Word:
    Copy
    + Add<Output = Self>
    + Add<Self::Int, Output = Self>
    + Sub<Output = Self>
    + BitAnd<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    /// The constants of this algebra: `u32` or `u64`.
    type Int: Int;

    /// ROTR^n(x), FIPS 180-4 §3.2. `n` is a literal at every call site.
    fn rotr(self, n: u32) -> Self;

    /// SHR^n(x), FIPS 180-4 §3.2. `n` is a literal at every call site.
    fn shr(self, n: u32) -> Self;

    /// ROTL^n(x), FIPS 180-4 §3.2.
    #[inline(always)]
    fn rotl(self, n: u32) -> Self {
        self.rotr(Self::Int::BITS - n)
    }

    /// Ch(x, y, z), FIPS 180-4 §4.1.2. Override if a single instruction computes it.
    #[inline(always)]
    fn ch(x: Self, y: Self, z: Self) -> Self {
        ((y ^ z) & x) ^ z
    }

    /// Maj(x, y, z), FIPS 180-4 §4.1.2. Override if a single instruction computes it.
    #[inline(always)]
    fn maj(x: Self, y: Self, z: Self) -> Self {
        ((x ^ y) & (y ^ z)) ^ y
    }

    /// x ⊕ y ⊕ z: Parity of FIPS 180-4 §4.1.1, and the sum in every Σ and σ. Only x may be on the
    /// critical path.
    #[inline(always)]
    fn xor3(x: Self, y: Self, z: Self) -> Self {
        x ^ (y ^ z)
    }

    /// Returns zero, derived from a word because words cannot be made from integers.
    #[inline(always)]
    #[allow(clippy::eq_op, reason = "zero is what is wanted")]
    fn zero(self) -> Self {
        self ^ self
    }
}

macro_rules! reference_word {
    ($(#[$doc:meta])* $word:ident($int:ident)) => {
        impl Int for $int {
            const BITS: u32 = $int::BITS;
            const ZERO: Self = 0;
            type Number = $word;

            #[inline(always)]
            fn truncate(word: u64) -> Self {
                word as $int
            }

            #[inline(always)]
            fn widen(self) -> u64 {
                u64::from(self)
            }

            #[inline(always)]
            fn from_be_bytes(bytes: &[u8]) -> Self {
                $int::from_be_bytes(bytes.try_into().expect("a word's bytes"))
            }

            #[inline(always)]
            fn swap_bytes(self) -> Self {
                self.swap_bytes()
            }
        }

        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $word(pub $int);

        impl From<$int> for $word {
            #[inline(always)]
            fn from(int: $int) -> Self {
                Self(int)
            }
        }

        impl From<$word> for $int {
            #[inline(always)]
            fn from(word: $word) -> Self {
                word.0
            }
        }

        impl Add for $word {
            type Output = Self;
            #[inline(always)]
            fn add(self, rhs: Self) -> Self {
                Self(self.0.wrapping_add(rhs.0))
            }
        }

        impl Add<$int> for $word {
            type Output = Self;
            #[inline(always)]
            fn add(self, rhs: $int) -> Self {
                Self(self.0.wrapping_add(rhs))
            }
        }

        impl Sub for $word {
            type Output = Self;
            #[inline(always)]
            fn sub(self, rhs: Self) -> Self {
                Self(self.0.wrapping_sub(rhs.0))
            }
        }

        impl BitAnd for $word {
            type Output = Self;
            #[inline(always)]
            fn bitand(self, rhs: Self) -> Self {
                Self(self.0 & rhs.0)
            }
        }

        impl BitXor for $word {
            type Output = Self;
            #[inline(always)]
            fn bitxor(self, rhs: Self) -> Self {
                Self(self.0 ^ rhs.0)
            }
        }

        impl Not for $word {
            type Output = Self;
            #[inline(always)]
            fn not(self) -> Self {
                Self(!self.0)
            }
        }

        impl crate::Hints for $word {}

        impl Word for $word {
            type Int = $int;

            #[inline(always)]
            fn rotr(self, n: u32) -> Self {
                Self(self.0.rotate_right(n))
            }

            #[inline(always)]
            fn shr(self, n: u32) -> Self {
                Self(self.0 >> n)
            }
        }
    };
}

reference_word! {
    /// A 32-bit word as a number: the reference interpretation.
    W32(u32)
}
reference_word! {
    /// A 64-bit word as a number: the reference interpretation.
    W64(u64)
}
