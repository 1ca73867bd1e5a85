//! SHA-512 with a word of eight blocks in each AVX-512 register: measured, not shipped.
//!
//! The schedule of all eight is interleaved with the rounds of the first block, and stores W + K for
//! the other seven. It has the fewest vector instructions per word, but a shipped kernel would need
//! a second one for the blocks left over from groups of eight.

use lanesum_spec::sha2::{Sha512, Variant};

use super::Order;
use super::frame::{DATA, END, Frame, K, NEXT, WK, WK_END};
use super::sha2::Sha2;
use super::text::{R, VectorIsa, weave};

const BLOCKS: usize = 8;
const BLOCK: usize = 128;
/// The bytes of one word of all blocks.
const WORD: usize = 8 * BLOCKS;
const ROUNDS: usize = Sha512::ROUNDS;
/// The byte-swap mask of a word.
const ORDER: usize = 31;
const T: R = "r14";

/// The offset of K of round `t` in the table, which has each pair of words twice.
fn k(t: usize) -> usize {
    t / 2 * 32 + t % 2 * 8
}

/// Stores the sum of a register and K in W + K.
fn with_k(x: usize, k: usize, to: &str) -> [String; 2] {
    [format!("vpaddq zmm24, zmm{x}, qword ptr [{K}+{k}]{{1to8}}"), format!("vmovdqa64 {to}, zmm24")]
}

/// Rounds 0 … 15 of a group whose W + K begin at `base`.
fn rounds(sha2: &Sha2, base: &str, offset: usize) -> Vec<String> {
    let wk = |t| format!("[{base}+{}]", offset + t * WORD);
    (0..16).flat_map(|t| sha2.round(t, &wk(t))).collect()
}

/// The next words of all blocks, FIPS 180-4 §6.4.2 step 1.
fn step(j: usize) -> Vec<String> {
    let x = |i: usize| (j + i) % 16;
    let mut lines = Vec::new();
    let mut sigma = |to: usize, of: usize, [r0, r1, s]: [u32; 3]| {
        lines.extend([
            format!("vprorq zmm{to}, zmm{of}, {r0}"),
            format!("vprorq zmm{}, zmm{of}, {r1}", to + 1),
            format!("vpsrlq zmm{}, zmm{of}, {s}", to + 2),
            format!("vpternlogq zmm{to}, zmm{}, zmm{}, 150", to + 1, to + 2),
        ]);
    };
    sigma(16, x(1), Sha512::SIGMA0);
    sigma(20, x(14), Sha512::SIGMA1);
    for addend in [x(9), 16, 20] {
        lines.push(format!("vpaddq zmm{0}, zmm{0}, zmm{addend}", x(0)));
    }
    lines.extend(with_k(x(0), k(16 + j), &format!("[{WK}+{}]", (16 + j) * WORD)));
    lines
}

/// Loads the first sixteen words of the next eight blocks, and stores W + K.
fn load() -> Vec<String> {
    let mut lines = Vec::new();
    for half in [0, 8] {
        for b in 0..BLOCKS {
            let x = half + b;
            lines.push(format!("vmovdqu64 zmm{x}, [{DATA}+{}]", BLOCK * b + 8 * half));
            lines.push(format!("vpshufb zmm{x}, zmm{x}, zmm{ORDER}"));
        }
        // For pairs of blocks, words 0, 2, 4, 6 are in the first of two registers, the others in the second.
        for b in (0..BLOCKS).step_by(2) {
            let (x, y) = (half + b, half + b + 1);
            lines.push(format!("vpunpcklqdq zmm{}, zmm{x}, zmm{y}", 16 + b));
            lines.push(format!("vpunpckhqdq zmm{}, zmm{x}, zmm{y}", 17 + b));
        }
        for odd in 0..2 {
            let pair = |n: usize| 16 + 2 * n + odd;
            let to = |word: usize| half + word + odd;
            let mut quarters = |to: usize, x: usize, y: usize, which: u32| {
                lines.push(format!("vshufi64x2 zmm{to}, zmm{x}, zmm{y}, {which}"));
            };
            // Free registers have the intermediate results.
            for (blocks, which, between) in [(0, 0x88, 0), (0, 0xdd, 2), (2, 0x88, 4), (2, 0xdd, 6)]
            {
                quarters(to(between), pair(blocks), pair(blocks + 1), which);
            }
            let [x, y] = [16 + odd, 18 + odd];
            quarters(x, to(0), to(4), 0xdd);
            quarters(y, to(2), to(6), 0xdd);
            quarters(to(0), to(0), to(4), 0x88);
            quarters(to(2), to(2), to(6), 0x88);
            lines.push(format!("vmovdqa64 zmm{}, zmm{x}", to(4)));
            lines.push(format!("vmovdqa64 zmm{}, zmm{y}", to(6)));
        }
    }
    for t in 0..16 {
        lines.extend(with_k(t, k(t), &format!("[rsp+{}]", t * WORD)));
    }
    lines
}

