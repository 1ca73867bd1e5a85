//! Proof that the machine code of a kernel, as shipped, computes the specification.
//!
//! The prover loads the code from the linked library or program and executes it symbolically, one
//! lane at a time. The other lanes' words are unknown values, so a lane proven equal to the
//! specification of its message does not depend on other lanes.
//!
//! Addresses are offsets into symbolic regions, so the proof holds for any placement of the
//! regions. The `processor` rejects whatever a kernel must not do: branches and addresses that
//! depend on a word, and accesses outside the kernel's arguments.
#![forbid(unsafe_code)]

mod address;
mod apart;
mod bitwise;
mod bounds;
#[cfg(test)]
mod brute;
mod call;
mod callee;
mod case;
mod cell;
mod classes;
mod code;
pub mod concrete;
mod conditions;
mod contract;
mod copied;
mod digest_blocks;
mod domain;
mod ends;
mod fault;
mod features;
mod fingerprint;
mod finish;
mod finish_runs;
mod flags;
mod general;
mod grammar;
mod image;
mod induction;
mod instruction;
mod iterate;
mod kernel;
mod lengths;
mod loaded;
mod masks;
mod memory;
mod merged;
mod nodes;
mod processor;
mod reached;
mod run;
mod screened;
mod sha;
pub mod text;
mod tools;
mod trace;
mod truth;
mod unambiguous;
mod value;
mod vector;
mod words;

pub mod linux;

use std::collections::BTreeSet;
use std::sync::Arc;

use self::call::{Blocks, Call, Stride};
pub use self::code::Code;
use self::contract::Argument;
pub use self::contract::Contract;
use self::domain::{Domain, Nodes, Numbers};
pub use self::fault::Fault;
pub use self::features::Features;
pub use self::fingerprint::{check_fingerprints, fingerprints};
pub use self::image::{Dispatched, Function, Image};
use self::induction::BlockLoop;
pub use self::instruction::{Instruction, Mnemonic, Operand, Place, decode};
pub use self::kernel::{Shipped, Task};
pub use self::processor::Flags;
pub use self::reached::left_out;
pub use self::tools::read;
pub use self::trace::{Access, Executed, Resource};
use lanesum_graph::eval::eval;
use lanesum_graph::record::Block;

/// A kernel's machine code and its contract.
pub struct Binary<'a> {
    /// The kernel under proof.
    pub kernel: Shipped,
    image: &'a Image,
    code: Code,
    entry: u64,
    block: Arc<Block>,
    contract: Contract,
    /// The function that compresses whole blocks, if the kernel calls one.
    compress: Option<Whole>,
}

/// A function that compresses whole blocks and has a separate proof.
#[derive(Clone)]
struct Whole {
    entry: u64,
    arguments: Vec<Argument>,
    code: Code,
}

impl<'a> Binary<'a> {
    /// The kernel `kernel`, implemented by `function` and called under `contract`.
    fn new(image: &'a Image, function: &Function, kernel: Shipped, contract: Contract) -> Self {
        let block = contract.block(kernel.family);
        let code = Code::new(image, function);
        let compress = match kernel.task {
            Task::Finish => {
                let compress = Self::find(image, Shipped { task: Task::Compress, ..kernel });
                compress.ok().map(|Self { entry, contract, code, .. }| Whole {
                    entry,
                    arguments: contract.arguments,
                    code,
                })
            }
            _ => None,
        };
        Self { kernel, image, code, entry: function.address, block, contract, compress }
    }

    /// The kernel as implemented by the function at `address`, if a function starts there.
    pub fn at(image: &'a Image, address: u64, kernel: Shipped) -> Option<Self> {
        let function = image.function(address)?;
        Some(Self::new(image, function, kernel, Contract::of_engine(kernel, image.pointer())))
    }

    /// The entry point.
    pub fn entry(&self) -> u64 {
        self.entry
    }

