//! Reading a manifest, a line at a time.

use lanesum_spec::Algorithm;

use crate::formats::{Text, Untagged};
use crate::{Entry, Format, Malformed};

/// The longest line that is read, in bytes: several times what the longest name
/// that a system allows takes in any format.
///
/// A caller need not hold more than this and one byte of any line.
pub const MAX_LINE: usize = 1 << 20;

/// What ends a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Terminator {
    /// A line feed; names are escaped.
    #[default]
    Newline,
    /// A NUL; names are as they are.
    Nul,
}

impl Terminator {
    /// The byte that ends a line.
    pub fn byte(self) -> u8 {
        match self {
            Self::Newline => b'\n',
            Self::Nul => 0,
        }
    }
}

/// How a manifest is to be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The algorithm of every entry; a line that says it is of another is
    /// malformed. If there is none, each line's tag or length tells.
    pub algorithm: Option<Algorithm>,
    /// What ends a line.
    pub terminator: Terminator,
}

/// Reads the lines of one manifest.
#[derive(Clone, Debug)]
pub struct Reader {
    options: Options,
    line_number: u64,
    untagged: Untagged,
}

/// What a line is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// An entry.
    Entry(Entry<'a>),
    /// Nothing: a blank line or a comment.
    Skip,
    /// Something else.
    Malformed(Malformed),
}

impl Reader {
    /// A reader at the start of a manifest.
    pub fn new(options: Options) -> Self {
        Self { options, line_number: 0, untagged: Untagged::default() }
    }

    /// The number of the line read last, from 1.
    pub fn line_number(&self) -> u64 {
        self.line_number
    }

    /// Reads the next line, with its terminator or without.
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
        if line.is_empty() || line[0] == b'#' {
            return Ok(None);
        }
        let text = match line.strip_prefix(b"\\") {
            Some(rest) if is_escaping => Text { line: rest, is_escaped: true },
            _ => Text { line, is_escaped: false },
        };
        Format::all()
            .rev()
            .find_map(|format| format.read(text, self.options.algorithm))
            .unwrap_or_else(|| self.untagged.read(text, self.options.algorithm))
            .map(Some)
    }
}
