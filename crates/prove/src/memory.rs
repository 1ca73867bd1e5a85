//! Memory accesses: the stack, and the objects that a function's arguments refer to.

use super::address::{Address, Region};
use super::call::{Blocks, Call, WRITTEN};
use super::contract::Argument;
use super::lengths::{Count, DIFFERENCE_LEN};
use super::processor::{Downwards, Processor, RSP};
use super::value::Byte;

impl<W: Copy + PartialEq> Call<'_, W> {
    /// Loads `len` bytes.
    pub(super) fn load(
        &self,
        machine: &Processor<W>,
        from: Address,
        len: usize,
    ) -> Result<Vec<Byte<W>>, String> {
        let from = self.at_hand(from);
        if let Some(case) = self.case()
            && from.region.is_image()
            && !from.is_fixed()
        {
            return self.end_of_message(case, from, len);
        }
        let mut bytes = Vec::with_capacity(len);
        for i in 0..len as i64 {
            bytes.push(self.byte(machine, from.plus(i))?);
        }
        Ok(bytes)
    }

    fn byte(&self, machine: &Processor<W>, at: Address) -> Result<Byte<W>, String> {
        let beyond = |what: &str| format!("it reads beyond {what}");
        let Address { region, done, total, stride, offset, .. } = at;
        if !self.is_place(at) {
            return Err("an address depends on the number of blocks".into());
        }
        let place = usize::try_from(offset);
        match region {
            Region::Stack => {
                self.in_stack(machine, at)?;
                Ok(machine.stack.get(offset))
            }
            Region::Frame => {
                self.in_stack(machine, at)?;
                Ok(machine.frame.get(offset))
            }
            Region::State(_) => {
                let byte = self.state_index(at).and_then(|place| machine.state.get(place));
                byte.copied().ok_or_else(|| beyond("the chaining values"))
            }
            Region::Data => {
                let place = place.map_err(|_| beyond("the slices"))?;
                let len = self.pointer().0;
                let (lane, part, byte) = (place / len / 2, place / len % 2, place % len);
                if lane >= self.contract.lanes {
                    return Err(beyond("the slices"));
                }
                let part = match (part, self.length_of(lane)) {
                    (0, _) => Address::new(Region::Message(lane as u16), 0),
                    _ if self.contract.arguments.contains(&Argument::Pointers) => {
                        return Err("it reads the length of a message".into());
                    }
                    (_, Some(length)) => length,
                    // The slice may be longer than its blocks.
                    (_, None) => Address::counted(1, Count::Slice(lane as u8)),
                };
                Ok(self.pointer().bytes(part)[byte])
            }
            Region::Message(lane) => {
                if let Some(case) = self.case() {
                    if usize::from(lane) != self.lane {
                        // That lane's own proof covers the read.
                        return Ok(Byte::Unknown);
                    }
                    return self.byte_at_hand(case, at).ok_or_else(|| beyond("a message"));
                }
                let len = match self.length_of(usize::from(lane)) {
                    Some(length) => length.offset as usize,
                    None => self.message.len() * self.contract.word_len,
                };
                let (known, len) = match self.blocks {
                    Blocks::Are(_) => (at.is_fixed(), len),
                    // The current block, and those that certainly follow it.
                    Blocks::Any { left, begun } => {
                        let grows = if begun { i64::from(done) } else { self.block_len() };
                        let left = left.least() * self.block_len() as usize;
                        let known = grows == self.block_len() && (total, stride) == (0, 0);
                        (known, left.min(len))
                    }
                };
                let place = place.ok().filter(|&place| known && place < len);
                let place = place.ok_or_else(|| beyond("the blocks"))?;
                let (word, byte) = (place / self.contract.word_len, place % self.contract.word_len);
                let byte =
                    if self.contract.big_endian { self.contract.word_len - 1 - byte } else { byte };
                let own = usize::from(lane) == self.lane;
                let word = self.message.get(word).filter(|_| own);
                Ok(word.map_or(Byte::Unknown, |&word| Byte::Of(word, byte as u8)))
            }
            Region::Chains => {
                let len = self.pointer().0;
                let place = place.ok().filter(|&place| place < 4 * len);
                let place = place.ok_or_else(|| beyond("the slices of chaining values"))?;
                let array = WRITTEN + (place / len / 2) as u8;
                let part = match place / len % 2 {
                    0 => Address::new(Region::State(array), 0),
                    _ => Address::counted(1, Count::Words(array)),
                };
                Ok(self.pointer().bytes(part)[place % len])
            }
            Region::Link => {
                let byte = place.ok().and_then(|place| self.link.get(place));
                byte.copied().ok_or_else(|| beyond("the padding of digests"))
            }
            Region::Difference(lane) => {
                let place = place.ok().filter(|&place| place < DIFFERENCE_LEN);
                let place = place.ok_or_else(|| beyond("the differences"))?;
                let word = self.difference.get(place / self.contract.word_len);
                let own = word.filter(|_| usize::from(lane) == self.lane);
                let byte = (place % self.contract.word_len) as u8;
                Ok(own.map_or(Byte::Unknown, |&word| Byte::Of(word, byte)))
            }
            Region::Out => {
                let byte = place.ok().and_then(|place| machine.out.get(place));
                byte.copied().ok_or_else(|| beyond("the digests"))
            }
            Region::Image | Region::Section(_) => {
                let byte = self.image.byte_of(region, offset as u64);
                byte.ok_or_else(|| "it reads memory that is not constant".into())
            }
            Region::Expanded => {
                let words = self.expanded_words();
                let byte = place.ok().and_then(|place| {
                    let word = *words.get(place / self.contract.word_len)?;
                    Some(Byte::Of(word, (place % self.contract.word_len) as u8))
                });
                byte.ok_or_else(|| beyond("the last block"))
            }
            Region::Elsewhere => Ok(Byte::Unknown),
            Region::Number
            | Region::Callers(_)
            | Region::Return
            | Region::Ones
            | Region::Rows
            | Region::Memset => Err("an address is outside of its arguments".into()),
        }
    }

    /// Whether an address depends only on numbers that its region allows.
    fn is_place(&self, at: Address) -> bool {
        match at.region {
            Region::Message(_) => true,
            Region::Rows => (at.total, at.stride) == (0, 0),
            Region::State(_) => (at.done, at.total) == (0, 0),
            _ => at.is_fixed(),
        }
    }

    /// Checks that a byte of the stack is the function's: above the end of its red zone, and on the
    /// right side of the aligned stack pointer.
    fn in_stack(&self, machine: &Processor<W>, at: Address) -> Result<(), String> {
        let outside = || Err("it accesses the stack outside of its frame".into());
        let Byte::Address(top, 0) = machine.general[RSP][0] else { return outside() };
        let lowest = top.plus(-self.convention().red_zone());
        if at.offset < self.lowest_offset(machine, at.region) {
            return outside();
        }
        let limit = machine.aligned.map_or(i64::MIN, |(_, below)| below);
        let inside = match (at.region, top.region) {
            (Region::Stack, Region::Stack) => at.offset >= lowest.offset.max(limit),
            (Region::Stack, Region::Frame) => at.offset >= limit,
            (Region::Frame, Region::Frame) => {
                at.offset >= lowest.offset && at.offset < machine.frame.top
            }
            _ => false,
        };
        let end = match at.region {
            Region::Stack => self.stack_top(),
            _ => machine.frame.top,
        };
        if inside && at.offset < end { Ok(()) } else { outside() }
    }

    /// The lowest offset that the function may use. The limit of an aligned frame includes the
    /// bytes above it and the bytes that alignment may have skipped.
    pub(super) fn lowest_offset(&self, machine: &Processor<W>, region: Region) -> i64 {
        let all = -self.most_stack();
        match (region, machine.aligned) {
            (Region::Frame, Some((to, end))) => all - (end - machine.frame.top) + to - 1,
            _ => all,
        }
    }

    /// Whether an address is a multiple of `bytes`.
    pub(super) fn is_aligned(&self, machine: &Processor<W>, at: Address, bytes: i64) -> bool {
        if !at.is_fixed() {
            return false;
        }
        match at.region {
            Region::Stack => {
                let before = at.offset - self.pointer().0 as i64;
                bytes <= self.convention().stack_alignment() && before.rem_euclid(bytes) == 0
            }
            Region::Frame => {
                let to = machine.aligned.map_or(1, |(to, _)| to);
                bytes <= to && at.offset.rem_euclid(bytes) == 0
            }
            // The loader preserves addresses modulo a page, and addresses in a section modulo its
            // alignment.
            Region::Image | Region::Section(_) => {
                bytes <= self.image.alignment(at.region) && at.offset.rem_euclid(bytes) == 0
            }
            _ => false,
        }
    }

    /// Invalidates memory below the red zone, and checks that the stack pointer is in the
    /// function's own stack.
    pub(super) fn forget_below(&self, machine: &mut Processor<W>) -> Result<(), String> {
        let outside = || "the stack pointer leaves the function's frame".to_owned();
        let Byte::Address(top, 0) = machine.general[RSP][0] else { return Err(outside()) };
        let end = match top.region {
            // The value after the return.
            Region::Stack => self.pointer().0 as i64,
            Region::Frame => machine.frame.top,
            _ => return Err(outside()),
        };
        let is_whole = machine.general[RSP] == self.pointer().register(top);
        let places = self.lowest_offset(machine, top.region)..=end;
        if !is_whole || !top.is_fixed() || !places.contains(&top.offset) {
            return Err(outside());
        }
        let lowest = top.offset.saturating_sub(self.convention().red_zone());
        if top.region == Region::Stack {
            machine.stack.truncate(lowest);
            machine.frame.bytes.clear();
        } else {
            machine.frame.truncate(lowest);
        }
        Ok(())
    }

    /// Whether chaining values are read-only: the function writes digests.
    fn is_read_only(&self) -> bool {
        self.contract.arguments.contains(&Argument::Out)
    }

    /// Stores bytes.
    pub(super) fn store(
        &self,
        machine: &mut Processor<W>,
        to: Address,
        bytes: &[Byte<W>],
    ) -> Result<(), String> {
        if !self.is_place(to) {
            return Err("an address depends on the number of blocks".into());
        }
        for (at, &byte) in (0..).map(|i| to.plus(i)).zip(bytes) {
            match at.region {
                Region::Stack => {
                    self.in_stack(machine, at)?;
                    machine.stack.set(at.offset, byte);
                }
                Region::Frame => {
                    self.in_stack(machine, at)?;
                    machine.frame.set(at.offset, byte);
                }
                Region::State(array) if array < WRITTEN && !self.is_read_only() => {
                    let place = self.state_index(at);
                    let cell = place.and_then(|place| machine.state.get_mut(place));
                    *cell.ok_or("it writes beyond the chaining values")? = byte;
                }
                Region::Rows => {
                    // Only the current block's.
                    let done = match self.blocks {
                        Blocks::Any { begun: true, .. } => self.row_len() as i32,
                        _ => 0,
                    };
                    let place = usize::try_from(at.offset).ok().filter(|_| at.done == done);
                    let cell = place.and_then(|place| machine.out.get_mut(place));
                    *cell.ok_or("it writes outside of the words of a block")? = byte;
                }
                Region::Out => {
                    let place = usize::try_from(at.offset).ok();
                    let cell = place.and_then(|place| machine.out.get_mut(place));
                    *cell.ok_or("it writes beyond the digests")? = byte;
                }
                _ => return Err("it writes outside of its arguments".into()),
            }
        }
        Ok(())
    }

    /// Makes the aligned stack pointer the origin of the frame; it was at `top` before.
    ///
    /// The unwritten bytes from `top` up become part of the frame. Stores to the frame may
    /// overwrite the stack below `top`, so its contents are unknown. Addresses in a previous frame
    /// become unknown, too.
    pub(super) fn align_frame(&self, machine: &mut Processor<W>, to: i64, top: i64) {
        let free = |at: &i64| machine.stack.written(*at).is_none();
        let room = (top..self.stack_top()).take_while(free).count() as i64;
        machine.aligned = Some((to, top + room));
        let stale = |byte: &mut Byte<W>| {
            if matches!(byte, Byte::Address(Address { region: Region::Frame, .. }, _)) {
                *byte = Byte::Unknown;
            }
        };
        machine.bytes_mut().for_each(stale);
        machine.stack.truncate(top);
        machine.frame = Downwards::new(room);
    }
}
