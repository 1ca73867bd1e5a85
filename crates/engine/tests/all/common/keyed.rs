//! Keyed functions of the RustCrypto crates, to compare with.
#![allow(dead_code, unreachable_pub, reason = "no test uses all of it")]

use lanesum::Algorithm;

use crate::common::with_rust_crypto;

/// Returns the HMAC tag that the RustCrypto crates compute.
pub fn rust_crypto_hmac(algorithm: Algorithm, key: &[u8], message: &[u8]) -> Vec<u8> {
    use hmac::{KeyInit, Mac, SimpleHmac};
    with_rust_crypto!(algorithm, Hash => {
        let mut mac = SimpleHmac::<Hash>::new_from_slice(key).expect("keys of any length");
        mac.update(message);
        mac.finalize().into_bytes().to_vec()
    })
}

/// Returns the key that PBKDF2 of the RustCrypto crates derives.
pub fn rust_crypto_pbkdf2(
    algorithm: Algorithm,
    password: &[u8],
    salt: &[u8],
    iterations: u32,
    len: usize,
) -> Vec<u8> {
    let mut key = vec![0; len];
    with_rust_crypto!(algorithm, Hash => {
        pbkdf2::pbkdf2::<hmac::SimpleHmac<Hash>>(password, salt, iterations, &mut key)
            .expect("passwords of any length");
    });
    key
}

/// Returns the key that HKDF of the RustCrypto crates derives.
pub fn rust_crypto_hkdf(
    algorithm: Algorithm,
    salt: &[u8],
    secret: &[u8],
    info: &[u8],
    len: usize,
) -> Vec<u8> {
    let mut key = vec![0; len];
    with_rust_crypto!(algorithm, Hash => {
        let hkdf = hkdf::SimpleHkdf::<Hash>::new(Some(salt), secret);
        hkdf.expand(info, &mut key).expect("a length that HKDF allows");
    });
    key
}
