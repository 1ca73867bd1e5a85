//! SHA-256 and SHA-512, FIPS 180-4 §6.2 and §6.4: one implementation for two sets of constants. The
//! other members of the family differ only in their IVs.

use core::ops::Add;

use crate::{Compression, Expanded, Hints, Int, MAX_EXPANDED, Word, unroll};

/// SHA-256's compression function, FIPS 180-4 §6.2.2.
#[derive(Clone, Copy, Debug)]
pub struct Sha256;

/// SHA-512's compression function, FIPS 180-4 §6.4.2.
#[derive(Clone, Copy, Debug)]
pub struct Sha512;

/// The constants that distinguish SHA-256 and SHA-512.
pub trait Variant {
    /// The word's integer.
    type Int: Int;
    /// The number of rounds, a multiple of sixteen.
    const ROUNDS: usize;
    /// K_t, FIPS 180-4 §4.2.2 and §4.2.3; `K[t]` for t < ROUNDS.
    const K: [Self::Int; 80];
    /// The rotations of Σ0, FIPS 180-4 §4.1.2 and §4.1.3.
    const BIG_SIGMA0: [u32; 3];
    /// The rotations of Σ1.
    const BIG_SIGMA1: [u32; 3];
    /// Two rotations and a shift: σ0.
    const SIGMA0: [u32; 3];
    /// Two rotations and a shift: σ1.
    const SIGMA1: [u32; 3];
}

impl Variant for Sha256 {
    type Int = u32;
    const ROUNDS: usize = 64;
    const K: [u32; 80] = high_halves(K512);
    const BIG_SIGMA0: [u32; 3] = [2, 13, 22];
    const BIG_SIGMA1: [u32; 3] = [6, 11, 25];
    const SIGMA0: [u32; 3] = [7, 18, 3];
    const SIGMA1: [u32; 3] = [17, 19, 10];
}

impl Variant for Sha512 {
    type Int = u64;
    const ROUNDS: usize = 80;
    const K: [u64; 80] = K512;
    const BIG_SIGMA0: [u32; 3] = [28, 34, 39];
    const BIG_SIGMA1: [u32; 3] = [14, 18, 41];
    const SIGMA0: [u32; 3] = [1, 8, 7];
    const SIGMA1: [u32; 3] = [19, 61, 6];
}

/// Σ0 or Σ1: the sum of three rotations.
#[inline(always)]
pub fn big_sigma<W: Word>(x: W, [r0, r1, r2]: [u32; 3]) -> W {
    W::xor3(x.rotr(r0), x.rotr(r1), x.rotr(r2))
}

/// σ0 or σ1: the sum of two rotations and a shift.
#[inline(always)]
pub fn sigma<W: Word>(x: W, [r0, r1, s]: [u32; 3]) -> W {
    W::xor3(x.rotr(r0), x.rotr(r1), x.shr(s))
}

/// One round, FIPS 180-4 §6.2.2 step 3. `wk` is W_t + K_t, a word or a constant. It contains no
/// state word, so its sum is off the critical path.
#[inline(always)]
pub fn round<V, W, X>([a, b, c, d, e, f, g, h]: [W; 8], wk: X) -> [W; 8]
where
    V: Variant,
    W: Word<Int = V::Int> + Add<X, Output = W>,
{
    let big_sigma1 = big_sigma(e, V::BIG_SIGMA1);
    let big_sigma0 = big_sigma(a, V::BIG_SIGMA0);
    let t1 = h + wk + W::ch(e, f, g) + big_sigma1;
    let t2 = big_sigma0 + W::maj(a, b, c);
    [t1 + t2, a, b, c, d + t1, e, f, g]
}

/// W_t for t ≥ 16 from W_{t-16}, W_{t-15}, W_{t-7} and W_{t-2},
/// FIPS 180-4 §6.2.2 step 1.
#[inline(always)]
pub fn schedule<V: Variant, W: Word<Int = V::Int>>(w16: W, w15: W, w7: W, w2: W) -> W {
    (w16 + sigma(w15, V::SIGMA0) + w7) + sigma(w2, V::SIGMA1)
}

