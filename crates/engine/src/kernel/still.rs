//! What the compiler is to know nothing of: it would be clever with it, and lose by that.

use core::arch::asm;

/// The same number. The compiler would keep what comes of it in a register of its own from block to
/// block, or make a vector of such numbers.
#[inline(always)]
pub(in crate::kernel) fn still(mut number: usize) -> usize {
    // SAFETY: no instruction at all.
    unsafe {
        asm!("/* {0} */", inout(reg) number, options(pure, nomem, nostack, preserves_flags));
    }
    number
}

/// The same slices. The compiler would work out what comes of every length before the first block, and
/// mostly in vain.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(in crate::kernel) fn anew<'d>(data: &'d [&'d [u8]]) -> &'d [&'d [u8]] {
    let mut start = data.as_ptr();
    // SAFETY: no instruction at all: the slices are where they were.
    unsafe {
        asm!("/* {0} */", inout(reg) start, options(pure, readonly, nostack, preserves_flags));
        core::slice::from_raw_parts(start, data.len())
    }
}
