//! The cases of `finish`: which lengths a call may have, and where a message ends relative to
//! block k. The tests compare them with the padding of all lengths of two messages.

use super::address::{Address, Region};
use super::lengths::{Count, LengthOf};

/// An interval, with inclusive bounds.
pub(super) type Range = [i128; 2];

/// Bounds of a difference of two numbers.
pub(super) type Fact = (Address, Address, Range);

/// The position of block k in a lane's message.
#[derive(Clone, Copy, Debug)]
pub(super) struct LengthClass {
    /// The number of message bytes from block k on; negative if the message ends before block k.
    pub(super) left: Range,
    /// The number of the lane's blocks after block k; negative if it does not have block k.
    pub(super) after: Range,
}

/// An iteration of the loop over blocks.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    pub(super) class: LengthClass,
    pub(super) facts: Vec<Fact>,
    /// Whether no message has a block after block k.
    pub(super) is_last: bool,
}

/// A call, from its start to the loop over blocks.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) facts: Vec<Fact>,
    /// Whether every message has whole blocks that `compress` processes before the loop.
    pub(super) has_whole: bool,
}

/// The lengths that messages may have, in bytes, and the lane under proof.
pub(super) struct Classes {
    pub(super) block: i128,
    /// The length field at the end of a padded message.
    pub(super) end: i128,
    /// The maximum length of a message.
    pub(super) most: i128,
    /// The minimum number of whole blocks that `compress` is called for.
    pub(super) calls_from: i128,
    pub(super) own: LengthOf,
    /// All lanes, as a bit set.
    pub(super) lanes: u32,
}

fn length(of: LengthOf) -> Address {
    Address::counted(1, Count::Length(of))
}

fn whole(of: LengthOf) -> Address {
    Address::counted(1, Count::Whole(of))
}

fn last(of: LengthOf) -> Address {
    Address::counted(1, Count::Last(of))
}

fn zero() -> Address {
    Address::new(Region::Number, 0)
}

/// The parts of a block in which a message may end. Within a part, all ends are processed alike.
/// With `each`, every number of bytes is a part.
pub(super) fn ends([block, end]: [i128; 2], each: bool) -> Vec<Range> {
    let mut cuts = vec![0, 1, block - end, block];
    if each {
        cuts.extend(0..block);
    } else if block == 128 {
        // A block has two rows.
        cuts.extend([64, 65]);
    }
    cuts.sort_unstable();
    cuts.dedup();
    cuts.windows(2).map(|cut| [cut[0], cut[1] - 1]).collect()
}

impl Classes {
    /// Whether the padding of a message that ends here requires another block.
    pub(super) fn wants_another(&self, [_, most]: Range) -> bool {
        most >= self.block - self.end
    }

    /// Block k contains the end of the message.
    fn part(&self, range: Range) -> LengthClass {
        let after = i128::from(self.wants_another(range));
        LengthClass { left: range, after: [after, after] }
    }

    /// Block k is a whole block of the message.
    fn full(&self) -> LengthClass {
        LengthClass { left: [self.block, self.most], after: [1, self.most] }
    }

    /// Block k is padding only: the message ends in the block before it.
    fn second(&self) -> LengthClass {
        LengthClass { left: [-self.end, -1], after: [0, 0] }
    }

    /// The message has no block k. The last block of the longest message begins up to `end` bytes
    /// after its last byte.
    fn gone(&self) -> LengthClass {
        LengthClass { left: [-self.most - self.end, -self.end - 1], after: [-self.most, -1] }
    }

    fn turn(&self, class: LengthClass, is_last: bool, more: Vec<Fact>) -> Turn {
        let number = Address { done: 1, ..zero() };
        let begins = Address { done: self.block as i32, ..number };
        let own = [(length(self.own), begins, class.left), (last(self.own), number, class.after)];
        Turn { class, facts: [&more[..], &own].concat(), is_last }
    }

    /// The calls whose shortest message is that of `shortest`. Calls with fewer whole blocks than
    /// `calls_from` may process all in the loop.
    fn entries(&self, shortest: LengthOf, longest: LengthOf, blocks: Range) -> [Entry; 2] {
        let least = self.block.saturating_mul(self.calls_from).min(self.most);
        [[0, least - 1], [least, self.most]].map(|range| Entry {
            facts: vec![
                (length(shortest), zero(), range),
                (whole(shortest), zero(), range.map(|bytes| bytes / self.block)),
                (whole(shortest), last(longest), blocks),
            ],
            has_whole: range[0] >= self.block,
        })
    }

