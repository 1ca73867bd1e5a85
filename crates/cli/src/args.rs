//! The flags of the command. Help, manual pages and shell completions are made of them.

mod tree;

use std::ffi::{OsStr, OsString};
use std::marker::PhantomData;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use lanesum::Algorithm;
use lanesum_manifest::{Checksum, Class, Format, UnknownChecksum};

pub(crate) use tree::*;

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
// What a command takes is put together only where that command is given, for all of them take a good part
// of a short run. What is flattened into a command has no text of its own, or it would stand for the command's.
#[command(defer = true)]
pub(crate) enum Command {
    /// Print the digests of files, as a manifest that 'check' and other tools read.
    Sum(Sum),
    /// Verify the files that manifests list.
    ///
    /// A line's algorithm is that of its tag, else the usual one with digests of its length.
    /// Names are relative to the working folder.
    Check(Check),
    /// Tell what differs between two trees, two manifests, or one of each.
    ///
    /// Names of a tree are relative to it, and those of a manifest as they stand. Beside a tree, names
    /// of a manifest go without the leading folders that all have and the tree has not.
    Diff(Diff),
    /// Print the HMACs of files, on lines like those of 'sum'.
    ///
    /// The key is the bytes of a file, of what a descriptor gives, or of a variable of the
    /// environment, as they are: a line feed at the end counts.
    Mac(Mac),
    /// Print the roots of Merkle trees over files, hashed in lanes.
    Tree(Tree),
    /// Make and verify manifests of folders and object stores, by the Python package.
    ///
    /// 'lanesum manifest --help' is the package's own. The Python is python3, or what LANESUM_PYTHON names.
    Manifest(Manifest),
    /// Show the algorithms, and which kernels this CPU would run each on.
    List(List),
    /// Measure how fast this machine hashes: every kernel, by length.
    ///
    /// Measures in memory, on one core, and prints cycles a byte and 10^9 bytes a second: the best,
    /// the quartiles and the median of the samples that count. Nothing else should run meanwhile.
    Bench(Bench),
    /// Tell what on this system goes through Lanesum, by which kernels, and why the rest does not.
    Doctor,
    /// Print completions for a shell.
    Completions(Completions),
    /// Write the manual pages into a folder.
    Man(Pages),
}

#[derive(Args, Debug)]
pub(crate) struct List {
    /// Every kernel with what it is used for, and the algorithms' other names.
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Sum {
    /// Files to hash; '-' is standard input, as is no path at all.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Algorithms, all computed in one reading; sha256 unless said. Several are printed as tagged
    /// lines.
    ///
    /// 'sha1dc' is SHA-1 that looks for blocks of collision attacks: a file that has one has no line,
    /// and the exit status is 1.
    #[arg(
        short,
        long = "algorithm",
        value_name = "ALG",
        value_delimiter = ',',
        value_parser = sum_parser(),
        hide_possible_values = true
    )]
    pub(crate) algorithms: Vec<SumAlgorithm>,

    /// Hash every file below a folder, hidden ones too; without a path, below '.'.
    ///
    /// Symbolic links below a folder are not followed, and FIFOs, sockets and devices there
    /// are not opened; both are said on standard error. What is named is taken for what it leads to.
    #[arg(short, long)]
    pub(crate) recursive: bool,

    #[command(flatten)]
    pub(crate) walk: Walk,

    /// Hash the files that FILE names, each ended by NUL, in place of paths; '-' is standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["paths", "recursive", "update"])]
    pub(crate) files0_from: Option<PathBuf>,

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

    /// Make MANIFEST say what is there now, below the paths, or below the folder that its names
    /// are in; only files that do not look as they did are read.
    ///
    /// A file looks as it did if its length, inode and times are those in the cache, or its length
    /// and time those in the manifest. Lines have the format and the algorithms that they had. What
    /// was new, changed, moved or missing is reported. A file that has rotted, or cannot be read,
    /// keeps its line, and is a failure.
    #[arg(short, long, value_name = "MANIFEST", conflicts_with_all = ["output", "tag"])]
    pub(crate) update: Option<PathBuf>,

    /// Record each file's length and the time of its last change too, where the format has a
    /// place for them.
    #[arg(long)]
    pub(crate) stat: bool,

    #[command(flatten)]
    pub(crate) findings: Findings,

    #[command(flatten)]
    pub(crate) cache: CacheArgs,

    #[command(flatten)]
    pub(crate) pace: Pace,

    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

