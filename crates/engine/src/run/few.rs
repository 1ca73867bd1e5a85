//! Batches of at most [`MAX_LANES`] messages. Setting up a [`Batch`](super::batch::Batch) costs
//! as much as a block or two; these functions set up only the state that their kernels need.

use core::ops::Range;

use lanesum_spec::{Algorithm, Expanded, Family};

use super::batch::{CACHED_MESSAGES, Emit, are_groups, sort};
use super::one;
use super::source::PLACES;
use crate::choose::{Plan, Shape, Short, Step, Steps, padding_block};
use crate::kernel::{Ending, Half, Kernel, KernelWord, Link, One};
use crate::words::{Columns, MAX_LANES, blocks, bytes, readable};

/// The chaining values of an HMAC key.
#[derive(Clone, Copy)]
pub(crate) struct KeyWords<'k, I> {
    pub(crate) algorithm: Algorithm,
    pub(crate) inner: &'k [I; 8],
    pub(crate) outer: &'k [I; 8],
}

/// Hashes messages 0 … `count`, one at a time or in lanes. With a key, computes HMACs in lanes; the caller decides
/// whether they are computed one at a time, and overwrites the stack that this uses.
///
/// Returns false, and hashes nothing, if a [`Batch`](super::batch::Batch) is better: for more than [`MAX_LANES`]
/// messages, and for lengths that differ much.
#[inline(always)]
pub(crate) fn few<'m, I: KernelWord>(
    algorithm: Algorithm,
    steps: &mut Steps<&Plan>,
    count: usize,
    message: impl Fn(usize) -> &'m [u8],
    key: Option<KeyWords<'_, I>>,
    emit: &mut dyn Emit,
) -> bool {
    if !(1..=MAX_LANES).contains(&count) {
        return count == 0;
    }
    // A buffer for as many messages as the first kernel has lanes: clearing a larger one takes as
    // long as a quarter of a block.
    match count.max(steps.plan().chosen(count).lanes()) {
        1..=4 => at_most::<I, 4>(algorithm, steps, count, message, key, emit),
        5..=8 => at_most::<I, 8>(algorithm, steps, count, message, key, emit),
        9..=16 => at_most::<I, 16>(algorithm, steps, count, message, key, emit),
        _ => at_most::<I, MAX_LANES>(algorithm, steps, count, message, key, emit),
    }
}

/// Hashes messages 0 … `count` if each is exactly one block long, such as a node of a Merkle tree, or if each is one
/// block long with its padding. With a key, computes HMACs of the latter; the caller overwrites the stack that this uses.
/// A function of the kernel computes the digests from the messages. Returns false, and hashes nothing, for other
/// messages, for more than are likely to be cached, and if the plan has a kernel without this function for this count.
#[inline(always)]
pub(crate) fn one_block_each<'m, I: KernelWord>(
    algorithm: Algorithm,
    plan: &Plan,
    count: usize,
    message: impl Fn(usize) -> &'m [u8],
    key: Option<KeyWords<'_, I>>,
    emit: &mut dyn Emit,
) -> bool {
    /// The maximum number of tags. Loading more digests as messages takes longer than the iteration of a kernel.
    const MAX_TAGS: usize = 16;

    let block_len = algorithm.block_len();
    let most = if key.is_some() { MAX_TAGS } else { CACHED_MESSAGES };
    let short = match (1..=most).contains(&count).then(|| message(0).len()) {
        Some(len) if len == block_len && key.is_none() => Short::Padded,
        Some(len) if len < block_len => Short::One,
        _ => return false,
    };
    let batch = OneBlockEach { algorithm, plan, short, key };
    if count > MAX_LANES {
        let has = |count: usize| count == 0 || plan.digests_blocks(short, count);
        let lens = || (0..count).map(|i| message(i).len());
        if !(has(MAX_LANES) && has(count % MAX_LANES) && batch.fit(lens().min(), lens().max())) {
            return false;
        }
        let windows = (0..count).step_by(MAX_LANES);
        return windows
            .map(|first| first..count.min(first + MAX_LANES))
            .all(|window| batch.run::<MAX_LANES>(window, &message, emit));
    }
    if !plan.digests_blocks(short, count) {
        return false;
    }
    match count.max(plan.chosen_for(short, count).lanes()) {
        1..=2 => batch.run::<2>(0..count, message, emit),
        3..=8 => batch.run::<8>(0..count, message, emit),
        9..=16 => batch.run::<16>(0..count, message, emit),
        _ => batch.run::<MAX_LANES>(0..count, message, emit),
    }
}

