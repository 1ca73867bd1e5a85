//! The machine code of the library that ships: proven, and the proof notices changes.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use heddle_graph::prove::binary::{Binary, Image, Kernel};

/// The library as it is released, from the folder where the test of its object code
/// (`engine/tests/asm`) has it built too.
fn shipped() -> &'static Image {
    static IMAGE: OnceLock<Image> = OnceLock::new();
    IMAGE.get_or_init(|| {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("shipped");
        let status = Command::new(env!("CARGO"))
            .args(["build", "--release", "--locked", "--package", "heddle-ffi", "--lib", "--quiet"])
            .arg("--target-dir")
            .arg(&target)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status()
            .expect("cargo runs");
        assert!(status.success(), "the release build of libheddle failed");
        Image::new(&fs::read(target.join("release/libheddle.so")).unwrap()).unwrap()
    })
}

fn find(kernel: Kernel) -> Binary<'static> {
    Binary::find(shipped(), kernel).unwrap_or_else(|fault| panic!("{}: {fault}", kernel.name()))
}

#[test]
fn every_lane_of_every_kernel_that_ships_is_proven() {
    let failures: Vec<String> = Kernel::all()
        .filter_map(|kernel| {
            let fault = find(kernel).prove().err()?;
            Some(format!("{}: {fault}", kernel.name()))
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
