//! The records of a manifest, in path order.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufReader, Seek, SeekFrom};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use lanesum_manifest::{
    Checksum, Entry, Line, Lines as Kind, Malformed, Named, Options, Reader, Record, Terminator,
    leads_out, normal_name, path_order, read_line,
};

use crate::coded::{SortedRecords, Sorting, key_of};

/// Maximum number of malformed lines that a survey describes.
const MAX_DESCRIBED_LINES: usize = 20;

/// A manifest that has been scanned once.
pub struct Manifest {
    file: File,
    options: Options,
    /// A reader in its state at the start of the file.
    reader: Reader,
    survey: Survey,
    sorted: bool,
    /// The directory to remove from all names.
    stripped: Option<Vec<u8>>,
}

/// Summary of a manifest.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// Number of entries.
    pub entries: u64,
    /// Number of malformed lines.
    pub malformed: u64,
    /// The line numbers and causes of the first malformed lines.
    pub reasons: Vec<(u64, Malformed)>,
    /// The algorithms of the entries, each with its number of entries.
    pub algorithms: Vec<(Checksum, u64)>,
    /// The assumed algorithms: those of entries whose lines do not name one.
    pub assumed: Vec<Checksum>,
    /// The kinds of entries.
    pub kinds: Vec<Kind>,
    /// Whether every name begins with `./`.
    pub is_dotted: bool,
    /// The roots of the names, each with the longest directory that contains all its names.
    starts: Vec<(Start, Vec<u8>)>,
    /// Whether any entry has a size or a modification time.
    pub has_stat: bool,
    /// Whether any line has more digests than the reader returns.
    pub has_more: bool,
    /// Whether any entry is standard input, named `-`.
    pub has_stdin: bool,
    /// The comments, unmodified.
    pub head: Vec<u8>,
}

/// The root of a name. Names with different roots have no common directory that a walk could start
/// from.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Start {
    /// The base directory, or its ancestor this many levels up.
    Above(usize),
    /// The directory of this name in the file system's root.
    Absolute(Vec<u8>),
    /// A path that contains `..` after a directory, which may be a symlink.
    Detour,
}

impl Start {
    fn of(name: &[u8]) -> Self {
        let mut parts = name.split(|&byte| byte == b'/');
        if name.starts_with(b"/") {
            return Self::Absolute(parts.nth(1).unwrap_or_default().to_vec());
        }
        let above = parts.clone().take_while(|part| *part == b"..").count();
        if parts.skip(above).any(|part| part == b"..") { Self::Detour } else { Self::Above(above) }
    }
}

/// Maximum number of recorded roots; with more, the names are equally ambiguous.
const MAX_STARTS: usize = 8;

/// The names of a manifest have several roots, so no directory contains them all.
#[derive(Clone, Debug)]
pub struct SeveralRoots(pub Vec<PathBuf>);

impl Survey {
    /// Returns the algorithm that identifies moved files: the most frequent one, and among equals
    /// the one with the longest digest.
    pub fn algorithm_of_moves(&self) -> Option<Checksum> {
        let by = self.algorithms.iter().max_by_key(|(a, count)| (*count, a.digest_len()));
        by.map(|(algorithm, _)| *algorithm)
    }

    /// Records a line without an entry, if it is a comment.
    fn add_comment(&mut self, line: &[u8], terminator: Terminator) {
        // A byte order mark can only come before the first line.
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        if matches!(line.trim_ascii_start(), [b'#' | b';', ..]) {
            self.head.extend(line);
            // The last line may lack its terminator.
            if line.last() != Some(&terminator.byte()) {
                self.head.push(terminator.byte());
            }
        }
    }

    /// Adds an entry with the normalized `name`.
    fn add(&mut self, entry: &Entry<'_>, name: &[u8]) {
        self.entries += 1;
        self.has_stat |= entry.modified().is_some() || entry.len_of_file().is_some();
        self.has_stdin |= entry.name() == b"-";
        let is_dotted = entry.name().starts_with(b"./");
        match self.algorithms.iter_mut().find(|(known, _)| *known == entry.algorithm()) {
            Some((_, count)) => *count += 1,
            None => self.algorithms.push((entry.algorithm(), 1)),
        }
        self.is_dotted = is_dotted && (self.is_dotted || self.entries == 1);
        let start = Start::of(name);
        if let Some((_, common)) = self.starts.iter_mut().find(|(known, _)| *known == start) {
            while !common.is_empty() && !is_below(common, name) {
                *common = directory(common);
            }
        } else if self.starts.len() < MAX_STARTS {
            self.starts.push((start, directory(name)));
        }
    }

