//! Compares the program with git.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn git(folder: &Path, words: &[&str]) -> String {
    let mut command = Command::new("git");
    command.current_dir(folder).args(words);
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    for role in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{role}_NAME"), "a").env(format!("GIT_{role}_EMAIL"), "a@b.c");
    }
    let output = command.output().expect("git");
    assert!(output.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn ours(folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lanesum-git-objects")).arg(folder).output().expect("it runs")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The program's expected last line, with the numbers of objects and bytes that git reports.
fn expected(folder: &Path) -> String {
    let list = "--batch-check=%(objectname) %(objecttype) %(objectsize)";
    let listed = git(folder, &["cat-file", "--batch-all-objects", list]);
    let bytes: usize = listed
        .lines()
        .map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            words[1].len() + 1 + words[2].len() + 1 + words[2].parse::<usize>().expect("a size")
        })
        .sum();
    let objects = listed.lines().count();
    format!("{objects} objects, {bytes} bytes, 0 mismatched ids\n")
}

/// Checks this repository, whatever its contents.
#[test]
fn ids_of_this_repository_are_those_of_git() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = ours(here);
    assert_eq!(text(&output), expected(here));
    assert!(output.status.success());
}

#[test]
fn objects_loose_and_packed_of_any_size_are_read_and_wrong_ids_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    git(folder, &["init", "-q"]);
    for len in 0..200_usize {
        let bytes: Vec<u8> = (0..len * len).map(|i| (i * 7 + len) as u8).collect();
        fs::write(folder.join(format!("f{len}")), bytes).expect("a file");
    }
    git(folder, &["add", "."]);
    git(folder, &["commit", "-q", "-m", "all"]);
    assert_eq!(text(&ours(folder)), expected(folder));
    git(folder, &["gc", "-q"]);
    fs::write(folder.join("loose"), "loose").expect("a file");
    git(folder, &["add", "."]);
    let output = ours(folder);
    assert_eq!(text(&output), expected(folder));
    assert!(output.status.success());

    // Store an object under another id.
    let id = git(folder, &["hash-object", "-w", "loose"]);
    let id = id.trim();
    let objects = folder.join(".git/objects");
    let other = "0123456789abcdef0123456789abcdef01234567";
    fs::create_dir_all(objects.join(&other[..2])).expect("a folder");
    fs::rename(objects.join(&id[..2]).join(&id[2..]), objects.join(&other[..2]).join(&other[2..]))
        .expect("moved");
    let output = ours(folder);
    assert!(text(&output).contains(&format!("{other}: the object is {id}\n")), "{}", text(&output));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn what_is_no_repository_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = ours(folder.path());
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot open the repository"));
}
