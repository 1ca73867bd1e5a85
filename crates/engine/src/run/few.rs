//! Batches with at most as many messages as lanes. Setting up a [`Batch`](super::batch::Batch) costs
//! as much as a block or two; these functions set up only the state that their kernels need.

use lanesum_spec::{Algorithm, Expanded, Family};

use super::batch::{Emit, PLACES, are_groups, blocks, sort};
use super::one;
use crate::choose::{Plan, Short, Turns, after_one, readable};
use crate::kernel::{Half, Kernel, KernelWord, Link, Rest};
use crate::words::{Columns, MAX_LANES};

/// The maximum number of lanes of a narrow kernel.
const NARROW: usize = 8;

/// The chaining values of an HMAC key.
#[derive(Clone, Copy)]
pub(crate) struct KeyWords<'k, I> {
    pub(crate) inner: &'k [I; 8],
    pub(crate) outer: &'k [I; 8],
    pub(crate) link: &'k Link<I>,
}

/// Hashes messages 0 … `count` if there are at most as many as lanes and their lengths are similar. Returns
/// whether that is so; otherwise does nothing. With `key`, computes their HMACs; the caller then overwrites the
/// stack that this uses.
#[inline(always)]
pub(crate) fn few<'m, I: KernelWord>(
    algorithm: Algorithm,
    turns: &mut Turns<&Plan>,
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
    match count.max(turns.plan().chosen(count).lanes()) {
        1..=4 => at_most::<I, 4>(algorithm, turns, count, message, key, emit),
        5..=8 => at_most::<I, 8>(algorithm, turns, count, message, key, emit),
        9..=16 => at_most::<I, 16>(algorithm, turns, count, message, key, emit),
        _ => at_most::<I, MAX_LANES>(algorithm, turns, count, message, key, emit),
    }
}

/// Implements [`few`] for at most `MOST` messages.
#[inline(always)]
fn at_most<'m, I: KernelWord, const MOST: usize>(
    algorithm: Algorithm,
    turns: &mut Turns<&Plan>,
    count: usize,
    message: impl Fn(usize) -> &'m [u8],
    key: Option<KeyWords<'_, I>>,
    emit: &mut dyn Emit,
) -> bool {
    let mut messages = [readable(&[]); MOST];
    let (mut shortest, mut longest) = (usize::MAX, 0);
    for (i, to) in messages[..count].iter_mut().enumerate() {
        *to = readable(message(i));
        (shortest, longest) = (shortest.min(to.len()), longest.max(to.len()));
    }
    let [least, most] = [shortest, longest].map(|len| blocks(algorithm.family(), len));
    if !are_groups(least, most) {
        return false;
    }
    let mut order = Order { differ: least < most, short: None, after_one: None };
    if key.is_none() {
        if shortest == longest {
            order.after_one = after_one(algorithm.family(), longest);
        }
        if count <= NARROW {
            order.short = short(algorithm.family(), shortest, longest);
        }
    }
    groups::<I>(algorithm, turns, &mut messages, count, order, key, emit);
    true
}

/// Properties of messages that decide how they are hashed.
struct Order<I: 'static> {
    /// Whether their numbers of blocks differ.
    differ: bool,
    /// Their class, if they are short.
    short: Option<Short>,
    /// The expanded last block, if all messages are one block long.
    after_one: Option<&'static Expanded<I>>,
}

/// Returns the class of short messages for these lengths, or `None` if they are not short.
#[inline]
pub(super) fn short(family: Family, shortest: usize, longest: usize) -> Option<Short> {
    match blocks(family, longest) {
        1 => Some(Short::One),
        2 if shortest == family.block_len() && shortest == longest => Some(Short::Padded),
        2 => Some(Short::Two),
        _ => None,
    }
}

