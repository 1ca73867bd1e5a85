//! How far the kernels are from optimal: lower bounds for every program of a model, and orders that attain them.

use lanesum_kernels::emit::{Isa, Target, WordSource, emit};
use lanesum_kernels::search::steady::{cyclic, loop_over_blocks};
use lanesum_model::analyse::shortest::{Amortized, Set, WordFunction, amortized};
use lanesum_model::analyse::{BoundError, Cyclic, EXACT, Kernels, Refuted};
use lanesum_model::{Bound, Cycles, Machine, Orders};
use lanesum_spec::Family;

use crate::carry_save::{carries, iteration};
use crate::counts::{SHA, name};
use crate::orders::shipped_on;
use crate::waterfall::cycles_per_block;
use crate::{Section, Sources, brief, two};

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
}
