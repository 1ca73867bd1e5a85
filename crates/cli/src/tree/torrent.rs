//! Creates torrents, and reports the pieces that differ from one.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use lanesum::tree::Tree;
use lanesum::{Algorithm, hash};
use lanesum_files::{Found, Options, Walk};
use lanesum_manifest::torrent::{Layer, Pieces, Torrent, TorrentFile, Version};

use super::read::Source;
use super::{Hashing, differs, failed, print_verdict};
use crate::args;
use crate::message::{Shown, failure, print_message};
use crate::output::{Output, Stop};
use crate::{CommandResult, Reported, print};

/// Length of a leaf in torrents of version 2, in bytes.
const LEAF_BYTES: u64 = 16 << 10;

/// Maximum length of a `.torrent` file, in bytes.
const MAX_TORRENT_BYTES: u64 = 1 << 30;

pub(super) fn run(args: &args::Torrent, version: Version) -> CommandResult {
    let algorithm = match version {
        Version::One => Algorithm::SHA1,
        Version::Two => Algorithm::SHA256,
    };
    let hashing = Hashing { bytes: args.bytes.clone(), ..Hashing::new(&args.jobs, algorithm)? };
    match &args.verify {
        Some(torrent) => verify(args, &hashing, version, torrent),
        None => create(args, &hashing, version),
    }
}

/// Prints the info-hash. Writes the `.torrent` file if requested.
fn create(args: &args::Torrent, hashing: &Hashing, version: Version) -> CommandResult {
    let shown = Shown(args.path.as_os_str());
    // Resolves `.` and `..`, which are not file names.
    let whole = args.path.canonicalize().map_err(|error| failed("read", &args.path, &error))?;
    let Some(name) = whole.file_name() else {
        print_message(format_args!("{shown} has no name: a torrent needs one"));
        return Err(Reported::Failed);
    };
    let name = name.as_bytes().to_vec();
    let is_file = !args.path.is_dir();
    let paths = if is_file { vec![args.path.clone()] } else { list_files(&args.path)? };
    let mut files = Vec::new();
    for path in &paths {
        let inner = match path.strip_prefix(&args.path) {
            Ok(inner) if !is_file => inner.iter().map(|name| name.as_bytes().to_vec()).collect(),
            _ => vec![name.clone()],
        };
        let bytes = fs::metadata(path).map_err(|error| failed("read", path, &error))?.len();
        files.push(TorrentFile { path: inner, bytes, is_padding: false });
    }
    if files.iter().all(|file| file.bytes == 0) {
        print_message(format_args!("{shown} has only empty files: a torrent needs data"));
        return Err(Reported::Failed);
    }
    let mut torrent = Torrent {
        name,
        is_file,
        piece_len: args.piece_length,
        files,
        pieces: Pieces::Together(Vec::new()),
        is_private: args.private,
    };
    torrent.pieces = hashing.pieces(version, &torrent, &paths)?;
    let info_hash = hash(&hashing.engine, torrent.info());
    if let Some(path) = &args.output {
        let mut output = Output::file(path).map_err(|stop| stop.print_message())?;
        paths
            .iter()
            .try_for_each(|path| output.check_input(path))
            .map_err(|stop| stop.print_message())?;
        output.buffer().extend(torrent.write(&args.announce));
        output.finish().map_err(|stop: Stop| stop.print_message())?;
    }
    print(format!("{info_hash}  {shown}\n").as_bytes())
}

/// Returns all files below a directory, in order.
fn list_files(folder: &Path) -> Result<Vec<PathBuf>, Reported> {
    let walk = Walk::new([folder.to_owned()], &Options::default()).expect("no globs to be wrong");
    let mut files = Vec::new();
    for found in walk {
        match found {
            Found::File(path) => files.push(path),
            Found::Link(path) | Found::Special(path) | Found::Output(path) => {
                let path = Shown(path.as_os_str());
                print_message(format_args!("skipping {path}: not a regular file"));
            }
            Found::Temporary(path) => {
                let path = Shown(path.as_os_str());
                print_message(format_args!("skipping {path}: temporary file of another run"));
            }
            Found::Unreadable(error) => {
                print_message(failure(&error, ""));
                return Err(Reported::Failed);
            }
        }
    }
    Ok(files)
}

impl Hashing {
    /// Hashes the pieces of the files at these paths, which must have the lengths that the torrent
    /// lists.
    fn pieces(
        &self,
        version: Version,
        torrent: &Torrent,
        paths: &[PathBuf],
    ) -> Result<Pieces, Reported> {
        let files = torrent.files.iter().zip(paths);
        match version {
            Version::One => {
                let mut source = Source::none();
                for (file, path) in files {
                    if file.is_padding {
                        source.add_zeros(file.bytes);
                        continue;
                    }
                    let added = source.add(path, Some(file.bytes));
                    added.map_err(|error| failed("read", path, &error))?;
                }
                (source.start, source.bytes) = self.range(torrent.piece_len, source.bytes);
                let tree = Tree::list(&self.engine, torrent.piece_len as usize);
                let leaves = self.leaves(&source, &tree);
                let first = paths.first().map_or(Path::new(""), |path| path);
                let leaves = leaves.map_err(|error| failed("read", first, &error))?;
                Ok(Pieces::Together(leaves.as_chunks().0.to_vec()))
            }
            Version::Two => {
                let layers = files.map(|(file, path)| self.layer(torrent.piece_len, file, path));
                Ok(Pieces::Each(layers.collect::<Result<_, _>>()?))
            }
        }
    }

