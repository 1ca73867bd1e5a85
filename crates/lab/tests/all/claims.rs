//! Claims can be refuted: a changed specification, model or figure changes the verdicts that depend
//! on it, and no other verdict on the same subject. For every claim there is a fault that changes
//! it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use lanesum_graph::{Graph, Id, Op, Specification};
use lanesum_model::analyse::Kernels;
use lanesum_model::{Constant, Figure, InstructionSet, Machine, Models};
use lanesum_report::Subject::{
    Efficeon, Instructions, Moving, Path, Schedule, Speed, Unfolding, Zeros,
};
use lanesum_report::Verdict::{self, Assuming, False, Holds};
use lanesum_report::{Claim, Subject, claims};

fn all(models: &Models, specification: Specification, subject: Subject) -> Vec<Claim> {
    claims(&mut Kernels::of(models, specification), subject).unwrap()
}

/// The claims on a subject without a fault; cached, since many faults are compared with them.
fn unchanged(subject: Subject) -> &'static [Claim] {
    static KEPT: [OnceLock<Vec<Claim>>; Subject::ALL.len()] =
        [const { OnceLock::new() }; Subject::ALL.len()];
    let make = || all(&Models::built_in().unwrap(), Specification::default(), subject);
    KEPT[subject as usize].get_or_init(make)
}

type Moved = &'static [(&'static str, Verdict)];

/// An injected fault, and all verdicts on its subject that it changes.
struct Fault {
    what: String,
    subject: Subject,
    specification: Specification,
    change: Box<dyn Fn(&mut Models)>,
    moved: Moved,
}

impl Fault {
    /// Changes an operation of the specification.
    fn of(subject: Subject, what: &str, node: fn(&mut Graph, Op) -> Id, moved: Moved) -> Self {
        let (what, change) = (what.to_owned(), Box::new(|_: &mut Models| ()));
        Self { what, subject, specification: Specification::changed(node), change, moved }
    }

    /// Changes a model or a figure.
    fn by(subject: Subject, what: &str, change: fn(&mut Models), moved: Moved) -> Self {
        let (what, change) = (what.to_owned(), Box::new(change));
        Self { what, subject, specification: Specification::default(), change, moved }
    }

    /// Changes published numbers.
    fn given(subject: Subject, numbers: Numbers, moved: Moved) -> Self {
        Self {
            what: format!("{numbers:?}"),
            subject,
            specification: Specification::default(),
            change: Box::new(move |models: &mut Models| publish(models, numbers)),
            moved,
        }
    }

    fn claims(&self) -> Vec<Claim> {
        let mut models = Models::built_in().unwrap();
        (self.change)(&mut models);
        all(&models, self.specification, self.subject)
    }
}

type Numbers = &'static [(&'static str, &'static [f64])];

fn publish(models: &mut Models, numbers: Numbers) {
    for (name, numbers) in numbers {
        let published = models.published.iter_mut().find(|p| p.name == *name).unwrap();
        assert_eq!(published.values.len(), numbers.len(), "{name}");
        published.values = numbers.to_vec();
    }
}

fn machine<'m>(models: &'m mut Models, name: &str) -> &'m mut Machine {
    models.machines.iter_mut().find(|machine| machine.name == name).unwrap()
}

fn set_pool(models: &mut Models, name: &str, pool: &str, units: f64) {
    *machine(models, name).units.pools.get_mut(pool).unwrap() = Constant::Assumed(units);
}

fn set<'m>(models: &'m mut Models, name: &str) -> &'m mut InstructionSet {
    models.instruction_sets.iter_mut().find(|set| set.name == name).unwrap()
}

fn figure<'m>(models: &'m mut Models, called: &str, algorithm: &str) -> &'m mut Figure {
    let mut figures = models.figures.iter_mut();
    figures.find(|f| f.called == called && f.algorithm == algorithm).unwrap()
}

