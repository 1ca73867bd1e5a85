//! GNU coreutils' checksum tools: `sha256sum` and its relatives, `b2sum`, `sum` and `cksum`.
//!
//! Output, messages and exit statuses are those of release 9.10, byte for byte. The differences are
//!
//! - the texts of `--help` and `--version`, which are Lanesum's;
//! - `cksum --debug`, which reports the kernels of every sum;
//! - messages are not translated;
//! - a FIFO with the name of a listed file: `-c` reports it as unreadable, while GNU's tools wait
//!   for a writer;
//! - on a terminal, deceptive characters in names are escaped.
//!
//! Lanesum's algorithms run on all cores and in lanes, BLAKE2b and SHA-3 on all cores. CRC and
//! truncated BLAKE2b run on one core.

mod check;
mod options;
mod print;
mod sums;

use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::ExitCode;

use lanesum::{Algorithm, Policy};
use lanesum_files::{Input, Kinds, Settings, open};
use lanesum_streams::was_closed;
use options::{Options, Refusal};
use sums::{MAX_DIGEST_BYTES, Outcome, Sum};

use super::quote;
use super::streams::Streams;
use crate::message::reason;
use crate::standard;

/// The emulated tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tool {
    /// A tool for a single algorithm, with its name.
    One(&'static str, Algorithm),
    B2sum,
    Sum,
    Cksum,
}

impl Tool {
    fn name(self) -> &'static str {
        match self {
            Self::One(name, _) => name,
            Self::B2sum => "b2sum",
            Self::Sum => "sum",
            Self::Cksum => "cksum",
        }
    }

    /// Returns the default sum.
    fn sum(self) -> Sum {
        match self {
            Self::One(_, algorithm) => Sum::Lanesum(algorithm),
            Self::B2sum => Sum::Blake2b(MAX_DIGEST_BYTES),
            Self::Sum => Sum::Bsd,
            Self::Cksum => Sum::Crc,
        }
    }
}

pub(super) fn run(tool: Tool, called: &OsStr, arguments: Vec<OsString>) -> ExitCode {
    let mut streams = Streams::new(called.as_bytes());
    let options = match Options::parse(tool, arguments) {
        Ok(options) => options,
        Err(refusal) => {
            let status = refuse(tool, called, refusal, &mut streams);
            return streams.finish(status);
        }
    };
    let policy = match Policy::from_env() {
        Ok(policy) => policy,
        Err(error) => {
            streams.error(format!("{}: {error}", error.variable()).as_bytes());
            return streams.finish(1);
        }
    };
    let settings = Settings::new(policy);
    if options.check || !options.sum.is_number() {
        streams.abort_on_write_error();
    }
    let success = if options.check {
        check::run(tool, &options, &settings, &mut streams)
    } else {
        if options.debug {
            streams.error(kernels(options.sum, &settings.policy).as_bytes());
        }
        print::run(&options, &settings, &mut streams)
    };
    if streams.has_read_closed() {
        // GNU's tools report an error when they close a standard input that was already closed.
        streams.error(b"standard input: Bad file descriptor");
        return streams.finish(1);
    }
    streams.finish(u8::from(!success))
}

/// Formats the kernels for a single message and for a full batch.
fn kernels(sum: Sum, policy: &Policy) -> String {
    match sum.algorithm().and_then(|algorithm| policy.engine(algorithm).ok()) {
        Some(engine) => {
            let [one, many] = [1, 32].map(|messages| engine.kernel(messages));
            format!("using {one}, and {many} for many files")
        }
        None => "using generic code, one file at a time".to_owned(),
    }
}

/// Reports why nothing is hashed. Returns the exit status.
fn refuse(tool: Tool, called: &OsStr, refusal: Refusal, streams: &mut Streams) -> u8 {
    match refusal {
        Refusal::Help => {
            streams.out().extend(help(tool, called));
            return 0;
        }
        Refusal::Version => {
            let line = format!(
                "{} (Lanesum) {}, after GNU coreutils 9.10\n",
                tool.name(),
                env!("CARGO_PKG_VERSION")
            );
            streams.out().extend(line.into_bytes());
            return 0;
        }
        Refusal::Plain(messages) => messages.iter().for_each(|message| streams.error(message)),
        Refusal::Usage(message) => {
            if let Some(message) = message {
                streams.error(&message);
            }
            streams.raw_error(
                &[b"Try '", called.as_bytes(), b" --help' for more information.\n"].concat(),
            );
        }
    }
    1
}

