//! `lanesum check`: verifies the files that manifests list.

use std::ffi::OsStr;
use std::io::{BufReader, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::{fmt, fs::Metadata, io, iter, ops::ControlFlow};

use lanesum::{Algorithm, Policy};
use lanesum_files::{Digests, Error, Input, Job, Kinds, Settings, hash, metadata, open};
use lanesum_manifest::{
    Checksum, Line as ManifestLine, Malformed, Options, Reader, Terminator, read_line, report_name,
    sfv_line,
};
use serde_json::Map;

use crate::args::{Check, Findings, Names};
use crate::checker::{
    CheckOptions, End, Item, Line, LineParser, ManifestError, Manifests, Reporter, Tally,
};
use crate::identify::identify;
use crate::json::{named, push};
use crate::message::{Shown, failure, print_message, reason};
use crate::output::{Output, Stop};
use crate::progress::{Progress, share_of};
use crate::{CommandResult, Reported, Verdict, audit, crc32, git, names, settings};

pub(crate) fn run(mut args: Check) -> CommandResult {
    // With --expect, the argument is the file to verify, not a manifest.
    let manifests = args.manifests.iter_mut().filter(|_| args.expect.is_none());
    let manifests = manifests.map(PathBuf::as_mut_os_string);
    let entered = args.names.enter(manifests.chain(&mut args.cache.cache));
    entered?;
    check(&args)
}

fn check(args: &Check) -> CommandResult {
    if let Some(repository) = &args.git {
        return git::run(repository, args);
    }
    if args.audit {
        return audit::check::run(args);
    }
    let findings = Findings { json: false, ..args.findings.clone() };
    let given = args.walk.given().or(findings.given()).or(args.cache.given());
    if let Some(flag) = given {
        print_message(format_args!("{flag} requires --audit"));
        return Err(Reported::Usage);
    }
    let single = args.expect.as_deref().map(|digest| expected(digest, args)).transpose()?;
    let algorithms: Vec<_> = match &single {
        Some(Entry { expected: Expected::Digest(algorithm, _), .. }) => algorithm.to_vec(),
        _ => args.algorithm.into_iter().collect(),
    };
    let settings = settings(&args.jobs, &algorithms)?.at(args.pace.max_rate);
    let output = match args.status || args.quiet {
        true => Output::standard_if_used(),
        false => Output::standard().map_err(|stop| stop.print_message())?,
    };
    let progress = Progress::new(args.pace.explain);
    let terminator = if args.zero { Terminator::Nul } else { Terminator::Newline };
    let options = Options { algorithm: args.algorithm, terminator };
    let json = args.findings.json.then(Objects::default);
    let check_options = CheckOptions {
        quiet: args.quiet,
        // JSON replaces the textual report.
        status: args.status || json.is_some(),
        strict: args.strict,
        warn: args.warn || json.is_some(),
        ignore_missing: args.ignore_missing,
    };
    let names = args.manifests.iter().map(|path| path.as_os_str().to_owned()).collect();
    let lines = ManifestParser {
        options,
        reader: Reader::new(options),
        policy: &settings.policy,
        names: &args.names,
        base: None,
    };
    let mut report = Report {
        output,
        settings: &settings,
        progress: &progress,
        tally: Tally::new(check_options),
        check_options,
        json,
        unidentified: 0,
        stop: None,
    };
    let is_single = single.is_some();
    let share = share_of(|| {
        // With --expect, the path is the file to verify.
        let with_base = |path: &PathBuf| (path.clone(), args.names.base(path));
        let manifests = args.manifests.iter().filter(|_| !is_single).map(with_base).collect();
        move || total_bytes(manifests, options)
    });
    progress.watch(share, || {
        let sink = |item, result| report.take(item, result);
        match single {
            Some(entry) => {
                hash(iter::once(Item::Entry(entry)), &settings, &progress.counters, sink);
                report.tally.update_status();
            }
            None => {
                let manifests = Manifests::new(names, lines, check_options);
                hash(manifests, &settings, &progress.counters, sink);
            }
        }
    });
    let result = report.finish();
    // With lines of any algorithm, `--explain` reports SHA-256.
    let shown = if algorithms.is_empty() { vec![Algorithm::SHA256.into()] } else { algorithms };
    progress.explain(&settings.policy, &shown);
    result
}

/// Adds up the lengths of all listed files, unless a manifest cannot be read twice.
fn total_bytes(manifests: Vec<(PathBuf, Option<PathBuf>)>, options: Options) -> Option<u64> {
    let bytes = manifests.iter().map(|(path, base)| listed_bytes(path, base.as_deref(), options));
    bytes.sum::<io::Result<u64>>().ok()
}

/// Adds up the lengths of all files that a manifest lists with a digest.
fn listed_bytes(manifest: &Path, base: Option<&Path>, options: Options) -> io::Result<u64> {
    let file = open(manifest, Kinds::Storage)?;
    let mut reader = Reader::new(options).of_file(manifest.as_os_str().as_bytes());
    let (mut input, mut line) = (BufReader::with_capacity(64 << 10, file), Vec::new());
    let mut bytes = 0;
    while read_line(&mut input, options.terminator.byte(), &mut line)? {
        if let ManifestLine::Entry(entry) = reader.line(&line) {
            let found = metadata(&names::path(base, Path::new(OsStr::from_bytes(entry.name()))));
            bytes += found.ok().filter(Metadata::is_file).map_or(0, |found| found.len());
        }
    }
    Ok(bytes)
}

/// Returns the file to verify against the digest of `--expect`.
fn expected(text: &str, args: &Check) -> Result<Entry, Reported> {
    let usage = |message: String| {
        print_message(message);
        Reported::Usage
    };
    let [path] = &args.manifests[..] else {
        return Err(usage("--expect requires exactly one file".to_owned()));
    };
    let (algorithm, digits) = match text.split_once([':', '=']) {
        Some((name, digits)) => {
            let named = name.parse().map_err(|error| usage(format!("--expect {text}: {error}")))?;
            if let Some(other) = args.algorithm.filter(|&other| other != named) {
                return Err(usage(format!("--expect names {named}, but --algorithm {other}")));
            }
            (Some(named), digits)
        }
        None => (args.algorithm, text),
    };
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) || digits.is_empty() {
        return Err(usage(format!("--expect {text}: expected hexadecimal digits")));
    }
    let options = Options { algorithm, terminator: Terminator::Newline };
    // The digest is parsed as a manifest line; the name in this line is not used.
    match Reader::new(options).line(format!("{digits}  file\n").as_bytes()) {
        ManifestLine::Entry(entry) => {
            let algorithm = entry.algorithm();
            let mut digest = [0; 64];
            digest[..algorithm.digest_len()].copy_from_slice(entry.digest());
            let expected = Expected::Digest([algorithm], digest);
            let assumed = options.algorithm.is_none();
            Ok(Entry { path: path.clone(), name_start: 0, kinds: Kinds::Any, expected, assumed })
        }
        ManifestLine::Malformed(why) => Err(usage(format!("--expect {text}: {why}"))),
        ManifestLine::Skip => Err(usage(format!("--expect {text}: expected hexadecimal digits"))),
    }
}

