//! Hash objects for one message, with `hashlib`'s interface.

use std::convert::Infallible;

use lanesum::{Algorithm, Digest, Hasher, hash};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

use crate::algorithm::{native, python_name, usable};
use crate::buffer::{Bytes, GIL_MINSIZE};
use crate::object::{Shared, State, protocol};

/// An incremental hash of a message.
///
/// Threads may share an object; each call is atomic.
#[pyclass(name = "HASH", module = "lanesum", frozen)]
pub(crate) struct Hash(Shared<Message>);

/// The message so far. A short message is buffered until its digest is requested: hashing it at
/// once takes half as long as in pieces.
#[derive(Clone)]
pub(crate) enum Message {
    Short { algorithm: Algorithm, len: usize, bytes: [u8; SHORT] },
    Long(Box<Hasher>),
}

/// Maximum length of a buffered message, in bytes.
const SHORT: usize = 128;

impl Message {
    fn new(algorithm: Algorithm) -> Self {
        Self::Short { algorithm, len: 0, bytes: [0; SHORT] }
    }
}

impl State for Message {
    #[inline]
    fn add(&mut self, more: &[u8]) {
        match self {
            Self::Short { len, bytes, .. } if more.len() <= SHORT - *len => {
                bytes[*len..][..more.len()].copy_from_slice(more);
                *len += more.len();
            }
            Self::Short { algorithm, len, bytes } => {
                let mut hasher = Hasher::new(*algorithm);
                hasher.update(&bytes[..*len]).update(more);
                *self = Self::Long(Box::new(hasher));
            }
            Self::Long(hasher) => {
                hasher.update(more);
            }
        }
    }

    #[inline]
    fn digest(&self) -> Digest {
        match self {
            Self::Short { algorithm, len, bytes } => hash(*algorithm, &bytes[..*len]),
            Self::Long(hasher) => hasher.finish(),
        }
    }
}

/// Runs `work` on bytes, releasing the GIL if there are many.
#[inline]
pub(crate) fn over<T: Send>(
    py: Python<'_>,
    bytes: &[u8],
    work: impl FnOnce(&[u8]) -> T + Send,
) -> T {
    if bytes.len() > GIL_MINSIZE { py.detach(|| work(bytes)) } else { work(bytes) }
}

impl Hash {
    fn new(py: Python<'_>, algorithm: Algorithm, data: Given<'_, '_>) -> PyResult<Self> {
        let mut message = Message::new(algorithm);
        if let Given(Some(data)) = data {
            let bytes = Bytes::of(&data)?;
            over(py, bytes.as_slice(), |bytes| message.add(bytes));
        }
        Ok(Self(Shared::new(algorithm, message)))
    }
}

