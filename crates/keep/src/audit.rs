//! Audits trees of files against records.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use lanesum::{Digest, Hasher};
use lanesum_files::{
    Checkpoints, Digests, Error, Input, Job, Kinds, Progress, Selection, Settings, Stamp, Step,
    Walk, hash, metadata, symlink_metadata,
};
use lanesum_manifest::{
    Checksum, Class, Finding, Moves, Named, Pair, Pairs, Record, Time, path_order,
};

use crate::coded::{SortedRecords, Sorting, key_of};
use crate::manifest::{folder_name, is_below};
use crate::place::{Kind, Place, Places};
use crate::{Cache, Records, Row};

/// Parameters of an audit: how to compare a tree with its records.
pub struct Audit<'a> {
    /// Kernels, number of threads and read rate.
    pub settings: &'a Settings,
    /// The algorithms for files without a record; must not be empty.
    pub algorithms: &'a [Checksum],
    /// The algorithm whose digests identify moved files.
    pub moves: Option<Checksum>,
    /// The directory that names are relative to; `None` for the working directory.
    pub root: Option<&'a Path>,
    /// The trees to audit, as paths relative to `root`, in path order. Records of other files are
    /// [out of scope](Sink::out_of_scope). If empty, every record is audited.
    pub scope: &'a [PathBuf],
    /// The digest cache, which is read and updated.
    pub cache: Option<&'a SharedCache>,
    /// Which unchanged files are not read.
    pub trust: Trust,
}

impl<'a> Audit<'a> {
    /// Creates an audit relative to the working directory, without a cache: every file is read.
    pub fn new(
        settings: &'a Settings,
        algorithms: &'a [Checksum],
        moves: Option<Checksum>,
    ) -> Self {
        let trust = Trust::Nothing;
        Self { settings, algorithms, moves, root: None, scope: &[], cache: None, trust }
    }
}

/// Which files are assumed to be unchanged instead of being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// None: every file is read.
    Nothing,
    /// Files that match their cache entry.
    Cache,
    /// Also files whose size and modification time match their record.
    Records,
}

/// A cache shared by several threads.
pub struct SharedCache {
    cache: Mutex<Cache>,
    every: u64,
}

/// A finding and its cause.
#[derive(Debug)]
pub struct Outcome {
    /// The class of a file, and its records.
    pub finding: Finding,
    /// Why a file is unreadable; `None` for other classes.
    pub reason: Option<Reason>,
}

/// Why a file is unreadable, or could not be reached.
#[derive(Debug)]
pub enum Reason {
    /// The system reported an error.
    Error(Error),
    /// A symlink, which was not followed.
    Link,
    /// Neither a file nor a directory.
    Special,
    /// Below a directory that cannot be listed.
    InUnreadable,
    /// Below a symlink that was not followed.
    BehindLink,
    /// An existing file that walks skip: a manifest or a cache in use, or a temporary file.
    Skipped,
}

/// The reason without the cause of an error, which is its source.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Error(error) => error.fmt(f),
            Self::Link => f.write_str("a symlink"),
            Self::Special => f.write_str("not a regular file"),
            Self::InUnreadable => f.write_str("its directory cannot be listed"),
            Self::BehindLink => f.write_str("below a symlink"),
            Self::Skipped => f.write_str("in use by this run, or a temporary file"),
        }
    }
}

/// Receives the findings, from any thread but never concurrently.
pub trait Sink: Send {
    /// Receives a name, in path order: its earlier record, and the record to write now. For a rotted or
    /// unreadable file, that is the earlier record.
    fn entry(&mut self, before: Option<&Record>, now: Option<&Record>);

    /// Receives a record that is not audited: its file is in none of the trees, or is excluded by
    /// the walk's options.
    fn out_of_scope(&mut self, record: &Record);

    /// Receives a finding. Unchanged, changed, rotted and unreadable files are reported in path order, then
    /// new, moved and missing ones.
    fn finding(&mut self, outcome: Outcome) -> ControlFlow<()>;
}

impl SharedCache {
    /// Shares `cache`, which stores the hash states of long files every `every` bytes.
    pub fn new(cache: Cache, every: u64) -> Self {
        Self { cache: Mutex::new(cache), every: every.max(1) }
    }

