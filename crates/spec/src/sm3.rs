//! SM3, GB/T 32905-2016 (ISO/IEC 10118-3:2018). For compatibility.

use core::ops::{Add, BitXor};

use crate::{Compression, Expanded, Hints, MAX_EXPANDED, W32, Word, unroll};

/// SM3's compression function, GB/T 32905 §5.3.
#[derive(Clone, Copy, Debug)]
pub struct Sm3;

/// The initial value, GB/T 32905 §4.1.
pub const IV: [u32; 8] = [
    0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600, 0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e,
];

/// T_j <<< (j mod 32): T_j of GB/T 32905 §4.2, rotated for round j.
const T: [u32; 64] = {
    let mut rotated = [0; 64];
    let mut j = 0;
    while j < 64 {
        let t: u32 = if j < 16 { 0x79cc4519 } else { 0x7a879d8a };
        rotated[j] = t.rotate_left(j as u32 % 32);
        j += 1;
    }
    rotated
};

/// P_0, GB/T 32905 §4.4.
#[inline(always)]
fn p0<W: Word>(x: W) -> W {
    W::xor3(x, x.rotl(9), x.rotl(17))
}

/// P_1, GB/T 32905 §4.4.
#[inline(always)]
fn p1<W: Word>(x: W) -> W {
    W::xor3(x, x.rotl(15), x.rotl(23))
}

/// W_j for j ≥ 16 from W_{j-16}, W_{j-13}, W_{j-9}, W_{j-6} and W_{j-3}, GB/T 32905 §5.3.2.
#[inline(always)]
fn expand<W: Word>(w16: W, w13: W, w9: W, w6: W, w3: W) -> W {
    W::xor3(p1(W::xor3(w3.rotl(15), w16, w9)), w13.rotl(7), w6)
}

/// One round, GB/T 32905 §5.3.3. The words are W_j and W′_j, words or constants, and `ff` and `gg`
/// are FF_j(A, B, C) and GG_j(E, F, G). SS1 is on the critical path, so it is added last.
#[inline(always)]
fn round<W, X>(
    [a, b, c, d, e, f, g, h]: [W; 8],
    [ff, gg]: [W; 2],
    t: u32,
    [w, w_prime]: [X; 2],
) -> [W; 8]
where
    W: Hints<Int = u32> + Add<X, Output = W>,
{
    let a12 = a.rotl(12);
    let ss1 = ((a12 + t).pin() + e).pin().rotl(7);
    let ss2 = ss1 ^ a12;
    let tt1 = ((d + w_prime) + ff).pin() + ss2;
    let tt2 = ((h + w) + gg).pin() + ss1;
    [tt1, a, b.rotl(9), c, p0(tt2), e, f.rotl(19), g]
}

/// FF_j and GG_j for j < 16, GB/T 32905 §4.3.
#[inline(always)]
fn early<W: Word>([a, b, c, _, e, f, g, _]: [W; 8]) -> [W; 2] {
    [W::xor3(a, b, c), W::xor3(e, f, g)]
}

/// FF_j and GG_j for j ≥ 16, GB/T 32905 §4.3.
#[inline(always)]
fn late<W: Word>([a, b, c, _, e, f, g, _]: [W; 8]) -> [W; 2] {
    [W::maj(a, b, c), W::ch(e, f, g)]
}

impl Compression<8> for Sm3 {
    type Int = u32;
    const EXPANDED: usize = 68;
    const ROUNDS: usize = 64;
    const ABC: [u8; 4] = [0x66, 0xc7, 0xf0, 0xf4];

    #[inline(always)]
    fn compress<W: Hints<Int = u32>>(state: [W; 8], block: [W; 16]) -> [W; 8] {
        let mut w = block; // w[j % 16] is W_j: the last sixteen words, up to W_{j+4} in round j
        let w = W::place(&mut w);
        let mut s = state;
        macro_rules! sixteen {
            ($from:expr, $functions:ident) => {
                unroll!(J => {
                    let w4 = if $from + J < 12 {
                        w[(J + 4) % 16]
                    } else {
                        expand(w[(J + 4) % 16], w[(J + 7) % 16], w[(J + 11) % 16], w[(J + 14) % 16],
                            w[(J + 1) % 16])
                    };
                    w[(J + 4) % 16] = w4;
                    s = round(s, $functions(s), T[$from + J], [w[J], w[J] ^ w4]);
                    W::fence(w);
                });
            };
        }
        sixteen!(0, early);
        let mut from = 16;
        while from < 64 {
            sixteen!(from, late);
            from += 16;
        }
        add(state, s)
    }

    /// Computes W_j. The rounds derive W′_j from it.
    #[inline]
    fn expand(block: [u32; 16]) -> Expanded<u32> {
        let mut w = [0; MAX_EXPANDED];
        w[..16].copy_from_slice(&block);
        for j in 16..68 {
            let [w16, w13, w9, w6, w3] = [16, 13, 9, 6, 3].map(|back| W32(w[j - back]));
            w[j] = expand(w16, w13, w9, w6, w3).0;
        }
        w
    }

    #[inline(always)]
    fn compress_expanded<W: Hints<Int = u32>>(state: [W; 8], w: &Expanded<u32>) -> [W; 8] {
        compress_expanded(state, w)
    }
}

/// Performs only the rounds, with precomputed W_j: words or constants, at least 68.
#[inline(always)]
pub fn compress_expanded<W, X, const WORDS: usize>(state: [W; 8], w: &[X; WORDS]) -> [W; 8]
where
    W: Hints<Int = u32> + Add<X, Output = W>,
    X: Copy + BitXor<Output = X>,
{
    let mut s = state;
    macro_rules! sixteen {
        ($from:expr, $functions:ident) => {
            unroll!(J => {
                let [w, w4] = [w[$from + J], w[$from + J + 4]];
                s = round(s, $functions(s), T[$from + J], [w, w ^ w4]);
            });
        };
    }
    sixteen!(0, early);
    let mut from = 16;
    while from < 64 {
        sixteen!(from, late);
        from += 16;
    }
    add(state, s)
}

/// V(i+1) = ABCDEFGH ⊕ V(i), GB/T 32905 §5.3.3.
#[inline(always)]
fn add<W: Word>(state: [W; 8], rounds: [W; 8]) -> [W; 8] {
    let [a, b, c, d, e, f, g, h] = rounds;
    let [v0, v1, v2, v3, v4, v5, v6, v7] = state;
    [a ^ v0, b ^ v1, c ^ v2, d ^ v3, e ^ v4, f ^ v5, g ^ v6, h ^ v7]
}
