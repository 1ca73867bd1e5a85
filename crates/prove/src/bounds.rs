//! Bounds of numbers that depend on the number of blocks, or on the distance between a lane's
//! words.

use std::cmp::Ordering;
use std::ops::Range;

use super::address::{Address, Region};
use super::call::{Blocks, Call, Left, Stride};
use super::case::Lengths;
use super::contract::Argument;
use super::lengths::{Count, DIFFERENCE_LEN};

impl<W: Copy + PartialEq> Call<'_, W> {
    /// The minimum and maximum of a number that depends on the number of blocks, limited by the
    /// size of memory.
    pub(super) fn bounds(&self, x: Address) -> [i128; 2] {
        let (done, total) = (i128::from(x.done), i128::from(x.total));
        match x.of {
            Count::Words(_) => return self.bounds_of_words(x),
            Count::Slice(_) => return self.bounds_of_slices(x, self.block_len()),
            Count::Suspects => return self.bounds_of_slices(x, self.contract.lanes as i64),
            // It belongs to a single block.
            Count::Difference(_) => return self.bounds_of_slices(x, DIFFERENCE_LEN as i64),
            _ => {}
        }
        let at = |k: i128, n: i128| done * k + total * n + i128::from(x.offset);
        let values = match (self.case(), self.blocks) {
            (Some(case), _) => self.bounds_in(case, x).to_vec(),
            (None, Blocks::Are(n)) => vec![at(0, n as i128)],
            (None, Blocks::Any { left, begun }) => {
                let most = i128::from(self.most_blocks());
                let least = left.least() as i128;
                let mut values = vec![at(0, least)];
                if begun {
                    values.push(at(most - least, most));
                }
                if matches!(left, Left::AtLeast(_)) {
                    values.push(at(0, most));
                }
                values
            }
        };
        let strides = self.distances().map(|distance| i128::from(x.stride) * distance);
        let ends = (values.iter().min(), values.iter().max());
        [
            ends.0.expect("a value") + strides[0].min(strides[1]),
            ends.1.expect("a value") + strides[0].max(strides[1]),
        ]
    }

    /// Bounds of the distance between a lane's words, if it is symbolic.
    fn distances(&self) -> [i128; 2] {
        match self.stride {
            Stride::Is(_) => [0; 2],
            Stride::AtLeast(least) => {
                // The maximum size of an object.
                let most =
                    self.pointer().most() as usize / self.contract.word_len - self.contract.lanes;
                [least as i128, (most / (self.contract.words - 1)) as i128]
            }
        }
    }

    /// The bounds of a number with n as the length in words of a slice of chaining values.
    fn bounds_of_words(&self, x: Address) -> [i128; 2] {
        let least = match self.stride {
            Stride::Is(distance) | Stride::AtLeast(distance) => distance,
        };
        let least = (self.contract.words - 1) * least + self.contract.lanes;
        let all =
            [least as i128, i128::from(self.pointer().most()) / self.contract.word_len as i128];
        let blocks = i128::from(self.most_blocks());
        let parts = [
            all.map(|words| words * i128::from(x.total)),
            self.distances().map(|distance| distance * i128::from(x.stride)),
            [0, blocks].map(|blocks| blocks * i128::from(x.done)),
        ];
        parts.into_iter().fold([i128::from(x.offset); 2], |[least, most], [p, q]| {
            [least + p.min(q), most + p.max(q)]
        })
    }

    /// The bounds of a number with n as the length of a slice that has at least `each` elements per block.
    fn bounds_of_slices(&self, x: Address, each: i64) -> [i128; 2] {
        let total = i64::from(x.total) * each;
        let [Ok(total), Ok(_)] = [total, x.total.into()].map(i32::try_from) else {
            return [i128::MIN / 4, i128::MAX / 4];
        };
        // The slice has at most the length of any object.
        let least = self.bounds(Address { total, of: Count::Blocks, ..x });
        let rest = self.bounds(Address { total: 0, of: Count::Blocks, ..x });
        let most = i128::from(x.total) * i128::from(self.pointer().most());
        if total > 0 { [least[0], rest[1] + most] } else { [rest[0] + most, least[1]] }
    }

    /// Whether an address or number cannot overflow.
    pub(super) fn is_exact(&self, x: Address) -> bool {
        let x = self.as_number(x);
        let [least, most] = self.bounds(x);
        let page = self.pointer().page();
        match x.region {
            Region::Number => {
                let greatest = i128::from(self.pointer().most());
                least >= -1 - greatest && most <= greatest
            }
            // No object is within a page of either end of memory, so an address less than a page
            // outside of an object is not zero. An empty slice may be anywhere, even at address one
            // or at the end of memory. Other pointers may then be null.
            Region::Message(_) if self.lengths.is_none() && self.blocks == Blocks::Are(0) => {
                self.contract.arguments.contains(&Argument::Slices) && (least, most) == (0, 0)
            }
            Region::Message(lane) if self.lengths.is_none() => {
                // A slice is at least as long as its blocks.
                let len = match x.of {
                    Count::Blocks => self.block_len(),
                    Count::Slice(own) if u16::from(own) == lane => 1,
                    _ => return false,
                };
                let Ok(total) = i32::try_from(-len) else { return false };
                let Some(total) = x.total.checked_add(total) else { return false };
                // The negated number of bytes that follow it in the slice.
                let [_, beyond] = self.bounds(Address { total, ..x });
                least > -page && beyond < page
            }
            // A message of a known length, in a run on numbers.
            Region::Message(lane) if let Some(Lengths::Are(all, _)) = &self.lengths => {
                let len = all.get(usize::from(lane)).map_or(0, |&len| i128::from(len));
                len > 0 && least > -page && most < len + page
            }
            Region::State(_) => {
                let end = self.state_words().times(self.contract.word_len as i64, x.region);
                let Some(beyond) = end.and_then(|end| x.minus(end)) else { return false };
                least > -page && self.bounds(beyond)[1] < page
            }
            Region::Callers(_)
            | Region::Return
            | Region::Message(_)
            | Region::Ones
            | Region::Elsewhere
            | Region::Rows
            | Region::Memset => false,
            _ => {
                let object = |len: usize| [-page, len as i128];
                let [lowest, end] = match x.region {
                    // An array of pointers ends with the last of them.
                    Region::Data => {
                        let unread = self.contract.arguments.contains(&Argument::Pointers);
                        let parts = 2 * self.contract.lanes - usize::from(unread);
                        object(self.pointer().0 * parts)
                    }
                    Region::Chains => object(4 * self.pointer().0),
                    Region::Link => object(self.link.len()),
                    Region::Difference(_) => object(DIFFERENCE_LEN),
                    Region::Expanded => object(
                        self.case().map_or(0, |case| case.expanded.len() * self.contract.word_len),
                    ),
                    Region::Out => object(self.out_len()),
                    // The limit of the stack includes the bytes above a frame.
                    Region::Frame => object(self.stack_top() as usize),
                    Region::Image | Region::Section(_) => {
                        let Range { start, end } = self.image.extent(x.region);
                        [i128::from(start) - page, end.into()]
                    }
                    _ => [-i128::from(self.most_stack()), self.stack_top().into()],
                };
                least > lowest && most < end + page
            }
        }
    }

    /// In a program at a fixed address, an address is a number, which may be zero.
    fn as_number(&self, x: Address) -> Address {
        let is_number = x.region == Region::Image && self.image.is_fixed();
        if is_number { Address { region: Region::Number, ..x } } else { x }
    }

    /// Whether a number, or the difference of two addresses, is negative.
    pub(super) fn is_negative(&self, x: Address) -> Option<bool> {
        let x = self.as_number(x);
        if !self.is_exact(x) {
            return None;
        }
        let [least, most] = self.bounds(x);
        match x.region {
            Region::Number if least < 0 && most >= 0 => None,
            Region::Number => Some(most < 0),
            _ => Some(false),
        }
    }

    /// How a number, or the difference of two addresses, compares with zero.
    pub(super) fn against_zero(&self, x: Address) -> Option<Ordering> {
        let x = self.as_number(x);
        if !self.is_exact(x) {
            return None;
        }
        if x.region != Region::Number {
            return Some(Ordering::Greater);
        }
        let [least, most] = self.bounds(x);
        match (least.signum(), most.signum()) {
            (0, 0) => Some(Ordering::Equal),
            (1, _) => Some(Ordering::Greater),
            (_, -1) => Some(Ordering::Less),
            _ => None,
        }
    }
}
