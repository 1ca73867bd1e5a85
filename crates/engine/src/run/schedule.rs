//! The schedule: each lane has one message, and gets another when that ends.

use core::borrow::Borrow;

use lanesum_spec::{Family, MAX_BLOCK, pad};

use crate::Message;
use crate::base::wipe;
use crate::choose::{Plan, Turn, Turns};
use crate::kernel::Kernel;
use crate::words::{MAX_LANES, State};

/// Messages in lanes.
///
/// Places 0 … `live` are lanes under way; those after them, `ended` of them, hold messages that
/// have ended and are not taken yet.
pub(crate) struct Schedule<M: Message> {
    family: Family,
    /// Whether messages are padded at their end; otherwise they are whole blocks.
    pads: bool,
    memory: Memory,
    slots: [Option<Slot<M>>; MAX_LANES],
    /// The seat of the message in each place, which does not move with the message.
    seats: [u8; MAX_LANES],
    /// What is at hand of the message in each place. A turn looks at all of these, and at the slots of
    /// messages that have come to the end of theirs.
    runs: [Run; MAX_LANES],
    live: usize,
    ended: usize,
}

/// The run of bytes that a message has at hand.
#[derive(Clone, Copy, Default)]
struct Run {
    /// Bytes of it that are compressed.
    done: usize,
    /// Bytes of it in whole blocks that are not.
    left: usize,
}

/// What is held of messages. [`Schedule`] has no destructor of its own, or its messages would
/// have to live longer than it.
struct Memory {
    /// The chaining value of each place.
    state: State,
    /// By seat: a block put together from runs that end inside it, or the padded end.
    tails: [[u8; 2 * MAX_BLOCK]; MAX_LANES],
    /// Whether there ever was a key, which these would tell of.
    is_keyed: bool,
}

impl Drop for Memory {
    fn drop(&mut self) {
        if self.is_keyed {
            self.state.wipe();
            wipe(&mut self.tails, [0; _]);
        }
    }
}

/// A message in a place.
struct Slot<M: Message> {
    message: M,
    /// Bytes compressed so far, but for those of the run at hand, and those in the tail.
    bytes: u64,
    /// Bytes in the tail.
    tail_len: usize,
    /// Whether the tail holds the end of the message.
    ends: bool,
    error: Option<M::Error>,
}

/// What a kernel is to do in a turn: compress the first `blocks` blocks of `data[l]` into lane
/// `first + l`, for every lane of the kernel.
pub(crate) struct Call<'c> {
    pub(crate) kernel: Kernel,
    pub(crate) state: &'c mut State,
    pub(crate) first: usize,
    pub(crate) data: &'c [&'c [u8]],
    pub(crate) blocks: usize,
    /// The seats of the messages in its lanes; lanes behind these have none.
    pub(crate) seats: &'c [u8],
}

/// A message that has ended.
pub(crate) struct Ended<M: Message> {
    pub(crate) message: M,
    pub(crate) seat: usize,
    /// Its last chaining value, in the low bits of the words, or why there is none.
    pub(crate) words: Result<[u64; 8], M::Error>,
}

impl<M: Message> Schedule<M> {
    /// No message yet; `is_keyed` if they will begin with a key.
    pub(crate) fn new(family: Family, is_keyed: bool) -> Self {
        Self {
            family,
            pads: true,
            memory: Memory { state: State::new(family), tails: [[0; _]; _], is_keyed },
            slots: [const { None }; MAX_LANES],
            seats: core::array::from_fn(|seat| seat as u8),
            runs: [Run::default(); MAX_LANES],
            live: 0,
            ended: 0,
        }
    }

    /// A schedule without messages, for messages of at least one block and whole blocks only, whose chaining values
    /// are wanted: none is padded.
    pub(crate) fn without_padding(family: Family) -> Self {
        Self { pads: false, ..Self::new(family, false) }
    }

    /// How many messages are under way.
    pub(crate) fn live(&self) -> usize {
        self.live
    }

    /// How many have ended and are not taken yet.
    pub(crate) fn ended(&self) -> usize {
        self.ended
    }

    /// Whether there is a key among what messages begin with.
    pub(crate) fn is_keyed(&self) -> bool {
        self.memory.is_keyed
    }

    /// Notes that there is.
    pub(crate) fn set_keyed(&mut self) {
        self.memory.is_keyed = true;
    }

    /// Puts a message in a lane, which goes on from `start`, what `before` bytes have come to.
    /// Returns its seat.
    ///
    /// # Panics
    ///
    /// If every place is taken.
    pub(crate) fn put(&mut self, message: M, start: &[u64; 8], before: u64) -> usize {
        let place = self.live;
        self.swap(place, place + self.ended);
        self.memory.state.set(place, start);
        self.slots[place] =
            Some(Slot { message, bytes: before, tail_len: 0, ends: false, error: None });
        self.runs[place] = Run::default();
        self.live += 1;
        self.seats[place].into()
    }

    /// A message that has ended, if there is one.
    pub(crate) fn take(&mut self) -> Option<Ended<M>> {
        self.ended = self.ended.checked_sub(1)?;
        let place = self.live + self.ended;
        let Slot { message, error, .. } = self.slots[place].take()?;
        let words = error.map_or_else(|| Ok(self.memory.state.get(place)), Err);
        Some(Ended { message, seat: self.seats[place].into(), words })
    }

