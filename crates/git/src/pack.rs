//! A pack with its index.
//!
//! The pack is read twice: in order, for its checksum, the CRC-32 and the base of each entry; then
//! base by base, so that each object is decoded once. A base is retained until its last delta is
//! decoded. Threads without a base steal the remaining deltas of others.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::thread;

use lanesum_files::{Kinds, open};
use zlib_rs::crc32::crc32;

use crate::batch::{Batch, Hashed, Long, hash_rest};
use crate::checksums;
use crate::delta::Delta;
use crate::entry::{Header, Kind, MAX_HEADER};
use crate::file::{read_at, read_whole};
use crate::index::{Index, big_endian};
use crate::inflate::{Inflater, Stream, check_len, too_short};
use crate::lfs;
use crate::object::{Object, Type, id};
use crate::report::{Counts, Fault, Found};
use crate::run::{Run, lock};
use crate::work::{Deltas, Held, Message, Presence, Work};

/// Length of the header, in bytes: the signature, the version and the number of objects.
const PACK_HEADER: u64 = 12;

/// Length in bytes above which entries are read in pieces, and objects other than deltas and bases
/// are hashed in pieces.
const LARGE_ENTRY_BYTES: u64 = 8 << 20;

/// Maximum length of deltas, of their results and of their bases, in bytes.
const MAX_DELTA_BYTES: u64 = 1 << 30;

/// Number of bytes that a thread reads at a time in the first pass.
const SEGMENT_BYTES: u64 = 4 << 20;

/// Minimum number of bytes of a pack per additional thread.
const BYTES_PER_THREAD: u64 = 1 << 20;

/// Number of entries that a thread takes at a time.
const ENTRIES_PER_BATCH: usize = 32;

/// Marks an absent entry, such as the base of an object that is not a delta.
const NO_ENTRY: u32 = u32::MAX;

/// The result of verifying a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Verified,
    /// Another program removed the pack.
    Vanished,
    /// The index has no pack. Nothing is reported.
    Unpaired,
}

/// Verifies a pack and the files derived from it.
pub(crate) fn verify(run: &Run<'_>, index_path: &Path) -> End {
    let path = &index_path.with_extension("pack");
    let bytes = match read_whole(&run.meter, index_path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return End::Vanished,
        Err(error) => {
            run.file(index_path, Err(error.into()));
            return End::Verified;
        }
    };
    let file = match open(path, Kinds::Storage) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return if index_path.exists() { End::Unpaired } else { End::Vanished };
        }
        Err(error) => {
            run.file(path, Err(error.into()));
            return End::Verified;
        }
    };
    let rebuilt = |fault: Fault| Fault {
        reason: format!("{}; rebuild it with 'git index-pack' on its pack", fault.reason),
        ..fault
    };
    let checked = checksums::of_bytes(run, &bytes).map_err(rebuilt);
    let index = match Index::parse(bytes, run.hash) {
        Ok(index) => index,
        Err(reason) => {
            // The reason is more useful than a checksum mismatch.
            run.file(index_path, Err(rebuilt(Fault::unreadable(reason))));
            return End::Verified;
        }
    };
    let mut pack = match Pack::open(run, path, &file, &index) {
        Ok(pack) => pack,
        Err(fault) => {
            run.file(index_path, checked);
            run.file(path, Err(fault));
            return End::Verified;
        }
    };
    let checked = checked.and_then(|()| match pack.matches_index() {
        Ok(()) => Ok(()),
        Err(reason) => Err(rebuilt(Fault::rotted(reason))),
    });
    run.file(index_path, checked);
    pack.verify();
    let reverse = path.with_extension("rev");
    if let Some(result) = checksums::reverse_index(run, &reverse, &pack.order, &pack.checksum) {
        run.file(&reverse, result);
    }
    End::Verified
}

