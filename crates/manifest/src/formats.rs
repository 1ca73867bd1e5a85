//! The table of manifest formats.

mod bagit;
mod bsd;
mod csv;
mod gnu;
mod hashdeep;
mod json;
mod tables;

use std::borrow::Cow;
use std::fmt;

pub(crate) use self::bagit::decoded;
pub(crate) use self::csv::Csv;
pub(crate) use self::gnu::Untagged;
pub(crate) use self::hashdeep::{Hashdeep, Head};
pub use self::tables::sfv_line;
pub(crate) use self::tables::{PowerShell, Shown, name_first};
use crate::{Checksum, Entry, Malformed, Terminator, escape};

/// A row of the table.
struct Form {
    name: &'static str,
    summary: &'static str,
    names_algorithm: bool,
    /// Appends the header.
    head: Option<WriteHead>,
    write: Write,
    /// Parses a line, or reports that it is not in this format. The remaining lines are
    /// [`Untagged`].
    read: Option<Read>,
}

type WriteHead = fn(&[Checksum], Terminator, &mut Vec<u8>);

/// How the digests of a file are written.
enum Write {
    /// Appends a line for each digest, without its terminator.
    Digest(fn(&Entry<'_>, Terminator, &mut Vec<u8>)),
    /// Appends a line for all digests of a file.
    File(fn(&[Entry<'_>], Terminator, &mut Vec<u8>)),
}

type Read = for<'a> fn(Text<'a>, Option<Checksum>) -> Option<Result<Entry<'a>, Malformed>>;

/// The formats, from the least to the most distinctive: a reader tries the last first.
static TABLE: &[Form] = &[
    Form {
        name: "gnu",
        summary: "GNU coreutils lines: digest and name",
        names_algorithm: false,
        head: None,
        write: Write::Digest(gnu::write),
        read: None,
    },
    Form {
        name: "bsd",
        summary: "BSD tagged lines: algorithm, name and digest",
        names_algorithm: true,
        head: None,
        write: Write::Digest(bsd::write),
        read: Some(bsd::read),
    },
    Form {
        name: "solaris",
        summary: "Solaris 'digest -v' lines: like bsd, with Solaris algorithm names",
        names_algorithm: true,
        head: None,
        write: Write::Digest(bsd::write_solaris),
        read: None,
    },
    Form {
        name: "json",
        summary: "JSON Lines: an object per line with algorithm, digest and path",
        names_algorithm: true,
        head: None,
        write: Write::Digest(json::write),
        read: Some(json::read),
    },
    Form {
        name: "csv",
        summary: "CSV with a header: algorithm, digest, path, size and time",
        names_algorithm: true,
        head: Some(csv::head),
        write: Write::Digest(csv::write),
        read: None,
    },
    Form {
        name: "hashdeep",
        summary: "hashdeep files: size, digests and name, with a header",
        names_algorithm: true,
        head: Some(hashdeep::head),
        write: Write::File(hashdeep::write),
        read: None,
    },
    Form {
        name: "bagit",
        summary: "BagIt manifests: like gnu, with percent-encoded names",
        names_algorithm: false,
        head: None,
        write: Write::Digest(bagit::write),
        read: None,
    },
];

/// A line, prepared for the parsers of the table.
#[derive(Clone, Copy)]
pub(crate) struct Text<'a> {
    /// The line without terminator, leading spaces and escaping backslash.
    pub(crate) line: &'a [u8],
    /// Whether the line began with a backslash, so that its names are escaped.
    pub(crate) is_escaped: bool,
}

impl<'a> Text<'a> {
    /// Decodes the name `raw` of this line.
    fn name(self, raw: &'a [u8]) -> Result<Cow<'a, [u8]>, Malformed> {
        if self.is_escaped {
            escape::unescape(raw).ok_or(Malformed::Escape)
        } else {
            Ok(Cow::Borrowed(raw))
        }
    }
}

/// A manifest format that can be written.
#[derive(Clone, Copy)]
pub struct Format(&'static Form);

impl Format {
    /// Every format.
    pub fn all() -> impl ExactSizeIterator<Item = Self> + DoubleEndedIterator {
        TABLE.iter().map(Self)
    }

    /// Returns the format with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|format| format.name() == name)
    }

    /// Returns the name on the command line, such as `gnu`.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// Returns a short description.
    pub fn summary(self) -> &'static str {
        self.0.summary
    }

    /// Whether lines record their algorithm.
    ///
    /// If not, the reader must be configured, or use the length of the digest.
    pub fn names_algorithm(self) -> bool {
        self.0.names_algorithm
    }

    /// Whether lines require the length of the file.
    pub fn needs_len(self) -> bool {
        self.name() == "hashdeep"
    }

    /// Whether the format is recognized only by the name of its file, as for BagIt.
    pub fn is_known_by_file(self) -> bool {
        self.name() == "bagit"
    }

    /// Whether the format encodes `name` so that only a reader which identifies the format from the
    /// file's name can decode it.
    pub fn changes_name(self, name: &[u8]) -> bool {
        self.is_known_by_file() && name.iter().any(|byte| matches!(byte, b'\n' | b'\r' | b'%'))
    }

    /// Appends the header of a manifest with digests of `algorithms`.
    pub fn head(self, algorithms: &[Checksum], terminator: Terminator, out: &mut Vec<u8>) {
        if let Some(head) = self.0.head {
            head(algorithms, terminator, out);
        }
    }

    /// Appends the line of `entry`, with its terminator.
    pub fn write(self, entry: &Entry<'_>, terminator: Terminator, out: &mut Vec<u8>) {
        self.write_file(std::slice::from_ref(entry), terminator, out);
    }

    /// Appends the lines of all digests of one file, in the order of the algorithms in the header.
    pub fn write_file(self, entries: &[Entry<'_>], terminator: Terminator, out: &mut Vec<u8>) {
        match self.0.write {
            Write::Digest(write) => {
                for entry in entries {
                    write(entry, terminator, out);
                    out.push(terminator.byte());
                }
            }
            Write::File(write) => write(entries, terminator, out),
        }
    }

    pub(crate) fn read<'a>(
        self,
        text: Text<'a>,
        algorithm: Option<Checksum>,
    ) -> Option<Result<Entry<'a>, Malformed>> {
        self.0.read.and_then(|read| read(text, algorithm))
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Format {}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Returns the algorithm of a line, if it is the requested one.
fn tagged(tag: Checksum, asked: Option<Checksum>) -> Result<Checksum, Malformed> {
    match asked {
        Some(asked) if asked != tag => Err(Malformed::OtherAlgorithm { tagged: tag, asked }),
        _ => Ok(tag),
    }
}

/// Appends a name, escaped if necessary.
fn push_name(name: &[u8], terminator: Terminator, out: &mut Vec<u8>) {
    if is_escaped(name, terminator) {
        escape::push_escaped(name, out);
    } else {
        out.extend(name);
    }
}

/// Whether the line with this name begins with a backslash.
fn is_escaped(name: &[u8], terminator: Terminator) -> bool {
    terminator == Terminator::Newline && escape::is_needed(name)
}
