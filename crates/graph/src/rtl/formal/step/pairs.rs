//! Words in carry-save form in the step.
//!
//! Of a pair no more is known than what its words add up to, with the late bits, and that
//! the second has a place for those. So the second word is any that has, and the first is
//! what is left. Every row that makes a pair is taken out of the core: that its operands
//! add up to what FIPS 180-4 has for the word is claimed, and what comes of it is such a
//! pair of any word, the same as that which the rounds of the model then read. By that no
//! solver has to follow a sum from one word to the next.

use std::fmt::Write;

use super::{FormalModel, Moment};
use crate::rtl::Core;
use crate::rtl::control::Ledger;
use crate::rtl::datapath::Key;
use crate::rtl::formal::fips;
use crate::rtl::netlist::{Gate, LATE, Signal};
use crate::rtl::verilog::named;

/// A row that makes a pair.
pub(super) struct Low {
    /// The name of its instance.
    name: String,
    /// The word that it is of, where that is known.
    of: Option<PairOf>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PairOf {
    /// The first pair of a block.
    Load,
    /// The word so many after the newest of the registers.
    Step(isize),
}

/// The rows of a core that make pairs.
pub(super) fn lows(core: &Core, ledger: &Ledger) -> Vec<Low> {
    let netlist = &core.netlist;
    let gate = |x: Signal| &netlist.gates[x.index()].0;
    let pair = ledger.words.iter().find(|(_, key, _)| *key == Key::Pair(0));
    let first = pair.and_then(|(name, ..)| netlist.registers.iter().find(|r| r.name == *name));
    let names = named(netlist).name;
    // First words of pairs, and how far after the newest word of the registers theirs are.
    let mut known: Vec<(Signal, isize)> = first.map(|r| (r.signal, 1)).into_iter().collect();
    let mut found = Vec::new();
    for low in (0..netlist.gates.len() as u32).map(Signal) {
        let Gate::LowSave(x, y, _) = gate(low) else { continue };
        let of = match (gate(*x), gate(*y)) {
            (_, Gate::Shl(_, None, _)) => Some(PairOf::Load),
            // It shifts the pair of the word before.
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
    /// The rounds that make the model's words up to `newest` of those that `at` has not,
    /// and the pairs of a core that keeps some.
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

    /// The round that makes word `u`. Of the word that it rotates there may be a pair.
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

    /// The pair of word `u`.
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

    /// The bits of the word before `u` that are late.
    fn late(&mut self, u: isize, at: &Moment<'_>) -> String {
        let before = self.word(0, u - 1, at);
        format!("({before} >> {})", self.recurrence.graph.width() - LATE)
    }

    /// The claim on a register of a pair.
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

    /// The word that a row's pair is of in a clock, or at the load: where there is one.
    fn word_of(&self, low: usize, at: Option<&Moment<'_>>) -> Option<isize> {
        let u = match (self.lows[low].of?, at) {
            (PairOf::Load, None) => self.boundary(0) + 1,
            (PairOf::Step(offset), Some(at)) => self.boundary(at.now) + offset,
            _ => return None,
        };
        (1..=self.recurrence.rounds as isize).contains(&u).then_some(u)
    }

    /// The ports of a copy of the core where its rows were.
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

    /// The claims on what goes into the rows.
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

/// The words of the `number`-th pair of a clock: the first is in registers.
pub(super) fn pair(number: isize, at: &Moment<'_>) -> [String; 2] {
    ["save", "carry"].map(|word| format!("{}{word}{number}", at.prefix))
}

/// The clock that begins with the load.
const LOADED: Moment<'_> = Moment { now: 0, rounds: 0, prefix: "" };
