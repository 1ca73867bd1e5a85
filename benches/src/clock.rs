//! Time in core cycles, not in ticks of a constant clock.
//!
//! On every current x86-64 core, a dependent multiplication takes three cycles, so a
//! chain of them measures the length of a cycle. Run directly before and after the
//! timed code, it also follows changes of the core's frequency. A loop of independent
//! moves shows whether the cycle was measured correctly ([`lanesum_measure::Judge`]).
//!
//! The compiler would shorten a chain written in Rust, so both loops are
//! assembly, which uses only registers.
#![allow(unsafe_code)]

use std::time::Instant;

use lanesum_measure::{Core, Discarded, Judge, Probe};

/// Iterations of a loop in a piece of a probe. They take a few microseconds, because some
/// clocks tick every hundredth of one, and the loop's overhead is not exact to the tick.
const TURNS: u32 = 200;
/// Pieces of a probe, which uses the shortest one to exclude interruptions.
const PIECES: usize = 3;
/// Moves per iteration.
const UNROLLED: u32 = 100;
/// Chained instructions per iteration, and the cycles of each.
#[cfg(target_arch = "x86_64")]
const LINKS: u32 = 33;
#[cfg(target_arch = "x86_64")]
const CYCLES: f64 = 3.0;
#[cfg(not(target_arch = "x86_64"))]
const LINKS: u32 = 100;
#[cfg(not(target_arch = "x86_64"))]
const CYCLES: f64 = 1.0;

/// A point in time, in ticks of a clock that is constant but unspecified.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn ticks() -> u64 {
    use std::arch::x86_64::{_mm_lfence, _rdtsc};
    // SAFETY: every x86-64 CPU has these instructions, and they touch no memory.
    // The fences prevent the timed code from moving past the reading.
    unsafe {
        _mm_lfence();
        let ticks = _rdtsc();
        _mm_lfence();
        ticks
    }
}

/// A point in time, in ticks of a clock that is constant but unspecified.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn ticks() -> u64 {
    use std::sync::LazyLock;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_nanos() as u64
}

/// `turns` times `LINKS` dependent multiplications; additions on other machines, where the latency
/// of multiplications varies.
///
/// Not additions on x86-64: another thread on the same core occupies units, and delays a chain
/// that has an instruction in every cycle. On Zen 5 a chain of additions becomes 2 % longer or
/// more, a chain of multiplications 0.3 %.
#[inline(never)]
fn chain(turns: u32) {
    // SAFETY: the assembly uses the registers that it declares, and no memory.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        std::arch::asm!(
            "2:",
            ".rept 33",
            "imul {x}, {y}",
            ".endr",
            "dec {n:e}",
            "jnz 2b",
            x = inout(reg) 1u64 => _,
            y = in(reg) 3u64,
            n = inout(reg) turns => _,
            options(nomem, nostack),
        );
    }
    // SAFETY: the assembly uses the registers that it declares, and no memory.
    #[cfg(target_arch = "aarch64")]
    unsafe {
        std::arch::asm!(
            "2:",
            ".rept 100",
            "add {x}, {x}, {y}",
            ".endr",
            "subs {n:w}, {n:w}, #1",
            "b.ne 2b",
            x = inout(reg) 1u64 => _,
            y = in(reg) 3u64,
            n = inout(reg) turns => _,
            options(nomem, nostack),
        );
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    {
        let mut x = 1u64;
        for _ in 0..turns * LINKS {
            x = std::hint::black_box(x.wrapping_add(3));
        }
    }
}

/// `turns` times `UNROLLED` independent moves, which only the dispatch width limits.
#[inline(never)]
fn independent_moves(turns: u32) {
    // SAFETY: the assembly uses the registers that it declares, and no memory.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        std::arch::asm!(
            "2:",
            ".rept 25",
            "mov {x}, {y}",
            "mov {z}, {y}",
            "mov {u}, {y}",
            "mov {v}, {y}",
            ".endr",
            "dec {n:e}",
            "jnz 2b",
            x = out(reg) _, z = out(reg) _, u = out(reg) _, v = out(reg) _,
            y = in(reg) 3u64,
            n = inout(reg) turns => _,
            options(nomem, nostack),
        );
    }
    #[cfg(not(target_arch = "x86_64"))]
    chain(turns);
}

fn raw(work: impl FnOnce()) -> f64 {
    let from = ticks();
    work();
    (ticks() - from) as f64
}

/// The undisturbed time of some work in ticks: the mean of the faster half of many timings,
/// which is finer than the steps of some clocks.
fn usual(work: impl Fn()) -> f64 {
    let mut samples: Vec<f64> = (0..1000).map(|_| raw(&work)).collect();
    samples.sort_by(f64::total_cmp);
    samples.truncate(500);
    samples.iter().sum::<f64>() / samples.len() as f64
}

