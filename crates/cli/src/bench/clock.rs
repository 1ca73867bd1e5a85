//! Time in cycles of the core, without instructions that only some CPUs have.

use std::hint::black_box;
use std::time::Instant;

/// Rounds of a chain in a probe: about ten microseconds.
const ROUNDS: u32 = 8000;
/// Three shifts and three exclusive ors, each waiting for the one before: one cycle
/// each on the cores of today.
const CYCLES: f64 = 6.0;
/// So many chains side by side still wait for nothing but themselves.
const CHAINS: usize = 3;

/// What the core was like at a moment.
#[derive(Clone, Copy)]
pub(super) struct Probe {
    /// The length of a cycle, in nanoseconds.
    pub(super) cycle: f64,
    /// How much longer independent chains take side by side than one alone: about 1,
    /// or more where another thread of the same core takes its share.
    pub(super) crowding: f64,
}

/// A step of xorshift (Marsaglia 2003), which no compiler can shorten.
#[inline(always)]
fn step(mut x: u64) -> u64 {
    x ^= x << 13;
    x ^= x >> 7;
    x ^ x << 17
}

/// The time of `N` chains side by side, in nanoseconds.
fn chains<const N: usize>() -> f64 {
    let mut x = black_box([1, 2, 3, 4, 5, 6, 7, 8].first_chunk::<N>().copied().unwrap_or([1; N]));
    let start = Instant::now();
    for _ in 0..ROUNDS {
        x = x.map(step);
    }
    black_box(x);
    start.elapsed().as_nanos() as f64
}

impl Probe {
    /// The core as it is now.
    pub(super) fn now() -> Self {
        let one = chains::<1>();
        Self { cycle: one / (f64::from(ROUNDS) * CYCLES), crowding: chains::<CHAINS>() / one }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_of_steps_visits_other_numbers_and_takes_time() {
        let mut x = 1;
        let seen: std::collections::BTreeSet<u64> = (0..1000)
            .map(|_| {
                x = step(x);
                x
            })
            .collect();
        assert_eq!(seen.len(), 1000, "a step that repeats itself could be left out");
        let probe = Probe::now();
        // From 100 MHz to 100 GHz.
        assert!((0.01..10.0).contains(&probe.cycle), "{} ns a cycle", probe.cycle);
        assert!(probe.crowding > 0.0);
    }
}
