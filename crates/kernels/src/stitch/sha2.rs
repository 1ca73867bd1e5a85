//! SHA-256 and SHA-512: rounds in general registers, the schedule in vectors.

use lanesum_spec::sha2::{Sha256, Sha512, Variant};

use super::Order;
use super::frame::{DATA, END, Frame, K, NEXT, WK, WK_END};
use super::text::{R, Scalar, Vector, VectorIsa, X, weave};

/// The registers of a … h in round 0; each round renames them.
const WORDS: [R; 8] = ["rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11"];
/// b ⊕ c, which is a ⊕ b of the previous round.
const BC: R = "r12";
const M: R = "r13";
const T: R = "r14";
const U: R = "r15";

/// The byte-swap mask of a word.
const ORDER: X = 15;
/// SHA-512: ROTR^8 as a shuffle mask.
const ROR8: X = 14;
/// SHA-256: words 0 and 2 as words 0 and 1, and as 2 and 3; zeros elsewhere.
const LOW: X = 14;
const HIGH: X = 13;

pub(super) struct Sha2 {
    isa: VectorIsa,
    order: Order,
    bits: u32,
    rounds: usize,
    big_sigma: [[u32; 3]; 2],
    sigma: [[u32; 3]; 2],
}

/// Returns the kernel's assembly.
pub fn text(isa: VectorIsa, bits: u32, order: Order) -> Vec<String> {
    Sha2::new(isa, bits, order).text()
}

impl Sha2 {
    pub(super) fn new(isa: VectorIsa, bits: u32, order: Order) -> Self {
        fn of<V: Variant>(isa: VectorIsa, bits: u32, order: Order) -> Sha2 {
            Sha2 {
                isa,
                order,
                bits,
                rounds: V::ROUNDS,
                big_sigma: [V::BIG_SIGMA0, V::BIG_SIGMA1],
                sigma: [V::SIGMA0, V::SIGMA1],
            }
        }
        if bits == 64 { of::<Sha512>(isa, bits, order) } else { of::<Sha256>(isa, bits, order) }
    }

    fn word(&self) -> usize {
        self.bits as usize / 8
    }

    /// Words of one block in a vector register, and so rounds per step.
    fn per_step(&self) -> usize {
        16 / self.word()
    }

    fn block(&self) -> usize {
        16 * self.word()
    }

    /// The bytes of sixteen words of K, and of W + K.
    fn sixteen(&self) -> usize {
        16 / self.per_step() * self.isa.bytes()
    }

    /// W_t + K_t for round `t` from `base` on, of the first block or the second.
    fn wk(&self, base: &str, t: usize, second: bool) -> String {
        let k = self.per_step();
        let half = if second { 16 } else { 0 };
        format!("[{base}+{}]", t / k * self.isa.bytes() + t % k * self.word() + half)
    }

    /// One round, FIPS 180-4 §6.2.2 step 3 and §6.4.2 step 3. Only Σ1 and one addition are
    /// between an `e` and the next: d + h + W + K is computed earlier, and the new `a` is the
    /// new `e` minus the old `d`, plus the rest. Ch and Maj are sums of disjoint bits, so each
    /// part is added when it is ready.
    pub(super) fn round(&self, t: usize, wk: &str) -> Vec<String> {
        let role = |r: usize| WORDS[(r + 8 - t % 8) % 8];
        let [a, b, c, d, e, f, g, h] = core::array::from_fn(role);
        let mut s = Scalar::new(self.isa, self.bits);
        s.op_memory("add", h, wk);
        s.op("mov", M, b);
        if s.bmi {
            s.op("mov", T, e);
            s.op("and", T, f);
        }
        s.op("and", M, c);
        s.op("sub", M, d);
        s.op("add", d, h);
        if s.bmi {
            s.op("add", d, T);
            let (t, e, g) = (s.name(T), s.name(e), s.name(g));
            s.push(format!("andn {t}, {e}, {g}"));
        } else {
            s.op("mov", T, f);
            s.op("xor", T, g);
            s.op("and", T, e);
            s.op("xor", T, g);
        }
        self.sum_of_rotations(&mut s, U, e, 1, |s| s.op("add", d, T));
        s.op("and", BC, a);
        s.op("add", M, BC);
        s.op("add", d, U);
        s.op("mov", BC, a);
        s.op("xor", BC, b);
        self.sum_of_rotations(&mut s, T, a, 0, |_| {});
        s.sum(h, M, d);
        s.op("add", h, T);
        s.lines
    }

    /// Whether instruction count, not the chain, is the bottleneck: with two operands, and with
    /// only two words per vector register.
    fn is_short_of_dispatch(&self) -> bool {
        self.bits == 64 && self.isa < VectorIsa::Avx
    }

