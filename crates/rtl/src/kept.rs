//! SHA-1 with the word after the newest stored in carry-save form.
//!
//! A rotation splits: ROTL^5(x) = 32x + (x >> 27) modulo 2^32. So A\[t+1\] = 32 A\[t\] + F + E + K +
//! W + (A\[t\] >> 27), and only five bits of it wait for the carry-propagate addition of A\[t\].
//! All other terms are available one round earlier, as the pair of words that this addition reads:
//! if A\[t\] = S + C, then 32 A\[t\] = 32S + 32C, independent of the carries of S + C. One
//! carry-save row adds E + K + W to 32S and 32C, and a second row adds F. The second row adds its
//! five lowest bits completely, so that these bits of its carry word are zero: they are replaced by
//! the five late bits, and A\[t+1\] is a sum of only two words.
//!
//! The critical loop from word to word is one addition, A. With complete rotated sums, the
//! iteration bound is A + F/2 (Lee, Chan and Verbauwhede). F, rows and addition of a word are
//! spread over two rounds.

use crate::Arrival;
use crate::datapath::{Key, Source, Stage, Wanted};
use crate::netlist::{Gate, LATE, Signal};
use crate::options::Chaining;

impl Stage<'_, '_> {
    /// A\[t + offset\], from its pair and the late bits of the previous word.
    pub(super) fn resolved(&mut self, offset: isize) -> Wanted<Signal> {
        self.resolved_and(offset, None)
    }

    /// A\[t + offset\] plus `more`.
    pub(super) fn resolved_and(&mut self, offset: isize, more: Option<Signal>) -> Wanted<Signal> {
        // A row adds `more` to a pair from registers; otherwise it is added while the pair is
        // computed.
        let (inside, row) = if offset == 1 { (None, more) } else { (more, None) };
        let Some([save, carry]) = self.joined(offset, inside)? else { return Ok(None) };
        if let Some(more) = row {
            let name = format!("{}a_next{offset}", self.prefix);
            return Ok(Some(self.add_up(vec![save, carry, more], &name)));
        }
        Ok(Some(self.make(Gate::Add(save, carry), self.frame.technology.addition())))
    }

    /// Two words whose sum is A\[t + offset\].
    fn joined(&mut self, offset: isize, more: Option<Signal>) -> Wanted<[Signal; 2]> {
        let Some([save, carry]) = self.pair_and(offset, more)? else { return Ok(None) };
        let Some(before) = self.word(0, offset - 1)? else { return Ok(None) };
        let width = self.frame.recurrence.graph.width();
        let late = self.make(Gate::Shr(before, width - LATE), Arrival::default());
        let joined = self.make(Gate::Join(carry, late), Arrival::default());
        self.netlist.name(joined, &format!("{}a_carry_t{offset}_late", self.prefix));
        Ok(Some([save, joined]))
    }

    /// Two words whose sum is A\[t + offset\] minus the late bits.
    pub(super) fn pair(&mut self, offset: isize) -> Wanted<[Signal; 2]> {
        self.pair_and(offset, None)
    }

    fn pair_and(&mut self, offset: isize, more: Option<Signal>) -> Wanted<[Signal; 2]> {
        if offset == 1 {
            return Ok(Some([self.q(Key::Pair(0)), self.q(Key::Pair(1))]));
        }
        if let Some(&done) = self.pairs.get(&(offset, more.is_some())) {
            return Ok(done);
        }
        // With chaining, the last word of a block includes the chaining value before it is shifted.
        let last = self.frame.options.chaining() == Chaining::Turn
            && offset == self.frame.options.unfold as isize + 1;
        let before = last.then(|| self.chaining(0));
        let made = match self.joined(offset - 1, before)? {
            None => None,
            Some([save, carry]) => {
                let shifted = [
                    self.make(Gate::Shl(save, None, LATE), Arrival::default()),
                    self.make(Gate::Shl(carry, Some(save), LATE), Arrival::default()),
                ];
                self.added(Source::Registers, offset, &shifted, more)?
            }
        };
        self.pairs.insert((offset, more.is_some()), made);
        Ok(made)
    }

    /// The pair loaded with a block. If the first cycle begins at round 0, it is the pair of
    /// A\[1\], computed from the chaining value's A\[0\]. If it begins earlier, it is the pair of a
    /// word of the chaining value itself, minus the late bits that will be added.
    pub(super) fn first_pair(&mut self) -> Wanted<[Signal; 2]> {
        let t = self.clocks[0];
        let width = self.frame.recurrence.graph.width();
        let Some(newest) = self.input_word(0, 0)? else { return Ok(None) };
        if t == 0 {
            let shifted = self.make(Gate::Shl(newest, None, LATE), Arrival::default());
            return self.added(Source::Input, 1, &[shifted], None);
        }
        let Some(before) = self.input_word(0, t)? else { return Ok(None) };
        let late = self.make(Gate::Shr(before, width - LATE), Arrival::default());
        let less = self.make(Gate::Sub(newest, late), self.frame.technology.addition());
        Ok(Some([less, self.netlist.word(0, width)]))
    }

    /// The pair of word `t + offset`: the shifted words plus E + K + W, `more`, and F.
    fn added(
        &mut self,
        from: Source,
        offset: isize,
        shifted: &[Signal],
        more: Option<Signal>,
    ) -> Wanted<[Signal; 2]> {
        let classes = &self.frame.classes[0];
        let function: Vec<usize> = (0..classes.len()).filter(|&p| classes[p].len() > 2).collect();
        let rest = |p: &usize| !function.contains(p) && classes[*p] != [(0, 1)];
        let rest: Vec<usize> = (0..classes.len()).filter(rest).collect();
        let Some(rest) = self.sum_and(from, 0, offset, &rest, more)? else { return Ok(None) };
        let Some(function) = self.sum(from, 0, offset, &function)? else { return Ok(None) };
        let technology = self.frame.technology;
        let row = technology.carry_save_row();
        let suffix = match from {
            Source::Input => "load".to_owned(),
            Source::Registers | Source::Handed => format!("t{offset}"),
        };
        let [of_save, of_carry] =
            ["save", "carry"].map(|word| format!("{}a_{word}_{suffix}", self.prefix));
        let (x, y) = match *shifted {
            [only] => (rest, only),
            [save, carry, ..] => {
                let (x, y, z) = (save, carry, rest);
                let (x, y) =
                    (self.make(Gate::Save(x, y, z), row), self.make(Gate::Carry(x, y, z), row));
                self.netlist.name(x, &format!("{of_save}_s1"));
                self.netlist.name(y, &format!("{of_carry}_c1"));
                (x, y)
            }
            [] => unreachable!("one or two shifted words"),
        };
        let low = technology.low_row();
        let made = [Gate::LowSave(x, y, function), Gate::LowCarry(x, y, function)];
        let pair = made.map(|gate| self.make(gate, low));
        self.netlist.name(pair[0], &of_save);
        self.netlist.name(pair[1], &of_carry);
        Ok(Some(pair))
    }
}
