//! `lanesum sum --update`: a manifest is made to say what is there now. Only what does not look as
//! it did is read.

use std::borrow::Cow;
use std::ffi::OsString;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use lanesum_keep::{Audit, Manifest, Survey, Told, Trust, Witness};
use lanesum_manifest::{Checksum, Class, Entry, Format, Named, Options, Record, Terminator};

use super::audit::{cannot_read, say_of, sorted};
use super::report::{Report, shown};
use crate::args::{CacheArgs, Sum};
use crate::output::Output;
use crate::progress::Progress;
use crate::say::say;
use crate::{Verdict, settings};

pub(crate) fn run(args: &Sum, path: &Path) -> Result<Verdict, Verdict> {
    if path.as_os_str() == "-" {
        say("standard input cannot be updated: name a file");
        return Err(Verdict::Usage);
    }
    // From here on no other run updates it.
    let output = Output::file(path).map_err(|stop| stop.say())?;
    let terminator = if args.zero { Terminator::Nul } else { Terminator::Newline };
    let options = Options { algorithm: None, terminator };
    let manifest = match Manifest::open(path, options) {
        Ok(manifest) => read_as_asked(manifest, args, path, options)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let empty = tempfile::tempfile().and_then(|file| Manifest::read(file, path, options));
            empty.map_err(|error| cannot_read(path, &error))?
        }
        Err(error) => return Err(cannot_read(path, &error)),
    };
    let survey = manifest.survey().clone();
    if !say_of(path, &survey, false) {
        say(format_args!("{}: nothing is updated while lines are not understood", shown(path)));
        return Err(Verdict::Failed);
    }
    let listed = survey.algorithms();
    let asked = args.algorithms();
    let algorithms = match (&listed[..], args.algorithms.is_empty()) {
        ([], _) => asked,
        (_, true) => listed,
        _ if listed == asked => asked,
        _ => {
            say(format_args!("{}: its lines are of other algorithms; leave -a out", shown(path)));
            return Err(Verdict::Usage);
        }
    };
    let format = format(args, &survey, &algorithms, path)?;
    let settings = settings(&args.jobs, &algorithms)?.at(args.pace.max_rate);
    let cache = match &args.cache.cache {
        Some(_) => super::cache(&args.cache)?,
        // Without one more is read, and nothing is wrong.
        None => {
            let usual = CacheArgs { cache: Some(OsString::new()), ..args.cache.clone() };
            super::cache(&usual).unwrap_or_default()
        }
    };
    let roots = if args.paths.is_empty() { vec![survey.root()] } else { sorted(&args.paths)? };
    let (walk, _) = super::walk(&args.walk, roots, output.identities(), cache.as_ref())?;
    let progress = Progress::new(args.pace.explain);
    let mut update = Update {
        output,
        format,
        terminator,
        prefix: if survey.is_dotted { b"./" } else { b"" },
        report: Report::new(&args.findings, &progress)?,
        kept: false,
        progress: &progress,
        stop: None,
        stat: args.stat || survey.has_stat,
    };
    update.output.buffer().extend(&survey.head);
    format.head(&algorithms, terminator, update.output.buffer());
    let moves = survey.algorithm_of_moves().or(algorithms.first().copied());
    let how = Audit {
        cache: cache.as_ref(),
        trust: if args.cache.paranoid { Trust::Nothing } else { Trust::Records },
        ..Audit::new(&settings, &algorithms, moves)
    };
    super::held(path, manifest, walk, &how, &progress, &mut update)?;
    update.finish()
}

/// Reads untagged lines as the algorithm of `-a`, if no line contradicts it.
fn read_as_asked(
    manifest: Manifest,
    args: &Sum,
    path: &Path,
    options: Options,
) -> Result<Manifest, Verdict> {
    let [asked] = args.algorithms[..] else { return Ok(manifest) };
    if manifest.survey().algorithms() == [asked.algorithm] {
        return Ok(manifest);
    }
    let options = Options { algorithm: Some(asked.algorithm), ..options };
    let again = Manifest::open(path, options).map_err(|error| cannot_read(path, &error))?;
    Ok(if again.survey().malformed == 0 { again } else { manifest })
}

/// The format of the lines that are written.
fn format(
    args: &Sum,
    survey: &Survey,
    algorithms: &[Checksum],
    path: &Path,
) -> Result<Format, Verdict> {
    if survey.has_more && args.format.is_none() {
        say(format_args!(
            "{}: of several digests on a line one would be kept; --format says what to write",
            shown(path)
        ));
        return Err(Verdict::Usage);
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
            say(format_args!("{path}: it has {kinds}; --format says what to write in their place"));
            Err(Verdict::Usage)
        }
    }
}

/// Writes what is there, and reports what has become of it.
struct Update<'a> {
    output: Output,
    format: Format,
    terminator: Terminator,
    /// What names begin with.
    prefix: &'static [u8],
    report: Report<'a>,
    progress: &'a Progress,
    /// Whether a line was kept that does not say what is there.
    kept: bool,
    stop: Option<crate::output::Stop>,
    stat: bool,
}

impl Witness for Update<'_> {
    fn place(&mut self, _: Option<&Record>, now: Option<&Record>) {
        let Some(now) = now else { return };
        let name = match self.prefix {
            b"" => Cow::Borrowed(now.name()),
            prefix => Cow::Owned([prefix, now.name()].concat()),
        };
        let len = now.len_of_file().filter(|_| self.stat || self.format.needs_len());
        let modified = now.modified().filter(|_| self.stat);
        let mut entries = now.digests().map(|(algorithm, digest)| {
            let entry = Entry::new(algorithm, digest, &*name);
            entry.expect("a file's name, and its digest").with_stat(len, modified)
        });
        match (entries.len(), entries.next()) {
            // The usual case needs no allocation.
            (1, Some(only)) => self.format.write(&only, self.terminator, self.output.buffer()),
            (_, first) => {
                let entries: Vec<_> = first.into_iter().chain(entries).collect();
                self.format.write_file(&entries, self.terminator, self.output.buffer());
            }
        }
        if let Err(stop) = self.output.write_if_due(self.progress) {
            self.stop.get_or_insert(stop);
        }
    }

    fn found(&mut self, told: Told) -> ControlFlow<()> {
        self.kept |= matches!(told.finding.class, Class::Rotted | Class::Unreadable);
        if self.stop.is_some() { ControlFlow::Break(()) } else { self.report.found(told) }
    }
}

impl Update<'_> {
    fn finish(self) -> Result<Verdict, Verdict> {
        if let Some(stop) = self.stop.or(None) {
            return Err(stop.say());
        }
        self.output.finish().map_err(|stop| stop.say())?;
        let report = self.report.updated();
        Ok(report.finish(!self.kept))
    }
}