    /// Locks the cache.
    pub fn lock(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Checkpoints for SharedCache {
    fn every(&self) -> u64 {
        self.every
    }

    fn resume(&self, path: &Path, stamp: &Stamp, algorithms: &[Checksum]) -> Option<Vec<Hasher>> {
        self.lock().states(path, stamp, algorithms)
    }

    fn reached(&self, path: &Path, stamp: &Stamp, began: SystemTime, hashers: &[Hasher]) {
        self.lock().insert_states(path, stamp, began, hashers);
    }
}

/// A name in the tree, in the records, or in both.
struct Item<'a> {
    before: Option<Record>,
    place: Option<Place>,
    algorithms: Cow<'a, [Checksum]>,
    cache: Option<&'a SharedCache>,
    /// The cached digests of its directory.
    row: Option<Arc<Row>>,
    trust: Trust,
    /// Whether reading the file was skipped because its digests are known.
    is_known: bool,
    began: SystemTime,
}

impl Item<'_> {
    /// Returns the file to read, if the tree has one.
    fn file(&self) -> Option<&PathBuf> {
        let place = self.place.as_ref().filter(|place| matches!(place.kind, Kind::File))?;
        Some(&place.path)
    }

    /// Returns the known digests of an unchanged file.
    fn known(&self) -> Option<Digests> {
        let path = self.file().filter(|_| self.trust != Trust::Nothing)?;
        let stamp = metadata(path).ok().filter(fs::Metadata::is_file)?;
        let stamp = Stamp::of(&stamp);
        if let Some(row) = &self.row
            && let Some(digests) = row.get(path.file_name()?, &stamp, &self.algorithms)
        {
            return Some(digests);
        }
        let before = self.before.as_ref().filter(|_| self.trust == Trust::Records)?;
        let seen = before.len_of_file().zip(before.modified())?;
        if seen != (stamp.len, time_of(&stamp)) {
            return None;
        }
        let digest = |&algorithm: &Checksum| Digest::try_from(before.digest(algorithm)?).ok();
        let digests = self.algorithms.iter().map(digest).collect::<Option<Digests>>()?;
        Some(digests.with_stamp(Some(stamp)))
    }
}

impl Job for Item<'_> {
    fn input(&self) -> Input<'_> {
        match self.file() {
            Some(path) if !self.is_known => Input::File(path),
            _ => Input::Nothing,
        }
    }

    fn algorithms(&self) -> &[Checksum] {
        &self.algorithms
    }

    fn kinds(&self) -> Kinds {
        Kinds::Storage
    }

    fn recall(&mut self) -> Option<Digests> {
        let known = self.known();
        self.is_known = known.is_some();
        known
    }

    fn checkpoints(&self) -> Option<&dyn Checkpoints> {
        self.cache.map(|cache| cache as _)
    }

    fn weight(&self) -> usize {
        let record = self.before.as_ref().map_or(0, |record| record.name().len() + 256);
        let path = self.place.as_ref().map_or(0, |place| 2 * place.path.as_os_str().len() + 256);
        record + path + 512
    }
}

/// Compares the tree of `walk` with its records, and reports the differences.
///
/// A file is reported as missing only if its path does not exist. If it exists but the walk did not
/// reach it, it is unreadable or [out of scope](Sink::out_of_scope).
///
/// # Errors
///
/// If the records cannot be read to their end, or a temporary file cannot be written.
pub fn audit(
    records: Records,
    walk: Walk,
    audit: &Audit<'_>,
    progress: &Progress,
    sink: &mut impl Sink,
) -> io::Result<()> {
    let failed = Mutex::new(None);
    let fail = |error| {
        failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    };
    let scope = Scope::new(audit, walk.selection());
    let pairs = Pairs::new(Fused { records, fail: &fail }, Places::new(walk, audit.root));
    let items = pairs.map(|pair| item(pair, audit));
    let mut state = State {
        sink,
        scope,
        moves: audit.moves,
        missing: Sorting::new(),
        new: Sorting::new(),
        unreadable: None,
        stopped: false,
    };
    hash(items, audit.settings, progress, |item, result| match state.take(item, result) {
        Ok(flow) => flow,
        Err(error) => {
            fail(error);
            ControlFlow::Break(())
        }
    });
    if let Some(cache) = audit.cache {
        // The owner of the cache reports write errors.
        let _ = cache.lock().write();
    }
    let State { missing, new, stopped, .. } = state;
    if let Some(error) = failed.lock().unwrap_or_else(PoisonError::into_inner).take() {
        return Err(error);
    }
    if stopped { Ok(()) } else { settle(missing, new, audit.moves, sink) }
}

/// An iterator over records that ends at the first error.
struct Fused<F> {
    records: Records,
    fail: F,
}

impl<F: Fn(io::Error)> Iterator for Fused<F> {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        self.records.next_record().unwrap_or_else(|error| {
            (self.fail)(error);
            None
        })
    }
}

