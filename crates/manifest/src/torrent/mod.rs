//! `.torrent` files of BitTorrent, versions 1 (BEP 3) and 2 (BEP 52): their files and the digests of their
//! pieces. No path of a parsed torrent leaves its directory.

mod bencode;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use self::bencode::Value;

/// Maximum accepted length of a piece, in bytes.
const MAX_PIECE_BYTES: u64 = 1 << 30;

/// The length of a leaf of version 2, in bytes.
const LEAF_BYTES: u64 = 16 << 10;

/// A `.torrent` of one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Torrent {
    /// The name of the file or directory.
    pub name: Vec<u8>,
    /// Whether it describes a single file instead of a directory.
    pub is_file: bool,
    /// The length of a piece, in bytes.
    pub piece_len: u64,
    /// The files, in their order.
    pub files: Vec<TorrentFile>,
    /// The digests of the pieces.
    pub pieces: Pieces,
    /// Whether it is restricted to private trackers.
    pub is_private: bool,
}

/// A file of a torrent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TorrentFile {
    /// The components of the path; for a single-file torrent, only the name.
    pub path: Vec<Vec<u8>>,
    /// The length of the file, in bytes.
    pub bytes: u64,
    /// Whether it is not a file, but zeros that pad a piece.
    pub is_padding: bool,
}

/// The digests of the pieces of all files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pieces {
    /// Version 1: the SHA-1 of each piece of all files together.
    Together(Vec<[u8; 20]>),
    /// Version 2: for each non-empty file, its root, and the digests of its pieces if it has more than one.
    Each(Vec<Option<Layer>>),
}

/// The tree of a version 2 file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// The root of the tree.
    pub root: [u8; 32],
    /// The digests of the pieces, for files longer than a piece.
    pub pieces: Vec<[u8; 32]>,
}

/// Why a `.torrent` is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TorrentError(&'static str);

impl fmt::Display for TorrentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "malformed torrent: {}", self.0)
    }
}

impl std::error::Error for TorrentError {}

/// The version of a `.torrent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// BEP 3.
    One,
    /// BEP 52.
    Two,
}

impl Torrent {
    /// Returns the total length of all files, in bytes.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }

    /// Encodes the dictionary `info`, whose digest is the info-hash.
    pub fn info(&self) -> Vec<u8> {
        let mut out = vec![b'd'];
        match &self.pieces {
            Pieces::Together(pieces) => {
                if self.is_file {
                    bencode::bytes(&mut out, b"length");
                    bencode::int(&mut out, self.bytes());
                } else {
                    bencode::bytes(&mut out, b"files");
                    out.push(b'l');
                    self.files.iter().for_each(|file| file.write(&mut out));
                    out.push(b'e');
                }
                self.write_name(&mut out);
                bencode::bytes(&mut out, b"pieces");
                bencode::bytes(&mut out, pieces.as_flattened());
            }
            Pieces::Each(layers) => {
                bencode::bytes(&mut out, b"file tree");
                let files: Vec<_> = self.files.iter().zip(layers).collect();
                write_tree(&mut out, &files, 0);
                bencode::bytes(&mut out, b"meta version");
                bencode::int(&mut out, 2);
                self.write_name(&mut out);
            }
        }
        if self.is_private {
            bencode::bytes(&mut out, b"private");
            bencode::int(&mut out, 1);
        }
        out.push(b'e');
        out
    }

    fn write_name(&self, out: &mut Vec<u8>) {
        bencode::bytes(out, b"name");
        bencode::bytes(out, &self.name);
        bencode::bytes(out, b"piece length");
        bencode::int(out, self.piece_len);
    }

    /// Encodes the whole `.torrent`, with its trackers: one in each tier.
    pub fn write(&self, trackers: &[String]) -> Vec<u8> {
        let mut out = vec![b'd'];
        if let Some(first) = trackers.first() {
            bencode::bytes(&mut out, b"announce");
            bencode::bytes(&mut out, first.as_bytes());
        }
        if trackers.len() > 1 {
            bencode::bytes(&mut out, b"announce-list");
            out.push(b'l');
            for tracker in trackers {
                out.push(b'l');
                bencode::bytes(&mut out, tracker.as_bytes());
                out.push(b'e');
            }
            out.push(b'e');
        }
        bencode::bytes(&mut out, b"info");
        out.extend(self.info());
        if let Pieces::Each(layers) = &self.pieces {
            bencode::bytes(&mut out, b"piece layers");
            out.push(b'd');
            let layers = layers.iter().flatten().filter(|layer| !layer.pieces.is_empty());
            let by_root: BTreeMap<_, _> = layers.map(|layer| (layer.root, &layer.pieces)).collect();
            for (root, pieces) in by_root {
                bencode::bytes(&mut out, &root);
                bencode::bytes(&mut out, pieces.as_flattened());
            }
            out.push(b'e');
        }
        out.push(b'e');
        out
    }

