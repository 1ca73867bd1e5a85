//! `lanesum tree`: prints roots of Merkle trees over files, in the formats of other programs.

mod dmverity;
mod read;
mod stored;
mod torrent;

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::ops::RangeInclusive;
use std::path::Path;

use data_encoding::BASE64;
use lanesum::tree::{Tree, fs_verity_digest};
use lanesum::{Algorithm, Digest, Engine};
use lanesum_files::Settings;
use lanesum_manifest::torrent::Version;

use self::read::Source;
use self::stored::StoredTree;
use crate::args::{Fsverity, Jobs, Rfc6962, S3, TreeKind};
use crate::message::{Shown, print_message, reason};
use crate::output::{Output, Stop};
use crate::{CommandResult, Reported, Verdict, refuse_environment, settings};

pub(crate) fn run(kind: &TreeKind) -> CommandResult {
    match kind {
        TreeKind::Fsverity(args) => fsverity(args),
        TreeKind::Dmverity(args) => dmverity::run(args),
        TreeKind::Torrent1(args) => torrent::run(args, Version::One),
        TreeKind::Torrent2(args) => torrent::run(args, Version::Two),
        TreeKind::Rfc6962(args) => rfc6962(args),
        TreeKind::S3(args) => s3(args),
    }
}

/// The engine and options for hashing leaves.
struct Hashing {
    engine: Engine,
    settings: Settings,
    /// The range of bytes to compare; `None` for all.
    bytes: Option<RangeInclusive<u64>>,
}

impl Hashing {
    fn new(jobs: &Jobs, algorithm: Algorithm) -> Result<Self, Reported> {
        let settings = settings(jobs, &[algorithm.into()])?;
        let engine = settings.policy.engine(algorithm);
        let engine = engine.map_err(|error| refuse_environment(&error))?;
        Ok(Self { engine, settings, bytes: None })
    }

    /// Returns the concatenated digests of the leaves.
    fn leaves(&self, source: &Source, tree: &Tree) -> io::Result<Vec<u8>> {
        source.leaves(tree, &self.engine, self.settings.workers)
    }
}

/// Reports invalid parameters of a tree.
fn usage(error: impl Display) -> Reported {
    print_message(error);
    Reported::Usage
}

/// Reports an I/O error with a file.
fn failed(action: &str, path: &Path, error: &io::Error) -> Reported {
    print_message(format_args!("cannot {action} {}: {}", Shown(path.as_os_str()), reason(error)));
    Reported::Failed
}

/// Prints a line per file, or reports why it has no root.
fn lines<'p>(
    paths: impl IntoIterator<Item = &'p Path>,
    mut line: impl FnMut(&Path, &mut Output) -> Result<(), Reported>,
) -> CommandResult {
    let mut output = Output::standard().map_err(|stop: Stop| stop.print_message())?;
    let mut result = Ok(Verdict::Success);
    for path in paths {
        if let Err(error) = line(path, &mut output) {
            result = Err(error);
        }
    }
    output.finish().map_err(|stop| stop.print_message())?;
    result
}

/// Prints whether a file matches.
fn print_verdict(path: &Path, is_same: bool, out: &mut Vec<u8>) -> Result<(), Reported> {
    let (word, verdict) = match is_same {
        true => ("OK", Ok(())),
        false => ("FAILED", Err(Reported::Failed)),
    };
    let _ = writeln!(out, "{}: {word}", Shown(path.as_os_str()));
    verdict
}

/// Prints that leaf `number` of a file of `bytes` bytes differs. `leaf` is the word for leaves and
/// their length in bytes.
fn differs(path: &Path, leaf: (&str, u64), number: u64, bytes: u64, out: &mut Vec<u8>) {
    let (name, leaf_len) = leaf;
    let start = number * leaf_len;
    let end = bytes.min(start + leaf_len);
    let path = Shown(path.as_os_str());
    let _ = writeln!(out, "{path}: {name} {number}, bytes {start} to {end}: FAILED");
}

