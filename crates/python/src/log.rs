//! RFC 6962 logs and their proofs, and the primitives of the manifests' trees.

use lanesum::tree::{Log as Entries, ProofError, Tree};
use lanesum::{Algorithm, Digest, Offsets};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use crate::algorithm::{python_name, usable};
use crate::buffer::{Bytes, to_bytes};
use crate::errors::{integer, named};
use crate::object::Alone;
use crate::tree::{algorithm, out};

/// A number of digests that exceeds every proof's: a node per level, and one at the start.
const TOO_MANY: usize = u64::BITS as usize + 2;

/// Converts an error; `name` is the argument that the number of entries limits.
fn wrong(name: &str, error: ProofError) -> PyErr {
    PyValueError::new_err(match error {
        ProofError::Leaf { leaf, leaves } | ProofError::Size { size: leaf, leaves } => {
            format!("{name}: {leaf} is out of range for a log of {leaves} entries")
        }
        error => error.to_string(),
    })
}

/// Extracts a digest of `algorithm`. Another length is a mistake of the caller, not a wrong proof.
fn digest(name: &str, algorithm: Algorithm, object: &Bound<'_, PyAny>) -> PyResult<Digest> {
    let bytes = Bytes::of_named(name, object)?;
    let (bytes, len) = (bytes.as_slice(), algorithm.digest_len());
    let wrong = || {
        let (len, algorithm) = (bytes.len(), python_name(algorithm));
        PyValueError::new_err(format!("{name}: a digest of {len} bytes is not one of {algorithm}"))
    };
    if bytes.len() == len { Digest::try_from(bytes).map_err(|_| wrong()) } else { Err(wrong()) }
}

/// Extracts the digests of a proof. A proof that is too long is cut off at `TOO_MANY`, which is
/// still too long.
fn proof(algorithm: Algorithm, object: &Bound<'_, PyAny>) -> PyResult<Vec<Digest>> {
    let items = object.try_iter().map_err(|error| named(object.py(), error, "proof"))?;
    items.take(TOO_MANY).map(|item| digest("proof", algorithm, &item?)).collect()
}

/// Extracts the optional argument `size`, a number of entries.
fn at(size: Option<&Bound<'_, PyAny>>) -> PyResult<Option<u64>> {
    size.map(|size| integer("size", size)).transpose()
}

fn list<'py>(py: Python<'py>, proof: &[Digest]) -> PyResult<Bound<'py, PyList>> {
    PyList::new(py, proof.iter().map(|digest| out(py, digest)))
}

