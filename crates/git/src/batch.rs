//! Decoded objects, hashed many at a time in lanes.

use lanesum::sha1dc::{self, Checked, Detection, Sha1Dc};
use lanesum::{Digest, Engine, Hasher, hash_many};

use crate::inflate::{Stream, too_short};
use crate::object::{ObjectHash, id};
use crate::report::{Class, Fault};

/// Hash a batch once it has this many bytes: enough to fill the lanes, few enough for the cache.
const BATCH_BYTES: usize = 1 << 20;

/// Hash a batch once it has this many objects.
const BATCH_OBJECTS: usize = 1024;

/// The digest of an object.
pub(crate) struct Hashed {
    digest: Digest,
    is_collision: bool,
}

impl Hashed {
    /// Compares the digest with the id of the object.
    pub(crate) fn matches(&self, expected: &[u8]) -> Result<(), Fault> {
        if self.is_collision {
            let reason = "a block is part of a SHA-1 collision attack".into();
            return Err(Fault { class: Class::Collision, reason });
        }
        if self.digest != *expected {
            return Err(Fault::rotted(format!("its contents have the id {}", self.digest)));
        }
        Ok(())
    }
}

impl From<Checked> for Hashed {
    fn from(checked: Checked) -> Self {
        Self { digest: checked.into(), is_collision: checked.is_collision() }
    }
}

/// Objects with a key each.
pub(crate) struct Batch<K, M> {
    keys: Vec<K>,
    messages: Vec<M>,
    bytes: usize,
}

impl<K, M: AsRef<[u8]> + Sync> Batch<K, M> {
    pub(crate) fn new() -> Self {
        Self { keys: Vec::new(), messages: Vec::new(), bytes: 0 }
    }

    /// Adds a message. Returns whether the batch should be hashed now.
    pub(crate) fn push(&mut self, key: K, message: M) -> bool {
        self.bytes += message.as_ref().len();
        self.keys.push(key);
        self.messages.push(message);
        self.bytes >= BATCH_BYTES || self.keys.len() >= BATCH_OBJECTS
    }

    /// Hashes all messages and removes them.
    pub(crate) fn hash(
        &mut self,
        hash: ObjectHash,
        engine: &Engine,
        mut take: impl FnMut(K, M, Hashed),
    ) {
        let hashed: Vec<Hashed> = match hash {
            ObjectHash::Sha1 => {
                let mut all = vec![Checked::default(); self.messages.len()];
                sha1dc::hash_many(engine, Detection::new(), &self.messages, &mut all);
                all.into_iter().map(Hashed::from).collect()
            }
            ObjectHash::Sha256 => {
                let mut all = vec![[0; 32]; self.messages.len()];
                hash_many(engine, &self.messages, &mut all);
                all.iter()
                    .map(|digest| Hashed { digest: id(digest), is_collision: false })
                    .collect()
            }
        };
        self.bytes = 0;
        let keys = self.keys.drain(..).zip(self.messages.drain(..));
        keys.zip(hashed).for_each(|((key, message), hashed)| take(key, message, hashed));
    }
}

/// The hash of a long object that is decoded in pieces.
pub(crate) enum Long {
    Sha1(Box<Sha1Dc>),
    Sha256(Box<Hasher>),
}

impl Long {
    pub(crate) fn new(hash: ObjectHash, engine: &Engine) -> Self {
        match hash {
            ObjectHash::Sha1 => Self::Sha1(Box::new(Sha1Dc::with(engine, Detection::new()))),
            ObjectHash::Sha256 => Self::Sha256(Box::new(Hasher::new(engine))),
        }
    }

    pub(crate) fn update(&mut self, bytes: &[u8]) {
        match self {
            Self::Sha1(hasher) => _ = hasher.update(bytes),
            Self::Sha256(hasher) => _ = hasher.update(bytes),
        }
    }

    pub(crate) fn finish(&self) -> Hashed {
        match self {
            Self::Sha1(hasher) => hasher.finish().into(),
            Self::Sha256(hasher) => Hashed { digest: hasher.finish(), is_collision: false },
        }
    }
}

/// Hashes the last `left` bytes of a stream of `len` bytes.
pub(crate) fn hash_rest(
    mut stream: Stream<'_>,
    mut left: u64,
    len: u64,
    mut long: Long,
) -> Result<Hashed, Fault> {
    let mut buffer = vec![0; 256 << 10];
    while left > 0 {
        let wanted = left.min(buffer.len() as u64) as usize;
        let read = stream.read(&mut buffer[..wanted])?;
        if read == 0 {
            return Err(too_short(len - left, len));
        }
        long.update(&buffer[..read]);
        left -= read as u64;
    }
    stream.finish(len)?;
    Ok(long.finish())
}

#[cfg(test)]
mod tests {
    use lanesum::{Algorithm, sha1};

    use super::*;

    #[test]
    fn a_collision_is_found_at_every_place_of_a_batch() {
        let attack = include_bytes!("../../engine/tests/all/data/sha1dc/shattered-1.bin");
        let engine = Engine::new(Algorithm::SHA1);
        for place in 0..40 {
            let mut batch = Batch::new();
            for key in 0..40_u8 {
                let message =
                    if key == place { attack.to_vec() } else { vec![key; 20 * usize::from(key)] };
                assert!(!batch.push(key, message));
            }
            let mut count = 0;
            batch.hash(ObjectHash::Sha1, &engine, |key, message, hashed| {
                let class = hashed.matches(&sha1(&message)).err().map(|fault| fault.class);
                assert_eq!(class, (key == place).then_some(Class::Collision), "{key}");
                count += 1;
            });
            assert_eq!(count, 40);
        }
    }
}
