//! `lanesum sum --update`: updates a manifest. Only files that look changed are read.
//!
//! A line is removed or changed only if its file is known to be missing or changed. If many files,
//! or all files of a tree, are missing, the tree may not be mounted: `--allow missing` permits the
//! removal.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind::{NotADirectory, NotFound};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use lanesum_files::{Identity, Stamp};
use lanesum_keep::{Audit, Manifest, Outcome, SharedCache, Sink, Survey, Trees, Trust};
use lanesum_manifest::{Checksum, Class, Entry, Format, Named, Options, Record, Terminator};
use rustix::fs::statvfs;

use super::check::{cannot_read, implied_scope, report_malformed, sorted_trees};
use super::report::{Report, shown};
use crate::args::{CacheArgs, Findings, Sum};
use crate::message::print_message;
use crate::output::{Output, Stop};
use crate::progress::Progress;
use crate::{CommandResult, Reported, names, settings};

pub(crate) fn run(args: &Sum, path: &Path) -> CommandResult {
    if path.as_os_str() == "-" {
        print_message("cannot update standard input: name a file");
        return Err(Reported::Usage);
    }
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        print_message(format_args!("{} is not a regular file", shown(path)));
        return Err(Reported::Usage);
    }
    // The output holds a lock, so no other run can update the manifest.
    let output = if args.dry_run { None } else { Some(Output::file(path)) };
    let output = output.transpose().map_err(|stop| stop.print_message())?;
    if output.as_ref().is_some_and(|output| !output.is_file()) {
        print_message(format_args!(
            "{} is a file descriptor; name the manifest by its path",
            shown(path)
        ));
        return Err(Reported::Usage);
    }
    let terminator = if args.zero { Terminator::Nul } else { Terminator::Newline };
    let options = Options { algorithm: None, terminator };
    let stamp = stamp(path);
    let manifest = match Manifest::open(path, options) {
        Ok(manifest) => reread_untagged(manifest, args, path, options)?,
        Err(error) if error.kind() == NotFound && args.paths.is_empty() => {
            let path = shown(path);
            print_message(format_args!(
                "{path} does not exist; to create it, name the files or directories to hash"
            ));
            return Err(Reported::Usage);
        }
        Err(error) if error.kind() == NotFound => {
            let empty = tempfile::tempfile().and_then(|file| Manifest::read(file, path, options));
            empty.map_err(|error| cannot_read(path, &error))?
        }
        Err(error) => return Err(cannot_read(path, &error)),
    };
    let survey = manifest.survey().clone();
    if !report_malformed(path, &survey, false) {
        print_message(format_args!(
            "{} is not updated: fix or remove the malformed lines",
            shown(path)
        ));
        return Err(Reported::Failed);
    }
    if survey.has_stdin {
        print_message(format_args!(
            "{} is not updated: remove the line for standard input (-)",
            shown(path)
        ));
        return Err(Reported::Failed);
    }
    let listed = survey.algorithms();
    let requested = args.algorithms();
    let algorithms = match (&listed[..], args.algorithms.is_empty()) {
        ([], _) => requested,
        (_, true) => listed,
        _ if listed == requested => requested,
        _ => {
            print_message(format_args!("{}: its lines use other algorithms; omit -a", shown(path)));
            return Err(Reported::Usage);
        }
    };
    let format = format(args, &survey, &algorithms, path)?;
    crate::format::check_stat(args.stat, format)?;
    let settings = settings(&args.jobs, &algorithms)?.at(args.pace.max_rate);
    let cache = match &args.cache.cache {
        Some(_) => crate::cache::open(&args.cache),
        // Without a cache more files are read, which is not an error. A dry run does not create
        // one.
        None if args.dry_run
            && !crate::cache::default_path().is_some_and(|cache| cache.exists()) =>
        {
            None
        }
        None => {
            let usual = CacheArgs { cache: Some(OsString::new()), ..args.cache.clone() };
            crate::cache::open(&usual)
        }
    };
    let scope = match &args.paths[..] {
        [] => implied_scope(path, &survey, "")?,
        paths => sorted_trees(paths)?,
    };
    let base = args.names.base(path);
    let trees: Vec<_> =
        scope.iter().map(|name| Tree::new(names::path(base.as_deref(), name))).collect();
    // Records of a missing tree are not compared.
    let present = trees.iter().filter(|tree| tree.exists).map(|tree| tree.path.clone()).collect();
    let outputs = match &output {
        Some(output) => output.identities(),
        None => fs::metadata(path).iter().map(Identity::of).collect(),
    };
    let (walk, _) = super::walk(&args.walk, present, outputs, cache.as_ref())?;
    let progress = Progress::new(args.pace.explain);
    let findings = Findings::from(&args.findings);
    let mut update = Update {
        path,
        stamp,
        output,
        format,
        terminator,
        prefix: if survey.is_dotted { b"./" } else { b"" },
        report: Report::new(&findings, &progress)?,
        names: Trees::new(&scope),
        trees,
        has_faults: false,
        progress: &progress,
        stop: None,
        stat: args.stat || survey.has_stat,
    };
    if let Some(output) = &mut update.output {
        // hashdeep recognizes its files by their first line, so other comments follow it.
        let (comments_last, comments) = (format.needs_len(), &survey.head);
        output.buffer().extend(comments.iter().filter(|_| !comments_last));
        format.head(&algorithms, terminator, output.buffer());
        output.buffer().extend(comments.iter().filter(|_| comments_last));
    }
    let moves = survey.algorithm_of_moves().or(algorithms.first().copied());
    let how = Audit {
        root: base.as_deref(),
        scope: &scope,
        cache: cache.as_ref(),
        trust: if args.cache.paranoid { Trust::Nothing } else { Trust::Records },
        ..Audit::new(&settings, &algorithms, moves)
    };
    super::audit_manifest(path, manifest, walk, &how, &progress, &mut update)?;
    update.finish(args, cache.as_ref())
}