/// Calls `add` with all entries of an iterable of buffers.
fn with_entries<T>(
    entries: &Bound<'_, PyAny>,
    add: impl FnOnce(Python<'_>, &[&[u8]]) -> T,
) -> PyResult<T> {
    let py = entries.py();
    let objects = entries.try_iter().map_err(|error| named(py, error, "entries"))?;
    let objects: Vec<_> = objects.collect::<PyResult<_>>()?;
    let buffers = objects.iter().enumerate().map(|(i, object)| {
        Bytes::of(object).map_err(|error| named(py, error, &format!("entries: item {i}")))
    });
    let buffers: Vec<Bytes<'_, '_>> = buffers.collect::<PyResult<_>>()?;
    let entries: Vec<&[u8]> = buffers.iter().map(Bytes::as_slice).collect();
    Ok(add(py, &entries))
}

/// An RFC 6962 log (Certificate Transparency), which grows and proves its entries.
///
/// Threads may share an object; each call is atomic.
#[pyclass(name = "Log", module = "lanesum.tree", frozen)]
struct Log(Alone<Entries>);

#[pymethods]
impl Log {
    #[new]
    #[pyo3(signature = (algorithm=None), text_signature = "(algorithm='sha256')")]
    fn new(algorithm: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        Ok(Self(Alone::new(Entries::new(self::algorithm(algorithm)?))))
    }

    /// Appends the buffer entry.
    #[pyo3(signature = (entry, /))]
    fn append(&self, py: Python<'_>, entry: &Bound<'_, PyAny>) -> PyResult<()> {
        let bytes = Bytes::of(entry)?;
        self.0.with_bytes(py, bytes.as_slice(), |log, bytes| log.append(&[bytes]));
        Ok(())
    }

    /// Appends the buffers of the iterable entries, or none of them if one is not a buffer.
    #[pyo3(signature = (entries, /))]
    fn extend(&self, entries: &Bound<'_, PyAny>) -> PyResult<()> {
        with_entries(entries, |py, entries| self.0.detached(py, |log| log.append(entries)))
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.0.with(py, |log| log.len() as usize)
    }

    /// Returns the root over all entries, or over the first size entries.
    ///
    /// Raises ValueError if there are fewer.
    #[pyo3(signature = (size=None))]
    fn root<'py>(
        &self,
        py: Python<'py>,
        size: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let size = at(size)?;
        let root = self.0.with(py, |log| log.root_at(size.unwrap_or(log.len())));
        Ok(out(py, &root.map_err(|error| wrong("size", error))?))
    }

    /// Returns the proof that entry index, counted from 0, is in the log, or among its first size
    /// entries: a list of digests, its audit path.
    ///
    /// Raises ValueError if there are fewer entries.
    #[pyo3(signature = (index, size=None))]
    fn inclusion<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
        size: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let (index, size) = (integer("index", index)?, at(size)?);
        let proof = self.0.with(py, |log| log.proof_at(index, size.unwrap_or(log.len())));
        let name = |error| if matches!(error, ProofError::Size { .. }) { "size" } else { "index" };
        list(py, &proof.map_err(|error| wrong(name(error), error))?)
    }

    /// Returns the proof that the log of the first old_size entries is a prefix of this log, or of
    /// its first size entries: a list of digests.
    ///
    /// Raises ValueError if there are fewer entries.
    #[pyo3(signature = (old_size, size=None))]
    fn consistency<'py>(
        &self,
        py: Python<'py>,
        old_size: &Bound<'py, PyAny>,
        size: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let (old, size) = (integer("old_size", old_size)?, at(size)?);
        let proof = self.0.with(py, |log| log.consistency_at(old, size.unwrap_or(log.len())));
        let is_new = |error| matches!(error, ProofError::Size { size, .. } if size != old);
        let name = |error| if is_new(error) { "size" } else { "old_size" };
        list(py, &proof.map_err(|error| wrong(name(error), error))?)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> String {
        format!("<lanesum.tree.Log of {} entries>", slf.get().__len__(slf.py()))
    }
}

#[pyfunction]
fn verify_inclusion(
    entry: &Bound<'_, PyAny>,
    index: &Bound<'_, PyAny>,
    size: &Bound<'_, PyAny>,
    proof: &Bound<'_, PyAny>,
    root: &Bound<'_, PyAny>,
    algorithm: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let algorithm = self::algorithm(Some(algorithm))?;
    let tree = Tree::rfc6962(algorithm);
    let leaf = tree.entry(Bytes::of_named("entry", entry)?.as_slice());
    let (index, size) = (integer("index", index)?, integer("size", size)?);
    let (proof, root) = (self::proof(algorithm, proof)?, digest("root", algorithm, root)?);
    tree.verify(index, size, &leaf, &proof, &root).map_err(|error| wrong("index", error))
}

#[pyfunction]
fn verify_consistency(
    old_size: &Bound<'_, PyAny>,
    size: &Bound<'_, PyAny>,
    old_root: &Bound<'_, PyAny>,
    root: &Bound<'_, PyAny>,
    proof: &Bound<'_, PyAny>,
    algorithm: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let algorithm = self::algorithm(Some(algorithm))?;
    let tree = Tree::rfc6962(algorithm);
    let (old_size, size) = (integer("old_size", old_size)?, integer("size", size)?);
    let old_root = digest("old_root", algorithm, old_root)?;
    let (root, proof) = (digest("root", algorithm, root)?, self::proof(algorithm, proof)?);
    tree.verify_consistency(old_size, size, &old_root, &root, &proof)
        .map_err(|error| wrong("old_size", error))
}

