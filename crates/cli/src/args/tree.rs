//! Arguments of `lanesum tree`, with a subcommand for each kind of tree.

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
    /// Print the info-hash of a version 1 torrent, and optionally write the .torrent file.
    Torrent1(Torrent),
    /// Print the info-hash of a version 2 torrent, and optionally write the .torrent file.
    Torrent2(Torrent),
    Rfc6962(Rfc6962),
    S3(S3),
}

/// Bytes parsed from hexadecimal.
#[derive(Clone, Debug)]
pub(crate) struct HexBytes(pub(crate) Vec<u8>);

fn hex_bytes(text: &str) -> Result<HexBytes, String> {
    let decoded = data_encoding::HEXLOWER_PERMISSIVE.decode(text.as_bytes());
    decoded.map(HexBytes).map_err(|_| "expected pairs of hexadecimal digits".into())
}

/// Print fs-verity digests of files, like 'fsverity digest'.
#[derive(Args, Debug)]
pub(crate) struct Fsverity {
    /// Files to hash.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) paths: Vec<PathBuf>,

    /// Hash function: sha256 or sha512.
    #[arg(
        short,
        long,
        value_name = "ALG",
        default_value = "sha256",
        value_parser = lanesum_parser(),
        hide_possible_values = true
    )]
    pub(crate) algorithm: Algorithm,

    /// Block size, in bytes.
    #[arg(long, value_name = "BYTES", default_value = "4096", value_parser = block_size())]
    pub(crate) block_size: usize,

    /// Salt hashed before every block: at most 32 bytes, in hexadecimal.
    #[arg(long, value_name = "HEX", default_value = "", hide_default_value = true, value_parser = hex_bytes)]
    pub(crate) salt: HexBytes,

    /// Compare with DIGEST instead of printing.
    #[arg(long, value_name = "DIGEST")]
    pub(crate) verify: Option<lanesum::Digest>,

    /// Merkle tree to check against DIGEST, as written by 'fsverity digest --out-merkle-tree'; report each
    /// block that differs.
    #[arg(long, value_name = "FILE", requires = "verify")]
    pub(crate) merkle_tree: Option<PathBuf>,

    /// Compare only the blocks that contain these bytes, such as 0-65535.
    #[arg(long, value_name = "FIRST-LAST", requires = "merkle_tree", value_parser = byte_range)]
    pub(crate) bytes: Option<RangeInclusive<u64>>,

    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

/// Print the dm-verity root of a file or an image, like 'veritysetup format'.
///
/// Bytes after the last whole block are not covered; they are reported on standard error.
#[derive(Args, Debug)]
pub(crate) struct Dmverity {
    /// File or image to hash.
    #[arg(value_name = "FILE")]
    pub(crate) path: PathBuf,

    /// Hash function.
    #[arg(
        short,
        long,
        value_name = "ALG",
        default_value = "sha256",
        value_parser = lanesum_parser(),
        hide_possible_values = true
    )]
    pub(crate) algorithm: Algorithm,

    /// Block size of the file, in bytes.
    #[arg(long, value_name = "BYTES", default_value = "4096", value_parser = block_size())]
    pub(crate) data_block_size: usize,

    /// Block size of the hash device, in bytes.
    #[arg(long, value_name = "BYTES", default_value = "4096", value_parser = block_size())]
    pub(crate) hash_block_size: usize,

    /// Salt hashed before every block: at most 256 bytes, in hexadecimal.
    #[arg(long, value_name = "HEX", default_value = "", hide_default_value = true, value_parser = hex_bytes)]
    pub(crate) salt: HexBytes,

    /// Write the hash device to FILE, which is replaced only once it is complete.
    #[arg(short, long, value_name = "FILE", conflicts_with = "verify")]
    pub(crate) output: Option<PathBuf>,

    /// Compare with ROOT instead of printing.
    #[arg(long, value_name = "ROOT")]
    pub(crate) verify: Option<lanesum::Digest>,

    /// Hash device to check against ROOT; report each block that differs.
    #[arg(long, value_name = "FILE", requires = "verify")]
    pub(crate) hash_device: Option<PathBuf>,

    /// Compare only the blocks that contain these bytes, such as 0-65535.
    #[arg(long, value_name = "FIRST-LAST", requires = "hash_device", value_parser = byte_range)]
    pub(crate) bytes: Option<RangeInclusive<u64>>,

    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