protocol!(Hash {
    /// The name of the algorithm, in lower case.
    #[getter]
    fn name(&self) -> String {
        python_name(self.0.algorithm())
    }

    /// Appends the buffer obj to the message.
    #[pyo3(signature = (obj, /))]
    fn update(&self, py: Python<'_>, obj: &Bound<'_, PyAny>) -> PyResult<()> {
        self.0.update(py, obj)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> String {
        let name = python_name(slf.get().0.algorithm());
        format!("<{name} lanesum.HASH object @ {:p}>", slf.as_ptr())
    }
});

/// An optional argument; Python's None is a value.
#[derive(Clone, Copy)]
pub(crate) struct Given<'a, 'py>(pub(crate) Option<Borrowed<'a, 'py, PyAny>>);

impl<'a, 'py> FromPyObject<'a, 'py> for Given<'a, 'py> {
    type Error = Infallible;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> Result<Self, Infallible> {
        Ok(Self(Some(object)))
    }
}

/// Returns the message of a constructor: `data`, or the deprecated `string`.
fn message<'a, 'py>(
    function: &str,
    data: Given<'a, 'py>,
    string: Given<'a, 'py>,
) -> PyResult<Given<'a, 'py>> {
    match (data.0, string.0) {
        (Some(_), Some(_)) => Err(PyTypeError::new_err(format!(
            "{function}() takes one message: 'data' and 'string' are both given"
        ))),
        (data, string) => Ok(Given(data.or(string))),
    }
}

/// Returns a hash of the algorithm called name, which may be in upper or lower case.
///
/// data is a buffer, the beginning of the message. usedforsecurity has no effect. SHA-3, BLAKE2 and
/// other algorithms that this package lacks are hashlib's own objects, to which options are passed.
///
/// Raises ValueError for an unknown name, and the errors of the constructors.
///
///     >>> lanesum.new("SHA256", b"abc").hexdigest()[:16]
///     'ba7816bf8f01cfea'
#[pyfunction]
#[pyo3(
    signature = (name, data=Given(None), *, usedforsecurity=None, string=Given(None), **options),
    text_signature = "(name, data=b'', *, usedforsecurity=True, **options)"
)]
fn new<'py>(
    py: Python<'py>,
    name: &Bound<'py, PyAny>,
    data: Given<'_, 'py>,
    usedforsecurity: Option<&Bound<'py, PyAny>>,
    string: Given<'_, 'py>,
    options: Option<Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let data = message("new", data, string)?;
    let Ok(text) = name.cast::<PyString>() else {
        return Err(PyTypeError::new_err("name must be a string"));
    };
    match native(text.to_str()?)? {
        Some(algorithm) => {
            truth(usedforsecurity)?;
            if let Some((option, _)) = options.and_then(|options| options.iter().next()) {
                let text = format!("new() got an unexpected keyword argument '{option}'");
                return Err(PyTypeError::new_err(text));
            }
            Ok(Bound::new(py, Hash::new(py, algorithm, data)?)?.into_any())
        }
        None => {
            let options = options.unwrap_or_else(|| PyDict::new(py));
            if let Some(usedforsecurity) = usedforsecurity {
                options.set_item("usedforsecurity", usedforsecurity)?;
            }
            let constructor = py.import("hashlib")?.getattr("new")?;
            match data.0 {
                Some(data) => constructor.call((name, data), Some(&options)),
                None => constructor.call((name,), Some(&options)),
            }
        }
    }
}

/// `usedforsecurity` has no effect, but its truth value is evaluated, which may fail.
fn truth(usedforsecurity: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    usedforsecurity.map_or(Ok(()), |object| object.is_truthy().map(drop))
}

macro_rules! constructors {
    ($($function:ident $constant:ident $doc:literal)*) => {
        $(
            #[doc = concat!("Returns a ", $doc, " hash object.")]
            ///
            /// data is a buffer, the beginning of the message; update() adds to it. usedforsecurity
            /// has no effect.
            ///
            /// Raises TypeError for str and for objects that are not buffers, BufferError for a
            /// buffer that is not contiguous.
            ///
            #[doc = concat!("    >>> digest = lanesum.", stringify!($function), "(b\"abc\")")]
            #[doc = concat!("    >>> digest.name, len(digest.digest()) == digest.digest_size")]
            #[doc = concat!("    ('", stringify!($function), "', True)")]
            #[pyfunction]
            #[pyo3(
                signature = (data=Given(None), *, usedforsecurity=None, string=Given(None)),
                text_signature = "(data=b'', *, usedforsecurity=True)"
            )]
            fn $function(
                py: Python<'_>,
                data: Given<'_, '_>,
                usedforsecurity: Option<&Bound<'_, PyAny>>,
                string: Given<'_, '_>,
            ) -> PyResult<Hash> {
                truth(usedforsecurity)?;
                Hash::new(py, usable(Algorithm::$constant)?, message(stringify!($function), data, string)?)
            }
        )*

        pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
            module.add_class::<Hash>()?;
            module.add_function(wrap_pyfunction!(new, module)?)?;
            $(module.add_function(wrap_pyfunction!($function, module)?)?;)*
            Ok(())
        }
    };
}
constructors! {
    sha1 SHA1 "SHA-1"
    sha224 SHA224 "SHA-224"
    sha256 SHA256 "SHA-256"
    sha384 SHA384 "SHA-384"
    sha512 SHA512 "SHA-512"
    sha512_224 SHA512_224 "SHA-512/224"
    sha512_256 SHA512_256 "SHA-512/256"
    md5 MD5 "MD5"
    ripemd160 RIPEMD160 "RIPEMD-160"
    sm3 SM3 "SM3"
}
