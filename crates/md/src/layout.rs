//! Contexts as libmd's headers declare them, from `<md2.h>` to `<sha2.h>`, and `<sha1dc/sha1.h>`. The
//! fields have the same meaning as in the original libraries, so that either library can finish a message
//! that the other began.

use core::ffi::c_int;

/// `MD2_CTX`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Md2 {
    /// The end of the message so far in `x`.
    pub(crate) end: u32,
    pub(crate) checksum: [u8; 16],
    pub(crate) x: [u8; 48],
}

/// The common layout of the other contexts: chaining value, length of the message so far in bits,
/// and the bytes of its last block.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Layout<W, L, const BLOCK: usize> {
    pub(crate) words: W,
    pub(crate) bits: L,
    pub(crate) block: [u8; BLOCK],
}

/// `MD4_CTX`, `MD5_CTX` (N = 4); `SHA1_CTX`, `RMD160_CTX` (N = 5).
pub type Small<const N: usize> = Layout<[u32; N], u64, 64>;

/// `SHA2_CTX`: eight words of 64 bits, or eight words of 32 bits and unused bytes. The low half of
/// the length is first.
pub type Sha2 = Layout<[[u8; 8]; 8], [u64; 2], 128>;

/// FreeBSD's `SHA256_CTX`: 104 bytes, aligned to 4 rather than 8. OpenSSL's context is at least as
/// large. The low half of the length is first.
pub type Half = Layout<[u32; 8], [u32; 2], 64>;

/// FreeBSD's and OpenSSL's `SHA_CTX`, `SHA1_CTX` and `RIPEMD160_CTX`: [`Half`] with five words. It
/// uses 92 of their 96 bytes.
pub type Short = Layout<[u32; 5], [u32; 2], 64>;

/// `SHA2_CTX` of our header for Solaris's functions: 216 bytes, as on Solaris.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Solaris {
    pub(crate) sha2: Sha2,
    /// The mechanism, and the mechanism plus 1, which detects uninitialized memory.
    pub(crate) mechanism: [u32; 2],
}

/// `SHA3_224_CTX` to `SHAKE256_CTX`, of `<sha3.h>`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Sha3 {
    /// The state, with the message so far absorbed.
    pub(crate) state: [u64; 25],
    /// The number of bytes to absorb before the next permutation, never 0.
    pub(crate) room: u32,
}

/// The used fields of `SHA1_CTX` of `<sha1dc/sha1.h>`. The last field of `Settings`, a pointer, is
/// followed by memory for intermediate results, which remains as it is.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Sha1Dc {
    /// The length of the message so far, in bytes.
    pub(crate) total: u64,
    pub(crate) words: [u32; 5],
    pub(crate) block: [u8; 64],
    /// Not 0 if a collision was found.
    pub(crate) found_collision: c_int,
    pub(crate) settings: Settings,
}

/// The settings in `SHA1_CTX` of `<sha1dc/sha1.h>`. The numbers are 0 or not 0.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Settings {
    pub(crate) safe_hash: c_int,
    pub(crate) detect_coll: c_int,
    pub(crate) ubc_check: c_int,
    pub(crate) reduced_round_coll: c_int,
    pub(crate) callback: Option<Callback>,
}

/// `collision_block_callback` of `<sha1dc/sha1.h>`. Arguments: the offset of a block of a collision in the
/// message; the chaining values before the block and before the other message's block; the schedules
/// of both blocks.
pub type Callback = unsafe extern "C" fn(u64, *const u32, *const u32, *const u32, *const u32);

// On 64-bit targets, C aligns 64-bit integers to 8 bytes.
#[cfg(target_pointer_width = "64")]
const _: () = {
    assert!(size_of::<Md2>() == 68 && align_of::<Md2>() == 4);
    assert!(size_of::<Small<4>>() == 88 && size_of::<Small<5>>() == 96);
    assert!(size_of::<Sha2>() == 208 && align_of::<Sha2>() == 8);
    assert!(size_of::<Half>() == 104 && align_of::<Half>() == 4);
    assert!(size_of::<Short>() == 92 && align_of::<Short>() == 4);
    assert!(size_of::<Solaris>() == 216);
    assert!(size_of::<Sha3>() == 208 && align_of::<Sha3>() == 8);
    assert!(size_of::<Sha1Dc>() == 120 && align_of::<Sha1Dc>() == 8);
};
