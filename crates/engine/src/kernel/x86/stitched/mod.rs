//! One message: the schedule in vector registers interleaved with rounds in general registers, a
//! few rounds ahead and across block boundaries. Also SHA-1's rounds with the SHA instructions, in
//! an order that compilers do not choose.
//!
//! `lanesum-graph stitch` generates the `.s` files in this directory; a test there regenerates
//! them. Each reads one table: K and byte shuffles.

use lanesum_spec::sha1;
use lanesum_spec::sha2::{Sha256, Sha512, Variant};

mod iterate;

use super::text::text_kernel;
use crate::kernel::abi::FunctionsOf;
use crate::kernel::copied::copied_finish;
use crate::kernel::entry::kernel;
use crate::kernel::iterate::Link;

/// The table a kernel reads: K of every round, repeated for each block that a register holds; then
/// the byte shuffles.
#[repr(C, align(64))]
struct Table<I, const N: usize, const BYTES: usize> {
    k: [I; N],
    orders: [[u8; BYTES]; 3],
}

/// Builds a table: each 16 bytes of `$k` are repeated to fill a register of `$bytes` bytes, `$n`
/// words in all.
macro_rules! table {
    ($int:ty, $k:expr, $orders:expr, $bytes:literal, $n:literal) => {{
        let quad = 16 / size_of::<$int>();
        let mut k = [0; $n];
        let mut i = 0;
        while i < $n {
            k[i] = $k[i / (quad * $bytes / 16) * quad + i % quad];
            i += 1;
        }
        let mut orders = [[0; $bytes]; 3];
        let mut i = 0;
        while i < 3 * $bytes {
            orders[i / $bytes][i % $bytes] = $orders[i / $bytes][i % 16];
            i += 1;
        }
        Table { k, orders }
    }};
}

/// The shuffle that reverses the bytes of each word.
const fn reversed(word: usize) -> [u8; 16] {
    let mut order = [0; 16];
    let mut i = 0;
    while i < 16 {
        order[i] = (i ^ (word - 1)) as u8;
        i += 1;
    }
    order
}

/// The shuffle index that yields zero.
const NONE: u8 = 0x80;

/// The shuffle that moves words 0 and 2 of four to words `at` and `at + 1` and zeroes the rest.
const fn packed(at: usize) -> [u8; 16] {
    let mut order = [NONE; 16];
    let mut i = 0;
    while i < 8 {
        order[4 * at + i] = (i / 4 * 8 + i % 4) as u8;
        i += 1;
    }
    order
}

/// The shuffle that applies ROTR^8 to words of eight bytes.
const fn rotated() -> [u8; 16] {
    let mut order = [0; 16];
    let mut i = 0;
    while i < 16 {
        order[i] = (i / 8 * 8 + (i + 1) % 8) as u8;
        i += 1;
    }
    order
}

/// K_t of SHA-1 for rounds 0, 20, 40 and 60, four copies each.
const K1: [u32; 16] = {
    let mut k = [0; 16];
    let mut i = 0;
    while i < 16 {
        k[i] = sha1::K[i / 4];
        i += 1;
    }
    k
};
const K256: [u32; 80] = Sha256::K;
const K512: [u64; 80] = Sha512::K;
const ORDERS32: [[u8; 16]; 3] = [reversed(4), packed(0), packed(2)];
const ORDERS64: [[u8; 16]; 3] = [reversed(8), rotated(), [0; 16]];

