//! A cache of file digests in an SQLite file.
//!
//! A row holds the digests of the files in one directory, preceded by a checksum, so a flipped bit only
//! costs reading that directory again. A file matches by directory, name, length, inode and times. Its
//! entry is valid only if the times had settled when the file was read: a later write in the same clock
//! tick would not change them.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, ErrorKind, Read};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant, SystemTime};
use std::{env, fmt};

use lanesum::{Algorithm, Digest, Hasher};
use lanesum_files::{Digests, Kinds, Stamp, metadata, open};
use lanesum_manifest::Checksum;
use rusqlite::{Connection, OptionalExtension, params};

use crate::coded::Bytes;

/// Identifies the SQLite file as a cache, by its application id.
const APPLICATION: i32 = 0x4c53_4d43;

/// The format version. Files with another version are recreated.
const VERSION: i32 = 1;

/// Minimum interval between writes.
const MIN_WRITE_INTERVAL: Duration = Duration::from_secs(2);
/// Minimum interval between writes, as a multiple of the duration of the last write.
const MIN_INTERVAL_PER_WRITE_TIME: u32 = 10;

/// Maximum number of long files with stored states.
const MAX_FILES_WITH_STATES: u32 = 64;

/// A cache of file digests.
pub struct Cache {
    db: Connection,
    path: PathBuf,
    working: PathBuf,
    /// The rows of the directories from the root of the walk down to the current one.
    folders: Vec<Loaded>,
    prefetched: PrefetchedRows,
    /// New digests that have not been written, by directory.
    unwritten: BTreeMap<OsString, Vec<Known>>,
    written: Instant,
    pause: Duration,
    /// The error after which the cache is neither read nor written.
    broken: Option<rusqlite::Error>,
    /// Whether the cache was damaged and has been recreated.
    pub was_damaged: bool,
}

struct Loaded {
    folder: PathBuf,
    row: Arc<Row>,
}

/// Prefetched rows: a walk visits directories in order, and an SQLite query costs more than reading its rows.
#[derive(Default)]
struct PrefetchedRows {
    /// The first key of the range whose rows are loaded.
    from: Vec<u8>,
    /// The last key of the range; `None` for the end of the table.
    to: Option<Vec<u8>>,
    rows: BTreeMap<Vec<u8>, Arc<Vec<u8>>>,
    /// The number of rows to prefetch next, which grows while rows are requested in order.
    count: usize,
}

impl PrefetchedRows {
    /// Maximum number of rows prefetched at once.
    const MAX_ROWS: usize = 64;
    /// Number of bytes after which prefetching stops.
    const MAX_BYTES: usize = 1 << 20;

    /// Whether the loaded range includes `key`.
    fn has(&self, key: &[u8]) -> bool {
        self.count > 0 && *self.from <= *key && self.to.as_ref().is_none_or(|to| *key <= **to)
    }

    fn read(&mut self, db: &Connection, key: &[u8]) -> rusqlite::Result<()> {
        let is_next = self.to.as_ref().is_some_and(|to| **to < *key);
        let count = if is_next { (2 * self.count).min(Self::MAX_ROWS) } else { 1 };
        *self = Self { from: key.to_vec(), count, ..Self::default() };
        let mut query =
            db.prepare_cached("SELECT path, known FROM folder WHERE path >= ?1 ORDER BY path")?;
        let mut rows = query.query([key])?;
        let mut bytes = 0;
        while let Some(row) = rows.next()? {
            let (path, known): (Vec<u8>, Vec<u8>) = (row.get(0)?, row.get(1)?);
            bytes += known.len();
            let is_last = self.rows.len() + 1 >= count || bytes >= Self::MAX_BYTES;
            self.to = is_last.then(|| path.clone());
            self.rows.insert(path, Arc::new(known));
            if is_last {
                break;
            }
        }
        Ok(())
    }
}

