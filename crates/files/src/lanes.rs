//! Lanes and hashers, with or without detection of SHA-1 collisions.

use lanesum::sha1dc::{self, Checked, Detection, Sha1Dc};
use lanesum::{Digest, Done, Engine, Hasher, HmacKey, Message};

use crate::ForeignHasher;

/// Lanes for messages of one algorithm.
#[allow(clippy::large_enum_variant, reason = "a worker has few of them")]
pub(crate) enum Lanes<M: Message> {
    Plain(lanesum::Lanes<M>),
    Watched(sha1dc::Lanes<M>),
}

/// A finished message.
pub(crate) struct Ended<M: Message> {
    pub(crate) message: M,
    pub(crate) hashed: Result<Hashed, M::Error>,
}

/// The result of hashing a message.
#[derive(Clone, Copy)]
pub(crate) struct Hashed {
    pub(crate) digest: Digest,
    pub(crate) is_collision: bool,
}

impl From<Digest> for Hashed {
    fn from(digest: Digest) -> Self {
        Self { digest, is_collision: false }
    }
}

impl From<Checked> for Hashed {
    fn from(checked: Checked) -> Self {
        Self { digest: checked.into(), is_collision: checked.is_collision() }
    }
}

impl<M: Message> Lanes<M> {
    /// Creates lanes on the engine's kernels. If `detects_collisions`, they detect collisions and the engine
    /// must be SHA-1's.
    pub(crate) fn new(engine: Engine, detects_collisions: bool) -> Self {
        match detects_collisions {
            true => Self::Watched(sha1dc::Lanes::new(engine, Detection::new())),
            false => Self::Plain(lanesum::Lanes::new(engine)),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Plain(lanes) => lanes.is_empty(),
            Self::Watched(lanes) => lanes.is_empty(),
        }
    }

    /// Puts a message in a lane. With a key, its digest is an HMAC.
    pub(crate) fn push(&mut self, message: M, key: Option<&HmacKey>) -> Option<Ended<M>> {
        match (self, key) {
            (Self::Plain(lanes), None) => lanes.push(message).map(plain),
            (Self::Plain(lanes), Some(key)) => lanes.push_keyed(key, message).map(plain),
            (Self::Watched(lanes), None) => lanes.push(message).map(watched),
            (Self::Watched(_), Some(_)) => unreachable!("HMACs do not detect collisions"),
        }
    }

    pub(crate) fn advance(&mut self) -> Option<Ended<M>> {
        match self {
            Self::Plain(lanes) => lanes.advance().map(plain),
            Self::Watched(lanes) => lanes.advance().map(watched),
        }
    }
}

fn plain<M: Message>(done: Done<M>) -> Ended<M> {
    Ended { message: done.message, hashed: done.digest.map(Hashed::from) }
}

fn watched<M: Message>(done: sha1dc::Done<M>) -> Ended<M> {
    Ended { message: done.message, hashed: done.checked.map(Hashed::from) }
}

/// A hasher for a single message.
#[derive(Clone)]
pub(crate) enum Stream {
    Plain(Hasher),
    Watched(Sha1Dc),
    Foreign(ForeignHasher),
}

impl Stream {
    /// Creates a hasher. If `detects_collisions`, it detects collisions and the engine must be SHA-1's.
    pub(crate) fn new(engine: Engine, detects_collisions: bool) -> Self {
        match detects_collisions {
            true => Self::Watched(Sha1Dc::with(engine, Detection::new())),
            false => Self::Plain(Hasher::new(engine)),
        }
    }

    pub(crate) fn update(&mut self, bytes: &[u8]) {
        match self {
            Self::Plain(hasher) => _ = hasher.update(bytes),
            Self::Watched(hasher) => _ = hasher.update(bytes),
            Self::Foreign(hasher) => hasher.update(bytes),
        }
    }

    pub(crate) fn finish(&self) -> Hashed {
        match self {
            Self::Plain(hasher) => hasher.finish().into(),
            Self::Watched(hasher) => hasher.finish().into(),
            Self::Foreign(hasher) => hasher.finish().into(),
        }
    }

    /// Returns the state. `None` for collision detection and foreign algorithms, whose state cannot
    /// be stored.
    pub(crate) fn state(&self) -> Option<Hasher> {
        match self {
            Self::Plain(hasher) => Some(hasher.clone()),
            Self::Watched(_) | Self::Foreign(_) => None,
        }
    }
}
