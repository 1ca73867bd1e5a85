//! GNU's escaping of names that a line cannot contain unchanged.

use std::borrow::Cow;

/// Whether a line with this name must begin with a backslash.
///
/// Backslashes are escaped so that a reader can reject unknown escapes, and carriage returns so that lines
/// may end with CR LF.
pub(crate) fn is_needed(name: &[u8]) -> bool {
    name.iter().any(|b| matches!(b, b'\\' | b'\n' | b'\r'))
}

/// Appends the escaped name.
pub(crate) fn push_escaped(name: &[u8], out: &mut Vec<u8>) {
    for &byte in name {
        match byte {
            b'\\' => out.extend(br"\\"),
            b'\n' => out.extend(br"\n"),
            b'\r' => out.extend(br"\r"),
            _ => out.push(byte),
        }
    }
}

/// Unescapes a name; `None` if a backslash precedes anything but `\`, `n` and `r`.
pub(crate) fn unescape(escaped: &[u8]) -> Option<Cow<'_, [u8]>> {
    if !escaped.contains(&b'\\') {
        return Some(Cow::Borrowed(escaped));
    }
    let mut name = Vec::with_capacity(escaped.len());
    let mut bytes = escaped.iter();
    while let Some(&byte) = bytes.next() {
        name.push(match byte {
            b'\\' => match bytes.next()? {
                b'\\' => b'\\',
                b'n' => b'\n',
                b'r' => b'\r',
                _ => return None,
            },
            _ => byte,
        });
    }
    Some(Cow::Owned(name))
}

/// Returns the name as the report of a check prints it: `NAME: OK`.
///
/// A name that a manifest would escape is escaped here too, after a backslash. So each line of the
/// report is about one file, and the name can be recovered.
///
/// ```
/// use lanesum_manifest::report_name;
///
/// assert_eq!(&*report_name(b"plain"), b"plain");
/// assert_eq!(&*report_name(b"n\nl"), br"\n\nl");
/// ```
pub fn report_name(name: &[u8]) -> Cow<'_, [u8]> {
    if !is_needed(name) {
        return Cow::Borrowed(name);
    }
    let mut escaped = vec![b'\\'];
    push_escaped(name, &mut escaped);
    Cow::Owned(escaped)
}