/// The cached digests of the files in a directory, shared by the threads that hash them.
pub struct Row {
    key: Vec<u8>,
    /// The stored row, including its seal.
    stored: Arc<Vec<u8>>,
    /// Offsets of the files, sorted by name; computed on first use. Empty if the row is corrupt.
    places: OnceLock<Vec<usize>>,
}

#[derive(Clone)]
struct Known {
    name: Vec<u8>,
    stamp: Stamp,
    digests: Vec<(Checksum, Digest)>,
}

/// Why the cache cannot be used.
#[derive(Debug)]
pub enum CacheError {
    /// The file is not a cache. It is left unchanged.
    Foreign,
    /// The directory cannot be created, or the file cannot be opened.
    Io(io::Error),
    /// SQLite returned an error.
    Sqlite(rusqlite::Error),
}

impl fmt::Display for CacheError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign => f.write_str("not a Lanesum cache"),
            Self::Io(error) => error.fmt(f),
            Self::Sqlite(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CacheError {}

impl Cache {
    /// Opens or creates the cache. A corrupt cache, or one of another version, is replaced.
    ///
    /// # Errors
    ///
    /// If the file cannot be used, or is not a cache.
    pub fn open(path: &Path) -> Result<Self, CacheError> {
        if let Some(folder) = path.parent().filter(|folder| *folder != Path::new("")) {
            fs::create_dir_all(folder).map_err(CacheError::Io)?;
        }
        check_kind(path)?;
        match Self::open_db(path) {
            Ok(db) => Ok(Self::new(db, path, false)),
            Err(error) if is_damage(&error) => {
                fs::remove_file(path).map_err(CacheError::Io)?;
                let db = Self::open_db(path).map_err(CacheError::Sqlite)?;
                Ok(Self::new(db, path, true))
            }
            Err(error) => Err(CacheError::Sqlite(error)),
        }
    }

    fn new(db: Connection, path: &Path, was_damaged: bool) -> Self {
        Self {
            db,
            path: path.to_owned(),
            working: env::current_dir().unwrap_or_default(),
            folders: Vec::new(),
            prefetched: PrefetchedRows::default(),
            unwritten: BTreeMap::new(),
            written: Instant::now(),
            pause: MIN_WRITE_INTERVAL,
            broken: None,
            was_damaged,
        }
    }

    fn open_db(path: &Path) -> rusqlite::Result<Connection> {
        let mut db = Connection::open(path)?;
        db.busy_timeout(Duration::from_secs(5))?;
        let version: i32 = db.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if version != VERSION {
            // Another process may have created the tables in the meantime.
            let change = db.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
            change.execute_batch(&format!(
                "DROP TABLE IF EXISTS folder; DROP TABLE IF EXISTS partial;
                 CREATE TABLE folder (path BLOB PRIMARY KEY, known BLOB NOT NULL) WITHOUT ROWID;
                 CREATE TABLE partial (path BLOB PRIMARY KEY, states BLOB NOT NULL, at INTEGER NOT NULL);
                 PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"
            ))?;
            change.commit()?;
        }
        // Caches of earlier releases lack this table.
        db.execute_batch(
            "CREATE TABLE IF NOT EXISTS root (path BLOB PRIMARY KEY, id INTEGER NOT NULL) WITHOUT ROWID",
        )?;
        // Detects a corrupt schema. Other corruption is detected by the seal of each row.
        db.query_row("SELECT count(*) FROM partial", [], |row| row.get::<_, i64>(0))?;
        db.query_row("SELECT path FROM folder LIMIT 1", [], |_| Ok(())).optional()?;
        Ok(db)
    }

    /// Returns the path of the cache file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the error that disabled the cache, if any.
    pub fn broken(&self) -> Option<&dyn std::error::Error> {
        self.broken.as_ref().map(|error| error as _)
    }

    /// Returns the id of the file system that contained `root` when `manifest` was last updated, if
    /// recorded.
    pub fn filesystem(&self, manifest: &Path, root: &Path) -> Option<u64> {
        let id = self.db.query_row(
            "SELECT id FROM root WHERE path = ?1",
            [self.root_key(manifest, root)],
            |row| row.get::<_, i64>(0),
        );
        id.ok().map(i64::cast_unsigned)
    }

    /// Records the id of the file system that contains `root`, for the next update of `manifest`.
    pub fn insert_filesystem(&self, manifest: &Path, root: &Path, id: u64) {
        // If this fails, the next update only lacks this check.
        let _ = self.db.execute(
            "INSERT OR REPLACE INTO root VALUES (?1, ?2)",
            params![self.root_key(manifest, root), id.cast_signed()],
        );
    }

    fn root_key(&self, manifest: &Path, root: &Path) -> Vec<u8> {
        // The key is independent of how the paths are written. A tree that is a symlink is
        // identified by the link.
        let manifest = fs::canonicalize(manifest).unwrap_or_else(|_| self.key(manifest));
        let root = match (root.parent(), root.file_name()) {
            (Some(parent), Some(name)) => {
                let parent = if parent == Path::new("") { Path::new(".") } else { parent };
                fs::canonicalize(parent).map(|parent| parent.join(name))
            }
            _ => fs::canonicalize(root),
        }
        .unwrap_or_else(|_| self.key(root));
        let part = |path: PathBuf| path.into_os_string().into_vec();
        [part(manifest), vec![0], part(root)].concat()
    }

    /// Returns the cached digests of the file at `path`, if its metadata is `stamp`.
    pub fn get(&mut self, path: &Path, stamp: &Stamp, algorithms: &[Checksum]) -> Option<Digests> {
        self.row(path.parent()?).get(path.file_name()?, stamp, algorithms)
    }

    /// Returns the row of a directory. The rows of its parents stay loaded until another directory
    /// is requested, so a walk reads each row once.
    pub fn row(&mut self, folder: &Path) -> Arc<Row> {
        if let Some(last) = self.folders.last()
            && last.folder.as_os_str() == folder.as_os_str()
        {
            return last.row.clone();
        }
        while let Some(last) = self.folders.last()
            && !folder.starts_with(&last.folder)
        {
            self.folders.pop();
        }
        if let Some(last) = self.folders.last()
            && last.folder == folder
        {
            return last.row.clone();
        }
        let row = Arc::new(self.read(&self.key(folder)));
        self.folders.push(Loaded { folder: folder.to_owned(), row: row.clone() });
        row
    }

    fn key(&self, path: &Path) -> PathBuf {
        key(&self.working, path)
    }

    fn read(&mut self, folder: &Path) -> Row {
        let key = folder.as_os_str().as_bytes();
        if self.broken.is_none()
            && !self.prefetched.has(key)
            && let Err(error) = self.prefetched.read(&self.db, key)
        {
            self.prefetched = PrefetchedRows::default();
            self.broken = Some(error);
        }
        let stored = self.prefetched.rows.get(key).cloned().unwrap_or_default();
        Row { key: key.to_vec(), stored, places: OnceLock::new() }
    }

    /// Caches digests of a file whose metadata was `stamp` when reading began. Skips a file whose
    /// times had not settled then.
    pub fn insert(
        &mut self,
        path: &Path,
        stamp: &Stamp,
        digests: impl Iterator<Item = (Checksum, Digest)>,
        began: SystemTime,
    ) {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return };
        if !stamp.is_settled(began) {
            return;
        }
        let known =
            Known { name: name.as_bytes().to_vec(), stamp: *stamp, digests: digests.collect() };
        match self.unwritten.get_mut(folder.as_os_str()) {
            Some(unwritten) => unwritten.push(known),
            None => {
                self.unwritten.insert(folder.into(), vec![known]);
            }
        }
        if self.written.elapsed() >= self.pause {
            // A failed write is retried later.
            let _ = self.write();
        }
    }

    /// Writes the new digests.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn write(&mut self) -> Result<(), CacheError> {
        let start = Instant::now();
        let result = if self.unwritten.is_empty() { Ok(()) } else { self.write_digests() };
        self.pause = MIN_WRITE_INTERVAL.max(start.elapsed() * MIN_INTERVAL_PER_WRITE_TIME);
        self.written = Instant::now();
        result.map_err(CacheError::Sqlite)
    }

    fn write_digests(&mut self) -> rusqlite::Result<()> {
        let change = self.db.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        for (folder, unwritten) in &self.unwritten {
            let folder = key(&self.working, Path::new(folder));
            let key = folder.as_os_str().as_bytes();
            let row = stored(&change, key)?;
            let old = row.and_then(|row| opened(key, &row).and_then(known)).unwrap_or_default();
            let mut all: BTreeMap<Vec<u8>, Known> =
                old.into_iter().map(|known| (known.name.clone(), known)).collect();
            for known in unwritten {
                let mut known = known.clone();
                if let Some(old) = all.get(&known.name).filter(|old| old.stamp == known.stamp) {
                    // Retain the digests by other algorithms.
                    let is_other = |old: &&(Checksum, Digest)| {
                        known.digests.iter().all(|(algorithm, _)| *algorithm != old.0)
                    };
                    let more: Vec<_> = old.digests.iter().filter(is_other).copied().collect();
                    known.digests.extend(more);
                }
                all.insert(known.name.clone(), known);
            }
            change
                .prepare_cached("INSERT OR REPLACE INTO folder VALUES (?1, ?2)")?
                .execute(params![key, sealed(key, &coded(all.values()))])?;
            for known in unwritten {
                let path = folder.join(OsStr::from_bytes(&known.name));
                change
                    .prepare_cached("DELETE FROM partial WHERE path = ?1")?
                    .execute([path.as_os_str().as_bytes()])?;
            }
        }
        change.commit()?;
        self.unwritten.clear();
        self.prefetched = PrefetchedRows::default();
        Ok(())
    }

    /// Returns the hash states that an interrupted run stored for a file whose metadata is `stamp`.
    pub fn states(
        &mut self,
        path: &Path,
        stamp: &Stamp,
        algorithms: &[Checksum],
    ) -> Option<Vec<Hasher>> {
        let path = self.key(path);
        let key = path.as_os_str().as_bytes();
        let row = self
            .db
            .query_row("SELECT states FROM partial WHERE path = ?1", [key], |row| {
                row.get::<_, Vec<u8>>(0)
            })
            .ok()?;
        let mut bytes = Bytes(opened(key, &row)?);
        if read_stamp(&mut bytes)? != *stamp {
            return None;
        }
        let mut states = Vec::new();
        for _ in 0..bytes.u32()? {
            states.push(Hasher::import(bytes.part()?).ok()?);
        }
        let state = |algorithm: &Checksum| {
            states.iter().find(|state: &&Hasher| *algorithm == state.algorithm()).cloned()
        };
        let states: Vec<Hasher> = algorithms.iter().map(state).collect::<Option<_>>()?;
        let len = states.first()?.len();
        (len <= stamp.len && states.iter().all(|state| state.len() == len)).then_some(states)
    }

    /// Stores the hash states of a partially hashed file immediately. Its metadata was `stamp` when
    /// reading began.
    pub fn insert_states(
        &mut self,
        path: &Path,
        stamp: &Stamp,
        began: SystemTime,
        states: &[Hasher],
    ) {
        if !stamp.is_settled(began) {
            return;
        }
        let path = self.key(path);
        let key = path.as_os_str().as_bytes();
        let mut bytes = Vec::new();
        push_stamp(stamp, &mut bytes);
        bytes.extend((states.len() as u32).to_le_bytes());
        for state in states {
            push_part(state.export().as_ref(), &mut bytes);
        }
        // If this fails, the next run hashes the file from its start.
        let _ = self.db.execute(
            "INSERT OR REPLACE INTO partial VALUES (?1, ?2, (SELECT ifnull(max(at), 0) + 1 FROM partial))",
            params![key, sealed(key, &bytes)],
        );
        let _ = self.db.execute(
            "DELETE FROM partial WHERE at <= (SELECT max(at) FROM partial) - ?1",
            [MAX_FILES_WITH_STATES],
        );
    }
}

