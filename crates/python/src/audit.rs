//! Audits and differences of trees and manifests, as lists of findings.

use std::ffi::OsString;
use std::io;
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use lanesum::{Algorithm, Policy};
use lanesum_files::{Identity, Options as WalkOptions, Progress, Settings, Walk};
use lanesum_keep::{
    Audit, Manifest, SeveralRoots, Side, Survey, Told, Trees, Why, Witness, compare, compared_by,
};
use lanesum_manifest::{Checksum, Class, Named, Options, Record};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::algorithm::{check_environment, python_name};
use crate::batch;
use crate::errors::{count, globs, os_error};

/// The result of comparing a file with its record.
#[pyclass(name = "Finding", module = "lanesum", frozen)]
pub(crate) struct Found {
    told: Told,
}

#[pymethods]
impl Found {
    /// The class as a word: same, new, changed, moved, missing, unreadable, rotted, incomparable.
    #[getter]
    fn class_(&self) -> &'static str {
        self.told.finding.class.name()
    }

    /// The path.
    #[getter]
    fn path(&self) -> OsString {
        OsString::from_vec(self.told.finding.name().to_vec())
    }

    /// The previous path, if the file moved; or None.
    #[getter]
    fn moved_from(&self) -> Option<OsString> {
        self.told.finding.from().map(|from| OsString::from_vec(from.to_vec()))
    }

    /// The recorded digests, by the names of their algorithms; None for a new file.
    #[getter]
    fn before<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.told.finding.before.as_ref().map(|record| digests(py, record)).transpose()
    }

    /// The current digests; None for a file that is missing or cannot be read.
    #[getter]
    fn now<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let now = self.told.finding.now.as_ref().filter(|now| now.digests().len() > 0);
        now.map(|record| digests(py, record)).transpose()
    }

    /// Why it cannot be read; or None.
    #[getter]
    fn reason(&self) -> Option<String> {
        self.told.why.as_ref().map(|why| match why {
            Why::Error(error) => error.to_string(),
            Why::Link => "a symbolic link that is not followed".into(),
            Why::Special => "not a regular file".into(),
            Why::InUnreadable => "its directory cannot be listed".into(),
            Why::BehindLink => "below a symbolic link that is not followed".into(),
            Why::Skipped => "in use by this call, or a temporary".into(),
        })
    }

    fn __repr__(&self) -> String {
        let path = PathBuf::from(self.path());
        format!("<lanesum.Finding {} {}>", self.class_(), path.display())
    }
}

fn digests<'py>(py: Python<'py>, record: &Record) -> PyResult<Bound<'py, PyDict>> {
    let digests = PyDict::new(py);
    for (algorithm, digest) in record.digests() {
        digests.set_item(python_name(algorithm), PyBytes::new(py, digest))?;
    }
    Ok(digests)
}

/// Collects findings, including unchanged files if `all` is set.
struct Findings {
    all: bool,
    found: Vec<Told>,
    trees: Trees,
    /// Whether a record's name is in one of the trees.
    in_tree: bool,
}

impl Witness for Findings {
    fn place(&mut self, before: Option<&Record>, _: Option<&Record>) {
        self.in_tree |= before.is_some();
    }

    fn outside(&mut self, record: &Record) {
        // Globs may exclude a file in the tree.
        self.in_tree |= self.trees.find(record.name()).is_some();
    }

    fn found(&mut self, told: Told) -> ControlFlow<()> {
        if self.all || told.finding.class != Class::Same {
            self.found.push(told);
        }
        ControlFlow::Continue(())
    }
}

impl Findings {
    fn list(self) -> Vec<Found> {
        self.found.into_iter().map(|told| Found { told }).collect()
    }
}

fn failed(path: &Path, error: &io::Error) -> PyErr {
    match error.raw_os_error() {
        Some(number) => Python::attach(|py| os_error(py, number, path.as_os_str())),
        None => PyOSError::new_err((error.to_string(), path.as_os_str().to_owned())),
    }
}

/// Fails for a malformed line, since its file would not be checked.
fn check_lines(path: &Path, survey: &Survey) -> PyResult<()> {
    match survey.reasons.first() {
        None => Ok(()),
        Some((line, why)) => {
            let path = path.display();
            Err(PyValueError::new_err(format!("{path}: line {line}: {why}")))
        }
    }
}