impl Sum {
    /// The algorithms that are asked for.
    pub(crate) fn algorithms(&self) -> Vec<Checksum> {
        match &self.algorithms[..] {
            [] => vec![Algorithm::SHA256.into()],
            asked => asked.iter().map(|asked| asked.algorithm).collect(),
        }
    }

    /// Whether collisions of SHA-1 are looked for.
    pub(crate) fn watches(&self) -> bool {
        self.algorithms.iter().any(|asked| asked.watches)
    }
}

// Which files of a tree there are.
#[derive(Args, Debug)]
pub(crate) struct Walk {
    /// Follow symbolic links below a folder.
    #[arg(short = 'L', long)]
    pub(crate) follow: bool,

    /// Do not enter folders on other file systems.
    #[arg(short = 'x', long)]
    pub(crate) one_file_system: bool,

    /// Descend so many levels at most.
    #[arg(short = 'd', long, value_name = "N")]
    pub(crate) max_depth: Option<usize>,

    /// Take only what matches, or with '!' first, leave it out; a later one wins.
    ///
    /// As in ripgrep: '*.c' matches names at any level, '/a/*.c' the path from here.
    #[arg(short, long = "glob", value_name = "GLOB")]
    pub(crate) globs: Vec<String>,

    /// Leave out what git would: '.git', and what .gitignore files name.
    #[arg(long)]
    pub(crate) gitignore: bool,
}

impl Walk {
    /// A flag that was given, for a command that walks through nothing.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let given = [
            (self.follow, "--follow"),
            (self.one_file_system, "--one-file-system"),
            (self.max_depth.is_some(), "--max-depth"),
            (!self.globs.is_empty(), "--glob"),
            (self.gitignore, "--gitignore"),
        ];
        given.into_iter().find_map(|(given, flag)| given.then_some(flag))
    }
}

impl Findings {
    /// A flag that was given, for a command that finds nothing.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let given =
            [(self.json, "--json"), (self.all, "--all"), (!self.allow.is_empty(), "--allow")];
        given.into_iter().find_map(|(given, flag)| given.then_some(flag))
    }
}

impl CacheArgs {
    /// A flag that was given, for a command that has no cache.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let given = [(self.cache.is_some(), "--cache"), (self.paranoid, "--paranoid")];
        given.into_iter().find_map(|(given, flag)| given.then_some(flag))
    }
}

// What is reported of files, and what of it is a failure.
#[derive(Args, Debug)]
pub(crate) struct Findings {
    /// Report as JSON Lines: an object for each file, and a summary.
    #[arg(long)]
    pub(crate) json: bool,

    /// Report files that are the same, too.
    #[arg(long)]
    pub(crate) all: bool,

    /// Classes that are no failure: new, changed, moved, missing, unreadable, rotted,
    /// incomparable.
    #[arg(long, value_name = "CLASS", value_delimiter = ',')]
    pub(crate) allow: Vec<Class>,
}

// Whether digests are remembered.
#[derive(Args, Clone, Debug)]
pub(crate) struct CacheArgs {
    /// Do not read files that look as they did, by a cache of digests; keep those of others there.
    ///
    /// A file looks as it did if its length, inode and times are the same. With a cache a run that
    /// was killed goes on where it was, inside long files too. The cache is in one file, by default
    /// lanesum/cache.sqlite in the folder for caches.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(crate) cache: Option<OsString>,

    /// Read every file, however it looks.
    #[arg(long)]
    pub(crate) paranoid: bool,

