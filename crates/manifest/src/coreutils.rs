//! Lines as GNU coreutils' own tools take them, which is less than a
//! [`Reader`](crate::Reader) takes: for a front end that stands in for one of these tools.
//!
//! The rules are those of release 9.1, found by running it. A tool works on C strings,
//! so a name ends at a NUL that is in the line.

use std::borrow::Cow;

use crate::{Terminator, digest, escape};

/// A kind of digest, as lines name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The tag: `SHA256`.
    pub tag: &'static str,
    /// The length of a digest, in bytes.
    pub digest_len: usize,
    /// Whether an untagged line may have a shorter one.
    pub is_variable: bool,
}

/// A line of a manifest, as a tool of coreutils reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CoreutilsLine<'a> {
    /// A digest and a name, which may be empty: then no file has it.
    Entry {
        /// The kind, with this digest's length.
        kind: Kind,
        /// The digest, padded with zeros.
        digest: [u8; 64],
        /// The name.
        name: Cow<'a, [u8]>,
    },
    /// Nothing: an empty line or a comment.
    Skip,
    /// Something else.
    Improper,
}

/// Reads lines as the tool for one kind of digest does, or as the tool for many.
///
/// ```
/// use lanesum_manifest::{CoreutilsLine, CoreutilsReader, Kind};
///
/// let md5 = Kind { tag: "MD5", digest_len: 16, is_variable: false };
/// let mut reader = CoreutilsReader::of_one(md5);
/// let line = reader.line(b"MD5 (a) = 0cc175b9c0f1b6a831c399e269772661\n");
/// assert!(matches!(line, CoreutilsLine::Entry { name, .. } if &*name == b"a"));
/// assert_eq!(reader.line(b"MD4 (a) = 0cc175b9c0f1b6a831c399e269772661\n"), CoreutilsLine::Improper);
/// ```
#[derive(Clone, Debug)]
pub struct CoreutilsReader {
    /// The kinds that a tag may choose from; none where the kind is settled.
    choice: &'static [Kind],
    kind: Kind,
    /// Whether a tag may have another space or a tab behind it, or the length of the digest
    /// in bits, as with `cksum`: `BLAKE2b-256`.
    is_wide: bool,
    /// Whether one space alone stands between digest and name, once a line has told.
    /// As with the tools, that is kept from one manifest to the next.
    one_space: Option<bool>,
}

impl CoreutilsReader {
    /// Every line is of `kind`, tagged or not.
    pub fn of_one(kind: Kind) -> Self {
        Self { choice: &[], kind, is_wide: false, one_space: None }
    }

    /// Every line is of `kind`, as when `cksum` is told so.
    pub fn cksum_of_one(kind: Kind) -> Self {
        Self { is_wide: true, ..Self::of_one(kind) }
    }

    /// Each line is tagged with one of `kinds`. Until the first is, `kind` is what
    /// [`kind`](Self::kind) tells.
    pub fn cksum_of_any(kinds: &'static [Kind], kind: Kind) -> Self {
        Self { choice: kinds, ..Self::cksum_of_one(kind) }
    }

    /// The kind that a message about the line read last would name.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Reads the next line, with its line feed or without.
    pub fn line<'a>(&mut self, line: &'a [u8]) -> CoreutilsLine<'a> {
        if line.starts_with(b"#") {
            return CoreutilsLine::Skip;
        }
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            return CoreutilsLine::Skip;
        }
        self.entry(line).unwrap_or(CoreutilsLine::Improper)
    }

    fn entry<'a>(&mut self, line: &'a [u8]) -> Option<CoreutilsLine<'a>> {
        let start = line.iter().position(|&b| !is_white(b))?;
        let line = &line[start..];
        let (line, is_escaped) = match line.strip_prefix(b"\\") {
            Some(rest) => (rest, true),
            None => (line, false),
        };
        if let Some(kind) = self.chosen(line) {
            self.kind = kind;
        }
        match line.strip_prefix(self.kind.tag.as_bytes()) {
            Some(rest) => self.tagged(rest, is_escaped),
            // Without a settled kind there must be a tag.
            None if self.choice.is_empty() => self.untagged(line, is_escaped),
            None => None,
        }
    }

    /// The kind that the word at the start of the line is the tag of.
    fn chosen(&self, line: &[u8]) -> Option<Kind> {
        let ends = |&b: &u8| is_white(b) || matches!(b, b'-' | b'(' | 0);
        let tag = &line[..line.iter().position(ends).unwrap_or(line.len())];
        self.choice.iter().copied().find(|kind| kind.tag.as_bytes() == tag)
    }

    /// What follows a tag: ` (name) = digest`.
    fn tagged<'a>(&self, rest: &'a [u8], is_escaped: bool) -> Option<CoreutilsLine<'a>> {
        let (kind, rest) = match rest.strip_prefix(b"-") {
            Some(rest) if self.is_wide => length(self.kind, rest)?,
            _ if self.is_wide && rest.first().is_some_and(|&b| is_white(b)) => {
                (self.kind, &rest[1..])
            }
            _ => (self.kind, rest),
        };
        let rest = rest.strip_prefix(b" ").unwrap_or(rest).strip_prefix(b"(")?;
        // A name may hold brackets; a digest does not.
        let end = rest.iter().rposition(|&b| b == b')')?;
        let name = name(&rest[..end], is_escaped)?;
        let digest = skip_white(skip_white(&rest[end + 1..]).strip_prefix(b"=")?);
        Some(CoreutilsLine::Entry { kind, digest: hex(kind, until_nul(digest))?, name })
    }

    /// `digest  name`, `digest *name`, or where the first line says so, `digest name`.
    fn untagged<'a>(&mut self, line: &'a [u8], is_escaped: bool) -> Option<CoreutilsLine<'a>> {
        let mut kind = self.kind;
        if kind.is_variable {
            let digits = line.iter().position(|b| !b.is_ascii_hexdigit())?;
            kind = Kind { digest_len: digits.div_ceil(2), ..kind };
            if !(1..=self.kind.digest_len).contains(&kind.digest_len) {
                return None;
            }
        }
        let digits = kind.digest_len * 2;
        // There must be a space, and unless it is cksum something after it.
        let least = if self.is_wide { 1 } else { 2 };
        if line.len() < digits + least || !is_white(line[digits]) {
            return None;
        }
        let digest = hex(kind, &line[..digits])?;
        let rest = &line[digits + 1..];
        let rest = if rest.len() < 2 || !matches!(rest[0], b' ' | b'*') {
            // The two are not mixed: a name with a space before it must not pass for another.
            if self.one_space == Some(false) {
                return None;
            }
            self.one_space = Some(true);
            rest
        } else if self.one_space == Some(true) {
            rest
        } else {
            self.one_space = Some(false);
            &rest[1..]
        };
        Some(CoreutilsLine::Entry { kind, digest, name: name(rest, is_escaped)? })
    }
}

