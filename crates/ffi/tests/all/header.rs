//! The header is what cbindgen makes of the source, and says every symbol.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The header, made from the files of `src/c`.
fn generated() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).unwrap();
    // In the order of what builds on what, which is also the one to read them in.
    let files = [
        "status",
        "algorithm",
        "kernel",
        "hasher",
        "batch",
        "sha1dc",
        "hmac",
        "derive",
        "tree",
        "log",
    ];
    let builder = cbindgen::Builder::new().with_config(config);
    let path = |file: &str| root.join("src/c").join(file).with_extension("rs");
    assert_eq!(
        fs::read_dir(root.join("src/c")).unwrap().count(),
        files.len() + 1,
        "every file of src/c but mod.rs is one of {files:?}"
    );
    let builder = files.iter().fold(builder, |builder, file| builder.with_src(path(file)));
    let mut header = Vec::new();
    builder.generate().unwrap().write(&mut header);
    String::from_utf8(header).unwrap()
}

#[test]
fn the_header_is_that_of_the_source() {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/lanesum.h");
    let generated = generated();
    if env::var_os("LANESUM_WRITE").is_some() {
        fs::write(&path, &generated).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == generated, "include/lanesum.h is not the source's: run `make header`");
}
