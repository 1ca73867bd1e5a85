//! Batches: many whole messages in memory. Every batch call ends here.
//!
//! Messages of similar length form a group, whose lanes end together: one kernel call hashes a
//! group from the first block to the digest. Long messages, and messages whose lengths differ too
//! much, are streamed: a lane is refilled when its message ends.

use core::ops::Range;

use lanesum_spec::{Algorithm, Expanded, Family, Int};

use super::schedule::Schedule;
use super::source::{PLACES, Source};
use crate::base::wipe;
use crate::choose::{Plan, Shape, Step, Steps, padding_block};
use crate::kernel::{Ending, Half, Kernel, KernelWord, Link};
use crate::outputs::Places;
use crate::words::{Columns, MAX_LANES, blocks, bytes, expand_end, readable};

/// The number of messages sorted at a time; the smaller one is for batches that fit it.
const WINDOW_MESSAGES: usize = 1024;
const SMALL_WINDOW_MESSAGES: usize = MAX_LANES;

/// Up to this many messages are likely to be cached: no prefetch.
pub(super) const CACHED_MESSAGES: usize = 256;

/// Skip the prefetch when messages of equal block count fit in this many bytes each, padded: the
/// hardware prefetcher keeps up.
const PREFETCHED_BYTES: usize = 128;

/// Messages of at least this many blocks are streamed, because waiting for them in a group costs
/// too much.
const STREAMED_BLOCKS: usize = 256;

/// The maximum difference in blocks within a group. Beyond it, finished lanes idle for longer than
/// refilling them takes.
const MAX_GROUP_SPREAD: usize = 8;

/// Whether messages are hashed in groups rather than streamed.
#[inline]
pub(crate) fn are_groups(shape: &Shape) -> bool {
    shape.max_blocks < STREAMED_BLOCKS && shape.max_blocks - shape.min_blocks <= MAX_GROUP_SPREAD
}

/// Hashes whole messages that begin with one chaining value.
pub(crate) struct Batch<'p, I> {
    family: Family,
    steps: Steps<&'p Plan>,
    start: Start<'p, I>,
    /// The length of the data in `start`, in bytes: whole blocks.
    before: u64,
    padding: Padding<I>,
    state: Columns<I>,
    outer: Option<Outer<'p, I>>,
}

/// The second hash of each message, computed from its digest in the same lane: the outer hash of HMAC, or
/// that of a double hash.
struct Outer<'p, I> {
    start: Start<'p, I>,
    link: Link<I>,
    chains: Columns<I>,
    /// Receives the sums of the kernels; not read.
    sum: Columns<I>,
}

/// The initial chaining value of a message.
#[derive(Clone, Copy)]
pub(crate) enum Start<'s, I> {
    /// One value for all messages.
    Same([I; 8]),
    /// A value for each message, by index.
    Each(&'s dyn Fn(usize) -> [I; 8]),
}

/// The expanded last block of messages of one length, if it contains only padding.
struct Padding<I> {
    /// The length of the messages, in bytes.
    len: Option<usize>,
    expanded: Expanded<I>,
}

/// Receives digests.
pub(crate) trait Emit {
    /// Receives the bytes of the final chaining values of messages `first + places[i]`.
    fn emit(&mut self, first: usize, places: &[u16], bytes: &[[u8; 64]]);

    /// Returns the memory of the digests of messages `range`, if each occupies `len` bytes without gaps.
    fn packed(&mut self, _range: Range<usize>, _len: usize) -> Option<&mut [u8]> {
        None
    }

    /// Announces the digests of messages `range`, so that their memory can be prefetched.
    fn touch(&mut self, _range: Range<usize>) {}
}

impl<F: FnMut(usize, &[u16], &[[u8; 64]])> Emit for F {
    #[inline]
    fn emit(&mut self, first: usize, places: &[u16], bytes: &[[u8; 64]]) {
        self(first, places, bytes);
    }
}

/// Writes digests to output places.
pub(crate) struct EmitTo<P>(pub(crate) P);

impl<P: Places> Emit for EmitTo<P> {
    #[inline]
    fn emit(&mut self, first: usize, places: &[u16], bytes: &[[u8; 64]]) {
        self.0.put(first, places, bytes);
    }

