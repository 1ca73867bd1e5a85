//! Rows: the ways to run the algorithms on this CPU, listed and forced.

use core::ffi::{c_char, c_int};

use engine::{Algorithm, Backend, Policy};

use super::algorithm::{LANESUM_MAX_NAME_LEN, algorithm, lanesum_algorithm};
use crate::guard::{self, Failure};

/// A row of the table of what runs where.
///
/// Calls with a parameter `rows` take NULL, for the rows that are best here, or a
/// text that says which may run: a row ("sse2_x4": this one and no other), a tier
/// ("avx2": rows of this tier and of those below it) or a tier to leave out
/// ("-avx512"), several of them separated by commas. The environment variable
/// LANESUM_BACKEND says the same for calls with NULL. No digest depends on it. A
/// plan is made for the rows in every call, which takes some microseconds.
#[repr(C)]
pub struct lanesum_row {
    /// Its name: the instructions and the number of lanes.
    name: [c_char; LANESUM_MAX_NAME_LEN],
    /// The instructions that it is made of; empty if it cannot run here.
    tier: [c_char; LANESUM_MAX_NAME_LEN],
    /// How many messages it hashes at once; 0 if it cannot run here.
    lanes: u32,
    /// Whether it can run here: 0 or 1.
    runs: i32,
}

impl lanesum_row {
    fn new(row: Result<Backend, &str>) -> Self {
        fn text(text: &str) -> [c_char; LANESUM_MAX_NAME_LEN] {
            let mut bytes = [0; LANESUM_MAX_NAME_LEN];
            // A zero stays behind the longest.
            for (to, byte) in bytes[..LANESUM_MAX_NAME_LEN - 1].iter_mut().zip(text.bytes()) {
                *to = byte as c_char;
            }
            bytes
        }
        match row {
            Ok(row) => Self {
                name: text(row.name()),
                tier: text(row.tier().name()),
                lanes: row.lanes() as u32,
                runs: 1,
            },
            Err(name) => Self { name: text(name), tier: text(""), lanes: 0, runs: 0 },
        }
    }
}

/// The algorithm, if what the environment asks for can run it: for calls that go by that.
pub(super) fn obeyed(algorithm: Algorithm) -> Result<Algorithm, Failure> {
    Policy::check_env(algorithm).map_err(|_| Failure::Row)?;
    Ok(algorithm)
}

/// The policy that `rows` says; none for the automatic one.
///
/// # Safety
///
/// `rows` is null or a text that ends with a zero.
pub(super) unsafe fn policy(
    rows: *const c_char,
    algorithm: Algorithm,
) -> Result<Option<Policy>, Failure> {
    if rows.is_null() {
        return obeyed(algorithm).map(|_| None);
    }
    // SAFETY: the caller's promise.
    let policy = Policy::parse(unsafe { guard::text(rows, Failure::Row)? });
    let policy = policy.map_err(|_| Failure::Row)?;
    policy.check(algorithm).map_err(|_| Failure::Row)?;
    Ok(Some(policy))
}

/// How many rows there are, whether they can run here or not.
#[unsafe(no_mangle)]
pub extern "C" fn lanesum_row_count() -> usize {
    Backend::rows().count()
}

/// Writes row `index` to `*row`; the widest is row 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_row_at(index: usize, row: *mut lanesum_row) -> c_int {
    guard::call(|| {
        let found = Backend::rows().nth(index).ok_or(Failure::Row)?;
        // SAFETY: the caller's promise.
        unsafe { give(row, lanesum_row::new(found)) }
    })
}

/// Whether row `index` can run an algorithm here: 1 or 0, or a negative status if
/// there is no such row or algorithm.
#[unsafe(no_mangle)]
pub extern "C" fn lanesum_row_runs(index: usize, algorithm: lanesum_algorithm) -> c_int {
    let runs = || {
        let algorithm = self::algorithm(algorithm)?;
        let row = Backend::rows().nth(index).ok_or(Failure::Row)?;
        Ok(row.is_ok_and(|row| row.supports(algorithm)).into())
    };
    guard::barrier(Failure::Internal.status(), || runs().unwrap_or_else(Failure::status))
}

/// Writes to `*row` which row takes the first of `live` messages at once (1 to 32),
/// of those that `rows` lets run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_row_chosen(
    algorithm: lanesum_algorithm,
    live: usize,
    rows: *const c_char,
    row: *mut lanesum_row,
) -> c_int {
    guard::call(|| {
        let algorithm = self::algorithm(algorithm)?;
        // SAFETY: the caller's promise.
        let policy = unsafe { policy(rows, algorithm)? }.unwrap_or_else(Policy::automatic);
        if !(1..=32).contains(&live) {
            return Err(Failure::Parameter);
        }
        let chosen = policy.choice(algorithm, live);
        // SAFETY: the caller's promise.
        unsafe { give(row, lanesum_row::new(Ok(chosen))) }
    })
}

/// # Safety
///
/// There is room for a row at `to`, unless it is null or not aligned.
unsafe fn give(to: *mut lanesum_row, row: lanesum_row) -> Result<(), Failure> {
    // SAFETY: only checked, not read.
    unsafe { guard::reference(to.cast::<core::mem::MaybeUninit<lanesum_row>>())? };
    // SAFETY: not null and aligned; the caller's promise.
    unsafe { to.write(row) };
    Ok(())
}
