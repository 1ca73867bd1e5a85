//! Plans: for every number of live lanes, the kernels that take them.

use core::ops::Range;

use lanesum_spec::Family;

use crate::kernel::{KERNEL_COUNT, Kernel, Tier};
use crate::words::{MAX_LANES, State};

/// A kernel, and what a block in each of its lanes is taken to cost.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) kernel: Kernel,
    pub(super) cost: u32,
}

/// Which of two kernels of different width runs when all lanes are live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Preference {
    /// The cheaper one by the table of costs.
    Chosen,
    /// The other.
    Rival,
}

// What a batch costs before its first block and after its last, what vectors of lanes and several streams take
// besides to part messages into words and words into digests, and a message alone, in tenths of a cycle:
// as timed on Golden Cove.
const BATCH: u64 = 2400;
const LANES: u32 = 600;
const STREAMS: u32 = 620;
const MESSAGE: u32 = 350;
/// What lanes cost besides for a block that not all of them have.
const RAGGED: usize = 1000;
/// What a batch of tags costs before its first block and after its last: keys go to lanes, and are overwritten there.
const TAGS: u64 = 11_000;

/// Messages so short that what is done besides their blocks is a good part of the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Short {
    /// Of one block each, padding included.
    One,
    /// Of two.
    Two,
    /// Of two, of which the second is padding that is expanded beforehand.
    Padded,
}

/// What is known of a few messages before they are hashed.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) count: usize,
    /// The blocks of all of them, of the shortest and of the longest.
    pub(crate) blocks: usize,
    pub(crate) least: usize,
    pub(crate) most: usize,
    /// How short they are, if they are.
    pub(crate) short: Option<Short>,
}

impl Shape {
    /// The most messages of which it is asked.
    pub(crate) const MOST: usize = 8;
}

impl Short {
    const ALL: [Self; 3] = [Self::One, Self::Two, Self::Padded];
}

/// Places in the table of kernels, by how many lanes are live.
type Cover = [u8; MAX_LANES + 1];

/// What a cover costs, by how many lanes are live.
type Costs = [u64; MAX_LANES + 1];

/// For each number of live lanes, the cheapest kernels that cover them.
#[derive(Clone)]
pub(crate) struct Plan {
    lanes: usize,
    rivals: Option<[Kernel; 2]>,
    /// By preference, and by how many lanes are live: the place in the table of the kernel that
    /// takes the first of them. A plan is copied with every engine.
    covers: [Cover; 2],
    /// The same of short messages.
    short: [Cover; Short::ALL.len()],
    /// How many of those are done no later one by one.
    alone: [usize; Short::ALL.len()],
    /// What a block in each of so many live lanes costs, in tenths of a cycle.
    costs: [u32; Shape::MOST + 1],
    /// The kernels that it was made of, by their places in the table.
    allowed: u64,
}

/// One call of a kernel by the schedule: lanes from `first` on, of which `used` are live.
#[derive(Clone, Copy)]
pub(crate) struct Turn {
    pub(crate) kernel: Kernel,
    pub(crate) first: usize,
    pub(crate) used: usize,
}

impl Plan {
    /// The plan for these candidates, widest first; none if there are none.
    pub(super) fn new(candidates: &[Option<Candidate>; KERNEL_COUNT]) -> Option<Self> {
        // As many lanes as the widest kernel that is not much dearer a lane than
        // the best: it may prove the better one.
        let all = || candidates.iter().flatten();
        let best = all().map(Candidate::per_lane).min()?;
        let good = |c: &&Candidate| c.per_lane() * 4 <= best * 5;
        let lanes = all().filter(good).map(|c| c.kernel.lanes()).max()?;

        let (chosen, costs) = solve(candidates)?;
        let first = *all().find(|c| c.kernel.index() == usize::from(chosen[lanes]))?;
        // The next best of another width, if it is dearer by a third at most.
        let other = all()
            .filter(|c| c.kernel.lanes() <= lanes && c.kernel.lanes() > 1)
            .filter(|c| c.kernel != first.kernel && c.per_lane() * 3 <= first.per_lane() * 4)
            .min_by_key(|c| c.per_lane());

        let mut rival = chosen;
        if let Some(other) = other {
            // The rival a tenth cheaper than the chosen one, lane by lane.
            let mut candidates = *candidates;
            let same = |c: &&mut Candidate| c.kernel == other.kernel;
            for candidate in candidates.iter_mut().flatten().filter(same) {
                let lanes = candidate.kernel.lanes() as u64;
                candidate.cost = (first.per_lane() * lanes * 9 / 10_000).max(1) as u32;
            }
            (rival, _) = solve(&candidates)?;
        }
        let rivals = other.map(|other| [first.kernel, other.kernel]);
        const { assert!(KERNEL_COUNT <= 64, "a bit for each kernel") };
        let allowed = all().fold(0, |allowed, c| allowed | 1 << c.kernel.index());
        let covers = [chosen, rival];
        let (short, alone) = short(candidates, &chosen)?;
        let costs = core::array::from_fn(|live| costs[live].try_into().unwrap_or(u32::MAX));
        Some(Self { lanes, rivals, covers, short, alone, costs, allowed })
    }

