//! Certificates of proofs of the C library. With one, `cargo xtask test-slow` does not repeat the proof.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use lanesum_spec::Algorithm;

/// The sources of the test that runs the proof.
const TESTS: [&str; 4] = [
    "lab/tests/all/binary.rs",
    "lab/tests/all/certificate.rs",
    "lab/tests/all/common/mod.rs",
    "testkit/src/lib.rs",
];

/// A file with hashes of everything that the proof depends on.
pub(crate) struct Certificate {
    path: PathBuf,
    subject: String,
    /// Whether no source is newer than the running program.
    is_of_program: bool,
}

impl Certificate {
    /// The certificate of `library` in the directory LANESUM_CERTIFICATES, if this is set.
    pub(crate) fn of(library: &[u8]) -> Option<Self> {
        let folder =
            std::env::var_os("LANESUM_CERTIFICATES").filter(|folder| !folder.is_empty())?;
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let program = std::env::current_exe().unwrap();
        Some(Self::of_tree(library, &root, Path::new(&folder), &program))
    }

    fn of_tree(library: &[u8], root: &Path, folder: &Path, program: &Path) -> Self {
        let files = sources(root);
        let time = |path: &Path| fs::metadata(path).unwrap().modified().unwrap();
        let is_code = |path: &&PathBuf| path.extension().is_some_and(|extension| extension == "rs");
        let built = time(program);
        Self {
            path: folder.join("library.txt"),
            subject: subject(library, root, &files),
            is_of_program: files.iter().filter(is_code).all(|path| time(path) <= built),
        }
    }

    pub(crate) fn is_valid(&self) -> bool {
        fs::read_to_string(&self.path).is_ok_and(|stored| stored == self.subject)
    }

    /// Stores the certificate of a successful proof. Does nothing if a source has changed since the program was built:
    /// the changed prover has proven nothing.
    pub(crate) fn store(&self) {
        if self.is_of_program {
            fs::create_dir_all(self.path.parent().unwrap()).unwrap();
            fs::write(&self.path, &self.subject).unwrap();
        }
    }
}

/// The sources of the prover, of the crates that it imports and of the test that runs it, and the versions of all other
/// crates.
fn sources(root: &Path) -> BTreeSet<PathBuf> {
    let mut files: BTreeSet<PathBuf> =
        ["Cargo.toml", "Cargo.lock"].map(|file| root.join(file)).into();
    files.extend(TESTS.map(|file| root.join("crates").join(file)));
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
    files
}

/// The library, these sources, and the compiler.
fn subject(library: &[u8], root: &Path, files: &BTreeSet<PathBuf>) -> String {
    let compiler = Command::new("rustc").arg("-vV").output().unwrap().stdout;
    let mut out = String::from_utf8(compiler).unwrap();
    let mut line = |bytes: &[u8], name: &Path| {
        let digest = lanesum_spec::digest(Algorithm::SHA256, bytes);
        let digest = &digest[..Algorithm::SHA256.digest_len()];
        digest.iter().for_each(|byte| write!(out, "{byte:02x}").unwrap());
        writeln!(out, "  {}", name.display()).unwrap();
    };
    line(library, Path::new("liblanesum.so"));
    for file in files {
        line(&fs::read(file).unwrap(), file.strip_prefix(root).unwrap_or(file));
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
    let sources =
        ["prove/src/lib.rs", "prove/src/deep/file.rs", "graph/src/lib.rs", "spec/src/lib.rs"];
    let sources: Vec<PathBuf> =
        sources.iter().chain(&TESTS).map(|file| root.join("crates").join(file)).collect();
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
    others.iter().for_each(|file| fs::write(file, "before").unwrap());

    let [folder, program] = ["certificates", "program"].map(|file| root.join(file));
    let of = |library: &[u8]| Certificate::of_tree(library, &root, &folder, &program);
    let valid = || of(b"library").is_valid();
    fs::write(&program, "").unwrap();
    assert!(!valid(), "there is none");
    // A source is newer than the program.
    let newer = std::time::SystemTime::now() + std::time::Duration::from_secs(60);
    let source = fs::File::options().append(true).open(&sources[1]).unwrap();
    source.set_modified(newer).unwrap();
    of(b"library").store();
    assert!(!valid(), "another prover has proven it");
    fs::File::options().append(true).open(&program).unwrap().set_modified(newer).unwrap();
    of(b"library").store();
    assert!(valid());
    assert!(!of(b"another").is_valid(), "the library has changed");
    for file in sources.iter().chain(&others) {
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
