//! Parses lines exactly as GNU coreutils does, which accepts less than a [`Reader`](crate::Reader): for
//! a front end that replaces one of these tools.
//!
//! It follows release 9.10. The tools work on C strings, so a name ends at the first NUL.

use std::borrow::Cow;

use crate::{Terminator, digest, escape};

/// A kind of digest, by its tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The tag: `SHA256`.
    pub tag: &'static str,
    /// The length of a digest, in bytes; the maximum, if there are several.
    pub digest_len: usize,
    /// The possible lengths.
    pub lengths: Lengths,
}

/// The possible digest lengths of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lengths {
    /// A single length.
    One,
    /// The lengths of SHA-2 and SHA-3: 28, 32, 48 and 64 bytes.
    Four,
    /// All lengths up to the maximum.
    All,
}

/// A line of a manifest, as parsed by a tool of coreutils.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CoreutilsLine<'a> {
    /// A digest and a name. If the name is empty, no file matches.
    Entry {
        /// The kind, with this digest's length.
        kind: Kind,
        /// The digest, padded with zeros; `None` for base64 that no digest encodes to, which no file matches.
        digest: Option<[u8; 64]>,
        /// The name.
        name: Cow<'a, [u8]>,
    },
    /// An empty line or a comment.
    Skip,
    /// An invalid line.
    Improper,
}

/// Parses lines like the tool for a single kind of digest, or like the one for many.
///
/// ```
/// use lanesum_manifest::{CoreutilsLine, CoreutilsReader, Kind, Lengths};
///
/// let md5 = Kind { tag: "MD5", digest_len: 16, lengths: Lengths::One };
/// let mut reader = CoreutilsReader::of_one(md5);
/// let line = reader.line(b"MD5 (a) = 0cc175b9c0f1b6a831c399e269772661\n");
/// assert!(matches!(line, CoreutilsLine::Entry { name, .. } if &*name == b"a"));
/// assert_eq!(reader.line(b"MD4 (a) = 0cc175b9c0f1b6a831c399e269772661\n"), CoreutilsLine::Improper);
/// ```
#[derive(Clone, Debug)]
pub struct CoreutilsReader {
    kind: Kind,
    /// The kinds that a tag can select.
    choice: &'static [Kind],
    chooses: Chooses,
    /// Whether it is `cksum`, which accepts base64, and a length after every tag.
    is_cksum: bool,
    /// The digest length from the last tag or the kind. Like in the tools, a rejected line can
    /// change the length without the kind.
    digest_len: usize,
    hex_digits: usize,
    /// Whether a single space separates digest and name, once a line has decided it. Like the tools, this
    /// retains the decision for the next manifest.
    one_space: Option<bool>,
}

/// How tags select the kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chooses {
    Never,
    /// The first tag of another kind selects it.
    Once,
    /// Each line must be tagged.
    Always,
}

impl CoreutilsReader {
    /// Creates a reader for lines of `kind`, tagged or not.
    pub fn of_one(kind: Kind) -> Self {
        Self {
            kind,
            choice: &[],
            chooses: Chooses::Never,
            is_cksum: false,
            digest_len: kind.digest_len,
            hex_digits: kind.digest_len * 2,
            one_space: None,
        }
    }

    /// Creates a reader for lines of `kind`, as with `cksum -a`.
    pub fn cksum_of_one(kind: Kind) -> Self {
        Self { is_cksum: true, ..Self::of_one(kind) }
    }

    /// Creates a reader for lines of `kind`, until a tag selects another one of `kinds` for the
    /// remaining lines.
    pub fn cksum_of_first(kinds: &'static [Kind], kind: Kind) -> Self {
        Self { choice: kinds, chooses: Chooses::Once, ..Self::cksum_of_one(kind) }
    }

    /// Creates a reader for lines tagged with one of `kinds`. Until the first one,
    /// [`kind`](Self::kind) returns `kind`.
    pub fn cksum_of_any(kinds: &'static [Kind], kind: Kind) -> Self {
        Self { choice: kinds, chooses: Chooses::Always, ..Self::cksum_of_one(kind) }
    }