/// Number of unexplained mismatches after which further mismatches are not tested against other
/// algorithms.
const MAX_UNIDENTIFIED: u32 = 16;

/// A file to verify.
struct Entry {
    path: PathBuf,
    /// Offset in `path` of the name as written in the manifest.
    name_start: usize,
    /// The kinds of files that may be opened. Names from a manifest are not trusted like arguments.
    kinds: Kinds,
    expected: Expected,
    /// Whether the algorithm is assumed, because the line does not name it.
    assumed: bool,
}

/// The expected digest of a line.
enum Expected {
    Digest([Checksum; 1], [u8; 64]),
    /// CRC-32 of an SFV file, computed when the entry is reported.
    Crc32(u32),
}

impl Job for Entry {
    fn input(&self) -> Input<'_> {
        match self.expected {
            Expected::Crc32(_) => Input::Nothing,
            Expected::Digest(..) if self.path.as_os_str() == "-" => Input::StandardInput,
            Expected::Digest(..) => Input::File(&self.path),
        }
    }

    fn algorithms(&self) -> &[Checksum] {
        match &self.expected {
            Expected::Crc32(_) => &[],
            Expected::Digest(algorithm, _) => algorithm,
        }
    }

    fn kinds(&self) -> Kinds {
        match self.input() {
            Input::StandardInput => Kinds::Any,
            _ => self.kinds,
        }
    }
}

