//! How far the kernels are from optimal: lower bounds for every program of a model, orders that attain them, and
//! the iteration bound of SHA-1 in carry-save form.

use lanesum_kernels::emit::{Isa, Target, WordSource, emit};
use lanesum_kernels::search::steady::{cyclic, loop_over_blocks};
use lanesum_model::analyse::shortest::{Amortized, Set, WordFunction, amortized};
use lanesum_model::analyse::{
    BoundError, Cyclic, Delays, EXACT, Edge, Kernels, Refuted, Time, max_ratio,
};
use lanesum_model::{Bound, Cycles, DelayModel, Machine, Orders};
use lanesum_rtl::{Arrival, Core, Options, Registers, RtlError, Technology, core};
use lanesum_spec::sha2::{Sha256, Sha512, Variant};
use lanesum_spec::{Algorithm, Family};

use crate::counts::{SHA, name};
use crate::orders::shipped_on;
use crate::waterfall::cycles_per_block;
use crate::{Section, Sources, brief, round_bound, two};
use lanesum_graph::record::record;

/// Instructions of one kind in a block: their purpose, how often it occurs, and the minimum each time.
struct Group(String, usize, usize);

/// The minimum numbers of instructions of a block, without copies, loads and stores.
struct LeastWork {
    groups: Vec<Group>,
    /// The minimum latency from round to round, in instructions.
    chain: usize,
    rounds: usize,
}

impl LeastWork {
    fn total(&self) -> usize {
        self.groups.iter().map(|Group(_, times, each)| times * each).sum()
    }

    /// The bound of the theorem in cycles per block, and its limit.
    fn bound(&self, machine: &Machine) -> Option<(Bound, &'static str)> {
        let units = machine.stated();
        let work = Bound::of_work(self.total() as f64, units.pools.get("alu")?);
        let add = units.ops.get("add")?.latency.as_ref()?;
        let chain = Bound::of_chain((self.chain * self.rounds) as f64, add);
        Some(if chain.cycles() > work.cycles() { (chain, "chain") } else { (work, "alu") })
    }
}

/// The minimum of a function, if copies are free.
fn minimum(function: &WordFunction, linear: bool) -> usize {
    function.proven(&Set::without_copies(function.width(), linear), true).at_least
}

/// The counts of the theorem.
fn counted(family: Family) -> LeastWork {
    let rounds = if family == Family::Sha256 { 64 } else { 80 };
    let [ch, maj, parity] = WordFunction::bitwise().map(|function| minimum(&function, false));
    let group = |name: &str, times, each| Group(name.to_owned(), times, each);
    // Five words with independent parts are added in an instruction less if lea adds a constant.
    let lea = usize::from(family.word_bits() == 32);
    if family == Family::Sha1 {
        let word = minimum(&WordFunction::word_of_sha1(), true);
        let groups = vec![
            group("ROTL^5 and ROTL^30", rounds, 2),
            group("Ch", 20, ch),
            group("Parity", 40, parity),
            group("Maj", 20, maj),
            group("sums of a round", rounds, 4 - lea),
            group("words of the schedule", rounds - 16, word),
            group("the chaining value", 4, 1),
        ];
        return LeastWork { groups, chain: 2, rounds };
    }
    let linear = match family {
        Family::Sha256 => WordFunction::linear_256(),
        _ => WordFunction::linear_512(),
    };
    let [big0, big1, small0, small1] = linear.map(|function| minimum(&function, true));
    let groups = vec![
        group("Σ0 and Σ1", rounds, big0 + big1),
        group("Ch", rounds, ch),
        group("Maj", rounds, if amortized().is_proof() { 3 } else { 0 }),
        group("sums of a round", rounds, 7 - lea),
        group("σ0 and σ1", rounds - 16, small0 + small1),
        group("sums of the schedule", rounds - 16, 3),
        group("the chaining value", 6, 1),
    ];
    LeastWork { groups, chain: 4, rounds }
}

/// The sections, which become `docs/optimal.md`.
pub(crate) fn sections(sources: &Sources) -> Result<Vec<Section>, BoundError> {
    Ok(vec![theorem(), distances(sources)?, shill()?, iteration()?, carries()])
}

