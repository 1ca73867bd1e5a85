//! Output files, on success and on errors.

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;

use crate::common::{Folder, hex, ran, refused, well};

fn tree(folder: &Folder, files: usize) {
    for i in 0..files {
        folder.file(format!("tree/{i:04}"), i.to_string());
    }
}

#[test]
fn a_manifest_replaces_the_previous_one_atomically() {
    let folder = Folder::new();
    tree(&folder, 100);
    let expected = folder.run("sum -r tree").out;
    folder.file("SUMS", "old");
    symlink("SUMS", folder.at("LINK")).unwrap();
    well(folder.run("sum -r tree -o LINK"), "");
    assert_eq!(fs::read_to_string(folder.at("SUMS")).unwrap(), expected);
    assert!(folder.at("LINK").is_symlink(), "the link was replaced");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "other files remain");
    // The mode is that of a file created by a shell.
    let mode = |name: &str| fs::metadata(folder.at(name)).unwrap().permissions().mode();
    File::create(folder.at("plain")).unwrap();
    assert_eq!(mode("SUMS"), mode("plain"));
}

#[test]
fn a_manifest_inside_the_tree_does_not_list_itself() {
    let folder = Folder::new();
    tree(&folder, 3);
    well(folder.run("sum -r . -o SUMS"), "");
    for _ in 0..2 {
        let run = folder.run("sum -r . -o SUMS");
        assert_eq!(run.status, Some(0), "{run:?}");
        well(folder.run("check --quiet SUMS"), "");
        assert_eq!(fs::read_to_string(folder.at("SUMS")).unwrap().lines().count(), 3);
    }
    let run = folder.run("sum -r . -o SUMS");
    assert!(run.err.contains("skipping ./SUMS: it is the output file"), "{}", run.err);
    // An output that a shell has opened is not listed either.
    fs::remove_file(folder.at("SUMS")).unwrap();
    let shell = File::create(folder.at("SHELL")).unwrap();
    let output = folder.lanesum().args(["sum", "-r", "."]).stdout(shell).output().unwrap();
    assert!(output.status.success());
    well(folder.run("check --quiet SHELL"), "");
}

#[test]
fn a_crash_leaves_the_previous_manifest() {
    let folder = Folder::new();
    tree(&folder, 2000);
    folder.file("SUMS", "old\n");
    // The system kills a process that exceeds the file size limit, halfway through the output.
    let script = r#"ulimit -f 64; exec "$0" sum -r tree -o SUMS"#;
    let output =
        folder.command("sh").args(["-c", script, env!("CARGO_BIN_EXE_lanesum")]).output().unwrap();
    assert_eq!(output.status.signal(), Some(25), "SIGXFSZ: {output:?}");
    assert_eq!(fs::read_to_string(folder.at("SUMS")).unwrap(), "old\n");
}

