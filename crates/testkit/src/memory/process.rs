//! Reads the memory of another process: its writable mappings and its stack.

use std::fmt;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;

use super::secrets::{Secrets, WINDOW};

/// Size of a page of `/proc/PID/pagemap`, in bytes.
const PAGE: usize = 4096;

/// Distance from the end of a stack, in bytes, beyond which an address does not count as part of
/// it.
const STACK: u64 = 1 << 20;

/// The byte with which a program paints the stack below it before a step ([`leavings`]).
pub const PAINT: u8 = 0xa7;

/// A writable mapping of a process.
struct Mapping {
    start: u64,
    end: u64,
    name: String,
}

/// Returns the system's flags for the mapping of `address`: `lo` for locked, `dd` for excluded from
/// core dumps (`VmFlags`, proc_pid_smaps(5)).
///
/// # Panics
///
/// If they cannot be read.
pub fn flags(process: u32, address: u64) -> Vec<String> {
    let text = fs::read_to_string(format!("/proc/{process}/smaps")).expect("a child's mappings");
    let mut is_here = false;
    for line in text.lines() {
        let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
        if first == "VmFlags:" && is_here {
            return rest.split_whitespace().map(str::to_owned).collect();
        }
        let range = first
            .split_once('-')
            .map(|(start, end)| (u64::from_str_radix(start, 16), u64::from_str_radix(end, 16)));
        if let Some((Ok(start), Ok(end))) = range {
            is_here = (start..end).contains(&address);
        }
    }
    Vec::new()
}

fn mappings(process: u32) -> io::Result<Vec<Mapping>> {
    let mut all = Vec::new();
    for line in fs::read_to_string(format!("/proc/{process}/maps"))?.lines() {
        let mut words = line.split_whitespace();
        let (Some(range), Some(rights)) = (words.next(), words.next()) else { continue };
        let Some((start, end)) = range.split_once('-') else { continue };
        if let (Ok(start), Ok(end)) = (u64::from_str_radix(start, 16), u64::from_str_radix(end, 16))
            && rights.starts_with("rw")
        {
            all.push(Mapping { start, end, name: words.nth(3).unwrap_or("no file").to_owned() });
        }
    }
    Ok(all)
}

/// A secret that was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The name of the secret.
    pub what: &'static str,
    /// The address of the secret.
    pub at: u64,
    /// The name of the mapping.
    pub mapping: String,
    /// The end of the program's stack before the step.
    pub stack: u64,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, at, mapping, stack } = self;
        write!(f, "{what} at {at:#x} in {mapping}")?;
        // A thread's stack has no name.
        match (stack.checked_sub(*at), stack.abs_diff(*at)) {
            (Some(below), ..STACK) => write!(f, ", {below} bytes below the caller"),
            (None, above @ ..STACK) => write!(f, ", {above} bytes above the end of the stack"),
            _ => Ok(()),
        }
    }
}

/// Finds all secrets in the writable memory of a process; its stack ends at `stack`.
///
/// # Panics
///
/// If the process's memory cannot be read.
pub fn search(process: u32, stack: u64, secrets: &Secrets) -> Vec<Found> {
    try_search(process, stack, secrets).unwrap_or_else(|error| panic!("process {process}: {error}"))
}

fn try_search(process: u32, stack: u64, secrets: &Secrets) -> io::Result<Vec<Found>> {
    let memory = File::open(format!("/proc/{process}/mem"))?;
    let pages = File::open(format!("/proc/{process}/pagemap"))?;
    let mut all: Vec<Found> = Vec::new();
    let mut bytes = Vec::new();
    for Mapping { start, end, name } in mappings(process)? {
        for run in present(&pages, start, end)? {
            bytes.resize((run.end - run.start) as usize, 0);
            memory.read_exact_at(&mut bytes, run.start)?;
            for at in 0..bytes.len().saturating_sub(WINDOW - 1) {
                let Some(what) = secrets.at(&bytes, at) else { continue };
                let place = run.start + at as u64;
                // Report overlapping matches once.
                if all.last().is_some_and(|last| last.what == what && place - last.at < 64) {
                    continue;
                }
                all.push(Found { what, at: place, mapping: name.clone(), stack });
            }
        }
    }
    Ok(all)
}

/// Returns runs of pages that are present; most of a stack's pages have never been touched.
fn present(pages: &File, start: u64, end: u64) -> io::Result<Vec<std::ops::Range<u64>>> {
    const THERE: u64 = 3 << 62; // in memory, or swapped out
    let count = (end - start) as usize / PAGE;
    let mut entries = vec![[0; 8]; count];
    pages.read_exact_at(entries.as_flattened_mut(), start / PAGE as u64 * 8)?;
    let mut runs: Vec<std::ops::Range<u64>> = Vec::new();
    for (i, entry) in entries.iter().enumerate() {
        if u64::from_ne_bytes(*entry) & THERE == 0 {
            continue;
        }
        let page = start + (i * PAGE) as u64;
        match runs.last_mut() {
            Some(last) if last.end == page => last.end += PAGE as u64,
            _ => runs.push(page..page + PAGE as u64),
        }
    }
    Ok(runs)
}

/// The bytes that a step left on a painted stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leavings {
    /// How far down it wrote, in bytes.
    pub depth: usize,
    /// Number of bytes that are neither paint nor overwritten with zeros.
    pub bytes: usize,
}

/// Counts the bytes that a step left in the `painted` bytes of the stack below `stack`, painted
/// with [`PAINT`]. The first `own` of them are the step's own frames.
///
/// # Panics
///
/// If the process's memory cannot be read.
pub fn leavings(process: u32, stack: u64, painted: usize, own: usize) -> Leavings {
    let memory = File::open(format!("/proc/{process}/mem")).expect("a child's memory");
    let mut bytes = vec![0; painted];
    memory.read_exact_at(&mut bytes, stack - painted as u64).expect("the stack of a child");
    let written = bytes.iter().position(|&byte| byte != PAINT);
    let left = bytes[..painted - own].iter().filter(|&&byte| byte != PAINT && byte != 0);
    Leavings { depth: written.map_or(0, |at| painted - at), bytes: left.count() }
}
