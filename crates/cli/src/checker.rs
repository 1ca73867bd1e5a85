//! The common part of `lanesum check` and the GNU tools. Reads manifests line by line, counts the
//! results for each file, and reports the totals of each manifest. Each command prints messages by
//! its own [`Reporter`]; the wording is GNU's.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufReader, ErrorKind};
use std::vec;

use lanesum::PolicyError;
use lanesum_files::{Input, Job, Kinds};
use lanesum_manifest::{Checksum, read_line};

use crate::message::Shown;

use crate::standard;

/// Options of a check.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CheckOptions {
    /// Print no "OK" for files that match.
    pub(crate) quiet: bool,
    /// Print no report; only set the exit status.
    pub(crate) status: bool,
    /// Fail on malformed lines.
    pub(crate) strict: bool,
    /// Report malformed lines.
    pub(crate) warn: bool,
    /// Skip missing files.
    pub(crate) ignore_missing: bool,
}

/// A parser of manifest lines.
pub(crate) trait LineParser {
    /// A file to check.
    type Entry: Job;
    /// Reason why a line is malformed.
    type Malformed: Send;

    /// Starts the manifest of this name.
    fn begin(&mut self, _manifest: &OsStr) {}

    /// The byte that terminates a line.
    fn terminator(&self) -> u8 {
        b'\n'
    }

    /// Describes why a line is malformed, for a manifest without any valid line; `None` if the tool
    /// does not report it.
    fn reason(&self, _why: &Self::Malformed) -> Option<String> {
        None
    }

    /// Parses the next line. `is_stdin`: the manifest is standard input.
    fn line(&mut self, line: &[u8], is_stdin: bool) -> Line<Self::Entry, Self::Malformed>;
}

/// A line of a manifest.
pub(crate) enum Line<E, M> {
    Entry(E),
    Malformed(M),
    Skip,
    /// The algorithm cannot run, so the rest of the manifest is skipped.
    Unsupported(PolicyError),
}

/// An item of the report, in order.
pub(crate) enum Item<E, M> {
    /// A file to check.
    Entry(E),
    /// A malformed line, reported with `warn`.
    Malformed {
        manifest: OsString,
        line: u64,
        why: M,
    },
    End(End),
}

/// The end of a manifest, or the point where reading failed.
pub(crate) struct End {
    /// The name of the manifest; `-` is standard input.
    pub(crate) manifest: OsString,
    entries: u64,
    malformed: u64,
    /// The number of the first malformed line and its error, if no entry precedes it.
    first: Option<(u64, String)>,
    pub(crate) error: Option<ManifestError>,
}

/// Why a manifest could not be read completely.
pub(crate) enum ManifestError {
    Open(io::Error),
    Read(io::Error),
    Policy(PolicyError),
}

impl<E: Job, M: Send> Job for Item<E, M> {
    fn input(&self) -> Input<'_> {
        match self {
            Self::Entry(entry) => entry.input(),
            _ => Input::Nothing,
        }
    }

    fn algorithms(&self) -> &[Checksum] {
        match self {
            Self::Entry(entry) => entry.algorithms(),
            _ => &[],
        }
    }

    fn kinds(&self) -> Kinds {
        match self {
            Self::Entry(entry) => entry.kinds(),
            _ => Kinds::Any,
        }
    }

    fn accepts_changes(&self) -> bool {
        matches!(self, Self::Entry(entry) if entry.accepts_changes())
    }

    fn weight(&self) -> usize {
        let named = match self {
            Self::Entry(entry) => entry.weight(),
            Self::Malformed { manifest, .. } | Self::End(End { manifest, .. }) => manifest.len(),
        };
        named + 512
    }
}

/// The lines of all manifests, read on demand.
pub(crate) struct Manifests<R> {
    names: vec::IntoIter<OsString>,
    current: Option<Open>,
    parser: R,
    warn: bool,
    line: Vec<u8>,
}

