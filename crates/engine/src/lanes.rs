//! The scheduler: many messages at once, one in each lane.

use core::ops::{Deref, DerefMut};

use lanesum_spec::{Algorithm, MAX_BLOCK, pad};

use crate::kernel::Backend;
use crate::plan::Plan;
use crate::timing::Timing;
use crate::wipe::{Depth, below};
use crate::words::{MAX_LANES, State, digest};
use crate::{Digest, HmacKey, Message, Policy};

/// Hashes many messages at once, one in each lane of a [`Backend`].
///
/// Messages may be of any length and arrive at any time; which share a turn
/// changes nothing in their digests, and one that fails hurts only itself. It
/// has no threads and allocates nothing: a message is read when its lane needs
/// bytes, in the thread that called.
///
/// ```
/// use lanesum::{Algorithm, Done, Lanes, Policy};
///
/// let mut lanes = Lanes::new(Algorithm::SHA1, Policy::automatic());
/// let mut done = Vec::new();
/// for word in ["one", "two", "three"] {
///     done.extend(lanes.push(word.as_bytes()));
/// }
/// done.extend(lanes.drain());
/// assert_eq!(done.len(), 3);
/// ```
pub struct Lanes<M: Message> {
    algorithm: Algorithm,
    plan: Plan,
    iv: [u64; 8],
    /// `state` in lanes 0 … `live` is that of the messages in `slots[order[l]]`.
    state: Chains,
    slots: [Option<Slot<M>>; MAX_LANES],
    order: [u8; MAX_LANES],
    live: usize,
    /// Finished messages that still hold their slot.
    finished: usize,
    timing: Timing,
}

/// The chaining values, overwritten at last if there ever was a key, which they would
/// tell of. [`Lanes`] has no destructor of its own, or its messages would have to live
/// longer than it.
struct Chains {
    state: State,
    is_keyed: bool,
}

impl Deref for Chains {
    type Target = State;

    fn deref(&self) -> &State {
        &self.state
    }
}

impl DerefMut for Chains {
    fn deref_mut(&mut self) -> &mut State {
        &mut self.state
    }
}

impl Drop for Chains {
    fn drop(&mut self) {
        if self.is_keyed {
            self.state.wipe();
        }
    }
}

/// A message that has left its lane, with its digest or the error that ended it.
#[derive(Debug)]
pub struct Done<M: Message> {
    /// The message itself, as it was handed in, consumed.
    pub message: M,
    /// The digest, or why there is none.
    pub digest: Result<Digest, M::Error>,
}

/// A message in a lane.
struct Slot<M: Message> {
    message: M,
    /// Bytes compressed so far, and those in `tail`.
    bytes: u64,
    /// A block put together from runs that end inside it, or the padded end.
    tail: [u8; 2 * MAX_BLOCK],
    tail_start: usize,
    tail_end: usize,
    /// Whether `tail` holds the end of the message.
    ends: bool,
    /// Under which the digest is to be an HMAC, if it is.
    key: Option<HmacKey>,
    result: Option<Result<Digest, M::Error>>,
}

impl<M: Message> Lanes<M> {
    /// Lanes for messages of one algorithm.
    ///
    /// # Panics
    ///
    /// If the policy leaves no backend for the algorithm: ask
    /// [`Policy::check`] first where it comes from a user.
    pub fn new(algorithm: Algorithm, policy: Policy) -> Self {
        let plan = policy.plan(algorithm);
        Self {
            algorithm,
            timing: policy.timing(algorithm),
            plan,
            iv: algorithm.iv(),
            state: Chains { state: State::new(algorithm.family()), is_keyed: false },
            slots: [const { None }; MAX_LANES],
            order: [0; MAX_LANES],
            live: 0,
            finished: 0,
        }
    }

    /// Changes the policy, also in the middle of messages: no digest depends on
    /// it.
    ///
    /// # Panics
    ///
    /// If it leaves no backend for the algorithm.
    pub fn set_policy(&mut self, policy: &Policy) {
        self.plan = policy.plan(self.algorithm);
        self.timing = policy.timing(self.algorithm);
    }

    /// The algorithm.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// How many messages are hashed at once when there are enough.
    pub fn lanes(&self) -> usize {
        self.plan.lanes()
    }

    /// How many messages are inside: in lanes, or finished and not yet taken.
    pub fn len(&self) -> usize {
        self.live + self.finished
    }

    /// Whether no message is inside.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Puts `message` in a free lane; when there is none, runs until one frees.
    /// Gives back one message that is done, if there is one.
    ///
    /// # Panics
    ///
    /// If a message inside gives other bytes when it is asked for the same again.
    pub fn push(&mut self, message: M) -> Option<Done<M>> {
        self.put(message, None)
    }

