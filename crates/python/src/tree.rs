//! Merkle trees; `python/lanesum/tree.py` says what they are.

use lanesum::tree::{ShapeError, Tree, fs_verity_digest};
use lanesum::{Algorithm, Digest};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::algorithm::by_object;
use crate::buffer::Bytes;
use crate::hash::over;

fn shape(error: ShapeError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn out<'py>(py: Python<'py>, digest: &Digest) -> Bound<'py, PyBytes> {
    PyBytes::new(py, digest.as_bytes())
}

#[pyfunction]
fn fs_verity<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    algorithm: &Bound<'py, PyAny>,
    block_size: usize,
    salt: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let (data, salt, algorithm) = (Bytes::of(data)?, Bytes::of(salt)?, by_object(algorithm)?);
    let (data, salt) = (data.as_slice(), salt.as_slice());
    let tree = Tree::fs_verity(algorithm, block_size, salt).map_err(shape)?;
    let root = over(py, data, |data| tree.build(data).root());
    let len = data.len() as u64;
    Ok(out(py, &fs_verity_digest(algorithm, block_size, salt, len, &root).map_err(shape)?))
}

#[pyfunction]
fn dm_verity<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    algorithm: &Bound<'py, PyAny>,
    data_block_size: usize,
    hash_block_size: usize,
    salt: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let (data, salt, algorithm) = (Bytes::of(data)?, Bytes::of(salt)?, by_object(algorithm)?);
    let data = data.as_slice();
    let tree = Tree::dm_verity(algorithm, data_block_size, hash_block_size, salt.as_slice())
        .map_err(shape)?;
    if data.is_empty() || !data.len().is_multiple_of(data_block_size) {
        let text = format!("data: {} bytes are no whole blocks of {data_block_size}", data.len());
        return Err(PyValueError::new_err(text));
    }
    Ok(out(py, &over(py, data, |data| tree.build(data).root())))
}

#[pyfunction]
fn torrent2<'py>(py: Python<'py>, data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    let data = Bytes::of(data)?;
    Ok(out(py, &over(py, data.as_slice(), |data| Tree::torrent2().build(data).root())))
}

/// The digests of leaves, one after the other; that of no bytes, if there are none and that is
/// wanted.
fn leaves(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    algorithm: Algorithm,
    leaf_len: usize,
    never_none: bool,
) -> PyResult<Vec<u8>> {
    if leaf_len == 0 {
        return Err(PyValueError::new_err("leaves of at least one byte are required"));
    }
    let data = Bytes::of(data)?;
    Ok(over(py, data.as_slice(), |data| {
        let tree = Tree::list(algorithm, leaf_len);
        let mut leaves = Vec::new();
        match data.is_empty() && never_none {
            true => tree.hash_entries(&[b""], &mut leaves),
            false => tree.hash_leaves(data, &mut leaves),
        }
        leaves
    }))
}

#[pyfunction]
fn torrent1<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    piece_length: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(py, &leaves(py, data, Algorithm::SHA1, piece_length, false)?))
}

#[pyfunction]
fn s3<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    part_size: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let leaves = leaves(py, data, Algorithm::SHA256, part_size, true)?;
    Ok(out(py, &Tree::list(Algorithm::SHA256, part_size).above(leaves).composite()))
}

#[pyfunction]
fn rfc6962<'py>(
    py: Python<'py>,
    entries: &Bound<'py, PyAny>,
    algorithm: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let algorithm = by_object(algorithm)?;
    let entries: Vec<_> = entries.try_iter()?.collect::<PyResult<_>>()?;
    let buffers: Vec<Bytes<'_, '_>> = entries.iter().map(Bytes::of).collect::<PyResult<_>>()?;
    let entries: Vec<&[u8]> = buffers.iter().map(Bytes::as_slice).collect();
    let root = py.detach(|| Tree::rfc6962(algorithm).build_entries(&entries).root());
    Ok(out(py, &root))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let tree = PyModule::new(module.py(), "tree")?;
    tree.add_function(wrap_pyfunction!(fs_verity, &tree)?)?;
    tree.add_function(wrap_pyfunction!(dm_verity, &tree)?)?;
    tree.add_function(wrap_pyfunction!(torrent1, &tree)?)?;
    tree.add_function(wrap_pyfunction!(torrent2, &tree)?)?;
    tree.add_function(wrap_pyfunction!(s3, &tree)?)?;
    tree.add_function(wrap_pyfunction!(rfc6962, &tree)?)?;
    module.add("_tree", tree)
}