    /// Parses the `version` part of a `.torrent`.
    ///
    /// # Errors
    ///
    /// If it lacks that version, is malformed, has contradictory lengths, or a path leaves its directory.
    pub fn parse(text: &[u8], version: Version) -> Result<Self, TorrentError> {
        let all = Value::parse(text)?;
        let info = all.get("info").ok_or(TorrentError("missing info dictionary"))?;
        let name = info.get("name").and_then(Value::bytes).ok_or(TorrentError("missing name"))?;
        let name = component(name)?;
        let piece_len = info.get("piece length").and_then(Value::int);
        let piece_len = piece_len.and_then(|len| u64::try_from(len).ok());
        let piece_len = piece_len.filter(|len| (1..=MAX_PIECE_BYTES).contains(len));
        let piece_len = piece_len.ok_or(TorrentError("invalid piece length"))?;
        let is_private = info.get("private").and_then(Value::int) == Some(1);
        let torrent = match version {
            Version::One => first(info, name, piece_len, is_private)?,
            Version::Two => second(&all, info, name, piece_len, is_private)?,
        };
        let mut names = BTreeSet::new();
        for file in &torrent.files {
            if !names.insert(&file.path) {
                return Err(TorrentError("duplicate path"));
            }
        }
        // The parents of a path are directories, so they must not be files.
        for file in &torrent.files {
            for len in 1..file.path.len() {
                if names.contains(&file.path[..len].to_vec()) {
                    return Err(TorrentError("a path is both a file and a directory"));
                }
            }
        }
        Ok(torrent)
    }
}

impl TorrentFile {
    fn write(&self, out: &mut Vec<u8>) {
        out.push(b'd');
        bencode::bytes(out, b"length");
        bencode::int(out, self.bytes);
        bencode::bytes(out, b"path");
        out.push(b'l');
        self.path.iter().for_each(|name| bencode::bytes(out, name));
        out.extend(b"ee");
    }
}

/// Encodes the directory at `depth` that contains these files, which are sorted.
fn write_tree(out: &mut Vec<u8>, files: &[(&TorrentFile, &Option<Layer>)], depth: usize) {
    out.push(b'd');
    for same in files.chunk_by(|a, b| a.0.path[depth] == b.0.path[depth]) {
        let (file, layer) = same[0];
        bencode::bytes(out, &file.path[depth]);
        if file.path.len() > depth + 1 {
            write_tree(out, same, depth + 1);
            continue;
        }
        out.push(b'd');
        bencode::bytes(out, b"");
        out.push(b'd');
        bencode::bytes(out, b"length");
        bencode::int(out, file.bytes);
        if let Some(layer) = layer {
            bencode::bytes(out, b"pieces root");
            bencode::bytes(out, &layer.root);
        }
        out.extend(b"ee");
    }
    out.push(b'e');
}

/// Checks that a name is a single path component.
fn component(name: &[u8]) -> Result<Vec<u8>, TorrentError> {
    if name.is_empty() || name == b"." || name == b".." || name.contains(&b'/') {
        return Err(TorrentError("a path leaves its directory"));
    }
    if name.contains(&0) {
        return Err(TorrentError("a name contains a NUL"));
    }
    Ok(name.to_vec())
}

fn length(value: &Value<'_>) -> Result<u64, TorrentError> {
    let length = value.get("length").and_then(Value::int).and_then(|len| u64::try_from(len).ok());
    length.ok_or(TorrentError("a file has no length"))
}