/// Returns the assembly, for a multiple of eight blocks.
pub fn text() -> Vec<String> {
    let sha2 = Sha2::new(VectorIsa::Avx512, 64, Order::Big);
    let frame = Frame { isa: VectorIsa::Avx512, wk_bytes: ROUNDS * WORD, block: BLOCK };
    let (sixteen, all) = (16 * WORD, ROUNDS * WORD);
    let mut lines = frame.enter();
    let mut push = |more: Vec<String>| lines.extend(more);
    let line = |line: String| vec![line];

    push(frame.save(K, K, k(ROUNDS - 16)));
    push(line(format!("vbroadcasti32x4 zmm{ORDER}, xmmword ptr [{K}+{}]", k(ROUNDS))));
    push(load());
    push(sha2.state(&frame, false));
    push(line("2:".into()));
    push(sha2.carried());
    push(line(format!("mov {WK}, rsp")));
    push(line(".p2align 6".into()));
    push(line("3:".into()));
    push(weave(&rounds(&sha2, WK, 0), &(0..16).flat_map(step).collect::<Vec<_>>(), 1));
    push(line(format!("add {WK}, {sixteen}")));
    push(line(format!("add {K}, {}", k(16))));
    push(line(format!("cmp {K}, {}", frame.saved(K))));
    push(line("jb 3b".into()));
    push(line(format!("sub {K}, {}", k(ROUNDS - 16))));
    push(rounds(&sha2, "rsp", all - sixteen));
    push(sha2.state(&frame, true));

    // The middle blocks, then the last one, whose end is interleaved with the start of the next eight.
    let loop_of = |bytes: usize, label: u32| {
        let mut lines = sha2.carried();
        lines.push(format!("lea {T}, [{WK}+{bytes}]"));
        lines.push(format!("mov {}, {T}", frame.saved(WK_END)));
        lines.push(".p2align 6".into());
        lines.push(format!("{label}:"));
        lines.extend(rounds(&sha2, WK, 0));
        lines.push(format!("add {WK}, {sixteen}"));
        lines.push(format!("cmp {WK}, {}", frame.saved(WK_END)));
        lines.push(format!("jb {label}b"));
        lines
    };
    push(line(format!("lea {WK}, [rsp+8]")));
    push(line("4:".into()));
    push(loop_of(all, 6));
    push(sha2.state(&frame, true));
    push(line(format!("sub {WK}, {}", all - 8)));
    push(line(format!("lea {T}, [rsp+{}]", WORD - 8)));
    push(line(format!("cmp {WK}, {T}")));
    push(line("jb 4b".into()));
    push(loop_of(all - sixteen, 7));
    push(line(format!("lea {T}, [{DATA}+{}]", BLOCKS * BLOCK)));
    push(line(format!("mov {}, {T}", frame.saved(NEXT))));
    push(line(format!("cmp {T}, {}", frame.saved(END))));
    push(line(format!("cmovb {DATA}, {T}")));
    push(weave(&rounds(&sha2, "rsp", all - sixteen + WORD - 8), &load(), 1));
    push(sha2.state(&frame, true));
    push(line(format!("mov {DATA}, {}", frame.saved(NEXT))));
    push(line(format!("cmp {DATA}, {}", frame.saved(END))));
    push(line("jb 2b".into()));
    push(frame.leave());
    lines
}
