//! Reads a manifest, a line at a time.

use std::borrow::Cow;
use std::fmt;

use crate::formats::{Csv, Hashdeep, Head, PowerShell, Shown, Text, Untagged, decoded, name_first};
use crate::{Checksum, Entry, Foreign, Format, Malformed, digest};

/// Maximum length of a line, in bytes: several times the encoded length of the longest file name.
///
/// A caller needs a buffer of this length plus one byte.
pub const MAX_LINE: usize = 1 << 20;

/// The terminator of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Terminator {
    /// A line feed; names are escaped.
    #[default]
    Newline,
    /// A NUL; names are not escaped.
    Nul,
}

impl Terminator {
    /// Returns the byte that ends a line.
    pub fn byte(self) -> u8 {
        match self {
            Self::Newline => b'\n',
            Self::Nul => 0,
        }
    }
}

/// Options for reading a manifest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The algorithm of every entry. A line with another tag is malformed. If `None`, each line's
    /// algorithm comes from its tag or the length of its digest.
    pub algorithm: Option<Checksum>,
    /// The terminator of a line.
    pub terminator: Terminator,
}

/// Reads the lines of one manifest.
#[derive(Clone, Debug)]
pub struct Reader {
    options: Options,
    line_number: u64,
    untagged: Untagged,
    /// The current table, below its header.
    table: Table,
    power_shell: PowerShell,
    /// Hints from the manifest's name.
    hint: Hint,
    /// The format of the last entry.
    kind: Option<Lines>,
}

#[derive(Clone, Debug, Default)]
enum Table {
    #[default]
    None,
    Csv(Csv),
    Hashdeep(Hashdeep),
}

/// Hints from the name of a manifest.
#[derive(Clone, Debug, Default)]
struct Hint {
    is_bagit: bool,
    /// The file that a digest without a name belongs to.
    of: Option<Vec<u8>>,
    /// The algorithm of digests with its length.
    algorithm: Option<Checksum>,
}

impl Hint {
    fn of_path(path: &[u8]) -> Self {
        let start = path.iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1);
        let name = &path[start..];
        let algorithm = |name: &[u8]| match name {
            // After b2sum and b3sum.
            b"b2" | b"blake2" => Some(Checksum::Foreign(Foreign::Blake2b)),
            b"b3" => Some(Checksum::Foreign(Foreign::Blake3)),
            _ => Checksum::from_name(str::from_utf8(name).ok()?),
        };
        let bag = name.strip_prefix(b"tag").unwrap_or(name);
        let bag = bag.strip_prefix(b"manifest-").and_then(|rest| rest.strip_suffix(b".txt"));
        if let Some(found) = bag.and_then(algorithm) {
            return Self { is_bagit: true, of: None, algorithm: Some(found) };
        }
        let lower = name.to_ascii_lowercase();
        // SM3SUMS, b3sums.txt
        let stem = lower.split(|&byte| byte == b'.').next().unwrap_or_default();
        let stem = stem.strip_suffix(b"s").unwrap_or(stem).strip_suffix(b"sum");
        let of_stem = stem.and_then(algorithm);
        let Some(dot) = lower.iter().rposition(|&byte| byte == b'.').filter(|&dot| dot > 0) else {
            return Self { algorithm: of_stem, ..Self::default() };
        };
        let extension = &lower[dot + 1..];
        let of_extension = algorithm(extension);
        let is_sum = of_extension.is_some()
            || [&b"digest"[..], b"hash", b"checksum", b"sum"].contains(&extension);
        let of = is_sum.then(|| path[..start + dot].to_vec());
        Self { is_bagit: false, of, algorithm: of_extension.or(of_stem) }
    }
}

/// The detected format of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Lines {
    /// A [`Format`] that is also written.
    Written(&'static str),
    /// OpenSSL's `SHA2-256(name)= <hex>`.
    OpenSsl,
    /// PowerShell's tables and lists.
    PowerShell,
    /// The name followed by digests, as in SFV files and `rhash --simple`.
    NameFirst,
    /// Digests without names.
    Bare,
    /// The name in parentheses followed by the digest, as printed by Solaris's `digest` without
    /// `-v`.
    Bracketed,
}

impl Lines {
    /// Whether a line of this kind names its algorithm.
    pub fn names_algorithm(self) -> bool {
        match self {
            Self::Written(name) => Format::from_name(name).is_none_or(Format::names_algorithm),
            Self::OpenSsl | Self::PowerShell => true,
            Self::NameFirst | Self::Bare | Self::Bracketed => false,
        }
    }

