//! A queue that takes results in any order and hands them on in order.

use std::collections::VecDeque;

/// Holds what is ready until all before it has been handed on.
///
/// It holds no more than there are numbers between the first that is not ready and the
/// last that is; whoever gives out the numbers sees to it that these are not too many.
pub(crate) struct Order<T> {
    /// The number of the first of `ready`.
    first: u64,
    ready: VecDeque<Option<T>>,
}

impl<T> Order<T> {
    /// Begins with number 0.
    pub(crate) fn new() -> Self {
        Self { first: 0, ready: VecDeque::new() }
    }

    /// Takes what has this number, of which there is one.
    pub(crate) fn insert(&mut self, number: u64, item: T) {
        let place = (number - self.first) as usize;
        if place >= self.ready.len() {
            self.ready.resize_with(place + 1, || None);
        }
        self.ready[place] = Some(item);
    }

    /// The next in order, if it is ready.
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
