//! Single bits of words, under assumptions about bits.
//!
//! A bit is a constant, or a variable or its negation. Variables are the bits of inputs and of words that the
//! proof names, and bits whose value is another function of variables. An assumption makes variables equal, or
//! constant.

use std::collections::{BTreeSet, HashMap};

use super::domain::{Bit, Nodes};
use lanesum_graph::graph::{Id, Op};

/// The value of a bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BitValue {
    /// A constant.
    Is(bool),
    /// A variable, by its number, or with `true` its negation.
    Of(usize, bool),
}

/// An equation: the value of a bit of a word.
pub(super) type Equation = (Id, u8, bool);

/// The maximum number of terms of the polynomial of a bit.
const MOST_TERMS: usize = 16;

/// The number of the variable that is always false.
const FALSE: usize = 0;

/// The values of bits.
pub(super) struct Truth<'n> {
    pub(super) nodes: &'n Nodes,
    /// The normal forms of words whose bits are variables, although they are computed from others, in order.
    named: &'n [u32],
    /// The variables, by the normal form of the word, and the bit.
    variables: HashMap<(u32, u8), usize>,
    /// For each variable another one, or itself, that it equals, or with `true` whose negation it equals.
    equal: Vec<(usize, bool)>,
    /// The values of bits under the current assumptions.
    known: HashMap<(Id, u8), BitValue>,
    /// Whether the assumptions contradict each other.
    pub(super) is_void: bool,
}

impl<'n> Truth<'n> {
    /// Without assumptions. `named` has the normal forms of words whose bits are variables.
    pub(super) fn new(nodes: &'n Nodes, named: &'n [u32]) -> Self {
        Self {
            nodes,
            named,
            variables: HashMap::new(),
            equal: vec![(FALSE, false)],
            known: HashMap::new(),
            is_void: false,
        }
    }

    /// The value of a bit.
    pub(super) fn bit(&mut self, word: Id, i: u8) -> BitValue {
        if let Some(&known) = self.known.get(&(word, i)) {
            return self.found(known);
        }
        let value = match self.computed(word, i) {
            Some(value) => value,
            None => {
                let next = self.equal.len();
                let form = self.nodes.graph.value(word).number();
                let variable = *self.variables.entry((form, i)).or_insert(next);
                if variable == next {
                    self.equal.push((next, false));
                }
                self.found(BitValue::Of(variable, false))
            }
        };
        self.known.insert((word, i), value);
        value
    }

    fn is_named(&self, word: Id) -> bool {
        self.named.binary_search(&self.nodes.graph.value(word).number()).is_ok()
    }

    /// The value in terms of the variable that stands for all equal ones.
    fn found(&self, value: BitValue) -> BitValue {
        let BitValue::Of(mut variable, mut negated) = value else { return value };
        while self.equal[variable].0 != variable {
            negated ^= self.equal[variable].1;
            variable = self.equal[variable].0;
        }
        if variable == FALSE { BitValue::Is(negated) } else { BitValue::Of(variable, negated) }
    }

    /// The value of a bit, if it follows from the bits of the operands.
    fn computed(&mut self, word: Id, i: u8) -> Option<BitValue> {
        if self.is_named(word) {
            return None;
        }
        let width = self.nodes.graph.width() as u8;
        Some(match self.nodes.graph.op(word) {
            Op::Const(k) => BitValue::Is(k >> i & 1 == 1),
            Op::Input(_) => match self.nodes.bits.get(&word)?[usize::from(i)] {
                Bit::Is(is) => BitValue::Is(is),
                Bit::Of(word, i) => self.bit(word, i),
            },
            Op::Rotr(x, n) => self.bit(x, (i + n as u8) % width),
            Op::Shr(x, n) if u32::from(i) + n < width.into() => self.bit(x, i + n as u8),
            Op::Shl(x, n) if u32::from(i) >= n => self.bit(x, i - n as u8),
            Op::Shr(..) | Op::Shl(..) => BitValue::Is(false),
            Op::Not(x) => not(self.bit(x, i)),
            Op::And(x, y) => and(self.bit(x, i), self.bit(y, i))?,
            Op::AndNot(x, y) => and(self.bit(x, i), not(self.bit(y, i)))?,
            Op::Or(x, y) => not(and(not(self.bit(x, i)), not(self.bit(y, i)))?),
            Op::Xor(x, y) => match xor(self.bit(x, i), self.bit(y, i)) {
                Some(value) => value,
                None => self.polynomial(word, i)?,
            },
            Op::Add(x, y) => self.sum(i, &|truth, i| [truth.bit(x, i), truth.bit(y, i)])?,
            Op::AddConst(x, k) => {
                self.sum(i, &|truth, i| [truth.bit(x, i), BitValue::Is(k >> i & 1 == 1)])?
            }
            _ => return None,
        })
    }

