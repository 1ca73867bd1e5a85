//! HKDF and PBKDF2: keys derived from secrets and passwords, singly or in batches.

use core::ffi::{c_int, c_void};

use engine::{Hkdf, Messages, hkdf_extract, hkdf_many, pbkdf2, pbkdf2_many};

use super::algorithm::{algorithm, lanesum_algorithm, usable};
use super::batch::{Pointers, places, work};
use super::policy::{chosen, lanesum_policy, share, threads};
use crate::guard::{self, Failure};

/// Returns the `len` bytes at `bytes`, which may not overlap `written`.
///
/// # Safety
///
/// The bytes are valid for reads and do not change for `'a`.
unsafe fn input<'a>(
    bytes: *const c_void,
    len: usize,
    written: *const [u8],
) -> Result<&'a [u8], Failure> {
    // SAFETY: the caller guarantees `len` valid bytes.
    let bytes = unsafe { guard::slice(bytes.cast(), len)? };
    guard::apart(bytes, written)?;
    Ok(bytes)
}

/// HKDF (RFC 5869): derives `key`, of `key_len` bytes, from a salt, a secret and `info`, which
/// identifies the purpose. `key` may not overlap the input. LANESUM_E_PARAMETER if the key is
/// longer than 255 digests.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hkdf(
    algorithm: lanesum_algorithm,
    salt: *const c_void,
    salt_len: usize,
    secret: *const c_void,
    secret_len: usize,
    info: *const c_void,
    info_len: usize,
    key: *mut u8,
    key_len: usize,
) -> c_int {
    guard::keyed(|| {
        let algorithm = usable(algorithm)?;
        let out = places(key, key_len, 1, key_len)?;
        // SAFETY: the caller guarantees valid pointers; `input` checks that they do not overlap the
        // key.
        unsafe {
            let salt = input(salt, salt_len, out)?;
            let secret = input(secret, secret_len, out)?;
            let info = input(info, info_len, out)?;
            let out = guard::slice_mut(key, key_len)?;
            let hkdf = Hkdf::new(algorithm, salt, secret);
            hkdf.expand(info, out).map_err(|_| Failure::Parameter)
        }
    })
}

/// HKDF-Extract: writes the extracted key, which has the length of a digest, to `extracted`, a
/// buffer of `room` bytes. `extracted` may overlap the input.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hkdf_extract(
    algorithm: lanesum_algorithm,
    salt: *const c_void,
    salt_len: usize,
    secret: *const c_void,
    secret_len: usize,
    extracted: *mut u8,
    room: usize,
) -> c_int {
    guard::keyed(|| {
        let algorithm = usable(algorithm)?;
        guard::check_room(extracted, room, algorithm.digest_len())?;
        // SAFETY: the caller guarantees valid pointers; all input is read before `extracted` is
        // written.
        unsafe {
            let salt = guard::slice(salt.cast(), salt_len)?;
            let secret = guard::slice(secret.cast(), secret_len)?;
            guard::put(extracted, room, hkdf_extract(algorithm, salt, secret).as_bytes())
        }
    })
}

/// HKDF-Expand: derives `key`, of `key_len` bytes, from an extracted key. `key` may not overlap the
/// input. LANESUM_E_PARAMETER if the extracted key is shorter than a digest, or `key` longer than
/// 255 digests.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hkdf_expand(
    algorithm: lanesum_algorithm,
    extracted: *const c_void,
    extracted_len: usize,
    info: *const c_void,
    info_len: usize,
    key: *mut u8,
    key_len: usize,
) -> c_int {
    guard::keyed(|| {
        let algorithm = usable(algorithm)?;
        let out = places(key, key_len, 1, key_len)?;
        // SAFETY: the caller guarantees valid pointers; `input` checks that they do not overlap the
        // key.
        unsafe {
            let extracted = input(extracted, extracted_len, out)?;
            let info = input(info, info_len, out)?;
            let out = guard::slice_mut(key, key_len)?;
            Hkdf::from_extracted(algorithm, extracted)
                .and_then(|hkdf| hkdf.expand(info, out))
                .map_err(|_| Failure::Parameter)
        }
    })
}

