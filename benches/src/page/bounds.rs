//! Lower bounds in cycles per byte, with their derivations.

use lanesum_measure::Table;
use lanesum_model::analyse::{KernelBound, Kernels};
use lanesum_model::{Bound, Cycles, Machine, Stated, ConstantValue};
use lanesum_spec::Family;

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
    /// The cycles per byte.
    pub(super) fn value(&self) -> f64 {
        self.bound.cycles() / self.bytes
    }
}

/// The instructions per block, divided by the number that a core can start per cycle.
#[derive(Clone)]
pub(super) struct Issue {
    instructions: f64,
    width: f64,
    pub(super) cycles_per_byte: f64,
}

impl Issue {
    /// The bound of a kernel from the records of instructions, preferably this machine's: the same code
    /// has the same instructions on every machine. `width` is the machine's, if it has a source.
    pub(super) fn of(
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
        let width = width?;
        let cycles_per_byte = Bound::of_work(instructions, width).cycles() / bytes as f64;
        Some(Self { instructions, width: width.value(), cycles_per_byte })
    }

    /// The number of instructions, and the width.
    pub(super) fn shown(&self) -> String {
        format!("{:.0}, {} per cycle", self.instructions, self.width)
    }
}

/// The chain from round to round in general registers: the operations of a block, and its bytes.
const CHAINS: [(&str, f64, f64, &str); 3] = [
    ("sha1", 80.0 * 2.0, 64.0, "80 rounds, a rotation and an addition in the chain"),
    ("sha256", 64.0 * 4.0, 64.0, "64 rounds, a rotation, two exclusive ors and an addition"),
    ("sha512", 80.0 * 4.0, 128.0, "80 rounds, a rotation, two exclusive ors and an addition"),
];

/// The bounds of a machine. The latencies of the SHA instructions bound their kernels, if the
/// machine's model has a source for these latencies.
#[derive(Default)]
pub(super) struct Bounds {
    sha1: Option<PerByte>,
    sha256: Option<PerByte>,
}

impl Bounds {
    /// The bounds of `machine`.
    pub(super) fn of(machine: Option<&Machine>) -> Self {
        let Some(machine) = machine else { return Self::default() };
        let mut kernels = Kernels::new(models());
        let mut of = |family| {
            let [one, ..] = &kernels.sha_bounds(machine, family)[..] else { return None };
            derived(one)
        };
        Self { sha1: of(Family::Sha1), sha256: of(Family::Sha256) }
    }

    /// The bound of an algorithm by the SHA instructions, if it is known.
    pub(super) fn sha(&self, algorithm: &str) -> Option<&PerByte> {
        match algorithm {
            "sha1" => self.sha1.as_ref(),
            "sha256" => self.sha256.as_ref(),
            _ => None,
        }
    }

    /// The bound of an algorithm on a tier, or `None` if it is unknown.
    pub(super) fn bound(&self, algorithm: &str, tier: &str) -> Option<PerByte> {
        match (tier, algorithm) {
            ("sha_ni", "sha1" | "sha256") => self.sha(algorithm).cloned(),
            _ => chain(algorithm),
        }
    }
}

/// The bound of a kernel with SHA instructions, if the latencies of its chain have a source.
fn derived(kernel: &KernelBound) -> Option<PerByte> {
    let (bound, chain) = (&kernel.chain, &kernel.chain_of);
    let sources: Vec<String> = bound.sources().map(|source| format!("`{source}`")).collect();
    let why = format!("{chain} cycles in the chain, from {}", sources.join(" and "));
    (bound.cycles() > 0.0).then(|| PerByte { bound: bound.clone(), bytes: kernel.bytes, why })
}

/// The bound of an algorithm in general registers, with operations of one cycle.
pub(super) fn chain(algorithm: &str) -> Option<PerByte> {
    let abstract_machine = models().machine("risc").ok()?;
    let latency = abstract_machine.units.ops["add"].latency.as_ref()?.stated()?;
    let chain = CHAINS.iter().find(|chain| chain.0 == algorithm);
    chain.map(|&(_, operations, bytes, why)| {
        let bound = Bound::of_chain(operations, latency);
        PerByte { bound, bytes, why: why.to_owned() }
    })
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
        Bounds::of(Some(&machine))
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
        let bound = Bounds::of(Some(machine)).bound("sha1", "sha_ni").unwrap();
        assert_eq!(bound.value(), 20.0 * 4.0 / 64.0);
        assert_eq!(
            bound.why,
            "20 sha1rnds4 x 4 cycles in the chain, from `benches/record/intel-xeon-x2/2026-11-23-latencies.csv`"
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
        let of = |width, kernel| Issue::of(width, &counted, ["here", "sha256", kernel], 64);
        let issue = of(Some(&six), "bmi2_asm_x1").unwrap();
        assert_eq!(issue.shown(), "2686, 6 per cycle");
        assert!((issue.cycles_per_byte - 6.99).abs() < 0.01, "{}", issue.cycles_per_byte);
        assert!(of(None, "bmi2_asm_x1").is_none());
        assert!(of(Some(&six), "avx2_x1").is_none());
    }

    #[test]
    fn there_is_no_bound_where_no_latency_has_a_source() {
        let mut machine = models().machine("zen5").unwrap().clone();
        for op in machine.units.ops.values_mut() {
            (op.latency, op.from) = (Some(Constant::Assumed(6.0)), Vec::new());
        }
        for bounds in [Bounds::of(None), Bounds::of(Some(&machine))] {
            assert!(bounds.bound("sha1", "sha_ni").is_none());
            assert_eq!(bounds.bound("sha1", "avx2").map(|bound| bound.value()), Some(2.5));
        }
    }
}
