//! Calls the functions on memory of exactly the length that their headers declare, so that the
//! address sanitizer detects any access beyond it (`cargo xtask sanitize`).

use core::ffi::c_char;
use core::mem::MaybeUninit;
use std::fs;

use engine::{Algorithm, hash};

use crate::layout::{Sha1Dc, Sha3};
use crate::{bsd, freebsd, sha1dc, sha3, solaris};

/// Returns a message of `len` bytes in a separate allocation.
fn message(len: usize) -> Box<[u8]> {
    (0..len).map(|i| (i % 251) as u8).collect()
}

/// Tests Init, Update, Final and End of one algorithm, each context in a separate allocation.
macro_rules! within {
    ($module:path, $context:ty, $algorithm:ident) => {{
        use $module as functions;
        let algorithm = Algorithm::$algorithm;
        for len in (0..300).chain([4096]) {
            let message = message(len);
            let expected = hash(algorithm, &message);
            let mut context: Box<MaybeUninit<$context>> = Box::new_uninit();
            let mut digest = vec![0; algorithm.digest_len()].into_boxed_slice();
            let mut text = vec![0; 2 * algorithm.digest_len() + 1].into_boxed_slice();
            // C requires an aligned context, but a misaligned one must also work.
            let mut odd = vec![0_u8; size_of::<$context>() + 2].into_boxed_slice();
            let first = 1 - odd.as_ptr().addr() % 2;
            let odd = odd[first..][..size_of::<$context>()].as_mut_ptr();
            assert!(!odd.cast::<$context>().is_aligned());
            for context in [context.as_mut_ptr(), odd.cast()] {
                // SAFETY: all lengths match the buffers.
                unsafe {
                    let half = len / 2;
                    functions::init(context);
                    functions::update(context, message.as_ptr(), half);
                    functions::update(context, message[half..].as_ptr(), len - half);
                    functions::last(digest.as_mut_ptr(), context);
                    assert!(expected == *digest, "{algorithm} {len}");
                    functions::init(context);
                    functions::update(context, message.as_ptr(), len);
                    let to = text.as_mut_ptr().cast::<c_char>();
                    assert_eq!(functions::end(context, to), to);
                }
                assert_eq!(text, format!("{expected}\0").into_bytes().into_boxed_slice());
            }
        }
    }};
}

#[test]
fn every_function_stays_within_its_memory() {
    use crate::layout::{Half, Sha2, Short, Small};
    within!(bsd::md5, Small<4>, MD5);
    within!(bsd::rmd160, Small<5>, RIPEMD160);
    within!(bsd::sha1, Small<5>, SHA1);
    within!(bsd::sha224, Sha2, SHA224);
    within!(bsd::sha256, Sha2, SHA256);
    within!(bsd::sha384, Sha2, SHA384);
    within!(bsd::sha512, Sha2, SHA512);
    within!(bsd::sha512_224, Sha2, SHA512_224);
    within!(bsd::sha512_256, Sha2, SHA512_256);
    within!(freebsd::ripemd160, Short, RIPEMD160);
    within!(freebsd::sha1, Short, SHA1);
    within!(freebsd::sha224, Half, SHA224);
    within!(freebsd::sha256, Half, SHA256);
    within!(freebsd::sha384, Sha2, SHA384);
    within!(freebsd::sha512, Sha2, SHA512);
    within!(freebsd::sha512_224, Sha2, SHA512_224);
    within!(freebsd::sha512_256, Sha2, SHA512_256);
}

#[test]
fn solaris_contexts_store_their_mechanism() {
    let mechanisms = [
        (0, Algorithm::SHA256),
        (3, Algorithm::SHA384),
        (6, Algorithm::SHA512),
        (9, Algorithm::SHA512_224),
        (10, Algorithm::SHA512_256),
    ];
    for (mechanism, algorithm) in mechanisms {
        let mut context = Box::new_uninit();
        let mut digest = vec![0; algorithm.digest_len()].into_boxed_slice();
        // SAFETY: all lengths match the buffers.
        unsafe {
            solaris::init(mechanism, context.as_mut_ptr());
            solaris::update(context.as_mut_ptr(), b"abc".as_ptr().cast(), 3);
            solaris::last(digest.as_mut_ptr().cast(), context.as_mut_ptr());
        }
        assert!(hash(algorithm, b"abc") == *digest, "{algorithm}");
    }
}

