//! Lower bounds and estimates for each shape of kernel on a machine.
//!
//! Two theorems bound a kernel: no iteration is shorter than the longest chain from
//! the state of one block to that of the next (divided among the interleaved streams),
//! and none is shorter than the work of any pool of units divided by their number.
//!
//! From stated constants they yield a [`Bound`]. From all constants of a machine, including assumed
//! ones, they yield an [`Estimate`].

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use lanesum_spec::Family;

use crate::analyse::instructions::{choices, vector_op};
use crate::analyse::modulo::whole;
use crate::analyse::{
    Cost, Cyclic, Delays, Dependence, Instructions, ShaProgram, cycle_mean, fewest, instructions,
    sha_program, steady_form, through, vector_schedule,
};
use crate::constant::{Bound, ConstantValue, Cycles, Derived, Estimate};
use crate::machine::Units;
use crate::{InstructionSet, Machine, ModelError, Models};
use lanesum_graph::graph::Id;
use lanesum_graph::record::{Block, Form, Specification};
use lanesum_graph::rewrite::{ChForm, Forms, MajForm, NotProven, SigmaForm, expand};

/// The limits of one kernel on one machine.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelLimits<T> {
    /// The kernel's name in the engine: `avx512_2x16`; `scalar` and `stitched` for
    /// kernels of one message in general registers, and `rounds` for their rounds without the schedule.
    pub kernel: String,
    /// The number of streams that it compresses at a time.
    pub lanes: usize,
    /// The bytes per iteration: a block for each lane.
    pub bytes: f64,
    /// The chain of an iteration.
    pub chain: T,
    /// A description of the chain.
    pub chain_of: String,
    /// The time of an iteration in each pool, the busiest first.
    pub pools: Vec<(String, T)>,
    /// The work, by operation of the machine.
    pub cost: Cost,
    /// The forms of the functions.
    pub forms: String,
}

/// The lower bounds of one kernel on one machine, from stated constants.
pub type KernelBound = KernelLimits<Bound>;

/// The limits of one kernel by all constants of a machine, including assumed ones.
pub type KernelEstimate = KernelLimits<Estimate>;

impl<T: Cycles> KernelLimits<T> {
    /// The cycles per iteration: the chain or the busiest pool.
    pub fn cycles(&self) -> f64 {
        self.ports().max(self.chain.cycles())
    }

    /// The cycles of the busiest pool.
    pub fn ports(&self) -> f64 {
        self.pools.first().map_or(0.0, |p| p.1.cycles())
    }

    /// Cycles per byte.
    pub fn cycles_per_byte(&self) -> f64 {
        self.cycles() / self.bytes
    }

    /// The bottleneck: `chain` or a pool.
    pub fn limit(&self) -> &str {
        match self.pools.first() {
            Some((pool, _)) if self.ports() > self.chain.cycles() => pool,
            _ => "chain",
        }
    }
}

/// The accuracy of a measured figure, which is that of the measured length of a cycle.
pub const EXACT: f64 = 0.99;

impl KernelLimits<Bound> {
    /// The bottleneck's bound.
    pub fn bound(&self) -> &Bound {
        match self.pools.first() {
            Some((_, bound)) if bound.cycles() > self.chain.cycles() => bound,
            _ => &self.chain,
        }
    }

    /// Compares a measured figure of this kernel in cycles per byte with the bound.
    ///
    /// # Errors
    ///
    /// The figure is below the bound, so one of the two is wrong. `what` describes the figure.
    pub fn admits(&self, cycles_per_byte: f64, what: &str) -> Result<(), Refuted> {
        if cycles_per_byte >= EXACT * self.cycles_per_byte() {
            return Ok(());
        }
        Err(Refuted {
            measured: what.to_owned(),
            cycles_per_byte,
            bound: self.cycles_per_byte(),
            limit: self.limit().to_owned(),
            sources: self.bound().sources().map(ToString::to_string).collect(),
        })
    }
}

/// A measured figure is below a bound.
#[derive(Clone, Debug, PartialEq)]
pub struct Refuted {
    /// What was measured.
    pub measured: String,
    /// The measured cycles per byte.
    pub cycles_per_byte: f64,
    /// The bound in cycles per byte.
    pub bound: f64,
    /// The bottleneck.
    pub limit: String,
    /// The sources of the constants of the bound.
    pub sources: Vec<String>,
}

