//! The terms of a stage's sums. The operations of successive cycles are merged into one piece of
//! hardware, and each sum is added in the order in which its terms arrive.

use crate::datapath::{Class, Key, Placement, Source, Stage, Wanted};
use crate::netlist::{Gate, Signal};
use crate::recurrence::Part;
use crate::sums::{Arrival, SumStep, steps};
use lanesum_graph::graph::{Id, Op};

impl Stage<'_, '_> {
    /// A bit with the given value in each cycle of the stage.
    pub(super) fn bit(&mut self, name: &str, comment: &str, values: &[Option<u64>]) -> Signal {
        let name = format!("{}{name}", self.prefix);
        self.sequencer.sequence(self.netlist, &name, comment, values, 1)
    }

    /// The sum of the given parts of word `t + offset`.
    pub(super) fn sum(
        &mut self,
        from: Source,
        s: usize,
        offset: isize,
        parts: &[usize],
    ) -> Wanted<Signal> {
        self.sum_and(from, s, offset, parts, None)
    }

    /// The sum of the given parts of word `t + offset`, plus `more`.
    pub(super) fn sum_and(
        &mut self,
        from: Source,
        s: usize,
        offset: isize,
        parts: &[usize],
        more: Option<Signal>,
    ) -> Wanted<Signal> {
        let recurrence = self.frame.recurrence;
        let from = self.source(from, s, offset);
        let times: Vec<(usize, isize)> = match from {
            Source::Registers | Source::Handed => {
                (0..self.clocks.len()).map(|k| (k, self.time(from, k))).collect()
            }
            Source::Input => vec![(0, self.clocks[0])],
        };
        let mut found: Vec<(usize, &Vec<Part>, isize)> = Vec::new();
        for (k, t) in times {
            let u = t + offset;
            let at = usize::try_from(u - recurrence.sequences[s].first).ok();
            let list = at.and_then(|at| self.frame.parts[s].get(at));
            found.extend(list.map(|list| (k, list, u)));
        }
        if found.is_empty() {
            return Ok(None);
        }
        let label = self.label(from, s, offset, parts);
        let outer = std::mem::replace(&mut self.label, label.clone());
        let mut terms: Vec<Signal> = more.into_iter().collect();
        let mut left: Vec<usize> = parts.to_vec();
        if matches!(from, Source::Registers | Source::Handed) {
            let level = offset + self.frame.placement.skew[s] - 1;
            let ahead = &self.frame.placement.ahead[s];
            let groups = usize::try_from(level).ok().and_then(|level| ahead.get(level));
            for (g, group) in groups.into_iter().flatten().enumerate() {
                if group.iter().all(|part| left.contains(part)) {
                    left.retain(|part| !group.contains(part));
                    let key = self.shared(s, level as usize, g);
                    terms.push(self.q(key));
                }
            }
        }
        for part in left {
            let each: Vec<(usize, Part)> =
                found.iter().map(|(k, list, _)| (*k, list[part])).collect();
            let roots: Vec<(usize, isize)> = found.iter().map(|&(k, _, u)| (k, u)).collect();
            match self.part(from, &each, s, &roots)? {
                Some(term) => terms.push(term),
                None => {
                    self.label = outer;
                    return Ok(None);
                }
            }
        }
        self.label = outer;
        Ok(Some(self.add_up(terms, &label)))
    }

    /// The register of a partial sum: that of the first sequence with the same parts.
    fn shared(&self, s: usize, level: usize, group: usize) -> Key {
        let Placement { skew, ahead, .. } = self.frame.placement;
        let parts = |s: usize, group: &[usize]| -> Vec<&Class> {
            group.iter().map(|&part| &self.frame.classes[s][part]).collect()
        };
        let own = parts(s, &ahead[s][level][group]);
        let same = |other: usize| {
            let mut groups = ahead[other].get(level)?.iter();
            let at = groups.position(|group| parts(other, group) == own)?;
            (skew[other] == skew[s]).then_some(Key::Sum(other, level, at))
        };
        (0..s).find_map(same).unwrap_or(Key::Sum(s, level, group))
    }

    /// The name of the sum of `parts` of a word, such as `a_t1` or `e_khw_t2`. The suffix is `_load`
    /// for the block that is loaded, and `_next2` for the block that begins while another ends.
    fn label(&self, from: Source, s: usize, offset: isize, parts: &[usize]) -> String {
        let classes = &self.frame.classes[s];
        let mut name = format!("{}{}", self.prefix, self.frame.recurrence.sequences[s].name);
        if parts.len() < classes.len() {
            name.push('_');
            name.extend(parts.iter().map(|&part| self.part_name(&classes[part])));
        }
        let offset = offset.to_string().replace('-', "m");
        name + &match from {
            Source::Registers => format!("_t{offset}"),
            Source::Handed => format!("_next{offset}"),
            Source::Input => "_load".to_owned(),
        }
    }

