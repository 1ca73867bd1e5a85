//! Plans: the kernels to run for each number of live lanes.

use core::ops::Range;

use super::shape::{Shape, Short};
use crate::kernel::{KERNEL_COUNT, Kernel, KernelIndex, KernelSet, Tier};
use crate::words::MAX_LANES;

/// A kernel and the assumed cost of one block in each of its lanes, in tenths of a cycle.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) kernel: Kernel,
    pub(super) cost: u32,
    /// Whether the kernel has a function for messages of one block.
    pub(super) digests_blocks: bool,
}

/// The kernel of a rival pair that runs when all lanes are live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Preference {
    /// The kernel with the lower cost in the table.
    Chosen,
    /// The other kernel.
    Rival,
}

// Fixed overheads in tenths of a cycle, measured on Golden Cove; COPIED_LANE_COST and STREAM_COST on Zen 3.

/// Per batch, before the first block and after the last.
const BATCH_COST: u32 = 1400;
/// Per vector of lanes: transposing messages to words and words to digests.
const VECTOR_COST: u32 = 1000;
/// Per lane of a kernel whose messages' ends are copied.
const COPIED_LANE_COST: u32 = 375;
/// Per stream of a kernel with SHA instructions.
const STREAM_COST: u32 = 150;
/// Per single message.
const MESSAGE_COST: u32 = 350;
/// Per single message after others in lanes.
const LAST_MESSAGE_COST: u32 = 900;
/// Per block that some lanes lack.
const MISSING_BLOCK_COST: u32 = 1000;
/// Per batch of tags: keys are copied to lanes and wiped there.
const TAGS_COST: u32 = 13_500;

// Two blocks, the second with a schedule that was expanded in advance, so that it takes fewer instructions, in
// eighths of the cost of a block.
const EXPANDED_AVX512_EIGHTHS: u32 = 14;
const EXPANDED_SHA_NI_EIGHTHS: u32 = 13;

/// The maximum number of lanes of a kernel that runs several times in one step.
const MAX_REPEATED_LANES: usize = 4;

/// For each number of live lanes, the first kernel of the cheapest cover.
type Cover = [KernelIndex; MAX_LANES + 1];

/// For each number of live lanes, the cost of the cheapest cover.
type Costs = [u64; MAX_LANES + 1];

/// For each number of live lanes, the cheapest kernels that cover them.
#[derive(Clone)]
pub(crate) struct Plan {
    lanes: usize,
    rivals: Option<[Kernel; 2]>,
    /// By preference and number of live lanes: the kernel that runs the first lanes. A plan is copied with
    /// every engine.
    covers: [Cover; 2],
    /// The covers for short messages.
    short: [Cover; Short::ALL.len()],
    /// The largest number of short messages that are at least as fast one at a time.
    max_one_by_one: [usize; Short::ALL.len()],
    /// The numbers of short messages, as a bit set, for which each kernel of the cover has a function for messages of
    /// one block.
    digests_blocks: [u64; Short::ALL.len()],
    /// The cost of one block in each live lane, by number of live lanes, in tenths of a cycle.
    costs: [u32; Shape::MAX_MESSAGES + 1],
    /// The kernels of the policy.
    allowed: KernelSet,
}

/// One step of a kernel: `used` live lanes from lane `first`. A narrow kernel may run several times in one step,
/// once for each group of its lanes.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub(crate) kernel: Kernel,
    pub(crate) first: usize,
    pub(crate) used: usize,
}