macro_rules! compression {
    ($name:ident, $abc:expr) => {
        impl Compression<8> for $name {
            type Int = <$name as Variant>::Int;
            const EXPANDED: usize = <$name as Variant>::ROUNDS;
            const FIPS: bool = true;
            const ROUNDS: usize = <$name as Variant>::ROUNDS;
            const ABC: [u8; 4] = $abc;

            #[inline(always)]
            fn compress<W: Hints<Int = Self::Int>>(state: [W; 8], block: [W; 16]) -> [W; 8] {
                compress::<$name, W>(state, block)
            }

            #[inline]
            fn expand(block: [Self::Int; 16]) -> Expanded<Self::Int> {
                expand::<$name>(block)
            }

            #[inline(always)]
            fn compress_expanded<W>(state: [W; 8], expanded: &Expanded<Self::Int>) -> [W; 8]
            where
                W: Hints<Int = Self::Int>,
            {
                compress_expanded::<$name, W>(state, expanded)
            }
        }
    };
}
compression!(Sha256, [0xba, 0x78, 0x16, 0xbf]);
compression!(Sha512, [0xdd, 0xaf, 0x35, 0xa1]);

/// The compression function, FIPS 180-4 §6.2.2 and §6.4.2.
///
/// Sixteen rounds are unrolled, so that every index into `w` is a constant and the schedule stays
/// in registers if there are enough.
#[inline(always)]
fn compress<V: Variant, W: Hints<Int = V::Int>>(state: [W; 8], block: [W; 16]) -> [W; 8] {
    let mut w = block; // w[t % 16] is W_t: the last sixteen words
    let w = W::place(&mut w);
    let mut s = state;
    unroll!(T => {
        s = W::round::<V, W>(s, w[T] + const { V::K[T] });
        W::fence(w);
    });
    let mut t = 16;
    while t < V::ROUNDS {
        unroll!(T => {
            w[T] = schedule::<V, W>(w[T], w[(T + 1) % 16], w[(T + 9) % 16], w[(T + 14) % 16]);
            s = W::round::<V, W>(s, w[T] + V::K[t + T]);
            W::fence(w);
        });
        t += 16;
    }
    add(state, s)
}

/// Computes W_t + K_t for every round of a block.
fn expand<V: Variant>(block: [V::Int; 16]) -> Expanded<V::Int> {
    let mut w = [V::Int::ZERO; MAX_EXPANDED];
    w[..16].copy_from_slice(&block);
    for t in 16..V::ROUNDS {
        let number = |i: usize| <V::Int as Int>::Number::from(w[i]);
        w[t] =
            schedule::<V, _>(number(t - 16), number(t - 15), number(t - 7), number(t - 2)).into();
    }
    (0..V::ROUNDS).for_each(|t| w[t] = (<V::Int as Int>::Number::from(w[t]) + V::K[t]).into());
    w
}

/// Performs only the rounds, with a precomputed schedule.
#[inline(always)]
fn compress_expanded<V: Variant, W: Hints<Int = V::Int>>(
    state: [W; 8],
    wk: &Expanded<V::Int>,
) -> [W; 8] {
    let mut s = state;
    let mut t = 0;
    while t < V::ROUNDS {
        unroll!(T => { s = W::round::<V, V::Int>(s, wk[t + T]); });
        t += 16;
    }
    add(state, s)
}

/// The intermediate hash value, FIPS 180-4 §6.2.2 step 4.
#[inline(always)]
fn add<W: Word>(state: [W; 8], [a, b, c, d, e, f, g, h]: [W; 8]) -> [W; 8] {
    let [h0, h1, h2, h3, h4, h5, h6, h7] = state;
    [h0 + a, h1 + b, h2 + c, h3 + d, h4 + e, h5 + f, h6 + g, h7 + h]
}

