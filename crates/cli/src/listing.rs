//! Hashes files and writes a manifest line for each: the common part of `sum` and `mac`.

use std::ffi::OsStr;
use std::fs::File;
use std::io::BufReader;
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;
use std::vec;

use lanesum::{Digest, HmacKey};
use lanesum_files::{
    Checkpoints, Digests, Error, Found, Input, Job, Kinds, Options, Settings, Stamp, Walk, hash,
};
use lanesum_keep::{Row, SharedCache};
use lanesum_manifest::{Checksum, Entry, Format, MAX_LINE, Terminator, Time, read_line};

use crate::message::{Shown, failure, print_message, reason};
use crate::output::{Output, Stop};
use crate::progress::{Progress, share};
use crate::{CommandResult, Reported, Verdict, cache, standard};

/// A run of `sum` or `mac`, with its options.
pub(crate) struct Listing<'a> {
    /// Files to hash, and directories if `recursive`. Default: standard input, or the working
    /// directory if `recursive`.
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) recursive: bool,
    /// Options of the walk. The output is added to the excluded files.
    pub(crate) walk: Options,
    pub(crate) hashing: Hashing<'a>,
    pub(crate) format: Format,
    /// Whether lines end with NUL.
    pub(crate) zero: bool,
    /// A file that lists the names of files, in place of `paths`.
    pub(crate) files0_from: Option<PathBuf>,
    /// Whether to report the kernels and where the time went.
    pub(crate) explain: bool,
    /// Output file; `None` for standard output.
    pub(crate) output: Option<&'a Path>,
    /// Whether the output file is written even if lines are missing.
    pub(crate) partial: bool,
}

/// How each file is hashed.
#[derive(Clone, Copy)]
pub(crate) struct Hashing<'a> {
    pub(crate) algorithms: &'a [Checksum],
    /// Whether SHA-1 detects collision attacks.
    pub(crate) detects_collisions: bool,
    /// The HMAC key; `None` for plain digests. Requires a single algorithm.
    pub(crate) key: Option<&'a HmacKey>,
    /// Whether lines include size and modification time. Requires a format that records them.
    pub(crate) stat: bool,
    /// The digest cache.
    pub(crate) cache: Option<&'a SharedCache>,
    /// Whether unchanged files (same size and times) are skipped if the cache has their digests.
    pub(crate) skips_unchanged: bool,
}

impl Listing<'_> {
    pub(crate) fn run(mut self, settings: &Settings) -> CommandResult {
        let output = self.output.map_or_else(Output::standard, Output::file);
        let output = output.map_err(|stop| stop.print_message())?;
        let mut inputs = self.paths.iter().filter(|path| path.as_os_str() != "-");
        inputs.try_for_each(|path| output.check_input(path)).map_err(|stop| {
            stop.print_message();
            Reported::Usage
        })?;
        self.walk.outputs = output.identities();
        self.walk.outputs.extend(cache::identity(self.hashing.cache));
        if self.paths.is_empty() && self.files0_from.is_none() {
            self.paths.push(if self.recursive { "." } else { "-" }.into());
        }
        let jobs = Jobs::new(&self)?;

        let progress = Progress::new(self.explain).counting_total();
        let mut writer = Writer {
            output,
            format: self.format,
            terminator: if self.zero { Terminator::Nul } else { Terminator::Newline },
            stat: self.hashing.stat,
            has_output_name: self.output.is_some(),
            progress: &progress,
            partial: self.partial,
            is_filtered: !self.walk.globs.is_empty(),
            files: 0,
            failures: 0,
            links: 0,
            stop: None,
        };
        writer.output.end_lines_with(writer.terminator);
        self.format.head(self.hashing.algorithms, writer.terminator, writer.output.buffer());
        progress.watch(
            |counters| share(counters, counters.total()?),
            || {
                hash(jobs, settings, &progress.counters, |item, result| writer.take(item, result));
            },
        );
        let result = writer.finish();
        progress.explain(&settings.policy, self.hashing.algorithms);
        result
    }
}

