//! Keyed functions of the RustCrypto crates, to compare with.
#![allow(dead_code, unreachable_pub, reason = "no test uses all of it")]

use lanesum::Algorithm;

/// Runs `$do` with `$hash` as the type of the RustCrypto crates for `$algorithm`.
macro_rules! with_rust_crypto {
    ($algorithm:expr, $hash:ident => $do:expr) => {
        match $algorithm {
            Algorithm::MD5 => {
                type $hash = md5::Md5;
                $do
            }
            Algorithm::RIPEMD160 => {
                type $hash = ripemd::Ripemd160;
                $do
            }
            Algorithm::SHA1 => {
                type $hash = sha1::Sha1;
                $do
            }
            Algorithm::SHA224 => {
                type $hash = sha2::Sha224;
                $do
            }
            Algorithm::SHA256 => {
                type $hash = sha2::Sha256;
                $do
            }
            Algorithm::SHA384 => {
                type $hash = sha2::Sha384;
                $do
            }
            Algorithm::SHA512 => {
                type $hash = sha2::Sha512;
                $do
            }
            Algorithm::SHA512_224 => {
                type $hash = sha2::Sha512_224;
                $do
            }
            Algorithm::SHA512_256 => {
                type $hash = sha2::Sha512_256;
                $do
            }
            Algorithm::SM3 => {
                type $hash = sm3::Sm3;
                $do
            }
            other => panic!("RustCrypto has no {other}"),
        }
    };
}

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
