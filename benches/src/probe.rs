//! How quiet the machine is: noise of a fixed piece of work, and what other
//! processes use.

use std::fs;

use anyhow::{Context, Result};

use crate::clock;
use crate::statistics::{median, minimum};

/// The noise of the machine, over about a fifth of a second.
pub(crate) struct Noise {
    /// Median over minimum of the time of a fixed piece of work: 1 when quiet.
    pub(crate) median: f64,
    /// Maximum over minimum.
    pub(crate) maximum: f64,
    /// The frequency of the core, in GHz: highest and median.
    pub(crate) ghz: (f64, f64),
    /// Moves dispatched in a cycle: highest and median.
    pub(crate) dispatch: (f64, f64),
}

/// Measures the noise now.
pub(crate) fn noise() -> Noise {
    let overhead = clock::overhead();
    let second = clock::ticks_per_second();
    let (mut works, mut cycles, mut dispatches) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..200 {
        let from = clock::ticks();
        let mut sum = 0.0;
        for _ in 0..400 {
            sum += clock::cycle(overhead);
        }
        works.push((clock::ticks() - from) as f64);
        let cycle = sum / 400.0;
        cycles.push(cycle);
        dispatches.push(-cycle / clock::moves(overhead));
    }
    let least = minimum(&works).unwrap_or(1.0);
    let ghz = |cycle: Option<f64>| second / cycle.unwrap_or(1.0) / 1e9;
    Noise {
        median: median(&works).unwrap_or(1.0) / least,
        maximum: works.iter().copied().fold(0.0, f64::max) / least,
        ghz: (ghz(minimum(&cycles)), ghz(median(&cycles))),
        dispatch: (-minimum(&dispatches).unwrap_or(0.0), -median(&dispatches).unwrap_or(0.0)),
    }
}

/// What the whole machine has done since it started.
pub(crate) struct Totals {
    /// CPU time of all processes and of what the host took, in seconds.
    pub(crate) cpu: f64,
    /// Bytes read from disks.
    pub(crate) disk_read: u64,
}

/// Reads the totals of the machine.
pub(crate) fn totals() -> Result<Totals> {
    let stat = fs::read_to_string("/proc/stat").context("cannot read /proc/stat")?;
    let line = stat.lines().next().unwrap_or_default();
    let fields: Vec<u64> = line.split_whitespace().skip(1).map_while(|f| f.parse().ok()).collect();
    let [user, nice, system, _idle, _iowait, irq, softirq, steal, ..] = fields[..] else {
        anyhow::bail!("/proc/stat does not begin with a line of CPU times");
    };
    let ticks = user + nice + system + irq + softirq + steal;

    let vmstat = fs::read_to_string("/proc/vmstat").context("cannot read /proc/vmstat")?;
    let kib = vmstat.lines().find_map(|line| line.strip_prefix("pgpgin ")?.trim().parse().ok());
    Ok(Totals {
        cpu: ticks as f64 / 100.0, // USER_HZ is 100 on every Linux of today
        disk_read: kib.unwrap_or(0_u64) * 1024,
    })
}
