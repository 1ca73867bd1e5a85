//! HMAC, HKDF and PBKDF2, computed with only the specification: the expected keys and outputs.

use lanesum_spec::{Algorithm, digest};

fn hash(algorithm: Algorithm, parts: &[&[u8]]) -> Vec<u8> {
    digest(algorithm, &parts.concat())[..algorithm.digest_len()].to_vec()
}

/// HMAC, FIPS 198-1.
pub(super) fn hmac(algorithm: Algorithm, key: &[u8], message: &[u8]) -> Vec<u8> {
    let short =
        if key.len() > algorithm.block_len() { hash(algorithm, &[key]) } else { key.into() };
    let padded = |pad: u8| {
        let mut block = vec![pad; algorithm.block_len()];
        block.iter_mut().zip(&short).for_each(|(to, byte)| *to ^= byte);
        block
    };
    hash(algorithm, &[&padded(0x5c), &hash(algorithm, &[&padded(0x36), message])])
}

/// HKDF-Extract, RFC 5869 §2.2.
pub(super) fn hkdf_extract(algorithm: Algorithm, salt: &[u8], secret: &[u8]) -> Vec<u8> {
    hmac(algorithm, salt, secret)
}

/// HKDF-Expand, RFC 5869 §2.3.
pub(super) fn hkdf(algorithm: Algorithm, extracted: &[u8], info: &[u8], len: usize) -> Vec<u8> {
    let (mut out, mut before) = (Vec::new(), Vec::new());
    for counter in 1..=len.div_ceil(algorithm.digest_len()) {
        before = hmac(algorithm, extracted, &[&before, info, &[counter as u8]].concat());
        out.extend(&before);
    }
    out.truncate(len);
    out
}

/// PBKDF2, RFC 8018 §5.2.
pub(super) fn pbkdf2(
    algorithm: Algorithm,
    password: &[u8],
    salt: &[u8],
    iterations: u32,
    len: usize,
) -> Vec<u8> {
    let mut out = Vec::new();
    for block in 1..=len.div_ceil(algorithm.digest_len()) as u32 {
        let mut u = hmac(algorithm, password, &[salt, &block.to_be_bytes()].concat());
        let mut sum = u.clone();
        for _ in 1..iterations {
            u = hmac(algorithm, password, &u);
            sum.iter_mut().zip(&u).for_each(|(sum, byte)| *sum ^= byte);
        }
        out.extend(sum);
    }
    out.truncate(len);
    out
}
