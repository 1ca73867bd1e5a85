//! Two groups of lanes as one word.

use lanesum_spec::{Hints, Word};

use super::Vector;

/// Two groups of lanes in one word: twice the independent work in flight, for cores whose vector
/// units idle on one group's latency.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Pair<V>(pub(super) V, pub(super) V);

impl<V: Copy> Pair<V> {
    /// Combines sixteen words of each group into sixteen pairs.
    #[inline(always)]
    pub(in crate::kernel) fn zip(a: [V; 16], b: [V; 16]) -> [Self; 16] {
        let mut both = [Self(a[0], b[0]); 16];
        let mut t = 1;
        while t < 16 {
            both[t] = Self(a[t], b[t]);
            t += 1;
        }
        both
    }
}

macro_rules! pairwise {
    ($($trait:ident $method:ident),*) => {$(
        impl<V: Word> core::ops::$trait for Pair<V> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, rhs: Self) -> Self {
                Self(core::ops::$trait::$method(self.0, rhs.0), core::ops::$trait::$method(self.1, rhs.1))
            }
        }
    )*};
}
pairwise!(Add add, Sub sub, BitAnd bitand, BitXor bitxor);

impl<V: Word> core::ops::Not for Pair<V> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0, !self.1)
    }
}

macro_rules! constant {
    ($($int:ident),*) => {$(
        impl<V: Word<Int = $int>> core::ops::Add<$int> for Pair<V> {
            type Output = Self;
            #[inline(always)]
            fn add(self, rhs: $int) -> Self {
                Self(self.0 + rhs, self.1 + rhs)
            }
        }
    )*};
}
constant!(u32, u64);

impl<V: Word> Word for Pair<V>
where
    Self: core::ops::Add<V::Int, Output = Self>,
{
    type Int = V::Int;

    #[inline(always)]
    fn rotr(self, n: u32) -> Self {
        Self(self.0.rotr(n), self.1.rotr(n))
    }

    #[inline(always)]
    fn shr(self, n: u32) -> Self {
        Self(self.0.shr(n), self.1.shr(n))
    }

    #[inline(always)]
    fn ch(x: Self, y: Self, z: Self) -> Self {
        Self(V::ch(x.0, y.0, z.0), V::ch(x.1, y.1, z.1))
    }

    #[inline(always)]
    fn maj(x: Self, y: Self, z: Self) -> Self {
        Self(V::maj(x.0, y.0, z.0), V::maj(x.1, y.1, z.1))
    }

    #[inline(always)]
    fn xor3(x: Self, y: Self, z: Self) -> Self {
        Self(V::xor3(x.0, y.0, z.0), V::xor3(x.1, y.1, z.1))
    }
}

impl<V: Hints> Hints for Pair<V>
where
    Self: core::ops::Add<V::Int, Output = Self>,
{
    // Pinning pays off for 32-bit words if registers suffice for both groups. These are the words
    // whose single group uses the short form.
    const PINNED: bool = V::SHORT;

    #[inline(always)]
    fn pin(self) -> Self {
        if V::SHORT { Self(self.0.pin(), self.1.pin()) } else { self }
    }

    #[inline(always)]
    fn place(w: &mut [Self; 16]) -> &mut [Self; 16] {
        let mut place = core::ptr::from_mut(w);
        // SAFETY: the assembly is empty: the pointer is unchanged, and its borrow lasts as long as
        // the result's.
        unsafe {
            core::arch::asm!("/* {0} */", inout(reg) place, options(nostack, preserves_flags));
            &mut *place
        }
    }

    /// Moves the schedule to memory: its 32 vectors do not fit in registers next to the state, and
    /// a compiler that tries spills them piecemeal.
    #[inline(always)]
    fn fence(w: &mut [Self; 16]) {
        // SAFETY: the assembly is empty. The pointer escapes into it, so the compiler must keep the
        // array in memory and assume that it changed.
        unsafe {
            core::arch::asm!("/* {0} */", in(reg) w.as_mut_ptr(), options(nostack, preserves_flags));
        }
    }
}

impl<V: Vector> Vector for Pair<V>
where
    Self: core::ops::Add<V::Int, Output = Self>,
{
    const LANES: usize = 2 * V::LANES;

    const WATCHES: bool = false;

    #[inline(always)]
    unsafe fn load(words: &[V::Int]) -> Self {
        // SAFETY: the caller guarantees the features, and words for both groups.
        unsafe { Self(V::load(words), V::load(words.get_unchecked(V::LANES..))) }
    }

    #[inline(always)]
    unsafe fn store(self, words: &mut [V::Int]) {
        // SAFETY: the caller guarantees the features, and words for both groups.
        unsafe {
            self.0.store(words);
            self.1.store(words.get_unchecked_mut(V::LANES..));
        }
    }

    #[inline(always)]
    unsafe fn load_block(data: &[&[u8]], offset: usize, big_endian: bool) -> [Self; 16] {
        // SAFETY: the caller guarantees the features, and a block in each lane of both groups.
        unsafe {
            let (first, second) = data.split_at_unchecked(V::LANES);
            Self::zip(
                V::load_block(first, offset, big_endian),
                V::load_block(second, offset, big_endian),
            )
        }
    }
}