fn theorem() -> Section {
    let mut section = Section::new("A lower bound for every separated program");
    section.text(
        "How few cycles can a block take, by any program? The answer needs a class of programs. A program for general \
         registers with rorx, andn and lea is *separated* if each instruction belongs to one group:",
    );
    section.list(&[
        "each Σ, σ, Ch and Parity of a round, and each rotation of a word of SHA-1's state: a group that computes it from \
         words of the state or of the schedule",
        "all Maj of a block together, so that a round may use results of the previous one (SHA-2); in SHA-1, whose words are \
         rotated in between, each Maj",
        "each word of the schedule from four words: of the schedule (SHA-1), or including two σ (SHA-2)",
        "the sums of a round: the new words of the state from the results of other groups and older words",
        "the additions of the chaining value",
    ]);
    section.text(
        "Within a group, every program of ∧, ∨, ⊕, +, −, ¬ and ∧¬ of words is allowed; for Σ, σ, rotations and the schedule also \
         rotations and shifts by constants. Other constants, multiplications and double shifts are not. lea is allowed only in sums, \
         where it adds two words and a constant of 32 bits. Registers are unlimited; copies, loads, stores and the swap of bytes are not counted. So the theorem also holds \
         for programs that need them.",
    );
    section.text(
        "Theorem: a separated program takes at least as many instructions that need an ALU as the table states. Proof: the \
         minimum of a function is from the exhaustive search with free copies (see The fewest instructions of a function on the \
         page about orders). For Maj of SHA-2 it is the theorem there, 3 gates per round: bit 0 of + and − is ⊕, so bit 0 of a program is a program of gates. For sums, the results of other groups \
         are independent words. In SHA-2, the new a depends on Σ0, Σ1, Ch, Maj, W and h. An instruction has two operands, so five \
         instructions are required, and five have only these six words as leaves. The new e depends on d, so a round needs six. \
         K is a constant of lea. Without lea of such a constant (64-bit words), it takes one more instruction: the six instructions \
         have two words each as operands, so with all words zero, ∧, ∨, ⊕, +, − and ∧¬ yield zero instead of K. The sum of a round of \
         SHA-1 and of a word of the schedule have four words, so three instructions, and again one more for K without lea. In SHA-1's \
         schedule the rotation is another instruction, because three instructions of two words each do not move bits. \
         At the end, b, c, d and f, g, h of SHA-2 (b, c, d, e of SHA-1) are added to older words that are required without this \
         addition. a and e are not counted, because the chaining value may be a term of their sum.",
    );
    let [ch, maj] = WordFunction::summed().map(|function| minimum(&function, false));
    section.text(format!(
        "A program may also add a function in parts: x ∧ y and ¬x ∧ z have no common bits. This saves nothing: the search proves \
         that s + Ch(x, y, z) takes {ch} instructions and s + Maj(x, y, z) {maj}, one more than the function, even if every instruction may \
         serve both. Not proven: that no instruction can serve two other groups. So the theorem does not exclude a shorter program \
         that is not separated; none is known."
    ));
    let families = SHA.map(|family| (family, counted(family)));
    let mut rows = Vec::new();
    for (family, counted) in &families {
        for Group(group, times, each) in &counted.groups {
            let total = times * each;
            rows.push(vec![
                name(*family).to_owned(),
                group.clone(),
                times.to_string(),
                each.to_string(),
                total.to_string(),
            ]);
        }
        let round: usize =
            counted.groups.iter().filter(|g| g.1 == counted.rounds).map(|g| g.2).sum();
        let title = match family {
            Family::Sha1 => format!("total; a round with Parity: {}", round + counted.groups[2].2),
            _ => format!("total; a round without the schedule: {round}"),
        };
        let all = [String::new(), String::new(), counted.total().to_string()];
        rows.push([vec![name(*family).to_owned(), title], all.to_vec()].concat());
    }
    section.table(
        "The minimum of instructions that need an ALU, per block.",
        &["family", "group", "times", "each", "instructions"],
        rows,
    );
    section.text(
        "The chain: in SHA-2, the new e depends on Σ1 of the old one. Fix all words but that one. Σ1 is a bijection, so its \
         last instruction is no shift. If it is a rotation, what it rotates has the same property. With two operands, bit 0 of the result \
         depends only on bit 0 of each operand, and bit 0 of a word after one instruction depends on one bit of the old e at \
         most. So bit 0 of a word after two instructions depends on two bits at most, but any bit of Σ1 on three: Σ1 takes three dependent \
         instructions, and the sum a fourth. In SHA-1, the new a is a sum that depends on the old one through a rotation: two instructions. An \
         instruction takes at least a cycle. So no separated program is faster than the chain of all rounds, or than the \
         instructions divided by the number of ALUs.",
    );
    section
}

