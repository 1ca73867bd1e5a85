//! Which blocks of SHA-1 may be those of a collision attack, and which are.
//!
//! Every known attack gives two messages whose schedules differ by what one of thirty-two
//! disturbance vectors says. Conditions on bits of the schedule hold for each block of such a pair;
//! [`suspects`] reads them with any word. Of a block that fulfils those of a vector the other block
//! of the pair can be computed, and so can its chaining value: if both lead to the same, that is a
//! collision ([`apart`]).

mod table;

use self::table::each_vector;
use crate::sha1::{K, schedule};
use crate::{W32, Word};

/// The two classes of disturbance vectors that are known: Stéphane Manuel, "Classification and
/// generation of disturbance vectors for collision attacks against SHA-1" (2011).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    I,
    II,
}

/// A disturbance vector.
#[derive(Debug)]
pub struct Vector {
    /// The difference between the schedules of two messages that collide by it: words whose first
    /// byte is the lowest.
    pub difference: [u8; 4 * 80],
    /// Whether they have one state before the round of number 65, else before that of 58.
    pub is_late: bool,
}

/// Before which rounds two messages that collide by a vector have one state.
const EARLY: usize = 58;
const LATE: usize = 65;

/// One more than the last word of the schedule that a condition is on.
const WORDS: usize = 65;

macro_rules! vectors {
    ($($class:ident($k:literal, $bit:literal) from $from:literal: $conditions:tt;)*) => {
        /// Every vector, in the order of the bits of [`suspects`].
        pub static VECTORS: [Vector; [$($from),*].len()] = [
            $(Vector { difference: difference(Class::$class, $k, $bit), is_late: $from == LATE }),*
        ];

        $(const _: () = assert!($from == EARLY || $from == LATE);)*
    };
}
each_vector!(vectors);

macro_rules! conditions {
    ($w:ident $all:ident $($class:ident $name:tt from $from:literal: [$(
        ($i:literal, $a:literal, $j:literal, $b:literal, $differ:literal),
    )*];)*) => {{
        let one = $all + 1;
        $(
            let mut hold = one;
            $(
                let differ = low($w[$i], $a) ^ low($w[$j], $b);
                hold = hold & if $differ { differ } else { !differ };
            )*
            // Bit 0 is the first vector's again after as many rotations as there are vectors.
            $all = ($all ^ hold).rotr(1);
        )*
    }};
}

/// The vectors whose conditions all hold for a block: bit i is that of vector i.
#[inline(always)]
pub fn suspects<W: Word<Int = u32>>(block: [W; 16]) -> W {
    /// `word`, with that bit of it lowest.
    #[inline(always)]
    fn low<W: Word<Int = u32>>(word: W, bit: u32) -> W {
        if bit == 0 { word } else { word.shr(bit) }
    }

    let mut all = block[0].zero();
    let mut w = [all; WORDS];
    let mut t = 0;
    while t < 16 {
        w[t] = block[t];
        t += 1;
    }
    while t < WORDS {
        w[t] = schedule(w[t - 16], w[t - 14], w[t - 8], w[t - 3]);
        t += 1;
    }
    each_vector!(conditions, w all);
    all
}

/// The same of a block as it is in a message.
pub fn suspects_of(block: &[u8; 64]) -> u32 {
    let bytes = block.as_chunks().0;
    suspects(core::array::from_fn(|t| W32(u32::from_be_bytes(bytes[t])))).0
}

