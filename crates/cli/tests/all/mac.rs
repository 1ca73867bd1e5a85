//! `lanesum mac`: sources of keys, and tags.

use crate::common;

use std::fs::File;
use std::process::Stdio;

use crate::common::{Folder, ran, refused, well};
use lanesum::HmacKey;

/// RFC 4231, case 2.
/// The message of RFC 4231, case 2.
const MESSAGE: &str = "what do ya want for nothing?";
const TAG: &str = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";

fn world() -> Folder {
    let folder = Folder::new();
    folder.file("m", MESSAGE).file("key", "Jefe").file("hex", "4a656665\n").file("empty", "");
    folder
}

#[test]
fn a_key_comes_from_a_file_a_descriptor_or_the_environment() {
    let folder = world();
    let line = format!("{TAG}  m\n");
    well(folder.run("mac --key-file key m"), &line);
    well(folder.run("mac --key-file hex --key-hex m"), &line);
    well(folder.feed("mac --key-file - m", b"Jefe"), &line);
    // Key bytes need not be text.
    folder.file("any", b"\xff\x00\x80");
    let file = folder.run("mac --key-file any m");
    well(folder.feed("mac --key-file - m", b"\xff\x00\x80"), &file.out);
    let env = |words: &str| {
        let mut command = folder.lanesum();
        command.args(words.split_whitespace()).env("HMAC_KEY", "Jefe");
        ran(&command.output().unwrap())
    };
    well(env("mac --key-env HMAC_KEY m"), &line);
    let mut shell = folder.command("bash");
    shell.args([
        "-c",
        "exec \"$0\" mac --key-fd 9 m 9< <(printf Jefe)",
        env!("CARGO_BIN_EXE_lanesum"),
    ]);
    well(ran(&shell.output().unwrap()), &line);
    let mut shell = folder.command("bash");
    shell.args(["-c", "exec \"$0\" mac --key-fd 0 m", env!("CARGO_BIN_EXE_lanesum")]);
    well(ran(&shell.stdin(File::open(folder.at("key")).unwrap()).output().unwrap()), &line);
}

#[test]
fn a_key_as_an_argument_causes_a_warning() {
    let folder = world();
    let run = folder.run("mac --key-text Jefe m");
    assert_eq!((run.status, run.out), (Some(0), format!("{TAG}  m\n")));
    assert!(run.err.starts_with("lanesum: warning: --key-text exposes the key"), "{}", run.err);
    assert!(!run.err.contains("Jefe"));
}

#[test]
fn errors_about_a_key_do_not_reveal_it() {
    let folder = world();
    let wrong = |words: &str, status: i32, text: &str| {
        let ran = folder.run(words);
        refused(&ran, status, text);
        assert!(!ran.err.contains("Jefe"), "{words}: {}", ran.err);
    };
    wrong("mac m", 2, "--key-file <FILE>");
    wrong("mac --key-file key --key-env X m", 2, "cannot be used with");
    wrong("mac --key-file missing m", 1, "cannot read the key from missing: No such file");
    wrong("mac --key-fd 77 m", 1, "cannot read the key from /dev/fd/77: No such file");
    wrong("mac --key-env NOT_THERE m", 2, "environment variable NOT_THERE is not set");
    wrong("mac --key-file empty m", 2, "the key is empty");
    wrong(
        "mac --key-file key --key-hex m",
        2,
        "the key is not hexadecimal; omit --key-hex to use it as raw bytes",
    );
}

#[test]
fn trees_in_lanes_have_the_same_tags_as_single_files() {
    let folder = world();
    for i in 0..300 {
        folder.file(format!("tree/{i:03}"), common::bytes(i * 131 % 9000));
    }
    folder.file("tree/long", common::bytes(3 << 20));
    for algorithm in ["sha1", "sha256", "sha512", "sha512/256", "md5"] {
        let all = folder.run(&format!("mac -a {algorithm} -k key -r tree"));
        let key = HmacKey::new(algorithm.parse::<lanesum::Algorithm>().unwrap(), b"Jefe");
        let mut each = String::new();
        for i in 0..300 {
            each += &format!("{}  tree/{i:03}\n", key.mac(common::bytes(i * 131 % 9000)));
        }
        each += &format!("{}  tree/long\n", key.mac(common::bytes(3 << 20)));
        well(all, &each);
        // The tag of another program must be equal.
        let mut theirs = folder.command("openssl");
        theirs.args([
            "mac",
            "-digest",
            algorithm.replace('/', "-").as_str(),
            "-macopt",
            "hexkey:4a656665",
        ]);
        theirs.args(["-in", "tree/long", "HMAC"]).stdin(Stdio::null());
        let theirs = String::from_utf8(theirs.output().unwrap().stdout).unwrap().to_lowercase();
        assert!(each.contains(&format!("{}  tree/long\n", theirs.trim())), "{algorithm}: {theirs}");
    }
}

#[test]
fn a_missing_file_is_a_failure_and_the_others_are_processed() {
    let run = world().run("mac -k key missing m");
    assert_eq!((run.status, run.out), (Some(1), format!("{TAG}  m\n")));
    assert!(run.err.contains("cannot open missing"), "{}", run.err);
}
