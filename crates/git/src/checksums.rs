//! Files that end with a checksum of their contents.

use std::fs::File;
use std::io;
use std::path::Path;

use lanesum::{Hasher, hash};
use lanesum_files::{Kinds, open};

use crate::file::{read_at, read_whole};
use crate::index::big_endian;
use crate::object::{ObjectHash, id};
use crate::report::Fault;
use crate::run::Run;

/// Number of bytes read at a time.
const READ_BYTES: u64 = 1 << 20;

/// Offset of the table in a reverse index, in bytes.
const TABLE_OFFSET: usize = 12;

/// Verifies the checksum at the end of `bytes`.
pub(crate) fn of_bytes(run: &Run<'_>, bytes: &[u8]) -> Result<(), Fault> {
    let len = run.hash.len();
    let Some(end) = bytes.len().checked_sub(len) else {
        return Err(Fault::unreadable("it is truncated"));
    };
    let (contents, expected) = bytes.split_at(end);
    compare(hash(&run.engine, contents).as_bytes(), expected)
}

fn compare(found: &[u8], expected: &[u8]) -> Result<(), Fault> {
    if found == expected {
        return Ok(());
    }
    let (found, expected) = (id(found), id(expected));
    Err(Fault::rotted(format!("its checksum is {expected}, but its contents have {found}")))
}

/// Compares `expected` with the checksum of the first `end` bytes of `file`.
pub(crate) fn of_range(run: &Run<'_>, file: &File, end: u64, expected: &[u8]) -> Result<(), Fault> {
    let mut hasher = Hasher::new(&run.engine);
    let mut buffer = Vec::new();
    let mut at = 0;
    while at < end && !run.is_stopped() {
        buffer.resize((end - at).min(READ_BYTES) as usize, 0);
        read_at(&run.meter, file, &mut buffer, at)?;
        hasher.update(&buffer);
        at += buffer.len() as u64;
    }
    compare(hasher.finish().as_bytes(), expected)
}

/// A kind of file with a checksum at its end.
pub(crate) struct Checksummed {
    /// The magic bytes at the start of the file.
    pub(crate) signature: &'static [u8],
    /// The offset and length of the field that identifies the hash function, in bytes.
    pub(crate) hash_at: Option<(usize, usize)>,
    /// How to make git rewrite the file.
    pub(crate) remedy: &'static str,
}

/// Verifies a file, which may not exist.
pub(crate) fn of_file(run: &Run<'_>, path: &Path, kind: &Checksummed) -> Option<Result<(), Fault>> {
    let file = match open(path, Kinds::Storage) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
        file => file,
    };
    let checked = file.map_err(Fault::from).and_then(|file| {
        let len = file.metadata()?.len();
        let mut head = vec![0; len.min(16) as usize];
        read_at(&run.meter, &file, &mut head, 0)?;
        check_head(&head, kind, run.hash)?;
        let trailer = run.hash.len();
        let end = len.checked_sub(trailer as u64);
        let end = end.ok_or_else(|| Fault::unreadable("it is truncated"))?;
        let mut expected = vec![0; trailer];
        read_at(&run.meter, &file, &mut expected, end)?;
        of_range(run, &file, end, &expected)
    });
    Some(checked.map_err(|fault| remedied(fault, kind)))
}

fn remedied(fault: Fault, kind: &Checksummed) -> Fault {
    Fault { reason: format!("{}; {}", fault.reason, kind.remedy), ..fault }
}

fn check_head(head: &[u8], kind: &Checksummed, hash: ObjectHash) -> Result<(), Fault> {
    if !head.starts_with(kind.signature) {
        let signature = kind.signature.escape_ascii();
        return Err(Fault::unreadable(format!("it does not begin with '{signature}'")));
    }
    let Some((at, len)) = kind.hash_at else { return Ok(()) };
    let bytes = head.get(at..at + len).ok_or_else(|| Fault::unreadable("it is truncated"))?;
    let number = bytes.iter().fold(0, |number, byte| number << 8 | u32::from(*byte));
    if number != hash.number() {
        return Err(Fault::unreadable("its hash function is not the repository's"));
    }
    Ok(())
}

/// Verifies the reverse index of a pack, which may not exist. It lists positions in the index in
/// the order of offsets.
pub(crate) fn reverse_index(
    run: &Run<'_>,
    path: &Path,
    order: &[u32],
    pack_checksum: &[u8],
) -> Option<Result<(), Fault>> {
    let kind = Checksummed {
        signature: b"RIDX\0\0\0\x01",
        hash_at: Some((8, 4)),
        remedy: "rebuild it with 'git index-pack --rev-index' on its pack",
    };
    let bytes = match read_whole(&run.meter, path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
        bytes => bytes,
    };
    let checked = bytes.map_err(Fault::from).and_then(|bytes| {
        check_head(&bytes, &kind, run.hash)?;
        of_bytes(run, &bytes)?;
        let end = bytes.len().checked_sub(2 * run.hash.len()).filter(|end| *end >= TABLE_OFFSET);
        let end = end.ok_or_else(|| Fault::unreadable("it is truncated"))?;
        let pack = &bytes[end..][..run.hash.len()];
        let places = bytes[TABLE_OFFSET..end].chunks_exact(4).map(big_endian);
        if pack == pack_checksum && places.eq(order.iter().copied()) {
            Ok(())
        } else {
            Err(Fault::rotted("it does not match its pack"))
        }
    });
    Some(checked.map_err(|fault| remedied(fault, &kind)))
}