    /// Bytes of a long file between two states that are kept.
    #[arg(long, hide = true, value_name = "BYTES", default_value = "1073741824")]
    pub(crate) checkpoint: u64,
}

// How fast files are read.
#[derive(Args, Debug)]
pub(crate) struct Pace {
    /// Read at most so many bytes a second, such as 50M: for runs that are not to be felt.
    #[arg(long, value_name = "BYTES", value_parser = rate)]
    pub(crate) max_rate: Option<NonZeroU64>,

    /// Say by which kernels it was hashed, and where the time went.
    #[arg(long)]
    pub(crate) explain: bool,
}

/// A number of bytes: 50M is 50 times 2^20, 50MB 50 times 10^6.
fn rate(text: &str) -> Result<NonZeroU64, String> {
    let wrong = || "a number of bytes is wanted, such as 1000000, 50M or 50MB".to_owned();
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let number: u64 = number.parse().map_err(|_| wrong())?;
    let (base, letter) = match unit.strip_suffix("iB").or(unit.strip_suffix('B')) {
        Some(letter) if unit.ends_with("iB") => (1024_u64, letter),
        Some(letter) => (1000, letter),
        None => (1024, unit),
    };
    let power = match letter {
        "" => 0,
        "K" | "k" => 1,
        "M" => 2,
        "G" => 3,
        "T" => 4,
        _ => return Err(wrong()),
    };
    base.checked_pow(power)
        .and_then(|unit| number.checked_mul(unit))
        .and_then(NonZeroU64::new)
        .ok_or_else(wrong)
}

#[derive(Args, Debug)]
pub(crate) struct Diff {
    /// What there was: a folder or a manifest; '-' is a manifest on standard input.
    #[arg(value_name = "BEFORE")]
    pub(crate) before: PathBuf,

    /// What there is now.
    #[arg(value_name = "NOW")]
    pub(crate) now: PathBuf,

    /// The algorithm of every line whatever its length tells, and of two trees; sha256 unless said.
    #[arg(
        short,
        long,
        value_name = "ALG",
        value_parser = checksum_parser(),
        hide_possible_values = true
    )]
    pub(crate) algorithm: Option<Checksum>,

    /// Say what each manifest was read as.
    #[arg(short, long)]
    pub(crate) warn: bool,

    /// Lines end with NUL, and names are as they are.
    #[arg(short, long)]
    pub(crate) zero: bool,

    #[command(flatten)]
    pub(crate) findings: Findings,

    #[command(flatten)]
    pub(crate) walk: Walk,

    #[command(flatten)]
    pub(crate) cache: CacheArgs,

    #[command(flatten)]
    pub(crate) pace: Pace,

    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

/// An algorithm, or SHA-1 that looks for blocks of collision attacks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SumAlgorithm {
    pub(crate) algorithm: Checksum,
    pub(crate) watches: bool,
}

impl FromStr for SumAlgorithm {
    type Err = UnknownChecksum;

    fn from_str(name: &str) -> Result<Self, UnknownChecksum> {
        if name.eq_ignore_ascii_case("sha1dc") {
            return Ok(Self { algorithm: Algorithm::SHA1.into(), watches: true });
        }
        Ok(Self { algorithm: name.parse()?, watches: false })
    }
}

#[derive(Args, Debug)]
pub(crate) struct Check {
    /// Manifests; '-' is standard input, as is none at all.
    #[arg(value_name = "MANIFEST")]
    pub(crate) manifests: Vec<PathBuf>,

