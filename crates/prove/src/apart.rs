//! The proof of functions that check whether blocks belong to collisions of SHA-1.
//!
//! Such a function reads a block per lane, the difference of the other message's schedule, and the chaining
//! values before and after the block. The specification is `lanesum_spec::sha1dc::apart`. Nothing depends on a
//! count, so the code is executed once per lane.

use lanesum_spec::sha1dc::apart;

use super::address::{Address, Region};
use super::call::{Blocks, Call, Stride};
use super::domain::{Domain, Nodes, Numbers};
use super::fault::Fault;
use super::lengths::{Count, DIFFERENCE, MAX_LANES};
use super::value::{Byte, Bytes};
use super::{Binary, random};
use lanesum_graph::eval::eval;
use lanesum_graph::graph::{Graph, Id, Op};
use lanesum_graph::record::Recorder;

/// The number of words of a block.
const BLOCK: usize = 16;

/// The number of words of a chaining value.
const STATE: usize = 5;

/// The number of inputs: a block, a difference, whether the vector is late, and the chaining values before and
/// after the block.
const INPUTS: usize = LATE + 1 + 2 * STATE;

/// The input that is nonzero if the vector is late.
const LATE: usize = BLOCK + DIFFERENCE;

/// The specification's results for these inputs.
fn specified(graph: &mut Graph, inputs: &[Id]) -> [Id; 2] {
    let recorder = Recorder::over(std::mem::replace(graph, Graph::new(u32::BITS)));
    let word = |i: usize| recorder.at::<u32, false>(inputs[i]);
    let before = LATE + 1;
    let found = apart(
        std::array::from_fn(word),
        &std::array::from_fn(|i| word(BLOCK + i)),
        word(LATE),
        std::array::from_fn(|i| word(before + i)),
        std::array::from_fn(|i| word(before + STATE + i)),
    );
    let found = found.map(|word| word.id());
    *graph = recorder.finish();
    found
}

impl Binary<'_> {
    /// The bytes of the engine's `Pairs`, for the inputs of one lane: slices of each lane's block and difference,
    /// whether the vector is late, and the chaining values before and after the block.
    ///
    /// Rust does not fix the order of its fields. Code that reads them in another order is not proven.
    fn pairs<W: Copy>(&self, lane: usize, inputs: &[W]) -> Bytes<W> {
        let pointer = self.image.pointer();
        let slice = |lane: usize, region: Region, len: Count| {
            if lane >= self.kernel.lanes {
                return vec![Byte::Unknown; 2 * pointer.0];
            }
            [Address::new(region, 0), Address::counted(1, len)]
                .map(|part| pointer.bytes(part))
                .concat()
        };
        let blocks = (0..MAX_LANES)
            .flat_map(|lane| slice(lane, Region::Message(lane as u16), Count::Slice(lane as u8)));
        let differences = (0..MAX_LANES).flat_map(|lane| {
            slice(lane, Region::Difference(lane as u8), Count::Difference(lane as u8))
        });
        let words = inputs[LATE..].iter().flat_map(|&word| {
            (0..MAX_LANES).flat_map(move |other| {
                (0..4).map(move |i| if other == lane { Byte::Of(word, i) } else { Byte::Unknown })
            })
        });
        blocks.chain(differences).chain(words).collect()
    }

    /// Executes the function for the inputs of one lane, and compares its results with `expected`.
    fn check_apart<D: Domain>(
        &self,
        domain: &mut D,
        lane: usize,
        inputs: &[D::Word],
        expected: [D::Word; 2],
        mut seen: impl FnMut(u64),
    ) -> Result<(), Fault> {
        let call = Call {
            link: self.pairs(lane, inputs),
            difference: &inputs[BLOCK..][..DIFFERENCE],
            ..self.call(Stride::Is(self.kernel.lanes), lane, &inputs[..BLOCK], Blocks::Are(1))
        };
        let mut machine = call.entry_state(self.entry, &[]);
        call.run(domain, &mut machine, None, |at, _| seen(at))?;
        call.check_return(domain, &machine, &[])?;
        let mut words = call.words(domain);
        for (i, wanted) in expected.into_iter().enumerate() {
            let found = words.value(&machine.out[4 * (MAX_LANES * i + lane)..][..4]);
            if !words.as_word(found).is_some_and(|found| words.domain.equal(found, wanted)) {
                return Err(Fault::whole(format!("result {i} of lane {lane} is not proven")));
            }
        }
        Ok(())
    }

    /// Proves one lane for any block, difference and chaining values.
    pub(super) fn prove_apart(&self, nodes: &mut Nodes, lane: usize) -> Result<(), Fault> {
        let input = |i: usize| nodes.graph.node(Op::Input(i as u32));
        let inputs: Vec<Id> = (0..INPUTS).map(input).collect();
        let expected = specified(&mut nodes.graph, &inputs);
        self.check_apart(nodes, lane, &inputs, expected, |_| ())
    }

    /// Executes the function on concrete values. This finds counterexamples but proves nothing. Calls `seen` with
    /// the address of each instruction.
    pub(super) fn refute_apart(&self, mut seen: impl FnMut(u64)) -> Result<(), Fault> {
        let mut graph = Graph::new(u32::BITS);
        let inputs: Vec<Id> = (0..INPUTS).map(|i| graph.node(Op::Input(i as u32))).collect();
        let wanted = specified(&mut graph, &inputs);
        let (mut random, mut domain) = (random(u32::BITS), Numbers { bits: u32::BITS });
        for lane in 0..self.kernel.lanes {
            let mut inputs: Vec<u64> = (0..INPUTS).map(|_| random()).collect();
            inputs[LATE] = if inputs[LATE] & 1 == 1 { u32::MAX.into() } else { 0 };
            let values = eval(&graph, &inputs);
            let expected = wanted.map(|id| values[id.index()]);
            self.check_apart(&mut domain, lane, &inputs, expected, &mut seen)?;
        }
        Ok(())
    }
}
