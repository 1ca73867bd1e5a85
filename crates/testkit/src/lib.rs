//! Reports which checks a test run skipped, and searches other programs' memory for secrets, for
//! the tests of several crates.
//!
//! A test runner captures the output of passing tests, so a test that skips something reports it
//! with [`left_out`]. `make test` collects these reports in a file, and ends with their
//! [`Summary`].
#![forbid(unsafe_code)]

#[cfg(target_os = "linux")]
pub mod memory;
mod summary;
mod table;

use std::collections::BTreeSet;
use std::env::{self, consts};
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, OnceLock};

pub use summary::Summary;
pub use table::{ELSEWHERE, Kind, PLATFORMS, Platform, TIERS, Unknown, here, platform, required};

/// The variable with the path of the file that collects a run's skipped checks.
pub const FILE: &str = "LANESUM_LEFT_OUT";
/// The variable with the checks that must not be skipped: kinds of instructions, kernels, tools,
/// platforms, tests.
pub const REQUIRE: &str = "LANESUM_REQUIRE";

/// Whether a program that a test runs is installed; otherwise reports it as skipped. `make test`
/// installs its tools, so a missing one is a failure there. Only plain `cargo test`, which requires
/// nothing except cargo, may continue without.
///
/// # Panics
///
/// If the program is missing in a run that collects skipped checks, such as `make test`.
pub fn has_tool(name: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    if env::split_paths(&path).any(|folder| folder.join(name).is_file()) {
        return true;
    }
    assert!(env::var_os(FILE).is_none(), "there is no {name}: `cargo xtask tools` installs it");
    left_out(Kind::Tool, name, "it is not installed: `cargo xtask tools` does");
    false
}

/// Builds liblanesum in release mode, for tests of its object code. Uses the target directory of
/// `make build`, so that it is not compiled twice.
///
/// # Panics
///
/// If it cannot be built.
pub fn release_library() -> PathBuf {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    let build = || {
        // A test is target/debug/deps/<test>.
        let test = env::current_exe().expect("a test has a path");
        let target = test.ancestors().nth(3).expect("a test is in a target directory");
        let status = Command::new(env!("CARGO"))
            .args(["build", "--release", "--locked", "--package", "lanesum-ffi", "--lib"])
            .arg("--quiet")
            .arg("--target-dir")
            .arg(target)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status()
            .expect("cargo runs");
        assert!(status.success(), "the release build of liblanesum failed");
        target.join("release/liblanesum.so")
    };
    LIBRARY.get_or_init(build).clone()
}

/// Reports that a test skips `name` on this machine, and why.
///
/// # Panics
///
/// If `LANESUM_REQUIRE` requires it, or contains an unknown word; or if the table of this crate
/// lacks the name, which could then not be required.
pub fn left_out(kind: Kind, name: &str, why: &str) {
    assert!(kind.has(name), "lanesum-testkit knows no {kind} '{name}': give it a line in table.rs");
    let line = format!("{kind}\t{name}\t{}\t{why}\n", here().name);
    // Report once if many tests skip the same.
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    if SAID.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(line.clone()) {
        // Not with `eprintln!`, which the test runner captures.
        let _ = std::io::stderr().write_all(format!("LEFT OUT: {name}: {why}\n").as_bytes());
        if let Some(file) = env::var_os(FILE) {
            let opened = OpenOptions::new().append(true).create(true).open(&file);
            // A single write: other tests append to the same file.
            let written = opened.and_then(|mut file| file.write_all(line.as_bytes()));
            written.unwrap_or_else(|error| panic!("cannot write {}: {error}", file.display()));
        }
    }
    let words = env::var(REQUIRE).unwrap_or_default();
    let required = required(&words).unwrap_or_else(|unknown| panic!("{unknown}"));
    if let Some(word) = required.iter().find(|word| kind.is_asked_for(word, name)) {
        panic!("{REQUIRE} requires {word}, but {name} is skipped on {}: {why}", consts::ARCH);
    }
}

/// Compiles and runs the Rust examples of documents: `cargo test --doc`.
#[cfg(doctest)]
mod documents {
    #[doc = include_str!("../../../README.md")]
    struct Readme;
    #[doc = include_str!("../../../docs/tutorial-messages.md")]
    struct Tutorial;
    #[doc = include_str!("../../../docs/migrating.md")]
    struct Migrating;
}
