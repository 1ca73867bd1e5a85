//! HMAC, RFC 2104 and FIPS 198-1, of one message and of many at once.

use core::fmt;

use lanesum_spec::{Algorithm, MAX_BLOCK};

use super::stack::{Depth, below};
use crate::base::wipe;
use crate::choose::{AsEngine, Plan};
use crate::run::{Chain, One};
use crate::words::{MAX_LANES, State};
use crate::{Digest, Hasher, Messages};

/// A key of HMAC, made ready for messages. The two blocks that depend on the key alone are
/// compressed here, once; a message then costs its own blocks and one more.
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
/// This value is as secret as the key. It is overwritten when it is dropped.
pub struct HmacKey {
    algorithm: Algorithm,
    one: One,
    /// K ⊕ ipad, compressed: what the message goes on from.
    inner: Chain,
    /// K ⊕ opad, compressed: what the digest of that goes on from.
    outer: Chain,
}

impl Clone for HmacKey {
    fn clone(&self) -> Self {
        below(Depth::Door, || self.copied())
    }
}

/// What the bytes of the inner and the outer key block are added to, FIPS 198-1 §4.
const IPAD: u8 = 0x36;
const OPAD: u8 = 0x5c;

/// The key, filled up to a block with zeros; its digest if it is longer (K0,
/// FIPS 198-1 §4).
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
    /// The same key, for a call that overwrites what is left of it.
    pub(crate) fn copied(&self) -> Self {
        let (inner, outer) = (self.inner.clone(), self.outer.clone());
        Self { algorithm: self.algorithm, one: self.one, inner, outer }
    }

    /// A key of any length, in bytes; of one longer than a block its digest is
    /// used (FIPS 198-1 §4). Its messages one at a time run on the engine's kernel
    /// for one message.
    // Not in its caller's frame, where a copy would stay when it is moved to its place.
    #[inline(never)]
    pub fn new(engine: impl AsEngine, key: impl AsRef<[u8]>) -> Self {
        let choice = engine.choice();
        let (one, key) = (One::of(choice), key.as_ref());
        below(Depth::of_one(one), || Self::made(choice.algorithm(), key, one))
    }

    /// The key made ready; who calls this overwrites what it leaves on the stack.
    pub(super) fn made(algorithm: Algorithm, key: &[u8], one: One) -> Self {
        let mut made = Self::blank(algorithm, one);
        made.set(key);
        made
    }

    /// No key yet.
    pub(super) fn blank(algorithm: Algorithm, one: One) -> Self {
        let [inner, outer] = [Chain::initial(algorithm), Chain::initial(algorithm)];
        Self { algorithm, one, inner, outer }
    }

    /// Makes a blank one this key, where it is.
    pub(super) fn set(&mut self, key: &[u8]) {
        let mut block = key_block(self.algorithm, key, self.one);
        for (chain, pad) in [(&mut self.inner, IPAD), (&mut self.outer, IPAD ^ OPAD)] {
            block.iter_mut().for_each(|byte| *byte ^= pad);
            chain.compress(self.one, &block[..self.algorithm.block_len()]);
        }
        wipe(&mut block, 0);
    }

    /// Makes `keys` those of `bytes`, in lanes; they are all of one algorithm.
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
                plan.compress(family, &mut state, keys.len(), block, 1);
                for (l, key) in keys.iter_mut().enumerate() {
                    let chain = if pad == IPAD { &mut key.inner } else { &mut key.outer };
                    *chain = Chain::new(algorithm, state.get(l));
                }
            }
        }
        wipe(&mut blocks, [0; _]);
        state.wipe();
    }

    /// The algorithm.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// How far down the stack its calls for one message write.
    pub(super) fn depth(&self) -> Depth {
        Depth::of_one(self.one)
    }

    /// The same of a message alone: the key is ready.
    pub(crate) fn message_depth(&self) -> Depth {
        self.depth_by(self.one)
    }

    /// The same by another kernel than the key's own.
    pub(crate) fn depth_by(&self, one: One) -> Depth {
        match (Depth::of_one(one), self.algorithm.family().word_bits()) {
            (Depth::One, 32) => Depth::Short,
            (depth, _) => depth,
        }
    }

    /// The automatic kernel for one message.
    #[inline]
    pub(crate) fn automatic(&self) -> One {
        self.one.automatic(self.algorithm)
    }

    /// The chaining values that a message and its digest go on from.
    pub(crate) fn chains(&self) -> [&Chain; 2] {
        [&self.inner, &self.outer]
    }

    /// The tag of one message, as long as a digest.
    pub fn mac(&self, message: impl AsRef<[u8]>) -> Digest {
        let message = message.as_ref();
        below(self.message_depth(), || self.tag(message))
    }

    pub(crate) fn tag(&self, message: &[u8]) -> Digest {
        self.tag_by(self.one, message)
    }

    pub(crate) fn tag_by(&self, one: One, message: &[u8]) -> Digest {
        self.inner.tag(&self.outer, one, self.algorithm, message)
    }

    /// The tag, from the words of the last chaining value of the inner hash.
    pub(crate) fn finish_inner(&self, words: [u64; 8]) -> Digest {
        let mut chain = Chain::new(self.algorithm, words);
        let digest = chain.digest(self.algorithm);
        chain.wipe();
        self.finish(self.one, digest)
    }

    /// The tag, from the digest that the inner hash is. Wipes that.
    fn finish(&self, one: One, mut digest: Digest) -> Digest {
        let bytes = (self.algorithm.block_len() + self.algorithm.digest_len()) as u64;
        let tag = self.outer.end(one, self.algorithm, digest.as_bytes(), bytes);
        digest.wipe();
        tag
    }

    /// Fails unless `tag` is the whole tag of the message. The time that this takes does not
    /// tell where they differ.
    ///
    /// # Errors
    ///
    /// If the tag is not right.
    pub fn verify(
        &self,
        message: impl AsRef<[u8]>,
        tag: impl AsRef<[u8]>,
    ) -> Result<(), VerifyError> {
        let (message, tag) = (message.as_ref(), tag.as_ref());
        verdict(below(self.message_depth(), || self.tag(message) == *tag))
    }

    /// Fails unless `tag` is the message's tag, or the first bytes of it, and at least
    /// `at_least` bytes long. The time that this takes does not tell where they differ.
    ///
    /// Each byte less makes a forgery 256 times as likely. RFC 2104 §5 asks for half of the
    /// digest at least, and for 10 bytes at least. An empty tag is never right, whatever
    /// `at_least` says.
    ///
    /// # Errors
    ///
    /// If the tag is not right.
    pub fn verify_truncated(
        &self,
        message: impl AsRef<[u8]>,
        tag: impl AsRef<[u8]>,
        at_least: usize,
    ) -> Result<(), VerifyError> {
        let (message, tag) = (message.as_ref(), tag.as_ref());
        let depth = self.message_depth();
        verdict(below(depth, || matches_truncated(&self.tag(message), tag, at_least)))
    }
}

