//! Batches with at most as many messages as lanes. Setting up a [`Batch`](super::batch::Batch) costs
//! as much as a block or two; these functions set up only the state that their kernels need.

use lanesum_spec::{Algorithm, Family};

use super::batch::{Emit, PLACES, after_one, are_groups, blocks, sort};
use super::one;
use crate::choose::{Plan, Short, Turns, readable};
use crate::kernel::{Kernel, Rest, Select};
use crate::words::{Columns, MAX_LANES};

/// The maximum number of lanes of a narrow kernel.
const NARROW: usize = 8;

/// Hashes messages 0 … `count`, at least one and at most `MOST`, if their lengths are similar.
/// Returns whether they are; otherwise does nothing.
#[inline(always)]
pub(crate) fn few<'m, I: Select, const MOST: usize>(
    algorithm: Algorithm,
    turns: &mut Turns<&Plan>,
    count: usize,
    message: impl Fn(usize) -> &'m [u8],
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
    let last = if shortest == longest { after_one(algorithm.family(), longest) } else { None };
    let rest = Rest { before: 0, last };
    let short = if count <= NARROW { short(algorithm.family(), shortest, longest) } else { None };
    groups::<I>(algorithm, turns, &mut messages, count, (least < most, short), rest, emit);
    true
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
/// call. Sorts them if their block counts `differ`. The messages past `count` fill unused lanes.
fn groups<I: Select>(
    algorithm: Algorithm,
    turns: &mut Turns<&Plan>,
    messages: &mut [&[u8]],
    count: usize,
    (differ, short): (bool, Option<Short>),
    rest: Rest<'_, I>,
    emit: &mut dyn Emit,
) {
    let family = algorithm.family();
    let mut sorted: [u16; MAX_LANES];
    let mut places = &PLACES;
    if differ {
        sorted = PLACES;
        put_in_order(family, &mut messages[..count], &mut sorted);
        places = &sorted;
    }
    // Unused lanes repeat the last message.
    let shortest = messages[count - 1];
    messages[count..].fill(shortest);
    let iv = I::iv(algorithm);
    let mut left = 0..count;
    let mut next = |turns: &mut Turns<&Plan>| match short {
        Some(short) => turns.plan().short_turn(short, &mut left),
        None => turns.next(&mut left),
    };
    while let Some(turn) = next(turns) {
        let (group, lanes) = (&messages[turn.lanes()], turn.kernel.lanes());
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
            1 => {
                let digest = one::by_kernel(algorithm, turn.kernel, data[0]);
                put(core::array::from_ref(digest.room()));
            }
            2 => in_lanes::<I, 2>(family, turn.kernel, &iv, data, rest, &mut put),
            3..=4 => in_lanes::<I, 4>(family, turn.kernel, &iv, data, rest, &mut put),
            5..=8 => in_lanes::<I, 8>(family, turn.kernel, &iv, data, rest, &mut put),
            9..=16 => in_lanes::<I, 16>(family, turn.kernel, &iv, data, rest, &mut put),
            _ => in_lanes::<I, MAX_LANES>(family, turn.kernel, &iv, data, rest, &mut put),
        }
        // On narrow kernels, hashing these messages takes less time than updating the shared byte count.
        if lanes > NARROW {
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

/// Hashes as many messages as the kernel has lanes, at most `LANES`. Not inlined: the stack frame
/// would otherwise contain the buffers for every number of lanes.
#[inline(never)]
fn in_lanes<I: Select, const LANES: usize>(
    family: Family,
    kernel: Kernel,
    iv: &[I; 8],
    data: &[&[u8]],
    rest: Rest<'_, I>,
    put: &mut dyn FnMut(&[[u8; 64]]),
) {
    let mut state = Columns::<I, LANES>::of(iv);
    let mut digests = [[0; 64]; LANES];
    kernel.finish(family, state.words_mut(0), LANES, data, rest);
    kernel.write(family, state.words(0), LANES, &mut digests);
    put(&digests);
}
