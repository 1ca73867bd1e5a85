//! Solaris's `digest` and `mac`.
//!
//! Flags, messages and exit statuses are identical to the original tools'. Files are hashed on all
//! cores and in lanes instead of one at a time; results are printed in the same order. Where the
//! original tools lose data silently, this implementation differs: failure to write output is an
//! error, and a FIFO is waited for.

use std::ffi::{OsStr, OsString};
use std::fs::File as Opened;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::ExitCode;

use lanesum::unstable::Locked;
use lanesum::{Algorithm, HmacKey, Policy, pbkdf2};
use lanesum_files::{Checksum, Input, Job, Progress, Settings, Step, hash};
use zeroize::Zeroizing;

use super::getopt::{Dialect, Getopt};
use super::streams::Streams;
use super::token::{self, Cause, Failure, Key, TokenKey};
use crate::key;
use crate::message::reason;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tool {
    Digest,
    Mac,
}

/// Exit status if a file could not be hashed.
const FAILURE: u8 = 1;
/// Exit status of a usage error.
const USAGE: u8 = 2;

/// The algorithms, in the order in which the tools list them.
const ALGORITHMS: [Algorithm; 5] =
    [Algorithm::SHA1, Algorithm::MD5, Algorithm::SHA256, Algorithm::SHA384, Algorithm::SHA512];

/// Salt of PBKDF2-HMAC-SHA-1, which derives a key from a passphrase. It is fixed so that keys are
/// reproducible.
const SALT: [u8; 16] = [0x0a; 16];
/// Number of PBKDF2 iterations.
const ITERATIONS: u32 = 1000;
/// Length of the derived key, in bytes.
const KEY_LEN: usize = 16;

/// Maximum passphrase length, in bytes; longer ones are truncated.
const MAX_PASSPHRASE: usize = 256;

#[derive(Default)]
struct Options {
    algorithm: Option<OsString>,
    key_file: Option<OsString>,
    token: Option<OsString>,
    key_label: Option<OsString>,
    list: bool,
    verbose: bool,
    files: Vec<OsString>,
}

pub(super) fn run(tool: Tool, called: &OsStr, arguments: Vec<OsString>) -> ExitCode {
    let name = match tool {
        Tool::Digest => "digest",
        Tool::Mac => "mac",
    };
    let mut streams = Streams::new(name.as_bytes());
    let Some(options) = parse(tool, called, arguments, &mut streams) else {
        streams.raw_error(match tool {
            Tool::Digest => b"Usage:\n  digest -l | [-v] -a <algorithm> [file...]\n",
            Tool::Mac => {
                b"Usage:\n  mac -l\n  mac [-v] -a <algorithm> \
                  [-k <keyfile> | -K <keylabel> [-T <tokenspec>]] [file...]\n"
            }
        });
        return streams.finish(USAGE);
    };
    let status = match prepare(tool, &options, &mut streams) {
        Ok(Some(Prepared::Here(algorithm, key, policy))) => {
            all(&options, algorithm, key.as_deref(), *policy, &mut streams)
        }
        Ok(Some(Prepared::OnToken(key))) => all_on_token(&options, &key, &mut streams),
        Ok(None) => 0,
        Err(failure) => {
            match failure {
                Failure::Named(message) => streams.error(&message),
                Failure::Raw(message) => streams.raw_error(&message),
            }
            FAILURE
        }
    };
    streams.finish(status)
}

fn parse(
    tool: Tool,
    called: &OsStr,
    arguments: Vec<OsString>,
    streams: &mut Streams,
) -> Option<Options> {
    let count = arguments.len();
    let letters = match tool {
        Tool::Digest => "lva:",
        Tool::Mac => "lva:k:T:K:",
    };
    let mut getopt = Getopt::new(Dialect::Solaris, letters, &[], arguments);
    let mut options = Options::default();
    for found in &mut getopt {
        match found {
            Ok(('a', value)) => options.algorithm = value,
            Ok(('k', value)) => options.key_file = value,
            Ok(('T', value)) => options.token = value,
            Ok(('K', value)) => options.key_label = value,
            Ok(('l', _)) => options.list = true,
            Ok(_) => options.verbose = true,
            Err(message) => {
                streams.raw_error(&[called.as_bytes(), b": ", &message, b"\n"].concat());
                return None;
            }
        }
    }
    options.files = getopt.operands();
    let is_wrong = (options.algorithm.is_none() && !options.list)
        || (options.list && count > 1)
        || (options.key_file.is_some() && options.key_label.is_some())
        || (options.token.is_some() && options.key_label.is_none());
    (!is_wrong).then_some(options)
}

