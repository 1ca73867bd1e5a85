//! `-c`: verifies files against manifests.

use std::borrow::Cow;
use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use lanesum_files::{Digests, Input, Job, Kinds, Progress, Settings, hash};
use lanesum_manifest::{Checksum, CoreutilsLine, CoreutilsReader, Kind, report_name};

use super::options::{Options, Report};
use super::sums::{KINDS, MAX_DIGEST_BYTES, Outcome, SHA2_KINDS, Sum};
use super::{Tool, fail, input, is_possible, other, source};
use crate::checker::{
    CheckOptions, Item, Line, LineParser, ManifestError, Manifests, Reporter, Tally,
};
use crate::personalities::quote;
use crate::personalities::streams::Streams;

/// Checks all manifests. Returns whether all files match.
pub(super) fn run(
    tool: Tool,
    options: &Options,
    settings: &Settings,
    streams: &mut Streams,
) -> bool {
    let kind = options.sum.with_len(MAX_DIGEST_BYTES).kind();
    let possible = match options.is_settled {
        true => is_possible(options.sum, settings, streams),
        false => KINDS.iter().all(|&kind| is_possible(Sum::of_kind(kind), settings, streams)),
    };
    if !possible {
        return false;
    }
    let reader = match (tool, options.is_settled) {
        (Tool::One(..) | Tool::B2sum | Tool::Sum, _) => CoreutilsReader::of_one(kind),
        (Tool::Cksum, false) => CoreutilsReader::cksum_of_any(&KINDS, kind),
        (Tool::Cksum, true) => match options.sum {
            Sum::Sha2(_) => CoreutilsReader::cksum_of_first(&SHA2_KINDS, kind),
            _ => CoreutilsReader::cksum_of_one(kind),
        },
    };
    let check_options = CheckOptions {
        quiet: options.report == Report::Quiet,
        status: options.report == Report::Status,
        strict: options.strict,
        warn: options.report == Report::Warn,
        ignore_missing: options.ignore_missing,
    };
    let lines = CoreutilsParser { reader, stdin_is_fresh: true };
    let mut tally = Tally::new(check_options);
    if options.files.is_empty() || options.files.iter().any(|name| name == "-") {
        streams.read_stdin();
    }
    let items = Manifests::new(options.files.clone(), lines, check_options);
    hash(items, settings, &Progress::default(), |item, digests| {
        match item {
            Item::Entry(entry) => {
                if entry.name == "-" {
                    streams.read_stdin();
                }
                let name = report_name(entry.name.as_bytes());
                tally.entry(&name, entry.matches(digests), streams, |streams, error| {
                    fail(entry.name.as_bytes(), &*error, streams);
                });
            }
            Item::Malformed { manifest, line, why: kind } => streams.print_message_about(
                &manifest,
                &format!("{line}: improperly formatted {} checksum line", kind.tag),
            ),
            Item::End(end) => match &end.error {
                None => tally.end(&end, streams),
                Some(error) => {
                    match error {
                        ManifestError::Open(error) => {
                            fail(name(&end.manifest).as_bytes(), error, streams);
                        }
                        _ => streams.print_message_about(&end.manifest, "read error"),
                    }
                    tally.reset();
                    tally.success = false;
                }
            },
        }
        streams.advance()
    });
    tally.success
}

/// A file to check.
struct Entry {
    name: OsString,
    /// Whether a `-` is the first one: standard input can be read only once.
    is_first: bool,
    sum: Sum,
    algorithm: Option<[Checksum; 1]>,
    /// The digest or a prefix of it; `None` for sums that are not digests.
    digest: Option<[u8; 64]>,
    digest_len: usize,
}

impl Entry {
    /// Whether the file matches the digest.
    fn matches(
        &self,
        digests: Result<Digests, lanesum_files::Error>,
    ) -> Result<bool, (std::io::ErrorKind, Box<dyn Error>)> {
        let expected = self.digest.as_ref().map(|digest| &digest[..self.digest_len]);
        let is_it = |digest: &[u8]| expected.is_some_and(|expected| digest.starts_with(expected));
        let digests = digests.map_err(|error| (error.kind(), source(error)))?;
        if let Some(digest) = digests.first() {
            return Ok(is_it(digest.as_bytes()));
        }
        match other(self.sum, input(&self.name, self.is_first), self.kinds()) {
            Ok(Outcome::Digest(digest)) => Ok(is_it(&digest)),
            Ok(_) => Ok(false),
            Err(error) => Err((error.kind(), Box::new(error))),
        }
    }
}

impl Job for Entry {
    fn input(&self) -> Input<'_> {
        match self.algorithm {
            Some(_) => input(&self.name, self.is_first),
            None => Input::Nothing,
        }
    }

    fn algorithms(&self) -> &[Checksum] {
        self.algorithm.as_ref().map_or(&[], |algorithm| &algorithm[..])
    }

    fn kinds(&self) -> Kinds {
        Kinds::NoFifo
    }

    fn accepts_changes(&self) -> bool {
        true
    }

    fn weight(&self) -> usize {
        self.name.len()
    }
}

/// Parses manifests like the tool.
struct CoreutilsParser {
    reader: CoreutilsReader,
    stdin_is_fresh: bool,
}

impl LineParser for CoreutilsParser {
    type Entry = Entry;
    /// The kind of digest, which the message names.
    type Malformed = Kind;

    fn line(&mut self, line: &[u8], is_stdin: bool) -> Line<Entry, Kind> {
        let (kind, digest, name) = match self.reader.line(line) {
            CoreutilsLine::Skip => return Line::Skip,
            // A manifest on standard input cannot list standard input.
            CoreutilsLine::Entry { kind, digest, name } if !(is_stdin && &*name == b"-") => {
                (kind, digest, Cow::into_owned(name))
            }
            _ => return Line::Malformed(self.reader.kind()),
        };
        let is_first = name != b"-" || std::mem::take(&mut self.stdin_is_fresh);
        let sum = Sum::of_kind(kind);
        let algorithm = sum.checksum().map(|checksum| [checksum]);
        let (name, digest_len) = (OsString::from_vec(name), kind.digest_len);
        Line::Entry(Entry { name, is_first, sum, algorithm, digest, digest_len })
    }
}

impl Reporter for Streams {
    fn report(&mut self) -> &mut Vec<u8> {
        self.out()
    }

    fn print_message(&mut self, message: &str) {
        self.error(message.as_bytes());
    }

    fn print_message_about(&mut self, manifest: &OsStr, message: &str) {
        let name = quote::name(name(manifest).as_bytes());
        self.error(&[&name[..], b": ", message.as_bytes()].concat());
    }
}

/// Returns a manifest's name for messages.
fn name(manifest: &OsStr) -> &OsStr {
    if manifest == "-" { OsStr::new("standard input") } else { manifest }
}