impl std::fmt::Display for Refuted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} is {:.3} cycles per byte, below its bound {:.3} ({}; from {})",
            self.measured,
            self.cycles_per_byte,
            self.bound,
            self.limit,
            self.sources.join("; ")
        )
    }
}

impl std::error::Error for Refuted {}

/// The time of `cost` in each pool with known units, the busiest first.
pub(crate) fn pools<T: Derived>(
    units: &Units<T::Constant>,
    cost: &Cost,
    bits: u32,
) -> Vec<(String, T)> {
    let wide = units.widths.get(&bits.to_string());
    let names = units.pools.keys().chain(wide.into_iter().flat_map(|pools| pools.keys()));
    let mut pools: Vec<(String, T)> = names
        .collect::<BTreeSet<_>>()
        .into_iter()
        .filter_map(|pool| {
            let work: Vec<_> = cost
                .counts
                .iter()
                .filter_map(|(op, n)| Some((*n, units.ops.get(*op)?.uses.get(pool)?)))
                .collect();
            // Every instruction occupies a slot of `issue`.
            let slots = if pool == "issue" { cost.total() } else { 0.0 };
            let used = pool == "issue" || !work.is_empty();
            used.then_some((
                pool.clone(),
                T::work(slots, work.into_iter(), units.pool(pool, bits)?),
            ))
        })
        .collect();
    pools.sort_by(|x, y| y.1.cycles().total_cmp(&x.1.cycles()));
    pools
}

/// Bounds of kernels. Machines with the same instructions and latencies share the
/// forms of a block, which are cached.
#[derive(Debug)]
pub struct Kernels<'m> {
    models: &'m Models,
    specification: Specification,
    ways: HashMap<(Family, String, String), Rc<Vec<Way>>>,
    vector_ways: HashMap<(Family, String), Rc<Instructions>>,
    programs: HashMap<Family, Option<Rc<ShaProgram>>>,
}

impl<'m> Kernels<'m> {
    /// Bounds with these models.
    pub fn new(models: &'m Models) -> Self {
        Self::of(models, Specification::default())
    }

    /// Bounds of another specification. Kernels with SHA instructions are unchanged, because these
    /// compute rounds of FIPS 180-4.
    pub fn of(models: &'m Models, specification: Specification) -> Self {
        Self {
            models,
            specification,
            ways: HashMap::new(),
            vector_ways: HashMap::new(),
            programs: HashMap::new(),
        }
    }