    /// The kernels that it was made of, widest first.
    pub(super) fn allowed(&self) -> impl Iterator<Item = Kernel> {
        let allowed = self.allowed;
        (0..KERNEL_COUNT as u8).filter(move |k| allowed >> k & 1 == 1).map(Kernel::found)
    }

    /// The kernels that are given lanes, some of them more than once.
    pub(super) fn kernels(&self) -> impl Iterator<Item = Kernel> {
        let covers = self.covers.iter().chain(&self.short);
        covers.flat_map(|cover| &cover[1..]).map(|&place| Kernel::found(place))
    }

    /// How many messages to have in lanes.
    pub(crate) fn lanes(&self) -> usize {
        self.lanes
    }

    /// How many messages so short are done no later one by one: more are done in lanes where there are any.
    #[inline]
    pub(crate) fn alone(&self, short: Short) -> usize {
        self.alone[short as usize]
    }

    /// Whether tags of messages are made no later one by one: each has an outer hash, a block more.
    #[inline]
    pub(crate) fn are_tagged_alone(&self, shape: &Shape) -> bool {
        let Shape { count, blocks, least, most, .. } = *shape;
        if count == 1 || count > Shape::MOST || self.alone(Short::One) == 1 {
            return count == 1;
        }
        let [one, all] = [1, count].map(|live| self.costs[live] as usize);
        let apart = (blocks + count) * one + 2 * count * MESSAGE as usize;
        apart <= (most + 1) * all + (most - least) * RAGGED + TAGS as usize
    }

    /// Whether messages are done no later one by one.
    #[inline]
    pub(crate) fn are_alone(&self, shape: &Shape) -> bool {
        /// Of so many blocks a message is long: what is done besides them is nothing.
        const LONG: usize = 256;

        let Shape { count, blocks, least, most, short } = *shape;
        match short.filter(|_| least == most) {
            Some(short) => count <= self.alone(short),
            None if least == most || most >= LONG || count > Shape::MOST => false,
            // Where there are no SHA instructions, or they are not chosen, lanes are far ahead.
            None if self.alone(Short::One) == 1 => false,
            None => {
                let [one, all] = [1, count].map(|live| self.costs[live] as usize);
                let together =
                    most * all + (most - least) * RAGGED + BATCH as usize + LANES as usize;
                blocks * one + count * MESSAGE as usize <= together
            }
        }
    }

    /// The next turn with messages so short, the first of those that are `left`, no more than there are
    /// lanes; none if none is left.
    #[inline]
    pub(crate) fn short_turn(&self, short: Short, left: &mut Range<usize>) -> Option<Turn> {
        let kernel = Kernel::found(self.short[short as usize][left.len()]);
        (left.start < left.end).then(|| Turn::take(kernel, left))
    }

    /// The kernel for the first lanes of `live` ones.
    #[inline]
    pub(super) fn first(&self, preference: Preference, live: usize) -> Kernel {
        Kernel::found(self.covers[preference as usize][live])
    }

    /// That by the table of costs.
    #[inline]
    pub(crate) fn chosen(&self, live: usize) -> Kernel {
        self.first(Preference::Chosen, live)
    }

    /// Whether so many live lanes are given such kernels alone, fewer than all that there are.
    pub(crate) fn is_only(&self, live: usize, such: impl Fn(Kernel) -> bool) -> bool {
        live < self.lanes
            && self
                .covers
                .iter()
                .flat_map(|cover| &cover[1..=live])
                .all(|&k| such(Kernel::found(k)))
    }

    /// The turns of so many lanes, as the plan was made.
    #[inline]
    pub(crate) fn turns(&self, live: usize) -> impl Iterator<Item = Turn> + '_ {
        let mut left = 0..live;
        core::iter::from_fn(move || {
            (!left.is_empty())
                .then(|| Turn::take(self.chosen(left.len().min(MAX_LANES)), &mut left))
        })
    }

    /// Compresses the first `blocks` blocks of `data(l)` into lane l, for the first `live` lanes.
    pub(crate) fn compress<'m>(
        &self,
        family: Family,
        state: &mut State,
        live: usize,
        data: impl Fn(usize) -> &'m [u8],
        blocks: usize,
    ) {
        for turn in self.turns(live) {
            let data: [&[u8]; MAX_LANES] = turn.data(turn.lanes().map(&data));
            let data = &data[..turn.kernel.lanes()];
            turn.kernel.compress_in(family, state, turn.first, data, blocks);
        }
    }

    /// The two kernels worth timing against each other when all lanes are
    /// live: the one chosen by cost, and the next best of another width.
    pub(super) fn rivals(&self) -> Option<[Kernel; 2]> {
        self.rivals
    }
}

