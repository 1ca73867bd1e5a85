//! The flags of `lanesum tree`, a command for each kind of tree.

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::builder::TypedValueParser;
use clap::{Args, Subcommand};
use lanesum::Algorithm;

use super::{Jobs, lanesum_parser};

#[derive(Args, Debug)]
pub(crate) struct Tree {
    #[command(subcommand)]
    pub(crate) kind: TreeKind,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TreeKind {
    Fsverity(Fsverity),
    Dmverity(Dmverity),
    /// The info-hash of a torrent of version 1, which it can write too.
    Torrent1(Torrent),
    /// The info-hash of a torrent of version 2, which it can write too.
    Torrent2(Torrent),
    Rfc6962(Rfc6962),
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
    #[arg(
        short,
        long,
        value_name = "ALG",
        default_value = "sha256",
        value_parser = lanesum_parser(),
        hide_possible_values = true
    )]
    pub(crate) algorithm: Algorithm,

    /// The length of a block, in bytes.
    #[arg(long, value_name = "BYTES", default_value = "4096", value_parser = block_size())]
    pub(crate) block_size: usize,

    /// Hashed before every block: at most 32 bytes, in hexadecimal.
    #[arg(long, value_name = "HEX", default_value = "", hide_default_value = true, value_parser = hex_bytes)]
    pub(crate) salt: HexBytes,

    /// Compare with this digest instead.
    #[arg(long, value_name = "DIGEST")]
    pub(crate) verify: Option<lanesum::Digest>,

    /// The tree that 'fsverity digest --out-merkle-tree' has written of the file, to name the blocks
    /// that differ.
    #[arg(long, value_name = "FILE", requires = "verify")]
    pub(crate) merkle_tree: Option<PathBuf>,

    /// Compare those blocks alone that have some of these bytes, such as 0-65535.
    #[arg(long, value_name = "FIRST-LAST", requires = "merkle_tree", value_parser = byte_range)]
    pub(crate) bytes: Option<RangeInclusive<u64>>,

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
    #[arg(
        short,
        long,
        value_name = "ALG",
        default_value = "sha256",
        value_parser = lanesum_parser(),
        hide_possible_values = true
    )]
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

    /// Compare those blocks alone that have some of these bytes, such as 0-65535.
    #[arg(long, value_name = "FIRST-LAST", requires = "hash_device", value_parser = byte_range)]
    pub(crate) bytes: Option<RangeInclusive<u64>>,

    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

/// The longest block that veritysetup has, in bytes.
pub(crate) const LONGEST_BLOCK: usize = 512 << 10;

/// The lengths of blocks that veritysetup has.
fn block_size() -> impl TypedValueParser<Value = usize> {
    clap::builder::RangedU64ValueParser::<usize>::new().range(512..=LONGEST_BLOCK as u64)
}

/// A torrent of a file, or of all files below a folder.
///
/// Hidden files are part of it; symbolic links and what is no regular file are not, which is said.
#[derive(Args, Debug)]
pub(crate) struct Torrent {
    #[arg(value_name = "PATH")]
    pub(crate) path: PathBuf,

    /// The length of a piece, in bytes: a power of two.
    #[arg(long, value_name = "BYTES", default_value = "262144", value_parser = piece_len)]
    pub(crate) piece_length: u64,

    /// A tracker's address for the .torrent; may be given again.
    #[arg(long, value_name = "URL", requires = "output")]
    pub(crate) announce: Vec<String>,

    /// Mark it as one for private trackers alone.
    #[arg(long)]
    pub(crate) private: bool,

    /// Write the .torrent to FILE, which appears under its name only when it is whole.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Compare with this .torrent instead, and name every piece that differs.
    #[arg(long, value_name = "TORRENT", conflicts_with_all = ["output", "private", "piece_length"])]
    pub(crate) verify: Option<PathBuf>,

    /// Compare those pieces alone that have some of these bytes, such as 0-65535: of each file in
    /// version 2, of all files together in version 1.
    #[arg(long, value_name = "FIRST-LAST", requires = "verify", value_parser = byte_range)]
    pub(crate) bytes: Option<RangeInclusive<u64>>,

    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

/// The lengths of pieces that other programs take.
fn piece_len(text: &str) -> Result<u64, String> {
    let len = text.parse().unwrap_or(0u64);
    if len.is_power_of_two() && (16 << 10..=1 << 30).contains(&len) {
        Ok(len)
    } else {
        Err("a power of two from 16384 to 1073741824 is wanted".into())
    }
}

/// Bytes as HTTP names them.
fn byte_range(text: &str) -> Result<RangeInclusive<u64>, String> {
    let (first, last) = text.split_once('-').unwrap_or_default();
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if first <= last => Ok(first..=last),
        _ => Err("the first byte and the last are wanted, such as 0-65535".into()),
    }
}

/// The root of a log by RFC 6962 (Certificate Transparency) whose entries are the lines of a file.
#[derive(Args, Debug)]
pub(crate) struct Rfc6962 {
    #[arg(value_name = "FILE", required = true)]
    pub(crate) paths: Vec<PathBuf>,

    /// The hash function.
    #[arg(
        short,
        long,
        value_name = "ALG",
        default_value = "sha256",
        value_parser = lanesum_parser(),
        hide_possible_values = true
    )]
    pub(crate) algorithm: Algorithm,

    /// Entries end with NUL.
    #[arg(short, long)]
    pub(crate) zero: bool,

    /// Compare with this root instead.
    #[arg(long, value_name = "ROOT")]
    pub(crate) verify: Option<lanesum::Digest>,

    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

/// The SHA-256 of an upload in parts, as Amazon S3 shows it.
#[derive(Args, Debug)]
pub(crate) struct S3 {
    #[arg(value_name = "FILE", required = true)]
    pub(crate) paths: Vec<PathBuf>,

    /// The length of a part, in bytes.
    #[arg(long, value_name = "BYTES", default_value = "8388608")]
    pub(crate) part_size: NonZeroUsize,

    /// Compare with this value instead: base64, and after a '-' how many parts, if that is known.
    #[arg(long, value_name = "VALUE", value_parser = composite)]
    pub(crate) verify: Option<Composite>,

    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

/// The checksum of an upload in parts.
#[derive(Clone, Debug)]
pub(crate) struct Composite {
    pub(crate) digest: lanesum::Digest,
    pub(crate) parts: Option<usize>,
}

fn composite(text: &str) -> Result<Composite, String> {
    let (digest, parts) = match text.split_once('-') {
        Some((digest, parts)) => (digest, Some(parts.parse())),
        None => (text, None),
    };
    let decoded = data_encoding::BASE64.decode(digest.as_bytes()).unwrap_or_default();
    match (<[u8; 32]>::try_from(decoded), parts.transpose()) {
        (Ok(digest), Ok(parts)) => Ok(Composite { digest: digest.into(), parts }),
        _ => Err("a SHA-256 in base64 is wanted, or that, '-' and how many parts".into()),
    }
}
