//! Properties of NumPy arrays that a buffer does not carry.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyMemoryView};

/// Rejects argument `name`, an array or an item of one, if it is masked: its buffer contains the
/// masked values, but not the mask.
pub(super) fn refuse_masked(name: &str, object: &Bound<'_, PyAny>) -> PyResult<()> {
    let Some(mask) = object.getattr_opt("mask")? else { return Ok(()) };
    // Unless the module is imported, no masked array exists. This avoids importing NumPy for other
    // objects.
    let modules = object.py().import("sys")?.getattr("modules")?;
    let module = modules.call_method1("get", ("numpy.ma",))?;
    if module.is_none() || !object.is_instance(&module.getattr("MaskedArray")?)? {
        return Ok(());
    }
    let mask: Vec<u8> = mask.call_method0("tobytes")?.extract()?;
    if mask.iter().all(|&byte| byte == 0) {
        return Ok(());
    }
    Err(PyTypeError::new_err(format!(
        "{name}: a masked array: fill it (`filled`), or make an Arrow column of it (`pyarrow.array`)"
    )))
}

/// Rejects an item that is an array whose buffer is not its value: of objects, or masked.
pub(super) fn check_item(item: &Bound<'_, PyAny>) -> PyResult<()> {
    let has_no_dtype =
        item.is_exact_instance_of::<PyByteArray>() || item.is_exact_instance_of::<PyMemoryView>();
    if has_no_dtype {
        return Ok(());
    }
    if let Some(dtype) = item.getattr_opt("dtype")?
        && has_objects(&dtype)?
    {
        return Err(PyTypeError::new_err("an array of objects is not one message"));
    }
    let Some(_) = item.getattr_opt("mask")? else { return Ok(()) };
    refuse_masked("masked item", item)
}

fn has_objects(dtype: &Bound<'_, PyAny>) -> PyResult<bool> {
    dtype.getattr_opt("hasobject")?.map_or(Ok(false), |has_objects| has_objects.is_truthy())
}

/// Reinterprets an array with a type that buffers lack (dates, and structures of them) as plain
/// bytes. Returns `None` for strings, for objects, and for other libraries' types.
pub(super) fn plain<'py>(array: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    match array.getattr_opt("dtype")? {
        Some(dtype) if !has_objects(&dtype)? => {
            let len: usize = dtype.getattr("itemsize")?.extract()?;
            array.call_method1("view", (format!("V{len}"),)).map(Some)
        }
        _ => Ok(None),
    }
}
