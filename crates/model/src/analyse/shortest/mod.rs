//! The fewest instructions of Ch, Maj, Parity, Σ and σ, proven by exhaustive search.
//!
//! A [`Set`] defines the instructions. A program has unlimited registers, and no constants except the
//! distances of rotations and shifts. The operands of an instruction are different words, so x ⊕ x does
//! not yield 0. [`WordFunction::minimum`] tries all programs of each length, and returns the first one that
//! is proven equal to the function.

mod amortized;
mod program;
mod search;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Mutex;

use lanesum_graph::eval;
use lanesum_graph::graph::{Graph, Id, Op};
use lanesum_graph::record::{Node, Recorder};
use lanesum_spec::Word;
use lanesum_spec::sha2::{Sha256, Sha512, Variant, big_sigma, sigma};

pub use amortized::{Amortized, amortized};
pub use program::{Assignment, Expression, Overwrites, Primitive, Set, StraightLine};

use search::{Samples, Search};

impl Set {
    /// The instruction sets of the search, with the names in `instruction-sets.toml`. They have
    /// rotations and shifts of `width`-bit words if the function is `linear`.
    pub fn all(width: u32, linear: bool) -> Vec<Self> {
        use Primitive::{Add, And, AndNot, Not, Or, Rotr, Shl, Shr, Sub, Xor};
        let bits = if linear { 1..width } else { 0..0 };
        let rotations: Vec<_> = bits.clone().map(Rotr).collect();
        let shifts: Vec<_> = bits.clone().map(Shr).chain(bits.map(Shl)).collect();
        let general = [&rotations[..], &shifts, &[Xor, And, Or, Add, Sub, Not]].concat();
        let with_andn = [&general[..], &[AndNot]].concat();
        let vector = [&shifts[..], &[Xor, And, Or, AndNot, Add, Sub]].concat();
        let set = |name, operations: &[Primitive], overwrites| Self {
            name,
            operations: operations.to_vec(),
            ternary: false,
            overwrites,
        };
        vec![
            set("risc", &general, Overwrites::Nothing),
            set("x86-plain", &general, Overwrites::Everything),
            set("x86-bmi", &with_andn, Overwrites::AllButBmi),
            set("sse2", &vector, Overwrites::Everything),
            set("avx2", &vector, Overwrites::Nothing),
            Self { ternary: true, ..set("avx512", &with_andn, Overwrites::Ternary) },
        ]
    }

    /// General registers with rorx and andn, where copies are not counted: a lower bound on the instructions
    /// that need an ALU.
    pub fn without_copies(width: u32, linear: bool) -> Self {
        let sets = Self::all(width, linear);
        let set = sets.into_iter().find(|set| set.overwrites == Overwrites::AllButBmi);
        let set = set.expect("a set with BMI");
        Self { name: FREE, overwrites: Overwrites::Nothing, ..set }
    }

    /// All functions of two bits, with free complements. Functions that are 0 at (0, 0) suffice: a word
    /// that is 1 there is replaced by its complement.
    pub fn gates() -> Self {
        use Primitive::{And, AndNot, Or, Xor};
        Self {
            name: "gates",
            operations: vec![And, AndNot, Or, Xor],
            ternary: false,
            overwrites: Overwrites::Nothing,
        }
    }
}

/// A function of words.
#[derive(Debug)]
pub struct WordFunction {
    /// Its name.
    pub name: &'static str,
    /// The names of its operands.
    pub operands: Vec<&'static str>,
    /// The number of leading operands that may be needed again.
    lasting: usize,
    /// Distances of rotations and shifts that a program probably needs.
    hints: Vec<u32>,
    graph: Graph,
    inputs: Vec<Id>,
    results: Vec<Id>,
}

/// Records functions of words of this integer: `$results` for the operands `$w`.
macro_rules! function {
    ($int:ty, $name:expr, $operands:expr, $w:ident => $results:expr) => {{
        let recorder = Recorder::new(<$int>::BITS);
        let operands = Vec::from($operands);
        let $w: Vec<Node<'_, $int>> = (0..operands.len()).map(|n| recorder.input(n)).collect();
        let results = $results.map(Node::id).to_vec();
        let inputs: Vec<Id> = $w.into_iter().map(Node::id).collect();
        let lasting = inputs.len();
        let (graph, hints) = (recorder.finish(), Vec::new());
        WordFunction { name: $name, operands, lasting, hints, graph, inputs, results }
    }};
}

