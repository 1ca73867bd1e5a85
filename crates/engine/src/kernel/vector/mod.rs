//! The body of every lane row, and what it asks of a word.

// Where there are vectors no policy chooses arrays, and they would be a third of the object
// code: there they are compiled for unit tests alone.
#[cfg(any(test, not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))))]
mod arrays;
pub(in crate::kernel) mod iterate;
#[cfg(target_arch = "x86_64")]
pub(in crate::kernel) mod masked;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(in crate::kernel) mod pair;
#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
pub(in crate::kernel) mod simd;

use lanesum_spec::{Compression, Int, Word};

#[cfg(any(
    test,
    not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))
))]
pub(in crate::kernel) use self::arrays::{PORTABLE_X2, PORTABLE_X4};
pub(crate) use self::iterate::{Half, Link};

/// A word that is a vector of lanes: loaded from memory, and stored.
pub(in crate::kernel) trait Vector: Word {
    /// The number of lanes.
    const LANES: usize;

    /// The first `LANES` words of `words`, one in each lane.
    ///
    /// # Safety
    ///
    /// The CPU has the word's features, and `words` has so many words.
    unsafe fn load(words: &[Self::Int]) -> Self;

    /// Writes the lanes to the first `LANES` words of `words`.
    ///
    /// # Safety
    ///
    /// As for [`load`](Self::load).
    unsafe fn store(self, words: &mut [Self::Int]);

    /// The sixteen words of the block at `offset` bytes in each of `data`, lane
    /// l from `data[l]`: word t of the result holds W_t of every lane.
    ///
    /// # Safety
    ///
    /// The CPU has the word's features, `data` has `LANES` slices, and a whole
    /// block follows `offset` in each.
    unsafe fn load_block(data: &[&[u8]], offset: usize, big_endian: bool) -> [Self; 16];
}

/// Compresses `blocks` blocks of each of `data` into the lanes of `state`.
///
/// # Safety
///
/// As for the row's kernel ([`Compress`](super::Compress)).
#[inline(always)]
pub(in crate::kernel) unsafe fn compress<C, const N: usize, V>(
    state: &mut [C::Int],
    stride: usize,
    data: &[&[u8]],
    blocks: usize,
) where
    C: Compression<N>,
    V: Vector<Int = C::Int>,
{
    // SAFETY: the caller vouches for the CPU and for every length.
    unsafe {
        let mut s = [V::load(state); N];
        let mut i = 1;
        while i < N {
            s[i] = V::load(state.get_unchecked(i * stride..));
            i += 1;
        }
        let mut block = 0;
        while block < blocks {
            let w = V::load_block(data, block * 16 * C::Int::BYTES, C::BIG_ENDIAN);
            s = C::compress(s, w);
            block += 1;
        }
        let mut i = 0;
        while i < N {
            s[i].store(state.get_unchecked_mut(i * stride..));
            i += 1;
        }
    }
}