    #[inline]
    fn packed(&mut self, range: Range<usize>, len: usize) -> Option<&mut [u8]> {
        self.0.packed(range, len)
    }

    fn touch(&mut self, range: Range<usize>) {
        self.0.touch(range);
    }
}

/// The order in which the messages of a window are hashed in groups.
#[derive(Clone, Copy)]
enum Order<'o> {
    /// The given number of messages, unsorted.
    Own(usize),
    /// Indices in the window, longest message first.
    Sorted(&'o [u16]),
}

impl<'p, I: KernelWord> Batch<'p, I> {
    /// Creates a batch whose messages begin with the chaining value `start` of `before` bytes.
    #[inline]
    pub(crate) fn new(
        algorithm: Algorithm,
        steps: Steps<&'p Plan>,
        start: Start<'p, I>,
        before: u64,
    ) -> Self {
        Self {
            family: algorithm.family(),
            steps,
            start,
            before,
            padding: Padding { len: None, expanded: [I::ZERO; _] },
            state: Columns::new(),
            outer: None,
        }
    }

    /// Creates a batch for HMAC: the digest of each message is hashed again, starting from `outer`.
    pub(crate) fn keyed(
        algorithm: Algorithm,
        steps: Steps<&'p Plan>,
        [inner, outer]: [Start<'p, I>; 2],
    ) -> Self {
        let before = algorithm.block_len() as u64;
        let outer = Outer::new(outer, Link::new(algorithm));
        Self { outer: Some(outer), ..Self::new(algorithm, steps, inner, before) }
    }

    /// Creates a batch for double hashes: the digest of each message is hashed again.
    pub(crate) fn double(algorithm: Algorithm, steps: Steps<&'p Plan>) -> Self {
        let start = Start::Same(I::iv(algorithm));
        let outer = Outer::new(start, Link::unkeyed(algorithm));
        Self { outer: Some(outer), ..Self::new(algorithm, steps, start, 0) }
    }

    /// Hashes messages 0 … `count` and passes their digests to `emit` in any order.
    pub(crate) fn run<'m>(&mut self, count: usize, messages: &dyn Source<'m>, emit: &mut dyn Emit) {
        let mut first = 0;
        while first < count {
            let window = WINDOW_MESSAGES.min(count - first);
            let alike = messages.alike(self.family, first..first + window);
            let is_in_order = alike.is_some_and(|blocks| blocks < STREAMED_BLOCKS);
            if window > CACHED_MESSAGES {
                if alike.is_none_or(|blocks| blocks * self.family.block_len() > PREFETCHED_BYTES) {
                    messages.touch(first..first + window);
                }
                if !is_in_order {
                    emit.touch(first..first + window);
                }
            }
            if is_in_order {
                self.groups(first, Order::Own(window), messages, emit);
            } else if window <= SMALL_WINDOW_MESSAGES {
                self.window::<SMALL_WINDOW_MESSAGES>(first, window, messages, emit);
            } else {
                self.window::<WINDOW_MESSAGES>(first, window, messages, emit);
            }
            first += window;
        }
    }