impl Plan {
    /// Computes the plan for the candidates, sorted widest first. Returns `None` without candidates.
    pub(super) fn new(candidates: &[Option<Candidate>; KERNEL_COUNT]) -> Option<Self> {
        // Use as many lanes as the widest kernel within 25 % of the best cost per lane: timing may
        // prove it faster.
        let all = || candidates.iter().flatten();
        let best = all().map(Candidate::per_lane).min()?;
        let good = |c: &&Candidate| c.per_lane() * 4 <= best * 5;
        let lanes = all().filter(good).map(|c| c.kernel.lanes()).max()?;

        let (chosen, costs) = solve(candidates)?;
        let first = *all().find(|c| c.kernel == chosen[lanes].into())?;
        // The rival: the cheapest other multi-lane kernel, at most a third costlier per lane.
        let other = all()
            .filter(|c| c.kernel.lanes() <= lanes && c.kernel.lanes() > 1)
            .filter(|c| c.kernel != first.kernel && c.per_lane() * 3 <= first.per_lane() * 4)
            .min_by_key(|c| c.per_lane());

        let mut rival = chosen;
        if let Some(other) = other {
            // Solve again with the rival a tenth cheaper per lane than the chosen kernel.
            let mut candidates = *candidates;
            let same = |c: &&mut Candidate| c.kernel == other.kernel;
            for candidate in candidates.iter_mut().flatten().filter(same) {
                let lanes = candidate.kernel.lanes() as u64;
                candidate.cost = (first.per_lane() * lanes * 9 / 10_000).max(1) as u32;
            }
            (rival, _) = solve(&candidates)?;
        }
        let rivals = other.map(|other| [first.kernel, other.kernel]);
        let mut allowed = KernelSet::default();
        all().for_each(|c| allowed.insert(c.kernel));
        let covers = [chosen, rival];
        let (short, max_one_by_one) = short(candidates, &chosen)?;
        let digests_blocks = short.map(|cover| {
            let has = |kernel| all().any(|c| c.digests_blocks && c.kernel == kernel);
            (1..=MAX_LANES).fold(1, |counts: u64, live| {
                let kernel = Kernel::from(cover[live]);
                let rest = live.saturating_sub(kernel.lanes());
                counts | (u64::from(has(kernel)) & counts >> rest) << live
            }) & !1
        });
        let costs = core::array::from_fn(|live| costs[live].try_into().unwrap_or(u32::MAX));
        Some(Self { lanes, rivals, covers, short, max_one_by_one, digests_blocks, costs, allowed })
    }

    /// Returns the allowed kernels, widest first.
    pub(super) fn allowed(&self) -> impl Iterator<Item = Kernel> {
        self.allowed.iter()
    }

    /// Returns the kernels that the plan runs, with repetitions.
    pub(super) fn kernels(&self) -> impl Iterator<Item = Kernel> {
        let covers = self.covers.iter().chain(&self.short);
        covers.flat_map(|cover| &cover[1..]).map(|&index| index.into())
    }

    /// Returns the number of lanes to fill.
    #[inline]
    pub(crate) fn lanes(&self) -> usize {
        self.lanes
    }

    /// Returns the largest number of short messages that are at least as fast one at a time.
    #[inline]
    pub(crate) fn max_one_by_one(&self, short: Short) -> usize {
        self.max_one_by_one[short as usize]
    }

    /// Whether the kernels for `count` short messages have a function for messages of one block.
    #[inline]
    pub(crate) fn digests_blocks(&self, short: Short, count: usize) -> bool {
        count <= MAX_LANES && self.digests_blocks[short as usize] >> count & 1 == 1
    }

    /// Whether computing tags one message at a time is at least as fast. Each tag has an outer hash of one block.
    #[inline]
    pub(crate) fn is_faster_one_by_one_for_tags(&self, shape: &Shape) -> bool {
        let Shape { count, blocks, short, .. } = *shape;
        if !(2..=Shape::MAX_MESSAGES).contains(&count) {
            return count == 1;
        }
        if short == Some(Short::One) && self.digests_blocks(Short::One, count) {
            return false;
        }
        let apart = times(blocks + count, self.costs[1]) + times(2 * count, MESSAGE_COST);
        apart <= self.in_lanes(shape) + times(1, self.costs[count]) + times(1, TAGS_COST)
    }

    /// Whether hashing one message at a time is at least as fast.
    #[inline]
    pub(crate) fn is_faster_one_by_one(&self, shape: &Shape) -> bool {
        /// The number of blocks from which the overhead per message is negligible.
        const LONG_BLOCKS: usize = 256;

        let Shape { count, blocks, min_blocks, max_blocks, short, .. } = *shape;
        let are_equal = min_blocks == max_blocks;
        match short.filter(|_| are_equal) {
            Some(short) => count <= self.max_one_by_one(short),
            None if are_equal || max_blocks >= LONG_BLOCKS || count > Shape::MAX_MESSAGES => false,
            None => {
                let apart = times(blocks, self.costs[1]) + times(count, MESSAGE_COST);
                apart <= self.in_lanes(shape) + times(1, BATCH_COST + VECTOR_COST)
            }
        }
    }

