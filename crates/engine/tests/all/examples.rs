//! Runs the example programs as users do, and compares the results with other implementations.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use std::{env, fs};

use sha2::{Digest, Sha256};

use crate::common::started;

/// A command that runs an example program, which `cargo test` has built.
fn example(name: &str) -> Command {
    let folder = env::current_exe().unwrap().parent().unwrap().with_file_name("examples");
    let program = folder.join(name).with_extension(env::consts::EXE_EXTENSION);
    let age = |path: &Path| fs::metadata(path).and_then(|file| file.modified());
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("examples/{name}.rs"));
    let is_fresh = age(&program).is_ok_and(|built| age(&source).unwrap() <= built);
    assert!(is_fresh, "{program:?} is older than its source: `cargo build -p lanesum --examples`");
    started(program)
}

/// Runs a program with `input` as its standard input.
fn given(command: &mut Command, input: &[u8]) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Creates an empty directory.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Creates files of various lengths, some in subdirectories.
fn files(folder: &Path) {
    fs::create_dir_all(folder.join("a/b")).unwrap();
    for (i, len) in [0, 1, 55, 56, 64, 1000, 65_536, 200_001].into_iter().enumerate() {
        let name = ["", "a/", "a/b/"][i % 3].to_owned() + &i.to_string();
        fs::write(folder.join(name), vec![i as u8; len]).unwrap();
    }
}

#[test]
fn tree_prints_the_same_as_sha256sum() {
    let folder = folder("tree");
    files(&folder);
    let ours = text(&example("tree").arg(".").current_dir(&folder).output().unwrap());
    assert_eq!(ours.lines().count(), 8);
    let checked = given(
        Command::new("sha256sum").args(["-c", "--strict"]).current_dir(&folder),
        ours.as_bytes(),
    );
    assert!(checked.status.success(), "{ours}{}", said(&checked));
    let missing = example("tree").arg(folder.join("none")).output().unwrap();
    assert_eq!(missing.status.code(), Some(1));
    assert!(said(&missing).contains("No such file"), "{missing:?}");
}

/// A literal transcription of MTH of RFC 6962, section 2.1.
fn mth(entries: &[String]) -> Vec<u8> {
    let leaf = |entry: &String| Sha256::new().chain_update([0]).chain_update(entry).finalize();
    match entries {
        [] => Sha256::digest("").to_vec(),
        [entry] => leaf(entry).to_vec(),
        _ => {
            let (left, right) = entries.split_at(entries.len().next_power_of_two() / 2);
            let node = Sha256::new().chain_update([1]).chain_update(mth(left));
            node.chain_update(mth(right)).finalize().to_vec()
        }
    }
}

#[test]
fn merkle_prints_the_roots_of_the_rfc() {
    for count in [0, 1, 2, 3, 6, 7, 8, 100, 1000] {
        let entries: Vec<String> = (0..count).map(|i| format!("entry {i}")).collect();
        let lines: String = entries.iter().map(|entry| format!("{entry}\n")).collect();
        let root = text(&given(&mut example("merkle"), lines.as_bytes()));
        let expected: String = mth(&entries).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(root.trim_end(), expected, "{count} entries");
    }
}

#[test]
fn hmac_accepts_only_the_tag_of_the_rfc() {
    let folder = folder("hmac");
    // RFC 4231, section 4.3.
    fs::write(folder.join("key"), "Jefe").unwrap();
    fs::write(folder.join("message"), "what do ya want for nothing?").unwrap();
    let tag = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
    let check = |key: &str, tag: &str, file: &str| {
        example("hmac").args([key, tag, file]).current_dir(&folder).output().unwrap()
    };
    let right = check("key", tag, "message");
    assert!(right.status.success() && right.stderr.is_empty(), "{right:?}");
    let mismatch = "hmac: message: the tag does not match the message and the key";
    for (key, tag, file, says) in [
        ("key", &tag.replace("5bdc", "5bdd")[..], "message", mismatch),
        ("key", &tag[..32], "message", mismatch),
        ("key", "5bdz", "message", "hmac: TAG: 'z' at byte 3"),
        ("key", tag, "none", "hmac: none: No such file"),
        ("none", tag, "message", "hmac: none: No such file"),
    ] {
        let wrong = check(key, tag, file);
        assert_eq!(wrong.status.code(), Some(1), "{tag} {file}");
        assert!(said(&wrong).starts_with(says), "{wrong:?}");
    }
}

