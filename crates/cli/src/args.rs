//! Command-line arguments. Help, manual pages and shell completions are generated from them.

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
use lanesum_files::Options;
use lanesum_manifest::{Checksum, Class, Format, UnknownChecksum};

pub(crate) use tree::*;

/// Hash and verify files and directory trees, on all cores, many files at once in SIMD lanes.
#[derive(Debug, Parser)]
#[command(name = "lanesum", version, arg_required_else_help = true, max_term_width = 100)]
#[command(after_help = "\
Exit status: 0 on success; 1 if a file does not match, is missing or cannot be read, if an audit
or 'diff' finds a difference, if a manifest cannot be used or is not updated, if an output cannot
be written, or if nothing was verified; 2 for a usage error.

The environment variable LANESUM_KERNEL selects the kernels; see 'lanesum list --all'. LANESUM_COSTS
names a file with their costs; see 'lanesum tune --help'.

Under the name of a GNU checksum tool, such as sha256sum, or of Solaris's 'digest' or 'mac', for
example through a symlink, it behaves like that tool.")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
// clap builds only the arguments of the given subcommand: building all of them dominates a short run.
// A struct that is flattened into a command has no doc comment, which would replace the command's.
#[command(defer = true)]
pub(crate) enum Command {
    /// Print digests of files, as a manifest that 'check' and other tools read.
    Sum(Sum),
    /// Verify the files that manifests list.
    ///
    /// A line's tag names its algorithm; without a tag, the length of the digest selects it.
    /// File names are relative to the working directory; '--names-from' selects another directory.
    Check(Check),
    /// Compare two trees, two manifests, or one of each.
    ///
    /// Names in a tree are relative to it; names in a manifest are used unchanged. When a manifest is
    /// compared with a tree, leading directories that all names in the manifest share, but the tree
    /// lacks, are stripped from them.
    Diff(Diff),
    /// Print HMACs of files, in the line format of 'sum'.
    ///
    /// The key is read from a file, a file descriptor or an environment variable. Every byte counts,
    /// including a line feed at the end.
    Mac(Mac),
    /// Print the roots of Merkle trees over files, hashed in lanes.
    Tree(Tree),
    /// Build and verify dataset manifests of directories and object stores (Python package).
    ///
    /// Runs 'lanesum-manifest', which the package installs. 'lanesum manifest --help' prints its help.
    Manifest(Manifest),
    /// List the algorithms and the kernels that this CPU uses for each.
    List(List),
    /// Measure how fast this machine hashes, by kernel and message length.
    ///
    /// Hashes messages in memory on one core and prints cycles per byte and gigabytes per second: best,
    /// quartiles and median of the valid samples. Run it on an idle machine.
    Bench(Bench),
    /// Measure the costs of kernels on this CPU, by which they are selected.
    ///
    /// Hashes messages in memory on one core with every kernel, and prints the batches for which the
    /// measured costs select other kernels than the built-in costs. Run it on an idle machine. Programs
    /// that use Lanesum read the written file if the environment variable LANESUM_COSTS is its path.
    Tune(Tune),
    /// Show which programs use Lanesum, with which kernels, and why others do not.
    Doctor(Doctor),
    /// Print a completion script for a shell.
    Completions(Completions),
    /// Write the manual pages to a directory.
    Man(Pages),
}

#[derive(Args, Debug)]
pub(crate) struct Doctor {
    /// Compare this command's kernels that are assembly with the proven ones instead (x86-64 Linux).
    ///
    /// Hashes their machine code and constants in memory, with another kernel. Exits with status 1 if
    /// one of them differs from the kernel that 'lanesum-graph prove' has proven.
    #[arg(long)]
    pub(crate) proof: bool,
}

#[derive(Args, Debug)]
pub(crate) struct List {
    /// Print one JSON object with the algorithms, kernels and tiers.
    #[arg(long, conflicts_with = "all")]
    pub(crate) json: bool,

