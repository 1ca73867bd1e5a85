//! `Lanes`: hashes many messages that may arrive at any time.

use core::borrow::Borrow;

use lanesum_spec::Algorithm;

use crate::choose::{AsEngine, Engine, Plan, Steps};
use crate::keyed::{Depth, wiping_stack};
use crate::run::{Chain, Driver, Ended, Mode, Schedule};
use crate::words::MAX_LANES;
use crate::{Digest, HmacKey, Message};

/// Hashes many messages in parallel, one in each lane of a [`Kernel`](crate::Kernel).
///
/// Messages may have any length and arrive at any time. Digests do not depend on which messages are
/// hashed together, and a message that fails does not affect the others. `Lanes` uses no threads
/// and does not allocate: the calling thread reads a message when its lane needs bytes.
///
/// `Lanes` pulls: it blocks in [`Message::fill`] until a message has bytes, and hashes at most [`lanes`](Self::lanes)
/// messages in parallel. A thread that must serve other messages meanwhile, such as an async task, should use
/// [`update_many`](crate::update_many), which never waits.
///
/// ```
/// use lanesum::{Algorithm, Done, Lanes};
///
/// let words = ["one", "two", "three"];
/// let mut lanes = Lanes::new(Algorithm::SHA1);
/// let mut done = Vec::new();
/// for (i, word) in words.iter().enumerate() {
///     done.extend(lanes.push((i, word.as_bytes())));
/// }
/// done.extend(lanes.drain());
/// // Messages complete in any order.
/// for Done { message: (i, _), digest } in done {
///     assert_eq!(digest.unwrap().as_bytes(), lanesum::sha1(words[i]));
/// }
/// ```
pub struct Lanes<M: Message>(Driver<M, Plan, Digests>);

/// Computes digests and HMACs.
struct Digests {
    algorithm: Algorithm,
    /// By seat: the key, if the digest is to be an HMAC.
    keys: [Option<HmacKey>; MAX_LANES],
}

/// A message that has left its lane, with its digest or the error that ended it.
#[derive(Debug)]
pub struct Done<M: Message> {
    /// The message that was pushed, consumed.
    pub message: M,
    /// The digest, or the error of the message.
    pub digest: Result<Digest, M::Error>,
}

impl<M: Message> Lanes<M> {
    /// Creates empty lanes for the engine's algorithm.
    pub fn new(engine: impl AsEngine) -> Self {
        let engine = engine.to_engine();
        let algorithm = engine.algorithm();
        Self(Driver {
            steps: engine.into_steps(),
            schedule: Schedule::new(algorithm.family(), false),
            mode: Digests { algorithm, keys: [const { None }; MAX_LANES] },
        })
    }

    /// Replaces the engine, possibly in the middle of messages. Digests do not depend on it.
    ///
    /// # Panics
    ///
    /// If the new engine has another algorithm.
    #[track_caller]
    pub fn set_engine(&mut self, engine: &Engine) {
        let [own, other] = [self.algorithm(), engine.algorithm()];
        assert!(own == other, "lanes use {own}, but the engine uses {other}");
        self.0.steps = engine.clone().into_steps();
    }

    /// Returns the algorithm.
    pub fn algorithm(&self) -> Algorithm {
        self.0.mode.algorithm
    }

    /// Returns the number of messages hashed in parallel when enough are available.
    pub fn lanes(&self) -> usize {
        self.0.lanes()
    }

    /// Returns the number of messages inside: in lanes, or finished and not yet taken.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no message is inside.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Puts `message` in a free lane. If no lane is free, hashes until one is. Returns a finished
    /// message, if any.
    ///
    /// # Panics
    ///
    /// If [`Message::fill`] of a message returns other bytes although none were consumed.
    #[must_use = "the returned message has left the lanes: its digest is lost if it is ignored"]
    pub fn push(&mut self, message: M) -> Option<Done<M>> {
        self.put(message, None)
    }

