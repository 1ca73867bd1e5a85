//! Solaris's `digest` and `mac`: messages compared with golden files, digests with other programs.

use crate::common;

use std::fmt::Write as _;
use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{Folder, Ran, bytes, ran};
use lanesum_spec::{Algorithm, digest};

/// Creates files to hash, and keys.
fn world() -> Folder {
    let folder = Folder::new();
    folder.file("a", "abc").file("empty", "").file("two words", "x");
    folder.file("key", "Jefe").file("no key", "").file("jefe", "what do ya want for nothing?");
    fs::create_dir(folder.at("d")).unwrap();
    folder
}

/// Runs a shell command line with `input` on standard input.
fn run(folder: &Folder, line: &str, input: &str) -> Ran {
    let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
    let script = format!("exec -a '{name}' \"$0\" {rest}");
    fs::write(folder.at(".stdin"), input).unwrap();
    let mut command = folder.command("bash");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_lanesum")]);
    ran(&command.stdin(File::open(folder.at(".stdin")).unwrap()).output().unwrap())
}

/// Runs each line of a file that begins with `$`, and compares the output with the following lines.
fn golden(text: &str) {
    let folder = world();
    let mut actual = String::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("$ ")) {
        let ran = run(&folder, line, "abc");
        let _ = writeln!(actual, "$ {line}");
        // Every line is marked, so that empty lines are visible.
        for (mark, stream) in [("", ran.out), ("2> ", ran.err)] {
            stream.lines().for_each(|line| writeln!(actual, "{mark}{line}").unwrap());
        }
        let _ = writeln!(actual, "[{}]", ran.status.unwrap());
    }
    assert_eq!(actual, text, "\n{actual}");
}

#[test]
fn digest_prints_the_same_as_on_solaris() {
    golden(include_str!("digest.txt"));
}

#[test]
fn mac_prints_the_same_as_on_solaris() {
    golden(include_str!("mac.txt"));
}

#[test]
fn digests_and_macs_match_openssl() {
    let folder = world();
    folder.file("long", bytes(1 << 20));
    for length in [1, 20, 64, 65, 128, 129, 1000] {
        folder.file("k", bytes(length));
        for name in ["sha1", "md5", "sha256", "sha384", "sha512"] {
            let algorithm = Algorithm::from_name(name).unwrap();
            let run_mac = run(&folder, &format!("mac -a {name}_hmac -k k a empty long"), "");
            let key: String = bytes(length).iter().map(|byte| format!("{byte:02x}")).collect();
            let mut expected = String::new();
            for file in ["a", "empty", "long"] {
                let option = format!("hexkey:{key}");
                let theirs = folder
                    .command("openssl")
                    .args(["mac", "-digest", name, "-macopt", &option, "-in", file, "HMAC"])
                    .output()
                    .unwrap();
                let theirs = String::from_utf8(theirs.stdout).unwrap().trim().to_lowercase();
                let _ = writeln!(expected, "({file}) = {theirs}");
            }
            common::well(run_mac, &expected);
            let ours = run(&folder, &format!("digest -a {name} long"), "").out;
            let theirs = digest(algorithm, &bytes(1 << 20));
            let theirs = &theirs[..algorithm.digest_len()];
            let theirs: String = theirs.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(ours.trim(), theirs);
        }
    }
}

/// Whether a process with this command line is inside the system call `read`.
fn is_waiting_for_input(command_line: &str) -> bool {
    const READ: &str = if cfg!(target_arch = "x86_64") { "0" } else { "63" };
    let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    let text = |path: &Path| fs::read_to_string(path).unwrap_or_default();
    processes.filter(|process| text(&process.join("cmdline")) == command_line).any(|process| {
        // A read from the terminal has a descriptor that is not a standard stream.
        let call = text(&process.join("syscall"));
        let mut words = call.split(' ');
        words.next() == Some(READ)
            && words.next().is_some_and(|file| !["0x0", "0x1", "0x2"].contains(&file))
    })
}