    /// Finds the kernel in a program: the function of its name that the engine's table refers to.
    /// An object has no table; there it is the function of that name that passes the concrete
    /// tests.
    ///
    /// # Errors
    ///
    /// If no function, or more than one, qualifies.
    pub fn find(image: &'a Image, kernel: Shipped) -> Result<Self, Fault> {
        let path = kernel.path();
        if !image.is_object() || !image.dispatched().is_empty() {
            let [at] = image.entries(kernel)[..] else {
                return Err(Fault::whole(format!("no table entry refers to {path}")));
            };
            let Some(function) = image.named(&path).find(|function| function.address == at) else {
                let what = format!("its table entry refers to {at:#x}, which is not {path}");
                return Err(Fault::whole(what));
            };
            let contract = Contract::of_engine(kernel, image.pointer());
            return Ok(Self::new(image, function, kernel, contract));
        }
        let mut last = Fault::whole(format!("there is no function {path}"));
        let mut all = Vec::new();
        for function in image.named(&path) {
            let contract = Contract::of_engine(kernel, image.pointer());
            let found = Self::new(image, function, kernel, contract);
            match found.refute() {
                Ok(()) => all.push(found),
                Err(fault) => last = fault,
            }
        }
        if all.len() > 1 {
            // An object does not show which of them is called.
            return Err(Fault::whole(format!("there are {} functions named {path}", all.len())));
        }
        all.pop().ok_or(last)
    }

    /// The number of instructions, callees included.
    pub fn len(&self) -> usize {
        self.code.instructions().count()
    }

    /// Whether every CPU that the kernel targets supports all of its instructions, executed or not. This includes the
    /// instructions of the function that compresses whole blocks, which it may call by its address.
    pub fn is_supported(&self) -> bool {
        let is_there = |&feature: &_| self.contract.features.has(feature);
        let whole = self.compress.iter().flat_map(|whole| whole.code.instructions());
        self.code.instructions().chain(whole).flat_map(|one| one.features).all(is_there)
    }

    /// Whether the code has no instructions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The encoding of one of the kernel's instructions.
    pub fn bytes(&self, instruction: &Instruction) -> Option<&[u8]> {
        self.image.code(instruction)
    }

    /// The decoded code.
    pub fn code(&self) -> &Code {
        &self.code
    }

    /// A copy with `code` in place of its code.
    pub fn with(&self, code: Code) -> Self {
        let Self { kernel, image, entry, ref block, ref contract, ref compress, .. } = *self;
        Self {
            kernel,
            image,
            code,
            entry,
            block: block.clone(),
            contract: contract.clone(),
            compress: compress.clone(),
        }
    }

    /// The stride cases: equal to the number of lanes, and any greater one. Code may compare the
    /// stride with the number of lanes.
    fn strides(&self) -> impl Iterator<Item = Stride> + use<> {
        let lanes = self.kernel.lanes;
        let all = match self.kernel.task {
            Task::Finish if lanes > 1 => vec![Stride::AtLeast(lanes)],
            _ => vec![Stride::Is(lanes), Stride::AtLeast(lanes + 1)],
        };
        all.into_iter().take(if self.contract.strided { 2 } else { 1 })
    }

    /// The lanes to prove. A proof skips reads whose position only another lane's length decides;
    /// that lane's proof covers them. A position that depends on two lengths is detected in the
    /// proof of a third lane. Two lanes need an additional proof that considers neither.
    fn lanes(&self) -> std::ops::Range<usize> {
        let lanes = self.kernel.lanes;
        let neither = self.kernel.task == Task::Finish && lanes == 2;
        0..lanes + usize::from(neither)
    }

    /// A distance for each stride case, for concrete executions.
    fn some_strides(&self) -> impl Iterator<Item = Stride> + use<> {
        self.strides().map(Stride::sample)
    }