/// Emulates `fsverity digest`.
fn fsverity(args: &Fsverity) -> CommandResult {
    let hashing =
        Hashing { bytes: args.bytes.clone(), ..Hashing::new(&args.jobs, args.algorithm)? };
    let (block_len, salt) = (args.block_size, &args.salt.0[..]);
    let tree = Tree::fs_verity(&hashing.engine, block_len, salt).map_err(usage)?;
    let digest = |bytes, root: &Digest| {
        fs_verity_digest(&hashing.engine, block_len, salt, bytes, root).map_err(usage)
    };
    lines(args.paths.iter().map(|path| &**path), |path, out| {
        let failed = |error| failed("read", path, &error);
        let source = Source::open(path).map_err(failed)?;
        let bytes = source.bytes;
        if let (Some(wanted), Some(stored)) = (&args.verify, &args.merkle_tree) {
            let stored = StoredTree { path: stored, start: 0, block_len };
            let leads = |root: &Digest| Ok(digest(bytes, root)? == *wanted);
            return stored.compare(&hashing, &tree, source, (path, leads), out.buffer());
        }
        let leaves = hashing.leaves(&source, &tree).map_err(failed)?;
        let digest = digest(bytes, &tree.above(leaves).root())?;
        if let Some(wanted) = args.verify {
            return print_verdict(path, digest == wanted, out.buffer());
        }
        out.buffer().extend(format!("{}:{digest} ", args.algorithm.name()).into_bytes());
        out.push_name(path.as_os_str().as_encoded_bytes());
        out.buffer().push(b'\n');
        Ok(())
    })
}

/// Prints the root of a log whose entries are the lines of a file, or strings that end with NUL.
fn rfc6962(args: &Rfc6962) -> CommandResult {
    let hashing = Hashing::new(&args.jobs, args.algorithm)?;
    let tree = Tree::rfc6962(&hashing.engine);
    let end = if args.zero { 0 } else { b'\n' };
    lines(args.paths.iter().map(|path| &**path), |path, out| {
        let failed = |error| failed("read", path, &error);
        let mut file = BufReader::new(File::open(path).map_err(failed)?);
        let (mut leaves, mut entries) = (Vec::new(), Vec::new());
        loop {
            let mut entry = Vec::new();
            let len = file.read_until(end, &mut entry).map_err(failed)?;
            if entry.last() == Some(&end) {
                entry.pop();
            }
            if len > 0 {
                entries.push(entry);
            }
            // A batch that fills all lanes several times.
            if len == 0 || entries.len() == 1024 {
                tree.hash_entries(&entries, &mut leaves);
                entries.clear();
            }
            if len == 0 {
                break;
            }
        }
        let root = tree.above(leaves).root();
        if let Some(wanted) = args.verify {
            return print_verdict(path, root == wanted, out.buffer());
        }
        out.buffer().extend(format!("{root}  ").into_bytes());
        out.push_name(path.as_os_str().as_encoded_bytes());
        out.buffer().push(b'\n');
        Ok(())
    })
}

/// Prints the checksum of a multipart upload in Amazon S3's format: base64 and the number of parts.
fn s3(args: &S3) -> CommandResult {
    let hashing = Hashing::new(&args.jobs, Algorithm::SHA256)?;
    let tree = Tree::list(&hashing.engine, args.part_size);
    lines(args.paths.iter().map(|path| &**path), |path, out| {
        let failed = |error| failed("read", path, &error);
        let source = Source::open(path).map_err(failed)?;
        let mut leaves = hashing.leaves(&source, &tree).map_err(failed)?;
        if leaves.is_empty() {
            // An upload has at least one part.
            tree.hash_entries(&[b""], &mut leaves);
        }
        let levels = tree.above(leaves);
        let (composite, parts) = (levels.composite(), levels.digests(0).len());
        if let Some(wanted) = &args.verify {
            let has_parts = wanted.parts.is_none_or(|wanted| wanted == parts);
            return print_verdict(path, has_parts && composite == wanted.digest, out.buffer());
        }
        let composite = BASE64.encode(composite.as_bytes());
        out.buffer().extend(format!("{composite}-{parts}  ").into_bytes());
        out.push_name(path.as_os_str().as_encoded_bytes());
        out.buffer().push(b'\n');
        Ok(())
    })
}
