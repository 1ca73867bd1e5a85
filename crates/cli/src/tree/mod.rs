//! `lanesum tree`: roots of Merkle trees over files, as those print them whose trees they are.

mod dmverity;
mod read;
mod torrent;

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use data_encoding::BASE64;
use lanesum::tree::{Tree, fs_verity_digest};
use lanesum::{Algorithm, Engine};
use lanesum_files::Settings;
use lanesum_manifest::torrent::Version;

use self::read::Source;
use crate::args::{Fsverity, Rfc6962, S3, TreeKind};
use crate::output::{Output, Stop};
use crate::say::{Shown, reason, say};
use crate::{Verdict, settings};

pub(crate) fn run(kind: &TreeKind) -> Verdict {
    let verdict = match kind {
        TreeKind::Fsverity(args) => fsverity(args),
        TreeKind::Dmverity(args) => dmverity::run(args),
        TreeKind::Torrent1(args) => torrent::run(args, Version::One),
        TreeKind::Torrent2(args) => torrent::run(args, Version::Two),
        TreeKind::Rfc6962(args) => rfc6962(args),
        TreeKind::S3(args) => s3(args),
    };
    verdict.unwrap_or_else(|verdict| verdict)
}

/// The engine for `algorithm`.
fn engine(settings: &Settings, algorithm: Algorithm) -> Result<Engine, Verdict> {
    settings.policy.engine(algorithm).map_err(|error| {
        say(format_args!("LANESUM_KERNEL: {error}"));
        Verdict::Usage
    })
}

/// Refuses a tree that there is not.
fn usage(error: impl std::fmt::Display) -> Verdict {
    say(error);
    Verdict::Usage
}

/// Says what went wrong with a file.
fn failed(action: &str, path: &Path, error: &std::io::Error) -> Verdict {
    say(format_args!("cannot {action} {}: {}", Shown(path.as_os_str()), reason(error)));
    Verdict::Failed
}

/// Prints a line for each file, and says of those for which there is none why.
fn lines<'p>(
    paths: impl IntoIterator<Item = &'p Path>,
    mut line: impl FnMut(&Path, &mut Vec<u8>) -> Result<(), Verdict>,
) -> Result<Verdict, Verdict> {
    let mut output = Output::standard().map_err(|stop: Stop| stop.say())?;
    let mut verdict = Verdict::Well;
    for path in paths {
        if let Err(other) = line(path, output.buffer()) {
            verdict = other;
        }
    }
    output.finish().map_err(|stop| stop.say())?;
    Ok(verdict)
}

/// What `fsverity digest` prints.
fn fsverity(args: &Fsverity) -> Result<Verdict, Verdict> {
    let settings = settings(&args.jobs, &[args.algorithm])?;
    let engine = engine(&settings, args.algorithm)?;
    let tree = Tree::fs_verity(&engine, args.block_size, &args.salt.0).map_err(usage)?;
    let mut verdict = Verdict::Well;
    let listed = lines(args.paths.iter().map(|path| &**path), |path, out| {
        let leaves =
            |source: Source| Ok((source.bytes, source.leaves(&tree, &engine, settings.workers)?));
        let (bytes, leaves) =
            Source::open(path).and_then(leaves).map_err(|error| failed("read", path, &error))?;
        let root = tree.above(leaves).root();
        let digest = fs_verity_digest(&engine, args.block_size, &args.salt.0, bytes, &root);
        let digest = digest.map_err(usage)?;
        if let Some(theirs) = args.verify {
            let is_same = digest == theirs;
            let word = if is_same { "OK" } else { "FAILED" };
            out.extend(format!("{}: {word}\n", Shown(path.as_os_str())).into_bytes());
            if !is_same {
                verdict = Verdict::Failed;
            }
            return Ok(());
        }
        out.extend(format!("{}:{digest} ", args.algorithm.name()).into_bytes());
        out.extend(path.as_os_str().as_encoded_bytes());
        out.push(b'\n');
        Ok(())
    })?;
    Ok(if let Verdict::Well = listed { verdict } else { listed })
}

/// The root of a log whose entries are the lines of a file, or all that ends in NUL.
fn rfc6962(args: &Rfc6962) -> Result<Verdict, Verdict> {
    let settings = settings(&args.jobs, &[args.algorithm])?;
    let engine = engine(&settings, args.algorithm)?;
    let tree = Tree::rfc6962(&engine);
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
            // As many as all lanes have, some times.
            if len == 0 || entries.len() == 1024 {
                tree.hash_entries(&entries, &mut leaves);
                entries.clear();
            }
            if len == 0 {
                break;
            }
        }
        let root = tree.above(leaves).root();
        out.extend(format!("{root}  ").into_bytes());
        out.extend(path.as_os_str().as_encoded_bytes());
        out.push(b'\n');
        Ok(())
    })
}

/// The checksum of an upload in parts, as Amazon S3 shows it: base64, and how many parts.
fn s3(args: &S3) -> Result<Verdict, Verdict> {
    let settings = settings(&args.jobs, &[Algorithm::SHA256])?;
    let engine = engine(&settings, Algorithm::SHA256)?;
    let tree = Tree::list(&engine, args.part_size.get());
    lines(args.paths.iter().map(|path| &**path), |path, out| {
        let leaves = |source: Source| source.leaves(&tree, &engine, settings.workers);
        let mut leaves =
            Source::open(path).and_then(leaves).map_err(|error| failed("read", path, &error))?;
        if leaves.is_empty() {
            // An upload has at least one part.
            tree.hash_entries(&[b""], &mut leaves);
        }
        let levels = tree.above(leaves);
        let composite = BASE64.encode(levels.composite().as_bytes());
        out.extend(format!("{composite}-{}  ", levels.digests(0).len()).into_bytes());
        out.extend(path.as_os_str().as_encoded_bytes());
        out.push(b'\n');
        Ok(())
    })
}
