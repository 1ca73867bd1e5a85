//! The flags of the command. Help, manual pages and shell completions are made of them.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use lanesum::Algorithm;
use lanesum_manifest::Format;

/// Hash and verify trees of files, as fast as the machine reads them.
#[derive(Debug, Parser)]
#[command(name = "lanesum", version, arg_required_else_help = true, max_term_width = 100)]
#[command(after_help = "\
Exit status: 0 when all is well; 1 when a file does not match, cannot be read or is
missing, when a manifest cannot be used, or when nothing was verified; 2 for wrong usage.

LANESUM_KERNEL in the environment chooses the kernels: see 'lanesum list --all'.

Called sha256sum, sha1sum and so on, cksum, digest or mac, also by a link, it is the tool
of that name.")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Sum(Sum),
    Check(Check),
    Mac(Mac),
    Tree(Tree),
    Manifest(Manifest),
    List(List),
    Bench(Bench),
    /// Tell what on this system goes through Lanesum, by which kernels, and why the rest does not.
    Doctor,
    Completions(Completions),
    Man(Pages),
}

/// Show the algorithms, and which kernels this CPU would run each on.
#[derive(Args, Debug)]
pub(crate) struct List {
    /// Every kernel with what it is used for, and the algorithms' other names.
    #[arg(long)]
    pub(crate) all: bool,
}

/// Print the digests of files, as a manifest that 'check' and other tools read.
#[derive(Args, Debug)]
pub(crate) struct Sum {
    /// Files to hash; '-' is standard input, as is no path at all.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Algorithms, all computed in one reading; several are printed as tagged lines.
    #[arg(
        short,
        long = "algorithm",
        value_name = "ALG",
        value_delimiter = ',',
        default_value = "sha256"
    )]
    pub(crate) algorithms: Vec<Algorithm>,

    /// Hash every file below a folder, hidden ones too; without a path, below '.'.
    ///
    /// Symbolic links below a folder are not followed, and FIFOs, sockets and devices there
    /// are not opened; both are said on standard error. What is named is taken for what it leads to.
    #[arg(short, long)]
    pub(crate) recursive: bool,

    /// Follow symbolic links below a folder.
    #[arg(short = 'L', long, requires = "recursive")]
    pub(crate) follow: bool,

    /// Do not enter folders on other file systems.
    #[arg(short = 'x', long, requires = "recursive")]
    pub(crate) one_file_system: bool,

    /// Descend so many levels at most.
    #[arg(short = 'd', long, value_name = "N", requires = "recursive")]
    pub(crate) max_depth: Option<usize>,

    /// Hash only what matches, or with '!' first, leave it out; a later one wins.
    ///
    /// As in ripgrep: '*.c' matches names at any level, '/a/*.c' the path from here.
    #[arg(short, long = "glob", value_name = "GLOB", requires = "recursive")]
    pub(crate) globs: Vec<String>,

    /// How lines are written; gnu, unless there are several algorithms.
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    pub(crate) format: Option<Format>,

    /// Write tagged lines, as does '--format bsd'.
    #[arg(long, conflicts_with = "format")]
    pub(crate) tag: bool,

    /// End lines with NUL, and leave names as they are.
    #[arg(short, long)]
    pub(crate) zero: bool,

    /// Write to FILE, which appears under its name only when it is whole.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

/// Verify the files that manifests list.
///
/// A line's algorithm is that of its tag, else the usual one with digests of its length.
/// Names are relative to the working folder.
#[derive(Args, Debug)]
pub(crate) struct Check {
    /// Manifests; '-' is standard input, as is none at all.
    #[arg(value_name = "MANIFEST")]
    pub(crate) manifests: Vec<PathBuf>,

    /// The algorithm of every line, whatever its length tells.
    #[arg(short, long, value_name = "ALG")]
    pub(crate) algorithm: Option<Algorithm>,

    /// Do not print OK for each file that matches.
    #[arg(long)]
    pub(crate) quiet: bool,

    /// Print no report; the exit status tells.
    #[arg(long)]
    pub(crate) status: bool,

    /// Fail on lines that are not understood, too.
    #[arg(long)]
    pub(crate) strict: bool,

    /// Say which lines are not understood, and why.
    #[arg(short, long)]
    pub(crate) warn: bool,

    /// Pass over files that are missing.
    #[arg(long)]
    pub(crate) ignore_missing: bool,

