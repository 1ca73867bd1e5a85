//! `lanesum check`: verify the files that manifests list.

use std::ffi::OsStr;
use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{fmt, fs, io, ops::ControlFlow};

use lanesum::{Algorithm, Policy};
use lanesum_files::{Digests, Error, Input, Job, Progress as Counters, Settings, hash};
use lanesum_manifest::{
    Checksum, Line as ManifestLine, Malformed, Options, Reader, Terminator, report_name, sfv_line,
};

use crate::args::Check;
use crate::checker::{Asked, End, Item, Line, Manifests, Reading, Tally, Unusable, Voice};
use crate::identify::identify;
use crate::output::{Output, Stop};
use crate::progress::Progress;
use crate::say::{Shown, failure, reason, say};
use crate::{Verdict, crc32, keeper, settings};

pub(crate) fn run(args: &Check) -> Verdict {
    match try_run(args) {
        Ok(verdict) | Err(verdict) => verdict,
    }
}

fn try_run(args: &Check) -> Result<Verdict, Verdict> {
    if args.audit {
        return keeper::audit::run(args);
    }
    let given = args.walk.given().or(args.findings.given()).or(args.cache.given());
    if let Some(flag) = given {
        say(format_args!("{flag} is of use only with --audit"));
        return Err(Verdict::Usage);
    }
    let algorithms: Vec<_> = args.algorithm.into_iter().collect();
    let settings = settings(&args.jobs, &algorithms)?.at(args.pace.max_rate);
    let output = Output::standard().map_err(|stop| stop.say())?;
    let progress = Progress::new(args.pace.explain);
    let read = AtomicU64::new(0);
    let terminator = if args.zero { Terminator::Nul } else { Terminator::Newline };
    let options = Options { algorithm: args.algorithm, terminator };
    let asked = Asked {
        quiet: args.quiet,
        status: args.status,
        strict: args.strict,
        warn: args.warn,
        ignore_missing: args.ignore_missing,
    };
    // That of standard input is not known.
    let total: Option<u64> = match &args.manifests[..] {
        [] => None,
        manifests => manifests.iter().map(|path| len(path)).sum(),
    };
    let names = args.manifests.iter().map(|path| path.as_os_str().to_owned()).collect();
    let lines =
        Lines { options, reader: Reader::new(options), policy: &settings.policy, read: &read };
    let mut report = Report {
        output,
        settings: &settings,
        progress: &progress,
        tally: Tally::new(asked),
        stop: None,
    };
    let share =
        |_: &Counters| total.map(|total| read.load(Ordering::Relaxed) as f64 / total.max(1) as f64);
    progress.watch(share, || {
        let manifests = Manifests::new(names, lines, asked);
        hash(manifests, &settings, &progress.counters, |item, result| report.take(item, result));
    });
    let verdict = report.finish();
    // Of lines of any algorithm: those that most are of.
    let shown = if algorithms.is_empty() { vec![Algorithm::SHA256.into()] } else { algorithms };
    progress.explain(&settings.policy, &shown);
    Ok(verdict)
}

/// The length of a manifest, if it has one.
fn len(path: &Path) -> Option<u64> {
    fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|metadata| metadata.len())
}

/// A file to verify.
struct Entry {
    path: PathBuf,
    expected: Expected,
    /// Whether the line does not name the digest's algorithm.
    assumed: bool,
}

/// What a line says of a file.
enum Expected {
    Digest([Checksum; 1], [u8; 64]),
    /// An SFV's CRC-32, for which a file is read in its turn.
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
}

impl Entry {
    /// Whether the file is as the line says, or why it could not be read.
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
                let file = File::open(&self.path).map_err(failed("open"))?;
                Ok(crc32::of(file).map_err(failed("read"))?.0 == *expected)
            }
        }
    }
}

impl Entry {
    /// Returns the assumed algorithm of an untagged digest and the one that matches, if one does.
    fn mistaken(&self, settings: &Settings) -> Option<(Checksum, Checksum)> {
        match &self.expected {
            Expected::Digest([algorithm], digest) if self.assumed => {
                let digest = &digest[..algorithm.digest_len()];
                Some((*algorithm, identify(&self.path, *algorithm, digest, settings)?))
            }
            _ => None,
        }
    }
}

/// Reads manifests of any format.
struct Lines<'a> {
    options: Options,
    /// Of the manifest that is read.
    reader: Reader,
    policy: &'a Policy,
    /// Bytes of the manifests read so far.
    read: &'a AtomicU64,
}