/// Creates the item for a pair of a record and a file.
fn item<'a>(pair: Pair<Record, Place>, audit: &Audit<'a>) -> Item<'a> {
    let (before, place) = match pair {
        Pair::Both(before, place) => (Some(before), Some(place)),
        Pair::Before(before) => (Some(before), None),
        Pair::Now(place) => (None, Some(place)),
    };
    let algorithms = match &before {
        // Most records have the audit's algorithms; no allocation is needed for them.
        Some(record) if !record.digests().map(|(a, _)| a).eq(audit.algorithms.iter().copied()) => {
            let mut algorithms: Vec<_> = record.digests().map(|(algorithm, _)| algorithm).collect();
            algorithms.sort_unstable();
            algorithms.dedup();
            algorithms.into()
        }
        _ => Cow::Borrowed(audit.algorithms),
    };
    let mut item = Item {
        before,
        place,
        algorithms,
        cache: audit.cache,
        row: None,
        trust: audit.trust,
        is_known: false,
        began: SystemTime::now(),
    };
    item.row = audit
        .cache
        .zip(item.file().and_then(|path| path.parent()))
        .map(|(cache, folder)| cache.lock().row(folder));
    item
}

/// The names of disjoint trees. The tree `.` cannot be combined with others.
#[derive(Clone, Debug)]
pub struct Trees(Vec<Vec<u8>>);

impl Trees {
    /// Creates the set of the trees at `paths`, which must be in path order.
    pub fn new(paths: &[PathBuf]) -> Self {
        Self(paths.iter().map(|path| folder_name(path)).collect())
    }

    /// Returns the index of the tree that contains `name`.
    pub fn find(&self, name: &[u8]) -> Option<usize> {
        // In path order, the names of a tree precede the next tree.
        let last = self.0.partition_point(|tree| path_order(tree, name).is_le()).saturating_sub(1);
        let tree = self.0.get(last)?;
        (**tree == *name || is_below(tree, name)).then_some(last)
    }
}

/// The records to audit.
struct Scope {
    /// The directory that names are relative to.
    base: PathBuf,
    /// The audited trees. If empty, every record is in scope.
    trees: Trees,
    selection: Selection,
}

/// The status of a file that the walk did not reach.
enum Unreached {
    Outside,
    Gone,
    Unreadable(Reason),
}

impl Scope {
    fn new(audit: &Audit<'_>, selection: Selection) -> Self {
        let base = audit.root.unwrap_or(Path::new("")).to_owned();
        Self { base, trees: Trees::new(audit.scope), selection }
    }

    /// Returns the tree that contains `name`.
    fn tree(&self, name: &[u8]) -> Option<&[u8]> {
        match &self.trees.0[..] {
            [] => Some(b"."),
            trees => self.trees.find(name).map(|index| &*trees[index]),
        }
    }

    fn unreached(&self, name: &[u8]) -> Unreached {
        let Some(tree) = self.tree(name) else { return Unreached::Outside };
        let (path, tree) = (self.path(name), self.path(tree));
        if !self.selection.has(&tree, &path) {
            return Unreached::Outside;
        }
        match symlink_metadata(&path) {
            Ok(metadata) if metadata.is_dir() => Unreached::Gone,
            Ok(_) if self.selection.may_hide() => Unreached::Outside,
            Ok(_) => {
                let mut parents = path.ancestors().skip(1).take_while(|parent| *parent != tree);
                let is_link = |parent: &Path| {
                    symlink_metadata(parent).is_ok_and(|parent| parent.is_symlink())
                };
                let is_behind = parents.any(is_link);
                Unreached::Unreadable(if is_behind { Reason::BehindLink } else { Reason::Skipped })
            }
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) =>
            {
                match self.selection.is_elsewhere(&tree, &path) {
                    true => Unreached::Outside,
                    false => Unreached::Gone,
                }
            }
            Err(error) => {
                Unreached::Unreadable(Reason::Error(Error::new(&path, Step::Walk, error)))
            }
        }
    }

    fn path(&self, name: &[u8]) -> PathBuf {
        match name {
            b"." if self.base.as_os_str().is_empty() => PathBuf::from("."),
            b"." => self.base.clone(),
            _ => self.base.join(OsStr::from_bytes(name)),
        }
    }
}

fn time_of(stamp: &Stamp) -> Time {
    Time::new(stamp.modified.0, stamp.modified.1)
}

