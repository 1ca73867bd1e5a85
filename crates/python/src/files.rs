//! Trees of files, and manifests: iterators over the results of a run in the background.

use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::BufReader;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{ffi::OsString, process, thread};

use lanesum::{Algorithm, Digest, Policy};
use lanesum_files::{
    Digests, Error, Found, Input, Job, Kinds, Options, Progress, Settings, Walk, hash,
};
use lanesum_manifest::{Checksum, Line, Reader, read_line};
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::algorithm::{check_environment, python_name, usable};
use crate::batch;
use crate::errors::{count, globs, os_error, path};

/// Maximum number of results queued for the iteration.
const WAITING: usize = 1024;

/// The error of a manifest without entries.
pub(crate) const NO_LINES: &str = "no properly formatted checksum lines found";

/// The interval at which a call checks for signals and reports progress.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// The result of hashing a file: a digest, or an error.
#[pyclass(name = "File", module = "lanesum", frozen, generic)]
pub(crate) struct Hashed {
    path: Option<PathBuf>,
    algorithm: Option<Checksum>,
    digest: Option<Digest>,
    expected: Option<Digest>,
    error: Option<Py<PyAny>>,
}

#[pymethods]
impl Hashed {
    /// The path, which begins with an argument of the call; None for a malformed line of a manifest. Bytes
    /// that are not UTF-8 are decoded as by os.fsdecode, and os.fsencode restores them.
    #[getter]
    fn path(&self) -> Option<OsString> {
        self.path.as_ref().map(|path| path.clone().into_os_string())
    }

    /// The name of the algorithm.
    #[getter]
    fn algorithm(&self) -> Option<String> {
        self.algorithm.map(python_name)
    }

    /// The digest as bytes; None if there is an error.
    #[getter]
    fn digest<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.digest.map(|digest| PyBytes::new(py, digest.as_bytes()))
    }

    /// The digest as lower-case hexadecimal; None if there is an error. Unlike in hash objects, it is a
    /// property.
    #[getter]
    fn hexdigest(&self) -> Option<String> {
        self.digest.map(|digest| digest.to_string())
    }

    /// The digest in the manifest, as bytes; None without a manifest.
    #[getter]
    fn expected<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.expected.map(|digest| PyBytes::new(py, digest.as_bytes()))
    }

    /// Why there is no digest, an OSError or a ValueError; or None.
    #[getter]
    fn error(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.error.as_ref().map(|error| error.clone_ref(py))
    }

    /// Whether the file has the expected digest; without a manifest, whether it was read.
    #[getter]
    fn ok(&self) -> bool {
        self.digest.is_some() && self.expected.is_none_or(|expected| self.digest == Some(expected))
    }

    /// Restores a pickled File.
    #[staticmethod]
    fn _restore(
        path: Option<PathBuf>,
        algorithm: Option<&str>,
        digest: Option<&[u8]>,
        expected: Option<&[u8]>,
        error: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let invalid = |what: &str| PyValueError::new_err(format!("a pickled File with {what}"));
        let checksum = |name: &str| {
            let name = name.replace('_', "/");
            Checksum::from_name(&name).ok_or_else(|| invalid("an unknown algorithm"))
        };
        let digest_of = |bytes: &[u8]| {
            Digest::try_from(bytes).map_err(|_| invalid("a digest of a wrong length"))
        };
        Ok(Self {
            path,
            algorithm: algorithm.map(checksum).transpose()?,
            digest: digest.map(digest_of).transpose()?,
            expected: expected.map(digest_of).transpose()?,
            error,
        })
    }

    #[expect(clippy::type_complexity)]
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(
        Bound<'py, PyAny>,
        (
            Option<OsString>,
            Option<String>,
            Option<Bound<'py, PyBytes>>,
            Option<Bound<'py, PyBytes>>,
            Option<Py<PyAny>>,
        ),
    )> {
        let (py, file) = (slf.py(), slf.get());
        let restore = slf.get_type().getattr("_restore")?;
        let state =
            (file.path(), file.algorithm(), file.digest(py), file.expected(py), file.error(py));
        Ok((restore, state))
    }

    /// Exceptions compare by identity, so errors are compared as their texts.
    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        let state = |file: &Self| (file.path.clone(), file.algorithm, file.digest, file.expected);
        let error = |file: &Self| match &file.error {
            Some(error) => error.bind(py).repr().map(|text| Some(text.to_string())),
            None => Ok(None),
        };
        Ok(state(self) == state(other) && error(self)? == error(other)?)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.path, self.digest.as_ref().map(Digest::as_bytes)).hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        let path = self.path.as_deref().unwrap_or(Path::new(""));
        let digest = self.hexdigest().unwrap_or_else(|| "no digest".into());
        format!("<lanesum.File {} {digest}>", path.display())
    }
}

