//! `-c`: whether files still have the digests that manifests say.

use std::borrow::Cow;
use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufReader, ErrorKind};
use std::ops::ControlFlow;
use std::os::fd::AsFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::vec;

use lanesum::Algorithm;
use lanesum_files::{Input, Job, Progress, Settings, hash};
use lanesum_manifest::{CoreutilsLine, CoreutilsReader, Kind, coreutils_report_name};

use super::options::{Options, Report};
use super::sums::{KINDS, Outcome, Sum};
use super::{Tool, fail, input, is_possible, other, source};
use crate::lines::read_line;
use crate::personalities::quote;
use crate::personalities::streams::Streams;

/// Checks all manifests; whether all is as they say.
pub(super) fn run(
    tool: Tool,
    options: &Options,
    settings: &Settings,
    streams: &mut Streams,
) -> bool {
    let kind = options.sum.usual().kind();
    let possible = match options.is_settled {
        true => is_possible(options.sum, settings, streams),
        false => KINDS.iter().all(|&kind| is_possible(Sum::of_kind(kind), settings, streams)),
    };
    if !possible {
        return false;
    }
    let mut manifests = options.files.clone();
    if manifests.is_empty() {
        manifests.push("-".into());
    }
    let items = Items {
        manifests: manifests.into_iter(),
        current: None,
        reader: match (tool, options.is_settled) {
            (Tool::One(..), _) => CoreutilsReader::of_one(kind),
            (Tool::Cksum, true) => CoreutilsReader::cksum_of_one(kind),
            (Tool::Cksum, false) => CoreutilsReader::cksum_of_any(&KINDS, kind),
        },
        warn: options.report == Report::Warn,
        stdin_is_fresh: true,
        line: Vec::new(),
    };
    let mut verdicts = Verdicts { options, streams, counts: Counts::default(), well: true };
    hash(items, settings, &Progress::default(), |item, digests| {
        match item {
            Item::Entry(entry) => verdicts.entry(&entry, digests),
            Item::Improper { manifest, line, kind } => {
                verdicts.say(
                    &manifest,
                    &format!("{line}: improperly formatted {} checksum line", kind.tag),
                );
            }
            Item::End(end) => verdicts.end(&end),
        }
        verdicts.streams.advance();
        ControlFlow::Continue(())
    });
    verdicts.well
}

/// What is at a place of the order of the report.
enum Item {
    Entry(Entry),
    /// A line that is not understood, for those who want to know.
    Improper {
        manifest: OsString,
        line: u64,
        kind: Kind,
    },
    End(End),
}

/// A file to check.
struct Entry {
    name: OsString,
    /// Whether standard input, if it is meant, has not been read.
    is_first: bool,
    sum: Sum,
    algorithm: Option<[Algorithm; 1]>,
    /// The digest, or the start of it.
    digest: [u8; 64],
    digest_len: usize,
}

/// The end of a manifest.
struct End {
    manifest: OsString,
    entries: u64,
    improper: u64,
    /// Why it could not be opened, or whether it could not be read to the end.
    unopened: Option<io::Error>,
    unread: bool,
}

impl Job for Item {
    fn input(&self) -> Input<'_> {
        match self {
            Self::Entry(Entry { name, is_first, algorithm: Some(_), .. }) => input(name, *is_first),
            _ => Input::Nothing,
        }
    }

    fn algorithms(&self) -> &[Algorithm] {
        match self {
            Self::Entry(Entry { algorithm: Some(algorithm), .. }) => algorithm,
            _ => &[],
        }
    }

    fn accepts_changes(&self) -> bool {
        true
    }

    fn weight(&self) -> usize {
        let name = match self {
            Self::Entry(entry) => &entry.name,
            Self::Improper { manifest, .. } | Self::End(End { manifest, .. }) => manifest,
        };
        name.len() + 512
    }
}

/// The lines of all manifests, read as they are needed.
struct Items {
    manifests: vec::IntoIter<OsString>,
    current: Option<Manifest>,
    reader: CoreutilsReader,
    warn: bool,
    stdin_is_fresh: bool,
    line: Vec<u8>,
}

/// A manifest that is being read.
struct Manifest {
    input: BufReader<File>,
    is_stdin: bool,
    line: u64,
    end: End,
}

impl Items {
    fn open(&self, path: OsString) -> Result<Manifest, End> {
        let is_stdin = path == "-";
        let file = if is_stdin {
            io::stdin().as_fd().try_clone_to_owned().map(File::from)
        } else {
            File::open(&path)
        };
        let manifest = if is_stdin { "standard input".into() } else { path };
        let end = End { manifest, entries: 0, improper: 0, unopened: None, unread: false };
        match file {
            Ok(file) => Ok(Manifest {
                input: BufReader::with_capacity(64 << 10, file),
                is_stdin,
                line: 0,
                end,
            }),
            Err(error) => Err(End { unopened: Some(error), ..end }),
        }
    }

