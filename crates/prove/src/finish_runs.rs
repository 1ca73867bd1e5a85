//! Concrete executions of `finish`: they find counterexamples and the loop, but prove nothing.

use super::Binary;
use super::call::{Call, Stride};
use super::case::Lengths;
use super::domain::Numbers;
use super::fault::Fault;
use super::random;
use lanesum_graph::eval::eval;

impl Binary<'_> {
    /// Executes the function on concrete values. This finds counterexamples but proves nothing.
    pub(super) fn refute_finish(&self) -> Result<(), Fault> {
        let bits = self.kernel.family.word_bits();
        let (mut random, mut domain) = (random(bits), Numbers { bits });
        let [block, end] = self.block_len().map(|len| len as u64);
        let lanes = self.kernel.lanes;
        let same = [0, 1, block / 2, block - end - 1, block - end, block - 1];
        let mut runs: Vec<Vec<u64>> = same.iter().map(|&len| vec![len; lanes]).collect();
        for i in 6..12 {
            let some = |l: u64| (37 * l + 29 * i + 11 * l * l) % (3 * block);
            runs.push((0..lanes as u64).map(|l| if l == 0 { 9 } else { some(l) }).collect());
        }
        // Every order of the numbers of whole blocks. The kernel's `compress` processes those that
        // all lanes have.
        let whole = |order: &[usize]| {
            let len = |(lane, blocks): (usize, &usize)| block * *blocks as u64 + lane as u64;
            order.iter().enumerate().map(len).collect()
        };
        runs.extend(orders(lanes).iter().map(|order| whole(order)));
        if self.kernel.copies() {
            runs.extend(self.copied_lengths().map(|len| vec![len]));
        }
        for (i, lengths) in runs.into_iter().enumerate() {
            let (lane, before) = ((i * 5 + lanes - 1) % lanes, (i as u64 * block) << 40);
            let state: Vec<u64> = self.block.state.iter().map(|_| random()).collect();
            let len = lengths[lane];
            let words: Vec<u64> = (0..len.div_ceil(block / 16)).map(|_| random()).collect();
            let mut expected = state.clone();
            for block in self.padded(&words, len, before).chunks_exact(16) {
                let values = eval(&self.block.graph, &[&expected[..], block].concat());
                let outputs = self.block.spec.outputs.iter();
                expected = outputs.map(|id| values[id.index()]).collect();
            }
            for stride in self.some_strides() {
                let lengths = Lengths::Are(lengths.clone(), before);
                let call = self.finishing((stride, lane), &words, lengths);
                let mut machine = call.entry_state(self.entry, &state);
                call.run(&mut domain, &mut machine, None, |_, _| ())?;
                call.check_return(&mut domain, &machine, &expected)?;
            }
        }
        Ok(())
    }

    /// The words of a message of `len` bytes, padded (FIPS 180-4 §5.1, RFC 1321 §3.1).
    pub(super) fn padded(&self, words: &[u64], len: u64, before: u64) -> Vec<u64> {
        let word_len = self.kernel.family.word_bits() as usize / 8;
        let big_endian = self.contract.big_endian;
        let bytes = |word: u64| match big_endian {
            true => word.to_be_bytes()[8 - word_len..].to_vec(),
            false => word.to_le_bytes()[..word_len].to_vec(),
        };
        let mut all: Vec<u8> = words.iter().flat_map(|&word| bytes(word)).collect();
        all.truncate(len as usize);
        all.push(0x80);
        while all.len() % (16 * word_len) != 14 * word_len {
            all.push(0);
        }
        let length = u128::from(before + len) << 3;
        match big_endian {
            true => all.extend(&length.to_be_bytes()[16 - 2 * word_len..]),
            false => all.extend(&length.to_le_bytes()[..2 * word_len]),
        }
        let word = |bytes: &[u8]| {
            let append = |word: u64, byte: &u8| word << 8 | u64::from(*byte);
            if big_endian {
                bytes.iter().fold(0, append)
            } else {
                bytes.iter().rev().fold(0, append)
            }
        };
        all.chunks_exact(word_len).map(word).collect()
    }

    /// Executes the function on messages of up to `blocks` blocks, and calls `seen` with the
    /// address of each instruction.
    pub(super) fn trace_finish(
        &self,
        stride: Stride,
        blocks: u64,
        mut seen: impl FnMut(u64),
    ) -> Result<(), Fault> {
        let bits = self.kernel.family.word_bits();
        let message = self.some_message();
        let (call, state) = self.some_finish(stride, blocks, &message);
        let mut machine = call.entry_state(self.entry, &state);
        call.run(&mut Numbers { bits }, &mut machine, None, |at, _| seen(at)).map(|_| ())
    }

    /// Returns the least number of whole blocks that `compress` is called for, by concrete executions: the loop at
    /// `head` then processes the rest only, or the execution ends in the callee, which may align its stack again. The
    /// proof does not rely on it.
    pub(super) fn find_calls(&self, stride: Stride, head: u64) -> i128 {
        let bits = self.kernel.family.word_bits();
        let [block, _] = self.block_len();
        let state: Vec<u64> = self.block.state.iter().map(|_| 1).collect();
        for blocks in 1..=MOST_IN_LOOP {
            let len = block as u64 * blocks;
            let message = vec![0; 16 * blocks as usize];
            let lengths = Lengths::Are(vec![len; self.kernel.lanes], 0);
            let call = self.finishing((stride, 0), &message, lengths);
            let mut machine = call.entry_state(self.entry, &state);
            let mut times = 0;
            let seen = |at, _| times += u64::from(at == head);
            let run = call.run(&mut Numbers { bits }, &mut machine, None, seen);
            if run.is_err() || times <= blocks {
                return blocks.into();
            }
        }
        i128::MAX
    }

    /// Executes the function on messages of equal length, for each kind of end, and calls `seen`
    /// with the address of each instruction.
    pub(super) fn trace_ends(
        &self,
        stride: Stride,
        mut seen: impl FnMut(u64),
    ) -> Result<(), Fault> {
        let bits = self.kernel.family.word_bits();
        let (block, mut random, mut domain) =
            (self.block_len()[0] as u64, random(bits), Numbers { bits });
        let state: Vec<u64> = self.block.state.iter().map(|_| 1).collect();
        let mut all: Vec<u64> = self.ends().into_iter().flatten().map(|len| len as u64).collect();
        if self.kernel.copies() {
            all.extend(0..18);
            all.extend(self.copied_lengths());
        }
        for len in all {
            let message: Vec<u64> = (0..len.div_ceil(block / 16)).map(|_| random()).collect();
            let lengths = Lengths::Are(vec![len; self.kernel.lanes], 0);
            let call = self.finishing((stride, 0), &message, lengths);
            let mut machine = call.entry_state(self.entry, &state);
            call.run(&mut domain, &mut machine, None, |at, _| seen(at))?;
        }
        Ok(())
    }

    /// Lengths of a message whose copied end does or does not include a whole block.
    fn copied_lengths(&self) -> impl Iterator<Item = u64> + use<> {
        let [block, end] = self.block_len().map(|len| len as u64);
        let two = 2 * block;
        [block, two - end - 1, two - end, two - 1, two, two + 9, two + block - 1].into_iter()
    }

    /// The numbers of blocks in the concrete runs that find the loop. For one message, the loop
    /// does not include whole blocks.
    pub(super) fn some_blocks(&self) -> [u64; 2] {
        if self.kernel.lanes == 1 { [1, 2] } else { [3, 5] }
    }

    /// A call in which the first message is empty and the longest has `blocks` blocks. With one
    /// lane, its padding has `blocks` blocks.
    pub(super) fn some_finish<'c>(
        &'c self,
        stride: Stride,
        blocks: u64,
        message: &'c [u64],
    ) -> (Call<'c, u64>, Vec<u64>) {
        let block = self.block_len()[0] as u64;
        let last = (blocks - 1) * block;
        let mut lengths: Vec<u64> =
            (0..self.kernel.lanes as u64).map(|l| 7 * l % (last + 1)).collect();
        lengths[0] = 0;
        if self.kernel.lanes == 1 {
            lengths[0] = last.min(block - 1);
        } else {
            lengths[1] = last;
        }
        let mut random = random(self.kernel.family.word_bits());
        let state = self.block.state.iter().map(|_| random()).collect();
        (self.finishing((stride, 0), message, Lengths::Are(lengths, 0)), state)
    }

    /// The words of a block.
    pub(super) fn some_message(&self) -> Vec<u64> {
        let mut random = random(self.kernel.family.word_bits());
        (0..16).map(|_| random()).collect()
    }
}

/// The maximum number of whole blocks that the loop is expected to process if messages have more.
const MOST_IN_LOOP: u64 = 32;

/// All permutations of up to four numbers. For more lanes, orders in which each lane is once the
/// only shortest and once the only longest.
fn orders(count: usize) -> Vec<Vec<usize>> {
    const MOST: usize = 3;
    if count > 4 {
        let turned = |by: usize, falls: bool| {
            let rank = |i: usize| MOST.min((i + by) % count);
            (0..count).map(|i| if falls { MOST - rank(i) } else { rank(i) }).collect()
        };
        return (0..count).flat_map(|by| [turned(by, false), turned(by, true)]).collect();
    }
    let mut all = vec![Vec::new()];
    for next in 0..count {
        let placed = |order: &Vec<usize>| {
            let order = order.clone();
            (0..=order.len()).map(move |at| {
                let mut order = order.clone();
                order.insert(at, next);
                order
            })
        };
        all = all.iter().flat_map(placed).collect();
    }
    all
}
