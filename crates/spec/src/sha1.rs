//! SHA-1, FIPS 180-4 §6.1.

use core::ops::Add;

use crate::{Compression, Expanded, Hints, MAX_EXPANDED, W32, Word, unroll};

/// SHA-1's compression function, FIPS 180-4 §6.1.2.
#[derive(Clone, Copy, Debug)]
pub struct Sha1;

/// The initial hash value, FIPS 180-4 §5.3.1.
pub const IV: [u32; 5] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];

/// K_t, FIPS 180-4 §4.2.1, one for each phase of twenty rounds.
pub const K: [u32; 4] = [0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6];

/// One round, FIPS 180-4 §6.1.2 step 3. `wk` is W_t + K_t, a word or a constant, and `f` is f_t(b,
/// c, d). Only ROTL^5(a) is on the critical path, so it is added last.
#[inline(always)]
pub fn round<W, X>([a, b, c, d, e]: [W; 5], f: W, wk: X) -> [W; 5]
where
    W: Hints + Add<X, Output = W>,
{
    [((e + wk) + f).pin() + a.rotl(5), a, b.rotl(30), c, d]
}

/// W_t for t ≥ 16 from W_{t-16}, W_{t-14}, W_{t-8} and W_{t-3},
/// FIPS 180-4 §6.1.2 step 1.
#[inline(always)]
pub fn schedule<W: Word>(w16: W, w14: W, w8: W, w3: W) -> W {
    (W::xor3(w16, w14, w8) ^ w3).rotl(1)
}

impl Compression<5> for Sha1 {
    type Int = u32;
    const EXPANDED: usize = 80;
    const FIPS: bool = true;
    const ROUNDS: usize = 80;
    const ABC: [u8; 4] = [0xa9, 0x99, 0x3e, 0x36];

    #[inline(always)]
    fn compress<W: Hints<Int = u32>>(state: [W; 5], block: [W; 16]) -> [W; 5] {
        let mut w = block; // w[t % 16] is W_t: the last sixteen words
        let w = W::place(&mut w);
        let mut s = state;
        // W_{t-1}, W_{t-2}, W_{t-3}: kept in registers, so that a schedule in memory is not read
        // back right after it is written.
        let mut last = [block[15], block[14], block[13]];

        macro_rules! phase {
            ($phase:literal, $f:expr) => {
                unroll!(I => {
                    const T: usize = 20 * $phase + I;
                    if T >= 16 {
                        let wt = schedule(w[T % 16], w[(T + 2) % 16], w[(T + 8) % 16], last[2]);
                        w[T % 16] = wt;
                        last = [wt, last[0], last[1]];
                    }
                    let wt = if T >= 16 { last[0] } else { w[T % 16] };
                    s = round(s, $f(s[1], s[2], s[3]), wt + const { K[$phase] });
                    W::fence(w);
                }; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
            };
        }
        phase!(0, W::ch);
        phase!(1, W::xor3);
        phase!(2, W::maj);
        phase!(3, W::xor3);

        add(state, s)
    }

    #[inline]
    fn expand(block: [u32; 16]) -> Expanded<u32> {
        let mut w = [0; MAX_EXPANDED];
        w[..16].copy_from_slice(&block);
        for t in 16..80 {
            w[t] = schedule(W32(w[t - 16]), W32(w[t - 14]), W32(w[t - 8]), W32(w[t - 3])).0;
        }
        (0..80).for_each(|t| w[t] = w[t].wrapping_add(K[t / 20]));
        w
    }

    #[inline(always)]
    fn compress_expanded<W: Hints<Int = u32>>(state: [W; 5], wk: &Expanded<u32>) -> [W; 5] {
        let mut s = state;
        macro_rules! phase {
            ($phase:literal, $f:expr) => {
                unroll!(I => {
                    s = round(s, $f(s[1], s[2], s[3]), wk[20 * $phase + I]);
                }; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
            };
        }
        phase!(0, W::ch);
        phase!(1, W::xor3);
        phase!(2, W::maj);
        phase!(3, W::xor3);
        add(state, s)
    }
}

/// The intermediate hash value, FIPS 180-4 §6.1.2 step 4.
#[inline(always)]
fn add<W: Word>([h0, h1, h2, h3, h4]: [W; 5], [a, b, c, d, e]: [W; 5]) -> [W; 5] {
    [h0 + a, h1 + b, h2 + c, h3 + d, h4 + e]
}