/// The test suites of RFC 1319 §A.5 and RFC 1320 §A.5.
#[test]
fn md2_and_md4_match_their_rfcs() {
    let messages: [&[u8]; 4] = [b"", b"a", b"abc", b"message digest"];
    let digests = [
        ["8350e5a3e24c153df2275c9f80692773", "31d6cfe0d16ae931b73c59d7e0c089c0"],
        ["32ec01ec4a6dac72c0ab96fb34c0b5d1", "bde52cb31de33e46245e05fbdbd6fb24"],
        ["da853b0d3f88d99b30283a69e6ded6bb", "a448017aaf21d8525fc10ae87aa6729d"],
        ["ab4f496bfb2a530b219ff33031fe06b0", "d9130a8164549fe818874806e1c7014b"],
    ];
    for (message, digests) in messages.into_iter().zip(digests) {
        for (data, digest) in [bsd::md2::data, bsd::md4::data].into_iter().zip(digests) {
            let mut text = [0; 33];
            // SAFETY: all lengths match the buffers.
            unsafe { data(message.as_ptr(), message.len(), text.as_mut_ptr().cast::<c_char>()) };
            assert_eq!(text[..32], *digest.as_bytes());
        }
    }
}

#[test]
fn the_requested_part_of_a_file_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let content = message(200_000);
    fs::write(&path, &content).unwrap();
    let name = std::ffi::CString::new(path.into_os_string().into_encoded_bytes()).unwrap();
    for (from, len) in
        [(0, 0), (1, 0), (0, 1), (65_535, 65_537), (199_999, 5), (200_000, 5), (7, -1)]
    {
        let mut text = vec![0_u8; 65].into_boxed_slice();
        // SAFETY: `name` is NUL-terminated, and `text` has room for the digest.
        let given =
            unsafe { bsd::sha256::file_chunk(name.as_ptr(), text.as_mut_ptr().cast(), from, len) };
        assert!(!given.is_null());
        let rest = &content[from as usize..];
        let part = if len > 0 { &rest[..rest.len().min(len as usize)] } else { rest };
        assert_eq!(text[..64], *hash(Algorithm::SHA256, part).to_string().as_bytes());
    }
}

#[test]
fn a_descriptor_stays_open_and_a_closed_one_is_an_error() {
    use std::io::{Seek, SeekFrom, Write};
    use std::os::fd::{AsRawFd, IntoRawFd};
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&message(1000)).unwrap();
    file.seek(SeekFrom::Start(10)).unwrap();
    let mut text = [0_u8; 65];
    let to = text.as_mut_ptr().cast::<c_char>();
    // SAFETY: `text` has room for the digest.
    let given = unsafe { freebsd::sha256::fd(file.as_raw_fd(), to) };
    assert_eq!(given, to);
    assert_eq!(text[..64], *hash(Algorithm::SHA256, &message(1000)[10..]).to_string().as_bytes());
    assert_eq!(file.stream_position().unwrap(), 1000, "the descriptor is still open");
    // Far above the descriptors that concurrent tests open.
    let (fd, closed) = (file.into_raw_fd(), 1000);
    // SAFETY: `fd` belongs to this test, and `closed` is not used elsewhere.
    unsafe {
        assert_eq!(libc::dup2(fd, closed), closed);
        assert_eq!((libc::close(fd), libc::close(closed)), (0, 0));
    }
    for fd in [closed, -1, i32::MAX] {
        crate::door::set_errno(0);
        // SAFETY: `text` has room for the digest; none is written.
        let given = unsafe { freebsd::sha256::fd_chunk(fd, to, 3, 5) };
        assert!(given.is_null());
        assert_eq!(std::io::Error::last_os_error().raw_os_error(), Some(libc::EBADF));
    }
}

