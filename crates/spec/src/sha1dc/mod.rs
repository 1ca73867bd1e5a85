//! Detects SHA-1 blocks that may belong to a collision attack, and verifies them.
//!
//! In every known attack, the schedules of the two messages differ as one of thirty-two disturbance
//! vectors specifies. Each block of such a pair fulfills conditions on bits of its schedule;
//! [`suspects`] checks them for any kind of word. If a block fulfills a vector's conditions, the
//! other block of the pair can be computed, and so can its chaining value. If the chaining values
//! are equal, it is a collision ([`apart`]).

mod table;

use core::hint::black_box;

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

/// Returns the words of a block's schedule up to W_67. Unrolled, so that words need not be stored before they are used.
#[inline(always)]
fn scheduled<W: Word<Int = u32>>(block: [W; 16]) -> [W; 68] {
    let mut w = [block[0]; 68];
    unroll!(T => { w[T] = block[T]; });
    unroll!(T => {
        w[T] = schedule(w[T - 16], w[T - 14], w[T - 8], w[T - 3]);
    }; 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50
        51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67);
    w
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
    let w = scheduled(block);
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
    /// The first k, and the number of k up to the last. A word of these vectors has bit i for the i-th of them
    /// from the last.
    k: usize,
    count: u32,
    /// The conditions of the first vector, present or not, and the k whose vectors lack the condition or do not
    /// exist: bit i is that of `k + i`.
    conditions: [(Condition, u32); N],
}

