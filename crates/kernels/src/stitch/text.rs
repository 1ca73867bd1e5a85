//! Instructions as lines of assembly: the instructions of a tier, and sequences that replace
//! missing ones.

/// The vector instructions of a tier. From AVX2 on, general registers also use BMI1
/// and BMI2, which every CPU with AVX2 has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VectorIsa {
    /// SSE2: two operands, no byte shuffle.
    Sse2,
    /// SSSE3: `pshufb` and `palignr`.
    Ssse3,
    /// AVX: three operands.
    Avx,
    /// AVX and BMI2, one block: measured, not shipped.
    AvxBmi,
    /// AVX2: two blocks in parallel.
    Avx2,
    /// AVX-512 VL: rotations, functions of three operands, masks.
    Avx512,
}

impl VectorIsa {
    /// Whether registers hold two blocks.
    pub fn is_wide(self) -> bool {
        self >= Self::Avx2
    }

    /// Whether rotations of general registers can write to another register (BMI2).
    pub fn has_bmi(self) -> bool {
        self >= Self::AvxBmi
    }

    /// The names of the CPU's features.
    pub fn features(self) -> &'static str {
        match self {
            Self::Sse2 => "SSE2",
            Self::Ssse3 => "SSSE3",
            Self::Avx => "AVX",
            Self::AvxBmi => "AVX, BMI2",
            Self::Avx2 => "AVX2, BMI1, BMI2",
            Self::Avx512 => "AVX-512 F and VL, BMI1, BMI2",
        }
    }

    /// The bytes of a vector register.
    pub fn bytes(self) -> usize {
        if self.is_wide() { 32 } else { 16 }
    }
}

/// A vector register, by number.
pub type X = usize;

/// A sequence of vector instructions.
pub struct Vector {
    pub isa: VectorIsa,
    pub lines: Vec<String>,
}

impl Vector {
    pub fn new(isa: VectorIsa) -> Self {
        Self { isa, lines: Vec::new() }
    }

    pub fn push(&mut self, line: String) {
        self.lines.push(line);
    }

    /// The register's name.
    pub fn name(&self, x: X) -> String {
        format!("{}mm{x}", if self.isa.is_wide() { "y" } else { "x" })
    }

    fn copy(&mut self, to: X, from: X) {
        if to != from {
            let (to, from) = (self.name(to), self.name(from));
            self.push(format!("movdqa {to}, {from}"));
        }
    }

    /// `to` = `a` op `b` for a commutative operation, where `b` is a register.
    pub fn op(&mut self, op: &str, to: X, a: X, b: X) {
        let b_name = self.name(b);
        if self.isa >= VectorIsa::Avx {
            self.op_memory(op, to, a, &b_name);
        } else if to == b {
            let a = self.name(a);
            self.push(format!("{op} {b_name}, {a}"));
        } else {
            self.op_memory(op, to, a, &b_name);
        }
    }

    /// `to` = `a` op `b` for a commutative operation, where `b` is an aligned address.
    pub fn op_memory(&mut self, op: &str, to: X, a: X, b: &str) {
        if self.isa >= VectorIsa::Avx {
            let (to, a) = (self.name(to), self.name(a));
            // The mnemonics of AVX-512 include the width of a lane.
            let op = if self.isa == VectorIsa::Avx512 && op == "pxor" { "pxord" } else { op };
            self.push(format!("v{op} {to}, {a}, {b}"));
        } else {
            self.copy(to, a);
            let to = self.name(to);
            self.push(format!("{op} {to}, {b}"));
        }
    }

    /// `to` = `a` shifted or shuffled by an immediate.
    pub fn shift(&mut self, op: &str, to: X, a: X, n: u32) {
        let shuffles = op.starts_with("pshuf");
        if self.isa >= VectorIsa::Avx {
            let (to, a) = (self.name(to), self.name(a));
            self.push(format!("v{op} {to}, {a}, {n}"));
        } else if shuffles {
            let (to, a) = (self.name(to), self.name(a));
            self.push(format!("{op} {to}, {a}, {n}"));
        } else {
            self.copy(to, a);
            let to = self.name(to);
            self.push(format!("{op} {to}, {n}"));
        }
    }