    /// Returns the format that writes lines of this kind, if there is one.
    pub fn format(self) -> Option<Format> {
        match self {
            Self::Written(name) => Format::from_name(name),
            // Other tools' variants of it.
            Self::OpenSsl | Self::Bracketed => Format::from_name("bsd"),
            Self::PowerShell | Self::NameFirst | Self::Bare => None,
        }
    }
}

impl fmt::Display for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Written("gnu") => "GNU lines",
            Self::Written("bsd") => "BSD tagged lines",
            Self::Written("solaris") => "Solaris tagged lines",
            Self::Written("json") => "JSON Lines",
            Self::Written("csv") => "CSV",
            Self::Written("hashdeep") => "a hashdeep file",
            Self::Written("bagit") => "a BagIt manifest",
            Self::Written(name) => name,
            Self::OpenSsl => "OpenSSL lines",
            Self::PowerShell => "a PowerShell table",
            Self::NameFirst => "SFV lines",
            Self::Bare => "digests without names",
            Self::Bracketed => "Solaris untagged lines",
        })
    }
}

/// A parsed line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// An entry.
    Entry(Entry<'a>),
    /// A blank line or a comment.
    Skip,
    /// An invalid line.
    Malformed(Malformed),
}

impl Reader {
    /// Creates a reader at the start of a manifest.
    pub fn new(options: Options) -> Self {
        Self {
            options,
            line_number: 0,
            untagged: Untagged::default(),
            table: Table::None,
            power_shell: PowerShell::default(),
            hint: Hint::default(),
            kind: None,
        }
    }

    /// Creates a reader at the start of the manifest at `path`, whose name is a hint.
    /// `manifest-sha256.txt` is BagIt's. Bare digests in `x.iso.sha256` belong to `x.iso`. Untagged
    /// digests are SM3's in `x.sm3` and `SM3SUMS`, and BLAKE3's in `x.b3` and `B3SUMS`.
    #[must_use]
    pub fn of_file(self, path: &[u8]) -> Self {
        Self { hint: Hint::of_path(path), ..self }
    }

    /// Returns the number of the line read last, from 1.
    pub fn line_number(&self) -> u64 {
        self.line_number
    }

    /// Whether lines contain more digests than the one that is read from each.
    pub fn has_more(&self) -> bool {
        matches!(&self.table, Table::Hashdeep(table) if table.columns() > 1)
    }

    /// Returns the format of the last entry.
    pub fn kind(&self) -> Option<Lines> {
        self.kind
    }

    /// Whether the algorithm of the entry read last was inferred from the length of its digest or
    /// the name of the manifest.
    pub fn assumed(&self) -> bool {
        self.options.algorithm.is_none() && self.kind.is_some_and(|kind| !kind.names_algorithm())
    }

    /// Returns the algorithm of untagged lines with digests of `digest_len` bytes.
    pub fn algorithm_of_len(&self, digest_len: usize) -> Option<Checksum> {
        let has_len = |algorithm: &Checksum| algorithm.digest_len() == digest_len;
        let known = self.options.algorithm.or(self.hint.algorithm).filter(has_len);
        known.or_else(|| digest::of_len(digest_len))
    }

    /// Whether untagged lines are BagIt's, according to the name of the manifest. Their names are
    /// relative to its directory.
    pub fn is_bagit(&self) -> bool {
        self.hint.is_bagit
    }

