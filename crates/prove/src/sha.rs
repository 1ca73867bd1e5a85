//! The SHA instructions, as specified in Intel's manual (volume 2, each under its name).

use super::domain::{Domain, Operation};
use super::instruction::Mnemonic as M;
use super::value::{Byte, Content};
use super::words::Words;

/// The reason for a missing result.
enum No {
    /// A word is unknown, and so is the result.
    Unknown,
    /// The instruction is unsupported here.
    Meaning(String),
}

/// The functions of FIPS 180-4.
struct Functions<'w, 'd, D: Domain> {
    words: &'w mut Words<'d, D>,
}

impl<D: Domain> Functions<'_, '_, D> {
    /// The four words of a vector, in little-endian order.
    fn four(&mut self, bytes: &[Byte<D::Word>]) -> Result<[D::Word; 4], No> {
        let mut found = Vec::with_capacity(4);
        let len = self.words.len;
        for bytes in bytes[..4 * len].chunks_exact(len) {
            found.push(self.word(bytes)?);
        }
        <[D::Word; 4]>::try_from(found).map_err(|_| No::Unknown)
    }

    fn word(&mut self, bytes: &[Byte<D::Word>]) -> Result<D::Word, No> {
        match self.words.value(bytes) {
            Content::Word(word) => Ok(word),
            Content::Number(k) => Ok(self.words.domain.constant(k)),
            Content::Unknown => Err(No::Unknown),
            _ => Err(No::Meaning("an operand mixes bytes of several words".into())),
        }
    }

    fn add(&mut self, x: D::Word, y: D::Word) -> D::Word {
        self.words.domain.apply(Operation::Add, x, y)
    }

    fn xor(&mut self, x: D::Word, y: D::Word) -> D::Word {
        self.words.domain.apply(Operation::Xor, x, y)
    }

    fn and(&mut self, x: D::Word, y: D::Word) -> D::Word {
        self.words.domain.apply(Operation::And, x, y)
    }

    fn rotr(&mut self, x: D::Word, n: u64) -> D::Word {
        self.words.domain.apply_constant(Operation::RotateRight, x, n)
    }

    fn rotl(&mut self, x: D::Word, n: u64) -> D::Word {
        self.words.domain.apply_constant(Operation::RotateLeft, x, n)
    }

    /// ROTR^i ⊕ ROTR^j ⊕ ROTR^k, or SHR^k with `shift`.
    fn sigma(&mut self, x: D::Word, [i, j, k]: [u64; 3], shift: bool) -> D::Word {
        let last = if shift { Operation::ShiftRight } else { Operation::RotateRight };
        let (p, q) = (self.rotr(x, i), self.rotr(x, j));
        let r = self.words.domain.apply_constant(last, x, k);
        let pq = self.xor(p, q);
        self.xor(pq, r)
    }

    fn ch(&mut self, x: D::Word, y: D::Word, z: D::Word) -> D::Word {
        let yz = self.xor(y, z);
        let chosen = self.and(x, yz);
        self.xor(chosen, z)
    }

    fn maj(&mut self, x: D::Word, y: D::Word, z: D::Word) -> D::Word {
        let (xy, xz, yz) = (self.and(x, y), self.and(x, z), self.and(y, z));
        let two = self.xor(xy, xz);
        self.xor(two, yz)
    }
}

/// The result of an instruction with destination `x` and source `y`. `wk` has W_t + K_t of two
/// rounds, for the instructions that use it. SHA-512's instructions are SHA-256's with its own
/// words and functions.
pub(super) fn function<D: Domain>(
    words: &mut Words<'_, D>,
    mnemonic: M,
    immediate: Option<u64>,
    x: &[Byte<D::Word>],
    y: &[Byte<D::Word>],
    wk: &[Byte<D::Word>],
) -> Result<Vec<Byte<D::Word>>, String> {
    let is_64 = matches!(mnemonic, M::Vsha512rnds2 | M::Vsha512msg1 | M::Vsha512msg2);
    if words.len != if is_64 { 8 } else { 4 } {
        return Err("unsupported for words of this width".into());
    }
    let mut functions = Functions { words };
    if mnemonic == M::Sha1nexte {
        return match nexte(&mut functions, x, y) {
            Ok(found) => Ok(found),
            Err(No::Unknown) => Ok(vec![Byte::Unknown; 16]),
            Err(No::Meaning(what)) => Err(what),
        };
    }
    let result = match mnemonic {
        M::Sha1rnds4 => rounds4(&mut functions, immediate, x, y),
        M::Sha1msg1 => sha1_msg1(&mut functions, x, y),
        M::Sha1msg2 => sha1_msg2(&mut functions, x, y),
        M::Sha256rnds2 | M::Vsha512rnds2 => rounds2(&mut functions, x, y, wk),
        M::Sha256msg1 | M::Vsha512msg1 => sha2_msg1(&mut functions, x, y),
        M::Sha256msg2 | M::Vsha512msg2 => sha2_msg2(&mut functions, x, y),
        _ => Err(No::Meaning("unsupported instruction".into())),
    };
    match result {
        Ok(found) => Ok(found.into_iter().flat_map(|word| words.bytes(word, words.len)).collect()),
        Err(No::Unknown) => Ok(vec![Byte::Unknown; x.len()]),
        Err(No::Meaning(what)) => Err(what),
    }
}

type Four<D> = Result<[<D as Domain>::Word; 4], No>;
type Held<'a, D> = &'a [Byte<<D as Domain>::Word>];

