//! A simulator of a core: it dispatches in order, executes ready operations oldest first, and retires in order.
//!
//! A [`MicroProgram`] is a sequence of instructions, each of one or several operations with their dependencies. A
//! [`CoreLimits`] limits how many of them are dispatched, wait, execute and retire. Runs with and without a
//! limit differ by its cost.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;

use crate::constant::ConstantValue;
use crate::machine::Units;

/// A queue in which operations wait for their operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queue {
    /// The scheduler of general registers.
    General,
    /// The scheduler of vector registers.
    Vector,
    /// An unlimited one: loads and stores, and copies that register renaming eliminates.
    Unlimited,
}

/// An operation of an instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct MicroOp {
    /// The earlier operations whose results it reads, and the cycle after its start in which it needs each.
    pub after: Vec<(usize, f64)>,
    /// Cycles until its result is available.
    pub latency: f64,
    /// The cycles for which it occupies a unit of each pool, by the pool's index in [`CoreLimits::units`].
    pub takes: Vec<(usize, f64)>,
    /// Where it waits.
    pub queue: Queue,
}

/// A sequence of instructions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MicroProgram {
    operations: Vec<MicroOp>,
    /// The first operation of each instruction, and the number of operations at the end.
    first: Vec<usize>,
}

impl MicroProgram {
    /// Appends an instruction. Its operations may depend on each other.
    pub fn push(&mut self, operations: impl IntoIterator<Item = MicroOp>) {
        self.first.push(self.operations.len());
        self.operations.extend(operations);
    }

    /// The operations so far, which is the index of the next one.
    pub fn operations(&self) -> &[MicroOp] {
        &self.operations
    }

    /// The number of instructions.
    pub fn len(&self) -> usize {
        self.first.len()
    }

    /// Whether it has no instructions.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    fn of(&self, instruction: usize) -> Range<usize> {
        let end = self.first.get(instruction + 1).copied().unwrap_or(self.operations.len());
        self.first[instruction]..end
    }

    /// The length of the longest chain of dependent operations up to each instruction.
    pub fn chains(&self) -> Vec<f64> {
        let mut done = Vec::with_capacity(self.operations.len());
        for operation in &self.operations {
            let ready = operation.after.iter().map(|&(from, late)| done[from] - late);
            let ready = ready.fold(0.0, f64::max);
            done.push(ready + operation.latency);
        }
        let mut longest = 0.0;
        let of = |instruction| {
            longest = done[self.of(instruction)].iter().copied().fold(longest, f64::max);
            longest
        };
        (0..self.len()).map(of).collect()
    }
}

/// A scheduler.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scheduler {
    /// The operations among which it selects ready ones.
    pub entries: usize,
    /// The operations that wait in order for one of these entries.
    pub queue: usize,
}

impl Scheduler {
    /// One that is never full.
    pub const UNLIMITED: Self = Self { entries: usize::MAX, queue: 0 };

    fn room(self) -> usize {
        self.entries.saturating_add(self.queue)
    }
}

/// Units to which operations are bound at dispatch, before it is known which one will be free.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pipes {
    /// The number of units.
    pub count: usize,
    /// The pool of all of them.
    pub pool: usize,
    /// The pools of some of them, with their number. They are the first ones.
    pub parts: Vec<(usize, usize)>,
}

/// The limits of a core.
#[derive(Clone, Debug, PartialEq)]
pub struct CoreLimits {
    /// The instructions that it dispatches per cycle.
    pub issue: f64,
    /// The instructions that it retires per cycle.
    pub retire: f64,
    /// The entries of the reorder buffer.
    pub reorder: usize,
    /// The units of each pool.
    pub units: Vec<f64>,
    /// The scheduler of general registers.
    pub general: Scheduler,
    /// The scheduler of vector registers; without one, both share the first.
    pub vector: Option<Scheduler>,
    /// The units to which operations are bound at dispatch.
    pub bound: Vec<Pipes>,
}

/// A queue of a scheduler in a simulation.
struct Waiting {
    scheduler: Scheduler,
    entered: usize,
    queued: VecDeque<usize>,
}

impl Waiting {
    fn new(scheduler: Scheduler) -> Self {
        Self { scheduler, entered: 0, queued: VecDeque::new() }
    }

    fn has_room(&self) -> bool {
        self.entered + self.queued.len() < self.scheduler.room()
    }
}

/// The state of the operations of a simulation.
struct Progress<'p> {
    operations: &'p [MicroOp],
    /// The operations that read each result.
    readers: Vec<Vec<usize>>,
    /// The operands that are not computed yet, and whether the operation can start.
    missing: Vec<usize>,
    entered: Vec<bool>,
    /// The cycle in which each result is available.
    done: Vec<f64>,
    /// Entered operations with all operands, by the cycle in which they are ready.
    upcoming: BTreeMap<u64, Vec<usize>>,
    /// The ready ones, oldest first.
    ready: BTreeSet<usize>,
}