/// Rotations on the Pentium 4 are as fast as other operations.
fn fast_rotations(models: &mut Models) {
    let rotate = machine(models, "p4").units.ops.get_mut("rotate").unwrap();
    rotate.uses.insert("shift".to_owned(), Constant::Assumed(1.0));
}

/// Maj as written in FIPS 180-4: five operations instead of four.
fn maj(graph: &mut Graph, op: Op) -> Id {
    let Op::Maj(x, y, z) = op else { return graph.node(op) };
    let [xy, xz, yz] = [(x, y), (x, z), (y, z)].map(|(x, y)| graph.node(Op::And(x, y)));
    let two = graph.node(Op::Xor(xy, xz));
    graph.node(Op::Xor(two, yz))
}

/// ROTL^3 instead of ROTL^1, which SHA-1 uses only in its schedule.
fn rotation(graph: &mut Graph, op: Op) -> Id {
    match op {
        Op::Rotr(x, 31) => graph.node(Op::Rotr(x, 29)),
        op => graph.node(op),
    }
}

/// T = a + ... instead of T = ROTL^5(a) + ...; the critical path uses other operations.
fn no_rotation(graph: &mut Graph, op: Op) -> Id {
    match op {
        Op::Rotr(x, 27) => x,
        op => graph.node(op),
    }
}

/// Every Ch computes an additional, unused word.
fn unwanted(graph: &mut Graph, op: Op) -> Id {
    if let Op::Ch(x, y, _) = op {
        graph.node(Op::And(x, y));
    }
    graph.node(op)
}

/// The last W replaces the result in the final addition of the chaining value.
fn last_word(graph: &mut Graph, op: Op) -> Id {
    let is_input = |id: Id| matches!(graph.op(id), Op::Input(0..5));
    match op {
        Op::Add(x, _) if is_input(x) => {
            let is_word = |&id: &Id| matches!(graph.op(id), Op::Rotr(_, 31));
            graph.ids().filter(is_word).last().unwrap_or(x)
        }
        op => graph.node(op),
    }
}