    /// Returns the kind to name in a message about the line read last.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Parses the next line, with or without its line feed.
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
        let line = skip_white(line);
        let (line, is_escaped) = match line.strip_prefix(b"\\") {
            Some(rest) => (rest, true),
            None => (line, false),
        };
        self.choose(line)?;
        if let Some(rest) = line.strip_prefix(self.kind.tag.as_bytes()) {
            let rest = self.length_in_tag(rest)?;
            // Text that looks like a tag may be a digest in base64.
            if let Some(rest) = rest.strip_prefix(b" ").unwrap_or(rest).strip_prefix(b"(") {
                return self.tagged(rest, is_escaped);
            }
        }
        self.untagged(line, is_escaped)
    }

    /// Selects the kind of the line's tag; `None` if a required tag is missing.
    fn choose(&mut self, line: &[u8]) -> Option<()> {
        if self.chooses == Chooses::Never {
            return Some(());
        }
        let ends = |&b: &u8| is_white(b) || matches!(b, b'-' | b'(' | 0);
        let tag = &line[..line.iter().position(ends).unwrap_or(line.len())];
        match self.choice.iter().find(|kind| kind.tag.as_bytes() == tag) {
            Some(&kind) => {
                if self.chooses == Chooses::Once && kind != self.kind {
                    self.chooses = Chooses::Never;
                }
                self.kind = kind;
                Some(())
            }
            None => (self.chooses == Chooses::Once).then_some(()),
        }
    }

    /// Parses the optional length after a tag. Returns the rest of the line.
    fn length_in_tag<'a>(&mut self, rest: &'a [u8]) -> Option<&'a [u8]> {
        if !self.is_cksum && self.kind.lengths == Lengths::One {
            return Some(rest);
        }
        self.digest_len = self.kind.digest_len;
        let mut rest = rest;
        if let Some(number) = rest.strip_prefix(b"-") {
            let (bits, after) = length(number)?;
            let fits = match self.kind.lengths {
                Lengths::Four => matches!(bits, 224 | 256 | 384 | 512),
                _ => bits > 0 && bits % 8 == 0 && bits / 8 <= self.digest_len,
            };
            fits.then_some(())?;
            self.digest_len = bits / 8;
            rest = after;
        }
        self.hex_digits = self.digest_len * 2;
        Some(rest)
    }

    /// Parses the rest of a line after a tag and a parenthesis: `name) = digest`.
    fn tagged<'a>(&self, rest: &'a [u8], is_escaped: bool) -> Option<CoreutilsLine<'a>> {
        // A name may contain parentheses; a digest does not.
        let end = rest.iter().rposition(|&b| b == b')')?;
        let name = name(&rest[..end], is_escaped)?;
        let text = skip_white(skip_white(&rest[end + 1..]).strip_prefix(b"=")?);
        let (kind, digest) = self.digest(text)?;
        Some(CoreutilsLine::Entry { kind, digest, name })
    }

    /// Parses `digest  name`, `digest *name`, or `digest name` if the first line has that form.
    fn untagged<'a>(&mut self, line: &'a [u8], is_escaped: bool) -> Option<CoreutilsLine<'a>> {
        let is_fixed = !self.is_cksum && self.kind.lengths == Lengths::One;
        let least = if is_fixed { self.hex_digits + 2 } else { 3 };
        if line.len() < least {
            return None;
        }
        if self.kind.lengths != Lengths::One {
            self.hex_digits = self.digits(line)?;
            self.digest_len = self.hex_digits / 2;
        }
        let end = line.iter().position(|&b| is_white(b) || b == 0)?;
        let (kind, digest) = self.digest(&line[..end])?;
        let rest = &line[end + 1..];
        let rest = if rest.len() == 1 || !matches!(rest.first(), Some(b' ' | b'*')) {
            // The forms are not mixed: a name with a leading space must not be mistaken for another
            // name.
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

    /// Returns the length of the digest at the start of the line, in hexadecimal digits. A digest
    /// in base64 is converted.
    fn digits(&self, line: &[u8]) -> Option<usize> {
        let count = |is_one: fn(&u8) -> bool| line.iter().take_while(|b| is_one(b)).count();
        let hex = count(u8::is_ascii_hexdigit);
        let mut digits = hex;
        if self.is_cksum {
            let base64 = count(is_base64);
            let padding = line[base64..].iter().take_while(|&&b| b == b'=').count();
            let is_of = |len: &usize| base64_len(*len) == base64 + padding;
            match self.kind.lengths {
                Lengths::Four if !matches!(hex, 56 | 64 | 96 | 128) => {
                    digits = 2 * [28, 32, 48, 64].into_iter().find(is_of)?;
                }
                Lengths::All if hex < base64 => {
                    let fits = |len: &usize| is_of(len) && 8 * len % 3 == padding;
                    if let Some(len) = (1..=self.kind.digest_len).find(fits) {
                        digits = 2 * len;
                    }
                }
                _ => {}
            }
        }
        let fits = digits % 2 == 0 && (2..=2 * self.kind.digest_len).contains(&digits);
        fits.then_some(digits)
    }

    /// Decodes the text as a digest. Returns it, and the kind with its length.
    fn digest(&self, text: &[u8]) -> Option<(Kind, Option<[u8; 64]>)> {
        // Short digests of `cksum` have the same length in both encodings and are decoded as
        // base64.
        if self.is_cksum && text.len() == base64_len(self.digest_len) {
            let digits = text.len() - 8 * self.digest_len % 3;
            let is_text = text[..digits].iter().all(is_base64);
            (is_text && text[digits..].iter().all(|&b| b == b'=')).then_some(())?;
            let kind = Kind { digest_len: self.digest_len, ..self.kind };
            return Some((kind, digest::decode_base64(text)));
        }
        let kind = Kind { digest_len: self.hex_digits / 2, ..self.kind };
        let mut bytes = [0; 64];
        digest::decode_hex(text, &mut bytes[..kind.digest_len])?;
        Some((kind, Some(bytes)))
    }
}

