//! Detects SHA-1 blocks that may belong to a collision attack, and verifies them.
//!
//! In every known attack, the schedules of the two messages differ as one of thirty-two disturbance
//! vectors specifies. Each block of such a pair fulfills conditions on bits of its schedule;
//! [`suspects`] checks them for any kind of word. If a block fulfills a vector's conditions, the
//! other block of the pair can be computed, and so can its chaining value. If the chaining values
//! are equal, it is a collision ([`apart`]).

mod table;

use self::table::each_vector;
use crate::sha1::{K, schedule};
use crate::{W32, Word, unroll};

/// The two known classes of disturbance vectors: Stéphane Manuel, "Classification and generation of
/// disturbance vectors for collision attacks against SHA-1" (2011).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    I,
    II,
}

/// A disturbance vector.
#[derive(Debug)]
pub struct Vector {
    /// The difference between the schedules of two messages that collide by this vector, as
    /// little-endian words.
    pub difference: [u8; 4 * 80],
    /// Whether the messages' states are equal before round 65; otherwise they are equal before
    /// round 58.
    pub is_late: bool,
}

/// The rounds before which the states of two colliding messages are equal, depending on the vector.
const EARLY: usize = 58;
const LATE: usize = 65;

/// One more than the last schedule word with a condition.
const WORDS: usize = 65;

macro_rules! vectors {
    ($($class:ident($k:literal, $bit:literal) from $from:literal: $conditions:tt;)*) => {
        /// All vectors, in the order of the bits of [`suspects`].
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
            // After one rotation per vector, bit 0 belongs to the first vector again.
            $all = ($all ^ hold).rotr(1);
        )*
    }};
}