#[test]
fn manifest_verifies_the_output_of_other_tools() {
    let folder = folder("manifest");
    files(&folder);
    for tool in ["sha1sum", "sha256sum", "sha512sum"] {
        let files = ["0", "a/1", "a/b/5", "a/7"];
        let sums = Command::new(tool).args(files).current_dir(&folder).output().unwrap();
        fs::write(folder.join("SUMS"), &sums.stdout).unwrap();
        let check = || example("manifest").arg("SUMS").current_dir(&folder).output().unwrap();
        let right = check();
        assert!(right.status.success(), "{right:?}");
        assert_eq!(text(&right), files.map(|file| format!("{file}: OK\n")).concat());
        let whole = fs::read(folder.join("a/7")).unwrap();
        fs::write(folder.join("a/7"), &whole[1..]).unwrap();
        let wrong = check();
        assert_eq!(wrong.status.code(), Some(1), "{wrong:?}");
        assert!(text(&wrong).ends_with("a/b/5: OK\na/7: FAILED\n"), "{wrong:?}");
        fs::write(folder.join("a/7"), whole).unwrap();
    }
}

#[test]
fn password_accepts_only_the_stored_password() {
    // RFC 7914, section 11.
    let kept = "80000:4e61436c:4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"
        .to_owned();
    let new = given(example("password").arg("new"), b"Password\n");
    let new = text(&new).trim_end().to_owned();
    assert_ne!(
        new.split(':').nth(1),
        text(&given(example("password").arg("new"), b"")).split(':').nth(1)
    );
    for kept in [kept, new] {
        let check = |password: &[u8]| given(example("password").args(["check", &kept]), password);
        assert!(check(b"Password\n").status.success(), "{kept}");
        assert_eq!(check(b"password\n").status.code(), Some(1), "{kept}");
    }
    assert!(!given(example("password").args(["check", "1:00"]), b"Password").status.success());
}

/// Raises the limit of open files to `files`, or to the hard limit if that is lower.
#[cfg(unix)]
fn allow_open_files(files: libc::rlim_t) {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `limit` is valid for both calls.
    unsafe {
        assert_eq!(libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit), 0);
        limit.rlim_cur = limit.rlim_cur.max(files.min(limit.rlim_max));
        assert_eq!(libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit), 0);
    }
}

#[cfg(unix)]
#[test]
fn uploads_survives_too_many_open_files() {
    const LIMIT: usize = 32;

    // A shell lowers the limit of the server.
    let uploads = example("uploads");
    let script = format!("ulimit -n {LIMIT}; exec \"$@\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, "sh"]).arg(uploads.get_program()).args(uploads.get_args());
    let mut server = shell.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut address = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let connections: Vec<TcpStream> =
        (0..2 * LIMIT).map(|_| TcpStream::connect(address.trim_end()).unwrap()).collect();
    let (mut errors, mut report) = (BufReader::new(server.stderr.take().unwrap()), String::new());
    errors.read_line(&mut report).unwrap();
    assert!(report.starts_with("cannot accept a connection: "), "{report}");
    for mut connection in connections {
        connection.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        connection.shutdown(Shutdown::Write).unwrap();
        let mut answer = String::new();
        connection.read_to_string(&mut answer).expect("an answer within a minute");
        assert_eq!(answer.trim_end().len(), 64, "{answer}");
    }
    server.kill().unwrap();
    server.wait().unwrap();
}

#[cfg(unix)]
#[test]
fn uploads_hashes_a_thousand_concurrent_uploads() {
    /// Many more than the lanes of any kernel.
    const UPLOADS: usize = 1000;
    /// The parts of an upload. All uploads send a part before any sends the next.
    const PARTS: usize = 3;

    // The server inherits the limit.
    allow_open_files(4096);
    let part = |upload: usize, part: usize| vec![upload as u8; upload * (7 + 19 * part) % 30_000];
    let mut server = example("uploads").stdout(Stdio::piped()).spawn().unwrap();
    let mut address = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let mut connections: Vec<TcpStream> =
        (0..UPLOADS).map(|_| TcpStream::connect(address.trim_end()).unwrap()).collect();
    for number in 0..PARTS {
        for (upload, connection) in connections.iter_mut().enumerate() {
            connection.write_all(&part(upload, number)).unwrap();
        }
    }
    // A failed upload ends and does not delay the others.
    drop(connections.remove(0));
    // In reverse order: a server that can only serve the first few uploads would wait for them.
    for (upload, mut connection) in connections.into_iter().enumerate().rev() {
        connection.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        connection.shutdown(Shutdown::Write).unwrap();
        let mut answer = String::new();
        connection.read_to_string(&mut answer).expect("an answer within a minute");
        let message: Vec<u8> = (0..PARTS).flat_map(|number| part(upload + 1, number)).collect();
        let theirs: String = Sha256::digest(message).iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!(answer.trim_end(), theirs, "upload {}", upload + 1);
    }
    server.kill().unwrap();
    server.wait().unwrap();
}