/// How a tool writes its lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoreutilsStyle {
    /// The kind's tag comes first, the digest last.
    pub is_tagged: bool,
    /// An asterisk stands before the names of untagged lines.
    pub asterisk: bool,
    /// What ends a line.
    pub terminator: Terminator,
}

impl CoreutilsStyle {
    /// Appends the line of a digest and a name.
    pub fn write(self, kind: Kind, digest: &[u8], name: &[u8], out: &mut Vec<u8>) {
        let is_escaped = self.terminator == Terminator::Newline && escape::is_needed(name);
        let push_name = |out: &mut Vec<u8>| {
            if is_escaped { escape::push_escaped(name, out) } else { out.extend(name) }
        };
        if is_escaped {
            out.push(b'\\');
        }
        if self.is_tagged {
            out.extend(kind.tag.as_bytes());
            if digest.len() < kind.digest_len {
                out.extend(format!("-{}", digest.len() * 8).into_bytes());
            }
            out.extend(b" (");
            push_name(out);
            out.extend(b") = ");
        }
        digest::push_hex(digest, out);
        if !self.is_tagged {
            out.extend(if self.asterisk { b" *" } else { b"  " });
            push_name(out);
        }
        out.push(self.terminator.byte());
    }
}

/// The name as a tool's report of a check prints it: escaped only where it holds a line feed,
/// unlike [`report_name`](crate::report_name).
pub fn coreutils_report_name(name: &[u8]) -> Cow<'_, [u8]> {
    if name.contains(&b'\n') { crate::report_name(name) } else { Cow::Borrowed(name) }
}

/// The length of a digest in bits, as C reads numbers, and what follows it.
fn length(kind: Kind, rest: &[u8]) -> Option<(Kind, &[u8])> {
    let rest = rest.trim_ascii_start();
    let rest = rest.strip_prefix(b"+").unwrap_or(rest);
    let (radix, rest) = match rest {
        [b'0', b'x' | b'X', rest @ ..] => (16, rest),
        [b'0', ..] => (8, rest),
        _ => (10, rest),
    };
    let is_digit = |&b: &u8| char::from(b).is_digit(radix);
    let (digits, rest) = rest.split_at(rest.iter().position(|b| !is_digit(b))?);
    let bits = usize::from_str_radix(str::from_utf8(digits).ok()?, radix).ok()?;
    let digest_len = bits / 8;
    let fits = bits % 8 == 0 && (1..=kind.digest_len).contains(&digest_len);
    fits.then_some((Kind { digest_len, ..kind }, rest))
}

fn name(raw: &[u8], is_escaped: bool) -> Option<Cow<'_, [u8]>> {
    if !is_escaped {
        return Some(Cow::Borrowed(until_nul(raw)));
    }
    if raw.contains(&0) {
        return None;
    }
    escape::unescape(raw)
}

/// The digest that the text is, all of it.
fn hex(kind: Kind, text: &[u8]) -> Option<[u8; 64]> {
    let mut bytes = [0; 64];
    digest::decode_hex(text, &mut bytes[..kind.digest_len])?;
    Some(bytes)
}

fn until_nul(text: &[u8]) -> &[u8] {
    &text[..text.iter().position(|&b| b == 0).unwrap_or(text.len())]
}

fn skip_white(text: &[u8]) -> &[u8] {
    &text[text.iter().position(|&b| !is_white(b)).unwrap_or(text.len())..]
}

fn is_white(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}