fn faults() -> Vec<Fault> {
    let of_specifications = [
        Fault::of(Instructions, "Maj as in FIPS 180-4", maj, &[("shill-counts", False)]),
        Fault::of(Instructions, "unused words", unwanted, &[("taylor", Holds)]),
        Fault::of(Schedule, "ROTL^3", rotation, &[("four-at-a-time", False), ("six-apart", False)]),
        Fault::of(Schedule, "the last W as the digest", last_word, &[("last-word", Holds)]),
        Fault::of(
            Path,
            "a round without ROTL^5",
            no_rotation,
            &[("alus", False), ("registers", False), ("rotates", False)],
        ),
    ];
    let of_models = [
        // If F is longer than 3A, another order of the sums has a shorter loop.
        Fault::by(
            Unfolding,
            "a short addition",
            |models| {
                models.delays.iter_mut().find(|delays| delays.name == "paper").unwrap().add = 0.22;
            },
            &[("lee-bound", False), ("lee-optimum", False)],
        ),
        Fault::by(
            Path,
            "a long addition",
            |models| {
                let add = machine(models, "risc").units.ops.get_mut("add").unwrap();
                add.latency = Some(Constant::Assumed(2.0));
            },
            &[("alus", False), ("path", False)],
        ),
        Fault::by(
            Efficeon,
            "one SIMD unit",
            |models| set_pool(models, "efficeon", "vector", 1.0),
            &[("efficeon-alus", False), ("efficeon-pipelines", False)],
        ),
        Fault::by(
            Efficeon,
            "an issue width of three",
            |models| set_pool(models, "efficeon", "issue", 3.0),
            &[("efficeon-pipelines", False)],
        ),
        Fault::by(
            Instructions,
            "an issue width of two on K8",
            |models| set_pool(models, "k8", "issue", 2.0),
            &[("young-sha1", False), ("young-sha256", False), ("young-sha512", False)],
        ),
        Fault::by(Path, "fast rotations", fast_rotations, &[("rotates", False)]),
        Fault::by(Moving, "fast rotations", fast_rotations, &[("moving", Holds)]),
        Fault::by(
            Speed,
            "a 32-bit K8",
            |models| machine(models, "k8").scalar_bits = 32,
            &[("young-faster", False)],
        ),
        Fault::by(
            Schedule,
            "registers of four words",
            |models| {
                set(models, "avx2").vector_bits = 128;
            },
            &[("ymm", Holds)],
        ),
        Fault::by(
            Schedule,
            "registers of sixteen words",
            |models| {
                set(models, "avx2").vector_bits = 512;
            },
            &[("ymm", False)],
        ),
        Fault::by(
            Schedule,
            "three operands of SSE2",
            |models| set(models, "sse2").operands = 3,
            &[("palignr", False)],
        ),
        Fault::by(
            Schedule,
            "two operands of AVX",
            |models| set(models, "avx").operands = 2,
            &[("palignr", False)],
        ),
        Fault::by(
            Schedule,
            "three inputs of AVX",
            |models| set(models, "avx").ternary = true,
            &[("pxor", Holds)],
        ),
        // SHA-256 in twice the cycles would then be three times slower than SHA-1.
        Fault::by(
            Speed,
            "1200 cycles",
            |models| {
                figure(models, "Hammer 1.2 GHz, 64 bit", "sha256").cycles = Some(1200);
            },
            &[("rubin", Assuming)],
        ),
    ];
    type Line = (Subject, Numbers, Moved);
    let of_numbers: &[Line] = &[
        (Path, &[("gaudet-path", &[161.0, 2.5])], &[("path", False)]),
        (Path, &[("gaudet-path", &[160.0, 2.6])], &[("path", False)]),
        (Path, &[("gaudet-registers", &[24.0])], &[("registers", False)]),
        (Path, &[("gaudet-registers", &[31.0])], &[("registers", False)]),
        (Path, &[("gaudet-rotates", &[240.0])], &[("rotates", False)]),
        (Path, &[("gaudet-rotate-cycles", &[4.0, 600.0])], &[("rotates", False)]),
        (Path, &[("gaudet-rotate-share", &[10.0, 20.0])], &[("rotates", False)]),
        (Efficeon, &[("gaudet-efficeon", &[300.0, 250.0, 100.0])], &[("efficeon-alus", False)]),
        (Efficeon, &[("gaudet-efficeon", &[340.0, 250.0, 70.0])], &[("efficeon-memory", Holds)]),
        (Efficeon, &[("gaudet-efficeon", &[340.0, 250.0, 60.0])], &[("efficeon-memory", False)]),
        (Efficeon, &[("gaudet-pipelines", &[3.2])], &[("efficeon-pipelines", False)]),
        (Efficeon, &[("gaudet-pipelines", &[4.0])], &[("efficeon-pipelines", False)]),
        (Zeros, &[("gaudet-zeros", &[32.2, 17.7, 15.6, 28.7])], &[("zeros", False)]),
        (Zeros, &[("gaudet-zeros-sse2", &[13.0, 14.6, 11.5, 11.9])], &[("zeros", False)]),
        (Zeros, &[("gaudet-zeros-faster", &[1.9, 1.2, 1.5, 1.6])], &[("zeros", False)]),
        (Instructions, &[("shill-functions", &[6.0, 4.0, 6.0])], &[("shill-counts", False)]),
        (Instructions, &[("shill-schedule", &[817.0])], &[("shill-counts", False)]),
        (Instructions, &[("shill-rounds", &[1920.0])], &[("shill-counts", False)]),
        (Instructions, &[("shill-total", &[2500.0])], &[("shill-counts", False)]),
        (Speed, &[("rubin-ratio", &[2.0])], &[("rubin", Holds)]),
        (Schedule, &[("locktyukhin-distances", &[6.0, 16.0, 28.0, 31.0])], &[("six-apart", False)]),
        (Schedule, &[("locktyukhin-rotation", &[1.0])], &[("six-apart", False)]),
        (Schedule, &[("locktyukhin-words", &[8.0])], &[("six-apart", False)]),
        (Unfolding, &[("lee-bound", &[1.0, 1.0])], &[("lee-bound", False)]),
        (Unfolding, &[("lee-two-rounds", &[4.0, 0.0])], &[("lee-two-rounds", Holds)]),
        (Unfolding, &[("lee-figure-6", &[6.0, 1.0])], &[("lee-figure-6", Holds)]),
        (Unfolding, &[("lee-optimum", &[10.0])], &[("lee-optimum", False)]),
        (
            Unfolding,
            &[(
                "lee-table-1-functions",
                &[0.0, 0.0, 22.0, 36.0, 36.0, 40.0, 49.0, 54.0, 76.0, 117.0],
            )],
            &[("lee-table-1", Holds)],
        ),
    ];
    let of_numbers =
        of_numbers.iter().map(|&(subject, numbers, moved)| Fault::given(subject, numbers, moved));
    let mut all: Vec<Fault> = of_specifications.into_iter().chain(of_models).collect();
    all.extend(of_numbers);
    all.extend(of_a_least());
    all.extend(of_youngs());
    all
}

