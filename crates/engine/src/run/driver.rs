//! Refills the lanes of a [`Schedule`], and returns its messages as they finish.

use core::borrow::Borrow;

use super::schedule::Schedule;
use crate::Message;
use crate::choose::{Plan, Steps};

/// How to compress the blocks in lanes, and the result for a message. Type parameter of a [`Driver`], so that plain
/// hashing does not branch on collision detection.
pub(crate) trait Mode<M: Message> {
    /// A finished message, with its result.
    type Done;

    /// Runs every lane once.
    fn run_lanes<P: Borrow<Plan>>(&mut self, schedule: &mut Schedule<M>, steps: &mut Steps<P>) {
        schedule.run_lanes(steps);
    }

    /// Returns a finished message, if any.
    fn take(&mut self, schedule: &mut Schedule<M>) -> Option<Self::Done>;
}

/// Messages in lanes, with the plan that runs them.
pub(crate) struct Driver<M: Message, P, C> {
    pub(crate) steps: Steps<P>,
    pub(crate) schedule: Schedule<M>,
    pub(crate) mode: C,
}

impl<M: Message, P: Borrow<Plan>, C: Mode<M>> Driver<M, P, C> {
    /// Returns the number of lanes to fill.
    pub(crate) fn lanes(&self) -> usize {
        self.steps.plan().lanes()
    }

    /// Returns the number of messages inside: in lanes, or finished and not yet taken.
    pub(crate) fn len(&self) -> usize {
        self.schedule.live() + self.schedule.ended()
    }

    /// Runs until a lane is free. Returns a finished message, if any.
    pub(crate) fn free_lane(&mut self) -> Option<C::Done> {
        while self.schedule.live() >= self.lanes() && self.schedule.ended() == 0 {
            self.mode.run_lanes(&mut self.schedule, &mut self.steps);
        }
        self.take()
    }

    /// Returns a finished message, if any, without running a lane.
    pub(crate) fn take(&mut self) -> Option<C::Done> {
        self.mode.take(&mut self.schedule)
    }

    /// Runs every lane once, unless a message is already finished. Returns a finished message, if any.
    pub(crate) fn advance(&mut self) -> Option<C::Done> {
        if self.schedule.ended() == 0 && self.schedule.live() > 0 {
            self.mode.run_lanes(&mut self.schedule, &mut self.steps);
        }
        self.take()
    }

    /// Runs until a message is finished, and returns it. Returns `None` if no message is inside.
    pub(crate) fn next(&mut self) -> Option<C::Done> {
        while self.schedule.ended() == 0 && self.schedule.live() > 0 {
            self.mode.run_lanes(&mut self.schedule, &mut self.steps);
        }
        self.take()
    }
}
