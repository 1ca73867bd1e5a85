//! Other libraries that hash, one message at a time, each by its leanest call.

use heddle::Algorithm;
use openssl::md::Md;
use openssl::md_ctx::MdCtx;

/// A way to hash one message; the digest goes to the front of the buffer.
pub(crate) type Hash = Box<dyn FnMut(&[u8], &mut [u8; 64])>;

/// A library and its call, for an algorithm.
pub(crate) struct Library {
    pub(crate) name: &'static str,
    pub(crate) hash: Hash,
}

/// The libraries that have an algorithm.
pub(crate) fn all(algorithm: Algorithm) -> Vec<Library> {
    let libraries = [
        ("rustcrypto", rustcrypto(algorithm)),
        ("ring", ring(algorithm)),
        ("aws-lc-rs", aws_lc(algorithm)),
        ("openssl", openssl(algorithm)),
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
    let mut versions: Vec<_> = ["sha1", "sha2", "ring", "aws-lc-rs"]
        .iter()
        .map(|name| format!("{name} {}", version(name)))
        .collect();
    versions.push(openssl::version::version().to_owned());
    versions.join(", ")
}

fn boxed(hash: impl FnMut(&[u8], &mut [u8; 64]) + 'static) -> Option<Hash> {
    Some(Box::new(hash))
}

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

/// By a kept context and a fetched algorithm: the one-shot calls fetch it anew
/// each time, which costs more than a short message.
fn openssl(algorithm: Algorithm) -> Option<Hash> {
    let name = match algorithm {
        Algorithm::SHA1 => "SHA1",
        Algorithm::SHA256 => "SHA256",
        Algorithm::SHA512 => "SHA512",
        Algorithm::MD5 => "MD5",
        Algorithm::RIPEMD160 => "RIPEMD160",
        _ => return None,
    };
    let md = Md::fetch(None, name, None).ok()?;
    let mut context = MdCtx::new().ok()?;
    boxed(move |message, out| {
        context.digest_init(&md).expect("an algorithm that was fetched");
        context.digest_update(message).expect("a context that was begun");
        context.digest_final(out).expect("room for every digest");
    })
}
