//! The records of a manifest, in the order of paths.

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

/// Maximum number of malformed lines whose reasons are stored.
const MALFORMED: usize = 20;

/// A manifest that has been read once.
pub struct Manifest {
    file: File,
    options: Options,
    /// At its start.
    reader: Reader,
    survey: Survey,
    sorted: bool,
    /// The directory to remove from all names.
    stripped: Option<Vec<u8>>,
}

/// Summary of a manifest.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// How many entries there are.
    pub entries: u64,
    /// How many lines are not understood.
    pub malformed: u64,
    /// The first of these, with their numbers.
    pub reasons: Vec<(u64, Malformed)>,
    /// The algorithms of the entries, and of how many each is.
    pub algorithms: Vec<(Checksum, u64)>,
    /// The algorithms of these that lines do not name.
    pub assumed: Vec<Checksum>,
    /// The kinds of its entries.
    pub kinds: Vec<Kind>,
    /// Whether every name begins with `./`.
    pub is_dotted: bool,
    /// The directories that names are in, one for each place they start from.
    starts: Vec<(Start, Vec<u8>)>,
    /// Whether an entry has its file's length or the time of its last change.
    pub has_stat: bool,
    /// Whether a line has more digests than the one that is read of it.
    pub has_more: bool,
    /// Whether an entry is of standard input, by the name `-`.
    pub has_stdin: bool,
    /// The comments, as they are.
    pub head: Vec<u8>,
}

/// Where names start from: two starts have no directory in common that a walk may begin with.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Start {
    /// The base directory, or its parent by this many levels.
    Above(usize),
    /// A directory of the file system's root.
    Absolute(Vec<u8>),
    /// A `..` after a directory, which may be a symlink.
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

/// Maximum number of distinct roots; more are just as ambiguous.
const STARTS: usize = 8;

/// The names of a manifest are in several directories, so no single tree contains them all.
#[derive(Clone, Debug)]
pub struct SeveralRoots(pub Vec<PathBuf>);

impl Survey {
    /// The algorithm by which moved files are known: that of most entries, and of these the one
    /// with the longest digest.
    pub fn algorithm_of_moves(&self) -> Option<Checksum> {
        let by = self.algorithms.iter().max_by_key(|(a, count)| (*count, a.digest_len()));
        by.map(|(algorithm, _)| *algorithm)
    }

    /// Adds a line without an entry, if it is a comment.
    fn add_comment(&mut self, line: &[u8], terminator: Terminator) {
        // A byte order mark can only come before the first line.
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        if matches!(line.trim_ascii_start(), [b'#' | b';', ..]) {
            self.head.extend(line);
            // The last line may lack its end.
            if line.last() != Some(&terminator.byte()) {
                self.head.push(terminator.byte());
            }
        }
    }

    /// Adds an entry, of this name in its usual form.
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
        } else if self.starts.len() < STARTS {
            self.starts.push((start, directory(name)));
        }
    }

    /// The directory that contains all names; empty if there is no common one.
    fn common(&self) -> Option<&[u8]> {
        match &self.starts[..] {
            [(_, common)] => Some(common),
            _ => None,
        }
    }

    /// The directory that contains all names of the manifest.
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

/// The directory of a name; empty if it has no slash.
fn directory(name: &[u8]) -> Vec<u8> {
    let end = name.iter().rposition(|&byte| byte == b'/').unwrap_or(0);
    name[..end].to_vec()
}

/// Whether a name is that of something in a directory, or further down.
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
    /// Opens a manifest, or standard input if it is called `-`, and reads it once.
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

    /// Reads an open manifest called `path`, from the current position of `file`.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn read(mut file: File, path: &Path, options: Options) -> io::Result<Self> {
        let fresh = Reader::new(options).of_file(path.as_os_str().as_bytes());
        // It is read twice, which a pipe cannot be.
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
                    if survey.reasons.len() < MALFORMED {
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

    /// Takes the leading directories off all names that a tree does not have, such as its own name.
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
            // No suffix of the common directory exists in the tree, so all of it is above the tree.
            None => Some(common.to_vec()),
        };
    }

    /// The summary of the manifest.
    pub fn survey(&self) -> &Survey {
        &self.survey
    }

    /// The records in the order of paths, one of each file.
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

/// Records in the order of paths.
pub struct Records {
    source: Source,
    /// The record after the one that is given out.
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
    /// Records that are in order.
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
            // It was in order when it was first read.
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

/// The name relative to `folder`.
pub(crate) fn below<'a>(folder: &[u8], name: &'a [u8]) -> &'a [u8] {
    if folder == b"." || !is_below(folder, name) {
        return name;
    }
    &name[folder.len() + usize::from(folder != b"/")..]
}

/// A directory's name in the form of names in manifests.
pub(crate) fn folder_name(path: &Path) -> Vec<u8> {
    normal_name(path.as_os_str().as_bytes()).into_owned()
}
