//! Delivers results in the order of their jobs.

use std::ops::ControlFlow;
use std::sync::Mutex;

use crate::order::Order;
use crate::queue::{Numbered, Queue};
use crate::{Digests, Error, Job};

/// The result of a job.
pub(crate) type Outcome<J> = (Numbered<J>, Result<Digests, Error>);

/// Delivers the workers' results to the sink.
pub(crate) struct Results<'a, J>(Mutex<State<'a, J>>);

type Sink<'a, J> = Box<dyn FnMut(J, Result<Digests, Error>) -> ControlFlow<()> + Send + 'a>;

struct State<'a, J> {
    order: Order<(J, Result<Digests, Error>)>,
    sink: Sink<'a, J>,
    broke: bool,
}

impl<'a, J: Job> Results<'a, J> {
    pub(crate) fn new(
        sink: impl FnMut(J, Result<Digests, Error>) -> ControlFlow<()> + Send + 'a,
    ) -> Self {
        Self(Mutex::new(State { order: Order::new(), sink: Box::new(sink), broke: false }))
    }

    /// Drains `outcomes` and delivers the results that are next in order. Informs `queue` of these,
    /// and stops it when the sink breaks.
    pub(crate) fn hand_on(&self, outcomes: &mut Vec<Outcome<J>>, queue: &Queue<'_, J>) {
        // A sink that has panicked or broken is not called again.
        let Ok(mut state) = self.0.lock() else { return outcomes.clear() };
        let State { order, sink, broke } = &mut *state;
        if *broke {
            return outcomes.clear();
        }
        for (numbered, result) in outcomes.drain(..) {
            order.insert(numbered.number, (numbered.job, result));
        }
        let (mut jobs, mut weight) = (0, 0);
        while let Some((job, result)) = order.next() {
            jobs += 1;
            weight += job.weight();
            if sink(job, result).is_break() {
                *broke = true;
                return queue.stop();
            }
        }
        drop(state);
        queue.handed_on(jobs, weight);
    }
}
