//! Equality of normal forms, checked by an independent solver.
//!
//! The test generates random expressions of every operation of the graph, at both widths. Bitwuzla
//! proves that expressions with equal normal forms are equal functions of bit vectors.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::random;
use lanesum_graph::{Graph, Id, Op};

const SOLVE: &str = "import bitwuzla, sys\n\
    bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options())\
    .parse(sys.argv[1], False, True)\n";

/// Maximum number of pairs for each two kinds of operations.
const EACH: usize = 12;

/// Rotations and shifts of FIPS 180-4, and the minimum and maximum amounts.
const COUNTS: [u32; 8] = [1, 2, 3, 7, 8, 19, 30, 31];

fn kind(op: Op) -> String {
    format!("{op:?}").split(['(', ' ']).next().unwrap().to_owned()
}

/// A random operation on nodes of the pool.
fn make(graph: &Graph, pool: &[Id], seed: &mut u64) -> Op {
    let mut id = || pool[random(seed) as usize % pool.len()];
    let [x, y, z] = [id(), id(), id()];
    let n = COUNTS[random(seed) as usize % COUNTS.len()];
    let k = [0, 1, u64::MAX, 0x5a82_7999][random(seed) as usize % 4] & mask(graph);
    match random(seed) % 17 {
        0 | 1 => Op::Add(x, y),
        2 => Op::AddConst(x, k),
        3 => Op::Lea(x, y, k),
        4 => Op::Sub(x, y),
        5 => Op::And(x, y),
        6 => Op::AndNot(x, y),
        7 => Op::Or(x, y),
        8 | 9 => Op::Xor(x, y),
        10 => Op::Not(x),
        11 => Op::Rotr(x, n),
        12 => Op::Shr(x, n),
        13 => Op::Shl(x, n),
        14 => Op::Ch(x, y, z),
        15 => Op::Maj(x, y, z),
        _ => Op::Xor3(x, y, z),
    }
}

fn mask(graph: &Graph) -> u64 {
    u64::MAX >> (64 - graph.width())
}

/// The two sides of rules that random expressions rarely exercise.
fn rules(graph: &mut Graph, inputs: &[Id]) -> Vec<(Id, Id)> {
    let width = graph.width();
    let [x, y, z] = [inputs[0], inputs[1], inputs[2]];
    let mut node = |op| graph.node(op);
    let mut pairs = Vec::new();
    // Constants that are combined by ⊕, rotated, and in a word reassembled from its shifts.
    let [k, other] = [0x5a82_7999, 0x8000_0000];
    let (number, another) = (node(Op::Const(k)), node(Op::Const(other)));
    let with = node(Op::Xor(x, number));
    let (both, sum) = (node(Op::Xor(with, another)), node(Op::Const(k ^ other)));
    pairs.push((both, node(Op::Xor(x, sum))));
    for n in 1..width {
        let turned = (k >> n | k << (width - n)) & (u64::MAX >> (64 - width));
        let (rotated, turned) = (node(Op::Rotr(x, n)), node(Op::Const(turned)));
        let of_both = node(Op::Rotr(with, n));
        pairs.push((of_both, node(Op::Xor(rotated, turned))));
        let (right, left) = (node(Op::Shr(with, n)), node(Op::Shl(with, width - n)));
        pairs.push((node(Op::Or(right, left)), of_both));
    }
    for n in 1..width {
        let (right, left) = (node(Op::Shr(x, n)), node(Op::Shl(x, width - n)));
        let rotated = node(Op::Rotr(x, n));
        pairs.push((node(Op::Or(right, left)), rotated));
        pairs.push((node(Op::Xor(right, left)), rotated));
        let sum = node(Op::Xor(x, y));
        let apart = node(Op::Rotr(y, n));
        pairs.push((node(Op::Rotr(sum, n)), node(Op::Xor(rotated, apart))));
        let product = node(Op::And(x, y));
        pairs.push((node(Op::Rotr(product, n)), node(Op::And(rotated, apart))));
    }
    // Ch and Maj as sums of terms without common one bits.
    let (xy, other) = (node(Op::And(x, y)), node(Op::AndNot(z, x)));
    let ch = node(Op::Ch(x, y, z));
    pairs.push((node(Op::Add(xy, other)), ch));
    let either = node(Op::Xor(x, y));
    let rest = node(Op::And(z, either));
    let maj = node(Op::Maj(x, y, z));
    pairs.push((node(Op::Add(xy, rest)), maj));
    let (twice, both) = (node(Op::Add(xy, xy)), node(Op::Add(rest, rest)));
    let doubled = node(Op::Add(maj, maj));
    pairs.push((node(Op::Add(twice, both)), doubled));
    pairs
}