/// The entries of a pack, numbered in the order of their offsets.
struct Pack<'a> {
    run: &'a Run<'a>,
    path: &'a Path,
    file: &'a File,
    index: &'a Index,
    /// The checksum at the end of the pack.
    checksum: Vec<u8>,
    declared_count: u32,
    /// The position in the index of each entry.
    order: Vec<u32>,
    /// The offset of each entry, and the end of the last one.
    offsets: Vec<u64>,
    /// Positions in the index without an entry.
    unusable: Vec<(u32, Fault)>,
    /// The base of each entry: `NO_ENTRY` if it is not a delta.
    bases: Vec<AtomicU32>,
    /// The first delta of each entry, and the next delta with the same base.
    first: Vec<u32>,
    next: Vec<u32>,
    visited: Vec<AtomicBool>,
    wrong_crcs: Mutex<BTreeSet<u32>>,
    /// Entries with a malformed header.
    broken: Mutex<Vec<(u32, Fault)>>,
}

/// The state of one thread.
struct Worker<'a> {
    inflater: Inflater,
    input: Vec<u8>,
    delta: Vec<u8>,
    batch: Batch<u32, Message<'a>>,
    stack: Vec<Deltas<'a>>,
    counts: Counts,
}

impl Worker<'_> {
    fn new() -> Self {
        Self {
            inflater: Inflater::new(),
            input: Vec::new(),
            delta: Vec::new(),
            batch: Batch::new(),
            stack: Vec::new(),
            counts: Counts::default(),
        }
    }
}

impl<'a> Pack<'a> {
    fn open(
        run: &'a Run<'a>,
        path: &'a Path,
        file: &'a File,
        index: &'a Index,
    ) -> Result<Self, Fault> {
        let len = file.metadata()?.len();
        let trailer = run.hash.len() as u64;
        let Some(end) = len.checked_sub(trailer).filter(|end| *end >= PACK_HEADER) else {
            return Err(Fault::unreadable(format!("{len} bytes are too few for a pack")));
        };
        let mut header = [0; PACK_HEADER as usize];
        read_at(&run.meter, file, &mut header, 0)?;
        let (signature, version) = header[..8].split_at(4);
        if signature != b"PACK" || !matches!(big_endian(version), 2 | 3) {
            return Err(Fault::unreadable("it does not begin like a pack of version 2 or 3"));
        }
        let mut checksum = vec![0; trailer as usize];
        read_at(&run.meter, file, &mut checksum, end)?;
        let mut unusable = Vec::new();
        let mut places = Vec::with_capacity(index.count());
        for at in 0..index.count() {
            match index.offset(at) {
                Some(offset) if (PACK_HEADER..end).contains(&offset) => {
                    places.push((offset, at as u32));
                }
                Some(offset) => unusable.push((
                    at as u32,
                    Fault::unreadable(format!(
                        "the index has the offset {offset}, but entries end at {end}"
                    )),
                )),
                None => unusable.push((
                    at as u32,
                    Fault::unreadable("the index has no 64-bit offset of this number"),
                )),
            }
        }
        places.sort_unstable();
        places.dedup_by(|this, before| {
            let is_repeated = this.0 == before.0;
            if is_repeated {
                let other = id(index.id(before.1 as usize));
                let reason = format!("the index has the same offset for {other}");
                unusable.push((this.1, Fault::unreadable(reason)));
            }
            is_repeated
        });
        let order: Vec<u32> = places.iter().map(|place| place.1).collect();
        let offsets = places.iter().map(|place| place.0).chain([end]).collect();
        let count = order.len();
        Ok(Self {
            run,
            path,
            file,
            index,
            checksum,
            declared_count: big_endian(&header[8..]),
            order,
            offsets,
            unusable,
            bases: (0..count).map(|_| AtomicU32::new(NO_ENTRY)).collect(),
            first: vec![NO_ENTRY; count],
            next: vec![NO_ENTRY; count],
            visited: (0..count).map(|_| AtomicBool::new(false)).collect(),
            wrong_crcs: Mutex::default(),
            broken: Mutex::default(),
        })
    }

    /// Compares the index with the header and the checksum of the pack.
    fn matches_index(&self) -> Result<(), String> {
        let count = self.index.count();
        if count as u64 != u64::from(self.declared_count) {
            return Err(format!(
                "it lists {count} objects, but its pack has {}",
                self.declared_count
            ));
        }
        if self.checksum != self.index.pack_checksum() {
            let (pack, index) = (id(&self.checksum), id(self.index.pack_checksum()));
            return Err(format!("it is for a pack with the checksum {index}, not {pack}"));
        }
        Ok(())
    }

