//! Algorithm numbers, for C code and bindings to other languages.

use core::ffi::{c_char, c_int};

use engine::Algorithm;

use crate::guard::{self, Failure};

/// An algorithm: a LANESUM_ constant, or LANESUM_SHA512_T plus t.
pub type lanesum_algorithm = i32;

/// SHA-1: 20 bytes. Collisions are practical.
pub const LANESUM_SHA1: lanesum_algorithm = 1;
/// SHA-224: 28 bytes.
pub const LANESUM_SHA224: lanesum_algorithm = 2;
/// SHA-256: 32 bytes.
pub const LANESUM_SHA256: lanesum_algorithm = 3;
/// SHA-384: 48 bytes.
pub const LANESUM_SHA384: lanesum_algorithm = 4;
/// SHA-512: 64 bytes.
pub const LANESUM_SHA512: lanesum_algorithm = 5;
/// MD5: 16 bytes. For compatibility only.
pub const LANESUM_MD5: lanesum_algorithm = 6;
/// RIPEMD-160: 20 bytes. For compatibility only.
pub const LANESUM_RIPEMD160: lanesum_algorithm = 7;
/// SM3: 32 bytes. For compatibility only.
pub const LANESUM_SM3: lanesum_algorithm = 8;
/// SHA-512/t is LANESUM_SHA512_T + t, where t is the digest length in bits: a multiple of 8 from 8
/// to 504, except 384.
pub const LANESUM_SHA512_T: lanesum_algorithm = 0x1000;
/// SHA-512/224: 28 bytes.
pub const LANESUM_SHA512_224: lanesum_algorithm = 0x10e0;
/// SHA-512/256: 32 bytes.
pub const LANESUM_SHA512_256: lanesum_algorithm = 0x1100;

/// The length of a digest of LANESUM_SHA1, in bytes.
pub const LANESUM_SHA1_DIGEST_LEN: usize = 20;
/// The length of a digest of LANESUM_SHA224, in bytes.
pub const LANESUM_SHA224_DIGEST_LEN: usize = 28;
/// The length of a digest of LANESUM_SHA256, in bytes.
pub const LANESUM_SHA256_DIGEST_LEN: usize = 32;
/// The length of a digest of LANESUM_SHA384, in bytes.
pub const LANESUM_SHA384_DIGEST_LEN: usize = 48;
/// The length of a digest of LANESUM_SHA512, in bytes.
pub const LANESUM_SHA512_DIGEST_LEN: usize = 64;
/// The length of a digest of LANESUM_MD5, in bytes.
pub const LANESUM_MD5_DIGEST_LEN: usize = 16;
/// The length of a digest of LANESUM_RIPEMD160, in bytes.
pub const LANESUM_RIPEMD160_DIGEST_LEN: usize = 20;
/// The length of a digest of LANESUM_SM3, in bytes.
pub const LANESUM_SM3_DIGEST_LEN: usize = 32;
/// The length of a digest of LANESUM_SHA512_224, in bytes.
pub const LANESUM_SHA512_224_DIGEST_LEN: usize = 28;
/// The length of a digest of LANESUM_SHA512_256, in bytes.
pub const LANESUM_SHA512_256_DIGEST_LEN: usize = 32;
/// The maximum length of a digest, in bytes.
pub const LANESUM_MAX_DIGEST_LEN: usize = 64;
/// The maximum length of the name of an algorithm, kernel or tier, in bytes, including the
/// terminating NUL.
pub const LANESUM_MAX_NAME_LEN: usize = 32;

/// The algorithms other than SHA-512/t, in order of their numbers. `Algorithm::COUNT` includes two
/// of SHA-512/t.
pub(super) const NUMBERED: [(lanesum_algorithm, Algorithm); Algorithm::COUNT - 2] = [
    (LANESUM_SHA1, Algorithm::SHA1),
    (LANESUM_SHA224, Algorithm::SHA224),
    (LANESUM_SHA256, Algorithm::SHA256),
    (LANESUM_SHA384, Algorithm::SHA384),
    (LANESUM_SHA512, Algorithm::SHA512),
    (LANESUM_MD5, Algorithm::MD5),
    (LANESUM_RIPEMD160, Algorithm::RIPEMD160),
    (LANESUM_SM3, Algorithm::SM3),
];

/// Returns the algorithm with this number.
#[inline]
pub(crate) fn algorithm(number: lanesum_algorithm) -> Result<Algorithm, Failure> {
    // `NUMBERED` is in order, starting at 1.
    let place = (number as usize).wrapping_sub(1);
    match NUMBERED.get(place) {
        Some((_, algorithm)) => Ok(*algorithm),
        None => sha512_t(number).ok_or(Failure::Algorithm),
    }
}

const _: () = {
    let mut place = 0;
    while place < NUMBERED.len() {
        assert!(NUMBERED[place].0 as usize == place + 1);
        place += 1;
    }
};

/// Returns the algorithm with this number, if LANESUM_KERNEL allows a kernel for it. For calls
/// without a policy.
#[inline]
pub(crate) fn usable(number: lanesum_algorithm) -> Result<Algorithm, Failure> {
    guard::usable(algorithm(number)?)
}

