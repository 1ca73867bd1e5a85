//! One run of one program: its time, its memory, and interference.

use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result};
use wait4::Wait4;

use crate::probe;

/// The resources used by a run.
pub(crate) struct Run {
    /// Seconds from the start to the end.
    pub(crate) wall: f64,
    /// Seconds of CPU time in user mode, of the program and its children.
    pub(crate) user: f64,
    /// Seconds of CPU time in the kernel, of the program and its children.
    pub(crate) system: f64,
    /// The largest resident memory of any of its processes, in bytes.
    pub(crate) memory: u64,
    /// Seconds of CPU time of everything else on the machine, to 0.01 s.
    pub(crate) others: f64,
    /// Bytes read from disks by all processes.
    pub(crate) disk_read: u64,
    /// The reason to discard the run, or `None`.
    pub(crate) failure: Option<String>,
}

impl Run {
    /// Seconds of CPU time.
    pub(crate) fn cpu(&self) -> f64 {
        self.user + self.system
    }

    /// Whether other processes used less than 0.15 of a CPU during the run.
    pub(crate) fn is_quiet(&self) -> bool {
        self.others < 0.15 * self.wall + 0.01 // the clock of others ticks in 0.01 s
    }
}

/// Runs a program to its end and discards its output.
///
/// `Command` starts it with `posix_spawn`, without copying this process.
pub(crate) fn run(command: &mut Command) -> Result<Run> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let before = probe::totals()?;
    let start = Instant::now();
    let mut child =
        command.spawn().with_context(|| format!("cannot run {:?}", command.get_program()))?;
    let used = child.wait4().context("cannot wait for a peer")?;
    let wall = start.elapsed().as_secs_f64();
    let after = probe::totals()?;

    let (user, system) = (used.rusage.utime.as_secs_f64(), used.rusage.stime.as_secs_f64());
    Ok(Run {
        wall,
        user,
        system,
        memory: used.rusage.maxrss,
        others: (after.cpu - before.cpu - user - system).max(0.0),
        disk_read: after.disk_read - before.disk_read,
        failure: (!used.status.success()).then(|| used.status.to_string()),
    })
}
