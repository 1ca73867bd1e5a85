//! `Lanes`: many messages at once, which may come at any time.

use lanesum_spec::Algorithm;

use crate::choose::{AsEngine, Engine, Plan, Turns};
use crate::keyed::{Depth, below};
use crate::run::{Chain, Ended, Schedule};
use crate::words::MAX_LANES;
use crate::{Digest, HmacKey, Message};

/// Hashes many messages at once, one in each lane of a [`Kernel`](crate::Kernel).
///
/// Messages may be of any length and arrive at any time. No digest depends on which of them are
/// hashed together, and a message that fails leaves the others as they are. `Lanes` has no threads
/// and allocates nothing: the calling thread reads a message when its lane needs bytes.
///
/// `Lanes` pulls: it blocks in [`Message::fill`] until a message has bytes, and hashes at most [`lanes`](Self::lanes)
/// messages at once. A thread that has to serve other messages meanwhile, as an async task does, uses
/// [`update_many`](crate::update_many), which never waits.
///
/// ```
/// use lanesum::{Algorithm, Done, Lanes};
///
/// let mut lanes = Lanes::new(Algorithm::SHA1);
/// let mut done = Vec::new();
/// for word in ["one", "two", "three"] {
///     done.extend(lanes.push(word.as_bytes()));
/// }
/// done.extend(lanes.drain());
/// assert_eq!(done.len(), 3);
/// ```
pub struct Lanes<M: Message> {
    algorithm: Algorithm,
    turns: Turns<Plan>,
    schedule: Schedule<M>,
    /// By seat: under which the digest is to be an HMAC, if it is.
    keys: [Option<HmacKey>; MAX_LANES],
}

/// A message that has left its lane, with its digest or the error that ended it.
#[derive(Debug)]
pub struct Done<M: Message> {
    /// The message itself, as it was handed in, consumed.
    pub message: M,
    /// The digest, or why there is none.
    pub digest: Result<Digest, M::Error>,
}

impl<M: Message> Lanes<M> {
    /// Lanes for messages of the engine's algorithm.
    pub fn new(engine: impl AsEngine) -> Self {
        let engine = engine.to_engine();
        let algorithm = engine.algorithm();
        Self {
            algorithm,
            turns: engine.into_turns(),
            schedule: Schedule::new(algorithm.family(), false),
            keys: [const { None }; MAX_LANES],
        }
    }

    /// Changes the engine. This may happen in the middle of messages: no digest depends on it.
    ///
    /// # Panics
    ///
    /// If it is of another algorithm.
    #[track_caller]
    pub fn set_engine(&mut self, engine: &Engine) {
        assert_eq!(engine.algorithm(), self.algorithm, "an engine of the lanes' algorithm");
        self.turns = engine.clone().into_turns();
    }

    /// The algorithm.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// How many messages are hashed at once when there are enough.
    pub fn lanes(&self) -> usize {
        self.turns.plan().lanes()
    }

    /// How many messages are inside: in lanes, or finished and not yet taken.
    pub fn len(&self) -> usize {
        self.schedule.live() + self.schedule.ended()
    }

    /// Whether no message is inside.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Puts `message` in a free lane. If no lane is free, it runs until one is. Returns one
    /// message that is done, if there is one.
    ///
    /// # Panics
    ///
    /// If a message inside gives other bytes when it is asked for the same again.
    pub fn push(&mut self, message: M) -> Option<Done<M>> {
        self.put(message, None)
    }

    /// Like [`push`](Self::push), for a message whose digest is to be its HMAC under `key`.
    /// Messages under any number of keys share the lanes with each other and with messages that
    /// have none.
    ///
    /// ```
    /// use lanesum::{Algorithm, HmacKey, Lanes};
    ///
    /// let key = HmacKey::new(Algorithm::SHA256, b"key");
    /// let mut lanes = Lanes::new(Algorithm::SHA256);
    /// lanes.push_keyed(&key, &b"first"[..]);
    /// let done = lanes.drain().next().unwrap();
    /// assert_eq!(done.digest, Ok(key.mac(b"first")));
    /// ```
    ///
    /// # Panics
    ///
    /// As [`push`](Self::push), or if the key is of another algorithm.
    #[track_caller]
    pub fn push_keyed(&mut self, key: &HmacKey, message: M) -> Option<Done<M>> {
        assert_eq!(key.algorithm(), self.algorithm, "a key of the lanes' algorithm");
        self.schedule.set_keyed();
        self.put(message, Some(key))
    }

    fn put(&mut self, message: M, key: Option<&HmacKey>) -> Option<Done<M>> {
        while self.schedule.live() >= self.lanes() && self.schedule.ended() == 0 {
            self.turn();
        }
        let done = self.take();
        match key {
            None => {
                self.schedule.put(message, &self.algorithm.iv(), 0);
            }
            Some(key) => below(Depth::Door, || {
                let [inner, _] = key.chains();
                let before = self.algorithm.block_len() as u64;
                let seat = self.schedule.put(message, &inner.words(), before);
                self.keys[seat] = Some(key.copied());
            }),
        }
        done
    }

    /// A message that is done, if one is at hand without running a lane.
    pub fn take(&mut self) -> Option<Done<M>> {
        match self.schedule.ended() {
            0 => None,
            _ if self.schedule.is_keyed() => below(Depth::Lanes, || self.done()),
            _ => self.done(),
        }
    }

    fn done(&mut self) -> Option<Done<M>> {
        let Ended { message, seat, words } = self.schedule.take()?;
        let digest = words.map(|words| match &self.keys[seat] {
            None => Chain::new(self.algorithm, words).digest(self.algorithm),
            Some(key) => key.finish_inner(words),
        });
        // Overwritten where it is.
        self.keys[seat] = None;
        Some(Done { message, digest })
    }

    /// Runs every lane once, for as many blocks as its group has at hand. If a message is done
    /// already, nothing runs. Returns one message that is done, if there is one.
    ///
    /// ```
    /// use lanesum::{Algorithm, Lanes};
    ///
    /// let mut lanes = Lanes::new(Algorithm::SHA256);
    /// lanes.push(&[0; 1000][..]);
    /// while !lanes.is_empty() {
    ///     // Here is the place to see whether there is another message to push.
    ///     if let Some(done) = lanes.advance() {
    ///         assert!(done.digest.is_ok());
    ///     }
    /// }
    /// ```
    pub fn advance(&mut self) -> Option<Done<M>> {
        if self.schedule.ended() == 0 && self.schedule.live() > 0 {
            self.turn();
        }
        self.take()
    }

    /// The messages that are still inside, each as it is done. Messages that are not taken from
    /// the iterator stay inside.
    pub fn drain(&mut self) -> impl Iterator<Item = Done<M>> + '_ {
        core::iter::from_fn(|| {
            while self.schedule.ended() == 0 && self.schedule.live() > 0 {
                self.turn();
            }
            self.take()
        })
    }

    /// A turn of every lane, of which nothing is left on the stack if there ever was a key.
    fn turn(&mut self) {
        if self.schedule.is_keyed() {
            below(Depth::Batch, || self.schedule.turn(&mut self.turns));
        } else {
            self.schedule.turn(&mut self.turns);
        }
    }
}