impl Entry {
    /// The name as written in the manifest.
    fn name(&self) -> &[u8] {
        &self.path.as_os_str().as_bytes()[self.name_start..]
    }

    /// Returns whether the file matches its line, or the error if it could not be read.
    fn matches(&self, result: Result<Digests, Error>) -> Result<bool, (ErrorKind, String)> {
        let digests = result.map_err(|error| (error.kind(), failure(&error, "")))?;
        match &self.expected {
            Expected::Digest([algorithm], digest) => {
                Ok(digests[0].as_bytes() == &digest[..algorithm.digest_len()])
            }
            Expected::Crc32(expected) => {
                let failed = |step: &'static str| {
                    move |error: io::Error| {
                        let path = Shown(self.path.as_os_str());
                        (error.kind(), format!("cannot {step} {path}: {}", reason(&error)))
                    }
                };
                let file = open(&self.path, Kinds::Storage).map_err(failed("open"))?;
                Ok(crc32::of(file).map_err(failed("read"))?.0 == *expected)
            }
        }
    }
}

impl Entry {
    /// Returns the assumed algorithm of an untagged digest and the algorithm that matches, if any.
    fn wrong_algorithm(&self, settings: &Settings) -> Option<(Checksum, Checksum)> {
        match &self.expected {
            Expected::Digest([algorithm], digest) if self.assumed => {
                let digest = &digest[..algorithm.digest_len()];
                Some((*algorithm, identify(&self.path, Some(*algorithm), digest, settings)?))
            }
            _ => None,
        }
    }
}

/// Reads manifests of any format.
struct ManifestParser<'a> {
    options: Options,
    /// The reader of the current manifest.
    reader: Reader,
    names: &'a Names,
    /// The directory that names are relative to; `None` for the working directory.
    base: Option<PathBuf>,
    policy: &'a Policy,
}

impl LineParser for ManifestParser<'_> {
    type Entry = Entry;
    type Malformed = Malformed;

    fn begin(&mut self, manifest: &OsStr) {
        self.reader = Reader::new(self.options).of_file(manifest.as_bytes());
        self.base = self.names.base(Path::new(manifest));
    }

    fn terminator(&self) -> u8 {
        self.options.terminator.byte()
    }

    fn reason(&self, why: &Malformed) -> Option<String> {
        Some(why.to_string())
    }

    fn line(&mut self, line: &[u8], _: bool) -> Line<Entry, Malformed> {
        let entry = match self.reader.line(line) {
            ManifestLine::Skip => return Line::Skip,
            ManifestLine::Malformed(why @ Malformed::Crc) => {
                let line = line.strip_suffix(&[self.terminator()]).unwrap_or(line);
                let Some((name, crc)) = sfv_line(line) else { return Line::Malformed(why) };
                return Line::Entry(self.entry(name, Expected::Crc32(crc), false));
            }
            ManifestLine::Malformed(why) => return Line::Malformed(why),
            ManifestLine::Entry(entry) => entry,
        };
        let algorithm = entry.algorithm();
        // `--algorithm` has been checked already; a tagged line may name any other.
        if let Some(Err(error)) = algorithm.lanesum().map(|ours| self.policy.check(ours)) {
            return Line::Unsupported(error);
        }
        let mut digest = [0; 64];
        digest[..algorithm.digest_len()].copy_from_slice(entry.digest());
        let assumed = self.reader.assumed();
        Line::Entry(self.entry(entry.name(), Expected::Digest([algorithm], digest), assumed))
    }
}