/// Runs `mac` with these arguments on a new terminal, and types `typed` at its prompt. The output includes
/// error messages, since there is only one terminal.
fn at_a_terminal(folder: &Folder, environment: &[(&str, &Path)], words: &str, typed: &str) -> Ran {
    // `script` provides a terminal, and types its input.
    let command = format!("exec -a mac '{}' {words}", env!("CARGO_BIN_EXE_lanesum"));
    let mut child = folder
        .command("script")
        .args(["-qec", &format!("bash -c \"{command}\""), "/dev/null"])
        .envs(environment.iter().copied())
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // The terminal itself echoes early input.
    let deadline = Instant::now() + Duration::from_secs(60);
    let command_line: String =
        ["mac"].into_iter().chain(words.split(' ')).map(|word| format!("{word}\0")).collect();
    while !is_waiting_for_input(&command_line) {
        assert!(Instant::now() < deadline, "it does not prompt");
        thread::sleep(Duration::from_millis(20));
    }
    std::io::Write::write_all(&mut stdin, format!("{typed}\n").as_bytes()).unwrap();
    let output = ran(&child.wait_with_output().unwrap());
    drop(stdin);
    output
}

#[test]
fn a_passphrase_is_read_from_the_terminal_and_determines_the_key() {
    let folder = world();
    let output = at_a_terminal(&folder, &[], "-a sha256_hmac jefe", "correct horse");
    assert_eq!(output.status, Some(0), "{output:?}");
    assert!(output.out.starts_with("Enter key: "), "{output:?}");
    assert!(!output.out.contains("correct"), "the passphrase is echoed: {output:?}");
    // OpenSSL derives the key, with Solaris's salt and iteration count.
    let derived = folder
        .command("openssl")
        .args(["kdf", "-keylen", "16", "-kdfopt", "digest:SHA1", "-kdfopt", "pass:correct horse"])
        .args([
            "-kdfopt",
            &format!("hexsalt:{}", "0a".repeat(16)),
            "-kdfopt",
            "iter:1000",
            "PBKDF2",
        ])
        .output()
        .unwrap();
    let key = String::from_utf8(derived.stdout).unwrap().trim().replace(':', "");
    let theirs = folder
        .command("openssl")
        .args([
            "mac",
            "-digest",
            "sha256",
            "-macopt",
            &format!("hexkey:{key}"),
            "-in",
            "jefe",
            "HMAC",
        ])
        .output()
        .unwrap();
    let theirs = String::from_utf8(theirs.stdout).unwrap().trim().to_lowercase();
    assert!(output.out.trim_end().ends_with(&theirs), "{theirs}: {output:?}");
}

/// Stores two keys on a token: one that is extractable and one that is not.
const KEYS: &str = r#"
import sys
import pkcs11
from pkcs11 import Attribute, KeyType, ObjectClass
token = pkcs11.lib(sys.argv[1]).get_token(token_label="loom")
with token.open(rw=True, user_pin="1234") as session:
    for label, may in (("open", True), ("shut", False)):
        session.create_object({
            Attribute.CLASS: ObjectClass.SECRET_KEY, Attribute.KEY_TYPE: KeyType.GENERIC_SECRET,
            Attribute.VALUE: bytes(range(64)), Attribute.LABEL: label, Attribute.TOKEN: True,
            Attribute.SENSITIVE: not may, Attribute.EXTRACTABLE: may, Attribute.SIGN: True,
        })
"#;

