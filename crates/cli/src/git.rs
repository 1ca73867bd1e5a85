//! `lanesum check --git`: verifies the objects of a git repository.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use lanesum::Algorithm;
use lanesum_git::{Class, Counts, Finding, Found, Options, Repository, check};
use serde_json::{Map, json};

use crate::args::Check;
use crate::json::{named, push};
use crate::message::{Shown, classes, print_message};
use crate::output::{Output, Stop};
use crate::progress::{Progress, share_of};
use crate::{CommandResult, Reported, Verdict, settings};

pub(crate) fn run(path: &Path, args: &Check) -> CommandResult {
    let repository = Repository::open(path).map_err(|error| {
        print_message(error);
        Reported::Failed
    })?;
    let settings = settings(&args.jobs, &[Algorithm::SHA1.into(), Algorithm::SHA256.into()])?
        .at(args.pace.max_rate);
    let output = match args.status || args.quiet {
        true => Output::standard_if_used(),
        false => Output::standard().map_err(|stop| stop.print_message())?,
    };
    let color = output.has_color();
    let progress = Progress::default();
    let report =
        Mutex::new(Report { args, color, output, progress: &progress, stop: None, objects: 0 });
    let options = Options {
        settings: &settings,
        progress: &progress.counters,
        reports_same: args.findings.all,
    };
    let share = share_of(|| {
        let repository = repository.clone();
        move || Some(repository.bytes_to_read())
    });
    let counts = progress.watch(share, || {
        check(&repository, &options, &|finding| {
            report.lock().unwrap_or_else(PoisonError::into_inner).take(&finding)
        })
    });
    let report = report.into_inner().unwrap_or_else(PoisonError::into_inner);
    report.finish(path, &counts)
}

/// Writes findings.
struct Report<'a> {
    args: &'a Check,
    output: Output,
    progress: &'a Progress,
    color: bool,
    /// Number of damaged objects.
    objects: u64,
    stop: Option<Stop>,
}

impl Report<'_> {
    fn take(&mut self, finding: &Finding) -> ControlFlow<()> {
        if finding.class != Class::Same && finding.object.is_some() {
            self.objects += 1;
        }
        if self.args.status {
            return ControlFlow::Continue(());
        }
        if self.args.findings.json {
            object(finding, self.output.buffer());
        } else {
            self.line(finding);
        }
        match self.output.write_if_due(self.progress) {
            Ok(()) => ControlFlow::Continue(()),
            Err(stop) => {
                self.stop = Some(stop);
                ControlFlow::Break(())
            }
        }
    }

    fn line(&mut self, finding: &Finding) {
        let word = format!("{:<12}", finding.class);
        match finding.class != Class::Same && self.color {
            true => self.output.push_colored(31, &word),
            false => self.output.buffer().extend(word.as_bytes()),
        }
        let path = Shown(finding.path.as_os_str());
        let at = finding.offset.map(|offset| format!(" at {offset}")).unwrap_or_default();
        let mut why = finding.reason.clone();
        let subject = match finding.object {
            Some(id) => {
                let colon = if why.is_empty() { "" } else { ": " };
                why = format!("{path}{at}{colon}{why}");
                id.to_string()
            }
            None => path.to_string(),
        };
        let buffer = self.output.buffer();
        buffer.extend(format!("  {subject}").as_bytes());
        if !why.is_empty() {
            buffer.extend(format!(" ({why})").as_bytes());
        }
        buffer.push(b'\n');
    }

    fn finish(mut self, path: &Path, counts: &Counts) -> CommandResult {
        if let Some(stop) = self.stop {
            return Err(stop.print_message());
        }
        let args = self.args;
        if args.findings.json {
            summary(counts, self.output.buffer());
        } else if !args.status && !args.quiet {
            self.output.buffer().extend(sentence(counts).as_bytes());
        }
        self.output.finish().map_err(|stop| stop.print_message())?;
        let path = Shown(path.as_os_str());
        if counts.found(Found::Loose) + counts.found(Found::Packed) == 0 {
            print_message(format_args!("{path}: no objects found"));
            return Ok(Verdict::Failed);
        }
        if self.objects > 0 && !args.status {
            print_message(format_args!(
                "{path}: restore damaged objects from a backup or another clone"
            ));
        }
        Ok(Verdict::of(counts.faults() == 0))
    }
}

/// Formats the summary: `3 loose objects, 10 objects in 1 pack, 2 checksums of files: 15 the same`.
fn sentence(counts: &Counts) -> String {
    let count = |found, one: &str, more: &str| match counts.found(found) {
        1 => format!("1 {one}"),
        number => format!("{number} {more}"),
    };
    let mut text = format!(
        "{}, {} in {}",
        count(Found::Loose, "loose object", "loose objects"),
        count(Found::Packed, "object", "objects"),
        count(Found::Pack, "pack", "packs"),
    );
    if counts.found(Found::Lfs) > 0 {
        text += &count(Found::Lfs, "LFS object", "LFS objects").replacen("", ", ", 1);
    }
    text += &count(Found::File, "checksum of a file", "checksums of files").replacen("", ", ", 1);
    text + &classes(Class::ALL.map(|class| (class.name(), counts.of(class)))) + "\n"
}

/// Formats a finding as a JSON object.
fn object(finding: &Finding, out: &mut Vec<u8>) {
    let mut object = named("path", finding.path.as_os_str());
    object.insert("class".into(), finding.class.name().into());
    if let Some(id) = finding.object {
        object.insert("object".into(), id.to_string().into());
    }
    if let Some(offset) = finding.offset {
        object.insert("offset".into(), offset.into());
    }
    if !finding.reason.is_empty() {
        object.insert("reason".into(), finding.reason.as_str().into());
    }
    push(&object, out);
}

fn summary(counts: &Counts, out: &mut Vec<u8>) {
    let mut fields = Map::new();
    for class in Class::ALL {
        fields.insert(class.name().into(), counts.of(class).into());
    }
    let found = [
        ("loose", Found::Loose),
        ("packed", Found::Packed),
        ("packs", Found::Pack),
        ("checksums", Found::File),
        ("lfs", Found::Lfs),
        ("lfs_absent", Found::LfsAbsent),
        ("vanished", Found::Vanished),
    ];
    for (name, found) in found {
        fields.insert(name.into(), counts.found(found).into());
    }
    push(&Map::from_iter([("summary".to_owned(), json!(fields))]), out);
}