    /// The models.
    pub fn models(&self) -> &'m Models {
        self.models
    }

    /// The block of `family` in the form of the specification.
    pub fn record(&self, family: Family) -> Block {
        self.specification.record(family, false)
    }

    /// The forms of `family` for general registers or vectors.
    fn ways(
        &mut self,
        family: Family,
        set: &InstructionSet,
        delays: &Delays,
    ) -> Result<Rc<Vec<Way>>, NotProven> {
        let key = (family, set.name.clone(), format!("{delays:?}"));
        if let Some(ways) = self.ways.get(&key) {
            return Ok(ways.clone());
        }
        let ways = Rc::new(ways(&mut self.record(family), set, delays)?);
        self.ways.insert(key, ways.clone());
        Ok(ways)
    }

    /// The shortest form for vectors, which is used for the schedule.
    fn vector_way(
        &mut self,
        family: Family,
        set: &InstructionSet,
    ) -> Result<Rc<Instructions>, NotProven> {
        let key = (family, set.name.clone());
        if let Some(way) = self.vector_ways.get(&key) {
            return Ok(way.clone());
        }
        let way = Rc::new(fewest(&mut self.record(family), set)?);
        self.vector_ways.insert(key, way.clone());
        Ok(way)
    }

    /// Returns the bounds of all kernels of `family` on `machine`, from its stated constants.
    ///
    /// # Errors
    ///
    /// A model refers to a missing item, or a pass is not proven.
    pub fn bounds(
        &mut self,
        machine: &Machine,
        family: Family,
    ) -> Result<Vec<KernelBound>, BoundError> {
        self.limits(machine, &machine.stated(), family)
    }

    /// Returns the limits of all kernels of `family` on `machine`, from all its constants, also
    /// assumed ones.
    ///
    /// # Errors
    ///
    /// A model refers to a missing item, or a pass is not proven.
    pub fn estimates(
        &mut self,
        machine: &Machine,
        family: Family,
    ) -> Result<Vec<KernelEstimate>, BoundError> {
        self.limits(machine, &machine.units, family)
    }

    /// Returns the shortest chain from block to block of `family` in general registers on `machine`, from its
    /// stated latencies: a bound of every kernel whose rounds are in these registers.
    ///
    /// # Errors
    ///
    /// A model refers to a missing item, or a pass is not proven.
    pub fn chain_bound(&mut self, machine: &Machine, family: Family) -> Result<Bound, BoundError> {
        let (units, set) = (machine.stated(), self.models.instruction_set(&machine.scalar)?);
        let ways = self.ways(family, set, &latencies(machine, &units, None))?;
        let shortest = ways.iter().min_by(|x, y| x.chain.total_cmp(&y.chain));
        Ok(shortest.expect("a way to write it").chain(&units, None))
    }

    /// Returns the loop over blocks of the fastest form of `family` in general registers on `machine`, by all its
    /// constants. Loads of the block and copies have no dependences.
    ///
    /// # Errors
    ///
    /// A model refers to a missing item, or a pass is not proven.
    pub fn scalar_loop(&self, machine: &Machine, family: Family) -> Result<Cyclic, BoundError> {
        let (units, set) = (&machine.units, self.models.instruction_set(&machine.scalar)?);
        let mut block = self.record(family);
        let ways = ways(&mut block, set, &latencies(machine, units, None))?;
        let cycles = |way: &Way| {
            let pools = pools::<Estimate>(units, &way.instructions.cost, 0);
            let busiest = pools.first().map_or(0.0, |pool| pool.1.cycles());
            (busiest.max(way.chain), busiest + way.chain)
        };
        let by_cycles = |x: &&Way, y: &&Way| cycles(x).partial_cmp(&cycles(y)).expect("numbers");
        let best = ways.iter().min_by(by_cycles).expect("a way to write it");
        let (graph, form) = (&block.graph, &best.instructions.form);
        let nodes: Vec<Id> = graph.reachable(form.outputs.iter().copied());
        let name = |id| match graph.op(id).kind()?.name() {
            // Two words and a constant.
            "lea" if units.ops.contains_key("lea3") => Some("lea3"),
            name => Some(name),
        };
        let operations = nodes.iter().filter_map(|&id| Some((id, name(id)?)));
        let operations: Vec<(Id, &str)> = operations.collect();
        let at: HashMap<Id, usize> =
            operations.iter().enumerate().map(|(i, &(id, _))| (id, i)).collect();
        let mut cyclic = Cyclic::of_units(units);
        let moves = ["mov", "load"].map(|op| (op, best.instructions.cost.of(op) as usize));
        let moves = moves.into_iter().flat_map(|(op, n)| std::iter::repeat_n(op, n));
        for op in operations.iter().map(|o| o.1).chain(moves) {
            cyclic.push(units, &[op]);
        }
        for &(id, _) in &operations {
            let mut depend = |from: usize, distance: i64| {
                let latency = whole(units.latency(operations[from].1));
                cyclic.dependences.push(Dependence { from, to: at[&id], latency, distance });
            };
            for operand in graph.op(id).operands() {
                if let Some(&from) = at.get(&operand) {
                    depend(from, 0);
                } else if let Some(word) = block.state.iter().position(|s| *s == operand) {
                    depend(at[&form.outputs[word]], 1);
                }
            }
        }
        Ok(cyclic)
    }

    /// Returns the bounds of `family` by SHA instructions on `machine`, for one, two and four streams.
    pub fn sha_bounds(&mut self, machine: &Machine, family: Family) -> Vec<KernelBound> {
        self.sha_limits(machine, &machine.stated(), family)
    }

    fn sha_limits<T: Derived>(
        &mut self,
        machine: &Machine,
        units: &Units<T::Constant>,
        family: Family,
    ) -> Vec<KernelLimits<T>> {
        if !machine.sha {
            return Vec::new();
        }
        let program =
            self.programs.entry(family).or_insert_with(|| sha_program(family).map(Rc::new));
        let Some(program) = program else { return Vec::new() };
        [1, 2, 4].map(|streams| sha_kernel(program, units, streams)).into()
    }

    fn limits<T: Derived>(
        &mut self,
        machine: &Machine,
        units: &Units<T::Constant>,
        family: Family,
    ) -> Result<Vec<KernelLimits<T>>, BoundError> {
        let models = self.models;
        let mut found = Vec::new();
        let set = models.instruction_set(&machine.scalar)?;
        let block = self.record(family);
        let ways = self.ways(family, set, &latencies(machine, units, None))?;
        let bytes = family.block_len() as f64;
        let fits = family.word_bits() <= machine.scalar_bits;
        let scalar = best(ways.iter().map(|way| KernelLimits {
            kernel: "scalar".to_owned(),
            lanes: 1,
            bytes,
            chain: way.chain(units, None),
            chain_of: way.chain_of.clone(),
            pools: pools(units, &way.instructions.cost, 0),
            cost: way.instructions.cost.clone(),
            forms: way.name(),
        }));
        found.extend(fits.then_some(scalar));
        // The rounds without the schedule bound every kernel that computes it in vectors.
        if fits && !block.spec.rounds.is_empty() {
            found.push(best(ways.iter().map(|way| {
                let cost = rounds_only(&block, way, set);
                KernelLimits {
                    kernel: "rounds".to_owned(),
                    lanes: 1,
                    bytes,
                    chain: way.chain(units, None),
                    chain_of: way.chain_of.clone(),
                    pools: pools(units, &cost, 0),
                    cost,
                    forms: way.name(),
                }
            })));
        }
        for name in &machine.vectors {
            let vector = models.instruction_set(name)?;
            let lanes = (vector.vector_bits / family.word_bits()) as usize;
            let vector_block = self.vector_way(family, vector)?;
            if fits && !block.spec.rounds.is_empty() && vector.vector_bits <= 128 {
                found.push(best(ways.iter().map(|way| {
                    let cost = rounds_only(&block, way, set).plus(&vector_schedule(
                        &block,
                        &vector_block,
                        lanes,
                        vector,
                    ));
                    KernelLimits {
                        kernel: format!("{name}_stitched"),
                        lanes: 1,
                        bytes,
                        chain: way.chain(units, None),
                        chain_of: way.chain_of.clone(),
                        pools: pools(units, &cost, vector.vector_bits),
                        cost,
                        forms: way.name(),
                    }
                })));
            }
            if lanes >= 2 {
                for groups in [1, 2] {
                    let delays = latencies(machine, units, Some(vector));
                    let ways = self.ways(family, vector, &delays)?;
                    found.push(lane_kernel(&block, &ways, units, vector, groups));
                }
            }
        }
        found.extend(self.sha_limits(machine, units, family));
        Ok(found)
    }
}

