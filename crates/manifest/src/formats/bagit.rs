//! BagIt's manifests (RFC 8493 §2.1.3): GNU's lines, with line feeds, carriage returns and percent
//! signs in names encoded as in URLs.

use std::borrow::Cow;

use crate::{Entry, Terminator, digest};

pub(super) fn write(entry: &Entry<'_>, _: Terminator, out: &mut Vec<u8>) {
    digest::push_hex(entry.digest(), out);
    out.extend(b"  ");
    for &byte in entry.name() {
        match byte {
            b'\n' => out.extend(b"%0A"),
            b'\r' => out.extend(b"%0D"),
            b'%' => out.extend(b"%25"),
            _ => out.push(byte),
        }
    }
}

/// Decodes a name. Other percent signs are literal, as older programs write them.
pub(crate) fn decoded(name: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    if !name.contains(&b'%') {
        return name;
    }
    let mut decoded = Vec::with_capacity(name.len());
    let mut rest = &name[..];
    while let [byte, after @ ..] = rest {
        let (byte, after) = match (byte, after) {
            (b'%', [b'0', b'A' | b'a', after @ ..]) => (b'\n', after),
            (b'%', [b'0', b'D' | b'd', after @ ..]) => (b'\r', after),
            (b'%', [b'2', b'5', after @ ..]) => (b'%', after),
            _ => (*byte, after),
        };
        decoded.push(byte);
        rest = after;
    }
    Cow::Owned(decoded)
}
