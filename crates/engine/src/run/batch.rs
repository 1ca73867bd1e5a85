//! Batches: many whole messages in memory. Every batch call ends here.
//!
//! Messages of like length go together, so that lanes end together: in groups that
//! a kernel takes from the first block to the digest. Long ones, and those that differ
//! too much, are a stream that refills each lane when its message ends.

use core::convert::Infallible;
use core::ops::Range;

use lanesum_spec::{Algorithm, Expanded, Family, Int};

use super::schedule::Schedule;
use crate::Message;
use crate::base::wipe;
use crate::choose::{Plan, Turn, Turns, readable};
use crate::kernel::{Half, Kernel, Link, Rest, Select};
use crate::outputs::Places;
use crate::words::{Columns, MAX_LANES, bytes, expand_end};

/// How many messages are put in order at a time; how many if there are no more.
const WINDOW: usize = 1024;
const SMALL_WINDOW: usize = MAX_LANES;

/// So few messages are likely to be at hand.
const FEW: usize = 256;

/// How many bytes of a message are asked for before its window is hashed.
const NEAR: usize = 256;

/// Messages of like length that are in so many bytes each, padded, are read as soon as they would be
/// asked for.
const AT_ONCE: usize = 128;

/// Messages of at least so many blocks are not worth waiting for in a group:
/// they are streamed.
const LONG: usize = 256;

/// By how many blocks the messages of a group may differ: with more, those that
/// have ended wait longer than it takes to put others in their lanes.
const RAGGED: usize = 8;

/// Whether messages of so many blocks are hashed in groups, and not as a stream: the shortest and the
/// longest of as many as are put in order at a time.
#[inline]
pub(crate) fn are_groups(least: usize, most: usize) -> bool {
    most < LONG && most - least <= RAGGED
}

/// Hashes whole messages that begin with one chaining value.
pub(crate) struct Batch<'p, I> {
    family: Family,
    turns: Turns<&'p Plan>,
    start: Start<'p, I>,
    /// How many bytes that stands for: whole blocks.
    before: u64,
    padding: Padding<I>,
    state: Columns<I>,
    outer: Option<Outer<'p, I>>,
}

/// The second hash of HMAC, which takes the digest of the first in its lane.
struct Outer<'p, I> {
    start: Start<'p, I>,
    link: Link<I>,
    chains: Columns<I>,
    /// Where kernels add what comes out; nobody looks.
    sum: Columns<I>,
}

/// The chaining value that a message begins with.
#[derive(Clone, Copy)]
pub(crate) enum Start<'s, I> {
    /// One for all messages.
    Same([I; 8]),
    /// One for each, by the number of the message.
    Each(&'s dyn Fn(usize) -> [I; 8]),
}

/// The last block of messages of a length, expanded, when it is all padding.
struct Padding<I> {
    /// The length of the messages, in bytes.
    len: Option<usize>,
    expanded: Expanded<I>,
}

/// What is given digests.
pub(crate) trait Emit {
    /// Takes the bytes of the last chaining values of messages `first + places[i]`.
    fn emit(&mut self, first: usize, places: &[u16], bytes: &[[u8; 64]]);

    /// Is told that the digests of messages `range` come next.
    fn touch(&mut self, _range: Range<usize>) {}
}

impl<F: FnMut(usize, &[u16], &[[u8; 64]])> Emit for F {
    #[inline]
    fn emit(&mut self, first: usize, places: &[u16], bytes: &[[u8; 64]]) {
        self(first, places, bytes);
    }
}

/// Digests that go to their places.
pub(crate) struct To<P>(pub(crate) P);

impl<P: Places> Emit for To<P> {
    #[inline]
    fn emit(&mut self, first: usize, places: &[u16], bytes: &[[u8; 64]]) {
        self.0.put(first, places, bytes);
    }

    fn touch(&mut self, range: Range<usize>) {
        self.0.touch(range);
    }
}

/// The messages of a window that are hashed in groups.
#[derive(Clone, Copy)]
enum Order<'o> {
    /// So many, in their own order.
    Own(usize),
    /// By their places, longest first.
    Sorted(&'o [u16]),
}

