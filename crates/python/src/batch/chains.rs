//! Hash chains: one, or many in lanes.

use lanesum::unstable::chain_many_while;
use lanesum::{Algorithm, Bytes as Places, chain as chain_of};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use super::objects::at;
use super::{algorithm, objects_of};
use crate::buffer::{Bytes, to_bytes};
use crate::errors::{collected, integer, named, zeros};
use crate::run::{Pieces, shared};

/// Maximum number of links computed without releasing the GIL: some microseconds.
const FEW_LINKS: u64 = 64;

/// Computes a hash chain: hashes start, a digest, count times, each time the digest before.
///
/// algorithm is a name such as "sha256", or a constructor of this package or hashlib. start is a buffer as
/// long as a digest; count is at least 0, and less than 2**64. A chain of 0 links is start itself.
///
/// Returns the last digest as bytes. Raises ValueError for an unknown algorithm, a start of another length,
/// and a count out of range, TypeError for arguments of a wrong type.
///
///     >>> start = lanesum.sha256(b"seed").digest()
///     >>> lanesum.chain("sha256", start, 2) == lanesum.sha256(lanesum.sha256(start).digest()).digest()
///     True
#[pyfunction]
#[pyo3(text_signature = "(algorithm, start, count)")]
pub(super) fn chain<'py>(
    py: Python<'py>,
    algorithm: &Bound<'py, PyAny>,
    start: &Bound<'py, PyAny>,
    count: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let algorithm = self::algorithm(algorithm, "algorithm, start, count")?;
    let start = Bytes::of_named("start", start)?;
    let start = start.as_slice();
    check("start", algorithm, start)?;
    let count = integer("count", count)?;
    if count <= FEW_LINKS {
        return to_bytes(py, chain_of(algorithm, start, count).as_bytes());
    }
    let mut end = [0; lanesum::Digest::MAX_LEN];
    let end = &mut end[..algorithm.digest_len()];
    run(py, algorithm, &[start], &[count], end, None)?;
    to_bytes(py, end)
}

/// Computes many hash chains in parallel SIMD lanes.
///
/// algorithm is a name such as "sha256", or a constructor of this package or hashlib.
///
/// starts is an iterable of buffers, each as long as a digest, or a NumPy array with a digest in each row.
///
/// counts is an iterable of as many numbers of links: start i is hashed counts[i] times, as by chain. The
/// numbers may differ.
///
/// threads is the maximum number of threads; None means one per core.
///
/// Returns a list of the last digests as bytes. Raises the errors of chain, and ValueError if the numbers of
/// starts and counts differ: at most one count more than starts is read.
///
///     >>> starts = [lanesum.sha256(b"warp").digest(), lanesum.sha256(b"weft").digest()]
///     >>> lanesum.chain_many("sha256", starts, [15, 0])[0] == lanesum.chain("sha256", starts[0], 15)
///     True
#[pyfunction]
#[pyo3(
    signature = (algorithm, starts, counts, *, threads=None),
    text_signature = "(algorithm, starts, counts, *, threads=None)"
)]
pub(super) fn chain_many<'py>(
    py: Python<'py>,
    algorithm: &Bound<'py, PyAny>,
    starts: &Bound<'py, PyAny>,
    counts: &Bound<'py, PyAny>,
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let algorithm = self::algorithm(algorithm, "algorithm, starts, counts")?;
    let starts = objects_of("starts", starts, usize::MAX)?;
    let bytes = starts
        .iter()
        .enumerate()
        .map(|(i, start)| Bytes::of(start).map_err(|error| at(py, error, "starts", i)));
    let bytes = collected("starts", bytes)?;
    let starts = bytes.iter().enumerate().map(|(i, start)| {
        check(&format!("starts: item {i}"), algorithm, start.as_slice()).map(|()| start.as_slice())
    });
    let starts = collected("starts", starts)?;
    // Counts may be an infinite iterator.
    let items = counts.try_iter().map_err(|error| named(py, error, "counts"))?;
    let counts = items.take(starts.len() + 1).enumerate();
    let counts = counts.map(|(i, count)| integer(&format!("counts: item {i}"), &count?));
    let counts: Vec<u64> = collected("counts", counts)?;
    if counts.len() != starts.len() {
        let count = match counts.len() > starts.len() {
            true => format!("more than {}", starts.len()),
            false => counts.len().to_string(),
        };
        let text = format!("counts: {count} counts for {} starts", starts.len());
        return Err(PyValueError::new_err(text));
    }
    let mut ends = zeros("starts", starts.len(), algorithm.digest_len())?;
    run(py, algorithm, &starts, &counts, &mut ends, threads)?;
    let list = PyList::empty(py);
    for end in ends.chunks_exact(algorithm.digest_len()) {
        list.append(to_bytes(py, end)?)?;
    }
    Ok(list)
}

/// Fails if `start`, which errors call `name`, is not as long as a digest.
fn check(name: &str, algorithm: Algorithm, start: &[u8]) -> PyResult<()> {
    let (len, expected) = (start.len(), algorithm.digest_len());
    if len == expected {
        return Ok(());
    }
    let text = format!("{name}: {len} bytes, but a digest of {algorithm} has {expected}");
    Err(PyValueError::new_err(text))
}

/// Writes the last digests of chains to `ends`. Fails if a signal handler does.
fn run(
    py: Python<'_>,
    algorithm: Algorithm,
    starts: &[&[u8]],
    counts: &[u64],
    ends: &mut [u8],
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    /// Maximum number of links that count as work, so that the sum for a batch does not overflow.
    const MOST: u64 = 1 << 32;

    let threads = super::threads(threads)?;
    let work = |i: usize| counts[i].min(MOST) as usize * algorithm.block_len();
    let pieces = Pieces::new(counts.len(), work, ends, algorithm.digest_len());
    shared(py, threads, pieces, |piece, interrupt| {
        let (starts, counts) = (&starts[piece.range.clone()], &counts[piece.range]);
        let resume = &mut || !interrupt.is_raised();
        chain_many_while(algorithm, starts, counts, Places(piece.out), resume);
    })
}
