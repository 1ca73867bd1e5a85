//! What git would leave out of a tree.

use std::fs;
use std::path::{Path, PathBuf};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// The rules of the folders from a repository's root to the one whose entries come next.
#[derive(Debug, Default)]
pub(super) struct Ignored {
    root: PathBuf,
    /// The root without links, by which folders above it know their entries.
    real: PathBuf,
    above: Vec<Gitignore>,
    /// Of the root's folder and those below it.
    below: Vec<Option<Gitignore>>,
}

impl Ignored {
    /// A tree begins.
    pub(super) fn start(&mut self, root: &Path) {
        let real = fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
        let repository = real.ancestors().find(|folder| folder.join(".git").exists());
        self.above = repository.map_or_else(Vec::new, |repository| {
            let between = real.ancestors().skip(1);
            let mut folders: Vec<_> =
                between.take_while(|folder| folder.starts_with(repository)).collect();
            folders.reverse();
            let exclude = rules(repository, &repository.join(".git/info/exclude"));
            let files = folders.iter().filter_map(|folder| rules(folder, &folder.join(NAME)));
            exclude.into_iter().chain(files).collect()
        });
        self.root = root.to_owned();
        self.real = real;
        self.below.clear();
    }

    /// The walk enters a folder.
    pub(super) fn enter(&mut self, folder: &Path) {
        self.below.push(rules(folder, &folder.join(NAME)));
    }

    /// The walk has come to the end of the folder that it entered last.
    pub(super) fn leave(&mut self) {
        self.below.pop();
    }

    /// Whether this entry is left out. The rules of the folder nearest to it come first.
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

const NAME: &str = ".gitignore";

/// The rules in a file, for what is below a folder; none if there are none.
fn rules(folder: &Path, file: &Path) -> Option<Gitignore> {
    if !file.is_file() {
        return None;
    }
    let mut builder = GitignoreBuilder::new(folder);
    // As with git, a line that is no pattern ignores nothing.
    let _ = builder.add(file);
    builder.build().ok().filter(|rules| !rules.is_empty())
}
