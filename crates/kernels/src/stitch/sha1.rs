//! SHA-1: rounds in general registers, the schedule in vectors.

use super::Order;
use super::frame::{DATA, END, Frame, K, NEXT};
use super::text::{R, Scalar, Vector, VectorIsa, X, weave};

/// The registers of a … e in round 0; each round renames them.
const WORDS: [R; 5] = ["rax", "rbx", "rcx", "rdx", "r8"];
const T: R = "r14";
const U: R = "r15";
/// The byte-swap mask of a word.
const ORDER: X = 15;

/// A form of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sha1Form {
    /// The instruction set.
    pub isa: VectorIsa,
    /// The byte order of the blocks.
    pub order: Order,
    /// The number of rounds by which the schedule is ahead, if registers hold one block.
    pub ahead: usize,
    /// Whether the last sixteen words are computed eight at a time (only `VectorIsa::AvxBmi`).
    pub twelve_apart: bool,
}

impl Sha1Form {
    /// The shipped form. Twelve rounds are gaudet's distance.
    pub fn shipped(isa: VectorIsa) -> Self {
        Self { isa, order: Order::Big, ahead: 12, twelve_apart: false }
    }
}

/// Returns the kernel's assembly.
pub fn text(form: Sha1Form) -> Vec<String> {
    if form.isa.is_wide() { two_blocks(form) } else { one_block(form) }
}

fn one(line: &str) -> Vec<String> {
    vec![line.to_owned()]
}

/// One block at a time: the schedule of four words is interleaved with four rounds, `ahead` rounds
/// before they are needed, also across the ends of blocks.
fn one_block(form: Sha1Form) -> Vec<String> {
    let Sha1Form { isa, ahead, .. } = form;
    // A ring of slots for the live W + K of a block's twenty groups: for four more rounds, and an even
    // number if eight words are computed at a time.
    let (least, multiple) = if form.twelve_apart { (ahead + 8, 2) } else { (ahead + 4, 1) };
    let suits = |n: &usize| 4 * n >= least && n.is_multiple_of(multiple);
    let places = [4, 5, 10, 20].into_iter().find(suits).expect("at most 72 rounds");
    let frame =
        Frame { isa, wk_bytes: 16 * (places + if form.twelve_apart { 6 } else { 0 }), block: 64 };
    let early = Early { form, places };
    let wk = |t: usize| format!("[rsp+{}]", t / 4 % places * 16 + t % 4 * 4);

    // Eighty rounds, starting `ahead` + 4 before a block's first one, and the steps between them. Each
    // line of a round has its number.
    let mut before: Vec<(Option<usize>, String)> = Vec::new();
    for quad in 0..20 {
        let from = 80 - ahead - 4 + 4 * quad;
        let rounds: Vec<_> = (from..from + 4)
            .flat_map(|t| {
                let lines = round(isa, t % 80, &wk(t % 80));
                lines.into_iter().map(move |line| (Some(t), line))
            })
            .collect();
        let step: Vec<_> = early.step(quad).into_iter().map(|line| (None, line)).collect();
        before.extend(weave(&rounds, &step, 1));
    }
    let first = before.iter().position(|line| line.0 == Some(80)).expect("the first round");
    let after = before.split_off(first);
    let of_steps = before.iter().filter(|line| line.0.is_none());
    let prologue = of_steps.map(|line| line.1.clone()).collect();
    let lines_of =
        |lines: Vec<(Option<usize>, String)>| lines.into_iter().map(|line| line.1).collect();

    let mut lines = frame.enter();
    let mut push = |more: Vec<String>| lines.extend(more);
    let mut v = Vector::new(isa);
    v.fetch(ORDER, &format!("[{K}+64]"));
    push(v.lines);
    push(prologue);
    push(frame.state(false, &WORDS, 32));
    push(one(".p2align 6"));
    push(one("2:"));
    push(lines_of(after));
    push(frame.next());
    push(lines_of(before));
    push(frame.state(true, &WORDS, 32));
    push(vec![format!("mov {DATA}, {}", frame.saved(NEXT))]);
    push(vec![format!("cmp {DATA}, {}", frame.saved(END))]);
    push(one("jb 2b"));
    push(one("5:"));
    push(frame.leave());
    lines
}

/// Two blocks in parallel: the schedule of both is interleaved with the rounds of the first.
fn two_blocks(form: Sha1Form) -> Vec<String> {
    let isa = form.isa;
    let bytes = isa.bytes();
    let frame = Frame { isa, wk_bytes: 20 * bytes, block: 64 };
    let place = |quad: usize| format!("[rsp+{}]", quad * bytes);
    let four = |quad: usize, second: bool| -> Vec<String> {
        let at = |t: usize| t / 4 * bytes + t % 4 * 4 + if second { 16 } else { 0 };
        (4 * quad..4 * quad + 4).flat_map(|t| round(isa, t, &format!("[rsp+{}]", at(t)))).collect()
    };
    let mut lines = frame.enter();
    let mut push = |more: Vec<String>| lines.extend(more);
    let mut v = Vector::new(isa);
    v.fetch(ORDER, &format!("[{K}+{}]", 4 * bytes));
    push(v.lines);
    push(frame.second());
    for quad in 0..4 {
        push(load(form, quad, &place(quad)));
    }
    push(frame.state(false, &WORDS, 32));
    push(one(".p2align 6"));
    push(one("2:"));
    for quad in 0..16 {
        push(weave(&four(quad, false), &step(isa, quad + 4, &place(quad + 4)), 1));
    }
    (16..20).for_each(|quad| push(four(quad, false)));
    push(frame.state(true, &WORDS, 32));
    push(vec![format!("lea {T}, [{DATA}+64]")]);
    push(vec![format!("cmp {T}, {}", frame.saved(END))]);
    push(one("jae 5f"));
    (0..16).for_each(|quad| push(four(quad, true)));
    push(frame.next());
    for quad in 0..4 {
        push(weave(&four(quad + 16, true), &load(form, quad, &place(quad)), 1));
    }
    push(frame.state(true, &WORDS, 32));
    push(vec![format!("mov {DATA}, {}", frame.saved(NEXT))]);
    push(vec![format!("cmp {DATA}, {}", frame.saved(END))]);
    push(one("jb 2b"));
    push(one("5:"));
    push(frame.leave());
    lines
}