    /// Also list every kernel with its use, and the aliases of the algorithms.
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Sum {
    /// Files to hash; '-' is standard input. Without PATH: standard input, or '.' with --recursive.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Algorithms, computed in a single pass; several produce tagged lines [default: sha256].
    ///
    /// 'sha1dc' is SHA-1 with collision detection: a file that contains a block of a collision attack
    /// gets an error instead of a line, and the exit status is 1.
    #[arg(
        short,
        long = "algorithm",
        value_name = "ALG",
        value_delimiter = ',',
        value_parser = sum_parser(),
        hide_possible_values = true
    )]
    pub(crate) algorithms: Vec<SumAlgorithm>,

    /// Hash every file below the given directories, including hidden ones.
    ///
    /// Symlinks found in a directory are not followed; FIFOs, sockets and devices found there are not
    /// opened; both are reported on standard error. Symlinks given as arguments are followed.
    #[arg(short, long)]
    pub(crate) recursive: bool,

    #[command(flatten)]
    pub(crate) walk: Walk,

    /// Hash the NUL-terminated names in FILE instead of PATHs; '-' is standard input.
    ///
    /// With --recursive, directories named in FILE are walked.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["paths", "update"])]
    pub(crate) files0_from: Option<PathBuf>,

    /// Format of the lines [default: gnu; bsd for several algorithms, or for one that gnu cannot
    /// identify; bagit for a file named manifest-ALG.txt].
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    pub(crate) format: Option<Format>,

    /// Write tagged lines, like '--format bsd'.
    #[arg(long, conflicts_with = "format")]
    pub(crate) tag: bool,

    /// End lines with NUL instead of a newline, and do not escape names.
    #[arg(short, long)]
    pub(crate) zero: bool,

    /// Write to FILE, which appears only when it is complete, and only if every file was read.
    ///
    /// A file that exists is replaced, with its mode, owner, ACLs and extended attributes. Devices,
    /// FIFOs and descriptors such as /dev/stdout are written to.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Write FILE even if files are missing or unreadable, or none exists; the exit status is still 1.
    #[arg(long, requires = "output")]
    pub(crate) partial: bool,

    /// Update MANIFEST: only files that look changed are read.
    ///
    /// The update covers the files at or below the paths, or without a path the directory that all
    /// names are in. All other lines are left as they are. A file looks unchanged if its size,
    /// inode and times are those in the cache, or its size and time those in the manifest. Lines
    /// retain their format and algorithms. Differences are reported. The line of a file that
    /// cannot be read, or that was read and has rotted, is left as it is, and the exit status is 1.
    ///
    /// Nothing is updated if a tree is missing or has lost all its files, if lines would be removed
    /// from a tree on another file system than at the last update, or if more than 10 lines, and more
    /// than 10 % of the covered lines, would be removed, unless '--allow missing' is given.
    #[arg(short, long, value_name = "MANIFEST", conflicts_with_all = ["output", "tag"])]
    pub(crate) update: Option<PathBuf>,

    /// Report the changes and write nothing.
    #[arg(long, requires = "update")]
    pub(crate) dry_run: bool,

    /// Save the previous manifest as MANIFEST.bak.
    #[arg(long, requires = "update")]
    pub(crate) backup: bool,

    /// Also record each file's size and modification time; requires '--format json' or 'csv'.
    ///
    /// An update of a manifest in one of these formats needs no '--format'.
    /// The time of a file modified within the last two seconds is left out, because a write in the
    /// same clock tick would not change it.
    #[arg(long)]
    pub(crate) stat: bool,

    #[command(flatten)]
    pub(crate) names: Names,

    #[command(flatten)]
    pub(crate) findings: UpdateFindings,

    #[command(flatten)]
    pub(crate) cache: CacheArgs,

    #[command(flatten)]
    pub(crate) pace: Pace,

    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

impl Sum {
    /// The algorithms to compute.
    pub(crate) fn algorithms(&self) -> Vec<Checksum> {
        match &self.algorithms[..] {
            [] => vec![Algorithm::SHA256.into()],
            requested => requested.iter().map(|requested| requested.algorithm).collect(),
        }
    }

    /// Whether SHA-1 detects collisions.
    pub(crate) fn detects_collisions(&self) -> bool {
        self.algorithms.iter().any(|requested| requested.detects_collisions)
    }
}

// Which files of a tree to include.
#[derive(Args, Debug)]
pub(crate) struct Walk {
    /// Follow symlinks found in a directory.
    #[arg(short = 'L', long)]
    pub(crate) follow: bool,

    /// Do not cross file system boundaries.
    #[arg(short = 'x', long)]
    pub(crate) one_file_system: bool,

    /// Descend at most N levels of directories.
    #[arg(short = 'd', long, value_name = "N")]
    pub(crate) max_depth: Option<usize>,

    /// Include only files that match GLOB, or exclude them if it starts with '!'; the last match wins.
    ///
    /// As in ripgrep, '*.c' matches file names at any depth and '/a/*.c' a path from the working directory.
    #[arg(short, long = "glob", value_name = "GLOB")]
    pub(crate) globs: Vec<String>,