    /// The algorithm of every line, whatever its length tells.
    #[arg(
        short,
        long,
        value_name = "ALG",
        value_parser = checksum_parser(),
        hide_possible_values = true
    )]
    pub(crate) algorithm: Option<Checksum>,

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

    /// Report what is new, changed, moved, missing, unreadable or rotted in the tree that the
    /// manifest is of: the folder that all its names are in.
    ///
    /// A file is rotted whose contents differ though its length and times do not, by the manifest
    /// or the cache. Whatever is not the same is a failure.
    #[arg(long, conflicts_with_all = ["quiet", "status", "ignore_missing"])]
    pub(crate) audit: bool,

    /// The tree to audit, in place of the folder that all names are in.
    #[arg(long = "tree", value_name = "PATH", requires = "audit")]
    pub(crate) trees: Vec<PathBuf>,

    #[command(flatten, next_help_heading = "Of an audit")]
    pub(crate) findings: Findings,

    #[command(flatten)]
    pub(crate) walk: Walk,

    #[command(flatten)]
    pub(crate) cache: CacheArgs,

    #[command(flatten)]
    pub(crate) pace: Pace,

    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

#[derive(Args, Debug)]
pub(crate) struct Mac {
    /// Files to hash; '-' is standard input, as is no path at all.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// The hash function of the HMAC.
    #[arg(
        short,
        long = "algorithm",
        value_name = "ALG",
        default_value = "sha256",
        value_parser = lanesum_parser(),
        hide_possible_values = true
    )]
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

// Where a key is.
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

#[derive(Args, Debug)]
#[command(disable_help_flag = true)]
pub(crate) struct Manifest {
    /// A command of the package's, with its arguments.
    #[arg(value_name = "ARGUMENT", trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) arguments: Vec<OsString>,
}

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

#[derive(Args, Debug)]
pub(crate) struct Bench {
    /// Algorithms to measure.
    #[arg(
        short,
        long = "algorithm",
        value_name = "ALG",
        value_delimiter = ',',
        default_value = "sha1,sha256,sha512",
        value_parser = lanesum_parser(),
        hide_possible_values = true
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

    /// Measure batches of whole messages instead, padding included: by the engine's own plan, and by
    /// each kernel alone, the best of which it is compared with.
    #[arg(long)]
    pub(crate) plan: bool,

    /// How many messages a batch has, with --plan.
    #[arg(
        long,
        value_name = "COUNT",
        value_delimiter = ',',
        default_value = "1,2,3,4,5,6,7,8,12,16,17,24,32,48,64",
        value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=65536)
    )]
    pub(crate) messages: Vec<usize>,

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

#[derive(Args, Debug)]
pub(crate) struct Completions {
    pub(crate) shell: Shell,
}

/// Parses an algorithm by any of its names. Shells complete `names`.
#[derive(Clone)]
struct AlgorithmParser<T> {
    names: Vec<&'static str>,
    value: PhantomData<T>,
}

impl<T> AlgorithmParser<T>
where
    T: FromStr<Err: std::error::Error + Send + Sync> + Clone + Send + Sync + 'static,
{
    fn new(names: impl Iterator<Item = &'static str>) -> Self {
        Self { names: names.collect(), value: PhantomData }
    }
}

fn sum_parser() -> AlgorithmParser<SumAlgorithm> {
    AlgorithmParser::new(Checksum::all().map(Checksum::name).chain(["sha1dc"]))
}

fn checksum_parser() -> AlgorithmParser<Checksum> {
    AlgorithmParser::new(Checksum::all().map(Checksum::name))
}

/// Parses an algorithm that Lanesum implements.
fn lanesum_parser() -> AlgorithmParser<Algorithm> {
    AlgorithmParser::new(Algorithm::all().map(Algorithm::name))
}

impl<T> TypedValueParser for AlgorithmParser<T>
where
    T: FromStr<Err: std::error::Error + Send + Sync> + Clone + Send + Sync + 'static,
{
    type Value = T;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        T::from_str.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.names.iter().map(PossibleValue::new)))
    }
}

fn format_parser() -> impl TypedValueParser<Value = Format> {
    let formats =
        Format::all().map(|format| PossibleValue::new(format.name()).help(format.summary()));
    PossibleValuesParser::new(formats).try_map(|name| {
        Format::from_name(&name).ok_or_else(|| format!("there is no format '{name}'"))
    })
}
