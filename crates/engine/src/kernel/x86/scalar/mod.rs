//! One stream in general registers, in an order that no compiler finds: the text
//! of each kernel comes from the specification's graph (`lanesum-graph emit`), by
//! which it is also proven. `make generated` writes the `.s` files anew.

use lanesum_spec::{W32, W64};

use crate::kernel::vector::lane_row;

/// Makes a row of emitted kernels: `$row`, and a module with a kernel for each
/// family. Costs are a block, in tenths of a cycle.
macro_rules! scalar_row {
    ($row:ident = $module:ident, $tier:ident, features = $features:tt, abi = $abi:literal,
        $($int:ident as $word:ident {
            $($family:ident $name:ident $n:literal $file:literal: $cost:literal),* $(,)?
        }),* $(,)?) => {
        pub(in crate::kernel) static $row: crate::kernel::Row = crate::kernel::Row {
            name: stringify!($module),
            tier: crate::kernel::Tier::$tier,
            lanes: 1,
            supported: || lane_row!(@supported $features) && !cfg!(miri),
            jobs: &[$($(crate::kernel::Job {
                family: lanesum_spec::Family::$family,
                kernels: crate::kernel::Kernels::$int(lane_row!(@kernels $module $name copied)),
                cost: $cost,
            },)*)*],
        };

        /// The row's kernels, one for each family, so that they have names in
        /// the object code.
        mod $module {
            use super::*;

            $($(
                pub(super) mod $name {
                    use super::*;

                    type Int = <$word as lanesum_spec::Word>::Int;

                    /// Compresses `blocks` blocks from `data` on into `state`.
                    ///
                    /// # Safety
                    ///
                    /// The CPU has the row's features; `state` is the chaining
                    /// value, and `data` is so many blocks.
                    #[unsafe(naked)]
                    unsafe extern $abi fn kernel(
                        state: *mut Int,
                        data: *const u8,
                        blocks: usize,
                    ) {
                        core::arch::naked_asm!(include_str!($file), options(raw))
                    }

                    /// # Safety
                    ///
                    /// As for [`Compress`](crate::kernel::Compress).
                    pub(in super::super) unsafe fn compress(
                        state: &mut [Int],
                        stride: usize,
                        data: &[&[u8]],
                        blocks: usize,
                    ) {
                        let mut words: [Int; $n] = core::array::from_fn(|i| state[i * stride]);
                        // SAFETY: the caller vouches for the features and the
                        // blocks; the words are the chaining value's.
                        unsafe { kernel(words.as_mut_ptr(), data[0].as_ptr(), blocks) }
                        words.iter().enumerate().for_each(|(i, word)| state[i * stride] = *word);
                    }

                    lane_row!(@iterate $features $family $n $word);
                }
            )*)*
        }
    };
}

#[cfg(target_arch = "x86_64")]
scalar_row!(BMI2_ASM_X1 = bmi2_asm_x1, Bmi2, features = ["bmi1", "bmi2"], abi = "sysv64",
    W32 as W32 {
        Sha1 sha1 5 "sha1_bmi2.s": 2190,
        Sha256 sha256 8 "sha256_bmi2.s": 4590,
    },
    W64 as W64 { Sha512 sha512 8 "sha512_bmi2.s": 5900 },
);
#[cfg(target_arch = "x86_64")]
scalar_row!(X86_64_ASM_X1 = x86_64_asm_x1, Portable, features = [], abi = "sysv64",
    W32 as W32 {
        Sha1 sha1 5 "sha1_x86_64.s": 2200,
        Sha256 sha256 8 "sha256_x86_64.s": 4800,
    },
    W64 as W64 { Sha512 sha512 8 "sha512_x86_64.s": 6200 },
);
// The other rows' costs are those of 64-bit code; these are to be a little less than those of
// the rows that they replace, which take about twice as long here.
#[cfg(target_arch = "x86")]
scalar_row!(I686_ASM_X1 = i686_asm_x1, Portable, features = [], abi = "C",
    W32 as W32 {
        Sha1 sha1 5 "sha1_i686.s": 2400,
        Sha256 sha256 8 "sha256_i686.s": 5300,
    },
    W64 as W64 { Sha512 sha512 8 "sha512_i686.s": 6400 },
);