    /// A bit of a sum modulo 2, if its polynomial is constant or a variable. Functions of three bits are such
    /// sums of products.
    fn polynomial(&mut self, word: Id, i: u8) -> Option<BitValue> {
        // Expands all sums except factors of products.
        let mut terms = vec![word];
        let mut is_negated = false;
        let products = loop {
            if terms.len() > MOST_TERMS {
                return None;
            }
            let products: Vec<Vec<Id>> = terms.iter().map(|&term| self.factors(term)).collect();
            let is_factor = |id: Id| products.iter().any(|all| all.len() > 1 && all.contains(&id));
            let is_sum = |id: Id| matches!(self.nodes.graph.op(id), Op::Xor(..) | Op::Not(_));
            let next = terms
                .iter()
                .position(|&id| id == word || is_sum(id) && !self.is_named(id) && !is_factor(id));
            let Some(next) = next else { break products };
            match self.nodes.graph.op(terms.swap_remove(next)) {
                Op::Xor(x, y) => terms.extend([x, y]),
                Op::Not(x) => {
                    is_negated = !is_negated;
                    terms.push(x);
                }
                _ => return None,
            }
        };
        let mut sum: BTreeSet<BTreeSet<usize>> = BTreeSet::new();
        for factors in products {
            let mut product = BTreeSet::from([BTreeSet::new()]);
            for factor in factors {
                let (variable, is_one) = match self.bit(factor, i) {
                    BitValue::Is(is) => (None, is),
                    BitValue::Of(variable, negated) => (Some(variable), negated),
                };
                let mut next = BTreeSet::new();
                for term in product {
                    if let Some(variable) = variable {
                        let mut more: BTreeSet<usize> = term.clone();
                        more.insert(variable);
                        toggle(&mut next, more);
                    }
                    if is_one {
                        toggle(&mut next, term);
                    }
                }
                if next.len() > MOST_TERMS {
                    return None;
                }
                product = next;
            }
            product.into_iter().for_each(|term| toggle(&mut sum, term));
        }
        let constant = sum.remove(&BTreeSet::new()) ^ is_negated;
        match sum.iter().next() {
            None => Some(BitValue::Is(constant)),
            Some(only) if (sum.len(), only.len()) == (1, 1) => {
                only.iter().next().map(|&variable| BitValue::Of(variable, constant))
            }
            Some(_) => None,
        }
    }

    /// The factors of a product.
    fn factors(&self, word: Id) -> Vec<Id> {
        match self.nodes.graph.op(word) {
            Op::And(x, y) if !self.is_named(word) => [self.factors(x), self.factors(y)].concat(),
            _ => vec![word],
        }
    }

    /// A bit of a sum.
    fn sum(&mut self, i: u8, of: &dyn Fn(&mut Self, u8) -> [BitValue; 2]) -> Option<BitValue> {
        let mut carry = BitValue::Is(false);
        for lower in 0..i {
            let [x, y] = of(self, lower);
            carry = match [x, y, carry] {
                [x, y, _] | [x, _, y] | [_, x, y] if x == y => x,
                // The carry of a bit and its negation is the third one.
                [x, y, other] | [x, other, y] | [other, x, y] if x == not(y) => other,
                _ => return None,
            };
        }
        let [x, y] = of(self, i);
        xor(xor(x, y)?, carry)
    }

    /// Assumes an equation.
    pub(super) fn assume(&mut self, equation: Equation) {
        self.follow(equation);
        // What was computed before remains true, but may be known better.
        self.known.clear();
    }

    /// Assumes an equation, and the equations of operands that follow from it.
    fn follow(&mut self, (word, i, is): Equation) {
        let value = self.bit(word, i);
        self.equate(value, BitValue::Is(is));
        let op = self.nodes.graph.op(word);
        let operands = match op {
            _ if self.is_named(word) => return,
            Op::And(x, y) if is => [(x, i, true), (y, i, true)],
            Op::Or(x, y) if !is => [(x, i, false), (y, i, false)],
            Op::AndNot(x, y) if is => [(x, i, true), (y, i, false)],
            Op::Not(x) => return self.follow((x, i, !is)),
            Op::Xor(x, y) => match (self.bit(x, i), self.bit(y, i)) {
                // The operands' own operands follow, too.
                (BitValue::Is(k), _) => [(x, i, k), (y, i, is ^ k)],
                (_, BitValue::Is(k)) => [(x, i, is ^ k), (y, i, k)],
                (x, y) => return self.equate(x, if is { not(y) } else { y }),
            },
            Op::Rotr(..) | Op::Shr(..) | Op::Shl(..) | Op::Input(_) => {
                if let Some((word, i)) = self.source(word, i) {
                    self.follow((word, i, is));
                }
                return;
            }
            _ => return,
        };
        operands.into_iter().for_each(|operand| self.follow(operand));
    }