fn rounds4<D: Domain>(
    f: &mut Functions<'_, '_, D>,
    immediate: Option<u64>,
    x: Held<'_, D>,
    y: Held<'_, D>,
) -> Four<D> {
    let [mut d, mut c, mut b, mut a] = f.four(x)?;
    let [w3, w2, w1, w0e] = f.four(y)?;
    let which = immediate.ok_or(No::Unknown)? as usize & 3;
    let k = f.words.domain.constant(u64::from(lanesum_spec::sha1::K[which]));
    // W_0 already includes E.
    let mut e = None;
    for w in [w0e, w1, w2, w3] {
        let chosen = match which {
            0 => f.ch(b, c, d),
            2 => f.maj(b, c, d),
            _ => {
                let bc = f.xor(b, c);
                f.xor(bc, d)
            }
        };
        let rotated = f.rotl(a, 5);
        let mut sum = f.add(chosen, rotated);
        sum = f.add(sum, w);
        if let Some(e) = e {
            sum = f.add(sum, e);
        }
        sum = f.add(sum, k);
        (e, d, c, b, a) = (Some(d), c, f.rotl(b, 30), a, sum);
    }
    Ok([d, c, b, a])
}

/// The three lower words are copied from `y`, even if unknown.
fn nexte<D: Domain>(
    f: &mut Functions<'_, '_, D>,
    x: Held<'_, D>,
    y: Held<'_, D>,
) -> Result<Vec<Byte<D::Word>>, No> {
    let (a, w) = (f.word(&x[12..16])?, f.word(&y[12..16])?);
    let e = f.rotl(a, 30);
    let sum = f.add(w, e);
    Ok([&y[..12], &f.words.bytes(sum, 4)].concat())
}

fn sha1_msg1<D: Domain>(f: &mut Functions<'_, '_, D>, x: Held<'_, D>, y: Held<'_, D>) -> Four<D> {
    let [w3, w2, w1, w0] = f.four(x)?;
    let (w5, w4) = (f.word(&y[8..12])?, f.word(&y[12..16])?);
    Ok([f.xor(w5, w3), f.xor(w4, w2), f.xor(w3, w1), f.xor(w2, w0)])
}

fn sha1_msg2<D: Domain>(f: &mut Functions<'_, '_, D>, x: Held<'_, D>, y: Held<'_, D>) -> Four<D> {
    let [x3, x2, x1, x0] = f.four(x)?;
    let (w15, w14, w13) = (f.word(&y[..4])?, f.word(&y[4..8])?, f.word(&y[8..12])?);
    let mut next = |x: D::Word, w: D::Word| {
        let both = f.xor(x, w);
        f.rotl(both, 1)
    };
    let w16 = next(x0, w13);
    let (w17, w18, w19) = (next(x1, w14), next(x2, w15), next(x3, w16));
    Ok([w19, w18, w17, w16])
}

fn rounds2<D: Domain>(
    f: &mut Functions<'_, '_, D>,
    x: Held<'_, D>,
    y: Held<'_, D>,
    wk: Held<'_, D>,
) -> Four<D> {
    let [mut h, mut g, mut d, mut c] = f.four(x)?;
    let [mut ff, mut e, mut b, mut a] = f.four(y)?;
    let len = f.words.len;
    let [s0, s1] = if len == 4 { [[2, 13, 22], [6, 11, 25]] } else { [[28, 34, 39], [14, 18, 41]] };
    for wk in [f.word(&wk[..len])?, f.word(&wk[len..2 * len])?] {
        let (chosen, sigma1) = (f.ch(e, ff, g), f.sigma(e, s1, false));
        let mut t1 = f.add(chosen, sigma1);
        t1 = f.add(t1, wk);
        t1 = f.add(t1, h);
        let (majority, sigma0) = (f.maj(a, b, c), f.sigma(a, s0, false));
        let t2 = f.add(majority, sigma0);
        (h, g, ff, e, d, c, b, a) = (g, ff, e, f.add(d, t1), c, b, a, f.add(t1, t2));
    }
    let _ = (h, g, d, c);
    Ok([ff, e, b, a])
}

fn sha2_msg1<D: Domain>(f: &mut Functions<'_, '_, D>, x: Held<'_, D>, y: Held<'_, D>) -> Four<D> {
    let [w0, w1, w2, w3] = f.four(x)?;
    let len = f.words.len;
    let s0 = if len == 4 { [7, 18, 3] } else { [1, 8, 7] };
    let w4 = f.word(&y[..len])?;
    let mut plus = |w: D::Word, next: D::Word| {
        let sigma = f.sigma(next, s0, true);
        f.add(w, sigma)
    };
    Ok([plus(w0, w1), plus(w1, w2), plus(w2, w3), plus(w3, w4)])
}

fn sha2_msg2<D: Domain>(f: &mut Functions<'_, '_, D>, x: Held<'_, D>, y: Held<'_, D>) -> Four<D> {
    let [x0, x1, x2, x3] = f.four(x)?;
    let len = f.words.len;
    let s1 = if len == 4 { [17, 19, 10] } else { [19, 61, 6] };
    let (w14, w15) = (f.word(&y[2 * len..3 * len])?, f.word(&y[3 * len..4 * len])?);
    let mut plus = |x: D::Word, w: D::Word| {
        let sigma = f.sigma(w, s1, true);
        f.add(x, sigma)
    };
    let (w16, w17) = (plus(x0, w14), plus(x1, w15));
    Ok([w16, w17, plus(x2, w16), plus(x3, w17)])
}
