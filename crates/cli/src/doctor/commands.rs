//! Checks which commands in `PATH` are Lanesum.

use std::env;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::{Finding, Place, identity};
use crate::personalities;

/// Checks for each of Lanesum's names whether a shell would run Lanesum.
pub(super) fn findings() -> Vec<Finding> {
    let ours = env::current_exe().ok();
    let mine = ours.as_deref().and_then(identity);
    let names = personalities::all().map(|personality| personality.name);
    let finding = |name: &str| {
        let Some(path) = find(name) else {
            return Finding::no(name, "not found; a symlink to lanesum would provide it");
        };
        if mine.is_some() && identity(&path) == mine {
            return Finding::yes(name, Place(&path));
        }
        let ours = ours.as_deref().unwrap_or(Path::new("lanesum"));
        let place = Place(&path);
        let program = ours.display();
        let folder = path.parent().unwrap_or(Path::new("/")).display();
        Finding::no(
            name,
            format!(
                "{place} is another program; run 'ln -s {program} …/{name}' in a directory before {folder} in PATH"
            ),
        )
    };
    names.map(finding).collect()
}

/// Returns the directories in `PATH`.
pub(super) fn folders() -> Vec<PathBuf> {
    env::var_os("PATH").map(|path| env::split_paths(&path).collect()).unwrap_or_default()
}

/// Returns the program that a shell would run for `name`.
pub(super) fn find(name: &str) -> Option<PathBuf> {
    folders().into_iter().map(|folder| folder.join(name)).find(|path| {
        path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
    })
}
