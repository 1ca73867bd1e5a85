//! Searches a program's memory for key material after keyed calls, through every interface and on
//! every kernel. Only live contexts and objects may contain any.

use std::path::PathBuf;
use std::process::Command;

use engine::{Algorithm, Kernel};
use lanesum_testkit::memory::{Done, Found, Look, algorithms, flags, look};
use lanesum_testkit::release_library;

use crate::doors::{compile_file, file, library, provider_directory};
use crate::programs;

/// Inspects a program with each kernel that the CPU supports, and with the default selection.
fn look_on_every_kernel(program: impl Fn() -> Command, how: Look) {
    look_at(&algorithms(), program, how);
}

/// Inspects a program as [`look_on_every_kernel`] does, but only with the algorithms `all`.
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
        let kernel = kernel.map_or("default kernels", |kernel| kernel.name());
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
fn the_c_library_leaves_no_key_material() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("c");
    // With lazy binding, the dynamic linker saves registers on the stack at the first call of a
    // function.
    let flags = ["-std=c11", "-D_GNU_SOURCE", "-Wl,-z,lazy"];
    programs::compile("cc", &source("c"), &program, &flags);
    let how = Look {
        lives: |done, found| (done.live..done.live + done.live_len).contains(&found.at),
        own: Some(512),
    };
    look_on_every_kernel(|| programs::on_it(&program), how);
    // The optimized release build uses less of the stack than the test build: check it too.
    std::os::unix::fs::symlink(release_library(), folder.path().join("liblanesum.so.0")).unwrap();
    let released = || {
        let mut command = Command::new(&program);
        command.env("LD_LIBRARY_PATH", folder.path());
        command
    };
    look_on_every_kernel(released, how);
}

#[test]
fn the_provider_leaves_no_key_material() {
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

/// Live keys are in pages that are locked in memory and excluded from core dumps.
#[test]
fn the_module_leaves_no_key_material() {
    let directory = tempfile::tempdir().unwrap();
    let program = compile_file(directory.path(), &source("pkcs11"));
    let command = || {
        let mut command = Command::new(&program);
        command.arg(library());
        command
    };
    // PKCS #11 defines no mechanism for SM3.
    let all: Vec<_> = algorithms().into_iter().filter(|&a| a != Algorithm::SM3).collect();
    look_at(&all, command, Look { lives: is_in_locked_pages, own: None });
}