impl Row {
    /// Returns the cached digests of a file in this directory, if it is unchanged.
    pub fn get_unchanged(&self, path: &Path, algorithms: &[Checksum]) -> Option<Digests> {
        let stamp = metadata(path).ok().filter(fs::Metadata::is_file)?;
        self.get(path.file_name()?, &Stamp::of(&stamp), algorithms)
    }

    /// Returns the cached digests of the file `name`, if its metadata is `stamp`.
    pub fn get(&self, name: &OsStr, stamp: &Stamp, algorithms: &[Checksum]) -> Option<Digests> {
        let places = self.places.get_or_init(|| self.places().unwrap_or_default());
        let name = name.as_bytes();
        let named = |&place: &usize| Bytes(&self.stored[place..]).part();
        let place = places.binary_search_by(|place| named(place).cmp(&Some(name))).ok()?;
        let mut known = Bytes(&self.stored[places[place]..]);
        let _ = known.part()?;
        if read_stamp(&mut known)? != *stamp {
            return None;
        }
        let digest = |&wanted: &Checksum| {
            let mut found = None;
            let mut tag = Tag(wanted.name().as_bytes(), Some(wanted));
            each_digest(&mut Bytes(known.0), &mut tag, |algorithm, digest| {
                if algorithm == wanted {
                    found = Digest::try_from(digest).ok();
                }
            })?;
            found
        };
        let digests = algorithms.iter().map(digest).collect::<Option<Digests>>()?;
        Some(digests.with_stamp(Some(*stamp)))
    }

