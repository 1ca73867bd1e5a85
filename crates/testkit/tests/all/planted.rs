//! The kit's own checks: each gets an input that it must reject.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

use lanesum_testkit::{FILE, Kind, PLATFORMS, REQUIRE, Summary, left_out, required};

/// The tests below run this in a separate process, with their own environment.
#[test]
#[ignore = "is run by the others"]
fn leaves_out_avx512() {
    left_out(Kind::Kernel, "avx512_x16", "planted");
}

fn file(name: &str) -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&file);
    file
}

fn planted(required: &str, file: Option<&Path>) -> Output {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["planted::leaves_out_avx512", "--exact", "--ignored"]);
    command.env_remove(FILE).env(REQUIRE, required);
    command.envs(file.map(|file| (FILE, file))).output().unwrap()
}

fn summary(gathered: &str, required: &str, name: &str) -> Output {
    let file = file(name);
    fs::write(&file, gathered).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_lanesum-testkit"));
    command.arg("summary").env(FILE, file).env(REQUIRE, required).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn skips_of_a_passing_test_reach_standard_error() {
    let output = planted("", None);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(text(&output.stderr), "LEFT OUT: avx512_x16: planted\n");
}

#[test]
fn skipped_checks_are_collected_in_the_file() {
    let file = file("gathered");
    assert!(planted("", Some(&file)).status.success());
    assert!(planted("neon, sha_ni", Some(&file)).status.success());
    let gathered = fs::read_to_string(&file).unwrap();
    assert_eq!(gathered.lines().count(), 2, "{gathered}");
    assert!(gathered.starts_with("kernel\tavx512_x16\t") && gathered.ends_with("\tplanted\n"));
}

#[test]
fn a_required_check_that_is_skipped_fails_the_test() {
    for word in ["avx512", "avx512_x16", "sha_ni,avx512"] {
        let output = planted(word, None);
        assert!(!output.status.success(), "{word}");
        let all = text(&output.stdout) + &text(&output.stderr);
        assert!(all.contains("LANESUM_REQUIRE requires avx512"), "{all}");
    }
    // `avx` is a separate tier.
    assert!(planted("avx", None).status.success());
}

#[test]
fn an_unknown_word_is_rejected_with_the_valid_ones() {
    for word in ["axv512", "avx512,sha-ni"] {
        let output = planted(word, None);
        assert!(!output.status.success(), "{word}");
        let mut command = Command::new(env!("CARGO_BIN_EXE_lanesum-testkit"));
        let checked = command.arg("check").env(REQUIRE, word).output().unwrap();
        assert_eq!(checked.status.code(), Some(1), "{word}");
        for all in [text(&output.stdout) + &text(&output.stderr), text(&checked.stderr)] {
            assert!(all.contains("has the unknown name"), "{all}");
            assert!(all.contains("sha_ni, sha512_ni") && all.contains("coreutils"), "{all}");
        }
    }
    assert_eq!(required(" avx512, ,sha_ni,").unwrap(), ["avx512", "sha_ni"]);
}

#[test]
#[should_panic(expected = "give it a line in table.rs")]
fn a_name_that_is_not_listed_cannot_be_skipped() {
    left_out(Kind::Tool, "abacus", "planted");
}

#[test]
fn a_summary_lists_each_check_once_that_no_platform_ran() {
    let line = "kernel\tavx512_x8\tx86_64\tthis CPU cannot run it\n";
    let text = Summary::read(&line.repeat(3), "x86_64").unwrap().text();
    assert_eq!(text.matches("avx512_x8").count(), 1, "{text}");
    assert!(text.contains("neon_x2, neon_x4, sha512_ce_x1"), "{text}");
    assert!(text.contains("i686, s390x") && text.contains("  tools: none"), "{text}");
    assert!(text.contains("messages_over_4_gib: run by `cargo xtask test-huge`"), "{text}");
    // This platform ran a kernel that another platform also has.
    assert!(!text.contains("sse2_x4") && !text.contains("portable_x1"), "{text}");

    let all: String = PLATFORMS.iter().map(|p| format!("ran\tplatform\t{}\n", p.name)).collect();
    let text = Summary::read(&all, "x86_64").unwrap().text();
    for kind in ["kernels", "tools", "platforms"] {
        assert!(text.contains(&format!("  {kind}: none")), "{text}");
    }
}

#[test]
fn a_summary_reports_required_checks_that_were_skipped() {
    let gathered = "tool\tcoreutils-9.10\tx86_64\tcoreutils 9.7 is installed\n";
    for word in ["neon", "s390x", "memory", "coreutils-9.10", "sha_ce_x1"] {
        let output = summary(gathered, word, &format!("required {word}"));
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(1), "{word}: {out}{err}");
        assert!(out.starts_with("Skipped in this run") && err.contains(word), "{out}{err}");
    }
    assert!(summary(gathered, "sse2,portable_x1,x86_64", "fulfilled").status.success());
    assert!(!summary("a line cut sh", "", "not a line").status.success());
}
