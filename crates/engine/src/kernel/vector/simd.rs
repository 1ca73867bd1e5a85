//! The parts that words of every vector instruction set share.

/// Defines a vector word over a register type from its intrinsics.
///
/// Trait methods cannot have target features, so each operation must be inlined into a kernel that
/// has them to become an instruction.
macro_rules! simd_word {
    (
        $(#[$doc:meta])*
        $word:ident($register:ty): $lanes:literal of $int:ident as $signed:ident {
            load: $load:ident, store: $store:ident, splat: $splat:ident,
            add: $add:ident, sub: $sub:ident, and: $and:ident, xor: $xor:ident,
            rotr: $rotr:expr, shr: $shr:expr,
            transpose: $transpose:expr,
            pin: $pin:ident, short: $short:literal $(,)?
            $($ternary:ident: $value:expr,)*
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(in crate::kernel) struct $word($register);

        impl core::ops::Add for $word {
            type Output = Self;
            #[inline(always)]
            fn add(self, rhs: Self) -> Self {
                // SAFETY: a word exists only on a CPU with its features.
                Self(unsafe { $add(self.0, rhs.0) })
            }
        }

        impl core::ops::Add<$int> for $word {
            type Output = Self;
            #[inline(always)]
            fn add(self, rhs: $int) -> Self {
                // SAFETY: a word exists only on a CPU with its features.
                Self(unsafe { $add(self.0, $splat(rhs as $signed)) })
            }
        }

        impl core::ops::Sub for $word {
            type Output = Self;
            #[inline(always)]
            fn sub(self, rhs: Self) -> Self {
                // SAFETY: a word exists only on a CPU with its features.
                Self(unsafe { $sub(self.0, rhs.0) })
            }
        }

        impl core::ops::BitAnd for $word {
            type Output = Self;
            #[inline(always)]
            fn bitand(self, rhs: Self) -> Self {
                // SAFETY: a word exists only on a CPU with its features.
                Self(unsafe { $and(self.0, rhs.0) })
            }
        }

        impl core::ops::BitXor for $word {
            type Output = Self;
            #[inline(always)]
            fn bitxor(self, rhs: Self) -> Self {
                // SAFETY: a word exists only on a CPU with its features.
                Self(unsafe { $xor(self.0, rhs.0) })
            }
        }

        impl core::ops::Not for $word {
            type Output = Self;
            #[inline(always)]
            fn not(self) -> Self {
                // SAFETY: a word exists only on a CPU with its features.
                Self(unsafe { $xor(self.0, $splat(-1)) })
            }
        }

        impl lanesum_spec::Word for $word {
            type Int = $int;

            #[inline(always)]
            fn rotr(self, n: u32) -> Self {
                // SAFETY: a word exists only on a CPU with its features.
                Self(unsafe { $rotr(self.0, n) })
            }

            #[inline(always)]
            fn shr(self, n: u32) -> Self {
                // SAFETY: a word exists only on a CPU with its features.
                Self(unsafe { $shr(self.0, n) })
            }

            $(
                #[inline(always)]
                fn $ternary(x: Self, y: Self, z: Self) -> Self {
                    // SAFETY: a word exists only on a CPU with its features.
                    Self(unsafe { $value(x.0, y.0, z.0) })
                }
            )*
        }

        impl lanesum_spec::Hints for $word {
            const SHORT: bool = $short;

            #[inline(always)]
            fn pin(self) -> Self {
                // SAFETY: a word exists only on a CPU with its features.
                Self(unsafe { $pin(self.0) })
            }
        }

        impl $crate::kernel::vector::Vector for $word {
            const LANES: usize = $lanes;

            #[inline(always)]
            unsafe fn load(words: &[$int]) -> Self {
                // SAFETY: the caller guarantees the features and the length.
                Self(unsafe { $load(words.as_ptr().cast()) })
            }

            #[inline(always)]
            unsafe fn store(self, words: &mut [$int]) {
                // SAFETY: the caller guarantees the length.
                unsafe { $store(words.as_mut_ptr().cast(), self.0) }
            }

            #[inline(always)]
            unsafe fn load_block(data: &[&[u8]], offset: usize, big_endian: bool) -> [Self; 16] {
                // SAFETY: the caller guarantees the features and the lengths.
                Self::words(unsafe { $transpose(data, offset, big_endian) })
            }
        }

        impl $word {
            /// Wraps registers as words. An array's `map` is a call where it is not inlined.
            #[inline(always)]
            fn words(registers: [$register; 16]) -> [Self; 16] {
                let mut words = [Self(registers[0]); 16];
                let mut t = 1;
                while t < 16 {
                    words[t] = Self(registers[t]);
                    t += 1;
                }
                words
            }
        }
    };
}
pub(in crate::kernel) use simd_word;

/// Returns the address of the block at byte `offset` of lane `l`.
///
/// # Safety
///
/// `data` has a lane `l`, and it has at least `offset` bytes.
#[inline(always)]
pub(in crate::kernel) unsafe fn at(data: &[&[u8]], l: usize, offset: usize) -> *const u8 {
    // SAFETY: the caller guarantees the lane and its length.
    unsafe { data.get_unchecked(l).as_ptr().add(offset) }
}