/// Derives `count` keys with HKDF in parallel SIMD lanes. Key i, of `key_len` bytes, is extracted
/// from secret i with salt i, and expanded with info i. The arrays must not be NULL, unless `count`
/// is 0. To omit a salt, set `salt_lens[i]` to 0; `salts[i]` may then be NULL. Keys are contiguous in
/// `keys`, a buffer of `count * key_len` bytes that may not overlap the input. LANESUM_E_PARAMETER if
/// `key_len` is more than 255 digests. `policy`: see lanesum_policy.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hkdf_many(
    algorithm: lanesum_algorithm,
    salts: *const *const c_void,
    salt_lens: *const usize,
    secrets: *const *const c_void,
    secret_lens: *const usize,
    infos: *const *const c_void,
    info_lens: *const usize,
    count: usize,
    keys: *mut u8,
    key_len: usize,
    policy: *const lanesum_policy,
) -> c_int {
    guard::keyed_batch(|| {
        let algorithm = self::algorithm(algorithm)?;
        let out = places(keys, usize::MAX >> 1, count, key_len)?;
        // SAFETY: the caller guarantees valid pointers; `Pointers::new` checks that they do not
        // overlap the keys.
        unsafe {
            let salts = Pointers::new(salts, salt_lens, count, out)?;
            let secrets = Pointers::new(secrets, secret_lens, count, out)?;
            let infos = Pointers::new(infos, info_lens, count, out)?;
            let out = guard::slice_mut(keys, out.len())?;
            let threads = threads(policy)?;
            chosen(policy, algorithm, |engine| {
                let work = |i| work(secrets.message(i)) + work(infos.message(i)) + 4 * key_len;
                share(threads, count, work, (out, key_len), |range, out| {
                    let [salts, secrets, infos] =
                        [&salts, &secrets, &infos].map(|all| all.part(range.start, range.len()));
                    guard::cleared(|| hkdf_many(engine, &salts, &secrets, &infos, out))
                        .map_err(|_| Failure::Parameter)
                })
            })?
        }
    })
}

/// PBKDF2 with HMAC (RFC 8018): derives `key`, of `key_len` bytes, from a password and a salt.
/// Blocks of a long key are derived in parallel SIMD lanes. `key` may not overlap the input.
/// LANESUM_E_PARAMETER if `iterations` is 0.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_pbkdf2(
    algorithm: lanesum_algorithm,
    password: *const c_void,
    password_len: usize,
    salt: *const c_void,
    salt_len: usize,
    iterations: u32,
    key: *mut u8,
    key_len: usize,
) -> c_int {
    guard::keyed_batch(|| {
        let algorithm = usable(algorithm)?;
        let out = places(key, key_len, 1, key_len)?;
        // SAFETY: the caller guarantees valid pointers; `input` checks that they do not overlap the
        // key.
        unsafe {
            let password = input(password, password_len, out)?;
            let salt = input(salt, salt_len, out)?;
            let out = guard::slice_mut(key, key_len)?;
            pbkdf2(algorithm, password, salt, iterations, out).map_err(|_| Failure::Parameter)
        }
    })
}

/// Derives `count` keys with PBKDF2 in parallel SIMD lanes. Key i, of `key_len` bytes, is derived
/// from password i and salt i. Keys are contiguous in `keys`, a buffer of `count * key_len` bytes
/// that may not overlap the input. LANESUM_E_PARAMETER if `iterations` is 0. `policy`: see
/// lanesum_policy.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_pbkdf2_many(
    algorithm: lanesum_algorithm,
    passwords: *const *const c_void,
    password_lens: *const usize,
    salts: *const *const c_void,
    salt_lens: *const usize,
    count: usize,
    iterations: u32,
    keys: *mut u8,
    key_len: usize,
    policy: *const lanesum_policy,
) -> c_int {
    guard::keyed_batch(|| {
        let algorithm = self::algorithm(algorithm)?;
        let out = places(keys, usize::MAX >> 1, count, key_len)?;
        // SAFETY: the caller guarantees valid pointers; `Pointers::new` checks that they do not
        // overlap the keys.
        unsafe {
            let passwords = Pointers::new(passwords, password_lens, count, out)?;
            let salts = Pointers::new(salts, salt_lens, count, out)?;
            let out = guard::slice_mut(keys, out.len())?;
            let threads = threads(policy)?;
            chosen(policy, algorithm, |engine| {
                let blocks = key_len.div_ceil(algorithm.digest_len()).saturating_mul(2);
                let each = blocks * algorithm.block_len();
                let work = |_| each.saturating_mul(iterations as usize);
                share(threads, count, work, (out, key_len), |range, out| {
                    let [passwords, salts] =
                        [&passwords, &salts].map(|all| all.part(range.start, range.len()));
                    guard::cleared(|| pbkdf2_many(engine, &passwords, &salts, iterations, out))
                        .map_err(|_| Failure::Parameter)
                })
            })?
        }
    })
}
