//! Manifests exchanged with the installed GNU tools, in both directions.
#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::common::NASTY;
use lanesum_manifest::{Entry, Format, InvalidEntry, Line, Malformed, Options, Reader, Terminator};
use lanesum_spec::{Algorithm, digest};
use proptest::prelude::*;
use tempfile::TempDir;

/// The tools and their algorithms.
const TOOLS: &[(&str, Algorithm)] = &[
    ("md5sum", Algorithm::MD5),
    ("sha1sum", Algorithm::SHA1),
    ("sha224sum", Algorithm::SHA224),
    ("sha256sum", Algorithm::SHA256),
    ("sha384sum", Algorithm::SHA384),
    ("sha512sum", Algorithm::SHA512),
];

/// Returns the names that can be files: these tools treat `-` as standard input.
fn names() -> impl Iterator<Item = &'static [u8]> {
    NASTY.iter().copied().filter(|&name| name != b"-")
}

/// Creates a directory with a file for each name, whose contents are the name.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in names() {
        fs::write(folder.path().join(OsStr::from_bytes(name)), name).unwrap();
    }
    folder
}

fn entries(algorithm: Algorithm) -> Vec<Entry<'static>> {
    names()
        .map(|name| {
            let digest = digest(algorithm, name);
            Entry::new(algorithm, &digest[..algorithm.digest_len()], name).unwrap()
        })
        .collect()
}

fn run(
    folder: &Path,
    tool: &str,
    arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
) -> Output {
    Command::new(tool)
        .args(arguments)
        .current_dir(folder)
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .output()
        .unwrap_or_else(|error| panic!("{tool} of GNU coreutils: {error}"))
}

/// Asserts that `tool` verifies every file of a manifest.
fn check(folder: &Path, tool: &str, manifest: &[u8]) {
    let outside = tempfile::NamedTempFile::new().unwrap();
    fs::write(&outside, manifest).unwrap();
    let output = run(
        folder,
        tool,
        [OsStr::new("--strict"), OsStr::new("--check"), outside.path().as_os_str()],
    );
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{tool}: {report}{}", output.stderr.escape_ascii());
    assert_eq!(report.matches(": OK\n").count(), names().count(), "{tool}: {report}");
}

#[test]
fn gnu_tools_verify_every_written_name() {
    let folder = folder();
    for &(tool, algorithm) in TOOLS {
        for format in ["gnu", "bsd"] {
            let format = Format::from_name(format).unwrap();
            let mut manifest = Vec::new();
            for entry in entries(algorithm) {
                format.write(&entry, Terminator::Newline, &mut manifest);
            }
            check(folder.path(), tool, &manifest);
            let lines: Vec<&[u8]> = manifest.split(|&b| b == b'\n').collect();
            check(folder.path(), tool, &lines.join(b"\r\n".as_slice()));
            if format.names_algorithm() {
                check(folder.path(), "cksum", &manifest);
            }
        }
    }
}

#[test]
fn manifests_of_gnu_tools_have_the_same_entries() {
    let folder = folder();
    for &(tool, algorithm) in TOOLS {
        let cksum = ["cksum", "-a", algorithm.name()];
        for (command, terminator) in [
            (vec![tool], Terminator::Newline),
            (vec![tool, "--binary"], Terminator::Newline),
            (vec![tool, "--tag"], Terminator::Newline),
            (vec![tool, "--zero"], Terminator::Nul),
            (vec![tool, "--tag", "--zero"], Terminator::Nul),
            (cksum.to_vec(), Terminator::Newline),
            ([&cksum[..], &["--untagged"]].concat(), Terminator::Newline),
        ] {
            let arguments = command[1..].iter().copied().chain(["--"]).map(OsStr::new);
            let output =
                run(folder.path(), command[0], arguments.chain(names().map(OsStr::from_bytes)));
            assert!(output.status.success(), "{command:?}: {}", output.stderr.escape_ascii());

            let mut reader = Reader::new(Options { algorithm: None, terminator });
            let lines = output.stdout.split_inclusive(|&b| b == terminator.byte());
            let read: Vec<_> = lines.map(|line| reader.line(line)).collect();
            let expected: Vec<_> = entries(algorithm).into_iter().map(Line::Entry).collect();
            assert_eq!(read, expected, "{command:?}");
        }
    }
}

#[test]
fn writers_produce_the_same_bytes_as_gnu_tools() {
    let folder = folder();
    for (format, option) in [("gnu", "--text"), ("bsd", "--tag")] {
        for (terminator, end) in [(Terminator::Newline, None), (Terminator::Nul, Some("--zero"))] {
            let format = Format::from_name(format).unwrap();
            let mut written = Vec::new();
            for entry in entries(Algorithm::SHA256) {
                format.write(&entry, terminator, &mut written);
            }
            let arguments = [option].into_iter().chain(end).chain(["--"]).map(OsStr::new);
            let output =
                run(folder.path(), "sha256sum", arguments.chain(names().map(OsStr::from_bytes)));
            assert_eq!(
                output.stdout.escape_ascii().to_string(),
                written.escape_ascii().to_string()
            );
        }
    }
}

/// Generates a manifest of nearly valid lines.
fn manifest() -> impl Strategy<Value = Vec<String>> {
    let digest = prop_oneof![Just("0a".repeat(32)), Just("0A".repeat(32)), "[0-9a-g]{62,66}"];
    let space = || prop::sample::select(vec!["", " ", "  ", " *", "*", "\t", " \t", "   "]);
    let start = prop::sample::select(vec!["", "", "", "", " ", "\\", " \\", "\t", "\\ ", "#", "x"]);
    let name = || prop_oneof![Just("f".to_owned()), r"[ *a()=\\nr#\t]{0,4}"];
    let tag = prop::sample::select(vec!["SHA256", "SHA256", "sha256", "SHA1", ""]);
    let end = prop::sample::select(vec!["", "", "", " ", "\r", "\t"]);
    let untagged = (digest.clone(), space(), name()).prop_map(|(d, s, n)| d + s + &n);
    let tagged = (tag, space(), name(), space(), space(), digest)
        .prop_map(|(t, s, n, u, v, d)| format!("{t}{s}({n}){u}={v}{d}"));
    let line = (start, prop_oneof![2 => untagged, 1 => tagged], end)
        .prop_map(|(start, line, end)| format!("{start}{line}{end}"));
    prop::collection::vec(line, 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Except for lines with a tab or an empty name, which are rejected on purpose.
    #[test]
    fn a_line_that_sha256sum_accepts_is_an_entry(lines in manifest()) {
        let lines: Vec<_> = lines.into_iter().filter(|line| !line.contains('\t')).collect();
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("manifest"), lines.join("\n")).unwrap();
        let output = run(folder.path(), "sha256sum", ["--check", "--warn", "manifest"]);
        let complaints = String::from_utf8(output.stderr).unwrap();
        let refused: BTreeSet<usize> = complaints
            .lines()
            .filter(|complaint| complaint.ends_with("improperly formatted SHA256 checksum line"))
            .map(|complaint| complaint.split(": ").nth(2).unwrap().parse().unwrap())
            .collect();

        let options = Options { algorithm: Some(Algorithm::SHA256.into()), ..Options::default() };
        let mut reader = Reader::new(options);
        for (i, line) in lines.iter().enumerate() {
            if let Line::Malformed(reason) = reader.line(line.as_bytes())
                && reason != Malformed::Name(InvalidEntry::EmptyName)
            {
                prop_assert!(refused.contains(&(i + 1)), "line {}: {reason}: {complaints}", i + 1);
            }
        }
    }
}
