//! Batches of SHA-1 with collision detection.

use lanesum::sha1dc::{Checked, hash_many};
use lanesum::{Algorithm, Digest};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use super::{form, held, objects_of};
use crate::algorithm::usable;
use crate::buffer::to_bytes;
use crate::errors::{collected, zeros};
use crate::run::{Form, Pieces, shared};
use crate::sha1dc::detection;

/// Length of a result, in bytes: a digest, and a flag for a collision attack.
const PLACE: usize = 21;

/// Computes the SHA-1 digests of many messages, and detects collision attacks as sha1dc does.
///
/// data is an iterable of buffers or text (hashed as UTF-8). safe and reduced are as in sha1dc,
/// encoding and threads as in digest_many.
///
/// Returns a list of digests, and a list of the indices of messages that are part of a collision attack.
///
///     >>> digests, collisions = lanesum.sha1dc_many([b"warp", b"weft"], encoding="hex")
///     >>> digests[0][:16], collisions
///     ('af58c7038ec2d43e', [])
#[pyfunction]
#[pyo3(
    signature = (data, *, safe=false, reduced=false, encoding=None, threads=None),
    text_signature = "(data, *, safe=False, reduced=False, encoding='bytes', threads=None)"
)]
pub(super) fn sha1dc_many<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    safe: bool,
    reduced: bool,
    encoding: Option<&Bound<'_, PyAny>>,
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Bound<'py, PyList>, Bound<'py, PyList>)> {
    let (form, detection, threads) =
        (form(encoding)?, detection(safe, reduced), super::threads(threads)?);
    usable(Algorithm::SHA1)?;
    let all = objects_of("data", data, usize::MAX)?;
    let buffers = held("data", &all)?;
    let messages = collected("data", buffers.iter().map(|bytes| Ok(bytes.as_slice())))?;
    let mut places = zeros("data", messages.len(), PLACE)?;
    let pieces = Pieces::new(messages.len(), |i| messages[i].len(), &mut places, PLACE);
    shared(py, threads, pieces, |piece, _| {
        let mut checked = vec![Checked::default(); piece.range.len()];
        hash_many(Algorithm::SHA1, detection, &messages[piece.range], &mut checked);
        for (place, checked) in piece.out.chunks_exact_mut(PLACE).zip(checked) {
            place[..PLACE - 1].copy_from_slice(&checked.digest());
            place[PLACE - 1] = checked.is_collision().into();
        }
    })?;
    let places = || places.chunks_exact(PLACE).enumerate();
    let digests = PyList::empty(py);
    for (_, place) in places() {
        let digest = &place[..PLACE - 1];
        digests.append(match form {
            Form::Bytes => to_bytes(py, digest)?.into_any(),
            Form::Hex => {
                let digest = Digest::try_from(digest).expect("twenty bytes");
                PyString::from_bytes(py, digest.to_string().as_bytes())?.into_any()
            }
        })?;
    }
    let collisions = PyList::empty(py);
    for (number, _) in places().filter(|(_, place)| place[PLACE - 1] == 1) {
        collisions.append(number)?;
    }
    Ok((digests, collisions))
}