    /// The addresses of all executed instructions, over the blocks of any lane.
    ///
    /// # Errors
    ///
    /// See [`refute`](Self::refute).
    pub fn executed(&self) -> Result<BTreeSet<u64>, Fault> {
        let mut all = BTreeSet::new();
        if self.kernel.screens() {
            self.refute_screened(|at| {
                all.insert(at);
            })?;
            return Ok(all);
        }
        if self.kernel.task == Task::Apart {
            self.refute_apart(|at| {
                all.insert(at);
            })?;
            return Ok(all);
        }
        if self.kernel.task == Task::DigestBlocks {
            self.refute_digest_blocks(|at| {
                all.insert(at);
            })?;
            return Ok(all);
        }
        if self.kernel.task == Task::Iterate {
            for stride in self.some_strides() {
                for half in 0..2 {
                    self.trace_iterations(stride, half, 3, |at| {
                        all.insert(at);
                    })?;
                }
            }
            return Ok(all);
        }
        if self.kernel.task == Task::Finish {
            let blocks = if self.kernel.lanes == 1 { [1, 2] } else { [2, 5] };
            for (stride, blocks) in
                self.some_strides().flat_map(|stride| blocks.map(|blocks| (stride, blocks)))
            {
                self.trace_finish(stride, blocks, |at| {
                    all.insert(at);
                })?;
            }
            for stride in self.some_strides() {
                self.trace_ends(stride, |at| {
                    all.insert(at);
                })?;
            }
            // A separate proof covers the function that compresses whole blocks.
            let own = |at: &u64| self.compress.as_ref().is_none_or(|whole| !whole.code.has(*at));
            all.retain(own);
            return Ok(all);
        }
        let mut domain = Numbers { bits: self.kernel.family.word_bits() };
        let mut random = random(self.kernel.family.word_bits());
        let state: Vec<u64> = self.block.state.iter().map(|_| random()).collect();
        let message: Vec<u64> = (0..5 * self.contract.block_words).map(|_| random()).collect();
        for (stride, blocks) in self.some_strides().flat_map(|stride| [(stride, 2), (stride, 5)]) {
            let message = &message[..blocks * self.contract.block_words];
            let call = self.call(stride, 0, message, Blocks::Are(blocks));
            let mut machine = call.entry_state(self.entry, &state);
            call.run(&mut domain, &mut machine, None, |at, _| {
                all.insert(at);
            })?;
        }
        Ok(all)
    }

    /// The entry points of the kernel and of the functions that it calls in some run. Its code may contain other calls,
    /// which no proof executes.
    ///
    /// # Errors
    ///
    /// See [`refute`](Self::refute).
    pub fn called(&self) -> Result<Vec<u64>, Fault> {
        let all: Vec<u64> = self.code.functions().collect();
        if all.len() == 1 {
            return Ok(all);
        }
        let executed = self.executed()?;
        Ok(all.into_iter().filter(|at| executed.contains(at)).collect())
    }

    /// This code under another kernel's contract.
    pub fn as_if(&self, kernel: Shipped) -> Self {
        let Self { image, entry, ref code, ref compress, .. } = *self;
        let contract = Contract::of_engine(kernel, image.pointer());
        let block = contract.block(kernel.family);
        let compress = compress.clone();
        Self { kernel, image, code: code.clone(), entry, block, contract, compress }
    }