    /// Returns the directory that contains all names, empty for the base directory; `None` if there
    /// are several roots.
    fn common(&self) -> Option<&[u8]> {
        match &self.starts[..] {
            [(_, common)] => Some(common),
            _ => None,
        }
    }

    /// Returns the directory that contains all names of the manifest.
    ///
    /// # Errors
    ///
    /// If the names are in several trees, such as absolute names in `/srv` and in `/etc`, or absolute and
    /// relative names.
    pub fn root(&self) -> Result<PathBuf, SeveralRoots> {
        let path = |(start, common): &(Start, Vec<u8>)| match (start, &common[..]) {
            (Start::Absolute(_), b"") => PathBuf::from("/"),
            (_, b"") => PathBuf::from("."),
            (_, common) => OsStr::from_bytes(common).into(),
        };
        match &self.starts[..] {
            [] => Ok(".".into()),
            [one @ (Start::Above(_), _)] => Ok(path(one)),
            [one @ (Start::Absolute(_), common)] if !common.is_empty() => Ok(path(one)),
            starts => Err(SeveralRoots(starts.iter().map(path).collect())),
        }
    }
}

/// Returns the directory of a name; empty if it has no slash.
fn directory(name: &[u8]) -> Vec<u8> {
    let end = name.iter().rposition(|&byte| byte == b'/').unwrap_or(0);
    name[..end].to_vec()
}

/// Whether a name is inside `directory`, at any depth.
pub(crate) fn is_below(directory: &[u8], name: &[u8]) -> bool {
    match directory {
        b"." => !leads_out(name),
        b"/" => name.starts_with(b"/"),
        _ => name
            .strip_prefix(directory)
            .and_then(|rest| rest.strip_prefix(b"/"))
            .is_some_and(|rest| !leads_out(rest)),
    }
}

impl Manifest {
    /// Opens the manifest at `path`, where `-` is standard input, and scans it.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn open(path: &Path, options: Options) -> io::Result<Self> {
        let file = match path.as_os_str() == "-" {
            true => io::stdin().as_fd().try_clone_to_owned()?.into(),
            false => File::open(path)?,
        };
        Self::read(file, path, options)
    }

    /// Scans an open manifest called `path`, from the current position of `file`.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn read(mut file: File, path: &Path, options: Options) -> io::Result<Self> {
        let fresh = Reader::new(options).of_file(path.as_os_str().as_bytes());
        // A manifest is read twice, so the contents of a pipe are copied.
        if !file.metadata()?.is_file() {
            let mut copy = tempfile::tempfile()?;
            io::copy(&mut file, &mut copy)?;
            copy.rewind()?;
            file = copy;
        }
        let start = file.stream_position()?;
        let mut survey = Survey::default();
        let mut sorted = true;
        let mut last: Vec<u8> = Vec::new();
        let mut reader = fresh.clone();
        let mut input = BufReader::with_capacity(256 << 10, file);
        let mut line = Vec::new();
        while read_line(&mut input, options.terminator.byte(), &mut line)? {
            match reader.line(&line) {
                Line::Skip => survey.add_comment(&line, options.terminator),
                Line::Malformed(why) => {
                    survey.malformed += 1;
                    if survey.reasons.len() < MAX_DESCRIBED_LINES {
                        survey.reasons.push((reader.line_number(), why));
                    }
                }
                Line::Entry(entry) => {
                    let name = normal_name(entry.name());
                    survey.add(&entry, &name);
                    sorted &= last.is_empty() || path_order(&last, &name).is_le();
                    last.clear();
                    last.extend(&*name);
                    survey.has_more |= reader.has_more();
                    if reader.assumed() && !survey.assumed.contains(&entry.algorithm()) {
                        survey.assumed.push(entry.algorithm());
                    }
                    if let Some(kind) = reader.kind()
                        && !survey.kinds.contains(&kind)
                    {
                        survey.kinds.push(kind);
                    }
                }
            }
        }
        let mut file = input.into_inner();
        file.seek(SeekFrom::Start(start))?;
        Ok(Self { file, options, reader: fresh, survey, sorted, stripped: None })
    }

    /// Strips the leading directories that `tree` lacks, such as its own name, from all names.
    pub fn strip(&mut self, tree: &Path) {
        let Some(common) = self.survey.common().filter(|common| !common.is_empty()) else { return };
        let slashes = (0..common.len()).filter(|&place| common[place] == b'/');
        let places = std::iter::once(0).chain(slashes.map(|slash| slash + 1));
        let is_there =
            |rest: &[u8]| !leads_out(rest) && tree.join(OsStr::from_bytes(rest)).is_dir();
        let found = places.into_iter().find(|&place| is_there(&common[place..]));
        self.stripped = match found {
            Some(0) => None,
            Some(place) => Some(common[..place - 1].to_vec()),
            // No suffix of the common directory exists in the tree, so strip all of it.
            None => Some(common.to_vec()),
        };
    }

    /// Returns the summary of the manifest.
    pub fn survey(&self) -> &Survey {
        &self.survey
    }

    /// Returns the records in path order, one per file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or a temporary file cannot be written.
    pub fn records(self) -> io::Result<Records> {
        let mut lines = Lines {
            input: BufReader::with_capacity(256 << 10, self.file),
            reader: self.reader,
            options: self.options,
            line: Vec::new(),
            stripped: self.stripped,
        };
        let source = if self.sorted {
            Source::Lines(Box::new(lines))
        } else {
            let mut sorting = Sorting::new();
            while let Some(record) = lines.next()? {
                sorting.push(&key_of(record.name()), &record)?;
            }
            Source::Sorted(sorting.finish()?)
        };
        Ok(Records { source, next: None, last: Vec::new() })
    }
}

