//! The files of the workspace, and the prose of a document.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Returns all files below a directory, except build output and hidden directories.
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

/// Returns a document without its code blocks.
pub(crate) fn prose(text: &str) -> String {
    let mut inside = false;
    let lines = text.lines().filter(|line| {
        let fence = line.trim_start().starts_with("```");
        inside ^= fence;
        !inside && !fence
    });
    lines.flat_map(|line| [line, "\n"]).collect()
}