    fn call<'c, W>(
        &'c self,
        stride: Stride,
        lane: usize,
        message: &'c [W],
        blocks: Blocks,
    ) -> Call<'c, W> {
        Call {
            image: self.image,
            code: &self.code,
            contract: &self.contract,
            stride,
            lane,
            message,
            blocks,
            link: Vec::new(),
            difference: &[],
            padding_block: &[],
            half: 0,
            lengths: None,
            compress: self.compress.as_ref(),
            trace: Vec::new(),
            conditions: None,
        }
    }

    /// Executes the code on concrete values: one to three blocks in a sample of lanes. This finds
    /// counterexamples but proves nothing.
    ///
    /// # Errors
    ///
    /// The first fault.
    pub fn refute(&self) -> Result<(), Fault> {
        if self.kernel.screens() {
            return self.refute_screened(|_| ());
        }
        if self.kernel.task == Task::Apart {
            return self.refute_apart(|_| ());
        }
        if self.kernel.task == Task::DigestBlocks {
            return self.refute_digest_blocks(|_| ());
        }
        if self.kernel.task == Task::Iterate {
            return self.refute_iterations();
        }
        if self.kernel.task == Task::Finish {
            return self.refute_finish();
        }
        let mut random = random(self.kernel.family.word_bits());
        if self.kernel.task == Task::Write {
            let state: Vec<u64> = self.block.state.iter().map(|_| random()).collect();
            let mut domain = Numbers { bits: self.kernel.family.word_bits() };
            return self.some_strides().try_for_each(|stride| {
                let mut lanes = 0..self.kernel.lanes;
                lanes.try_for_each(|lane| self.runs(&mut domain, stride, lane, &state, &[], &state))
            });
        }
        // A sample that includes the last lane; the proof covers all lanes.
        let (lanes, words) = (self.kernel.lanes, self.contract.block_words);
        for i in 0..6 {
            let (lane, blocks) = (((i + 1) * lanes.max(6) / 6 - 1) % lanes, 1 + i % 3);
            let state: Vec<u64> = self.block.state.iter().map(|_| random()).collect();
            let message: Vec<u64> = (0..words * blocks).map(|_| random()).collect();
            let expected = message.chunks_exact(words).fold(state.clone(), |state, words| {
                let values = eval(&self.block.graph, &[&state[..], words].concat());
                self.block.spec.outputs.iter().map(|id| values[id.index()]).collect()
            });
            let mut domain = Numbers { bits: self.kernel.family.word_bits() };
            for stride in self.some_strides() {
                self.runs(&mut domain, stride, lane, &state, &message, &expected)?;
            }
            if self.kernel.task == Task::Traced {
                self.refute_traces(&state, &message)?;
            }
        }
        Ok(())
    }

    /// Executes the code from the call to the return, and checks the result.
    fn runs<D: Domain>(
        &self,
        domain: &mut D,
        stride: Stride,
        lane: usize,
        state: &[D::Word],
        message: &[D::Word],
        expected: &[D::Word],
    ) -> Result<(), Fault> {
        let blocks = Blocks::Are(message.len() / self.contract.block_words);
        let call = self.call(stride, lane, message, blocks);
        let mut machine = call.entry_state(self.entry, state);
        call.run(domain, &mut machine, None, |_, _| ())?;
        call.check_return(domain, &machine, expected)
    }

    /// Returns the chaining value that the code computes for one lane of `message`.
    ///
    /// # Errors
    ///
    /// At the first instruction that violates the rules for kernels.
    pub fn run(&self, state: &[u64], message: &[u64]) -> Result<Vec<u64>, Fault> {
        let mut domain = Numbers { bits: self.kernel.family.word_bits() };
        let blocks = Blocks::Are(message.len() / self.contract.block_words);
        let call = self.call(Stride::Is(self.kernel.lanes), 0, message, blocks);
        let mut machine = call.entry_state(self.entry, state);
        call.run(&mut domain, &mut machine, None, |_, _| ())?;
        Ok(call.chaining(&mut domain, &machine))
    }

    /// Proves that every lane computes the specification of its message and of no other, for any
    /// number of blocks and any initial chaining value.
    ///
    /// # Errors
    ///
    /// The first fault: a violation of the rules for kernels, or a missing proof.
    pub fn prove(&self) -> Result<(), Fault> {
        // Lanes share the graph: code mostly treats each lane's words alike, so the nodes coincide.
        let mut nodes = self.nodes();
        // Most code does not compare the stride with the number of lanes, so one proof covers both
        // cases.
        let any = Stride::AtLeast(self.kernel.lanes);
        if self.strides().count() > 1 && self.prove_at(&mut nodes, any).is_ok() {
            return Ok(());
        }
        self.strides().try_for_each(|stride| self.prove_at(&mut nodes, stride))
    }

    /// Proves every lane, for chaining values with this stride.
    fn prove_at(&self, nodes: &mut Nodes, stride: Stride) -> Result<(), Fault> {
        let found = self.loop_over_blocks(stride)?;
        self.lanes().try_for_each(|lane| self.prove_one_lane(nodes, stride, lane, found.as_ref()))
    }

    /// Proves like [`prove`](Self::prove), and passes each step to `print`, one line at a time. For
    /// each stride and lane it prints the invariant at the loop header, the branches of each path
    /// with their conditions, and the equal words. It then prints each node with its normal form
    /// and the rewrite rule that yields it, and the forms.
    ///
    /// # Errors
    ///
    /// See [`prove`](Self::prove).
    pub fn prove_in_steps(&self, print: &mut dyn FnMut(&str)) -> Result<(), Fault> {
        for stride in self.strides() {
            let found = self.loop_over_blocks(stride)?;
            for lane in self.lanes() {
                print(&format!("kernel {}, {stride:?} words apart, lane {lane}", self.kernel));
                let mut nodes = Nodes { steps: Some(Vec::new()), ..self.nodes() };
                let shown = self.prove_one_lane(&mut nodes, stride, lane, found.as_ref());
                nodes.steps.iter().flatten().for_each(|step| print(step));
                nodes.graph.steps().for_each(|step| print(&step));
                shown?;
            }
        }
        Ok(())
    }

    /// The specification's graph, which the proof extends by the nodes of the code.
    fn nodes(&self) -> Nodes {
        Nodes::new(self.block.graph.clone())
    }

    /// Proves one lane.
    ///
    /// # Errors
    ///
    /// See [`prove`](Self::prove).
    pub fn prove_lane(&self, lane: usize) -> Result<(), Fault> {
        for stride in self.strides() {
            self.prove_one_lane(
                &mut self.nodes(),
                stride,
                lane,
                self.loop_over_blocks(stride)?.as_ref(),
            )?;
        }
        Ok(())
    }

    /// The loop over blocks or iterations, if the kernel has one.
    fn loop_over_blocks(&self, stride: Stride) -> Result<Option<BlockLoop>, Fault> {
        match self.kernel.task {
            Task::Compress | Task::Traced | Task::Screen => self.find_loop(stride).map(Some),
            Task::Finish if self.kernel.copies() => Ok(None),
            Task::Finish => self.find_finish(stride).map(Some),
            Task::Write | Task::Read | Task::Apart | Task::DigestBlocks => Ok(None),
            Task::Iterate => self.find_iterations(stride).map(Some),
        }
    }

    fn prove_one_lane(
        &self,
        nodes: &mut Nodes,
        stride: Stride,
        lane: usize,
        found: Option<&BlockLoop>,
    ) -> Result<(), Fault> {
        if let (Task::Iterate, Some(found)) = (self.kernel.task, found) {
            return self.prove_iterations(nodes, stride, lane, found);
        }
        if self.kernel.task == Task::Apart {
            return self.prove_apart(nodes, lane);
        }
        if self.kernel.task == Task::DigestBlocks {
            return self.prove_digest_blocks(nodes, lane);
        }
        if self.kernel.task == Task::Read {
            return self.prove_conditions(nodes);
        }
        if self.kernel.task == Task::Finish {
            return match found {
                Some(found) => self.prove_finish(nodes, stride, lane, found),
                None => self.prove_copied(nodes, stride),
            };
        }
        // Without blocks the state stays the same, and digests are computed from the initial state.
        if self.contract.none {
            let state = &self.block.state;
            self.runs(nodes, stride, lane, state, &[], state)?;
        }
        found.map_or(Ok(()), |found| self.prove_blocks(nodes, stride, lane, found))
    }
}