/// Compares with RustCrypto's `sha3`, for messages hashed in parts of several sizes.
macro_rules! sha3 {
    ($module:path, $message:expr, $right:expr, $($len:expr)?) => {{
        use $module as functions;
        let (message, right): (&[u8], Vec<u8>) = ($message, $right);
        for part in [1, 7, 200, 1000] {
            let mut memory: Box<MaybeUninit<Sha3>> = Box::new_uninit();
            let mut digest = vec![0_u8; right.len()].into_boxed_slice();
            let context = memory.as_mut_ptr();
            // SAFETY: all lengths match the buffers.
            unsafe {
                functions::init(context);
                for part in message.chunks(part) {
                    functions::update(context, part.as_ptr(), part.len());
                }
                functions::last(digest.as_mut_ptr(), $($len,)? context);
                assert!(memory.assume_init_ref().state == [0; 25], "the state is overwritten");
            }
            assert_eq!(*digest, *right, "{} {}", stringify!($module), message.len());
        }
    }};
}

#[test]
fn sha3_and_shake_match_another_library() {
    use ::sha3::digest::{Digest, ExtendableOutput, XofReader};
    use ::sha3::{Sha3_224, Sha3_256, Sha3_384, Sha3_512};
    use ::shake::{Shake128, Shake256};
    fn output(mut shake: impl ExtendableOutput, message: &[u8], len: usize) -> Vec<u8> {
        let mut out = vec![0; len];
        shake.update(message);
        shake.finalize_xof().read(&mut out);
        out
    }
    assert_eq!(sha3::selftest(), 0);
    for len in (0..300).chain([4096]) {
        let message = &message(len)[..];
        sha3!(crate::sha3::sha3_224, message, Sha3_224::digest(message).to_vec(),);
        sha3!(crate::sha3::sha3_256, message, Sha3_256::digest(message).to_vec(),);
        sha3!(crate::sha3::sha3_384, message, Sha3_384::digest(message).to_vec(),);
        sha3!(crate::sha3::sha3_512, message, Sha3_512::digest(message).to_vec(),);
        // Output lengths around the ends of the output blocks.
        let n = len * 2;
        sha3!(crate::sha3::shake128, message, output(Shake128::default(), message, n), n);
        sha3!(crate::sha3::shake256, message, output(Shake256::default(), message, n), n);
    }
}

#[test]
fn any_bytes_are_a_valid_sha3_context() {
    let (data, mut digest) = (message(500), [0; 28]);
    for room in [0, 1, 144, 145, u32::MAX] {
        let mut context = Sha3 { state: [u64::MAX; 25], room };
        // SAFETY: all lengths match the buffers.
        unsafe {
            sha3::sha3_224::update(&raw mut context, data.as_ptr(), data.len());
            sha3::sha3_224::last(digest.as_mut_ptr(), &raw mut context);
            sha3::sha3_224::update(std::ptr::null_mut(), data.as_ptr(), data.len());
            sha3::sha3_224::last(std::ptr::null_mut(), &raw mut context);
        }
    }
}

/// Hashes `message` in pieces of `piece` bytes with the functions of sha1collisiondetection.
fn sha1dc_of(context: *mut Sha1Dc, message: &[u8], piece: usize) -> ([u8; 20], i32) {
    let mut digest = [0; 20];
    // SAFETY: all lengths match the buffers.
    unsafe {
        for piece in message.chunks(piece) {
            sha1dc::update(context, piece.as_ptr().cast(), piece.len());
        }
        let found = sha1dc::last(digest.as_mut_ptr(), context);
        (digest, found)
    }
}