/// Σ and σ of a variant of SHA-2.
macro_rules! linear {
    ($variant:ty, $int:ty) => {
        [
            function!($int, "Σ0", ["x"], w => [big_sigma(w[0], <$variant>::BIG_SIGMA0)])
                .with_hints(<$variant>::BIG_SIGMA0),
            function!($int, "Σ1", ["x"], w => [big_sigma(w[0], <$variant>::BIG_SIGMA1)])
                .with_hints(<$variant>::BIG_SIGMA1),
            function!($int, "σ0", ["x"], w => [sigma(w[0], <$variant>::SIGMA0)])
                .with_hints(<$variant>::SIGMA0),
            function!($int, "σ1", ["x"], w => [sigma(w[0], <$variant>::SIGMA1)])
                .with_hints(<$variant>::SIGMA1),
        ]
    };
}

/// A minimum that the search has proven.
#[derive(Clone, Debug)]
pub struct Minimum {
    /// No program has fewer instructions.
    pub at_least: usize,
    /// A program with `at_least` instructions, unless the search ended at its limit.
    pub program: Option<StraightLine>,
    /// The number of shorter programs, without their last instruction, for which the search ruled out
    /// every last instruction.
    pub tried: u64,
}

impl WordFunction {
    /// Ch, Maj and Parity, FIPS 180-4 §4.1.
    pub fn bitwise() -> [Self; 3] {
        [
            function!(u64, "Ch", ["x", "y", "z"], w => [Word::ch(w[0], w[1], w[2])]),
            function!(u64, "Maj", ["x", "y", "z"], w => [Word::maj(w[0], w[1], w[2])]),
            function!(u64, "Parity", ["x", "y", "z"], w => [Word::xor3(w[0], w[1], w[2])]),
        ]
    }

    /// Maj(x, y, z) if the last round has computed d = y ⊕ z, and the next round needs x ⊕ y.
    pub fn next_maj() -> Self {
        let mut maj = function!(u64, "Maj and x ⊕ y, from y ⊕ z", ["x", "y", "z"], w => {
            [Word::maj(w[0], w[1], w[2]), w[0] ^ w[1]]
        });
        maj.inputs.push(maj.graph.node(Op::Xor(maj.inputs[1], maj.inputs[2])));
        maj.operands.push("d");
        maj
    }

    /// Ch and Maj of two consecutive rounds.
    pub fn of_two_rounds() -> [Self; 2] {
        [
            function!(u64, "Ch of two rounds", ["x", "y", "z", "d"], w => {
                [Word::ch(w[0], w[1], w[2]), Word::ch(w[1], w[2], w[3])]
            }),
            function!(u64, "Maj of two rounds", ["x", "y", "z", "d"], w => {
                [Word::maj(w[0], w[1], w[2]), Word::maj(w[1], w[2], w[3])]
            }),
        ]
    }

    /// A word of SHA-1's schedule, FIPS 180-4 §6.1.2.
    pub fn word_of_sha1() -> Self {
        function!(u32, "W", ["w", "x", "y", "z"], w => [(w[0] ^ w[1] ^ w[2] ^ w[3]).rotr(31)])
            .with_hints([31, 0, 0])
    }

    /// A sum and a function of three words that is added to it: Ch and Maj.
    pub fn summed() -> [Self; 2] {
        [
            function!(u64, "s + Ch", ["x", "y", "z", "s"], w => [w[3] + Word::ch(w[0], w[1], w[2])]),
            function!(u64, "s + Maj", ["x", "y", "z", "s"], w => [w[3] + Word::maj(w[0], w[1], w[2])]),
        ]
    }

    /// Σ and σ of SHA-256, FIPS 180-4 §4.1.2.
    pub fn linear_256() -> [Self; 4] {
        linear!(Sha256, u32)
    }

    /// Σ and σ of SHA-512, FIPS 180-4 §4.1.3.
    pub fn linear_512() -> [Self; 4] {
        linear!(Sha512, u64)
    }

    /// Tries rotations and shifts by these distances, and by their differences, first.
    fn with_hints(mut self, distances: [u32; 3]) -> Self {
        let [a, b, c] = distances;
        self.hints = [a, b, c, a.abs_diff(b), b.abs_diff(c), a.abs_diff(c)].to_vec();
        self
    }