const I_0: Alike<12> = Alike {
    class: Class::I,
    bit: 0,
    k: 43,
    count: 10,
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

const I_2: Alike<8> = Alike {
    class: Class::I,
    bit: 2,
    k: 46,
    count: 6,
    conditions: [
        ((35, 1, 36, 6, true), 0),
        ((39, 1, 40, 6, true), 0),
        ((39, 1, 42, 6, true), 0),
        ((39, 1, 44, 6, true), 0),
        ((39, 1, 46, 6, true), 0),
        ((39, 1, 47, 1, true), 0),
        ((35, 1, 37, 1, true), 0b111),
        ((32, 1, 33, 6, true), 0b111),
    ],
};

const II_0: Alike<15> = Alike {
    class: Class::II,
    bit: 0,
    k: 45,
    count: 12,
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
    count: 6,
    conditions: [
        ((36, 1, 37, 6, true), 0b110),
        ((41, 1, 42, 6, true), 0b110),
        ((41, 1, 43, 1, true), 0b110),
        ((47, 1, 51, 1, true), 0b110),
        ((48, 6, 51, 1, false), 0b110),
        ((50, 6, 51, 1, false), 0b110),
        ((36, 1, 38, 1, true), 0b111),
    ],
};

/// The last words of a block's schedule, in reverse order: W_67 … W_32. The SHA instructions of x86 compute groups of
/// four words in this order.
pub type LastWords = [u32; 36];

/// The place of word `t` in [`LastWords`].
const fn place(t: usize) -> usize {
    67 - t
}

/// The first and the last word that a shared condition reads.
const FIRST_SHARED: usize = 35;
const LAST_SHARED: usize = 64;

/// The number of words from the first to the last that a shared condition reads.
pub const SHARED_WORDS: usize = LAST_SHARED - FIRST_SHARED + 1;

/// The bits that are [gathered](bits): for each result, the bit of a word, and the word whose bit is the lowest.
/// The results contain whole groups of four words.
pub const GATHERED: [(u32, usize); 4] = [(1, 63), (4, 63), (6, 63), (29, 67)];

/// The place in [`GATHERED`] of a bit of a word.
#[inline(always)]
const fn gathered(bit: u32) -> usize {
    match bit {
        1 => 0,
        4 => 1,
        6 => 2,
        _ => 3,
    }
}

/// Gathers the [bits](GATHERED) of the last words that shared conditions read: bit i of a result belongs to the i-th
/// word before its first. Bits that no shared condition reads are arbitrary.
#[inline(always)]
pub fn bits(words: &LastWords) -> [u32; 4] {
    // A multiplication gathers one bit from each of eight bytes.
    // An array's `map` is a call where it is not inlined.
    let (mut low, mut high) = ([0; 32], [0; 32]);
    let mut i = 0;
    while i < 32 {
        // Bits that no shared condition reads are zero.
        low[i] = if 63 - i >= FIRST_SHARED { words[place(63) + i] as u8 } else { 0 };
        high[i] = if 67 - i <= LAST_SHARED { (words[i] >> 24) as u8 } else { 0 };
        i += 1;
    }
    let bits = |bytes: &[u8; 32], bit: u32| {
        let eights = bytes.as_chunks().0.iter().enumerate();
        eights.fold(0, |bits, (i, eight)| {
            let lowest = u64::from_le_bytes(*eight) >> bit & 0x0101_0101_0101_0101;
            bits | ((lowest.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32) << (8 * i)
        })
    };
    let [a, b, c, d] = GATHERED.map(|(bit, _)| bit);
    [bits(&low, a), bits(&low, b), bits(&low, c), bits(&high, d - 24)]
}

/// Returns the vectors whose conditions on [these bits](bits) hold: bit i is that of vector i. There are
/// none for seven of eight blocks.
#[inline(always)]
pub fn left<W: Word<Int = u32>>(bits: [W; 4]) -> W {
    let [i_0, i_2, ii_0, ii_2] = [I_0.hold(bits), I_2.hold(bits), II_0.hold(bits), II_2.hold(bits)];
    let ones = |ones: u32| bits[0].zero() + ones;
    // There are no vectors II(47, 2) and II(48, 2).
    let ii_2 = or(ii_2 & ones(0b111), (ii_2 & ones(0b10_0000)).shr(2));
    or(or(i_0, i_2.rotl(10)), or(ii_0.rotl(16), ii_2.rotl(28)))
}

/// Returns the words of a block's schedule that shared conditions read: word i is W_64−i.
#[inline(always)]
pub fn shared_words<W: Word<Int = u32>>(block: [W; 16]) -> [W; SHARED_WORDS] {
    let w = scheduled(block);
    let mut words = [block[0]; SHARED_WORDS];
    let mut i = 0;
    while i < SHARED_WORDS {
        words[i] = w[LAST_SHARED - i];
        i += 1;
    }
    words
}

/// The [gathered](bits) bits that a shared condition reads.
const USED: [u32; 4] = II_2.used(II_0.used(I_2.used(I_0.used([0; 4]))));

/// Returns the vectors that [`left`] leaves for a block with these [words](shared_words).
#[inline(always)]
pub fn left_of<W: Word<Int = u32>>(words: &[W; SHARED_WORDS]) -> W {
    let mut bits = [words[0].zero(); 4];
    unroll!(I => {
        unroll!(B => {
            let (bit, last) = GATHERED[B];
            let to = (last + I).wrapping_sub(LAST_SHARED);
            if to < 32 && USED[B] >> to & 1 == 1 {
                let by = (bit + u32::BITS - to as u32) % u32::BITS;
                let moved = if by == 0 { words[I] } else { words[I].rotr(by) };
                bits[B] = bits[B] ^ (moved & (words[0].zero() + (1 << to)));
            }
        }; 0 1 2 3);
    }; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29);
    left(bits)
}

/// Computes [`left_of`] for a single block.
pub fn left_alone(block: &[u8; 64]) -> u32 {
    // The words are in memory: a compiler would otherwise merge the gathering with the schedule's rotations.
    left(bits(black_box(&last_words(block))).map(W32)).0
}

impl<const N: usize> Alike<N> {
    /// Returns the vectors for which all these conditions hold.
    #[inline(always)]
    fn hold<W: Word<Int = u32>>(&self, bits: [W; 4]) -> W {
        let at = |word: usize, bit: u32| {
            let of = gathered(bit);
            match GATHERED[of].1 + 1 - word - self.count as usize {
                0 => bits[of],
                n => bits[of].shr(n as u32),
            }
        };
        let ones = |ones: u32| bits[0].zero() + ones;
        let mut hold = ones((1 << self.count) - 1);
        const { assert!(N <= 15) };
        unroll!(I => {
            if I < N {
                let ((i, a, j, b, differ), without) = self.conditions[I];
                let differs = at(i, a) ^ at(j, b);
                // The vectors that have the condition.
                let with = ones(!without.reverse_bits() >> (u32::BITS - self.count));
                hold = hold & if differ { !(with & !differs) } else { !(with & differs) };
            }
        }; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14);
        hold
    }

    /// Whether the vector with this k has this condition here.
    const fn has(&self, k: usize, (i, a, j, b, differ): Condition) -> bool {
        let later = k - self.k;
        let mut n = 0;
        while n < N {
            let (own, without) = self.conditions[n];
            let is_same = own.1 == a && own.3 == b && own.4 == differ;
            if is_same && own.0 + later == i && own.2 + later == j {
                return without >> later & 1 == 0;
            }
            n += 1;
        }
        false
    }

    /// Adds the bits that these conditions read.
    const fn used(&self, mut used: [u32; 4]) -> [u32; 4] {
        let mut n = 0;
        while n < N {
            let ((i, a, j, b, _), without) = self.conditions[n];
            let mut later = 0;
            while later < self.count as usize {
                if without >> later & 1 == 0 {
                    assert!(i + later >= FIRST_SHARED && j + later <= LAST_SHARED);
                    let (a, b) = (gathered(a), gathered(b));
                    used[a] |= 1 << (GATHERED[a].1 - i - later);
                    used[b] |= 1 << (GATHERED[b].1 - j - later);
                }
                later += 1;
            }
            n += 1;
        }
        used
    }

    /// Whether these are `vectors` from number `first` on, and each has its conditions here.
    const fn is_listed(&self, first: usize) -> bool {
        let (mut vector, mut later) = (first, self.count as usize);
        while later > 0 {
            later -= 1;
            let (class, k, bit, listed) = LISTED[vector];
            if k != self.k + later {
                // A vector may be missing only if every condition lists it as one without the condition.
                let mut n = 0;
                while n < N {
                    if self.conditions[n].1 >> later & 1 == 0 {
                        return false;
                    }
                    n += 1;
                }
                continue;
            }
            if class as u8 != self.class as u8 || bit != self.bit {
                return false;
            }
            vector += 1;
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
        true
    }
}

const _: () =
    assert!(I_0.is_listed(0) && I_2.is_listed(10) && II_0.is_listed(16) && II_2.is_listed(28));

/// Returns the last words of a block's schedule.
#[inline(always)]
pub fn last_words(block: &[u8; 64]) -> LastWords {
    let bytes = block.as_chunks().0;
    let w = scheduled(core::array::from_fn(|t| W32(u32::from_be_bytes(bytes[t]))));
    core::array::from_fn(|i| w[67 - i].0)
}

/// A condition that similar vectors do not share: [places](place) of words, bits of these words, and 1 if they differ.
#[derive(Clone, Copy)]
struct Rest {
    places: [u8; 2],
    bits: [u8; 2],
    differ: u32,
}

/// The maximum number of conditions of a vector that are not shared.
const MOST_REST: usize = 7;

/// The conditions of each vector that are not shared, then conditions that always hold.
static REST: [[Rest; MOST_REST]; VECTORS.len()] = {
    let always = Rest { places: [0; 2], bits: [0; 2], differ: 0 };
    let mut rest = [[always; MOST_REST]; VECTORS.len()];
    let mut vector = 0;
    while vector < rest.len() {
        let (_, k, _, conditions) = LISTED[vector];
        let (mut n, mut count) = (0, 0);
        while n < conditions.len() {
            let condition = conditions[n];
            let is_shared = match vector {
                0..10 => I_0.has(k, condition),
                10..16 => I_2.has(k, condition),
                16..28 => II_0.has(k, condition),
                _ => II_2.has(k, condition),
            };
            if !is_shared {
                let (i, a, j, b, differ) = condition;
                let places = [place(i) as u8, place(j) as u8];
                rest[vector][count] =
                    Rest { places, bits: [a as u8, b as u8], differ: differ as u32 };
                count += 1;
            }
            n += 1;
        }
        vector += 1;
    }
    rest
};

/// Returns the vectors in `left` whose conditions all hold, if [`left`] leaves these vectors for the block.
// Without branches on conditions, which a CPU could not predict.
#[cold]
#[inline(never)]
pub fn read(words: &LastWords, mut left: u32) -> u32 {
    let mut all = 0;
    while left != 0 {
        let number = left.trailing_zeros();
        left &= left - 1;
        let mut fails = 0;
        for &Rest { places: [i, j], bits: [a, b], differ } in &REST[number as usize] {
            fails |= (words[usize::from(i)] >> a) ^ (words[usize::from(j)] >> b) ^ differ;
        }
        all |= (!fails & 1) << number;
    }
    all
}

/// Computes [`suspects`] for the bytes of a block.
pub fn suspects_of(block: &[u8; 64]) -> u32 {
    let bytes = block.as_chunks().0;
    suspects(core::array::from_fn(|t| W32(u32::from_be_bytes(bytes[t])))).0
}

#[inline(always)]
fn or<W: Word>(x: W, y: W) -> W {
    !(!x & !y)
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

/// Returns the schedule of a block, FIPS 180-4 §6.1.2 step 1.
fn expanded(block: &[u8; 64]) -> [W32; 80] {
    let bytes = block.as_chunks().0;
    let first = scheduled(core::array::from_fn(|t| W32(u32::from_be_bytes(bytes[t]))));
    let mut w = [W32(0); 80];
    w[..first.len()].copy_from_slice(&first);
    for t in first.len()..80 {
        w[t] = schedule(w[t - 16], w[t - 14], w[t - 8], w[t - 3]);
    }
    w
}

impl Vector {
    /// Returns the schedule that differs from `w` by this vector.
    fn applied(&self, w: &[W32; 80]) -> [W32; 80] {
        let differences = self.difference.as_chunks().0;
        core::array::from_fn(|t| w[t] ^ W32(u32::from_le_bytes(differences[t])))
    }
}

/// Returns the only block and chaining value before it that can collide with `block` by `vector`. They do if and only
/// if compression leads from them to `after`, as it leads from `before` and `block`.
pub fn counterpart(
    block: &[u8; 64],
    vector: &Vector,
    before: [u32; 5],
    after: [u32; 5],
) -> ([u8; 64], [u32; 5]) {
    let w = expanded(block);
    let other = vector.applied(&w);
    let equal = if vector.is_late { LATE } else { EARLY };
    let mut end: [W32; 5] = core::array::from_fn(|i| W32(after[i]) - W32(before[i]));
    let phase_3 = equal.max(60);
    end = undone::<3, W32>(end, &w[phase_3..]);
    end = undone::<2, W32>(end, &w[equal.min(60)..60]);
    end = done::<2, W32>(end, &other[equal.min(60)..60]);
    end = done::<3, W32>(end, &other[phase_3..]);
    let mut bytes = [0; 64];
    for (bytes, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(&other) {
        *bytes = word.0.to_be_bytes();
    }
    (bytes, core::array::from_fn(|i| (W32(after[i]) - end[i]).0))
}

/// Returns the schedules of a block and of the block that collides with it by `vector`, and the chaining
/// value before the latter. `before` is the chaining value before `block`.
pub fn pair(block: &[u8; 64], vector: &Vector, before: [u32; 5]) -> ([[u32; 80]; 2], [u32; 5]) {
    let w = expanded(block);
    let other = vector.applied(&w);
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

#[cfg(test)]
mod tests {
    extern crate std;

    use std::collections::BTreeSet;
    use std::vec::Vec;

    use super::*;

    /// A sum of bits of the schedule: words and bits.
    type Sum = BTreeSet<(usize, u32)>;

    fn add(to: &mut Sum, other: &Sum) {
        *to = to.symmetric_difference(other).copied().collect();
    }

    /// Removes the sums that contain `bit`, and adds one of them to the others.
    fn eliminate(sums: &mut Vec<Sum>, bit: (usize, u32)) {
        let Some(place) = sums.iter().position(|sum| sum.contains(&bit)) else { return };
        let first = sums.swap_remove(place);
        sums.iter_mut().filter(|sum| sum.contains(&bit)).for_each(|sum| add(sum, &first));
    }

    /// The number of independent conditions in the space of `conditions` that are on `bits` only.
    fn rank(conditions: &[Condition], bits: &[u32]) -> i32 {
        let sum = |&(i, a, j, b, _): &Condition| Sum::from([(i, a), (j, b)]);
        let mut sums: Vec<Sum> = conditions.iter().map(sum).collect();
        let all: Sum = sums.iter().flatten().copied().collect();
        all.iter()
            .filter(|(_, bit)| !bits.contains(bit))
            .for_each(|&bit| eliminate(&mut sums, bit));
        let mut rank = 0;
        while let Some(&bit) = sums.iter().flatten().next() {
            eliminate(&mut sums, bit);
            rank += 1;
        }
        rank
    }

    /// The expected number of vectors per random block whose conditions on `bits` all hold.
    fn share(bits: &[u32]) -> f64 {
        LISTED.iter().map(|(.., conditions)| 0.5_f64.powi(rank(conditions, bits))).sum()
    }

    /// Returns `count` words after `state`.
    fn random<const N: usize>(state: &mut u64) -> [u32; N] {
        core::array::from_fn(|_| {
            // Marsaglia's xorshift.
            *state ^= *state << 13;
            *state ^= *state >> 7;
            *state ^= *state << 17;
            (*state >> 16) as u32
        })
    }

    /// Chaining values are constructed between which a block collides with its counterpart; random ones do not.
    #[test]
    fn counterparts_collide_where_blocks_are_not_apart() {
        let compressed = |state: [u32; 5], block: &[u8; 64]| -> [u32; 5] {
            let mut words = core::array::from_fn(|i| state.get(i).map_or(0, |&word| word.into()));
            crate::compress(crate::Family::Sha1, &mut words, block);
            core::array::from_fn(|i| words[i] as u32)
        };
        let minus = |x: [u32; 5], y: [u32; 5]| core::array::from_fn(|i| x[i].wrapping_sub(y[i]));
        let mut state = 1;
        for vector in VECTORS.iter().cycle().take(320) {
            let bytes: [[u8; 4]; 16] = random(&mut state).map(u32::to_be_bytes);
            let block = bytes.as_flattened().try_into().unwrap();
            let first = random(&mut state);
            let end = minus(compressed(first, &block), first);
            let ([_, other], theirs) = pair(&block, vector, first);
            let theirs_block: Vec<u8> = other[..16].iter().flat_map(|w| w.to_be_bytes()).collect();
            let after = compressed(theirs, theirs_block[..].try_into().unwrap());
            let difference = vector.difference.as_chunks().0;
            for (before, after, is_apart) in [
                (minus(after, end), after, false),
                (minus(after, end), minus(after, [0, 0, 0, 0, 1]), true),
                (first, compressed(first, &block), true),
            ] {
                let [whole, _] = apart(
                    bytes.map(|word| W32(u32::from_be_bytes(word))),
                    &core::array::from_fn(|t| W32(u32::from_le_bytes(difference[t]))),
                    W32(if vector.is_late { u32::MAX } else { 0 }),
                    before.map(W32),
                    after.map(W32),
                );
                let (block, theirs) = counterpart(&block, vector, before, after);
                assert_eq!(whole.0 != 0, is_apart);
                assert_eq!(compressed(theirs, &block) != after, is_apart);
            }
        }
    }

    /// Searches all sets of four bits. All conditions leave one block in twenty.
    #[test]
    fn no_other_four_bits_rule_out_more_blocks() {
        const BITS: [u32; 11] = [0, 1, 2, 3, 4, 5, 6, 7, 28, 29, 30];
        let named = LISTED.iter().flat_map(|(.., all)| all.iter().flat_map(|c| [c.1, c.3]));
        assert_eq!(named.collect::<BTreeSet<_>>(), BTreeSet::from(BITS));
        let mut all = Vec::new();
        for set in (0..1_u32 << BITS.len()).filter(|set| set.count_ones() == 4) {
            let bits: Vec<u32> = BITS
                .into_iter()
                .enumerate()
                .filter(|(i, _)| set >> i & 1 == 1)
                .map(|(_, bit)| bit)
                .collect();
            all.push((share(&bits), bits));
        }
        all.sort_by(|x, y| x.0.total_cmp(&y.0));
        let rounded = |share: f64| (share * 1000.0).round();
        assert_eq!((rounded(all[0].0), &all[0].1[..]), (105.0, &[1, 4, 6, 29][..]));
        assert!(all[1].0 > 3.0 * all[0].0, "{:?}", all[1]);
        assert_eq!(rounded(share(&BITS)), 49.0);
    }

    /// Leaves out the conditions on these bits that fewer than three vectors have.
    #[test]
    fn the_shared_conditions_leave_few_vectors() {
        let mut share = 0.0;
        let mut count = |count: u32, conditions: &[(Condition, u32)], class, k, bit| {
            for later in (0..count).filter(|later| {
                LISTED.iter().any(|one| (one.0, one.1, one.2) == (class, k + *later as usize, bit))
            }) {
                let own = conditions.iter().filter(|(_, without)| without >> later & 1 == 0);
                let own: Vec<Condition> = own.map(|(condition, _)| *condition).collect();
                share += 0.5_f64.powi(rank(&own, &[1, 4, 6, 29]));
            }
        };
        count(I_0.count, &I_0.conditions, I_0.class, I_0.k, I_0.bit);
        count(I_2.count, &I_2.conditions, I_2.class, I_2.k, I_2.bit);
        count(II_0.count, &II_0.conditions, II_0.class, II_0.k, II_0.bit);
        count(II_2.count, &II_2.conditions, II_2.class, II_2.k, II_2.bit);
        assert!((0.12..0.13).contains(&share), "{share}");
    }
}