/// A node's function in SMT-LIB, in terms of earlier nodes.
fn term(op: Op, width: u32) -> String {
    let n = |id: Id| format!("n{}", id.index());
    let k = |k: u64| format!("(_ bv{} {width})", k & (u64::MAX >> (64 - width)));
    let two = |name: &str, x, y| format!("({name} {} {})", n(x), n(y));
    match op {
        Op::Input(i) => format!("i{i}"),
        Op::Const(c) => k(c),
        Op::Add(x, y) => two("bvadd", x, y),
        Op::AddConst(x, c) => format!("(bvadd {} {})", n(x), k(c)),
        Op::Lea(x, y, c) => format!("(bvadd {} {})", two("bvadd", x, y), k(c)),
        Op::Sub(x, y) => two("bvsub", x, y),
        Op::And(x, y) => two("bvand", x, y),
        Op::AndNot(x, y) => format!("(bvand {} (bvnot {}))", n(x), n(y)),
        Op::Or(x, y) => two("bvor", x, y),
        Op::Xor(x, y) => two("bvxor", x, y),
        Op::Not(x) => format!("(bvnot {})", n(x)),
        Op::Rotr(x, c) => format!("((_ rotate_right {c}) {})", n(x)),
        Op::Shr(x, c) => format!("(bvlshr {} {})", n(x), k(c.into())),
        Op::Shl(x, c) => format!("(bvshl {} {})", n(x), k(c.into())),
        Op::Ch(x, y, z) => {
            format!("(bvor {} (bvand (bvnot {}) {}))", two("bvand", x, y), n(x), n(z))
        }
        Op::Maj(x, y, z) => {
            let [p, q, r] = [two("bvand", x, y), two("bvand", x, z), two("bvand", y, z)];
            format!("(bvor {p} (bvor {q} {r}))")
        }
        Op::Xor3(x, y, z) => format!("(bvxor {} {})", two("bvxor", x, y), n(z)),
    }
}