/// The manifest that is being read.
struct Open {
    input: BufReader<File>,
    line: u64,
    end: End,
}

impl<R: LineParser> Manifests<R> {
    /// Checks the manifests `names`, or standard input if there are none.
    pub(crate) fn new(mut names: Vec<OsString>, parser: R, options: CheckOptions) -> Self {
        if names.is_empty() {
            names.push("-".into());
        }
        let names = names.into_iter();
        Self { names, current: None, parser, warn: options.warn, line: Vec::new() }
    }

    fn open(&mut self, manifest: OsString) -> Result<Open, End> {
        self.parser.begin(&manifest);
        let file = if manifest == "-" { standard::input() } else { File::open(&manifest) };
        let end = End { manifest, entries: 0, malformed: 0, first: None, error: None };
        match file {
            Ok(file) => Ok(Open { input: BufReader::with_capacity(64 << 10, file), line: 0, end }),
            Err(error) => Err(End { error: Some(ManifestError::Open(error)), ..end }),
        }
    }

    /// Returns the manifest's next item, which is `End` after the last line.
    fn item(&mut self, mut open: Open) -> Item<R::Entry, R::Malformed> {
        let failed = |end, error| Item::End(End { error: Some(error), ..end });
        loop {
            match read_line(&mut open.input, self.parser.terminator(), &mut self.line) {
                Err(error) => return failed(open.end, ManifestError::Read(error)),
                Ok(false) => return Item::End(open.end),
                Ok(true) => open.line += 1,
            }
            let item = match self.parser.line(&self.line, open.end.manifest == "-") {
                Line::Skip => continue,
                Line::Unsupported(error) => return failed(open.end, ManifestError::Policy(error)),
                Line::Malformed(why) => {
                    open.end.malformed += 1;
                    if !self.warn {
                        if open.end.entries == 0 && open.end.first.is_none() {
                            let reason = self.parser.reason(&why);
                            open.end.first = reason.map(|reason| (open.line, reason));
                        }
                        continue;
                    }
                    Item::Malformed { manifest: open.end.manifest.clone(), line: open.line, why }
                }
                Line::Entry(entry) => {
                    open.end.entries += 1;
                    Item::Entry(entry)
                }
            };
            self.current = Some(open);
            return item;
        }
    }
}

impl<R: LineParser> Iterator for Manifests<R> {
    type Item = Item<R::Entry, R::Malformed>;

    fn next(&mut self) -> Option<Self::Item> {
        let open = match self.current.take() {
            Some(open) => Ok(open),
            None => {
                let name = self.names.next()?;
                self.open(name)
            }
        };
        Some(match open {
            Ok(open) => self.item(open),
            Err(end) => Item::End(end),
        })
    }
}

/// A tool's messages.
pub(crate) trait Reporter {
    /// The buffer of the report.
    fn report(&mut self) -> &mut Vec<u8>;

    /// Prints a message.
    fn print_message(&mut self, message: &str);

    /// Prints a message about a manifest.
    fn print_message_about(&mut self, manifest: &OsStr, message: &str);
}

/// Results for the entries of the current manifest and of all manifests.
pub(crate) struct Tally {
    options: CheckOptions,
    matched: u64,
    mismatched: u64,
    unread: u64,
    /// The assumed algorithm, the algorithm that matches, and the number of such digests.
    wrong_algorithm: Vec<(Checksum, Checksum, u64)>,
    /// Whether all files have matched so far.
    pub(crate) success: bool,
}

impl Tally {
    pub(crate) fn new(options: CheckOptions) -> Self {
        Self {
            options,
            matched: 0,
            mismatched: 0,
            unread: 0,
            wrong_algorithm: Vec::new(),
            success: true,
        }
    }