/// The prepared way to hash files.
enum Prepared {
    /// Hashing by this process: the algorithm, the HMAC key if any, and the kernels.
    Here(Algorithm, Option<Locked<HmacKey>>, Box<Policy>),
    /// Signing by a token whose key cannot be extracted.
    OnToken(TokenKey),
}

impl From<Vec<u8>> for Failure {
    fn from(message: Vec<u8>) -> Self {
        Self::Named(message)
    }
}

/// Prepares hashing. If only a list was requested, prints it and returns `None`.
fn prepare(
    tool: Tool,
    options: &Options,
    streams: &mut Streams,
) -> Result<Option<Prepared>, Failure> {
    let Some(name) = options.algorithm.as_deref().map(OsStr::as_bytes) else {
        list(tool, streams.out());
        return Ok(None);
    };
    let with_name = |text: &str| [text.as_bytes(), b" -- ", name].concat();
    let digest = |algorithm: &Algorithm| algorithm.name().as_bytes() == name;
    let mac =
        |algorithm: &Algorithm| name.strip_suffix(b"_hmac") == Some(algorithm.name().as_bytes());
    let of_digest = ALGORITHMS.into_iter().find(digest);
    let of_mac = ALGORITHMS.into_iter().find(mac);
    if of_digest.or(of_mac).is_none() && name != b"des_mac" {
        return Err(with_name("unknown algorithm").into());
    }
    let missing = || with_name("no cryptographic provider was found for this algorithm");
    let secret = match (tool, &options.key_label) {
        (Tool::Mac, Some(label)) => {
            match token::find(options.token.as_deref(), label, of_mac.ok_or_else(missing)?)? {
                Key::Value(value) => Some(Locked::copy(&value)),
                Key::OnToken(key) => return Ok(Some(Prepared::OnToken(key))),
            }
        }
        (Tool::Mac, None) => Some(read_key(options)?),
        (Tool::Digest, _) => None,
    };
    if options.list {
        list(tool, streams.out());
        return Ok(None);
    }
    let algorithm = match tool {
        Tool::Digest => of_digest,
        Tool::Mac => of_mac,
    };
    let algorithm = algorithm.ok_or_else(missing)?;
    let policy = Policy::from_env().and_then(|policy| Ok((policy.engine(algorithm)?, policy)));
    let (engine, policy) =
        policy.map_err(|error| format!("{}: {error}", error.variable()).into_bytes())?;
    let key = secret.map(|secret| key::ready(&engine, &secret));
    Ok(Some(Prepared::Here(algorithm, key, Box::new(policy))))
}

fn list(tool: Tool, out: &mut Vec<u8>) {
    if tool == Tool::Mac {
        out.extend(b"Algorithm       Keysize:  Min   Max (bits)\n");
        out.extend(b"------------------------------------------\n");
    }
    for algorithm in ALGORITHMS {
        let line = match tool {
            Tool::Digest => format!("{algorithm}\n"),
            Tool::Mac => {
                let name = format!("{algorithm}_hmac");
                format!("{name:<15}         {:5} {:5}\n", 8, algorithm.block_len() * 8)
            }
        };
        out.extend(line.into_bytes());
    }
}

/// Returns the key: the bytes of a file, or derived from a passphrase.
fn read_key(options: &Options) -> Result<Locked<[u8]>, Vec<u8>> {
    if let Some(path) = &options.key_file {
        let key = Opened::open(path).and_then(key::read).ok().filter(|key| !key.is_empty());
        return key.ok_or_else(|| b"invalid key.".to_vec());
    }
    let passphrase = rpassword::prompt_password("Enter key: ").map(Zeroizing::new);
    let passphrase = passphrase.ok().filter(|passphrase| !passphrase.is_empty());
    let passphrase = passphrase.ok_or_else(|| b"invalid passphrase.".to_vec())?;
    let passphrase = passphrase.as_bytes();
    let passphrase = &passphrase[..passphrase.len().min(MAX_PASSPHRASE)];
    let mut key = Locked::zeros(KEY_LEN);
    pbkdf2(Algorithm::SHA1, passphrase, SALT, ITERATIONS, &mut key)
        .map_err(|error| error.to_string())?;
    Ok(key)
}