fn distances(sources: &Sources) -> Result<Section, BoundError> {
    let mut section = Section::new("The distance of the shipped kernels");
    section.text(
        "How far is the kernel with BMI2 from the bound, and how much of the distance remains with the best order in a model without \
         registers and schedulers? Modulo scheduling searches for such an order: each instruction of the loop over blocks gets a start time, and the next block repeats all of them a period \
         later. A program checks every pool in every cycle and every dependence, through registers and memory. If no schedule exists, the proof \
         is a pool that is too small or a chain that is too long, which is checked too. The columns, in cycles per block:",
    );
    section.list(&[
        "*bound*: no separated program is faster (the theorem), with stated constants only",
        "*shortest form*: the period of a schedule that was found for the shortest form of the graph. It attains the bound up to \
         the difference of both numbers",
        "*its bound*: no order of the shipped instructions is faster, with stated constants only: \"no order can\"",
        "*order found*: the period of a schedule of the shipped instructions that was found and checked, by all constants",
        "*measured*: the shipped kernel. The difference from *order found* is not attributed: the order, registers, the size of the \
         scheduler, the choice of ports when instructions are renamed, and effects that the model lacks",
    ]);
    let orders = Orders::built_in()?;
    let kernels = Kernels::new(&sources.models);
    let families = SHA.map(|family| (family, counted(family)));
    let (mut rows, mut origins) = (Vec::new(), std::collections::BTreeSet::new());
    for machine in &sources.models.machines {
        for (family, counted) in &families {
            let family = *family;
            if machine.scalar != "x86-bmi" {
                continue;
            }
            let Some((bound, limit)) = counted.bound(machine) else { continue };
            origins.extend(bound.sources().map(ToString::to_string));
            let form = found(&kernels.scalar_loop(machine, family)?);
            let target = Target { family, words: WordSource::Block, isa: Isa::Bmi2 };
            let listing = emit(target, &orders).expect("a shipped kernel");
            let body = loop_over_blocks(&listing);
            let own = cyclic(&body, &machine.stated()).bound();
            let order = found(&cyclic(&body, &machine.units));
            let kernel = target.name();
            let record = sources.record_of(machine);
            let measured = record
                .and_then(|record| cycles_per_block(record, family.name(), "bmi2_asm_x1"))
                .or_else(|| shipped_on(sources, &machine.name, &kernel));
            if let Some(measured) = measured {
                let what = format!("{kernel} on {}", machine.name);
                admits(&bound, limit, measured, family, what)?;
            }
            let shown = |found: Option<i64>| found.map_or("-".to_owned(), |n| n.to_string());
            let number = |n: f64| format!("{n:.0}");
            let apart = match (measured, order) {
                (Some(measured), Some(order)) => {
                    let instructions = order as f64 - bound.cycles();
                    format!("{instructions:.0} + {:.0}", measured - order as f64)
                }
                _ => "-".to_owned(),
            };
            rows.push(vec![
                machine.title.clone(),
                name(family).to_owned(),
                format!("{} ({limit})", brief(bound.cycles())),
                shown(form),
                own.to_string(),
                shown(order),
                measured.map_or("-".to_owned(), number),
                measured.map_or("-".to_owned(), |m| two(m / bound.cycles())),
                apart,
            ]);
        }
    }
    section.table(
        "Cycles per block of long messages, with general registers. The last column has the order found minus the bound, which \
         includes the slack of the bound, and the measured cycles minus the order found.",
        &[
            "machine",
            "family",
            "bound",
            "shortest form",
            "its bound",
            "order found",
            "measured",
            "measured / bound",
            "above the bound + not explained",
        ],
        rows,
    );
    section.text(format!(
        "The constants of the bounds are from {}. The schedules also use assumed latencies of loads and stores, and copies that \
         only need a slot of the dispatch. They have unlimited registers and schedulers, so a core may not be able to execute the \
         order found in its period. [Where the cycles go](waterfall.md) simulates the shipped order.",
        origins.into_iter().collect::<Vec<_>>().join("; ")
    ));
    Ok(section)
}