    /// The next thing to report of a manifest; its end, if there is nothing else.
    fn item(&mut self, mut manifest: Manifest) -> Item {
        loop {
            match read_line(&mut manifest.input, b'\n', &mut self.line) {
                Err(_) => return Item::End(End { unread: true, ..manifest.end }),
                Ok(false) => return Item::End(manifest.end),
                Ok(true) => manifest.line += 1,
            }
            let (kind, digest, name) = match self.reader.line(&self.line) {
                CoreutilsLine::Skip => continue,
                // The manifest itself cannot be among the files.
                CoreutilsLine::Entry { kind, digest, name }
                    if !(manifest.is_stdin && &*name == b"-") =>
                {
                    (kind, digest, Cow::into_owned(name))
                }
                _ => {
                    manifest.end.improper += 1;
                    if !self.warn {
                        continue;
                    }
                    let item = Item::Improper {
                        manifest: manifest.end.manifest.clone(),
                        line: manifest.line,
                        kind: self.reader.kind(),
                    };
                    self.current = Some(manifest);
                    return item;
                }
            };
            manifest.end.entries += 1;
            self.current = Some(manifest);
            let is_first = name != b"-" || std::mem::take(&mut self.stdin_is_fresh);
            let sum = Sum::of_kind(kind);
            let algorithm = match sum {
                Sum::Lanesum(algorithm) => Some([algorithm]),
                _ => None,
            };
            let name = OsString::from_vec(name);
            return Item::Entry(Entry {
                name,
                is_first,
                sum,
                algorithm,
                digest,
                digest_len: kind.digest_len,
            });
        }
    }
}

impl Iterator for Items {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        if let Some(manifest) = self.current.take() {
            return Some(self.item(manifest));
        }
        let path = self.manifests.next()?;
        Some(match self.open(path) {
            Ok(manifest) => self.item(manifest),
            Err(end) => Item::End(end),
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

/// Says what comes of each file, and of each manifest.
struct Verdicts<'a> {
    options: &'a Options,
    streams: &'a mut Streams,
    /// Of the manifest that is being reported.
    counts: Counts,
    well: bool,
}

impl Verdicts<'_> {
    fn entry(
        &mut self,
        entry: &Entry,
        digests: Result<lanesum_files::Digests, lanesum_files::Error>,
    ) {
        let expected = &entry.digest[..entry.digest_len];
        let matches = match digests {
            Err(error) => Err((error.kind(), source(error))),
            Ok(digests) => match digests.first() {
                Some(digest) => Ok(digest.as_bytes().starts_with(expected)),
                None => match other(entry.sum, input(&entry.name, entry.is_first)) {
                    Ok(outcome) => Ok(
                        matches!(outcome, Outcome::Digest(digest) if digest.starts_with(expected)),
                    ),
                    Err(error) => Err((error.kind(), Box::new(error) as Box<dyn Error>)),
                },
            },
        };
        let word = match matches {
            Ok(true) => {
                self.counts.matched += 1;
                if self.options.report == Report::Quiet {
                    return;
                }
                "OK"
            }
            Ok(false) => {
                self.counts.mismatched += 1;
                "FAILED"
            }
            Err((ErrorKind::NotFound, _)) if self.options.ignore_missing => return,
            Err((_, error)) => {
                self.counts.unread += 1;
                fail(entry.name.as_bytes(), &*error, self.streams);
                "FAILED open or read"
            }
        };
        if self.options.report != Report::Status {
            let out = self.streams.out();
            out.extend_from_slice(&coreutils_report_name(entry.name.as_bytes()));
            out.extend_from_slice(b": ");
            out.extend_from_slice(word.as_bytes());
            out.push(b'\n');
        }
    }

    fn say(&mut self, manifest: &OsStr, message: &str) {
        let name = quote::name(manifest.as_bytes());
        self.streams.error(&[&name[..], b": ", message.as_bytes()].concat());
    }

    fn end(&mut self, end: &End) {
        let counts = std::mem::take(&mut self.counts);
        if let Some(error) = &end.unopened {
            fail(end.manifest.as_bytes(), error, self.streams);
            self.well = false;
            return;
        }
        if end.unread {
            self.say(&end.manifest, "read error");
            self.well = false;
            return;
        }
        if end.entries == 0 {
            self.say(&end.manifest, "no properly formatted checksum lines found");
        } else if self.options.report != Report::Status {
            let warnings = [
                (end.improper, "line is improperly formatted", "lines are improperly formatted"),
                (counts.unread, "listed file could not be read", "listed files could not be read"),
                (
                    counts.mismatched,
                    "computed checksum did NOT match",
                    "computed checksums did NOT match",
                ),
            ];
            for (count, one, many) in warnings.into_iter().filter(|(count, ..)| *count > 0) {
                let what = if count == 1 { one } else { many };
                self.streams.error(format!("WARNING: {count} {what}").as_bytes());
            }
            if self.options.ignore_missing && counts.matched == 0 {
                self.say(&end.manifest, "no file was verified");
            }
        }
        self.well &= counts.matched > 0
            && counts.mismatched == 0
            && counts.unread == 0
            && !(self.options.strict && end.improper > 0);
    }
}