fn stamp(path: &Path) -> Option<Stamp> {
    fs::metadata(path).ok().as_ref().map(Stamp::of)
}

/// Reads untagged lines as the algorithm of `--algorithm`, unless a line contradicts it.
fn reread_untagged(
    manifest: Manifest,
    args: &Sum,
    path: &Path,
    options: Options,
) -> Result<Manifest, Reported> {
    let [requested] = args.algorithms[..] else { return Ok(manifest) };
    if manifest.survey().assumed.is_empty() {
        return Ok(manifest);
    }
    let options = Options { algorithm: Some(requested.algorithm), ..options };
    let again = Manifest::open(path, options).map_err(|error| cannot_read(path, &error))?;
    Ok(if again.survey().malformed == 0 { again } else { manifest })
}

/// Returns the format of the written lines.
fn format(
    args: &Sum,
    survey: &Survey,
    algorithms: &[Checksum],
    path: &Path,
) -> Result<Format, Reported> {
    if survey.has_more && args.format.is_none() {
        print_message(format_args!(
            "{}: only one of several digests on a line would be kept; select a format with --format",
            shown(path)
        ));
        return Err(Reported::Usage);
    }
    let formats: Vec<_> = survey.kinds.iter().map(|kind| kind.format()).collect();
    match (&formats[..], args.format) {
        (_, Some(_)) | ([], None) => {
            crate::format::of(args.format, args.tag, algorithms, Some(path))
        }
        ([Some(format), more @ ..], None) if more.iter().all(|more| *more == Some(*format)) => {
            crate::format::checked(*format, algorithms, Some(path))
        }
        _ => {
            let path = shown(path);
            let kinds: Vec<_> = survey.kinds.iter().map(ToString::to_string).collect();
            let kinds = kinds.join(" and ");
            print_message(format_args!(
                "{path}: cannot write {kinds}; select another format with --format"
            ));
            Err(Reported::Usage)
        }
    }
}

