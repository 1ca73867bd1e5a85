//! Lists the files of a directory as columns, and hashes listed files if they are unchanged.
//! `lanesum.manifest` is built on this.

use std::ffi::OsStr;
use std::fs;
use std::ops::ControlFlow;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use lanesum::{Algorithm, Policy};
use lanesum_files::{
    Error, Found, Options, Progress, Settings, Sha256File, Stamp, Step, Walk, hash,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::algorithm::usable;
use crate::errors::count;
use crate::files::Failure;

/// The number of files in a piece of a listing.
const PIECE: usize = 8192;

/// Nanoseconds per second.
const SECOND: i64 = 1_000_000_000;

/// An iterator over the pieces of a directory's listing, in the byte order of relative paths: the
/// concatenated names, their offsets, lengths, modification times, the numbers of files without metadata
/// with the reason, and the number of skipped files.
#[pyclass(frozen)]
struct Listing {
    walk: Mutex<Walk>,
    /// The length of the prefix of each path up to the directory.
    above: usize,
}

/// A piece of a listing.
#[derive(Default)]
struct Piece {
    names: Vec<u8>,
    ends: Vec<i64>,
    lens: Vec<i64>,
    modified: Vec<i64>,
    errors: Vec<(usize, String)>,
    skipped: usize,
}

impl Piece {
    fn add(&mut self, name: &[u8], looked: Result<Stamp, String>) {
        let (len, modified) = match looked {
            Ok(stamp) => (stamp.len as i64, nanoseconds(&stamp)),
            Err(reason) => {
                self.errors.push((self.lens.len(), reason));
                (0, 0)
            }
        };
        self.names.extend(name);
        self.ends.push(self.names.len() as i64);
        self.lens.push(len);
        self.modified.push(modified);
    }
}

/// Returns the modification time of a file, in nanoseconds since 1970.
fn nanoseconds(stamp: &Stamp) -> i64 {
    stamp.modified.0.wrapping_mul(SECOND).wrapping_add(i64::from(stamp.modified.1))
}

fn look(path: &Path) -> Result<Stamp, String> {
    fs::symlink_metadata(path)
        .map(|metadata| Stamp::of(&metadata))
        .map_err(|error| format!("cannot read the metadata of {}: {error}", path.display()))
}

fn bytes<'py>(py: Python<'py>, numbers: &[i64]) -> Bound<'py, PyBytes> {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
    PyBytes::new(py, &bytes)
}

/// Decodes the numbers of a column.
fn numbers<T>(column: &[u8], number: fn([u8; 8]) -> T) -> Vec<T> {
    column.as_chunks().0.iter().copied().map(number).collect()
}

type Columns<'py> = (
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Vec<(usize, String)>,
    usize,
);

#[pymethods]
impl Listing {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Columns<'py>>> {
        let piece = py
            .detach(|| self.piece())
            .map_err(|failure| PyErr::from_value(failure.exception(py).into_bound(py)))?;
        Ok(piece.map(|piece| {
            (
                PyBytes::new(py, &piece.names),
                bytes(py, &piece.ends),
                bytes(py, &piece.lens),
                bytes(py, &piece.modified),
                piece.errors,
                piece.skipped,
            )
        }))
    }
}

impl Listing {
    /// Returns the next piece, or an error if the directory itself cannot be listed.
    fn piece(&self) -> Result<Option<Piece>, Failure> {
        let mut walk = self.walk.lock().unwrap_or_else(PoisonError::into_inner);
        let mut piece = Piece { ends: vec![0], ..Piece::default() };
        while piece.lens.len() < PIECE {
            match walk.next() {
                Some(Found::File(path)) => {
                    let name = path.as_os_str().as_bytes().get(self.above..);
                    piece.add(name.unwrap_or_default(), look(&path));
                }
                Some(Found::Unreadable(error)) => {
                    let mut name = error.path().as_os_str().to_owned().into_vec();
                    if name.len() <= self.above {
                        return Err(Failure::File(error));
                    }
                    // The error's path is sorted like the files in that directory.
                    if error.step() == Step::Walk {
                        name.push(b'/');
                    }
                    piece.add(&name[self.above..], Err(described(error)));
                }
                Some(_) => piece.skipped += 1,
                None if piece.lens.is_empty() && piece.skipped == 0 => return Ok(None),
                None => break,
            }
        }
        Ok(Some(piece))
    }
}