/// What tells whether a block is one of a collision by a vector: `difference` is the vector's, and
/// `late` has all bits set if it [is late](Vector::is_late), else none. `before` and `after` are the
/// chaining values. The first word is zero if the other message has the same chaining value after
/// the block; the second if it has the same before, as in collisions of fewer than 80 rounds.
#[inline(always)]
pub fn apart<W: Word<Int = u32>>(
    block: [W; 16],
    difference: &[W; 80],
    late: W,
    before: [W; 5],
    after: [W; 5],
) -> [W; 2] {
    #[inline(always)]
    fn or<W: Word>(x: W, y: W) -> W {
        !(!x & !y)
    }

    let nought = block[0].zero();
    let mut other = [nought; 80];
    let mut w = [nought; 80];
    let mut t = 0;
    while t < 80 {
        w[t] = if t < 16 { block[t] } else { schedule(w[t - 16], w[t - 14], w[t - 8], w[t - 3]) };
        other[t] = w[t] ^ difference[t];
        t += 1;
    }
    // Between the two rounds from which messages can differ, a late vector's already do.
    let mut t = EARLY;
    while t < LATE {
        w[t] = w[t] ^ (difference[t] & late);
        t += 1;
    }

    // The state after the last round, FIPS 180-4 §6.1.2 step 4.
    let mut end = after;
    let mut i = 0;
    while i < 5 {
        end[i] = end[i] - before[i];
        i += 1;
    }
    let middle = undone::<3, W>(end, &w[60..]);
    let middle = undone::<2, W>(middle, &w[EARLY..60]);
    let theirs = undone::<2, W>(middle, &other[40..EARLY]);
    let theirs = undone::<1, W>(theirs, &other[20..40]);
    let theirs = undone::<0, W>(theirs, &other[..20]);
    let their_end = done::<2, W>(middle, &other[EARLY..60]);
    let their_end = done::<3, W>(their_end, &other[60..]);
    let mut apart = [nought; 2];
    let mut i = 0;
    while i < 5 {
        apart[0] = or(apart[0], (theirs[i] + their_end[i]) ^ after[i]);
        apart[1] = or(apart[1], theirs[i] ^ before[i]);
        i += 1;
    }
    apart
}

/// The difference between the schedules of two messages that collide by a vector: six rounds undo
/// each disturbance.
const fn difference(class: Class, k: usize, bit: u32) -> [u8; 4 * 80] {
    // Words -5..80 of the vector, which is a schedule as well, in both directions.
    let mut all = [0u32; 5 + 80];
    let first = 5 + k;
    all[first + 15] = 1 << bit;
    if let Class::II = class {
        let early = (1u32 << bit).rotate_right(1);
        (all[first + 1], all[first + 3]) = (early, early);
    }
    let mut t = first + 16;
    while t < all.len() {
        all[t] = (all[t - 3] ^ all[t - 8] ^ all[t - 14] ^ all[t - 16]).rotate_left(1);
        t += 1;
    }
    let mut t = first;
    while t > 0 {
        t -= 1;
        all[t] = all[t + 16].rotate_right(1) ^ all[t + 13] ^ all[t + 8] ^ all[t + 2];
    }
    let mut difference = [0; 4 * 80];
    let mut t = 0;
    while t < 80 {
        let at = 5 + t;
        let late = all[at - 3] ^ all[at - 4] ^ all[at - 5];
        let word = all[at] ^ all[at - 1].rotate_left(5) ^ all[at - 2] ^ late.rotate_left(30);
        let bytes = word.to_le_bytes();
        let mut i = 0;
        while i < 4 {
            difference[4 * t + i] = bytes[i];
            i += 1;
        }
        t += 1;
    }
    difference
}

/// f_t(b, c, d) + K_t for the rounds of a phase, FIPS 180-4 §4.1.1 and §4.2.1.
#[inline(always)]
fn f_and_k<const PHASE: usize, W: Word<Int = u32>>(b: W, c: W, d: W) -> W {
    let f = match PHASE {
        0 => W::ch(b, c, d),
        2 => W::maj(b, c, d),
        _ => W::xor3(b, c, d),
    };
    f + K[PHASE]
}

/// The state after rounds of a phase, FIPS 180-4 §6.1.2 step 3.
#[inline(always)]
fn done<const PHASE: usize, W: Word<Int = u32>>(mut state: [W; 5], w: &[W]) -> [W; 5] {
    let mut t = 0;
    while t < w.len() {
        let [a, b, c, d, e] = state;
        let rest = (e + w[t]) + f_and_k::<PHASE, W>(b, c, d);
        state = [rest + a.rotl(5), a, b.rotl(30), c, d];
        t += 1;
    }
    state
}

/// The state before rounds of a phase, after which it is this.
#[inline(always)]
fn undone<const PHASE: usize, W: Word<Int = u32>>(mut state: [W; 5], w: &[W]) -> [W; 5] {
    let mut t = w.len();
    while t > 0 {
        t -= 1;
        let [sum, a, c, d, e] = state;
        let b = c.rotr(30);
        state = [a, b, d, e, ((sum - w[t]) - a.rotl(5)) - f_and_k::<PHASE, W>(b, d, e)];
    }
    state
}