    fn places(&self) -> Option<Vec<usize>> {
        let mut bytes = Bytes(opened(&self.key, &self.stored)?);
        let mut tag = Tag::default();
        let mut places = Vec::new();
        while !bytes.0.is_empty() {
            places.push(self.stored.len() - bytes.0.len());
            let _ = bytes.part()?;
            read_stamp(&mut bytes)?;
            each_digest(&mut bytes, &mut tag, |_, _| {})?;
        }
        Some(places)
    }
}

/// Reads the stored row of a directory.
fn stored(db: &Connection, key: &[u8]) -> rusqlite::Result<Option<Vec<u8>>> {
    db.prepare_cached("SELECT known FROM folder WHERE path = ?1")?
        .query_row([key], |row| row.get(0))
        .optional()
}

/// Returns the key of a file or directory: its absolute path.
fn key(working: &Path, path: &Path) -> PathBuf {
    working.join(path).components().collect()
}

/// Rejects a file that is not an SQLite database, or that belongs to another program. Does not
/// block on a FIFO or a device.
fn check_kind(path: &Path) -> Result<(), CacheError> {
    let mut head = Vec::new();
    let file = match open(path, Kinds::Storage) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        file => file.map_err(CacheError::Io)?,
    };
    if file.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Err(CacheError::Io(io::Error::other("not a regular file")));
    }
    file.take(100).read_to_end(&mut head).map_err(CacheError::Io)?;
    let is_ours = head.starts_with(b"SQLite format 3\0")
        && head.get(68..72) == Some(&APPLICATION.to_be_bytes());
    if head.is_empty() || is_ours { Ok(()) } else { Err(CacheError::Foreign) }
}