fn described(error: Error) -> String {
    let text = error.to_string();
    match error.into_source() {
        Some(source) => format!("{text}: {source}"),
        None => text,
    }
}

/// Lists the files below a directory, as a Listing. Symbolic links and special files are skipped.
#[pyfunction]
fn list_directory(directory: &[u8]) -> PyResult<Listing> {
    let options = Options { by_path: true, ..Options::default() };
    let root = PathBuf::from(OsStr::from_bytes(directory));
    let walk = Walk::new([root], &options)
        .map_err(|error| PyValueError::new_err(format!("globs: {error}")))?;
    let above = directory.len() + usize::from(!directory.ends_with(b"/"));
    Ok(Listing { walk: Mutex::new(walk), above })
}

/// The number of each file without a digest, and the reason.
type Failures = Vec<(usize, String)>;

/// Hashes files below a directory with SHA-256. The arguments are columns of a listing, with
/// numbers as the bytes of 64-bit integers. Returns the concatenated digests, which are zero for
/// files without one, and the number and the reason for each of these files.
#[pyfunction]
#[pyo3(signature = (directory, names, ends, lens, modified, threads=None))]
fn hash_listed<'py>(
    py: Python<'py>,
    directory: PyBackedBytes,
    names: PyBackedBytes,
    ends: PyBackedBytes,
    lens: PyBackedBytes,
    modified: PyBackedBytes,
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Bound<'py, PyBytes>, Failures)> {
    let workers = count("threads", threads, "to choose automatically")?;
    let ends = numbers(&ends, |number| u64::from_ne_bytes(number) as usize);
    let lens = numbers(&lens, u64::from_ne_bytes);
    let modified = numbers(&modified, i64::from_ne_bytes);
    let is_whole = ends.len() == lens.len() + 1
        && lens.len() == modified.len()
        && ends.is_sorted()
        && ends.last().is_some_and(|&end| end <= names.len());
    if !is_whole {
        return Err(PyValueError::new_err("inconsistent columns of a listing"));
    }
    usable(Algorithm::SHA256)?;
    let (digests, errors) = py.detach(|| {
        let root = Path::new(OsStr::from_bytes(&directory));
        let mut digests = vec![0; 32 * lens.len()];
        let mut errors = Vec::new();
        let listed = (0..lens.len()).map(|number| Sha256File {
            path: root.join(OsStr::from_bytes(&names[ends[number]..ends[number + 1]])),
            data: number,
        });
        let settings = Settings { workers, ..Settings::new(Policy::automatic()) };
        hash(listed, &settings, &Progress::default(), |file, result| {
            let number = file.data;
            let is_listed =
                |stamp: Stamp| (stamp.len, nanoseconds(&stamp)) == (lens[number], modified[number]);
            match result {
                Ok(hashed) if hashed.stamp().is_some_and(is_listed) => {
                    digests[32 * number..][..32].copy_from_slice(hashed[0].as_bytes());
                }
                Ok(_) => {
                    let text = format!("{} changed after it was listed", file.path.display());
                    errors.push((number, text));
                }
                Err(error) => errors.push((number, described(error))),
            }
            ControlFlow::Continue(())
        });
        (digests, errors)
    });
    Ok((PyBytes::new(py, &digests), errors))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(list_directory, module)?)?;
    module.add_function(wrap_pyfunction!(hash_listed, module)?)
}