/// How to hash, and how to read manifests, by the arguments `algorithm` and `jobs` of `call`.
fn arguments(
    algorithm: Option<&Bound<'_, PyAny>>,
    jobs: Option<&Bound<'_, PyAny>>,
    call: &str,
) -> PyResult<(Settings, Options)> {
    let algorithm = algorithm.map(|algorithm| batch::algorithm(algorithm, call)).transpose()?;
    let workers = count("jobs", jobs, "to choose automatically")?;
    check_environment()?;
    let settings = Settings { workers, ..Settings::new(Policy::automatic()) };
    Ok((settings, Options { algorithm: algorithm.map(Checksum::from), ..Options::default() }))
}

/// Compares the files of a directory with a manifest. Returns a list of Finding, without unchanged
/// files unless all is true.
///
/// manifest is a path. algorithm is the one of untagged lines; None infers it. jobs is the most
/// threads to use; None chooses by the measured throughput. With follow, symbolic links below the
/// directory are followed. tree is the directory to audit, by default the one that contains all names
/// of the manifest; names in several trees, such as absolute and relative ones, raise ValueError. Names
/// are relative to the working directory; ValueError is raised if none of them is in tree. Every file
/// in it is read. A file is rotted if its contents differ although its length and times are those
/// in the manifest. Files outside tree, and files that the patterns in globs exclude, are not reported.
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
    manifest: PathBuf,
    tree: Option<PathBuf>,
    algorithm: Option<&Bound<'_, PyAny>>,
    jobs: Option<&Bound<'_, PyAny>>,
    follow: bool,
    globs: Option<&Bound<'_, PyAny>>,
    all: bool,
) -> PyResult<Vec<Found>> {
    const CALL: &str = "audit(manifest, tree, algorithm)";
    let (settings, options) = arguments(algorithm, jobs, CALL)?;
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
        return Err(PyValueError::new_err(format!(
            "{manifest}: no properly formatted checksum lines found"
        )));
    }
    let how =
        Audit { scope: &scope, ..Audit::new(&settings, &algorithms, survey.algorithm_of_moves()) };
    let trees = Trees::new(&scope);
    let mut findings = Findings { all, found: Vec::new(), trees, in_tree: false };
    py.detach(|| {
        let records = opened.records()?;
        lanesum_keep::audit(records, walk, &how, &Progress::default(), &mut findings)
    })
    .map_err(|error| failed(&manifest, &error))?;
    if !findings.in_tree {
        let (manifest, tree) = (manifest.display(), scope[0].display());
        return Err(PyValueError::new_err(format!(
            "{manifest}: no name is in the tree {tree}; names are relative to the working directory, \
             and tree must begin as they do"
        )));
    }
    Ok(findings.list())
}

/// Compares two directories or manifests. Returns a list of Finding, without unchanged files unless
/// all is true.
///
/// before and now are paths of directories or manifests. Names of files are relative to a
/// directory. algorithm, jobs, follow and globs are as in audit.
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
    before: PathBuf,
    now: PathBuf,
    algorithm: Option<&Bound<'_, PyAny>>,
    jobs: Option<&Bound<'_, PyAny>>,
    follow: bool,
    globs: Option<&Bound<'_, PyAny>>,
    all: bool,
) -> PyResult<Vec<Found>> {
    const CALL: &str = "diff(before, now, algorithm)";
    let (settings, options) = arguments(algorithm, jobs, CALL)?;
    let side = |path: &PathBuf| {
        let side = py.detach(|| Side::open(path, options)).map_err(|error| failed(path, &error))?;
        side.survey().map_or(Ok(()), |survey| check_lines(path, survey))?;
        Ok::<_, PyErr>(side)
    };
    let (left, right) = (side(&before)?, side(&now)?);
    let (algorithms, moves) =
        compared_by(&left, &right, options.algorithm.unwrap_or(Algorithm::SHA256.into()));
    let walk = WalkOptions { follow, globs: self::globs(globs)?, ..WalkOptions::default() };
    Walk::new([], &walk).map_err(|error| PyValueError::new_err(format!("globs: {error}")))?;
    let how = Audit::new(&settings, &algorithms, Some(moves));
    let trees = Trees::new(&[]);
    let mut findings = Findings { all, found: Vec::new(), trees, in_tree: false };
    let mut unread = Vec::new();
    py.detach(|| {
        let progress = Progress::default();
        let failed = |told| unread.push(told);
        compare(left, right, &walk, &how, &progress, failed, &mut findings)
    })
    .map_err(|(path, error)| failed(&path, &error))?;
    findings.found.extend(unread);
    Ok(findings.list())
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Found>()?;
    module.add_function(wrap_pyfunction!(audit, module)?)?;
    module.add_function(wrap_pyfunction!(diff, module)?)
}
