//! SHA-1 with collision detection, with `hashlib`'s interface.

use lanesum::sha1dc::{Detection, Sha1Dc};
use lanesum::{Algorithm, Digest};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::algorithm::usable;
use crate::buffer::Bytes;
use crate::hash::{Given, over};
use crate::object::{Shared, State, protocol};

/// A SHA-1 hash that detects collision attacks.
///
/// Threads may share an object; each call is atomic.
#[pyclass(name = "SHA1DC", module = "lanesum", frozen)]
pub(crate) struct Watched(Shared<Sha1Dc>);

impl State for Sha1Dc {
    fn add(&mut self, bytes: &[u8]) {
        self.update(bytes);
    }

    fn digest(&self) -> Digest {
        self.finish().into()
    }
}

protocol!(Watched {
    /// The name of the algorithm, in lower case.
    #[getter]
    fn name(&self) -> &'static str {
        "sha1"
    }

    /// Appends the buffer obj to the message.
    #[pyo3(signature = (obj, /))]
    fn update(&self, py: Python<'_>, obj: &Bound<'_, PyAny>) -> PyResult<()> {
        self.0.update(py, obj)
    }

    /// Whether a block of the message so far is part of a collision attack: another message can then
    /// have the same digest.
    #[getter]
    fn is_collision(&self, py: Python<'_>) -> bool {
        self.0.copied(py).finish().is_collision()
    }

    fn __repr__(slf: &Bound<'_, Self>) -> String {
        format!("<lanesum.SHA1DC object @ {:p}>", slf.as_ptr())
    }
});

/// Returns the detection that the arguments select.
pub(crate) fn detection(safe: bool, reduced: bool) -> Detection {
    let mut detection = Detection::new();
    if safe {
        detection = detection.safe();
    }
    if reduced {
        detection = detection.reduced();
    }
    detection
}

/// Returns a SHA-1 hash object that detects blocks of collision attacks, as git does: see
/// is_collision.
///
/// data is a buffer, the beginning of the message; update() adds to it. With safe, a message with a
/// block of a collision attack has a digest other than its SHA-1, so that the two messages of a
/// collision have different digests. reduced also detects the collisions of reduced-round SHA-1 that
/// were published as examples of attacks. Raises the errors of the other constructors.
///
///     >>> lanesum.sha1dc(b"abc").is_collision
///     False
#[pyfunction]
#[pyo3(
    signature = (data=Given(None), *, safe=false, reduced=false),
    text_signature = "(data=b'', *, safe=False, reduced=False)"
)]
fn sha1dc(py: Python<'_>, data: Given<'_, '_>, safe: bool, reduced: bool) -> PyResult<Watched> {
    let mut hasher = Sha1Dc::with(usable(Algorithm::SHA1)?, detection(safe, reduced));
    if let Given(Some(data)) = data {
        let bytes = Bytes::of(&data)?;
        over(py, bytes.as_slice(), |bytes| hasher.add(bytes));
    }
    Ok(Watched(Shared::new(Algorithm::SHA1, hasher)))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Watched>()?;
    module.add_function(wrap_pyfunction!(sha1dc, module)?)
}
