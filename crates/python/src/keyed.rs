//! Keys and passwords: HMAC objects, PBKDF2, HKDF.

use lanesum::{Algorithm, Hkdf, Hmac, HmacKey};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyInt, PyString};

use crate::algorithm::{by_object, known_digestmod, native, python_name};
use crate::buffer::Bytes;
use crate::errors::named;
use crate::hash::{Given, over};
use crate::object::Shared;

/// An HMAC of a message that may come in pieces, with the methods of `hmac.HMAC`.
///
/// key is bytes or bytearray, and msg the beginning of the message. digestmod is required: a name, or
/// a constructor or module of a hash. HMACs of SHA-3, BLAKE2 and other libraries' hashes are computed
/// by the standard library.
///
/// Raises TypeError for a key of another type, or without a digestmod.
#[pyclass(name = "HMAC", module = "lanesum.hmac", frozen)]
pub(crate) struct Mac(Kind);

#[expect(clippy::large_enum_variant, reason = "a box would cost an allocation per object")]
enum Kind {
    Native(Shared<Hmac>),
    /// An `hmac.HMAC` with a hash that this package lacks.
    Standard(Py<PyAny>),
}

/// Returns the bytes of a key. Fails with `hmac.HMAC`'s error for other types.
fn key_bytes<'a, 'py>(key: &'a Bound<'py, PyAny>) -> PyResult<Bytes<'a, 'py>> {
    if !key.is_instance_of::<PyBytes>() && !key.is_instance_of::<PyByteArray>() {
        let name = key.get_type().name()?;
        let text = format!("key: expected bytes or bytearray, but got '{name}'");
        return Err(PyTypeError::new_err(text));
    }
    Bytes::of(key)
}

impl Mac {
    /// Returns an attribute, computed by `native` if the hash is this package's.
    fn attribute<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        native: impl FnOnce(&Shared<Hmac>) -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match &self.0 {
            Kind::Native(mac) => native(mac),
            Kind::Standard(mac) => mac.bind(py).getattr(name),
        }
    }
}

#[pymethods]
impl Mac {
    #[new]
    #[pyo3(
        signature = (key, msg=None, digestmod=Given(None)),
        text_signature = "(key, msg=None, digestmod='')"
    )]
    fn new(
        py: Python<'_>,
        key: &Bound<'_, PyAny>,
        msg: Option<&Bound<'_, PyAny>>,
        digestmod: Given<'_, '_>,
    ) -> PyResult<Self> {
        let bytes = key_bytes(key)?;
        let digestmod = match digestmod.0 {
            Some(digestmod) if digestmod.is_truthy()? => digestmod,
            _ => return Err(PyTypeError::new_err("Missing required parameter 'digestmod'.")),
        };
        let Some(algorithm) = known_digestmod(&digestmod)? else {
            let class = py.import("hmac")?.getattr("HMAC")?;
            return Ok(Self(Kind::Standard(class.call1((key, msg, digestmod))?.unbind())));
        };
        let key = HmacKey::new(algorithm, bytes.as_slice());
        let mac = Shared::new(algorithm, Hmac::new(&key));
        if let Some(message) = msg {
            mac.update(py, message)?;
        }
        Ok(Self(Kind::Native(mac)))
    }

    /// `hmac-` and the name of the algorithm.
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.attribute(py, "name", |mac| {
            format!("hmac-{}", python_name(mac.algorithm())).into_bound_py_any(py)
        })
    }

    /// The length of the digest, in bytes.
    #[getter]
    fn digest_size<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.attribute(py, "digest_size", |mac| mac.algorithm().digest_len().into_bound_py_any(py))
    }

    /// The length of a block, in bytes.
    #[getter]
    fn block_size<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.attribute(py, "block_size", |mac| mac.algorithm().block_len().into_bound_py_any(py))
    }

    /// Appends the buffer msg to the message.
    fn update(&self, py: Python<'_>, msg: &Bound<'_, PyAny>) -> PyResult<()> {
        match &self.0 {
            Kind::Native(mac) => mac.update(py, msg),
            Kind::Standard(mac) => mac.bind(py).call_method1("update", (msg,)).map(drop),
        }
    }

    /// Returns the digest of the message so far, as bytes.
    fn digest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.0 {
            Kind::Native(mac) => Ok(PyBytes::new(py, mac.digest(py).as_bytes()).into_any()),
            Kind::Standard(mac) => mac.bind(py).call_method0("digest"),
        }
    }

    /// Returns the digest of the message so far, as lower-case hexadecimal.
    fn hexdigest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.0 {
            Kind::Native(mac) => mac.digest(py).to_string().into_bound_py_any(py),
            Kind::Standard(mac) => mac.bind(py).call_method0("hexdigest"),
        }
    }

    /// Returns a copy with the same message so far.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        Ok(Self(match &self.0 {
            Kind::Native(mac) => Kind::Native(mac.copy(py)),
            Kind::Standard(mac) => Kind::Standard(mac.bind(py).call_method0("copy")?.unbind()),
        }))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let name = slf.get().name(slf.py())?;
        let name = name.extract::<String>()?;
        let name = name.trim_start_matches("hmac-");
        Ok(format!("<{name} lanesum.hmac.HMAC object @ {:p}>", slf.as_ptr()))
    }
}