    /// Puts `message` in a free lane like [`push`](Self::push), to compute its HMAC under `key`.
    /// Messages under any number of keys share the lanes with each other and with messages without a
    /// key.
    ///
    /// ```
    /// use lanesum::{Algorithm, HmacKey, Lanes};
    ///
    /// let key = HmacKey::new(Algorithm::SHA256, b"key");
    /// let mut lanes = Lanes::new(Algorithm::SHA256);
    /// assert!(lanes.push_keyed(&key, &b"first"[..]).is_none());
    /// let done = lanes.drain().next().unwrap();
    /// assert_eq!(done.digest, Ok(key.mac(b"first")));
    /// ```
    ///
    /// # Panics
    ///
    /// If the key has another algorithm, or if [`push`](Self::push) would panic.
    #[must_use = "the returned message has left the lanes: its digest is lost if it is ignored"]
    #[track_caller]
    pub fn push_keyed(&mut self, key: &HmacKey, message: M) -> Option<Done<M>> {
        let [own, other] = [self.algorithm(), key.algorithm()];
        assert!(own == other, "key uses {other}, but the lanes use {own}");
        self.0.schedule.set_keyed();
        self.put(message, Some(key))
    }

    fn put(&mut self, message: M, key: Option<&HmacKey>) -> Option<Done<M>> {
        let done = self.0.free_lane();
        let Driver { schedule, mode, .. } = &mut self.0;
        match key {
            None => {
                schedule.put(message, &mode.algorithm.iv(), 0);
            }
            Some(key) => wiping_stack(Depth::Short, || {
                let [inner, _] = key.chains();
                let before = mode.algorithm.block_len() as u64;
                let seat = schedule.put(message, &inner.words(), before);
                mode.keys[seat] = Some(key.copied());
            }),
        }
        done
    }

    /// Returns a finished message, if any, without running a lane.
    #[must_use = "the returned message has left the lanes: its digest is lost if it is ignored"]
    pub fn take(&mut self) -> Option<Done<M>> {
        self.0.take()
    }

    /// Runs every lane once, for as many blocks as all messages of its kernel call have available. Does
    /// not run if a message is already finished. Returns a finished message, if any.
    ///
    /// ```
    /// use lanesum::{Algorithm, Lanes};
    ///
    /// let mut lanes = Lanes::new(Algorithm::SHA256);
    /// assert!(lanes.push(&[0; 1000][..]).is_none());
    /// while !lanes.is_empty() {
    ///     // Here is the place to see whether there is another message to push.
    ///     if let Some(done) = lanes.advance() {
    ///         assert!(done.digest.is_ok());
    ///     }
    /// }
    /// ```
    #[must_use = "the returned message has left the lanes: its digest is lost if it is ignored"]
    pub fn advance(&mut self) -> Option<Done<M>> {
        self.0.advance()
    }

    /// Yields the messages that are still inside, each as it finishes. Messages not taken from the
    /// iterator stay inside.
    pub fn drain(&mut self) -> impl Iterator<Item = Done<M>> + '_ {
        core::iter::from_fn(|| self.0.next())
    }
}

impl<M: Message> Mode<M> for Digests {
    type Done = Done<M>;

    /// If any message had a key, overwrites the stack afterwards.
    fn run_lanes<P: Borrow<Plan>>(&mut self, schedule: &mut Schedule<M>, steps: &mut Steps<P>) {
        match schedule.is_keyed() {
            true => wiping_stack(Depth::Batch, || schedule.run_lanes(steps)),
            false => schedule.run_lanes(steps),
        }
    }

    fn take(&mut self, schedule: &mut Schedule<M>) -> Option<Done<M>> {
        match schedule.ended() {
            0 => None,
            _ if schedule.is_keyed() => wiping_stack(Depth::TwoGroups, || self.done(schedule)),
            _ => self.done(schedule),
        }
    }
}

impl Digests {
    fn done<M: Message>(&mut self, schedule: &mut Schedule<M>) -> Option<Done<M>> {
        let Ended { message, seat, words } = schedule.take()?;
        let digest = words.map(|words| match &self.keys[seat] {
            None => Chain::new(self.algorithm, words).digest(self.algorithm),
            Some(key) => key.finish_inner(words),
        });
        // Dropped in place, which overwrites the key.
        self.keys[seat] = None;
        Some(Done { message, digest })
    }
}
