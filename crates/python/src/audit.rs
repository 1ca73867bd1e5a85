//! Audits and differences of trees and manifests, as lists of findings.

use std::collections::BTreeMap;
use std::error::Error as _;
use std::ffi::{OsStr, OsString};
use std::io;
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use lanesum::{Algorithm, Policy};
use lanesum_files::{Identity, Options as WalkOptions, Progress, Settings, Walk};
use lanesum_keep::{
    Audit, Manifest, Outcome, Reason, SeveralRoots, Side, Sink, Survey, Trees, compare, compared_by,
};
use lanesum_manifest::{Checksum, Class, Named, Options, Record};
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::algorithm::{check_environment, python_name};
use crate::batch;
use crate::errors::{count, globs, os_error, path};
use crate::files::NO_LINES;

/// Digests by the names of their algorithms.
type NamedDigests = BTreeMap<String, Vec<u8>>;

/// The result of comparing a file with its record.
#[pyclass(name = "Finding", module = "lanesum", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Found {
    class: Class,
    path: OsString,
    moved_from: Option<OsString>,
    before: Option<NamedDigests>,
    now: Option<NamedDigests>,
    reason: Option<String>,
}

#[pymethods]
impl Found {
    /// The class as a word: same, new, changed, moved, missing, unreadable, rotted, incomparable.
    #[getter]
    fn class_(&self) -> &'static str {
        self.class.name()
    }

    /// The path.
    #[getter]
    fn path(&self) -> &OsStr {
        &self.path
    }

    /// The previous path, if the file moved; or None.
    #[getter]
    fn moved_from(&self) -> Option<&OsStr> {
        self.moved_from.as_deref()
    }

    /// The recorded digests, by the names of their algorithms; None for a new file.
    #[getter]
    fn before(&self) -> Option<&NamedDigests> {
        self.before.as_ref()
    }

    /// The current digests; None for a file that is missing or cannot be read.
    #[getter]
    fn now(&self) -> Option<&NamedDigests> {
        self.now.as_ref()
    }

    /// Why the file cannot be read; or None.
    #[getter]
    fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    /// Restores a pickled Finding.
    #[staticmethod]
    fn _restore(
        class: &str,
        path: OsString,
        moved_from: Option<OsString>,
        before: Option<NamedDigests>,
        now: Option<NamedDigests>,
        reason: Option<String>,
    ) -> PyResult<Self> {
        let class =
            Class::ALL.into_iter().find(|known| known.name() == class).ok_or_else(|| {
                PyValueError::new_err(format!("a pickled Finding of an unknown class, {class}"))
            })?;
        Ok(Self { class, path, moved_from, before, now, reason })
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, found) = (slf.py(), slf.get());
        let state = (
            found.class_(),
            found.path(),
            found.moved_from(),
            found.before(),
            found.now(),
            found.reason(),
        );
        Ok((slf.get_type().getattr("_restore")?, state.into_pyobject(py)?))
    }

    fn __repr__(&self) -> String {
        format!("<lanesum.Finding {} {}>", self.class_(), Path::new(&self.path).display())
    }
}

impl From<Outcome> for Found {
    fn from(Outcome { finding, reason }: Outcome) -> Self {
        let path = |name: &[u8]| OsString::from_vec(name.to_vec());
        let digests = |record: &Record| -> NamedDigests {
            let digests = record.digests();
            digests.map(|(algorithm, digest)| (python_name(algorithm), digest.to_vec())).collect()
        };
        Self {
            class: finding.class,
            path: path(finding.name()),
            moved_from: finding.moved_from().map(path),
            before: finding.before.as_ref().map(digests),
            now: finding.now.as_ref().map(digests).filter(|digests| !digests.is_empty()),
            reason: reason.map(|reason| match &reason {
                Reason::Error(error) => match error.source() {
                    Some(source) => format!("{error}: {source}"),
                    None => error.to_string(),
                },
                Reason::Link | Reason::BehindLink => {
                    format!("{reason}; use follow=True to follow it")
                }
                _ => reason.to_string(),
            }),
        }
    }
}

/// Collects findings, including unchanged files if `all` is set.
struct Collector {
    all: bool,
    found: Vec<Found>,
}

impl Collector {
    fn push(&mut self, outcome: Outcome) {
        if self.all || outcome.finding.class != Class::Same {
            self.found.push(outcome.into());
        }
    }
}

/// Collects the findings about the files of trees.
struct Audited {
    findings: Collector,
    trees: Trees,
    /// Whether a record's name is in one of the trees.
    in_tree: bool,
}

impl Sink for Audited {
    fn entry(&mut self, before: Option<&Record>, _: Option<&Record>) {
        self.in_tree |= before.is_some();
    }

    fn out_of_scope(&mut self, record: &Record) {
        // Globs may exclude a file in the tree.
        self.in_tree |= self.trees.find(record.name()).is_some();
    }

