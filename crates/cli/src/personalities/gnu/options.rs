//! The options of GNU's tools, and their valid combinations.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;

use lanesum_manifest::Lengths;

use super::Tool;
use super::sums::{MAX_DIGEST_BYTES, NAMES, Sum};
use crate::personalities::getopt::{Dialect, Getopt, Long};
use crate::personalities::quote;

#[derive(Debug)]
pub(super) struct Options {
    pub(super) sum: Sum,
    /// Whether the user selected `sum`, so that it applies to every line.
    pub(super) is_settled: bool,
    pub(super) check: bool,
    pub(super) tag: bool,
    /// Whether to mark names with an asterisk.
    pub(super) binary: bool,
    pub(super) zero: bool,
    pub(super) base64: bool,
    /// Whether to print only the bytes of the digest.
    pub(super) raw: bool,
    pub(super) ignore_missing: bool,
    pub(super) strict: bool,
    pub(super) report: Report,
    pub(super) debug: bool,
    pub(super) files: Vec<OsString>,
}

/// Verbosity of `--check`: the last option wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Report {
    #[default]
    Usual,
    Quiet,
    Status,
    Warn,
}

/// Why nothing is hashed.
pub(super) enum Refusal {
    Help,
    Version,
    /// An error, followed by a reference to `--help`.
    Usage(Option<Vec<u8>>),
    /// Messages without that reference.
    Plain(Vec<Vec<u8>>),
}

const fn long(name: &'static str, takes_value: bool, id: char) -> Long {
    Long { name, takes_value, id }
}

// Options without a short form have a capital letter as id, which the command line cannot select.
const LONG_OPTIONS: [Long; 19] = [
    long("length", true, 'l'),
    long("check", false, 'c'),
    long("ignore-missing", false, 'I'),
    long("quiet", false, 'Q'),
    long("status", false, 'S'),
    long("warn", false, 'w'),
    long("strict", false, 'R'),
    long("tag", false, 'T'),
    long("zero", false, 'z'),
    long("algorithm", true, 'a'),
    long("base64", false, 'B'),
    long("debug", false, 'D'),
    long("raw", false, 'W'),
    long("untagged", false, 'U'),
    long("binary", false, 'b'),
    long("text", false, 't'),
    long("sysv", false, 's'),
    long("help", false, 'H'),
    long("version", false, 'V'),
];

impl Tool {
    /// Returns the tool's short options in getopt's format, and its long options.
    fn options(self) -> (&'static str, Vec<Long>) {
        let (short, capitals) = match self {
            Self::One(..) => ("bctwz", "IQSRTHV"),
            Self::B2sum => ("l:bctwz", "IQSRTHV"),
            Self::Cksum => ("a:l:bctwz", "IQSRTBDWUHV"),
            Self::Sum => ("rs", "HV"),
        };
        let has = |option: &Long| short.contains(option.id) || capitals.contains(option.id);
        (short, LONG_OPTIONS.into_iter().filter(has).collect())
    }
}

impl Options {
    pub(super) fn parse(tool: Tool, arguments: Vec<OsString>) -> Result<Self, Refusal> {
        let is_cksum = tool == Tool::Cksum;
        let (short, long) = tool.options();
        let mut options = Self {
            sum: tool.sum(),
            is_settled: !is_cksum,
            check: false,
            tag: is_cksum,
            binary: false,
            zero: false,
            base64: false,
            raw: false,
            ignore_missing: false,
            strict: false,
            report: Report::Usual,
            debug: false,
            files: Vec::new(),
        };
        let mut length = None;
        let (mut tag, mut binary) = (None, None);
        let mut getopt = Getopt::new(Dialect::Gnu, short, &long, arguments);
        for found in &mut getopt {
            let (id, value) = found.map_err(|message| Refusal::Usage(Some(message)))?;
            let value = value.unwrap_or_default();
            match id {
                'a' => {
                    options.sum = algorithm(value.as_bytes())?;
                    options.is_settled = true;
                }
                'l' => length = Some((bits(value.as_bytes())?, value)),
                'c' => options.check = true,
                'I' => options.ignore_missing = true,
                'Q' => options.report = Report::Quiet,
                'S' => options.report = Report::Status,
                'w' => options.report = Report::Warn,
                'R' => options.strict = true,
                'z' => options.zero = true,
                'D' => options.debug = true,
                'B' => options.base64 = true,
                'W' => options.raw = true,
                'U' => tag = Some(false),
                'T' => tag = Some(true),
                'b' => binary = Some(true),
                't' => binary = Some(false),
                'r' => options.sum = Sum::Bsd,
                's' => options.sum = Sum::SystemV,
                'H' => return Err(Refusal::Help),
                'V' => return Err(Refusal::Version),
                _ => unreachable!("an option of the table"),
            }
        }
        options.files = getopt.operands();
        let length = length.as_ref().map(|(bits, text)| (*bits, text.as_bytes()));
        options.sum = with_length(options.sum, length, options.check)?;
        options.tag = tag.unwrap_or(options.tag);
        options.consistent(is_cksum, tag, binary)?;
        options.binary = binary == Some(true);
        Ok(options)
    }