/// Parses the files of version 1.
fn first(
    info: &Value<'_>,
    name: Vec<u8>,
    piece_len: u64,
    is_private: bool,
) -> Result<Torrent, TorrentError> {
    let pieces = info.get("pieces").and_then(Value::bytes);
    let pieces = pieces.ok_or(TorrentError("no version 1 pieces"))?;
    let (pieces, rest) = pieces.as_chunks::<20>();
    let mut files = Vec::new();
    let list = info.get("files");
    match list {
        None => files.push(TorrentFile {
            path: vec![name.clone()],
            bytes: length(info)?,
            is_padding: false,
        }),
        Some(list) => {
            for file in list.list().ok_or(TorrentError("files is not a list"))? {
                let path = file.get("path").and_then(Value::list).unwrap_or_default();
                let path = path.iter().map(|name| component(name.bytes().unwrap_or_default()));
                let path = path.collect::<Result<Vec<_>, _>>()?;
                if path.is_empty() {
                    return Err(TorrentError("a file has no path"));
                }
                let attributes = file.get("attr").and_then(Value::bytes).unwrap_or_default();
                if attributes.contains(&b'l') {
                    return Err(TorrentError("symlinks are not supported"));
                }
                let is_padding = attributes.contains(&b'p');
                files.push(TorrentFile { path, bytes: length(file)?, is_padding });
            }
        }
    }
    // Padding files may share a name, since they are never read.
    for (i, file) in files.iter_mut().enumerate().filter(|(_, file)| file.is_padding) {
        file.path =
            vec![b".pad".to_vec(), i.to_string().into_bytes(), file.bytes.to_string().into()];
    }
    let bytes = files.iter().try_fold(0_u64, |sum, file| sum.checked_add(file.bytes));
    let bytes = bytes.ok_or(TorrentError("total length overflows"))?;
    if !rest.is_empty() || pieces.len() as u64 != bytes.div_ceil(piece_len) {
        return Err(TorrentError("wrong number of pieces"));
    }
    let pieces = Pieces::Together(pieces.to_vec());
    Ok(Torrent { name, is_file: list.is_none(), piece_len, files, pieces, is_private })
}

/// Parses the files of version 2.
fn second(
    all: &Value<'_>,
    info: &Value<'_>,
    name: Vec<u8>,
    piece_len: u64,
    is_private: bool,
) -> Result<Torrent, TorrentError> {
    if info.get("meta version").and_then(Value::int) != Some(2) {
        return Err(TorrentError("no version 2 metadata"));
    }
    if !piece_len.is_power_of_two() || piece_len < LEAF_BYTES {
        return Err(TorrentError("invalid piece length"));
    }
    let tree = info.get("file tree").ok_or(TorrentError("missing file tree"))?;
    let layers = all.get("piece layers");
    let (mut files, mut found) = (Vec::new(), Vec::new());
    let mut waiting = vec![(Vec::new(), tree)];
    while let Some((path, value)) = waiting.pop() {
        let entries = value.dict().ok_or(TorrentError("malformed file tree"))?;
        if let [entry] = entries
            && entry.key.is_empty()
            && !path.is_empty()
        {
            let bytes = length(&entry.value)?;
            let attributes = entry.value.get("attr").and_then(Value::bytes).unwrap_or_default();
            if attributes.contains(&b'l') {
                return Err(TorrentError("symlinks are not supported"));
            }
            found.push(layer(layers, &entry.value, bytes, piece_len)?);
            files.push(TorrentFile { path, bytes, is_padding: false });
            continue;
        }
        for entry in entries.iter().rev() {
            let mut path = path.clone();
            path.push(component(entry.key)?);
            waiting.push((path, &entry.value));
        }
    }
    let sum = files.iter().try_fold(0_u64, |sum, file: &TorrentFile| sum.checked_add(file.bytes));
    sum.ok_or(TorrentError("total length overflows"))?;
    let is_file = matches!(&files[..], [only] if only.path[..] == [name.clone()]);
    let pieces = Pieces::Each(found);
    Ok(Torrent { name, is_file, piece_len, files, pieces, is_private })
}

/// Parses the digests of a version 2 file.
fn layer(
    layers: Option<&Value<'_>>,
    file: &Value<'_>,
    bytes: u64,
    piece_len: u64,
) -> Result<Option<Layer>, TorrentError> {
    if bytes == 0 {
        return Ok(None);
    }
    let root = file.get("pieces root").and_then(Value::bytes);
    let root = root.and_then(|root| root.try_into().ok());
    let root: [u8; 32] = root.ok_or(TorrentError("a file has no pieces root"))?;
    if bytes <= piece_len {
        return Ok(Some(Layer { root, pieces: Vec::new() }));
    }
    let entries = layers.and_then(Value::dict).unwrap_or_default();
    let pieces = entries.iter().find(|entry| entry.key == root).and_then(|e| e.value.bytes());
    let (pieces, rest) = pieces.unwrap_or_default().as_chunks::<32>();
    if !rest.is_empty() || pieces.len() as u64 != bytes.div_ceil(piece_len) {
        return Err(TorrentError("wrong number of pieces"));
    }
    Ok(Some(Layer { root, pieces: pieces.to_vec() }))
}