#[test]
fn a_manifest_that_cannot_be_written_is_an_error_and_leaves_nothing() {
    let folder = Folder::new();
    tree(&folder, 3);
    let run = folder.run("sum -r tree -o missing/SUMS");
    assert_eq!(run.status, Some(1));
    assert!(
        run.err.contains("cannot write missing/SUMS: No such file or directory"),
        "{}",
        run.err
    );
    let run = folder.run("sum -r tree -o /dev/full");
    assert_eq!(run.status, Some(1));
    assert_eq!(run.err, "lanesum: cannot write /dev/full: No space left on device\n");
    well(folder.run("sum -r tree -o /dev/null"), "");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_partial_manifest_is_written_only_on_request() {
    let folder = Folder::new();
    folder.file("a", "abc").file("SUMS", "old\n");
    fs::create_dir(folder.at("empty")).unwrap();
    let why = "SUMS is not written: 1 file could not be hashed; --partial writes it anyway";
    for words in ["sum a missing", "sum -r a missing", "mac --key-text k a missing"] {
        refused(&folder.run(&format!("{words} -o SUMS")), 1, why);
        assert_eq!(fs::read_to_string(folder.at("SUMS")).unwrap(), "old\n", "{words}");
    }
    let none = "SUMS is not written: no files found; --partial writes it anyway";
    refused(&folder.run("sum -r empty -o SUMS"), 1, none);
    let globs = "SUMS is not written: no file matches the globs; --partial writes it anyway";
    refused(&folder.run("sum -r . -g *.c -o SUMS"), 1, globs);
    assert_eq!(fs::read_to_string(folder.at("SUMS")).unwrap(), "old\n");
    refused(&folder.run("sum -r . -g *.c"), 1, "no file matches the globs");
    well(folder.run("sum -r empty"), "");
    // With --partial the file is written, but the exit status still reports the failure.
    assert_eq!(folder.run("sum a missing -o SUMS --partial").status, Some(1));
    let line = format!("{}  a\n", hex("sha256", b"abc"));
    assert_eq!(fs::read_to_string(folder.at("SUMS")).unwrap(), line);
    refused(&folder.run("sum -r empty -o SUMS --partial"), 1, "no files found");
    assert_eq!(fs::read_to_string(folder.at("SUMS")).unwrap(), "");
    assert_eq!(folder.run("sum a --partial").status, Some(2));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

#[test]
fn an_output_that_is_an_input_is_refused() {
    let folder = Folder::new();
    folder.file("a", "abc").file("key", "secret").file("image", vec![7; 8192]);
    std::os::unix::fs::symlink("a", folder.at("link")).unwrap();
    for (words, status) in [
        ("sum a -o a", 2),
        ("sum link -o a", 2),
        ("sum a -o link", 2),
        ("mac -k key a -o key", 2),
        ("tree dmverity image -o image", 1),
        ("tree torrent1 image -o image", 1),
        ("tree torrent2 . -o image", 1),
    ] {
        assert_eq!(folder.run(words).status, Some(status), "{words}");
    }
    assert_eq!(fs::read(folder.at("a")).unwrap(), b"abc");
    assert_eq!(fs::read(folder.at("key")).unwrap(), b"secret");
    assert_eq!(fs::read(folder.at("image")).unwrap(), [7; 8192]);
}

#[test]
fn a_default_acl_gives_no_access_to_a_replaced_file() {
    let folder = Folder::new();
    folder.file("a", "abc").file("p/SUMS", "old\n");
    fs::set_permissions(folder.at("p/SUMS"), fs::Permissions::from_mode(0o640)).unwrap();
    assert_eq!(folder.peer("setfacl -d -m u:nobody:rwx p").status, Some(0));
    let acl = folder.peer("getfacl -c p/SUMS").out;
    well(folder.run("sum a -o p/SUMS"), "");
    assert_eq!(folder.peer("getfacl -c p/SUMS").out, acl);
}

#[test]
fn a_descriptor_is_written_to_at_its_position() {
    let folder = Folder::new();
    folder.file("a", "abc");
    let script = r#"exec 3>OUT; echo head >&3; "$0" sum -o /dev/fd/3 a; echo tail >&3"#;
    let mut command = folder.command("sh");
    let output = command.args(["-c", script, env!("CARGO_BIN_EXE_lanesum")]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let expected = format!("head\n{}  a\ntail\n", hex("sha256", b"abc"));
    assert_eq!(fs::read_to_string(folder.at("OUT")).unwrap(), expected);
}

#[test]
fn a_full_disk_is_reported_with_status_1() {
    let folder = Folder::new();
    tree(&folder, 3);
    fs::write(folder.at("SUMS"), folder.run("sum -r tree").out).unwrap();
    for words in
        [&["sum", "-r", "tree"][..], &["check", "SUMS"], &["list"], &["completions", "bash"]]
    {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let run = ran(&folder.lanesum().args(words).stdout(full).output().unwrap());
        assert_eq!(run.status, Some(1), "{words:?}");
        assert_eq!(run.err, "lanesum: cannot write standard output: No space left on device\n");
    }
}

#[test]
fn a_closed_pipe_ends_the_command_silently() {
    let folder = Folder::new();
    tree(&folder, 5000);
    let mut child =
        folder.lanesum().args(["sum", "-r", "tree"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut first = [0; 64];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let run = ran(&child.wait_with_output().unwrap());
    assert_eq!((run.status, run.err.as_str()), (Some(1), ""));
    assert_eq!(first[..], hex("sha256", b"0").into_bytes()[..]);
}