/// A batch of messages of one block.
#[derive(Clone, Copy)]
struct OneBlockEach<'p, I> {
    algorithm: Algorithm,
    plan: &'p Plan,
    short: Short,
    key: Option<KeyWords<'p, I>>,
}

impl<I: KernelWord> OneBlockEach<'_, I> {
    /// Whether messages of these lengths, the shortest and the longest, are of the batch's class.
    #[inline]
    fn fit(self, shortest: Option<usize>, longest: Option<usize>) -> bool {
        let family = self.algorithm.family();
        let (Some(shortest), Some(longest)) = (shortest, longest) else { return false };
        match self.short {
            Short::Padded => [shortest, longest] == [family.block_len(); 2],
            Short::One | Short::Two => longest < family.block_len() - family.length_len(),
        }
    }

    /// Hashes the messages with indices in `range`, at most `MOST`. Returns false, and hashes nothing, if one is of
    /// another class.
    #[inline(always)]
    fn run<'m, const MOST: usize>(
        self,
        range: Range<usize>,
        message: impl Fn(usize) -> &'m [u8],
        emit: &mut dyn Emit,
    ) -> bool {
        // Unused lanes repeat the last message.
        let mut messages = [&[][..]; MOST];
        for (i, to) in messages.iter_mut().enumerate() {
            *to = readable(message((range.start + i).min(range.end - 1)));
        }
        let lens = || messages.iter().map(|message| message.len());
        self.fit(lens().min(), lens().max()) && self.hash(range, &messages, emit)
    }

    /// Hashes `messages`: those with the indices in `range`, then messages that fill unused lanes.
    #[inline(never)]
    fn hash(self, range: Range<usize>, messages: &[&[u8]], emit: &mut dyn Emit) -> bool {
        let Self { algorithm, plan, short, key } = self;
        let (family, is_padded) = (algorithm.family(), short == Short::Padded);
        let padding_block =
            is_padded.then(|| padding_block::<I>(family, family.block_len())).flatten();
        let iv = key.map(|key| key.inner).or(I::stored_iv(algorithm));
        let Some(iv) = iv.filter(|_| is_padded == padding_block.is_some()) else { return false };
        let ending = Ending { before: 0, padding_block };
        let mut left = 0..range.len();
        while let Some(Step { kernel, first, used }) = plan.short_step(short, &mut left) {
            let data = &messages[first..first + kernel.lanes()];
            let places = (range.start + first, &PLACES[..used]);
            match data.len() {
                1..=2 => self.step::<2>(kernel, iv, data, ending, places, emit),
                3..=8 => self.step::<8>(kernel, iv, data, ending, places, emit),
                9..=16 => self.step::<16>(kernel, iv, data, ending, places, emit),
                _ => self.step::<MAX_LANES>(kernel, iv, data, ending, places, emit),
            }
        }
        true
    }

    /// Hashes a message in each lane of `kernel`, at most `LANES`, and emits the results of the first lanes.
    #[inline(always)]
    fn step<const LANES: usize>(
        self,
        kernel: Kernel,
        iv: &[I; 8],
        data: &[&[u8]],
        ending: Ending<'_, I>,
        places: (usize, &[u16]),
        emit: &mut dyn Emit,
    ) {
        match self.key {
            Some(key) => tag::<I, LANES>(kernel, key, data, places, emit),
            None => {
                digest::<I, LANES>(self.algorithm.family(), kernel, iv, data, ending, places, emit);
            }
        }
    }
}

