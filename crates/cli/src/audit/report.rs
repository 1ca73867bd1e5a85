//! Prints findings as text or JSON.

use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use lanesum_keep::{Outcome, Reason, Sink};
use lanesum_manifest::{Class, Counts, Named, Record, report_name};

use crate::args::Findings;
use crate::message::{Shown, classes, failure, print_message};
use crate::output::{Output, Stop};
use crate::progress::Progress;
use crate::{CommandResult, Reported, Verdict};

/// Writes findings and counts them.
pub(crate) struct Report<'a> {
    args: &'a Findings,
    output: Output,
    progress: &'a Progress,
    counts: Counts,
    /// Number of audited records, and of records outside the audited trees.
    inside: u64,
    outside: u64,
    /// Whether differences are recorded in the manifest, so that they are not failures.
    is_update: bool,
    is_summarized: bool,
    color: bool,
    stop: Option<Stop>,
}

impl<'a> Report<'a> {
    pub(crate) fn new(args: &'a Findings, progress: &'a Progress) -> Result<Self, Reported> {
        let output = Output::standard().map_err(|stop| stop.print_message())?;
        let color = output.has_color();
        Ok(Self {
            args,
            color,
            output,
            progress,
            counts: Counts::default(),
            inside: 0,
            outside: 0,
            is_update: false,
            is_summarized: false,
            stop: None,
        })
    }

    /// Marks the differences as recorded in a manifest, so that they are not failures.
    pub(crate) fn accept_differences(self) -> Self {
        Self { is_update: true, ..self }
    }

    /// Whether any line of the manifest at `path` was audited. Reports the number of lines that
    /// were not.
    pub(crate) fn has_audited_lines(&self, path: &Path) -> bool {
        if self.stop.is_none() && self.outside > 0 {
            let path = shown(path);
            let lines = match (self.inside, self.outside) {
                (0, _) => "no line is audited".to_owned(),
                (_, 1) => "1 line is not audited".to_owned(),
                (_, count) => format!("{count} lines are not audited"),
            };
            self.progress.suspend(|| {
                print_message(format_args!(
                    "{path}: {lines}: outside the audited trees, or excluded by options"
                ));
            });
        }
        self.inside > 0 || self.outside == 0
    }

    /// Returns the number of files of a class.
    pub(crate) fn count(&self, class: Class) -> u64 {
        self.counts.of(class)
    }

    /// Writes the remaining findings and the summary. Returns whether writing succeeded.
    pub(crate) fn summarize(&mut self) -> bool {
        if self.stop.is_none() && !self.is_summarized {
            let line = if self.args.json { self.counts.to_json() } else { sentence(&self.counts) };
            self.output.buffer().extend(line.as_bytes());
            self.output.buffer().push(b'\n');
            self.stop = self.output.flush().err();
            self.is_summarized = true;
        }
        self.stop.is_none()
    }

    /// Ends the report. `success`: whether there was no failure other than the findings.
    pub(crate) fn finish(mut self, success: bool) -> CommandResult {
        self.summarize();
        if let Some(stop) = self.stop {
            return Err(stop.print_message());
        }
        let is_recorded = |class| match class {
            Class::Same => true,
            Class::New | Class::Changed | Class::Moved | Class::Missing => self.is_update,
            Class::Unreadable | Class::Rotted | Class::Incomparable => false,
        };
        let is_allowed = |class: &Class| is_recorded(*class) || self.args.allow.contains(class);
        let all_allowed =
            Class::ALL.iter().all(|class| is_allowed(class) || self.counts.of(*class) == 0);
        Ok(Verdict::of(success && all_allowed))
    }

    fn line(&mut self, outcome: &Outcome, reason: Option<&str>) {
        let finding = &outcome.finding;
        if self.args.json {
            self.output.buffer().extend(finding.to_json(reason).as_bytes());
        } else {
            let word = format!("{:<12}", finding.class);
            match self.color.then(|| color(finding.class)).flatten() {
                Some(color) => self.output.push_colored(color, &word),
                None => self.output.buffer().extend(word.as_bytes()),
            }
            let buffer = self.output.buffer();
            buffer.extend(b"  ");
            if let Some(from) = finding.moved_from() {
                buffer.extend(&*report_name(from));
                buffer.extend(b" -> ");
            }
            buffer.extend(&*report_name(finding.name()));
            if let Some(reason) = reason {
                buffer.extend(format!(" ({reason})").as_bytes());
            }
        }
        self.output.buffer().push(b'\n');
    }
}

impl Sink for Report<'_> {
    fn entry(&mut self, before: Option<&Record>, _: Option<&Record>) {
        self.inside += u64::from(before.is_some());
    }

    fn out_of_scope(&mut self, _: &Record) {
        self.outside += 1;
    }

    fn finding(&mut self, outcome: Outcome) -> ControlFlow<()> {
        self.counts.add(outcome.finding.class);
        if outcome.finding.class != Class::Same || self.args.all {
            let reason = outcome.reason.as_ref().map(describe);
            self.line(&outcome, reason.as_deref());
        }
        match self.output.write_if_due(self.progress) {
            Ok(()) => ControlFlow::Continue(()),
            Err(stop) => {
                self.stop = Some(stop);
                ControlFlow::Break(())
            }
        }
    }
}

/// The ANSI color code of a class.
fn color(class: Class) -> Option<u8> {
    match class {
        Class::Same => None,
        Class::New => Some(32),
        Class::Changed | Class::Moved => Some(33),
        Class::Missing | Class::Unreadable | Class::Rotted | Class::Incomparable => Some(31),
    }
}

/// Describes why a file is unreadable or was not found.
pub(crate) fn describe(reason: &Reason) -> String {
    match reason {
        Reason::Error(error) => failure(error, ""),
        Reason::Link | Reason::BehindLink => format!("{reason}; use -L to follow it"),
        _ => reason.to_string(),
    }
}

/// Formats the summary: `3 files: 1 the same, 1 changed, 1 new`.
fn sentence(counts: &Counts) -> String {
    let total = counts.differences() + counts.of(Class::Same);
    let files = if total == 1 { "file" } else { "files" };
    format!("{total} {files}{}", classes(Class::ALL.map(|class| (class.name(), counts.of(class)))))
}

/// Formats a path for messages; `-` is shown as standard input.
pub(crate) fn shown(path: &Path) -> String {
    if path.as_os_str().as_bytes() == b"-" {
        "standard input".into()
    } else {
        Shown(path.as_os_str()).to_string()
    }
}
