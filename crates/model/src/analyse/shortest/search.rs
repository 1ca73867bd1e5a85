//! The exhaustive search: every program of a length, on sample words.
//!
//! A program computes a new word with each instruction. It is searched on fixed sample words, so
//! words that are equal on the samples are one word. If no program yields the samples' results, then
//! no program computes the function. The converse needs a proof of the program found.
//!
//! Five rules skip programs. None of them skips all of the shortest programs that yield the results:
//!
//! * a word that already exists is not computed again. Where an instruction overwrites its operand,
//!   a copy of the existing word costs as much as computing it again;
//! * two adjacent instructions that do not depend on each other occur in one order only;
//! * every word has a use, so too many unused words for the remaining instructions end a program;
//! * the word between two rotations, or two shifts in one direction, has another use, because
//!   otherwise one instruction would do;
//! * copies that no order of the instructions avoids count towards the length.
//!
//! Where possible, the last instruction is solved for its operand or truth table, instead of being tried.

use super::program::{Expression, Primitive, Set};

/// Sample words in a 64-bit word: lanes of `WIDTH` bits.
fn lanes<const WIDTH: u32>(lane: u64) -> u64 {
    let mut all = lane;
    let mut filled = WIDTH;
    while filled < 64 {
        all |= all << filled;
        filled *= 2;
    }
    all
}

/// Computes an operation in every lane.
#[inline(always)]
pub(super) fn evaluate<const WIDTH: u32>(operation: Primitive, [x, y, z]: [u64; 3]) -> u64 {
    let ones = u64::MAX >> (64 - WIDTH);
    let right = |n: u32| (x >> n) & lanes::<WIDTH>(ones >> n);
    let left = |n: u32| (x << n) & lanes::<WIDTH>((ones << n) & ones);
    let top = lanes::<WIDTH>(1 << (WIDTH - 1));
    let add = |x: u64, y: u64| ((x & !top) + (y & !top)) ^ ((x ^ y) & top);
    match operation {
        Primitive::Rotr(n) => right(n) | left(WIDTH - n),
        Primitive::Shr(n) => right(n),
        Primitive::Shl(n) => left(n),
        Primitive::Not => !x,
        Primitive::And => x & y,
        Primitive::Or => x | y,
        Primitive::Xor => x ^ y,
        Primitive::AndNot => x & !y,
        Primitive::Add => add(x, y),
        // x − y = ¬(¬x + y).
        Primitive::Sub => !add(!x, y),
        Primitive::Ternary(table) => {
            (0..8).filter(|row| table >> row & 1 == 1).fold(0, |or, row| {
                let bit = |x: u64, n: u32| if row >> n & 1 == 1 { x } else { !x };
                or | bit(x, 2) & bit(y, 1) & bit(z, 0)
            })
        }
    }
}

/// The bitwise functions of three words that yield `result`: all truth tables between the two. If no
/// function does, the second one lacks bits of the first one.
pub(super) fn tables([x, y, z]: [u64; 3], result: u64) -> [u8; 2] {
    let bit = |word: u64, set: bool| if set { word } else { !word };
    let (mut required, mut allowed) = (0, 0);
    for row in 0..8u8 {
        let inputs = bit(x, row & 4 != 0) & bit(y, row & 2 != 0) & bit(z, row & 1 != 0);
        required |= u8::from(inputs & result != 0) << row;
        allowed |= u8::from(inputs & !result == 0) << row;
    }
    [required, allowed]
}

/// Whether a truth table has all bits of the first one, and no bits that the second one lacks.
pub(super) fn is_between(table: u8, [required, allowed]: [u8; 2]) -> bool {
    required & !table == 0 && table & !allowed == 0
}

/// The samples of a function.
#[derive(Clone, Debug)]
pub(super) struct Samples {
    pub(super) inputs: Vec<u64>,
    pub(super) results: Vec<u64>,
}

/// The maximum number of words of a program.
const WORDS: usize = 16;

