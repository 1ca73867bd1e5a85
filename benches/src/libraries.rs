//! Other hash libraries, one message at a time, each by its cheapest call.

use lanesum::Algorithm;
use openssl::md::Md;
use openssl::md_ctx::MdCtx;

/// A function that hashes one message and writes the digest to the start of the buffer.
pub(crate) type Hash = Box<dyn FnMut(&[u8], &mut [u8; 64])>;

/// A library and its call, for an algorithm.
pub(crate) struct Library {
    pub(crate) name: &'static str,
    pub(crate) hash: Hash,
}

/// The libraries that have an algorithm.
pub(crate) fn all(algorithm: Algorithm) -> Vec<Library> {
    let libraries = [
        #[cfg(feature = "kernels")]
        ("rustcrypto", rustcrypto(algorithm)),
        #[cfg(feature = "kernels")]
        ("ring", ring(algorithm)),
        #[cfg(feature = "kernels")]
        ("aws-lc-rs", aws_lc(algorithm)),
        ("openssl", openssl(algorithm)),
    ];
    let found =
        libraries.into_iter().filter_map(|(name, hash)| Some(Library { name, hash: hash? }));
    found.collect()
}

/// The libraries with HMAC over an algorithm, each with `key` precomputed.
pub(crate) fn keyed(algorithm: Algorithm, key: &'static [u8]) -> Vec<Library> {
    let libraries = [
        #[cfg(feature = "kernels")]
        ("rustcrypto_hmac", rustcrypto_hmac(algorithm, key)),
        #[cfg(feature = "kernels")]
        ("ring_hmac", ring_hmac(algorithm, key)),
        #[cfg(feature = "kernels")]
        ("aws-lc-rs_hmac", aws_lc_hmac(algorithm, key)),
        ("openssl_hmac", openssl_hmac(algorithm, key)),
    ];
    let found =
        libraries.into_iter().filter_map(|(name, hash)| Some(Library { name, hash: hash? }));
    found.collect()
}

/// The versions of the libraries, for the record.
pub(crate) fn versions() -> String {
    // Cargo's lock file is a list of `name = "…"` followed by `version = "…"`.
    let lock = include_str!("../Cargo.lock");
    let version = |name: &str| {
        let entry =
            lock.split("[[package]]").find(|entry| entry.contains(&format!("name = \"{name}\"\n")));
        let line = entry.and_then(|entry| entry.lines().find(|line| line.starts_with("version")));
        line.and_then(|line| line.split('"').nth(1)).unwrap_or("unknown")
    };
    let others: &[&str] = if cfg!(feature = "kernels") {
        &["sha1", "sha2", "hmac", "ring", "aws-lc-rs"]
    } else {
        &[]
    };
    let mut versions: Vec<_> =
        others.iter().map(|name| format!("{name} {}", version(name))).collect();
    versions.push(openssl::version::version().to_owned());
    versions.join(", ")
}

fn boxed(hash: impl FnMut(&[u8], &mut [u8; 64]) + 'static) -> Option<Hash> {
    Some(Box::new(hash))
}

#[cfg(feature = "kernels")]
fn rustcrypto(algorithm: Algorithm) -> Option<Hash> {
    fn of<D: sha2::Digest + 'static>() -> Option<Hash> {
        boxed(|message, out| {
            let digest = D::digest(message);
            out[..digest.len()].copy_from_slice(&digest);
        })
    }
    match algorithm {
        Algorithm::SHA1 => of::<sha1::Sha1>(),
        Algorithm::SHA256 => of::<sha2::Sha256>(),
        Algorithm::SHA512 => of::<sha2::Sha512>(),
        _ => None,
    }
}

#[cfg(feature = "kernels")]
fn ring(algorithm: Algorithm) -> Option<Hash> {
    use ring::digest::{SHA1_FOR_LEGACY_USE_ONLY, SHA256, SHA512, digest};
    let algorithm = match algorithm {
        Algorithm::SHA1 => &SHA1_FOR_LEGACY_USE_ONLY,
        Algorithm::SHA256 => &SHA256,
        Algorithm::SHA512 => &SHA512,
        _ => return None,
    };
    boxed(move |message, out| {
        let digest = digest(algorithm, message);
        out[..digest.as_ref().len()].copy_from_slice(digest.as_ref());
    })
}

