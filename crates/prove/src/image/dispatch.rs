//! The engine's tables in a linked library or program, which map kernels to functions.
//!
//! An entry has a kernel's name, its properties and a list of its functions per family
//! (`engine/src/kernel/entry.rs` and `abi.rs`, with C layout). Entries are found by their pointer
//! to the name, so the file may be stripped.

use std::collections::{BTreeMap, BTreeSet};

use lanesum_spec::Family;

use super::Image;
use crate::address::Address;
use crate::fault::Fault;
use crate::kernel::{Shipped, Task};
use crate::value::Byte;

/// The array of pointers to all entries.
pub(super) const LIST: &str = "lanesum::kernel::table::KERNELS";

/// The number of cores with costs per kernel, the engine's `CORE_COUNT`: 32-bit numbers after its functions.
const CORES: usize = 4;

/// The maximum length of the list of kernels. A symbol may claim any length.
const MOST_KERNELS: u64 = 512;

/// A function in an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dispatched {
    /// The kernel and task. The function may be another kernel's, such as the loop that emitted
    /// kernels use.
    pub kernel: Shipped,
    /// The address of the function.
    pub address: u64,
}

/// The functions of an entry by family and task, and the check of the CPU.
type EntryFunctions = (Vec<(Family, Task, u64)>, u64);

/// The functions in a file's tables.
#[derive(Default)]
pub(super) struct Entries {
    /// The functions of all kernels and families.
    pub(super) functions: Vec<Dispatched>,
    /// The checks of the CPU.
    pub(super) checks: Vec<u64>,
}

/// The functions in a file's tables. `is_whole` is false for a single object, whose list of kernels refers to
/// entries in other objects.
///
/// # Errors
///
/// Returns an error if a kernel has two entries, or if the list of kernels of a whole file does not
/// consist of exactly the entries found.
pub(super) fn entries(image: &Image, is_whole: bool) -> Result<Entries, Fault> {
    let lanes: BTreeMap<&str, (&'static str, usize)> =
        image.shipped().map(|kernel| (kernel.name, (kernel.name, kernel.lanes))).collect();
    let mut all = Entries::default();
    let mut seen = BTreeMap::new();
    for at in image.places() {
        let reader = Reader { image, at };
        let Some(name) = reader.name() else { continue };
        let Some(&(name, lanes)) = lanes.get(&*name) else { continue };
        // Other tables start with a name too, such as that of costs.
        let Some((found, check)) = reader.entry(lanes) else { continue };
        if seen.insert(name, at).is_some() {
            return Err(Fault::whole(format!("duplicate entry for kernel {name}")));
        }
        all.functions.extend(found.into_iter().map(|(family, task, address)| Dispatched {
            kernel: Shipped { name, lanes, family, task },
            address,
        }));
        all.checks.push(check);
    }
    // The table that the engine reads, if a symbol identifies it.
    if let Some((at, len)) = image.object(LIST).filter(|_| is_whole) {
        let list = Reader { image, at };
        let count = Some(len / list.len()).filter(|&count| count <= MOST_KERNELS);
        let entries: Option<BTreeSet<u64>> =
            count.and_then(|count| (0..count).map(|i| list.address(at, i)).collect());
        if entries != Some(seen.into_values().collect()) {
            let what = "the table of kernels differs from the entries in the file";
            return Err(Fault::whole(what.into()));
        }
    }
    Ok(all)
}

/// A possible entry at address `at`.
struct Reader<'i> {
    image: &'i Image,
    at: u64,
}

impl Reader<'_> {
    fn len(&self) -> u64 {
        self.image.pointer().0 as u64
    }

    /// The address in a pointer-sized slot.
    fn address(&self, from: u64, slot: u64) -> Option<u64> {
        let at = from.checked_add(slot.checked_mul(self.len())?)?;
        match self.image.byte::<u64>(at)? {
            Byte::Address(Address { region, offset, .. }, 0) if region.is_image() => {
                Some(offset as u64)
            }
            // A program at a fixed address stores a number instead.
            Byte::Number(_) if self.image.is_fixed() => self.number(from, slot).filter(|&k| k != 0),
            _ => None,
        }
    }

    /// The number in a slot.
    fn number(&self, from: u64, slot: u64) -> Option<u64> {
        let at = from.checked_add(slot.checked_mul(self.len())?)?;
        let byte = |i: u64| match self.image.byte::<u64>(at.wrapping_add(i))? {
            Byte::Number(byte) => Some(u64::from(byte) << (8 * i)),
            _ => None,
        };
        (0..self.len()).map(byte).sum()
    }

    fn name(&self) -> Option<String> {
        let (from, len) = (self.address(self.at, 0)?, self.number(self.at, 1)?);
        let byte = |i| match self.image.byte::<u64>(from.wrapping_add(i))? {
            Byte::Number(byte) => Some(byte),
            _ => None,
        };
        let bytes: Option<Vec<u8>> = (len < 32).then(|| (0..len).map(byte).collect())?;
        String::from_utf8(bytes?).ok()
    }

    /// The functions of each family, and the function that checks the CPU, if this is an entry: a name, a
    /// tier, the number of lanes, the check, and the functions.
    fn entry(&self, lanes: usize) -> Option<EntryFunctions> {
        let supported = self.address(self.at, 4)?;
        if self.number(self.at, 3)? != lanes as u64 {
            return None;
        }
        let (jobs, count) = (self.address(self.at, 5)?, self.number(self.at, 6)?);
        let is_code = |at: u64| self.image.is_code(at).then_some(at);
        is_code(supported)?;
        if count > Family::ALL.len() as u64 {
            return None;
        }
        let len = self.len();
        // A family, the word width, five functions, three that detect collisions, and costs.
        let whole = (10 * len + 4 * CORES as u64).next_multiple_of(len);
        let mut all = Vec::new();
        for i in 0..count {
            let job = jobs + i * whole;
            let byte = |at: u64| match self.image.byte::<u64>(at)? {
                Byte::Number(byte) => Some(usize::from(byte)),
                _ => None,
            };
            let family = *Family::ALL.get(byte(job)?)?;
            // A C enumeration has four bytes.
            let mut width = 0;
            for i in (0..4).rev() {
                width = width << 8 | byte(job + len + i)?;
            }
            if width != usize::from(family.word_bits() == 64) {
                return None;
            }
            let tasks =
                [Task::Compress, Task::Finish, Task::Write, Task::Iterate, Task::DigestBlocks];
            for (slot, task) in (2..).zip(tasks) {
                match self.address(job, slot) {
                    Some(function) => all.push((family, task, is_code(function)?)),
                    None if matches!(task, Task::Write | Task::DigestBlocks)
                        && self.number(job, slot) == Some(0) => {}
                    None => return None,
                }
            }
            // The first two are in every kernel that detects collisions.
            let tasks = [Task::Screen, Task::Apart, Task::Traced];
            let found = [7, 8, 9].map(|slot| self.address(job, slot));
            let there = found.iter().position(Option::is_none).unwrap_or(found.len());
            // An address that the loader stores in another way is unknown, and may be any function's.
            let is_absent = |slot: u64| self.number(job, slot) == Some(0);
            if !matches!(there, 0 | 2 | 3) || !(7 + there as u64..=9).all(is_absent) {
                return None;
            }
            for (task, function) in tasks.into_iter().zip(found) {
                if let Some(function) = function {
                    all.push((family, task, is_code(function)?));
                }
            }
        }
        Some((all, supported))
    }
}