impl Reading for Lines<'_> {
    type Entry = Entry;
    type Malformed = Malformed;

    fn begin(&mut self, manifest: &OsStr) {
        self.reader = Reader::new(self.options).of_file(manifest.as_bytes());
    }

    fn terminator(&self) -> u8 {
        self.options.terminator.byte()
    }

    fn line(&mut self, line: &[u8], _: bool) -> Line<Entry, Malformed> {
        self.read.fetch_add(line.len() as u64, Ordering::Relaxed);
        let entry = match self.reader.line(line) {
            ManifestLine::Skip => return Line::Skip,
            ManifestLine::Malformed(why @ Malformed::Crc) => {
                let line = line.strip_suffix(&[self.terminator()]).unwrap_or(line);
                let Some((name, crc)) = sfv_line(line) else { return Line::Malformed(why) };
                let path = Path::new(OsStr::from_bytes(name)).to_owned();
                return Line::Entry(Entry { path, expected: Expected::Crc32(crc), assumed: false });
            }
            ManifestLine::Malformed(why) => return Line::Malformed(why),
            ManifestLine::Entry(entry) => entry,
        };
        let algorithm = entry.algorithm();
        // Known to do for the one asked for; a line may say it is of any.
        if let Some(Err(error)) = algorithm.lanesum().map(|ours| self.policy.check(ours)) {
            return Line::Refused(error);
        }
        let mut digest = [0; 64];
        digest[..algorithm.digest_len()].copy_from_slice(entry.digest());
        let path = Path::new(OsStr::from_bytes(entry.name())).to_owned();
        let assumed = self.reader.assumed();
        Line::Entry(Entry { path, expected: Expected::Digest([algorithm], digest), assumed })
    }
}

/// Prints what comes of each file, and of each manifest.
struct Report<'a> {
    output: Output,
    settings: &'a Settings,
    progress: &'a Progress,
    tally: Tally,
    stop: Option<Stop>,
}

/// Output and standard error, which the progress is shown on.
struct Spoken<'a>(&'a mut Output, &'a Progress);

impl Spoken<'_> {
    fn note(&self, message: impl fmt::Display) {
        self.1.aside(|| say(message));
    }
}

impl Voice for Spoken<'_> {
    fn report(&mut self) -> &mut Vec<u8> {
        self.0.buffer()
    }

    fn say(&mut self, message: &str) {
        self.note(message);
    }

    fn say_of(&mut self, manifest: &OsStr, message: &str) {
        self.note(format_args!("{}: {message}", name(manifest)));
    }
}

impl Report<'_> {
    fn take(
        &mut self,
        item: Item<Entry, Malformed>,
        result: Result<Digests, Error>,
    ) -> ControlFlow<()> {
        let voice = &mut Spoken(&mut self.output, self.progress);
        match item {
            Item::Entry(entry) => {
                let result = entry.matches(result);
                let name = report_name(entry.path.as_os_str().as_bytes());
                let mistaken = match result {
                    Ok(false) => entry.mistaken(self.settings),
                    _ => None,
                };
                if let Ok(false) = result {
                    let name = Shown(entry.path.as_os_str());
                    let word = if mistaken.is_some() { "NOT VERIFIED" } else { "FAILED" };
                    self.progress.count_fault(format!("{name}: {word}"));
                }
                if let Some((assumed, found)) = mistaken {
                    self.tally.mistaken(&name, assumed, found, voice);
                    return self.proceed();
                }
                self.tally.entry(&name, result, voice, |voice, error| {
                    voice.1.fault(error);
                });
            }
            Item::Malformed { manifest, line, why } => voice
                .say_of(&manifest, &format!("{line}: improperly formatted checksum line: {why}")),
            Item::End(end) => {
                why_unusable(&end, voice);
                self.tally.end(&end, voice);
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

    fn finish(self) -> Verdict {
        if let Some(stop) = self.stop {
            return stop.say();
        }
        if let Err(stop) = self.output.finish() {
            return stop.say();
        }
        if self.tally.well { Verdict::Well } else { Verdict::Failed }
    }
}

fn why_unusable(end: &End, voice: &Spoken<'_>) {
    let name = name(&end.manifest);
    match &end.error {
        Some(Unusable::Open(error)) => {
            voice.note(format_args!("cannot open {name}: {}", reason(error)));
        }
        Some(Unusable::Read(error)) => {
            voice.note(format_args!("cannot read {name}: {}", reason(error)));
        }
        Some(Unusable::Policy(error)) => voice.note(format_args!("{name}: {error}")),
        None => {}
    }
}

/// A manifest's name in messages.
fn name(manifest: &OsStr) -> String {
    if manifest == "-" { "standard input".to_owned() } else { Shown(manifest).to_string() }
}
