//! PBKDF2, RFC 8018 §5.2, with HMAC, of one password or many.

use core::fmt;

use lanesum_spec::Algorithm;

use super::hkdf::key_len;
use super::hmac::{Hmac, HmacKey};
use super::stack::{Depth, wiping_stack};
use crate::Messages;
use crate::base::wipe;
use crate::choose::{AsEngine, Plan, Selected, Steps};
use crate::kernel::One;
use crate::kernel::{Half, KernelWord, Link};
use crate::words::{Columns, MAX_LANES, by_width, bytes, read};

/// Fills `out` with the key that PBKDF2 derives from `password`.
///
/// ```
/// use lanesum::{Algorithm, pbkdf2};
///
/// let mut key = [0; 20];
/// pbkdf2(Algorithm::SHA1, b"password", b"salt", 2, &mut key)?;
/// assert_eq!(key[..4], [0xea, 0x6c, 0x01, 0x4d]);
/// # Ok::<(), lanesum::Pbkdf2Error>(())
/// ```
///
/// Each block of output, as long as a digest, takes `iterations` HMACs. The blocks of a longer
/// `out` are computed in parallel lanes.
///
/// # Errors
///
/// If `iterations` is 0, or `out` is longer than 2^32 - 1 digests. `out` is then unchanged.
pub fn pbkdf2(
    engine: impl AsEngine,
    password: impl AsRef<[u8]>,
    salt: impl AsRef<[u8]>,
    iterations: u32,
    out: &mut [u8],
) -> Result<(), Pbkdf2Error> {
    let (passwords, salts) = (&[password.as_ref()], &[salt.as_ref()]);
    derive(engine.choice(), passwords, salts, iterations, out, &mut || true).map(drop)
}

/// Derives keys from many passwords in lanes: splits `out` evenly into consecutive keys. Key i is
/// derived from password i with salt i. Does not allocate.
///
/// ```
/// use lanesum::{Algorithm, pbkdf2_many};
///
/// let (passwords, salts) = (["password", "passwort"], ["salt", "salz"]);
/// let mut keys = [[0; 20]; 2];
/// pbkdf2_many(Algorithm::SHA1, &passwords, &salts, 2, keys.as_flattened_mut())?;
/// assert_eq!(keys[0][..4], [0xea, 0x6c, 0x01, 0x4d]);
/// # Ok::<(), lanesum::Pbkdf2Error>(())
/// ```
///
/// # Errors
///
/// If `iterations` is 0, or a key would be longer than 2^32 - 1 digests. `out` is then unchanged.
///
/// # Panics
///
/// If the numbers of passwords and salts differ, or if the length of `out` is not a multiple of
/// that number.
#[track_caller]
pub fn pbkdf2_many<P, S>(
    engine: impl AsEngine,
    passwords: &P,
    salts: &S,
    iterations: u32,
    out: &mut [u8],
) -> Result<(), Pbkdf2Error>
where
    P: Messages + ?Sized,
    S: Messages + ?Sized,
{
    derive(engine.choice(), passwords, salts, iterations, out, &mut || true).map(drop)
}

/// An interruptible [`pbkdf2_many`]: calls `resume` before every few hundred iterations. If
/// `resume` returns false, stops and returns `Ok(false)`, and the contents of `out` are
/// unspecified.
///
/// # Errors
///
/// Returns the errors of [`pbkdf2_many`].
///
/// # Panics
///
/// Panics if [`pbkdf2_many`] would.
#[track_caller]
pub fn pbkdf2_many_while<P, S>(
    engine: impl AsEngine,
    passwords: &P,
    salts: &S,
    iterations: u32,
    out: &mut [u8],
    resume: &mut dyn FnMut() -> bool,
) -> Result<bool, Pbkdf2Error>
where
    P: Messages + ?Sized,
    S: Messages + ?Sized,
{
    derive(engine.choice(), passwords, salts, iterations, out, resume)
}

/// The error for a key that PBKDF2 cannot derive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pbkdf2Error {
    /// The number of iterations is 0.
    NoIterations,
    /// The requested output is longer than 2^32 - 1 digests.
    TooLong {
        /// The requested length, in bytes.
        len: usize,
    },
}

impl fmt::Display for Pbkdf2Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoIterations => f.write_str("number of iterations is 0; PBKDF2 needs at least 1"),
            Self::TooLong { len } => {
                write!(f, "key length is {len} bytes; PBKDF2 derives at most 2^32 - 1 digests")
            }
        }
    }
}

impl core::error::Error for Pbkdf2Error {}