/// The uses of a program's words.
#[derive(Clone, Copy)]
struct Uses {
    /// A bit for each computed word that needs a use.
    unused: u32,
    /// For each word, the instruction of one operand that overwrites it, as the index of its result.
    takers: [Option<usize>; WORDS],
    /// The number of unavoidable copies.
    copies: usize,
}

/// The words from which one instruction yields a result: `words`, and all with `ones` bits set.
struct Needed {
    words: [u64; 4 * WORDS],
    len: usize,
    ones: u32,
}

impl Needed {
    fn contains(&self, word: u64) -> bool {
        self.words[..self.len].contains(&word) || word.count_ones() == self.ones
    }
}

/// A search for the programs with a number of instructions.
pub(super) struct Search<'a, const WIDTH: u32> {
    set: &'a Set,
    unary: Vec<Primitive>,
    binary: Vec<Primitive>,
    ternary: bool,
    /// The operations of one operand that may yield a result.
    last: Vec<Primitive>,
    survivors: u32,
    results: &'a [u64],
    length: usize,
    copies: usize,
    words: Vec<u64>,
    program: Vec<Expression>,
    /// For each word, a bit for each word that it depends on.
    ancestors: Vec<u32>,
    /// While two instructions are left: the words from which the last one may yield the result.
    needed: Option<Needed>,
    /// The number of programs, without their last instruction, that the search tried.
    pub(super) tried: u64,
    /// Receives each program that yields the results; true ends the search.
    found: &'a mut dyn FnMut(&[Expression]) -> bool,
    done: bool,
    /// The pairs of operands that the search tries. A test skips some.
    #[cfg(test)]
    pairs: fn(usize, usize) -> bool,
}

impl<'a, const WIDTH: u32> Search<'a, WIDTH> {
    /// Prepares a search for programs of `length` operations and at most `copies` copies. `survivors` has a
    /// bit for each input that no instruction may overwrite.
    pub(super) fn new(
        set: &'a Set,
        samples: &'a Samples,
        survivors: u32,
        [length, copies]: [usize; 2],
        found: &'a mut dyn FnMut(&[Expression]) -> bool,
    ) -> Self {
        let of = |arity| -> Vec<Primitive> {
            set.operations.iter().copied().filter(|o| o.arity() == arity).collect()
        };
        let unary = of(1);
        let ones = u64::MAX >> (64 - WIDTH);
        let may_yield = |operation: &Primitive| {
            samples.results.iter().any(|result| match *operation {
                Primitive::Shr(n) => result & lanes::<WIDTH>(ones & !(ones >> n)) == 0,
                Primitive::Shl(n) => result & lanes::<WIDTH>(ones & !(ones << n)) == 0,
                _ => true,
            })
        };
        Self {
            set,
            last: unary.iter().copied().filter(may_yield).collect(),
            unary,
            binary: of(2),
            ternary: set.ternary,
            survivors,
            results: &samples.results,
            length,
            copies,
            words: samples.inputs.clone(),
            program: Vec::new(),
            ancestors: vec![0; samples.inputs.len()],
            needed: None,
            tried: 0,
            found,
            done: false,
            #[cfg(test)]
            pairs: |_, _| true,
        }
    }

    /// Tries only these pairs of operands: a planted fault.
    #[cfg(test)]
    pub(super) fn skipping(mut self, pairs: fn(usize, usize) -> bool) -> Self {
        self.pairs = pairs;
        self
    }

    /// Runs the search, and returns the number of programs tried.
    pub(super) fn run(mut self) -> u64 {
        let missing = self.results.iter().filter(|result| !self.words.contains(result)).count();
        if self.length == 0 {
            if missing == 0 {
                (self.found)(&[]);
            }
        } else if missing > 0 {
            self.extend(Uses { unused: 0, takers: [None; WORDS], copies: 0 }, missing);
        }
        self.tried
    }

