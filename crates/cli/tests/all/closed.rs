//! Standard streams that are closed at the start: no data is silently lost or invented.

use std::os::unix::fs::symlink;

use crate::common::{Folder, Ran, hex, ran, well};
use crate::coreutils::Tools;

/// Runs a program from a shell that first closes streams.
fn run(folder: &Folder, program: &str, words: &str) -> Ran {
    let script = format!("exec '{program}' {words}");
    ran(&folder.command("sh").args(["-c", &script]).output().unwrap())
}

fn lanesum(folder: &Folder, words: &str) -> Ran {
    run(folder, env!("CARGO_BIN_EXE_lanesum"), words)
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("tree/a", "abc").file("KEY", "secret").file("IMAGE", [7; 1024]);
    folder.file("SUMS", folder.run("sum tree/a").out);
    folder
}

#[test]
fn closed_output_is_an_error_if_something_is_printed() {
    let folder = folder();
    for words in [
        "sum tree/a",
        "sum -r tree",
        "mac -k KEY tree/a",
        "check SUMS",
        "check --audit SUMS",
        "diff SUMS tree",
        "sum -u SUMS",
        "list",
        "completions bash",
        "tree fsverity tree/a",
        "tree torrent1 tree/a",
        "tree dmverity IMAGE --data-block-size 512 --hash-block-size 512",
        "--help",
        "--version",
        "help sum",
    ] {
        let closed = lanesum(&folder, &format!("{words} >&-"));
        let said = "cannot write standard output: Bad file descriptor\n";
        assert!(closed.err.ends_with(said), "{words}: {closed:?}");
        assert_eq!(closed.status, Some(1), "{words}");
    }
    // Commands that print nothing succeed.
    for words in ["check --quiet SUMS", "check --status SUMS", "sum tree/a -o OTHER"] {
        well(lanesum(&folder, &format!("{words} >&-")), "");
    }
    let failed = folder.file("SUMS", format!("{}  tree/a\n", hex("sha256", b"other")));
    let failed = lanesum(failed, "check --quiet SUMS >&-");
    assert!(failed.err.contains("cannot write standard output"), "{failed:?}");
}

#[test]
fn closed_input_is_an_error_if_it_is_read() {
    let folder = folder();
    for words in [
        "sum",
        "sum -",
        "sum - tree/a",
        "sum /dev/stdin",
        "sum --files0-from -",
        "check",
        "check -",
        "check --audit",
        "diff - tree",
        "mac -k KEY",
        "mac -k - tree/a",
        "mac --key-fd 0 tree/a",
    ] {
        let closed = lanesum(&folder, &format!("{words} <&-"));
        assert_eq!(closed.status, Some(1), "{words}: {closed:?}");
        let is_said = ["Bad file descriptor", "Is a directory", "No such device"]
            .iter()
            .any(|reason| closed.err.contains(reason));
        assert!(is_said, "{words}: {closed:?}");
    }
    // Commands that do not use the closed streams work as usual, even if all are closed.
    well(lanesum(&folder, "check SUMS <&-"), "tree/a: OK\n");
    well(lanesum(&folder, "check SUMS <&- 2>&-"), "tree/a: OK\n");
    well(lanesum(&folder, "check --status SUMS <&- >&- 2>&-"), "");
    well(lanesum(&folder, "check </dev/null SUMS"), "tree/a: OK\n");
}

#[test]
fn streams_opened_on_dev_null_are_accepted() {
    let folder = folder();
    well(lanesum(&folder, "sum tree/a >/dev/null"), "");
    well(lanesum(&folder, "sum tree/a <>/dev/null >&0"), "");
    well(lanesum(&folder, "sum <>/dev/null"), &format!("{}  -\n", hex("sha256", b"")));
}

#[test]
fn closed_streams_behave_as_with_coreutils() {
    let folder = folder();
    let tools = Tools::new();
    let names = folder.at("names");
    std::fs::create_dir(&names).unwrap();
    for tool in ["md5sum", "sha256sum", "b2sum", "sum", "cksum"] {
        symlink(env!("CARGO_BIN_EXE_lanesum"), names.join(tool)).unwrap();
        for words in [
            "tree/a >&-",
            "missing >&-",
            "missing tree/a >&-",
            "--help >&-",
            "<&-",
            "- <&-",
            "- tree/a - <&-",
            "-c <&-",
            "-c - <&-",
            "-c --status SUMS >&-",
            "tree/a <&-",
            "tree/a 2>&-",
            "missing 2>&-",
        ] {
            // `sum` cannot check.
            if tool == "sum" && words.starts_with("-c") {
                continue;
            }
            // Releases before 9.10 treat unreadable input as empty.
            if tool == "cksum" && words.contains("<&-") && words.starts_with(['<', '-']) {
                continue;
            }
            let theirs = tools.at(tool);
            let [ours, theirs] = [names.join(tool), theirs].map(|program| {
                let called = program.to_str().unwrap();
                let Ran { status, out, err } = run(&folder, called, words);
                (status, out, err.replace(called, tool))
            });
            if words.starts_with("--help") {
                assert_eq!(ours.0, theirs.0, "{tool} {words}");
                assert!(ours.2.ends_with("write error: Bad file descriptor\n"), "{ours:?}");
            } else {
                assert_eq!(ours, theirs, "{tool} {words}");
            }
        }
    }
    let closed = run(&folder, names.join("cksum").to_str().unwrap(), "- <&-");
    assert!(closed.err.contains("-: Bad file descriptor\n"), "{closed:?}");
    assert_eq!(closed.status, Some(1));
}

#[test]
fn closed_streams_are_errors_under_solaris_names() {
    let folder = folder();
    let names = folder.at("names");
    std::fs::create_dir(&names).unwrap();
    for (tool, words) in [("digest", "-a sha256"), ("mac", "-a sha256_hmac -k KEY")] {
        symlink(env!("CARGO_BIN_EXE_lanesum"), names.join(tool)).unwrap();
        let program = names.join(tool).display().to_string();
        let closed = run(&folder, &program, &format!("{words} tree/a >&-"));
        assert!(closed.err.contains("write error: Bad file descriptor"), "{closed:?}");
        assert_eq!(closed.status, Some(1));
        let closed = run(&folder, &program, &format!("{words} <&-"));
        assert!(closed.err.contains("Bad file descriptor"), "{closed:?}");
        assert_eq!(closed.status, Some(1));
    }
}

#[test]
fn standard_input_is_never_both_key_and_message() {
    let folder = folder();
    for words in [
        "mac -k -",
        "mac -k - -",
        "mac -k - tree/a -",
        "mac --key-fd 0",
        "mac --key-fd 0 -",
        "mac -k /dev/stdin",
        "mac -k - /dev/stdin",
        "mac -r -k - -",
    ] {
        let ran = folder.feed(words, b"secret");
        assert_eq!((ran.status, &ran.out[..]), (Some(2), ""), "{words}: {ran:?}");
        assert!(ran.err.contains("standard input already supplies the key"), "{words}: {ran:?}");
    }
    let tag = folder.run("mac -k KEY tree/a").out;
    for words in ["mac -k - tree/a", "mac --key-fd 0 tree/a", "mac -r -k - tree"] {
        well(folder.feed(words, b"secret"), &tag);
    }
}
