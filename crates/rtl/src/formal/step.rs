//! The induction step: register values in terms of a model's words, before and after its n rounds.

mod pairs;

use std::collections::BTreeSet;
use std::fmt::Write;

use lanesum_spec::Family;

use self::pairs::Low;
use super::fips;
use crate::Core;
use crate::control::Ledger;
use crate::datapath::{Key, sorted_parts};
use crate::recurrence::{Part, Recurrence};
use crate::text::top;
use lanesum_graph::graph::{Id, Op};

/// The reference model of a core.
pub(super) struct FormalModel<'c> {
    pub core: &'c Core,
    pub ledger: &'c Ledger,
    pub recurrence: Recurrence,
    parts: Vec<Vec<Vec<Part>>>,
    /// The rows that output carry-save pairs.
    lows: Vec<Low>,
    /// Free variables: the model's words, and constants with arbitrary values.
    free: BTreeSet<String>,
    /// The module declares W[r] … W[r + ahead].
    ahead: usize,
}

/// The model's words at a point in time. Words computed by rounds within this cycle have names that
/// begin with `prefix`.
pub(super) struct Moment<'p> {
    /// The cycle, which determines the register contents.
    pub now: usize,
    /// Rounds computed since the model's words were free.
    pub rounds: usize,
    pub prefix: &'p str,
}

pub(super) fn text(core: &Core, ledger: &Ledger) -> String {
    let recurrence = Recurrence::new(core.options.algorithm.family());
    let parts = sorted_parts(&recurrence);
    let (lows, free) = (pairs::lows(core, ledger), BTreeSet::new());
    let ahead = 15 + core.options.unfold;
    FormalModel { core, ledger, recurrence, parts, lows, free, ahead }.text()
}

