//! File names cannot hide, move or forge text on a terminal, and pipes receive every byte.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::process::CommandExt;
use std::process::Command;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::common::{Folder, bytes, hex};

/// Names that a terminal would interpret, reorder or hide.
const NAMES: [&[u8]; 9] = [
    b"a\x1b[1A\x1b[2K\rhidden",
    b"b\x1b]0;title\x07hidden",
    b"c\x08\x08\x08hidden",
    "d\u{9b}2Khidden".as_bytes(),
    b"e\x9b2Khidden",
    "f\u{202e}hidden".as_bytes(),
    "g\u{2066}hidden".as_bytes(),
    "h\u{200b}\u{200f}\u{61c}\u{2028}hidden".as_bytes(),
    b"i\x7fhidden",
];

/// Runs the command with a terminal as standard output and standard error. Returns the bytes it
/// writes.
fn on_terminal(mut command: Command) -> Vec<u8> {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
    let master = openpt(flags).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let open = || OpenOptions::new().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    let mut child = command.stdout(open()).stderr(open()).env("TERM", "xterm").spawn().unwrap();
    // The command holds the other end of the terminal open.
    drop(command);
    let mut master = File::from(master);
    let (mut text, mut buffer) = (Vec::new(), [0; 4096]);
    loop {
        match master.read(&mut buffer) {
            Ok(0) => break,
            Ok(len) => text.extend(&buffer[..len]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            // The other end is closed.
            Err(_) => break,
        }
    }
    child.wait().unwrap();
    text
}

/// Whether a terminal would interpret this text instead of only printing it, apart from the
/// command's colors.
fn is_obeyed(text: &[u8]) -> bool {
    let text = String::from_utf8(text.to_vec()).expect("a terminal gets UTF-8");
    let mut text = text.replace("\r\n", "\n");
    for color in ["\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[0m"] {
        text = text.replace(color, "");
    }
    let is_wrong = |c: char| {
        c.is_control() && c != '\n' && c != '\t'
            || "\u{61c}\u{200b}\u{200f}\u{2028}\u{202e}\u{2066}".contains(c)
    };
    text.contains(is_wrong)
}

/// Returns the paths of files with these names in a directory.
fn names() -> impl Iterator<Item = OsString> {
    NAMES.iter().map(|name| OsString::from_vec([b"tree/", *name].concat()))
}

/// Returns the number of names that are completely visible.
fn hidden(text: &[u8]) -> usize {
    text.windows(6).filter(|word| word == b"hidden").count()
}

/// Returns a line of a manifest for a file with other contents.
fn of_another(line: &[u8]) -> Vec<u8> {
    let start = usize::from(line.starts_with(b"\\"));
    match line.iter().position(|&byte| byte == b' ') {
        Some(end) => [&line[..start], hex("sha256", b"other").as_bytes(), &line[end..]].concat(),
        None => line.to_vec(),
    }
}

#[test]
fn terminals_interpret_no_name_and_pipes_receive_every_byte() {
    let folder = Folder::new();
    names().for_each(|name| _ = folder.file(name, "same"));
    folder.run("sum -r tree -o SUMS");
    // A manifest for other contents.
    let rotten = fs::read(folder.at("SUMS")).unwrap();
    let rotten: Vec<_> = rotten.split(|&byte| byte == b'\n').map(of_another).collect();
    folder.file("OTHERS", rotten.join(&b'\n'));
    fs::create_dir(folder.at("empty")).unwrap();
    folder.file("KEY", "secret");
    // JSON has one of the names in base64.
    let commands = [
        ("sum -r tree", 9),
        ("sum -r tree --format json", 8),
        ("sum -r tree --format hashdeep", 9),
        ("sum -z -r tree", 9),
        ("mac -k KEY -r tree", 9),
        ("check SUMS", 9),
        ("check OTHERS", 9),
        ("check --audit SUMS --all", 9),
        ("check --audit SUMS --all --json", 8),
        ("check --audit OTHERS", 9),
        ("diff empty tree", 9),
        ("diff tree empty --json", 8),
    ];
    for (words, count) in commands {
        let mut command = folder.lanesum();
        command.args(words.split_whitespace());
        let text = on_terminal(command);
        assert!(!is_obeyed(&text), "{words}: {}", text.escape_ascii());
        assert_eq!(hidden(&text), count, "{words}: {}", text.escape_ascii());
        let piped = folder.lanesum().args(words.split_whitespace()).output().unwrap().stdout;
        // Manifests and JSON contain every byte of bidirectional overrides.
        let is_whole = piped.windows(NAMES[5].len()).any(|part| part == NAMES[5]);
        assert!(is_whole, "{words}: {}", piped.escape_ascii());
    }
    // Names as arguments: of trees, in messages about invalid usage, and with other personalities.
    for (called, words) in [
        ("lanesum", "tree fsverity"),
        ("lanesum", "tree rfc6962"),
        ("lanesum", "tree s3"),
        ("sha256sum", ""),
        ("sha256sum", "--tag"),
        ("sha256sum", "-z"),
        ("cksum", ""),
        ("digest", "-v -a sha256"),
    ] {
        let mut command = folder.lanesum();
        command.arg0(called).args(words.split_whitespace());
        command.args(names());
        let text = on_terminal(command);
        assert!(!is_obeyed(&text), "{called} {words}: {}", text.escape_ascii());
        assert_eq!(hidden(&text), 9, "{called} {words}: {}", text.escape_ascii());
    }
    let mut command = folder.lanesum();
    command.args(["sum", "--\x1b[2K\rhidden"]);
    let text = on_terminal(command);
    assert!(!is_obeyed(&text), "{}", text.escape_ascii());
    assert!(hidden(&text) > 0, "{}", text.escape_ascii());
}

#[test]
fn progress_needs_no_second_walk_or_stat() {
    let folder = Folder::new();
    for i in 0..40 {
        folder.file(format!("tree/{}/{i}", i % 4), bytes(100_000));
    }
    let mut command = folder.command("strace");
    command.args(["-f", "-qq", "-e", "trace=getdents64,statx,newfstatat", "-o", "TRACE"]);
    command.arg(env!("CARGO_BIN_EXE_lanesum"));
    command.args("sum -r tree -o SUMS --max-rate 2M".split(' '));
    let text = on_terminal(command);
    let text = String::from_utf8_lossy(&text);
    assert!(text.contains(" left"), "{text}");
    let trace = fs::read_to_string(folder.at("TRACE")).unwrap();
    // The last call for a directory returns 0.
    let is_last = |line: &&str| line.contains("getdents64") && line.ends_with("= 0");
    assert_eq!(trace.lines().filter(is_last).count(), 5, "{trace}");
    let stats = trace.lines().filter(|line| line.contains("stat") && line.contains("\"tree/"));
    assert_eq!(stats.count(), 40, "{trace}");
}

#[test]
fn no_name_forges_a_line_on_a_terminal() {
    let folder = Folder::new();
    let name = "x\nforged line";
    folder.file(name, "abc");
    for (called, words) in [
        ("lanesum", "sum"),
        ("lanesum", "sum -z"),
        ("lanesum", "sum --format csv"),
        ("lanesum", "tree fsverity"),
        ("lanesum", "tree rfc6962"),
        ("lanesum", "tree s3"),
        ("cksum", ""),
        ("sha256sum", ""),
        ("sha256sum", "-z"),
        ("digest", "-v -a sha1"),
    ] {
        let mut command = folder.lanesum();
        command.arg0(called).args(words.split_whitespace()).arg(name);
        let text = on_terminal(command);
        assert!(
            !text.windows(7).any(|part| part == b"\nforged"),
            "{called} {words}: {}",
            text.escape_ascii()
        );
    }
}

#[test]
fn terminals_interpret_no_text_of_a_manifest_in_messages() {
    let folder = Folder::new();
    folder.file("SUMS", b"X\x1b[2K (name) = 00\nSHA256 (\x1b[2K) = 00\n");
    for words in ["check -w SUMS", "check --audit SUMS", "diff SUMS SUMS"] {
        let mut command = folder.lanesum();
        command.args(words.split_whitespace());
        let text = on_terminal(command);
        assert!(!is_obeyed(&text), "{words}: {}", text.escape_ascii());
    }
}