    /// Returns the range of bytes to hash, in whole pieces. It contains at least two pieces if the
    /// file does: a single piece would not form a tree.
    fn range(&self, piece_len: u64, bytes: u64) -> (u64, u64) {
        let Some(range) = &self.bytes else { return (0, bytes) };
        let last = bytes.saturating_sub(1) / piece_len * piece_len;
        let start = (range.start() / piece_len * piece_len).min(last.saturating_sub(piece_len));
        let end = (range.end() / piece_len + 1).saturating_mul(piece_len);
        (start, end.max(start + 2 * piece_len).min(bytes))
    }

    /// Returns the tree of a file in version 2.
    fn layer(
        &self,
        piece_len: u64,
        file: &TorrentFile,
        path: &Path,
    ) -> Result<Option<Layer>, Reported> {
        let tree = Tree::torrent2_on(&self.engine);
        let mut source = Source::none();
        let leaves = source.add(path, Some(file.bytes)).and_then(|_| {
            (source.start, source.bytes) = self.range(piece_len, source.bytes);
            self.leaves(&source, &tree)
        });
        let leaves = leaves.map_err(|error| failed("read", path, &error))?;
        if leaves.is_empty() {
            return Ok(None);
        }
        let levels = tree.above(leaves);
        let root = levels.root().as_bytes().try_into().expect("32 bytes");
        let pieces = match file.bytes > piece_len {
            true => levels.bytes((piece_len / LEAF_BYTES).ilog2() as usize).as_chunks().0.to_vec(),
            false => Vec::new(),
        };
        Ok(Some(Layer { root, pieces }))
    }
}

/// Compares files with a `.torrent`. Reports every piece that differs.
fn verify(args: &args::Torrent, hashing: &Hashing, version: Version, path: &Path) -> CommandResult {
    let unread = |error: std::io::Error| failed("read", path, &error);
    let mut text = Vec::new();
    let file = File::open(path).map_err(unread)?;
    file.take(MAX_TORRENT_BYTES + 1).read_to_end(&mut text).map_err(unread)?;
    if text.len() as u64 > MAX_TORRENT_BYTES {
        print_message(format_args!("{} is too long for a torrent", Shown(path.as_os_str())));
        return Err(Reported::Failed);
    }
    let refused = |error: &dyn std::fmt::Display| {
        print_message(format_args!("{}: {error}", Shown(path.as_os_str())));
        Reported::Failed
    };
    let torrent = Torrent::parse(&text, version).map_err(|error| refused(&error))?;
    if torrent.files.iter().all(|file| file.bytes == 0) {
        return Err(refused(&"the torrent has only empty files"));
    }
    if let Pieces::Each(layers) = &torrent.pieces {
        let is_valid = layers.iter().flatten().all(|layer| matches_root(torrent.piece_len, layer));
        if !is_valid {
            return Err(refused(&"malformed torrent: the pieces do not match their root"));
        }
    }
    let at = |file: &TorrentFile| match torrent.is_file {
        true => args.path.clone(),
        false => {
            file.path.iter().fold(args.path.clone(), |path, n| path.join(OsStr::from_bytes(n)))
        }
    };
    let paths: Vec<PathBuf> = torrent.files.iter().map(at).collect();
    let ours = hashing.pieces(version, &torrent, &paths)?;
    let mut out = Vec::new();
    let piece_len = torrent.piece_len;
    // Selects the pieces in the range.
    let looked_at = |bytes: u64| {
        let (start, end) = hashing.range(piece_len, bytes);
        (start / piece_len) as usize..end.div_ceil(piece_len) as usize
    };
    let mut line = |path: &Path, piece: usize, bytes: u64| {
        differs(path, ("piece", piece_len), piece as u64, bytes, &mut out);
    };
    match (&torrent.pieces, &ours) {
        (Pieces::Together(theirs), Pieces::Together(ours)) => {
            let pieces = looked_at(torrent.bytes());
            let pairs = pieces.clone().zip(theirs[pieces].iter().zip(ours));
            for (piece, _) in pairs.filter(|(_, (theirs, ours))| theirs != ours) {
                line(&args.path, piece, torrent.bytes());
            }
        }
        (Pieces::Each(theirs), Pieces::Each(ours)) => {
            for ((path, file), (theirs, ours)) in
                paths.iter().zip(&torrent.files).zip(theirs.iter().zip(ours))
            {
                let (Some(theirs), Some(ours)) = (theirs, ours) else { continue };
                let pieces = match theirs.pieces.is_empty() {
                    true => 0..0,
                    false => looked_at(file.bytes),
                };
                let pairs = pieces.clone().zip(theirs.pieces[pieces].iter().zip(&ours.pieces));
                for (piece, _) in pairs.filter(|(_, (theirs, ours))| theirs != ours) {
                    line(path, piece, file.bytes);
                }
                if theirs.pieces.is_empty() && theirs.root != ours.root {
                    line(path, 0, file.bytes);
                }
            }
        }
        _ => unreachable!("pieces of one version"),
    }
    let verdict = print_verdict(&args.path, out.is_empty(), &mut out);
    let printed = print(&out);
    verdict.and(printed)
}

/// Whether the digests of a file's pieces hash to its root.
fn matches_root(piece_len: u64, layer: &Layer) -> bool {
    if layer.pieces.is_empty() {
        return true;
    }
    // The tree above the pieces. Missing leaves are padded with empty subtrees.
    let pair = |pair: &[[u8; 32]]| lanesum::sha256(pair.as_flattened());
    let mut absent = [0; 32];
    for _ in 0..(piece_len / LEAF_BYTES).ilog2() {
        absent = pair(&[absent; 2]);
    }
    let mut level = layer.pieces.clone();
    while level.len() > 1 {
        if level.len() % 2 == 1 {
            level.push(absent);
        }
        level = level.as_chunks::<2>().0.iter().map(|two| pair(two)).collect();
        absent = pair(&[absent; 2]);
    }
    level[0] == layer.root
}