    /// The width of its words in bits.
    pub fn width(&self) -> u32 {
        self.graph.width()
    }

    /// Its graph and its result, if it has only one.
    pub fn root(&self) -> (&Graph, Id) {
        (&self.graph, self.results[0])
    }

    /// Sample words, from the constants of SHA-512: one in each lane of `width` bits.
    fn samples(&self) -> Samples {
        let words = |ids: &[Id]| {
            let width = self.width();
            let mut words = vec![0; ids.len()];
            for lane in 0..64 / width {
                let inputs: Vec<u64> =
                    Sha512::K.iter().map(|k| self.graph.mask(k >> (lane * width))).collect();
                let values = eval(&self.graph, &inputs);
                for (word, id) in words.iter_mut().zip(ids) {
                    *word |= values[id.index()] << (lane * width);
                }
            }
            words
        };
        Samples { inputs: words(&self.inputs), results: words(&self.results) }
    }

    /// Whether the program is proven to compute the function.
    fn is_proven(&self, program: &StraightLine) -> bool {
        let mut graph = self.graph.clone();
        let results = program.nodes(&mut graph, &self.inputs);
        results.iter().zip(&self.results).all(|(&x, &y)| graph.equal(x, y))
    }

    /// Searches for the shortest program, with at most `limit` instructions. If its operands `survive`, the
    /// program must not overwrite them.
    pub fn minimum(&self, set: &Set, survive: bool, limit: usize) -> Minimum {
        self.minimum_of([0, limit], set, survive)
    }

    /// The minimum, which is computed once. The lower bounds of long searches are constants, which `cargo xtask test-long`
    /// checks.
    pub fn proven(&self, set: &Set, survive: bool) -> Minimum {
        /// The function, its width, the instruction set, and whether the operands survive.
        type Search = (&'static str, u32, &'static str, bool);
        static KNOWN: Mutex<BTreeMap<Search, Minimum>> = Mutex::new(BTreeMap::new());
        let key = (self.name, self.width(), set.name, survive);
        let known = || KNOWN.lock().expect("no search panics while it is locked");
        if let Some(minimum) = known().get(&key) {
            return minimum.clone();
        }
        let of_this = |long: &&Long| {
            survive && (long.function, long.width, long.set) == (self.name, self.width(), set.name)
        };
        let minimum = match LONG.iter().find(of_this) {
            Some(long) => {
                let lengths = [long.at_least, long.limit];
                Minimum { tried: long.tried, ..self.minimum_of(lengths, set, survive) }
            }
            // Without rotations, Σ and σ are too long for a complete search.
            None if set.name == "avx2" && !self.hints.is_empty() => self.minimum(set, survive, 4),
            None => self.minimum(set, survive, 7),
        };
        known().insert(key, minimum.clone());
        minimum
    }

    /// Searches for the shortest program, from the first of `lengths` to the second.
    fn minimum_of(&self, lengths: [usize; 2], set: &Set, survive: bool) -> Minimum {
        let survivors = if survive { (1 << self.lasting) - 1 } else { 0 };
        let (hints, samples) = (&self.hints, &self.samples());
        let proves = |program: &StraightLine| self.is_proven(program);
        match self.width() {
            32 => shortest::<32>(set, hints, samples, survivors, lengths, &proves),
            _ => shortest::<64>(set, hints, samples, survivors, lengths, &proves),
        }
    }
}