/// The solver's answers to the query whether the two sides of each pair differ.
fn solved(graph: &Graph, pairs: &[(Id, Id)], name: &str) -> Vec<String> {
    let width = graph.width();
    let mut text = String::from("(set-logic QF_BV)\n");
    for i in 0..3 {
        writeln!(text, "(declare-const i{i} (_ BitVec {width}))").unwrap();
    }
    let roots = pairs.iter().flat_map(|&(x, y)| [x, y]);
    for id in graph.reachable(roots) {
        let (i, term) = (id.index(), term(graph.op(id), width));
        writeln!(text, "(define-fun n{i} () (_ BitVec {width}) {term})").unwrap();
    }
    for (x, y) in pairs {
        let (x, y) = (x.index(), y.index());
        writeln!(text, "(push 1)\n(assert (distinct n{x} n{y}))\n(check-sat)\n(pop 1)").unwrap();
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rules");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join(format!("{name}.smt2"));
    fs::write(&file, text).unwrap();
    let python =
        std::env::var("LANESUM_SMT").expect("a Python that has bitwuzla: `cargo xtask rules`");
    let output = Command::new(python).args(["-c", SOLVE]).arg(file).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
#[ignore = "wants Bitwuzla: run by `cargo xtask rules`"]
fn equal_normal_forms_are_equal_functions() {
    for width in [32, 64] {
        let mut seed = u64::from(width);
        let mut graph = Graph::new(width);
        let inputs: Vec<Id> = (0..3).map(|i| graph.node(Op::Input(i))).collect();
        let mut pairs = rules(&mut graph, &inputs);
        for (x, y) in &pairs {
            assert!(graph.equal(*x, *y), "{:?}, {:?}", graph.op(*x), graph.op(*y));
        }
        let mut pool = inputs;
        pool.extend([0, u64::MAX].map(|k| graph.node(Op::Const(k))));
        let mut of_value: BTreeMap<_, BTreeSet<Id>> = BTreeMap::new();
        let mut seen: BTreeMap<[String; 2], usize> = BTreeMap::new();
        for i in 0..60_000 {
            // Small expressions, whose forms are often equal, and reuses of these.
            pool.truncate(5 + i % 300);
            let op = make(&graph, &pool, &mut seed);
            let id = graph.node(op);
            pool.push(id);
            let equal = of_value.entry(graph.value(id)).or_default();
            if !equal.insert(id) || equal.len() < 2 {
                continue;
            }
            let other = *equal.iter().nth(random(&mut seed) as usize % equal.len()).unwrap();
            let mut kinds = [kind(graph.op(id)), kind(graph.op(other))];
            kinds.sort();
            let times = seen.entry(kinds).or_default();
            if other != id && *times < EACH {
                *times += 1;
                pairs.push((id, other));
            }
        }
        let said = solved(&graph, &pairs, &width.to_string());
        assert_eq!(said.len(), pairs.len());
        for ((x, y), said) in pairs.iter().zip(&said) {
            let (x, y) = (graph.op(*x), graph.op(*y));
            assert_eq!(said, "unsat", "of {width} bits: {x:?} and {y:?}");
        }
        let kinds: BTreeSet<&String> = seen.keys().flatten().collect();
        println!("{width}: {} pairs of {} kinds", pairs.len(), kinds.len());
        assert!(kinds.len() >= 12 && pairs.len() > 1000, "{} {}", kinds.len(), pairs.len());
        // The solver detects different functions.
        let [x, y] = [0, 1].map(|i| graph.node(Op::Input(i)));
        let wrong = [(graph.node(Op::Add(x, y)), graph.node(Op::Xor(x, y)))];
        assert_eq!(solved(&graph, &wrong, "wrong"), ["sat"]);
    }
}

/// A mutated kernel may multiply polynomials in every round. A polynomial with too many products
/// becomes an opaque word, equal only to itself.
#[test]
fn polynomials_with_too_many_products_are_opaque() {
    let mut graph = Graph::new(32);
    let inputs: Vec<Id> = (0..40).map(|n| graph.node(Op::Input(n))).collect();
    let ops: [fn(Id, Id) -> Op; 5] =
        [Op::And, Op::AndNot, Op::Or, |x, y| Op::Ch(x, y, x), |x, y| Op::Maj(x, y, x)];
    for op in ops {
        let mut x = inputs[0];
        for &input in &inputs[1..] {
            let rotated = graph.node(Op::Rotr(x, 7));
            let [left, right] = [x, rotated].map(|word| graph.node(Op::Xor(word, input)));
            let next = graph.node(op(left, right));
            assert_ne!(graph.value(next), graph.value(x));
            x = next;
        }
        let with = graph.node(Op::Xor(x, inputs[1]));
        assert_ne!(graph.value(with), graph.value(x));
        let without = graph.node(Op::Xor(with, inputs[1]));
        assert_eq!(graph.value(without), graph.value(x));
    }
}

/// A sum of too many terms becomes an opaque word, equal only to itself.
#[test]
fn sums_with_too_many_terms_are_opaque() {
    let mut graph = Graph::new(32);
    let mut words: Vec<Id> = (0..1 << 12).map(|n| graph.node(Op::Input(n))).collect();
    while words.len() > 1 {
        words = words.chunks(2).map(|pair| graph.node(Op::Add(pair[0], pair[1]))).collect();
    }
    let whole = words[0];
    assert_eq!(graph.sum(whole).0.len(), 1 << 12);
    let more = graph.node(Op::Input(1 << 12));
    let ops: [fn(Id, Id) -> Op; 3] = [Op::Add, |x, y| Op::Lea(x, y, 1), Op::Sub];
    for op in ops {
        let one = graph.node(op(whole, more));
        assert_eq!(graph.sum(one).0.len(), 1);
        let with = graph.node(Op::Add(one, more));
        assert!(!graph.equal(with, one));
        let without = graph.node(Op::Sub(with, more));
        assert!(graph.equal(without, one));
    }
}