/// Faults in claims of a minimum. Between the bound and the best known program the verdict is open;
/// below the bound, the claim holds.
fn of_a_least() -> Vec<Fault> {
    const OPEN: Numbers = &[
        ("shill-total", &[2400.0]),
        ("shill-with-ends", &[2424.0]),
        ("shill-cycles", &[800.0, 808.0]),
        ("shill-cycles-per-byte", &[12.50]),
    ];
    const BELOW: Numbers = &[
        ("shill-total", &[2300.0]),
        ("shill-with-ends", &[2324.0]),
        ("shill-cycles", &[766.0, 774.0]),
        ("shill-cycles-per-byte", &[11.97]),
    ];
    const COUNTS: (&str, Verdict) = ("shill-counts", False);
    vec![
        Fault::given(
            Instructions,
            OPEN,
            &[COUNTS, ("shill-cycles", Assuming), ("shill-least", Assuming)],
        ),
        Fault::given(
            Instructions,
            BELOW,
            &[COUNTS, ("shill-cycles", Holds), ("shill-least", Holds)],
        ),
        Fault::by(
            Instructions,
            "the same, and an issue width of two on K7",
            |models| {
                publish(models, BELOW);
                set_pool(models, "k7", "issue", 2.0);
            },
            &[COUNTS, ("shill-least", Holds), ("young-sha1", False), ("young-sha256", False)],
        ),
    ]
}

/// Faults in Young's table: each line must be consistent.
fn of_youngs() -> Vec<Fault> {
    fn line(models: &mut Models) -> &mut Figure {
        figure(models, "Hammer 1.2 GHz, 64 bit", "sha256")
    }
    type Change = fn(&mut Models);
    let changes: [(&str, Change); 7] = [
        ("fewer than the minimum", |models| line(models).instructions = Some(2300)),
        ("too many for the cycles", |models| line(models).instructions = Some(3000)),
        ("inconsistent with the rate", |models| line(models).instructions = Some(2800)),
        ("another rate", |models| line(models).ipc = Some(2.8)),
        ("other cycles per byte", |models| line(models).cycles_per_byte = 14.0),
        ("another clock", |models| line(models).ghz = Some(1.4)),
        ("another throughput", |models| line(models).bytes_per_second = Some(70e6)),
    ];
    let moved: Moved = &[("young-sha256", False)];
    changes.map(|(what, change)| Fault::by(Instructions, what, change, moved)).into()
}