    fn finding(&mut self, outcome: Outcome) -> ControlFlow<()> {
        self.findings.push(outcome);
        ControlFlow::Continue(())
    }
}

impl Sink for Collector {
    fn entry(&mut self, _: Option<&Record>, _: Option<&Record>) {}

    fn out_of_scope(&mut self, _: &Record) {}

    fn finding(&mut self, outcome: Outcome) -> ControlFlow<()> {
        self.push(outcome);
        ControlFlow::Continue(())
    }
}

/// Runs `work` in a thread, and signal handlers on this thread. If a handler fails, cancels `work`
/// through its progress, and fails without waiting for the files that are being read.
fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Progress) -> T + Send + 'static,
) -> PyResult<T> {
    /// The interval at which signal handlers run.
    const INTERVAL: Duration = Duration::from_millis(10);

    let progress = Arc::new(Progress::default());
    let (sender, mut result) = sync_channel(1);
    let theirs = progress.clone();
    thread::Builder::new()
        .name("lanesum-audit".into())
        .spawn(move || {
            // The caller is gone after a cancellation.
            let _ = sender.send(work(&theirs));
        })
        .map_err(|error| PyRuntimeError::new_err(format!("cannot start a thread: {error}")))?;
    loop {
        let result = &mut result;
        match py.detach(move || result.recv_timeout(INTERVAL)) {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => {
                py.check_signals().inspect_err(|_| progress.cancel())?;
            }
            Err(RecvTimeoutError::Disconnected) => {
                let text = "the thread that reads files ended before its work";
                return Err(PyRuntimeError::new_err(text));
            }
        }
    }
}

fn failed(path: &Path, error: &io::Error) -> PyErr {
    match error.raw_os_error() {
        Some(number) => Python::attach(|py| os_error(py, number, path.as_os_str())),
        None => PyOSError::new_err((error.to_string(), path.as_os_str().to_owned())),
    }
}

/// Fails if the manifest has a malformed line, since its file would not be checked.
fn check_lines(path: &Path, survey: &Survey) -> PyResult<()> {
    match survey.reasons.first() {
        None => Ok(()),
        Some((line, why)) => {
            let path = path.display();
            Err(PyValueError::new_err(format!("{path}: line {line}: {why}")))
        }
    }
}

/// Returns the settings and the reader's options for the arguments `algorithm` and `jobs`. `order`
/// is the order of the arguments, for error messages.
fn arguments(
    algorithm: Option<&Bound<'_, PyAny>>,
    jobs: Option<&Bound<'_, PyAny>>,
    order: &str,
) -> PyResult<(Settings, Options)> {
    let algorithm = algorithm.map(|algorithm| batch::algorithm(algorithm, order)).transpose()?;
    let workers = count("jobs", jobs, "to choose automatically")?;
    check_environment()?;
    let settings = Settings { workers, ..Settings::new(Policy::automatic()) };
    Ok((settings, Options { algorithm: algorithm.map(Checksum::from), ..Options::default() }))
}