    /// Hashes `count` messages, at most `MOST`, from index `first` on.
    #[inline(never)]
    fn window<'m, const MOST: usize>(
        &mut self,
        first: usize,
        count: usize,
        messages: &dyn Source<'m>,
        emit: &mut dyn Emit,
    ) {
        let mut order = [0; MOST];
        let order = &mut order[..count];
        let long = sort::<MOST>(self.family, order, first, messages);
        let (long, short) = order.split_at(long);
        self.stream(first, long, messages, emit);
        self.groups(first, Order::Sorted(short), messages, emit);
    }

    /// Hashes messages of similar length, a group at a time.
    #[inline(never)]
    fn groups<'m>(
        &mut self,
        first: usize,
        order: Order<'_>,
        messages: &dyn Source<'m>,
        emit: &mut dyn Emit,
    ) {
        let mut digests = [[0; 64]; MAX_LANES];
        let mut data = [readable(&[]); MAX_LANES];
        let mut left = 0..order.count();
        while let Some(mut step) = self.steps.next(&mut left) {
            let blocks_at = |i| blocks(self.family, messages.message(order.index(first, i)).len());
            let most = blocks_at(step.first);
            let plan = self.steps.plan();
            let is_chosen = |kernel, left| plan.chosen(left) == kernel;
            step.extend(&mut left, MAX_LANES, |i| blocks_at(i) == most, is_chosen);
            let (first, group) = order.of(first, step);
            let lanes = step.width();
            messages.read(first, group, &mut data);
            step.repeat(&mut data);
            let (longest, shortest) = (data[0].len(), data[step.used - 1].len());
            if blocks(self.family, longest) > blocks(self.family, shortest) + MAX_GROUP_SPREAD {
                self.stream(first, group, messages, emit);
                continue;
            }
            let data = &data[..lanes];
            fill(&mut self.state, first, group, lanes, self.start);
            let many = left.end - step.first > 2 * lanes;
            let last = self.padding.of(self.family, self.before, data, many);
            let ending = Ending { before: self.before, padding_block: last };
            step.kernel.finish(self.family, self.state.words_mut(0), MAX_LANES, data, ending);
            self.end((step.kernel, lanes), first, group);
            let digests = &mut digests[..lanes];
            step.kernel.write(self.family, self.state.words(0), MAX_LANES, digests);
            emit.emit(first, group, digests);
            let bytes = data[..step.used].iter().map(|data| data.len() as u64).sum();
            self.steps.ran(step, bytes);
        }
        if self.is_keyed() {
            wipe(&mut digests, [0; 64]);
        }
    }

    /// Computes the second hash, if any, of the messages of a step.
    fn end(&mut self, (kernel, lanes): (Kernel, usize), first: usize, group: &[u16]) {
        let Some(outer) = &mut self.outer else { return };
        fill(&mut outer.chains, first, group, lanes, outer.start);
        kernel.each_group(lanes, |lanes| {
            let chains = [outer.chains.words(lanes.start); 2];
            let u = self.state.words_mut(lanes.start);
            let sum = outer.sum.words_mut(lanes.start);
            kernel.iterate(self.family, chains, &outer.link, u, sum, MAX_LANES, Half::Outer, 1);
        });
    }

    /// Hashes messages as lanes become free. Not inlined, because it uses much stack.
    #[inline(never)]
    fn stream<'m>(
        &mut self,
        first: usize,
        order: &[u16],
        messages: &dyn Source<'m>,
        emit: &mut dyn Emit,
    ) {
        if order.is_empty() {
            return;
        }
        let (lanes, narrow) = (self.steps.plan().lanes(), self.steps.plan().chosen(1));
        let mut schedule = Schedule::new(self.family, self.is_keyed());
        let mut waiting = order.iter();
        loop {
            for &place in waiting.by_ref().take(lanes - schedule.live()) {
                let number = first + usize::from(place);
                let start = self.start.of(number).map(Int::widen);
                schedule.put((place, messages.message(number)), &start, self.before);
            }
            if schedule.live() == 0 {
                return;
            }
            schedule.run_lanes(&mut self.steps);
            while let Some(ended) = schedule.take() {
                let Ok(words) = ended.words;
                let place = [ended.message.0];
                self.state.set(0, &words.map(I::truncate));
                // The neighbouring lanes have not ended, so the second hash runs in one lane.
                self.end((narrow, 1), first, &place);
                emit.emit(first, &place, &[bytes(self.family, &self.state.lane(0))]);
            }
        }
    }

    /// Whether messages begin with a key, so that copies must be wiped.
    fn is_keyed(&self) -> bool {
        self.before > 0
    }

    /// Overwrites all state derived from messages and keys.
    pub(crate) fn wipe(&mut self) {
        self.start = Start::Same([I::ZERO; 8]);
        zeroize::optimization_barrier(&self.start);
        self.state.wipe();
        if let Some(outer) = &mut self.outer {
            outer.start = self.start;
            zeroize::optimization_barrier(&outer.start);
            outer.chains.wipe();
            outer.sum.wipe();
        }
    }
}

impl<'p, I: KernelWord> Outer<'p, I> {
    fn new(start: Start<'p, I>, link: Link<I>) -> Self {
        Self { start, link, chains: Columns::new(), sum: Columns::new() }
    }
}

impl<I: Copy> Start<'_, I> {
    /// Returns the initial chaining value of message `index`.
    fn of(&self, index: usize) -> [I; 8] {
        match self {
            Self::Same(start) => *start,
            Self::Each(start) => start(index),
        }
    }
}

