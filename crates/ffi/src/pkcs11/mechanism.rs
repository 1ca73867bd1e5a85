//! Mechanisms: maps PKCS #11's numbers to algorithms.

use cryptoki_sys::*;
use engine::Algorithm;

use super::Status;
use crate::guard::{self, reference};

/// The PKCS #11 numbers of an algorithm.
struct Numbers {
    algorithm: Algorithm,
    digest: CK_MECHANISM_TYPE,
    hmac: CK_MECHANISM_TYPE,
    /// HMAC truncated to the length in a parameter.
    general: CK_MECHANISM_TYPE,
    key_gen: Option<CK_MECHANISM_TYPE>,
    /// The type of a key that is only for this HMAC.
    key_type: CK_KEY_TYPE,
}

macro_rules! numbers {
    ($($algorithm:ident: $digest:ident $hmac:ident $general:ident $($key_gen:ident)?, $key:ident;)*) => {
        [$(Numbers {
            algorithm: Algorithm::$algorithm,
            digest: $digest,
            hmac: $hmac,
            general: $general,
            key_gen: [$(Some($key_gen),)? None][0],
            key_type: $key,
        }),*]
    };
}

/// The numbers cannot be derived from the table of algorithms. A test checks that each algorithm is here or in
/// `WITHOUT_NUMBERS`.
static NUMBERS: [Numbers; 9] = numbers! {
    SHA1: CKM_SHA_1 CKM_SHA_1_HMAC CKM_SHA_1_HMAC_GENERAL CKM_SHA_1_KEY_GEN, CKK_SHA_1_HMAC;
    SHA224: CKM_SHA224 CKM_SHA224_HMAC CKM_SHA224_HMAC_GENERAL CKM_SHA224_KEY_GEN,
        CKK_SHA224_HMAC;
    SHA256: CKM_SHA256 CKM_SHA256_HMAC CKM_SHA256_HMAC_GENERAL CKM_SHA256_KEY_GEN,
        CKK_SHA256_HMAC;
    SHA384: CKM_SHA384 CKM_SHA384_HMAC CKM_SHA384_HMAC_GENERAL CKM_SHA384_KEY_GEN,
        CKK_SHA384_HMAC;
    SHA512: CKM_SHA512 CKM_SHA512_HMAC CKM_SHA512_HMAC_GENERAL CKM_SHA512_KEY_GEN,
        CKK_SHA512_HMAC;
    SHA512_224: CKM_SHA512_224 CKM_SHA512_224_HMAC CKM_SHA512_224_HMAC_GENERAL
        CKM_SHA512_224_KEY_GEN, CKK_SHA512_224_HMAC;
    SHA512_256: CKM_SHA512_256 CKM_SHA512_256_HMAC CKM_SHA512_256_HMAC_GENERAL
        CKM_SHA512_256_KEY_GEN, CKK_SHA512_256_HMAC;
    MD5: CKM_MD5 CKM_MD5_HMAC CKM_MD5_HMAC_GENERAL, CKK_MD5_HMAC;
    RIPEMD160: CKM_RIPEMD160 CKM_RIPEMD160_HMAC CKM_RIPEMD160_HMAC_GENERAL, CKK_RIPEMD160_HMAC;
};

/// The operation of a mechanism.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Does {
    Digest(Algorithm),
    /// SHA-512/t, with t in bits as the parameter.
    DigestT,
    Hmac(Algorithm),
    /// HMAC truncated to the number of bytes in the parameter.
    HmacGeneral(Algorithm),
    /// Generates keys of a type, with a default length in bytes.
    KeyGen(CK_KEY_TYPE, Option<usize>),
}

impl Numbers {
    fn does(&self, number: CK_MECHANISM_TYPE) -> Option<Does> {
        let algorithm = self.algorithm;
        match Some(number) {
            _ if number == self.digest => Some(Does::Digest(algorithm)),
            _ if number == self.hmac => Some(Does::Hmac(algorithm)),
            _ if number == self.general => Some(Does::HmacGeneral(algorithm)),
            number if number == self.key_gen => {
                Some(Does::KeyGen(self.key_type, Some(algorithm.digest_len())))
            }
            _ => None,
        }
    }
}

/// Returns the entries for which LANESUM_KERNEL allows a kernel.
fn usable() -> impl Iterator<Item = &'static Numbers> {
    NUMBERS.iter().filter(|numbers| guard::usable(numbers.algorithm).is_ok())
}

/// Returns the numbers of all mechanisms.
pub fn all() -> impl Iterator<Item = CK_MECHANISM_TYPE> {
    let of = |numbers: &'static Numbers| {
        [numbers.digest, numbers.hmac, numbers.general].into_iter().chain(numbers.key_gen)
    };
    usable().flat_map(of).chain([CKM_SHA512_T, CKM_GENERIC_SECRET_KEY_GEN])
}

fn does(number: CK_MECHANISM_TYPE) -> Result<Does, CK_RV> {
    match number {
        CKM_SHA512_T => Ok(Does::DigestT),
        CKM_GENERIC_SECRET_KEY_GEN => Ok(Does::KeyGen(CKK_GENERIC_SECRET, None)),
        _ => usable().find_map(|of| of.does(number)).ok_or(CKR_MECHANISM_INVALID),
    }
}

/// Whether keys of this type are supported: generic, or for one HMAC.
pub fn is_key_type(key_type: CK_KEY_TYPE) -> bool {
    key_type == CKK_GENERIC_SECRET || NUMBERS.iter().any(|numbers| numbers.key_type == key_type)
}

/// Whether a key of this type may be used for the algorithm's HMAC.
pub fn fits(key_type: CK_KEY_TYPE, algorithm: Algorithm) -> bool {
    let own = || NUMBERS.iter().find(|numbers| numbers.algorithm == algorithm);
    key_type == CKK_GENERIC_SECRET || own().is_some_and(|numbers| numbers.key_type == key_type)
}

