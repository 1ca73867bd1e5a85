//! What tests of both doors need.

use crate::cc;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

/// The library, as built for the tests.
pub fn library() -> PathBuf {
    // target/debug/deps/<test> stands beside target/debug/examples.
    let test = env::current_exe().unwrap();
    let path = test.ancestors().nth(2).unwrap().join("examples/liblanesum.so");
    assert!(path.exists(), "{}: build it by `cargo build --example lanesum`", path.display());
    path
}

/// A file of this crate.
pub fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The Python of the environment that `make tools` sets up.
#[allow(dead_code, reason = "not in every test")]
pub fn python() -> PathBuf {
    let path = file("../../target/doors/bin/python");
    assert!(path.exists(), "{}: run `make tools`", path.display());
    path
}

/// A C program of `tests/doors`, in `directory`.
#[allow(dead_code, reason = "not in every test")]
pub fn compile(directory: &Path, name: &str) -> PathBuf {
    compile_file(directory, &file("tests/doors").join(name).with_extension("c"))
}

/// Another C program.
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

/// Runs a program that must succeed: what it printed.
pub fn run(command: &mut Command) -> String {
    let output = run_any(command);
    let text = printed(&output);
    assert!(output.status.success(), "{command:?}: {}\n{text}", output.status);
    text
}

/// Runs a program.
pub fn run_any(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}: run `make tools`"))
}

/// All that a program printed.
pub fn printed(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes)).concat()
}

/// A program under valgrind, which fails for any error or leak; alone where a sanitizer does
/// that, which valgrind cannot run.
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

/// A directory with the library under the name that a provider has.
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