    /// `to` = the bytes of `high` and `low` from the `n`th on. Must not be in place.
    pub fn align(&mut self, to: X, high: X, low: X, n: u32, scratch: X) {
        assert!(to != high && to != low);
        let (t, h, l) = (self.name(to), self.name(high), self.name(low));
        match self.isa {
            VectorIsa::Sse2 | VectorIsa::Ssse3 if n == 8 => {
                self.copy(to, low);
                self.push(format!("shufpd {t}, {h}, 1"));
            }
            VectorIsa::Sse2 => {
                self.shift("psrldq", to, low, n);
                self.shift("pslldq", scratch, high, 16 - n);
                self.op("por", to, to, scratch);
            }
            VectorIsa::Ssse3 => {
                self.copy(to, high);
                self.push(format!("palignr {t}, {l}, {n}"));
            }
            _ => self.push(format!("vpalignr {t}, {h}, {l}, {n}")),
        }
    }

    /// `to` = the bytes of `a` shuffled by `mask`.
    pub fn bytes(&mut self, to: X, a: X, mask: X) {
        let mask = self.name(mask);
        self.op_memory("pshufb", to, a, &mask);
    }

    /// `to` ^= `a` ^ `b`, or `to` ^= `a` if `b` is `None`.
    pub fn xor3(&mut self, to: X, a: X, b: X) {
        if self.isa == VectorIsa::Avx512 {
            let (to, a, b) = (self.name(to), self.name(a), self.name(b));
            self.push(format!("vpternlogd {to}, {a}, {b}, 150"));
        } else {
            self.op("pxor", to, to, a);
            self.op("pxor", to, to, b);
        }
    }

    /// `to` = ROTR^r0(x) ^ ROTR^r1(x) ^ SHR^s(x), of words of `bits`. The
    /// scratch registers are two others; `byte_rotation` is a register with the
    /// shuffle mask of a rotation, and the number of bits.
    pub fn sigma(
        &mut self,
        bits: u32,
        [to, u, v]: [X; 3],
        x: X,
        [r0, r1, s]: [u32; 3],
        byte_rotation: Option<(u32, X)>,
    ) {
        let suffix = if bits == 64 { "q" } else { "d" };
        if self.isa == VectorIsa::Avx512 {
            let (t, a, b, x) = (self.name(to), self.name(u), self.name(v), self.name(x));
            self.push(format!("vpror{suffix} {t}, {x}, {r0}"));
            self.push(format!("vpror{suffix} {a}, {x}, {r1}"));
            self.push(format!("vpsrl{suffix} {b}, {x}, {s}"));
            self.push(format!("vpternlogd {t}, {a}, {b}, 150"));
            return;
        }
        let (right, left) = (format!("psrl{suffix}"), format!("psll{suffix}"));
        self.shift(&right, to, x, s);
        for r in [r0, r1] {
            match byte_rotation {
                Some((by, mask)) if by == r => {
                    self.bytes(u, x, mask);
                    self.op("pxor", to, to, u);
                }
                _ => {
                    self.shift(&right, u, x, r);
                    self.shift(&left, v, x, bits - r);
                    self.op("pxor", to, to, u);
                    self.op("pxor", to, to, v);
                }
            }
        }
    }

    /// `to` = ROTL^n of 32-bit words. Must not be in place.
    pub fn rotl(&mut self, to: X, x: X, n: u32, scratch: X) {
        if self.isa == VectorIsa::Avx512 {
            let (to, x) = (self.name(to), self.name(x));
            self.push(format!("vprold {to}, {x}, {n}"));
            return;
        }
        self.shift("psrld", scratch, x, 32 - n);
        if n == 1 {
            self.op("paddd", to, x, x);
        } else {
            self.shift("pslld", to, x, n);
        }
        self.op("por", to, to, scratch);
    }