/// A clock with a known overhead.
pub(crate) struct Clock {
    /// Ticks per nanosecond.
    ticks: f64,
    /// Ticks between two consecutive readings.
    reading: f64,
    /// The overhead of the two loops in ticks: the readings, and the mispredicted last
    /// iteration.
    loops: [f64; 2],
}

/// Ticks, and the probes of the core before and after.
#[derive(Clone, Copy)]
pub(crate) struct Timing {
    ticks: f64,
    before: Probe,
    after: Probe,
}

impl Clock {
    pub(crate) fn new() -> Self {
        let (start, from) = (Instant::now(), ticks());
        while start.elapsed().as_millis() < 50 {}
        let ticks = (ticks() - from) as f64 / start.elapsed().as_nanos() as f64;
        // The part that does not double from half the iterations to all is not part of the chain.
        let beside = |work: fn(u32)| {
            let half = usual(|| work(TURNS / 2));
            (2.0 * half - usual(|| work(TURNS))).max(0.0)
        };
        Self { ticks, reading: usual(|| {}), loops: [beside(chain), beside(independent_moves)] }
    }

    /// Probes the core. The width is one on machines other than x86-64.
    pub(crate) fn probe(&self) -> Probe {
        let (links, moves) = (f64::from(TURNS * LINKS), f64::from(TURNS * UNROLLED));
        let least = (0..PIECES).map(|_| raw(|| chain(TURNS))).fold(f64::MAX, f64::min);
        let cycle = (least - self.loops[0]) / (links * CYCLES);
        let a_move = (raw(|| independent_moves(TURNS)) - self.loops[1]) / moves;
        Probe { ghz: self.ticks / cycle, width: cycle / a_move }
    }

    /// The time of some work, between two probes.
    pub(crate) fn time(&self, work: impl FnOnce()) -> Timing {
        let before = self.probe();
        let ticks = raw(work) - self.reading;
        Timing { ticks, before, after: self.probe() }
    }
}

impl Timing {
    /// The time in core cycles.
    pub(crate) fn cycles(&self, clock: &Clock) -> f64 {
        self.ticks / clock.ticks * f64::midpoint(self.before.ghz, self.after.ghz)
    }

    /// The time in nanoseconds.
    pub(crate) fn nanoseconds(&self, clock: &Clock) -> f64 {
        self.ticks / clock.ticks
    }

    /// Instructions per cycle of the core directly before.
    #[cfg(any(feature = "installed", target_arch = "x86_64"))]
    pub(crate) fn width(&self) -> f64 {
        self.before.width
    }

    pub(crate) fn probes(&self) -> [Probe; 2] {
        [self.before, self.after]
    }
}

/// The ninth decile.
#[cfg(any(feature = "installed", target_arch = "x86_64"))]
pub(crate) fn top_tenth(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples.get(samples.len().saturating_sub(1 + samples.len() / 10)).copied().unwrap_or(0.0)
}

/// Removes implausible samples from all series of a run, and reports the number of discarded ones.
pub(crate) fn sift<'a>(
    core: &Core,
    all: impl IntoIterator<Item = &'a mut Vec<Timing>>,
) -> Discarded {
    let mut all: Vec<_> = all.into_iter().collect();
    let probes: Vec<Probe> =
        all.iter().flat_map(|timings| timings.iter()).flat_map(Timing::probes).collect();
    let judge = Judge::new(core, &probes);
    let mut discarded = Discarded::default();
    for timings in &mut all {
        timings.retain(|timing| judge.accepts(timing.before, timing.after, &mut discarded));
    }
    discarded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_keeps_what_the_core_can_have_made() {
        let probe = |ghz, width| Probe { ghz, width };
        let timing = |before, after| Timing { ticks: 1000.0, before, after };
        let good = timing(probe(3.9, 5.6), probe(3.89, 5.7));
        // Both chains were interrupted: the measured cycle is twice too long, and the kernel seems
        // to take half its cycles.
        let halved = timing(probe(1.95, 11.2), probe(1.95, 11.2));
        let wide = timing(probe(3.9, 13.0), probe(3.9, 5.6));
        let mut series = [vec![good; 20], vec![good, halved, wide, good]];
        let core = Core { width: Some(6.0), ..Core::default() };
        let discarded = sift(&core, &mut series);
        assert_eq!((series[0].len(), series[1].len()), (20, 2));
        assert_eq!((discarded.samples, discarded.clock, discarded.width), (24, 1, 1));
    }
}