fn is_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
    match error {
        rusqlite::Error::SqliteFailure(failure, text) => {
            matches!(failure.code, DatabaseCorrupt | NotADatabase)
                // The name of a table is corrupt.
                || text.as_ref().is_some_and(|text| text.starts_with("no such"))
        }
        _ => true,
    }
}

/// Length in bytes of the seal before a row: a truncated digest of key and row, which also detects
/// swapped rows.
const SEAL_LEN: usize = 16;

fn seal(key: &[u8], bytes: &[u8]) -> [u8; SEAL_LEN] {
    let mut hasher = Hasher::new(Algorithm::SHA256);
    hasher.update((key.len() as u64).to_le_bytes()).update(key).update(bytes);
    let mut seal = [0; SEAL_LEN];
    seal.copy_from_slice(&hasher.finish().as_bytes()[..SEAL_LEN]);
    seal
}

fn sealed(key: &[u8], bytes: &[u8]) -> Vec<u8> {
    [&seal(key, bytes)[..], bytes].concat()
}

fn opened<'a>(key: &[u8], row: &'a [u8]) -> Option<&'a [u8]> {
    let (known, bytes) = row.split_at_checked(SEAL_LEN)?;
    (known == seal(key, bytes)).then_some(bytes)
}

fn push_part(part: &[u8], out: &mut Vec<u8>) {
    out.extend((part.len() as u32).to_le_bytes());
    out.extend(part);
}

