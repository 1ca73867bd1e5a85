//! SHA-3 and SHAKE, FIPS 202, with the API of newer versions of libmd (`<sha3.h>`), such as
//! `SHA3_256_Init`. The permutation is from the crate `keccak`; the engine has no kernels for it.
#![allow(clippy::missing_safety_doc, reason = "the system's manual page has it")]

use core::ffi::c_int;

use keccak::Keccak;

use crate::door::{barrier, bytes, copy_in, copy_out, put};
use crate::layout::Sha3;

/// A function of the family.
#[derive(Clone, Copy)]
struct Function {
    /// The number of bytes absorbed per permutation.
    rate: usize,
    /// The domain suffix and the first padding bit: 01 or 1111, then 1 (FIPS 202 §6).
    suffix: u8,
}

impl Function {
    /// SHA3-d, whose capacity is twice the digest length (FIPS 202 §6.1).
    const fn sha3(digest_len: usize) -> Self {
        Self { rate: 200 - 2 * digest_len, suffix: 0x06 }
    }

    /// SHAKE with a security strength of `bits` bits (FIPS 202 §6.2).
    const fn shake(bits: usize) -> Self {
        Self { rate: 200 - bits / 4, suffix: 0x1f }
    }
}

impl Sha3 {
    /// The context of a finished message, with no trace of it.
    const FINISHED: Self = Self { state: [0; 25], room: 0 };

    fn new(function: Function) -> Self {
        Self { state: [0; 25], room: function.rate as u32 }
    }

    /// Returns the number of bytes absorbed since the last permutation.
    fn filled(&self, function: Function) -> usize {
        // Clamp an out-of-range value left by another writer.
        function.rate - (self.room as usize).clamp(1, function.rate)
    }

    fn permute(&mut self) {
        Keccak::new().with_f1600(|f1600| f1600(&mut self.state));
    }

    /// XORs a byte into the state, whose words are little-endian (FIPS 202 §B.1).
    fn add(&mut self, at: usize, byte: u8) {
        self.state[at / 8] ^= u64::from(byte) << (8 * (at % 8));
    }

    fn update(&mut self, function: Function, mut data: &[u8]) {
        let mut filled = self.filled(function);
        while !data.is_empty() {
            let (head, rest) = data.split_at(data.len().min(function.rate - filled));
            if filled == 0 && head.len() == function.rate {
                for (word, bytes) in self.state.iter_mut().zip(head.as_chunks().0) {
                    *word ^= u64::from_le_bytes(*bytes);
                }
            } else {
                head.iter().zip(filled..).for_each(|(&byte, at)| self.add(at, byte));
            }
            filled += head.len();
            if filled == function.rate {
                self.permute();
                filled = 0;
            }
            data = rest;
        }
        self.room = (function.rate - filled) as u32;
    }

    /// Finishes the message, and fills `out` with output.
    fn finish(mut self, function: Function, out: &mut [u8]) {
        self.add(self.filled(function), function.suffix);
        self.add(function.rate - 1, 0x80);
        for block in out.chunks_mut(function.rate) {
            self.permute();
            for (to, word) in block.chunks_mut(8).zip(self.state) {
                to.copy_from_slice(&word.to_le_bytes()[..to.len()]);
            }
        }
    }
}

/// `…_Final`: writes `len` bytes to `out`, and overwrites the context.
unsafe fn last(function: Function, out: *mut u8, len: usize, context: *mut Sha3) {
    barrier((), || {
        // Read the context before writing, since the output may overlap it.
        // SAFETY: the caller guarantees a valid context.
        let sha3 = unsafe { copy_in(context)? };
        // SAFETY: the caller guarantees a valid context.
        unsafe { copy_out(context, Sha3::FINISHED)? };
        if len > isize::MAX as usize {
            return None;
        }
        let mut output = vec![0; len];
        sha3.finish(function, &mut output);
        // SAFETY: the caller guarantees `len` writable bytes.
        unsafe { put(out, &output) }
    });
}