impl FormalModel<'_> {
    /// Rounds completed before cycle `now` of a block.
    pub(super) fn done(&self, now: usize) -> usize {
        let round = self.boundary(now).clamp(0, self.recurrence.rounds as isize);
        round.cast_unsigned()
    }

    pub(super) fn boundary(&self, now: usize) -> isize {
        self.ledger.first + (now * self.core.options.unfold) as isize
    }

    /// The expected value of `key`, in terms of the model's words. `None` if FIPS 180-4 does not
    /// define the word, so that its value is arbitrary.
    fn key(&mut self, key: Key, at: &Moment<'_>) -> Option<String> {
        let boundary = self.boundary(at.now);
        let skew = &self.core.placement.skew;
        Some(match key {
            Key::Word(s, back) => self.word(s, boundary - skew[s] - back as isize, at),
            Key::Sum(s, level, group) => {
                let u = boundary - skew[s] + 1 + level as isize;
                let group = self.core.placement.ahead[s][level][group].clone();
                let index = usize::try_from(u - self.recurrence.sequences[s].first);
                let parts = self.parts[s].get(index.ok()?)?.clone();
                let terms: Vec<String> =
                    group.iter().map(|&p| self.part(parts[p], (s, u), at)).collect();
                terms.join(" + ")
            }
            // Before the first round, the state is the chaining value.
            Key::Chain(i) if self.done(at.now) == at.rounds => fips::LETTERS[i].to_owned(),
            Key::Chain(i) => self.free(format!("h{i}")),
            Key::Pair(i) => pairs::pair(1, at)[i].clone(),
            Key::Id => unreachable!("only pipelines have an id"),
        })
    }

    pub(super) fn free(&mut self, name: String) -> String {
        self.free.insert(name.clone());
        name
    }

    /// Word `u` of a sequence; the model has the words around round r.
    pub(super) fn word(&mut self, s: usize, u: isize, at: &Moment<'_>) -> String {
        // Rounds completed at the point where the words are free.
        let base = (self.done(at.now) - at.rounds) as isize;
        if s == self.recurrence.schedule() {
            return match usize::try_from(u - base) {
                Ok(i) => {
                    self.ahead = self.ahead.max(i);
                    format!("w{i}")
                }
                Err(_) => self.free(format!("w_{}", base - 1 - u)),
            };
        }
        let state = self.recurrence.state.clone();
        let width = self.recurrence.graph.width();
        let found = |back: isize| state.iter().position(|w| w.sequence == s && w.back == back);
        let back = base + at.rounds as isize - u;
        // A word of the state, or a word computed by a round of this cycle.
        let (letter, rounds) = match (found(back), usize::try_from(u - base)) {
            (Some(i), _) => (i, at.rounds),
            (None, Ok(rounds @ 1..)) => (found(0).expect("the newest"), rounds),
            _ => match found(base - u) {
                Some(i) => (i, 0),
                None => {
                    let name = self.recurrence.sequences[s].name;
                    return self.free(format!("{name}_{}", base - u));
                }
            },
        };
        let name = match rounds {
            0 => fips::LETTERS[letter].to_owned(),
            n => format!("{}{}_after{n}", at.prefix, fips::LETTERS[letter]),
        };
        match state[letter].rotation {
            0 => name,
            n => format!("rotr_{}({name})", width - n),
        }
    }

    fn part(&mut self, part: Part, own: (usize, isize), at: &Moment<'_>) -> String {
        match part {
            // The sum that round t computes contains K_t.
            Part::Constant(_) => self.constant((own.1 - 1) as usize, at),
            Part::Node(id) => self.node(id, own, at, true),
        }
    }

    /// K_t as a free variable. Its value is irrelevant as long as the core adds the same constant,
    /// and the constants of SHA-2 are distinct.
    pub(super) fn constant(&mut self, t: usize, at: &Moment<'_>) -> String {
        let family = self.recurrence.family;
        let k = fips::constant(family, t);
        if family == Family::Sha1 {
            return format!("32'h{k:08x}");
        }
        let base = (self.done(at.now) - at.rounds) as isize;
        match t as isize - base {
            before @ ..0 => self.free(format!("k_{}", -before)),
            after => self.free(format!("k{after}")),
        }
    }

    /// A constant that the core uses in a cycle.
    fn given(&mut self, value: u64, width: u32, at: &Moment<'_>) -> String {
        let family = self.recurrence.family;
        let found = (0..self.recurrence.rounds).find(|&t| {
            family != Family::Sha1
                && width == self.recurrence.graph.width()
                && fips::constant(family, t) == value
        });
        match found {
            Some(t) => self.constant(t, at),
            None => format!("{width}'h{value:x}"),
        }
    }

    fn node(&mut self, id: Id, own: (usize, isize), at: &Moment<'_>, root: bool) -> String {
        if let Some(&(s, u)) = self.recurrence.leaves.get(&id)
            && !(root && (s, u) == own)
        {
            return self.word(s, u, at);
        }
        let op = self.recurrence.graph.op(id);
        let x: Vec<String> = op.operands().map(|x| self.node(x, own, at, false)).collect();
        match op {
            Op::Rotr(_, n) => format!("rotr_{n}({})", x[0]),
            Op::Shr(_, n) => format!("({} >> {n})", x[0]),
            Op::Ch(..) => format!("ch({}, {}, {})", x[0], x[1], x[2]),
            Op::Maj(..) => format!("maj({}, {}, {})", x[0], x[1], x[2]),
            Op::Xor3(..) => format!("parity({}, {}, {})", x[0], x[1], x[2]),
            Op::Xor(..) => format!("({} ^ {})", x[0], x[1]),
            op => unreachable!("not a part of a sum: {op:?}"),
        }
    }

    /// Instantiates the core, with registers fixed to their values at `at`, or free.
    fn copy(&mut self, name: &str, control: &[(&str, String)], at: Option<&Moment<'_>>) -> String {
        let top = top(self.core);
        let mut ports = String::new();
        for register in &self.core.netlist.registers {
            let width = self.core.netlist.width(register.signal);
            let given = control.iter().find(|(r, _)| *r == register.name).map(|c| c.1.clone());
            let value = given.or_else(|| self.holds(&register.name, width, at?));
            let value = value.unwrap_or_else(|| self.free(format!("any_{}", register.name)));
            let _ = write!(ports, ",\n    .{0}_q_q({value}), .{0}_q_d({name}{0})", register.name);
        }
        ports += &self.low_ports(name, at);
        format!(
            "  {top} {name}core (\n    .clk_i(1'b0), .rst_ni(1'b1), .zeroize_i(1'b0), .block_valid_i(block_valid_i),\n    \
             .block_i(block_i), .state_i(state_i), .state_ready_i(state_ready_i){ports}\n  );\n"
        )
    }

    fn holds(&mut self, name: &str, width: u32, at: &Moment<'_>) -> Option<String> {
        let word = self.ledger.words.iter().find(|w| w.0 == name);
        if let Some((_, key, _)) = word.filter(|w| w.2.contains(&at.now)) {
            return self.key(*key, at);
        }
        let (_, values) = self.ledger.sequences.iter().find(|s| s.0 == name)?;
        let value = *values.get(at.now)?;
        Some(self.given(value, width, at))
    }

    /// Assertions on the next values of the data registers, for the time `at`.
    fn claims(&mut self, name: &str, at: &Moment<'_>) -> Vec<String> {
        let ledger = self.ledger;
        let mut out = Vec::new();
        for (register, key, clocks) in &ledger.words {
            if clocks.contains(&at.now)
                && self.core.netlist.registers.iter().any(|r| r.name == *register)
            {
                if let Key::Pair(i) = key {
                    out.push(self.pair_claim(name, *i, at));
                } else if let Some(value) = self.key(*key, at) {
                    out.push(format!("assert ({name}{register} == {value});"));
                }
            }
        }
        out
    }

    fn wires(&self, name: &str) -> String {
        let mut out = String::new();
        for register in &self.core.netlist.registers {
            let width = self.core.netlist.width(register.signal);
            let _ = writeln!(out, "  wire [{}:0] {name}{};", width - 1, register.name);
        }
        out + &self.low_wires(name)
    }

    fn text(mut self) -> String {
        let family = self.recurrence.family;
        let mut body = String::new();
        let mut known: Vec<(String, String)> = Vec::new();
        for now in 0..self.ledger.clocks {
            let clock = self.clock(now);
            // Skip a cycle that equals an earlier one except for its number and fewer assertions.
            let (text, claims) = clock;
            let covered = |old: &(String, String)| {
                old.0 == text.0 && text.1.iter().all(|claim| old.1.contains(claim.as_str()))
            };
            if known.iter().any(covered) {
                continue;
            }
            let prefix = format!("t{now}_");
            let rename = |text: &str| text.replace("PRE_", &prefix);
            let _ = write!(
                body,
                "\n  // Clock {now} of a block.\n{}  always @* begin\n    {}\n  end\n",
                rename(&claims),
                rename(&text.1.join("\n    "))
            );
            known.push((text.0, text.1.join("\n")));
        }
        body += &self.value();
        let load = self.load();
        let mut free = self.free.clone();
        free.extend(fips::LETTERS[..family.state_words()].iter().map(|&letter| letter.to_owned()));
        free.extend((0..16).map(|i| format!("w{i}")));
        let schedule = self.schedule();
        let functions = fips::functions(family, &(schedule.clone() + &body));
        let (top, n) = (top(self.core), self.core.options.unfold);
        let registers = self.core.netlist.registers.iter();
        let registers = registers.filter(|r| LOAD.iter().all(|fixed| fixed.0 != r.name));
        let any = |r: &crate::ClockedRegister| {
            let width = self.core.netlist.width(r.signal);
            let name = format!("any_{}", r.name);
            (
                format!(", .{name}({name}_load)"),
                format!("  (* anyseq *) wire [{}:0] {name}_load;\n", width - 1),
            )
        };
        let (ports, wires): (String, String) = registers.map(any).unzip();
        format!(
            "// If the registers of {top} hold what they should, in words of a model that does the\n\
             // rounds of FIPS 180-4 section {}, they do so a clock and {n} rounds later.\n\
             // `expose -evert-dff` makes ports of the registers: _q their outputs, _d their\n\
             // inputs. Clocks that differ in nothing but their number are not written twice.\n\
             {}{}\n);\n{functions}{schedule}{body}\n{wires}  {top}_load load (.block_valid_i(1'b1), \
             .state_ready_i(state_ready_i), .block_i(block_i), .state_i(state_i){ports});\nendmodule\n\n{load}",
            crate::text::section(family),
            self.head(&format!("{top}_step")),
            self.inputs(&free),
        )
    }

    /// One cycle: a key for comparison (text without the cycle number, and assertions), and its
    /// text.
    #[allow(clippy::type_complexity)]
    fn clock(&mut self, now: usize) -> ((String, Vec<String>), String) {
        // If a sequence lags behind, express its words in terms of the state that many rounds
        // earlier.
        let late = self.core.placement.skew[..self.recurrence.schedule()].iter().max();
        let done = self.done(now);
        let lag = done.min(late.map_or(0, |&late| late.cast_unsigned()));
        let rounds = lag + self.done(now + 1) - done;
        let before = Moment { now, rounds: lag, prefix: "PRE_" };
        let after = Moment { now: now + 1, rounds, prefix: "PRE_" };
        // A pair represents the word after the newest.
        let newest = done - lag + rounds + usize::from(self.core.placement.kept);
        let model = self.rounds(newest.cast_signed(), &before);
        let [one, zero] = ["1'b1".to_owned(), "1'b0".to_owned()];
        let count = self.core.netlist.registers.iter().find(|r| r.name == "count");
        let width = count.map_or(1, |r| self.core.netlist.width(r.signal));
        // In cycle `now` the counter selects the constants of the next.
        let count = format!("{width}'d{}", now + 1);
        let control =
            [("run", one), ("finish", zero.clone()), ("ready", zero), ("count", count.clone())];
        let copy = self.copy("PRE_", &control, Some(&before));
        let mut claims = self.low_claims("PRE_", Some(&before));
        claims.extend(self.claims("PRE_", &after));
        let wires = self.wires("PRE_");
        let text = model + &wires + &copy;
        // The counter selects only constants, which `control` proves.
        let same = text.replace(&format!("count_q_q({count})"), "");
        ((same, claims), text)
    }

    /// Emits the load of a block, for arbitrary register contents. The model starts here.
    fn load(&mut self) -> String {
        let top = top(self.core);
        let family = self.recurrence.family;
        let width = family.word_bits();
        let free = std::mem::take(&mut self.free);
        let at = Moment { now: 0, rounds: 0, prefix: "" };
        let copy = self.copy("load_", &LOAD.map(|(name, value)| (name, value.to_owned())), None);
        let mut claims = self.low_claims("load_", None);
        claims.extend(self.claims("load_", &at));
        let claims = claims.join("\n    ");
        // The first pair, if a round computes its word.
        let model = if self.core.placement.kept && self.boundary(0) == 0 {
            self.rounds(1, &at)
        } else {
            String::new()
        };
        let any = std::mem::replace(&mut self.free, free);
        // At the load, the constants are literals.
        let (constants, any): (BTreeSet<String>, _) = any
            .into_iter()
            .partition(|name| name.strip_prefix('k').is_some_and(|t| t.parse::<usize>().is_ok()));
        let inputs = self.inputs(&any);
        let mut words = String::new();
        let order = self.core.options.word_order;
        let mut word = |name: &str, port: &str, i: usize| {
            let count = if port == "block_i" { 16 } else { family.state_words() };
            let i = order.arrange((0..count).collect())[i];
            let (high, low) = ((i as u32 + 1) * width - 1, i as u32 * width);
            let _ = writeln!(words, "  wire [{}:0] {name} = {port}[{high}:{low}];", width - 1);
        };
        for (i, letter) in fips::LETTERS[..family.state_words()].iter().enumerate() {
            word(letter, "state_i", i);
            word(&format!("h{i}"), "state_i", i);
        }
        (0..16).for_each(|i| word(&format!("w{i}"), "block_i", i));
        for name in constants {
            let t = name[1..].parse().expect("a round");
            let value = fips::constant(family, t);
            let _ = writeln!(words, "  wire [{}:0] {name} = {width}'h{value:x};", width - 1);
        }
        words += &self.schedule();
        words += &model;
        let functions = fips::functions(family, &(words.clone() + &claims));
        let wires = self.wires("load_");
        format!(
            "// A block is taken, whatever the registers hold.\n{}{inputs}\n);\n{functions}{words}{wires}{copy}  \
             always @* begin\n    assume (!(any_finish & any_held));\n    {claims}\n  end\nendmodule\n",
            self.head(&format!("{top}_load"))
        )
    }

    /// Emits W[r + 16] and later words.
    fn schedule(&self) -> String {
        let family = self.recurrence.family;
        let wire = |i| {
            format!("  wire [{}:0] w{i} = {};\n", family.word_bits() - 1, fips::schedule(family, i))
        };
        (16..=self.ahead).map(wire).collect()
    }

    /// The module header with the core's inputs.
    fn head(&self, name: &str) -> String {
        let family = self.recurrence.family;
        format!(
            "module {name} (\n  input block_valid_i,\n  input state_ready_i,\n  \
             input [{}:0] block_i,\n  input [{}:0] state_i",
            16 * family.word_bits() - 1,
            family.state_words() as u32 * family.word_bits() - 1
        )
    }

    /// Declares the free variables as inputs.
    fn inputs(&self, free: &BTreeSet<String>) -> String {
        let registers = &self.core.netlist.registers;
        let input = |name: &String| {
            let register = registers.iter().find(|r| name.strip_prefix("any_") == Some(&r.name));
            let width = register
                .map_or(self.recurrence.graph.width(), |r| self.core.netlist.width(r.signal));
            format!(",\n  input [{}:0] {name}", width - 1)
        };
        free.iter().map(input).collect()
    }

    /// Emits the assertions on the value, in the cycles after the last.
    fn value(&mut self) -> String {
        let at = Moment { now: self.ledger.clocks, rounds: 0, prefix: "" };
        let one = |k: u8| format!("1'b{k}");
        let control = [("run", one(0)), ("finish", one(1)), ("held", one(0))];
        let copy = self.copy("value_", &control, Some(&at));
        let mut claims = String::new();
        for i in 0..self.recurrence.state.len() {
            let letter = fips::LETTERS[i];
            let _ = writeln!(claims, "    assert (value_out{i} == h{i} + {letter});");
        }
        let mut out = format!("{}{copy}  always @* begin\n{claims}  end\n", self.wires("value_"));
        // It waits while the output register holds an earlier one.
        let control = [("run", one(0)), ("finish", one(1)), ("held", one(1)), ("ready", one(0))];
        let copy = self.copy("stall_", &control, Some(&at));
        let claims = self.claims("stall_", &at).join("\n    ");
        out += &self.wires("stall_");
        let _ = writeln!(out, "{copy}  always @* begin\n    {claims}\n  end");
        format!("\n  // The value is made.\n{out}")
    }
}

/// The control registers in a clock that loads a block. `control` proves them.
const LOAD: [(&str, &str); 2] = [("run", "1'b0"), ("ready", "1'b1")];
