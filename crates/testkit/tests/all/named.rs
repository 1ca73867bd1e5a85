//! Names in pages of prose must exist: files, by the end of their path, and in SOUNDNESS.md also
//! tests, by a part of their name.

use std::fs;
use std::path::{Path, PathBuf};

use crate::tree::{self, prose};

/// The files and functions of the workspace.
struct Tree {
    files: Vec<String>,
    functions: Vec<String>,
}

impl Tree {
    fn of(root: &Path) -> Self {
        let mut tree = Self { files: Vec::new(), functions: Vec::new() };
        for path in tree::files(root) {
            tree.files.push(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
            if path.extension().is_some_and(|end| end == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let names = text.split("fn ").skip(1);
                let end = |name: &str| name.find(|c: char| !c.is_alphanumeric() && c != '_');
                tree.functions.extend(names.filter_map(|name| Some(name[..end(name)?].to_owned())));
            }
        }
        tree
    }

    /// Returns the first name on a page that does not exist; checks names of tests if `tests`.
    fn missing(&self, page: &str, tests: bool) -> Option<String> {
        // Blocks of commands and output may name external files; blocks of plain text are lists of files.
        let prose = prose(page);
        let named = prose.split('`').skip(1).step_by(2).map(str::trim);
        let lists = page.split("```text\n").skip(1).filter_map(|rest| rest.split("```").next());
        let listed = lists.flat_map(|list| list.split([' ', '\n', ',', ';', '(', ')']));
        named.chain(listed).find(|name| !self.has(name, tests)).map(str::to_owned)
    }

    fn has(&self, name: &str, tests: bool) -> bool {
        let is_letter = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
        if !name.chars().all(is_letter) || name.starts_with(['/', '.', '-']) {
            return true;
        }
        let is_source = [".rs", ".c", ".toml", ".md", ".py"].iter().any(|end| name.ends_with(end));
        if name.contains('/') && is_source {
            let end = format!("/{name}");
            return self.files.iter().any(|file| file == name || file.ends_with(&end));
        }
        let is_function =
            name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
                && name.matches('_').count() >= 3
                && !name.starts_with("lanesum_")
                && !name.starts_with("__");
        !(tests && is_function) || self.functions.iter().any(|function| function.contains(name))
    }
}

fn pages(root: &Path) -> Vec<PathBuf> {
    let folders =
        [root.to_owned(), root.join("docs"), root.join("benches"), root.join("crates/lab")];
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let files = entries.map(|entry| entry.unwrap().path());
    // A released section of the changelog may name files that no longer exist.
    let is_page = |path: &PathBuf| {
        path.extension().is_some_and(|end| end == "md") && !path.ends_with("CHANGELOG.md")
    };
    files.filter(is_page).collect()
}

#[test]
fn names_in_pages_exist() {
    let root = tree::root();
    let (tree, pages) = (Tree::of(&root), pages(&root));
    assert!(pages.len() > 8, "{pages:?}");
    for page in pages {
        let missing =
            tree.missing(&fs::read_to_string(&page).unwrap(), page.ends_with("SOUNDNESS.md"));
        assert_eq!(missing, None, "{}", page.display());
    }
    for (planted, wrong) in [
        ("as `engine/src/no_such_file.rs` has it", Some("engine/src/no_such_file.rs")),
        ("a test (`nobody_has_written_this`)", Some("nobody_has_written_this")),
        ("`names_in_pages_exist`, in `tests/all/named.rs`", None),
        ("```console\n$ see `no/such.rs`\n```\n", None),
        ("```text\nrun/no_such.rs   hashes (words/bytes.rs)\n```\n", Some("run/no_such.rs")),
    ] {
        assert_eq!(tree.missing(planted, true).as_deref(), wrong);
    }
}

/// The maintainers' address, which a fork replaces in one place.
#[test]
fn only_the_manifest_of_the_workspace_has_the_contact_address() {
    let root = tree::root();
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let line = manifest.lines().find(|line| line.starts_with("authors = ")).unwrap();
    let address = line.split(['<', '>']).nth(1).unwrap();
    assert!(address.contains('@'), "{line}");
    let has_address = |path: &PathBuf| fs::read(path).is_ok_and(|text| contains(&text, address));
    let found: Vec<_> = tree::files(&root).into_iter().filter(has_address).collect();
    assert_eq!(found, [root.join("Cargo.toml")]);
}

fn contains(text: &[u8], wanted: &str) -> bool {
    text.windows(wanted.len()).any(|part| part == wanted.as_bytes())
}