/// Hashes a message in each lane of `kernel`, and emits the digests of the first lanes.
#[inline(never)]
fn digest<I: KernelWord, const LANES: usize>(
    family: Family,
    kernel: Kernel,
    iv: &[I; 8],
    data: &[&[u8]],
    ending: Ending<'_, I>,
    (first, places): (usize, &[u16]),
    emit: &mut dyn Emit,
) {
    let used = places.len();
    if used == data.len()
        && let Some(room) = emit.packed(first..first + used, size_of::<I::Row>())
    {
        kernel.digest_blocks(family, iv, data, ending, I::rows(room));
        return;
    }
    let mut digests = [I::BLANK; LANES];
    kernel.digest_blocks(family, iv, data, ending, &mut digests[..data.len()]);
    emit_rows::<I, LANES>(&digests[..used], (first, places), emit);
}

/// Computes the tag of a message in each lane of `kernel`, and emits the tags of the first lanes.
#[inline(never)]
fn tag<I: KernelWord, const LANES: usize>(
    kernel: Kernel,
    KeyWords { algorithm, inner, outer }: KeyWords<'_, I>,
    data: &[&[u8]],
    places: (usize, &[u16]),
    emit: &mut dyn Emit,
) {
    let (family, lanes) = (algorithm.family(), data.len());
    let ending = Ending::after(family.block_len() as u64);
    let (mut digests, mut tags) = ([I::BLANK; LANES], [I::BLANK; LANES]);
    kernel.digest_blocks(family, inner, data, ending, &mut digests[..lanes]);
    let mut messages = [&[][..]; LANES];
    for (to, digest) in messages.iter_mut().zip(&digests) {
        *to = &digest.as_ref()[..algorithm.digest_len()];
    }
    kernel.digest_blocks(family, outer, &messages[..lanes], ending, &mut tags[..lanes]);
    emit_rows::<I, LANES>(&tags[..places.1.len()], places, emit);
}

/// Emits at most `LANES` digests.
#[inline(always)]
fn emit_rows<I: KernelWord, const LANES: usize>(
    rows: &[I::Row],
    (first, places): (usize, &[u16]),
    emit: &mut dyn Emit,
) {
    if let Some(room) = emit.packed(first..first + rows.len(), size_of::<I::Row>()) {
        // Row by row: loads that span two rows would defeat store-to-load forwarding.
        return I::rows(room).copy_from_slice(rows);
    }
    let mut digests = [[0; 64]; LANES];
    for (to, row) in digests.iter_mut().zip(rows) {
        to[..size_of::<I::Row>()].copy_from_slice(row.as_ref());
    }
    emit.emit(first, places, &digests[..rows.len()]);
}

/// Implements [`few`] for at most `MOST` messages.
#[inline(always)]
fn at_most<'m, I: KernelWord, const MOST: usize>(
    algorithm: Algorithm,
    steps: &mut Steps<&Plan>,
    count: usize,
    message: impl Fn(usize) -> &'m [u8],
    key: Option<KeyWords<'_, I>>,
    emit: &mut dyn Emit,
) -> bool {
    let family = algorithm.family();
    let mut messages = [readable(&[]); MOST];
    let lens = messages[..count].iter_mut().enumerate().map(|(i, to)| {
        *to = readable(message(i));
        to.len()
    });
    let shape = Shape::new(family, lens);
    let differ = shape.min_blocks < shape.max_blocks;
    let mut lengths = Lengths { differ, short: None, padding_block: None };
    if key.is_none() {
        if count <= Shape::MAX_MESSAGES {
            if steps.plan().is_faster_one_by_one(&shape) {
                let one = One::new(steps.plan().chosen(1), family);
                one_by_one::<I>(algorithm, one, &messages[..count], emit);
                return true;
            }
            lengths.short = shape.short;
        }
        lengths.padding_block = shape.common_len.and_then(|len| padding_block(family, len));
    }
    if !are_groups(&shape) {
        return false;
    }
    let computed;
    let iv = match (key, I::stored_iv(algorithm)) {
        (Some(key), _) => key.inner,
        (None, Some(stored)) => stored,
        (None, None) => {
            computed = I::iv(algorithm);
            &computed
        }
    };
    if key.is_none() && !lengths.differ && (lengths.short.is_some() || count < steps.plan().lanes())
    {
        let mut left = 0..count;
        let step = lengths.next(steps, &mut left, MOST, |_, _| true);
        if let Some(step) = step.filter(|step| left.is_empty() && step.width() <= MOST) {
            // Unused lanes repeat the last message.
            let last = messages[count - 1];
            messages[count..].fill(last);
            let ending = Ending { before: 0, padding_block: lengths.padding_block };
            let (data, places) = (&messages[..step.width()], &PLACES[..count]);
            in_lanes::<I, MOST>(family, step.kernel, iv, data, ending, None, places, emit);
            return true;
        }
    }
    groups::<I>(algorithm, steps, &mut messages, count, lengths, (key, iv), emit);
    true
}