    fn len(&self) -> usize {
        self.order.len()
    }

    /// Returns the end of the last entry.
    fn end(&self) -> u64 {
        self.offsets[self.len()]
    }

    fn id(&self, entry: u32) -> &[u8] {
        self.index.id(self.order[entry as usize] as usize)
    }

    fn entry_at(&self, offset: u64) -> Option<u32> {
        let entry = self.offsets[..self.len()].binary_search(&offset).ok()?;
        Some(entry as u32)
    }

    fn base(&self, entry: u32) -> u32 {
        self.bases[entry as usize].load(Ordering::Relaxed)
    }

    /// Verifies the checksum of the pack and every entry.
    fn verify(&mut self) {
        let run = self.run;
        let end = self.end();
        let workers = run.workers.min((end / BYTES_PER_THREAD) as usize + 1);
        let mut counts = Counts::default();
        counts.find(Found::Packed, self.index.count() as u64);
        counts.find(Found::Pack, 1);
        for (at, fault) in std::mem::take(&mut self.unusable) {
            run.object(&mut counts, id(self.index.id(at as usize)), self.path, None, Err(fault));
        }
        thread::scope(|scope| {
            let (path, file, expected) = (self.path, self.file, self.checksum.clone());
            let sum = move || run.file(path, checksums::of_range(run, file, end, &expected));
            if workers == 1 {
                sum();
            } else {
                scope.spawn(sum);
            }
            let segments = self.segments();
            let taken = AtomicUsize::new(0);
            each(workers, || self.read_headers(&segments, &taken));
            for entry in (0..self.len() as u32).rev() {
                let base = self.base(entry);
                if base != NO_ENTRY {
                    self.next[entry as usize] = self.first[base as usize];
                    self.first[base as usize] = entry;
                }
            }
            for (entry, fault) in std::mem::take(&mut *lock(&self.broken)) {
                self.fail(entry, fault, &mut counts);
            }
            let work = Work::new(workers);
            each(workers, || self.decode_entries(&work));
        });
        if !run.is_stopped() {
            for entry in 0..self.len() as u32 {
                if !self.visited[entry as usize].load(Ordering::Relaxed) {
                    let fault = Fault::unreadable("its delta bases form a cycle");
                    self.found(&mut counts, entry, Err(fault));
                }
            }
        }
        run.add(&counts);
    }

    fn found(&self, counts: &mut Counts, entry: u32, result: Result<(), Fault>) {
        self.visited[entry as usize].store(true, Ordering::Relaxed);
        let result = match result {
            Ok(()) if lock(&self.wrong_crcs).contains(&entry) => Err(Fault::rotted(
                "the index has another CRC-32; rebuild it with 'git index-pack' on its pack",
            )),
            result => result,
        };
        let offset = Some(self.offsets[entry as usize]);
        self.run.object(counts, id(self.id(entry)), self.path, offset, result);
    }

    /// Reports an entry that cannot be decoded, and all that are deltas of it.
    fn fail(&self, entry: u32, fault: Fault, counts: &mut Counts) {
        self.found(counts, entry, Err(fault));
        let mut rest = vec![entry];
        while let Some(base) = rest.pop() {
            let mut delta = self.first[base as usize];
            while delta != NO_ENTRY {
                let reason = format!("its delta base {} cannot be decoded", id(self.id(base)));
                self.found(counts, delta, Err(Fault::unreadable(reason)));
                rest.push(delta);
                delta = self.next[delta as usize];
            }
        }
    }

    /// Returns ranges of entries of about `SEGMENT_BYTES` bytes each.
    fn segments(&self) -> Vec<(u32, u32)> {
        let mut segments = Vec::new();
        let mut first = 0;
        for entry in 1..=self.len() {
            let bytes = self.offsets[entry] - self.offsets[first];
            if bytes >= SEGMENT_BYTES || entry == self.len() {
                segments.push((first as u32, entry as u32));
                first = entry;
            }
        }
        segments
    }