/// An item in output order.
struct Item<'a> {
    subject: Subject,
    hashing: Hashing<'a>,
    /// The cached digests of its directory.
    row: Option<Arc<Row>>,
    /// Whether the user named the file, as opposed to files found in a directory.
    is_argument: bool,
    /// Whether reading the file was skipped because its digests are cached.
    is_known: bool,
    /// Time at which the file was found, if its times are recorded.
    began: Option<SystemTime>,
}

enum Subject {
    StandardInput,
    File(PathBuf),
    Link,
    Special(PathBuf),
    Output(PathBuf),
    Temporary(PathBuf),
    Unreadable(Error),
    /// An error in the `--files0-from` file.
    Wrong(String),
}

impl Job for Item<'_> {
    fn input(&self) -> Input<'_> {
        match &self.subject {
            Subject::StandardInput => Input::StandardInput,
            Subject::File(path) if !self.is_known => Input::File(path),
            _ => Input::Nothing,
        }
    }

    fn algorithms(&self) -> &[Checksum] {
        self.hashing.algorithms
    }

    fn detects_collisions(&self) -> bool {
        self.hashing.detects_collisions
    }

    fn key(&self) -> Option<&HmacKey> {
        self.hashing.key
    }

    fn kinds(&self) -> Kinds {
        if self.is_argument { Kinds::Any } else { Kinds::Storage }
    }

    fn recall(&mut self) -> Option<Digests> {
        let (Subject::File(path), Some(row), true) =
            (&self.subject, &self.row, self.hashing.skips_unchanged)
        else {
            return None;
        };
        let known = row.get_unchanged(path, self.hashing.algorithms);
        self.is_known = known.is_some();
        known
    }

    fn checkpoints(&self) -> Option<&dyn Checkpoints> {
        self.hashing.cache.map(|cache| cache as _)
    }
}

/// The files to hash, in order.
struct Jobs<'a> {
    paths: Paths,
    /// The walk of the directories in `paths`, with `--recursive`.
    walk: Option<Walk>,
    /// The path that is being walked, with `--recursive`.
    root: PathBuf,
    hashing: Hashing<'a>,
}

/// Paths from arguments or from a file.
enum Paths {
    Given(vec::IntoIter<PathBuf>),
    Listed { input: BufReader<File>, path: Vec<u8>, name: PathBuf },
}

impl Paths {
    fn next(&mut self) -> Option<Result<PathBuf, Subject>> {
        match self {
            Self::Given(paths) => paths.next().map(Ok),
            Self::Listed { input, path, name } => loop {
                match read_line(input, 0, path) {
                    Ok(false) => return None,
                    Ok(true) if path.len() > MAX_LINE => {
                        return Some(Err(Subject::Wrong(format!(
                            "{}: a name is longer than {MAX_LINE} bytes",
                            Shown(name.as_os_str())
                        ))));
                    }
                    Ok(true) => {
                        let path = path.strip_suffix(b"\0").unwrap_or(path);
                        if !path.is_empty() {
                            return Some(Ok(OsStr::from_bytes(path).into()));
                        }
                    }
                    Err(error) => {
                        let wrong =
                            format!("cannot read {}: {}", Shown(name.as_os_str()), reason(&error));
                        *self = Self::Given(Vec::new().into_iter());
                        return Some(Err(Subject::Wrong(wrong)));
                    }
                }
            },
        }
    }
}

impl<'a> Jobs<'a> {
    fn new(listing: &Listing<'a>) -> Result<Self, Reported> {
        let walk = listing.recursive.then(|| Walk::new([], &listing.walk)).transpose();
        let walk = walk.map_err(|error| {
            print_message(error);
            Reported::Usage
        })?;
        let paths = match &listing.files0_from {
            None => Paths::Given(listing.paths.clone().into_iter()),
            Some(name) => {
                let stdin = name.as_os_str() == "-";
                let file = if stdin { standard::input() } else { File::open(name) };
                let file = file.map_err(|error| {
                    let name = Shown(name.as_os_str());
                    print_message(format_args!("cannot open {name}: {}", reason(&error)));
                    Reported::Failed
                })?;
                Paths::Listed { input: BufReader::new(file), path: Vec::new(), name: name.clone() }
            }
        };
        Ok(Self { paths, walk, root: PathBuf::new(), hashing: listing.hashing })
    }

