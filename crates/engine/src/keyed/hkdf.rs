//! HKDF, RFC 5869: derives keys from a secret that is not uniformly random, for one secret or many.

use core::fmt;

use lanesum_spec::Algorithm;

use super::hmac::{Hmac, HmacKey};
use super::many::{Keys, mac_lanes};
use super::stack::{Depth, wiping_stack};
use crate::base::wipe;
use crate::choose::{AsEngine, Selected};
use crate::{Digest, Messages, Outputs};

/// The pseudorandom key (PRK) that HKDF extracts from a secret, from which keys for several purposes
/// are expanded.
///
/// ```
/// use lanesum::{Algorithm, Hkdf};
///
/// let hkdf = Hkdf::new(Algorithm::SHA256, b"salt", b"shared secret");
/// let (mut sending, mut receiving) = ([0; 32], [0; 32]);
/// hkdf.expand(b"sending", &mut sending)?;
/// hkdf.expand(b"receiving", &mut receiving)?;
/// assert_ne!(sending, receiving);
/// # Ok::<(), lanesum::HkdfError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Hkdf {
    key: HmacKey,
}

/// HKDF-Extract, RFC 5869 §2.2. Returns a key as long as a digest. Pass an empty `salt` if there is
/// none.
pub fn hkdf_extract(
    engine: impl AsEngine,
    salt: impl AsRef<[u8]>,
    secret: impl AsRef<[u8]>,
) -> Digest {
    let choice = engine.choice();
    let (one, salt, secret) = (choice.one(), salt.as_ref(), secret.as_ref());
    wiping_stack(Depth::of_one(one), || HmacKey::made(choice.algorithm(), salt, one).tag(secret))
}

impl Hkdf {
    /// Extracts from `secret` (IKM), which may be of any length.
    // Not inlined: in the caller's frame, moving the result would leave a copy behind.
    #[inline(never)]
    pub fn new(engine: impl AsEngine, salt: impl AsRef<[u8]>, secret: impl AsRef<[u8]>) -> Self {
        let choice = engine.choice();
        let (salt, secret) = (salt.as_ref(), secret.as_ref());
        let (algorithm, one) = (choice.algorithm(), choice.one());
        wiping_stack(Depth::of_one(one), || {
            let extracted = HmacKey::made(algorithm, salt, one).tag(secret);
            Self { key: HmacKey::made(algorithm, extracted.as_bytes(), one) }
        })
    }

    /// Uses a key that is already extracted or already uniformly random.
    ///
    /// # Errors
    ///
    /// If `extracted` is shorter than a digest (RFC 5869 §2.3).
    pub fn from_extracted(
        engine: impl AsEngine,
        extracted: impl AsRef<[u8]>,
    ) -> Result<Self, HkdfError> {
        let (len, least) = (extracted.as_ref().len(), engine.choice().algorithm().digest_len());
        if len < least {
            return Err(HkdfError::Short { len, least });
        }
        Ok(Self { key: HmacKey::new(engine, extracted) })
    }

    /// Returns the algorithm.
    pub fn algorithm(&self) -> Algorithm {
        self.key.algorithm()
    }

    /// HKDF-Expand, RFC 5869 §2.3: fills `out` with a key bound to `info`.
    ///
    /// # Errors
    ///
    /// If `out` is longer than 255 digests. `out` is then unchanged.
    // Inlined, so that the overwritten stack begins where the frame of `new` did.
    #[inline(always)]
    pub fn expand(&self, info: impl AsRef<[u8]>, out: &mut [u8]) -> Result<(), HkdfError> {
        check(self.algorithm(), out.len())?;
        let info = info.as_ref();
        wiping_stack(self.key.depth(), || expand(&self.key, info, out));
        Ok(())
    }

    /// Expands keys for many purposes in lanes: splits `out` evenly into consecutive keys, one for each of
    /// `infos`. Does not allocate.
    ///
    /// # Errors
    ///
    /// If a key would be longer than 255 digests. `out` is then unchanged.
    ///
    /// # Panics
    ///
    /// If the length of `out` is not a multiple of the number of `infos`, or if the engine has
    /// another algorithm.
    #[inline(always)]
    #[track_caller]
    pub fn expand_many<M>(
        &self,
        engine: impl AsEngine,
        infos: &M,
        out: &mut [u8],
    ) -> Result<(), HkdfError>
    where
        M: Messages + ?Sized,
    {
        let choice = engine.choice();
        let [own, other] = [self.algorithm(), choice.algorithm()];
        assert!(own == other, "key uses {own}, but the engine uses {other}");
        let len = key_len(infos.count(), out);
        check(self.algorithm(), len)?;
        wiping_stack(Depth::Keys, || {
            expand_lanes(choice, Keys::Same(&self.key), infos, 0, out, len);
        });
        Ok(())
    }
}