impl Turn {
    /// A turn of `kernel` with the first of the lanes that are `left`, which it takes.
    #[inline]
    pub(super) fn take(kernel: Kernel, left: &mut Range<usize>) -> Self {
        let (first, used) = (left.start, left.len().min(kernel.lanes()));
        left.start += used;
        Self { kernel, first, used }
    }

    /// The live lanes.
    #[inline]
    pub(crate) fn lanes(self) -> Range<usize> {
        self.first..self.first + self.used
    }

    /// The same, where there is room for it.
    #[inline]
    pub(crate) fn fill<'m>(self, data: &mut [&'m [u8]], live: impl Iterator<Item = &'m [u8]>) {
        data.iter_mut().zip(live).for_each(|(to, bytes)| *to = readable(bytes));
        let first = data[0];
        data[self.used..self.kernel.lanes()].fill(first);
    }

    /// What every lane of the kernel is given, if the live ones are given `live`, and only the
    /// first so many of it: a dead lane does what the first one does, and nobody looks.
    #[inline]
    pub(crate) fn data<'m, const LANES: usize>(
        self,
        live: impl Iterator<Item = &'m [u8]>,
    ) -> [&'m [u8]; LANES] {
        let mut data: [&[u8]; LANES] = [readable(&[]); LANES];
        self.fill(&mut data, live);
        data
    }
}

/// The same bytes. If there are none, they are at an address that can be read: a masked load of no
/// bytes takes some hundreds of cycles where no memory is, such as where Rust has its empty slices.
#[inline]
pub(crate) fn readable(bytes: &[u8]) -> &[u8] {
    static MEMORY: [u8; 1] = [0];
    if bytes.is_empty() { &MEMORY[..0] } else { bytes }
}

impl Candidate {
    /// What a block in one lane costs, in ten-thousandths of a cycle.
    fn per_lane(&self) -> u64 {
        u64::from(self.cost) * 1000 / self.kernel.lanes() as u64
    }
}

/// Finds the cheapest cover of every number of lanes. Among covers of one cost
/// the first turn is the widest, so turns come widest first, and each begins
/// at a multiple of its own lanes. Beside it is what one block in every lane costs, in tenths of a cycle.
fn solve(candidates: &[Option<Candidate>; KERNEL_COUNT]) -> Option<(Cover, Costs)> {
    let mut cover = [candidates[0]?.kernel.index() as u8; MAX_LANES + 1];
    let mut total = [0u64; MAX_LANES + 1];
    for n in 1..=MAX_LANES {
        total[n] = u64::MAX;
        for candidate in candidates.iter().flatten() {
            let rest = n.saturating_sub(candidate.kernel.lanes());
            let cost = u64::from(candidate.cost) + total[rest];
            if cost < total[n] {
                total[n] = cost;
                cover[n] = candidate.kernel.index() as u8;
            }
        }
    }
    Some((cover, total))
}

/// The covers of short messages, and how many of these are done no later one by one. Where there are SHA
/// instructions, a kernel of several streams has them wait for each other in the same instructions,
/// and a CPU begins a short message while it waits for the one before. With two blocks that is less
/// than what such a kernel gains, but on some cores it gains less than a batch costs.
#[allow(clippy::type_complexity, reason = "two fields of a plan")]
fn short(
    candidates: &[Option<Candidate>; KERNEL_COUNT],
    chosen: &Cover,
) -> Option<([Cover; Short::ALL.len()], [usize; Short::ALL.len()])> {
    let tier = Kernel::found(chosen[1]).tier();
    if !matches!(tier, Tier::ShaNi | Tier::ShaCe) {
        return Some(([*chosen; _], [1; _]));
    }
    let mut found = ([*chosen; _], [1; _]);
    for (short, (to, alone)) in Short::ALL.into_iter().zip(found.0.iter_mut().zip(&mut found.1)) {
        let mut candidates = *candidates;
        for Candidate { kernel, cost } in candidates.iter_mut().flatten() {
            let is_vector = kernel.lanes() > 1 && kernel.tier() != tier;
            let blocks = match short {
                Short::One => *cost,
                // A block that is expanded takes a vector half the time.
                Short::Padded if is_vector => *cost + *cost / 2,
                Short::Two | Short::Padded => 2 * *cost,
            };
            *cost = blocks
                + if is_vector {
                    LANES
                } else {
                    [MESSAGE, STREAMS][usize::from(kernel.lanes() > 1)]
                };
        }
        let costs;
        (*to, costs) = solve(&candidates)?;
        let streams = |n: usize| short == Short::One && Kernel::found(chosen[n]).tier() == tier;
        let no_later = |n: usize| n as u64 * costs[1] <= costs[n] + BATCH;
        let such = (1..=MAX_LANES).take_while(|&n| streams(n) || no_later(n));
        *alone = such.count().clamp(1, Shape::MOST - 1);
    }
    Some(found)
}
