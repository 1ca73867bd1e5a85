//! The options of GNU's tools, and which of them may stand together.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;

use super::Tool;
use super::sums::{BLAKE2B_LEN, NAMES, Sum};
use crate::personalities::getopt::{Getopt, Long, Manner};
use crate::personalities::quote;

#[derive(Debug)]
pub(super) struct Options {
    pub(super) sum: Sum,
    /// Whether `sum` was named, so that it is that of every line.
    pub(super) is_settled: bool,
    pub(super) check: bool,
    pub(super) tag: bool,
    /// An asterisk stands before names.
    pub(super) binary: bool,
    pub(super) zero: bool,
    pub(super) ignore_missing: bool,
    pub(super) strict: bool,
    pub(super) report: Report,
    pub(super) debug: bool,
    pub(super) files: Vec<OsString>,
}

/// How much is said when checking: the last of these options wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Report {
    #[default]
    Usual,
    Quiet,
    Status,
    Warn,
}

/// Why nothing is to be hashed.
pub(super) enum Refusal {
    Help,
    Version,
    /// Messages, after which the usage is pointed to.
    Usage(Option<Vec<u8>>),
    /// Messages alone.
    Plain(Vec<Vec<u8>>),
}

const fn long(name: &'static str, takes_value: bool, id: char) -> Long {
    Long { name, takes_value, id }
}

// Options without a letter have a capital one here, which no command line can reach.
const SUM_OPTIONS: &[Long] = &[
    long("check", false, 'c'),
    long("ignore-missing", false, 'I'),
    long("quiet", false, 'Q'),
    long("status", false, 'S'),
    long("warn", false, 'w'),
    long("strict", false, 'R'),
    long("tag", false, 'T'),
    long("zero", false, 'z'),
    long("binary", false, 'b'),
    long("text", false, 't'),
    long("help", false, 'H'),
    long("version", false, 'V'),
];

const CKSUM_OPTIONS: &[Long] = &[
    long("algorithm", true, 'a'),
    long("length", true, 'l'),
    long("check", false, 'c'),
    long("ignore-missing", false, 'I'),
    long("quiet", false, 'Q'),
    long("status", false, 'S'),
    long("warn", false, 'w'),
    long("strict", false, 'R'),
    long("tag", false, 'T'),
    long("zero", false, 'z'),
    long("untagged", false, 'U'),
    long("debug", false, 'D'),
    long("help", false, 'H'),
    long("version", false, 'V'),
];

impl Options {
    pub(super) fn parse(tool: Tool, arguments: Vec<OsString>) -> Result<Self, Refusal> {
        let is_cksum = tool == Tool::Cksum;
        let (short, long) =
            if is_cksum { ("a:l:bctwz", CKSUM_OPTIONS) } else { ("bctwz", SUM_OPTIONS) };
        let mut options = Self {
            sum: tool.sum(),
            is_settled: !is_cksum,
            check: false,
            tag: is_cksum,
            binary: false,
            zero: false,
            ignore_missing: false,
            strict: false,
            report: Report::Usual,
            debug: false,
            files: Vec::new(),
        };
        let mut length = None;
        let mut mode = None;
        let mut getopt = Getopt::new(Manner::Gnu, short, long, arguments);
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
                'U' => options.tag = false,
                'T' => {
                    options.tag = true;
                    mode = Some(true);
                }
                'H' => return Err(Refusal::Help),
                'V' => return Err(Refusal::Version),
                // Letters that the tool knows, but has no use for.
                _ if is_cksum => return Err(Refusal::Usage(None)),
                _ => mode = Some(id == 'b'),
            }
        }
        options.files = getopt.operands();
        if let Some((bits, text)) = length {
            options.sum = shortened(options.sum, bits, text.as_bytes())?;
        }
        if !is_cksum {
            options.binary = mode == Some(true);
        }
        options.consistent(is_cksum, mode)?;
        Ok(options)
    }

    fn consistent(&self, is_cksum: bool, mode: Option<bool>) -> Result<(), Refusal> {
        let usage = |message: &str| Err(Refusal::Usage(Some(message.into())));
        if is_cksum && self.is_settled && self.sum.is_number() && self.check {
            let message = "--check is not supported with --algorithm={bsd,sysv,crc}";
            return Err(Refusal::Plain(vec![message.into()]));
        }
        if !is_cksum && self.tag && mode == Some(false) {
            return usage("--tag does not support --text mode");
        }
        if self.check {
            if self.zero {
                return usage("the --zero option is not supported when verifying checksums");
            }
            if !is_cksum && self.tag {
                return usage("the --tag option is meaningless when verifying checksums");
            }
            if !is_cksum && mode.is_some() {
                return usage(
                    "the --binary and --text options are meaningless when verifying checksums",
                );
            }
            return Ok(());
        }
        let option = match self.report {
            _ if self.ignore_missing => "ignore-missing",
            Report::Status => "status",
            Report::Warn => "warn",
            Report::Quiet => "quiet",
            Report::Usual if self.strict => "strict",
            Report::Usual => return Ok(()),
        };
        usage(&format!("the --{option} option is meaningful only when verifying checksums"))
    }
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

/// The length of a digest, in bits.
fn bits(text: &[u8]) -> Result<u64, Refusal> {
    let trimmed = text.trim_ascii_start();
    let digits = trimmed.strip_prefix(b"+").unwrap_or(trimmed);
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let number = str::from_utf8(digits).ok().filter(|_| is_number).map(str::parse::<u64>);
    match number {
        None => Err(Refusal::Plain(vec![invalid_length(text)])),
        Some(Err(_)) => {
            let too_large = b": Value too large for defined data type";
            Err(Refusal::Plain(vec![[&invalid_length(text)[..], too_large].concat()]))
        }
        Some(Ok(bits)) if bits % 8 != 0 => Err(Refusal::Plain(vec![
            invalid_length(text),
            b"length is not a multiple of 8".to_vec(),
        ])),
        Some(Ok(bits)) => Ok(bits),
    }
}

/// The sum with a digest of so many bits; 0 is the usual number.
fn shortened(sum: Sum, bits: u64, text: &[u8]) -> Result<Sum, Refusal> {
    match sum {
        Sum::Blake2b(_) if bits == 0 => Ok(sum),
        Sum::Blake2b(_) if bits <= 8 * BLAKE2B_LEN as u64 => Ok(Sum::Blake2b(bits as usize / 8)),
        Sum::Blake2b(_) => {
            let quoted = quote::word(b"BLAKE2b");
            let message = [b"maximum digest length for ", &quoted[..], b" is 512 bits"].concat();
            Err(Refusal::Plain(vec![invalid_length(text), message]))
        }
        _ if bits == 0 => Ok(sum),
        _ => {
            let message = "--length is only supported with --algorithm=blake2b";
            Err(Refusal::Plain(vec![message.into()]))
        }
    }
}