/// An entry in the order of results.
struct Task {
    path: Option<PathBuf>,
    algorithm: [Checksum; 1],
    expected: Option<Digest>,
    /// Why there is nothing to read.
    error: Option<Failure>,
}

/// Why there is no digest.
pub(crate) enum Failure {
    File(Error),
    Line(String),
}

impl Job for Task {
    fn input(&self) -> Input<'_> {
        match (&self.path, &self.error) {
            (Some(path), None) => Input::File(path),
            _ => Input::Nothing,
        }
    }

    fn algorithms(&self) -> &[Checksum] {
        if self.error.is_none() { &self.algorithm } else { &[] }
    }

    fn kinds(&self) -> Kinds {
        // The user did not name the files of a manifest.
        if self.expected.is_some() { Kinds::Storage } else { Kinds::Any }
    }
}

impl Failure {
    /// Converts to the exception that Python's own file functions raise.
    pub(crate) fn exception(self, py: Python<'_>) -> Py<PyAny> {
        let error = match self {
            Self::Line(text) => PyValueError::new_err(text),
            Self::File(error) => {
                let (path, text) = (error.path().as_os_str().to_owned(), error.to_string());
                match error.into_source().and_then(|source| source.raw_os_error()) {
                    Some(number) => os_error(py, number, &path),
                    None => PyOSError::new_err(text),
                }
            }
        };
        error.into_value(py).into_any()
    }
}

/// A result of the run in the background; `None` at its end.
type Message = Option<(Task, Result<Digests, Error>)>;

/// An iterator over files with their digests, in a stable order. The files are read by threads
/// in the background, which stop when it is dropped.
#[pyclass(name = "Files", module = "lanesum", frozen, generic)]
pub(crate) struct Files {
    state: Mutex<State>,
    progress: Arc<Progress>,
    /// Called with the bytes and files so far.
    callback: Option<Py<PyAny>>,
    /// The creating process: a child of a fork has no background thread to end the iteration.
    process: u32,
}

struct State {
    results: Receiver<Message>,
    said: Instant,
    ended: bool,
}

impl Files {
    fn start(
        tasks: impl Iterator<Item = Task> + Send + 'static,
        workers: Option<NonZeroUsize>,
        callback: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let (sender, results) = sync_channel(WAITING);
        let progress = Arc::new(Progress::default());
        let seen = progress.clone();
        thread::Builder::new()
            .name("lanesum-files".into())
            .spawn(move || run(tasks, workers, &seen, &sender))
            .map_err(|error| PyRuntimeError::new_err(format!("cannot start a thread: {error}")))?;
        let state = State { results, said: Instant::now(), ended: false };
        Ok(Self { state: Mutex::new(state), progress, callback, process: process::id() })
    }

    fn report(&self, py: Python<'_>) -> PyResult<()> {
        let said = |callback: &Py<PyAny>| {
            callback.call1(py, (self.progress.bytes(), self.progress.files())).map(drop)
        };
        self.callback.as_ref().map_or(Ok(()), said)
    }
}

fn run(
    tasks: impl Iterator<Item = Task> + Send,
    workers: Option<NonZeroUsize>,
    progress: &Progress,
    sender: &SyncSender<Message>,
) {
    let settings = Settings { workers, ..Settings::new(Policy::automatic()) };
    hash(tasks, &settings, progress, |task, digests| {
        match sender.send(Some((task, digests))) {
            Ok(()) => ControlFlow::Continue(()),
            // The iterator has been dropped.
            Err(_) => ControlFlow::Break(()),
        }
    });
    // The iterator may already be dropped.
    let _ = sender.send(None);
}

#[pymethods]
impl Files {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Hashed>> {
        if process::id() != self.process {
            return Err(PyRuntimeError::new_err(
                "an iterator over files cannot continue in a child of a fork: start a new one",
            ));
        }
        loop {
            let (message, is_time) = py.detach(|| {
                let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
                if state.ended {
                    return (Ok(None), false);
                }
                let message = state.results.recv_timeout(POLL_INTERVAL);
                state.ended = matches!(message, Ok(None));
                let is_time = state.ended || state.said.elapsed() >= POLL_INTERVAL;
                if is_time {
                    state.said = Instant::now();
                }
                (message, is_time)
            });
            if is_time {
                self.report(py)?;
                py.check_signals()?;
            }
            match message {
                Ok(Some((task, digests))) => return Ok(Some(task.hashed(py, digests))),
                Ok(None) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    let text = "the threads that read files ended before their work";
                    return Err(PyRuntimeError::new_err(text));
                }
            }
        }
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        self.progress.cancel();
    }
}

