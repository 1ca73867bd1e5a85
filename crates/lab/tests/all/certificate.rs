//! Certificates of proofs of the C library. With one, `make test` does not repeat the proof.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use lanesum_spec::Algorithm;

/// A file with hashes of everything that the proof depends on.
pub(crate) struct Certificate {
    path: PathBuf,
    subject: String,
}

impl Certificate {
    /// The certificate of `library` in the directory LANESUM_CERTIFICATES, if this is set.
    pub(crate) fn of(library: &Path) -> Option<Self> {
        let folder =
            std::env::var_os("LANESUM_CERTIFICATES").filter(|folder| !folder.is_empty())?;
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        Some(Self::of_tree(library, &root, Path::new(&folder)))
    }

    fn of_tree(library: &Path, root: &Path, folder: &Path) -> Self {
        let path = folder.join("library.txt");
        Self { path, subject: subject(library, root) }
    }

    pub(crate) fn is_valid(&self) -> bool {
        fs::read_to_string(&self.path).is_ok_and(|stored| stored == self.subject)
    }

    pub(crate) fn store(&self) {
        fs::create_dir_all(self.path.parent().unwrap()).unwrap();
        fs::write(&self.path, &self.subject).unwrap();
    }
}

/// The library, the sources of the prover and of the crates that it imports, the versions of all other crates, and the
/// compiler.
fn subject(library: &Path, root: &Path) -> String {
    let mut files: BTreeSet<PathBuf> =
        [library.to_owned(), root.join("Cargo.toml"), root.join("Cargo.lock")].into();
    let mut crates = vec!["prove".to_owned()];
    let mut next = 0;
    while let Some(name) = crates.get(next).cloned() {
        let folder = root.join("crates").join(name);
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        for import in manifest.lines().filter_map(|line| line.strip_prefix("lanesum-")) {
            let import = import.split(['.', ' ']).next().unwrap().to_owned();
            if !crates.contains(&import) {
                crates.push(import);
            }
        }
        list(&folder, &mut files);
        next += 1;
    }
    let compiler = Command::new("rustc").arg("-vV").output().unwrap().stdout;
    let mut out = String::from_utf8(compiler).unwrap();
    for file in files {
        let digest = lanesum_spec::digest(Algorithm::SHA256, &fs::read(&file).unwrap());
        let digest = &digest[..Algorithm::SHA256.digest_len()];
        digest.iter().for_each(|byte| write!(out, "{byte:02x}").unwrap());
        let file = file.strip_prefix(root).unwrap_or(&file);
        writeln!(out, "  {}", file.display()).unwrap();
    }
    out
}

fn list(folder: &Path, files: &mut BTreeSet<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            list(&path, files);
        } else {
            files.insert(path);
        }
    }
}

#[test]
fn a_stale_or_forged_certificate_is_refused() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("certificate");
    let _ = fs::remove_dir_all(&root);
    let library = root.join("library.so");
    let sources =
        ["prove/src/lib.rs", "prove/src/deep/file.rs", "graph/src/lib.rs", "spec/src/lib.rs"]
            .map(|file| root.join("crates").join(file));
    let manifests =
        [("prove", "lanesum-graph.workspace = true\n"), ("graph", "lanesum-spec = 1\n")];
    let manifests = manifests.map(|(name, text)| (root.join("crates").join(name), text));
    for file in &sources {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "before").unwrap();
    }
    fs::write(root.join("crates/spec/Cargo.toml"), "").unwrap();
    manifests.iter().for_each(|(folder, text)| fs::write(folder.join("Cargo.toml"), text).unwrap());
    let others = ["Cargo.toml", "Cargo.lock"].map(|file| root.join(file));
    others.iter().chain([&library]).for_each(|file| fs::write(file, "before").unwrap());

    let folder = root.join("certificates");
    let valid = || Certificate::of_tree(&library, &root, &folder).is_valid();
    assert!(!valid(), "there is none");
    Certificate::of_tree(&library, &root, &folder).store();
    assert!(valid());
    for file in sources.iter().chain(&others).chain([&library]) {
        fs::write(file, "after").unwrap();
        assert!(!valid(), "{} has changed", file.display());
        fs::write(file, "before").unwrap();
        assert!(valid());
    }
    let added = root.join("crates/spec/src/added.rs");
    fs::write(&added, "").unwrap();
    assert!(!valid(), "the prover has another source");
    fs::remove_file(added).unwrap();

    let path = folder.join("library.txt");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("rustc "), "{text}");
    for (i, line) in text.lines().enumerate() {
        let lines = text.lines().enumerate();
        let without: String = lines.filter(|l| l.0 != i).map(|l| format!("{}\n", l.1)).collect();
        fs::write(&path, without).unwrap();
        assert!(!valid(), "without {line}");
    }
    fs::write(&path, "").unwrap();
    assert!(!valid());
}