    /// The equation of another bit that has the same meaning: without shifts, and sums with constants.
    pub(super) fn origin(&mut self, (mut word, mut i, mut is): Equation) -> Equation {
        while !self.is_named(word) {
            (word, i, is) = match self.nodes.graph.op(word) {
                Op::Not(x) => (x, i, !is),
                Op::Xor(x, y) => match (self.bit(x, i), self.bit(y, i)) {
                    (BitValue::Is(k), _) => (y, i, is ^ k),
                    (_, BitValue::Is(k)) => (x, i, is ^ k),
                    _ => break,
                },
                Op::And(x, y) => match (self.bit(x, i), self.bit(y, i)) {
                    (BitValue::Is(true), _) => (y, i, is),
                    (_, BitValue::Is(true)) => (x, i, is),
                    _ => break,
                },
                _ => match self.source(word, i) {
                    Some((word, i)) => (word, i, is),
                    None => break,
                },
            };
        }
        (word, i, is)
    }

    /// The equations that together mean the same as this one.
    pub(super) fn conditions(&mut self, equation: Equation) -> Vec<Equation> {
        let (word, i, is) = self.origin(equation);
        match self.nodes.graph.op(word) {
            Op::And(x, y) if is && !self.is_named(word) => {
                [x, y].into_iter().flat_map(|operand| self.conditions((operand, i, true))).collect()
            }
            _ if self.holds((word, i, is)) == Some(true) => Vec::new(),
            _ => vec![(word, i, is)],
        }
    }

    /// Whether an equation holds, if that is known.
    pub(super) fn holds(&mut self, (word, i, is): Equation) -> Option<bool> {
        match self.bit(word, i) {
            BitValue::Is(bit) => Some(bit == is),
            BitValue::Of(..) => None,
        }
    }

    /// The bit that a shifted, rotated or gathered one is.
    fn source(&self, word: Id, i: u8) -> Option<(Id, u8)> {
        let width = self.nodes.graph.width() as u8;
        match self.nodes.graph.op(word) {
            Op::Rotr(x, n) => Some((x, (i + n as u8) % width)),
            Op::Shr(x, n) => Some((x, i + n as u8)).filter(|&(_, i)| i < width),
            Op::Shl(x, n) => i.checked_sub(n as u8).map(|i| (x, i)),
            _ => match self.nodes.bits.get(&word)?[usize::from(i)] {
                Bit::Of(word, i) => Some((word, i)),
                Bit::Is(_) => None,
            },
        }
    }

    /// Assumes that two bits are equal.
    fn equate(&mut self, x: BitValue, y: BitValue) {
        let part = |value| match value {
            BitValue::Is(is) => (FALSE, is),
            BitValue::Of(variable, negated) => (variable, negated),
        };
        let [(x, p), (y, q)] = [x, y].map(|value| part(self.found(value)));
        match x == y {
            true => self.is_void |= p != q,
            // The variable that is always false stands for its equals.
            false => self.equal[x.max(y)] = (x.min(y), p ^ q),
        }
    }
}

/// Adds a product to a sum modulo 2.
fn toggle(sum: &mut BTreeSet<BTreeSet<usize>>, product: BTreeSet<usize>) {
    if !sum.remove(&product) {
        sum.insert(product);
    }
}

fn not(x: BitValue) -> BitValue {
    match x {
        BitValue::Is(is) => BitValue::Is(!is),
        BitValue::Of(variable, negated) => BitValue::Of(variable, !negated),
    }
}

/// The conjunction, if it is constant or one of the operands.
fn and(x: BitValue, y: BitValue) -> Option<BitValue> {
    match (x, y) {
        (BitValue::Is(false), _) | (_, BitValue::Is(false)) => Some(BitValue::Is(false)),
        (BitValue::Is(true), other) | (other, BitValue::Is(true)) => Some(other),
        _ if x == y => Some(x),
        _ if x == not(y) => Some(BitValue::Is(false)),
        _ => None,
    }
}

/// The conditions of vectors on words.
pub(super) struct VectorConditions {
    /// The words' normal forms, in order.
    pub(super) named: Vec<u32>,
    /// For each vector the equation that holds if its conditions do.
    pub(super) vectors: Vec<Equation>,
}