    fn item(&self, subject: Subject) -> Item<'a> {
        let hashing @ Hashing { stat, cache, .. } = self.hashing;
        let is_argument = match &subject {
            Subject::File(path) => self.walk.is_none() || *path == self.root,
            _ => true,
        };
        let began = (stat || cache.is_some()).then(SystemTime::now);
        let row = match (&subject, cache) {
            (Subject::File(path), Some(cache)) => {
                path.parent().map(|folder| cache.lock().row(folder))
            }
            _ => None,
        };
        Item { subject, hashing, row, is_argument, is_known: false, began }
    }
}

impl<'a> Iterator for Jobs<'a> {
    type Item = Item<'a>;

    fn next(&mut self) -> Option<Item<'a>> {
        let subject = loop {
            if let Some(found) = self.walk.as_mut().and_then(Walk::next) {
                break match found {
                    Found::File(path) => Subject::File(path),
                    Found::Link(_) => Subject::Link,
                    Found::Special(path) => Subject::Special(path),
                    Found::Output(path) => Subject::Output(path),
                    Found::Temporary(path) => Subject::Temporary(path),
                    Found::Unreadable(error) => Subject::Unreadable(error),
                };
            }
            let path = match self.paths.next()? {
                Ok(path) => path,
                Err(subject) => break subject,
            };
            match (&mut self.walk, &self.paths) {
                // In a file of names, `-` is an ordinary name.
                (_, Paths::Given(_)) if path.as_os_str() == "-" => break Subject::StandardInput,
                (Some(walk), _) => {
                    self.root.clone_from(&path);
                    walk.add(path);
                }
                (None, _) => break Subject::File(path),
            }
        };
        Some(self.item(subject))
    }
}

/// Writes result lines.
struct Writer<'a> {
    output: Output,
    format: Format,
    terminator: Terminator,
    stat: bool,
    /// Whether the output is a named file; readers may derive its format from the name.
    has_output_name: bool,
    progress: &'a Progress,
    partial: bool,
    /// Whether globs select files.
    is_filtered: bool,
    /// Number of files with a line.
    files: u64,
    /// Number of files without a line because of an error.
    failures: u64,
    /// Number of symlinks that were not followed.
    links: u64,
    stop: Option<Stop>,
}

