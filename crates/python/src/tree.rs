//! Merkle trees, documented in `python/lanesum/tree.py`.

use lanesum::tree::{FileBuilder, ShapeError, Tree};
use lanesum::{Algorithm, Digest};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::algorithm::{by_object, usable};
use crate::buffer::{Bytes, to_bytes};
use crate::errors::integer;
use crate::hash::{Given, over};
use crate::object::Alone;

fn shape(error: ShapeError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

pub(crate) fn out<'py>(py: Python<'py>, digest: &Digest) -> Bound<'py, PyBytes> {
    PyBytes::new(py, digest.as_bytes())
}

/// Computes the root of a tree over a file incrementally.
///
/// Threads may share an object; each call is atomic.
#[pyclass(name = "Builder", module = "lanesum.tree", frozen)]
struct Builder(Alone<Option<FileBuilder>>);

impl Builder {
    fn new(builder: FileBuilder) -> Self {
        Self(Alone::new(Some(builder)))
    }

    /// Returns the root over all of `data`.
    fn root<'py>(self, data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let py = data.py();
        self.update(py, data)?;
        self.finish(py)
    }
}

fn finished() -> PyErr {
    PyValueError::new_err("the builder is finished")
}

#[pymethods]
impl Builder {
    /// Builds the digest that `fsverity digest` prints.
    ///
    /// algorithm is "sha256" or "sha512", block_size the length of a block in bytes, and salt a buffer
    /// of at most 32 bytes.
    #[staticmethod]
    #[pyo3(
        signature = (algorithm=None, *, block_size=Given(None), salt=None),
        text_signature = "(algorithm='sha256', *, block_size=4096, salt=b'')"
    )]
    fn fs_verity(
        algorithm: Option<&Bound<'_, PyAny>>,
        block_size: Given<'_, '_>,
        salt: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let salt = salt.map(Bytes::of).transpose()?;
        let salt = salt.as_ref().map_or(&[][..], Bytes::as_slice);
        let block_size = block_len("block_size", block_size)?;
        let builder = FileBuilder::fs_verity(self::algorithm(algorithm)?, block_size, salt);
        Ok(Self::new(builder.map_err(shape)?))
    }

    /// Builds the root that `veritysetup format` prints.
    ///
    /// algorithm is a name, data_block_size and hash_block_size are lengths in bytes, and salt is a
    /// buffer of at most 256 bytes.
    #[staticmethod]
    #[pyo3(
        signature = (
            algorithm=None, *, data_block_size=Given(None), hash_block_size=Given(None), salt=None
        ),
        text_signature = "(algorithm='sha256', *, data_block_size=4096, hash_block_size=4096, salt=b'')"
    )]
    fn dm_verity(
        algorithm: Option<&Bound<'_, PyAny>>,
        data_block_size: Given<'_, '_>,
        hash_block_size: Given<'_, '_>,
        salt: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let salt = salt.map(Bytes::of).transpose()?;
        let salt = salt.as_ref().map_or(&[][..], Bytes::as_slice);
        let algorithm = self::algorithm(algorithm)?;
        let data_block_size = block_len("data_block_size", data_block_size)?;
        let hash_block_size = block_len("hash_block_size", hash_block_size)?;
        let builder = FileBuilder::dm_verity(algorithm, data_block_size, hash_block_size, salt);
        Ok(Self::new(builder.map_err(shape)?))
    }

    /// Builds the root of a file in BitTorrent version 2.
    #[staticmethod]
    fn torrent2() -> PyResult<Self> {
        Ok(Self::new(FileBuilder::torrent2(usable(Algorithm::SHA256)?)))
    }

    /// Builds the SHA-256 of a multipart upload to Amazon S3, with parts of part_size bytes.
    #[staticmethod]
    fn s3(part_size: &Bound<'_, PyAny>) -> PyResult<Self> {
        let part_size = leaf_len("part_size", part_size)?;
        Ok(Self::new(FileBuilder::s3(usable(Algorithm::SHA256)?, part_size)))
    }

    /// Appends the buffer data to the file.
    #[pyo3(signature = (data, /))]
    fn update(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let bytes = Bytes::of(data)?;
        self.0.with_bytes(py, bytes.as_slice(), |builder, bytes| {
            builder.as_mut().map(|builder| _ = builder.update(bytes)).ok_or_else(finished)
        })
    }

    /// Returns the root over the whole file, as bytes, and ends the builder.
    ///
    /// Raises ValueError for dm-verity if the file ends with a partial block; the builder is then
    /// unchanged.
    fn finish<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let digest = self.0.with(py, |builder| {
            builder.as_ref().ok_or_else(finished)?.check().map_err(shape)?;
            builder.take().ok_or_else(finished)?.finish().map_err(shape)
        })?;
        Ok(out(py, &digest))
    }
}