    /// The cost of the blocks of a few messages in lanes, longest first, if their numbers of blocks are evenly
    /// distributed.
    fn in_lanes(&self, shape: &Shape) -> u64 {
        let Shape { count, min_blocks, max_blocks, .. } = *shape;
        let spread = max_blocks - min_blocks;
        if spread == 0 {
            return times(max_blocks, self.costs[count]);
        }
        let steps = self.steps(count).map(|step| {
            let left = count - step.first;
            let blocks = max_blocks - spread * step.first / (count - 1);
            times(blocks, self.costs[left] - self.costs[left - step.used])
        });
        steps.sum::<u64>() + times(spread, MISSING_BLOCK_COST)
    }

    /// Returns the kernel for the first of `left` short messages, at most as many as lanes.
    #[inline]
    pub(crate) fn chosen_for(&self, short: Short, left: usize) -> Kernel {
        self.short[short as usize][left].into()
    }

    /// Takes the next step for short messages from the front of `left`, which must not exceed the number of
    /// lanes. Returns `None` if `left` is empty.
    #[inline]
    pub(crate) fn short_step(&self, short: Short, left: &mut Range<usize>) -> Option<Step> {
        let kernel = self.chosen_for(short, left.len());
        (left.start < left.end).then(|| Step::take(kernel, left))
    }

    /// Returns the kernel for the first of `live` lanes.
    #[inline]
    pub(super) fn first(&self, preference: Preference, live: usize) -> Kernel {
        self.covers[preference as usize][live].into()
    }

    /// Returns the kernel for the first of `live` lanes according to the cost table.
    #[inline]
    pub(crate) fn chosen(&self, live: usize) -> Kernel {
        self.first(Preference::Chosen, live)
    }

    /// Whether `live` is below the plan's lane count and every kernel for up to `live` lanes, or messages of one block,
    /// satisfies `such`.
    pub(crate) fn is_only(&self, live: usize, such: impl Fn(Kernel) -> bool) -> bool {
        live < self.lanes
            && self
                .covers
                .iter()
                .chain([&self.short[Short::One as usize]])
                .flat_map(|cover| &cover[1..=live])
                .all(|&k| such(k.into()))
    }

    /// Returns the steps for `live` lanes by the cost table, without timing.
    #[inline]
    pub(crate) fn steps(&self, live: usize) -> impl Iterator<Item = Step> + '_ {
        let mut left = 0..live;
        core::iter::from_fn(move || {
            (!left.is_empty())
                .then(|| Step::take(self.chosen(left.len().min(MAX_LANES)), &mut left))
        })
    }

    /// Returns the two kernels to time against each other when all lanes are live: the one
    /// selected by cost, and the next best.
    pub(super) fn rivals(&self) -> Option<[Kernel; 2]> {
        self.rivals
    }
}

impl Step {
    /// Takes lanes for one call of `kernel` from the front of `left`.
    #[inline]
    pub(super) fn take(kernel: Kernel, left: &mut Range<usize>) -> Self {
        let (first, used) = (left.start, left.len().min(kernel.lanes()));
        left.start += used;
        Self { kernel, first, used }
    }

    /// Extends the step to further groups of a narrow kernel's lanes from the front of `left`, up to `most` lanes,
    /// while the last message of a group is `alike`; to the last group, if it is incomplete, if `is_chosen`, the
    /// plan's choice for it. Choosing a kernel and writing digests for each group takes as long as a quarter of a
    /// block in its lanes.
    #[inline]
    pub(crate) fn extend(
        &mut self,
        left: &mut Range<usize>,
        most: usize,
        alike: impl Fn(usize) -> bool,
        is_chosen: impl Fn(Kernel, usize) -> bool,
    ) {
        let lanes = self.kernel.lanes();
        while (2..=MAX_REPEATED_LANES).contains(&lanes)
            && left.start < left.end
            && self.used + lanes <= most
        {
            let used = lanes.min(left.len());
            if !alike(left.start + used - 1) || used < lanes && !is_chosen(self.kernel, used) {
                break;
            }
            left.start += used;
            self.used += used;
        }
    }