    /// Rejects invalid combinations of options, in the order of GNU's checks.
    fn consistent(
        &self,
        is_cksum: bool,
        tag: Option<bool>,
        binary: Option<bool>,
    ) -> Result<(), Refusal> {
        let usage = |message: &str| Err(Refusal::Usage(Some(message.into())));
        if is_cksum && self.is_settled && self.sum.is_number() && self.check {
            return plain("--check is not supported with --algorithm={bsd,sysv,crc,crc32b}");
        }
        if self.base64 && self.raw {
            return usage("--base64 and --raw are mutually exclusive");
        }
        if self.check {
            if self.zero {
                return usage("the --zero option is not supported when verifying checksums");
            }
            if tag == Some(true) {
                return usage("the --tag option is meaningless when verifying checksums");
            }
            if binary.is_some() {
                return usage(
                    "the --binary and --text options are meaningless when verifying checksums",
                );
            }
        } else {
            let option = match self.report {
                _ if self.ignore_missing => Some("ignore-missing"),
                Report::Status => Some("status"),
                Report::Warn => Some("warn"),
                Report::Quiet => Some("quiet"),
                Report::Usual => self.strict.then_some("strict"),
            };
            if let Some(option) = option {
                return usage(&format!(
                    "the --{option} option is meaningful only when verifying checksums"
                ));
            }
            if self.tag && binary == Some(false) {
                return usage(match is_cksum {
                    true => "--text mode is only supported with --untagged",
                    false => "--tag does not support --text mode",
                });
            }
        }
        if self.raw && self.files.len() > 1 {
            return plain("the --raw option is not supported with multiple files");
        }
        Ok(())
    }
}

fn plain<T>(message: &str) -> Result<T, Refusal> {
    Err(Refusal::Plain(vec![message.into()]))
}

fn algorithm(name: &[u8]) -> Result<Sum, Refusal> {
    let named = NAMES.iter().find(|(known, _)| known.as_bytes() == name);
    named.map(|(_, sum)| *sum).ok_or_else(|| {
        let quoted = [quote::word(name), quote::word(b"--algorithm")];
        let mut message = [b"invalid argument ", &quoted[0][..], b" for ", &quoted[1][..]].concat();
        message.extend(b"\nValid arguments are:");
        for (known, _) in NAMES {
            message.extend([b"\n  - ", &quote::word(known.as_bytes())[..]].concat());
        }
        Refusal::Usage(Some(message))
    })
}

fn invalid_length(text: &[u8]) -> Vec<u8> {
    [b"invalid length: ", &quote::word(text)[..]].concat()
}

/// Parses a digest length, in bits; values that overflow saturate.
fn bits(text: &[u8]) -> Result<u64, Refusal> {
    let trimmed = text.trim_ascii_start();
    let digits = trimmed.strip_prefix(b"+").unwrap_or(trimmed);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(Refusal::Plain(vec![invalid_length(text)]));
    }
    Ok(str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok()).unwrap_or(u64::MAX))
}

/// Returns the sum with the requested digest length, in bits and as written; 0 selects the default,
/// if any.
fn with_length(sum: Sum, length: Option<(u64, &[u8])>, is_check: bool) -> Result<Sum, Refusal> {
    let (bits, text) = length.unwrap_or_default();
    let refuse = |text: &[u8], why: Vec<u8>| Err(Refusal::Plain(vec![invalid_length(text), why]));
    let quoted = quote::word(sum.kind().tag.as_bytes());
    match sum.kind().lengths {
        Lengths::One if bits == 0 => Ok(sum),
        Lengths::One => plain("--length is only supported with --algorithm blake2b, sha2, or sha3"),
        // Each line has its own digest length.
        Lengths::Four if length.is_none() && is_check => Ok(sum),
        Lengths::Four if length.is_none() => plain(&format!(
            "--algorithm={} requires specifying --length 224, 256, 384, or 512",
            sum.kind().tag.to_ascii_lowercase()
        )),
        Lengths::Four if !matches!(bits, 224 | 256 | 384 | 512) => refuse(
            text,
            [b"digest length for ", &quoted[..], b" must be 224, 256, 384, or 512"].concat(),
        ),
        Lengths::All if bits > 8 * MAX_DIGEST_BYTES as u64 => {
            refuse(text, [b"maximum digest length for ", &quoted[..], b" is 512 bits"].concat())
        }
        Lengths::All if bits % 8 != 0 => refuse(text, b"length is not a multiple of 8".to_vec()),
        Lengths::All if bits == 0 => Ok(sum),
        Lengths::Four | Lengths::All => Ok(sum.with_len(bits as usize / 8)),
    }
}