impl VectorConditions {
    /// Bit i of `word`, a function of bits of these words, is set if the conditions of vector i hold.
    pub(super) fn new(nodes: &Nodes, words: &[Id], word: Id) -> Self {
        let number = |&id: &Id| nodes.graph.value(id).number();
        let mut named: Vec<u32> = words.iter().map(number).collect();
        named.sort_unstable();
        let mut truth = Truth::new(nodes, &named);
        let equation = |vector| truth.origin((word, vector, true));
        let vectors = (0..nodes.graph.width() as u8).map(equation).collect();
        Self { named, vectors }
    }

    /// Whether each bit of a word is set if all conditions of its vector hold, and not if one of them does not.
    pub(super) fn are(&self, nodes: &Nodes, word: Id) -> bool {
        (0..).zip(&self.vectors).all(|(vector, &holds)| {
            let each = Truth::new(nodes, &self.named).conditions(holds);
            let bit = |equations: &[Equation]| {
                let mut truth = Truth::new(nodes, &self.named);
                equations.iter().for_each(|&equation| truth.assume(equation));
                if truth.is_void { None } else { truth.holds((word, vector, true)) }
            };
            bit(&each) == Some(true)
                && each.iter().all(|&(word, i, is)| bit(&[(word, i, !is)]) == Some(false))
        })
    }
}

/// The sum modulo 2, if it is constant, or an operand or its negation.
fn xor(x: BitValue, y: BitValue) -> Option<BitValue> {
    match (x, y) {
        (BitValue::Is(is), other) | (other, BitValue::Is(is)) => {
            Some(if is { not(other) } else { other })
        }
        _ if x == y => Some(BitValue::Is(false)),
        _ if x == not(y) => Some(BitValue::Is(true)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use lanesum_graph::graph::Graph;

    /// Derived bits of random words are right for all inputs that fulfill the assumption.
    #[test]
    fn known_bits_are_those_of_every_input() {
        const BITS: u8 = 5;
        let mut random = crate::random(32);
        let (mut known, mut equal) = (0, 0);
        for _ in 0..400 {
            let mut nodes = Nodes::new(Graph::new(u32::BITS));
            let mut all: Vec<Id> = (0..2).map(|i| nodes.graph.node(Op::Input(i))).collect();
            for _ in 0..14 {
                let mut one = || all[random() as usize % all.len()];
                let (x, y) = (one(), one());
                let n = 1 + random() as u32 % 31;
                let op = match random() % 11 {
                    0 => Op::And(x, y),
                    1 => Op::Or(x, y),
                    2 | 3 => Op::Xor(x, y),
                    4 => Op::Not(x),
                    5 => Op::Rotr(x, n % 3 + 1),
                    6 => Op::Shr(x, n % 3 + 1),
                    7 => Op::Shl(x, n % 3 + 1),
                    8 => Op::Add(x, y),
                    9 => Op::AddConst(x, random()),
                    _ => Op::AndNot(x, y),
                };
                all.push(nodes.graph.node(op));
            }
            let gathered =
                (0..3).map(|i| Bit::Of(all[all.len() - 1 - i], i as u8)).collect::<Vec<_>>();
            let before = nodes.graph.clone();
            all.push(crate::domain::Domain::gathered(&mut nodes, &gathered));
            let assumed = (all[8], 1, random().is_multiple_of(2));
            let mut truth = Truth::new(&nodes, &[]);
            truth.assume(assumed);
            let claims: Vec<_> =
                all.iter().flat_map(|&id| (0..4).map(move |i| (id, i))).collect::<Vec<_>>();
            let claims: Vec<_> =
                claims.into_iter().map(|(id, i)| (id, i, truth.bit(id, i))).collect();
            // Five bits of two inputs vary.
            let mut is_possible = false;
            for value in 0..1u64 << (2 * BITS) {
                let inputs = [value & 31, value >> BITS];
                let values = lanesum_graph::eval::eval(&before, &inputs);
                let bit = |id: Id, i: u8| match nodes.bits.get(&id) {
                    Some(bits) => match bits[usize::from(i)] {
                        Bit::Is(is) => is,
                        Bit::Of(id, i) => values[id.index()] >> i & 1 == 1,
                    },
                    None => values[id.index()] >> i & 1 == 1,
                };
                if bit(assumed.0, assumed.1) != assumed.2 {
                    continue;
                }
                is_possible = true;
                let mut variables = HashMap::new();
                for &(id, i, claim) in &claims {
                    let found = bit(id, i);
                    match claim {
                        BitValue::Is(is) => {
                            assert_eq!(is, found, "{id:?}, bit {i}");
                            known += 1;
                        }
                        BitValue::Of(variable, negated) => {
                            let value = found ^ negated;
                            assert_eq!(*variables.entry(variable).or_insert(value), value);
                            equal += 1;
                        }
                    }
                }
            }
            assert!(!is_possible || !truth.is_void);
        }
        assert!(known > 10_000 && equal > 10_000, "{known} {equal}");
    }
}
