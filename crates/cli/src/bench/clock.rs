//! Counts core cycles by timing a chain of dependent instructions, which works on every CPU.

use std::hint::black_box;
use std::time::Instant;

use lanesum_measure::Probe;

/// Steps per timed chain: a few microseconds.
const ROUNDS: u32 = 5000;
/// Timed chains per probe. The shortest counts, which excludes interrupted ones.
const PIECES: usize = 3;
/// Interleaved independent chains. So few are still limited by latency, not by execution units.
pub(super) const CHAINS: usize = 3;

/// Cycles per step: three for the multiplication on current cores, one for the exclusive or.
#[cfg(target_arch = "x86_64")]
const CYCLES: f64 = 4.0;
/// Cycles per step: three shifts and three exclusive ors.
#[cfg(not(target_arch = "x86_64"))]
const CYCLES: f64 = 6.0;

/// Computes a step of a chain. The compiler cannot shorten the chain because `by` is opaque to it.
///
/// A multiplication dominates the step because its latency spans several cycles. A chain that
/// issues an instruction in every cycle would be slowed by a sibling thread that competes for
/// execution units.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn step(x: u64, by: u64) -> u64 {
    x.wrapping_mul(by) ^ by
}

/// Computes a step of xorshift (Marsaglia 2003), for architectures whose multiplication latency
/// varies.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn step(mut x: u64, _: u64) -> u64 {
    x ^= x << 13;
    x ^= x >> 7;
    x ^ x << 17
}

/// Measures the time of `N` interleaved chains, in nanoseconds.
fn chains<const N: usize>() -> f64 {
    let mut x = black_box([1, 2, 3, 4, 5, 6, 7, 8].first_chunk::<N>().copied().unwrap_or([1; N]));
    let by = black_box(0x2545_f491_4f6c_dd1d);
    let start = Instant::now();
    for _ in 0..ROUNDS {
        x = x.map(|x| step(x, by));
    }
    black_box(x);
    start.elapsed().as_nanos().max(1) as f64
}

/// Measures the state of the core. The width is how many interleaved chains run in the time of one:
/// fewer than `CHAINS` if another thread shares the core, more if the single chain was interrupted.
pub(super) fn probe() -> Probe {
    let one = (0..PIECES).map(|_| chains::<1>()).fold(f64::MAX, f64::min);
    Probe { ghz: f64::from(ROUNDS) * CYCLES / one, width: CHAINS as f64 * one / chains::<CHAINS>() }
}

/// Returns the time of the interleaved chains relative to a single chain: 1 on an idle core.
pub(super) fn crowding(probe: Probe) -> f64 {
    CHAINS as f64 / probe.width
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_of_steps_visits_other_numbers_and_takes_time() {
        let mut x = 1;
        let seen: std::collections::BTreeSet<u64> = (0..1000)
            .map(|_| {
                x = step(x, 0x2545_f491_4f6c_dd1d);
                x
            })
            .collect();
        assert_eq!(seen.len(), 1000, "a step that repeats itself could be left out");
        let probe = probe();
        // Plausible clock rates: 10 MHz to 100 GHz.
        assert!((0.01..100.0).contains(&probe.ghz), "{} GHz", probe.ghz);
        assert!(crowding(probe) > 0.0);
    }
}