    /// Exclude '.git' and the files that .gitignore files exclude.
    #[arg(long)]
    pub(crate) gitignore: bool,
}

impl From<&Walk> for Options {
    /// Returns the options without the identities of outputs.
    fn from(args: &Walk) -> Self {
        Self {
            follow: args.follow,
            one_file_system: args.one_file_system,
            max_depth: args.max_depth,
            globs: args.globs.clone(),
            gitignore: args.gitignore,
            ..Self::default()
        }
    }
}

impl Walk {
    /// The first of these options that was given, for a command that does not walk directories.
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
    /// The first of these options that was given, for a command that reports no findings.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let given =
            [(self.json, "--json"), (self.all, "--all"), (!self.allow.is_empty(), "--allow")];
        given.into_iter().find_map(|(given, flag)| given.then_some(flag))
    }
}

impl CacheArgs {
    /// The first of these options that was given, for a command without a cache.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let given = [(self.cache.is_some(), "--cache"), (self.paranoid, "--paranoid")];
        given.into_iter().find_map(|(given, flag)| given.then_some(flag))
    }
}

// How findings are reported, and which are failures.
#[derive(Args, Clone, Debug)]
pub(crate) struct Findings {
    /// Report as JSON Lines: an object per file, then a summary object.
    #[arg(long)]
    pub(crate) json: bool,

    /// Also report unchanged files.
    #[arg(long)]
    pub(crate) all: bool,

    /// Do not fail on findings of these classes; they are still reported.
    #[arg(long, value_name = "CLASS", value_delimiter = ',', value_parser = class_parser(failures()))]
    pub(crate) allow: Vec<Class>,
}

// How an update reports findings, and which removals it permits.
#[derive(Args, Clone, Debug)]
pub(crate) struct UpdateFindings {
    /// With --update, report as JSON Lines: an object per file, then a summary object.
    #[arg(long)]
    pub(crate) json: bool,

    /// With --update, also report unchanged files.
    #[arg(long)]
    pub(crate) all: bool,

    /// With --update, permit removals that it would refuse; the only class is 'missing'.
    ///
    /// Without this option, lines are not removed if they are too many, or if their tree is missing,
    /// has lost all its files, or is on another file system; see --update.
    #[arg(long, value_name = "CLASS", value_delimiter = ',', value_parser = class_parser([Class::Missing]))]
    pub(crate) allow: Vec<Class>,
}

impl From<&UpdateFindings> for Findings {
    fn from(args: &UpdateFindings) -> Self {
        Self { json: args.json, all: args.all, allow: args.allow.clone() }
    }
}

// Whether digests are cached.
#[derive(Args, Clone, Debug)]
pub(crate) struct CacheArgs {
    /// Skip unchanged files, using a digest cache.
    ///
    /// A file counts as unchanged if its directory, name, size, inode and times are unchanged. A killed
    /// run resumes where it stopped, even inside a long file. The cache is one file, by default
    /// lanesum/cache.sqlite in the user's cache directory.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(crate) cache: Option<OsString>,

    /// Read every file, even if it looks unchanged.
    #[arg(long)]
    pub(crate) paranoid: bool,

    /// Bytes of a long file between two cached states.
    #[arg(long, hide = true, value_name = "BYTES", default_value = "1073741824")]
    pub(crate) checkpoint: u64,
}

// The base directory of names.
#[derive(Args, Debug)]
pub(crate) struct Names {
    /// Change to DIR first. Names in manifests and file paths are relative to it; paths of manifests,
    /// outputs and caches are not.
    #[arg(short = 'C', long, value_name = "DIR")]
    pub(crate) directory: Option<PathBuf>,

    /// The base directory of names in manifests [default: 'manifest' for BagIt manifests, otherwise
    /// 'cwd'].
    #[arg(long, value_name = "BASE", conflicts_with = "directory")]
    pub(crate) names_from: Option<Base>,
}

/// The base directory of names in manifests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Base {
    /// The directory of the manifest
    Manifest,
    /// The working directory
    Cwd,
}

// How fast files are read, and a report of it.
#[derive(Args, Debug)]
pub(crate) struct Pace {
    /// Read at most BYTES per second: 50M is 50 MiB, 50MB is 50,000,000 bytes.
    #[arg(long, value_name = "BYTES", value_parser = rate)]
    pub(crate) max_rate: Option<NonZeroU64>,

    /// Report which kernels hashed the files and where the time went.
    #[arg(long)]
    pub(crate) explain: bool,
}

