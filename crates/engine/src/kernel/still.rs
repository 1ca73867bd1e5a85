//! What the compiler is to know nothing of: it would be clever with it, and lose by that.

use core::arch::asm;

/// The same number. The compiler would keep what comes of it in a register of its own from block to
/// block.
#[inline(always)]
pub(in crate::kernel) fn still(mut number: usize) -> usize {
    // SAFETY: no instruction at all.
    unsafe {
        asm!("/* {0} */", inout(reg) number, options(pure, nomem, nostack, preserves_flags));
    }
    number
}
