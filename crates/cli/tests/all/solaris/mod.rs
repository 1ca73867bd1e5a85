//! Solaris's `digest` and `mac`: their texts as golden files, their digests by other programs.

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

/// What there is to hash, and keys.
fn world() -> Folder {
    let folder = Folder::new();
    folder.file("a", "abc").file("empty", "").file("two words", "x");
    folder.file("key", "Jefe").file("no key", "").file("jefe", "what do ya want for nothing?");
    fs::create_dir(folder.at("d")).unwrap();
    folder
}

/// Runs a command line that a shell would take apart, with this on standard input.
fn run(folder: &Folder, line: &str, input: &str) -> Ran {
    let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
    let script = format!("exec -a '{name}' \"$0\" {rest}");
    fs::write(folder.at(".stdin"), input).unwrap();
    let mut command = folder.command("bash");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_lanesum")]);
    ran(&command.stdin(File::open(folder.at(".stdin")).unwrap()).output().unwrap())
}

/// Each line of a file that begins with '$' is run, and what follows it is what should come of it.
fn golden(text: &str) {
    let folder = world();
    let mut actual = String::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("$ ")) {
        let ran = run(&folder, line, "abc");
        let _ = writeln!(actual, "$ {line}");
        // Every line is marked, so that an empty one is seen.
        for (mark, stream) in [("", ran.out), ("2> ", ran.err)] {
            stream.lines().for_each(|line| writeln!(actual, "{mark}{line}").unwrap());
        }
        let _ = writeln!(actual, "[{}]", ran.status.unwrap());
    }
    assert_eq!(actual, text, "\n{actual}");
}

#[test]
fn digest_says_what_it_says_on_solaris() {
    golden(include_str!("digest.txt"));
}

#[test]
fn mac_says_what_it_says_on_solaris() {
    golden(include_str!("mac.txt"));
}

#[test]
fn digests_and_macs_are_those_of_openssl() {
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

/// Whether a process of this command line is inside the system's `read`.
fn is_waiting_for_input(command_line: &str) -> bool {
    const READ: &str = if cfg!(target_arch = "x86_64") { "0" } else { "63" };
    let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    let text = |path: &Path| fs::read_to_string(path).unwrap_or_default();
    processes.filter(|process| text(&process.join("cmdline")) == command_line).any(|process| {
        // Of the terminal, which is no longer one of the first descriptors.
        let call = text(&process.join("syscall"));
        let mut words = call.split(' ');
        words.next() == Some(READ)
            && words.next().is_some_and(|file| !["0x0", "0x1", "0x2"].contains(&file))
    })
}

#[test]
fn a_passphrase_is_asked_for_at_the_terminal_and_always_gives_the_same_key() {
    let folder = world();
    // A terminal of its own: `script` gives one, and types what it reads.
    let command = format!("exec -a mac '{}' -a sha256_hmac jefe", env!("CARGO_BIN_EXE_lanesum"));
    let mut child = folder
        .command("script")
        .args(["-qec", &format!("bash -c \"{command}\""), "/dev/null"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // Whoever types early is seen by the terminal itself.
    let deadline = Instant::now() + Duration::from_secs(60);
    while !is_waiting_for_input("mac\0-a\0sha256_hmac\0jefe\0") {
        assert!(Instant::now() < deadline, "it does not ask");
        thread::sleep(Duration::from_millis(20));
    }
    std::io::Write::write_all(&mut stdin, b"correct horse\n").unwrap();
    let output = ran(&child.wait_with_output().unwrap());
    drop(stdin);
    assert_eq!(output.status, Some(0), "{output:?}");
    assert!(output.out.starts_with("Enter key: "), "{output:?}");
    assert!(!output.out.contains("correct"), "it is not shown: {output:?}");
    // The key by OpenSSL, with Solaris's salt and count.
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

#[test]
fn without_a_terminal_there_is_no_passphrase() {
    let folder = world();
    // A session of its own has no terminal.
    let mut command = folder.command("setsid");
    command.args(["-w", "bash", "-c", "exec -a mac \"$0\" -a sha1_hmac a"]);
    let output = ran(&command.arg(env!("CARGO_BIN_EXE_lanesum")).output().unwrap());
    assert_eq!(output.status, Some(1));
    assert!(output.err.ends_with("mac: invalid passphrase.\n"), "{output:?}");
}

#[test]
fn many_files_come_in_the_order_of_their_names_whatever_is_between() {
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