    /// Reads segments. Computes the CRC-32 of each entry and records its base.
    fn read_headers(&self, segments: &[(u32, u32)], taken: &AtomicUsize) {
        let mut buffer = Vec::new();
        while let Some(&(first, end)) = segments.get(taken.fetch_add(1, Ordering::Relaxed)) {
            if self.run.is_stopped() {
                return;
            }
            let start = self.offsets[first as usize];
            let bytes = self.offsets[end as usize] - start;
            let read = if bytes <= 2 * SEGMENT_BYTES {
                buffer.resize(bytes as usize, 0);
                read_at(&self.run.meter, self.file, &mut buffer, start)
            } else {
                Ok(())
            };
            for entry in first..end {
                let range = self.range(entry);
                let read = match &read {
                    Err(error) => Err(Fault::unreadable(crate::report::reason(error))),
                    Ok(()) if bytes <= 2 * SEGMENT_BYTES => {
                        let entry_bytes =
                            &buffer[(range.0 - start) as usize..(range.1 - start) as usize];
                        self.read_header(entry, entry_bytes, crc32(0, entry_bytes))
                    }
                    Ok(()) => self.read_long_header(entry, range, &mut buffer),
                };
                if let Err(fault) = read {
                    lock(&self.broken).push((entry, fault));
                }
            }
        }
    }

    /// Computes the CRC-32 of a long entry in pieces, and parses its header.
    fn read_long_header(
        &self,
        entry: u32,
        (start, end): (u64, u64),
        buffer: &mut Vec<u8>,
    ) -> Result<(), Fault> {
        let (mut crc, mut at) = (0, start);
        let mut header = Vec::new();
        while at < end {
            buffer.resize((end - at).min(SEGMENT_BYTES) as usize, 0);
            read_at(&self.run.meter, self.file, buffer, at)?;
            crc = crc32(crc, buffer);
            if at == start {
                header = buffer[..buffer.len().min(MAX_HEADER as usize)].to_vec();
            }
            at += buffer.len() as u64;
        }
        self.read_header(entry, &header, crc)
    }

    fn read_header(&self, entry: u32, bytes: &[u8], crc: u32) -> Result<(), Fault> {
        let place = self.order[entry as usize] as usize;
        if self.index.crc(place).is_some_and(|expected| expected != crc) {
            lock(&self.wrong_crcs).insert(entry);
        }
        let header = Header::parse(bytes, self.run.hash.len())?;
        let base = match header.kind {
            Kind::Whole(_) => return Ok(()),
            Kind::Distance(distance) => {
                let offset = self.offsets[entry as usize];
                let base = offset.checked_sub(distance).and_then(|base| self.entry_at(base));
                base.ok_or_else(|| {
                    Fault::unreadable(format!(
                        "its delta base is {distance} bytes before it, where no object begins"
                    ))
                })?
            }
            Kind::Id(bytes) => {
                let base = &bytes[..self.run.hash.len()];
                let offset = self.index.find(base).and_then(|at| self.index.offset(at));
                offset.and_then(|offset| self.entry_at(offset)).ok_or_else(|| {
                    Fault::unreadable(format!("its delta base {} is not in the pack", id(base)))
                })?
            }
        };
        self.bases[entry as usize].store(base, Ordering::Relaxed);
        Ok(())
    }

    fn range(&self, entry: u32) -> (u64, u64) {
        (self.offsets[entry as usize], self.offsets[entry as usize + 1])
    }