/// The maximum length of a key, in bytes, so that a template cannot exhaust memory.
pub const MAX_KEY: usize = 1 << 20;

/// Returns the permitted uses of a mechanism and its key lengths: in bytes for HMAC and its keys,
/// in bits for generic secrets, PKCS #11 §2.
pub fn info(number: CK_MECHANISM_TYPE) -> Result<CK_MECHANISM_INFO, CK_RV> {
    let (least, most, flags) = match does(number)? {
        Does::Digest(_) | Does::DigestT => (0, 0, CKF_DIGEST),
        Does::Hmac(_) | Does::HmacGeneral(_) => (1, MAX_KEY, CKF_SIGN | CKF_VERIFY),
        Does::KeyGen(CKK_GENERIC_SECRET, _) => (8, 8 * MAX_KEY, CKF_GENERATE),
        Does::KeyGen(..) => (1, MAX_KEY, CKF_GENERATE),
    };
    Ok(CK_MECHANISM_INFO { ulMinKeySize: least as CK_ULONG, ulMaxKeySize: most as CK_ULONG, flags })
}

/// Reads a mechanism: its operation, and the bytes of its parameter.
///
/// # Safety
///
/// The pointer is null, or the mechanism and its parameter are valid for reads.
unsafe fn read<'m>(mechanism: *const CK_MECHANISM) -> Result<(Does, &'m [u8]), CK_RV> {
    // SAFETY: the caller guarantees a valid mechanism, or null.
    let mechanism = unsafe { reference(mechanism) }.status()?;
    let does = does(mechanism.mechanism)?;
    let len = mechanism.ulParameterLen as usize;
    // SAFETY: the caller guarantees a valid parameter.
    let parameter = unsafe { guard::slice(mechanism.pParameter.cast::<u8>(), len) };
    Ok((does, parameter.map_err(|_| CKR_MECHANISM_PARAM_INVALID)?))
}

/// Reads a numeric parameter (`CK_MAC_GENERAL_PARAMS`).
fn number(parameter: &[u8]) -> Result<usize, CK_RV> {
    let bytes = parameter.try_into().map_err(|_| CKR_MECHANISM_PARAM_INVALID)?;
    usize::try_from(CK_ULONG::from_ne_bytes(bytes)).map_err(|_| CKR_MECHANISM_PARAM_INVALID)
}

/// Checks that the parameter is empty.
fn none(parameter: &[u8]) -> Result<(), CK_RV> {
    if parameter.is_empty() { Ok(()) } else { Err(CKR_MECHANISM_PARAM_INVALID) }
}

/// Returns the algorithm of a digest mechanism.
///
/// # Safety
///
/// As [`read`].
pub unsafe fn digest(mechanism: *const CK_MECHANISM) -> Result<Algorithm, CK_RV> {
    // SAFETY: the caller upholds the contract of `read`.
    let (does, parameter) = unsafe { read(mechanism) }?;
    match does {
        Does::Digest(algorithm) => none(parameter).map(|()| algorithm),
        // The engine supports only whole bytes.
        Does::DigestT => {
            let name = format!("sha512/{}", number(parameter)?);
            let algorithm = Algorithm::from_name(&name).ok_or(CKR_MECHANISM_PARAM_INVALID)?;
            guard::usable(algorithm).map_err(|_| CKR_MECHANISM_INVALID)
        }
        _ => Err(CKR_MECHANISM_INVALID),
    }
}

/// Returns the algorithm of an HMAC mechanism, and the length of its tag in bytes.
///
/// # Safety
///
/// As [`read`].
pub unsafe fn hmac(mechanism: *const CK_MECHANISM) -> Result<(Algorithm, usize), CK_RV> {
    // SAFETY: the caller upholds the contract of `read`.
    let (does, parameter) = unsafe { read(mechanism) }?;
    match does {
        Does::Hmac(algorithm) => none(parameter).map(|()| (algorithm, algorithm.digest_len())),
        Does::HmacGeneral(algorithm) => match number(parameter)? {
            len if (1..=algorithm.digest_len()).contains(&len) => Ok((algorithm, len)),
            _ => Err(CKR_MECHANISM_PARAM_INVALID),
        },
        _ => Err(CKR_MECHANISM_INVALID),
    }
}

/// Returns the number of a key generation mechanism, the type of its keys, and their default
/// length.
///
/// # Safety
///
/// As [`read`].
pub unsafe fn key_gen(
    mechanism: *const CK_MECHANISM,
) -> Result<(CK_MECHANISM_TYPE, CK_KEY_TYPE, Option<usize>), CK_RV> {
    // SAFETY: the caller upholds the contract of `read`.
    let (does, parameter) = unsafe { read(mechanism) }?;
    match does {
        Does::KeyGen(key_type, len) => {
            none(parameter)?;
            // SAFETY: `read` has checked the pointer.
            Ok((unsafe { (*mechanism).mechanism }, key_type, len))
        }
        _ => Err(CKR_MECHANISM_INVALID),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// PKCS #11 defines no numbers for these.
    const WITHOUT_NUMBERS: [Algorithm; 1] = [Algorithm::SM3];

    #[test]
    fn every_algorithm_has_its_numbers() {
        for algorithm in Algorithm::all() {
            assert!(
                WITHOUT_NUMBERS.contains(&algorithm)
                    != NUMBERS.iter().any(|numbers| numbers.algorithm == algorithm),
                "{algorithm}: add its numbers to `NUMBERS`, or add it to `WITHOUT_NUMBERS`"
            );
        }
        let mut all: Vec<_> = all().collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count, "no number stands for two");
    }
}
