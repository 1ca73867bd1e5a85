//! GNU coreutils' sums: `sha256sum` and its like, `b2sum`, `sum` and `cksum`.
//!
//! What they print, say and exit with is that of release 9.10, byte for byte. It differs
//!
//! - in the texts of `--help` and `--version`, which are our own;
//! - in what `cksum --debug` says: which kernels hash, of every sum;
//! - in other languages than English: messages are not translated;
//! - where `-c` finds a FIFO under the name of a file: that file could not be read, and GNU's tools
//!   would wait for the FIFO's writer;
//! - on a terminal, where deceptive characters of names are escaped.
//!
//! Lanesum's algorithms run on all cores and lanes, BLAKE2b and SHA-3 on all cores. CRC and shortened
//! BLAKE2b run on one core.

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
use sums::{LONGEST, Outcome, Sum};

use super::quote;
use super::streams::Streams;
use crate::say::reason;
use crate::standard;

/// Which of the tools this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tool {
    /// That for one algorithm, by its name.
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

    /// What is computed unless it is asked for something else.
    fn sum(self) -> Sum {
        match self {
            Self::One(_, algorithm) => Sum::Lanesum(algorithm),
            Self::B2sum => Sum::Blake2b(LONGEST),
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
            streams.error(format!("LANESUM_KERNEL: {error}").as_bytes());
            return streams.finish(1);
        }
    };
    let settings = Settings::new(policy);
    if options.check || !options.sum.is_number() {
        streams.stop_unwritten();
    }
    let well = if options.check {
        check::run(tool, &options, &settings, &mut streams)
    } else {
        if options.debug {
            streams.error(kernels(options.sum, &settings.policy).as_bytes());
        }
        print::run(&options, &settings, &mut streams)
    };
    if streams.has_read_closed() {
        // C closes its stream at the end, and cannot.
        streams.error(b"standard input: Bad file descriptor");
        return streams.finish(1);
    }
    streams.finish(u8::from(!well))
}

/// What hashes: that of one message, and that of as many as there may be lanes.
fn kernels(sum: Sum, policy: &Policy) -> String {
    match sum.algorithm().and_then(|algorithm| policy.engine(algorithm).ok()) {
        Some(engine) => {
            let [one, many] = [1, 32].map(|messages| engine.kernel(messages));
            format!("using {one}, and {many} for many files")
        }
        None => "using generic code, one file at a time".to_owned(),
    }
}

/// Says why nothing is hashed, and returns the status.
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
            format!("Prints {} digests of files, or checks them.", algorithm.title()),
            "\
  -b, --binary          an asterisk before each name
      --tag             lines that begin with the algorithm's name
  -t, --text            no asterisk before names (as without -b)
",
        ),
        Tool::B2sum => (
            "Prints BLAKE2b digests of files, or checks them.".to_owned(),
            "\
  -b, --binary          an asterisk before each name
  -l, --length=BITS     shorter digests
      --tag             lines that begin with the algorithm's name
  -t, --text            no asterisk before names (as without -b)
",
        ),
        Tool::Sum => (
            "Prints checksums of files, as BSD or System V had them.".to_owned(),
            "\
  -r                    BSD's sums, and blocks of 1024 bytes (as without -s)
  -s, --sysv            those of System V, and blocks of 512 bytes
",
        ),
        Tool::Cksum => (
            "\
Prints checksums or digests of files, or checks digests. Besides sha224, sha256, sha384 and
sha512 the TYPEs are

  sysv     System V's sum
  bsd      BSD's sum
  crc      the CRC of POSIX, unless another is asked for
  crc32b   the CRC of Ethernet and gzip
  md5      of RFC 1321
  sha1     of FIPS 180
  sha2     of FIPS 180, with --length 224, 256, 384 or 512
  sha3     of FIPS 202, with --length 224, 256, 384 or 512
  blake2b  of RFC 7693
  sm3      of GB/T 32905"
                .to_owned(),
            "\
  -a, --algorithm=TYPE  what to compute; crc unless said
  -l, --length=BITS     the length of digests of sha2, sha3 and blake2b
      --base64          digests in base64
      --raw             the bytes of a digest, and nothing else
      --tag             lines that begin with the algorithm's name (as without --untagged)
      --untagged        lines that begin with the digest
      --debug           say which kernels hash
",
        ),
    };
    let checks = match tool {
        Tool::Sum => "",
        _ => {
            "\
  -z, --zero            lines end in NUL, and names are as they are
  -c, --check           read lines from the FILEs and check the files that they name
      --ignore-missing  pass over files that are missing
      --quiet           no OK for files that match
      --status          no report, the exit status tells
      --strict          fail on lines that are not understood, too
  -w, --warn            say which lines are not understood
"
        }
    };
    text.extend(
        format!(
            "{what}\n\nStandard input is read for -, and without a FILE.\n\n\
         {options}{checks}      \
      --help            this text
      --version         the version

This is Lanesum under another name: it hashes on all cores, and 'lanesum --help' tells more.
"
        )
        .into_bytes(),
    );
    text
}

/// Whether there is a kernel for the sum, if it needs one. If not, that is said.
fn is_possible(sum: Sum, settings: &Settings, streams: &mut Streams) -> bool {
    let Some(algorithm) = sum.algorithm() else { return true };
    let possible = settings.policy.check(algorithm);
    if let Err(error) = &possible {
        streams.error(format!("LANESUM_KERNEL: {error}").as_bytes());
    }
    possible.is_ok()
}

/// Where the bytes of what is called `name` come from. What is left of standard input
/// is nothing, once it has been read.
fn input<'a>(name: &'a OsStr, is_first: bool) -> Input<'a> {
    match (name.as_bytes(), is_first) {
        (b"-", true) => Input::StandardInput,
        // It fails each time.
        (b"-", false) if was_closed(0) => Input::StandardInput,
        (b"-", false) => Input::File(Path::new("/dev/null")),
        _ => Input::File(Path::new(name)),
    }
}

/// Computes a sum that is not one of Lanesum's, of a file of one of the `kinds`.
fn other(sum: Sum, input: Input<'_>, kinds: Kinds) -> io::Result<Outcome> {
    let file = match input {
        Input::File(path) => open(path, kinds)?,
        _ => standard::input()?,
    };
    sums::other(sum, file)
}

/// Says why a file could not be hashed.
fn fail(name: &[u8], error: &dyn Error, streams: &mut Streams) {
    streams.error(&[&quote::name(name)[..], b": ", reason(error).as_bytes()].concat());
}

/// The system's error behind that of a file.
fn source(error: lanesum_files::Error) -> Box<dyn Error> {
    error.into_source().map_or_else(|| "read error".into(), Into::into)
}
