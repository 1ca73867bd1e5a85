//! Messages on standard error.

use std::ffi::OsStr;
use std::fmt::{self, Display, Write as _};
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt;

/// Says one line. That standard error cannot be written to is nothing to fail by.
pub(crate) fn say(message: impl Display) {
    let _ = writeln!(io::stderr().lock(), "lanesum: {message}");
}

/// What went wrong with a file or folder, and with which.
pub(crate) fn failure(error: &lanesum_files::Error, hint: &str) -> String {
    let mut message = error.describe(&Shown(error.path().as_os_str()));
    if let Some(source) = std::error::Error::source(error) {
        let _ = write!(message, ": {}", reason(source));
    }
    message + hint
}

/// The system's reason, without the number that Rust adds to it.
pub(crate) fn reason(error: &dyn std::error::Error) -> String {
    let text = error.to_string();
    match text.rfind(" (os error ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}

/// A name in a message: as it is, or quoted and escaped if it holds what would garble a line
/// or a terminal.
pub(crate) struct Shown<'a>(pub(crate) &'a OsStr);

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.to_str() {
            Some(text) if !text.is_empty() && !text.contains(char::is_control) => f.write_str(text),
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
    }

    #[test]
    fn a_reason_is_the_systems_own_words() {
        let error = io::Error::from_raw_os_error(2);
        assert_eq!(reason(&error), "No such file or directory");
        assert_eq!(reason(&io::Error::other("beans")), "beans");
    }
}
