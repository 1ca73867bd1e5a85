//! Every pass is checked by evaluation and by normal forms.

use crate::common::{blocks, random};

use lanesum_graph::rewrite::{
    Forms, apply, expand, fuse_lea, split_rotations, squared_schedule, vector_repair,
};
use lanesum_graph::{Block, Form, Op, eval, record};
use lanesum_model::analyse::{software_delays, steady_form};
use lanesum_spec::Family;

/// Checks that all named words have equal values in both forms, for `abc` and for random blocks and
/// states.
fn same_by_evaluation(block: &Block, before: &Form, after: &Form, what: &str) {
    let mut seed = 7;
    let bits = block.family.word_bits();
    for words in blocks(bits, &mut seed) {
        let state: Vec<u64> =
            block.state.iter().map(|_| random(&mut seed) >> (64 - bits)).collect();
        let values = eval(&block.graph, &block.inputs(&state, &words));
        for (i, (old, new)) in before.named().zip(after.named()).enumerate() {
            assert_eq!(values[old.index()], values[new.index()], "{what}: word {i}");
        }
    }
}

fn equal_by_form(block: &Block, before: &Form, after: &Form, what: &str) {
    for (i, (old, new)) in before.named().zip(after.named()).enumerate() {
        assert!(block.graph.equal(old, new), "{what}: word {i}");
    }
}

#[test]
fn every_pass_preserves_every_named_word() {
    for family in Family::ALL {
        let mut block = record(family, false);
        let spec = block.spec.clone();
        let state = block.state.clone();
        let check = |block: &mut Block, after: &Form, what: &str| {
            same_by_evaluation(block, &spec, after, what);
            equal_by_form(block, &spec, after, what);
        };
        for forms in Forms::all() {
            let what = format!("{family:?}, {}", forms.name());
            let expanded = expand(&mut block.graph, &spec, forms).unwrap();
            check(&mut block, &expanded, &what);
            let shifts = split_rotations(&mut block.graph, &expanded).unwrap();
            check(&mut block, &shifts, &format!("{what}, shifts"));
            let fused = fuse_lea(&mut block.graph, &expanded).unwrap();
            check(&mut block, &fused, &format!("{what}, lea"));
            assert!(fused != expanded, "{what}: nothing was fused");
            let unit = software_delays(1.0, 1.0, 1.0);
            let (_, balanced) = steady_form(&mut block.graph, &state, &expanded, &unit).unwrap();
            check(&mut block, &balanced, &format!("{what}, balanced"));
        }
    }
}

#[test]
fn squared_schedules_equal_the_schedule() {
    for k in [1, 2] {
        let mut block = record(Family::Sha1, false);
        let spec = block.spec.clone();
        let far = squared_schedule(&mut block.graph, &spec, k).unwrap();
        assert!(far.rounds[79].w != spec.rounds[79].w, "W_79 is computed in the same way");
        assert_eq!(far.rounds[16].w, spec.rounds[16].w, "W_16 has no other form");
        same_by_evaluation(&block, &spec, &far, "far");
    }
}

#[test]
fn the_last_lane_of_four_words_needs_a_repair() {
    let mut block = record(Family::Sha1, false);
    let words: Vec<_> = block.spec.rounds.iter().map(|r| r.w).collect();
    let (lanes, repaired) = vector_repair(&mut block.graph, &words, 20);
    assert!(block.graph.equal(lanes[0], words[20]));
    assert!(!block.graph.equal(lanes[3], words[23]));
    assert!(block.graph.equal(repaired, words[23]));
}

#[test]
fn a_pass_that_changes_a_word_is_rejected() {
    for family in [Family::Sha1, Family::Sha256, Family::Sha512] {
        let mut block = record(family, false);
        let spec = block.spec.clone();
        let wrong = apply(&mut block.graph, &spec, "wrong", |graph, _, op| match op {
            // Maj for Ch: they agree on most inputs.
            Op::Maj(x, y, z) => graph.node(Op::Ch(x, y, z)),
            Op::Xor3(x, y, z) => graph.node(Op::Xor3(z, y, x)),
            op => graph.node(op),
        });
        let error = wrong.unwrap_err();
        assert_eq!(error.pass, "wrong");
        assert!(error.to_string().contains("not proven"), "{error}");
    }
}

#[test]
fn overlapping_terms_are_not_merged() {
    let mut graph = lanesum_graph::Graph::new(32);
    let [x, y, z] = [0, 1, 2].map(|n| graph.node(Op::Input(n)));
    let (xy, yz) = (graph.node(Op::And(x, y)), graph.node(Op::And(y, z)));
    let sum = graph.node(Op::Add(xy, yz));
    let either = graph.node(Op::Xor(xy, yz));
    assert!(!graph.equal(sum, either), "they differ for x = y = z = 1");
    let zx = graph.node(Op::AndNot(z, x));
    let split = graph.node(Op::Add(xy, zx));
    let ch = graph.node(Op::Ch(x, y, z));
    assert!(graph.equal(split, ch));
}

#[test]
fn sums_are_multisets() {
    let mut graph = lanesum_graph::Graph::new(32);
    let [x, y] = [0, 1].map(|n| graph.node(Op::Input(n)));
    let xy = graph.node(Op::Add(x, y));
    let twice = graph.node(Op::Add(xy, x));
    let xx = graph.node(Op::Add(x, x));
    let other = graph.node(Op::Add(y, xx));
    assert!(graph.equal(twice, other));
    assert!(!graph.equal(twice, xy), "x counts twice");
    let back = graph.node(Op::Sub(twice, xx));
    assert!(graph.equal(back, y));
    let (terms, constant) = graph.sum(twice);
    assert_eq!((terms.len(), constant), (2, 0));
    let once = graph.node(Op::AddConst(x, 0xffff_ffff));
    let round = graph.node(Op::AddConst(once, 1));
    assert!(graph.equal(round, x), "modulo 2^32");
}