/// Tries all programs, the shortest first. The search ends at the first length at which a program yields
/// the results; it is the minimum if such a program passes `proves`. For each length, rotations and
/// shifts by distances that are not in `hints` are tried last.
fn shortest<const WIDTH: u32>(
    set: &Set,
    hints: &[u32],
    samples: &Samples,
    survivors: u32,
    [from, limit]: [usize; 2],
    proves: &dyn Fn(&StraightLine) -> bool,
) -> Minimum {
    let hinted = |operation: &Primitive| match operation {
        Primitive::Rotr(n) | Primitive::Shr(n) | Primitive::Shl(n) => hints.contains(n),
        _ => true,
    };
    let operations = set.operations.iter().copied().filter(hinted).collect();
    let few = Set { operations, ..set.clone() };
    // With free copies, a program needs at least `fewest` operations.
    let (mut tried, fewest) = if set.overwrites == Overwrites::Nothing || from == limit {
        (0, 0)
    } else {
        let free = Set { overwrites: Overwrites::Nothing, ..set.clone() };
        let free = shortest::<WIDTH>(&free, hints, samples, survivors, [0, limit], &|_| true);
        (free.tried, free.at_least)
    };
    for length in fewest.max(from)..=limit {
        let fewest = if set.overwrites == Overwrites::Nothing { length } else { fewest };
        let mut tried_here = 0;
        let (mut found, mut yields) = (None, false);
        for (set, is_whole) in [(&few, false), (set, true)] {
            for operations in fewest..=length {
                let mut check = |instructions: &[Expression]| {
                    let program = ordered::<WIDTH>(set, samples, instructions, survivors);
                    if program.lines.len() > length {
                        return false;
                    }
                    yields = true;
                    if proves(&program) {
                        found = Some(program);
                    }
                    found.is_some()
                };
                let lengths = [operations, length - operations];
                let search = Search::<WIDTH>::new(set, samples, survivors, lengths, &mut check);
                let programs = search.run();
                tried_here += if is_whole { programs } else { 0 };
                if found.is_some() {
                    return Minimum { at_least: length, program: found, tried };
                }
            }
        }
        if yields {
            return Minimum { at_least: length, program: None, tried };
        }
        tried += tried_here;
    }
    Minimum { at_least: limit + 1, program: None, tried }
}

/// The program of these instructions with the fewest copies.
fn ordered<const WIDTH: u32>(
    set: &Set,
    samples: &Samples,
    instructions: &[Expression],
    survivors: u32,
) -> StraightLine {
    let mut words = samples.inputs.clone();
    for Expression { operation, operands } in instructions {
        words.push(search::evaluate::<WIDTH>(*operation, operands.map(|x| words[x])));
    }
    let index = |result| words.iter().position(|word| word == result).expect("a result");
    let results: Vec<usize> = samples.results.iter().map(index).collect();
    StraightLine::new(set, samples.inputs.len(), instructions, &results, survivors)
}

/// The result of a long search, with operands that survive.
struct Long {
    function: &'static str,
    width: u32,
    set: &'static str,
    /// The length of the longest programs searched.
    limit: usize,
    at_least: usize,
    tried: u64,
}

/// The name of [`Set::without_copies`].
const FREE: &str = "x86-bmi, free copies";

/// The long searches. A long test repeats them.
const LONG: [Long; 16] = [
    Long { function: "σ0", width: 32, set: "x86-plain", limit: 7, at_least: 7, tried: 73_701_436 },
    Long { function: "σ0", width: 32, set: "x86-bmi", limit: 6, at_least: 6, tried: 63_268_581 },
    Long { function: "σ1", width: 32, set: "x86-plain", limit: 7, at_least: 7, tried: 73_701_436 },
    Long { function: "σ1", width: 32, set: "x86-bmi", limit: 6, at_least: 6, tried: 63_268_581 },
    Long { function: "Σ0", width: 64, set: "avx2", limit: 4, at_least: 5, tried: 4_458_519 },
    Long { function: "Σ1", width: 64, set: "avx2", limit: 4, at_least: 5, tried: 4_458_519 },
    Long { function: "σ0", width: 64, set: "avx2", limit: 4, at_least: 5, tried: 4_458_519 },
    Long { function: "σ1", width: 64, set: "avx2", limit: 4, at_least: 5, tried: 4_458_519 },
    Long { function: "Σ0", width: 32, set: FREE, limit: 5, at_least: 5, tried: 2_176_673 },
    Long { function: "Σ1", width: 32, set: FREE, limit: 5, at_least: 5, tried: 2_176_673 },
    Long { function: "σ0", width: 32, set: FREE, limit: 5, at_least: 5, tried: 2_176_673 },
    Long { function: "σ1", width: 32, set: FREE, limit: 5, at_least: 5, tried: 2_176_673 },
    Long { function: "Σ0", width: 64, set: FREE, limit: 5, at_least: 5, tried: 16_415_327 },
    Long { function: "Σ1", width: 64, set: FREE, limit: 5, at_least: 5, tried: 16_415_327 },
    Long { function: "σ0", width: 64, set: FREE, limit: 5, at_least: 5, tried: 16_415_327 },
    Long { function: "σ1", width: 64, set: FREE, limit: 5, at_least: 5, tried: 16_415_327 },
];