impl ManifestParser<'_> {
    fn entry(&self, name: &[u8], expected: Expected, assumed: bool) -> Entry {
        let name = Path::new(OsStr::from_bytes(name));
        let path = names::path(self.base.as_deref().filter(|_| name != Path::new("-")), name);
        let name_start = path.as_os_str().len() - name.as_os_str().len();
        Entry { path, name_start, kinds: Kinds::Storage, expected, assumed }
    }
}

/// Reports each file and each manifest.
struct Report<'a> {
    output: Output,
    settings: &'a Settings,
    progress: &'a Progress,
    tally: Tally,
    check_options: CheckOptions,
    json: Option<Objects>,
    /// Number of mismatches that no other algorithm explains.
    unidentified: u32,
    stop: Option<Stop>,
}

/// The report, and standard error, which it shares with the progress bar.
struct Console<'a>(&'a mut Output, &'a Progress);

impl Console<'_> {
    fn note(&self, message: impl fmt::Display) {
        self.1.suspend(|| print_message(message));
    }

    /// Writes the buffered lines of the report.
    fn flush(&mut self) -> Result<(), Stop> {
        let Self(output, progress) = self;
        progress.suspend(|| output.flush())
    }
}

impl Reporter for Console<'_> {
    fn report(&mut self) -> &mut Vec<u8> {
        self.0.buffer()
    }

    fn print_message(&mut self, message: &str) {
        self.note(message);
    }

    fn print_message_about(&mut self, manifest: &OsStr, message: &str) {
        self.note(format_args!("{}: {message}", name(manifest)));
    }
}

impl Report<'_> {
    fn take(
        &mut self,
        item: Item<Entry, Malformed>,
        result: Result<Digests, Error>,
    ) -> ControlFlow<()> {
        let reporter = &mut Console(&mut self.output, self.progress);
        match item {
            Item::Entry(entry) => {
                let result = entry.matches(result);
                let wrong_algorithm = match result {
                    Ok(false) if self.unidentified < MAX_UNIDENTIFIED => {
                        entry.wrong_algorithm(self.settings)
                    }
                    _ => None,
                };
                // Each identification reads the file again, which is wasted if all files are
                // corrupt.
                self.unidentified +=
                    u32::from(matches!(result, Ok(false)) && wrong_algorithm.is_none());
                if let Some(json) = &mut self.json {
                    json.entry(
                        &entry,
                        &result,
                        wrong_algorithm,
                        self.check_options,
                        reporter.report(),
                    );
                }
                let name = report_name(entry.name());
                if let Ok(false) = result {
                    let name = Shown(entry.path.as_os_str());
                    let word = if wrong_algorithm.is_some() { "NOT VERIFIED" } else { "FAILED" };
                    self.progress.count_fault(format!("{name}: {word}"));
                }
                if let Some((assumed, found)) = wrong_algorithm {
                    self.tally.wrong_algorithm(&name, assumed, found, reporter);
                    return self.proceed();
                }
                let is_json = self.json.is_some();
                self.tally.entry(&name, result, reporter, |reporter, error| match is_json {
                    // The JSON object already contains the reason.
                    true => reporter.1.count_fault(error),
                    false => reporter.1.fault(error),
                });
            }
            Item::Malformed { manifest, line, why } if self.json.is_some() => {
                if let Some(json) = &mut self.json {
                    json.malformed(&manifest, line, &why, reporter.report());
                }
            }
            Item::Malformed { manifest, line, why } => reporter.print_message_about(
                &manifest,
                &format!("{line}: improperly formatted checksum line: {why}"),
            ),
            Item::End(end) => {
                // Messages about a manifest must follow its lines even if both go to the same pipe.
                let flushed = reporter.flush();
                print_manifest_error(&end, reporter);
                self.tally.end(&end, reporter);
                if let Err(stop) = flushed {
                    self.stop = Some(stop);
                    return ControlFlow::Break(());
                }
            }
        }
        self.proceed()
    }

    fn proceed(&mut self) -> ControlFlow<()> {
        match self.output.write_if_due(self.progress) {
            Ok(()) => ControlFlow::Continue(()),
            Err(stop) => {
                self.stop = Some(stop);
                ControlFlow::Break(())
            }
        }
    }

    fn finish(mut self) -> CommandResult {
        if let Some(stop) = self.stop {
            return Err(stop.print_message());
        }
        if let Some(json) = &self.json {
            json.summary(self.output.buffer());
        }
        self.output.finish().map_err(|stop| stop.print_message())?;
        Ok(Verdict::of(self.tally.success))
    }
}