/// Processes the pairs of records and files, in path order.
struct State<'w, W> {
    sink: &'w mut W,
    scope: Scope,
    moves: Option<Checksum>,
    missing: Sorting,
    new: Sorting,
    /// The last directory that could not be listed.
    unreadable: Option<Vec<u8>>,
    stopped: bool,
}

impl<W: Sink> State<'_, W> {
    fn take(
        &mut self,
        item: Item<'_>,
        result: Result<Digests, Error>,
    ) -> io::Result<ControlFlow<()>> {
        let Some(mut place) = item.place else {
            return match item.before {
                Some(before) => self.gone(before),
                None => Ok(ControlFlow::Continue(())),
            };
        };
        let reason = match (std::mem::replace(&mut place.kind, Kind::File), result) {
            (Kind::File, Ok(digests)) => {
                let path = (!item.is_known).then(|| place.path.clone());
                let mut now = place.into_record();
                for (&algorithm, digest) in item.algorithms.iter().zip(digests.iter()) {
                    now.add(algorithm, digest.as_bytes());
                }
                let stamp = digests.stamp();
                let now =
                    now.with_stat(stamp.map(|stamp| stamp.len), stamp.map(|stamp| time_of(&stamp)));
                let mut class = item.before.as_ref().map(|before| before.compare(&now));
                if let Some(((cache, stamp), path)) = item.cache.zip(stamp).zip(path) {
                    let recalled = || {
                        let row = item.row.as_ref()?;
                        row.get(path.file_name()?, &stamp, &item.algorithms)
                    };
                    // The contents differ from the cached digests although the times are equal,
                    // whatever the manifest records.
                    if class.is_none_or(|class| class == Class::Changed)
                        && let Some(known) = recalled().filter(|known| known[..] != digests[..])
                    {
                        let mut cached = now.clone().without_digests();
                        for (&algorithm, digest) in item.algorithms.iter().zip(known.iter()) {
                            cached.add(algorithm, digest.as_bytes());
                        }
                        if item.before.is_none() {
                            let before = Some(cached);
                            let finding = Finding { class: Class::Rotted, before, now: Some(now) };
                            return Ok(self.report(finding, None));
                        }
                        class = Some(Class::Rotted);
                    }
                    // Do not cache rotted contents.
                    if class != Some(Class::Rotted) {
                        let digests = item.algorithms.iter().copied().zip(digests.iter().copied());
                        cache.lock().insert(&path, &stamp, digests, item.began);
                    }
                }
                // A later edit within the same tick of the file system's clock would not change the
                // time.
                let is_settled =
                    |_: &Time| stamp.is_some_and(|stamp| stamp.has_settled_contents(item.began));
                let (len, modified) = (now.len_of_file(), now.modified().filter(is_settled));
                let now = now.with_stat(len, modified);
                return self.present(item.before.zip(class), now);
            }
            // The file was deleted during the audit, or the root was a file and is gone. If a tree
            // is a dangling symlink, it is unreadable.
            (Kind::File, Err(error)) if error.kind() == io::ErrorKind::NotFound => {
                return item
                    .before
                    .map_or(Ok(ControlFlow::Continue(())), |record| self.gone(record));
            }
            (Kind::Unreadable(_), _)
                if item.before.is_some() && symlink_metadata(&place.path).is_err() =>
            {
                return item
                    .before
                    .map_or(Ok(ControlFlow::Continue(())), |record| self.gone(record));
            }
            (Kind::File, Err(error)) => Reason::Error(error),
            (Kind::Unreadable(error), _) => {
                if error.kind() != io::ErrorKind::NotFound {
                    self.unreadable = Some(place.name().to_vec());
                }
                Reason::Error(error)
            }
            // Skip symlinks and special files that are not in the manifest.
            (Kind::Link | Kind::Special, _) if item.before.is_none() => {
                return Ok(ControlFlow::Continue(()));
            }
            (Kind::Link, _) => Reason::Link,
            (Kind::Special, _) => Reason::Special,
        };
        Ok(self.unreadable(item.before, place.into_record(), reason))
    }

    fn present(
        &mut self,
        before: Option<(Record, Class)>,
        now: Record,
    ) -> io::Result<ControlFlow<()>> {
        match before {
            Some((before, class)) => {
                // Rotted contents do not replace the record.
                let kept = if class == Class::Rotted { &before } else { &now };
                self.sink.entry(Some(&before), Some(kept));
                let finding = Finding { class, before: Some(before), now: Some(now) };
                Ok(self.report(finding, None))
            }
            None => {
                self.sink.entry(None, Some(&now));
                let key = self.key(&now);
                self.new.push(&key, &now)?;
                Ok(ControlFlow::Continue(()))
            }
        }
    }

    /// Handles a record whose file the walk did not reach.
    fn gone(&mut self, before: Record) -> io::Result<ControlFlow<()>> {
        let is_below = |directory: &Vec<u8>| is_below(directory, before.name());
        let unreached = match self.unreadable.as_ref().is_some_and(is_below) {
            true => Unreached::Unreadable(Reason::InUnreadable),
            false => self.scope.unreached(before.name()),
        };
        match unreached {
            Unreached::Outside => {
                self.sink.out_of_scope(&before);
                return Ok(ControlFlow::Continue(()));
            }
            Unreached::Unreadable(reason) => {
                let now = Record::new(before.name());
                return Ok(self.unreadable(Some(before), now, reason));
            }
            Unreached::Gone => {}
        }
        self.sink.entry(Some(&before), None);
        let key = self.key(&before);
        self.missing.push(&key, &before)?;
        Ok(ControlFlow::Continue(()))
    }

    fn unreadable(
        &mut self,
        before: Option<Record>,
        now: Record,
        reason: Reason,
    ) -> ControlFlow<()> {
        // The new manifest retains the old record.
        self.sink.entry(before.as_ref(), before.as_ref());
        let finding = Finding { class: Class::Unreadable, before, now: Some(now) };
        self.report(finding, Some(reason))
    }

    fn report(&mut self, finding: Finding, reason: Option<Reason>) -> ControlFlow<()> {
        let flow = self.sink.finding(Outcome { finding, reason });
        self.stopped |= flow.is_break();
        flow
    }

    /// Returns the sort key: the digest that identifies moved files, or an empty key, which sorts
    /// first.
    fn key(&self, record: &Record) -> Vec<u8> {
        let digest = self.moves.and_then(|algorithm| record.digest(algorithm));
        digest.map(<[u8]>::to_vec).unwrap_or_default()
    }
}