/// Records in path order.
pub struct Records {
    source: Source,
    /// The record after the one returned last.
    next: Option<Record>,
    last: Vec<u8>,
}

enum Source {
    Lines(Box<Lines>),
    Sorted(SortedRecords),
}

struct Lines {
    input: BufReader<File>,
    reader: Reader,
    options: Options,
    line: Vec<u8>,
    stripped: Option<Vec<u8>>,
}

impl Lines {
    fn next(&mut self) -> io::Result<Option<Record>> {
        while read_line(&mut self.input, self.options.terminator.byte(), &mut self.line)? {
            if let Line::Entry(entry) = self.reader.line(&self.line) {
                let record = Record::from(&entry);
                return Ok(Some(match &self.stripped {
                    Some(folder) => {
                        let name = below(folder, record.name()).to_vec();
                        record.renamed(&name)
                    }
                    None => record,
                }));
            }
        }
        Ok(None)
    }
}

impl Records {
    /// Creates records from a finished sort.
    pub(crate) fn sorted(sorting: Sorting) -> io::Result<Self> {
        let source = Source::Sorted(sorting.finish()?);
        Ok(Self { source, next: None, last: Vec::new() })
    }

    fn read(&mut self) -> io::Result<Option<Record>> {
        let record = match &mut self.source {
            Source::Lines(lines) => lines.next()?,
            Source::Sorted(sorted) => sorted.next()?,
        };
        if let Some(record) = &record {
            // The manifest was sorted when it was scanned.
            if !self.last.is_empty() && path_order(&self.last, record.name()).is_gt() {
                return Err(io::Error::other("it changed while being read"));
            }
            self.last.clear();
            self.last.extend(record.name());
        }
        Ok(record)
    }

    /// Returns the next record, which combines all entries for one file.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn next_record(&mut self) -> io::Result<Option<Record>> {
        let mut record = match self.next.take() {
            Some(record) => record,
            None => match self.read()? {
                Some(record) => record,
                None => return Ok(None),
            },
        };
        while let Some(more) = self.read()? {
            if more.name() != record.name() {
                self.next = Some(more);
                break;
            }
            record.merge(&more);
        }
        Ok(Some(record))
    }
}

/// Returns `name` relative to `folder`.
pub(crate) fn below<'a>(folder: &[u8], name: &'a [u8]) -> &'a [u8] {
    if folder == b"." || !is_below(folder, name) {
        return name;
    }
    &name[folder.len() + usize::from(folder != b"/")..]
}

/// Converts a directory's path to the form of names in manifests.
pub(crate) fn folder_name(path: &Path) -> Vec<u8> {
    normal_name(path.as_os_str().as_bytes()).into_owned()
}