/// A message of a stream, by its place among those that there are.
pub(crate) struct Placed<'m, P> {
    pub(crate) place: P,
    pub(crate) bytes: &'m [u8],
}

impl<P> Message for Placed<'_, P> {
    type Error = Infallible;

    #[inline]
    fn fill(&mut self) -> Result<&[u8], Infallible> {
        Ok(self.bytes)
    }

    #[inline]
    fn consume(&mut self, n: usize) {
        self.bytes = &self.bytes[n..];
    }
}

impl<'p, I: Select> Batch<'p, I> {
    /// Messages that begin with the chaining value `start`, which stands for
    /// `before` bytes.
    #[inline]
    pub(crate) fn new(
        algorithm: Algorithm,
        turns: Turns<&'p Plan>,
        start: Start<'p, I>,
        before: u64,
    ) -> Self {
        Self {
            family: algorithm.family(),
            turns,
            start,
            before,
            padding: Padding { len: None, expanded: [I::ZERO; _] },
            state: Columns::new(),
            outer: None,
        }
    }

    /// The same for HMAC: the digest of each message is hashed again, from the
    /// chaining value `outer` on.
    pub(crate) fn keyed(
        algorithm: Algorithm,
        turns: Turns<&'p Plan>,
        [inner, outer]: [Start<'p, I>; 2],
    ) -> Self {
        let before = algorithm.block_len() as u64;
        let outer = Outer {
            start: outer,
            link: Link::new(algorithm),
            chains: Columns::new(),
            sum: Columns::new(),
        };
        Self { outer: Some(outer), ..Self::new(algorithm, turns, inner, before) }
    }

    /// Hashes messages 0 … `count`; `emit` is given what comes of them, in any order.
    pub(crate) fn run<'m>(
        &mut self,
        count: usize,
        message: impl Fn(usize) -> &'m [u8],
        mut emit: impl Emit,
    ) {
        let mut first = 0;
        while first < count {
            let window = WINDOW.min(count - first);
            let alike = alike(self.family, first..first + window, &message);
            let is_in_order = alike.is_some_and(|blocks| blocks < LONG);
            if window > FEW {
                if alike.is_none_or(|blocks| blocks * self.family.block_len() > AT_ONCE) {
                    touch(first..first + window, &message);
                }
                if !is_in_order {
                    emit.touch(first..first + window);
                }
            }
            if is_in_order {
                self.groups(first, Order::Own(window), &message, &mut emit);
            } else if window <= SMALL_WINDOW {
                self.window::<SMALL_WINDOW>(first, window, &message, &mut emit);
            } else {
                self.window::<WINDOW>(first, window, &message, &mut emit);
            }
            first += window;
        }
    }

