//! The caller's memory for digests.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::buffer::View;

/// A writable buffer that was passed as `out`.
pub(crate) struct Out<'py> {
    object: Bound<'py, PyAny>,
    view: View<'py>,
}

impl<'py> Out<'py> {
    pub(crate) fn new(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        Ok(Self { object: object.clone(), view: View::writable(object)? })
    }

    fn misfit(&self, count: usize, place_len: usize) -> PyErr {
        let room = self.view.as_slice().len();
        PyValueError::new_err(format!(
            "out: {room} bytes for {count} digests of {place_len} bytes each"
        ))
    }

    /// Returns all of it, if its length is that of `count` digests and it does not overlap `data`.
    pub(crate) fn whole(
        &mut self,
        count: usize,
        place_len: usize,
        data: &[&[u8]],
    ) -> PyResult<&mut [u8]> {
        if count.checked_mul(place_len) != Some(self.view.as_slice().len()) {
            return Err(self.misfit(count, place_len));
        }
        self.check_apart(data)?;
        Ok(self.view.as_mut_slice())
    }

    /// Fails if it overlaps `data`.
    pub(crate) fn check_apart(&self, data: &[&[u8]]) -> PyResult<()> {
        match data.iter().any(|data| self.view.overlaps(data)) {
            true => Err(PyValueError::new_err("out: has bytes of the data")),
            false => Ok(()),
        }
    }

    /// Writes `bytes` at offset `start`.
    pub(crate) fn put(&mut self, start: usize, bytes: &[u8]) -> PyResult<()> {
        let room = self.view.as_slice().len();
        let place = self.view.as_mut_slice().get_mut(start..start + bytes.len());
        let error = || PyValueError::new_err(format!("out: {room} bytes are too few"));
        place.ok_or_else(error)?.copy_from_slice(bytes);
        Ok(())
    }

    /// Returns the object, if its length is that of `count` digests.
    pub(crate) fn filled(self, count: usize, place_len: usize) -> PyResult<Bound<'py, PyAny>> {
        if count.checked_mul(place_len) != Some(self.view.as_slice().len()) {
            return Err(self.misfit(count, place_len));
        }
        Ok(self.object)
    }

    /// Returns the object.
    pub(crate) fn object(self) -> Bound<'py, PyAny> {
        self.object
    }
}