/// Returns the HMAC of one message as bytes, faster than an object.
///
/// key and msg are buffers, and digest is a name, or a constructor or module of a hash. HMACs of SHA-3,
/// BLAKE2 and other libraries' hashes are computed by the standard library.
///
///     >>> lanesum.hmac.digest(b"key", b"message", "sha256").hex()[:16]
///     '6e9ef29b75fffc5b'
#[pyfunction]
#[pyo3(name = "hmac_digest", text_signature = "(key, msg, digest)")]
fn tag<'py>(
    py: Python<'py>,
    key: &Bound<'py, PyAny>,
    msg: &Bound<'py, PyAny>,
    digest: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let Some(algorithm) = known_digestmod(digest)? else {
        let standard = py.import("hmac")?.getattr("digest")?;
        return Ok(standard.call1((key, msg, digest))?.cast_into()?);
    };
    Ok(tagged(py, algorithm, &Bytes::of_argument(key)?, &Bytes::of_argument(msg)?))
}

/// Computes the tag of a message under a key.
fn tagged<'py>(
    py: Python<'py>,
    algorithm: Algorithm,
    key: &Bytes<'_, '_>,
    message: &Bytes<'_, '_>,
) -> Bound<'py, PyBytes> {
    let key = HmacKey::new(algorithm, key.as_slice());
    let tag = over(py, message.as_slice(), |message| key.mac(message));
    PyBytes::new(py, tag.as_bytes())
}

/// The iterations and key length of PBKDF2, validated with `hashlib`'s errors.
pub(crate) struct Cost {
    pub(crate) iterations: u32,
    pub(crate) key_len: usize,
}

impl Cost {
    pub(crate) fn new(
        algorithm: Algorithm,
        iterations: &Bound<'_, PyInt>,
        dklen: Option<&Bound<'_, PyInt>>,
    ) -> PyResult<Self> {
        /// Returns the number if OpenSSL accepts it.
        fn number(int: &Bound<'_, PyInt>, what: &str) -> PyResult<u32> {
            let most = i64::from(i32::MAX);
            match int.extract::<i64>() {
                Ok(number) if number < 1 => {
                    Err(PyValueError::new_err(format!("{what} must be greater than 0.")))
                }
                Ok(number) if number <= most => Ok(number as u32),
                _ if int.lt(0)? => {
                    Err(PyValueError::new_err(format!("{what} must be greater than 0.")))
                }
                _ => Err(PyOverflowError::new_err(format!("{what} is too great."))),
            }
        }
        let iterations = number(iterations, "iteration value")?;
        let key_len = match dklen {
            Some(dklen) => number(dklen, "key length")? as usize,
            None => algorithm.digest_len(),
        };
        Ok(Self { iterations, key_len })
    }
}

/// Derives a key from a password with PBKDF2 and HMAC, which RFC 8018 defines.
///
/// hash_name is the name of the algorithm under HMAC, such as "sha256"; the standard library
/// computes algorithms that this package lacks. password and salt are buffers. iterations is PBKDF2's
/// iteration count. dklen is the length of the key in bytes; None means the length of a digest. A key
/// longer than a digest takes that many iterations for each part of it that is as long as a digest.
///
/// Raises ValueError for an unknown name and for less than one iteration or byte, OverflowError
/// for 2**31 of either or more, TypeError for an argument that is not a buffer.
///
///     >>> len(lanesum.pbkdf2_hmac("sha256", b"password", b"salt", 100_000, dklen=16))
///     16
#[pyfunction]
#[pyo3(signature = (hash_name, password, salt, iterations, dklen=None))]
fn pbkdf2_hmac<'py>(
    py: Python<'py>,
    hash_name: &Bound<'py, PyString>,
    password: &Bound<'py, PyAny>,
    salt: &Bound<'py, PyAny>,
    iterations: &Bound<'py, PyInt>,
    dklen: Option<&Bound<'py, PyInt>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let Some(algorithm) = native(hash_name.to_str()?)? else {
        let standard = py.import("hashlib")?;
        if !standard.getattr("algorithms_available")?.contains(hash_name)? {
            return Err(PyValueError::new_err(format!("unsupported hash type {hash_name}")));
        }
        let arguments = (hash_name, password, salt, iterations, dklen);
        return Ok(standard.call_method1("pbkdf2_hmac", arguments)?.cast_into()?);
    };
    let (password, salt) = (Bytes::of_argument(password)?, Bytes::of_argument(salt)?);
    let cost = Cost::new(algorithm, iterations, dklen)?;
    let (password, salt) = (password.as_slice(), salt.as_slice());
    PyBytes::new_with(py, cost.key_len, |key| {
        py.detach(|| lanesum::pbkdf2(algorithm, password, salt, cost.iterations, key))
            .map_err(|error| PyValueError::new_err(error.to_string()))
    })
}