/// Returns the vectors whose conditions all hold for a block: bit i is that of vector i.
#[inline(always)]
pub fn suspects<W: Word<Int = u32>>(block: [W; 16]) -> W {
    /// Shifts `bit` of `word` to the lowest position.
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

/// A condition: two bits of the schedule, word and bit, word and bit, and whether they differ.
type Condition = (usize, u32, usize, u32, bool);

macro_rules! listed {
    ($($class:ident($k:literal, $bit:literal) from $from:literal: [$($condition:tt,)*];)*) => {
        /// The name and the conditions of each vector.
        static LISTED: [(Class, usize, u32, &[Condition]); VECTORS.len()] =
            [$((Class::$class, $k, $bit, &[$($condition),*])),*];
    };
}
each_vector!(listed);

/// Vectors of one class and bit. The conditions for k + 1 are those for k, shifted by one word.
struct Alike<const N: usize> {
    class: Class,
    bit: u32,
    /// The first k, and the k for which a vector exists: bit i is that of `k + i`.
    k: usize,
    there: u32,
    /// The conditions of the first vector, present or not, and a mask of the k that lack the
    /// condition.
    conditions: [(Condition, u32); N],
}

const I_0: Alike<12> = Alike {
    class: Class::I,
    bit: 0,
    k: 43,
    there: 0b11_1111_1111,
    conditions: [
        ((37, 4, 39, 4, true), 0),
        ((37, 4, 40, 29, false), 0),
        ((37, 4, 41, 4, false), 0),
        ((37, 4, 42, 29, true), 0),
        ((37, 4, 43, 4, true), 0),
        ((37, 4, 44, 29, false), 0),
        ((37, 4, 46, 29, true), 0),
        ((37, 4, 47, 29, true), 0),
        ((37, 4, 39, 29, false), 0b1),
        ((33, 4, 37, 29, false), 0b11),
        ((33, 4, 36, 29, false), 0b1111),
        ((33, 4, 35, 29, false), 0b1_1111),
    ],
};

const I_2: Alike<7> = Alike {
    class: Class::I,
    bit: 2,
    k: 46,
    there: 0b11_1111,
    conditions: [
        ((35, 1, 36, 6, true), 0),
        ((39, 1, 40, 6, true), 0),
        ((39, 1, 42, 6, true), 0),
        ((39, 1, 44, 6, true), 0),
        ((39, 1, 46, 6, true), 0),
        ((39, 1, 47, 1, true), 0),
        ((35, 1, 37, 1, true), 0b111),
    ],
};

const II_0: Alike<15> = Alike {
    class: Class::II,
    bit: 0,
    k: 45,
    there: 0b1111_1111_1111,
    conditions: [
        ((36, 4, 40, 29, false), 0),
        ((41, 4, 45, 29, false), 0),
        ((49, 4, 53, 29, false), 0),
        ((33, 4, 37, 29, false), 0b11),
        ((36, 4, 39, 29, false), 0b10_0000_0001),
        ((41, 4, 43, 29, false), 0b10_0000_0000),
        ((41, 4, 44, 29, false), 0b10_0000_0000),
        ((47, 4, 53, 29, true), 0b1110_0000_0000),
        ((49, 29, 53, 29, true), 0b1110_0000_0000),
        ((50, 29, 53, 29, true), 0b1110_0000_0000),
        ((36, 4, 38, 29, false), 0b10_0000_0011),
        ((52, 29, 53, 29, false), 0b1111_0000_0000),
        // For k = 54, which has only four of the conditions above.
        ((43, 29, 45, 29, false), 0b1101_1111_1111),
        ((44, 29, 45, 29, false), 0b1101_1111_1111),
        ((49, 29, 50, 29, false), 0b1101_1111_1111),
    ],
};

const II_2: Alike<7> = Alike {
    class: Class::II,
    bit: 2,
    k: 46,
    there: 0b11_1001,
    conditions: [
        ((36, 1, 37, 6, true), 0),
        ((41, 1, 42, 6, true), 0),
        ((41, 1, 43, 1, true), 0),
        ((47, 1, 51, 1, true), 0),
        ((48, 6, 51, 1, false), 0),
        ((50, 6, 51, 1, false), 0),
        ((36, 1, 38, 1, true), 0b1),
    ],
};

/// One bit of each of the last words of a schedule: bit i is that of word `FIRST + i`.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the names are the numbers of the bits")]
pub struct Bits {
    pub bit_1: u32,
    pub bit_4: u32,
    pub bit_6: u32,
    pub bit_29: u32,
}

impl Bits {
    /// The first word.
    pub const FIRST: usize = WORDS - 32;

    #[inline(always)]
    fn of(w: &[u32; WORDS]) -> Self {
        let words = w.last_chunk::<32>().expect("as many words");
        // A multiplication gathers one bit from each of eight bytes.
        let (low, high) = (words.map(|word| word as u8), words.map(|word| (word >> 24) as u8));
        let bits = |bytes: &[u8; 32], bit: u32| {
            let eights = bytes.as_chunks().0.iter().enumerate();
            eights.fold(0, |bits, (i, eight)| {
                let lowest = u64::from_le_bytes(*eight) >> bit & 0x0101_0101_0101_0101;
                bits | ((lowest.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32) << (8 * i)
            })
        };
        Self {
            bit_1: bits(&low, 1),
            bit_4: bits(&low, 4),
            bit_6: bits(&low, 6),
            bit_29: bits(&high, 29 - 24),
        }
    }
}

impl<const N: usize> Alike<N> {
    /// Returns the vectors for which all these conditions hold: bit i is that of `k + i`.
    #[inline(always)]
    fn hold(&self, bits: Bits) -> u32 {
        let at = |word: usize, bit: u32| {
            let bits = match bit {
                1 => bits.bit_1,
                4 => bits.bit_4,
                6 => bits.bit_6,
                _ => bits.bit_29,
            };
            bits >> (word - Bits::FIRST)
        };
        let mut hold = self.there;
        const { assert!(N <= 15) };
        unroll!(I => {
            if I < N {
                let ((i, a, j, b, differ), without) = self.conditions[I];
                let differs = at(i, a) ^ at(j, b);
                hold &= without | if differ { differs } else { !differs };
            }
        }; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14);
        hold
    }

    /// Returns the numbers of the vectors, indexed by `k - self.k`.
    const fn numbers(&self) -> [u8; 12] {
        let (mut numbers, mut v) = ([0; 12], 0);
        while v < LISTED.len() {
            let (class, k, bit, _) = LISTED[v];
            if class as u8 == self.class as u8 && bit == self.bit {
                numbers[k - self.k] = v as u8;
            }
            v += 1;
        }
        numbers
    }

    /// Whether the listed vectors have these conditions, and are exactly those in `there`.
    const fn is_listed(&self) -> bool {
        let (mut found, mut v) = (0, 0);
        while v < LISTED.len() {
            let (class, k, bit, listed) = LISTED[v];
            v += 1;
            if class as u8 != self.class as u8 || bit != self.bit {
                continue;
            }
            let later = k - self.k;
            found |= 1 << later;
            let mut n = 0;
            while n < N {
                let ((i, a, j, b, differ), without) = self.conditions[n];
                let (mut is_there, mut l) = (without >> later & 1 == 1, 0);
                while l < listed.len() {
                    let theirs = listed[l];
                    is_there |= theirs.0 == i + later
                        && theirs.1 == a
                        && theirs.2 == j + later
                        && theirs.3 == b
                        && theirs.4 == differ;
                    l += 1;
                }
                if !is_there {
                    return false;
                }
                n += 1;
            }
        }
        found == self.there
    }
}

const _: () = assert!(I_0.is_listed() && I_2.is_listed() && II_0.is_listed() && II_2.is_listed());

/// Returns the first words of a block's schedule.
#[inline(always)]
fn words(block: &[u8; 64]) -> [u32; WORDS] {
    let mut w = [0; WORDS];
    for (word, bytes) in w.iter_mut().zip(block.as_chunks().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    // Unrolled, so that words need not be stored before they are used.
    macro_rules! words {
        ($($t:literal)*) => {
            $(w[$t] = schedule(W32(w[$t - 16]), W32(w[$t - 14]), W32(w[$t - 8]), W32(w[$t - 3])).0;)*
        };
    }
    words! {
        16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47
        48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64
    }
    w
}

/// Computes [`suspects`] for a single block. Checks the shared conditions of similar vectors in
/// parallel, and the remaining conditions only for the few vectors that are left.
pub fn suspects_alone(block: &[u8; 64]) -> u32 {
    let w = words(block);
    suspects_by(Bits::of(&w), || w)
}

/// Computes [`suspects`] for a single block, given bits of its schedule, and a function that computes all of
/// it, which few blocks need.
#[inline(always)]
pub fn suspects_by(bits: Bits, words: impl FnOnce() -> [u32; WORDS]) -> u32 {
    let left = left(bits);
    if left == [0; 4] { 0 } else { read(&words(), left) }
}

/// Returns the vectors whose shared conditions hold: for each kind of similar vectors, bit i is that of
/// `k + i`.
#[inline(always)]
fn left(bits: Bits) -> [u32; 4] {
    [I_0.hold(bits), I_2.hold(bits), II_0.hold(bits), II_2.hold(bits)]
}

/// Returns the vectors in `left` whose conditions all hold.
#[cold]
fn read(w: &[u32; WORDS], left: [u32; 4]) -> u32 {
    static NUMBERS: [[u8; 12]; 4] = [I_0.numbers(), I_2.numbers(), II_0.numbers(), II_2.numbers()];

    let holds =
        |&(i, a, j, b, differ): &Condition| (((w[i] >> a) ^ (w[j] >> b)) & 1 == 1) == differ;
    let mut all = 0;
    for (mut left, numbers) in left.into_iter().zip(&NUMBERS) {
        while left != 0 {
            let number = numbers[left.trailing_zeros() as usize];
            left &= left - 1;
            let (.., conditions) = LISTED[usize::from(number)];
            all |= u32::from(conditions.iter().all(holds)) << number;
        }
    }
    all
}

/// Computes [`suspects`] for the bytes of a block.
pub fn suspects_of(block: &[u8; 64]) -> u32 {
    let bytes = block.as_chunks().0;
    suspects(core::array::from_fn(|t| W32(u32::from_be_bytes(bytes[t])))).0
}

/// Checks whether a block belongs to a collision by a vector. `difference` is the vector's; `late`
/// has all bits set if it [is late](Vector::is_late), else none. `before` and `after` are the
/// chaining values. The first word is zero if the other message has the same chaining value after
/// the block. The second is zero if it has the same one before, as in collisions of fewer than 80
/// rounds.
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
    // The states for a late vector are equal before round 65, so undo rounds 58 to 64 with the
    // other message's words.
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

/// Returns the schedules of a block and of the block that collides with it by `vector`, and the chaining
/// value before the latter. `before` is the chaining value before `block`.
pub fn pair(block: &[u8; 64], vector: &Vector, before: [u32; 5]) -> ([[u32; 80]; 2], [u32; 5]) {
    let bytes = block.as_chunks().0;
    let mut w = [W32(0); 80];
    let mut t = 0;
    while t < 80 {
        w[t] = match bytes.get(t) {
            Some(word) => W32(u32::from_be_bytes(*word)),
            None => schedule(w[t - 16], w[t - 14], w[t - 8], w[t - 3]),
        };
        t += 1;
    }
    let differences = vector.difference.as_chunks().0;
    let other: [W32; 80] = core::array::from_fn(|t| w[t] ^ W32(u32::from_le_bytes(differences[t])));

    let mut state = done::<0, W32>(before.map(W32), &w[..20]);
    state = done::<1, W32>(state, &w[20..40]);
    state = done::<2, W32>(state, &w[40..EARLY]);
    if vector.is_late {
        state = done::<2, W32>(state, &w[EARLY..60]);
        state = done::<3, W32>(state, &w[60..LATE]);
        state = undone::<3, W32>(state, &other[60..LATE]);
        state = undone::<2, W32>(state, &other[EARLY..60]);
    }
    state = undone::<2, W32>(state, &other[40..EARLY]);
    state = undone::<1, W32>(state, &other[20..40]);
    state = undone::<0, W32>(state, &other[..20]);
    ([w, other].map(|words| words.map(|word| word.0)), state.map(|word| word.0))
}

/// Computes the difference between the schedules of two messages that collide by a vector: a local
/// collision of six rounds cancels each disturbance.
const fn difference(class: Class, k: usize, bit: u32) -> [u8; 4 * 80] {
    // Words -5..80 of the vector, which is also a schedule, computed in both directions.
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

/// Performs rounds of a phase, FIPS 180-4 §6.1.2 step 3.
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

/// Reverses rounds of a phase.
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
