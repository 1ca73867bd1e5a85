//! The operations of a session, at most one of each kind at a time, §5.10 to §5.13.

use cryptoki_sys::*;
use engine::{Algorithm, Digest, Hasher, Hmac, HmacKey, hash};

use crate::guard::hashing;

/// The operations of a session.
#[derive(Default)]
pub struct Session {
    pub digest: Option<Operation<Digesting>>,
    pub sign: Option<Operation<Authenticating>>,
    pub verify: Option<Operation<Authenticating>>,
    /// The found objects that are not yet returned, in reverse order.
    pub find: Option<Vec<CK_OBJECT_HANDLE>>,
}

/// An active operation.
pub struct Operation<O> {
    pub on: O,
    course: Course,
}

/// How the application passes the message.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Course {
    /// No part has arrived.
    Open,
    /// At once. It cannot be finished in parts, even if a call only queried the length or its
    /// buffer was too small.
    One,
    /// In parts. At least one has arrived, possibly empty.
    Parts,
}

/// The outcome of a call that ends an operation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Returned a length: the operation remains active.
    Told,
    /// Wrote the result, or compared it.
    Done,
}

impl<O> Operation<O> {
    /// Creates an operation, before any part of its message.
    pub fn new(on: O) -> Self {
        Self { on, course: Course::Open }
    }

    /// Creates an operation whose message has already arrived in part.
    pub fn in_parts(on: O) -> Self {
        Self { on, course: Course::Parts }
    }
}

/// Begins an operation, if none of its kind is active. A null mechanism ends an active operation
/// (PKCS #11 3.0 §5.10, C_DigestInit).
pub fn begin<O>(
    operation: &mut Option<Operation<O>>,
    mechanism: *const CK_MECHANISM,
    first: impl FnOnce() -> Result<O, CK_RV>,
) -> Result<(), CK_RV> {
    match (operation.is_some(), mechanism.is_null()) {
        (true, true) => *operation = None,
        (true, false) => return Err(CKR_OPERATION_ACTIVE),
        (false, true) => return Err(CKR_ARGUMENTS_BAD),
        (false, false) => *operation = Some(Operation::new(first()?)),
    }
    Ok(())
}

/// Adds a part to the message. An error ends the operation.
pub fn part<O>(
    operation: &mut Option<Operation<O>>,
    add: impl FnOnce(&mut O) -> Result<(), CK_RV>,
) -> Result<(), CK_RV> {
    let active = operation.as_mut().ok_or(CKR_OPERATION_NOT_INITIALIZED)?;
    active.course = Course::Parts;
    let result = add(&mut active.on);
    if result.is_err() {
        *operation = None;
    }
    result
}

/// Ends an operation whose message is passed at once.
pub fn one<O>(
    operation: &mut Option<Operation<O>>,
    end: impl FnOnce(&mut O) -> Result<Outcome, CK_RV>,
) -> Result<(), CK_RV> {
    self::end(operation, Course::Parts, |active| {
        active.course = Course::One;
        end(&mut active.on)
    })
}

/// Ends an operation whose message was passed in parts.
pub fn last<O>(
    operation: &mut Option<Operation<O>>,
    end: impl FnOnce(&mut O) -> Result<Outcome, CK_RV>,
) -> Result<(), CK_RV> {
    self::end(operation, Course::One, |active| end(&mut active.on))
}

/// Ends an active operation, and fails if its message is passed in the `other` way. The operation
/// remains active if the call only queried the length or its buffer was too small: "always
/// terminates the active operation" (§5.10 and following).
fn end<O>(
    operation: &mut Option<Operation<O>>,
    other: Course,
    end: impl FnOnce(&mut Operation<O>) -> Result<Outcome, CK_RV>,
) -> Result<(), CK_RV> {
    let active = operation.as_mut().ok_or(CKR_OPERATION_NOT_INITIALIZED)?;
    let result = if active.course == other { Err(CKR_OPERATION_ACTIVE) } else { end(active) };
    if !matches!(result, Ok(Outcome::Told) | Err(CKR_BUFFER_TOO_SMALL)) {
        *operation = None;
    }
    result.map(drop)
}

/// An incremental digest.
pub struct Digesting {
    pub algorithm: Algorithm,
    /// The hash of the parts, possibly empty; `None` before the first part.
    pub parts: Option<Hasher>,
    /// Whether a key is part of the message.
    pub has_key: bool,
}

impl Digesting {
    pub fn new(algorithm: Algorithm) -> Self {
        Self { algorithm, parts: None, has_key: false }
    }

    pub fn update(&mut self, part: &[u8]) {
        let hasher = self.parts.get_or_insert_with(|| Hasher::new(self.algorithm));
        hashing(self.has_key, || {
            hasher.update(part);
        });
    }

    /// Returns the digest of all parts.
    pub fn digest(&self) -> Digest {
        match &self.parts {
            Some(hasher) => hashing(self.has_key, || hasher.finish()),
            None => hash(self.algorithm, []),
        }
    }
}

impl Drop for Digesting {
    /// Overwrites the hash, since a key may be part of the message.
    fn drop(&mut self) {
        if let Some(hasher) = &mut self.parts {
            *hasher = Hasher::new(self.algorithm);
            zeroize::optimization_barrier(hasher);
        }
    }
}

/// An incremental HMAC, to sign or to verify.
pub struct Authenticating {
    hmac: Hmac,
    /// The length of the tag, in bytes.
    pub len: usize,
}

impl Authenticating {
    pub fn new(key: &HmacKey, len: usize) -> Self {
        Self { hmac: Hmac::new(key), len }
    }

    pub fn update(&mut self, part: &[u8]) {
        self.hmac.update(part);
    }

    /// Returns the untruncated tag of all parts and `data`.
    pub fn tag(&mut self, data: &[u8]) -> Digest {
        self.hmac.update(data);
        self.hmac.finish()
    }

    /// Compares the tag of all parts and `data` with `tag`, in constant time.
    pub fn verify(&mut self, data: &[u8], tag: &[u8]) -> Result<Outcome, CK_RV> {
        if tag.len() != self.len {
            return Err(CKR_SIGNATURE_LEN_RANGE);
        }
        self.hmac.update(data);
        match self.hmac.verify_truncated(tag, self.len) {
            Ok(()) => Ok(Outcome::Done),
            Err(_) => Err(CKR_SIGNATURE_INVALID),
        }
    }
}