macro_rules! function {
    ($module:ident, $prefix:literal, $function:expr, |$last:ident| $($arguments:tt)*) => {
        #[doc = concat!("`", $prefix, "_Init` and its like.")]
        pub mod $module {
            use super::*;

            const FUNCTION: Function = $function;

            #[doc = concat!("`", $prefix, "_Init`.")]
            #[unsafe(export_name = concat!($prefix, "_Init"))]
            pub unsafe extern "C" fn init(context: *mut Sha3) {
                // SAFETY: the caller guarantees memory for a context.
                barrier((), || unsafe { copy_out(context, Sha3::new(FUNCTION)) });
            }

            #[doc = concat!("`", $prefix, "_Update`.")]
            #[unsafe(export_name = concat!($prefix, "_Update"))]
            pub unsafe extern "C" fn update(context: *mut Sha3, data: *const u8, len: usize) {
                barrier((), || {
                    // SAFETY: the caller guarantees a valid context and `len` readable bytes.
                    unsafe {
                        let data = bytes(data, len)?;
                        let mut sha3 = copy_in(context)?;
                        sha3.update(FUNCTION, data);
                        copy_out(context, sha3)
                    }
                });
            }

            function!($last $prefix $($arguments)*);
        }
    };
    (of_its_length $prefix:literal, $len:literal) => {
        #[doc = concat!("`", $prefix, "_Final`.")]
        #[unsafe(export_name = concat!($prefix, "_Final"))]
        pub unsafe extern "C" fn last(digest: *mut u8, context: *mut Sha3) {
            // SAFETY: the caller guarantees a valid context and room for a digest.
            unsafe { super::last(FUNCTION, digest, $len, context) };
        }
    };
    (of_any_length $prefix:literal) => {
        #[doc = concat!("`", $prefix, "_Final`.")]
        #[unsafe(export_name = concat!($prefix, "_Final"))]
        pub unsafe extern "C" fn last(out: *mut u8, len: usize, context: *mut Sha3) {
            // SAFETY: the caller guarantees a valid context and `len` writable bytes.
            unsafe { super::last(FUNCTION, out, len, context) };
        }
    };
}

function!(sha3_224, "SHA3_224", Function::sha3(28), |of_its_length| , 28);
function!(sha3_256, "SHA3_256", Function::sha3(32), |of_its_length| , 32);
function!(sha3_384, "SHA3_384", Function::sha3(48), |of_its_length| , 48);
function!(sha3_512, "SHA3_512", Function::sha3(64), |of_its_length| , 64);
function!(shake128, "SHAKE128", Function::shake(128), |of_any_length|);
function!(shake256, "SHAKE256", Function::shake(256), |of_any_length|);

/// `SHA3_Selftest`: returns 0 if every function computes the published digest of the empty message,
/// else -1.
#[unsafe(export_name = "SHA3_Selftest")]
pub extern "C" fn selftest() -> c_int {
    // The first bytes of the digests in NIST's FIPS 202 examples.
    let published: [(Function, [u8; 4]); 6] = [
        (Function::sha3(28), [0x6b, 0x4e, 0x03, 0x42]),
        (Function::sha3(32), [0xa7, 0xff, 0xc6, 0xf8]),
        (Function::sha3(48), [0x0c, 0x63, 0xa7, 0x5b]),
        (Function::sha3(64), [0xa6, 0x9f, 0x73, 0xcc]),
        (Function::shake(128), [0x7f, 0x9c, 0x2b, 0xa4]),
        (Function::shake(256), [0x46, 0xb9, 0xdd, 0x2b]),
    ];
    barrier(-1, || {
        let right = published.iter().all(|&(function, first)| {
            let mut out = [0; 4];
            Sha3::new(function).finish(function, &mut out);
            out == first
        });
        right.then_some(0)
    })
}
