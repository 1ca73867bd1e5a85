//! Overwrites registers and memory that contain words of a message or a key.

use core::mem::MaybeUninit;

/// Clears every caller-saved general and vector register on x86-64. A later call may save all of them on
/// the stack, as the dynamic linker does when it resolves a function. Mask registers only contain
/// lengths, not words of a message.
#[inline(always)]
pub(crate) fn clear_registers() {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use core::arch::asm;

        use crate::base::has;

        // SAFETY: the CPU has the registers, and the clobber list declares all of them.
        unsafe {
            if has!("avx512f") {
                asm!(
                    "vzeroall",
                    "vpxord zmm16, zmm16, zmm16",
                    "vpxord zmm17, zmm17, zmm17",
                    "vpxord zmm18, zmm18, zmm18",
                    "vpxord zmm19, zmm19, zmm19",
                    "vpxord zmm20, zmm20, zmm20",
                    "vpxord zmm21, zmm21, zmm21",
                    "vpxord zmm22, zmm22, zmm22",
                    "vpxord zmm23, zmm23, zmm23",
                    "vpxord zmm24, zmm24, zmm24",
                    "vpxord zmm25, zmm25, zmm25",
                    "vpxord zmm26, zmm26, zmm26",
                    "vpxord zmm27, zmm27, zmm27",
                    "vpxord zmm28, zmm28, zmm28",
                    "vpxord zmm29, zmm29, zmm29",
                    "vpxord zmm30, zmm30, zmm30",
                    "vpxord zmm31, zmm31, zmm31",
                    clobber_abi("C"),
                    options(nomem, nostack),
                );
            } else if has!("avx") {
                asm!("vzeroall", clobber_abi("C"), options(nomem, nostack));
            } else {
                asm!(
                    "pxor xmm0, xmm0",
                    "pxor xmm1, xmm1",
                    "pxor xmm2, xmm2",
                    "pxor xmm3, xmm3",
                    "pxor xmm4, xmm4",
                    "pxor xmm5, xmm5",
                    "pxor xmm6, xmm6",
                    "pxor xmm7, xmm7",
                    "pxor xmm8, xmm8",
                    "pxor xmm9, xmm9",
                    "pxor xmm10, xmm10",
                    "pxor xmm11, xmm11",
                    "pxor xmm12, xmm12",
                    "pxor xmm13, xmm13",
                    "pxor xmm14, xmm14",
                    "pxor xmm15, xmm15",
                    clobber_abi("C"),
                    options(nomem, nostack),
                );
            }
            asm!(
                "xor eax, eax",
                "xor ecx, ecx",
                "xor edx, edx",
                "xor esi, esi",
                "xor edi, edi",
                "xor r8d, r8d",
                "xor r9d, r9d",
                "xor r10d, r10d",
                "xor r11d, r11d",
                clobber_abi("C"),
                options(nomem, nostack),
            );
        }
    }
}

/// Overwrites `bytes` with zeros that the optimizer cannot remove. With AVX-512 it stores 64 bytes at a
/// time, in half the time of a call to `memset`.
///
/// # Panics
///
/// If `bytes` is shorter than 512 bytes.
#[inline(always)]
pub(crate) fn clear_bytes(bytes: &mut [MaybeUninit<u8>]) {
    assert!(bytes.len() >= 512);
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if crate::base::has!("avx512f") {
        let range = bytes.as_mut_ptr_range();
        // SAFETY: the CPU has the instructions. All stores are within `bytes`: the first 64 bytes, the last 256,
        // and between them every 256 from the first multiple of 64 on. (The CPU predicts the exit of a loop with
        // few iterations.)
        unsafe {
            core::arch::asm!(
                "vpxor xmm0, xmm0, xmm0",
                "vmovdqu64 [{at}], zmm0",
                "add {at}, 63",
                "and {at}, -64",
                "2:",
                "vmovdqa64 [{at}], zmm0",
                "vmovdqa64 [{at} + 64], zmm0",
                "vmovdqa64 [{at} + 128], zmm0",
                "vmovdqa64 [{at} + 192], zmm0",
                "add {at}, 256",
                "cmp {at}, {last}",
                "jb 2b",
                "vmovdqu64 [{last}], zmm0",
                "vmovdqu64 [{last} + 64], zmm0",
                "vmovdqu64 [{last} + 128], zmm0",
                "vmovdqu64 [{last} + 192], zmm0",
                at = inout(reg) range.start => _,
                last = in(reg) range.end.sub(256),
                out("xmm0") _,
                options(nostack),
            );
        }
        return;
    }
    bytes.fill(MaybeUninit::new(0));
    zeroize::optimization_barrier(bytes);
}
