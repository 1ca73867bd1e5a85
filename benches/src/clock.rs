//! Time in cycles of the core, not of a constant clock.
//!
//! A chain of dependent multiplications takes three cycles each on every x86-64 core
//! of today, so the time of such a chain tells the length of a cycle. Run
//! directly before and after what is measured, it also follows a core that
//! changes its frequency, and with as many independent moves beside it shows
//! whether it was read right ([`lanesum_measure::Judge`]).
//!
//! The compiler would shorten a chain written in Rust, so both loops here are
//! assembly; it touches registers alone.
#![allow(unsafe_code)]

use std::time::Instant;

use lanesum_measure::{Core, Judge, Probe, Thrown};

/// Turns of a loop in a piece of a probe: some microseconds, as some clocks tick in
/// hundredths of one, and the loop's own cost is not known to the last tick.
const TURNS: u32 = 200;
/// A probe has so many pieces and takes the shortest: what interrupts one does not count.
const PIECES: usize = 3;
/// Moves of a turn.
const UNROLLED: u32 = 100;
/// Instructions of a chain in a turn, and the cycles that each takes.
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
    // The fences keep what is measured from moving past the reading.
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

/// `turns` times `LINKS` dependent multiplications; on other machines additions, as their
/// multiplications do not all take the same.
///
/// Not additions on x86-64: a thread at work beside this one on the same core takes units
/// in which one could have begun, and a chain that has an instruction in every cycle gets
/// longer by each: on Zen 5 by 2 % and more, one of multiplications by 0.3 %.
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
    // SAFETY: as above.
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

/// `turns` times `UNROLLED` independent moves: nothing but the width of dispatch bounds them.
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

/// What some work takes where nothing disturbs it, in ticks: the mean of the faster half of
/// many, finer than the steps by which some clocks go on.
fn usual(work: impl Fn()) -> f64 {
    let mut samples: Vec<f64> = (0..1000).map(|_| raw(&work)).collect();
    samples.sort_by(f64::total_cmp);
    samples.truncate(500);
    samples.iter().sum::<f64>() / samples.len() as f64
}

/// A clock whose own cost is known.
pub(crate) struct Clock {
    /// Ticks in a nanosecond.
    ticks: f64,
    /// What lies between two readings, in ticks.
    reading: f64,
    /// What the two loops take beside their instructions, in ticks: the readings, and the
    /// turn at which a loop ends.
    loops: [f64; 2],
}

/// Ticks, and the core before and after.
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
        // Of half as many turns and of all what does not double is no part of the chain.
        let beside = |work: fn(u32)| {
            let half = usual(|| work(TURNS / 2));
            (2.0 * half - usual(|| work(TURNS))).max(0.0)
        };
        Self { ticks, reading: usual(|| {}), loops: [beside(chain), beside(independent_moves)] }
    }

    /// The core as it is now. The width is one on machines that are not x86-64.
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
    /// In cycles of the core.
    pub(crate) fn cycles(&self, clock: &Clock) -> f64 {
        self.ticks / clock.ticks * f64::midpoint(self.before.ghz, self.after.ghz)
    }

    /// In nanoseconds.
    pub(crate) fn nanoseconds(&self, clock: &Clock) -> f64 {
        self.ticks / clock.ticks
    }

    /// Instructions that the core did in a cycle directly before.
    #[cfg(feature = "installed")]
    pub(crate) fn width(&self) -> f64 {
        self.before.width
    }

    pub(crate) fn probes(&self) -> [Probe; 2] {
        [self.before, self.after]
    }
}

/// Leaves of all series of a run what its core can have made, and says what was thrown away.
pub(crate) fn sift<'a>(core: &Core, all: impl IntoIterator<Item = &'a mut Vec<Timing>>) -> Thrown {
    let mut all: Vec<_> = all.into_iter().collect();
    let probes: Vec<Probe> =
        all.iter().flat_map(|timings| timings.iter()).flat_map(Timing::probes).collect();
    let judge = Judge::new(core, &probes);
    let mut thrown = Thrown::default();
    for timings in &mut all {
        timings.retain(|timing| judge.accepts(timing.before, timing.after, &mut thrown));
    }
    thrown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_keeps_what_the_core_can_have_made() {
        let probe = |ghz, width| Probe { ghz, width };
        let timing = |before, after| Timing { ticks: 1000.0, before, after };
        let good = timing(probe(3.9, 5.6), probe(3.89, 5.7));
        // Both chains interrupted: the cycle is read twice too long, and the kernel seems
        // to take half of its cycles.
        let halved = timing(probe(1.95, 11.2), probe(1.95, 11.2));
        let wide = timing(probe(3.9, 13.0), probe(3.9, 5.6));
        let mut series = [vec![good; 20], vec![good, halved, wide, good]];
        let core = Core { width: Some(6.0), ..Core::default() };
        let thrown = sift(&core, &mut series);
        assert_eq!((series[0].len(), series[1].len()), (20, 2));
        assert_eq!((thrown.samples, thrown.clock, thrown.width), (24, 1, 1));
    }
}