/// Compares measured cycles per block with the theorem.
fn admits(
    bound: &Bound,
    limit: &str,
    measured: f64,
    family: Family,
    what: String,
) -> Result<(), Refuted> {
    if measured >= EXACT * bound.cycles() {
        return Ok(());
    }
    let bytes = family.block_len() as f64;
    Err(Refuted {
        measured: what,
        cycles_per_byte: measured / bytes,
        bound: bound.cycles() / bytes,
        limit: limit.to_owned(),
        sources: bound.sources().map(ToString::to_string).collect(),
    })
}

/// The period of a schedule, after an independent check.
fn found(cyclic: &Cyclic) -> Option<i64> {
    let (period, starts) = cyclic.shortest()?;
    assert_eq!(cyclic.check(period, &starts), Ok(()), "the search found a wrong schedule");
    Some(period)
}

fn shill() -> Result<Section, BoundError> {
    let mut section = Section::new("The lower bound of 2003, as a theorem");
    section.text(
        "Shill derived a lower bound for SHA-256 on x86 in 2003: 2,800 instructions per block. The model of his count, made \
         precise: a separated program on x86 with two operands (x86-plain on the page about orders: no lea, rorx or andn; ¬ \
         is allowed), where every instruction overwrites an operand and a copy is an instruction. No function of one word, and no \
         Ch, overwrites a word of the state or of the schedule. Unlike above, copies count.",
    );
    let least = |function: &WordFunction, linear: bool| {
        let sets = Set::all(function.width(), linear);
        let set = sets.iter().find(|set| set.name == "x86-plain").expect("a set");
        function.proven(set, true).at_least
    };
    let [ch, maj, _] = WordFunction::bitwise().map(|function| least(&function, false));
    let linear = WordFunction::linear_256();
    let [big0, big1, small0, small1] = linear.map(|function| least(&function, true));
    // 3 gates and a copy per round.
    let shared = if amortized().is_proof() { 3 + 1 } else { 0 };
    let round = big0 + big1 + ch + shared + 7;
    let word = small0 + small1 + 3;
    let rest = 6 + 16;
    let total = 48 * word + 64 * round + rest;
    let verdict = |his: usize, ours: usize| match his.cmp(&ours) {
        std::cmp::Ordering::Equal => "right".to_owned(),
        std::cmp::Ordering::Greater => format!("too large by {}", his - ours),
        std::cmp::Ordering::Less => format!("too small by {}", ours - his),
    };
    let row = |what: &str, his: usize, ours: usize| {
        vec![what.to_owned(), his.to_string(), ours.to_string(), verdict(his, ours)]
    };
    section.table(
        "His counts, and the minimum in this model.",
        &["part", "2003", "proven minimum", "his count is"],
        vec![
            row("σ0", 7, small0),
            row("σ1", 7, small1),
            row("Σ0", 7, big0),
            row("Σ1", 7, big1),
            row("Ch", 4, ch),
            row("Maj, one", 6, maj),
            row("Maj, per round of many", 6, shared),
            row("sum of a word of the schedule", 3, 3),
            row("sums of a round", 7, 7),
            row("the schedule", 816, 48 * word),
            row("the rounds", 1984, 64 * round),
            row("both", 2800, 48 * word + 64 * round),
            row("bytes swapped, chaining value added", 24, rest),
            row("all", 2824, total),
        ],
    );
    let Amortized { tried, .. } = amortized();
    section.text(format!(
        "Theorem: such a program takes at least {total} instructions per block. Proof: by the model, the minimums \
         with preserved operands hold. For Maj, R rounds take at least 3 R gates (a search over {tried} forms). Each gate overwrites an operand: a copy, or the \
         result of another gate that is no longer needed. Of g gates, R yield a Maj, which the sum needs; so g − R results can be \
         overwritten, and at least R gates need a copy: 4 R instructions in all. The seven additions of a round are those of the theorem \
         above, without lea."
    ));
    section.text(format!(
        "Shill's parts were right for σ, Ch, one Maj and the sums. His total is no lower bound: a rotation of a rotation saves a copy in \
         each Σ, and Maj can reuse x ⊕ y of the previous round. Whether a program overwrites words of the state early, to save more \
         copies, the model excludes by assumption. At three instructions per cycle, as he assumed for the Athlon, {total} \
         instructions take {:.0} cycles instead of 941.",
        (total as f64 / 3.0).ceil()
    ));
    Ok(section)
}

