//! Helpers for the tests of the OpenSSL provider and the PKCS #11 module.

use crate::cc;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

/// The path of the library that is built for the tests.
pub fn library() -> PathBuf {
    // The test is target/debug/deps/<test>, the library is in target/debug/examples.
    let test = env::current_exe().unwrap();
    let path = test.ancestors().nth(2).unwrap().join("examples/liblanesum.so");
    assert!(path.exists(), "{}: build it by `cargo build --example lanesum`", path.display());
    path
}

/// The path of a file of this crate.
pub fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The Python of the environment that `cargo xtask tools` sets up.
#[allow(dead_code, reason = "not in every test")]
pub fn python() -> PathBuf {
    let path = file("../../target/doors/bin/python");
    assert!(path.exists(), "{}: run `cargo xtask tools`", path.display());
    path
}

/// Compiles the C program `name` of `tests/doors` to `directory`.
#[allow(dead_code, reason = "not in every test")]
pub fn compile(directory: &Path, name: &str) -> PathBuf {
    compile_file(directory, &file("tests/doors").join(name).with_extension("c"))
}

/// Compiles the C program `source` to `directory`.
pub fn compile_file(directory: &Path, source: &Path) -> PathBuf {
    let program = directory.join(source.file_stem().unwrap());
    run(Command::new("cc")
        .args(["-std=gnu11", "-g", "-O1", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&program)
        .arg(source)
        .arg("-I")
        .arg(file("include"))
        .arg("-I/usr/include/p11-kit-1")
        .args(["-lcrypto", "-ldl", "-pthread"])
        .args(cc::flags()));
    program
}

/// Runs a program that must succeed. Returns its output.
pub fn run(command: &mut Command) -> String {
    let output = run_any(command);
    let text = printed(&output);
    assert!(output.status.success(), "{command:?}: {}\n{text}", output.status);
    text
}

/// Runs a program that may fail.
pub fn run_any(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}: run `cargo xtask tools`"))
}

/// Returns standard output and standard error, concatenated.
pub fn printed(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes)).concat()
}

/// Runs a program under valgrind, which fails on any error or leak. With a sanitizer, which
/// valgrind does not support, runs the program itself.
#[allow(dead_code, reason = "not in every test")]
pub fn valgrind(program: &Path) -> Command {
    if cc::is_sanitized() {
        return Command::new(program);
    }
    let mut command = Command::new("valgrind");
    command
        .args(["--quiet", "--error-exitcode=9", "--leak-check=full", "--show-leak-kinds=definite"])
        .args(["--errors-for-leak-kinds=definite", "--trace-children=yes"])
        .arg(program);
    command
}

/// Creates a directory with the library as `lanesum.so`, the file name of the provider, and an
/// `openssl.cnf` that selects it.
#[allow(dead_code, reason = "not in every test")]
pub fn provider_directory() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(library(), directory.path().join("lanesum.so")).unwrap();
    fs::write(
        directory.path().join("openssl.cnf"),
        fs::read_to_string(file("share/openssl.cnf"))
            .unwrap()
            .replace("liblanesum.so", &library().display().to_string())
            // Every digest, on every CPU.
            .replace("?provider=lanesum", "?lanesum.all=yes"),
    )
    .unwrap();
    directory
}
