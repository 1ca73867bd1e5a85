//! Carry-save pairs in the induction step.
//!
//! The step knows two facts about a pair: its words and the late bits add up to the word, and the
//! low bits of the second word are zero. So the model chooses the second word freely with zero low
//! bits, and computes the first from the difference. Every row that outputs a pair is cut out of
//! the core: its operands are asserted to add up to the FIPS 180-4 value of the word, and its
//! outputs are replaced by the model's pair, which the model's next rounds read, too. So no solver
//! has to propagate a sum from one word to the next.

use std::fmt::Write;

use super::{FormalModel, Moment};
use crate::Core;
use crate::control::Ledger;
use crate::datapath::Key;
use crate::formal::fips;
use crate::netlist::{Gate, LATE, Signal};
use crate::verilog::named;

/// A row that outputs a pair.
pub(super) struct Low {
    /// The name of its instance.
    name: String,
    /// The word that the pair represents, if known.
    of: Option<PairOf>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PairOf {
    /// The first pair of a block.
    Load,
    /// The pair of the word at this offset from the newest word in registers.
    Step(isize),
}

/// Returns the rows of a core that output pairs.
pub(super) fn lows(core: &Core, ledger: &Ledger) -> Vec<Low> {
    let netlist = &core.netlist;
    let gate = |x: Signal| netlist.driver(x);
    let pair = ledger.words.iter().find(|(_, key, _)| *key == Key::Pair(0));
    let first = pair.and_then(|(name, ..)| netlist.registers.iter().find(|r| r.name == *name));
    let names = named(netlist).name;
    // First words of known pairs, with the offset of their word from the newest word in registers.
    let mut known: Vec<(Signal, isize)> = first.map(|r| (r.signal, 1)).into_iter().collect();
    let mut found = Vec::new();
    for low in (0..netlist.gates.len() as u32).map(Signal) {
        let Gate::LowSave(x, y, _) = gate(low) else { continue };
        let of = match (gate(*x), gate(*y)) {
            (_, Gate::Shl(_, None, _)) => Some(PairOf::Load),
            // The row shifts the pair of the previous word.
            (Gate::Save(shifted, ..), _) => {
                let before = gate(*shifted).operands().next();
                let before = known.iter().find(|pair| Some(pair.0) == before);
                before.map(|pair| PairOf::Step(pair.1 + 1))
            }
            _ => None,
        };
        if let Some(PairOf::Step(offset)) = of {
            known.push((low, offset));
        }
        let name = names[low.index()].as_deref().expect("an instance");
        found.push(Low { name: format!("low_{name}"), of });
    }
    found
}

impl FormalModel<'_> {
    /// Emits the rounds that compute the model's words up to `newest` that `at` lacks, and the
    /// pairs, if the core uses them.
    pub(super) fn rounds(&mut self, newest: isize, at: &Moment<'_>) -> String {
        let base = (self.done(at.now) - at.rounds) as isize;
        let first = if self.core.placement.kept { self.boundary(at.now) } else { base };
        let mut out = String::new();
        for u in first + 1..=newest.min(self.recurrence.rounds as isize) {
            if u > base {
                out += &self.round(u, at);
            }
            if self.core.placement.kept {
                out += &self.pair_of(u, at);
            }
        }
        out
    }

    /// Emits the round that computes word `u`. The rotated word may be a pair.
    fn round(&mut self, u: isize, at: &Moment<'_>) -> String {
        let base = (self.done(at.now) - at.rounds) as isize;
        let t = (u - 1).cast_unsigned();
        let k = self.constant(t, at);
        let w = self.word(self.recurrence.schedule(), u - 1, at);
        let number = u - 1 - self.boundary(at.now);
        let rotated = self.core.placement.kept.then(|| {
            if number < 1 {
                return format!("rotr_27({})", self.word(0, u - 1, at));
            }
            let ([save, carry], late) = (pair(number, at), self.late(u - 1, at));
            format!("rotl_5({save}, {carry} | {late})")
        });
        let i = (u - 1 - base).cast_unsigned();
        fips::round(self.recurrence.family, at.prefix, i, t, &k, &w, rotated.as_deref())
    }