    /// Decodes entries, and the deltas of each, until no thread has work.
    fn decode_entries(&self, work: &Work<'a>) {
        let _presence = Presence(work);
        let mut worker = Worker::new();
        loop {
            if self.run.is_stopped() {
                worker.stack.clear();
            }
            if let Some(deltas) = worker.stack.pop() {
                self.decode_next(deltas, &mut worker, work);
                continue;
            }
            let first = work.entries.fetch_add(ENTRIES_PER_BATCH, Ordering::Relaxed);
            if first < self.len() && !self.run.is_stopped() {
                for entry in first..(first + ENTRIES_PER_BATCH).min(self.len()) {
                    let entry = entry as u32;
                    let is_visited = self.visited[entry as usize].load(Ordering::Relaxed);
                    if self.base(entry) == NO_ENTRY && !is_visited {
                        self.decode(entry, None, &mut worker);
                        while !self.run.is_stopped()
                            && let Some(deltas) = worker.stack.pop()
                        {
                            self.decode_next(deltas, &mut worker, work);
                        }
                    }
                }
                continue;
            }
            self.hash_batch(&mut worker);
            let Some(deltas) = work.take() else { break };
            worker.stack.push(deltas);
        }
        self.run.add(&worker.counts);
    }

    /// Decodes the next delta of a base, and leaves the others on the stack.
    fn decode_next(&self, deltas: Deltas<'a>, worker: &mut Worker<'a>, work: &Work<'a>) {
        let Deltas { base, next: entry, held } = deltas;
        let held = match held {
            Some(held) => held,
            None => match self.rebuild(base, worker) {
                Ok(object) => Held::new(object, self.run),
                Err(fault) => {
                    // It was decoded before, so the file or memory has changed.
                    let mut entry = entry;
                    while entry != NO_ENTRY {
                        self.fail(entry, fault.clone(), &mut worker.counts);
                        entry = self.next[entry as usize];
                    }
                    return;
                }
            },
        };
        let next = self.next[entry as usize];
        if next != NO_ENTRY {
            let fits = self.run.live_bytes.load(Ordering::Relaxed) <= self.run.max_live_bytes;
            worker.stack.push(Deltas { base, next, held: fits.then(|| held.clone()) });
            work.share(&mut worker.stack);
        }
        self.decode(entry, Some(&held.object), worker);
    }

    /// Decodes a base again, which was dropped to save memory.
    fn rebuild(&self, entry: u32, worker: &mut Worker<'a>) -> Result<Object, Fault> {
        let mut chain = vec![entry];
        loop {
            match self.base(chain[chain.len() - 1]) {
                NO_ENTRY => break,
                base => chain.push(base),
            }
        }
        let mut object = None;
        for entry in chain.into_iter().rev() {
            let header = self.read_entry(entry, worker)?;
            object = Some(self.object(entry, &header, object.as_ref(), worker)?);
        }
        object.ok_or_else(|| Fault::unreadable("it is not in the pack"))
    }

    /// Decodes an entry, hashes it or adds it to the batch, and puts its deltas on the stack.
    fn decode(&self, entry: u32, base: Option<&Object>, worker: &mut Worker<'a>) {
        match self.try_decode(entry, base, worker) {
            Ok(Decoded::Hashed(hashed)) => {
                let result = hashed.matches(self.id(entry));
                self.found(&mut worker.counts, entry, result);
            }
            Ok(Decoded::Object(object)) => {
                let held = Held::new(object, self.run);
                let first = self.first[entry as usize];
                if first != NO_ENTRY {
                    let held = Some(held.clone());
                    worker.stack.push(Deltas { base: entry, next: first, held });
                }
                if worker.batch.push(entry, Message(held)) {
                    self.hash_batch(worker);
                }
            }
            Err(fault) => self.fail(entry, fault, &mut worker.counts),
        }
    }

    fn try_decode(
        &self,
        entry: u32,
        base: Option<&Object>,
        worker: &mut Worker<'a>,
    ) -> Result<Decoded, Fault> {
        let header = self.read_entry(entry, worker)?;
        let is_base = self.first[entry as usize] != NO_ENTRY;
        if let Kind::Whole(of_type) = header.kind
            && header.len > LARGE_ENTRY_BYTES
            && !is_base
        {
            return self.hash_long(entry, &header, of_type, worker);
        }
        self.object(entry, &header, base, worker).map(Decoded::Object)
    }