    /// The same for a message whose digest is to be its HMAC under `key`. Messages under
    /// keys, of any number, and without one share the lanes.
    ///
    /// ```
    /// use lanesum::{Algorithm, HmacKey, Lanes, Policy};
    ///
    /// let key = HmacKey::new(Algorithm::SHA256, b"shed");
    /// let mut lanes = Lanes::new(Algorithm::SHA256, Policy::automatic());
    /// lanes.push_keyed(&key, &b"warp"[..]);
    /// let done = lanes.drain().next().unwrap();
    /// assert_eq!(done.digest, Ok(key.mac(b"warp")));
    /// ```
    ///
    /// # Panics
    ///
    /// As [`push`](Self::push), or if the key is of another algorithm.
    pub fn push_keyed(&mut self, key: &HmacKey, message: M) -> Option<Done<M>> {
        assert_eq!(key.algorithm(), self.algorithm, "a key of the lanes' algorithm");
        self.state.is_keyed = true;
        self.put(message, Some(key))
    }

    fn put(&mut self, message: M, key: Option<&HmacKey>) -> Option<Done<M>> {
        while self.finished == 0 && self.live >= self.lanes() {
            self.turn_and_wipe();
        }
        let done = self.take();
        let slot = self.slots.iter().position(Option::is_none).expect("a free slot");
        self.state.set(self.live, &self.iv);
        self.order[self.live] = slot as u8;
        self.slots[slot] = Some(Slot {
            message,
            bytes: 0,
            tail: [0; _],
            tail_start: 0,
            tail_end: 0,
            ends: false,
            key: None,
            result: None,
        });
        if let Some(key) = key {
            below(Depth::Door, || self.begin_keyed(key));
        }
        self.live += 1;
        done
    }

    /// Has the last message that was put in a lane begin with `key`.
    fn begin_keyed(&mut self, key: &HmacKey) {
        self.state.set(self.live, &key.chains()[0].words());
        let block_len = self.algorithm.block_len() as u64;
        let slot = self.slot(self.live);
        slot.bytes = block_len;
        slot.key = Some(key.copied());
    }

    /// A message that is done, if one is at hand without running a lane.
    pub fn take(&mut self) -> Option<Done<M>> {
        if self.finished == 0 {
            return None;
        }
        let is_done = |slot: &Option<Slot<M>>| slot.as_ref().is_some_and(|s| s.result.is_some());
        let slot = self.slots.iter_mut().find(|slot| is_done(slot))?.take()?;
        self.finished -= 1;
        Some(Done { message: slot.message, digest: slot.result? })
    }

    /// Runs every lane once, for as many blocks as its group has at hand, unless a message
    /// is done already. Gives back one that is done, if there is one.
    ///
    /// ```
    /// use lanesum::{Algorithm, Lanes, Policy};
    ///
    /// let mut lanes = Lanes::new(Algorithm::SHA256, Policy::automatic());
    /// lanes.push(&[0; 1000][..]);
    /// while !lanes.is_empty() {
    ///     // Here is the place to see whether there is another message to push.
    ///     if let Some(done) = lanes.advance() {
    ///         assert!(done.digest.is_ok());
    ///     }
    /// }
    /// ```
    pub fn advance(&mut self) -> Option<Done<M>> {
        if self.finished == 0 && self.live > 0 {
            self.turn_and_wipe();
        }
        self.take()
    }

