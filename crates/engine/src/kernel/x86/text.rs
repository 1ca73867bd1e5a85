//! Functions whose texts `lanesum-graph` writes, for one message.

/// A kernel around a text of `$abi`, for a chaining value of `$words` words; with a table if
/// the text reads one.
macro_rules! text_kernel {
    ($name:ident, $int:ty, $words:literal, $abi:literal, $file:expr $(, $table:ident = $value:expr)?) => {
        /// # Safety
        ///
        /// As for [`Compress`](crate::kernel::abi::Compress).
        pub(in crate::kernel::x86) unsafe fn $name(
            state: &mut [$int],
            stride: usize,
            data: &[&[u8]],
            blocks: usize,
        ) {
            /// # Safety
            ///
            /// The CPU has the text's instructions; `state` is of so many words,
            /// `blocks` is not 0, and `data` has so many blocks.
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
            // SAFETY: the caller vouches for the features and the lengths; a table
            // is read as the text that it was made for reads it.
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