    /// Hashes the `count` messages from number `first` on: at most `MOST`.
    #[inline(never)]
    fn window<'m, const MOST: usize>(
        &mut self,
        first: usize,
        count: usize,
        message: &impl Fn(usize) -> &'m [u8],
        emit: &mut impl Emit,
    ) {
        let mut order = [0; MOST];
        let order = &mut order[..count];
        let long = sort::<MOST>(self.family, order, |place| message(first + usize::from(place)));
        let (long, short) = order.split_at(long);
        self.stream(first, long, message, emit);
        self.groups(first, Order::Sorted(short), message, emit);
    }

    /// Hashes messages of like length, a group at a time.
    #[inline(never)]
    fn groups<'m>(
        &mut self,
        first: usize,
        order: Order<'_>,
        message: &impl Fn(usize) -> &'m [u8],
        emit: &mut impl Emit,
    ) {
        let mut digests = [[0; 64]; MAX_LANES];
        let mut data = [readable(&[]); MAX_LANES];
        let mut left = 0..order.count();
        while let Some(turn) = self.turns.next(&mut left) {
            let (first, group) = order.of(first, turn);
            let lanes = turn.kernel.lanes();
            turn.fill(&mut data, group.iter().map(|&place| message(first + usize::from(place))));
            let (longest, shortest) = (data[0].len(), data[turn.used - 1].len());
            if blocks(self.family, longest) > blocks(self.family, shortest) + RAGGED {
                self.stream(first, group, message, emit);
                continue;
            }
            let data = &data[..lanes];
            fill(&mut self.state, first, group, lanes, self.start);
            let many = left.end - turn.first > 2 * lanes;
            let last = self.padding.of(self.family, self.before, data, many);
            let rest = Rest { before: self.before, last };
            turn.kernel.finish(self.family, self.state.words_mut(0), MAX_LANES, data, rest);
            self.end(turn.kernel, first, group);
            turn.kernel.write(self.family, self.state.words(0), MAX_LANES, &mut digests);
            emit.emit(first, group, &digests);
            let bytes = data[..turn.used].iter().map(|data| data.len() as u64).sum();
            self.turns.ran(turn, bytes);
        }
        if self.is_keyed() {
            wipe(&mut digests, [0; 64]);
        }
    }

    /// The outer hash, if there is one, of the messages in the first lanes.
    fn end(&mut self, kernel: Kernel, first: usize, group: &[u16]) {
        let Some(outer) = &mut self.outer else { return };
        fill(&mut outer.chains, first, group, kernel.lanes(), outer.start);
        let chains = [outer.chains.words(0); 2];
        let (u, sum) = (self.state.words_mut(0), outer.sum.words_mut(0));
        kernel.iterate(self.family, chains, &outer.link, u, sum, MAX_LANES, Half::Outer, 1);
    }

    /// Hashes messages as lanes come free. It is apart since it takes much stack.
    #[inline(never)]
    fn stream<'m>(
        &mut self,
        first: usize,
        order: &[u16],
        message: &impl Fn(usize) -> &'m [u8],
        emit: &mut impl Emit,
    ) {
        if order.is_empty() {
            return;
        }
        let (lanes, narrow) = (self.turns.plan().lanes(), self.turns.plan().chosen(1));
        let mut schedule = Schedule::new(self.family, self.is_keyed());
        let mut waiting = order.iter();
        loop {
            for &place in waiting.by_ref().take(lanes - schedule.live()) {
                let number = first + usize::from(place);
                let start = self.start.of(number).map(Int::widen);
                schedule.put(Placed { place, bytes: message(number) }, &start, self.before);
            }
            if schedule.live() == 0 {
                return;
            }
            schedule.turn(&mut self.turns);
            while let Some(ended) = schedule.take() {
                let Ok(words) = ended.words;
                let place = [ended.message.place];
                self.state.set(0, &words.map(I::truncate));
                // Its neighbours have not ended: it is alone in its outer hash.
                self.end(narrow, first, &place);
                emit.emit(first, &place, &[bytes(self.family, &self.state.lane(0))]);
            }
        }
    }

    /// Whether messages begin with a key, so that copies are to be wiped.
    fn is_keyed(&self) -> bool {
        self.before > 0
    }

    /// Overwrites what it knows of messages and of where they began.
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

impl<I: Copy> Start<'_, I> {
    /// That of message `index`.
    fn of(&self, index: usize) -> [I; 8] {
        match self {
            Self::Same(start) => *start,
            Self::Each(start) => start(index),
        }
    }
}

/// The places of messages in their own order.
pub(super) static PLACES: [u16; MAX_LANES] = {
    let mut places = [0; MAX_LANES];
    let mut i = 0;
    while i < MAX_LANES {
        places[i] = i as u16;
        i += 1;
    }
    places
};

impl<'o> Order<'o> {
    fn count(self) -> usize {
        match self {
            Self::Own(count) => count,
            Self::Sorted(places) => places.len(),
        }
    }

    /// The messages of a turn, in a window that begins with number `first`: places, and the
    /// number that they count from.
    fn of(self, first: usize, turn: Turn) -> (usize, &'o [u16]) {
        match self {
            Self::Own(_) => (first + turn.first, &PLACES[..turn.used]),
            Self::Sorted(places) => (first, &places[turn.lanes()]),
        }
    }
}