fn help(tool: Tool, called: &OsStr) -> Vec<u8> {
    let mut text = [b"Usage: ", called.as_bytes(), b" [OPTION]... [FILE]...\n"].concat();
    let (what, options) = match tool {
        Tool::One(_, algorithm) => (
            format!("Print or verify {} digests.", algorithm.title()),
            "\
  -b, --binary          mark names with an asterisk
      --tag             write BSD-style tagged lines
  -t, --text            do not mark names (default)
",
        ),
        Tool::B2sum => (
            "Print or verify BLAKE2b digests.".to_owned(),
            "\
  -b, --binary          mark names with an asterisk
  -l, --length=BITS     digest length, a multiple of 8 up to 512
      --tag             write BSD-style tagged lines
  -t, --text            do not mark names (default)
",
        ),
        Tool::Sum => (
            "Print BSD or System V checksums and block counts.".to_owned(),
            "\
  -r                    use the BSD algorithm and 1024-byte blocks (default)
  -s, --sysv            use the System V algorithm and 512-byte blocks
",
        ),
        Tool::Cksum => (
            "\
Print or verify checksums and digests. TYPE is sha224, sha256, sha384, sha512 or one of

  sysv     System V sum
  bsd      BSD sum
  crc      POSIX CRC (default)
  crc32b   CRC-32 of Ethernet and gzip
  md5      RFC 1321
  sha1     FIPS 180
  sha2     FIPS 180; requires --length 224, 256, 384 or 512
  sha3     FIPS 202; requires --length 224, 256, 384 or 512
  blake2b  RFC 7693
  sm3      GB/T 32905"
                .to_owned(),
            "\
  -a, --algorithm=TYPE  select the algorithm
  -l, --length=BITS     digest length for sha2, sha3 and blake2b
      --base64          write digests in base64
      --raw             write only the bytes of the digest
      --tag             write BSD-style tagged lines (default)
      --untagged        write lines that start with the digest
      --debug           report the kernels in use
",
        ),
    };
    let checks = match tool {
        Tool::Sum => "",
        _ => {
            "\
  -z, --zero            end lines with NUL, and do not escape names
  -c, --check           read checksums from the FILEs and verify them
      --ignore-missing  ignore missing files
      --quiet           do not print OK for files that match
      --status          print nothing; only set the exit status
      --strict          exit with status 1 if a line is malformed
  -w, --warn            warn about malformed lines
"
        }
    };
    text.extend(
        format!(
            "{what}\n\nWith no FILE, or when FILE is -, read standard input.\n\n\
         {options}{checks}      \
      --help            print this help
      --version         print the version

This is Lanesum, called by another name. It hashes on all cores; see 'lanesum --help'.
"
        )
        .into_bytes(),
    );
    text
}

/// Whether the policy has a kernel for the sum, if it needs one. Reports an error otherwise.
fn is_possible(sum: Sum, settings: &Settings, streams: &mut Streams) -> bool {
    let Some(algorithm) = sum.algorithm() else { return true };
    let possible = settings.policy.check(algorithm);
    if let Err(error) = &possible {
        streams.error(format!("{}: {error}", error.variable()).as_bytes());
    }
    possible.is_ok()
}

/// Returns the input called `name`. After the first use, standard input is empty.
fn input<'a>(name: &'a OsStr, is_first: bool) -> Input<'a> {
    match (name.as_bytes(), is_first) {
        (b"-", true) => Input::StandardInput,
        // If standard input is closed, every use fails.
        (b"-", false) if was_closed(0) => Input::StandardInput,
        (b"-", false) => Input::File(Path::new("/dev/null")),
        _ => Input::File(Path::new(name)),
    }
}

/// Computes a sum that `lanesum-files` lacks, of a file of one of the `kinds`.
fn other(sum: Sum, input: Input<'_>, kinds: Kinds) -> io::Result<Outcome> {
    let file = match input {
        Input::File(path) => open(path, kinds)?,
        _ => standard::input()?,
    };
    sums::other(sum, file)
}

/// Reports that a file could not be hashed.
fn fail(name: &[u8], error: &dyn Error, streams: &mut Streams) {
    streams.error(&[&quote::name(name)[..], b": ", reason(error).as_bytes()].concat());
}

/// Returns the system's error that caused a file's error.
fn source(error: lanesum_files::Error) -> Box<dyn Error> {
    error.into_source().map_or_else(|| "read error".into(), Into::into)
}
