//! Lane kernels: the specification instantiated with vectors of lanes.

// The families in lanes, unless a kernel lists others.
#[cfg(feature = "compat")]
pub(in crate::kernel) use lanesum_spec::each_family as each_family_in_lanes;
#[cfg(not(feature = "compat"))]
pub(in crate::kernel) use lanesum_spec::each_fips_family as each_family_in_lanes;

/// Defines a lane kernel: the static `$kernel`, and a module with its functions for each family.
///
/// The features listed are both enabled in the functions and detected at run time. A word type
/// serves all families of its width that run in lanes, unless families are listed, or all by `families = all`.
macro_rules! lane_kernel {
    ($kernel:ident = $module:ident, $tier:ident, features = $features:tt, tails = $tails:ident,
        families = all, $($int:ident as $word:ty),+ $(,)?) => {
        lanesum_spec::each_family!($crate::kernel::vector::kernel::lane_kernel,
            @every [$kernel = $module, $tier, features = $features, tails = $tails]
            $($int as [$word])+,
        );
    };
    ($kernel:ident = $module:ident, $tier:ident, features = $features:tt, tails = $tails:ident,
        $($int:ident as $word:ty),+ $(,)?) => {
        $crate::kernel::vector::kernel::each_family_in_lanes!($crate::kernel::vector::kernel::lane_kernel,
            @every [$kernel = $module, $tier, features = $features, tails = $tails]
            $($int as [$word])+,
        );
    };
    (@every [$($kernel:tt)*] W32 as [$word:ty], W32 $families:tt W64 $_64:tt) => {
        $crate::kernel::vector::kernel::lane_kernel!($($kernel)*, W32 as $word $families);
    };
    (@every [$($kernel:tt)*] W64 as [$word:ty], W32 $_32:tt W64 $families:tt) => {
        $crate::kernel::vector::kernel::lane_kernel!($($kernel)*, W64 as $word $families);
    };
    (@every [$($kernel:tt)*] W32 as [$word32:ty] W64 as [$word64:ty],
        W32 $families32:tt W64 $families64:tt) => {
        $crate::kernel::vector::kernel::lane_kernel!($($kernel)*,
            W32 as $word32 $families32, W64 as $word64 $families64);
    };
    ($kernel:ident = $module:ident, $tier:ident, features = $features:tt, tails = $tails:ident,
        $($int:ident as $word:ty {
            $($(#[$cfg:meta])? $name:ident: $in:ident::$family:ident),+ $(,)?
        }),+ $(,)?) => {
        $crate::kernel::entry::kernel!($kernel = $module, $tier,
            lanes = $crate::kernel::vector::kernel::lanes(&[
                $(<$word as $crate::kernel::vector::Vector>::LANES),*
            ]),
            features = $features,
            $($($(#[$cfg])? $family:
                $crate::kernel::vector::kernel::lane_kernel!(@all $module $name $tails)),*),*
        );

        /// The kernel's functions in one module per family, so that the object code has a symbol
        /// for each.
        pub(in crate::kernel) mod $module {
            use super::*;

            $($(
                $(#[$cfg])?
                pub(in crate::kernel) mod $name {
                    use super::*;
                    use lanesum_spec::Word;
                    use lanesum_spec::$in::$family;
                    use $crate::kernel::iterate::Link;
                    use $crate::kernel::vector;

                    type Int = <$word as Word>::Int;

                    $crate::kernel::vector::kernel::lane_kernel!(
                        @compress $module $name $tails $features $family $word
                    );
                    $crate::kernel::vector::kernel::lane_kernel!(@function $features
                        /// See [`Iterate`](crate::kernel::abi::Iterate).
                        fn iterate(
                            chains: [&[Int]; 2], link: &Link<Int>, u: &mut [Int], sum: &mut [Int],
                            stride: usize, iterations: $crate::kernel::iterate::Iterations
                        ) => () vector::iterate::iterate::<$family, _, $word>
                    );
                    $crate::kernel::vector::kernel::lane_kernel!(@$tails $features $family $word);
                    $crate::kernel::vector::kernel::lane_kernel!(@screen $family $features $word);
                }
            )*)*

            /// Compares the kernel's words with the specification's own.
            #[cfg(test)]
            mod words {
                use super::*;

                $(
                    #[test]
                    #[allow(non_snake_case)]
                    fn $int() {
                        if $crate::base::supported!($features) {
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
    (@compress avx2_x8 sha1 $($rest:tt)*) => {
        $crate::kernel::vector::kernel::lane_kernel!(@text "lanes/sha1_avx2_x8.s" $($rest)*);
    };
    (@compress avx2_x8 sha256 $($rest:tt)*) => {
        $crate::kernel::vector::kernel::lane_kernel!(@text "lanes/sha256_avx2_x8.s" $($rest)*);
    };
    (@compress avx2_x4 sha512 $($rest:tt)*) => {
        $crate::kernel::vector::kernel::lane_kernel!(@text "lanes/sha512_avx2_x4.s" $($rest)*);
    };
    (@compress avx512_x16 sha1 $($rest:tt)*) => {
        $crate::kernel::vector::kernel::lane_kernel!(@text "lanes/sha1_avx512_x16.s" $($rest)*);
    };
    (@compress avx512_x16 sha256 $($rest:tt)*) => {
        $crate::kernel::vector::kernel::lane_kernel!(@text "lanes/sha256_avx512_x16.s" $($rest)*);
    };
    (@compress $module:ident $name:ident $($rest:tt)*) => {
        $crate::kernel::vector::kernel::lane_kernel!(@words $($rest)*);
    };
    (@text $file:literal $tails:ident $features:tt $family:ident $word:ty) => {
        #[cfg(all(target_arch = "x86_64", not(any(windows, miri))))]
        $crate::kernel::x86::lane_text!($tails, Int, $file, $family, $word);
        #[cfg(not(all(target_arch = "x86_64", not(any(windows, miri)))))]
        $crate::kernel::vector::kernel::lane_kernel!(@words $tails $features $family $word);
    };
    (@words $tails:ident $features:tt $family:ident $word:ty) => {
        $crate::kernel::vector::kernel::lane_kernel!(@block $tails);
        $crate::kernel::vector::kernel::lane_kernel!(@function $features
            /// See [`Compress`](crate::kernel::abi::Compress).
            fn compress(
                state: &mut [Int], stride: usize, data: &[&[u8]], blocks: usize
            ) => () vector::compress::<$family, _, $word>
        );
    };
    (@block copied) => {};
    (@block masked) => {
        use vector::masked::Specified as Block;
    };
    (@all $module:ident sha1 $tails:ident) => {
        $crate::kernel::vector::kernel::lane_kernel!(@functions $module sha1 $tails)
            .watching($module::sha1::WATCHING)
    };
    (@all $module:ident sha256 masked) => {
        $crate::kernel::vector::kernel::lane_kernel!(@functions $module sha256 masked)
            .digesting_blocks($module::sha256::digest_blocks)
    };
    (@all $module:ident sha512 masked) => {
        $crate::kernel::vector::kernel::lane_kernel!(@functions $module sha512 masked)
            .digesting_blocks($module::sha512::digest_blocks)
    };
    (@all $module:ident $name:ident $tails:ident) => {
        $crate::kernel::vector::kernel::lane_kernel!(@functions $module $name $tails)
    };
    (@functions $module:ident $name:ident copied) => {
        $crate::kernel::abi::FunctionsOf::new(
            $module::$name::compress,
            $module::$name::finish,
            $module::$name::iterate,
        )
    };
    (@functions $module:ident $name:ident masked) => {
        $crate::kernel::vector::kernel::lane_kernel!(@functions $module $name copied)
            .writing($module::$name::write)
    };
    (@copied $features:tt $family:ident $word:ty) => {
        $crate::kernel::copied::copied_finish!(
            finish, Int, $family, compress, <$word as vector::Vector>::LANES
        );
    };
    (@masked $features:tt $family:ident $word:ty) => {
        $crate::kernel::vector::kernel::lane_kernel!(@function $features
            /// See [`Finish`](crate::kernel::abi::Finish).
            fn finish(
                state: &mut [Int], stride: usize, data: &[&[u8]],
                ending: $crate::kernel::Ending<'_, Int>
            ) => (compress) vector::masked::finish::<$family, _, $word, Block>
        );
        $crate::kernel::vector::kernel::lane_kernel!(@function $features
            /// See [`Write`](crate::kernel::abi::Write).
            fn write(
                state: &[Int], stride: usize, out: &mut [[u8; 64]]
            ) => () vector::masked::write::<$family, _, $word>
        );
        $crate::kernel::vector::kernel::lane_kernel!(@digest_blocks $features $family $word);
    };
    // A node of a tree is one block of SHA-2.
    (@digest_blocks $features:tt Sha256 $word:ty) => {
        $crate::kernel::vector::kernel::lane_kernel!(@digest_blocks $features [Sha256] $word);
    };
    (@digest_blocks $features:tt Sha512 $word:ty) => {
        $crate::kernel::vector::kernel::lane_kernel!(@digest_blocks $features [Sha512] $word);
    };
    (@digest_blocks $features:tt [$family:ident] $word:ty) => {
        $crate::kernel::vector::kernel::lane_kernel!(@function $features
            /// See [`DigestBlocks`](crate::kernel::abi::DigestBlocks).
            fn digest_blocks(
                iv: &[Int; 8], data: &[&[u8]],
                ending: $crate::kernel::abi::Ending<'_, Int>,
                out: &mut [<Int as $crate::kernel::KernelWord>::Row]
            ) => () vector::masked::digest_blocks::<$family, _, $word, Block>
        );
    };
    (@digest_blocks $features:tt $family:ident $word:ty) => {};
    (@screen Sha1 $features:tt $word:ty) => {
        pub(in crate::kernel) const WATCHING: Option<$crate::kernel::abi::Watching> =
            if <$word as vector::Vector>::WATCHES {
                Some($crate::kernel::abi::Watching { screen, apart, traced: None })
            } else {
                None
            };

        $crate::kernel::vector::kernel::lane_kernel!(@function $features
            /// See [`Screen`](crate::kernel::abi::Screen).
            fn screen(
                data: &[&[u8]], blocks: usize, suspects: &mut [u32]
            ) => () vector::watch::screen::<$word>
        );
        $crate::kernel::vector::kernel::lane_kernel!(@function $features
            /// See [`Apart`](crate::kernel::abi::Apart).
            fn apart(
                pairs: &$crate::kernel::abi::Pairs<'_>,
                apart: &mut [[u32; $crate::words::MAX_LANES]; 2]
            ) => () vector::watch::apart::<$word>
        );
    };
    (@screen $family:ident $features:tt $word:ty) => {};
    (@function [$($feature:tt),*] $(#[$doc:meta])*
        fn $name:ident($($arg:ident: $type:ty),*) => ($($first:ident)?) $body:path) => {
        /// # Safety
        ///
        $(#[$doc])*
        $(#[target_feature(enable = $feature)])*
        #[inline(never)]
        pub(in crate::kernel) unsafe fn $name($($arg: $type),*) {
            // SAFETY: the caller guarantees the lengths; the features are enabled.
            unsafe { $body($($first,)? $($arg),*) }
        }
    };
}
pub(in crate::kernel) use lane_kernel;

/// Returns the number of lanes, which must be equal for all of a kernel's words.
pub(in crate::kernel) const fn lanes(of_words: &[usize]) -> usize {
    let mut i = 1;
    while i < of_words.len() {
        assert!(of_words[i] == of_words[0]);
        i += 1;
    }
    of_words[0]
}
