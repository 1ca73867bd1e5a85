//! The SHA instructions of x86 as words of the graph: their kernels are proven equal
//! to the specification and timed at the same time.

use lanesum_spec::sha1;
use lanesum_spec::sha2::{self, Sha256};
use lanesum_spec::{Family, Word};

use crate::constant::ConstantValue;
use crate::machine::Units;
use lanesum_graph::graph::Id;
use lanesum_graph::record::{Block, Node, Recorder, record};

/// One instruction of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShaInstruction {
    /// The operation's name in machine models.
    pub op: &'static str,
    /// The instructions whose results it reads. The i-th register of the previous
    /// block's state is -1 - i.
    pub reads: Vec<isize>,
}

/// A kernel with SHA instructions for one block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShaProgram {
    /// The instructions, in order.
    pub instructions: Vec<ShaInstruction>,
    /// The instructions that compute the final state, one per register.
    pub results: Vec<usize>,
    /// Whether its words are proven equal to the specification's.
    pub proven: bool,
}

type N<'g> = Node<'g, u32>;

/// Four words, lowest first, and the instruction that computes them.
#[derive(Clone, Copy)]
struct FourWords<'g> {
    words: [N<'g>; 4],
    from: isize,
}

struct Program {
    instructions: Vec<ShaInstruction>,
}

impl Program {
    fn emit<'g>(
        &mut self,
        op: &'static str,
        reads: &[FourWords<'g>],
        words: [N<'g>; 4],
    ) -> FourWords<'g> {
        let from = self.instructions.len() as isize;
        self.instructions
            .push(ShaInstruction { op, reads: reads.iter().map(|v| v.from).collect() });
        FourWords { words, from }
    }

    fn add<'g>(&mut self, x: FourWords<'g>, y: FourWords<'g>) -> FourWords<'g> {
        let words = std::array::from_fn(|i| x.words[i] + y.words[i]);
        self.emit("vadd", &[x, y], words)
    }

    fn xor<'g>(&mut self, x: FourWords<'g>, y: FourWords<'g>) -> FourWords<'g> {
        let words = std::array::from_fn(|i| x.words[i] ^ y.words[i]);
        self.emit("vlogic", &[x, y], words)
    }

    /// Four words of the block: a load, and a shuffle that swaps their bytes.
    fn block<'g>(&mut self, words: [N<'g>; 4]) -> FourWords<'g> {
        let loaded = self.emit("vload", &[], words);
        self.emit("vshuffle", &[loaded], words)
    }
}

/// The kernel of `family` for one block, or `None` except for SHA-1 and SHA-256.
pub fn sha_program(family: Family) -> Option<ShaProgram> {
    let block = record(family, false);
    match family {
        Family::Sha1 => Some(sha1_program(block)),
        Family::Sha256 => Some(sha256_program(block)),
        _ => None,
    }
}

fn finish(
    mut block: Block,
    recorder: Recorder,
    program: Program,
    outputs: Vec<Id>,
    results: Vec<usize>,
) -> ShaProgram {
    block.graph = recorder.finish();
    let proven = outputs.iter().zip(&block.spec.outputs).all(|(&x, &y)| block.graph.equal(x, y));
    ShaProgram { instructions: program.instructions, results, proven }
}