impl Task {
    fn hashed(self, py: Python<'_>, digests: Result<Digests, Error>) -> Hashed {
        let (digest, failure) = match (self.error, digests) {
            (Some(failure), _) => (None, Some(failure)),
            (None, Ok(digests)) => (digests.first().copied(), None),
            (None, Err(error)) => (None, Some(Failure::File(error))),
        };
        Hashed {
            algorithm: self.path.as_ref().map(|_| self.algorithm[0]),
            path: self.path,
            digest,
            expected: self.expected,
            error: failure.map(|failure| failure.exception(py)),
        }
    }
}

/// Returns the paths of argument `name`: a path, or an iterable of paths.
fn paths(name: &str, argument: &Bound<'_, PyAny>) -> PyResult<Vec<PathBuf>> {
    let is_one = argument.is_instance_of::<PyString>()
        || argument.is_instance_of::<PyBytes>()
        || argument.hasattr("__fspath__")?;
    if is_one {
        return Ok(vec![path(name, argument)?]);
    }
    // A file object would iterate over its lines.
    let many = if argument.hasattr("read")? { None } else { argument.try_iter().ok() };
    let Some(many) = many else {
        let kind = argument.get_type().name()?;
        let text = format!("{name}: a path or an iterable of paths is required, not '{kind}'");
        return Err(PyTypeError::new_err(text));
    };
    many.map(|object| path(name, &object?)).collect()
}

/// Fails if argument `progress` is not a function.
fn check_progress(py: Python<'_>, progress: Option<&Py<PyAny>>) -> PyResult<()> {
    match progress.map(|progress| progress.bind(py)).filter(|progress| !progress.is_callable()) {
        Some(other) => {
            let kind = other.get_type().name()?;
            let text = format!("progress: a function is required, not '{kind}'");
            Err(PyTypeError::new_err(text))
        }
        None => Ok(()),
    }
}

