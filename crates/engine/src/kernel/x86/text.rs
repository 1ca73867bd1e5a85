//! Functions around assembly that `lanesum-graph` generates, for one message.

/// Defines a kernel function around assembly with ABI `$abi`, for a chaining value of `$words`
/// words. `$table` is passed if the assembly reads a table.
macro_rules! text_kernel {
    ($name:ident, $int:ty, $words:literal, $abi:literal, $file:expr $(, $table:ident = $value:expr)?) => {
        /// # Safety
        ///
        /// See [`Compress`](crate::kernel::abi::Compress).
        pub(in crate::kernel::x86) unsafe fn $name(
            state: &mut [$int],
            stride: usize,
            data: &[&[u8]],
            blocks: usize,
        ) {
            /// # Safety
            ///
            /// The CPU has the instructions used; `state` has `$words` words, `blocks` is not 0,
            /// and `data` has `blocks` blocks.
            #[unsafe(naked)]
            unsafe extern $abi fn text(
                state: *mut $int,
                data: *const u8,
                blocks: usize,
                $($table: *const $int,)?
            ) {
                core::arch::naked_asm!(include_str!($file), options(raw));
            }

            if blocks == 0 {
                return;
            }
            $(let $table = (&raw const *$value).cast();)?
            // SAFETY: the caller guarantees the features and the lengths; the table is the one that
            // the assembly was generated for.
            unsafe {
                let data = data.get_unchecked(0).as_ptr();
                if stride == 1 {
                    text(state.as_mut_ptr(), data, blocks $(, $table)?);
                    return;
                }
                let mut words: [$int; $words] = crate::kernel::lane::lane(state, stride, 0);
                text(words.as_mut_ptr(), data, blocks $(, $table)?);
                crate::kernel::lane::set_lane(state, stride, 0, &words);
            }
        }
    };
}
pub(super) use text_kernel;