    /// The messages still inside, as each is done. What is not taken from the
    /// iterator stays.
    pub fn drain(&mut self) -> impl Iterator<Item = Done<M>> + '_ {
        core::iter::from_fn(|| {
            while self.finished == 0 && self.live > 0 {
                self.turn_and_wipe();
            }
            self.take()
        })
    }

    /// A turn, of which nothing is left on the stack if there ever was a key.
    fn turn_and_wipe(&mut self) {
        if self.state.is_keyed {
            below(Depth::Batch, || self.turn());
        } else {
            self.turn();
        }
    }

    /// Runs every live lane for as many blocks as its group has at hand.
    fn turn(&mut self) {
        // Backwards, for a lane that ends gives its place to the last one.
        for lane in (0..self.live).rev() {
            self.prepare(lane);
        }
        let trial = self.timing.trial(&self.plan, self.live);
        let mut first = 0;
        while first < self.live {
            let live = self.live - first;
            let backend = trial.unwrap_or_else(|| self.plan.group(self.timing.preference(), live));
            self.run(backend, first);
            first += backend.lanes();
        }
        for lane in (0..self.live).rev() {
            let slot = self.slot(lane);
            if slot.ends && slot.tail_start == slot.tail_end {
                let place = usize::from(self.order[lane]);
                let words = self.state.get(lane);
                let key = self.slots[place].as_ref().and_then(|slot| slot.key.as_ref());
                let digest = match key {
                    None => digest(self.algorithm, &words),
                    Some(key) => key.finish_inner(words),
                };
                self.finish(lane, Ok(digest));
            }
        }
    }

    fn slot(&mut self, lane: usize) -> &mut Slot<M> {
        self.slots[usize::from(self.order[lane])].as_mut().expect("a live lane has a slot")
    }

    /// Sees to it that a block is at hand for the lane, or ends it.
    fn prepare(&mut self, lane: usize) {
        let algorithm = self.algorithm;
        if let Err(error) = self.slot(lane).prepare(algorithm) {
            self.finish(lane, Err(error));
        }
    }

    /// Takes a message out of its lane; the last lane takes its place.
    fn finish(&mut self, lane: usize, result: Result<Digest, M::Error>) {
        let slot = self.slot(lane);
        slot.result = Some(result);
        // Here, where it is overwritten, and not where it is moved to with the message.
        slot.key = None;
        self.live -= 1;
        self.finished += 1;
        self.state.copy(self.live, lane);
        self.order[lane] = self.order[self.live];
    }

    /// One call of a kernel, for the lanes from `first` on.
    fn run(&mut self, backend: Backend, first: usize) {
        let block = self.algorithm.block_len();
        let lanes = backend.lanes();
        let used = lanes.min(self.live - first);

        let mut in_group = [false; MAX_LANES];
        for &slot in &self.order[first..first + used] {
            in_group[usize::from(slot)] = true;
        }
        let mut at_hand: [&[u8]; MAX_LANES] = [&[]; MAX_LANES];
        for ((to, slot), _) in
            at_hand.iter_mut().zip(&mut self.slots).zip(in_group).filter(|(_, in_group)| *in_group)
        {
            *to = slot.as_mut().map(Slot::at_hand).unwrap_or_default();
        }
        // A dead lane of the row runs along with the first one's data.
        let mut data = [at_hand[usize::from(self.order[first])]; MAX_LANES];
        for l in 1..used {
            data[l] = at_hand[usize::from(self.order[first + l])];
        }
        let blocks = data[..used].iter().map(|d| d.len() / block).min().unwrap_or(0);
        assert!(blocks > 0, "a message gives the same bytes until they are consumed");

        let start = self.timing.now();
        self.state.compress(backend, self.algorithm.family(), first, &data[..lanes], blocks);
        self.timing.ran(backend, used, (blocks * block * used) as u64, start);

        for lane in first..first + used {
            self.slot(lane).consume(blocks * block);
        }
    }
}

impl<M: Message> Slot<M> {
    /// Puts a block together in `tail` if the run at hand has none.
    fn prepare(&mut self, algorithm: Algorithm) -> Result<(), M::Error> {
        let block = algorithm.block_len();
        if self.ends || self.tail_end - self.tail_start == block {
            return Ok(());
        }
        loop {
            let run = self.message.fill()?;
            if self.tail_end == 0 && run.len() >= block {
                return Ok(());
            }
            if run.is_empty() {
                let len = self.tail_end;
                self.tail_end = pad(algorithm.family(), &mut self.tail, len, self.bytes);
                self.ends = true;
                return Ok(());
            }
            let n = run.len().min(block - self.tail_end);
            self.tail[self.tail_end..][..n].copy_from_slice(&run[..n]);
            self.tail_end += n;
            self.bytes += n as u64;
            self.message.consume(n);
            if self.tail_end == block {
                return Ok(());
            }
        }
    }

    /// The bytes to compress next: at least a block, once prepared.
    fn at_hand(&mut self) -> &[u8] {
        if self.tail_end > 0 {
            return &self.tail[self.tail_start..self.tail_end];
        }
        // What is at hand stays so until consumed, so this cannot fail.
        self.message.fill().unwrap_or_default()
    }

    /// Drops the next `n` bytes, which are compressed.
    fn consume(&mut self, n: usize) {
        if self.tail_end > 0 {
            self.tail_start += n;
            if self.tail_start == self.tail_end && !self.ends {
                (self.tail_start, self.tail_end) = (0, 0);
            }
        } else {
            self.message.consume(n);
            self.bytes += n as u64;
        }
    }
}