impl<'o> Order<'o> {
    fn count(self) -> usize {
        match self {
            Self::Own(count) => count,
            Self::Sorted(places) => places.len(),
        }
    }

    /// Returns the index of message `i` in this order, in a window that begins at index `first`.
    fn index(self, first: usize, i: usize) -> usize {
        first + if let Self::Sorted(places) = self { usize::from(places[i]) } else { i }
    }

    /// Returns the messages of a step, in a window that begins at index `first`: their places, and the
    /// index that the places are relative to.
    fn of(self, first: usize, step: Step) -> (usize, &'o [u16]) {
        match self {
            Self::Own(_) => (first + step.first, &PLACES[..step.used]),
            Self::Sorted(places) => (first, &places[step.lanes()]),
        }
    }
}

/// Sets the first `lanes` lanes to the initial chaining values of a group's messages, whose
/// places are relative to `first`.
fn fill<I: KernelWord>(
    state: &mut Columns<I>,
    first: usize,
    group: &[u16],
    lanes: usize,
    start: Start<'_, I>,
) {
    match start {
        Start::Same(start) => state.fill(lanes, &start),
        // Unused lanes may contain anything.
        Start::Each(start) => {
            for (l, &place) in group.iter().enumerate() {
                state.set(l, &start(first + usize::from(place)));
            }
        }
    }
}

impl<I: KernelWord> Padding<I> {
    /// Returns the expanded last block if all messages have the same length, that block contains
    /// only padding, and it is cached or worth expanding because there are `many`.
    fn of(
        &mut self,
        family: Family,
        before: u64,
        data: &[&[u8]],
        many: bool,
    ) -> Option<&Expanded<I>> {
        let (len, block) = (data[0].len(), family.block_len());
        let rest = len & (block - 1);
        let is_padding = rest == 0 || rest + 1 + family.length_len() > block;
        let kept = if before == 0 { padding_block(family, len) } else { None };
        let is_known = kept.is_some() || self.len == Some(len);
        if !is_padding || !(is_known || many) || data.iter().any(|d| d.len() != len) {
            return None;
        }
        if kept.is_some() {
            return kept;
        }
        if !is_known {
            self.expanded = expand_end(family, rest, before + len as u64);
            self.len = Some(len);
        }
        Some(&self.expanded)
    }
}

/// Sorts the places of messages, relative to index `first`, by block count, longest message first. Returns the number
/// of messages to stream.
pub(super) fn sort<const MOST: usize>(
    family: Family,
    order: &mut [u16],
    first: usize,
    messages: &dyn Source<'_>,
) -> usize {
    // High bits: how many blocks fewer than `STREAMED_BLOCKS`; low 16 bits: the place.
    let mut keys = [0u32; MOST];
    let keys = &mut keys[..order.len()];
    messages.count_blocks(family, first, keys);
    let mut long = 0;
    for (place, key) in keys.iter_mut().enumerate() {
        let blocks = (*key as usize).min(STREAMED_BLOCKS);
        *key = ((STREAMED_BLOCKS - blocks) << 16 | place) as u32;
        long += usize::from(blocks == STREAMED_BLOCKS);
    }
    if MOST < STREAMED_BLOCKS {
        keys.sort_unstable();
        order.iter_mut().zip(keys).for_each(|(to, key)| *to = *key as u16);
    } else {
        sort_by_counting(order, keys);
    }
    if long > 1 {
        let len = |place: u16| messages.message(first + usize::from(place)).len();
        order[..long].sort_unstable_by_key(|&place| core::cmp::Reverse(len(place)));
    }
    long
}

/// Counting sort of places by the high bits of `keys`, which are at most [`STREAMED_BLOCKS`]. The low 16 bits
/// are the places.
fn sort_by_counting(order: &mut [u16], keys: &[u32]) {
    let mut counts = [0u16; STREAMED_BLOCKS + 1];
    keys.iter().for_each(|key| counts[(key >> 16) as usize] += 1);
    let mut sum = 0;
    for count in &mut counts {
        sum += core::mem::replace(count, sum);
    }
    for key in keys {
        let to = &mut counts[(key >> 16) as usize];
        order[usize::from(*to)] = *key as u16;
        *to += 1;
    }
}