/// Hashes files, and all files below directories, as fast as the command. Returns an iterator of
/// File, in the order of the paths, by name within each directory.
///
/// path is a path or an iterable of paths. algorithm is a name such as "sha256", or a constructor.
/// jobs is the maximum number of threads; None chooses by the measured throughput. With follow,
/// symbolic links below a directory are followed. globs is a pattern such as "*.parquet", or
/// several: the last one that matches decides. Patterns with "!" exclude files. progress(bytes,
/// files) is called regularly during the iteration, and at the end.
///
/// A file that cannot be read has an error in place of a digest. Below a directory, special files are
/// skipped, and so are symbolic links unless follow is true.
///
///     >>> for file in lanesum.sum("photos", globs="*.raw"):
///     ...     print(file.hexdigest, repr(file.path))
#[pyfunction]
#[pyo3(
    signature = (path, algorithm=None, *, jobs=None, follow=false, globs=None, progress=None),
    text_signature = "(path, algorithm='sha256', *, jobs=None, follow=False, globs=(), progress=None)"
)]
fn sum(
    path: &Bound<'_, PyAny>,
    algorithm: Option<&Bound<'_, PyAny>>,
    jobs: Option<&Bound<'_, PyAny>>,
    follow: bool,
    globs: Option<&Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Files> {
    check_progress(path.py(), progress.as_ref())?;
    let by_name = |algorithm| batch::algorithm(algorithm, "path, algorithm");
    let algorithm = [algorithm.map_or_else(|| usable(Algorithm::SHA256), by_name)?.into()];
    let options = Options { follow, globs: self::globs(globs)?, ..Options::default() };
    let walk = Walk::new(paths("path", path)?, &options)
        .map_err(|error| PyValueError::new_err(format!("globs: {error}")))?;
    let tasks = walk.filter_map(move |found| {
        let (path, error) = match found {
            Found::File(path) => (path, None),
            Found::Unreadable(error) => (error.path().to_owned(), Some(Failure::File(error))),
            _ => return None,
        };
        Some(Task { path: Some(path), algorithm, expected: None, error })
    });
    Files::start(tasks, count("jobs", jobs, "to choose automatically")?, progress)
}

/// Hashes the files of a manifest. Returns an iterator of File, in the manifest's order; ok is
/// whether a file has the expected digest.
///
/// manifest is the path of a file in any format that `lanesum check` reads, such as SHA256SUMS,
/// except for CRC-32 in SFV files. algorithm applies to lines that do not name one (`HEX  NAME`);
/// None infers it from the length of the digest or the name of the manifest. root is the directory
/// to which names are relative; None means the working directory, or the directory of a BagIt
/// manifest (manifest-sha256.txt). jobs and progress are as in sum.
///
/// A malformed line is a File without a path, with a ValueError as its error, and so is a manifest
/// without any line.
///
///     >>> all(file.ok for file in lanesum.check("SHA256SUMS"))
///     True
#[pyfunction]
#[pyo3(
    signature = (manifest, algorithm=None, *, root=None, jobs=None, progress=None),
    text_signature = "(manifest, algorithm=None, *, root=None, jobs=None, progress=None)"
)]
fn check(
    py: Python<'_>,
    manifest: &Bound<'_, PyAny>,
    algorithm: Option<&Bound<'_, PyAny>>,
    root: Option<&Bound<'_, PyAny>>,
    jobs: Option<&Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Files> {
    check_environment()?;
    check_progress(py, progress.as_ref())?;
    let by_name = |algorithm| batch::algorithm(algorithm, "manifest, algorithm");
    let algorithm = algorithm.map(by_name).transpose()?.map(Checksum::from);
    let manifest = path("manifest", manifest)?;
    let root = root.map(|root| path("root", root)).transpose()?;
    // Python's own function raises the error that users expect, also for a directory.
    py.import("io")?.call_method1("FileIO", (manifest.as_os_str(),))?.call_method0("close")?;
    let file = File::open(&manifest)
        .map_err(|error| os_error(py, error.raw_os_error().unwrap_or(0), manifest.as_os_str()))?;
    let options = lanesum_manifest::Options { algorithm, ..Default::default() };
    let reader = Reader::new(options).of_file(manifest.as_os_str().as_bytes());
    let root = root.or_else(|| {
        let directory = manifest.parent().filter(|_| reader.is_bagit());
        directory.map(Path::to_owned)
    });
    let lines = Lines {
        input: BufReader::new(file),
        reader,
        line: Vec::new(),
        manifest,
        root: root.unwrap_or_default(),
        is_empty: true,
        ended: false,
    };
    Files::start(lines, count("jobs", jobs, "to choose automatically")?, progress)
}

/// The lines of a manifest, read on demand.
struct Lines {
    input: BufReader<File>,
    reader: Reader,
    line: Vec<u8>,
    manifest: PathBuf,
    root: PathBuf,
    /// Whether no line was an entry or malformed.
    is_empty: bool,
    ended: bool,
}

impl Iterator for Lines {
    type Item = Task;

    fn next(&mut self) -> Option<Task> {
        let failed = |text| Task {
            path: None,
            algorithm: [Algorithm::SHA256.into()],
            expected: None,
            error: Some(Failure::Line(text)),
        };
        let manifest = self.manifest.display();
        while !self.ended {
            match read_line(&mut self.input, b'\n', &mut self.line) {
                Ok(true) => {}
                Ok(false) => self.ended = true,
                Err(error) => {
                    self.ended = true;
                    return Some(failed(format!("cannot read {manifest}: {error}")));
                }
            }
            if self.ended {
                break;
            }
            let line = self.reader.line(&self.line);
            self.is_empty &= matches!(line, Line::Skip);
            match line {
                Line::Skip => {}
                Line::Malformed(malformed) => {
                    let number = self.reader.line_number();
                    return Some(failed(format!("{manifest}: line {number}: {malformed}")));
                }
                Line::Entry(entry) => {
                    let name = OsString::from_vec(entry.name().to_vec());
                    return Some(Task {
                        path: Some(self.root.join(name)),
                        algorithm: [entry.algorithm()],
                        expected: Digest::try_from(entry.digest()).ok(),
                        error: None,
                    });
                }
            }
        }
        // A manifest without lines must not count as verified.
        let is_empty = std::mem::take(&mut self.is_empty);
        is_empty.then(|| failed(format!("{manifest}: {NO_LINES}")))
    }
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Hashed>()?;
    module.add_class::<Files>()?;
    module.add_function(wrap_pyfunction!(sum, module)?)?;
    module.add_function(wrap_pyfunction!(check, module)?)
}
