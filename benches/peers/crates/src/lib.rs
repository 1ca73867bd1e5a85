//! Rust libraries for `peers/batch.c`: each hashes every message of a batch.
//!
//! Conversions are outside of the timed calls: [`crates_take`] builds the slices, and digests are
//! copied to C only on request.

use std::cell::RefCell;
use std::ffi::{c_int, c_void};

use aws_lc_rs::{digest as aws, hmac as aws_hmac};
use commonware_cryptography::{Hasher, Sha256 as CommonwareSha256, Sha512 as CommonwareSha512};
use commonware_parallel::Sequential;
use hmac::{Hmac, KeyInit, Mac};
use lanesum::{Algorithm, Digest as Lanesum, HmacKey};
use sha2::Digest;
use stringzilla::sz;

/// The constants of `batch.c`, in its order.
const SHA1: c_int = 0;
const SHA256: c_int = 1;
const SHA512: c_int = 2;
const HMAC: c_int = 3;

/// A batch, and the state that is reused by all calls.
struct Batch {
    messages: Vec<&'static [u8]>,
    digests: Vec<Lanesum>,
    lanesum: HmacKey,
    rustcrypto: Hmac<sha2::Sha256>,
    aws_lc: aws_hmac::Key,
    key: Vec<u8>,
    states: Vec<sz::Sha256>,
    sha256: Vec<[u8; 32]>,
}

thread_local! {
    static BATCH: RefCell<Option<Batch>> = const { RefCell::new(None) };
}

/// Sets the `count` messages and the key for subsequent calls.
///
/// # Safety
///
/// `messages` and `lens` have `count` elements, each message is valid for its length until the next
/// batch is set, and `key` has `key_len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crates_take(
    messages: *const *const c_void,
    lens: *const usize,
    count: usize,
    key: *const u8,
    key_len: usize,
) {
    // SAFETY: the caller guarantees valid arrays of these lengths.
    let (messages, lens, key) = unsafe {
        (
            std::slice::from_raw_parts(messages, count),
            std::slice::from_raw_parts(lens, count),
            std::slice::from_raw_parts(key, key_len),
        )
    };
    let messages = messages.iter().zip(lens);
    // SAFETY: the caller guarantees that each message is valid for its length.
    let slice = |(&message, &len): (&*const c_void, &usize)| unsafe {
        std::slice::from_raw_parts(message.cast(), len)
    };
    let batch = Batch {
        messages: messages.map(slice).collect(),
        digests: Vec::new(),
        lanesum: HmacKey::new(Algorithm::SHA256, key),
        rustcrypto: Hmac::new_from_slice(key).expect("a key of any length"),
        aws_lc: aws_hmac::Key::new(aws_hmac::HMAC_SHA256, key),
        key: key.to_vec(),
        states: vec![sz::Sha256::new(); count],
        sha256: vec![[0; 32]; count],
    };
    BATCH.set(Some(batch));
}

/// Computes a library's digests of the batch, and writes them consecutively to `out` if it is not
/// null. Returns 1, or 0 if the library lacks the algorithm.
type Library = unsafe extern "C" fn(algorithm: c_int, out: *mut u8) -> c_int;

/// Writes `digests` to `out`.
///
/// # Safety
///
/// `out` is null, or has room for all digests.
unsafe fn give<D: AsRef<[u8]>>(digests: impl IntoIterator<Item = D>, out: *mut u8) -> c_int {
    let mut to = out;
    for digest in digests {
        let digest = digest.as_ref();
        std::hint::black_box(digest.as_ptr());
        if !out.is_null() {
            // SAFETY: the caller guarantees that `out` has room for all digests.
            unsafe {
                to.copy_from_nonoverlapping(digest.as_ptr(), digest.len());
                to = to.add(digest.len());
            }
        }
    }
    1
}

/// Defines the function `$name` for C.
macro_rules! library {
    ($name:ident, |$batch:ident, $out:ident| { $($algorithm:pat => $digests:expr,)+ }) => {
        /// # Safety
        ///
        /// A batch is set, and `out` is null or has room for its digests.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(algorithm: c_int, $out: *mut u8) -> c_int {
            const _: Library = $name;
            BATCH.with_borrow_mut(|batch| {
                let Some($batch) = batch else { return 0 };
                match algorithm {
                    // SAFETY: `out` is null or has room for the digests of the batch.
                    $($algorithm => unsafe { give($digests, $out) },)+
                    #[allow(unreachable_patterns)]
                    _ => 0,
                }
            })
        }
    };
}

library!(crates_commonware, |batch, out| {
    SHA256 => CommonwareSha256::hash_many(&batch.messages, &Sequential),
    SHA512 => CommonwareSha512::hash_many(&batch.messages, &Sequential),
});

library!(crates_tape, |batch, out| {
    SHA256 => {
        tape_sha256::hash_many(&batch.messages, &mut batch.sha256);
        &batch.sha256
    },
});

library!(crates_stringzilla, |batch, out| {
    SHA256 => {
        batch.states.fill(sz::Sha256::new());
        sz::sha256_multistate_update(&mut batch.states, &batch.messages).expect("a state each");
        sz::sha256_multistate_digest(&batch.states, &mut batch.sha256).expect("a digest each");
        &batch.sha256
    },
    HMAC => {
        let Batch { key, messages, states, sha256, .. } = batch;
        sz::hmac_sha256_multistate(key, messages, states, sha256).expect("a state and digest each");
        &*sha256
    },
});

library!(crates_rustcrypto, |batch, out| {
    SHA1 => batch.messages.iter().map(sha1::Sha1::digest),
    SHA256 => batch.messages.iter().map(sha2::Sha256::digest),
    SHA512 => batch.messages.iter().map(sha2::Sha512::digest),
    _ => batch
        .messages
        .iter()
        .map(|message| batch.rustcrypto.clone().chain_update(message).finalize().into_bytes()),
});

library!(crates_aws_lc, |batch, out| {
    SHA1 => one_by_one(&batch.messages, &aws::SHA1_FOR_LEGACY_USE_ONLY),
    SHA256 => one_by_one(&batch.messages, &aws::SHA256),
    SHA512 => one_by_one(&batch.messages, &aws::SHA512),
    _ => batch.messages.iter().map(|message| aws_hmac::sign(&batch.aws_lc, message)),
});

fn one_by_one(
    messages: &[&[u8]],
    algorithm: &'static aws::Algorithm,
) -> impl Iterator<Item = aws::Digest> {
    messages.iter().map(move |message| aws::digest(algorithm, message))
}

library!(crates_lanesum, |batch, out| {
    SHA1 => lanesum(batch, Algorithm::SHA1),
    SHA256 => lanesum(batch, Algorithm::SHA256),
    SHA512 => lanesum(batch, Algorithm::SHA512),
    _ => {
        lanesum::mac_many(Algorithm::SHA256, &batch.lanesum, &batch.messages, &mut batch.digests);
        &batch.digests
    },
});

/// By `hash` if it is one message, else by `hash_many`.
fn lanesum(batch: &mut Batch, algorithm: Algorithm) -> &[Lanesum] {
    if let [message] = batch.messages[..] {
        batch.digests.clear();
        batch.digests.push(lanesum::hash(algorithm, message));
    } else {
        lanesum::hash_many(algorithm, &batch.messages, &mut batch.digests);
    }
    &batch.digests
}
