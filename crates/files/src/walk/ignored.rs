//! Files that git would ignore.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::{Error, Kinds, Step, open};

/// The rules of the directories from the root of the repository to the current one.
#[derive(Debug, Default)]
pub(super) struct Ignored {
    root: PathBuf,
    /// The canonical root, to which the rules of its parents are relative.
    real: PathBuf,
    above: Vec<Gitignore>,
    /// The rules of the root and of the directories below it.
    below: Vec<Option<Gitignore>>,
}

impl Ignored {
    /// Starts a tree. Passes ignore files that are too long to `failed`.
    pub(super) fn start(&mut self, root: &Path, mut failed: impl FnMut(Error)) {
        let real = fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
        let repository = real.ancestors().find(|folder| folder.join(".git").exists());
        self.above = repository.map_or_else(Vec::new, |repository| {
            let between = real.ancestors().skip(1);
            let mut folders: Vec<_> =
                between.take_while(|folder| folder.starts_with(repository)).collect();
            folders.reverse();
            let exclude = (repository, repository.join(".git/info/exclude"));
            let files = folders.iter().map(|folder| (*folder, folder.join(FILE_NAME)));
            let files = [exclude].into_iter().chain(files);
            files.filter_map(|(folder, file)| rules(folder, &file, &mut failed)).collect()
        });
        self.root = root.to_owned();
        self.real = real;
        self.below.clear();
    }

    /// Enters a directory. Passes an ignore file that is too long to `failed`.
    pub(super) fn enter(&mut self, folder: &Path, failed: impl FnMut(Error)) {
        self.below.push(rules(folder, &folder.join(FILE_NAME), failed));
    }

    /// Leaves the directory that was entered last.
    pub(super) fn leave(&mut self) {
        self.below.pop();
    }

    /// Whether an entry is ignored. The rules of the nearest directory take precedence.
    pub(super) fn has(&self, path: &Path, is_folder: bool) -> bool {
        if path.file_name().is_some_and(|name| name == ".git") {
            return true;
        }
        let below = self.below.iter().rev().flatten().map(|rules| rules.matched(path, is_folder));
        let real = self.real.join(path.strip_prefix(&self.root).unwrap_or(path));
        let above = self.above.iter().rev().map(|rules| rules.matched(&real, is_folder));
        below
            .chain(above)
            .find(|found| !found.is_none())
            .is_some_and(|found| matches!(found, Match::Ignore(_)))
    }
}

/// Name of ignore files.
const FILE_NAME: &str = ".gitignore";

/// Maximum length of an ignore file, in bytes: compiled patterns take many times as much memory.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// The rules in `file` for the entries below a directory; `None` if it has no rules.
fn rules(folder: &Path, file: &Path, mut failed: impl FnMut(Error)) -> Option<Gitignore> {
    let mut text = Vec::new();
    // A FIFO of that name contains no rules and does not block.
    let rules = open(file, Kinds::Storage).ok()?;
    rules.take(MAX_FILE_BYTES + 1).read_to_end(&mut text).ok()?;
    if text.len() as u64 > MAX_FILE_BYTES {
        let error = io::Error::other(format!("longer than {MAX_FILE_BYTES} bytes"));
        failed(Error::new(file, Step::Read, error));
        return None;
    }
    let mut builder = GitignoreBuilder::new(folder);
    let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&text);
    for line in text.split(|&byte| byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        // As with git, an invalid pattern ignores nothing.
        if let Ok(line) = str::from_utf8(line) {
            let _ = builder.add_line(Some(file.to_owned()), line);
        }
    }
    builder.build().ok().filter(|rules| !rules.is_empty())
}