    /// `to` = Σ0 or Σ1 of `x`, with `early` among its first instructions. Rotating rotated values
    /// needs two fewer instructions, but they form a chain.
    fn sum_of_rotations(
        &self,
        s: &mut Scalar,
        to: R,
        x: R,
        which: usize,
        early: impl Fn(&mut Scalar),
    ) {
        let [r0, r1, r2] = self.big_sigma[which];
        if self.is_short_of_dispatch() {
            early(s);
            s.ror(to, x, r2 - r1);
            s.op("xor", to, x);
            s.ror(to, to, r1 - r0);
            s.op("xor", to, x);
            s.ror(to, to, r0);
            return;
        }
        let other = if to == T { U } else { T };
        s.ror(to, x, r0);
        early(s);
        s.ror(other, x, r1);
        s.op("xor", to, other);
        s.ror(other, x, r2);
        s.op("xor", to, other);
    }

    /// Rounds `per_step` · `j` and on, of sixteen from `base` on.
    fn rounds(&self, j: usize, base: &str, offset: usize, second: bool) -> Vec<String> {
        let k = self.per_step();
        (j * k..(j + 1) * k)
            .flat_map(|t| self.round(t, &self.wk(base, offset + t, second)))
            .collect()
    }

    /// The next words of the schedule, FIPS 180-4 §6.2.2 step 1, and their sum with K.
    fn step(&self, j: usize, k: &str, wk: &str) -> Vec<String> {
        let mut v = Vector::new(self.isa);
        if self.bits == 64 {
            let x = |i: usize| (j + i) % 8;
            v.align(8, x(5), x(4), 8, 9);
            v.align(9, x(1), x(0), 8, 10);
            v.op("paddq", x(0), x(0), 8);
            v.sigma(
                64,
                [10, 11, 12],
                9,
                self.sigma[0],
                (self.isa >= VectorIsa::Avx).then_some((8, ROR8)),
            );
            v.op("paddq", x(0), x(0), 10);
            v.sigma(64, [8, 9, 13], x(7), self.sigma[1], None);
            v.op("paddq", x(0), x(0), 8);
            v.op_memory("paddq", 10, x(0), k);
            v.store(wk, 10);
        } else {
            let x = |i: usize| (j + i) % 4;
            v.align(4, x(3), x(2), 4, 8);
            v.align(5, x(1), x(0), 4, 8);
            v.op("paddd", x(0), x(0), 4);
            v.sigma(32, [6, 7, 8], 5, self.sigma[0], None);
            v.op("paddd", x(0), x(0), 6);
            self.half(&mut v, x(0), x(3), false);
            self.half(&mut v, x(0), x(0), true);
            v.op_memory("paddd", 4, x(0), k);
            v.store(wk, 4);
        }
        v.lines
    }

    /// Adds σ1 of the two previous words to the lower or upper two of `to`: the
    /// upper words of `from`, or the lower ones of `to`.
    fn half(&self, v: &mut Vector, to: X, from: X, upper: bool) {
        let [r0, r1, s] = self.sigma[1];
        if self.isa == VectorIsa::Avx512 {
            v.shift("pshufd", 4, from, if upper { 0x40 } else { 0x0e });
            v.sigma(32, [5, 6, 7], 4, self.sigma[1], None);
            let (to, mask) = (v.name(to), if upper { "k2" } else { "k1" });
            let sum = v.name(5);
            v.push(format!("vpaddd {to}{{{mask}}}, {to}, {sum}"));
            return;
        }
        // Each word is duplicated, so that a 64-bit shift is a 32-bit rotation.
        v.shift("pshufd", 4, from, if upper { 0x50 } else { 0xfa });
        v.shift("psrld", 5, 4, s);
        v.shift("psrlq", 6, 4, r0);
        v.shift("psrlq", 4, 4, r1);
        v.op("pxor", 5, 5, 6);
        v.op("pxor", 5, 5, 4);
        if self.isa == VectorIsa::Sse2 {
            v.shift("pshufd", 5, 5, 0x88);
            v.shift(if upper { "pslldq" } else { "psrldq" }, 5, 5, 8);
        } else {
            v.bytes(5, 5, if upper { HIGH } else { LOW });
        }
        v.op("paddd", to, to, 5);
    }

    /// Words of the next block, and their sum with K.
    fn load(&self, j: usize, k: &str, wk: &str) -> Vec<String> {
        let mut v = Vector::new(self.isa);
        v.load(self.bits, j, j, self.order.register(ORDER), 8);
        let add = if self.bits == 64 { "paddq" } else { "paddd" };
        v.op_memory(add, 8, j, k);
        v.store(wk, 8);
        v.lines
    }

