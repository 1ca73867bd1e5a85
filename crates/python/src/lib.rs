//! The Python package `lanesum`: hash objects with `hashlib`'s interface, and batches over lists,
//! arrays and columns. The Python code is in `python/lanesum`.

mod algorithm;
mod arrow;
mod audit;
mod batch;
mod buffer;
mod directory;
mod errors;
mod files;
mod foreign;
mod hash;
mod keyed;
mod log;
mod object;
mod run;
mod sha1dc;
mod tree;

use pyo3::prelude::*;

/// The native half of the package; `python/lanesum/__init__.py` exports its public part.
#[pymodule(gil_used = false)]
fn _lanesum(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    algorithm::register(module)?;
    hash::register(module)?;
    keyed::register(module)?;
    batch::register(module)?;
    sha1dc::register(module)?;
    log::register(&tree::register(module)?)?;
    files::register(module)?;
    audit::register(module)?;
    directory::register(module)
}