fn best<T: Cycles>(limits: impl Iterator<Item = KernelLimits<T>>) -> KernelLimits<T> {
    limits
        .min_by(|x, y| {
            let key = |b: &KernelLimits<T>| (b.cycles(), b.ports() + b.chain.cycles());
            key(x).partial_cmp(&key(y)).expect("cycles are numbers")
        })
        .expect("a way to write it")
}

/// A form of a block, with its chain.
#[derive(Debug)]
struct Way {
    instructions: Instructions,
    order: &'static str,
    chain: f64,
    chain_of: String,
}

impl Way {
    fn name(&self) -> String {
        format!("{}, sums {}", self.instructions.forms.name(), self.order)
    }

    /// The chain, which was computed from the latencies in `units`.
    fn chain<T: Derived>(&self, units: &Units<T::Constant>, vector: Option<&InstructionSet>) -> T {
        let ops = CHAINED.map(|op| if vector.is_some() { vector_op(op) } else { op });
        T::chain(self.chain, ops.iter().flat_map(|op| units.latencies(op)))
    }
}

/// The operations in a chain from round to round.
const CHAINED: [&str; 5] = ["add", "logic", "ternary", "rotate", "shift"];

/// The latencies in `units` for general registers or vectors. A latency that is not in `units`, though the
/// machine has the operation, is 0: a chain of the others is a lower bound.
fn latencies<C: ConstantValue>(
    machine: &Machine,
    units: &Units<C>,
    vector: Option<&InstructionSet>,
) -> Delays {
    let name = |op: &'static str| if vector.is_some() { vector_op(op) } else { op };
    let has = |op| machine.units.ops.contains_key(name(op));
    let latency = |op| has(op).then(|| units.latency(name(op)));
    let shifts = latency("shift").unwrap_or(1.0) + latency("logic").unwrap_or(1.0);
    let rotate = match vector {
        Some(set) if set.rotate == crate::Rotate::None => shifts,
        Some(set) if set.rotate == crate::Rotate::ShiftInsert => {
            2.0 * latency("shift").unwrap_or(1.0)
        }
        _ => latency("rotate").unwrap_or(shifts),
    };
    let logic = latency("logic").unwrap_or(1.0);
    let ternary = latency("ternary").unwrap_or(2.0 * logic);
    Delays { add: latency("add").unwrap_or(1.0), logic, rotate, function: ternary, sigma: ternary }
}