    /// Parses the next line, with or without its terminator.
    pub fn line<'a>(&mut self, line: &'a [u8]) -> Line<'a> {
        self.line_number += 1;
        match self.entry(line) {
            Ok(Some(entry)) => Line::Entry(entry),
            Ok(None) => Line::Skip,
            Err(malformed) => Line::Malformed(malformed),
        }
    }

    fn entry<'a>(&mut self, line: &'a [u8]) -> Result<Option<Entry<'a>>, Malformed> {
        let mut line = line.strip_suffix(&[self.options.terminator.byte()]).unwrap_or(line);
        if self.line_number == 1 {
            if line.starts_with(b"\xff\xfe") || line.starts_with(b"\xfe\xff") {
                return Err(Malformed::Utf16);
            }
            line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        }
        if line.contains(&0) {
            return Err(Malformed::Nul);
        }
        if line.len() > MAX_LINE {
            return Err(Malformed::TooLong);
        }
        let is_escaping = self.options.terminator == Terminator::Newline;
        if is_escaping {
            line = line.strip_suffix(b"\r").unwrap_or(line);
        }
        let start = line.iter().position(|b| !matches!(b, b' ' | b'\t')).unwrap_or(line.len());
        line = &line[start..];
        if line.is_empty() || matches!(line[0], b'#' | b';') {
            return Ok(None);
        }
        if let Some(head) = Hashdeep::head(line) {
            if let Head::Columns(columns) = head {
                self.table = Table::Hashdeep(columns);
            }
            return Ok(None);
        }
        if let Some(columns) = Csv::head(line) {
            self.table = Table::Csv(columns);
            return Ok(None);
        }
        let text = match line.strip_prefix(b"\\") {
            Some(rest) if is_escaping => Text { line: rest, is_escaped: true },
            _ => Text { line, is_escaped: false },
        };
        let Some((kind, entry)) = self.read(text) else { return Ok(None) };
        self.kind = Some(kind);
        entry.map(Some)
    }

    /// Parses a line: its format and its entry. Returns `None` for a line of a table without an entry.
    fn read<'a>(&mut self, text: Text<'a>) -> Option<(Lines, Result<Entry<'a>, Malformed>)> {
        let asked = self.options.algorithm;
        match &self.table {
            Table::Csv(csv) => return Some((Lines::Written("csv"), csv.read(text.line, asked))),
            Table::Hashdeep(table) => {
                return Some((Lines::Written("hashdeep"), table.read(text, asked)));
            }
            Table::None => {}
        }
        // No other format has such a long run of digits at the start of a line.
        let end = digest::end(text.line);
        if end.is_some() {
            return Some(self.untagged(text, end));
        }
        for format in Format::all().rev() {
            if let Some(entry) = format.read(text, asked) {
                let bracket = text.line.iter().position(|&byte| byte == b'(');
                let is_openssl = format.name() == "bsd"
                    && bracket.is_some_and(|place| place > 0 && text.line[place - 1] != b' ');
                // Solaris writes the names of algorithms in lower case.
                let is_solaris = format.name() == "bsd"
                    && matches!(&entry, Ok(entry)
                        if text.line.starts_with(entry.algorithm().name().as_bytes()));
                let name = if is_solaris { "solaris" } else { format.name() };
                let kind = match bracket {
                    Some(0) => Lines::Bracketed,
                    _ if is_openssl => Lines::OpenSsl,
                    _ => Lines::Written(name),
                };
                return Some((kind, entry));
            }
        }
        match self.power_shell.read(text.line, asked) {
            Some(Shown::Part) => return None,
            Some(Shown::Entry(entry)) => return Some((Lines::PowerShell, entry)),
            None => {}
        }
        let is_word = !text.line.contains(&b' ') && !text.line.contains(&b'\t');
        if is_word && let Some(entry) = self.bare(text.line) {
            return Some((Lines::Bare, entry));
        }
        Some(self.untagged(text, None))
    }

    /// Parses an untagged line. The end of its digest may be known.
    fn untagged<'a>(
        &mut self,
        text: Text<'a>,
        end: Option<usize>,
    ) -> (Lines, Result<Entry<'a>, Malformed>) {
        let asked = self.options.algorithm;
        let hinted = asked.or(self.hint.algorithm.filter(|algorithm| {
            let digits = text.line.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
            digits == 2 * algorithm.digest_len()
        }));
        let read = self.untagged.read(text, end, hinted);
        // The first word of a name may look like a digest.
        if let Err(
            Malformed::Unrecognized
            | Malformed::UnknownLength { .. }
            | Malformed::DigestLength { .. },
        ) = read
            && let Some(entry) = name_first(text.line, asked)
        {
            return (Lines::NameFirst, entry);
        }
        match read {
            Ok(entry) if self.hint.is_bagit && !text.is_escaped => {
                (Lines::Written("bagit"), entry.map_name(decoded))
            }
            entry => (Lines::Written("gnu"), entry),
        }
    }

    /// Parses a digest without a name; `None` if `word` is not a digest.
    fn bare(&self, word: &[u8]) -> Option<Result<Entry<'static>, Malformed>> {
        let hinted = self.hint.algorithm.filter(|_| self.hint.of.is_some());
        let (algorithm, digest) = match self.options.algorithm.or(hinted) {
            Some(algorithm) => (algorithm, digest::decode(algorithm, word).ok()?),
            None => digest::recognize(word).ok()?,
        };
        let Some(name) = &self.hint.of else { return Some(Err(Malformed::Bare)) };
        let entry = Entry::from_parts(algorithm, digest, Cow::Owned(name.clone()));
        Some(entry.map_err(Malformed::from))
    }
}
