//! HMAC, RFC 2104 and FIPS 198-1, of one message or many.

use core::fmt;

use lanesum_spec::{Algorithm, MAX_BLOCK};

use super::stack::{Depth, wiping_stack};
use crate::base::wipe;
use crate::choose::{AsEngine, Plan, Selected};
use crate::kernel::One;
use crate::run::{Chain, compress_lanes};
use crate::words::{MAX_LANES, State};
use crate::{Digest, Hasher, Messages};

/// A prepared HMAC key. The two blocks that depend only on the key are compressed once, here; a
/// message then costs its own blocks plus one.
///
/// ```
/// use lanesum::{Algorithm, HmacKey};
///
/// let key = HmacKey::new(Algorithm::SHA256, b"Jefe");
/// let tag = key.mac(b"what do ya want for nothing?");
/// assert_eq!(tag.to_string()[..8], *"5bdcc146");
/// key.verify(b"what do ya want for nothing?", tag)?;
/// # Ok::<(), lanesum::VerifyError>(())
/// ```
///
/// As secret as the key itself; overwritten when dropped.
pub struct HmacKey {
    algorithm: Algorithm,
    one: One,
    /// The chaining value after K ⊕ ipad, from which the inner hash continues.
    inner: Chain,
    /// The chaining value after K ⊕ opad, from which the outer hash continues.
    outer: Chain,
}

impl Clone for HmacKey {
    fn clone(&self) -> Self {
        wiping_stack(Depth::Short, || self.copied())
    }
}

/// The bytes XORed with the inner and outer key blocks, FIPS 198-1 §4.
const IPAD: u8 = 0x36;
const OPAD: u8 = 0x5c;

/// K0 of FIPS 198-1 §4: the key, or its digest if longer than a block, padded to a block with
/// zeros.
fn key_block(algorithm: Algorithm, key: &[u8], one: One) -> [u8; MAX_BLOCK] {
    let mut block = [0; MAX_BLOCK];
    if key.len() <= algorithm.block_len() {
        block[..key.len()].copy_from_slice(key);
        return block;
    }
    let mut hasher = Hasher::resumed(algorithm, one, Chain::initial(algorithm), 0);
    hasher.add(key);
    let mut digest = hasher.finish();
    block[..algorithm.digest_len()].copy_from_slice(digest.as_bytes());
    digest.wipe();
    hasher.wipe();
    block
}

impl HmacKey {
    /// Copies the key. The caller overwrites the stack that this uses.
    pub(crate) fn copied(&self) -> Self {
        let (inner, outer) = (self.inner.clone(), self.outer.clone());
        Self { algorithm: self.algorithm, one: self.one, inner, outer }
    }

    /// Prepares a key of any length. A key longer than a block is replaced by its digest
    /// (FIPS 198-1 §4). Single messages run on the engine's kernel for one message.
    // Not inlined: in the caller's frame, moving the result would leave a copy behind.
    #[inline(never)]
    pub fn new(engine: impl AsEngine, key: impl AsRef<[u8]>) -> Self {
        let choice = engine.choice();
        let (one, key) = (choice.one(), key.as_ref());
        wiping_stack(Depth::of_one(one), || Self::made(choice.algorithm(), key, one))
    }

    /// Prepares the key. The caller overwrites the stack that this uses.
    pub(super) fn made(algorithm: Algorithm, key: &[u8], one: One) -> Self {
        let mut made = Self::blank(algorithm, one);
        made.set(key);
        made
    }

    /// Returns a value without a key, to be completed by [`set`](Self::set).
    pub(super) fn blank(algorithm: Algorithm, one: One) -> Self {
        let [inner, outer] = [Chain::initial(algorithm), Chain::initial(algorithm)];
        Self { algorithm, one, inner, outer }
    }

    /// Sets the key of a blank value in place.
    pub(super) fn set(&mut self, key: &[u8]) {
        let mut block = key_block(self.algorithm, key, self.one);
        for (chain, pad) in [(&mut self.inner, IPAD), (&mut self.outer, IPAD ^ OPAD)] {
            block.iter_mut().for_each(|byte| *byte ^= pad);
            chain.compress(self.one, &block[..self.algorithm.block_len()]);
        }
        wipe(&mut block, 0);
    }