    /// Reads the beginning of an entry, or all of it unless it is large.
    fn read_entry(&self, entry: u32, worker: &mut Worker<'a>) -> Result<Header, Fault> {
        let (start, end) = self.range(entry);
        let len = if end - start <= LARGE_ENTRY_BYTES { end - start } else { MAX_HEADER };
        worker.input.resize(len as usize, 0);
        read_at(&self.run.meter, self.file, &mut worker.input, start)?;
        let header = Header::parse(&worker.input, self.run.hash.len())?;
        let compressed = end - start - header.header_len as u64;
        check_len(header.len, compressed)?;
        Ok(header)
    }

    /// Decodes the zlib stream of an entry, whose beginning has been read.
    fn inflate(
        &self,
        entry: u32,
        header: &Header,
        worker: &mut Inflating<'_>,
        output: &mut [u8],
    ) -> Result<(), Fault> {
        let (start, end) = self.range(entry);
        if end - start <= LARGE_ENTRY_BYTES {
            return worker.inflater.all(&worker.input[header.header_len..], output);
        }
        let start = start + header.header_len as u64;
        let mut stream = Stream::new(&self.run.meter, worker.inflater, self.file, start, end);
        let len = stream.read(output)?;
        if len < output.len() {
            return Err(too_short(len as u64, header.len));
        }
        stream.finish(header.len)
    }

    /// Decodes an entry whose beginning has been read.
    fn object(
        &self,
        entry: u32,
        header: &Header,
        base: Option<&Object>,
        worker: &mut Worker<'a>,
    ) -> Result<Object, Fault> {
        let len = held_len(header.len)?;
        let mut inflating = Inflating { inflater: &mut worker.inflater, input: &worker.input };
        let base = match (&header.kind, base) {
            (Kind::Whole(of_type), _) => {
                let mut object = Object::with_capacity(*of_type, len);
                self.inflate(entry, header, &mut inflating, object.zeroed(len))?;
                return Ok(object);
            }
            (_, Some(base)) => base,
            // The first pass found no base in this entry.
            (_, None) => return Err(Fault::unreadable("the pack changed while it was read")),
        };
        worker.delta.resize(len, 0);
        self.inflate(entry, header, &mut inflating, &mut worker.delta)?;
        let delta = Delta::parse(&worker.delta, base.contents())
            .map_err(|malformed| Fault::unreadable(malformed.to_string()))?;
        let mut object = Object::with_capacity(base.of_type, held_len(delta.len)?);
        let message = object.message_mut();
        delta.apply(|bytes| message.extend_from_slice(bytes));
        Ok(object)
    }

    /// Hashes a large object while it is decoded.
    fn hash_long(
        &self,
        entry: u32,
        header: &Header,
        of_type: Type,
        worker: &mut Worker<'a>,
    ) -> Result<Decoded, Fault> {
        let (start, end) = self.range(entry);
        let start = start + header.header_len as u64;
        let stream = Stream::new(&self.run.meter, &mut worker.inflater, self.file, start, end);
        let mut long = Long::new(self.run.hash, &self.run.engine);
        long.update(of_type.header(header.len).as_bytes());
        let hashed = hash_rest(stream, header.len, header.len, long)?;
        Ok(Decoded::Hashed(hashed))
    }

    fn hash_batch(&self, worker: &mut Worker<'a>) {
        let Worker { batch, counts, .. } = worker;
        batch.hash(self.run.hash, &self.run.engine, |entry, Message(held), hashed| {
            let result = hashed.matches(self.id(entry));
            if result.is_ok() {
                lfs::notice(self.run, &held.object);
            }
            self.found(counts, entry, result);
        });
    }
}

enum Decoded {
    Object(Object),
    Hashed(Hashed),
}

struct Inflating<'a> {
    inflater: &'a mut Inflater,
    input: &'a [u8],
}

fn held_len(len: u64) -> Result<usize, Fault> {
    if len > MAX_DELTA_BYTES {
        let reason =
            format!("{len} bytes are more than 1 GiB, the limit for deltas and their bases");
        return Err(Fault::unreadable(reason));
    }
    Ok(len as usize)
}

/// Calls `work` in `workers` threads, including the calling thread.
fn each(workers: usize, work: impl Fn() + Sync) {
    thread::scope(|scope| {
        (1..workers).for_each(|_| _ = scope.spawn(&work));
        work();
    });
}