fn sha256_program(mut block: Block) -> ShaProgram {
    let graph = std::mem::replace(&mut block.graph, lanesum_graph::Graph::new(32));
    let recorder = Recorder::over(graph);
    let mut p = Program { instructions: Vec::new() };
    let [a, b, c, d, e, f, g, h]: [N<'_>; 8] = std::array::from_fn(|i| recorder.input(i));
    let start_abef = FourWords { words: [f, e, b, a], from: -1 };
    let start_cdgh = FourWords { words: [h, g, d, c], from: -2 };
    let (mut abef, mut cdgh) = (start_abef, start_cdgh);
    let mut m: [FourWords<'_>; 4] =
        std::array::from_fn(|i| p.block(std::array::from_fn(|j| recorder.input(8 + 4 * i + j))));
    for group in 0..16 {
        if group >= 4 {
            let [m0, m1, m2, m3] = m;
            let next = |i: usize| if i < 3 { m0.words[i + 1] } else { m1.words[0] };
            let words = std::array::from_fn(|i| m0.words[i] + sigma0(next(i)));
            let half = p.emit("sha256msg1", &[m0, m1], words);
            let cut = [m2.words[1], m2.words[2], m2.words[3], m3.words[0]];
            let cut = p.emit("vshuffle", &[m2, m3], cut);
            let sum = p.add(half, cut);
            let w16 = sum.words[0] + sigma1(m3.words[2]);
            let w17 = sum.words[1] + sigma1(m3.words[3]);
            let words = [w16, w17, sum.words[2] + sigma1(w16), sum.words[3] + sigma1(w17)];
            let new = p.emit("sha256msg2", &[sum, m3], words);
            m = [m1, m2, m3, new];
        }
        let w = m[group.min(3)];
        let k = |i: usize| <Sha256 as sha2::Variant>::K[4 * group + i];
        let wk = p.emit("vadd", &[w], std::array::from_fn(|i| w.words[i] + k(i)));
        let next = rnds2(&mut p, cdgh, abef, wk, 0);
        let (before, mut high) = (abef, wk);
        high = p.emit("vshuffle", &[high], high.words);
        let last = rnds2(&mut p, before, next, high, 2);
        (abef, cdgh) = (last, next);
    }
    let abef = p.add(abef, start_abef);
    let cdgh = p.add(cdgh, start_cdgh);
    let ([f, e, b, a], [h, g, d, c]) = (abef.words, cdgh.words);
    let outputs = [a, b, c, d, e, f, g, h].map(Node::id).to_vec();
    let results = vec![abef.from as usize, cdgh.from as usize];
    finish(block, recorder, p, outputs, results)
}

fn sigma0(x: N<'_>) -> N<'_> {
    sha2::sigma(x, <Sha256 as sha2::Variant>::SIGMA0)
}

fn sigma1(x: N<'_>) -> N<'_> {
    sha2::sigma(x, <Sha256 as sha2::Variant>::SIGMA1)
}

/// SHA256RNDS2: two rounds with words `at` and `at + 1` of `wk`.
fn rnds2<'g>(
    p: &mut Program,
    cdgh: FourWords<'g>,
    abef: FourWords<'g>,
    wk: FourWords<'g>,
    at: usize,
) -> FourWords<'g> {
    let ([f, e, b, a], [h, g, d, c]) = (abef.words, cdgh.words);
    let mut s = [a, b, c, d, e, f, g, h];
    for i in 0..2 {
        s = sha2::round::<Sha256, N<'g>, _>(s, wk.words[at + i]);
    }
    p.emit("sha256rnds2", &[cdgh, abef, wk], [s[5], s[4], s[1], s[0]])
}

fn sha1_program(mut block: Block) -> ShaProgram {
    let graph = std::mem::replace(&mut block.graph, lanesum_graph::Graph::new(32));
    let recorder = Recorder::over(graph);
    let mut p = Program { instructions: Vec::new() };
    let [a, b, c, d, e]: [N<'_>; 5] = std::array::from_fn(|i| recorder.input(i));
    // a is in the highest word of a register: abcd is reversed, and so is the block.
    let start = FourWords { words: [a, b, c, d], from: -1 };
    let mut abcd = start;
    let mut m: [FourWords<'_>; 4] =
        std::array::from_fn(|i| p.block(std::array::from_fn(|j| recorder.input(5 + 4 * i + j))));
    let start_e = FourWords { words: [e; 4], from: -2 };
    let mut before = abcd;
    for group in 0..20 {
        if group >= 4 {
            let [m0, m1, m2, m3] = m;
            let [w0, w1, w2, w3] = m0.words;
            let words = [w0 ^ w2, w1 ^ w3, w2 ^ m1.words[0], w3 ^ m1.words[1]];
            let half = p.emit("sha1msg1", &[m0, m1], words);
            let sum = p.xor(half, m2);
            let w16 = (sum.words[0] ^ m3.words[1]).rotl(1);
            let words = [
                w16,
                (sum.words[1] ^ m3.words[2]).rotl(1),
                (sum.words[2] ^ m3.words[3]).rotl(1),
                (sum.words[3] ^ w16).rotl(1),
            ];
            let new = p.emit("sha1msg2", &[sum, m3], words);
            m = [m1, m2, m3, new];
        }
        let w = m[group.min(3)];
        let late = if group == 0 {
            let words = [e + w.words[0], w.words[1], w.words[2], w.words[3]];
            p.emit("vadd", &[start_e, w], words)
        } else {
            nexte(&mut p, before, w)
        };
        let next = rnds4(&mut p, abcd, late, group / 5);
        (before, abcd) = (abcd, next);
    }
    let last_e = nexte(&mut p, before, start_e);
    let abcd = p.add(abcd, start);
    let [a, b, c, d] = abcd.words;
    let outputs = [a, b, c, d, last_e.words[0]].map(Node::id).to_vec();
    let results = vec![abcd.from as usize, last_e.from as usize];
    finish(block, recorder, p, outputs, results)
}

/// SHA1NEXTE: adds the e of four rounds later to the first of four words.
fn nexte<'g>(p: &mut Program, abcd: FourWords<'g>, w: FourWords<'g>) -> FourWords<'g> {
    let [w0, w1, w2, w3] = w.words;
    let words = [abcd.words[0].rotl(30) + w0, w1, w2, w3];
    p.emit("sha1nexte", &[abcd, w], words)
}

/// SHA1RNDS4: four rounds of one phase; `late` is e + W_t and the next three words.
fn rnds4<'g>(
    p: &mut Program,
    abcd: FourWords<'g>,
    late: FourWords<'g>,
    phase: usize,
) -> FourWords<'g> {
    let [mut a, mut b, mut c, mut d] = abcd.words;
    let f = [N::ch, N::xor3, N::maj, N::xor3][phase];
    let mut e = None;
    for w in late.words {
        // The first word already includes e.
        let wk = match e {
            None => w + sha1::K[phase],
            Some(e) => e + (w + sha1::K[phase]),
        };
        let new = wk + f(b, c, d) + a.rotl(5);
        e = Some(d);
        (a, b, c, d) = (new, a, b.rotl(30), c);
    }
    p.emit("sha1rnds4", &[abcd, late], [a, b, c, d])
}

impl ShaProgram {
    /// The number of each operation.
    pub fn counts(&self) -> Vec<(&'static str, usize)> {
        let mut counts = std::collections::BTreeMap::new();
        self.instructions.iter().for_each(|i| *counts.entry(i.op).or_insert(0) += 1);
        counts.into_iter().collect()
    }

    /// The longest path from the state of one block to that of the next, in
    /// cycles, as a matrix for [`cycle_mean`](crate::analyse::cycle_mean).
    /// Unknown latencies are 0.
    pub fn through<C: ConstantValue>(&self, units: &Units<C>) -> Vec<Vec<Option<f64>>> {
        (0..self.results.len() as isize)
            .map(|register| {
                let mut times: Vec<Option<f64>> = Vec::new();
                for i in &self.instructions {
                    let reads = i.reads.iter().enumerate();
                    let done = reads.filter_map(|(operand, &r)| {
                        let ready = match r {
                            r if r == -1 - register => 0.0,
                            r if r >= 0 => times[r as usize]?,
                            _ => return None,
                        };
                        Some(ready + units.latency_from(i.op, operand))
                    });
                    times.push(done.reduce(f64::max));
                }
                self.results.iter().map(|&r| times[r]).collect()
            })
            .collect()
    }

    /// The operations on the longest chain from the state to the state, by name and latency.
    pub fn chain<C: ConstantValue>(&self, units: &Units<C>) -> Vec<Link> {
        let n = self.instructions.len();
        // The time of the result, the instruction before on the chain, and the latency from it.
        let mut best: Vec<Option<(f64, isize, f64)>> = vec![None; n];
        for (at, i) in self.instructions.iter().enumerate() {
            let reads = i.reads.iter().enumerate();
            let done = reads.filter_map(|(operand, &r)| {
                let (ready, from) = if r < 0 { (0.0, -1) } else { (best[r as usize]?.0, r) };
                let latency = units.latency_from(i.op, operand);
                Some((ready + latency, from, latency))
            });
            best[at] = done.max_by(|x, y| x.0.total_cmp(&y.0));
        }
        let end = self.results.iter().copied().max_by(|&x, &y| {
            let time = |r: usize| best[r].map_or(0.0, |b| b.0);
            time(x).total_cmp(&time(y))
        });
        let mut links: Vec<Link> = Vec::new();
        let mut at = end.map_or(-1, |e| e as isize);
        while at >= 0 {
            let op = self.instructions[at as usize].op;
            let (before, latency) = best[at as usize].map_or((-1, 0.0), |b| (b.1, b.2));
            match links.iter_mut().find(|link| (link.op, link.latency) == (op, latency)) {
                Some(link) => link.count += 1,
                None => links.push(Link { op, latency, count: 1 }),
            }
            at = before;
        }
        links.sort_by(|x, y| (x.op, x.latency).partial_cmp(&(y.op, y.latency)).expect("numbers"));
        links
    }
}

/// Operations of one name and latency on a chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// The operation's name in machine models.
    pub op: &'static str,
    /// The latency from the operand on the chain, in cycles.
    pub latency: f64,
    /// The number of operations.
    pub count: usize,
}