    /// Replaces `keys`, all of one algorithm, with the keys in `bytes`, in lanes.
    pub(crate) fn replace<M: Messages + ?Sized>(keys: &mut [Self], plan: &Plan, bytes: &M) {
        let Some(&Self { algorithm, one, .. }) = keys.first() else { return };
        let family = algorithm.family();
        let mut blocks = [[0; MAX_BLOCK]; MAX_LANES];
        let mut state = State::new(family);
        for (group, keys) in keys.chunks_mut(plan.lanes()).enumerate() {
            for (l, block) in blocks.iter_mut().take(keys.len()).enumerate() {
                *block = key_block(algorithm, bytes.message(group * plan.lanes() + l), one);
            }
            for pad in [IPAD, IPAD ^ OPAD] {
                blocks.as_flattened_mut().iter_mut().for_each(|byte| *byte ^= pad);
                (0..MAX_LANES).for_each(|l| state.set(l, &algorithm.iv()));
                let block = |l: usize| &blocks[l][..family.block_len()];
                compress_lanes(plan, family, &mut state, keys.len(), block, 1);
                for (l, key) in keys.iter_mut().enumerate() {
                    let chain = if pad == IPAD { &mut key.inner } else { &mut key.outer };
                    *chain = Chain::new(algorithm, state.get(l));
                }
            }
        }
        wipe(&mut blocks, [0; _]);
        state.wipe();
    }

    /// Returns the algorithm.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The maximum stack depth of a call for one message under this key.
    pub(super) fn depth(&self) -> Depth {
        Depth::of_one(self.one)
    }

    /// The stack depth of a call for one message under this prepared key.
    pub(crate) fn message_depth(&self) -> Depth {
        self.depth_by(self.one)
    }

    /// The stack depth of a call for one message on the kernel `one`.
    pub(crate) fn depth_by(&self, one: One) -> Depth {
        match (Depth::of_one(one), self.algorithm.family().word_bits()) {
            (Depth::One, 32) => Depth::Short,
            (depth, _) => depth,
        }
    }

    /// Returns the automatic kernel for one message.
    #[inline]
    pub(crate) fn automatic(&self) -> One {
        Selected::automatic(self.algorithm).one()
    }

    /// Returns the chaining values of the inner and the outer hash.
    pub(crate) fn chains(&self) -> [&Chain; 2] {
        [&self.inner, &self.outer]
    }

    /// Returns the tag of `message`, as long as a digest.
    pub fn mac(&self, message: impl AsRef<[u8]>) -> Digest {
        let message = message.as_ref();
        wiping_stack(self.message_depth(), || self.tag(message))
    }

    pub(crate) fn tag(&self, message: &[u8]) -> Digest {
        self.tag_by(self.one, message)
    }

    pub(crate) fn tag_by(&self, one: One, message: &[u8]) -> Digest {
        self.inner.tag(&self.outer, one, self.algorithm, message)
    }

    /// Computes the tag from the final chaining value of the inner hash.
    pub(crate) fn finish_inner(&self, words: [u64; 8]) -> Digest {
        let mut chain = Chain::new(self.algorithm, words);
        let digest = chain.digest(self.algorithm);
        chain.wipe();
        self.finish(self.one, digest)
    }

    /// Computes the tag from the digest of the inner hash, and wipes that digest.
    fn finish(&self, one: One, mut digest: Digest) -> Digest {
        let bytes = (self.algorithm.block_len() + self.algorithm.digest_len()) as u64;
        let tag = self.outer.end(one, self.algorithm, digest.as_bytes(), bytes);
        digest.wipe();
        tag
    }

    /// Verifies that `tag` is the full tag of `message`, in constant time.
    ///
    /// # Errors
    ///
    /// If the tag is wrong.
    pub fn verify(
        &self,
        message: impl AsRef<[u8]>,
        tag: impl AsRef<[u8]>,
    ) -> Result<(), VerifyError> {
        let (message, tag) = (message.as_ref(), tag.as_ref());
        verdict(wiping_stack(self.message_depth(), || self.tag(message) == *tag))
    }

    /// Verifies in constant time that `tag` is the tag of `message`, or a prefix of it of at least
    /// `at_least` bytes.
    ///
    /// Each byte removed makes a forgery 256 times as likely. RFC 2104 §5 recommends at least half of
    /// the digest and at least 10 bytes. An empty tag is always rejected, whatever `at_least` is.
    ///
    /// # Errors
    ///
    /// If the tag is wrong or too short.
    pub fn verify_truncated(
        &self,
        message: impl AsRef<[u8]>,
        tag: impl AsRef<[u8]>,
        at_least: usize,
    ) -> Result<(), VerifyError> {
        let (message, tag) = (message.as_ref(), tag.as_ref());
        let depth = self.message_depth();
        verdict(wiping_stack(depth, || matches_truncated(&self.tag(message), tag, at_least)))
    }
}

impl Drop for HmacKey {
    fn drop(&mut self) {
        self.inner.wipe();
        self.outer.wipe();
    }
}

impl fmt::Debug for HmacKey {
    /// Shows only the algorithm.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HmacKey").field("algorithm", &self.algorithm).finish_non_exhaustive()
    }
}

/// The error for a tag that does not match its message and key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifyError {
    /// The index of the first message whose tag is wrong, from 0. `None` if only one message was
    /// verified.
    pub message: Option<usize>,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the tag does not match ")?;
        match self.message {
            Some(number) => write!(f, "message {number} (counted from 0) and its key"),
            None => f.write_str("the message and the key"),
        }
    }
}