    /// Calls in which all lengths are equal, and messages end in the part `range` of a block: the
    /// fact that this states, the calls, and the iterations.
    pub(super) fn equal(&self, range: Range) -> (Fact, [Entry; 2], Vec<Turn>) {
        // The distance from the end of the message to the start of its last block.
        let more = match self.wants_another(range) {
            true => [self.block - range[1], self.block - range[0]],
            false => [-range[1], -range[0]],
        };
        let start = Address::counted(self.block as i32, Count::Last(self.own));
        let part = self.part(range);
        let mut turns = vec![self.turn(part, part.after[0] == 0, Vec::new())];
        if self.calls_from > 1 {
            turns.push(self.turn(self.full(), false, Vec::new()));
        }
        if self.wants_another(range) {
            turns.push(self.turn(self.second(), true, Vec::new()));
        }
        ((start, length(self.own), more), self.entries(self.own, self.own, [-1, 0]), turns)
    }

    /// Calls in which lengths differ, and messages end in the parts `ends` of a block: the fact
    /// that this states, the calls, and the iterations. With `is_other`, only iterations without a
    /// block of the lane under proof.
    pub(super) fn differing(
        &self,
        ends: &[Range],
        is_other: bool,
    ) -> (Fact, [Entry; 2], Vec<Turn>) {
        let (shortest, longest) = (LengthOf::Shortest(self.lanes), LengthOf::Longest(self.lanes));
        let number = Address { done: 1, ..zero() };
        let classes = ends.iter().map(|&range| self.part(range));
        let classes = classes.chain([self.full(), self.second(), self.gone()]);
        let mut turns = Vec::new();
        for class in classes.filter(|class| !is_other || class.after[1] < 0) {
            for (is_last, of_longest) in [(true, [0, 0]), (false, [1, self.most])] {
                // The longest message has at least as many blocks as this one.
                if class.after[0] > of_longest[1] {
                    continue;
                }
                let mut facts = vec![(last(longest), number, of_longest)];
                // This message may be the shortest; otherwise both cases are enumerated.
                if class.after[1] < 0 && !is_other {
                    facts.push((last(shortest), number, [-self.most, -1]));
                }
                turns.push(self.turn(class, is_last, facts));
            }
        }
        let fact = (length(shortest), length(longest), [-self.most, -1]);
        (fact, self.entries(shortest, longest, [-self.most, 0]), turns)
    }
}

#[cfg(test)]
mod tests {
    use super::super::brute::Of2;
    use super::super::ends::most_bytes;
    use super::super::value::Pointer;
    use super::*;

    /// The block and the length field of [`Of2`].
    const BLOCK: [i128; 2] = [16, 2];

    /// The fact that holds for some calls, the cases of these calls, and their iterations.
    type Calls = (Fact, [Entry; 2], Vec<Turn>);

    fn classes(most: i128, calls_from: i128) -> Classes {
        let [block, end] = BLOCK;
        Classes { block, end, most, calls_from, own: LengthOf::Lane(0), lanes: 3 }
    }

    fn equal(classes: &Classes, each: bool) -> Vec<Calls> {
        ends(BLOCK, each).into_iter().map(|range| classes.equal(range)).collect()
    }

    fn holds(facts: &[Fact], x: Of2) -> bool {
        facts
            .iter()
            .all(|&(a, b, [least, most])| (least..=most).contains(&i128::from(x.of(a) - x.of(b))))
    }

    /// The number of blocks of a message with an end bit, zeros and the length (FIPS 180-4 §5.1).
    fn padded(len: i64) -> i64 {
        let [block, end] = BLOCK.map(|bytes| bytes as i64);
        (len + end) / block + 1
    }

