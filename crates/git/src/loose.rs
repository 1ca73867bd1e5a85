//! Loose objects: one per file.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use lanesum::Digest;
use lanesum_files::{Kinds, open};

use crate::batch::{Batch, Hashed, Long, hash_rest};
use crate::inflate::{Inflater, Stream, check_len, too_short};
use crate::lfs;
use crate::object::{MAX_HEADER, Object, Type};
use crate::report::{Counts, Fault, Found};
use crate::run::Run;

/// Length of an object above which it is hashed while being decoded, in bytes.
const LARGE_OBJECT_BYTES: u64 = 8 << 20;

/// Number of files that a thread takes at a time.
const FILES_PER_BATCH: usize = 16;

/// Minimum number of files per additional thread.
const FILES_PER_THREAD: usize = 64;

/// An object and its file.
struct Loose {
    id: Digest,
    path: PathBuf,
}

/// Verifies the loose objects of a directory that are not in `done`, and adds them to it. Returns whether another
/// program removed some of them.
pub(crate) fn verify(run: &Run<'_>, objects: &Path, done: &mut HashSet<Digest>) -> bool {
    let mut has_vanished = false;
    for byte in 0..=255_u8 {
        if run.is_stopped() {
            break;
        }
        let directory = objects.join(format!("{byte:02x}"));
        let mut found = Vec::new();
        match list(run, &directory, byte) {
            Ok(listed) => found.extend(listed.into_iter().filter(|loose| done.insert(loose.id))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => run.file(&directory, Err(error.into())),
        }
        has_vanished |= verify_all(run, &found);
    }
    has_vanished
}

fn list(run: &Run<'_>, directory: &Path, byte: u8) -> io::Result<Vec<Loose>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name();
        // Files with other names are temporary.
        let Some(digits) = name.to_str().filter(|name| name.len() == 2 * run.hash.len() - 2) else {
            continue;
        };
        if let Ok(id) = format!("{byte:02x}{digits}").parse::<Digest>() {
            found.push(Loose { id, path: entry.path() });
        }
    }
    found.sort_unstable_by_key(|loose| loose.id);
    Ok(found)
}

fn verify_all(run: &Run<'_>, found: &[Loose]) -> bool {
    let workers = run.workers.min(found.len() / FILES_PER_THREAD + 1);
    let taken = AtomicUsize::new(0);
    let vanished = AtomicUsize::new(0);
    thread::scope(|scope| {
        let work = || vanished.fetch_add(verify_some(run, found, &taken), Ordering::Relaxed);
        (1..workers).for_each(|_| _ = scope.spawn(work));
        work();
    });
    vanished.into_inner() > 0
}

/// Verifies objects until none is left. Returns how many vanished.
fn verify_some(run: &Run<'_>, found: &[Loose], taken: &AtomicUsize) -> usize {
    let mut counts = Counts::default();
    let mut inflater = Inflater::new();
    let mut batch: Batch<&Loose, Message> = Batch::new();
    let mut vanished = 0;
    loop {
        let first = taken.fetch_add(FILES_PER_BATCH, Ordering::Relaxed);
        if first >= found.len() || run.is_stopped() {
            break;
        }
        for loose in &found[first..(first + FILES_PER_BATCH).min(found.len())] {
            let file = match open(&loose.path, Kinds::Storage) {
                Ok(file) => Ok(file),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    vanished += 1;
                    continue;
                }
                Err(error) => Err(Fault::from(error)),
            };
            counts.find(Found::Loose, 1);
            run.progress.add_file();
            match file.and_then(|file| decode(run, &file, &mut inflater)) {
                Ok(Decoded::Message(message)) => {
                    if batch.push(loose, message) {
                        hash_batch(run, &mut batch, &mut counts);
                    }
                }
                Ok(Decoded::Hashed(hashed, fault)) => {
                    let result = hashed.matches(loose.id.as_bytes());
                    let result = result.and(fault.map_or(Ok(()), Err));
                    run.object(&mut counts, loose.id, &loose.path, None, result);
                }
                Err(fault) => run.object(&mut counts, loose.id, &loose.path, None, Err(fault)),
            }
        }
    }
    hash_batch(run, &mut batch, &mut counts);
    counts.find(Found::Vanished, vanished as u64);
    run.add(&counts);
    vanished
}

fn hash_batch(run: &Run<'_>, batch: &mut Batch<&Loose, Message>, counts: &mut Counts) {
    batch.hash(run.hash, &run.engine, |loose, message, hashed| {
        let result = hashed.matches(loose.id.as_bytes());
        if result.is_ok() {
            lfs::notice(run, &message.0);
        }
        run.object(counts, loose.id, &loose.path, None, result);
    });
}

struct Message(Object);

impl AsRef<[u8]> for Message {
    fn as_ref(&self) -> &[u8] {
        self.0.message()
    }
}

enum Decoded {
    Message(Message),
    /// The digest of all decoded bytes, and a fault of the header.
    Hashed(Hashed, Option<Fault>),
}

/// Decodes an object, or hashes it while decoding if it is large.
fn decode(run: &Run<'_>, file: &File, inflater: &mut Inflater) -> Result<Decoded, Fault> {
    let end = file.metadata()?.len();
    if end == 0 {
        return Err(Fault::unreadable("the file is empty"));
    }
    let mut stream = Stream::new(&run.meter, inflater, file, 0, end);
    let mut head = [0; MAX_HEADER];
    let read = stream.read(&mut head)?;
    let head = &head[..read];
    let Some((of_type, len, header_len)) = Type::parse_header(head) else {
        // Report a collision even if the header is malformed.
        let fault = Fault::unreadable("the header of the object is malformed");
        let mut long = Long::new(run.hash, &run.engine);
        long.update(head);
        return Ok(Decoded::Hashed(hash_to_end(&mut stream, &mut long)?, Some(fault)));
    };
    check_len(len, end)?;
    let contents = &head[header_len..];
    let Some(left) = len.checked_sub(contents.len() as u64) else {
        return Err(crate::inflate::too_long(len as usize));
    };
    if len > LARGE_OBJECT_BYTES {
        let mut long = Long::new(run.hash, &run.engine);
        long.update(head);
        return Ok(Decoded::Hashed(hash_rest(stream, left, len, long)?, None));
    }
    let mut message = vec![0; header_len + len as usize];
    message[..head.len()].copy_from_slice(head);
    let read = stream.read(&mut message[head.len()..])?;
    if (read as u64) < left {
        return Err(too_short(len - left + read as u64, len));
    }
    stream.finish(len)?;
    Ok(Decoded::Message(Message(Object::from_message(of_type, header_len, message))))
}

fn hash_to_end(stream: &mut Stream<'_>, long: &mut Long) -> Result<Hashed, Fault> {
    let mut buffer = vec![0; 64 << 10];
    loop {
        match stream.read(&mut buffer)? {
            0 => return Ok(long.finish()),
            read => long.update(&buffer[..read]),
        }
    }
}