#[pyfunction]
fn rfc6962<'py>(
    entries: &Bound<'py, PyAny>,
    algorithm: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let tree = Tree::rfc6962(self::algorithm(Some(algorithm))?);
    let root =
        with_entries(entries, |py, entries| py.detach(|| tree.build_entries(entries).root()))?;
    Ok(out(entries.py(), &root))
}

/// Returns the tree for manifests.
fn manifests() -> PyResult<Tree> {
    Ok(Tree::rfc6962(usable(Algorithm::SHA256)?))
}

/// Returns the root that a proof of an entry leads to, for manifests; None if the proof cannot be
/// valid.
#[pyfunction]
fn root_by<'py>(
    entry: &Bound<'py, PyAny>,
    index: &Bound<'py, PyAny>,
    size: &Bound<'py, PyAny>,
    proof: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let tree = manifests()?;
    let leaf = tree.entry(Bytes::of(entry)?.as_slice());
    let (Ok(index), Ok(size)) = (integer("index", index), integer("size", size)) else {
        return Ok(None);
    };
    let Ok(proof) = self::proof(Algorithm::SHA256, proof) else { return Ok(None) };
    let root = tree.root_by(index, size, &leaf, &proof).ok();
    Ok(root.map(|root| out(entry.py(), &root)))
}

/// Returns the digests of concatenated entries, delimited by 64-bit offsets, for manifests.
#[pyfunction]
fn entries<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    offsets: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let (data, offsets) = (Bytes::of(data)?, Bytes::of(offsets)?);
    let offsets: Vec<i64> =
        offsets.as_slice().as_chunks().0.iter().map(|bytes| i64::from_ne_bytes(*bytes)).collect();
    let entries = Offsets::new(data.as_slice(), &offsets)
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    let mut digests = Vec::new();
    let tree = manifests()?;
    py.detach(|| tree.hash_entries(&entries, &mut digests));
    to_bytes(py, &digests)
}

/// Returns concatenated digests, for manifests. Fails if the last one is incomplete.
fn whole<'a>(digests: &'a Bytes<'_, '_>) -> PyResult<&'a [u8]> {
    let (digests, len) = (digests.as_slice(), Algorithm::SHA256.digest_len());
    let error = || PyValueError::new_err(format!("{} bytes are no digests", digests.len()));
    if digests.len().is_multiple_of(len) { Ok(digests) } else { Err(error()) }
}

/// Returns the level above `digests`, for manifests.
#[pyfunction]
fn parents<'py>(py: Python<'py>, digests: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    let digests = Bytes::of(digests)?;
    let digests = whole(&digests)?;
    let mut parents = Vec::new();
    let tree = manifests()?;
    py.detach(|| tree.hash_nodes(0, digests, &mut parents));
    to_bytes(py, &parents)
}

/// Returns the digests on the path from a leaf to the root, for manifests.
#[pyfunction]
fn path<'py>(
    py: Python<'py>,
    digests: &Bound<'py, PyAny>,
    index: u64,
) -> PyResult<Bound<'py, PyList>> {
    let digests = Bytes::of(digests)?;
    let digests = whole(&digests)?.to_vec();
    let tree = manifests()?;
    let path = py.detach(|| tree.above(digests).proof(index));
    list(py, &path.map_err(|error| wrong("index", error))?)
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Log>()?;
    module.add_function(wrap_pyfunction!(rfc6962, module)?)?;
    module.add_function(wrap_pyfunction!(verify_inclusion, module)?)?;
    module.add_function(wrap_pyfunction!(verify_consistency, module)?)?;
    module.add_function(wrap_pyfunction!(root_by, module)?)?;
    module.add_function(wrap_pyfunction!(entries, module)?)?;
    module.add_function(wrap_pyfunction!(parents, module)?)?;
    module.add_function(wrap_pyfunction!(path, module)?)
}