/// Injects every fault of a subject, and checks which verdicts it changes.
fn faults_change_the_verdicts_on(subject: Subject) {
    let faults = faults().into_iter().filter(|fault| fault.subject == subject);
    let mut planted = 0;
    for fault in faults {
        let after = fault.claims();
        let pairs = unchanged(subject).iter().zip(&after);
        let moved = pairs.filter(|(old, new)| old.verdict != new.verdict);
        let moved: BTreeMap<_, _> = moved.map(|(_, new)| (new.name, new.verdict)).collect();
        assert_eq!(moved, fault.moved.iter().copied().collect(), "{}: {after:#?}", fault.what);
        planted += 1;
    }
    assert!(planted > 0);
}

#[test]
fn faults_change_the_verdicts_on_the_path() {
    faults_change_the_verdicts_on(Path);
}

#[test]
fn faults_change_the_verdicts_on_moving() {
    faults_change_the_verdicts_on(Moving);
}

#[test]
fn faults_change_the_verdicts_on_efficeon() {
    faults_change_the_verdicts_on(Efficeon);
}

#[test]
fn faults_change_the_verdicts_on_zeros() {
    faults_change_the_verdicts_on(Zeros);
}

#[test]
fn faults_change_the_verdicts_on_instructions() {
    faults_change_the_verdicts_on(Instructions);
}

#[test]
fn faults_change_the_verdicts_on_speed() {
    faults_change_the_verdicts_on(Speed);
}

#[test]
fn faults_change_the_verdicts_on_the_schedule() {
    faults_change_the_verdicts_on(Schedule);
}

#[test]
fn faults_change_the_verdicts_on_unfolding() {
    faults_change_the_verdicts_on(Unfolding);
}

#[test]
fn every_claim_has_a_fault_that_changes_its_verdict() {
    let moved = faults();
    let moved = moved.iter().flat_map(|fault| fault.moved).map(|(name, _)| *name);
    let claims = Subject::ALL.into_iter().flat_map(unchanged).map(|claim| claim.name);
    assert_eq!(moved.collect::<BTreeSet<_>>(), claims.collect());
}

#[test]
fn reasons_report_the_findings() {
    let reason = |what: &str, subject: Subject, claim: &str| {
        let fault = faults().into_iter().find(|f| f.subject == subject && f.what == what);
        let claims = fault.unwrap().claims();
        claims.into_iter().find(|c| c.name == claim).unwrap().reason
    };
    let as_it_is = |subject: Subject, claim: &str| {
        unchanged(subject).iter().find(|c| c.name == claim).unwrap().reason.clone()
    };
    assert!(reason("ROTL^3", Schedule, "four-at-a-time").contains("for only 0 of 16 vectors"));
    assert!(reason("ROTL^3", Schedule, "six-apart").contains("ROTL^6("));
    // Without the proof for vectors, the reason does not claim that blocks can be interleaved.
    assert!(as_it_is(Schedule, "ymm").contains("2 interleaved blocks"));
    assert!(!reason("ROTL^3", Schedule, "ymm").contains("interleaved"));
    assert!(as_it_is(Schedule, "pxor").contains("AVX saves copies: 64 of 448"));
    assert!(!reason("two operands of AVX", Schedule, "pxor").contains("saves"));
    assert!(as_it_is(Schedule, "palignr").contains("With 3 operands the schedule needs 0"));
    assert!(reason("two operands of AVX", Schedule, "palignr").contains("With 2 operands"));
    assert!(reason("unused words", Instructions, "taylor").starts_with("64 of "));
}

#[test]
fn a_figure_with_an_unknown_source_is_rejected() {
    use lanesum_model::Texts;
    let mut texts = Texts::built_in();
    texts.figures = texts.figures.replacen("source = \"thread\"", "source = \"hearsay\"", 1);
    let error = Models::from_texts(&texts).unwrap_err().to_string();
    assert!(error.contains("no text `hearsay`; there are thread, gaudet"), "{error}");
    let error = Models::built_in().unwrap().number("gaudet-path").unwrap_err().to_string();
    assert_eq!(error, "published figure `gaudet-path` has 2 numbers, not 1");
}
