//! Algorithms by their Python names.

use lanesum::{Algorithm, Policy, PolicyError, hash};
use lanesum_manifest::Checksum;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyFrozenSet, PyString};

/// Returns the name used by `hashlib`: `sha512_256` for `sha512/256` in the table of algorithms.
pub(crate) fn python_name(algorithm: impl Into<Checksum>) -> String {
    algorithm.into().name().replace('/', "_")
}

/// Creates the error for a name or constructor of an algorithm that this package lacks.
fn unsupported(digestmod: impl ToString) -> PyErr {
    let digestmod = digestmod.to_string();
    // A name, or the repr of a function or of a partial application.
    let remedy = match digestmod.contains("sha1dc") {
        true => "only sha1dc and sha1dc_many compute it",
        false => "use one of lanesum.algorithms_native",
    };
    PyValueError::new_err(format!("unsupported hash type {digestmod}: {remedy}"))
}

/// Returns the algorithm with this name; `None` if this package lacks it. Fails if `LANESUM_KERNEL`
/// allows no kernel for it, or if the environment is invalid.
pub(crate) fn native(name: &str) -> PyResult<Option<Algorithm>> {
    // The table has the alias `sha512_256`, but not `sha512_192`.
    let known =
        Algorithm::from_name(name).or_else(|| Algorithm::from_name(&name.replace('_', "/")));
    known.map(usable).transpose()
}

/// Returns the algorithm if `LANESUM_KERNEL` allows a kernel for it.
pub(crate) fn usable(algorithm: Algorithm) -> PyResult<Algorithm> {
    Policy::check_env(algorithm).map(|()| algorithm).map_err(invalid_environment)
}

/// Creates the error for `LANESUM_KERNEL` or `LANESUM_COSTS`.
fn invalid_environment(error: PolicyError) -> PyErr {
    PyValueError::new_err(format!("{}: {error}", error.variable()))
}

/// Returns the algorithm with the name in argument `argument`, which must be a string.
pub(crate) fn by_object(argument: &str, name: &Bound<'_, PyAny>) -> PyResult<Algorithm> {
    match name.cast::<PyString>() {
        Ok(name) => native(name.to_str()?)?.ok_or_else(|| unsupported(name)),
        Err(_) => {
            let kind = name.get_type().name()?;
            let text = format!("{argument}: the name of an algorithm is required, not '{kind}'");
            Err(PyTypeError::new_err(text))
        }
    }
}

/// Returns the algorithm that a `digestmod` selects: a name, or a hash constructor or module of
/// this package or `hashlib`.
pub(crate) fn by_digestmod(digestmod: &Bound<'_, PyAny>) -> PyResult<Algorithm> {
    known_digestmod(digestmod)?.ok_or_else(|| unsupported(digestmod))
}

/// Returns the algorithm that a `digestmod` selects; `None` if it is valid, but selects none of this
/// package: one of `hashlib`, or a constructor with settings, such as a partial one of `sha1dc`.
pub(crate) fn known_digestmod(digestmod: &Bound<'_, PyAny>) -> PyResult<Option<Algorithm>> {
    if let Ok(name) = digestmod.cast::<PyString>() {
        return native(name.to_str()?);
    }
    let made =
        if digestmod.is_callable() { digestmod.call0()? } else { digestmod.call_method0("new")? };
    let name = made.getattr_opt("name")?;
    let name = name.as_ref().and_then(|name| name.cast::<PyString>().ok());
    let Some(algorithm) = name.map(|name| native(name.to_str()?)).transpose()?.flatten() else {
        return Ok(None);
    };
    // A constructor with settings, such as sha1dc's, or one that starts with a message prefix, does
    // not compute the plain digest.
    let is_plain = !made.hasattr("is_collision")?
        && made.call_method0("digest")?.extract::<&[u8]>()? == hash(algorithm, "").as_bytes();
    Ok(is_plain.then_some(algorithm))
}

/// Fails if `LANESUM_KERNEL` or `LANESUM_COSTS` is invalid: for work with algorithms not known in advance.
pub(crate) fn check_environment() -> PyResult<()> {
    Policy::from_env().map(|_| ()).map_err(invalid_environment)
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    Policy::use_env();
    let names = Algorithm::all().map(python_name);
    let names = PyFrozenSet::new(module.py(), names.collect::<Vec<_>>())?;
    module.add("algorithms_native", names)
}
