//! MD5, RFC 1321. For compatibility only: collisions are found in seconds.

use crate::{Compression, Hints, unroll};

/// MD5's compression function, RFC 1321 §3.4.
#[derive(Clone, Copy, Debug)]
pub struct Md5;

/// The initial value, RFC 1321 §3.3, as little-endian words.
pub const IV: [u32; 4] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];

/// The table T of RFC 1321 §3.4: the integer part of 2^32 |sin(t + 1)|.
const SINES: [u32; 64] = [
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
];

/// `ROTATIONS[p][i % 4]`: the rotation of step i in pass p.
const ROTATIONS: [[u32; 4]; 4] =
    [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

/// The word of the block that step t uses is `(STRIDE[p] * t + START[p]) % 16`.
const STRIDE: [usize; 4] = [1, 5, 3, 7];
const START: [usize; 4] = [0, 1, 5, 0];

impl Compression<4> for Md5 {
    type Int = u32;
    const BIG_ENDIAN: bool = false;
    const ROUNDS: usize = 64;
    const ABC: [u8; 4] = [0x90, 0x01, 0x50, 0x98];

    #[inline(always)]
    fn compress<W: Hints<Int = u32>>(state: [W; 4], mut x: [W; 16]) -> [W; 4] {
        let x = W::place(&mut x);
        let [mut a, mut b, mut c, mut d] = state;
        // Each step waits for `b`. A macro instead of a closure: a closure might not be inlined, in
        // every step of a vector kernel.
        macro_rules! pass {
            ($p:literal, |$sum:ident, $b:ident, $c:ident, $d:ident| $plus:expr) => {
                unroll!(I => {
                    const WORD: usize = (STRIDE[$p] * I + START[$p]) % 16;
                    let $sum = (a + (x[WORD] + const { SINES[16 * $p + I] })).pin();
                    let ($b, $c, $d) = (b, c, d);
                    let sum = ($plus).pin();
                    (a, b, c, d) = (d, b + sum.rotl(const { ROTATIONS[$p][I % 4] }), b, c);
                    W::fence(x);
                });
            };
        }
        pass!(0, |sum, b, c, d| sum + W::ch(b, c, d));
        pass!(1, |sum, b, c, d| sum.plus_ch(d, b, c));
        pass!(2, |sum, b, c, d| sum + W::xor3(b, c, d));
        // I(b, c, d) = c ⊕ (b ∨ ¬d), and b ∨ ¬d = ¬(¬b ∧ d).
        pass!(3, |sum, b, c, d| sum + (c ^ !(!b & d)));

        let [h0, h1, h2, h3] = state;
        [h0 + a, h1 + b, h2 + c, h3 + d]
    }
}