/// Compares the files of a directory with a manifest. Returns a list of Finding, without unchanged
/// files unless all is true.
///
/// manifest is a path, and its names are relative to the working directory. tree is the directory to
/// audit, by default the one that contains all names. It must begin as the names do, so it cannot be a
/// copy in another place: compare a copy with diff(manifest, copy). Every file in tree is read. Files
/// outside tree, and files that the patterns in globs exclude, are not reported.
///
/// algorithm applies to lines that do not name one (`HEX  NAME`); None infers it from the length of
/// the digest or the name of the manifest. jobs is the maximum number of threads; None chooses by
/// the measured throughput. With follow, symbolic links below the directory are followed.
///
/// A file is rotted if its contents differ although its length and modification time are those in the
/// manifest, which records them if `lanesum sum --stat` wrote it. Raises ValueError if no name is in
/// tree, for a malformed line, and if tree is None but the names are in several trees, such as absolute
/// and relative ones.
///
///     >>> for found in lanesum.audit("SHA256SUMS"):
///     ...     print(found.class_, found.path)
#[pyfunction]
#[pyo3(
    signature = (manifest, tree=None, algorithm=None, *, jobs=None, follow=false, globs=None, all=false),
    text_signature = "(manifest, tree=None, algorithm=None, *, jobs=None, follow=False, globs=(), all=False)"
)]
#[expect(clippy::too_many_arguments, reason = "they are Python's, by name")]
fn audit(
    py: Python<'_>,
    manifest: &Bound<'_, PyAny>,
    tree: Option<&Bound<'_, PyAny>>,
    algorithm: Option<&Bound<'_, PyAny>>,
    jobs: Option<&Bound<'_, PyAny>>,
    follow: bool,
    globs: Option<&Bound<'_, PyAny>>,
    all: bool,
) -> PyResult<Vec<Found>> {
    /// The order of the arguments, for error messages.
    const ORDER: &str = "manifest, tree, algorithm";
    let manifest = path("manifest", manifest)?;
    let tree = tree.map(|tree| path("tree", tree)).transpose()?;
    let (settings, options) = arguments(algorithm, jobs, ORDER)?;
    let opened = py.detach(|| Manifest::open(&manifest, options));
    let opened = opened.map_err(|error| failed(&manifest, &error))?;
    let survey = opened.survey().clone();
    check_lines(&manifest, &survey)?;
    let outputs = std::fs::metadata(&manifest).iter().map(Identity::of).collect();
    let walk =
        WalkOptions { follow, globs: self::globs(globs)?, outputs, ..WalkOptions::default() };
    let scope = [match tree {
        Some(tree) => tree,
        None => survey.root().map_err(|SeveralRoots(roots)| {
            let roots: Vec<_> = roots.iter().map(|root| root.display().to_string()).collect();
            let (path, roots) = (manifest.display(), roots.join(", "));
            PyValueError::new_err(format!("{path}: names in several trees; pass tree: {roots}"))
        })?,
    }];
    let walk = Walk::new(scope.clone(), &walk)
        .map_err(|error| PyValueError::new_err(format!("globs: {error}")))?;
    let algorithms = survey.algorithms();
    if algorithms.is_empty() {
        let manifest = manifest.display();
        return Err(PyValueError::new_err(format!("{manifest}: {NO_LINES}")));
    }
    let (trees, moves) = (scope.clone(), survey.algorithm_of_moves());
    let audited = interruptible(py, move |progress| {
        let how = Audit { scope: &trees, ..Audit::new(&settings, &algorithms, moves) };
        let findings = Collector { all, found: Vec::new() };
        let mut audited = Audited { findings, trees: Trees::new(&trees), in_tree: false };
        let records = opened.records()?;
        lanesum_keep::audit(records, walk, &how, progress, &mut audited)?;
        Ok(audited)
    })?
    .map_err(|error| failed(&manifest, &error))?;
    if !audited.in_tree {
        let (manifest, tree) = (manifest.display(), scope[0].display());
        return Err(PyValueError::new_err(format!(
            "{manifest}: no name is in the tree {tree}; names are relative to the working directory, \
             and tree must begin as they do"
        )));
    }
    Ok(audited.findings.found)
}

/// Compares two directories or manifests. Returns a list of Finding, without unchanged files unless
/// all is true.
///
/// before and now are paths of directories or manifests. A file in a directory has its path below that
/// directory as its name. If a directory is compared with a manifest, leading directories of the
/// manifest's names that the directory lacks are ignored.
///
/// algorithm selects the hash for two directories, by default SHA-256; otherwise it applies to
/// lines that do not name one. jobs, follow and globs are as in audit.
///
///     >>> lanesum.diff("photos", "backup/photos")
///     []
#[pyfunction]
#[pyo3(
    signature = (before, now, algorithm=None, *, jobs=None, follow=false, globs=None, all=false),
    text_signature = "(before, now, algorithm=None, *, jobs=None, follow=False, globs=(), all=False)"
)]
#[expect(clippy::too_many_arguments, reason = "they are Python's, by name")]
fn diff(
    py: Python<'_>,
    before: &Bound<'_, PyAny>,
    now: &Bound<'_, PyAny>,
    algorithm: Option<&Bound<'_, PyAny>>,
    jobs: Option<&Bound<'_, PyAny>>,
    follow: bool,
    globs: Option<&Bound<'_, PyAny>>,
    all: bool,
) -> PyResult<Vec<Found>> {
    /// The order of the arguments, for error messages.
    const ORDER: &str = "before, now, algorithm";
    let (settings, options) = arguments(algorithm, jobs, ORDER)?;
    let side = |path: PathBuf| {
        let side =
            py.detach(|| Side::open(&path, options)).map_err(|error| failed(&path, &error))?;
        side.survey().map_or(Ok(()), |survey| check_lines(&path, survey))?;
        Ok::<_, PyErr>(side)
    };
    let (left, right) = (side(path("before", before)?)?, side(path("now", now)?)?);
    let (algorithms, moves) =
        compared_by(&left, &right, options.algorithm.unwrap_or(Algorithm::SHA256.into()));
    let walk = WalkOptions { follow, globs: self::globs(globs)?, ..WalkOptions::default() };
    Walk::new([], &walk).map_err(|error| PyValueError::new_err(format!("globs: {error}")))?;
    let compared = interruptible(py, move |progress| {
        let how = Audit::new(&settings, &algorithms, Some(moves));
        let mut findings = Collector { all, found: Vec::new() };
        let mut unread = Vec::new();
        let failed = |outcome: Outcome| unread.push(outcome.into());
        compare(left, right, &walk, &how, progress, failed, &mut findings)?;
        findings.found.extend(unread);
        Ok(findings.found)
    })?;
    compared.map_err(|(path, error): (PathBuf, io::Error)| failed(&path, &error))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Found>()?;
    module.add_function(wrap_pyfunction!(audit, module)?)?;
    module.add_function(wrap_pyfunction!(diff, module)?)
}