#[test]
fn contexts_of_sha1dc_may_be_misaligned_and_reused() {
    let mut aligned: Box<MaybeUninit<Sha1Dc>> = Box::new_uninit();
    let mut odd = vec![0_u8; size_of::<Sha1Dc>() + 2].into_boxed_slice();
    let first = 1 - odd.as_ptr().addr() % 2;
    let odd = odd[first..][..size_of::<Sha1Dc>()].as_mut_ptr().cast::<Sha1Dc>();
    assert!(!odd.is_aligned());
    for context in [aligned.as_mut_ptr(), odd] {
        for len in (0..300).chain([4096, 20_000]) {
            let message = message(len);
            for detects in [1, 0] {
                // SAFETY: `context` has memory for a context.
                unsafe {
                    sha1dc::init(context);
                    sha1dc::set_use_detect_coll(context, detects);
                }
                let expected = hash(Algorithm::SHA1, &message);
                let (digest, found) = sha1dc_of(context, &message, 1 + len * 7 % 150);
                assert!(expected == digest && found == 0, "{len}");
            }
        }
    }
}

/// Another implementation, a translation of the original.
#[test]
fn collisions_end_like_those_of_another_implementation() {
    use sha1_checked::{Digest as _, Sha1};

    let messages: [&[u8]; 4] = [
        include_bytes!("../../engine/tests/all/data/sha1dc/shattered-1.bin"),
        include_bytes!("../../engine/tests/all/data/sha1dc/sha-mbles-2.bin"),
        include_bytes!("../../engine/tests/all/data/sha1dc/sha1_reducedsha_coll.bin"),
        &[7; 200],
    ];
    let mut found_any = 0;
    for message in messages {
        for settings in 0..8 {
            let [safe, reduced, screens] = [0, 1, 2].map(|bit| settings >> bit & 1);
            for len in [0, 1, 64, 1000] {
                let message = [message, &vec![3; len]].concat();
                let mut peer = Sha1::builder()
                    .safe_hash(safe == 1)
                    .reduced_round_collision(reduced == 1)
                    .use_ubc(screens == 1)
                    .build();
                peer.update(&message);
                let theirs = peer.try_finalize();
                for piece in [1, 17, 64, 100, 4000] {
                    let mut context: Box<MaybeUninit<Sha1Dc>> = Box::new_uninit();
                    let context = context.as_mut_ptr();
                    // SAFETY: `context` has memory for a context.
                    unsafe {
                        sha1dc::init(context);
                        sha1dc::set_safe_hash(context, safe);
                        sha1dc::set_detect_reduced(context, reduced);
                        sha1dc::set_use_ubc(context, screens);
                    }
                    let (digest, found) = sha1dc_of(context, &message, piece);
                    let expected: ([u8; 20], _) = ((*theirs.hash()).into(), theirs.has_collision());
                    assert_eq!((digest, found != 0), expected, "{settings:b} {len} {piece}");
                    found_any += found;
                }
            }
        }
    }
    assert!(found_any > 100, "{found_any}");
}

/// After `SHA1DCFinal`, a context has the values that the original leaves in it, and its detection is not reset.
#[test]
fn contexts_of_sha1dc_keep_their_values() {
    let message = include_bytes!("../../engine/tests/all/data/sha1dc/shattered-1.bin");
    let mut context: Box<MaybeUninit<Sha1Dc>> = Box::new_uninit();
    let context = context.as_mut_ptr();
    // SAFETY: the calls initialize the context.
    let (found, last) = unsafe {
        sha1dc::init(context);
        let (_, found) = sha1dc_of(context, message, 64);
        (found, *context)
    };
    assert_eq!((found, last.found_collision, last.total), (1, 1, 320 + 56));
    assert_eq!(last.block[..2], [0x80, 0]);
    assert_eq!(last.block[56..], (320_u64 * 8).to_be_bytes());
    let (_, found) = sha1dc_of(context, b"more", 4);
    assert_eq!(found, 1);
    // SAFETY: null pointers are allowed; `digest` has room.
    unsafe {
        sha1dc::init(core::ptr::null_mut());
        sha1dc::update(core::ptr::null_mut(), b"a".as_ptr().cast(), 1);
        sha1dc::set_callback(core::ptr::null_mut(), None);
        assert_eq!(sha1dc::last([0; 20].as_mut_ptr(), core::ptr::null_mut()), -1);
        assert_eq!(sha1dc::last(core::ptr::null_mut(), context), -1);
    }
}