    /// Names a function of FIPS 180-4 after itself and the word that it is for.
    fn name_function(&mut self, function: &str, signal: Signal) {
        let name = format!("{}_{function}", self.label);
        self.netlist.name(signal, &name);
    }

    pub(super) fn part(
        &mut self,
        from: Source,
        each: &[(usize, Part)],
        s: usize,
        roots: &[(usize, isize)],
    ) -> Wanted<Signal> {
        if let Part::Constant(_) = each[0].1 {
            let mut values = vec![None; self.clocks.len()];
            for &(k, part) in each {
                if let Part::Constant(constant) = part {
                    values[k] = Some(constant);
                }
            }
            let width = self.width();
            return Ok(Some(match from {
                Source::Input => self.netlist.word(values[0].expect("a constant"), width),
                Source::Registers | Source::Handed => {
                    let name = format!("{}k", self.prefix);
                    self.sequencer.sequence(self.netlist, &name, "K", &values, width)
                }
            }));
        }
        let nodes: Vec<(usize, Id)> = each
            .iter()
            .filter_map(|&(k, part)| match part {
                Part::Node(id) => Some((k, id)),
                Part::Constant(_) => None,
            })
            .collect();
        // A word that is not a sum has itself as its only part.
        let own = |&(k, id): &(usize, Id)| {
            let u = roots.iter().find(|r| r.0 == k).expect("a clock").1;
            self.frame.recurrence.leaves.get(&id) == Some(&(s, u))
        };
        let root = nodes.iter().all(own);
        self.unify(from, &nodes, root)
    }

    /// Merges the nodes that the cycles compute at this position into one signal.
    fn unify(&mut self, from: Source, nodes: &[(usize, Id)], root: bool) -> Wanted<Signal> {
        let recurrence = self.frame.recurrence;
        if !root && let Some(&(s, _)) = recurrence.leaves.get(&nodes[0].1) {
            let offset = |&(k, id): &(usize, Id)| {
                recurrence.leaves.get(&id).map(|&(leaf, v)| (leaf, v - self.time(from, k)))
            };
            let first = offset(&nodes[0]).expect("a leaf");
            assert!(
                nodes.iter().all(|n| offset(n) == Some(first)),
                "all cycles read the same word"
            );
            return match from {
                Source::Registers => self.word(s, first.1),
                Source::Handed => self.handed(s, first.1),
                Source::Input => self.input_word(s, first.1 + self.clocks[0]),
            };
        }
        let any = nodes[0].1;
        let kind = |op: Op| op.map(|_| any);
        let mut kinds: Vec<Op> = Vec::new();
        for &(_, id) in nodes {
            let op = kind(recurrence.graph.op(id));
            if !kinds.contains(&op) {
                kinds.push(op);
            }
        }
        if kinds.len() == 1 {
            return self.apply(from, nodes);
        }
        // The function differs between cycles: select among the results.
        let mut either: Option<Signal> = None;
        for op in kinds {
            let those: Vec<(usize, Id)> = nodes
                .iter()
                .copied()
                .filter(|&(_, id)| kind(recurrence.graph.op(id)) == op)
                .collect();
            let Some(signal) = self.apply(from, &those)? else { return Ok(None) };
            let mut bits = vec![None; self.clocks.len()];
            nodes.iter().for_each(|&(k, _)| bits[k] = Some(0));
            those.iter().for_each(|&(k, _)| bits[k] = Some(1));
            let (name, title) = match op {
                Op::Ch(..) => ("ch", "Ch"),
                Op::Maj(..) => ("maj", "Maj"),
                _ => ("parity", "Parity"),
            };
            let bit = self.bit(&format!("is_{name}"), &format!("f is {title}"), &bits);
            let masked = self.make(Gate::Mask(bit, signal), Arrival::default());
            either = Some(match either {
                None => masked,
                Some(other) => self.make(Gate::Or(other, masked), Arrival::default()),
            });
        }
        if let Some(either) = either {
            self.name_function("f", either);
        }
        Ok(either)
    }

