//! Many messages, one in each lane.

use core::borrow::Borrow;
use core::ops::Range;

use lanesum_spec::{Algorithm, Family};

use super::watch::Watch;
use super::{Checked, Detection, choice};
use crate::choose::{AsEngine, Plan, Turns};
use crate::run::{Placed, Schedule, in_parts};
use crate::{Message, Messages};

/// Hashes many messages at once, and looks at each block of them. What is found of message i comes
/// to `checked[i]`. Nothing is allocated.
///
/// # Panics
///
/// If the engine is not one of SHA-1, or there is not exactly one place for each message.
#[track_caller]
pub fn hash_many<M>(
    engine: impl AsEngine,
    detection: Detection,
    messages: &M,
    checked: &mut [Checked],
) where
    M: Messages + Sync + ?Sized,
{
    let choice = choice(&engine);
    let (places, count) = (checked.len(), messages.count());
    assert!(places == count, "{places} places for {count} messages");
    in_parts(choice, 0..count, checked, &|part: Range<usize>, checked: &mut [Checked]| {
        choice.with_turns(|turns| {
            let mut inside = Inside::new(turns, Watch::new(choice, detection));
            let mut take = |done: Done<Placed<'_, usize>>| {
                let Ok(found) = done.checked;
                checked[done.message.place] = found;
            };
            for (place, number) in part.enumerate() {
                let message = Placed { place, bytes: messages.message(number) };
                inside.put(message).into_iter().for_each(&mut take);
            }
            while let Some(done) = inside.next() {
                take(done);
            }
        });
    });
}

/// Hashes many messages at once, which may come at any time, one in each lane: as
/// [`lanesum::Lanes`](crate::Lanes), with a look at each block.
///
/// ```
/// use lanesum::Algorithm;
/// use lanesum::sha1dc::{Detection, Lanes};
///
/// let mut lanes = Lanes::new(Algorithm::SHA1, Detection::new());
/// lanes.push(&b"first"[..]);
/// let done = lanes.drain().next().unwrap();
/// assert!(!done.checked?.is_collision());
/// # Ok::<(), std::convert::Infallible>(())
/// ```
pub struct Lanes<M: Message>(Inside<M, Plan>);

/// A message that has left its lane, with what was found or the error that ended it.
#[derive(Debug)]
pub struct Done<M: Message> {
    /// The message itself, as it was handed in, consumed.
    pub message: M,
    /// Its digest and whether it is one of a collision, or why there is none.
    pub checked: Result<Checked, M::Error>,
}

impl<M: Message> Lanes<M> {
    /// Lanes on the engine's kernels.
    ///
    /// # Panics
    ///
    /// If the engine is not one of SHA-1.
    #[track_caller]
    pub fn new(engine: impl AsEngine, detection: Detection) -> Self {
        let watch = Watch::new(choice(&engine), detection);
        Self(Inside::new(engine.to_engine().into_turns(), watch))
    }

    /// How many messages are hashed at once when there are enough.
    pub fn lanes(&self) -> usize {
        self.0.turns.plan().lanes()
    }

    /// How many messages are inside: in lanes, or finished and not yet taken.
    pub fn len(&self) -> usize {
        self.0.schedule.live() + self.0.schedule.ended()
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
        self.0.put(message)
    }

    /// Runs every lane once, for as many blocks as its group has at hand. If a message is done
    /// already, nothing runs. Returns one message that is done, if there is one.
    pub fn advance(&mut self) -> Option<Done<M>> {
        self.0.advance()
    }

    /// The messages that are still inside, each as it is done. Messages that are not taken from
    /// the iterator stay inside.
    pub fn drain(&mut self) -> impl Iterator<Item = Done<M>> + '_ {
        core::iter::from_fn(|| self.0.next())
    }
}

/// Messages in lanes whose blocks are looked at.
struct Inside<M: Message, P> {
    turns: Turns<P>,
    schedule: Schedule<M>,
    watch: Watch,
}

impl<M: Message, P: Borrow<Plan>> Inside<M, P> {
    fn new(turns: Turns<P>, watch: Watch) -> Self {
        Self { turns, schedule: Schedule::new(Family::Sha1, false), watch }
    }

    /// Puts a message in a lane, once one is free.
    fn put(&mut self, message: M) -> Option<Done<M>> {
        while self.schedule.live() >= self.turns.plan().lanes() && self.schedule.ended() == 0 {
            self.turn();
        }
        let done = self.take();
        let seat = self.schedule.put(message, &Algorithm::SHA1.iv(), 0);
        self.watch.begin(seat);
        done
    }

    /// A message that is done, after at most one turn.
    fn advance(&mut self) -> Option<Done<M>> {
        if self.schedule.ended() == 0 && self.schedule.live() > 0 {
            self.turn();
        }
        self.take()
    }

    /// A message that is done, while there are messages.
    fn next(&mut self) -> Option<Done<M>> {
        while self.schedule.ended() == 0 && self.schedule.live() > 0 {
            self.turn();
        }
        self.take()
    }

    fn turn(&mut self) {
        self.schedule.turn_by(&mut self.turns, |call| self.watch.compress(call));
    }

    fn take(&mut self) -> Option<Done<M>> {
        let ended = self.schedule.take()?;
        let checked = ended.words.map(|words| self.watch.checked(ended.seat, &words));
        Some(Done { message: ended.message, checked })
    }
}
