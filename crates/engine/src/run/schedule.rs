//! The schedule: each lane has one message, and is refilled when the message ends.

use core::borrow::Borrow;

use lanesum_spec::{Family, MAX_BLOCK, pad};

use crate::Message;
use crate::base::wipe;
use crate::choose::{Plan, Step, Steps};
use crate::kernel::Kernel;
use crate::words::{MAX_LANES, State};

/// Messages in lanes.
///
/// Places 0 … `live` are active lanes; the `ended` places after them hold messages that have ended
/// and were not yet taken.
pub(crate) struct Schedule<M: Message> {
    family: Family,
    /// Whether messages are padded at their end; otherwise they are whole blocks.
    pads: bool,
    memory: Memory,
    slots: [Option<Slot<M>>; MAX_LANES],
    /// The seat of the message in each place. A message keeps its seat when it moves to another place.
    seats: [u8; MAX_LANES],
    /// The available run of the message in each place. A step reads all of these, but only the slots
    /// of messages whose run is exhausted.
    runs: [Run; MAX_LANES],
    live: usize,
    ended: usize,
}

/// The run of bytes that a message has available.
#[derive(Clone, Copy, Default)]
struct Run {
    /// The number of its bytes that are compressed.
    done: usize,
    /// The number of its bytes, in whole blocks, that are not yet compressed.
    left: usize,
}

/// The chaining values and buffers. [`Schedule`] must not implement `Drop` itself, or its messages
/// would have to outlive it.
struct Memory {
    /// The chaining value of each place.
    state: State,
    /// By seat: a block assembled from runs that end inside it, or the padded end.
    tails: [[u8; 2 * MAX_BLOCK]; MAX_LANES],
    /// Whether any message began with a key, so that the memory must be wiped.
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
    /// Bytes compressed so far or copied to the tail, excluding the available run.
    bytes: u64,
    /// Bytes in the tail.
    tail_len: usize,
    /// Whether the tail holds the end of the message.
    ends: bool,
    error: Option<M::Error>,
}

/// A kernel call: compress the first `blocks` blocks of `data[l]` into lane `first + l`, for every
/// lane of the kernel.
pub(crate) struct Call<'c> {
    pub(crate) kernel: Kernel,
    pub(crate) state: &'c mut State,
    pub(crate) first: usize,
    pub(crate) data: &'c [&'c [u8]],
    pub(crate) blocks: usize,
    /// The seats of the messages in its lanes. Unused lanes follow, without seats.
    pub(crate) seats: &'c [u8],
}

/// A message that has ended.
pub(crate) struct Ended<M: Message> {
    pub(crate) message: M,
    pub(crate) seat: usize,
    /// The final chaining value, in the low bits of the words, or the error.
    pub(crate) words: Result<[u64; 8], M::Error>,
}

impl<M: Message> Schedule<M> {
    /// Creates an empty schedule. `is_keyed` states whether messages will begin with a key.
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

    /// Creates an empty schedule for messages of at least one block and whole blocks only. They are not padded; the
    /// results are chaining values.
    pub(crate) fn without_padding(family: Family) -> Self {
        Self { pads: false, ..Self::new(family, false) }
    }

    /// Returns the number of active messages.
    pub(crate) fn live(&self) -> usize {
        self.live
    }

    /// Returns the number of messages that have ended and were not yet taken.
    pub(crate) fn ended(&self) -> usize {
        self.ended
    }

    /// Whether any message began with a key.
    pub(crate) fn is_keyed(&self) -> bool {
        self.memory.is_keyed
    }

    /// Records that a message begins with a key.
    pub(crate) fn set_keyed(&mut self) {
        self.memory.is_keyed = true;
    }

    /// Puts a message in a lane, starting from the chaining value `start` of `before` bytes. Returns
    /// its seat.
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

    /// Returns a message that has ended, if any.
    pub(crate) fn take(&mut self) -> Option<Ended<M>> {
        self.ended = self.ended.checked_sub(1)?;
        let place = self.live + self.ended;
        let Slot { message, error, .. } = self.slots[place].take()?;
        let words = error.map_or_else(|| Ok(self.memory.state.get(place)), Err);
        Some(Ended { message, seat: self.seats[place].into(), words })
    }

    /// Runs every active lane for as many blocks as all lanes of its step have available. Take the
    /// messages that have ended first.
    ///
    /// # Panics
    ///
    /// If [`Message::fill`] returns other bytes although none were consumed.
    pub(crate) fn run_lanes<P: Borrow<Plan>>(&mut self, steps: &mut Steps<P>) {
        let family = self.family;
        self.run_lanes_by(steps, |Call { kernel, state, first, data, blocks, .. }| {
            kernel.compress_in(family, state, first, data, blocks);
        });
    }

    /// Runs every active lane with `compress` in place of the kernels.
    pub(crate) fn run_lanes_by<P: Borrow<Plan>>(
        &mut self,
        steps: &mut Steps<P>,
        mut compress: impl FnMut(Call<'_>),
    ) {
        // Backwards, because the last lane moves to the place of one that ends.
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
        while let Some(step) = steps.next(&mut left) {
            let bytes = self.run(step, &mut compress);
            steps.ran(step, bytes);
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

    /// Makes one kernel call. Returns the number of bytes hashed.
    fn run(&mut self, step: Step, compress: &mut impl FnMut(Call<'_>)) -> u64 {
        let (slots, seats) = (&mut self.slots[step.lanes()], &self.seats[step.lanes()]);
        let runs = &mut self.runs[step.lanes()];
        let Memory { state, tails, .. } = &mut self.memory;
        let seated = slots.iter_mut().flatten().zip(seats).zip(&*runs);
        let at_hand =
            seated.map(|((slot, &seat), run)| slot.at_hand(*run, &tails[usize::from(seat)]));
        let data: [&[u8]; MAX_LANES] = step.data(at_hand);
        let least = data[..step.used].iter().map(|data| data.len()).min().unwrap_or(0);
        let blocks = least >> self.family.block_len().trailing_zeros();
        assert!(blocks > 0, "Message::fill must return the same bytes until they are consumed");
        let data = &data[..step.kernel.lanes()];
        compress(Call { kernel: step.kernel, state, first: step.first, data, blocks, seats });
        let bytes = blocks * self.family.block_len();
        for run in runs {
            run.done += bytes;
            run.left -= bytes;
        }
        (bytes * step.used) as u64
    }

    /// Moves a message out of its lane; the last lane takes its place.
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
    /// Assembles a block in the tail if the available run is shorter. Returns the length of the available whole blocks,
    /// in bytes: at least one block.
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

    /// Returns the bytes to compress next: the rest of the available run.
    #[inline]
    fn at_hand<'s>(&'s mut self, run: Run, tail: &'s [u8]) -> &'s [u8] {
        // `fill` already succeeded, and returns the same bytes until they are consumed.
        let bytes = if self.tail_len > 0 { tail } else { self.message.fill().unwrap_or_default() };
        bytes.get(run.done..run.done + run.left).unwrap_or_default()
    }

    /// Drops the available run, all of whose `bytes` bytes are compressed. Returns whether the message has ended. A
    /// message without padding ends with its last block, not in the next step, whose kernels would overwrite
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