impl<'p> Progress<'p> {
    fn new(operations: &'p [MicroOp]) -> Self {
        let mut readers = vec![Vec::new(); operations.len()];
        for (i, operation) in operations.iter().enumerate() {
            operation.after.iter().for_each(|&(from, _)| readers[from].push(i));
        }
        Self {
            operations,
            readers,
            missing: operations.iter().map(|operation| operation.after.len()).collect(),
            entered: vec![false; operations.len()],
            done: vec![f64::INFINITY; operations.len()],
            upcoming: BTreeMap::new(),
            ready: BTreeSet::new(),
        }
    }

    /// Schedules an operation that has entered and has all operands.
    fn schedule(&mut self, i: usize, now: f64) {
        if !self.entered[i] || self.missing[i] > 0 {
            return;
        }
        let after = &self.operations[i].after;
        let from = after.iter().map(|&(from, late)| self.done[from] - late);
        let ready = from.fold(now, f64::max).ceil();
        if ready <= now {
            self.ready.insert(i);
        } else {
            self.upcoming.entry(ready as u64).or_default().push(i);
        }
    }

    fn start(&mut self, i: usize, now: f64) {
        self.ready.remove(&i);
        self.done[i] = now + self.operations[i].latency;
        for reader in std::mem::take(&mut self.readers[i]) {
            self.missing[reader] -= 1;
            self.schedule(reader, now);
        }
    }
}

/// The name and the number of units of each pool, except for the dispatch.
pub fn pools<C: ConstantValue>(units: &Units<C>) -> Vec<(&str, f64)> {
    let pools = units.pools.iter().filter(|(name, _)| *name != "issue");
    pools.map(|(name, units)| (name.as_str(), units.value())).collect()
}

impl Pipes {
    /// The units of the pool `of` of a machine whose pools have these names and numbers of units, and of the pools
    /// whose operations also occupy one of these units.
    pub fn of<C: ConstantValue>(of: &str, pools: &[(&str, f64)], units: &Units<C>) -> Option<Self> {
        let pool = pools.iter().position(|(name, _)| *name == of)?;
        let count = pools[pool].1.ceil() as usize;
        let uses = |name: &str| {
            units.ops.values().any(|op| op.uses.contains_key(of) && op.uses.contains_key(name))
        };
        let parts = pools.iter().enumerate().filter(|(i, (name, _))| *i != pool && uses(name));
        let parts = parts.map(|(i, (_, units))| (i, (units.ceil() as usize).clamp(1, count)));
        Some(Self { count, pool, parts: parts.collect() })
    }
}