/// The schedule of one block, in steps of four words.
struct Early {
    form: Sha1Form,
    places: usize,
}

impl Early {
    fn step(&self, quad: usize) -> Vec<String> {
        let isa = self.form.isa;
        let place = format!("[rsp+{}]", quad % self.places * 16);
        let mut lines = match quad {
            0..4 => load(self.form, quad, &place),
            16.. if self.form.twelve_apart => return self.eight(quad, &place),
            _ => step(isa, quad, &place),
        };
        if self.form.twelve_apart && quad < 6 {
            lines.push(format!("vmovdqa {}, xmm{}", self.kept(quad), quad % 8));
        }
        lines
    }

    /// The stack offset of the first words of the schedule, which the last ones need.
    fn kept(&self, quad: usize) -> String {
        format!("[rsp+{}]", 16 * (self.places + quad))
    }

    /// Eight words from t = 64 or 72 on, by the fourth power of the recurrence: ROTL^4 of
    /// W_{t-12}, W_{t-32}, W_{t-56} and W_{t-64}.
    fn eight(&self, quad: usize, place: &str) -> Vec<String> {
        if quad % 2 == 1 {
            return Vec::new();
        }
        let pair = |to: X, quad: usize| {
            format!("vinserti128 ymm{to}, ymm{}, xmm{}, 1", quad % 8, (quad + 1) % 8)
        };
        let mut lines = vec![pair(8, quad - 3), pair(9, quad - 8)];
        lines.push("vpxor ymm8, ymm8, ymm9".into());
        lines.push(format!("vpxor ymm8, ymm8, {}", self.kept(quad - 14)));
        lines.push(format!("vpxor ymm8, ymm8, {}", self.kept(quad - 16)));
        lines.push("vpsrld ymm9, ymm8, 28".into());
        lines.push("vpslld ymm8, ymm8, 4".into());
        lines.push("vpor ymm8, ymm8, ymm9".into());
        lines.push(format!("vmovdqa xmm{}, xmm8", quad % 8));
        lines.push(format!("vbroadcasti128 ymm9, [{K}+48]"));
        lines.push("vpaddd ymm9, ymm8, ymm9".into());
        lines.push(format!("vmovdqu {place}, ymm9"));
        lines
    }
}

/// Words of the next block, and their sum with K.
fn load(form: Sha1Form, quad: usize, wk: &str) -> Vec<String> {
    let mut v = Vector::new(form.isa);
    v.load(32, quad, quad, form.order.register(ORDER), 8);
    v.op_memory("paddd", 8, quad, &format!("[{K}]"));
    v.store(wk, 8);
    v.lines
}

/// Four words of the schedule, FIPS 180-4 §6.1.2 step 1, and their sum with K.
fn step(isa: VectorIsa, quad: usize, wk: &str) -> Vec<String> {
    let mut v = Vector::new(isa);
    let x = |before: usize| (quad + 8 - before) % 8;
    if quad < 8 {
        // W_{t+3} depends on W_t of the same vector, so W_t is omitted, and its rotation is added
        // afterwards (ROTL^n(x ⊕ y) = ROTL^n(x) ⊕ ROTL^n(y)).
        v.align(8, x(3), x(4), 8, 9);
        v.shift("psrldq", 9, x(1), 4);
        v.op("pxor", 8, 8, x(4));
        v.xor3(8, 9, x(2));
        v.shift("pslldq", 9, 8, 12);
        v.rotl(x(0), 8, 1, 10);
        v.rotl(11, 9, 2, 10);
        v.op("pxor", x(0), x(0), 11);
    } else {
        // The squared recurrence: ROTL^2 of W_{t-6}, W_{t-16}, W_{t-28} and W_{t-32}, which are
        // all in earlier vectors.
        v.align(8, x(1), x(2), 8, 9);
        v.op("pxor", x(0), x(0), x(7));
        v.xor3(8, x(0), x(4));
        v.rotl(x(0), 8, 2, 10);
    }
    v.op_memory("paddd", 8, x(0), &format!("[{K}+{}]", quad / 5 * isa.bytes()));
    v.store(wk, 8);
    v.lines
}

/// A round, FIPS 180-4 §6.1.2 step 3.
fn round(isa: VectorIsa, t: usize, wk: &str) -> Vec<String> {
    let mut s = Scalar::new(isa, 32);
    let role = |r: usize| WORDS[(r + 5 - t % 5) % 5];
    let [a, b, c, d, e] = core::array::from_fn(role);
    s.op_memory("add", e, wk);
    // `b` is the latest of the three, so it is used last.
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
    s.lines
}
