//! Calls the functions of `lanesum.h` on buffers of exactly the specified length, so that the
//! address sanitizer detects any access beyond them (`cargo xtask sanitize`).

use core::ffi::{c_int, c_void};
use core::mem::MaybeUninit;
use core::ptr::{null, null_mut};
use std::thread;

use engine::{Algorithm, HmacKey, hash};

use crate::c::algorithm::lanesum_algorithm_from_name;
use crate::c::batch::{lanesum_hash_many, lanesum_hash_offsets, lanesum_hash_strided};
use crate::c::derive::{lanesum_hkdf, lanesum_pbkdf2};
use crate::c::hasher::*;
use crate::c::hmac::*;
use crate::c::status::{LANESUM_E_BUSY, LANESUM_E_INTERNAL, LANESUM_E_STATE, LANESUM_OK};
use crate::context::{Context, Held};
use crate::guard::{self, Failure};

/// Returns a message of `len` bytes in a separate allocation.
fn message(len: usize) -> Box<[u8]> {
    (0..len).map(|i| (i % 251) as u8).collect()
}

fn start(bytes: &[u8]) -> *const c_void {
    bytes.as_ptr().cast()
}

/// Looks up the number of an algorithm by name.
fn number(algorithm: Algorithm) -> i32 {
    let name = std::ffi::CString::new(algorithm.name()).unwrap();
    // SAFETY: `name` is NUL-terminated.
    unsafe { lanesum_algorithm_from_name(name.as_ptr()) }
}

/// Allocates an uninitialized context.
fn fresh<T>() -> Box<MaybeUninit<T>> {
    Box::new_uninit()
}

#[test]
fn one_message_of_any_length_stays_within_its_memory() {
    for algorithm in Algorithm::all() {
        let (number, len) = (number(algorithm), algorithm.digest_len());
        for message_len in (0..300).chain([4096, 100_000]) {
            let message = message(message_len);
            let expected = hash(algorithm, &message);
            let mut digest = vec![0; len].into_boxed_slice();
            let mut hasher = fresh::<lanesum_hasher>();
            // SAFETY: all lengths match the buffers.
            unsafe {
                let at = start(&message);
                let (to, room) = (digest.as_mut_ptr(), digest.len());
                assert_eq!(lanesum_hash(number, at, message_len, to, room), LANESUM_OK);
                assert!(expected == *digest);
                let half = message_len / 2;
                let hasher = hasher.as_mut_ptr();
                assert_eq!(lanesum_hasher_init(hasher, number, null()), LANESUM_OK);
                assert_eq!(lanesum_hasher_update(hasher, at, half), LANESUM_OK);
                let rest = start(&message[half..]);
                assert_eq!(lanesum_hasher_update(hasher, rest, message_len - half), LANESUM_OK);
                digest.fill(0);
                assert_eq!(lanesum_hasher_finish(hasher, digest.as_mut_ptr(), len), LANESUM_OK);
                assert!(expected == *digest);
            }
        }
    }
}

#[test]
fn batches_stay_within_their_memory() {
    const COUNT: usize = 100;
    for algorithm in Algorithm::all() {
        let (number, len) = (number(algorithm), algorithm.digest_len());
        let messages: Vec<Box<[u8]>> = (0..COUNT).map(message).collect();
        let pointers: Box<[*const c_void]> = messages.iter().map(|m| start(m)).collect();
        let lens: Box<[usize]> = messages.iter().map(|m| m.len()).collect();
        let buffer: Box<[u8]> = messages.concat().into();
        let offsets: Box<[u64]> = (0..=COUNT as u64).map(|i| i * i.saturating_sub(1) / 2).collect();
        let expected: Vec<u8> =
            messages.iter().flat_map(|m| hash(algorithm, m).as_bytes().to_vec()).collect();
        let mut digests = vec![0; COUNT * len].into_boxed_slice();
        let (to, room) = (digests.as_mut_ptr(), digests.len());
        // SAFETY: all lengths and counts match the buffers.
        unsafe {
            let (pointers, lens) = (pointers.as_ptr(), lens.as_ptr());
            let status = lanesum_hash_many(number, pointers, lens, COUNT, to, room, null());
            assert_eq!(status, LANESUM_OK);
            assert!(*digests == *expected);
            digests.fill(0);
            let (from, bytes) = (start(&buffer), buffer.len());
            let offsets = offsets.as_ptr();
            let (to, room) = (digests.as_mut_ptr(), digests.len());
            let status =
                lanesum_hash_offsets(number, from, bytes, offsets, COUNT, to, room, null());
            assert_eq!(status, LANESUM_OK);
            assert!(*digests == *expected);
            // The last message ends at the end of the buffer, not a stride later.
            let table = message(33 * (COUNT - 1) + 20);
            let (to, room) = (digests.as_mut_ptr(), digests.len());
            let status =
                lanesum_hash_strided(number, start(&table), 20, 33, COUNT, to, room, null());
            assert_eq!(status, LANESUM_OK);
        }
        let table = message(33 * (COUNT - 1) + 20);
        for (i, digest) in digests.chunks_exact(len).enumerate() {
            assert!(hash(algorithm, &table[33 * i..][..20]) == *digest, "{algorithm} {i}");
        }
    }
}