impl CoreLimits {
    /// Executes `program`. Returns for each instruction the cycle after which it and all earlier ones have
    /// started.
    ///
    /// # Panics
    ///
    /// If an instruction can never be dispatched, because a limit is zero.
    pub fn run(&self, program: &MicroProgram) -> Vec<f64> {
        let mut progress = Progress::new(&program.operations);
        let mut queues =
            [Waiting::new(self.general), Waiting::new(self.vector.unwrap_or(Scheduler::UNLIMITED))];
        let queue_of = |queue: Queue| match queue {
            Queue::General => Some(0),
            Queue::Vector => Some(usize::from(self.vector.is_some())),
            Queue::Unlimited => None,
        };
        // The remaining capacity of each pool in the cycle; fractional units accumulate.
        let mut left = vec![0.0_f64; self.units.len()];
        let mut bound: Vec<Binding<'_>> = self.bound.iter().map(Binding::new).collect();
        let (mut next, mut retired, mut started) = (0, 0, 0);
        let (mut fetched, mut now, mut idle) = (0.0_f64, 0.0, 0);
        let mut starts = vec![f64::NAN; program.operations.len()];
        let mut after = Vec::with_capacity(program.len());
        while after.len() < program.len() {
            let before = (next, started);
            let mut retiring = self.retire;
            while retired < next
                && retiring >= 1.0
                && program.of(retired).all(|i| progress.done[i] <= now)
            {
                (retired, retiring) = (retired + 1, retiring - 1.0);
            }
            fetched = (fetched + self.issue).min(self.issue + 1.0);
            while fetched >= 1.0 && next < program.len() && next - retired < self.reorder {
                let operations = program.of(next);
                let full = operations.clone().any(|i| {
                    let queue = queue_of(program.operations[i].queue);
                    queue.is_some_and(|queue| !queues[queue].has_room())
                });
                if full {
                    break;
                }
                for i in operations {
                    bound.iter_mut().for_each(|pipes| pipes.bind(i, &program.operations[i], now));
                    match queue_of(program.operations[i].queue) {
                        Some(queue) => queues[queue].queued.push_back(i),
                        None => {
                            progress.entered[i] = true;
                            progress.schedule(i, now);
                        }
                    }
                }
                (next, fetched) = (next + 1, fetched - 1.0);
            }
            for queue in &mut queues {
                while queue.entered < queue.scheduler.entries {
                    let Some(i) = queue.queued.pop_front() else { break };
                    queue.entered += 1;
                    progress.entered[i] = true;
                    progress.schedule(i, now);
                }
            }
            for (left, units) in left.iter_mut().zip(&self.units) {
                *left = (*left + units).min(units.max(1.0) + units.fract());
            }
            let upcoming = progress.upcoming.split_off(&(now as u64 + 1));
            let arrived = std::mem::replace(&mut progress.upcoming, upcoming);
            progress.ready.extend(arrived.into_values().flatten());
            let mut from = 0;
            while let Some(&i) = progress.ready.range(from..).next() {
                from = i + 1;
                let operation = &program.operations[i];
                let free = |&(p, units): &(usize, f64)| left[p] >= units.min(self.units[p]);
                let unbound = |pipes: &Binding<'_>| pipes.is_free(i, now);
                if !(operation.takes.iter().all(free) && bound.iter().all(unbound)) {
                    continue;
                }
                operation.takes.iter().for_each(|&(p, units)| left[p] -= units);
                bound.iter_mut().for_each(|pipes| pipes.take(i, operation, now));
                if let Some(queue) = queue_of(operation.queue) {
                    queues[queue].entered -= 1;
                }
                starts[i] = now;
                started += 1;
                progress.start(i, now);
            }
            now += 1.0;
            while after.len() < next {
                let operations = program.of(after.len());
                if operations.clone().any(|i| starts[i].is_nan()) {
                    break;
                }
                let latest = starts[operations].iter().map(|start| start + 1.0);
                after.push(latest.fold(after.last().copied().unwrap_or(0.0), f64::max));
            }
            idle = if before == (next, started) { idle + 1 } else { 0 };
            assert!(idle < 10_000, "instruction {next} of the program never starts");
        }
        after
    }
}

/// The units of a core that binds operations to them.
struct Binding<'c> {
    pipes: &'c Pipes,
    /// The number of waiting operations of each unit, and the cycle until which it is busy.
    waiting: Vec<(usize, f64)>,
    /// The numbers at the start of this cycle. The operations of a cycle are bound together, so they do not count
    /// each other.
    counted: Vec<usize>,
    counted_at: f64,
    /// Takes turns among units with equal numbers.
    turn: usize,
    of: BTreeMap<usize, usize>,
}

impl<'c> Binding<'c> {
    fn new(pipes: &'c Pipes) -> Self {
        Self {
            pipes,
            waiting: vec![(0, 0.0); pipes.count],
            counted: Vec::new(),
            counted_at: f64::NEG_INFINITY,
            turn: 0,
            of: BTreeMap::new(),
        }
    }

    /// The cycles for which an operation occupies one of these units. If the number is not whole, the units are
    /// combined for it, and it is bound to none.
    fn taken(&self, operation: &MicroOp) -> Option<f64> {
        let taken = operation.takes.iter().find(|&&(p, _)| p == self.pipes.pool);
        taken.map(|&(_, cycles)| cycles).filter(|cycles| cycles.fract() == 0.0)
    }

    /// Binds an operation to the unit with the fewest waiting ones.
    fn bind(&mut self, i: usize, operation: &MicroOp, now: f64) {
        if self.taken(operation).is_none() {
            return;
        }
        if self.counted_at < now {
            self.counted = self.waiting.iter().map(|unit| unit.0).collect();
            self.counted_at = now;
        }
        let parts = self.pipes.parts.iter();
        let mut parts = parts.filter(|(pool, _)| operation.takes.iter().any(|(p, _)| p == pool));
        let units = parts.next().map_or(self.pipes.count, |part| part.1);
        let fewest = self.counted[..units].iter().min().expect("a unit");
        let least: Vec<usize> = (0..units).filter(|&unit| self.counted[unit] == *fewest).collect();
        self.turn += 1;
        let unit = least[self.turn % least.len()];
        self.waiting[unit].0 += 1;
        self.of.insert(i, unit);
    }

    fn is_free(&self, i: usize, now: f64) -> bool {
        self.of.get(&i).is_none_or(|&unit| self.waiting[unit].1 <= now)
    }

    fn take(&mut self, i: usize, operation: &MicroOp, now: f64) {
        let Some(&unit) = self.of.get(&i) else { return };
        let taken = self.taken(operation).unwrap_or(1.0);
        let (waiting, busy_until) = &mut self.waiting[unit];
        (*waiting, *busy_until) = (*waiting - 1, now + taken);
    }
}
