//! The loop of PBKDF2 (RFC 8018 §5.2) and of hash chains inside a kernel. Each digest is the next message
//! and stays in words.

use lanesum_spec::{Algorithm, Int};

/// Turns the chaining value of one hash into the last block of the next: word i of the block is
/// `(word & mask[i]) + pad[i]`.
///
/// The machine-code proof depends on this layout.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Link<I> {
    /// The padding after the digest: one bit, zeros, the length.
    pub(crate) pad: [I; 16],
    /// The bits of the chaining value that are part of the digest.
    pub(crate) mask: [I; 8],
}

impl<I: Int> Link<I> {
    /// Pads a digest that follows one block of key.
    pub(crate) fn new(algorithm: Algorithm) -> Self {
        Self::after(algorithm.block_len(), algorithm)
    }

    /// Pads a digest that is the whole message.
    pub(crate) fn unkeyed(algorithm: Algorithm) -> Self {
        Self::after(0, algorithm)
    }

    /// Pads a digest that follows `before` bytes of its message: whole blocks.
    fn after(before: usize, algorithm: Algorithm) -> Self {
        let (family, len) = (algorithm.family(), algorithm.digest_len());
        let word = |bytes: u64| {
            let word = I::truncate(bytes >> (64 - I::BITS));
            if family.is_big_endian() { word } else { word.swap_bytes() }
        };
        // The digest has `whole` whole words and `rest` bytes of the next.
        let (whole, rest) = (len / I::BYTES, len % I::BYTES);
        let mut mask = [word(u64::MAX); 8];
        if let Some(([partial], left_out)) = mask[whole..].split_first_chunk_mut() {
            *partial = word(!(u64::MAX >> (8 * rest)));
            left_out.fill(I::ZERO);
        }
        let mut pad = [I::ZERO; 16];
        pad[whole] = word(0x80 << (56 - 8 * rest));
        let bits = I::truncate(8 * (before + len) as u64);
        pad[if family.is_big_endian() { 15 } else { 14 }] = bits;
        Self { pad, mask }
    }
}

/// The two hashes of HMAC.
#[derive(Clone, Copy)]
pub(crate) enum Half {
    Inner,
    Outer,
}

/// The iterations that [`Iterate`](super::abi::Iterate) runs.
#[derive(Clone, Copy)]
pub(crate) struct Iterations {
    /// The hash to start from: 0, the inner, or 1, the outer.
    pub(super) first_hash: usize,
    pub(super) count: u32,
}

/// The loop over iterations of a kernel: `$hash` runs one hash of HMAC, the inner one if `$half` is
/// 0, and `$add` runs after the outer one. (A function would need closures, which the compiler may
/// compile without the kernel's target features.)
macro_rules! iterate {
    ($iterations:expr, $half:ident => $hash:block, $add:block) => {
        let $crate::kernel::iterate::Iterations { first_hash: mut $half, count: mut left } = $iterations;
        while left > 0 {
            // One copy of the compression function, for the instruction cache.
            while $half < 2 {
                $hash
                $half += 1;
            }
            $add
            $half = 0;
            left -= 1;
        }
    };
}
pub(super) use iterate;