/// Maximum number of lines removed without `--allow missing`, unless they are a small share of the
/// covered lines: see `MAX_REMOVED_SHARE`.
const MAX_REMOVED: u64 = 10;

/// Reciprocal of the share of covered lines that may be removed without `--allow missing`: 10
/// means a tenth.
const MAX_REMOVED_SHARE: u64 = 10;

/// A tree that is updated.
struct Tree {
    path: PathBuf,
    exists: bool,
    is_file: bool,
    /// Number of lines for files in the tree, of lines to be removed, and of removed lines whose
    /// files have moved within the tree.
    lines: u64,
    removed: u64,
    moved: u64,
    /// Number of files now in the tree.
    files: u64,
}

impl Tree {
    fn new(path: PathBuf) -> Self {
        // Inaccessible files are reported by the walk.
        let exists = fs::metadata(&path)
            .map_or_else(|error| !matches!(error.kind(), NotFound | NotADirectory), |_| true);
        let is_file = path.is_file();
        Self { path, exists, is_file, lines: 0, removed: 0, moved: 0, files: 0 }
    }

    fn has_entries(&self) -> bool {
        fs::read_dir(&self.path).is_ok_and(|mut entries| entries.next().is_some())
    }

    /// Returns the id of the tree's file system.
    fn filesystem(&self) -> Option<u64> {
        // Some file systems have no id.
        statvfs(&self.path).ok().map(|found| found.f_fsid).filter(|&id| id != 0)
    }
}

/// Writes the new manifest, and reports the differences.
struct Update<'a> {
    path: &'a Path,
    /// The manifest's metadata before it was read; `None` if it did not exist.
    stamp: Option<Stamp>,
    /// `None` in a dry run.
    output: Option<Output>,
    format: Format,
    terminator: Terminator,
    /// The prefix of every name.
    prefix: &'static [u8],
    report: Report<'a>,
    progress: &'a Progress,
    names: Trees,
    trees: Vec<Tree>,
    /// Whether a line was left unchanged although its file differs.
    has_faults: bool,
    stop: Option<Stop>,
    stat: bool,
}

impl Sink for Update<'_> {
    fn entry(&mut self, before: Option<&Record>, now: Option<&Record>) {
        if let Some(tree) = self.tree(before.or(now)) {
            tree.lines += u64::from(before.is_some());
            tree.removed += u64::from(before.is_some() && now.is_none());
            tree.files += u64::from(now.is_some());
        }
        if let Some(now) = now {
            self.write(now);
        }
    }

    fn out_of_scope(&mut self, record: &Record) {
        self.write(record);
    }

    fn finding(&mut self, outcome: Outcome) -> ControlFlow<()> {
        match outcome.finding.class {
            Class::Rotted | Class::Unreadable => self.has_faults = true,
            Class::Moved => {
                let place = |name| self.names.find(name);
                let to = place(outcome.finding.name());
                if let Some(index) =
                    to.filter(|_| outcome.finding.moved_from().and_then(place) == to)
                    && let Some(tree) = self.trees.get_mut(index)
                {
                    tree.moved += 1;
                }
            }
            _ => {}
        }
        if self.stop.is_some() { ControlFlow::Break(()) } else { self.report.finding(outcome) }
    }
}