/// Hashes messages one after another. With few instructions between them, the CPU begins a message while it waits for
/// the previous one.
#[inline(never)]
fn one_by_one<I: KernelWord>(
    algorithm: Algorithm,
    one: One,
    messages: &[&[u8]],
    emit: &mut dyn Emit,
) {
    let (family, iv) = (algorithm.family(), I::iv(algorithm));
    let mut digests = [[0; 64]; 4];
    for (messages, places) in messages.chunks(digests.len()).zip(PLACES.chunks(digests.len())) {
        for (message, digest) in messages.iter().zip(&mut digests) {
            let mut state = iv;
            let padding_block = padding_block(family, message.len());
            one.finish(&mut state, message, Ending { before: 0, padding_block });
            *digest = bytes(family, &state);
        }
        emit.emit(0, &places[..messages.len()], &digests[..messages.len()]);
    }
}

/// Properties of messages that decide how they are hashed.
struct Lengths<I: 'static> {
    /// Whether their numbers of blocks differ.
    differ: bool,
    /// Their class, if they are short.
    short: Option<Short>,
    /// The expanded last block, if all messages are one block long.
    padding_block: Option<&'static Expanded<I>>,
}

impl<I> Lengths<I> {
    /// Takes the next step from the front of `left`, extended to at most `most` lanes whose last message in each group
    /// is `alike`.
    #[inline(always)]
    fn next(
        &self,
        steps: &mut Steps<&Plan>,
        left: &mut Range<usize>,
        most: usize,
        alike: impl Fn(&Step, usize) -> bool,
    ) -> Option<Step> {
        let mut step = match self.short {
            Some(short) => steps.plan().short_step(short, left),
            None => steps.next(left),
        }?;
        let first = step;
        step.extend(
            left,
            most,
            |i| alike(&first, i),
            |kernel, count| {
                let plan = steps.plan();
                kernel
                    == self
                        .short
                        .map_or_else(|| plan.chosen(count), |short| plan.chosen_for(short, count))
            },
        );
        Some(step)
    }
}