/// Defines a stitched kernel's functions for one family: its assembly over whole blocks, `$finish`,
/// and the loop of PBKDF2 that calls the assembly.
macro_rules! of_family {
    ($name:ident, $finish:ident, $iterate:ident, $family:ty, $int:ty, $words:literal, $file:expr,
        $($table:tt)+) => {
        text_kernel!($name, $int, $words, $file, $($table)+);
        copied_finish!($finish, $int, $family, $name, 1);

        /// # Safety
        ///
        /// See [`Iterate`](crate::kernel::abi::Iterate).
        pub(super) unsafe fn $iterate(
            chains: [&[$int]; 2],
            link: &Link<$int>,
            u: &mut [$int],
            sum: &mut [$int],
            stride: usize,
            iterations: $crate::kernel::iterate::Iterations,
        ) {
            let compress = |words: &mut [$int; $words], block: &[_; size_of::<$int>()]| {
                let block: *const [_; size_of::<$int>()] = block;
                // SAFETY: `words` has `$words` words, and `block` is one block; the caller
                // guarantees the features.
                unsafe { $name::run(words.as_mut_ptr(), block.cast(), 1) };
            };
            // SAFETY: the caller guarantees the CPU features and all lengths.
            unsafe { iterate::by(compress, chains, link, u, sum, stride, iterations) }
        }
    };
}

/// Defines a stitched kernel: name, tier, features, register size in bytes, and for each family the
/// words of its table and its `.s` file.
macro_rules! stitched_kernel {
    ($kernel:ident = $name:ident, $tier:ident, $features:tt, $bytes:literal,
     $k1:literal $sha1:literal, $k256:literal $sha256:literal, $k512:literal $sha512:literal) => {
        kernel!($kernel = $name, $tier, lanes = 1, features = $features,
            Sha1: FunctionsOf::new($name::sha1, $name::sha1_finish, $name::sha1_iterate),
            Sha256: FunctionsOf::new($name::sha256, $name::sha256_finish, $name::sha256_iterate),
            Sha512: FunctionsOf::new($name::sha512, $name::sha512_finish, $name::sha512_iterate),
        );

        pub(super) mod $name {
            use super::*;
            of_family!(sha1, sha1_finish, sha1_iterate, lanesum_spec::sha1::Sha1, u32, 5, $sha1,
                table: Table<u32, $k1, $bytes> = table!(u32, K1, ORDERS32, $bytes, $k1));
            of_family!(sha256, sha256_finish, sha256_iterate, Sha256, u32, 8, $sha256,
                table: Table<u32, $k256, $bytes> = table!(u32, K256, ORDERS32, $bytes, $k256));
            of_family!(sha512, sha512_finish, sha512_iterate, Sha512, u64, 8, $sha512,
                table: Table<u64, $k512, $bytes> = table!(u64, K512, ORDERS64, $bytes, $k512));
        }
    };
}
/// Assembly that the SHA instruction kernels run for one message.
pub(super) mod sha_ni_x1 {
    use super::*;
    text_kernel!(sha1, u32, 5, "sha1_sha_ni.s",
        table: Table<u32, 16, 16> = table!(u32, K1, ORDERS32, 16, 16));
}

stitched_kernel!(SSE2_X1 = sse2_x1, Sse2, ["sse2"], 16,
    16 "sha1_sse2.s", 64 "sha256_sse2.s", 80 "sha512_sse2.s");
stitched_kernel!(SSSE3_X1 = ssse3_x1, Ssse3, ["ssse3"], 16,
    16 "sha1_ssse3.s", 64 "sha256_ssse3.s", 80 "sha512_ssse3.s");
stitched_kernel!(AVX_X1 = avx_x1, Avx, ["avx"], 16,
    16 "sha1_avx.s", 64 "sha256_avx.s", 80 "sha512_avx.s");
stitched_kernel!(AVX2_X1 = avx2_x1, Avx2, ["avx2", "bmi1", "bmi2"], 32,
    32 "sha1_avx2.s", 128 "sha256_avx2.s", 160 "sha512_avx2.s");
stitched_kernel!(AVX512_X1 = avx512_x1, Avx512, ["avx512f", "avx512vl", "bmi1", "bmi2"], 32,
    32 "sha1_avx512.s", 128 "sha256_avx512.s", 160 "sha512_avx512.s");