#[cfg(feature = "kernels")]
fn aws_lc(algorithm: Algorithm) -> Option<Hash> {
    use aws_lc_rs::digest::{SHA1_FOR_LEGACY_USE_ONLY, SHA256, SHA512, digest};
    let algorithm = match algorithm {
        Algorithm::SHA1 => &SHA1_FOR_LEGACY_USE_ONLY,
        Algorithm::SHA256 => &SHA256,
        Algorithm::SHA512 => &SHA512,
        _ => return None,
    };
    boxed(move |message, out| {
        let digest = digest(algorithm, message);
        out[..digest.as_ref().len()].copy_from_slice(digest.as_ref());
    })
}

/// Reuses a context and a fetched algorithm: a one-shot call fetches the algorithm again,
/// which costs more than a short message.
fn openssl(algorithm: Algorithm) -> Option<Hash> {
    let name = match algorithm {
        Algorithm::SHA1 => "SHA1",
        Algorithm::SHA256 => "SHA256",
        Algorithm::SHA512 => "SHA512",
        Algorithm::MD5 => "MD5",
        Algorithm::RIPEMD160 => "RIPEMD160",
        Algorithm::SM3 => "SM3",
        _ => return None,
    };
    let md = Md::fetch(None, name, None).ok()?;
    let mut context = MdCtx::new().ok()?;
    boxed(move |message, out| {
        context.digest_init(&md).expect("the algorithm is fetched");
        context.digest_update(message).expect("the context is initialized");
        context.digest_final(out).expect("the buffer fits every digest");
    })
}

#[cfg(feature = "kernels")]
fn rustcrypto_hmac(algorithm: Algorithm, key: &[u8]) -> Option<Hash> {
    fn of<M: hmac::Mac + hmac::KeyInit + Clone + 'static>(key: &[u8]) -> Option<Hash> {
        let keyed = <M as hmac::KeyInit>::new_from_slice(key).ok()?;
        boxed(move |message, out| {
            let tag = keyed.clone().chain_update(message).finalize().into_bytes();
            out[..tag.len()].copy_from_slice(&tag);
        })
    }
    match algorithm {
        Algorithm::SHA1 => of::<hmac::Hmac<sha1::Sha1>>(key),
        Algorithm::SHA256 => of::<hmac::Hmac<sha2::Sha256>>(key),
        Algorithm::SHA512 => of::<hmac::Hmac<sha2::Sha512>>(key),
        _ => None,
    }
}

#[cfg(feature = "kernels")]
fn ring_hmac(algorithm: Algorithm, key: &[u8]) -> Option<Hash> {
    use ring::hmac::{HMAC_SHA1_FOR_LEGACY_USE_ONLY, HMAC_SHA256, HMAC_SHA512, Key, sign};
    let algorithm = match algorithm {
        Algorithm::SHA1 => HMAC_SHA1_FOR_LEGACY_USE_ONLY,
        Algorithm::SHA256 => HMAC_SHA256,
        Algorithm::SHA512 => HMAC_SHA512,
        _ => return None,
    };
    let key = Key::new(algorithm, key);
    boxed(move |message, out| {
        let tag = sign(&key, message);
        out[..tag.as_ref().len()].copy_from_slice(tag.as_ref());
    })
}

#[cfg(feature = "kernels")]
fn aws_lc_hmac(algorithm: Algorithm, key: &[u8]) -> Option<Hash> {
    use aws_lc_rs::hmac::{HMAC_SHA1_FOR_LEGACY_USE_ONLY, HMAC_SHA256, HMAC_SHA512, Key, sign};
    let algorithm = match algorithm {
        Algorithm::SHA1 => HMAC_SHA1_FOR_LEGACY_USE_ONLY,
        Algorithm::SHA256 => HMAC_SHA256,
        Algorithm::SHA512 => HMAC_SHA512,
        _ => return None,
    };
    let key = Key::new(algorithm, key);
    boxed(move |message, out| {
        let tag = sign(&key, message);
        out[..tag.as_ref().len()].copy_from_slice(tag.as_ref());
    })
}

fn openssl_hmac(algorithm: Algorithm, key: &[u8]) -> Option<Hash> {
    use openssl::hash::MessageDigest;
    use openssl::pkey::PKey;
    use openssl::sign::Signer;
    let digest = match algorithm {
        Algorithm::SHA1 => MessageDigest::sha1(),
        Algorithm::SHA256 => MessageDigest::sha256(),
        Algorithm::SHA512 => MessageDigest::sha512(),
        _ => return None,
    };
    let key = PKey::hmac(key).ok()?;
    boxed(move |message, out| {
        let mut signer = Signer::new(digest, &key).expect("OpenSSL has this digest");
        signer.sign_oneshot(out, message).expect("the buffer fits every tag");
    })
}