impl Writer<'_> {
    fn take(&mut self, item: Item<'_>, result: Result<Digests, Error>) -> ControlFlow<()> {
        if !item.is_known {
            self.cache_digests(&item, &result);
        }
        match (item.subject, result) {
            (_, Err(error)) | (Subject::Unreadable(error), _) => self.fail(&error),
            (Subject::File(path), Ok(digests)) => {
                // An unprefixed `-` would be standard input.
                let name =
                    if path.as_os_str() == "-" { b"./-" } else { path.as_os_str().as_bytes() };
                self.write(name, item.hashing.algorithms, &digests, item.began);
            }
            (Subject::StandardInput, Ok(digests)) => {
                self.write(b"-", item.hashing.algorithms, &digests, item.began);
            }
            (Subject::Wrong(message), Ok(_)) => {
                self.failures += 1;
                self.progress.fault(message);
            }
            (Subject::Link, Ok(_)) => self.links += 1,
            (Subject::Special(path), Ok(_)) => {
                let path = Shown(path.as_os_str());
                self.note(format_args!("skipping {path}: not a regular file"));
            }
            (Subject::Temporary(path), Ok(_)) => {
                let is_ours = self.output.is_temporary(&path);
                let path = Shown(path.as_os_str());
                if !is_ours {
                    self.note(format_args!("skipping {path}: temporary file of another run"));
                }
            }
            (Subject::Output(path), Ok(_)) => {
                let path = Shown(path.as_os_str());
                self.note(format_args!("skipping {path}: it is the output file"));
            }
        }
        match self.output.write_if_due(self.progress) {
            Ok(()) => ControlFlow::Continue(()),
            Err(stop) => {
                self.stop = Some(stop);
                ControlFlow::Break(())
            }
        }
    }

    /// Adds the digests of a file to the cache. If they contradict the cached ones of an apparently
    /// unchanged file, reports that the file has rotted instead.
    fn cache_digests(&mut self, item: &Item<'_>, result: &Result<Digests, Error>) {
        let (Some(cache), Some(began), Subject::File(path), Ok(digests)) =
            (item.hashing.cache, item.began, &item.subject, result)
        else {
            return;
        };
        let Some(stamp) = digests.stamp() else { return };
        let known = item.row.as_ref().zip(path.file_name());
        let known = known.and_then(|(row, name)| row.get(name, &stamp, item.hashing.algorithms));
        if known.is_some_and(|known| known[..] != digests[..]) {
            self.failures += 1;
            self.progress.fault(format_args!(
                "{} has rotted: its contents changed, but not its size and times",
                Shown(path.as_os_str())
            ));
            return;
        }
        let known = item.hashing.algorithms.iter().copied().zip(digests.iter().copied());
        cache.lock().insert(path, &stamp, known, began);
    }

    fn write(
        &mut self,
        name: &[u8],
        algorithms: &[Checksum],
        digests: &Digests,
        began: Option<SystemTime>,
    ) {
        if !self.has_output_name && self.format.changes_name(name) {
            self.failures += 1;
            let (name, format) = (Shown(OsStr::from_bytes(name)), self.format.name());
            return self.progress.fault(format_args!(
                "cannot write {name} to standard output in format {format}, which changes it: \
                 use -o manifest-{}.txt",
                algorithms[0].name().replace('/', "-")
            ));
        }
        self.files += 1;
        let stamp = digests.stamp();
        let len = stamp.map(|stamp| stamp.len).filter(|_| self.stat || self.format.needs_len());
        let is_settled = |stamp: &Stamp| began.is_some_and(|at| stamp.has_settled_contents(at));
        let settled = stamp.filter(|stamp| self.stat && is_settled(stamp));
        let modified = settled.map(|stamp| Time::new(stamp.modified.0, stamp.modified.1));
        let entry = |(&algorithm, digest): (&Checksum, &Digest)| {
            Entry::new(algorithm, digest.as_bytes(), name)
                .expect("a file's name is not empty and holds no NUL")
                .with_stat(len, modified)
        };
        match (algorithms, &digests[..]) {
            // The usual case does not allocate.
            ([algorithm], [digest]) => {
                self.format.write(
                    &entry((algorithm, digest)),
                    self.terminator,
                    self.output.buffer(),
                );
            }
            _ => {
                let entries: Vec<_> = algorithms.iter().zip(digests.iter()).map(entry).collect();
                self.format.write_file(&entries, self.terminator, self.output.buffer());
            }
        }
    }

    fn fail(&mut self, error: &Error) {
        let is_folder = error.kind() == std::io::ErrorKind::IsADirectory;
        let hint = if is_folder { "; use -r to hash the files below it" } else { "" };
        self.failures += 1;
        self.progress.fault(failure(error, hint));
    }

    fn note(&self, message: impl std::fmt::Display) {
        self.progress.suspend(|| print_message(message));
    }

    fn finish(self) -> CommandResult {
        if let Some(stop) = self.stop {
            return Err(stop.print_message());
        }
        if self.links > 0 {
            let were = match self.links {
                1 => "symlink was not followed",
                _ => "symlinks were not followed",
            };
            print_message(format_args!("{} {were}; use -L to follow symlinks", self.links));
        }
        let (is_file, is_empty) = (self.output.is_file(), self.files + self.failures == 0);
        let problem = match self.failures {
            0 if is_empty && self.is_filtered => Some("no file matches the globs".to_owned()),
            0 if is_empty && is_file => Some("no files found".to_owned()),
            0 => None,
            1 => Some("1 file could not be hashed".to_owned()),
            count => Some(format!("{count} files could not be hashed")),
        };
        match &problem {
            Some(problem) if is_file && !self.partial => {
                let name = self.output.name();
                print_message(format_args!(
                    "{name} is not written: {problem}; --partial writes it anyway"
                ));
                return Ok(Verdict::Failed);
            }
            Some(problem) if is_empty => print_message(problem),
            _ => {}
        }
        self.output.finish().map_err(|stop| stop.print_message())?;
        Ok(Verdict::of(problem.is_none()))
    }
}
