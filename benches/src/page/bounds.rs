//! Lower bounds in cycles per byte, with their derivations.

use std::cell::RefCell;

use anyhow::{Result, ensure};
use lanesum_measure::Table;
use lanesum_model::analyse::{EXACT, Kernels};
use lanesum_model::{Bound, ConstantValue, Cycles, Machine, Stated};
use lanesum_spec::Algorithm;

use super::ALGORITHMS;
use crate::cores::models;

/// A bound of a kernel, and its derivation.
#[derive(Clone)]
pub(super) struct PerByte {
    bound: Bound,
    bytes: f64,
    /// The derivation.
    pub(super) why: String,
}

impl PerByte {
    /// A bound by a chain of instructions, if their latencies have a source.
    fn of_chain(bound: Bound, bytes: f64, chain: &str) -> Option<Self> {
        let sources: Vec<String> = bound.sources().map(ToString::to_string).collect();
        let why = format!("{chain}, from {}", sources.join(" and "));
        (bound.cycles() > 0.0).then_some(Self { bound, bytes, why })
    }

    /// The bound of a kernel by the instructions that a core starts per cycle, from the records of instructions,
    /// preferably this machine's: code has an equal number of instructions on every machine. `width` is the
    /// machine's, if it has a source.
    pub(super) fn of_issue(
        width: Option<&Stated>,
        counted: &[Table],
        [machine, algorithm, kernel]: [&str; 3],
        bytes: u64,
    ) -> Option<Self> {
        let wanted = [("algorithm", algorithm), ("kernel", kernel)];
        let here = counted.iter().filter(|table| table.machine == machine);
        let mut tables = here.chain(counted.iter().filter(|table| table.machine != machine));
        let instructions =
            tables.find_map(|table| table.figure(&wanted, "instructions_per_block"))?;
        let (width, bytes) = (width?, bytes as f64);
        let why = format!("{instructions:.0} instructions, {} per cycle", width.value());
        Some(Self { bound: Bound::of_work(instructions, width), bytes, why })
    }

    /// The cycles per byte.
    pub(super) fn value(&self) -> f64 {
        self.bound.cycles() / self.bytes
    }

    /// Compares a measured figure of `what` with the bound. If it is below, one of the two is wrong.
    pub(super) fn admits(&self, cycles_per_byte: f64, what: &str) -> Result<()> {
        let (bound, why) = (self.value(), &self.why);
        let admitted = cycles_per_byte >= EXACT * bound;
        ensure!(admitted, "{what} is {cycles_per_byte}, below its bound {bound} ({why})");
        Ok(())
    }
}

thread_local! {
    /// The forms of blocks, which machines with the same latencies share.
    static KERNELS: RefCell<Kernels<'static>> = RefCell::new(Kernels::new(models()));
}

