//! Builds the examples with CMake and Meson.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::programs::{installed, on_it, root, run};

/// Asserts that `program` prints the same as `sha256sum`.
fn is_sum(program: &Path) {
    let file = root().join("Cargo.toml");
    assert_eq!(run(on_it(program).arg(&file)), run(Command::new("sha256sum").arg(&file)));
}

/// Configures the examples with CMake in the directory `build`. The library is searched for only in
/// `prefix`.
fn cmake(prefix: &Path, build: &Path) -> Command {
    let mut command = Command::new("cmake");
    command
        .arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display()))
        // The system directories could contain another version.
        .arg("-DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=FALSE")
        .arg("-S")
        .arg(root().join("../../examples/cmake"))
        .arg("-B")
        .arg(build);
    command
}

#[test]
fn cmake_finds_the_library_and_builds_the_examples() {
    let folder = TempDir::new().unwrap();
    run(&mut cmake(&installed().join("usr"), folder.path()));
    run(Command::new("cmake").arg("--build").arg(folder.path()));
    is_sum(&folder.path().join("sum"));
    let merkle = folder.path().join("merkle");
    assert_eq!(run(on_it(&merkle).stdin(std::process::Stdio::null())).trim().len(), 64);
    // A program linked with the archive does not need the shared library at run time.
    let alone = folder.path().join("sum-static");
    assert!(!run(Command::new("objdump").arg("-p").arg(&alone)).contains("liblanesum"));
    is_sum(&alone);
}

#[test]
fn cmake_rejects_versions_that_are_not_installed() {
    let folder = TempDir::new().unwrap();
    let source = folder.path().join("CMakeLists.txt");
    let configure = |version: &str| {
        let text = format!(
            "cmake_minimum_required(VERSION 3.13)\nproject(x NONE)\nfind_package(lanesum {version} REQUIRED)\n"
        );
        fs::write(&source, text).unwrap();
        let build = folder.path().join(version);
        let mut command = cmake(&installed().join("usr"), &build);
        command.arg("-S").arg(folder.path()).output().unwrap().status.success()
    };
    assert!(configure("0.1"));
    assert!(configure("0.1.0"));
    for version in ["0.0", "0.1.99", "0.99", "1.0"] {
        assert!(!configure(version), "{version}");
    }
}

/// Sets up a copy of the Meson example.
fn meson(folder: &TempDir, wrapped: &Path, arguments: &[&str]) -> Command {
    let examples = folder.path().join("examples");
    fs::create_dir_all(examples.join("meson/subprojects")).unwrap();
    let from = root().join("../../examples");
    for file in ["sum.c", "meson/meson.build", "meson/subprojects/lanesum.wrap"] {
        fs::copy(from.join(file), examples.join(file)).unwrap();
    }
    let wrap = examples.join("meson/subprojects/lanesum.wrap");
    let text = fs::read_to_string(&wrap).unwrap();
    let url = "url = ../../..\n";
    assert!(text.contains(url), "{text}");
    fs::write(&wrap, text.replace(url, &format!("url = {}\n", wrapped.display()))).unwrap();
    let mut command = Command::new("meson");
    command
        .arg("setup")
        .args(arguments)
        .arg(folder.path().join("build"))
        .arg(examples.join("meson"));
    command
}

/// Compiles the example that `meson` set up, and runs it.
fn meson_builds_sum(folder: &TempDir) {
    let build = folder.path().join("build");
    run(Command::new("meson").arg("compile").arg("-C").arg(&build));
    is_sum(&build.join("sum"));
}

#[test]
fn meson_finds_the_library_with_pkg_config() {
    let folder = TempDir::new().unwrap();
    run(meson(&folder, Path::new("/nonexistent"), &[])
        .env("PKG_CONFIG_SYSROOT_DIR", installed())
        .env("PKG_CONFIG_LIBDIR", installed().join("usr/lib/pkgconfig")));
    meson_builds_sum(&folder);
}

#[test]
#[ignore = "long: run by `cargo xtask test-long`"]
fn meson_compiles_the_library_as_a_subproject() {
    let folder = TempDir::new().unwrap();
    let tree = root().join("../..").canonicalize().unwrap();
    run(meson(&folder, &tree, &["--force-fallback-for=lanesum"])
        .env("PKG_CONFIG_LIBDIR", "/nonexistent"));
    meson_builds_sum(&folder);
    let program = folder.path().join("build/sum");
    assert!(!run(Command::new("objdump").arg("-p").arg(program)).contains("liblanesum"));
}