/// K of SHA-512, FIPS 180-4 §4.2.3: the first 64 bits of the fractional parts of
/// the cube roots of the first eighty primes. K of SHA-256 is their first 32.
const K512: [u64; 80] = [
    0x428a2f98d728ae22,
    0x7137449123ef65cd,
    0xb5c0fbcfec4d3b2f,
    0xe9b5dba58189dbbc,
    0x3956c25bf348b538,
    0x59f111f1b605d019,
    0x923f82a4af194f9b,
    0xab1c5ed5da6d8118,
    0xd807aa98a3030242,
    0x12835b0145706fbe,
    0x243185be4ee4b28c,
    0x550c7dc3d5ffb4e2,
    0x72be5d74f27b896f,
    0x80deb1fe3b1696b1,
    0x9bdc06a725c71235,
    0xc19bf174cf692694,
    0xe49b69c19ef14ad2,
    0xefbe4786384f25e3,
    0x0fc19dc68b8cd5b5,
    0x240ca1cc77ac9c65,
    0x2de92c6f592b0275,
    0x4a7484aa6ea6e483,
    0x5cb0a9dcbd41fbd4,
    0x76f988da831153b5,
    0x983e5152ee66dfab,
    0xa831c66d2db43210,
    0xb00327c898fb213f,
    0xbf597fc7beef0ee4,
    0xc6e00bf33da88fc2,
    0xd5a79147930aa725,
    0x06ca6351e003826f,
    0x142929670a0e6e70,
    0x27b70a8546d22ffc,
    0x2e1b21385c26c926,
    0x4d2c6dfc5ac42aed,
    0x53380d139d95b3df,
    0x650a73548baf63de,
    0x766a0abb3c77b2a8,
    0x81c2c92e47edaee6,
    0x92722c851482353b,
    0xa2bfe8a14cf10364,
    0xa81a664bbc423001,
    0xc24b8b70d0f89791,
    0xc76c51a30654be30,
    0xd192e819d6ef5218,
    0xd69906245565a910,
    0xf40e35855771202a,
    0x106aa07032bbd1b8,
    0x19a4c116b8d2d0c8,
    0x1e376c085141ab53,
    0x2748774cdf8eeb99,
    0x34b0bcb5e19b48a8,
    0x391c0cb3c5c95a63,
    0x4ed8aa4ae3418acb,
    0x5b9cca4f7763e373,
    0x682e6ff3d6b2b8a3,
    0x748f82ee5defb2fc,
    0x78a5636f43172f60,
    0x84c87814a1f0ab72,
    0x8cc702081a6439ec,
    0x90befffa23631e28,
    0xa4506cebde82bde9,
    0xbef9a3f7b2c67915,
    0xc67178f2e372532b,
    0xca273eceea26619c,
    0xd186b8c721c0c207,
    0xeada7dd6cde0eb1e,
    0xf57d4f7fee6ed178,
    0x06f067aa72176fba,
    0x0a637dc5a2c898a6,
    0x113f9804bef90dae,
    0x1b710b35131c471b,
    0x28db77f523047d84,
    0x32caab7b40c72493,
    0x3c9ebe0a15c9bebc,
    0x431d67c49c100d4c,
    0x4cc5d4becb3e42b6,
    0x597f299cfc657e2a,
    0x5fcb6fab3ad6faec,
    0x6c44198c4a475817,
];

/// SHA-512's IV, FIPS 180-4 §5.3.5: the first 64 bits of the fractional parts of
/// the square roots of the first eight primes.
pub const IV512: [u64; 8] = [
    0x6a09e667f3bcc908,
    0xbb67ae8584caa73b,
    0x3c6ef372fe94f82b,
    0xa54ff53a5f1d36f1,
    0x510e527fade682d1,
    0x9b05688c2b3e6c1f,
    0x1f83d9abfb41bd6b,
    0x5be0cd19137e2179,
];

/// SHA-384's IV, FIPS 180-4 §5.3.4: the first 64 bits of the fractional parts of the square roots
/// of the ninth to sixteenth primes.
pub const IV384: [u64; 8] = [
    0xcbbb9d5dc1059ed8,
    0x629a292a367cd507,
    0x9159015a3070dd17,
    0x152fecd8f70e5939,
    0x67332667ffc00b31,
    0x8eb44a8768581511,
    0xdb0c2e0d64f98fa7,
    0x47b5481dbefa4fa4,
];

/// SHA-512/224's IV, FIPS 180-4 §5.3.6.1: the result of `sha512_t_iv(224)`.
pub const IV512_224: [u64; 8] = [
    0x8c3d37c819544da2,
    0x73e1996689dcd4d6,
    0x1dfab7ae32ff9c82,
    0x679dd514582f9fcf,
    0x0f6d2b697bd44da8,
    0x77e36f7304c48942,
    0x3f9d85a86a1d36c8,
    0x1112e6ad91d692a1,
];

/// SHA-512/256's IV, FIPS 180-4 §5.3.6.2: the result of `sha512_t_iv(256)`.
pub const IV512_256: [u64; 8] = [
    0x22312194fc2bf72c,
    0x9f555fa3c84c64c2,
    0x2393b86b6f53b151,
    0x963877195940eabd,
    0x96283ee2a88effe3,
    0xbe5e1e2553863992,
    0x2b0199fc2c85b8aa,
    0x0eb72ddc81c52ca2,
];

/// SHA-256's IV, FIPS 180-4 §5.3.3: the first 32 bits of SHA-512's IV words.
pub const IV256: [u32; 8] = high_halves(IV512);

/// SHA-224's IV, FIPS 180-4 §5.3.2: the second 32 bits of SHA-384's IV words.
pub const IV224: [u32; 8] = {
    let mut low = [0; 8];
    let mut i = 0;
    while i < 8 {
        low[i] = IV384[i] as u32;
        i += 1;
    }
    low
};

const fn high_halves<const N: usize>(words: [u64; N]) -> [u32; N] {
    let mut high = [0; N];
    let mut i = 0;
    while i < N {
        high[i] = (words[i] >> 32) as u32;
        i += 1;
    }
    high
}