/// Parses a number of bytes: 50M is 50 times 2^20, 50MB is 50 times 10^6.
fn rate(text: &str) -> Result<NonZeroU64, String> {
    let wrong = || "expected a number of bytes, such as 1000000, 50M or 50MB".to_owned();
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
    /// The old state: a directory or a manifest; '-' is a manifest on standard input.
    #[arg(value_name = "BEFORE")]
    pub(crate) before: PathBuf,

    /// The new state: a directory or a manifest; '-' is a manifest on standard input.
    #[arg(value_name = "NOW")]
    pub(crate) now: PathBuf,

    /// Algorithm of every line [default: by tag or digest length], or of two trees [default: sha256].
    #[arg(
        short,
        long,
        value_name = "ALG",
        value_parser = checksum_parser(),
        hide_possible_values = true
    )]
    pub(crate) algorithm: Option<Checksum>,

    /// Report which format each manifest was read as.
    #[arg(short, long)]
    pub(crate) warn: bool,

    /// Lines end with NUL instead of a newline, and names are not escaped.
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

/// An algorithm, or SHA-1 with collision detection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SumAlgorithm {
    pub(crate) algorithm: Checksum,
    pub(crate) detects_collisions: bool,
}

impl FromStr for SumAlgorithm {
    type Err = UnknownChecksum;

    fn from_str(name: &str) -> Result<Self, UnknownChecksum> {
        if name.eq_ignore_ascii_case("sha1dc") {
            return Ok(Self { algorithm: Algorithm::SHA1.into(), detects_collisions: true });
        }
        Ok(Self { algorithm: name.parse()?, detects_collisions: false })
    }
}

#[derive(Args, Debug)]
pub(crate) struct Check {
    /// Manifests to check; '-' or none is standard input.
    #[arg(value_name = "MANIFEST")]
    pub(crate) manifests: Vec<PathBuf>,

    /// Algorithm of every line [default: by tag or digest length].
    #[arg(
        short,
        long,
        value_name = "ALG",
        value_parser = checksum_parser(),
        hide_possible_values = true
    )]
    pub(crate) algorithm: Option<Checksum>,

    /// Verify one file against the digest HEX: the argument names the file instead of a manifest.
    ///
    /// --algorithm or a prefix, as in 'sha256:HEX' or 'SHA256=HEX', selects the algorithm [default: by
    /// the length of HEX].
    #[arg(long, value_name = "HEX", conflicts_with_all = ["audit", "ignore_missing", "strict", "warn", "zero"])]
    pub(crate) expect: Option<String>,

    /// Do not print a line for files that match.
    #[arg(long)]
    pub(crate) quiet: bool,

    /// Print no report; only set the exit status.
    #[arg(long, conflicts_with = "json")]
    pub(crate) status: bool,

    /// Exit with status 1 if any line is malformed.
    #[arg(long)]
    pub(crate) strict: bool,

    /// Report malformed lines and why they are malformed.
    #[arg(short, long)]
    pub(crate) warn: bool,

    /// Ignore missing files.
    #[arg(long)]
    pub(crate) ignore_missing: bool,

    /// Lines end with NUL instead of a newline, and names are not escaped.
    #[arg(short, long)]
    pub(crate) zero: bool,

    /// Compare the manifest with the directory that contains all its names, and report new, changed,
    /// moved, missing, unreadable and rotted files.
    ///
    /// A rotted file has different contents, but the size and times recorded in the manifest or the
    /// cache. Any difference makes the exit status 1; see --allow.
    #[arg(long, conflicts_with_all = ["quiet", "status", "ignore_missing"])]
    pub(crate) audit: bool,

    /// Audit the files at or below PATH, not the directory that all names are in.
    #[arg(long = "tree", value_name = "PATH", requires = "audit")]
    pub(crate) trees: Vec<PathBuf>,

    /// Verify the objects of the git repository REPO, with detection of SHA-1 collisions.
    ///
    /// REPO is a working tree or a git directory. Every loose and packed object is decoded and hashed, also in
    /// alternates; packs, indexes, commit-graphs and multi-pack-indexes are compared with their checksums, Git
    /// LFS objects with their pointers. Whether objects are well-formed and reachable is not checked; see
    /// 'git fsck'. Packs are read three times, so '--max-rate' slows them most.
    #[arg(long, value_name = "REPO", conflicts_with_all = [
        "manifests", "algorithm", "expect", "strict", "warn", "ignore_missing", "zero", "audit", "directory",
        "names_from", "allow", "follow", "one_file_system", "max_depth", "globs", "gitignore", "cache",
        "paranoid", "explain",
    ])]
    pub(crate) git: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) names: Names,

    #[command(flatten, next_help_heading = "Audit options")]
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
    /// Files to hash; '-' is standard input. Without PATH: standard input, or '.' with --recursive.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Hash function of the HMAC.
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

    /// The key is in hexadecimal.
    #[arg(long)]
    pub(crate) key_hex: bool,

    /// Hash every file below the given directories, including hidden ones.
    #[arg(short, long)]
    pub(crate) recursive: bool,

    /// Follow symlinks found in a directory.
    #[arg(short = 'L', long, requires = "recursive")]
    pub(crate) follow: bool,

    /// End lines with NUL instead of a newline, and do not escape names.
    #[arg(short, long)]
    pub(crate) zero: bool,

    /// Write to FILE, which appears only when it is complete, and only if every file was read.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Write FILE even if files are missing or unreadable, or none exists; the exit status is still 1.
    #[arg(long, requires = "output")]
    pub(crate) partial: bool,

    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