struct File<'a> {
    /// `None` for standard input.
    name: Option<&'a OsStr>,
    algorithm: &'a [Checksum; 1],
    key: Option<&'a HmacKey>,
}

impl Job for File<'_> {
    fn input(&self) -> Input<'_> {
        self.name.map_or(Input::StandardInput, |name| Input::File(Path::new(name)))
    }

    fn algorithms(&self) -> &[Checksum] {
        self.algorithm
    }

    fn key(&self) -> Option<&HmacKey> {
        self.key
    }

    fn accepts_changes(&self) -> bool {
        true
    }
}

/// Hashes all files. Returns the exit status.
fn all(
    options: &Options,
    algorithm: Algorithm,
    key: Option<&HmacKey>,
    policy: Policy,
    streams: &mut Streams,
) -> u8 {
    let settings = Settings::new(policy);
    let mut names: Vec<_> = options.files.iter().map(|name| Some(name.as_os_str())).collect();
    if names.is_empty() {
        names.push(None);
    }
    let algorithm = &[algorithm.into()];
    let files = names.into_iter().map(|name| File { name, algorithm, key });
    let mut status = 0;
    hash(files, &settings, &Progress::default(), |file, digests| {
        match digests {
            Ok(digests) => {
                line(options, file.name, &digests[0].to_string(), streams);
            }
            Err(error) => status = fail(file.name, error, streams),
        }
        streams.advance()
    });
    status
}

/// Signs all files on a token. Returns the exit status.
fn all_on_token(options: &Options, key: &TokenKey, streams: &mut Streams) -> u8 {
    let mut names: Vec<_> = options.files.iter().map(|name| Some(name.as_os_str())).collect();
    if names.is_empty() {
        names.push(None);
    }
    let mut status = 0;
    for name in names {
        match key.sign(name) {
            Ok(tag) => {
                let tag = data_encoding::HEXLOWER.encode(&tag);
                line(options, name, &tag, streams);
            }
            Err(cause) => status = print_cause(name, cause, streams),
        }
        if streams.advance().is_break() {
            break;
        }
    }
    status
}

fn line(options: &Options, name: Option<&OsStr>, digest: &str, streams: &mut Streams) {
    let out = streams.out();
    if let (true, Some(algorithm)) = (options.verbose, &options.algorithm) {
        out.extend(algorithm.as_bytes());
        out.push(b' ');
    }
    if let Some(name) = name.filter(|_| options.verbose || options.files.len() > 1) {
        out.push(b'(');
        streams.push_name(name.as_bytes());
        streams.out().extend(b") = ");
    }
    streams.out().extend(digest.as_bytes());
    streams.out().push(b'\n');
}

/// Reports why a file has no digest. Returns the exit status for it; the last file's status counts.
fn fail(name: Option<&OsStr>, error: lanesum_files::Error, streams: &mut Streams) -> u8 {
    let cause = match error.step() {
        Step::Open => Cause::Open,
        _ => Cause::Read(error.into_source().unwrap_or_else(|| io::Error::other("read error"))),
    };
    print_cause(name, cause, streams)
}

fn print_cause(name: Option<&OsStr>, cause: Cause, streams: &mut Streams) -> u8 {
    let name = name.map_or(&b"STDIN"[..], OsStr::as_bytes);
    // These messages end with a newline, and the tools append another.
    let cause = match cause {
        Cause::Open => {
            streams.error(&[b"can not open input file ", name, b"\n"].concat());
            return USAGE;
        }
        Cause::Read(error) => {
            streams.error(format!("error reading file: {}", reason(&error)).as_bytes());
            "CKR_GENERAL_ERROR".to_owned()
        }
        Cause::Token(cause) => cause,
    };
    let text = [b"crypto operation failed for file ", name, b": ", cause.as_bytes(), b"\n"];
    streams.error(&text.concat());
    FAILURE
}
