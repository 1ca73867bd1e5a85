//! Quoting of names and words in messages, as by GNU's tools.

use std::env;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

/// Quotes a name for a shell: unquoted if possible, else in single quotes, or in double quotes if
/// it contains single quotes and no character that double quotes do not protect. Unprintable bytes
/// are escaped as `$'...'`.
pub(crate) fn name(name: &[u8]) -> Vec<u8> {
    let pieces: Vec<Piece<'_>> = Pieces { rest: name, utf8: is_utf8() }.collect();
    let first = |byte: u8| name.first() == Some(&byte);
    let has = |bytes: &[u8]| name.iter().any(|byte| bytes.contains(byte));
    let is_plain = !name.is_empty()
        && pieces.iter().all(|piece| matches!(piece, Piece::Text(_)))
        && !has(b" !\"$&'()*:;<=>?[\\^`|")
        && !first(b'#')
        && !first(b'~')
        && !matches!(name, b"{" | b"}");
    if is_plain {
        return name.to_vec();
    }
    let mut quoted = Vec::with_capacity(name.len() + 2);
    let mut opened = false;
    if has(b"'") {
        // Whether a piece means the same in single and double quotes.
        let is_alike = |(i, piece): (usize, &Piece<'_>)| match *piece {
            Piece::Text([b'#' | b'~']) => i == 0,
            Piece::Text([b'{' | b'}']) => name.len() == 1,
            Piece::Text([byte]) => !b"!\"$&()*;<=>?[\\^`|".contains(byte),
            Piece::Text(_) => true,
            Piece::Unprintable(_) => false,
        };
        if pieces.iter().enumerate().all(is_alike) {
            return [b"\"", name, b"\""].concat();
        }
    }
    quoted.push(b'\'');
    for piece in pieces {
        match piece {
            Piece::Text(b"'") => {
                opened = false;
                quoted.extend(br"'\''");
            }
            Piece::Text(text) => {
                if std::mem::take(&mut opened) {
                    quoted.extend(b"''");
                }
                quoted.extend(text);
            }
            Piece::Unprintable(byte) => {
                if !std::mem::replace(&mut opened, true) {
                    quoted.extend(b"'$'");
                }
                escape(byte, &mut quoted);
            }
        }
    }
    quoted.push(b'\'');
    quoted
}

/// Quotes a word of the command line in the quotation marks of the locale.
pub(super) fn word(word: &[u8]) -> Vec<u8> {
    let utf8 = is_utf8();
    let (open, close) = if utf8 { ("‘", "’") } else { ("'", "'") };
    let mut quoted = open.as_bytes().to_vec();
    for piece in (Pieces { rest: word, utf8 }) {
        match piece {
            Piece::Text(b"\\") => quoted.extend(br"\\"),
            Piece::Text(text) => {
                if text == close.as_bytes() {
                    quoted.push(b'\\');
                }
                quoted.extend(text);
            }
            Piece::Unprintable(byte) => escape(byte, &mut quoted),
        }
    }
    quoted.extend(close.as_bytes());
    quoted
}

/// A printable character, or a byte that is invalid or not printable.
#[derive(Clone, Copy)]
enum Piece<'a> {
    Text(&'a [u8]),
    Unprintable(u8),
}

struct Pieces<'a> {
    rest: &'a [u8],
    utf8: bool,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        let (&byte, after) = self.rest.split_first()?;
        let len = if byte.is_ascii() {
            usize::from(!byte.is_ascii_control())
        } else if self.utf8 {
            printable(self.rest)
        } else {
            0
        };
        if len == 0 {
            self.rest = after;
            return Some(Piece::Unprintable(byte));
        }
        let (text, rest) = self.rest.split_at(len);
        self.rest = rest;
        Some(Piece::Text(text))
    }
}

/// Returns the length of the first character if it is printable, otherwise 0.
fn printable(bytes: &[u8]) -> usize {
    let head = &bytes[..bytes.len().min(4)];
    let valid = match str::from_utf8(head) {
        Ok(text) => text,
        Err(error) => str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default(),
    };
    let is_printable = |c: char| {
        !c.is_control() && !matches!(c, '\u{2028}' | '\u{2029}') && (c as u32 & 0xfffe) != 0xfffe
    };
    valid.chars().next().filter(|&c| is_printable(c)).map_or(0, char::len_utf8)
}

fn escape(byte: u8, out: &mut Vec<u8>) {
    let letter = match byte {
        0x07 => b'a',
        0x08 => b'b',
        b'\t' => b't',
        b'\n' => b'n',
        0x0b => b'v',
        0x0c => b'f',
        b'\r' => b'r',
        _ => return out.extend(format!("\\{byte:03o}").into_bytes()),
    };
    out.extend([b'\\', letter]);
}

/// Whether the locale selected by the environment exists and uses UTF-8.
fn is_utf8() -> bool {
    static UTF8: OnceLock<bool> = OnceLock::new();
    *UTF8.get_or_init(|| {
        let named = ["LC_ALL", "LC_CTYPE", "LANG"]
            .into_iter()
            .find_map(|name| env::var(name).ok().filter(|value| !value.is_empty()));
        let Some(named) = named else { return false };
        let Some((language, charset)) = named.split_once('.') else { return false };
        let (charset, modifier) = charset.split_once('@').unwrap_or((charset, ""));
        let is_utf8 = ["utf8", "utf-8"].iter().any(|known| charset.eq_ignore_ascii_case(known));
        is_utf8 && has_locale(language, modifier)
    })
}

/// Whether a language's UTF-8 locale is installed. If not, the tools use the C locale.
fn has_locale(language: &str, modifier: &str) -> bool {
    let at = if modifier.is_empty() { "" } else { "@" };
    let name = format!("{language}.utf8{at}{modifier}");
    let folder = Path::new("/usr/lib/locale");
    // glibc 2.35 and later has this locale built in.
    name == "C.utf8"
        || folder.join(&name).is_dir()
        || fs::read(folder.join("locale-archive")).is_ok_and(|archive| {
            let wanted = [b"\0", name.as_bytes(), b"\0"].concat();
            archive.windows(wanted.len()).any(|window| window == wanted)
        })
}
