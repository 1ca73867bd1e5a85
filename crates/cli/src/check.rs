//! `lanesum check`: verify the files that manifests list.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufReader, ErrorKind};
use std::ops::ControlFlow;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{fmt, fs, vec};

use lanesum::{Algorithm, Policy, PolicyError};
use lanesum_files::{Digests, Error, Input, Job, Progress as Counters, hash};
use lanesum_manifest::{Line, Malformed, Options, Reader, Terminator, report_name};

use crate::args::Check;
use crate::lines::read_line;
use crate::output::{Output, Stop};
use crate::progress::Progress;
use crate::say::{Shown, failure, reason, say};
use crate::{Verdict, settings};

pub(crate) fn run(args: &Check) -> Verdict {
    match try_run(args) {
        Ok(verdict) | Err(verdict) => verdict,
    }
}

fn try_run(args: &Check) -> Result<Verdict, Verdict> {
    let algorithms: Vec<_> = args.algorithm.into_iter().collect();
    let settings = settings(&args.jobs, &algorithms)?;
    let output = Output::standard().map_err(|stop| stop.say())?;
    let progress = Progress::default();
    let read = AtomicU64::new(0);
    let mut manifests = args.manifests.clone();
    if manifests.is_empty() {
        manifests.push("-".into());
    }
    let total: Option<u64> = manifests.iter().map(|path| len(path)).sum();
    let lines = Lines {
        manifests: manifests.into_iter(),
        current: None,
        args,
        policy: &settings.policy,
        read: &read,
        line: Vec::new(),
    };
    let mut report = Report {
        args,
        output,
        progress: &progress,
        counts: Counts::default(),
        failed: false,
        stop: None,
    };
    let share =
        |_: &Counters| total.map(|total| read.load(Ordering::Relaxed) as f64 / total.max(1) as f64);
    progress.watch(share, || {
        hash(lines, &settings, &progress.counters, |item, result| report.take(item, result));
    });
    Ok(report.finish())
}

/// The length of a manifest, if it has one.
fn len(path: &Path) -> Option<u64> {
    fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|metadata| metadata.len())
}

/// What is at a place of the order of the report.
enum Item {
    /// A file to verify.
    Entry { path: PathBuf, algorithm: [Algorithm; 1], digest: [u8; 64] },
    /// A line that is not understood, for those who want to know.
    Malformed { manifest: PathBuf, line: u64, why: Malformed },
    /// The end of a manifest, or as far as it could be read.
    End { manifest: PathBuf, malformed: u64, entries: u64, error: Option<Unusable> },
}

/// Why a manifest could not be used, or not to its end.
enum Unusable {
    Open(io::Error),
    Read(io::Error),
    Policy(PolicyError),
}

impl Job for Item {
    fn weight(&self) -> usize {
        match self {
            Self::Entry { path, .. } => path.as_os_str().len() + 512,
            Self::Malformed { manifest, .. } | Self::End { manifest, .. } => {
                manifest.as_os_str().len() + 512
            }
        }
    }

    fn input(&self) -> Input<'_> {
        match self {
            Self::Entry { path, .. } if path.as_os_str() == "-" => Input::StandardInput,
            Self::Entry { path, .. } => Input::File(path),
            _ => Input::Nothing,
        }
    }

    fn algorithms(&self) -> &[Algorithm] {
        match self {
            Self::Entry { algorithm, .. } => algorithm,
            _ => &[],
        }
    }
}

/// The lines of all manifests, read as they are needed.
struct Lines<'a> {
    manifests: vec::IntoIter<PathBuf>,
    current: Option<Manifest>,
    args: &'a Check,
    policy: &'a Policy,
    /// Bytes of the manifests read so far.
    read: &'a AtomicU64,
    line: Vec<u8>,
}

/// A manifest that is being read.
struct Manifest {
    path: PathBuf,
    input: BufReader<File>,
    reader: Reader,
    malformed: u64,
    entries: u64,
}

impl Manifest {
    fn end(self, error: Option<Unusable>) -> Item {
        let Self { path: manifest, malformed, entries, .. } = self;
        Item::End { manifest, malformed, entries, error }
    }
}

impl Lines<'_> {
    fn open(&self, path: PathBuf) -> Result<Manifest, Item> {
        let options = Options { algorithm: self.args.algorithm, terminator: self.terminator() };
        let input = if path.as_os_str() == "-" {
            io::stdin().as_fd().try_clone_to_owned().map(File::from)
        } else {
            File::open(&path)
        };
        match input {
            Ok(file) => Ok(Manifest {
                path,
                input: BufReader::with_capacity(64 << 10, file),
                reader: Reader::new(options),
                malformed: 0,
                entries: 0,
            }),
            Err(error) => Err(Item::End {
                manifest: path,
                malformed: 0,
                entries: 0,
                error: Some(Unusable::Open(error)),
            }),
        }
    }

    fn terminator(&self) -> Terminator {
        if self.args.zero { Terminator::Nul } else { Terminator::Newline }
    }

    /// The next thing to report of a manifest; its end, if there is nothing else.
    fn item(&mut self, mut manifest: Manifest) -> Item {
        loop {
            match read_line(&mut manifest.input, self.terminator().byte(), &mut self.line) {
                Err(error) => return manifest.end(Some(Unusable::Read(error))),
                Ok(false) => return manifest.end(None),
                Ok(true) => {}
            }
            self.read.fetch_add(self.line.len() as u64, Ordering::Relaxed);
            let item = match manifest.reader.line(&self.line) {
                Line::Skip => continue,
                Line::Malformed(why) => {
                    manifest.malformed += 1;
                    if !self.args.warn {
                        continue;
                    }
                    let line = manifest.reader.line_number();
                    Item::Malformed { manifest: manifest.path.clone(), line, why }
                }
                Line::Entry(entry) => {
                    let algorithm = entry.algorithm();
                    // Known to do for the one asked for; a line may say it is of any.
                    if let Err(error) = self.policy.check(algorithm) {
                        return manifest.end(Some(Unusable::Policy(error)));
                    }
                    manifest.entries += 1;
                    let mut digest = [0; 64];
                    digest[..algorithm.digest_len()].copy_from_slice(entry.digest());
                    let path = Path::new(OsStr::from_bytes(entry.name())).to_owned();
                    Item::Entry { path, algorithm: [algorithm], digest }
                }
            };
            self.current = Some(manifest);
            return item;
        }
    }
}