/// The critical loop of a core, in a technology: its delay and its registers.
fn critical(core: &Core, technology: &Technology) -> (f64, Arrival, u32) {
    let netlist = &core.netlist;
    let delay = |signal| netlist.delay(signal, technology);
    let signals: Vec<_> = netlist.edges().collect();
    let edges: Vec<Edge> = signals
        .iter()
        .map(|&(from, to, registers)| Edge {
            from: from.index(),
            to: to.index(),
            time: if registers == 0 { Time::of(delay(to).value) } else { Time::ZERO },
            registers,
        })
        .collect();
    // Without any delay on a loop, the bound is zero.
    let Some(found) = max_ratio(&edges) else { return (0.0, Arrival::default(), 1) };
    let at = |node: &usize| signals.iter().find(|s| s.1.index() == *node).expect("on a loop").1;
    let path = found.nodes.iter().map(|node| delay(at(node)));
    let path = path.fold(Arrival::default(), |sum, delay| sum + delay);
    (found.ratio() / core.options.unfold as f64, path, found.registers * core.options.unfold as u32)
}

/// The core with one round per cycle that is best in standard cells, where carry-save pairs help.
fn built(algorithm: Algorithm, registers: Registers) -> Result<Core, RtlError> {
    let technology = Technology::named("osu018")?;
    core(&Options { registers, technology, ..Options::new(algorithm, 1) })
}

fn iteration() -> Result<Section, BoundError> {
    let mut section = Section::new("Below A + F/2: SHA-1 in carry-save form");
    section.text(
        "Lee, Chan and Verbauwhede bound a round of SHA-1 by A + F/2: an addition, and half a function. This is the maximum of \
         time divided by registers over all loops of the dataflow graph. Retiming and unfolding do not change it, so they are \
         limited by it. Another graph may have another bound. In carry-save form (`crates/rtl/src/kept.rs`), the new a is \
         stored as two words before its carries are known. ROTL^5 of the sum is 32 S + 32 C, and the five bits that the \
         rotation moves to the low end. Only these five bits wait for the addition.",
    );
    let [kept, retimed] = [Registers::Free, Registers::Retimed]
        .map(|registers| built(Algorithm::SHA1, registers).expect("a core"));
    assert!(kept.placement.kept, "the core has no carry-save pair");
    let mut rows = Vec::new();
    let zero = Technology {
        add: 0.0,
        row: 0.0,
        function: 0.0,
        sigma: 0.0,
        ..kept.options.technology.clone()
    };
    let one = |title: &str, change: &dyn Fn(&mut Technology)| {
        let mut technology = Technology { title: title.to_owned(), ..zero.clone() };
        change(&mut technology);
        technology
    };
    let mut technologies = vec![
        one("only additions: A = 1", &|t| t.add = 1.0),
        one("only functions: F = 1", &|t| t.function = 1.0),
        one("only carry-save rows: C = 1", &|t| t.row = 1.0),
    ];
    technologies.extend(Technology::all());
    for technology in &technologies {
        let Technology { add, function, sigma, .. } = *technology;
        let model = DelayModel {
            name: technology.name.clone(),
            title: technology.title.clone(),
            add,
            function,
            sigma,
            logic: 0.0,
            rotate: 0.0,
        };
        let delays = Delays::hardware(&model);
        let paper = if add + function == 0.0 {
            0.0
        } else {
            round_bound(record(Family::Sha1, false), &delays)?.1.ratio()
        };
        let of = |core: &Core| {
            let (ratio, path, registers) = critical(core, technology);
            [two(ratio), format!("({path}) / {registers}")]
        };
        let [own, own_path] = of(&kept);
        let [other, other_path] = of(&retimed);
        rows.push(vec![technology.title.clone(), two(paper), other, other_path, own, own_path]);
    }
    section.table(
        "Iteration bounds of SHA-1 per round, in the unit of the technology. Paper: the recorded graph, with two-operand adders. Retimed: \
         the generated core without carry-save pairs. Carry-save: the core with pairs. Both are computed from the netlist: every gate with \
         its delay, every register, and the critical loop as (time) / registers.",
        &["delays", "A + F/2", "retimed", "its loop", "carry-save", "its loop"],
        rows,
    );
    section.text(
        "For the generated core and the delays above, the iteration bound in carry-save form is the maximum of A, (A + F + C')/2 and C + C', \
         where C is a carry-save row and C' the row that adds its five lowest bits completely. It is computed as the maximum over all loops of \
         the netlist. That no other loop dominates for other delays is not proven. The loops are: addition, late bits, addition (one register); addition, F, row, \
         addition (two registers); and from pair to pair through two rows (one register). The maximum is less than A + F/2 if F > 0, C' < A and \
         2 C + 2 C' < 2 A + F. With small F and rows it is A: an addition per round.",
    );
    Ok(section)
}