/// Derives a key from a secret with HKDF, which RFC 5869 defines.
///
/// hash_name is the name of an algorithm such as "sha256", secret a buffer with the input key, and
/// length the length of the key in bytes. salt is a buffer that need not be secret; info is a buffer
/// that names the key's purpose.
///
/// Raises ValueError for an unknown name and for more than 255 digests, TypeError for an argument that
/// is not a buffer.
///
///     >>> len(lanesum.hkdf("sha256", b"secret", 42, salt=b"salt", info=b"purpose"))
///     42
#[pyfunction]
#[pyo3(
    signature = (hash_name, secret, length, *, salt=Given(None), info=Given(None)),
    text_signature = "(hash_name, secret, length, *, salt=b'', info=b'')"
)]
fn hkdf<'py>(
    py: Python<'py>,
    hash_name: &Bound<'py, PyAny>,
    secret: &Bound<'py, PyAny>,
    length: &Bound<'py, PyAny>,
    salt: Given<'_, 'py>,
    info: Given<'_, 'py>,
) -> PyResult<Bound<'py, PyBytes>> {
    let algorithm = by_object("hash_name", hash_name)?;
    let secret = Bytes::of_named("secret", secret)?;
    let salt = salt.0.as_deref().map(|salt| Bytes::of_named("salt", salt)).transpose()?;
    let salt = salt.as_ref().map_or(&[][..], Bytes::as_slice);
    let hkdf = over(py, secret.as_slice(), |secret| Hkdf::new(algorithm, salt, secret));
    expanded(py, &hkdf, length, info)
}

/// Runs the first step of HKDF only: returns the HMAC of the secret under the salt.
///
/// hash_name is the name of an algorithm such as "sha256"; salt and secret are buffers.
///
///     >>> len(lanesum.hkdf_extract("sha256", b"salt", b"secret"))
///     32
#[pyfunction]
#[pyo3(name = "hkdf_extract", text_signature = "(hash_name, salt, secret)")]
fn extract<'py>(
    py: Python<'py>,
    hash_name: &Bound<'py, PyAny>,
    salt: &Bound<'py, PyAny>,
    secret: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let algorithm = by_object("hash_name", hash_name)?;
    let (salt, secret) = (Bytes::of_named("salt", salt)?, Bytes::of_named("secret", secret)?);
    Ok(tagged(py, algorithm, &salt, &secret))
}

/// Runs the second step of HKDF only: expands the key that the first one extracted.
///
/// hash_name is the name of an algorithm such as "sha256", key a buffer with the extracted key, length the
/// length of the result in bytes, and info a buffer that names its purpose.
///
/// Raises ValueError for a key that is shorter than a digest, and for more than 255 digests.
///
///     >>> key = lanesum.hkdf_extract("sha256", b"salt", b"secret")
///     >>> lanesum.hkdf_expand("sha256", key, 16) == lanesum.hkdf("sha256", b"secret", 16, salt=b"salt")
///     True
#[pyfunction]
#[pyo3(
    name = "hkdf_expand",
    signature = (hash_name, key, length, *, info=Given(None)),
    text_signature = "(hash_name, key, length, *, info=b'')"
)]
fn expand<'py>(
    py: Python<'py>,
    hash_name: &Bound<'py, PyAny>,
    key: &Bound<'py, PyAny>,
    length: &Bound<'py, PyAny>,
    info: Given<'_, 'py>,
) -> PyResult<Bound<'py, PyBytes>> {
    let algorithm = by_object("hash_name", hash_name)?;
    let key = Bytes::of_named("key", key)?;
    let hkdf = Hkdf::from_extracted(algorithm, key.as_slice())
        .map_err(|error| PyValueError::new_err(format!("key: {error}")))?;
    expanded(py, &hkdf, length, info)
}

fn expanded<'py>(
    py: Python<'py>,
    hkdf: &Hkdf,
    length: &Bound<'py, PyAny>,
    info: Given<'_, 'py>,
) -> PyResult<Bound<'py, PyBytes>> {
    let info = info.0.as_deref().map(|info| Bytes::of_named("info", info)).transpose()?;
    let info = info.as_ref().map_or(&[][..], Bytes::as_slice);
    // Check before the memory is allocated.
    let most = 255 * hkdf.algorithm().digest_len();
    let length = match length.extract::<usize>() {
        Ok(length) if length <= most => length,
        Err(error) if !error.is_instance_of::<PyOverflowError>(py) => {
            return Err(named(py, error, "length"));
        }
        _ => {
            let text = format!("length: between 0 and {most} bytes are required, not {length}");
            return Err(PyValueError::new_err(text));
        }
    };
    PyBytes::new_with(py, length, |key| {
        hkdf.expand(info, key).map_err(|error| PyValueError::new_err(error.to_string()))
    })
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Mac>()?;
    module.add_function(wrap_pyfunction!(tag, module)?)?;
    module.add_function(wrap_pyfunction!(pbkdf2_hmac, module)?)?;
    module.add_function(wrap_pyfunction!(hkdf, module)?)?;
    module.add_function(wrap_pyfunction!(extract, module)?)?;
    module.add_function(wrap_pyfunction!(expand, module)?)
}