    fn text(&self) -> Vec<String> {
        let bytes = self.isa.bytes();
        let steps = 16 / self.per_step();
        let (sixteen, last) = (self.sixteen(), self.rounds - 16);
        let wk_bytes = if self.isa.is_wide() { self.rounds / 16 * sixteen } else { sixteen };
        let frame = Frame { isa: self.isa, wk_bytes, block: self.block() };
        let mut lines = frame.enter();
        let mut push = |more: Vec<String>| lines.extend(more);
        let line = |line: &str| vec![line.to_owned()];

        push(frame.save(K, K, self.rounds / 16 * sixteen - sixteen));
        let tables = self.rounds / 16 * sixteen;
        let mut v = Vector::new(self.isa);
        v.fetch(ORDER, &format!("[{K}+{tables}]"));
        if self.bits == 64 {
            v.fetch(ROR8, &format!("[{K}+{}]", tables + bytes));
        } else if self.isa != VectorIsa::Avx512 {
            v.fetch(LOW, &format!("[{K}+{}]", tables + bytes));
            v.fetch(HIGH, &format!("[{K}+{}]", tables + 2 * bytes));
        } else {
            v.lines.extend(
                ["mov eax, 0x33", "kmovw k1, eax", "mov eax, 0xcc", "kmovw k2, eax"]
                    .map(str::to_owned),
            );
        }
        push(v.lines);
        push(frame.second());
        for j in 0..steps {
            push(self.load(j, &format!("[{K}+{}]", j * bytes), &format!("[rsp+{}]", j * bytes)));
        }
        push(self.state(&frame, false));

        // One block, or two: the schedule of both is interleaved with the rounds of the first.
        let base = if self.isa.is_wide() { WK } else { "rsp" };
        push(line("2:"));
        push(self.carried());
        if self.isa.is_wide() {
            push(line(&format!("mov {WK}, rsp")));
        }
        push(line(".p2align 6"));
        push(line("3:"));
        for j in 0..steps {
            let ahead = (steps + j) * bytes;
            let to = if self.isa.is_wide() { ahead } else { j * bytes };
            let step = self.step(j, &format!("[{K}+{ahead}]"), &format!("[{base}+{to}]"));
            push(weave(&self.rounds(j, base, 0, false), &step, 1));
        }
        if self.isa.is_wide() {
            push(line(&format!("add {WK}, {sixteen}")));
        }
        push(line(&format!("add {K}, {sixteen}")));
        push(line(&format!("cmp {K}, {}", frame.saved(K))));
        push(line("jb 3b"));
        push(line(&format!("sub {K}, {}", self.rounds / 16 * sixteen - sixteen)));

        if self.isa.is_wide() {
            for j in 0..steps {
                push(self.rounds(j, "rsp", last, false));
            }
            push(self.state(&frame, true));
            push(line(&format!("lea {T}, [{DATA}+{}]", self.block())));
            push(line(&format!("cmp {T}, {}", frame.saved(END))));
            push(line("jae 5f"));
            push(self.carried());
            push(line(&format!("mov {WK}, rsp")));
            push(line(&format!("lea {T}, [rsp+{}]", self.rounds / 16 * sixteen - sixteen)));
            push(line(&format!("mov {}, {T}", frame.saved(WK_END))));
            push(line(".p2align 6"));
            push(line("4:"));
            for j in 0..steps {
                push(self.rounds(j, WK, 0, true));
            }
            push(line(&format!("add {WK}, {sixteen}")));
            push(line(&format!("cmp {WK}, {}", frame.saved(WK_END))));
            push(line("jb 4b"));
        }

        push(frame.next());
        for j in 0..steps {
            let load =
                self.load(j, &format!("[{K}+{}]", j * bytes), &format!("[rsp+{}]", j * bytes));
            let rounds = if self.isa.is_wide() {
                self.rounds(j, "rsp", last, true)
            } else {
                self.rounds(j, "rsp", 0, false)
            };
            push(weave(&rounds, &load, 1));
        }
        push(self.state(&frame, true));
        push(line(&format!("mov {DATA}, {}", frame.saved(NEXT))));
        push(line(&format!("cmp {DATA}, {}", frame.saved(END))));
        push(line("jb 2b"));
        push(line("5:"));
        push(frame.leave());
        lines
    }

    /// Loads the chaining value, or adds it and stores the sum.
    pub(super) fn state(&self, frame: &Frame, add: bool) -> Vec<String> {
        frame.state(add, &WORDS, self.bits)
    }

    /// Computes b ⊕ c at the start of a block.
    pub(super) fn carried(&self) -> Vec<String> {
        let mut s = Scalar::new(self.isa, self.bits);
        s.op("mov", BC, WORDS[1]);
        s.op("xor", BC, WORDS[2]);
        s.lines
    }
}