fn chain(block: &Block, form: &Form, delays: &Delays) -> f64 {
    cycle_mean(&through(&block.graph, &block.state, &form.outputs, delays)).0
}

/// The forms of the whole function with different sums: the specification's, its
/// short form, and with the earliest term first.
fn orders(
    block: &mut Block,
    forms: Forms,
    delays: &Delays,
) -> Result<Vec<(&'static str, Form)>, NotProven> {
    let mut orders = vec![("as written", block.spec.clone())];
    let short = block.record(true);
    if short != block.spec {
        orders.push(("short", short));
    }
    let spec = block.spec.clone();
    let written = expand(&mut block.graph, &spec, forms)?;
    let state = block.state.clone();
    orders.push(("earliest first", steady_form(&mut block.graph, &state, &written, delays)?.1));
    Ok(orders)
}

/// The promising forms: those with few operations and those with short chains.
fn ways(block: &mut Block, set: &InstructionSet, delays: &Delays) -> Result<Vec<Way>, NotProven> {
    let mut ways = Vec::new();
    let worth = |forms: &Forms| match (set.ternary, forms.ch, forms.maj) {
        (true, ..) => true,
        // Chained rotations save copies.
        _ if forms.sigma == SigmaForm::Chained && set.operands == 3 => false,
        (_, ChForm::Split, MajForm::Plain) | (_, ChForm::Mux, MajForm::Split) => false,
        (_, _, MajForm::Plain) => block_has_no_reuse(block),
        _ => true,
    };
    let candidates: Vec<Forms> = choices(set).into_iter().filter(worth).collect();
    for forms in candidates {
        for (order, form) in orders(block, forms, delays)? {
            let instructions = instructions(block, &form, forms, set)?;
            let whole = expand(&mut block.graph, &form, forms)?;
            let chain = chain(block, &whole, delays);
            let chain_of = format!("{} rounds", block.rounds());
            ways.push(Way { instructions, order, chain, chain_of });
        }
    }
    Ok(ways)
}

fn block_has_no_reuse(block: &Block) -> bool {
    !matches!(block.family, Family::Sha256 | Family::Sha512)
}

/// The cost of a form whose W_t + K_t are loaded from memory.
fn rounds_only(block: &Block, way: &Way, set: &InstructionSet) -> Cost {
    let mut cost = way.instructions.cost.clone();
    for (op, n) in &way.instructions.schedule.counts {
        cost.add(op, -n);
    }
    // Adding K_t: in an address computation or a separate addition.
    let rounds = block.rounds() as f64;
    if cost.of("lea") >= rounds {
        cost.add("lea", -rounds);
        cost.add("add", rounds);
    } else {
        cost.add("add", -rounds);
    }
    cost.add("load", -16.0);
    fetch(&mut cost, rounds, set);
    if !set.swapping_load {
        cost.add("swap", -16.0);
    }
    cost.counts.retain(|_, n| n.abs() > 1e-9);
    cost
}