/// Counts by status, for the summary of `--json`.
#[derive(Default)]
struct Objects {
    ok: u64,
    failed: u64,
    unreadable: u64,
    malformed: u64,
}

impl Objects {
    fn entry(
        &mut self,
        entry: &Entry,
        result: &Result<bool, (ErrorKind, String)>,
        wrong_algorithm: Option<(Checksum, Checksum)>,
        check_options: CheckOptions,
        out: &mut Vec<u8>,
    ) {
        let (count, status, reason) = match result {
            Ok(true) => (&mut self.ok, "ok", None),
            Ok(false) => (&mut self.failed, "failed", None),
            Err((ErrorKind::NotFound, _)) if check_options.ignore_missing => return,
            Err((_, reason)) => (&mut self.unreadable, "unreadable", Some(reason)),
        };
        *count += 1;
        if check_options.quiet && status == "ok" {
            return;
        }
        let algorithm = match &entry.expected {
            Expected::Digest([algorithm], _) => algorithm.name(),
            Expected::Crc32(_) => "crc32",
        };
        let mut object = named("path", OsStr::from_bytes(entry.name()));
        object.insert("status".into(), status.into());
        object.insert("algorithm".into(), algorithm.into());
        let wrong_algorithm = wrong_algorithm.map(|(_, found)| format!("matches {}", found.name()));
        if let Some(reason) = reason.or(wrong_algorithm.as_ref()) {
            object.insert("reason".into(), reason.as_str().into());
        }
        push(&object, out);
    }

    fn malformed(&mut self, manifest: &OsStr, line: u64, why: &Malformed, out: &mut Vec<u8>) {
        self.malformed += 1;
        let mut object = named("manifest", manifest);
        object.insert("status".into(), "malformed".into());
        object.insert("line".into(), line.into());
        object.insert("reason".into(), why.to_string().into());
        push(&object, out);
    }

    fn summary(&self, out: &mut Vec<u8>) {
        let Self { ok, failed, unreadable, malformed } = self;
        let counts = serde_json::json!({
            "ok": ok, "failed": failed, "unreadable": unreadable, "malformed": malformed,
        });
        push(&Map::from_iter([("summary".to_owned(), counts)]), out);
    }
}

fn print_manifest_error(end: &End, reporter: &Console<'_>) {
    let name = name(&end.manifest);
    match &end.error {
        Some(ManifestError::Open(error)) => {
            reporter.note(format_args!("cannot open {name}: {}", reason(error)));
        }
        Some(ManifestError::Read(error)) => {
            reporter.note(format_args!("cannot read {name}: {}", reason(error)));
        }
        Some(ManifestError::Policy(error)) => reporter.note(format_args!("{name}: {error}")),
        None => {}
    }
}

/// Formats a manifest's name for messages.
fn name(manifest: &OsStr) -> String {
    if manifest == "-" { "standard input".to_owned() } else { Shown(manifest).to_string() }
}
