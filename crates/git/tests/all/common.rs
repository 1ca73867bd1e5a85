//! A temporary directory with repositories, and checks of them.

use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use lanesum::Policy;
use lanesum_files::{Progress, Settings};
use lanesum_git::{Class, Counts, Finding, Options, Repository, check_within};
use tempfile::TempDir;

pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    pub(crate) fn at(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs `git` with space-separated arguments in a subdirectory, and returns its output.
    #[track_caller]
    pub(crate) fn git(&self, directory: &str, words: &str) -> String {
        let mut command = Command::new("git");
        command.args(["-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "core.fsync=none"]);
        command.args(words.split_whitespace()).current_dir(self.at(directory));
        command.env("HOME", self.0.path()).env("GIT_CONFIG_NOSYSTEM", "1").env("LC_ALL", "C");
        for role in ["AUTHOR", "COMMITTER"] {
            command
                .env(format!("GIT_{role}_NAME"), "A")
                .env(format!("GIT_{role}_EMAIL"), "a@example.org");
            command.env(format!("GIT_{role}_DATE"), "1700000000 +0000");
        }
        let output = command.output().expect("git is installed");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {words}: {error}");
        String::from_utf8(output.stdout).unwrap()
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.at(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Creates a repository with `commits` commits of files that change a little from one to the next.
    pub(crate) fn repository(&self, name: &str, format: &str, commits: usize) {
        self.git("", &format!("init -q -b main --object-format={format} {name}"));
        for commit in 0..commits {
            for file in 0..4 {
                self.write(&format!("{name}/d/{file}"), text(file, commit));
            }
            self.git(name, "add -A");
            self.git(name, &format!("commit -q -m {commit}"));
        }
        self.git(name, "tag -a -m tag v1");
    }

    /// Returns the only file below `directory` with an extension.
    #[track_caller]
    pub(crate) fn only(&self, directory: &str, extension: &str) -> PathBuf {
        let all = self.all(directory, extension);
        assert_eq!(all.len(), 1, "{all:?}");
        all.into_iter().next().unwrap()
    }

    /// Returns all files in `directory` with an extension.
    pub(crate) fn all(&self, directory: &str, extension: &str) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.at(directory)).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        paths.filter(|path| path.extension().is_some_and(|end| end == extension)).collect()
    }
}

/// Returns the contents of a file after some commits: a few lines change with each commit.
pub(crate) fn text(file: usize, commit: usize) -> String {
    let line = |i: usize| {
        let version = (0..=commit).rev().find(|version| i % 17 == (version * 5 + file) % 17);
        format!("{file} {i} {}\n", version.unwrap_or(0) * 7919 + i * i)
    };
    (0..120).map(line).collect()
}

/// The result of a check.
#[derive(Debug)]
pub(crate) struct Checked {
    pub(crate) counts: Counts,
    /// The findings, sorted by object, then by path.
    pub(crate) findings: Vec<Finding>,
}

impl Checked {
    /// Returns the findings of other classes than `Same`, as class and object or file name.
    pub(crate) fn faults(&self) -> Vec<(Class, String)> {
        let faults = self.findings.iter().filter(|finding| finding.class != Class::Same);
        faults.map(|finding| (finding.class, subject(finding))).collect()
    }

    /// Returns the finding for an object or a file.
    #[track_caller]
    pub(crate) fn of(&self, name: &str) -> &Finding {
        let found = self.findings.iter().find(|finding| subject(finding) == name);
        found.unwrap_or_else(|| panic!("{name} is not in {:#?}", self.findings))
    }

    /// Asserts one fault: its class, its object or file, and a part of the reason.
    #[track_caller]
    pub(crate) fn is_one(&self, class: Class, name: &str, reason: &str) {
        assert_eq!(self.faults(), [(class, name.to_owned())], "{self:#?}");
        let found = self.of(name);
        assert!(found.reason.contains(reason), "{reason}: {}", found.reason);
    }

    #[track_caller]
    pub(crate) fn is_well(&self) {
        assert_eq!(self.faults(), [], "{self:#?}");
        assert_eq!(self.counts.faults(), 0);
    }
}

fn subject(finding: &Finding) -> String {
    match finding.object {
        Some(id) => id.to_string(),
        None => finding.path.file_name().unwrap().to_str().unwrap().to_owned(),
    }
}

/// Checks a repository with one thread, with several, and without memory for bases. All must agree.
#[track_caller]
pub(crate) fn checked(path: &Path) -> Checked {
    let one = checked_by(path, 1, usize::MAX);
    for (workers, max_live_bytes) in [(3, usize::MAX), (1, 0), (3, 0)] {
        let other = checked_by(path, workers, max_live_bytes);
        assert_eq!(other.findings, one.findings, "{workers} workers, {max_live_bytes} bytes");
        assert_eq!(other.counts, one.counts, "{workers} workers, {max_live_bytes} bytes");
    }
    one
}

pub(crate) fn checked_by(path: &Path, workers: usize, max_live_bytes: usize) -> Checked {
    let workers = NonZeroUsize::new(workers);
    let settings = Settings { workers, ..Settings::new(Policy::automatic()) };
    let repository = Repository::open(path).unwrap();
    let findings = Mutex::new(Vec::new());
    let progress = Progress::default();
    let options = Options { settings: &settings, progress: &progress, reports_same: true };
    let counts = check_within(max_live_bytes, &repository, &options, &|finding| {
        findings.lock().unwrap().push(finding);
        ControlFlow::Continue(())
    });
    let mut findings = findings.into_inner().unwrap();
    findings.sort_by_key(|finding| (finding.object, finding.path.clone(), finding.offset));
    assert_eq!(findings.len() as u64, counts.faults() + counts.of(Class::Same));
    Checked { counts, findings }
}
