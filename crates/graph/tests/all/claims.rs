//! That claims can fall: a changed specification, model or figure moves the verdict of what rests
//! on it, and of nothing else.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use lanesum_graph::analyse::Kernels;
use lanesum_graph::model::{Figure, Machine, Models};
use lanesum_graph::report::Verdict::{self, Assuming, False, Holds};
use lanesum_graph::report::{Claim, Subject, claims};
use lanesum_graph::{Graph, Id, Op, Specification};

fn all(models: &Models, specification: Specification, subject: Subject) -> Vec<Claim> {
    claims(&mut Kernels::of(models, specification), subject).unwrap()
}

/// What is said of a subject as everything is: many tests put theirs beside it.
fn unchanged(subject: Subject) -> &'static [Claim] {
    static KEPT: [OnceLock<Vec<Claim>>; Subject::ALL.len()] =
        [const { OnceLock::new() }; Subject::ALL.len()];
    let make = || all(&Models::built_in().unwrap(), Specification::default(), subject);
    KEPT[subject as usize].get_or_init(make)
}

/// What a change does to the verdicts of a subject.
fn changed(
    subject: Subject,
    specification: Specification,
    change: impl FnOnce(&mut Models),
) -> BTreeMap<&'static str, Verdict> {
    let mut models = Models::built_in().unwrap();
    change(&mut models);
    let after = all(&models, specification, subject);
    let pairs = unchanged(subject).iter().zip(after);
    let moved = pairs.filter(|(old, new)| old.verdict != new.verdict);
    moved.map(|(_, new)| (new.name, new.verdict)).collect()
}

/// The same, of the specification as it is.
fn by(subject: Subject, change: impl FnOnce(&mut Models)) -> Vec<(&'static str, Verdict)> {
    changed(subject, Specification::default(), change).into_iter().collect()
}

/// The same, of a published number.
fn given(subject: Subject, name: &str, numbers: &[f64]) -> Vec<(&'static str, Verdict)> {
    by(subject, |models| {
        let published = models.published.iter_mut().find(|p| p.name == name).unwrap();
        assert_eq!(published.values.len(), numbers.len(), "{name}");
        published.values = numbers.to_vec();
    })
}

fn machine<'m>(models: &'m mut Models, name: &str) -> &'m mut Machine {
    models.machines.iter_mut().find(|machine| machine.name == name).unwrap()
}

fn figure<'m>(models: &'m mut Models, called: &str, algorithm: &str) -> &'m mut Figure {
    let mut figures = models.figures.iter_mut();
    figures.find(|f| f.called == called && f.algorithm == algorithm).unwrap()
}

#[test]
fn another_form_of_maj_moves_what_counts_it() {
    // As FIPS 180-4 writes it: five operations, and not four.
    fn maj(graph: &mut Graph, op: Op) -> Id {
        let Op::Maj(x, y, z) = op else { return graph.node(op) };
        let [xy, xz, yz] = [(x, y), (x, z), (y, z)].map(|(x, y)| graph.node(Op::And(x, y)));
        let two = graph.node(Op::Xor(xy, xz));
        graph.node(Op::Xor(two, yz))
    }
    let moved = changed(Subject::Instructions, Specification::changed(maj), |_| ());
    assert_eq!(moved, BTreeMap::from([("shill-counts", False)]));
}

#[test]
fn another_rotation_moves_what_is_proven_of_the_schedule() {
    // ROTL^3 in place of ROTL^1, which SHA-1 has in its schedule alone.
    fn rotation(graph: &mut Graph, op: Op) -> Id {
        match op {
            Op::Rotr(x, 31) => graph.node(Op::Rotr(x, 29)),
            op => graph.node(op),
        }
    }
    let specification = Specification::changed(rotation);
    let moved = changed(Subject::Schedule, specification, |_| ());
    assert_eq!(moved, BTreeMap::from([("four-at-a-time", False), ("six-apart", False)]));
    let models = Models::built_in().unwrap();
    let found = all(&models, specification, Subject::Schedule);
    let reason = |name| &found.iter().find(|claim| claim.name == name).unwrap().reason;
    assert!(reason("four-at-a-time").contains("of 0 of 16 vectors"), "{found:?}");
    assert!(reason("six-apart").contains("ROTL^6("), "{found:?}");
}

