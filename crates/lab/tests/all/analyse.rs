//! Bounds and counts, each checked by a second method.

use crate::common::random;

use lanesum_graph::rewrite::{ChForm, Forms, MajForm, SigmaForm, expand};
use lanesum_graph::{Kind, record};
use lanesum_model::analyse::*;
use lanesum_model::{Constant, ConstantSource, Models, Stated};
use lanesum_spec::Family;

const SHA: [Family; 3] = [Family::Sha1, Family::Sha256, Family::Sha512];

fn greatest(loops: &[Loop]) -> f64 {
    loops.iter().map(Loop::ratio).fold(0.0, f64::max)
}

#[test]
fn the_maximum_ratio_matches_an_enumeration_of_all_loops() {
    let mut seed = 3;
    for _ in 0..200 {
        let n = 3 + random(&mut seed) as usize % 5;
        let mut edges: Vec<Edge> = (0..2 * n)
            .map(|_| Edge {
                from: random(&mut seed) as usize % n,
                to: random(&mut seed) as usize % n,
                time: Time::of((random(&mut seed) % 10) as f64),
                registers: 1 + random(&mut seed) as u32 % 3,
            })
            .collect();
        edges.dedup_by_key(|e| (e.from, e.to));
        let expected = greatest(&all_loops(&edges));
        let found = max_ratio(&edges).map_or(0.0, |l| l.ratio());
        assert!((found - expected).abs() < 1e-6, "{found} and {expected} of {edges:?}");
    }
}

#[test]
fn the_iteration_bound_of_a_round_matches_enumeration_and_karp() {
    let models = Models::built_in().unwrap();
    for model in &models.delays {
        let delays = Delays::hardware(model);
        for family in SHA {
            let mut block = record(family, false);
            let round = round_form(&block.spec, 1);
            let state = block.state.clone();
            let (mean, form) = steady_form(&mut block.graph, &state, &round, &delays).unwrap();
            let edges = loop_edges(&block.graph, &state, &form, &delays);
            let by_loops = max_ratio(&edges).unwrap().ratio();
            assert!((mean - by_loops).abs() < 1e-6, "{family:?} {}: {mean} {by_loops}", model.name);
            if family == Family::Sha1 {
                let all = greatest(&all_loops(&edges));
                assert!((all - by_loops).abs() < 1e-6, "{}: {all} {by_loops}", model.name);
            }
        }
    }
}

#[test]
fn a_longer_addition_increases_the_bounds() {
    let models = Models::built_in().unwrap();
    let one = Delays::hardware(models.delay("paper").unwrap());
    let two = Delays { add: 2.0, ..one };
    let block = record(Family::Sha1, false);
    let clocks = |delays| unfolded_clock(&block, 8, delays);
    assert!(clocks(&two).paper.value > 1.9 * clocks(&one).paper.value);
    assert_eq!(clocks(&two).paper.to_string(), "10A+3F", "the path is the same");
    let unit = critical_path(&block.graph, &block.spec, &software_delays(1.0, 1.0, 1.0)).0;
    let slow = critical_path(&block.graph, &block.spec, &software_delays(2.0, 1.0, 1.0)).0;
    assert!(slow > unit + 60.0, "{slow} {unit}");
}

fn stated(value: f64) -> Constant {
    Constant::Stated(Stated::new(value, ConstantSource::Definition("a test".to_owned())))
}

#[test]
fn a_changed_unit_changes_the_bound() {
    let mut models = Models::built_in().unwrap();
    let before = {
        let mut kernels = Kernels::new(&models);
        let machine = models.machine("zen5").unwrap();
        kernels.bounds(machine, Family::Sha256).unwrap()
    };
    let machine = models.machines.iter_mut().find(|m| m.name == "zen5").unwrap();
    let rounds = machine.units.ops.get_mut("sha256rnds2").unwrap();
    (rounds.latency, rounds.from) = (Some(stated(5.0)), Vec::new());
    *machine.units.pools.get_mut("vector").unwrap() = stated(2.0);
    let mut kernels = Kernels::new(&models);
    let after = kernels.bounds(models.machine("zen5").unwrap(), Family::Sha256).unwrap();
    let cycles = |bounds: &[KernelBound], name: &str| {
        bounds.iter().find(|b| b.kernel == name).unwrap().cycles()
    };
    assert_eq!(cycles(&after, "sha_ni_x1") - cycles(&before, "sha_ni_x1"), 32.0);
    assert!(cycles(&after, "avx512_2x16") > 1.9 * cycles(&before, "avx512_2x16"));
}

#[test]
fn the_chain_of_sha_instructions_follows_the_latest_operand() {
    let mut models = Models::built_in().unwrap();
    let cycles = |models: &Models| {
        let machine = models.machine("zen5").unwrap();
        let bounds = Kernels::new(models).bounds(machine, Family::Sha1).unwrap();
        bounds.iter().find(|bound| bound.kernel == "sha_ni_x1").unwrap().cycles()
    };
    let before = cycles(&models);
    let mut set = |op: &str, from: [f64; 2]| {
        let machine = models.machines.iter_mut().find(|m| m.name == "zen5").unwrap();
        machine.units.ops.get_mut(op).unwrap().from = from.map(stated).into();
        cycles(&models)
    };
    // The path through e replaces one of two consecutive sha1rnds4 by a sha1nexte, so it has slack
    // until that takes longer.
    assert_eq!(set("sha1rnds4", [6.0, 9.0]), before);
    assert!(set("sha1nexte", [9.0, 2.0]) > before);
    assert_eq!(set("sha1nexte", [2.0, 2.0]), before);
    assert!(set("sha1rnds4", [5.0, 6.0]) < before - 15.0);
}

