//! The files of the workspace, and what of a document is prose.

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Every file below a folder but what is built, and what stands in hidden folders.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if !path.is_dir() {
                found.push(path);
            } else if name != "target" && !name.starts_with('.') {
                folders.push(path);
            }
        }
    }
    found
}

/// A document without its blocks of code.
pub(crate) fn prose(text: &str) -> String {
    let mut inside = false;
    let lines = text.lines().filter(|line| {
        let fence = line.trim_start().starts_with("```");
        inside ^= fence;
        !inside && !fence
    });
    lines.flat_map(|line| [line, "\n"]).collect()
}
