//! The portable kernel: integer operations only, one message at a time.

use core::ops::{Add, BitAnd, BitXor, Not, Sub};

use lanesum_spec::{Hints, Int, W32, W64, Word};

use super::vector::Vector;
use super::vector::kernel::lane_kernel;

macro_rules! scalar_vector {
    ($word:ident($int:ident)) => {
        impl Vector for $word {
            const LANES: usize = 1;

            #[inline(always)]
            unsafe fn load(words: &[$int]) -> Self {
                // SAFETY: the caller guarantees one word.
                Self(unsafe { *words.get_unchecked(0) })
            }

            #[inline(always)]
            unsafe fn store(self, words: &mut [$int]) {
                // SAFETY: the caller guarantees one word.
                unsafe { *words.get_unchecked_mut(0) = self.0 };
            }

            #[inline(always)]
            unsafe fn load_block(data: &[&[u8]], offset: usize, big_endian: bool) -> [Self; 16] {
                let block = &data[0][offset..offset + 16 * $int::BYTES];
                let (words, _) = block.as_chunks::<{ $int::BYTES }>();
                let mut w = [Self(0); 16];
                for (w, bytes) in w.iter_mut().zip(words) {
                    let word = $int::from_ne_bytes(*bytes);
                    w.0 = if big_endian { word.to_be() } else { word.to_le() };
                }
                w
            }
        }
    };
}
scalar_vector!(W32(u32));
scalar_vector!(W64(u64));

/// A 32-bit word whose sums are evaluated in the order written.
///
/// Compilers may reassociate sums, and one message of MD5 is bound by their latency: the operand
/// that is available last must be added last. Other targets, and Miri, which does not support
/// inline assembly, use the compiler's order.
#[derive(Clone, Copy)]
pub(super) struct Ordered(W32);

macro_rules! as_numbers {
    ($($trait:ident<$rhs:ty> $method:ident: |$word:ident| $number:expr),* $(,)?) => {$(
        impl $trait<$rhs> for Ordered {
            type Output = Self;
            #[inline(always)]
            fn $method(self, $word: $rhs) -> Self {
                Self(self.0.$method($number))
            }
        }
    )*};
}
as_numbers!(
    Add<Self> add: |rhs| rhs.0,
    Add<u32> add: |rhs| rhs,
    Sub<Self> sub: |rhs| rhs.0,
    BitAnd<Self> bitand: |rhs| rhs.0,
    BitXor<Self> bitxor: |rhs| rhs.0,
);

impl Not for Ordered {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl Word for Ordered {
    type Int = u32;

    #[inline(always)]
    fn rotr(self, n: u32) -> Self {
        Self(self.0.rotr(n))
    }

    #[inline(always)]
    fn shr(self, n: u32) -> Self {
        Self(self.0.shr(n))
    }
}

impl Hints for Ordered {
    #[inline(always)]
    fn plus_ch(self, x: Self, y: Self, z: Self) -> Self {
        (self + (!x & z)).pin() + (x & y)
    }

    #[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
    #[inline(always)]
    fn pin(self) -> Self {
        let mut word = u64::from(self.0.0);
        // SAFETY: the assembly is empty.
        unsafe {
            core::arch::asm!("/* {0} */", inout(reg) word,
                options(pure, nomem, nostack, preserves_flags));
        }
        Self(W32(word as u32))
    }
}

impl Vector for Ordered {
    const LANES: usize = 1;

    #[inline(always)]
    unsafe fn load(words: &[u32]) -> Self {
        // SAFETY: the caller guarantees one word.
        Self(unsafe { W32::load(words) })
    }

    #[inline(always)]
    unsafe fn store(self, words: &mut [u32]) {
        // SAFETY: the caller guarantees one word.
        unsafe { self.0.store(words) };
    }

    #[inline(always)]
    unsafe fn load_block(data: &[&[u8]], offset: usize, big_endian: bool) -> [Self; 16] {
        // SAFETY: the caller guarantees a block.
        let words = unsafe { W32::load_block(data, offset, big_endian) };
        let mut ordered = [Self(words[0]); 16];
        ordered.iter_mut().zip(words).for_each(|(to, word)| to.0 = word);
        ordered
    }
}

lane_kernel!(
    PORTABLE_X1 = portable_x1,
    Portable,
    features = [],
    tails = copied,
    families = all,
    W32 as Ordered,
    W64 as W64,
);
