//! The message schedule kept whole: a register for each W_t, where the sliding window
//! has sixteen.
//!
//! W_16 and on stand behind their own logic, a clock after what they are made of, so that
//! nothing has to say when: a block's words are right a clock before the rounds want
//! them and stay so. What a clock reads is chosen among them in the clock before.

use crate::rtl::Arrival;
use crate::rtl::datapath::{Key, Source, Stage, Unavailable, Wanted};
use crate::rtl::netlist::{Gate, Signal};

/// The words of a block.
const BLOCK: isize = 16;

impl Stage<'_, '_> {
    /// The clock of a block after which W_u is made of the words before it.
    fn made_in(&self, u: isize) -> isize {
        (u - BLOCK).div_euclid(self.frame.unfold as isize)
    }

    /// W_u in the register that keeps it, or, for what is made in the same clock, before it.
    pub(super) fn kept_word(&mut self, u: isize, clock: isize) -> Wanted<Signal> {
        if u < 0 {
            return Ok(None);
        }
        if u < BLOCK || self.made_in(u) < clock {
            return Ok(Some(self.q(Key::Kept(u as usize))));
        }
        self.next_kept(u)
    }

    /// What the register of W_u takes, which is what it holds once W_u is known.
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

    /// The word `back` before the newest of those that the next clock has at hand.
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
        // By halves, so that no word goes through more than a few gates.
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