#[test]
fn a_round_without_a_rotation_moves_what_counts_it() {
    // T = a + ... in place of T = ROTL^5(a) + ...; the path goes through other operations.
    fn rotation(graph: &mut Graph, op: Op) -> Id {
        match op {
            Op::Rotr(x, 27) => x,
            op => graph.node(op),
        }
    }
    let moved = changed(Subject::Path, Specification::changed(rotation), |_| ());
    assert_eq!(moved, BTreeMap::from([("alus", False), ("registers", False), ("rotates", False)]));
}

#[test]
fn another_length_of_an_addition_moves_the_optimum() {
    let moved = by(Subject::Unfolding, |models| {
        models.delays.iter_mut().find(|delays| delays.name == "paper").unwrap().add = 0.22;
    });
    // Where F is longer than 3A another order of the sums has a shorter loop.
    assert_eq!(moved, [("lee-bound", False), ("lee-optimum", False)]);
    let moved = by(Subject::Path, |models| {
        machine(models, "risc").ops.get_mut("add").unwrap().latency = 2.0;
    });
    assert_eq!(moved.iter().find(|(name, _)| *name == "path"), Some(&("path", False)));
}

#[test]
fn other_ports_move_what_they_bind() {
    let moved = by(Subject::Efficeon, |models| {
        *machine(models, "efficeon").pools.get_mut("vector").unwrap() = 1.0;
    });
    assert_eq!(moved, [("efficeon-alus", False), ("efficeon-pipelines", False)]);
    let moved = by(Subject::Efficeon, |models| {
        *machine(models, "efficeon").pools.get_mut("issue").unwrap() = 3.0;
    });
    assert_eq!(moved, [("efficeon-pipelines", False)]);
    let moved = by(Subject::Instructions, |models| {
        *machine(models, "k8").pools.get_mut("issue").unwrap() = 2.0;
    });
    assert_eq!(moved, [("young-sha1", False), ("young-sha256", False), ("young-sha512", False)]);
    let moved = by(Subject::Path, |models| {
        *machine(models, "p4").ops.get_mut("rotate").unwrap().pools.get_mut("shift").unwrap() = 1.0;
    });
    assert_eq!(moved, [("rotates", False)]);
    let moved = by(Subject::Speed, |models| machine(models, "k8").scalar_bits = 32);
    assert_eq!(moved, [("young-faster", False)]);
}