/// Functions that have a kernel's path but are not a kernel. No table entry refers to them; in an
/// object, none of the kernels of that path computes the same. A proof that went by name might
/// cover them instead of the kernel.
pub fn namesakes(image: &Image, kernel: Shipped) -> Vec<u64> {
    let path = kernel.path();
    let own: BTreeSet<u64> = if image.dispatched().is_empty() {
        let kernels = image.shipped().filter(|other| other.path() == path);
        kernels.filter_map(|other| Binary::find(image, other).ok()).map(|b| b.entry()).collect()
    } else {
        let kernels = image.shipped().filter(|other| other.path() == path);
        kernels.flat_map(|other| image.entries(other)).collect()
    };
    image.named(&path).map(|function| function.address).filter(|at| !own.contains(at)).collect()
}

/// The entries of the engine's tables that refer to no function with a proof for the same family
/// and number of lanes, or to one with an instruction that the entry's kernel does not require of
/// the CPU. `proven` lists the proven kernels with their addresses. An entry whose function is left
/// out must refer to the function of the kernel's path.
pub fn misdirected(image: &Image, proven: &[(Shipped, u64)]) -> Vec<Dispatched> {
    let is_proven = |one: &Dispatched| {
        if one.kernel.is_left_out(8 * image.pointer().0) {
            return image.named(&one.kernel.path()).any(|own| own.address == one.address);
        }
        // It calls the `compress` of the kernel with the proof, whatever the entry's kernel has.
        let as_such = |&(kernel, at): &(Shipped, u64)| {
            let Shipped { lanes, family, task, .. } = one.kernel;
            at == one.address
                && (kernel.lanes, kernel.family, kernel.task) == (lanes, family, task)
                && Binary::at(image, at, kernel)
                    .is_some_and(|binary| binary.as_if(one.kernel).is_supported())
        };
        proven.contains(&(one.kernel, one.address)) || proven.iter().any(as_such)
    };
    image.dispatched().iter().filter(|one| !is_proven(one)).cloned().collect()
}

/// A generator of pseudo-random numbers of `bits` bits.
fn random(bits: u32) -> impl FnMut() -> u64 {
    let mut number = 0x9e37_79b9_7f4a_7c15u64;
    move || {
        number ^= number << 13;
        number ^= number >> 7;
        number ^= number << 17;
        number >> (64 - bits)
    }
}
