//! Mechanisms: the table of algorithms under PKCS #11's numbers.

use cryptoki_sys::*;
use engine::Algorithm;

use super::Status;
use crate::guard::{self, reference};

/// What PKCS #11 calls an algorithm.
struct Numbers {
    algorithm: Algorithm,
    digest: CK_MECHANISM_TYPE,
    hmac: CK_MECHANISM_TYPE,
    /// HMAC cut to a length that a parameter says.
    general: CK_MECHANISM_TYPE,
    key_gen: Option<CK_MECHANISM_TYPE>,
    /// The type of a key that is for its HMAC alone.
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

/// Numbers cannot be derived from the table of algorithms; its every line that has some must
/// be here, and a test says so. SM3 has none.
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

/// What a mechanism does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Does {
    Digest(Algorithm),
    /// SHA-512/t, t in bits by a parameter.
    DigestT,
    Hmac(Algorithm),
    /// Cut to as many bytes as a parameter says.
    HmacGeneral(Algorithm),
    /// Generates keys of a type; as long as a digest, unless told otherwise.
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

/// The numbers of algorithms that LANESUM_KERNEL leaves a kernel for.
fn usable() -> impl Iterator<Item = &'static Numbers> {
    NUMBERS.iter().filter(|numbers| guard::usable(numbers.algorithm).is_ok())
}

/// Every mechanism's number.
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

/// Whether keys of that type are ours: for any HMAC, or for one.
pub fn is_key_type(key_type: CK_KEY_TYPE) -> bool {
    key_type == CKK_GENERIC_SECRET || NUMBERS.iter().any(|numbers| numbers.key_type == key_type)
}

/// Whether a key of that type is for the algorithm's HMAC.
pub fn fits(key_type: CK_KEY_TYPE, algorithm: Algorithm) -> bool {
    let own = || NUMBERS.iter().find(|numbers| numbers.algorithm == algorithm);
    key_type == CKK_GENERIC_SECRET || own().is_some_and(|numbers| numbers.key_type == key_type)
}

/// The longest key, in bytes: so that nobody's template asks for all memory.
pub const MAX_KEY: usize = 1 << 20;

/// How a mechanism may be used, and its keys' lengths: those of HMAC's in bytes,
/// those of generated ones in bits, PKCS #11 §2.
pub fn info(number: CK_MECHANISM_TYPE) -> Result<CK_MECHANISM_INFO, CK_RV> {
    let (least, most, flags) = match does(number)? {
        Does::Digest(_) | Does::DigestT => (0, 0, CKF_DIGEST),
        Does::Hmac(_) | Does::HmacGeneral(_) => (1, MAX_KEY, CKF_SIGN | CKF_VERIFY),
        Does::KeyGen(CKK_GENERIC_SECRET, _) => (8, 8 * MAX_KEY, CKF_GENERATE),
        Does::KeyGen(..) => (1, MAX_KEY, CKF_GENERATE),
    };
    Ok(CK_MECHANISM_INFO { ulMinKeySize: least as CK_ULONG, ulMaxKeySize: most as CK_ULONG, flags })
}

/// A mechanism as it comes: what it does, and its parameter's bytes.
///
/// # Safety
///
/// The pointer is null, or a mechanism is there, and its parameter's bytes.
unsafe fn read<'m>(mechanism: *const CK_MECHANISM) -> Result<(Does, &'m [u8]), CK_RV> {
    // SAFETY: as the caller says.
    let mechanism = unsafe { reference(mechanism) }.status()?;
    let does = does(mechanism.mechanism)?;
    let len = mechanism.ulParameterLen as usize;
    // SAFETY: as the caller says.
    let parameter = unsafe { guard::slice(mechanism.pParameter.cast::<u8>(), len) };
    Ok((does, parameter.map_err(|_| CKR_MECHANISM_PARAM_INVALID)?))
}

/// A parameter that is a number (`CK_MAC_GENERAL_PARAMS`).
fn number(parameter: &[u8]) -> Result<usize, CK_RV> {
    let bytes = parameter.try_into().map_err(|_| CKR_MECHANISM_PARAM_INVALID)?;
    usize::try_from(CK_ULONG::from_ne_bytes(bytes)).map_err(|_| CKR_MECHANISM_PARAM_INVALID)
}

/// No parameter at all.
fn none(parameter: &[u8]) -> Result<(), CK_RV> {
    if parameter.is_empty() { Ok(()) } else { Err(CKR_MECHANISM_PARAM_INVALID) }
}

/// The hash function that a mechanism is.
///
/// # Safety
///
/// As [`read`].
pub unsafe fn digest(mechanism: *const CK_MECHANISM) -> Result<Algorithm, CK_RV> {
    // SAFETY: as the caller says.
    let (does, parameter) = unsafe { read(mechanism) }?;
    match does {
        Does::Digest(algorithm) => none(parameter).map(|()| algorithm),
        // The engine has whole bytes only.
        Does::DigestT => {
            let name = format!("sha512/{}", number(parameter)?);
            let algorithm = Algorithm::from_name(&name).ok_or(CKR_MECHANISM_PARAM_INVALID)?;
            guard::usable(algorithm).map_err(|_| CKR_MECHANISM_INVALID)
        }
        _ => Err(CKR_MECHANISM_INVALID),
    }
}

/// The HMAC that a mechanism is, and how many bytes of its tag count.
///
/// # Safety
///
/// As [`read`].
pub unsafe fn hmac(mechanism: *const CK_MECHANISM) -> Result<(Algorithm, usize), CK_RV> {
    // SAFETY: as the caller says.
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

/// The number of the key generation that a mechanism is, the type of its keys, and
/// their length unless told otherwise.
///
/// # Safety
///
/// As [`read`].
pub unsafe fn key_gen(
    mechanism: *const CK_MECHANISM,
) -> Result<(CK_MECHANISM_TYPE, CK_KEY_TYPE, Option<usize>), CK_RV> {
    // SAFETY: as the caller says.
    let (does, parameter) = unsafe { read(mechanism) }?;
    match does {
        Does::KeyGen(key_type, len) => {
            none(parameter)?;
            // SAFETY: `read` has seen that it is there.
            Ok((unsafe { (*mechanism).mechanism }, key_type, len))
        }
        _ => Err(CKR_MECHANISM_INVALID),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_algorithm_has_its_numbers() {
        for algorithm in Algorithm::all().filter(|&algorithm| algorithm != Algorithm::SM3) {
            assert!(NUMBERS.iter().any(|numbers| numbers.algorithm == algorithm), "{algorithm}");
        }
        let mut all: Vec<_> = all().collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count, "no number stands for two");
    }
}