#[test]
fn another_published_figure_moves_its_claim() {
    use Subject::{Efficeon, Instructions, Path, Schedule, Speed, Unfolding, Zeros};
    for (subject, name, numbers, claim, verdict) in [
        (Path, "gaudet-path", &[161.0, 2.5][..], "path", False),
        (Path, "gaudet-path", &[160.0, 2.6], "path", False),
        (Path, "gaudet-registers", &[24.0], "registers", False),
        (Path, "gaudet-registers", &[31.0], "registers", False),
        (Path, "gaudet-rotates", &[240.0], "rotates", False),
        (Path, "gaudet-rotate-cycles", &[4.0, 600.0], "rotates", False),
        (Path, "gaudet-rotate-share", &[10.0, 20.0], "rotates", False),
        (Efficeon, "gaudet-efficeon", &[300.0, 250.0, 100.0], "efficeon-alus", False),
        (Efficeon, "gaudet-efficeon", &[340.0, 250.0, 70.0], "efficeon-memory", Holds),
        (Efficeon, "gaudet-efficeon", &[340.0, 250.0, 60.0], "efficeon-memory", False),
        (Efficeon, "gaudet-pipelines", &[3.2], "efficeon-pipelines", False),
        (Efficeon, "gaudet-pipelines", &[4.0], "efficeon-pipelines", False),
        (Zeros, "gaudet-zeros", &[32.2, 17.7, 15.6, 28.7], "zeros", False),
        (Zeros, "gaudet-zeros-sse2", &[13.0, 14.6, 11.5, 11.9], "zeros", False),
        (Zeros, "gaudet-zeros-faster", &[1.9, 1.2, 1.5, 1.6], "zeros", False),
        (Instructions, "shill-functions", &[6.0, 4.0, 6.0], "shill-counts", False),
        (Instructions, "shill-schedule", &[817.0], "shill-counts", False),
        (Instructions, "shill-rounds", &[1920.0], "shill-counts", False),
        (Instructions, "shill-total", &[2500.0], "shill-counts", False),
        (Speed, "rubin-ratio", &[2.0], "rubin", Holds),
        (Schedule, "locktyukhin-distances", &[6.0, 16.0, 28.0, 31.0], "six-apart", False),
        (Schedule, "locktyukhin-rotation", &[1.0], "six-apart", False),
        (Schedule, "locktyukhin-words", &[8.0], "six-apart", False),
        (Unfolding, "lee-bound", &[1.0, 1.0], "lee-bound", False),
        (Unfolding, "lee-two-rounds", &[4.0, 0.0], "lee-two-rounds", Holds),
        (Unfolding, "lee-figure-6", &[6.0, 1.0], "lee-figure-6", Holds),
        (Unfolding, "lee-optimum", &[10.0], "lee-optimum", False),
    ] {
        let moved = given(subject, name, numbers);
        assert!(moved.contains(&(claim, verdict)), "{name} {numbers:?}: {moved:?}");
    }
    let table = [0.0, 0.0, 22.0, 36.0, 36.0, 40.0, 49.0, 54.0, 76.0, 117.0];
    assert_eq!(given(Unfolding, "lee-table-1-functions", &table), [("lee-table-1", Holds)]);
}

#[test]
fn lower_claims_of_a_least_are_open_or_hold() {
    // Between what is bounded and what can be written nobody knows; below the bound it holds.
    for (total, ends, verdict) in [(2400.0, 2424.0, Assuming), (2300.0, 2324.0, Holds)] {
        let moved = by(Subject::Instructions, |models| {
            for (name, number) in [("shill-total", total), ("shill-with-ends", ends)] {
                let published = models.published.iter_mut().find(|p| p.name == name).unwrap();
                published.values = vec![number];
            }
        });
        assert!(moved.contains(&("shill-least", verdict)), "{moved:?}");
    }
}

#[test]
fn no_line_of_youngs_may_contradict_another() {
    type Change = fn(&mut Figure);
    let changes: [(&str, Change); 7] = [
        ("too few to be", |line| line.instructions = Some(2300)),
        ("too many for the cycles", |line| line.instructions = Some(3000)),
        ("not what makes the rate", |line| line.instructions = Some(2800)),
        ("another rate", |line| line.ipc = Some(2.8)),
        ("other cycles a byte", |line| line.cycles_per_byte = 14.0),
        ("another clock", |line| line.ghz = Some(1.4)),
        ("another throughput", |line| line.bytes_per_second = Some(70e6)),
    ];
    for (what, change) in changes {
        let moved = by(Subject::Instructions, |models| {
            change(figure(models, "Hammer 1.2 GHz, 64 bit", "sha256"));
        });
        assert_eq!(moved, [("young-sha256", False)], "{what}");
    }
    // SHA-256 in twice the cycles would be three times slower than SHA-1 by then.
    let moved = by(Subject::Speed, |models| {
        figure(models, "Hammer 1.2 GHz, 64 bit", "sha256").cycles = Some(1200);
    });
    assert_eq!(moved, [("rubin", Assuming)]);
}

#[test]
fn a_figure_without_its_text_is_refused() {
    use lanesum_graph::model::Texts;
    let mut texts = Texts::built_in();
    texts.figures = texts.figures.replacen("source = \"thread\"", "source = \"hearsay\"", 1);
    let error = Models::from_texts(&texts).unwrap_err().to_string();
    assert!(error.contains("no text `hearsay`; there are thread, gaudet"), "{error}");
    let error = Models::built_in().unwrap().number("gaudet-path").unwrap_err().to_string();
    assert_eq!(error, "published figure `gaudet-path` has 2 numbers, not 1");
}