/// The number of bits of S and C on which bit 0 of Σ(S + C) depends: for each bit, an assignment of the others for which it
/// changes the result.
fn dependence(width: u32, rotations: [u32; 3]) -> u32 {
    let mask = u64::MAX >> (64 - width);
    let result = |s: u64, c: u64| {
        let sum = s.wrapping_add(c) & mask;
        rotations.iter().fold(0, |bit, n| bit ^ (sum >> n & 1))
    };
    let mut bits = 0;
    for bit in 0..width {
        // Carries pass from `bit` to `end`.
        let changes = |swap: bool| {
            (bit..width).any(|end| {
                let ones = (1u64 << end) - (1 << bit);
                let at = |x: u64| if swap { result(x, ones) } else { result(ones, x) };
                at(0) != at(1 << bit)
            })
        };
        bits += u32::from(changes(false)) + u32::from(changes(true));
    }
    bits
}

fn carries() -> Section {
    let mut section = Section::new("A lower bound for Σ of a carry-save pair");
    section.text(
        "Can a and e of SHA-256 and SHA-512 be stored as S + C, too? Their next words need Σ0(a) and Σ1(e). Σ is linear over ⊕, but S + C \
         is S ⊕ C ⊕ carries, so Σ(S + C) needs the carries. Could it at least be two words U + V (or any number of words) without them?",
    );
    let all: [(&str, u32, [u32; 3]); 4] = [
        ("Σ0, SHA-256", 32, Sha256::BIG_SIGMA0),
        ("Σ1, SHA-256", 32, Sha256::BIG_SIGMA1),
        ("Σ0, SHA-512", 64, Sha512::BIG_SIGMA0),
        ("Σ1, SHA-512", 64, Sha512::BIG_SIGMA1),
    ];
    let rows = all.iter().map(|&(name, width, rotations)| {
        let bits = dependence(width, rotations);
        let levels = u32::BITS - (bits - 1).leading_zeros();
        let whole = (2 * width).ilog2();
        vec![name.to_owned(), bits.to_string(), levels.to_string(), whole.to_string()]
    });
    section.table(
        "The number of bits of S and C on which bit 0 of Σ(S + C) depends, found by changing each bit; the minimum number of levels of \
         gates with two inputs; and that of the highest bit of an addition.",
        &["function", "bits", "levels", "levels of an addition"],
        rows.collect(),
    );
    section.text(
        "Theorem: if k words with U + V + … = Σ(S + C) are computed from S and C, one of them takes at least ⌈log2(n/k)⌉ levels, with n from the \
         column of bits. With two words this is one level less than for an addition; for many words it says little. Proof: bit 0 of a sum is the ⊕ of the bits 0 of its words, and equals bit 0 of Σ(S + C), which is the ⊕ of three bits of S + C. It depends on \
         all bits of S and C from 0 to the largest distance of a rotation, as computed above. So the bits 0 of k words together depend on \
         all of them, and one of them on at least a k-th part. The same holds for U ⊕ V ⊕ …. In SHA-1, ROTL^5 alone moves bits of S + C without combining them, so that all bits above the five lowest ones depend on a \
         few bits of S and C, and the five late bits can be inserted where the pair has zeros.",
    );
    let [wide, short] = [Algorithm::SHA512, Algorithm::SHA256]
        .map(|algorithm| built(algorithm, Registers::Free).expect("a core"));
    let mut rows = Vec::new();
    for technology in Technology::all() {
        for (name, core, width) in [("SHA-256", &short, 1.0), ("SHA-512", &wide, technology.wide)] {
            let own = Technology { add: technology.add * width, ..technology.clone() };
            let (ratio, path, registers) = critical(core, &own);
            rows.push(vec![
                technology.title.clone(),
                name.to_owned(),
                two(ratio),
                format!("({path}) / {registers}"),
            ]);
        }
    }
    section.table(
        "The iteration bound of SHA-2 per round, from the netlist of the generated core, whose sums use carry-save rows: Ch or Σ1, whichever is \
         slower, a row and an addition from e to e. Here carry-save form shortens the sums only.",
        &["delays", "family", "bound", "critical loop"],
        rows,
    );
    section
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planted_minimums_change_the_bound() {
        let models = lanesum_model::Models::built_in().unwrap();
        let zen5 = models.machine("zen5").unwrap();
        let mut sha256 = counted(Family::Sha256);
        assert_eq!(sha256.total(), 64 * 22 + 48 * 13 + 6);
        let (bound, limit) = sha256.bound(zen5).unwrap();
        assert_eq!((limit, bound.cycles()), ("alu", 2038.0 / 6.0));
        let admitted = |cycles| admits(&bound, limit, cycles, Family::Sha256, "it".to_owned());
        assert!(admitted(486.0).is_ok() && admitted(330.0).is_err());
        // The shipped kernel takes 486 cycles; a count of 46 per round would be above.
        sha256.groups[3].2 += 24;
        assert!(sha256.bound(zen5).unwrap().0.cycles() > 486.0);
        assert_eq!(counted(Family::Sha1).bound(zen5).unwrap().1, "chain");
        assert_eq!(counted(Family::Sha512).total(), 80 * 23 + 64 * 13 + 6);
        // Without a source, there is no bound.
        assert!(counted(Family::Sha1).bound(models.machine("pentium-m").unwrap()).is_none());
    }

    #[test]
    fn bits_on_which_a_sigma_depends_are_those_of_brute_force() {
        // Words of four bits, as words of 32 bits whose other bits are zero.
        for rotations in [[0, 1, 3], [1, 1, 2], [2, 2, 2], [0, 2, 3]] {
            let result =
                |s: u32, c: u32| rotations.iter().fold(0, |bit, n| bit ^ (((s + c) & 15) >> n & 1));
            let flips = |bit: u32| {
                let [s, c] = if bit < 4 { [1 << bit, 0] } else { [0, 1 << (bit - 4)] };
                (0..256u32).any(|x| {
                    let (x, y) = (x & 15, x >> 4);
                    result(x, y) != result(x ^ s, y ^ c)
                })
            };
            let expected = (0..8).filter(|&bit| flips(bit)).count() as u32;
            assert_eq!(dependence(4, rotations), expected, "{rotations:?}");
        }
        assert_eq!(dependence(32, [2, 13, 22]), 46);
    }

    #[test]
    fn the_carry_save_form_has_one_addition_per_round() {
        let kept = built(Algorithm::SHA1, Registers::Free).unwrap();
        assert!(kept.placement.kept);
        let own = &kept.options.technology;
        let only = Technology { add: 1.0, row: 0.0, function: 0.0, sigma: 0.0, ..own.clone() };
        assert!((critical(&kept, &only).0 - 1.0).abs() < 1e-9);
        let slow = Technology { function: 4.0, ..only.clone() };
        // (A + F + 0.6 A) / 2: the planted slow function is on the other loop.
        assert!((critical(&kept, &slow).0 - 2.8).abs() < 1e-9);
        let retimed = built(Algorithm::SHA1, Registers::Retimed).unwrap();
        assert!(!retimed.placement.kept);
        assert!(critical(&retimed, own).0 > critical(&kept, own).0);
    }
}