/// Hashes the first `count` messages in groups, each from the first block to the digest in one kernel
/// call. The messages past `count` fill unused lanes.
fn groups<I: KernelWord>(
    algorithm: Algorithm,
    turns: &mut Turns<&Plan>,
    messages: &mut [&[u8]],
    count: usize,
    order: Order<I>,
    key: Option<KeyWords<'_, I>>,
    emit: &mut dyn Emit,
) {
    let family = algorithm.family();
    let mut sorted: [u16; MAX_LANES];
    let mut places = &PLACES;
    if order.differ {
        sorted = PLACES;
        put_in_order(family, &mut messages[..count], &mut sorted);
        places = &sorted;
    }
    // Unused lanes repeat the last message.
    let shortest = messages[count - 1];
    messages[count..].fill(shortest);
    let (iv, before) = match key {
        None => (I::iv(algorithm), 0),
        Some(key) => (*key.inner, family.block_len() as u64),
    };
    let rest = Rest { before, last: order.after_one };
    let mut left = 0..count;
    loop {
        let next = match order.short {
            Some(short) => turns.plan().short_turn(short, &mut left),
            None => turns.next(&mut left),
        };
        let Some(mut turn) = next else { break };
        let blocks = |i: usize| blocks(family, messages[i].len());
        let first = blocks(turn.first);
        turn.extend(&mut left, messages.len(), |i| blocks(i) == first);
        let (group, lanes) = (&messages[turn.lanes()], turn.width());
        let filled: [&[u8]; MAX_LANES];
        // Borrow the messages in place if the array has one for each lane: copying pointers that were just stored
        // separately would defeat store-to-load forwarding.
        let data = match messages.get(turn.first..turn.first + lanes) {
            Some(data) => data,
            None => {
                filled = turn.data(group.iter().copied());
                &filled[..lanes]
            }
        };
        let mut put = |digests: &[[u8; 64]]| emit.emit(0, &places[turn.lanes()], digests);
        match data.len() {
            1 if key.is_none() => {
                let digest = one::by_kernel(algorithm, turn.kernel, data[0]);
                put(core::array::from_ref(digest.room()));
            }
            1..=2 => in_lanes::<I, 2>(family, turn.kernel, &iv, data, rest, key, &mut put),
            3..=4 => in_lanes::<I, 4>(family, turn.kernel, &iv, data, rest, key, &mut put),
            5..=8 => in_lanes::<I, 8>(family, turn.kernel, &iv, data, rest, key, &mut put),
            9..=16 => in_lanes::<I, 16>(family, turn.kernel, &iv, data, rest, key, &mut put),
            _ => in_lanes::<I, MAX_LANES>(family, turn.kernel, &iv, data, rest, key, &mut put),
        }
        // On narrow kernels, hashing these messages takes less time than updating the shared byte count.
        if turn.kernel.lanes() > NARROW || turns.is_on_trial() {
            turns.ran(turn, group.iter().map(|message| message.len() as u64).sum());
        }
    }
}

/// Sorts messages by block count, longest first, and their places with them.
#[inline(never)]
fn put_in_order(family: Family, messages: &mut [&[u8]], places: &mut [u16; MAX_LANES]) {
    let places = &mut places[..messages.len()];
    let mut unsorted = [&[][..]; MAX_LANES];
    unsorted[..messages.len()].copy_from_slice(messages);
    sort::<MAX_LANES>(family, places, |place| unsorted[usize::from(place)]);
    for (message, place) in messages.iter_mut().zip(places) {
        *message = unsorted[usize::from(*place)];
    }
}

/// Hashes the messages of a step, at most `LANES`. Not inlined: the stack frame
/// would otherwise contain the buffers for every number of lanes.
#[inline(never)]
fn in_lanes<I: KernelWord, const LANES: usize>(
    family: Family,
    kernel: Kernel,
    iv: &[I; 8],
    data: &[&[u8]],
    rest: Rest<'_, I>,
    key: Option<KeyWords<'_, I>>,
    put: &mut dyn FnMut(&[[u8; 64]]),
) {
    let mut state = Columns::<I, LANES>::of(iv);
    let mut digests = [[0; 64]; LANES];
    kernel.finish(family, state.words_mut(0), LANES, data, rest);
    if let Some(key) = key {
        outer(family, kernel, &mut state, data.len(), key);
    }
    let digests = &mut digests[..data.len()];
    kernel.write(family, state.words(0), LANES, digests);
    put(digests);
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
    kernel.each_group(lanes, |lanes| {
        let (u, sum) = (state.words_mut(lanes.start), sum.words_mut(lanes.start));
        let chains = [chains.words(lanes.start); 2];
        kernel.iterate(family, chains, key.link, u, sum, LANES, Half::Outer, 1);
    });
}
