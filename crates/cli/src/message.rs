//! Messages on standard error.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt::{self, Display, Write as _};
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt;

/// Prints a message on standard error. Messages are always escaped, since they may quote a
/// manifest, a torrent or an argument. Failure to write is not an error.
pub(crate) fn print_message(message: impl Display) {
    let line = format!("lanesum: {message}\n");
    let _ = io::stderr().lock().write_all(&visible(line.as_bytes(), Newlines::Preserved));
}

/// Formats the nonzero numbers of findings by class: `: 2 the same, 1 rotted`.
pub(crate) fn classes<const N: usize>(counts: [(&str, u64); N]) -> String {
    let mut text = String::new();
    for (class, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
        let sign = if text.is_empty() { ':' } else { ',' };
        let word = if class == "same" { "the same" } else { class };
        text += &format!("{sign} {count} {word}");
    }
    text
}

/// Whether a character could make a terminal hide or reorder text: control characters,
/// bidirectional overrides and marks, line and paragraph separators, zero-width characters.
pub(crate) fn is_deceptive(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// How [`visible`] treats newlines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Newlines {
    /// They end lines.
    Preserved,
    /// They are part of a name.
    Escaped,
}

/// Escapes text for a terminal: deceptive characters and bytes that are not UTF-8. Tabs are
/// preserved, since they are as harmless as spaces.
pub(crate) fn visible(text: &[u8], newlines: Newlines) -> Cow<'_, [u8]> {
    let is_plain =
        |c: char| c == '\t' || c == '\n' && newlines == Newlines::Preserved || !is_deceptive(c);
    if str::from_utf8(text).is_ok_and(|text| text.chars().all(is_plain)) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                c if is_plain(c) => shown.push(c),
                '\n' => shown.push_str("\\n"),
                '\r' => shown.push_str("\\r"),
                '\0'..='\x7f' => _ = write!(shown, "\\x{:02x}", c as u32),
                c => shown.extend(c.escape_unicode()),
            }
        }
        chunk.invalid().iter().for_each(|byte| _ = write!(shown, "\\x{byte:02x}"));
    }
    Cow::Owned(shown.into_bytes())
}

/// Formats the error message of a file or directory.
pub(crate) fn failure(error: &lanesum_files::Error, hint: &str) -> String {
    let mut message = error.describe(&Shown(error.path().as_os_str()));
    if let Some(source) = std::error::Error::source(error) {
        let _ = write!(message, ": {}", reason(source));
    }
    message + hint
}

/// Formats the system's error without the number that Rust appends.
pub(crate) fn reason(error: &dyn std::error::Error) -> String {
    let text = error.to_string();
    match text.rfind(" (os error ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}

/// A name in a message. It is quoted and escaped if it could garble a line or deceive the reader of
/// a terminal.
pub(crate) struct Shown<'a>(pub(crate) &'a OsStr);

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.to_str() {
            Some(text) if !text.is_empty() && !text.contains(is_deceptive) => f.write_str(text),
            Some(text) => write!(f, "{text:?}"),
            None => write!(f, "\"{}\"", self.0.as_bytes().escape_ascii()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_would_garble_the_line_is_quoted() {
        let shown = |name: &[u8]| Shown(OsStr::from_bytes(name)).to_string();
        assert_eq!(shown("naïve file.txt".as_bytes()), "naïve file.txt");
        assert_eq!(shown(b"two\nlines"), r#""two\nlines""#);
        assert_eq!(shown(b"\x1b[31mred"), r#""\u{1b}[31mred""#);
        assert_eq!(shown(b"caf\xe9"), r#""caf\xe9""#);
        assert_eq!(shown(b""), r#""""#);
        assert_eq!(shown("a\u{9b}31mb".as_bytes()), r#""a\u{9b}31mb""#);
    }

    #[test]
    fn no_deceptive_character_reaches_a_terminal() {
        let deceptive = ('\0'..=char::MAX).filter(|&c| is_deceptive(c));
        for c in deceptive {
            let name = format!("a{c}b");
            let shown = Shown(OsStr::new(&name)).to_string();
            assert!(!shown.contains(is_deceptive), "{c:?} in a message");
            let line = visible(name.as_bytes(), Newlines::Escaped);
            let line = str::from_utf8(&line).unwrap();
            assert_eq!(line.contains(is_deceptive), c == '\t', "{c:?} in a line");
        }
    }

    #[test]
    fn a_line_is_escaped_only_where_it_must_be() {
        let shown = |text: &[u8]| {
            String::from_utf8(visible(text, Newlines::Preserved).into_owned()).unwrap()
        };
        assert_eq!(shown("größe – 長さ\t\\n\n".as_bytes()), "größe – 長さ\t\\n\n");
        assert_eq!(shown(b"a\x1b[2K\r\x00\x7f\n"), "a\\x1b[2K\\r\\x00\\x7f\n");
        assert_eq!(shown("\u{202e}\u{9b}".as_bytes()), "\\u{202e}\\u{9b}");
        assert_eq!(shown(b"caf\xe9\x9b"), "caf\\xe9\\x9b");
        assert_eq!(&*visible(b"a\nb", Newlines::Escaped), b"a\\nb");
    }

    #[test]
    fn a_reason_is_the_systems_own_words() {
        let error = io::Error::from_raw_os_error(2);
        assert_eq!(reason(&error), "No such file or directory");
        assert_eq!(reason(&io::Error::other("beans")), "beans");
    }
}