#[cold]
fn sha512_t(number: lanesum_algorithm) -> Option<Algorithm> {
    let t = number.checked_sub(LANESUM_SHA512_T).filter(|t| (8..512).contains(t))?;
    let mut name = *b"sha512/000";
    let digits = if t >= 100 { 3 } else { 1 + usize::from(t >= 10) };
    for (place, unit) in name[7..][..digits].iter_mut().zip([100, 10, 1].iter().skip(3 - digits)) {
        *place += (t / unit % 10) as u8;
    }
    Algorithm::from_name(str::from_utf8(&name[..7 + digits]).ok()?)
}

/// Returns the number of an algorithm.
pub(super) fn number(algorithm: Algorithm) -> lanesum_algorithm {
    match NUMBERED.iter().find(|(_, known)| *known == algorithm) {
        Some((number, _)) => *number,
        None => LANESUM_SHA512_T + 8 * algorithm.digest_len() as i32,
    }
}

/// Returns the ID of the algorithm named `name`, a NUL-terminated string in upper or lower case:
/// "sha256", "SHA-256", "sha512/192". LANESUM_E_ALGORITHM if the name is unknown.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_algorithm_from_name(name: *const c_char) -> lanesum_algorithm {
    guard::barrier(Failure::Internal.status(), || {
        // SAFETY: the caller passes a NUL-terminated string.
        let found = unsafe { guard::text(name, Failure::Algorithm) }
            .and_then(|name| Algorithm::from_name(name).ok_or(Failure::Algorithm));
        found.map_or_else(Failure::status, number)
    })
}

/// Writes the name of an algorithm and a terminating NUL to `name`, a buffer of `room` bytes.
/// LANESUM_MAX_NAME_LEN bytes are always enough. LANESUM_E_LENGTH if the name does not fit.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_algorithm_name(
    algorithm: lanesum_algorithm,
    name: *mut c_char,
    room: usize,
) -> c_int {
    guard::call(|| {
        let known = self::algorithm(algorithm)?.name().as_bytes();
        let mut bytes = [0; LANESUM_MAX_NAME_LEN];
        bytes[..known.len()].copy_from_slice(known);
        // SAFETY: the caller guarantees that `name` is valid for writes of `room` bytes.
        unsafe { guard::put(name.cast(), room, &bytes[..=known.len()]) }
    })
}

/// Returns the length of a digest, in bytes. LANESUM_E_ALGORITHM if the algorithm is unknown.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn lanesum_algorithm_digest_len(algorithm: lanesum_algorithm) -> c_int {
    self::algorithm(algorithm).map_or_else(Failure::status, |known| known.digest_len() as c_int)
}

/// Returns the length of a block, in bytes: 64 or 128. LANESUM_E_ALGORITHM if the algorithm is
/// unknown.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn lanesum_algorithm_block_len(algorithm: lanesum_algorithm) -> c_int {
    self::algorithm(algorithm).map_or_else(Failure::status, |known| known.block_len() as c_int)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_match_the_digest_lengths() {
        let lens = [
            (LANESUM_SHA1, LANESUM_SHA1_DIGEST_LEN),
            (LANESUM_SHA224, LANESUM_SHA224_DIGEST_LEN),
            (LANESUM_SHA256, LANESUM_SHA256_DIGEST_LEN),
            (LANESUM_SHA384, LANESUM_SHA384_DIGEST_LEN),
            (LANESUM_SHA512, LANESUM_SHA512_DIGEST_LEN),
            (LANESUM_MD5, LANESUM_MD5_DIGEST_LEN),
            (LANESUM_RIPEMD160, LANESUM_RIPEMD160_DIGEST_LEN),
            (LANESUM_SM3, LANESUM_SM3_DIGEST_LEN),
            (LANESUM_SHA512_224, LANESUM_SHA512_224_DIGEST_LEN),
            (LANESUM_SHA512_256, LANESUM_SHA512_256_DIGEST_LEN),
        ];
        assert_eq!(lens.len(), Algorithm::COUNT, "a line of `lens` for each LANESUM_*_DIGEST_LEN");
        for (number, len) in lens {
            assert_eq!(algorithm(number).unwrap().digest_len(), len, "{number}");
        }
    }

    #[test]
    fn every_algorithm_has_a_unique_number() {
        for known in Algorithm::all() {
            assert_eq!(algorithm(number(known)), Ok(known));
        }
        for t in (8..512).step_by(8).filter(|&t| t != 384) {
            let named = Algorithm::from_name(&format!("sha512/{t}")).unwrap();
            assert_eq!(algorithm(LANESUM_SHA512_T + t), Ok(named), "{t}");
            assert_eq!(number(named), LANESUM_SHA512_T + t);
        }
        let unassigned = NUMBERED.len() as i32 + 1;
        for none in [i32::MIN, -1, 0, unassigned, 0x1000, 0x1007, 0x1009, 0x1180, 0x1200, i32::MAX]
        {
            assert_eq!(algorithm(none), Err(Failure::Algorithm), "{none:#x}");
        }
    }
}