/// Returns the selected algorithm, by default SHA-256.
pub(crate) fn algorithm(object: Option<&Bound<'_, PyAny>>) -> PyResult<Algorithm> {
    object.map_or_else(|| usable(Algorithm::SHA256), |name| by_object("algorithm", name))
}

/// Returns the length of a block in bytes, argument `name`; by default 4,096.
fn block_len(name: &str, len: Given<'_, '_>) -> PyResult<usize> {
    len.0.map_or(Ok(4096), |len| integer(name, &len))
}

/// Returns the length of a leaf in bytes, argument `name`.
fn leaf_len(name: &str, len: &Bound<'_, PyAny>) -> PyResult<usize> {
    let len: usize = integer(name, len)?;
    let error = || PyValueError::new_err(format!("{name}: at least 1 is required, not 0"));
    if len == 0 { Err(error()) } else { Ok(len) }
}

#[pyfunction]
fn fs_verity<'py>(
    data: &Bound<'py, PyAny>,
    algorithm: &Bound<'py, PyAny>,
    block_size: Given<'_, 'py>,
    salt: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    Builder::fs_verity(Some(algorithm), block_size, Some(salt))?.root(data)
}

#[pyfunction]
fn dm_verity<'py>(
    data: &Bound<'py, PyAny>,
    algorithm: &Bound<'py, PyAny>,
    data_block_size: Given<'_, 'py>,
    hash_block_size: Given<'_, 'py>,
    salt: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    Builder::dm_verity(Some(algorithm), data_block_size, hash_block_size, Some(salt))?.root(data)
}

#[pyfunction]
fn torrent2<'py>(data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    Builder::torrent2()?.root(data)
}

#[pyfunction]
fn torrent1<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    piece_length: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let piece_length = leaf_len("piece_length", piece_length)?;
    let data = Bytes::of(data)?;
    let mut pieces = Vec::new();
    let len =
        data.as_slice().len().div_ceil(piece_length).checked_mul(Algorithm::SHA1.digest_len());
    let is_room = len.is_some_and(|len| pieces.try_reserve_exact(len).is_ok());
    if !is_room {
        return Err(PyMemoryError::new_err("not enough memory for the digests"));
    }
    let tree = Tree::list(usable(Algorithm::SHA1)?, piece_length);
    over(py, data.as_slice(), |data| tree.hash_leaves(data, &mut pieces));
    to_bytes(py, &pieces)
}

#[pyfunction]
fn s3<'py>(
    data: &Bound<'py, PyAny>,
    part_size: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    Builder::s3(part_size)?.root(data)
}

pub(crate) fn register<'py>(module: &Bound<'py, PyModule>) -> PyResult<Bound<'py, PyModule>> {
    let tree = PyModule::new(module.py(), "tree")?;
    tree.add_class::<Builder>()?;
    tree.add_function(wrap_pyfunction!(fs_verity, &tree)?)?;
    tree.add_function(wrap_pyfunction!(dm_verity, &tree)?)?;
    tree.add_function(wrap_pyfunction!(torrent1, &tree)?)?;
    tree.add_function(wrap_pyfunction!(torrent2, &tree)?)?;
    tree.add_function(wrap_pyfunction!(s3, &tree)?)?;
    module.add("_tree", &tree)?;
    Ok(tree)
}