    /// Runs every lane that is under way for as many blocks as all of its turn have at hand.
    /// Messages that have ended are to be taken before.
    ///
    /// # Panics
    ///
    /// If a message gives other bytes when it is asked for the same again.
    pub(crate) fn turn<P: Borrow<Plan>>(&mut self, turns: &mut Turns<P>) {
        let family = self.family;
        self.turn_by(turns, |Call { kernel, state, first, data, blocks, .. }| {
            kernel.compress_in(family, state, first, data, blocks);
        });
    }

    /// The same; `compress` does what kernels are to do.
    pub(crate) fn turn_by<P: Borrow<Plan>>(
        &mut self,
        turns: &mut Turns<P>,
        mut compress: impl FnMut(Call<'_>),
    ) {
        // Backwards, for a lane that ends gives its place to the last one.
        for place in (0..self.live).rev() {
            if self.runs[place].left > 0 {
                continue;
            }
            let tail = &mut self.memory.tails[usize::from(self.seats[place])];
            let Some(slot) = &mut self.slots[place] else { continue };
            match slot.prepare(self.family, tail) {
                Ok(left) => self.runs[place] = Run { done: 0, left },
                Err(error) => {
                    slot.error = Some(error);
                    self.end(place);
                }
            }
        }
        let mut left = 0..self.live;
        while let Some(turn) = turns.next(&mut left) {
            let bytes = self.run(turn, &mut compress);
            turns.ran(turn, bytes);
        }
        for place in (0..self.live).rev() {
            let run = self.runs[place];
            if run.left == 0
                && let Some(slot) = &mut self.slots[place]
                && slot.consume(run.done, self.pads)
            {
                self.end(place);
            }
        }
    }

    /// One call of a kernel. Returns how many bytes it hashed.
    fn run(&mut self, turn: Turn, compress: &mut impl FnMut(Call<'_>)) -> u64 {
        let (slots, seats) = (&mut self.slots[turn.lanes()], &self.seats[turn.lanes()]);
        let runs = &mut self.runs[turn.lanes()];
        let Memory { state, tails, .. } = &mut self.memory;
        let seated = slots.iter_mut().flatten().zip(seats).zip(&*runs);
        let at_hand =
            seated.map(|((slot, &seat), run)| slot.at_hand(*run, &tails[usize::from(seat)]));
        let data: [&[u8]; MAX_LANES] = turn.data(at_hand);
        let least = data[..turn.used].iter().map(|data| data.len()).min().unwrap_or(0);
        let blocks = least >> self.family.block_len().trailing_zeros();
        assert!(blocks > 0, "a message gives the same bytes until they are consumed");
        let data = &data[..turn.kernel.lanes()];
        compress(Call { kernel: turn.kernel, state, first: turn.first, data, blocks, seats });
        let bytes = blocks * self.family.block_len();
        for run in runs {
            run.done += bytes;
            run.left -= bytes;
        }
        (bytes * turn.used) as u64
    }

    /// Takes a message out of its lane; the last lane takes its place.
    fn end(&mut self, place: usize) {
        self.live -= 1;
        self.ended += 1;
        self.swap(place, self.live);
    }

    fn swap(&mut self, a: usize, b: usize) {
        if a != b {
            self.slots.swap(a, b);
            self.seats.swap(a, b);
            self.runs.swap(a, b);
            let state = &mut self.memory.state;
            let (at_a, at_b) = (state.get(a), state.get(b));
            state.set(a, &at_b);
            state.set(b, &at_a);
        }
    }
}

impl<M: Message> Slot<M> {
    /// Assembles a block in the tail if the available run is shorter. Returns the length of the whole blocks that are
    /// available, in bytes, at least one.
    fn prepare(
        &mut self,
        family: Family,
        tail: &mut [u8; 2 * MAX_BLOCK],
    ) -> Result<usize, M::Error> {
        let block = family.block_len();
        loop {
            let run = self.message.fill()?;
            if self.tail_len == 0 && run.len() >= block {
                return Ok(run.len() & !(block - 1));
            }
            if run.is_empty() {
                self.tail_len = pad(family, tail, self.tail_len, self.bytes);
                self.ends = true;
                return Ok(self.tail_len);
            }
            let n = run.len().min(block - self.tail_len);
            tail[self.tail_len..][..n].copy_from_slice(&run[..n]);
            self.tail_len += n;
            self.bytes += n as u64;
            self.message.consume(n);
            if self.tail_len == block {
                return Ok(block);
            }
        }
    }

    /// The bytes to compress next: what is left of the run at hand.
    #[inline]
    fn at_hand<'s>(&'s mut self, run: Run, tail: &'s [u8]) -> &'s [u8] {
        // What is at hand stays so until consumed, so this cannot fail.
        let bytes = if self.tail_len > 0 { tail } else { self.message.fill().unwrap_or_default() };
        bytes.get(run.done..run.done + run.left).unwrap_or_default()
    }

    /// Drops the available run, all of whose `bytes` bytes are compressed. Returns whether the message has ended. A
    /// message without padding ends with its last block, not in the next turn, whose kernels would overwrite
    /// its chaining value.
    fn consume(&mut self, bytes: usize, pads: bool) -> bool {
        if self.tail_len > 0 {
            self.tail_len = 0;
        } else {
            self.message.consume(bytes);
            self.bytes += bytes as u64;
        }
        self.ends || (!pads && self.message.fill().is_ok_and(<[u8]>::is_empty))
    }
}
