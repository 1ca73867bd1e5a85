//! A reorder buffer: accepts results in any order and yields them in order.

use std::collections::VecDeque;

/// Holds items until all items with lower numbers have been yielded.
///
/// Its size is bounded by the gap between the lowest missing number and the highest inserted one.
/// The caller limits that gap.
pub(crate) struct Order<T> {
    /// The number of the first entry of `ready`.
    first: u64,
    ready: VecDeque<Option<T>>,
}

impl<T> Order<T> {
    /// Starts at number 0.
    pub(crate) fn new() -> Self {
        Self { first: 0, ready: VecDeque::new() }
    }

    /// Inserts the item with the number `number`, once.
    pub(crate) fn insert(&mut self, number: u64, item: T) {
        let place = (number - self.first) as usize;
        if place >= self.ready.len() {
            self.ready.resize_with(place + 1, || None);
        }
        self.ready[place] = Some(item);
    }

    /// Returns the next item in order, if it has been inserted.
    pub(crate) fn next(&mut self) -> Option<T> {
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
        fn whatever_order_they_come_in_they_leave_in_order(
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
