//! NEON, which every AArch64 with an operating system has: four lanes of 32 bits, two of 64.

use core::arch::aarch64::*;
use core::arch::asm;

use crate::kernel::vector::kernel::lane_kernel;
use crate::kernel::vector::simd::{at, simd_word};

simd_word! {
    /// Four lanes of 32 bits.
    Neonx4(uint32x4_t): 4 of u32 as i32 {
        load: vld1q_u32, store: vst1q_u32, splat: splat32,
        add: vaddq_u32, sub: vsubq_u32, and: vandq_u32, xor: veorq_u32,
        rotr: |x, n: u32| vorrq_u32(shr32(x, n), shl32(x, 32 - n)),
        shr: shr32,
        transpose: transpose32,
        pin: pin32, short: false,
        // BSL selects bits of y where x is set, else of z. Where x and y differ, z is the majority.
        ch: |x, y, z| vbslq_u32(x, y, z),
        maj: |x, y, z| vbslq_u32(veorq_u32(x, y), z, y),
    }
}

simd_word! {
    /// Two lanes of 64 bits, otherwise as [`Neonx4`].
    Neonx2(uint64x2_t): 2 of u64 as i64 {
        load: vld1q_u64, store: vst1q_u64, splat: splat64,
        add: vaddq_u64, sub: vsubq_u64, and: vandq_u64, xor: veorq_u64,
        rotr: |x, n: u32| vorrq_u64(shr64(x, n), shl64(x, 64 - n)),
        shr: shr64,
        transpose: transpose64,
        pin: pin64, short: false,
        ch: |x, y, z| vbslq_u64(x, y, z),
        maj: |x, y, z| vbslq_u64(veorq_u64(x, y), z, y),
    }
}

lane_kernel!(NEON_X4 = neon_x4, Neon, features = ["neon"], tails = copied, W32 as Neonx4);
lane_kernel!(NEON_X2 = neon_x2, Neon, features = ["neon"], tails = copied, W64 as Neonx2);

/// The word's macro splats a signed value, the only kind x86 has.
#[target_feature(enable = "neon")]
#[inline]
fn splat32(x: i32) -> uint32x4_t {
    vdupq_n_u32(x as u32)
}

#[target_feature(enable = "neon")]
#[inline]
fn splat64(x: i64) -> uint64x2_t {
    vdupq_n_u64(x as u64)
}

#[target_feature(enable = "neon")]
#[inline]
fn pin32(mut x: uint32x4_t) -> uint32x4_t {
    // SAFETY: the assembly is empty.
    unsafe { asm!("/* {0:v} */", inout(vreg) x, options(pure, nomem, nostack, preserves_flags)) };
    x
}

#[target_feature(enable = "neon")]
#[inline]
fn pin64(mut x: uint64x2_t) -> uint64x2_t {
    // SAFETY: the assembly is empty.
    unsafe { asm!("/* {0:v} */", inout(vreg) x, options(pure, nomem, nostack, preserves_flags)) };
    x
}

// Shifts by a count per lane, to the right if negative, which compilers turn into immediate shifts.
// The immediate forms need a constant, which `32 - n` cannot be.

#[target_feature(enable = "neon")]
#[inline]
fn shr32(x: uint32x4_t, n: u32) -> uint32x4_t {
    vshlq_u32(x, vdupq_n_s32(-(n as i32)))
}

#[target_feature(enable = "neon")]
#[inline]
fn shl32(x: uint32x4_t, n: u32) -> uint32x4_t {
    vshlq_u32(x, vdupq_n_s32(n as i32))
}

#[target_feature(enable = "neon")]
#[inline]
fn shr64(x: uint64x2_t, n: u32) -> uint64x2_t {
    vshlq_u64(x, vdupq_n_s64(-i64::from(n)))
}

#[target_feature(enable = "neon")]
#[inline]
fn shl64(x: uint64x2_t, n: u32) -> uint64x2_t {
    vshlq_u64(x, vdupq_n_s64(n.into()))
}

/// Loads lane `l`'s four words from byte `offset` on.
#[target_feature(enable = "neon")]
#[inline]
unsafe fn row32(data: &[&[u8]], l: usize, offset: usize, big_endian: bool) -> uint32x4_t {
    // SAFETY: the caller guarantees a block in each lane.
    let bytes = unsafe { vld1q_u8(at(data, l, offset)) };
    vreinterpretq_u32_u8(if big_endian { vrev32q_u8(bytes) } else { bytes })
}

/// Loads lane `l`'s two words from byte `offset` on.
#[target_feature(enable = "neon")]
#[inline]
unsafe fn row64(data: &[&[u8]], l: usize, offset: usize, big_endian: bool) -> uint64x2_t {
    // SAFETY: the caller guarantees a block in each lane.
    let bytes = unsafe { vld1q_u8(at(data, l, offset)) };
    vreinterpretq_u64_u8(if big_endian { vrev64q_u8(bytes) } else { bytes })
}

/// Transposes the 64-byte blocks of four lanes into sixteen words of four lanes.
#[target_feature(enable = "neon")]
#[inline]
unsafe fn transpose32(data: &[&[u8]], offset: usize, big_endian: bool) -> [uint32x4_t; 16] {
    let mut w = [vdupq_n_u32(0); 16];
    let mut t = 0;
    while t < 16 {
        // SAFETY: the caller guarantees a block in each lane.
        let [a, b, c, d] = unsafe {
            let row = |l| row32(data, l, offset + 4 * t, big_endian);
            [row(0), row(1), row(2), row(3)]
        };
        // Words t and t + 2, or t + 1 and t + 3, of two lanes.
        let ab_even = vreinterpretq_u64_u32(vtrn1q_u32(a, b));
        let ab_odd = vreinterpretq_u64_u32(vtrn2q_u32(a, b));
        let cd_even = vreinterpretq_u64_u32(vtrn1q_u32(c, d));
        let cd_odd = vreinterpretq_u64_u32(vtrn2q_u32(c, d));
        w[t] = vreinterpretq_u32_u64(vtrn1q_u64(ab_even, cd_even));
        w[t + 1] = vreinterpretq_u32_u64(vtrn1q_u64(ab_odd, cd_odd));
        w[t + 2] = vreinterpretq_u32_u64(vtrn2q_u64(ab_even, cd_even));
        w[t + 3] = vreinterpretq_u32_u64(vtrn2q_u64(ab_odd, cd_odd));
        t += 4;
    }
    w
}

/// Transposes the 128-byte blocks of two lanes into sixteen words of two lanes.
#[target_feature(enable = "neon")]
#[inline]
unsafe fn transpose64(data: &[&[u8]], offset: usize, big_endian: bool) -> [uint64x2_t; 16] {
    let mut w = [vdupq_n_u64(0); 16];
    let mut t = 0;
    while t < 16 {
        // SAFETY: the caller guarantees a block in each lane.
        let [a, b] = unsafe {
            let row = |l| row64(data, l, offset + 8 * t, big_endian);
            [row(0), row(1)]
        };
        w[t] = vtrn1q_u64(a, b);
        w[t + 1] = vtrn2q_u64(a, b);
        t += 2;
    }
    w
}