    /// Loads the `i`th sixteen bytes of a block into `to`, of two blocks if registers hold
    /// two. `order` swaps the bytes of big-endian words.
    pub fn load(&mut self, bits: u32, to: X, i: usize, order: Option<X>, scratch: X) {
        let (t, at) = (self.name(to), 16 * i);
        match self.isa {
            VectorIsa::Sse2 => {
                self.push(format!("movdqu {t}, [rsi+{at}]"));
                if order.is_none() {
                    return;
                }
                // Swaps bytes in halves of a word, and halves in words.
                self.shift("psrlw", scratch, to, 8);
                self.shift("psllw", to, to, 8);
                self.op("por", to, to, scratch);
                let halves = if bits == 64 { 0x1b } else { 0xb1 };
                self.shift("pshuflw", to, to, halves);
                self.shift("pshufhw", to, to, halves);
                return;
            }
            VectorIsa::Ssse3 => self.push(format!("movdqu {t}, [rsi+{at}]")),
            VectorIsa::Avx | VectorIsa::AvxBmi => self.push(format!("vmovdqu {t}, [rsi+{at}]")),
            VectorIsa::Avx2 | VectorIsa::Avx512 => {
                self.push(format!("vmovdqu xmm{to}, [rsi+{at}]"));
                self.push(format!("vinserti128 {t}, {t}, [rdi+{at}], 1"));
            }
        }
        if let Some(order) = order {
            self.bytes(to, to, order);
        }
    }

    /// Stores to an aligned address.
    pub fn store(&mut self, place: &str, x: X) {
        let x = self.name(x);
        let v = if self.isa >= VectorIsa::Avx { "v" } else { "" };
        self.push(format!("{v}movdqa {place}, {x}"));
    }

    /// Loads from an aligned address.
    pub fn fetch(&mut self, x: X, place: &str) {
        let x = self.name(x);
        let v = if self.isa >= VectorIsa::Avx { "v" } else { "" };
        self.push(format!("{v}movdqa {x}, {place}"));
    }
}

/// A sequence of instructions in general registers of one width.
pub struct Scalar {
    pub bmi: bool,
    pub bits: u32,
    pub lines: Vec<String>,
}

/// A general register: its name is that of its low 64 bits.
pub type R = &'static str;

impl Scalar {
    pub fn new(isa: VectorIsa, bits: u32) -> Self {
        Self { bmi: isa.has_bmi(), bits, lines: Vec::new() }
    }

    pub fn push(&mut self, line: String) {
        self.lines.push(line);
    }

    /// The name of the part of a register that contains a word.
    pub fn name(&self, r: R) -> String {
        match (self.bits, r.as_bytes()[1]) {
            (64, _) => r.to_owned(),
            (_, b'0'..=b'9') => format!("{r}d"),
            _ => r.replacen('r', "e", 1),
        }
    }

    pub fn op(&mut self, op: &str, to: R, from: R) {
        let (to, from) = (self.name(to), self.name(from));
        self.push(format!("{op} {to}, {from}"));
    }

    pub fn op_memory(&mut self, op: &str, to: R, place: &str) {
        let to = self.name(to);
        self.push(format!("{op} {to}, {place}"));
    }

    /// `to` = `a` + `b`.
    pub fn sum(&mut self, to: R, a: R, b: R) {
        let (to, a, b) = (self.name(to), self.name(a), self.name(b));
        self.push(format!("lea {to}, [{}+{}]", full(&a), full(&b)));
    }

    /// `to` = ROTR^n(`from`).
    pub fn ror(&mut self, to: R, from: R, n: u32) {
        let (t, f) = (self.name(to), self.name(from));
        if to == from {
            self.push(format!("ror {t}, {n}"));
        } else if self.bmi {
            self.push(format!("rorx {t}, {f}, {n}"));
        } else {
            self.push(format!("mov {t}, {f}"));
            self.push(format!("ror {t}, {n}"));
        }
    }
}

/// The name of a whole register.
fn full(name: &str) -> String {
    if let Some(short) = name.strip_suffix('d').filter(|n| n.starts_with('r')) {
        short.to_owned()
    } else {
        name.replacen('e', "r", 1)
    }
}

/// Interleaves two sequences without reordering them: the second is spread evenly over
/// the first, and its last `late` instructions are after all of the first.
pub fn weave<T: Clone>(first: &[T], second: &[T], late: usize) -> Vec<T> {
    let spread = second.len().saturating_sub(late);
    let mut lines = Vec::with_capacity(first.len() + second.len());
    let mut taken = 0;
    for (i, line) in first.iter().enumerate() {
        lines.push(line.clone());
        let until = (i + 1) * spread / first.len();
        lines.extend_from_slice(&second[taken..until]);
        taken = until;
    }
    lines.extend_from_slice(&second[taken..]);
    lines
}