impl core::error::Error for VerifyError {}

fn verdict(is_right: bool) -> Result<(), VerifyError> {
    if is_right { Ok(()) } else { Err(VerifyError { message: None }) }
}

/// Whether `tag` is a long enough prefix of `digest`. The time depends only on the length of
/// `tag`, which is not secret.
fn matches_truncated(digest: &Digest, tag: &[u8], at_least: usize) -> bool {
    let len = digest.as_bytes().len();
    (at_least.max(1)..=len).contains(&tag.len()) && digest.truncated(tag.len()) == *tag
}

/// Incremental HMAC: the message arrives in pieces, from a reader, or through
/// [`write!`](core::write).
///
/// ```
/// use lanesum::{Algorithm, Hmac, HmacKey};
///
/// let key = HmacKey::new(Algorithm::SHA512, b"key");
/// let mut hmac = Hmac::new(&key);
/// hmac.update(b"fir");
/// hmac.update(b"st");
/// assert_eq!(hmac.finish(), key.mac(b"first"));
///
/// let mut hmac = Hmac::new(&key);
/// assert_eq!(hmac.update_reader(&b"fi"[..])?, 2);
/// std::io::Write::write_all(&mut hmac, b"rst")?;
/// hmac.verify(key.mac(b"first"))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Hmac {
    key: HmacKey,
    hasher: Hasher,
}

impl Hmac {
    /// Begins an empty message under `key`.
    pub fn new(key: &HmacKey) -> Self {
        wiping_stack(Depth::Short, || Self::begin(key))
    }

    pub(crate) fn begin(key: &HmacKey) -> Self {
        let before = key.algorithm.block_len() as u64;
        let inner = key.inner.clone();
        let hasher = Hasher::resumed(key.algorithm, key.one, inner, before);
        Self { key: key.copied(), hasher }
    }

    /// Returns the algorithm.
    pub fn algorithm(&self) -> Algorithm {
        self.key.algorithm
    }

    /// Appends `data` to the message.
    pub fn update(&mut self, data: impl AsRef<[u8]>) -> &mut Self {
        let data = data.as_ref();
        if self.hasher.has_room(data.len()) {
            // Only copied to the buffer; the key is not read.
            self.add(data);
        } else {
            wiping_stack(self.key.message_depth(), || self.add(data));
        }
        self
    }

    #[inline]
    pub(crate) fn add(&mut self, data: &[u8]) {
        self.hasher.add(data);
    }

    /// Appends the rest of `reader` to the message and returns the number of bytes read.
    ///
    /// # Errors
    ///
    /// Errors of `reader`, except interruptions, which are retried. The bytes read before the error
    /// are part of the message.
    #[cfg(feature = "std")]
    pub fn update_reader(&mut self, reader: impl std::io::Read) -> std::io::Result<u64> {
        crate::run::each_read(reader, |data| {
            self.update(data);
        })
    }

    /// Returns the tag of the message so far. More data may be appended.
    pub fn finish(&self) -> Digest {
        wiping_stack(self.key.message_depth(), || self.tag())
    }

    pub(crate) fn tag(&self) -> Digest {
        self.key.finish(self.key.one, self.hasher.finish())
    }

    /// Verifies that `tag` is the full tag of the message so far: see
    /// [`HmacKey::verify`].
    ///
    /// # Errors
    ///
    /// If the tag is wrong.
    pub fn verify(&self, tag: impl AsRef<[u8]>) -> Result<(), VerifyError> {
        let tag = tag.as_ref();
        verdict(wiping_stack(self.key.message_depth(), || self.tag() == *tag))
    }

    /// Verifies that `tag` is the tag of the message so far, or a prefix of it of at least
    /// `at_least` bytes: see [`HmacKey::verify_truncated`].
    ///
    /// # Errors
    ///
    /// If the tag is wrong or too short.
    pub fn verify_truncated(
        &self,
        tag: impl AsRef<[u8]>,
        at_least: usize,
    ) -> Result<(), VerifyError> {
        let tag = tag.as_ref();
        let depth = self.key.message_depth();
        verdict(wiping_stack(depth, || matches_truncated(&self.tag(), tag, at_least)))
    }
}

/// Writing appends to the message; flushing does nothing.
#[cfg(feature = "std")]
impl std::io::Write for Hmac {
    fn write(&mut self, data: &[u8]) -> std::io::Result<usize> {
        self.update(data);
        Ok(data.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Clone for Hmac {
    fn clone(&self) -> Self {
        wiping_stack(Depth::Short, || Self { key: self.key.copied(), hasher: self.hasher.clone() })
    }
}

impl Drop for Hmac {
    fn drop(&mut self) {
        self.hasher.wipe();
    }
}

impl fmt::Debug for Hmac {
    /// Shows only the algorithm.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hmac").field("algorithm", &self.key.algorithm).finish_non_exhaustive()
    }
}