fn push_stamp(stamp: &Stamp, out: &mut Vec<u8>) {
    out.extend(stamp.len.to_le_bytes());
    for (seconds, nanoseconds) in [stamp.modified, stamp.changed] {
        out.extend(seconds.to_le_bytes());
        out.extend(nanoseconds.to_le_bytes());
    }
    out.extend(stamp.inode.to_le_bytes());
}

fn read_stamp(bytes: &mut Bytes<'_>) -> Option<Stamp> {
    let len = bytes.u64()?;
    let mut time = || Some((i64::from_le_bytes(bytes.array()?), bytes.u32()?));
    let (modified, changed) = (time()?, time()?);
    Some(Stamp { len, modified, changed, inode: bytes.u64()? })
}

fn coded<'a>(all: impl Iterator<Item = &'a Known>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for known in all {
        push_part(&known.name, &mut bytes);
        push_stamp(&known.stamp, &mut bytes);
        bytes.push(known.digests.len() as u8);
        for (algorithm, digest) in &known.digests {
            push_part(algorithm.name().as_bytes(), &mut bytes);
            bytes.extend(digest.as_bytes());
        }
    }
    bytes
}

/// The previous tag and its algorithm, cached because most tags repeat.
#[derive(Default)]
struct Tag<'a>(&'a [u8], Option<Checksum>);

fn each_digest<'a>(
    bytes: &mut Bytes<'a>,
    tag: &mut Tag<'a>,
    mut each: impl FnMut(Checksum, &[u8]),
) -> Option<()> {
    let [count] = bytes.array()?;
    for _ in 0..count {
        let named = bytes.part()?;
        if tag.0 != named {
            *tag = Tag(named, Some(Checksum::from_name(str::from_utf8(named).ok()?)?));
        }
        let algorithm = tag.1?;
        each(algorithm, bytes.take(algorithm.digest_len())?);
    }
    Some(())
}

fn read_digests<'a>(bytes: &mut Bytes<'a>, tag: &mut Tag<'a>) -> Option<Vec<(Checksum, Digest)>> {
    let mut digests = Vec::new();
    each_digest(bytes, tag, |algorithm, digest| {
        // Cannot fail: the digest has a valid length.
        digests.extend(Digest::try_from(digest).map(|digest| (algorithm, digest)));
    })?;
    Some(digests)
}

fn known(bytes: &[u8]) -> Option<Vec<Known>> {
    let mut bytes = Bytes(bytes);
    let mut tag = Tag::default();
    let mut all = Vec::new();
    while !bytes.0.is_empty() {
        let name = bytes.part()?.to_vec();
        let stamp = read_stamp(&mut bytes)?;
        all.push(Known { name, stamp, digests: read_digests(&mut bytes, &mut tag)? });
    }
    Some(all)
}