#[test]
fn keys_on_a_token_are_selected_by_label() {
    let folder = world();
    let (module, config) =
        (Path::new("/usr/lib/softhsm/libsofthsm2.so"), folder.at("softhsm.conf"));
    fs::create_dir(folder.at("tokens")).unwrap();
    let tokens = format!("directories.tokendir = {}\n", folder.at("tokens").display());
    fs::write(&config, tokens).unwrap();
    let environment = [("SOFTHSM2_CONF", &*config), ("LANESUM_PKCS11_MODULE", module)];
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/doors/bin/python");
    assert!(python.exists(), "{}: run `cargo xtask tools`", python.display());
    let mut set_up = folder.command("softhsm2-util");
    set_up.args(["--init-token", "--free", "--label", "loom", "--pin", "1234"]);
    let mut fill = folder.command(python);
    fill.args(["-c", KEYS]).arg(module);
    for command in [set_up.args(["--so-pin", "1234"]), &mut fill] {
        let output = ran(&command.envs(environment).output().unwrap());
        assert_eq!(output.status, Some(0), "{output:?}");
    }
    let tag = |algorithm: &str, file: &str| {
        let key: String = (0..64).map(|byte| format!("{byte:02x}")).collect();
        let mut openssl = folder.command("openssl");
        openssl.args(["mac", "-digest", algorithm, "-macopt", &format!("hexkey:{key}")]);
        let output = openssl.args(["-in", file, "HMAC"]).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_lowercase()
    };
    // Keys on the only token that supports the algorithm, and on a named one. Lines of a terminal
    // end with CR LF.
    for (label, spec) in [("open", ""), ("shut", ""), ("open", " -T loom"), ("shut", " -T loom")] {
        for algorithm in ["sha1", "sha256", "sha384", "sha512"] {
            let words = format!("-v -a {algorithm}_hmac -K {label}{spec} jefe missing a");
            let output = at_a_terminal(
                &folder,
                &[environment[0], (environment[1].0, module)],
                &words,
                "1234",
            );
            let expected = [
                "Enter PIN for loom: ".to_owned(),
                format!("{algorithm}_hmac (jefe) = {}", tag(algorithm, "jefe")),
                "mac: can not open input file missing".to_owned(),
                String::new(),
                format!("{algorithm}_hmac (a) = {}", tag(algorithm, "a")),
            ];
            let lines: Vec<_> = output.out.lines().map(str::trim_end).collect();
            let mut ours: Vec<_> = lines.clone();
            ours.sort_unstable();
            let mut theirs: Vec<_> = expected.iter().map(|line| line.trim_end()).collect();
            theirs.sort_unstable();
            assert_eq!(ours, theirs, "{words}: {output:?}");
            assert_eq!(output.status, Some(2), "{words}");
        }
    }
    for (words, typed, said) in [
        ("-a sha1_hmac -K open a", "4321", "Cannot login to the token. error = CKR_PIN_INCORRECT"),
        ("-a sha1_hmac -K open a", "", "mac: invalid passphrase."),
        ("-a sha1_hmac -K none a", "1234", "Cannot find the key object."),
        (
            "-a md5_hmac -K shut -T loom a",
            "1234",
            "mac: no cryptographic provider was found for this algorithm -- md5_hmac",
        ),
    ] {
        let output = at_a_terminal(&folder, &[environment[0], environment[1]], words, typed);
        assert!(output.out.contains(said), "{words}: {output:?}");
        assert_eq!(output.status, Some(1), "{words}");
    }
    for (module, said) in [
        (module, "mac: no matching PKCS#11 token\n"),
        (Path::new("/nowhere.so"), "mac: failed to initialize PKCS #11 framework: "),
    ] {
        let mut mac = folder.lanesum();
        mac.arg0("mac").args(["-a", "sha1_hmac", "-K", "open", "-T", "other", "a"]);
        mac.env("SOFTHSM2_CONF", &config).env("LANESUM_PKCS11_MODULE", module);
        let output = ran(&mac.output().unwrap());
        assert!(output.err.starts_with(said) && output.status == Some(1), "{output:?}");
    }
}

#[test]
fn without_a_terminal_there_is_no_passphrase() {
    let folder = world();
    // A new session has no terminal.
    let mut command = folder.command("setsid");
    command.args(["-w", "bash", "-c", "exec -a mac \"$0\" -a sha1_hmac a"]);
    let output = ran(&command.arg(env!("CARGO_BIN_EXE_lanesum")).output().unwrap());
    assert_eq!(output.status, Some(1));
    assert!(output.err.ends_with("mac: invalid passphrase.\n"), "{output:?}");
}

#[test]
fn results_are_in_argument_order_despite_errors() {
    let folder = world();
    let mut command = folder.lanesum();
    command.arg0("digest").args(["-a", "sha256"]);
    let mut expected = String::new();
    for i in 0..500 {
        let name = format!("f{i}");
        command.arg(&name);
        if i % 50 != 7 {
            folder.file(&name, bytes(i * 97 % 5000));
            let hex = common::hex("sha256", &bytes(i * 97 % 5000));
            let _ = writeln!(expected, "({name}) = {hex}");
        }
    }
    let output = ran(&command.output().unwrap());
    assert_eq!(output.out, expected);
    assert_eq!(output.err.matches("can not open input file").count(), 10);
    assert_eq!(output.status, Some(2));
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let folder = world();
    let full = File::options().write(true).open("/dev/full").unwrap();
    let output =
        folder.lanesum().arg0("digest").args(["-a", "sha1", "a"]).stdout(full).output().unwrap();
    let output = ran(&output);
    assert_eq!((output.status, &output.err[..]), (Some(1), "digest: write error\n"));
}
