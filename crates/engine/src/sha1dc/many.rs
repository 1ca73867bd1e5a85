//! Many messages: one per lane, or one after another where that is faster.

use core::borrow::Borrow;
use core::ops::Range;

use lanesum_spec::{Algorithm, Family};

use super::blocks::Blocks;
use super::one::hash_by;
use super::watch::Watch;
use super::{Checked, Detection, choice};
use crate::choose::{AsEngine, Plan, Steps};
use crate::run::{Driver, Mode, Schedule, in_parts};
use crate::{Message, Messages};

/// Hashes many messages and checks each block for collision attacks. The result for message i is written
/// to `checked[i]`. Does not allocate.
///
/// # Panics
///
/// If the engine's algorithm is not SHA-1, or if there is not exactly one place for each message.
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
    assert!(
        places == count,
        "number of outputs ({places}) does not match number of messages ({count})"
    );
    let blocks = Blocks::new(choice, detection);
    let is_alone = choice.watcher().is_faster_alone();
    in_parts(choice, 0..count, checked, &|part: Range<usize>, checked: &mut [Checked]| {
        if is_alone {
            for (checked, number) in checked.iter_mut().zip(part) {
                *checked = hash_by(&blocks, messages.message(number));
            }
            return;
        }
        choice.with_steps(|steps| {
            let mut lanes = driver(steps, Watch::new(choice, detection));
            let mut take = |done: Done<(usize, &[u8])>| {
                let Ok(found) = done.checked;
                checked[done.message.0] = found;
            };
            for (place, number) in part.enumerate() {
                lanes.put((place, messages.message(number))).into_iter().for_each(&mut take);
            }
            while let Some(done) = lanes.next() {
                take(done);
            }
        });
    });
}

/// Hashes many messages that may arrive at any time, one in each lane, and checks each block: like
/// [`lanesum::Lanes`](crate::Lanes), with collision detection.
///
/// ```
/// use lanesum::Algorithm;
/// use lanesum::sha1dc::{Detection, Lanes};
///
/// let mut lanes = Lanes::new(Algorithm::SHA1, Detection::new());
/// assert!(lanes.push(&b"first"[..]).is_none());
/// let done = lanes.drain().next().unwrap();
/// assert!(!done.checked?.is_collision());
/// # Ok::<(), std::convert::Infallible>(())
/// ```
pub struct Lanes<M: Message>(Driver<M, Plan, Watch>);

/// A message that has left its lane, with its result or the error that ended it.
#[derive(Debug)]
pub struct Done<M: Message> {
    /// The message that was pushed, consumed.
    pub message: M,
    /// The digest and whether a collision was detected, or the error of the message.
    pub checked: Result<Checked, M::Error>,
}

impl<M: Message> Lanes<M> {
    /// Creates empty lanes on the engine's kernels.
    ///
    /// # Panics
    ///
    /// If the engine's algorithm is not SHA-1.
    #[track_caller]
    pub fn new(engine: impl AsEngine, detection: Detection) -> Self {
        let watch = Watch::new(choice(&engine), detection);
        Self(driver(engine.to_engine().into_steps(), watch))
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
        self.0.put(message)
    }

    /// Runs every lane once, for as many blocks as all messages of its kernel call have available. Does
    /// not run if a message is already finished. Returns a finished message, if any.
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

impl<M: Message, P: Borrow<Plan>> Driver<M, P, Watch> {
    /// Puts a message in a lane, once one is free. Returns a finished message, if any.
    fn put(&mut self, message: M) -> Option<Done<M>> {
        let done = self.free_lane();
        let seat = self.schedule.put(message, &Algorithm::SHA1.iv(), 0);
        self.mode.begin(seat);
        done
    }
}

impl<M: Message> Mode<M> for Watch {
    type Done = Done<M>;

    fn run_lanes<P: Borrow<Plan>>(&mut self, schedule: &mut Schedule<M>, steps: &mut Steps<P>) {
        schedule.run_lanes_by(steps, |call| self.compress(call));
    }

    fn take(&mut self, schedule: &mut Schedule<M>) -> Option<Done<M>> {
        let ended = schedule.take()?;
        let checked = ended.words.map(|words| self.checked(ended.seat, &words));
        Some(Done { message: ended.message, checked })
    }
}

fn driver<M: Message, P>(steps: Steps<P>, watch: Watch) -> Driver<M, P, Watch> {
    Driver { steps, schedule: Schedule::new(Family::Sha1, false), mode: watch }
}
