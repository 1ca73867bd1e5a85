//! Time in cycles of the core, not of a constant clock.
//!
//! A chain of dependent additions takes one cycle each on every core of
//! interest, so the time of such a chain tells the length of a cycle. Run
//! directly before and after what is measured, it also follows a core that
//! changes its frequency.
//!
//! The compiler would shorten a chain written in Rust, so both loops here are
//! assembly; it touches registers alone.
#![allow(unsafe_code)]

use std::time::Instant;

/// Additions in the chain: about a microsecond.
const CHAIN: u32 = 4000;
const UNROLLED: u32 = 100;

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

/// Ticks in a second.
pub(crate) fn ticks_per_second() -> f64 {
    let (start, from) = (Instant::now(), ticks());
    while start.elapsed().as_millis() < 50 {}
    (ticks() - from) as f64 / start.elapsed().as_secs_f64()
}

/// `CHAIN` dependent additions.
#[inline(never)]
fn chain() {
    // Register to register: some cores do an addition of a constant at rename, for nothing.
    // SAFETY: the assembly uses the registers that it declares, and no memory.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        std::arch::asm!(
            "2:",
            ".rept 100",
            "add {x}, {y}",
            ".endr",
            "dec {n:e}",
            "jnz 2b",
            x = inout(reg) 1u64 => _,
            y = in(reg) 3u64,
            n = inout(reg) CHAIN / UNROLLED => _,
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
            n = inout(reg) CHAIN / UNROLLED => _,
            options(nomem, nostack),
        );
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    {
        let mut x = 1u64;
        for _ in 0..CHAIN {
            x = std::hint::black_box(x.wrapping_add(3));
        }
    }
}

/// As many independent moves: nothing but the width of dispatch bounds them.
#[inline(never)]
fn independent_moves() {
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
            n = inout(reg) CHAIN / UNROLLED => _,
            options(nomem, nostack),
        );
    }
    #[cfg(not(target_arch = "x86_64"))]
    chain();
}

fn ticks_of(work: impl Fn()) -> f64 {
    let from = ticks();
    work();
    (ticks() - from) as f64
}

/// What lies between two readings of the clock, in ticks.
pub(crate) fn overhead() -> f64 {
    (0..1000).map(|_| ticks_of(|| {})).fold(f64::MAX, f64::min)
}

/// The length of a cycle just now, in ticks. `overhead` is that of the clock.
pub(crate) fn cycle(overhead: f64) -> f64 {
    (ticks_of(chain) - overhead) / f64::from(CHAIN)
}

/// The time of a move just now, in ticks, when nothing but dispatch bounds it.
/// Twice what it was is a sibling thread at work on the same core. On other
/// machines than x86-64 it is a cycle.
pub(crate) fn moves(overhead: f64) -> f64 {
    (ticks_of(independent_moves) - overhead) / f64::from(CHAIN)
}
