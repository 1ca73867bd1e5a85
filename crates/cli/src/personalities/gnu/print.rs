//! Prints a digest line for each file.

use std::error::Error;
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;

use lanesum_files::{Input, Job, Kinds, Progress, Settings, hash};
use lanesum_manifest::{Checksum, CoreutilsStyle, Terminator};

use super::options::Options;
use super::sums::{MAX_DIGEST_BYTES, Outcome, Sum};
use super::{fail, input, is_possible, other, source};
use crate::personalities::streams::Streams;

/// A file to hash. Sums that `lanesum-files` lacks are computed when the file is printed.
struct File {
    name: OsString,
    is_first: bool,
    algorithm: Option<[Checksum; 1]>,
}

impl Job for File {
    fn input(&self) -> Input<'_> {
        match self.algorithm {
            Some(_) => input(&self.name, self.is_first),
            None => Input::Nothing,
        }
    }

    fn algorithms(&self) -> &[Checksum] {
        self.algorithm.as_ref().map_or(&[], |algorithm| algorithm)
    }

    fn accepts_changes(&self) -> bool {
        true
    }
}

/// Prints the sums. Returns whether all could be computed.
pub(super) fn run(options: &Options, settings: &Settings, streams: &mut Streams) -> bool {
    if !is_possible(options.sum, settings, streams) {
        return false;
    }
    if options.zero {
        streams.gather();
    }
    let mut names = options.files.clone();
    if names.is_empty() {
        names.push("-".into());
    }
    if names.iter().any(|name| name == "-") {
        streams.read_stdin();
    }
    let algorithm = options.sum.checksum().map(|checksum| [checksum]);
    let mut is_first = true;
    let files = names.into_iter().map(move |name| {
        let is_first = name != "-" || std::mem::take(&mut is_first);
        File { name, is_first, algorithm }
    });
    let mut success = true;
    hash(files, settings, &Progress::default(), |file, digests| {
        let outcome = match digests {
            Err(error) => Err(source(error)),
            Ok(digests) => match digests.first() {
                Some(digest) => Ok(Outcome::Digest(digest.as_bytes().to_vec())),
                None => other(options.sum, input(&file.name, file.is_first), Kinds::Any)
                    .map_err(|error| Box::new(error) as Box<dyn Error>),
            },
        };
        let name = file.name.as_bytes();
        match outcome {
            Ok(outcome) => line(options, name, &outcome, streams),
            Err(error) => {
                fail(name, &*error, streams);
                success = false;
            }
        }
        streams.advance()
    });
    success
}

fn line(options: &Options, name: &[u8], outcome: &Outcome, streams: &mut Streams) {
    let out = streams.out();
    let terminator = if options.zero { Terminator::Nul } else { Terminator::Newline };
    let numbers = match (outcome, options.sum) {
        (Outcome::Digest(digest), sum) => {
            if options.raw {
                return out.extend(digest);
            }
            let style = CoreutilsStyle {
                is_tagged: options.tag,
                asterisk: options.binary,
                base64: options.base64,
                terminator,
            };
            // The tag includes the length of a truncated digest; SHA-2 digests have their own tags.
            let sum = sum.algorithm().map_or(sum.with_len(MAX_DIGEST_BYTES), Sum::Lanesum);
            return style.write(sum.kind(), digest, name, out);
        }
        (Outcome::Number { sum, .. }, Sum::Bsd | Sum::SystemV) if options.raw => {
            return out.extend((*sum as u16).to_be_bytes());
        }
        (Outcome::Number { sum, .. }, _) if options.raw => return out.extend(sum.to_be_bytes()),
        (Outcome::Number { sum, len }, Sum::Bsd) => format!("{sum:05} {:5}", len.div_ceil(1024)),
        (Outcome::Number { sum, len }, Sum::SystemV) => format!("{sum} {}", len.div_ceil(512)),
        (Outcome::Number { sum, len }, _) => format!("{sum} {len}"),
    };
    out.extend(numbers.into_bytes());
    if !options.files.is_empty() {
        out.push(b' ');
        streams.push_name(name);
    }
    streams.out().push(terminator.byte());
}
