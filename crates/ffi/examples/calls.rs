//! Measures the cost of a call of the engine in Rust, of liblanesum in C, and of libcrypto.
//!
//!     cargo run --release -p lanesum-ffi --example calls [liblanesum.so] >> record.csv
//!
//! Prints one line for each call and length: the minimum and the median of the rounds, in
//! nanoseconds per message.

use core::ffi::{CStr, c_char, c_int, c_void};
use std::ffi::CString;
use std::hint::black_box;
use std::time::Instant;
use std::{env, ptr};

use engine::{Algorithm, hash};

/// The number of rounds in which each call is timed, and of messages per round.
const ROUNDS: usize = 41;
const MESSAGES: usize = 2048;

unsafe extern "C" {
    fn dlopen(name: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// Returns the address of a function in a shared library.
fn function(library: &str, name: &CStr) -> Option<*mut c_void> {
    const RTLD_NOW: c_int = 2;
    let library = CString::new(library).ok()?;
    // SAFETY: both strings end with a NUL, and libraries remain loaded.
    let found = unsafe {
        let library = dlopen(library.as_ptr(), RTLD_NOW);
        if library.is_null() { ptr::null_mut() } else { dlsym(library, name.as_ptr()) }
    };
    (!found.is_null()).then_some(found)
}

type Hash = unsafe extern "C" fn(i32, *const u8, usize, *mut u8, usize) -> c_int;
type HashStrided = unsafe extern "C" fn(
    i32,
    *const u8,
    usize,
    usize,
    usize,
    *mut u8,
    usize,
    *const c_void,
) -> c_int;
type PolicyNew = unsafe extern "C" fn(*const c_char, usize, *mut *mut c_void) -> c_int;
type OneShot = unsafe extern "C" fn(*const u8, usize, *mut u8) -> *mut u8;

/// SHA-1, SHA-256 and SHA-512, with their numbers in liblanesum and their functions in libcrypto.
const ALGORITHMS: [(Algorithm, i32, &CStr); 3] = [
    (Algorithm::SHA1, 1, c"SHA1"),
    (Algorithm::SHA256, 3, c"SHA256"),
    (Algorithm::SHA512, 5, c"SHA512"),
];

fn main() {
    let beside = env::current_exe().ok().map(|path| path.with_file_name("../liblanesum.so"));
    let lanesum = env::args().nth(1).or(beside.map(|path| path.display().to_string()));
    let lanesum = lanesum.expect("the path of liblanesum.so");
    let symbol = |name| function(&lanesum, name).expect("liblanesum.so with lanesum_hash in it");
    // SAFETY: lanesum.h declares the functions with these types.
    let (c_hash, c_strided, policy_new) = unsafe {
        let (one, strided) = (symbol(c"lanesum_hash"), symbol(c"lanesum_hash_strided"));
        (
            core::mem::transmute::<*mut c_void, Hash>(one),
            core::mem::transmute::<*mut c_void, HashStrided>(strided),
            core::mem::transmute::<*mut c_void, PolicyNew>(symbol(c"lanesum_policy_new")),
        )
    };
    let mut policy = ptr::null_mut();
    // SAFETY: a null list of kernels selects the default, and `policy` is writable.
    assert_eq!(unsafe { policy_new(ptr::null(), 1, &mut policy) }, 0);
    println!("algorithm,call,bytes,ns_min,ns_median");
    for (algorithm, number, name) in ALGORITHMS {
        let digest_len = algorithm.digest_len();
        // SAFETY: <openssl/sha.h> declares the functions with this type.
        let crypto = function("libcrypto.so.3", name)
            .map(|found| unsafe { core::mem::transmute::<*mut c_void, OneShot>(found) });
        for len in [64, 128, 256, 512, 1024] {
            let messages: Vec<u8> = (0..MESSAGES * len).map(|i| (i % 251) as u8).collect();
            let mut digests = vec![0; MESSAGES * digest_len];
            let mut rust = || {
                for (message, to) in
                    messages.chunks_exact(len).zip(digests.chunks_exact_mut(digest_len))
                {
                    to.copy_from_slice(hash(algorithm, black_box(message)).as_bytes());
                }
                black_box(&mut digests);
            };
            let mut out = vec![0; MESSAGES * digest_len];
            let mut c = || {
                for (message, to) in
                    messages.chunks_exact(len).zip(out.chunks_exact_mut(digest_len))
                {
                    // SAFETY: `message` has `len` bytes, and `to` has `digest_len`.
                    unsafe { c_hash(number, message.as_ptr(), len, to.as_mut_ptr(), digest_len) };
                }
                black_box(&mut out);
            };
            let mut many_out = vec![0; MESSAGES * digest_len];
            let mut many = || {
                let (to, room) = (many_out.as_mut_ptr(), many_out.len());
                // SAFETY: `messages` has `MESSAGES * len` bytes, and `many_out` has `room`.
                unsafe {
                    c_strided(number, messages.as_ptr(), len, len, MESSAGES, to, room, ptr::null())
                };
                black_box(&mut many_out);
            };
            // Batches of one message, to compare calls with and without a policy.
            let mut one_out = vec![0; MESSAGES * digest_len];
            let mut of_one = |policy: *const c_void| {
                for (message, to) in
                    messages.chunks_exact(len).zip(one_out.chunks_exact_mut(digest_len))
                {
                    let (message, to) = (message.as_ptr(), to.as_mut_ptr());
                    // SAFETY: `message` has `len` bytes, `to` has `digest_len`, and `policy` is
                    // null or valid.
                    unsafe { c_strided(number, message, len, len, 1, to, digest_len, policy) };
                }
                black_box(&mut one_out);
            };
            let mut crypto_out = vec![0; MESSAGES * digest_len];
            let mut crypto = || {
                let Some(one_shot) = crypto else { return };
                for (message, to) in
                    messages.chunks_exact(len).zip(crypto_out.chunks_exact_mut(digest_len))
                {
                    // SAFETY: `message` has `len` bytes, and `to` has `digest_len`.
                    unsafe { one_shot(message.as_ptr(), len, to.as_mut_ptr()) };
                }
                black_box(&mut crypto_out);
            };
            let names = [
                "rust hash",
                "lanesum_hash",
                "lanesum_hash_strided",
                "lanesum_hash_strided of one",
                "lanesum_hash_strided of one with a policy",
                "libcrypto one-shot",
            ];
            let mut times = [const { Vec::new() }; 6];
            for _ in 0..ROUNDS {
                for (i, times) in times.iter_mut().enumerate() {
                    let start = Instant::now();
                    match i {
                        0 => rust(),
                        1 => c(),
                        2 => many(),
                        3 => of_one(ptr::null()),
                        4 => of_one(policy),
                        _ => crypto(),
                    }
                    times.push(start.elapsed().as_nanos() as f64 / MESSAGES as f64);
                }
            }
            assert!(
                [&out, &many_out, &one_out, &crypto_out].iter().all(|other| **other == digests)
            );
            for (name, mut times) in names.into_iter().zip(times) {
                times.sort_by(f64::total_cmp);
                println!("{algorithm},{name},{len},{:.1},{:.1}", times[0], times[ROUNDS / 2]);
            }
        }
    }
}