impl Update<'_> {
    fn tree(&mut self, record: Option<&Record>) -> Option<&mut Tree> {
        let index = self.names.find(record?.name())?;
        self.trees.get_mut(index)
    }

    fn write(&mut self, record: &Record) {
        let Some(output) = &mut self.output else { return };
        let name = match self.prefix {
            // An unprefixed `-` would be standard input.
            b"" if record.name() == b"-" => Cow::Borrowed(&b"./-"[..]),
            b"" => Cow::Borrowed(record.name()),
            prefix => Cow::Owned([prefix, record.name()].concat()),
        };
        let len = record.len_of_file().filter(|_| self.stat || self.format.needs_len());
        let modified = record.modified().filter(|_| self.stat);
        let mut entries = record.digests().map(|(algorithm, digest)| {
            let entry = Entry::new(algorithm, digest, &*name);
            entry.expect("a file's name, and its digest").with_stat(len, modified)
        });
        match (entries.len(), entries.next()) {
            // The usual case does not allocate.
            (1, Some(only)) => self.format.write(&only, self.terminator, output.buffer()),
            (_, first) => {
                let entries: Vec<_> = first.into_iter().chain(entries).collect();
                self.format.write_file(&entries, self.terminator, output.buffer());
            }
        }
        if let Err(stop) = output.write_if_due(self.progress) {
            self.stop.get_or_insert(stop);
        }
    }

    /// Describes why lines must not be removed without `--allow missing`.
    fn removal_blockers(&self, is_filtered: bool, cache: Option<&SharedCache>) -> Vec<String> {
        // Files that the walk excludes may still exist.
        let lacks_files = |tree: &Tree| {
            tree.removed - tree.moved == tree.lines && !(is_filtered && tree.has_entries())
        };
        let known = |tree: &Tree| cache?.lock().filesystem(self.path, &tree.path);
        let mut blockers: Vec<_> = self
            .trees
            .iter()
            .filter(|tree| tree.removed > 0)
            .filter_map(|tree| {
                let path = shown(&tree.path);
                if !tree.exists {
                    Some(format!("{path} does not exist"))
                } else if tree.is_file {
                    Some(format!("{path} is no longer a directory"))
                } else if lacks_files(tree) {
                    Some(match tree.files {
                        0 => format!("{path} has become empty"),
                        _ => format!("{path} no longer has any of the listed files"),
                    })
                } else if known(tree).is_some_and(|known| tree.filesystem() != Some(known)) {
                    Some(format!("{path} is on another file system than at the last update"))
                } else {
                    None
                }
            })
            .collect();
        let lines: u64 = self.trees.iter().map(|tree| tree.lines).sum();
        let missing = self.report.count(Class::Missing);
        if blockers.is_empty() && missing > MAX_REMOVED && missing > lines / MAX_REMOVED_SHARE {
            blockers.push(format!("{missing} of {lines} files are missing"));
        }
        blockers
    }

    fn finish(mut self, args: &Sum, cache: Option<&SharedCache>) -> CommandResult {
        if let Some(stop) = self.stop.take() {
            return Err(stop.print_message());
        }
        // If the report fails, the manifest is not changed.
        if !self.report.summarize() {
            return self.report.finish(false);
        }
        let path = shown(self.path);
        let mut is_refused = false;
        for tree in self.trees.iter().filter(|tree| !tree.exists && tree.lines == 0) {
            print_message(format_args!(
                "{path} is not updated: {} does not exist",
                shown(&tree.path)
            ));
            is_refused = true;
        }
        let removed: u64 = self.trees.iter().map(|tree| tree.removed).sum();
        if !args.findings.allow.contains(&Class::Missing) {
            for blocker in self.removal_blockers(args.walk.given().is_some(), cache) {
                let s = if removed == 1 { "line" } else { "lines" };
                print_message(format_args!(
                    "{path} is not updated: {blocker}; --allow missing removes {removed} {s}"
                ));
                is_refused = true;
            }
        }
        // The lock excludes other updates, but not editors or other tools.
        if stamp(self.path) != self.stamp {
            print_message(format_args!(
                "{path} is not updated: another program has changed it; run again"
            ));
            is_refused = true;
        }
        if is_refused {
            return self.report.finish(false);
        }
        if let Some(output) = self.output {
            output.publish(args.backup).map_err(|stop| stop.print_message())?;
            for tree in self.trees.iter().filter(|tree| tree.exists) {
                if let Some((cache, id)) = cache.zip(tree.filesystem()) {
                    cache.lock().insert_filesystem(self.path, &tree.path, id);
                }
            }
        }
        let report = self.report.accept_differences();
        report.finish(!self.has_faults)
    }
}
