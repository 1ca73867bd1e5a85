//! Shared code of hash and HMAC objects: `hashlib`'s protocol.

use std::sync::{Mutex, MutexGuard, PoisonError};

use lanesum::{Algorithm, Digest, Hmac};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;

use crate::buffer::{Bytes, GIL_MINSIZE};

/// An incremental hasher.
pub(crate) trait State: Clone + Send {
    /// Appends `bytes` to the message.
    fn add(&mut self, bytes: &[u8]);

    /// Returns the digest of the message so far.
    fn digest(&self) -> Digest;
}

impl State for Hmac {
    fn add(&mut self, bytes: &[u8]) {
        self.update(bytes);
    }

    fn digest(&self) -> Digest {
        self.finish()
    }
}

/// A value that one thread accesses at a time.
pub(crate) struct Alone<S>(Mutex<S>);

impl<S: Send> Alone<S> {
    pub(crate) fn new(value: S) -> Self {
        Self(Mutex::new(value))
    }

    /// Locks the value, also if a call that held the lock panicked: no state is invalid.
    fn locked<'m>(&'m self, py: Python<'_>) -> MutexGuard<'m, S> {
        match self.0.try_lock() {
            Ok(guard) => guard,
            // Releases the GIL while another thread holds this lock.
            Err(_) => self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner),
        }
    }

    /// Runs `work` on the value.
    pub(crate) fn with<T>(&self, py: Python<'_>, work: impl FnOnce(&mut S) -> T) -> T {
        work(&mut self.locked(py))
    }

    /// Runs `work` on the value while other Python threads run.
    pub(crate) fn detached<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut S) -> T + Send,
    ) -> T {
        py.detach(|| work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    /// Runs `work` on the value with `bytes`, releasing the GIL if there are many.
    pub(crate) fn with_bytes<T: Send>(
        &self,
        py: Python<'_>,
        bytes: &[u8],
        work: impl FnOnce(&mut S, &[u8]) -> T + Send,
    ) -> T {
        match bytes.len() > GIL_MINSIZE {
            true => self.detached(py, |value| work(value, bytes)),
            false => self.with(py, |value| work(value, bytes)),
        }
    }
}

/// The state of a message, which threads may share: each call is atomic.
pub(crate) struct Shared<S> {
    algorithm: Algorithm,
    state: Alone<S>,
}

impl<S: State> Shared<S> {
    pub(crate) fn new(algorithm: Algorithm, state: S) -> Self {
        Self { algorithm, state: Alone::new(state) }
    }

    pub(crate) fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Appends the bytes of a buffer to the message, releasing the GIL if there are many.
    pub(crate) fn update(&self, py: Python<'_>, object: &Bound<'_, PyAny>) -> PyResult<()> {
        let bytes = Bytes::of(object)?;
        self.state.with_bytes(py, bytes.as_slice(), |state, bytes| state.add(bytes));
        Ok(())
    }

    /// Returns the digest of the message so far.
    pub(crate) fn digest(&self, py: Python<'_>) -> Digest {
        self.state.with(py, |state| state.digest())
    }

    /// Returns a copy of the hasher.
    pub(crate) fn copied(&self, py: Python<'_>) -> S {
        self.state.with(py, |state| state.clone())
    }

    /// Returns a copy for another object.
    pub(crate) fn copy(&self, py: Python<'_>) -> Self {
        Self::new(self.algorithm, self.copied(py))
    }
}

/// Implements the methods of `hashlib`'s objects for `$class`, which wraps a [`Shared`] state,
/// together with `$own`: PyO3 requires all methods of a class in one block.
macro_rules! protocol {
    ($class:ident { $($own:tt)* }) => {
        #[pymethods]
        impl $class {
            $($own)*

            /// The length of the digest, in bytes.
            #[getter]
            fn digest_size(&self) -> usize {
                self.0.algorithm().digest_len()
            }

            /// The length of a block, in bytes.
            #[getter]
            fn block_size(&self) -> usize {
                self.0.algorithm().block_len()
            }

            /// Returns the digest of the message so far, as bytes.
            fn digest<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
                PyBytes::new(py, self.0.digest(py).as_bytes())
            }

            /// Returns the digest of the message so far, as lower-case hexadecimal.
            fn hexdigest(&self, py: Python<'_>) -> String {
                self.0.digest(py).to_string()
            }

            /// Returns an independent copy with the same message so far.
            fn copy(&self, py: Python<'_>) -> Self {
                Self(self.0.copy(py))
            }
        }
    };
}
pub(crate) use protocol;