#[test]
fn dropping_the_reuse_of_maj_costs_operations() {
    for (family, rounds) in [(Family::Sha256, 64), (Family::Sha512, 80)] {
        let mut block = record(family, false);
        let spec = block.spec.clone();
        let mut total = |maj| {
            let forms = Forms { ch: ChForm::Mux, maj, sigma: SigmaForm::Plain };
            let form = expand(&mut block.graph, &spec, forms).unwrap();
            let nodes = block.graph.reachable(form.outputs.iter().copied());
            count(&block.graph, nodes).values().sum::<usize>()
        };
        // The reuse saves one ⊕ per round, except in the first round.
        assert_eq!(total(MajForm::Plain) - total(MajForm::Reuse), rounds - 1, "{family:?}");
    }
}

#[test]
fn a_lane_round_of_sha256_is_seven_additions_six_rotations_and_four_functions() {
    let block = record(Family::Sha256, false);
    let counts = count(&block.graph, block.graph.reachable(block.spec.outputs.iter().copied()));
    assert_eq!(counts[&Kind::Add], 7 * 64 + 3 * 48 + 8);
    assert_eq!(counts[&Kind::Rotate], 6 * 64 + 4 * 48);
    assert_eq!(counts[&Kind::Ternary], 4 * 64 + 2 * 48);
    assert_eq!(counts[&Kind::Shift], 2 * 48);
}

#[test]
fn schedules_respect_dependences_and_units() {
    for family in SHA {
        let mut block = record(family, false);
        let spec = block.spec.clone();
        let form = expand(&mut block.graph, &spec, Forms::SPLIT).unwrap();
        let unit = software_delays(1.0, 1.0, 1.0);
        let path = critical_path(&block.graph, &form, &unit).0;
        for units in [1, 3, 7, 16] {
            let schedule = list_schedule(&block.graph, &form, units, None);
            let start: std::collections::HashMap<_, _> = schedule.starts.iter().copied().collect();
            let mut busy = vec![0; schedule.cycles];
            for (&id, &cycle) in &start {
                busy[cycle] += 1;
                for operand in block.graph.op(id).operands() {
                    assert!(start.get(&operand).is_none_or(|&before| before < cycle));
                }
            }
            assert!(busy.iter().all(|&n| n <= units));
            let least = (start.len() as f64 / units as f64).max(path);
            assert!(schedule.cycles as f64 >= least, "{family:?} {units}");
        }
    }
}

#[test]
fn live_words_match_a_manual_schedule() {
    // (x + y) ⊕ (x + z): two sums are live before the last operation.
    let mut graph = lanesum_graph::Graph::new(32);
    use lanesum_graph::Op;
    let [x, y, z] = [0, 1, 2].map(|n| graph.node(Op::Input(n)));
    let (a, b) = (graph.node(Op::Add(x, y)), graph.node(Op::Add(x, z)));
    let last = graph.node(Op::Xor(a, b));
    let form = lanesum_graph::Form { outputs: vec![last], rounds: Vec::new() };
    let one = list_schedule(&graph, &form, 1, None);
    assert_eq!(one.cycles, 3);
    assert_eq!(live(&graph, &form, &one, &[]), 2);
    let two = list_schedule(&graph, &form, 2, None);
    assert_eq!(two.cycles, 2);
}

#[test]
fn no_program_has_fewer_instructions_than_the_bound() {
    let models = Models::built_in().unwrap();
    for family in SHA {
        let mut block = record(family, false);
        let spec = block.spec.clone();
        for set in models.instruction_sets.iter().filter(|s| s.vector_bits == 0) {
            for forms in Forms::all() {
                let found = instructions(&mut block, &spec, forms, set).unwrap();
                assert!(
                    found.built >= found.cost.total(),
                    "{family:?} {} {}",
                    set.name,
                    forms.name()
                );
            }
        }
    }
}

#[test]
fn kernels_of_sha_instructions_equal_the_specification() {
    for family in [Family::Sha1, Family::Sha256] {
        assert!(sha_program(family).unwrap().proven, "{family:?}");
    }
    assert!(sha_program(Family::Sha512).is_none());
}

#[test]
fn the_papers_registers_reproduce_its_table_except_for_n_5() {
    let models = Models::built_in().unwrap();
    let delays = Delays::hardware(models.delay("paper").unwrap());
    let block = record(Family::Sha1, false);
    let clock = |n| unfolded_clock(&block, n, &delays);
    let figure6 = ["3A", "4A", "5A+F", "6A+F", "7A+2F", "8A+2F", "9A+3F", "10A+3F"];
    for (n, expected) in figure6.iter().enumerate() {
        assert_eq!(clock(n + 1).paper.to_string(), *expected, "TEMP_t+{n}");
    }
    assert_eq!(clock(2).retimed.to_string(), "2A+F");
    assert_eq!(clock(5).clocks(80) as u32 * clock(5).paper.functions, 36);
}

#[test]
fn powers_of_the_recurrence_start_as_early_as_possible() {
    let forms = schedule_forms(&mut record(Family::Sha1, false), 4);
    let starts: Vec<_> = forms.iter().map(|f| f.proven_from).collect();
    assert_eq!(starts, [Some(16), Some(32), Some(48), Some(64)]);
    assert_eq!(forms[1].terms, [(6, 2), (16, 2), (28, 2), (32, 2)]);
    assert_eq!(forms[3].terms, [(12, 4), (32, 4), (56, 4), (64, 4)]);
}