/// The largest block size of veritysetup, in bytes.
pub(crate) const MAX_BLOCK_BYTES: usize = 512 << 10;

/// Parses a part size: Amazon S3's parts have at most 5 GiB.
fn part_size() -> impl TypedValueParser<Value = usize> {
    clap::builder::RangedU64ValueParser::<usize>::new().range(1..=5 << 30)
}

/// Parses a block size of veritysetup.
fn block_size() -> impl TypedValueParser<Value = usize> {
    clap::builder::RangedU64ValueParser::<usize>::new().range(512..=MAX_BLOCK_BYTES as u64)
}

/// A torrent for a file or a directory tree.
///
/// Hidden files are included. Symlinks and other files that are not regular files are skipped and
/// reported on standard error.
#[derive(Args, Debug)]
pub(crate) struct Torrent {
    /// File or directory of the torrent.
    #[arg(value_name = "PATH")]
    pub(crate) path: PathBuf,

    /// Piece length, in bytes: a power of two.
    #[arg(long, value_name = "BYTES", default_value = "262144", value_parser = piece_len)]
    pub(crate) piece_length: u64,

    /// Tracker URL to write to the .torrent file; may be repeated.
    #[arg(long, value_name = "URL", requires = "output")]
    pub(crate) announce: Vec<String>,

    /// Mark the torrent as private.
    #[arg(long)]
    pub(crate) private: bool,

    /// Write the .torrent to FILE, which is replaced only once it is complete.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Compare with TORRENT instead of printing, and report each piece that differs.
    #[arg(long, value_name = "TORRENT", conflicts_with_all = ["output", "private", "piece_length"])]
    pub(crate) verify: Option<PathBuf>,

    /// Compare only the pieces that contain these bytes, such as 0-65535. Offsets are per file in
    /// version 2 and count across all files in version 1.
    #[arg(long, value_name = "FIRST-LAST", requires = "verify", value_parser = byte_range)]
    pub(crate) bytes: Option<RangeInclusive<u64>>,

    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

/// Parses a piece length that other programs accept.
fn piece_len(text: &str) -> Result<u64, String> {
    let len = text.parse().unwrap_or(0u64);
    if len.is_power_of_two() && (16 << 10..=1 << 30).contains(&len) {
        Ok(len)
    } else {
        Err("expected a power of two from 16384 to 1073741824".into())
    }
}

/// Parses a byte range in HTTP's form.
fn byte_range(text: &str) -> Result<RangeInclusive<u64>, String> {
    let (first, last) = text.split_once('-').unwrap_or_default();
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if first <= last => Ok(first..=last),
        _ => Err("expected the first and the last byte, such as 0-65535".into()),
    }
}

/// Print the RFC 6962 (Certificate Transparency) root of a log whose entries are the lines of a file.
#[derive(Args, Debug)]
pub(crate) struct Rfc6962 {
    /// Files whose lines are the entries of a log.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) paths: Vec<PathBuf>,

    /// Hash function.
    #[arg(
        short,
        long,
        value_name = "ALG",
        default_value = "sha256",
        value_parser = lanesum_parser(),
        hide_possible_values = true
    )]
    pub(crate) algorithm: Algorithm,

    /// Entries end with NUL instead of a newline.
    #[arg(short, long)]
    pub(crate) zero: bool,

    /// Compare with ROOT instead of printing.
    #[arg(long, value_name = "ROOT")]
    pub(crate) verify: Option<lanesum::Digest>,

    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

/// Print the composite SHA-256 of a multipart upload, as shown by Amazon S3.
#[derive(Args, Debug)]
pub(crate) struct S3 {
    /// Files to hash.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) paths: Vec<PathBuf>,

    /// Part size, in bytes.
    #[arg(long, value_name = "BYTES", default_value = "8388608", value_parser = part_size())]
    pub(crate) part_size: usize,

    /// Compare with VALUE instead of printing: base64, optionally followed by '-' and the number of parts.
    #[arg(long, value_name = "VALUE", value_parser = composite)]
    pub(crate) verify: Option<Composite>,

    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

/// The composite checksum of a multipart upload.
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
        _ => {
            Err("expected a SHA-256 in base64, optionally followed by '-' and the number of parts"
                .into())
        }
    }
}
