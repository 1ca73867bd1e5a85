//! Delivers results in the order of their jobs.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Mutex;

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
    pub(crate) fn deliver(&self, outcomes: &mut Vec<Outcome<J>>, queue: &Queue<'_, J>) {
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
        queue.delivered(jobs, weight);
    }
}

/// A reorder buffer: holds items until all items with lower numbers have been yielded.
///
/// Its size is bounded by the gap between the lowest missing number and the highest inserted one.
/// The caller limits that gap.
struct Order<T> {
    /// The number of the first entry of `ready`.
    first: u64,
    ready: VecDeque<Option<T>>,
}

impl<T> Order<T> {
    /// Creates an empty buffer that starts at number 0.
    fn new() -> Self {
        Self { first: 0, ready: VecDeque::new() }
    }

    /// Inserts the item with the number `number`, once.
    fn insert(&mut self, number: u64, item: T) {
        let place = (number - self.first) as usize;
        if place >= self.ready.len() {
            self.ready.resize_with(place + 1, || None);
        }
        self.ready[place] = Some(item);
    }

    /// Returns the next item in order, if it has been inserted.
    fn next(&mut self) -> Option<T> {
        let item = self.ready.front_mut()?.take()?;
        self.ready.pop_front();
        self.first += 1;
        Some(item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn items_inserted_in_any_order_leave_in_order(
            numbers in Just((0..200_u64).collect::<Vec<_>>()).prop_shuffle()
        ) {
            let mut order = Order::new();
            let mut left = Vec::new();
            for number in numbers {
                order.insert(number, number);
                left.extend(std::iter::from_fn(|| order.next()));
            }
            prop_assert_eq!(left, (0..200).collect::<Vec<_>>());
        }
    }
}