#[test]
fn keyed_functions_stay_within_their_memory() {
    for algorithm in Algorithm::all() {
        let (number, len) = (number(algorithm), algorithm.digest_len());
        for key_len in [0, 1, 20, 64, 65, 128, 129, 300] {
            let (bytes, message) = (message(key_len), message(77));
            let mut tag = vec![0; len].into_boxed_slice();
            let (mut key, mut hmac) = (fresh::<lanesum_hmac_key>(), fresh::<lanesum_hmac>());
            let expected = HmacKey::new(algorithm, &bytes).mac(&message);
            // SAFETY: all lengths match the buffers.
            unsafe {
                let (key, hmac, to) = (key.as_mut_ptr(), hmac.as_mut_ptr(), tag.as_mut_ptr());
                let (from, message) = (start(&bytes), start(&message));
                assert_eq!(lanesum_hmac_key_init(key, number, from, key_len, null()), LANESUM_OK);
                assert_eq!(lanesum_hmac_key_mac(key, message, 77, to, len), LANESUM_OK);
                assert!(expected == *tag);
                assert_eq!(lanesum_hmac_init(hmac, key), LANESUM_OK);
                assert_eq!(lanesum_hmac_key_wipe(key), LANESUM_OK);
                assert_eq!(lanesum_hmac_update(hmac, message, 77), LANESUM_OK);
                assert_eq!(lanesum_hmac_verify(hmac, tag.as_ptr(), len), LANESUM_OK);
                assert_eq!(lanesum_hmac_wipe(hmac), LANESUM_E_STATE);
            }
            let mut derived = vec![0; key_len].into_boxed_slice();
            // SAFETY: all lengths match the buffers.
            unsafe {
                let (from, to) = (start(&bytes), derived.as_mut_ptr());
                let status =
                    lanesum_hkdf(number, from, key_len, from, key_len, null(), 0, to, key_len);
                assert_eq!(status, LANESUM_OK);
                let status = lanesum_pbkdf2(number, from, key_len, null(), 0, 2, to, key_len);
                assert_eq!(status, LANESUM_OK);
            }
        }
    }
}

#[test]
fn a_panic_is_a_status_and_leaves_no_value_behind() {
    assert_eq!(guard::call(|| panic!("on purpose")), LANESUM_E_INTERNAL);
    let mut hasher = fresh::<lanesum_hasher>();
    // SAFETY: `hasher` is a valid allocation.
    unsafe {
        let hasher = hasher.as_mut_ptr();
        assert_eq!(lanesum_hasher_init(hasher, number(Algorithm::SHA256), null()), LANESUM_OK);
        let context = Context::<engine::Hasher>::at(hasher).unwrap();
        let status = guard::call(|| context.with(|_| panic!("on purpose")));
        assert_eq!(status, LANESUM_E_INTERNAL);
        assert_eq!(lanesum_hasher_update(hasher, null(), 0), LANESUM_E_STATE);
    }
    assert_eq!(guard::barrier(7, || panic!("on purpose")), 7);
}

/// Two words that are always equal.
#[derive(Clone)]
struct Twins(u64, u64);

impl Held for Twins {
    type Declared = [u64; 3];
    const MARK: u64 = u64::from_be_bytes(*b"twins\0\0\0");
    const SHARED: bool = true;

    fn blank(&mut self) {
        *self = Self(0, 0);
    }
}

#[test]
fn no_thread_sees_half_a_value() {
    let mut place = [0; 3];
    // SAFETY: `place` has the declared type and is accessed only through the context.
    let context = unsafe { Context::<Twins>::at(&raw mut place) }.unwrap();
    assert_eq!(context.read().err(), Some(Failure::State));
    context.put(Twins(0, 0));
    thread::scope(|scope| {
        scope.spawn(|| (1..20_000).for_each(|i| context.put(Twins(i, i))));
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..20_000 {
                    match context.read() {
                        Ok(Twins(a, b)) => assert_eq!(a, b),
                        Err(failure) => assert_eq!(failure, Failure::Busy),
                    }
                }
            });
        }
    });
}

#[test]
fn a_context_in_use_is_busy() {
    let mut hasher = fresh::<lanesum_hasher>();
    // SAFETY: `hasher` is a valid allocation.
    unsafe {
        let hasher = hasher.as_mut_ptr();
        assert_eq!(lanesum_hasher_init(hasher, number(Algorithm::SHA1), null()), LANESUM_OK);
        let context = Context::<engine::Hasher>::at(hasher).unwrap();
        let inside = |_: &mut engine::Hasher| {
            let calls: [c_int; 3] = [
                lanesum_hasher_update(hasher, null(), 0),
                lanesum_hasher_finish(hasher, null_mut(), 0),
                lanesum_hasher_wipe(hasher),
            ];
            assert_eq!(calls, [LANESUM_E_BUSY; 3]);
            Ok(())
        };
        context.with(inside).unwrap();
        assert_eq!(lanesum_hasher_wipe(hasher), LANESUM_OK);
    }
}