impl Drop for HmacKey {
    fn drop(&mut self) {
        self.inner.wipe();
        self.outer.wipe();
    }
}

impl fmt::Debug for HmacKey {
    /// Shows the algorithm alone.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HmacKey").field("algorithm", &self.algorithm).finish_non_exhaustive()
    }
}

/// The error when a tag is not that of its message under the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifyError {
    /// Of many messages, the number of the first whose tag is wrong, from 0. `None` where only one
    /// message was verified.
    pub message: Option<usize>,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the tag is not that of ")?;
        match self.message {
            Some(number) => write!(f, "message {number}, counted from 0, under its key"),
            None => f.write_str("the message under this key"),
        }
    }
}

impl core::error::Error for VerifyError {}

fn verdict(is_right: bool) -> Result<(), VerifyError> {
    if is_right { Ok(()) } else { Err(VerifyError { message: None }) }
}

/// Whether `tag` is the first bytes of `digest`, and enough of them. Only its
/// length, which is no secret, makes a difference to the time.
fn matches_truncated(digest: &Digest, tag: &[u8], at_least: usize) -> bool {
    let len = digest.as_bytes().len();
    (at_least.max(1)..=len).contains(&tag.len()) && digest.truncated(tag.len()) == *tag
}

/// HMAC of one message whose bytes come in any pieces, also from a reader or by
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
    /// A message of no bytes yet under `key`.
    pub fn new(key: &HmacKey) -> Self {
        below(Depth::Door, || Self::begin(key))
    }

    pub(crate) fn begin(key: &HmacKey) -> Self {
        let before = key.algorithm.block_len() as u64;
        let inner = key.inner.clone();
        let hasher = Hasher::resumed(key.algorithm, key.one, inner, before);
        Self { key: key.copied(), hasher }
    }

    /// The algorithm.
    pub fn algorithm(&self) -> Algorithm {
        self.key.algorithm
    }

    /// Adds `data` to the message.
    pub fn update(&mut self, data: impl AsRef<[u8]>) -> &mut Self {
        let data = data.as_ref();
        if self.hasher.has_room(data.len()) {
            // It is copied, and the key is not looked at.
            self.add(data);
        } else {
            below(self.key.message_depth(), || self.add(data));
        }
        self
    }

    #[inline]
    pub(crate) fn add(&mut self, data: &[u8]) {
        self.hasher.add(data);
    }

    /// Adds all that `reader` has left, and says how many bytes that was.
    ///
    /// # Errors
    ///
    /// Those of `reader`, except interruptions, after which it reads on. The bytes that were
    /// read before the error are part of the message.
    #[cfg(feature = "std")]
    pub fn update_reader(&mut self, reader: impl std::io::Read) -> std::io::Result<u64> {
        crate::run::each_read(reader, |data| {
            self.update(data);
        })
    }

    /// The tag of the message so far. More may be added to it.
    pub fn finish(&self) -> Digest {
        below(self.key.message_depth(), || self.tag())
    }

    pub(crate) fn tag(&self) -> Digest {
        self.key.finish(self.key.one, self.hasher.finish())
    }

    /// Fails unless `tag` is the tag of the message so far, whole: see
    /// [`HmacKey::verify`].
    ///
    /// # Errors
    ///
    /// If the tag is not right.
    pub fn verify(&self, tag: impl AsRef<[u8]>) -> Result<(), VerifyError> {
        let tag = tag.as_ref();
        verdict(below(self.key.message_depth(), || self.tag() == *tag))
    }

    /// Fails unless `tag` is the tag of the message so far or the first bytes of it,
    /// `at_least` of them: see [`HmacKey::verify_truncated`].
    ///
    /// # Errors
    ///
    /// If the tag is not right.
    pub fn verify_truncated(
        &self,
        tag: impl AsRef<[u8]>,
        at_least: usize,
    ) -> Result<(), VerifyError> {
        let tag = tag.as_ref();
        let depth = self.key.message_depth();
        verdict(below(depth, || matches_truncated(&self.tag(), tag, at_least)))
    }
}

/// What is written is added to the message; nothing waits to be flushed.
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
        below(Depth::Door, || Self { key: self.key.copied(), hasher: self.hasher.clone() })
    }
}

impl Drop for Hmac {
    fn drop(&mut self) {
        self.hasher.wipe();
    }
}

impl fmt::Debug for Hmac {
    /// Shows the algorithm alone.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hmac").field("algorithm", &self.key.algorithm).finish_non_exhaustive()
    }
}