    /// Lines end with NUL, and names are as they are.
    #[arg(short, long)]
    pub(crate) zero: bool,

    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

/// Print the HMACs of files, on lines like those of 'sum'.
///
/// The key is the bytes of a file, of what a descriptor gives, or of a variable of the
/// environment, as they are: a line feed at the end counts.
#[derive(Args, Debug)]
pub(crate) struct Mac {
    /// Files to hash; '-' is standard input, as is no path at all.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// The hash function of the HMAC.
    #[arg(short, long = "algorithm", value_name = "ALG", default_value = "sha256")]
    pub(crate) algorithm: Algorithm,

    #[command(flatten)]
    pub(crate) key: KeySource,

    /// The key is given in hexadecimal.
    #[arg(long)]
    pub(crate) key_hex: bool,

    /// Hash every file below a folder, hidden ones too; without a path, below '.'.
    #[arg(short, long)]
    pub(crate) recursive: bool,

    /// Follow symbolic links below a folder.
    #[arg(short = 'L', long, requires = "recursive")]
    pub(crate) follow: bool,

    /// End lines with NUL, and leave names as they are.
    #[arg(short, long)]
    pub(crate) zero: bool,

    /// Write to FILE, which appears under its name only when it is whole.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

/// Where a key is.
#[derive(Args, Debug)]
#[group(required = true, multiple = false)]
pub(crate) struct KeySource {
    /// The key is all of FILE; '-' is standard input.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,

    /// The key is all that the open descriptor N gives.
    #[arg(long, value_name = "N")]
    pub(crate) key_fd: Option<u32>,

    /// The key is the value of a variable of the environment.
    #[arg(long, value_name = "NAME")]
    pub(crate) key_env: Option<OsString>,

    /// The key itself, where others can see it: for tests, and there is a warning.
    #[arg(long, value_name = "TEXT")]
    pub(crate) key_text: Option<OsString>,
}

/// Print the roots of Merkle trees over files, hashed in lanes.
#[derive(Args, Debug)]
pub(crate) struct Tree {
    #[command(subcommand)]
    pub(crate) kind: TreeKind,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TreeKind {
    Fsverity(Fsverity),
    Dmverity(Dmverity),
    S3(S3),
}

/// Bytes that are given in hexadecimal.
#[derive(Clone, Debug)]
pub(crate) struct HexBytes(pub(crate) Vec<u8>);

fn hex_bytes(text: &str) -> Result<HexBytes, String> {
    let decoded = data_encoding::HEXLOWER_PERMISSIVE.decode(text.as_bytes());
    decoded.map(HexBytes).map_err(|_| "hexadecimal digits in pairs are wanted".into())
}

/// The digests of files by Linux's fs-verity, as 'fsverity digest' prints them.
#[derive(Args, Debug)]
pub(crate) struct Fsverity {
    #[arg(value_name = "FILE", required = true)]
    pub(crate) paths: Vec<PathBuf>,

    /// The hash function: sha256 or sha512.
    #[arg(short, long, value_name = "ALG", default_value = "sha256")]
    pub(crate) algorithm: Algorithm,

    /// The length of a block, in bytes.
    #[arg(long, value_name = "BYTES", default_value = "4096", value_parser = block_size())]
    pub(crate) block_size: usize,

    /// Hashed before every block: at most 32 bytes, in hexadecimal.
    #[arg(long, value_name = "HEX", default_value = "", hide_default_value = true, value_parser = hex_bytes)]
    pub(crate) salt: HexBytes,

    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

/// The root of a file or an image by Linux's dm-verity, as 'veritysetup format' prints it.
///
/// Bytes after the last whole block are in no tree, which is said.
#[derive(Args, Debug)]
pub(crate) struct Dmverity {
    #[arg(value_name = "FILE")]
    pub(crate) path: PathBuf,

    /// The hash function.
    #[arg(short, long, value_name = "ALG", default_value = "sha256")]
    pub(crate) algorithm: Algorithm,

    /// The length of a block of the file, in bytes.
    #[arg(long, value_name = "BYTES", default_value = "4096", value_parser = block_size())]
    pub(crate) data_block_size: usize,

    /// The length of a block of the hash device, in bytes.
    #[arg(long, value_name = "BYTES", default_value = "4096", value_parser = block_size())]
    pub(crate) hash_block_size: usize,

