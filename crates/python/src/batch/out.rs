//! The caller's memory for digests.

use std::fmt::Display;

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

    fn misfit(&self, count: impl Display, place_len: usize) -> PyErr {
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

    /// Writes `digests` after the first `done` ones, each of `place_len` bytes.
    pub(crate) fn put(&mut self, done: usize, digests: &[u8], place_len: usize) -> PyResult<()> {
        let start = done * place_len;
        let end = start + digests.len();
        match self.view.as_mut_slice().get_mut(start..end) {
            Some(place) => place.copy_from_slice(digests),
            None => {
                let count = format!("at least {}", end / place_len);
                return Err(self.misfit(count, place_len));
            }
        }
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
