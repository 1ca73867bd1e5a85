//! What calls with a key leave in a program's memory, by every door and on every kernel: nothing
//! that tells of the key, but where it lives on.

use std::path::PathBuf;
use std::process::Command;

use engine::{Algorithm, Kernel};
use lanesum_testkit::memory::{Done, Found, Look, algorithms, flags, look};
use lanesum_testkit::release_library;

use crate::doors::{compile_file, file, library, provider_directory};
use crate::programs;

/// Looks at a program on every kernel that the CPU has, and on those that are chosen.
fn look_on_every_kernel(program: impl Fn() -> Command, how: Look) {
    look_at(&algorithms(), program, how);
}

/// The same with these algorithms alone.
fn look_at(all: &[Algorithm], program: impl Fn() -> Command, how: Look) {
    let mut wrong = Vec::new();
    for kernel in Kernel::all().map(Some).chain([None]) {
        let mut command = program();
        command.env_remove("LANESUM_KERNEL");
        if let Some(kernel) = kernel {
            command.env("LANESUM_KERNEL", kernel.name());
        }
        let runs = |algorithm: &Algorithm| kernel.is_none_or(|kernel| kernel.supports(*algorithm));
        let algorithms: Vec<_> = all.iter().copied().filter(runs).collect();
        let kernel = kernel.map_or("kernels that are chosen", |kernel| kernel.name());
        let lines = look(&mut command, &algorithms, how);
        wrong.extend(lines.iter().map(|line| format!("{kernel}, {line}")));
    }
    wrong.truncate(60);
    assert!(wrong.is_empty(), "left in memory:\n{}", wrong.join("\n"));
}

/// A program of `tests/secrets`.
fn source(name: &str) -> PathBuf {
    file("tests/secrets").join(name).with_extension("c")
}

#[test]
fn nothing_of_a_key_is_left_by_the_c_library() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("c");
    // The dynamic linker saves registers on the stack when a function is called first.
    let flags = ["-std=c11", "-D_GNU_SOURCE", "-Wl,-z,lazy"];
    programs::compile("cc", &source("c"), &program, &flags);
    let how = Look {
        lives: |done, found| (done.live..done.live + done.live_len).contains(&found.at),
        own: Some(512),
    };
    look_on_every_kernel(|| programs::on_it(&program), how);
    // As it is released it goes as far down as its compiler has it: not as far as the tests' build.
    std::os::unix::fs::symlink(release_library(), folder.path().join("liblanesum.so.0")).unwrap();
    let released = || {
        let mut command = Command::new(&program);
        command.env("LD_LIBRARY_PATH", folder.path());
        command
    };
    look_on_every_kernel(released, how);
}

#[test]
fn nothing_of_a_key_is_left_by_the_provider() {
    let directory = provider_directory();
    let program = compile_file(directory.path(), &source("evp"));
    let command = || {
        let mut command = Command::new(&program);
        command.arg(directory.path());
        command
    };
    look_on_every_kernel(command, Look { lives: |_, found| found.mapping == "[heap]", own: None });
}

fn is_in_locked_pages(done: &Done, found: &Found) -> bool {
    let flags = flags(done.process, found.at);
    ["lo", "dd"].iter().all(|flag| flags.iter().any(|has| has == flag))
}

/// What is kept is in pages that are locked and left out of core dumps.
#[test]
fn nothing_of_a_key_is_left_by_the_module() {
    let directory = tempfile::tempdir().unwrap();
    let program = compile_file(directory.path(), &source("pkcs11"));
    let command = || {
        let mut command = Command::new(&program);
        command.arg(library());
        command
    };
    // PKCS #11 has no number for SM3.
    let all: Vec<_> = algorithms().into_iter().filter(|&a| a != Algorithm::SM3).collect();
    look_at(&all, command, Look { lives: is_in_locked_pages, own: None });
}