/// Makes a lane row: `$row`, and a module with a kernel for each family.
///
/// The features are named once: they are both enabled in the kernels and looked
/// for in the CPU. Costs are a block in every lane, in tenths of a cycle.
macro_rules! lane_row {
    ($row:ident = $module:ident, $tier:ident, features = $features:tt, tails = $tails:ident,
        $($int:ident as $word:ty {
            $($family:ident $name:ident $n:literal: $cost:literal),* $(,)?
        }),* $(,)?) => {
        pub(in crate::kernel) static $row: $crate::kernel::Row = $crate::kernel::Row {
            name: stringify!($module),
            tier: $crate::kernel::Tier::$tier,
            lanes: $crate::kernel::vector::lanes(&[
                $(<$word as $crate::kernel::vector::Vector>::LANES),*
            ]),
            supported: || $crate::kernel::vector::lane_row!(@supported $features),
            jobs: &[$($($crate::kernel::Job {
                family: lanesum_spec::Family::$family,
                kernels: $crate::kernel::Kernels::$int(
                    $crate::kernel::vector::lane_row!(@kernels $module $name $tails),
                ),
                cost: $cost,
            },)*)*],
        };

        /// The row's kernels, one for each family, so that they have names in
        /// the object code.
        pub(in crate::kernel) mod $module {
            use super::*;

            $($(
                pub(in crate::kernel) mod $name {
                    use super::*;

                    $crate::kernel::vector::lane_row!(@compress $features $family $n $word);
                    $crate::kernel::vector::lane_row!(@whole $features $family $n $word, $tails);
                    $crate::kernel::vector::lane_row!(@iterate $features $family $n $word);
                }
            )*)*

            /// The row's words against the specification's own.
            #[cfg(test)]
            mod words {
                use super::*;

                $(
                    #[test]
                    #[allow(non_snake_case)]
                    fn $int() {
                        if $crate::kernel::vector::lane_row!(@supported $features) {
                            $crate::kernel::tests::check::<$word>();
                        } else {
                            lanesum_testkit::left_out(
                                lanesum_testkit::Kind::Kernel,
                                stringify!($module),
                                "this CPU cannot run it",
                            );
                        }
                    }
                )*
            }
        }
    };
    (@kernels $module:ident $name:ident copied) => {
        $crate::kernel::KernelsOf {
            compress: $module::$name::compress,
            finish: None,
            write: None,
            iterate: $module::$name::iterate,
        }
    };
    (@kernels $module:ident $name:ident masked) => {
        $crate::kernel::KernelsOf {
            compress: $module::$name::compress,
            finish: Some($module::$name::finish),
            write: Some($module::$name::write),
            iterate: $module::$name::iterate,
        }
    };
    (@supported [$($feature:tt),*]) => {
        true $(&& $crate::kernel::has!($feature))*
    };
    (@compress [$($feature:tt),*] $family:ident $n:literal $word:ty) => {
        /// # Safety
        ///
        /// As for [`Compress`]($crate::kernel::Compress).
        $(#[target_feature(enable = $feature)])*
        #[inline(never)]
        pub(in crate::kernel) unsafe fn compress(
            state: &mut [<$word as lanesum_spec::Word>::Int],
            stride: usize,
            data: &[&[u8]],
            blocks: usize,
        ) {
            // SAFETY: the caller vouches for the lengths; the features are on.
            unsafe {
                $crate::kernel::vector::compress::<
                    $crate::kernel::vector::families::$family, $n, $word,
                >(state, stride, data, blocks);
            }
        }
    };
    (@iterate [$($feature:tt),*] $family:ident $n:literal $word:ty) => {
        /// # Safety
        ///
        /// As for [`Iterate`]($crate::kernel::Iterate).
        $(#[target_feature(enable = $feature)])*
        #[inline(never)]
        pub(in crate::kernel) unsafe fn iterate(
            chains: [&[<$word as lanesum_spec::Word>::Int]; 2],
            link: &$crate::kernel::Link<<$word as lanesum_spec::Word>::Int>,
            u: &mut [<$word as lanesum_spec::Word>::Int],
            sum: &mut [<$word as lanesum_spec::Word>::Int],
            stride: usize,
            iterations: (usize, u32),
        ) {
            // SAFETY: the caller vouches for the lengths; the features are on.
            unsafe {
                $crate::kernel::vector::iterate::iterate::<
                    $crate::kernel::vector::families::$family, $n, $word,
                >(chains, link, u, sum, stride, iterations);
            }
        }
    };
    (@whole $features:tt $family:ident $n:literal $word:ty, copied) => {};
    (@whole [$($feature:tt),*] $family:ident $n:literal $word:ty, masked) => {
        /// # Safety
        ///
        /// As for [`Finish`]($crate::kernel::Finish).
        $(#[target_feature(enable = $feature)])*
        #[inline(never)]
        pub(in crate::kernel) unsafe fn finish(
            state: &mut [<$word as lanesum_spec::Word>::Int],
            stride: usize,
            data: &[&[u8]],
            rest: $crate::kernel::Rest<'_, <$word as lanesum_spec::Word>::Int>,
        ) {
            // SAFETY: the caller vouches for the lengths; the features are on.
            unsafe {
                $crate::kernel::vector::masked::finish::<
                    $crate::kernel::vector::families::$family, $n, $word,
                >(compress, state, stride, data, rest);
            }
        }

        /// # Safety
        ///
        /// As for [`Write`]($crate::kernel::Write).
        $(#[target_feature(enable = $feature)])*
        #[inline(never)]
        pub(in crate::kernel) unsafe fn write(
            state: &[<$word as lanesum_spec::Word>::Int],
            stride: usize,
            out: &mut [[u8; 64]],
        ) {
            // SAFETY: the caller vouches for the lengths; the features are on.
            unsafe {
                $crate::kernel::vector::masked::write::<
                    $crate::kernel::vector::families::$family, $n, $word,
                >(state, stride, out);
            }
        }
    };
}
pub(in crate::kernel) use lane_row;

/// The number of lanes of all of a row's words, which is one.
pub(in crate::kernel) const fn lanes(of_words: &[usize]) -> usize {
    let mut i = 1;
    while i < of_words.len() {
        assert!(of_words[i] == of_words[0]);
        i += 1;
    }
    of_words[0]
}

/// The compression functions under the names that [`lanesum_spec::Family`] has
/// for them.
pub(in crate::kernel) mod families {
    pub(in crate::kernel) use lanesum_spec::{
        md5::Md5,
        ripemd160::Ripemd160,
        sha1::Sha1,
        sha2::{Sha256, Sha512},
    };
}