    /// The number of lanes to run: the live ones, and the kernel's remaining lanes.
    #[inline]
    pub(crate) fn width(self) -> usize {
        // Every kernel has a power of two of lanes, so this is no division.
        let rest = self.kernel.lanes() - 1;
        (self.used + rest) & !rest
    }

    /// Returns the live lanes.
    #[inline]
    pub(crate) fn lanes(self) -> Range<usize> {
        self.first..self.first + self.used
    }
}

/// Returns a cost that `count` items have.
#[inline(always)]
fn times(count: usize, cost: u32) -> u64 {
    count as u64 * u64::from(cost)
}

impl Candidate {
    /// The cost of a block per lane, in ten-thousandths of a cycle.
    fn per_lane(&self) -> u64 {
        u64::from(self.cost) * 1000 / self.kernel.lanes() as u64
    }
}

/// Finds the cheapest cover for every number of lanes, and the cost of one block in every lane, in tenths of a
/// cycle. Among covers of equal cost the first step is the widest, so steps are sorted widest first and each
/// begins at a multiple of its lane count.
fn solve(candidates: &[Option<Candidate>; KERNEL_COUNT]) -> Option<(Cover, Costs)> {
    let mut cover = [KernelIndex::from(candidates[0]?.kernel); MAX_LANES + 1];
    let mut total = [0u64; MAX_LANES + 1];
    for n in 1..=MAX_LANES {
        total[n] = u64::MAX;
        for candidate in candidates.iter().flatten() {
            let rest = n.saturating_sub(candidate.kernel.lanes());
            let cost = u64::from(candidate.cost) + total[rest];
            if cost < total[n] {
                total[n] = cost;
                cover[n] = candidate.kernel.into();
            }
        }
    }
    Some((cover, total))
}

/// Computes the covers for short messages, and the number of messages up to which one at a time is at least as
/// fast: a kernel with several lanes may gain less than the overhead of a batch.
#[allow(clippy::type_complexity, reason = "two fields of a plan")]
fn short(
    candidates: &[Option<Candidate>; KERNEL_COUNT],
    chosen: &Cover,
) -> Option<([Cover; Short::ALL.len()], [usize; Short::ALL.len()])> {
    let mut found = ([*chosen; _], [1; _]);
    for (short, (to, max_one_by_one)) in
        Short::ALL.into_iter().zip(found.0.iter_mut().zip(&mut found.1))
    {
        let mut candidates = *candidates;
        let mut one = u64::MAX;
        for Candidate { kernel, cost, digests_blocks } in candidates.iter_mut().flatten() {
            let (lanes, tier) = (kernel.lanes() as u32, kernel.tier());
            let overhead = match tier {
                Tier::Avx512 if lanes > 1 => VECTOR_COST,
                _ if *digests_blocks && short != Short::Two => STREAM_COST * lanes,
                _ if lanes == 1 => LAST_MESSAGE_COST,
                Tier::ShaNi | Tier::ShaCe => STREAM_COST * lanes,
                _ => COPIED_LANE_COST * lanes,
            };
            let blocks = match short {
                Short::One => *cost,
                Short::Padded if lanes > 1 && tier == Tier::Avx512 => {
                    *cost * EXPANDED_AVX512_EIGHTHS / 8
                }
                Short::Padded if *digests_blocks || lanes == 1 && tier == Tier::ShaNi => {
                    *cost * EXPANDED_SHA_NI_EIGHTHS / 8
                }
                Short::Two | Short::Padded => 2 * *cost,
            };
            *cost = blocks + overhead;
            if lanes == 1 {
                one = one.min(u64::from(blocks + MESSAGE_COST));
            }
        }
        let costs;
        (*to, costs) = solve(&candidates)?;
        let no_later =
            |n: &usize| one.saturating_mul(*n as u64) <= costs[*n] + u64::from(BATCH_COST);
        let such = (1..=MAX_LANES).take_while(no_later);
        *max_one_by_one = such.count().clamp(1, Shape::MAX_MESSAGES - 1);
    }
    Some(found)
}