#[track_caller]
fn derive<P, S>(
    choice: Selected<'_>,
    passwords: &P,
    salts: &S,
    iterations: u32,
    out: &mut [u8],
    resume: &mut dyn FnMut() -> bool,
) -> Result<bool, Pbkdf2Error>
where
    P: Messages + ?Sized,
    S: Messages + ?Sized,
{
    let (algorithm, count) = (choice.algorithm(), passwords.count());
    assert!(
        salts.count() == count,
        "number of salts ({}) does not match number of passwords ({count})",
        salts.count()
    );
    let len = key_len(count, out);
    if iterations == 0 {
        return Err(Pbkdf2Error::NoIterations);
    }
    if len.div_ceil(algorithm.digest_len()) as u64 > u64::from(u32::MAX) {
        return Err(Pbkdf2Error::TooLong { len });
    }
    if out.is_empty() {
        return Ok(true);
    }
    let one = choice.one();
    let is_done = wiping_stack(Depth::Batch, || {
        choice.with_steps(|steps| {
            by_width!(algorithm.family(), I => {
                run::<I, P, S>(algorithm, one, steps, passwords, salts, iterations, out, resume)
            })
        })
    });
    Ok(is_done)
}

/// Iterations per step. Kernels may change between steps.
const ITERATIONS: u32 = 256;

/// Computes one block of output per lane until all are done or `resume` returns false. Returns
/// whether all are done.
#[expect(clippy::too_many_arguments)]
#[inline(never)]
fn run<I, P, S>(
    algorithm: Algorithm,
    one: One,
    mut steps: Steps<&Plan>,
    passwords: &P,
    salts: &S,
    iterations: u32,
    out: &mut [u8],
    resume: &mut dyn FnMut() -> bool,
) -> bool
where
    I: KernelWord,
    P: Messages + ?Sized,
    S: Messages + ?Sized,
{
    let family = algorithm.family();
    let len = out.len() / passwords.count();
    let blocks = len.div_ceil(algorithm.digest_len());
    let lanes = steps.plan().lanes();
    let link = Link::new(algorithm);
    let columns = Columns::<I>::new;
    let [mut inner, mut outer, mut u, mut sum] = [columns(), columns(), columns(), columns()];
    let mut outputs = out.chunks_mut(len).flat_map(|key| key.chunks_mut(algorithm.digest_len()));
    let mut key: Option<(usize, HmacKey)> = None;
    let (mut first, mut is_done) = (0, true);
    'blocks: while first < passwords.count() * blocks {
        let live = lanes.min(passwords.count() * blocks - first);
        for l in 0..live {
            let (password, block) = ((first + l) / blocks, (first + l) % blocks);
            if key.as_ref().is_none_or(|(of, _)| *of != password) {
                let bytes = passwords.message(password);
                key = Some((password, HmacKey::made(algorithm, bytes, one)));
            }
            let Some((_, key)) = &key else { continue };
            let mut hmac = Hmac::begin(key);
            hmac.add(salts.message(password));
            // Block numbers begin at 1, and the length check ensures that they fit.
            hmac.add(&(block as u32 + 1).to_be_bytes());
            let mut digest = hmac.tag();
            for (columns, chain) in [&mut inner, &mut outer].into_iter().zip(key.chains()) {
                columns.set(l, &chain.words().map(I::truncate));
            }
            let mut bytes = [0; 64];
            bytes[..algorithm.digest_len()].copy_from_slice(digest.as_bytes());
            digest.wipe();
            let words = core::array::from_fn(|i| {
                read(family.is_big_endian(), &bytes[i * I::BYTES..][..I::BYTES])
            });
            wipe(&mut bytes, 0);
            u.set(l, &words);
            sum.set(l, &words);
        }

        let mut left = iterations - 1;
        while left > 0 {
            if !resume() {
                is_done = false;
                break 'blocks;
            }
            let now = left.min(ITERATIONS);
            left -= now;
            let mut lanes = 0..live;
            while let Some(step) = steps.next(&mut lanes) {
                let chains = [inner.words(step.first), outer.words(step.first)];
                let (u, sum) = (u.words_mut(step.first), sum.words_mut(step.first));
                step.kernel.iterate(family, chains, &link, u, sum, MAX_LANES, Half::Inner, now);
                let bytes = 2 * step.used * now as usize * family.block_len();
                steps.ran(step, bytes as u64);
            }
        }

        for (l, output) in outputs.by_ref().take(live).enumerate() {
            let mut bytes = bytes(family, &sum.lane(l));
            output.copy_from_slice(&bytes[..output.len()]);
            wipe(&mut bytes, 0);
        }
        first += live;
    }
    for columns in [&mut inner, &mut outer, &mut u, &mut sum] {
        columns.wipe();
    }
    is_done
}