impl Iterator for Lines<'_> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        if let Some(manifest) = self.current.take() {
            return Some(self.item(manifest));
        }
        let path = self.manifests.next()?;
        Some(match self.open(path) {
            Ok(manifest) => self.item(manifest),
            Err(end) => end,
        })
    }
}

/// What came of the entries of one manifest.
#[derive(Default)]
struct Counts {
    matched: u64,
    mismatched: u64,
    unread: u64,
}

/// Prints what comes of each file, and of each manifest.
struct Report<'a> {
    args: &'a Check,
    output: Output,
    progress: &'a Progress,
    /// Of the manifest that is being reported.
    counts: Counts,
    failed: bool,
    stop: Option<Stop>,
}

impl Report<'_> {
    fn take(&mut self, item: Item, result: Result<Digests, Error>) -> ControlFlow<()> {
        match item {
            Item::Entry { path, digest, algorithm: [algorithm] } => {
                let expected = &digest[..algorithm.digest_len()];
                self.entry(&path, result.map(|digests| digests[0].as_bytes() == expected));
            }
            Item::Malformed { manifest, line, why } => {
                self.note(format_args!(
                    "{}: {line}: improperly formatted checksum line: {why}",
                    name(&manifest)
                ));
            }
            Item::End { manifest, malformed, entries, error } => {
                self.end(&manifest, malformed, entries, error);
            }
        }
        match self.output.advance(self.progress) {
            Ok(()) => ControlFlow::Continue(()),
            Err(stop) => {
                self.stop = Some(stop);
                ControlFlow::Break(())
            }
        }
    }

    fn entry(&mut self, path: &Path, result: Result<bool, Error>) {
        let word = match &result {
            Ok(true) => {
                self.counts.matched += 1;
                if self.args.quiet {
                    return;
                }
                "OK"
            }
            Ok(false) => {
                self.counts.mismatched += 1;
                "FAILED"
            }
            Err(error) if self.args.ignore_missing && error.kind() == ErrorKind::NotFound => return,
            Err(error) => {
                self.counts.unread += 1;
                self.note(failure(error, ""));
                "FAILED open or read"
            }
        };
        if !self.args.status {
            let out = self.output.buffer();
            out.extend_from_slice(&report_name(path.as_os_str().as_bytes()));
            out.extend_from_slice(b": ");
            out.extend_from_slice(word.as_bytes());
            out.push(b'\n');
        }
    }

    /// The end of a manifest: what GNU's tools say of it, by their rules.
    fn end(&mut self, manifest: &Path, malformed: u64, entries: u64, error: Option<Unusable>) {
        let counts = std::mem::take(&mut self.counts);
        let name = name(manifest);
        let unusable = error.is_some();
        match error {
            Some(Unusable::Open(error)) => {
                self.note(format_args!("cannot open {name}: {}", reason(&error)));
            }
            Some(Unusable::Read(error)) => {
                self.note(format_args!("cannot read {name}: {}", reason(&error)));
            }
            Some(Unusable::Policy(error)) => self.note(format_args!("{name}: {error}")),
            None if entries == 0 => {
                self.note(format_args!("{name}: no properly formatted checksum lines found"));
            }
            None => {}
        }
        let said = |count, one, many| if count == 1 { one } else { many };
        if !self.args.status && entries > 0 {
            let warnings = [
                (malformed, "line is improperly formatted", "lines are improperly formatted"),
                (counts.unread, "listed file could not be read", "listed files could not be read"),
                (
                    counts.mismatched,
                    "computed checksum did NOT match",
                    "computed checksums did NOT match",
                ),
            ];
            for (count, one, many) in warnings.into_iter().filter(|(count, ..)| *count > 0) {
                self.note(format_args!("WARNING: {count} {}", said(count, one, many)));
            }
            if self.args.ignore_missing && counts.matched == 0 {
                self.note(format_args!("{name}: no file was verified"));
            }
        }
        self.failed |= unusable
            || counts.matched == 0
            || counts.mismatched > 0
            || counts.unread > 0
            || (self.args.strict && malformed > 0);
    }

    fn note(&self, message: impl fmt::Display) {
        self.progress.aside(|| say(message));
    }

    fn finish(self) -> Verdict {
        if let Some(stop) = self.stop {
            return stop.say();
        }
        if let Err(stop) = self.output.finish() {
            return stop.say();
        }
        if self.failed { Verdict::Failed } else { Verdict::Well }
    }
}

/// A manifest's name in messages.
fn name(path: &Path) -> String {
    match path.to_str() {
        Some("-") => "standard input".to_owned(),
        _ => Shown(path.as_os_str()).to_string(),
    }
}