/// Hashes the first `count` messages in groups, each from the first block to the digest in one kernel
/// call. The messages past `count` fill unused lanes.
fn groups<I: KernelWord>(
    algorithm: Algorithm,
    steps: &mut Steps<&Plan>,
    messages: &mut [&[u8]],
    count: usize,
    lengths: Lengths<I>,
    (key, iv): (Option<KeyWords<'_, I>>, &[I; 8]),
    emit: &mut dyn Emit,
) {
    let family = algorithm.family();
    let mut sorted: [u16; MAX_LANES];
    let mut places = &PLACES;
    if lengths.differ {
        sorted = PLACES;
        put_in_order(family, &mut messages[..count], &mut sorted);
        places = &sorted;
    }
    // Unused lanes repeat the last message.
    let shortest = messages[count - 1];
    messages[count..].fill(shortest);
    let before = if key.is_some() { family.block_len() as u64 } else { 0 };
    let ending = Ending { before, padding_block: lengths.padding_block };
    let mut left = 0..count;
    loop {
        let blocks = |i: usize| blocks(family, messages[i].len());
        let alike = |step: &Step, i| blocks(i) == blocks(step.first);
        let Some(step) = lengths.next(steps, &mut left, messages.len(), alike) else { break };
        let (group, lanes) = (&messages[step.lanes()], step.width());
        let filled: [&[u8]; MAX_LANES];
        // Borrow the messages in place if the array has one for each lane: copying pointers that were just stored
        // separately would defeat store-to-load forwarding.
        let data = match messages.get(step.first..step.first + lanes) {
            Some(data) => data,
            None => {
                filled = step.data(group.iter().copied());
                &filled[..lanes]
            }
        };
        let places = &places[step.lanes()];
        match data.len() {
            1 if key.is_none() => {
                let digest = one::by_kernel(algorithm, step.kernel, data[0]);
                emit.emit(0, places, core::array::from_ref(digest.room()));
            }
            1..=2 => in_lanes::<I, 2>(family, step.kernel, iv, data, ending, key, places, emit),
            3..=4 => in_lanes::<I, 4>(family, step.kernel, iv, data, ending, key, places, emit),
            5..=8 => in_lanes::<I, 8>(family, step.kernel, iv, data, ending, key, places, emit),
            9..=16 => in_lanes::<I, 16>(family, step.kernel, iv, data, ending, key, places, emit),
            _ => in_lanes::<I, MAX_LANES>(family, step.kernel, iv, data, ending, key, places, emit),
        }
        // Updating the shared byte count takes as long as a block in a few lanes, and a trial needs all lanes.
        if count >= steps.plan().lanes() || steps.is_on_trial() {
            steps.ran(step, group.iter().map(|message| message.len() as u64).sum());
        }
    }
}

/// Sorts messages by block count, longest first, and their places with them.
#[inline(never)]
fn put_in_order(family: Family, messages: &mut [&[u8]], places: &mut [u16; MAX_LANES]) {
    let places = &mut places[..messages.len()];
    let mut unsorted = [&[][..]; MAX_LANES];
    unsorted[..messages.len()].copy_from_slice(messages);
    sort::<MAX_LANES>(family, places, 0, &|place: usize| unsorted[place]);
    for (message, place) in messages.iter_mut().zip(places) {
        *message = unsorted[usize::from(*place)];
    }
}

/// Hashes the messages of a step, at most `LANES`, and emits the digests of the first lanes. Not inlined: the
/// stack frame would otherwise contain the buffers for every number of lanes.
#[allow(clippy::too_many_arguments, reason = "all of them are of one step")]
#[inline(never)]
fn in_lanes<I: KernelWord, const LANES: usize>(
    family: Family,
    kernel: Kernel,
    iv: &[I; 8],
    data: &[&[u8]],
    ending: Ending<'_, I>,
    key: Option<KeyWords<'_, I>>,
    places: &[u16],
    emit: &mut dyn Emit,
) {
    let mut state = Columns::<I, LANES>::of(iv);
    let mut digests = [[0; 64]; LANES];
    let digests = &mut digests[..data.len()];
    match key {
        None => kernel.digests(family, state.words_mut(0), LANES, data, ending, digests),
        Some(key) => {
            kernel.finish(family, state.words_mut(0), LANES, data, ending);
            outer(family, kernel, &mut state, data.len(), key);
            kernel.write(family, state.words(0), LANES, digests);
        }
    }
    emit.emit(0, places, digests);
}

/// Computes HMAC's outer hash in the first `lanes` lanes.
#[inline(never)]
fn outer<I: KernelWord, const LANES: usize>(
    family: Family,
    kernel: Kernel,
    state: &mut Columns<I, LANES>,
    lanes: usize,
    key: KeyWords<'_, I>,
) {
    let (chains, mut sum) = (Columns::<I, LANES>::of(key.outer), Columns::<I, LANES>::new());
    let link = Link::new(key.algorithm);
    kernel.each_group(lanes, |lanes| {
        let (u, sum) = (state.words_mut(lanes.start), sum.words_mut(lanes.start));
        let chains = [chains.words(lanes.start); 2];
        kernel.iterate(family, chains, &link, u, sum, LANES, Half::Outer, 1);
    });
}
