//! RIPEMD-160 (Dobbertin, Bosselaers, Preneel 1996; ISO/IEC 10118-3). For
//! compatibility only.

use crate::{Compression, Hints, Word, sha1, unroll};

/// RIPEMD-160's compression function.
#[derive(Clone, Copy, Debug)]
pub struct Ripemd160;

/// The initial value: SHA-1's.
pub const IV: [u32; 5] = sha1::IV;

/// The added constants of the left line, one for each of five passes.
const K_LEFT: [u32; 5] = [0, 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xa953fd4e];
/// The added constants of the right line.
const K_RIGHT: [u32; 5] = [0x50a28be6, 0x5c4dd124, 0x6d703ef3, 0x7a6d76e9, 0];

/// `WORDS_LEFT[p][i]`: the word of the block that step i of pass p uses.
const WORDS_LEFT: [[usize; 16]; 5] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8],
    [3, 10, 14, 4, 9, 15, 8, 1, 2, 7, 0, 6, 13, 11, 5, 12],
    [1, 9, 11, 10, 0, 8, 12, 4, 13, 3, 7, 15, 14, 5, 6, 2],
    [4, 0, 5, 9, 7, 12, 2, 10, 14, 1, 3, 8, 11, 6, 15, 13],
];
const WORDS_RIGHT: [[usize; 16]; 5] = [
    [5, 14, 7, 0, 9, 2, 11, 4, 13, 6, 15, 8, 1, 10, 3, 12],
    [6, 11, 3, 7, 0, 13, 5, 10, 14, 15, 8, 12, 4, 9, 1, 2],
    [15, 5, 1, 3, 7, 14, 6, 9, 11, 8, 12, 2, 10, 0, 4, 13],
    [8, 6, 4, 1, 3, 11, 15, 0, 5, 12, 2, 13, 9, 7, 10, 14],
    [12, 15, 10, 4, 1, 5, 8, 7, 6, 2, 13, 14, 0, 3, 9, 11],
];

/// `ROTATIONS_LEFT[p][i]`: the rotation of step i of pass p.
const ROTATIONS_LEFT: [[u32; 16]; 5] = [
    [11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8],
    [7, 6, 8, 13, 11, 9, 7, 15, 7, 12, 15, 9, 11, 7, 13, 12],
    [11, 13, 6, 7, 14, 9, 13, 15, 14, 8, 13, 6, 5, 12, 7, 5],
    [11, 12, 14, 15, 14, 15, 9, 8, 9, 14, 5, 6, 8, 6, 5, 12],
    [9, 15, 5, 11, 6, 8, 13, 12, 5, 12, 13, 14, 11, 8, 5, 6],
];
const ROTATIONS_RIGHT: [[u32; 16]; 5] = [
    [8, 9, 9, 11, 13, 15, 15, 5, 7, 7, 8, 11, 14, 14, 12, 6],
    [9, 13, 15, 7, 12, 8, 9, 11, 7, 7, 12, 7, 6, 15, 13, 11],
    [9, 7, 15, 11, 8, 6, 6, 14, 12, 13, 5, 14, 13, 13, 7, 5],
    [15, 5, 8, 11, 14, 14, 6, 14, 6, 9, 12, 9, 12, 5, 15, 8],
    [8, 5, 12, 9, 12, 5, 14, 6, 8, 13, 6, 5, 15, 13, 11, 11],
];

/// (x ∨ ¬y) ⊕ z, since x ∨ ¬y = ¬(¬x ∧ y).
#[inline(always)]
fn or_not<W: Word>(x: W, y: W, z: W) -> W {
    !(!x & y) ^ z
}

/// One step of either line. `xk` is the word of the block plus the constant.
#[inline(always)]
fn step<W: Hints>([a, b, c, d, e]: [W; 5], f: W, xk: W, rotation: u32) -> [W; 5] {
    [e, ((a + xk).pin() + f).pin().rotl(rotation) + e, b, c.rotl(10), d]
}

impl Compression<5> for Ripemd160 {
    type Int = u32;
    const BIG_ENDIAN: bool = false;
    const ROUNDS: usize = 80;
    const ABC: [u8; 4] = [0x8e, 0xb2, 0x08, 0xf7];

    #[inline(always)]
    fn compress<W: Hints<Int = u32>>(state: [W; 5], mut x: [W; 16]) -> [W; 5] {
        let x = W::place(&mut x);
        let (mut l, mut r) = (state, state);
        macro_rules! pass {
            ($p:literal, $left:expr, $right:expr) => {
                unroll!(I => {
                    let xk = x[const { WORDS_LEFT[$p][I] }] + const { K_LEFT[$p] };
                    l = step(l, $left(l[1], l[2], l[3]), xk, const { ROTATIONS_LEFT[$p][I] });
                    let xk = x[const { WORDS_RIGHT[$p][I] }] + const { K_RIGHT[$p] };
                    r = step(r, $right(r[1], r[2], r[3]), xk, const { ROTATIONS_RIGHT[$p][I] });
                    W::fence(x);
                });
            };
        }
        let f1 = W::xor3;
        let f2 = W::ch;
        let f3 = or_not;
        let f4 = |x: W, y: W, z: W| W::ch(z, x, y);
        let f5 = |x: W, y: W, z: W| or_not(y, z, x);
        pass!(0, f1, f5);
        pass!(1, f2, f4);
        pass!(2, f3, f3);
        pass!(3, f4, f2);
        pass!(4, f5, f1);

        let [h0, h1, h2, h3, h4] = state;
        [h1 + l[2] + r[3], h2 + l[3] + r[4], h3 + l[4] + r[0], h4 + l[0] + r[1], h0 + l[1] + r[2]]
    }
}