    /// Reports the result for a file, under `name`. `fail` reports an I/O error.
    pub(crate) fn entry<V: Reporter, E>(
        &mut self,
        name: &[u8],
        result: Result<bool, (ErrorKind, E)>,
        reporter: &mut V,
        fail: impl FnOnce(&mut V, E),
    ) {
        let (count, word) = match result {
            Ok(true) => (&mut self.matched, "OK"),
            Ok(false) => (&mut self.mismatched, "FAILED"),
            Err((ErrorKind::NotFound, _)) if self.options.ignore_missing => return,
            Err((_, error)) => {
                fail(reporter, error);
                (&mut self.unread, "FAILED open or read")
            }
        };
        *count += 1;
        if !(self.options.status || self.options.quiet && word == "OK") {
            let line = [name, b": ", word.as_bytes(), b"\n"].concat();
            reporter.report().extend_from_slice(&line);
        }
    }

    /// Reports a file that matches its line by algorithm `found`, but not by the `assumed` one.
    pub(crate) fn wrong_algorithm(
        &mut self,
        name: &[u8],
        assumed: Checksum,
        found: Checksum,
        reporter: &mut impl Reporter,
    ) {
        match self.wrong_algorithm.iter_mut().find(|known| (known.0, known.1) == (assumed, found)) {
            Some((_, _, count)) => *count += 1,
            None => self.wrong_algorithm.push((assumed, found, 1)),
        }
        if !self.options.status {
            let why = format!(": NOT VERIFIED (matches {}; use -a {found})\n", found.title());
            reporter.report().extend([name, why.as_bytes()].concat());
        }
    }

    /// Reports the totals of a manifest. An I/O error has already been reported.
    pub(crate) fn end(&mut self, end: &End, reporter: &mut impl Reporter) {
        let is_usable = end.error.is_none();
        let Self { options, matched, mismatched, unread, .. } = *self;
        if end.entries == 0 && is_usable {
            let message = "no properly formatted checksum lines found";
            match &end.first {
                Some((line, why)) => {
                    reporter.print_message_about(
                        &end.manifest,
                        &format!("{message}; line {line}: {why}"),
                    );
                }
                None => reporter.print_message_about(&end.manifest, message),
            }
        }
        if end.entries > 0 && !options.status {
            let warnings = [
                (end.malformed, "line is improperly formatted", "lines are improperly formatted"),
                (unread, "listed file could not be read", "listed files could not be read"),
                (mismatched, "computed checksum did NOT match", "computed checksums did NOT match"),
            ];
            for (count, one, many) in warnings.into_iter().filter(|(count, ..)| *count > 0) {
                reporter.print_message(&format!(
                    "WARNING: {count} {}",
                    if count == 1 { one } else { many }
                ));
            }
            let shown = Shown(&end.manifest).to_string();
            let shown = if end.manifest == "-" { "" } else { &*shown };
            for (assumed, found, count) in &self.wrong_algorithm {
                let lines = if *count == 1 {
                    "1 line matches".into()
                } else {
                    format!("{count} lines match")
                };
                let (is, is_not) = (found.title(), assumed.title());
                let command = format!("lanesum check -a {found} {shown}");
                let message = format!("{lines} {is}, not {is_not}: run {}", command.trim_end());
                reporter.print_message_about(&end.manifest, &message);
            }
            if options.ignore_missing && matched == 0 && self.wrong_algorithm.is_empty() {
                reporter.print_message_about(&end.manifest, "no file was verified");
            }
        }
        self.success &= is_usable && !(options.strict && end.malformed > 0);
        self.update_status();
    }

    /// Records a failure unless all files so far match and at least one was checked.
    pub(crate) fn update_status(&mut self) {
        self.success &= self.matched > 0
            && self.mismatched == 0
            && self.unread == 0
            && self.wrong_algorithm.is_empty();
        self.reset();
    }

    /// Resets the counts for the next manifest.
    pub(crate) fn reset(&mut self) {
        *self = Self { success: self.success, ..Self::new(self.options) };
    }
}