/// Matches missing files with new ones that have the same contents. Reports moved, missing and new
/// files, sorted by name.
pub(crate) fn settle(
    missing: Sorting,
    new: Sorting,
    moves: Option<Checksum>,
    sink: &mut impl Sink,
) -> io::Result<()> {
    let failed = Mutex::new(None);
    let sorted = |mut records: SortedRecords| {
        let failed = &failed;
        std::iter::from_fn(move || {
            records.next().unwrap_or_else(|error| {
                *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                None
            })
        })
    };
    let (mut missing, mut new) =
        (sorted(missing.finish()?).peekable(), sorted(new.finish()?).peekable());
    let mut by_name = Ordered::new();
    let may_move = |record: &Record| moves.is_some_and(|a| record.digest(a).is_some());
    while let Some(before) = missing.next_if(|record| !may_move(record)) {
        by_name.push(&Finding::missing(before))?;
    }
    while let Some(now) = new.next_if(|record| !may_move(record)) {
        by_name.push(&Finding::new(now))?;
    }
    if let Some(algorithm) = moves {
        for finding in Moves::new(algorithm, missing, new) {
            by_name.push(&finding)?;
        }
    }
    if let Some(error) = failed.lock().unwrap_or_else(PoisonError::into_inner).take() {
        return Err(error);
    }
    by_name.report(sink)
}

/// Collects findings, as consecutive pairs of records, to be sorted by name.
struct Ordered(Sorting);

impl Ordered {
    fn new() -> Self {
        Self(Sorting::new())
    }

    fn push(&mut self, finding: &Finding) -> io::Result<()> {
        let key = key_of(finding.name());
        let none = Record::new(b"");
        self.0.push(&key, finding.before.as_ref().unwrap_or(&none))?;
        self.0.push(&key, finding.now.as_ref().unwrap_or(&none))
    }

    fn report(self, sink: &mut impl Sink) -> io::Result<()> {
        let mut sorted = self.0.finish()?;
        while let Some(before) = sorted.next()? {
            let now = sorted.next()?;
            let is_one = |record: &Record| record.digests().len() > 0;
            let finding = match (Some(before).filter(is_one), now.filter(is_one)) {
                (Some(before), Some(now)) => {
                    Finding { class: Class::Moved, before: Some(before), now: Some(now) }
                }
                (Some(before), None) => Finding::missing(before),
                (None, Some(now)) => Finding::new(now),
                (None, None) => continue,
            };
            if sink.finding(Outcome { finding, reason: None }).is_break() {
                break;
            }
        }
        Ok(())
    }
}