/// The loads of `words` words that the vector code stored in memory: none if additions accept
/// memory operands.
pub(crate) fn fetch(cost: &mut Cost, words: f64, set: &InstructionSet) {
    if !set.memory_operand {
        cost.add("load", words);
    }
}

fn lane_kernel<T: Derived>(
    block: &Block,
    ways: &[Way],
    units: &Units<T::Constant>,
    set: &InstructionSet,
    groups: usize,
) -> KernelLimits<T> {
    let lanes = (set.vector_bits / block.family.word_bits()) as usize;
    best(ways.iter().map(|way| {
        let mut turn = Cost::default();
        for (op, n) in &way.instructions.cost.counts {
            match *op {
                "swap" | "load" => {}
                op => turn.add(vector_op(op), *n),
            }
        }
        let rounds = block.rounds() as f64;
        turn.add("vload", 16.0 + rounds);
        // With two groups or sixteen registers, sixteen words do not fit in registers.
        if groups == 2 || set.vector_bits < 512 {
            let (reads, writes) = match block.family {
                // The word at distance three is in a register.
                Family::Sha1 => (3.0 * (rounds - 16.0) + 16.0, rounds),
                Family::Sha256 | Family::Sha512 => (4.0 * (rounds - 16.0) + 16.0, rounds),
                // Two cache lines.
                Family::Ripemd160 => (2.0 * rounds, 16.0),
                other => {
                    let expanded = other.expanded_words() as f64 - 16.0;
                    (5.0 * expanded + rounds, expanded + 16.0)
                }
            };
            turn.add("vload", reads);
            turn.add("vstore", writes);
        }
        if block.family.is_big_endian() {
            turn.add("vshuffle", 16.0);
        }
        let streams = if groups == 1 { "x" } else { "2x" };
        let cost = turn.times(groups as f64);
        KernelLimits {
            kernel: format!("{}_{streams}{lanes}", set.name),
            lanes: lanes * groups,
            bytes: (block.family.block_len() * lanes * groups) as f64,
            chain: way.chain(units, Some(set)),
            chain_of: way.chain_of.clone(),
            pools: pools(units, &cost, set.vector_bits),
            cost,
            forms: way.name(),
        }
    }))
}

fn sha_kernel<T: Derived>(
    program: &ShaProgram,
    units: &Units<T::Constant>,
    streams: usize,
) -> KernelLimits<T> {
    let mut cost = Cost::default();
    for (op, n) in program.counts() {
        cost.add(op, (n * streams) as f64);
    }
    let (chain, _) = cycle_mean(&program.through(units));
    // Operations of unknown latency are on every chain.
    let links: Vec<_> =
        program.chain(units).into_iter().filter(|link| link.latency > 0.0).collect();
    let chain_of: Vec<String> =
        links.iter().map(|link| format!("{} {} x {}", link.count, link.op, link.latency)).collect();
    let latencies = links.iter().flat_map(|link| units.latencies(link.op));
    KernelLimits {
        kernel: format!("sha_ni_x{streams}"),
        lanes: streams,
        bytes: (64 * streams) as f64,
        chain: T::chain(chain, latencies),
        chain_of: chain_of.join(" + "),
        pools: pools(units, &cost, 128),
        cost,
        forms: "SHA instructions".to_owned(),
    }
}

/// The reason why a bound cannot be computed.
#[derive(Debug)]
pub enum BoundError {
    /// An error in a model.
    Model(ModelError),
    /// A pass.
    NotProven(NotProven),
    /// A measured figure is below a bound.
    Refuted(Refuted),
}

impl std::fmt::Display for BoundError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Model(error) => error.fmt(f),
            Self::NotProven(error) => error.fmt(f),
            Self::Refuted(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BoundError {}

impl From<ModelError> for BoundError {
    fn from(error: ModelError) -> Self {
        Self::Model(error)
    }
}

impl From<NotProven> for BoundError {
    fn from(error: NotProven) -> Self {
        Self::NotProven(error)
    }
}

impl From<Refuted> for BoundError {
    fn from(error: Refuted) -> Self {
        Self::Refuted(error)
    }
}
