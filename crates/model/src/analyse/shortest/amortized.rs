//! Maj in consecutive rounds: the fewest gates per round, by counting.
//!
//! The words x_t are independent, and a gate is any function of two bits. As in SHA-2, x_{t+1} does not
//! exist before Maj_t = Maj(x_t, x_{t−1}, x_{t−2}). Let n_t be the number of gates whose newest essential
//! word is x_t. [`amortized`] verifies, for all functions of the older words:
//!
//! 1. Maj_t is not a gate of a function of (x_t, x_{t−1}) and a function of older words. So n_t ≥ 2,
//!    because one gate reads x_t and Maj_t is another one.
//! 2. If n_t = 2, then Maj_t = g(f(x_t, q), s) for functions q and s of older words. In all such forms q
//!    and s depend on x_{t−1} and x_{t−2}, and q, s and Maj_{t−1} differ, even up to complement.
//! 3. For these q and s, Maj_{t−1} is not a gate of two words from q, s, x_{t−1} and functions of older
//!    words.
//!
//! So if n_t = 2, then n_{t−1} ≥ 4: q, s, Maj_{t−1}, and another gate. R rounds therefore need at least
//! 3 R gates. Two rounds take 6: they share y ∧ z and y ∨ z.

/// The verified facts about Maj in consecutive rounds: numbers of forms tried, and of counterexamples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amortized {
    /// The number of forms that were compared with Maj.
    pub tried: u64,
    /// The number of forms of Maj_t that the first fact excludes.
    pub single: u64,
    /// The number of forms g(f(x_t, q), s) of Maj_t.
    pub double: u64,
    /// The number of forms whose q or s violates the second fact.
    pub unexpected: u64,
    /// The number of forms of Maj_{t−1} that the third fact excludes.
    pub earlier: u64,
}

impl Amortized {
    /// Whether the facts prove that R rounds need at least 3 R gates.
    pub fn is_proof(self) -> bool {
        self.single == 0 && self.unexpected == 0 && self.earlier == 0
    }
}

/// Truth tables of (a, b, c, d): a is x_t, b is x_{t−1}, and so on. d represents all older words: a
/// function of several of them becomes a function of d if the others are fixed.
const A: u16 = 0xff00;
const B: u16 = 0xf0f0;
const C: u16 = 0xcccc;
const D: u16 = 0xaaaa;

/// A function of two bits, by its truth table.
fn gate(table: u32, x: u16, y: u16) -> u16 {
    let row = |bit: u32, word: u16| if table >> bit & 1 == 1 { word } else { 0 };
    row(0, !x & !y) | row(1, !x & y) | row(2, x & !y) | row(3, x & y)
}

/// The functions of these words, as truth tables.
fn functions(words: &[u16]) -> Vec<u16> {
    let rows = 1u32 << words.len();
    (0..1u64 << rows)
        .map(|table| {
            (0..rows).filter(|row| table >> row & 1 == 1).fold(0, |or, row| {
                let bit = |(i, &word): (usize, &u16)| if row >> i & 1 == 1 { word } else { !word };
                or | words.iter().enumerate().map(bit).fold(u16::MAX, |and, word| and & word)
            })
        })
        .collect()
}

/// Whether the function depends on the word.
fn depends(function: u16, word: u16) -> bool {
    let distance = word.trailing_zeros();
    (function & word) >> distance != function & !word
}

/// Verifies the facts, by trying all functions.
pub fn amortized() -> Amortized {
    verify(|x, y, z| (x & y) ^ (x & z) ^ (y & z))
}

/// Verifies the facts for a function of three words.
pub(super) fn verify(function: fn(u16, u16, u16) -> u16) -> Amortized {
    let (wanted, previous) = (function(A, B, C), function(B, C, D));
    let older = functions(&[B, C, D]);
    let mut facts = Amortized::default();
    for r in functions(&[A, B]) {
        for &h in &older {
            facts.tried += 16;
            facts.single += (0..16).filter(|&g| gate(g, r, h) == wanted).count() as u64;
        }
    }
    let differ = |x: u16, y: u16| x != y && x != !y;
    let expected = |q: u16, s: u16| {
        let of_both = |x| depends(x, B) && depends(x, C);
        let all_differ = differ(q, s) && differ(q, previous) && differ(s, previous);
        of_both(q) && of_both(s) && all_differ
    };
    let oldest = functions(&[C, D]);
    for &q in &older {
        for f in 0..16 {
            let inner = gate(f, A, q);
            for &s in older.iter().chain([&A]) {
                facts.tried += 16;
                let forms = (0..16).filter(|&g| gate(g, inner, s) == wanted).count() as u64;
                if forms == 0 {
                    continue;
                }
                facts.double += forms;
                facts.unexpected += forms * u64::from(!expected(q, s));
                for p in [q, s, B] {
                    for &h in oldest.iter().chain(&[q, s, B]) {
                        facts.tried += 16;
                        let found = (0..16).filter(|&g| gate(g, p, h) == previous);
                        facts.earlier += found.count() as u64;
                    }
                }
            }
        }
    }
    facts
}
