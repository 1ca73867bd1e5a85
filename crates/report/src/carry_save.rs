//! The iteration bound of SHA-1 in carry-save form, and why SHA-2 does not admit this form.

use lanesum_graph::record::record;
use lanesum_model::DelayModel;
use lanesum_model::analyse::{BoundError, Delays, Edge, Time, max_ratio};
use lanesum_rtl::{Arrival, Core, Options, Registers, RtlError, Technology, core};
use lanesum_spec::sha2::{Sha256, Sha512, Variant};
use lanesum_spec::{Algorithm, Family};

use crate::{Section, round_bound, two};

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

/// SHA-1 below A + F/2.
pub(crate) fn iteration() -> Result<Section, BoundError> {
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

/// SHA-2 in carry-save form.
pub(crate) fn carries() -> Section {
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
