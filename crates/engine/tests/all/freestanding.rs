//! The specification and the engine without a standard library, an allocator, threads or an
//! operating system, for use inside an operating system kernel.
//!
//! `freestanding/` is such a program, built with the flags of a freestanding x86-64 target that a
//! hosted target permits. It runs on the hosted system, so that its exit status can be checked: its
//! only system call is its exit.
#![cfg_attr(not(all(target_arch = "x86_64", target_os = "linux")), allow(dead_code))]

use std::path::Path;
use std::process::Command;

/// The flags of `x86_64-unknown-none`: no position independence, no red zone (an interrupt would
/// overwrite it), code anywhere in the top 2 GiB, no unwinding. Its soft floats are unavailable
/// here, because they change the ABI of a hosted target's `core`.
const FLAGS: &str = "-C relocation-model=static -C code-model=kernel -C no-redzone=yes \
                     -C force-unwind-tables=no";

fn cargo(arguments: &[&str], target: &str) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args(arguments)
        .arg("--target-dir")
        .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join(target))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("CARGO_BUILD_TARGET");
    cargo
}

#[test]
#[ignore = "long: run by `cargo xtask test-long`"]
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn a_program_of_nothing_but_core_hashes() {
    // With an explicit target, RUSTFLAGS do not apply to the build script, which runs on a hosted
    // system.
    let host = "x86_64-unknown-linux-gnu";
    let status = cargo(&["build", "--release", "--locked", "--quiet"], "freestanding")
        .args(["--manifest-path", "tests/freestanding/Cargo.toml", "--target", host])
        .env("RUSTFLAGS", FLAGS)
        .status()
        .unwrap();
    assert!(status.success(), "the freestanding program cannot be built");

    let program = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("freestanding")
        .join(host)
        .join("release/freestanding");
    let symbols = nm(&["--undefined-only"], &program);
    assert_eq!(symbols.trim(), "", "the program needs symbols that a kernel lacks");
    let symbols = nm(&["--demangle"], &program);
    for forbidden in ["std::", "alloc::", "__rust_alloc", "pthread", "rust_eh_personality"] {
        assert!(!symbols.contains(forbidden), "the program contains {forbidden}");
    }
    assert!(symbols.contains("lanesum::kernel"), "the program lacks the kernels");

    let status = Command::new(&program).status().unwrap();
    assert_eq!(status.code(), Some(0), "{status}: see `check` in freestanding/src/main.rs");
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn nm(arguments: &[&str], program: &Path) -> String {
    let output = Command::new("nm").args(arguments).arg(program).output().unwrap_or_else(|error| {
        panic!("cannot run nm ({error}): install binutils (`cargo xtask tools` does)")
    });
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
fn a_program_of_nothing_but_core_hashes() {
    let why = "the freestanding program is for x86-64 under Linux";
    lanesum_testkit::left_out(lanesum_testkit::Kind::Test, "freestanding", why);
}