/// Reads a byte of every 64 at the beginning of each of these messages, one message after the other.
/// Groups take them by length: in that order a CPU does not foresee which memory comes next.
fn touch<'m>(numbers: Range<usize>, message: &impl Fn(usize) -> &'m [u8]) {
    let mut all = 0;
    for i in numbers {
        let bytes = message(i);
        let near = &bytes[..bytes.len().min(NEAR)];
        let Some((last, before)) = near.split_last() else { continue };
        all |= last;
        let mut at = 0;
        while let Some(byte) = before.get(at) {
            all |= byte;
            at += 64;
        }
    }
    core::hint::black_box(all);
}

/// Of how many blocks each of these messages is, at least one, if they are of as many.
fn alike<'m>(
    family: Family,
    mut numbers: Range<usize>,
    message: &impl Fn(usize) -> &'m [u8],
) -> Option<usize> {
    let blocks = |i| blocks(family, message(i).len());
    let each = blocks(numbers.next()?);
    numbers.all(|i| blocks(i) == each).then_some(each)
}

/// Blocks of a message of `len` bytes, padded.
#[inline]
pub(crate) fn blocks(family: Family, len: usize) -> usize {
    // A division takes longer than all else here.
    ((len + family.length_len()) >> family.block_len().trailing_zeros()) + 1
}

/// Puts the first `lanes` lanes at the starts of a group's messages, whose numbers
/// count from `first`.
fn fill<I: Select>(
    state: &mut Columns<I>,
    first: usize,
    group: &[u16],
    lanes: usize,
    start: Start<'_, I>,
) {
    match start {
        Start::Same(start) => state.fill(lanes, &start),
        // A lane that is left over may begin anyhow.
        Start::Each(start) => {
            for (l, &place) in group.iter().enumerate() {
                state.set(l, &start(first + usize::from(place)));
            }
        }
    }
}

impl<I: Select> Padding<I> {
    /// The last block, expanded, if all messages are of one length and it holds
    /// padding alone; and if it is known, or worth finding out for `many`.
    fn of(
        &mut self,
        family: Family,
        before: u64,
        data: &[&[u8]],
        many: bool,
    ) -> Option<&Expanded<I>> {
        let (len, block) = (data[0].len(), family.block_len());
        let rest = len & (block - 1);
        let alone = rest == 0 || rest + 1 + family.length_len() > block;
        let kept = if before == 0 { after_one(family, len) } else { None };
        let is_known = kept.is_some() || self.len == Some(len);
        if !alone || !(is_known || many) || data.iter().any(|d| d.len() != len) {
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

/// The last block of messages of so many bytes, expanded, if they are of one block: nodes of Merkle trees are.
#[inline]
pub(super) fn after_one<I: Select>(family: Family, len: usize) -> Option<&'static Expanded<I>> {
    if len == family.block_len() { I::after_one(family) } else { None }
}

/// Puts places in order, longest message first, by blocks. Returns how many
/// are to be streamed.
pub(super) fn sort<'m, const MOST: usize>(
    family: Family,
    order: &mut [u16],
    message: impl Fn(u16) -> &'m [u8],
) -> usize {
    // How many blocks less than a long one they have, and below that their places.
    let mut keys = [0u32; MOST];
    let keys = &mut keys[..order.len()];
    let mut long = 0;
    for (place, key) in keys.iter_mut().enumerate() {
        let blocks = blocks(family, message(place as u16).len()).min(LONG);
        *key = ((LONG - blocks) << 16 | place) as u32;
        long += usize::from(blocks == LONG);
    }
    if MOST < LONG {
        keys.sort_unstable();
        order.iter_mut().zip(keys).for_each(|(to, key)| *to = *key as u16);
    } else {
        sort_by_counting(order, keys);
    }
    if long > 1 {
        order[..long].sort_unstable_by_key(|&place| core::cmp::Reverse(message(place).len()));
    }
    long
}

/// Puts places in order of their keys, of which none is above [`LONG`]: both are in `keys`, the
/// places below.
fn sort_by_counting(order: &mut [u16], keys: &[u32]) {
    let mut counts = [0u16; LONG + 1];
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
