//! SHA-1: rounds in general registers, the schedule in vectors.

use super::frame::{DATA, END, Frame, K, NEXT};
use super::text::{Isa, R, Scalar, Vector, X, weave};

/// a … e of round 0; each round renames them.
const WORDS: [R; 5] = ["rax", "rbx", "rcx", "rdx", "r8"];
const T: R = "r14";
const U: R = "r15";
/// The order of bytes in a word.
const ORDER: X = 15;

/// The kernel's text.
pub fn text(isa: Isa) -> Vec<String> {
    let bytes = isa.bytes();
    let wk_bytes = if isa.is_wide() { 20 * bytes } else { 4 * bytes };
    let frame = Frame { isa, wk_bytes, block: 64 };
    let place = |quad: usize| {
        let at = if isa.is_wide() { quad } else { quad % 4 };
        format!("[rsp+{}]", at * bytes)
    };
    let mut lines = frame.enter();
    let mut push = |more: Vec<String>| lines.extend(more);
    let line = |line: &str| vec![line.to_owned()];

    let mut v = Vector::new(isa);
    v.fetch(ORDER, &format!("[{K}+{}]", 4 * bytes));
    push(v.lines);
    push(frame.second());
    for quad in 0..4 {
        push(load(isa, quad, &place(quad)));
    }
    push(frame.state(false, &WORDS, 32));
    push(line(".p2align 5"));
    push(line("2:"));
    for quad in 0..16 {
        let step = step(isa, quad + 4, &place(quad + 4));
        push(weave(&rounds(isa, quad, false), &step, 1));
    }
    if isa.is_wide() {
        (16..20).for_each(|quad| push(rounds(isa, quad, false)));
        push(frame.state(true, &WORDS, 32));
        push(line(&format!("lea {T}, [{DATA}+64]")));
        push(line(&format!("cmp {T}, {}", frame.saved(END))));
        push(line("jae 5f"));
        (0..16).for_each(|quad| push(rounds(isa, quad, true)));
    }
    push(frame.next());
    for quad in 0..4 {
        let load = load(isa, quad, &place(quad));
        push(weave(&rounds(isa, quad + 16, isa.is_wide()), &load, 1));
    }
    push(frame.state(true, &WORDS, 32));
    push(line(&format!("mov {DATA}, {}", frame.saved(NEXT))));
    push(line(&format!("cmp {DATA}, {}", frame.saved(END))));
    push(line("jb 2b"));
    push(line("5:"));
    push(frame.leave());
    lines
}

/// Words of the next block, and their sum with K.
fn load(isa: Isa, quad: usize, wk: &str) -> Vec<String> {
    let mut v = Vector::new(isa);
    v.load(32, quad, quad, ORDER, 8);
    v.op_memory("paddd", 8, quad, &format!("[{K}]"));
    v.store(wk, 8);
    v.lines
}

/// Four words of the schedule, FIPS 180-4 §6.1.2 step 1, and their sum with K.
fn step(isa: Isa, quad: usize, wk: &str) -> Vec<String> {
    let mut v = Vector::new(isa);
    let x = |before: usize| (quad + 8 - before) % 8;
    if quad < 8 {
        // W_{t+3} wants W_t, which is in the making: it is left out, and its rotation added
        // after (ROTL^n(x ⊕ y) = ROTL^n(x) ⊕ ROTL^n(y)).
        v.align(8, x(3), x(4), 8, 9);
        v.shift("psrldq", 9, x(1), 4);
        v.op("pxor", 8, 8, x(4));
        v.xor3(8, 9, x(2));
        v.shift("pslldq", 9, 8, 12);
        v.rotl(x(0), 8, 1, 10);
        v.rotl(11, 9, 2, 10);
        v.op("pxor", x(0), x(0), 11);
    } else {
        // The recurrence applied to itself: ROTL^2 of W_{t-6}, W_{t-16}, W_{t-28} and
        // W_{t-32}, of which none is in the making.
        v.align(8, x(1), x(2), 8, 9);
        v.op("pxor", x(0), x(0), x(7));
        v.xor3(8, x(0), x(4));
        v.rotl(x(0), 8, 2, 10);
    }
    v.op_memory("paddd", 8, x(0), &format!("[{K}+{}]", quad / 5 * isa.bytes()));
    v.store(wk, 8);
    v.lines
}

/// Four rounds, FIPS 180-4 §6.1.2 step 3.
fn rounds(isa: Isa, quad: usize, second: bool) -> Vec<String> {
    let half = if second { 16 } else { 0 };
    let at = if isa.is_wide() { quad } else { quad % 4 } * isa.bytes() + half;
    let mut s = Scalar::new(isa, 32);
    for t in 4 * quad..4 * quad + 4 {
        let role = |r: usize| WORDS[(r + 5 - t % 5) % 5];
        let [a, b, c, d, e] = core::array::from_fn(role);
        s.op_memory("add", e, &format!("[rsp+{}]", at + t % 4 * 4));
        // `b` is the latest of the three, so all else comes before it.
        match t / 20 {
            0 => {
                s.op("mov", T, c);
                s.op("xor", T, d);
                s.op("and", T, b);
                s.op("xor", T, d);
                s.op("add", e, T);
            }
            2 => {
                // Sums of disjoint bits.
                s.op("mov", T, c);
                s.op("and", T, d);
                s.op("add", e, T);
                s.op("mov", U, c);
                s.op("xor", U, d);
                s.op("and", U, b);
                s.op("add", e, U);
            }
            _ => {
                s.op("mov", T, c);
                s.op("xor", T, d);
                s.op("xor", T, b);
                s.op("add", e, T);
            }
        }
        s.ror(b, b, 2);
        s.ror(U, a, 27);
        s.op("add", e, U);
    }
    s.lines
}