    /// Appends every instruction. `missing` is the number of results to compute.
    fn extend(&mut self, uses: Uses, missing: usize) {
        let left = self.length - self.program.len();
        if missing > left {
            return;
        }
        let words = self.words.len();
        let is_last = left == 1;
        self.tried += u64::from(is_last);
        if left == 2 {
            self.needed = self.needed(missing);
        }
        // The last instruction uses every unused word.
        let wanted = if is_last { uses.unused } else { 0 };
        let has_all = |mask: u32| wanted & !mask == 0;
        let count = if is_last { self.last.len() } else { self.unary.len() };
        if wanted.count_ones() <= 1 {
            for x in (0..words).filter(|&x| has_all(1 << x)) {
                for i in 0..count {
                    let operation = if is_last { self.last[i] } else { self.unary[i] };
                    // A rotation has as many ones as its operand.
                    let ones = |result: &u64| result.count_ones() == self.words[x].count_ones();
                    if is_last
                        && matches!(operation, Primitive::Rotr(_))
                        && !self.results.iter().any(ones)
                    {
                        continue;
                    }
                    self.append(operation, [x, x, x], uses, missing);
                }
            }
        }
        if wanted.count_ones() <= 2 {
            for y in 1..words {
                for x in (0..y).filter(|&x| has_all(1 << x | 1 << y)) {
                    #[cfg(test)]
                    if !(self.pairs)(x, y) {
                        continue;
                    }
                    for i in 0..self.binary.len() {
                        let operation = self.binary[i];
                        self.append(operation, [x, y, y], uses, missing);
                        if !operation.commutes() {
                            self.append(operation, [y, x, x], uses, missing);
                        }
                    }
                }
            }
        }
        if self.ternary {
            for z in 2..words {
                for y in 1..z {
                    for x in (0..y).filter(|&x| has_all(1 << x | 1 << y | 1 << z)) {
                        let operands = [x, y, z].map(|x| self.words[x]);
                        let tables = match self.missing_result() {
                            Some(result) if is_last => tables(operands, result),
                            _ => [0, u8::MAX],
                        };
                        for table in (1..u8::MAX).filter(|&table| is_between(table, tables)) {
                            let operation = Primitive::Ternary(table);
                            self.append(operation, [x, y, z], uses, missing);
                        }
                    }
                }
            }
        }
    }

    /// Appends one instruction and, recursively, all that may follow.
    #[inline(always)]
    fn append(
        &mut self,
        operation: Primitive,
        operands: [usize; 3],
        mut uses: Uses,
        missing: usize,
    ) {
        if self.done {
            return;
        }
        let instruction = Expression { operation, operands };
        let words = self.words.len();
        let mask = operands.iter().fold(0, |mask, &x| mask | 1u32 << x);
        if let Some(last) = self.program.last()
            && mask >> (words - 1) & 1 == 0
            && *last >= instruction
        {
            return;
        }
        let left = self.length - self.program.len() - 1;
        if !self.fuses(operation, operands[0]) {
            uses.unused &= !mask;
        }
        let most = if self.ternary { 2 * left + missing } else { left + missing };
        if uses.unused.count_ones() as usize + 1 > most {
            return;
        }
        self.count_copies(instruction, mask, &mut uses);
        if uses.copies > self.copies {
            return;
        }
        let word = evaluate::<WIDTH>(operation, operands.map(|x| self.words[x]));
        let is_result = self.results.contains(&word);
        if left == 0 && !is_result || self.words.contains(&word) {
            return;
        }
        if left == 1 && self.needed.as_ref().is_some_and(|needed| !needed.contains(word)) {
            self.tried += 1;
            return;
        }
        let ancestors = operands.iter().fold(mask, |all, &x| all | self.ancestors[x]);
        self.words.push(word);
        self.program.push(instruction);
        self.ancestors.push(ancestors);
        if !is_result {
            uses.unused |= 1 << words;
        }
        let missing = missing - usize::from(is_result);
        if missing == 0 && uses.unused == 0 && left == 0 {
            self.done = (self.found)(&self.program);
        } else if missing > 0 && left > 0 {
            self.extend(uses, missing);
        }
        self.ancestors.pop();
        self.words.pop();
        self.program.pop();
    }