/// HKDF of many secrets in lanes: splits `out` evenly into consecutive keys. Key i is extracted from
/// secret i with salt i and expanded with info i. Does not allocate.
///
/// ```
/// use lanesum::{Algorithm, Hkdf, hkdf_many};
///
/// let mut keys = [0; 2 * 16];
/// let (salts, secrets) = (["salt", "salt"], ["secret of A", "secret of B"]);
/// hkdf_many(Algorithm::SHA256, &salts, &secrets, &["sending", "sending"], &mut keys)?;
/// let mut key = [0; 16];
/// Hkdf::new(Algorithm::SHA256, "salt", "secret of B").expand("sending", &mut key)?;
/// assert_eq!(keys[16..], key);
/// # Ok::<(), lanesum::HkdfError>(())
/// ```
///
/// # Errors
///
/// If a key would be longer than 255 digests. `out` is then unchanged.
///
/// # Panics
///
/// If the numbers of salts, infos and secrets differ, or if the length of `out` is not a
/// multiple of that number.
#[track_caller]
pub fn hkdf_many<L, S, M>(
    engine: impl AsEngine,
    salts: &L,
    secrets: &S,
    infos: &M,
    out: &mut [u8],
) -> Result<(), HkdfError>
where
    L: Messages + ?Sized,
    S: Messages + ?Sized,
    M: Messages + ?Sized,
{
    let count = secrets.count();
    assert!(
        salts.count() == count,
        "number of salts ({}) does not match number of secrets ({count})",
        salts.count()
    );
    assert!(
        infos.count() == count,
        "number of infos ({}) does not match number of secrets ({count})",
        infos.count()
    );
    let len = key_len(count, out);
    let inputs: [&dyn Messages; 3] = [&Each(salts), &Each(secrets), &Each(infos)];
    wiping_stack(Depth::Keys, || many(engine.choice(), inputs, len, out))
}

/// The error for a key that HKDF cannot derive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HkdfError {
    /// The requested output is longer than 255 digests.
    TooLong {
        /// The requested length, in bytes.
        len: usize,
        /// The maximum length, in bytes.
        most: usize,
    },
    /// The extracted key is shorter than a digest.
    Short {
        /// The length of the extracted key, in bytes.
        len: usize,
        /// The length of a digest, in bytes.
        least: usize,
    },
}

impl fmt::Display for HkdfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { len, most } => {
                write!(
                    f,
                    "key length is {len} bytes; HKDF with this algorithm derives at most {most}"
                )
            }
            Self::Short { len, least } => {
                write!(
                    f,
                    "extracted key is {len} bytes; HKDF with this algorithm needs at least {least}"
                )
            }
        }
    }
}

impl core::error::Error for HkdfError {}

/// Makes an unsized `Messages` sized, so that it converts to `&dyn Messages`.
struct Each<'m, M: ?Sized>(&'m M);

impl<M: Messages + ?Sized> Messages for Each<'_, M> {
    fn count(&self) -> usize {
        self.0.count()
    }

    fn message(&self, index: usize) -> &[u8] {
        self.0.message(index)
    }
}

/// The `count` messages from `first` on.
struct From<'m> {
    all: &'m dyn Messages,
    first: usize,
    count: usize,
}

impl Messages for From<'_> {
    fn count(&self) -> usize {
        self.count
    }

    fn message(&self, index: usize) -> &[u8] {
        self.all.message(self.first + index)
    }
}

/// Returns the length of each of `count` keys in `out`, in bytes.
///
/// # Panics
///
/// If the length of `out` is not a multiple of `count`.
#[track_caller]
pub(super) fn key_len(count: usize, out: &[u8]) -> usize {
    let len = out.len().checked_div(count).unwrap_or(0);
    assert!(
        len * count == out.len(),
        "output length ({} bytes) is not a multiple of the number of keys ({count})",
        out.len()
    );
    len
}

fn check(algorithm: Algorithm, len: usize) -> Result<(), HkdfError> {
    let most = 255 * algorithm.digest_len();
    if len > most { Err(HkdfError::TooLong { len, most }) } else { Ok(()) }
}

