//! How idle the machine is: the noise of a fixed piece of work, and the CPU time of
//! other processes.

use std::fs;

use anyhow::{Context, Result};
use lanesum_measure::{Core, Discarded, Spread};

use crate::clock::{self, Clock};

/// The noise of the machine, over about a fifth of a second.
pub(crate) struct Noise {
    /// The time of a fixed piece of work.
    pub(crate) work: Spread,
    /// The frequency of the core, in GHz.
    pub(crate) ghz: Spread,
    /// Moves dispatched per cycle.
    pub(crate) dispatch: Spread,
    /// Discarded pieces of work.
    pub(crate) discarded: Discarded,
}

/// Measures the current noise; `None` if every piece of work is discarded.
pub(crate) fn noise(core: &Core) -> Option<Noise> {
    let clock = Clock::new();
    let work = || {
        for _ in 0..40 {
            clock.probe();
        }
    };
    let mut timings: Vec<_> = (0..200).map(|_| clock.time(work)).collect();
    // Before discarding pieces, because the time that others used the core is also noise.
    let works: Vec<f64> = timings.iter().map(|timing| timing.nanoseconds(&clock)).collect();
    let discarded = clock::sift(core, [&mut timings]);
    let probes = || timings.iter().flat_map(clock::Timing::probes);
    Some(Noise {
        work: Spread::of(&works)?,
        ghz: Spread::of(&probes().map(|probe| probe.ghz).collect::<Vec<_>>())?,
        dispatch: Spread::of(&probes().map(|probe| probe.width).collect::<Vec<_>>())?,
        discarded,
    })
}

/// The machine's totals since boot.
pub(crate) struct Totals {
    /// CPU time of all processes, and time stolen by the host, in seconds.
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