    /// Emits the pair of word `u`.
    fn pair_of(&mut self, u: isize, at: &Moment<'_>) -> String {
        let high = self.recurrence.graph.width() - 1;
        let number = u - self.boundary(at.now);
        let (word, late) = (self.word(0, u, at), self.late(u, at));
        let any = self.free(format!("pair{number}"));
        let [save, carry] = pair(number, at);
        format!(
            "  wire [{high}:0] {carry} = {{{any}[{high}:{LATE}], {LATE}'d0}};\n  \
             wire [{high}:0] {save} = {word} - ({carry} | {late});\n"
        )
    }

    /// The late bits of word `u`: the high bits of word `u - 1`.
    fn late(&mut self, u: isize, at: &Moment<'_>) -> String {
        let before = self.word(0, u - 1, at);
        format!("({before} >> {})", self.recurrence.graph.width() - LATE)
    }

    /// The assertion for one register of a pair.
    pub(super) fn pair_claim(&mut self, name: &str, i: usize, at: &Moment<'_>) -> String {
        let u = self.boundary(at.now) + 1;
        let of = |i: usize| {
            let found = self.ledger.words.iter().find(|(_, key, _)| *key == Key::Pair(i));
            format!("{name}{}", found.expect("both words of a pair").0)
        };
        let (save, carry) = (of(0), of(1));
        if i == 1 {
            return format!("assert ({carry}[{}:0] == {LATE}'d0);", LATE - 1);
        }
        let (word, late) = (self.word(0, u, at), self.late(u, at));
        format!("assert ({save} + ({carry} | {late}) == {word});")
    }

    /// The index of the word whose pair a row outputs in this cycle or, with `None`, at the load.
    /// `None` if it outputs no word of FIPS 180-4.
    fn word_of(&self, low: usize, at: Option<&Moment<'_>>) -> Option<isize> {
        let u = match (self.lows[low].of?, at) {
            (PairOf::Load, None) => self.boundary(0) + 1,
            (PairOf::Step(offset), Some(at)) => self.boundary(at.now) + offset,
            _ => return None,
        };
        (1..=self.recurrence.rounds as isize).contains(&u).then_some(u)
    }

    /// Port connections of a copy of the core that replace its cut rows.
    pub(super) fn low_ports(&mut self, name: &str, at: Option<&Moment<'_>>) -> String {
        let mut out = String::new();
        for i in 0..self.lows.len() {
            let row = self.lows[i].name.clone();
            let [save, carry] = match self.word_of(i, at) {
                Some(u) => {
                    let at = at.unwrap_or(&LOADED);
                    pair(u - self.boundary(at.now), at)
                }
                None => ["save", "carry"].map(|word| self.free(format!("any_{row}_{word}"))),
            };
            let _ = write!(out, ",\n    .{row}_save_o({save}), .{row}_carry_o({carry})");
            for port in ["a", "b", "c"] {
                let _ = write!(out, ", .{row}_{port}_i({name}{row}_{port})");
            }
        }
        out
    }

    pub(super) fn low_wires(&self, name: &str) -> String {
        let high = self.recurrence.graph.width() - 1;
        let wire = |low: &Low| {
            let row = format!("{name}{}", low.name);
            format!("  wire [{high}:0] {row}_a, {row}_b, {row}_c;\n")
        };
        self.lows.iter().map(wire).collect()
    }

    /// Assertions on the operands of the rows.
    pub(super) fn low_claims(&mut self, name: &str, at: Option<&Moment<'_>>) -> Vec<String> {
        let mut out = Vec::new();
        for i in 0..self.lows.len() {
            let Some(u) = self.word_of(i, at) else { continue };
            let at = at.unwrap_or(&LOADED);
            let late = self.late(u, at);
            let sum = u - (self.done(at.now) - at.rounds) as isize;
            let row = format!("{name}{}", self.lows[i].name);
            let prefix = at.prefix;
            out.push(format!("assert ({row}_b[{}:0] == {LATE}'d0);", LATE - 1));
            out.push(format!(
                "assert ({row}_a + {row}_b + {row}_c + {late} == {prefix}a_sum{sum});"
            ));
        }
        out
    }
}

/// The names of the words of pair `number` in a cycle. Pair 1 is stored in registers.
pub(super) fn pair(number: isize, at: &Moment<'_>) -> [String; 2] {
    ["save", "carry"].map(|word| format!("{}{word}{number}", at.prefix))
}

/// The cycle that begins with the load.
const LOADED: Moment<'_> = Moment { now: 0, rounds: 0, prefix: "" };
