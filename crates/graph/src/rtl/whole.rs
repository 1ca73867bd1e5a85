//! A fully stored message schedule: one register per W_t, instead of a sliding window of sixteen.
//!
//! From W_16 on, the register of W_t captures the logic that computes W_t in every cycle, so no
//! enable signal is needed: a block's words are valid one cycle before the rounds read them, and
//! stay valid. The words that a cycle reads are selected in the previous cycle.

use crate::rtl::Arrival;
use crate::rtl::datapath::{Key, Source, Stage, Unavailable, Wanted};
use crate::rtl::netlist::{Gate, Signal};

/// Words per block.
const BLOCK: isize = 16;

impl Stage<'_, '_> {
    /// The cycle of a block in which W_u is computed; its register holds W_u from the next cycle
    /// on.
    fn made_in(&self, u: isize) -> isize {
        (u - BLOCK).div_euclid(self.frame.unfold as isize)
    }

    /// W_u as seen in cycle `clock`: its register, or the logic that drives it if W_u is computed
    /// in that cycle.
    pub(super) fn kept_word(&mut self, u: isize, clock: isize) -> Wanted<Signal> {
        if u < 0 {
            return Ok(None);
        }
        if u < BLOCK || self.made_in(u) < clock {
            return Ok(Some(self.q(Key::Kept(u as usize))));
        }
        self.next_kept(u)
    }

    /// The next value of the register of W_u; equal to W_u once its operands are valid.
    pub(super) fn next_kept(&mut self, u: isize) -> Wanted<Signal> {
        if u < BLOCK {
            return Ok(Some(self.q(Key::Kept(u as usize))));
        }
        if let Some(&done) = self.kept.get(&u) {
            return Ok(Some(done));
        }
        let schedule = self.frame.recurrence.schedule();
        let parts = self.frame.parts[schedule].get((u - BLOCK) as usize);
        let parts = parts.ok_or(Unavailable)?.clone();
        let mut terms = Vec::with_capacity(parts.len());
        for part in parts {
            let from = Source::Kept(self.made_in(u));
            match self.part(from, &[(0, part)], schedule, &[(0, u)])? {
                Some(term) => terms.push(term),
                None => return Ok(None),
            }
        }
        let word = self.add_up(terms);
        self.netlist.name(word, &format!("w_{u}"));
        self.kept.insert(u, word);
        Ok(Some(word))
    }

    /// The word that the next cycle reads, `back` words before the newest one it can read.
    pub(super) fn chosen(&mut self, back: usize) -> Wanted<Signal> {
        let schedule = self.frame.recurrence.schedule();
        let (n, skew) = (self.frame.unfold as isize, self.frame.placement.skew[schedule]);
        let rounds = self.frame.recurrence.rounds as isize;
        let mut words: Vec<(Signal, usize)> = Vec::new();
        for (k, t) in self.clocks.clone().into_iter().enumerate() {
            let u = t + n - skew - back as isize;
            if !(0..rounds).contains(&u) {
                continue;
            }
            if u >= BLOCK && self.made_in(u) > k as isize {
                return Err(Unavailable);
            }
            let Some(word) = self.kept_word(u, k as isize)? else { return Ok(None) };
            words.push((word, k));
        }
        let mut terms = Vec::with_capacity(words.len());
        for &(word, k) in &words {
            let mut bits = vec![None; self.clocks.len()];
            words.iter().for_each(|&(_, other)| bits[other] = Some(u64::from(other == k)));
            let bit = self.bit("clock_is", &bits);
            terms.push(self.make(Gate::Mask(bit, word), Arrival::default()));
        }
        // A balanced OR tree, so that no word passes through more than a few gates.
        while terms.len() > 1 {
            let pairs = terms.chunks(2).map(|pair| match *pair {
                [x, y] => self.make(Gate::Or(x, y), Arrival::default()),
                _ => pair[0],
            });
            terms = pairs.collect();
        }
        Ok(terms.pop())
    }
}