/// The chains of a machine, by algorithm, and whether they are of the SHA instructions.
#[derive(Default)]
pub(super) struct Bounds(Vec<(&'static str, bool, PerByte)>);

impl Bounds {
    /// The bounds of `machine`, from its latencies that have a source.
    pub(super) fn of(machine: Option<&Machine>) -> Result<Self> {
        let Some(machine) = machine else { return Ok(Self::default()) };
        KERNELS.with_borrow_mut(|kernels| Self::with(kernels, machine))
    }

    fn with(kernels: &mut Kernels<'_>, machine: &Machine) -> Result<Self> {
        let mut found = Vec::new();
        for (algorithm, _, bytes) in ALGORITHMS {
            let family = Algorithm::from_name(algorithm).expect("a name of an algorithm").family();
            let bound = kernels.chain_bound(machine, family)?;
            let chain = format!("{} cycles from block to block", bound.cycles());
            let scalar = PerByte::of_chain(bound, bytes as f64, &chain);
            let sha = kernels.sha_bounds(machine, family).into_iter().next().and_then(|one| {
                let chain = format!("{} cycles in the chain", one.chain_of);
                PerByte::of_chain(one.chain, one.bytes, &chain)
            });
            found.extend(scalar.map(|bound| (algorithm, false, bound)));
            found.extend(sha.map(|bound| (algorithm, true, bound)));
        }
        Ok(Self(found))
    }

    /// The bound of an algorithm on a tier, or `None` if it is unknown.
    pub(super) fn bound(&self, algorithm: &str, tier: &str) -> Option<&PerByte> {
        let is_sha = tier == "sha_ni" && algorithm != "sha512";
        self.0.iter().find(|(of, sha, _)| *of == algorithm && *sha == is_sha).map(|found| &found.2)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use lanesum_model::{Constant, ConstantSource};

    use super::*;

    fn stated(value: f64) -> Constant {
        Constant::Stated(Stated::new(value, ConstantSource::Definition("a test".to_owned())))
    }

    /// The bounds of Zen 5 with other latencies.
    fn bounds(latencies: &[(&str, &[f64])]) -> Bounds {
        let mut machine = models().machine("zen5").unwrap().clone();
        for &(op, from) in latencies {
            let op = machine.units.ops.get_mut(op).unwrap();
            op.from = from.iter().copied().map(stated).collect();
        }
        Bounds::of(Some(&machine)).unwrap()
    }

    #[test]
    fn the_bound_of_sha_instructions_is_of_the_longest_way_from_round_to_round() {
        let value = |bounds: &Bounds, name| bounds.bound(name, "sha_ni").unwrap().value();
        let short = bounds(&[("sha1rnds4", &[5.0, 6.0]), ("sha1nexte", &[1.0, 1.0])]);
        assert_eq!((value(&short, "sha1"), value(&short, "sha256")), (20.0 * 5.0 / 64.0, 2.0));
        // By way of e: two of them in eleven cycles.
        let long = bounds(&[("sha1rnds4", &[5.0, 9.0]), ("sha1nexte", &[2.0, 2.0])]);
        assert!(value(&long, "sha1") > 20.0 * 5.4 / 64.0, "{}", value(&long, "sha1"));
    }

    #[test]
    fn every_page_has_the_same_bound_of_golden_cove_from_its_measured_latencies() {
        let machine = models().machine("goldencove").unwrap();
        let bounds = Bounds::of(Some(machine)).unwrap();
        let bound = bounds.bound("sha1", "sha_ni").unwrap();
        assert_eq!(bound.value(), 20.0 * 4.0 / 64.0);
        assert_eq!(
            bound.why,
            "20 sha1rnds4 x 4 cycles in the chain, from benches/record/intel-xeon-x2/2026-11-23-latencies.csv"
        );
    }

    #[test]
    fn a_core_begins_no_more_instructions_than_it_can() {
        let table = |machine: &str, count: &str| {
            let text =
                format!("algorithm,kernel,instructions_per_block\nsha256,bmi2_asm_x1,{count}\n");
            Table::parse(Path::new(&format!("{machine}/2026-11-22-instructions.csv")), &text)
        };
        let counted = [table("there", "9999"), table("here", "2686")];
        let six = Stated::new(6.0, ConstantSource::Definition("a test".to_owned()));
        let of = |width, kernel| PerByte::of_issue(width, &counted, ["here", "sha256", kernel], 64);
        let issue = of(Some(&six), "bmi2_asm_x1").unwrap();
        assert_eq!(issue.why, "2686 instructions, 6 per cycle");
        assert!((issue.value() - 6.99).abs() < 0.01, "{}", issue.value());
        assert!(of(None, "bmi2_asm_x1").is_none());
        assert!(of(Some(&six), "avx2_x1").is_none());
    }

    #[test]
    fn there_is_no_bound_where_no_latency_has_a_source() {
        let mut machine = models().machine("zen5").unwrap().clone();
        for op in machine.units.ops.values_mut() {
            (op.latency, op.from) = (Some(Constant::Assumed(6.0)), Vec::new());
        }
        for bounds in [Bounds::of(None).unwrap(), Bounds::of(Some(&machine)).unwrap()] {
            assert!(["sha_ni", "avx2"].iter().all(|tier| bounds.bound("sha1", tier).is_none()));
        }
    }

    #[test]
    fn the_chain_in_general_registers_is_of_the_latencies_of_the_machine() {
        let mut machine = models().machine("goldencove").unwrap().clone();
        let value = |machine: &Machine, algorithm| {
            Bounds::of(Some(machine)).unwrap().bound(algorithm, "avx2").unwrap().value()
        };
        // Rounds of two operations, or four. In SHA-1 the addition of the chaining value is in the chain, too.
        assert_eq!(value(&machine, "sha1"), (80.0 * 2.0 + 1.0) / 64.0);
        assert_eq!(value(&machine, "sha256"), 64.0 * 4.0 / 64.0);
        assert_eq!(value(&machine, "sha512"), 80.0 * 4.0 / 128.0);
        machine.units.ops.get_mut("rotate").unwrap().latency = Some(stated(2.0));
        assert_eq!(value(&machine, "sha256"), 64.0 * 5.0 / 64.0);
    }
}