    /// Applies the operation that all of `nodes` have in common.
    fn apply(&mut self, from: Source, nodes: &[(usize, Id)]) -> Wanted<Signal> {
        let recurrence = self.frame.recurrence;
        let graph = &recurrence.graph;
        let count = graph.op(nodes[0].1).operands().count();
        let mut operands = Vec::with_capacity(count);
        for i in 0..count {
            let those: Vec<(usize, Id)> = nodes
                .iter()
                .map(|&(k, id)| (k, graph.op(id).operands().nth(i).expect("an operand")))
                .collect();
            match self.unify(from, &those, false)? {
                Some(signal) => operands.push(signal),
                None => return Ok(None),
            }
        }
        let technology = self.frame.technology;
        let function = Arrival { value: technology.function, functions: 1, ..Arrival::default() };
        let sigma = Arrival { value: technology.sigma, sigmas: 1, ..Arrival::default() };
        let op = graph.op(nodes[0].1);
        let same = |x: Id, y: Id| matches!((graph.op(x), graph.op(y)), (Op::Rotr(x, _), Op::Rotr(y, _)) if x == y);
        let (gate, delay) = match (op, &operands[..]) {
            (Op::Rotr(_, n), &[x]) => (Gate::Rotr(x, n), Arrival::default()),
            (Op::Shr(_, n), &[x]) => (Gate::Shr(x, n), Arrival::default()),
            (Op::Not(_), &[x]) => (Gate::Not(x), Arrival::default()),
            (Op::And(..), &[x, y]) => (Gate::And(x, y), Arrival::default()),
            (Op::Or(..), &[x, y]) => (Gate::Or(x, y), Arrival::default()),
            (Op::Xor(..), &[x, y]) => (Gate::Xor(x, y), Arrival::default()),
            (Op::Ch(..), &[x, y, z]) => (Gate::Ch(x, y, z), function),
            (Op::Maj(..), &[x, y, z]) => (Gate::Maj(x, y, z), function),
            (Op::Xor3(a, b, _), &[x, y, z]) => {
                (Gate::Xor3(x, y, z), if same(a, b) { sigma } else { function })
            }
            (op, _) => unreachable!("not a part of a sum: {op:?}"),
        };
        let function = match (&gate, op) {
            (Gate::Ch(..), _) => Some("ch"),
            (Gate::Maj(..), _) => Some("maj"),
            (Gate::Xor3(..), Op::Xor3(a, b, c)) if same(a, b) => Some(self.sigma(a, c)),
            (Gate::Xor3(..), _) => Some("parity"),
            (Gate::Xor(..), _) => Some("xor"),
            _ => None,
        };
        let made = self.make(gate, delay);
        if let Some(function) = function {
            self.name_function(function, made);
        }
        Ok(Some(made))
    }

    /// The name in RFC 6234 of Σ0, Σ1, σ0 or σ1, by its first and last operand.
    fn sigma(&self, first: Id, last: Id) -> &'static str {
        let recurrence = self.frame.recurrence;
        if let Op::Shr(_, n) = recurrence.graph.op(last) {
            return if matches!(n, 3 | 7) { "ssig0" } else { "ssig1" };
        }
        let word = recurrence.graph.op(first).operands().next();
        let sequence = word.and_then(|word| recurrence.leaves.get(&word)).map(|leaf| leaf.0);
        if sequence == Some(0) { "bsig0" } else { "bsig1" }
    }

    /// The sum of `terms`, with this name. Intermediate sums have the suffixes `_p1`, `_p2` …, and
    /// the words of carry-save rows `_s1`, `_c1`.
    pub(super) fn add_up(&mut self, mut terms: Vec<Signal>, name: &str) -> Signal {
        let technology = self.frame.technology;
        terms.sort_by(|&x, &y| self.arrival(y).value.total_cmp(&self.arrival(x).value));
        let times: Vec<f64> = terms.iter().map(|&x| self.arrival(x).value).collect();
        let (add, row) = (technology.addition(), technology.carry_save_row());
        let all = steps(&times, technology, self.frame.placement.rows);
        for (i, step) in all.into_iter().enumerate() {
            let i = i + 1;
            terms.sort_by(|&x, &y| self.arrival(y).value.total_cmp(&self.arrival(x).value));
            let mut take = || terms.pop().expect("a term");
            match step {
                SumStep::Add => {
                    let (x, y) = (take(), take());
                    let sum = self.make(Gate::Add(x, y), add);
                    if terms.is_empty() {
                        self.netlist.name(sum, name);
                    } else {
                        self.netlist.name(sum, &format!("{name}_p{i}"));
                    }
                    terms.push(sum);
                }
                SumStep::Row => {
                    let (x, y, z) = (take(), take(), take());
                    // With a constant operand, a row is a half adder: x ⊕ y or its complement, and
                    // x ∧ y or x ∨ y.
                    let constant = [x, y, z].iter().any(|&s| self.netlist.constant(s).is_some());
                    let value = if constant { row.value / 2.0 } else { row.value };
                    let row = Arrival { value, ..row };
                    let made = [Gate::Save(x, y, z), Gate::Carry(x, y, z)];
                    for (gate, kind) in made.into_iter().zip(["s", "c"]) {
                        let word = self.make(gate, row);
                        self.netlist.name(word, &format!("{name}_{kind}{i}"));
                        terms.push(word);
                    }
                }
            }
        }
        terms[0]
    }
}