    /// The first result that has not been computed.
    fn missing_result(&self) -> Option<u64> {
        self.results.iter().copied().find(|result| !self.words.contains(result))
    }

    /// The words from which one instruction, with an existing word, yields the only missing result. None
    /// if there are too many of them.
    fn needed(&self, missing: usize) -> Option<Needed> {
        let result = self.missing_result()?;
        let shifts = |o: &Primitive| matches!(o, Primitive::Shr(_) | Primitive::Shl(_));
        if missing > 1 || self.ternary || self.last.iter().any(shifts) {
            return None;
        }
        let rotates = self.last.iter().any(|o| matches!(o, Primitive::Rotr(_)));
        let ones = if rotates { result.count_ones() } else { u32::MAX };
        let mut needed = Needed { words: [0; 4 * WORDS], len: 0, ones };
        let mut add = |word| {
            needed.words[needed.len] = word;
            needed.len += 1;
        };
        if self.last.contains(&Primitive::Not) {
            add(!result);
        }
        let compute = |operation, x, y| evaluate::<WIDTH>(operation, [x, y, y]);
        for word in &self.words {
            for operation in &self.binary {
                let any = match operation {
                    Primitive::Xor => {
                        add(result ^ word);
                        false
                    }
                    Primitive::Add => {
                        add(compute(Primitive::Sub, result, *word));
                        false
                    }
                    Primitive::Sub => {
                        add(compute(Primitive::Add, result, *word));
                        add(compute(Primitive::Sub, *word, result));
                        false
                    }
                    Primitive::And => result & !word == 0,
                    Primitive::Or => word & !result == 0,
                    _ => result & word == 0 || result & !word == 0,
                };
                if any {
                    return None;
                }
            }
        }
        Some(needed)
    }

    /// Whether one instruction has the effect of this one and the one that computed its operand.
    fn fuses(&self, operation: Primitive, x: usize) -> bool {
        let inputs = self.words.len() - self.program.len();
        let inner = x.checked_sub(inputs).map(|i| self.program[i].operation);
        match (operation, inner) {
            (Primitive::Rotr(_), Some(Primitive::Rotr(_))) => true,
            (Primitive::Shr(n), Some(Primitive::Shr(m)))
            | (Primitive::Shl(n), Some(Primitive::Shl(m))) => n + m < WIDTH,
            _ => false,
        }
    }

    /// Counts the copies that the next instruction makes unavoidable: a word is overwritten only once,
    /// after its other uses, and never if it survives.
    fn count_copies(&self, instruction: Expression, mask: u32, uses: &mut Uses) {
        let Expression { operation, operands } = instruction;
        let overwritable = self.set.overwritten(operation);
        let inputs = self.words.len() - self.program.len();
        let ancestors = operands.iter().fold(mask, |all, &x| all | self.ancestors[x]);
        for &x in &operands[..operation.arity()] {
            let taker = &mut uses.takers[x];
            if taker.is_some_and(|taker| ancestors >> taker & 1 == 1) {
                // The earlier instruction overwrote a word that this one needs.
                *taker = None;
                uses.copies += 1;
            }
        }
        let survives = |x: usize| {
            x < inputs && self.survivors >> x & 1 == 1 || self.results.contains(&self.words[x])
        };
        if overwritable.is_empty() {
            return;
        }
        if overwritable.iter().all(|&at| survives(operands[at])) {
            uses.copies += 1;
        } else if operation.arity() == 1 {
            let taker = &mut uses.takers[operands[0]];
            uses.copies += usize::from(taker.is_some());
            *taker = Some(self.words.len());
        }
    }
}
