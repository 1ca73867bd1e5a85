//! Calls in which each lane's message has its own length: the known facts about lengths, and reads
//! at the end of a message.

use super::address::{Address, Region};
use super::call::Call;
use super::case::{Case, Lengths};
use super::domain::Domain;
use super::lengths::{Count, LengthOf};
use super::value::{Byte, Bytes, Content, Pointer, number};
use super::words::Words;

/// Bytes per row of a block; a block has one or two rows.
const ROW: i64 = 64;

/// The minimum number of blocks before the current one if that number is symbolic and a copy of the
/// message's end is padded.
pub(super) const BEGUN: i128 = 2;

/// An upper bound on a message's length. Objects are at least a page away from both ends of memory
/// and from its middle.
pub(super) fn most_bytes(pointer: Pointer) -> i128 {
    i128::from(pointer.most()) - 2 * pointer.page()
}

impl<W: Copy + PartialEq> Call<'_, W> {
    /// The current case.
    pub(super) fn case(&self) -> Option<&Case<W>> {
        match &self.lengths {
            Some(Lengths::Any(case)) => Some(case),
            _ => None,
        }
    }

    /// The number of whole blocks that every message has, which `compress` processes before the
    /// loop.
    pub(super) fn whole_blocks(&self) -> Count {
        let all = u32::MAX >> (32 - self.contract.lanes);
        let uniform = self.case().is_some_and(|case| case.uniform);
        Count::Whole(if uniform {
            LengthOf::Lane(self.lane as u8)
        } else {
            LengthOf::Shortest(all)
        })
    }

    /// The length of a lane's message.
    pub(super) fn length_of(&self, lane: usize) -> Option<Address> {
        match self.lengths.as_ref()? {
            Lengths::Are(all, _) => Some(Address::new(Region::Number, *all.get(lane)? as i64)),
            Lengths::Any(Case { len: Some(len), .. }) => Some(*len),
            Lengths::Any(case) => {
                let lane = if case.uniform { self.lane } else { lane };
                Some(Address::counted(1, Count::Length(LengthOf::Lane(lane as u8))))
            }
        }
    }

    /// The number of bytes already compressed.
    pub(super) fn before(&self) -> Address {
        match self.lengths {
            Some(Lengths::Are(_, before)) => Address::new(Region::Number, before as i64),
            _ => Address::counted(1, Count::Before),
        }
    }

    /// The upper half of the number of bytes already compressed.
    pub(super) fn before_high(&self) -> Address {
        match self.lengths {
            Some(Lengths::Are(_, before)) => Address::new(Region::Number, (before >> 32) as i64),
            _ => Address::counted(1, Count::BeforeHigh),
        }
    }

    /// The words of the expanded last block, if there is one.
    pub(super) fn expanded_words(&self) -> &[W] {
        self.case().map_or(self.padding_block, |case| &case.expanded)
    }

    /// The address of the expanded last block, or zero.
    pub(super) fn expanded(&self) -> Address {
        let is_there = !self.expanded_words().is_empty();
        Address::new(if is_there { Region::Expanded } else { Region::Number }, 0)
    }

    /// The message's remaining length after the first `offset` bytes of the current block.
    pub(super) fn left(&self, offset: i64) -> Address {
        let own = Address::counted(1, Count::Length(LengthOf::Lane(self.lane as u8)));
        Address { done: -self.bytes_per_done(), ..own.plus(-offset) }
    }

    /// The bytes of a message that each done block accounts for.
    fn bytes_per_done(&self) -> i32 {
        if self.contract.is_one_block() { 0 } else { self.block_len() as i32 }
    }

    /// Rewrites an address or number in terms of k if the message ends in the current block: the
    /// length is that of k blocks plus a known number of bytes.
    pub(super) fn at_hand(&self, x: Address) -> Address {
        let ends_at = self.case().and_then(|case| case.ends_at);
        let own = Count::Length(LengthOf::Lane(self.lane as u8));
        let Some(left) = ends_at.filter(|_| x.total != 0 && x.of == own) else { return x };
        let blocks = x.total.checked_mul(self.bytes_per_done());
        let Some(done) = blocks.and_then(|blocks| x.done.checked_add(blocks)) else { return x };
        let at = x.plus(i64::from(x.total) * left);
        Address { done, total: 0, of: Count::Blocks, ..at }
    }

    /// The constant that equals a length's bytes in such a block.
    pub(super) fn number_at_hand<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        bytes: &[Byte<W>],
    ) -> Option<Bytes<W>> {
        self.case().and_then(|case| case.ends_at)?;
        let Content::Address(x) = words.value(bytes) else { return None };
        let x = self.at_hand(x);
        (x.region == Region::Number && x.is_fixed()).then(|| number(x.offset as u64, bytes.len()))
    }

    /// Bounds of a number in this case.
    pub(super) fn bounds_in(&self, case: &Case<W>, x: Address) -> [i128; 2] {
        let bare = |x: Address| Address { region: Region::Number, offset: 0, ..x };
        let moved = |[least, most]: [i128; 2], by: i128| [least + by, most + by];
        for &(a, b, range) in &case.facts {
            let Some(fact) = a.minus(b) else { continue };
            if bare(fact) == bare(x) {
                return moved(range, i128::from(x.offset) - i128::from(fact.offset));
            }
            if fact.times(-1, Region::Number).map(bare) == Some(bare(x)) {
                let range = [-range[1], -range[0]];
                return moved(range, i128::from(x.offset) + i128::from(fact.offset));
            }
        }
        let most_bytes = most_bytes(self.pointer());
        let blocks = most_bytes / i128::from(self.block_len()) + 1;
        let most = match x.of {
            Count::Blocks | Count::Whole(_) | Count::Last(_) => blocks,
            Count::Length(_) => most_bytes,
            // In 32-bit code halves have 32 bits and any value.
            Count::Before
            | Count::BeforeHigh
            | Count::Bytes(_)
            | Count::BytesHigh(_)
            | Count::High(_)
            | Count::Middle(_)
            | Count::Words(_)
            | Count::Slice(_)
            | Count::Suspects
            | Count::Difference(_) => u64::MAX.into(),
        };
        let begun = case.len.map_or(0, |_| BEGUN);
        let [done, total] =
            [(x.done, begun, blocks), (x.total, 0, most)].map(|(n, least, most)| {
                let ends = [least, most].map(|end| i128::from(n) * end);
                [ends[0].min(ends[1]), ends[0].max(ends[1])]
            });
        moved([done[0] + total[0], done[1] + total[1]], x.offset.into())
    }

    /// Bounds of the difference of two numbers of equal sign, if known.
    pub(super) fn difference(&self, x: Address, y: Address) -> Option<[i128; 2]> {
        let case = self.case()?;
        let is_number = |x: Address| x.region == Region::Number && self.is_exact(x);
        if !is_number(x) || !is_number(y) {
            return None;
        }
        let by = i128::from(x.offset) - i128::from(y.offset);
        if let Some(difference) = x.minus(y) {
            // The offset may have wrapped, but comparisons use the operands' exact values.
            let wrapped = by - i128::from(difference.offset);
            return Some(self.bounds(difference).map(|end| end + wrapped));
        }
        let bare = |x: Address| Address { offset: 0, ..x };
        case.facts.iter().find_map(|&(a, b, [least, most])| {
            let own = i128::from(a.offset) - i128::from(b.offset);
            if (bare(a), bare(b)) == (bare(x), bare(y)) {
                return Some([least + by - own, most + by - own]);
            }
            let turned = (bare(b), bare(a)) == (bare(x), bare(y));
            turned.then_some([by + own - most, by + own - least])
        })
    }

    /// The message byte at an address in the current block, unless a mask hides it.
    pub(super) fn byte_at_hand(&self, case: &Case<W>, at: Address) -> Option<Byte<W>> {
        if let Some(len) = case.len {
            let is = (at.done, at.total, at.stride) == (len.done, 0, 0);
            let is = is && (0..case.ends_at?).contains(&at.offset);
            return is.then(|| self.word_at(&case.data, at.offset));
        }
        let place = self.place_at_hand(at)?;
        let [least, _] = self.bounds_in(case, self.left(place + 1));
        (least >= 0).then(|| self.word_at(&case.data, place))
    }

    /// The offset into the current block of an address in its message.
    fn place_at_hand(&self, at: Address) -> Option<i64> {
        let is = (at.done, at.total, at.stride) == (self.bytes_per_done(), 0, 0);
        (is && (0..self.block_len()).contains(&at.offset)).then_some(at.offset)
    }

    /// The byte at offset `place` of a block with these words.
    fn word_at(&self, words: &[W], place: i64) -> Byte<W> {
        let (word, byte) =
            (place as usize / self.contract.word_len, place as usize % self.contract.word_len);
        let byte = if self.contract.big_endian { self.contract.word_len - 1 - byte } else { byte };
        Byte::Of(words[word], byte as u8)
    }

    /// The offset of the word that contains the byte at `place`.
    fn word_start(&self, place: i64) -> i128 {
        i128::from(place - place % self.contract.word_len as i64)
    }

    /// A masked load of `len` bytes at `from` in a message: the first `masked` bytes, followed by
    /// zeros.
    pub(super) fn beginning(
        &self,
        from: Address,
        masked: Address,
        len: usize,
    ) -> Result<Vec<Byte<W>>, String> {
        match from.region {
            Region::Message(lane) if usize::from(lane) == self.lane => {}
            // Other lanes' own proofs cover their reads.
            Region::Message(_) | Region::Elsewhere => return Ok(vec![Byte::Unknown; len]),
            _ => return Err("a masked load is not at the end of a message".into()),
        }
        let case = self.case().ok_or("a mask is unknown")?;
        let beyond = || "it reads beyond a message".to_owned();
        let place = self.place_at_hand(from).ok_or_else(beyond)?;
        let left = self.left(place);
        if masked != left || place + len as i64 > self.block_len() {
            return Err(beyond());
        }
        let [least, most] = self.bounds_in(case, left);
        if least < 0 || most > len as i128 {
            return Err(beyond());
        }
        let end = i128::from(place) + most;
        let byte = |place: i64| match self.word_start(place) < end {
            true => self.word_at(&case.data, place),
            false => Byte::Number(0),
        };
        Ok((place..place + len as i64).map(byte).collect())
    }

    /// A load of `len` bytes from the kernel's table, at a position that depends on the message's
    /// length in the current block. The entry is zero except for the end bit of the message.
    pub(super) fn end_of_message(
        &self,
        case: &Case<W>,
        from: Address,
        len: usize,
    ) -> Result<Vec<Byte<W>>, String> {
        let depends = || "an address depends on the length of a message".to_owned();
        // That lane's own proof covers the read.
        if from.lanes().count_ones() == 1 && from.lanes() != 1 << self.lane {
            return Ok(vec![Byte::Unknown; len]);
        }
        let left = self.left(0);
        // The address must be a constant minus the remaining length.
        let shape = Address { region: from.region, offset: from.offset, ..left };
        if shape.times(-1, from.region) != Some(Address { offset: -from.offset, ..from }) {
            return Err(depends());
        }
        let [least, most] = self.bounds_in(case, left);
        if least < 0 || most >= self.block_len().into() {
            return Err(depends());
        }
        let (least, most) = (least as i64, most as i64);
        let first = from.offset - most;
        let bytes: Option<Vec<u8>> = (first..from.offset - least + len as i64)
            .map(|at| match self.image.byte_of::<W>(from.region, at as u64) {
                Some(Byte::Number(byte)) => Some(byte),
                _ => None,
            })
            .collect();
        let bytes = bytes.ok_or("it reads memory that is not constant")?;
        let byte = |left: i64, i: usize| bytes[(most - left) as usize + i];
        let is_same = |i: usize| (least..=most).all(|left| byte(left, i) == byte(most, i));
        if (0..len).all(is_same) {
            return Ok((0..len).map(|i| Byte::Number(byte(most, i))).collect());
        }
        // The row of the block that this load covers.
        let is_end = |row: i64| {
            let wanted = |left: i64, i: usize| if row + i as i64 == left { 0x80 } else { 0 };
            (least..=most).all(|left| (0..len).all(|i| byte(left, i) == wanted(left, i)))
        };
        let row = [0, ROW].into_iter().find(|&row| is_end(row)).ok_or_else(depends)?;
        let (word_len, last) = (self.contract.word_len as i128, i128::from(most));
        let byte = |place: i64| {
            let start = self.word_start(place);
            let has_end = start + word_len > i128::from(least) && start <= last;
            if has_end { self.word_at(&case.end, place) } else { Byte::Number(0) }
        };
        Ok((row..row + len as i64).map(byte).collect())
    }
}