/// The output format of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoreutilsStyle {
    /// The tag of the kind comes first, the digest last.
    pub is_tagged: bool,
    /// Mark names in untagged lines with an asterisk.
    pub asterisk: bool,
    /// Write digests in base64 instead of hexadecimal.
    pub base64: bool,
    /// The terminator of a line.
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
            if digest.len() < kind.digest_len || kind.lengths == Lengths::Four {
                out.extend(format!("-{}", digest.len() * 8).into_bytes());
            }
            out.extend(b" (");
            push_name(out);
            out.extend(b") = ");
        }
        if self.base64 {
            digest::push_base64(digest, out);
        } else {
            digest::push_hex(digest, out);
        }
        if !self.is_tagged {
            out.extend(if self.asterisk { b" *" } else { b"  " });
            push_name(out);
        }
        out.push(self.terminator.byte());
    }
}

/// Parses a number like C's `strtoul`. Returns it and the rest of the text.
fn length(text: &[u8]) -> Option<(usize, &[u8])> {
    let text = text.trim_ascii_start();
    let text = text.strip_prefix(b"+").unwrap_or(text);
    let (radix, text) = match text {
        [b'0', b'x' | b'X', rest @ ..] if rest.first().is_some_and(u8::is_ascii_hexdigit) => {
            (16, rest)
        }
        [b'0', ..] => (8, text),
        _ => (10, text),
    };
    let is_digit = |&b: &u8| char::from(b).is_digit(radix);
    let (digits, rest) =
        text.split_at(text.iter().position(|b| !is_digit(b)).unwrap_or(text.len()));
    Some((usize::from_str_radix(str::from_utf8(digits).ok()?, radix).ok()?, rest))
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

/// Returns the length of `bytes` bytes in base64, in characters.
fn base64_len(bytes: usize) -> usize {
    bytes.div_ceil(3) * 4
}

fn is_base64(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')
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
