//! Functions around assembly that `lanesum-graph` generates.

/// Defines the constant `ASSEMBLY`, the [`Assembly`](crate::kernel::Assembly) of `text`.
macro_rules! assembly {
    ($table:expr) => {
        pub(in crate::kernel) const ASSEMBLY: $crate::kernel::Assembly = $crate::kernel::Assembly {
            function: concat!(module_path!(), "::text"),
            code: text as *const (),
            table: $table,
        };
    };
    () => {
        $crate::kernel::x86::text::assembly!(None);
    };
}
pub(super) use assembly;

/// Defines the function `$name` around assembly for a chaining value of `$words` words, and a module
/// of that name with the assembly. `$table` is passed if the assembly reads a table.
macro_rules! text_kernel {
    ($name:ident, $int:ty, $words:literal, $file:expr $(,
        $table:ident: Table<$k:ty, $n:literal, $bytes:literal> = $value:expr)?) => {
        pub(in crate::kernel::x86) mod $name {
            #[allow(unused_imports, reason = "only the table names other items")]
            use super::*;

            // A static, so that every use refers to the same memory.
            $(static TABLE: Table<$k, $n, $bytes> = $value;)?

            $crate::kernel::x86::text::assembly!($(Some(core::ptr::from_ref::<Table<$k, $n, $bytes>>(&TABLE).cast()))?);

            /// # Safety
            ///
            /// The CPU has the instructions used; `state` has `$words` words, `blocks` is not 0,
            /// and `data` has `blocks` blocks.
            #[unsafe(naked)]
            unsafe extern "sysv64" fn text(
                state: *mut $int,
                data: *const u8,
                blocks: usize,
                $($table: *const $int,)?
            ) {
                core::arch::naked_asm!(include_str!($file), options(raw));
            }

            /// # Safety
            ///
            /// See [`text`].
            #[inline(always)]
            pub(super) unsafe fn run(state: *mut $int, data: *const u8, blocks: usize) {
                $(let $table = (&raw const TABLE).cast();)?
                // SAFETY: the caller guarantees the features and the lengths; the table is the one
                // that the assembly was generated for.
                unsafe { text(state, data, blocks $(, $table)?) };
            }
        }

        /// # Safety
        ///
        /// See [`Compress`](crate::kernel::abi::Compress).
        // Not inlined, so that the proof of `finish` finds its calls.
        #[inline(never)]
        pub(in crate::kernel::x86) unsafe fn $name(
            state: &mut [$int],
            stride: usize,
            data: &[&[u8]],
            blocks: usize,
        ) {
            if blocks == 0 {
                return;
            }
            // SAFETY: the caller guarantees the features and the lengths.
            unsafe {
                let data = data.get_unchecked(0).as_ptr();
                if stride == 1 {
                    $name::run(state.as_mut_ptr(), data, blocks);
                    return;
                }
                let mut words: [$int; $words] = crate::kernel::lane::lane(state, stride, 0);
                $name::run(words.as_mut_ptr(), data, blocks);
                crate::kernel::lane::set_lane(state, stride, 0, &words);
            }
        }
    };
}
pub(super) use text_kernel;

/// Defines the function `compress` around the assembly of a lane kernel and, if it pads while loading (`masked`), the
/// type `Block`.
#[cfg(not(any(windows, miri)))]
macro_rules! lane_text {
    (masked, $int:ty, $file:literal, $family:ident, $word:ty) => {
        $crate::kernel::x86::lane_text!(copied, $int, $file, $family, $word);

        /// The assembly, for one block.
        pub(in crate::kernel) enum Block {}

        impl<const N: usize> vector::masked::CompressBlock<$family, N, $word> for Block
        where
            $family: lanesum_spec::Compression<N>,
        {
            #[inline(always)]
            unsafe fn compress(state: [$word; N], words: [$word; 16]) -> [$word; N] {
                /// The layout that the assembly requires.
                #[repr(C)]
                struct Area<V, const N: usize> {
                    words: [V; 16],
                    state: [V; N],
                }
                let mut area = Area { words, state };
                // SAFETY: the caller guarantees the features. Without messages, the assembly compresses the
                // block in the area.
                unsafe { text((&raw mut area).cast(), 0, core::ptr::null(), 1) };
                area.state
            }
        }
    };
    (copied, $int:ty, $file:literal, $family:ident, $word:ty) => {
        $crate::kernel::x86::text::assembly!();

        /// # Safety
        ///
        /// See [`Compress`](crate::kernel::abi::Compress). A slice is its address and its length, which the
        /// assembly does not read. If `data` is null, the assembly compresses
        /// the block in the area at `state`: its words, then the chaining values.
        #[unsafe(naked)]
        unsafe extern "sysv64" fn text(
            state: *mut $int,
            stride: usize,
            data: *const &[u8],
            blocks: usize,
        ) {
            core::arch::naked_asm!(include_str!($file), options(raw));
        }

        /// # Safety
        ///
        /// See [`Compress`](crate::kernel::abi::Compress).
        // Not inlined, so that the proof of `finish` finds its calls.
        #[inline(never)]
        pub(in crate::kernel) unsafe fn compress(
            state: &mut [$int],
            stride: usize,
            data: &[&[u8]],
            blocks: usize,
        ) {
            // SAFETY: the caller guarantees the features and the lengths.
            unsafe { text(state.as_mut_ptr(), stride, data.as_ptr(), blocks) };
        }
    };
}
#[cfg(not(any(windows, miri)))]
pub(in crate::kernel) use lane_text;