// Where to read the key from.
#[derive(Args, Debug)]
#[group(required = true, multiple = false)]
pub(crate) struct KeySource {
    /// Read the key from FILE; '-' is standard input.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,

    /// Read the key from the open file descriptor N.
    #[arg(long, value_name = "N")]
    pub(crate) key_fd: Option<u32>,

    /// Read the key from the environment variable NAME.
    #[arg(long, value_name = "NAME")]
    pub(crate) key_env: Option<OsString>,

    /// Use TEXT as the key. For tests only: other users can see the command line, so a warning is
    /// printed.
    #[arg(long, value_name = "TEXT")]
    pub(crate) key_text: Option<OsString>,
}

#[derive(Args, Debug)]
#[command(disable_help_flag = true)]
pub(crate) struct Manifest {
    /// Command of the package, with its arguments.
    #[arg(value_name = "ARGUMENT", trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) arguments: Vec<OsString>,
}

#[derive(Args, Debug)]
pub(crate) struct Pages {
    /// Directory to write to; created if it does not exist.
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
}

#[derive(Args, Debug)]
pub(crate) struct Jobs {
    /// Number of threads [default: chosen from measured throughput].
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

    /// Kernels to measure, by their names in 'lanesum list --all', or 'hash' for single messages with
    /// the engine's own choice [default: all].
    #[arg(short, long = "kernel", value_name = "KERNEL", value_delimiter = ',')]
    pub(crate) kernels: Vec<String>,

    /// Message lengths, in bytes; kernels hash whole blocks only.
    #[arg(
        short,
        long = "length",
        value_name = "BYTES",
        value_delimiter = ',',
        default_value = "64,256,1024,8192",
        value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(..=16 << 20)
    )]
    pub(crate) lengths: Vec<usize>,

    /// Measure batches of whole messages, including padding: compare the engine's plan with the best
    /// single kernel.
    #[arg(long)]
    pub(crate) plan: bool,

    /// Messages per batch, with --plan.
    #[arg(
        long,
        value_name = "COUNT",
        value_delimiter = ',',
        default_value = "1,2,3,4,5,6,7,8,12,16,17,24,32,48,64",
        value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=65536)
    )]
    pub(crate) messages: Vec<usize>,

    /// Time to measure, in seconds.
    #[arg(short, long, value_name = "SECONDS", default_value = "5", value_parser = seconds)]
    pub(crate) seconds: f64,

    /// Compare with another implementation, if it is installed; takes a second per length.
    #[arg(long, value_name = "PEER")]
    pub(crate) against: Option<Peer>,

    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,

    /// Also write a record to FILE, to compare machines.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct Tune {
    /// Write the costs to FILE, which appears only when it is complete.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Time to measure, in seconds.
    #[arg(short, long, value_name = "SECONDS", default_value = "3", value_parser = seconds)]
    pub(crate) seconds: f64,
}

/// An implementation to compare with.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum Peer {
    /// 'openssl speed'
    Openssl,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number of seconds from 0 to 3600".into()),
    }
}

#[derive(Args, Debug)]
pub(crate) struct Completions {
    /// Shell that reads the script.
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
    PossibleValuesParser::new(formats)
        .try_map(|name| Format::from_name(&name).ok_or_else(|| format!("unknown format '{name}'")))
}

/// The classes that are failures unless `--allow` names them.
fn failures() -> impl Iterator<Item = Class> {
    Class::ALL.into_iter().filter(|class| *class != Class::Same)
}

fn class_parser(classes: impl IntoIterator<Item = Class>) -> impl TypedValueParser<Value = Class> {
    let names = classes.into_iter().map(Class::name);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Class>())
}
