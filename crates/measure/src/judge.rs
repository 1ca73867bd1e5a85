//! Finds samples that no core can have made.
//!
//! A sample is a time. It is converted to cycles by the clock period, measured with a chain of
//! dependent instructions directly before and after. If the chain is interrupted, or the core is
//! shared with another guest, the measured period is too long, and the kernel in between seems to
//! take fewer cycles than possible.

use std::fmt;

use crate::cores::Core;
use crate::statistics::{Spread, median};

/// The state of the core at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probe {
    /// The clock in GHz, measured with a chain of dependent instructions.
    pub ghz: f64,
    /// Independent instructions per cycle of that clock.
    pub width: f64,
}

/// Maximum relative difference of the clocks before and after a sample.
const STEADY: f64 = 0.02;
/// Maximum relative difference of a sample's clock from the usual one.
const USUAL: f64 = 0.12;
/// Tolerance of width measurements.
const WIDTH: f64 = 1.05;

/// The plausible range of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Judge {
    /// The maximum number of instructions per cycle.
    width: f64,
    /// The lowest and the highest clock, in GHz.
    ghz: [f64; 2],
}

/// Why a sample is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// A probe measured a clock that the core cannot have, or had at no other time.
    Clock,
    /// A probe measured more instructions per cycle than the core can dispatch.
    Width,
    /// The probes differ.
    Unsteady,
}

impl Judge {
    /// Creates the judge of a run on `core` from all its probes. Their median is the usual clock.
    /// The width of an unknown core is the upper quartile of the probes.
    pub fn new(core: &Core, probes: &[Probe]) -> Self {
        let widths: Vec<f64> = probes.iter().map(|probe| probe.width).collect();
        let clocks: Vec<f64> = probes.iter().map(|probe| probe.ghz).collect();
        let seen = Spread::of(&widths).map_or(f64::INFINITY, |spread| spread.upper);
        let usual = median(&clocks).unwrap_or(0.0);
        let [low, high] = core.ghz.unwrap_or([0.0, f64::INFINITY]);
        Self {
            width: WIDTH * core.width.unwrap_or(seen),
            ghz: [low.max((1.0 - USUAL) * usual), high.min((1.0 + USUAL) * usual)],
        }
    }

    fn fault(&self, before: Probe, after: Probe) -> Option<Fault> {
        let both = [before, after];
        let [low, high] = self.ghz;
        // NaN is in no range.
        if !both.iter().all(|probe| (low..=high).contains(&probe.ghz)) {
            Some(Fault::Clock)
        } else if !both.iter().all(|probe| (0.0..=self.width).contains(&probe.width)) {
            Some(Fault::Width)
        } else if (before.ghz - after.ghz).abs() > STEADY * before.ghz {
            Some(Fault::Unsteady)
        } else {
            None
        }
    }

    /// Whether a sample between two probes counts. Counts it in `discarded`, with the reason if it is
    /// rejected.
    pub fn accepts(&self, before: Probe, after: Probe, discarded: &mut Discarded) -> bool {
        let fault = self.fault(before, after);
        discarded.samples += 1;
        match fault {
            Some(Fault::Clock) => discarded.clock += 1,
            Some(Fault::Width) => discarded.width += 1,
            Some(Fault::Unsteady) => discarded.unsteady += 1,
            None => {}
        }
        fault.is_none()
    }
}

/// The number of samples, and of rejected ones by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Discarded {
    /// All samples, including rejected ones.
    pub samples: usize,
    /// Rejected because of an impossible clock.
    pub clock: usize,
    /// Rejected because of an impossible width.
    pub width: usize,
    /// Rejected because the probes differ.
    pub unsteady: usize,
}

impl Discarded {
    /// Returns the number of rejected samples.
    pub fn count(&self) -> usize {
        self.clock + self.width + self.unsteady
    }
}

impl fmt::Display for Discarded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of {} samples: {} with an impossible clock frequency, {} with an impossible number \
             of instructions per cycle, {} with differing probes",
            self.count(),
            self.samples,
            self.clock,
            self.width,
            self.unsteady
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn core() -> Core {
        Core { width: Some(6.0), ghz: Some([0.8, 4.2]), ..Core::default() }
    }

    fn quiet(core: &Core) -> Judge {
        Judge::new(core, &[Probe { ghz: 3.9, width: 5.6 }; 9])
    }

    fn verdict(judge: &Judge, before: [f64; 2], after: [f64; 2]) -> (bool, Discarded) {
        let mut discarded = Discarded::default();
        let [before, after] = [before, after].map(|[ghz, width]| Probe { ghz, width });
        (judge.accepts(before, after, &mut discarded), discarded)
    }

    #[test]
    fn a_sample_between_two_equal_probes_counts() {
        let (counts, discarded) = verdict(&quiet(&core()), [3.9, 5.7], [3.88, 3.1]);
        assert!(counts, "a sibling at work takes half of the width, and does not change cycles");
        assert_eq!((discarded.samples, discarded.count()), (1, 0));
    }

    #[test]
    fn a_sample_that_the_core_cannot_have_made_is_thrown_away() {
        let judge = quiet(&core());
        // The chain was interrupted: it takes twice as long, and so the measured width doubles.
        assert_eq!(verdict(&judge, [1.95, 11.2], [1.95, 11.2]).1.clock, 1);
        // The chain is as usual, but more moves per cycle than there are slots.
        assert_eq!(verdict(&judge, [3.9, 13.0], [3.9, 5.6]).1.width, 1);
        assert_eq!(verdict(&judge, [3.9, 5.6], [3.9, 13.0]).1.width, 1);
        assert_eq!(verdict(&judge, [3.9, 5.6], [3.7, 5.6]).1.unsteady, 1);
        // Above the core's maximum clock, though close to the usual one.
        assert_eq!(verdict(&judge, [4.3, 5.6], [4.3, 5.6]).1.clock, 1);
        assert_eq!(verdict(&judge, [f64::NAN, 5.6], [3.9, 5.6]).1.clock, 1);
        assert_eq!(verdict(&judge, [3.9, f64::INFINITY], [3.9, 5.6]).1.width, 1);
    }

    #[test]
    fn an_unknown_core_is_judged_by_what_it_usually_does() {
        let judge = quiet(&Core::default());
        assert!(verdict(&judge, [3.9, 5.6], [3.9, 5.7]).0);
        assert_eq!(verdict(&judge, [3.9, 11.2], [3.9, 5.6]).1.width, 1);
        assert_eq!(verdict(&judge, [1.95, 5.6], [1.95, 5.6]).1.clock, 1);
    }
}