    /// Hashed before every block: at most 256 bytes, in hexadecimal.
    #[arg(long, value_name = "HEX", default_value = "", hide_default_value = true, value_parser = hex_bytes)]
    pub(crate) salt: HexBytes,

    /// Write the hash device to FILE, which appears under its name only when it is whole.
    #[arg(short, long, value_name = "FILE", conflicts_with = "verify")]
    pub(crate) output: Option<PathBuf>,

    /// Compare with this root instead.
    #[arg(long, value_name = "ROOT")]
    pub(crate) verify: Option<lanesum::Digest>,

    /// The hash device of that root, to name the blocks that differ.
    #[arg(long, value_name = "FILE", requires = "verify")]
    pub(crate) hash_device: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

/// The longest block that veritysetup has, in bytes.
pub(crate) const LONGEST_BLOCK: usize = 512 << 10;

/// The lengths of blocks that veritysetup has.
fn block_size() -> impl TypedValueParser<Value = usize> {
    clap::builder::RangedU64ValueParser::<usize>::new().range(512..=LONGEST_BLOCK as u64)
}

/// The SHA-256 of an upload in parts, as Amazon S3 shows it.
#[derive(Args, Debug)]
pub(crate) struct S3 {
    #[arg(value_name = "FILE", required = true)]
    pub(crate) paths: Vec<PathBuf>,

    /// The length of a part, in bytes.
    #[arg(long, value_name = "BYTES", default_value = "8388608")]
    pub(crate) part_size: NonZeroUsize,

    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

/// Make and verify manifests of folders and object stores, by the Python package.
///
/// 'lanesum manifest --help' is the package's own. The Python is python3, or what LANESUM_PYTHON names.
#[derive(Args, Debug)]
#[command(disable_help_flag = true)]
pub(crate) struct Manifest {
    /// A command of the package's, with its arguments.
    #[arg(value_name = "ARGUMENT", trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) arguments: Vec<OsString>,
}

/// Write the manual pages into a folder.
#[derive(Args, Debug)]
pub(crate) struct Pages {
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: PathBuf,
}

#[derive(Args, Debug)]
pub(crate) struct Jobs {
    /// Threads; unless said, as many as the measured rate rewards.
    #[arg(short, long = "jobs", value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
}

/// Measure how fast this machine hashes: every kernel, by length.
///
/// Measures in memory, on one core, and prints cycles a byte and 10^9 bytes a second: the best,
/// the quartiles and the median of the samples that count. Nothing else should run meanwhile.
#[derive(Args, Debug)]
pub(crate) struct Bench {
    /// Algorithms to measure.
    #[arg(
        short,
        long = "algorithm",
        value_name = "ALG",
        value_delimiter = ',',
        default_value = "sha1,sha256,sha512"
    )]
    pub(crate) algorithms: Vec<Algorithm>,

    /// Kernels to measure, as 'lanesum list --all' names them, or 'hash': one message by the
    /// engine's own choice; all unless said.
    #[arg(short, long = "kernel", value_name = "KERNEL", value_delimiter = ',')]
    pub(crate) kernels: Vec<String>,

    /// Lengths of each message, in bytes; kernels take whole blocks alone.
    #[arg(
        short,
        long = "length",
        value_name = "BYTES",
        value_delimiter = ',',
        default_value = "64,256,1024,8192",
        value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(..=16 << 20)
    )]
    pub(crate) lengths: Vec<usize>,

    /// How long to measure, in seconds.
    #[arg(short, long, value_name = "SECONDS", default_value = "5", value_parser = seconds)]
    pub(crate) seconds: f64,

    /// Compare with another implementation, if it is installed; a second for each length.
    #[arg(long, value_name = "PEER")]
    pub(crate) against: Option<Peer>,

    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,

    /// Write a record too, to send from one machine to another.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
}

/// What to compare with.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum Peer {
    /// The program openssl, by 'openssl speed'
    Openssl,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("a number of seconds from 0 to 3600 is wanted".into()),
    }
}

/// Print completions for a shell.
#[derive(Args, Debug)]
pub(crate) struct Completions {
    pub(crate) shell: Shell,
}

fn format_parser() -> impl TypedValueParser<Value = Format> {
    let formats = Format::all()
        .map(|format| clap::builder::PossibleValue::new(format.name()).help(format.summary()));
    PossibleValuesParser::new(formats).try_map(|name| {
        Format::from_name(&name).ok_or_else(|| format!("there is no format '{name}'"))
    })
}