    /// Whether each call of two lanes, and each of its iterations, is in exactly one case, with the
    /// right blocks of padding.
    fn are_complete(classes: &Classes, calls: &[Calls], is_equal: bool) -> bool {
        let most = classes.most as i64;
        let all = (0..=most).flat_map(|own| (0..=most).map(move |other| (own, other)));
        all.filter(|(own, other)| (own == other) == is_equal).all(|(own, other)| {
            let shortest = own.min(other);
            let of = |k| Of2 { own, other, k };
            let own_calls: Vec<_> =
                calls.iter().filter(|(fact, ..)| holds(&[*fact], of(0))).collect();
            let [(_, entries, turns)] = own_calls[..] else { return false };
            let entry: Vec<_> = entries.iter().filter(|entry| holds(&entry.facts, of(0))).collect();
            let [entry] = entry[..] else { return false };
            // `compress` is called only if every message has a whole block.
            let whole = shortest / BLOCK[0] as i64;
            let first = if entry.has_whole { whole } else { 0 };
            if entry.has_whole && whole == 0 {
                return false;
            }
            let blocks = padded(own).max(padded(other));
            (first..blocks).all(|k| {
                let turns: Vec<_> = turns.iter().filter(|turn| holds(&turn.facts, of(k))).collect();
                let [turn] = turns[..] else { return false };
                let after = i128::from(padded(own) - 1 - k);
                let [low, high] = turn.class.after;
                let is_same = low.signum() == high.signum() && low.signum() == after.signum();
                is_same && turn.is_last == (k + 1 == blocks)
            })
        })
    }

    /// Maximum lengths, with every number of bytes in the last block.
    fn limits() -> impl Iterator<Item = i128> {
        let most = most_bytes(Pointer(1));
        (0..BLOCK[0]).map(move |i| most - i)
    }

    #[test]
    fn parts_of_a_block_are_disjoint_and_padded_alike() {
        for [block, end] in [[4, 1], BLOCK, [64, 8], [128, 16]] {
            for each in [false, true] {
                let parts = ends([block, end], each);
                let classes = Classes { block, end, ..classes(block, 1) };
                let all = parts.iter().flat_map(|&[least, most]| least..=most);
                assert!(all.eq(0..block), "{parts:?}");
                for range in parts {
                    let another = (range[0]..=range[1]).map(|len| len + 1 + end > block);
                    assert!(another.into_iter().all(|is| is == classes.wants_another(range)));
                }
            }
        }
    }

    #[test]
    fn all_lengths_are_in_one_case() {
        for (most, calls_from) in limits().flat_map(|most| [1, 2, 4].map(|from| (most, from))) {
            let classes = classes(most, calls_from);
            for each in [false, true] {
                assert!(
                    are_complete(&classes, &equal(&classes, each), true),
                    "{most} {calls_from}"
                );
            }
            let differing = classes.differing(&ends(BLOCK, false), false);
            assert!(are_complete(&classes, &[differing], false), "{most} {calls_from}");
        }
    }

    /// Each case without an iteration, with the wrong last block, or with a class that is one byte
    /// shorter.
    #[test]
    fn wrong_cases_of_lengths_are_noticed() {
        // The last block of the longest message begins after its last byte.
        let classes = classes(3 * BLOCK[0] - BLOCK[1], 2);
        let check = |calls: &[Calls], is_equal: bool| {
            assert!(are_complete(&classes, calls, is_equal));
            for (i, (_, _, turns)) in calls.iter().enumerate() {
                for (j, turn) in turns.iter().enumerate() {
                    let mut wrong = calls.to_vec();
                    wrong[i].2.remove(j);
                    assert!(!are_complete(&classes, &wrong, is_equal), "without {turn:?}");
                    let mut wrong = calls.to_vec();
                    wrong[i].2[j].is_last ^= true;
                    assert!(!are_complete(&classes, &wrong, is_equal), "{turn:?} is last or not");
                    // Long messages of equal length are compressed before the loop.
                    let bounds = [(0, 1), (1, -1)];
                    for (end, by) in bounds.into_iter().filter(|_| !is_equal) {
                        let mut wrong = calls.to_vec();
                        for other in wrong.iter_mut().flat_map(|(.., turns)| turns) {
                            let left = other.facts.len() - 2;
                            let is_same = other.class.left == turn.class.left;
                            other.facts[left].2[end] += if is_same { by } else { 0 };
                        }
                        assert!(!are_complete(&classes, &wrong, is_equal), "less than {turn:?}");
                    }
                }
            }
        };
        check(&equal(&classes, false), true);
        check(&[classes.differing(&ends(BLOCK, false), false)], false);
    }
}