/// T(1) | T(2) | …, RFC 5869 §2.3.
fn expand(key: &HmacKey, info: &[u8], out: &mut [u8]) {
    let mut before: Option<Digest> = None;
    for (counter, block) in (1..=255).zip(out.chunks_mut(key.algorithm().digest_len())) {
        let mut hmac = Hmac::begin(key);
        if let Some(before) = &before {
            hmac.add(before.as_bytes());
        }
        hmac.add(info);
        hmac.add(&[counter]);
        let digest = hmac.tag();
        block.copy_from_slice(&digest.as_bytes()[..block.len()]);
        before = Some(digest);
    }
}

/// The number of keys derived in one chunk.
const CHUNK: usize = 64;

/// The longest message assembled for lanes: a digest, info and the counter. Longer infos are
/// expanded one key at a time.
const ROOM: usize = 256;

fn many(
    choice: Selected<'_>,
    [salts, secrets, infos]: [&dyn Messages; 3],
    len: usize,
    out: &mut [u8],
) -> Result<(), HkdfError> {
    let (algorithm, count) = (choice.algorithm(), secrets.count());
    check(algorithm, len)?;
    if out.is_empty() {
        return Ok(());
    }
    let one = choice.one();
    let none = HmacKey::made(algorithm, &[], one);
    let mut keys: [HmacKey; CHUNK] = core::array::from_fn(|_| none.copied());
    let mut extracted = [[0; Digest::MAX_LEN]; CHUNK];
    choice.with_steps(|steps| {
        for (first, out) in (0..count).step_by(CHUNK).zip(out.chunks_mut(CHUNK * len)) {
            let chunk = CHUNK.min(count - first);
            let keys = &mut keys[..chunk];
            HmacKey::replace(keys, steps.plan(), &From { all: salts, first, count: chunk });
            let mut tags = [Digest::EMPTY; CHUNK];
            let places = (&mut tags[..chunk]).places(chunk, algorithm.digest_len());
            mac_lanes(choice, Keys::Each(keys), secrets, first..first + chunk, places);
            for (to, tag) in extracted.iter_mut().zip(&mut tags[..chunk]) {
                to[..algorithm.digest_len()].copy_from_slice(tag.as_bytes());
                tag.wipe();
            }
            // Zeros follow the digest, like the zero padding of a key.
            HmacKey::replace(keys, steps.plan(), &extracted[..chunk]);
            expand_lanes(choice, Keys::Each(keys), infos, first, out, len);
        }
    });
    wipe(&mut extracted, [0; _]);
    Ok(())
}

/// Expands keys of `len` bytes for the infos from `first` on.
fn expand_lanes<M: Messages + ?Sized>(
    choice: Selected<'_>,
    keys: Keys<'_>,
    infos: &M,
    first: usize,
    out: &mut [u8],
    len: usize,
) {
    if len == 0 {
        return;
    }
    let digest_len = choice.algorithm().digest_len();
    let mut room = [[0; ROOM]; CHUNK];
    for (chunk, out) in out.chunks_mut(CHUNK * len).enumerate() {
        let count = out.len() / len;
        let info = |i: usize| infos.message(first + chunk * CHUNK + i);
        if (0..count).any(|i| digest_len + info(i).len() + 1 > ROOM) {
            for (i, out) in out.chunks_exact_mut(len).enumerate() {
                expand(keys.get(chunk * CHUNK + i), info(i), out);
            }
            continue;
        }
        let mut tags = [Digest::EMPTY; CHUNK];
        for (counter, at) in (1..=255).zip((0..len).step_by(digest_len)) {
            // T(n - 1) was already written to the output.
            let before = at.min(digest_len);
            let mut messages: [&[u8]; CHUNK] = [&[]; CHUNK];
            for (i, (room, message)) in room.iter_mut().zip(&mut messages).take(count).enumerate() {
                let info = info(i);
                room[..before].copy_from_slice(&out[i * len + at - before..][..before]);
                room[before..][..info.len()].copy_from_slice(info);
                room[before + info.len()] = counter;
                *message = &room[..before + info.len() + 1];
            }
            let keys = keys.part(chunk * CHUNK..chunk * CHUNK + count);
            let places = (&mut tags[..count]).places(count, digest_len);
            mac_lanes(choice, keys, &messages[..count], 0..count, places);
            for (out, tag) in out.chunks_exact_mut(len).zip(&mut tags) {
                let out = &mut out[at..len.min(at + digest_len)];
                out.copy_from_slice(&tag.as_bytes()[..out.len()]);
                tag.wipe();
            }
        }
    }
    wipe(&mut room, [0; _]);
}
