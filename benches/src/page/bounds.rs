//! Lower bounds in cycles per byte, with their derivations.

use lanesum_measure::{Core, Table};

/// A bound and its derivation.
pub(super) type Bound = (f64, String);

/// The instructions per block, divided by the number that a core can start per cycle.
#[derive(Clone, Copy)]
pub(super) struct Issue {
    instructions: f64,
    width: f64,
    pub(super) cycles_per_byte: f64,
}

impl Issue {
    /// The bound of a kernel from the records of instructions, preferably this machine's: the same code
    /// has the same instructions on every machine.
    pub(super) fn of(
        core: Option<&Core>,
        counted: &[Table],
        [machine, algorithm, kernel]: [&str; 3],
        bytes: u64,
    ) -> Option<Self> {
        let wanted = [("algorithm", algorithm), ("kernel", kernel)];
        let here = counted.iter().filter(|table| table.machine == machine);
        let mut tables = here.chain(counted.iter().filter(|table| table.machine != machine));
        let instructions =
            tables.find_map(|table| table.figure(&wanted, "instructions_per_block"))?;
        let width = core?.width?;
        Some(Self { instructions, width, cycles_per_byte: instructions / width / bytes as f64 })
    }

    /// The number of instructions, and the width.
    pub(super) fn shown(&self) -> String {
        format!("{:.0}, {} per cycle", self.instructions, self.width)
    }
}

/// The chain from round to round in general registers, of operations of one cycle each.
const CHAINS: [(&str, f64, &str); 3] = [
    ("sha1", 80.0 * 2.0 / 64.0, "80 rounds, a rotation and an addition in the chain"),
    ("sha256", 64.0 * 4.0 / 64.0, "64 rounds, a rotation, two exclusive ors and an addition"),
    ("sha512", 80.0 * 4.0 / 128.0, "80 rounds, a rotation, two exclusive ors and an addition"),
];

/// The measured length of a cycle, and so a figure, is accurate to 1 %.
pub(super) const EXACT: f64 = 0.99;

/// The bounds of a machine. Those of the SHA instructions follow from their latencies, if these
/// were measured.
#[derive(Default)]
pub(super) struct Bounds {
    sha1: Option<Bound>,
    sha256: Option<Bound>,
}

impl Bounds {
    /// The bounds of `machine`, from the records of latencies.
    pub(super) fn of(machine: &str, latencies: &[Table]) -> Self {
        let Some(table) = latencies.iter().find(|table| table.machine == machine) else {
            return Self::default();
        };
        // A latency is a whole number of cycles; the rest is the loop's overhead.
        let of = |instruction: &str, operand: &str| {
            let wanted = [("instruction", instruction), ("operand", operand)];
            table.figure(&wanted, "cycles_median").map(f64::round)
        };
        let sha1 = || {
            let [state, late] = [of("sha1rnds4", "abcd")?, of("sha1rnds4", "e+w")?];
            let two = of("sha1nexte", "abcd")? + late;
            let chain = format!("20 `sha1rnds4` of {state} cycles");
            let way = "`sha1nexte` derives the e of a `sha1rnds4` from the one before the last";
            Some(if state >= two / 2.0 {
                (20.0 * state / 64.0, chain)
            } else {
                (20.0 * two / 2.0 / 64.0, format!("{way}, {two} cycles for two of 20"))
            })
        };
        let sha256 = || {
            let [abef, cdgh] = [of("sha256rnds2", "abef")?, of("sha256rnds2", "cdgh")?];
            // The next instruction reads the result as ABEF, and the second next as CDGH.
            let cycles = abef.max(cdgh / 2.0);
            Some((32.0 * cycles / 64.0, format!("32 `sha256rnds2` of {cycles} cycles")))
        };
        Self { sha1: sha1(), sha256: sha256() }
    }

    /// The bound of an algorithm on a tier, or `None` if it is unknown.
    pub(super) fn bound(&self, algorithm: &str, tier: &str) -> Option<Bound> {
        match (tier, algorithm) {
            ("sha_ni", "sha1") => self.sha1.clone(),
            ("sha_ni", "sha256") => self.sha256.clone(),
            _ => chain(algorithm),
        }
    }
}

/// The bound of an algorithm in general registers.
pub(super) fn chain(algorithm: &str) -> Option<Bound> {
    CHAINS.iter().find(|chain| chain.0 == algorithm).map(|chain| (chain.1, chain.2.to_owned()))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn bounds(nexte: f64, late: f64) -> Bounds {
        let text = format!(
            "instruction,operand,cycles_median\nsha1rnds4,abcd,5.04\nsha1rnds4,e+w,{late}\n\
             sha1nexte,abcd,{nexte}\nsha256rnds2,abef,4.02\nsha256rnds2,cdgh,4.01\n"
        );
        let table = Table::parse(Path::new("here/2026-11-22-latencies.csv"), &text);
        Bounds::of("here", &[table])
    }

    #[test]
    fn the_bound_of_sha_instructions_is_of_the_longest_way_from_round_to_round() {
        let value = |bounds: &Bounds, name| bounds.bound(name, "sha_ni").unwrap().0;
        let short = bounds(1.0, 6.0);
        assert_eq!((value(&short, "sha1"), value(&short, "sha256")), (20.0 * 5.0 / 64.0, 2.0));
        // By way of e: two of them in eleven cycles.
        assert_eq!(value(&bounds(2.0, 9.02), "sha1"), 20.0 * 5.5 / 64.0);
    }

    #[test]
    fn a_core_begins_no_more_instructions_than_it_can() {
        let table = |machine: &str, count: &str| {
            let text =
                format!("algorithm,kernel,instructions_per_block\nsha256,bmi2_asm_x1,{count}\n");
            Table::parse(Path::new(&format!("{machine}/2026-11-22-instructions.csv")), &text)
        };
        let core = |width| Core {
            name: String::new(),
            title: String::new(),
            recognised_by: Vec::new(),
            width,
            ghz: None,
        };
        let counted = [table("there", "9999"), table("here", "2686")];
        let of =
            |core: &Core, kernel| Issue::of(Some(core), &counted, ["here", "sha256", kernel], 64);
        let six = of(&core(Some(6.0)), "bmi2_asm_x1").unwrap();
        assert_eq!(six.shown(), "2686, 6 per cycle");
        assert!((six.cycles_per_byte - 6.99).abs() < 0.01, "{}", six.cycles_per_byte);
        assert!(of(&core(None), "bmi2_asm_x1").is_none());
        assert!(of(&core(Some(6.0)), "avx2_x1").is_none());
    }

    #[test]
    fn nobody_knows_the_bound_where_no_latency_was_measured() {
        let bounds = Bounds::of("elsewhere", &[]);
        assert!(bounds.bound("sha1", "sha_ni").is_none());
        assert_eq!(bounds.bound("sha1", "avx2").map(|bound| bound.0), Some(2.5));
    }
}
