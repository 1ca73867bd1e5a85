//! Names as paths: their normal form, and their order.

use std::borrow::Cow;
use std::cmp::Ordering;

/// Returns the normal form of a name: without `.` components and repeated slashes, which do not
/// change the target. A `..` stays, since it may follow a symlink.
///
/// ```
/// use lanesum_manifest::normal_name;
///
/// assert_eq!(&*normal_name(b"./a//b/./c"), b"a/b/c");
/// assert_eq!(&*normal_name(b"/etc/"), b"/etc");
/// assert_eq!(&*normal_name(b"./"), b".");
/// ```
pub fn normal_name(name: &[u8]) -> Cow<'_, [u8]> {
    // Most names are in normal form, which a single pass detects.
    let is_plain = !matches!(name, [] | [b'.' | b'/', ..] | [.., b'/'])
        && !has_pair(name, |a, b| a == b'/' && matches!(b, b'/' | b'.'));
    if is_plain {
        return Cow::Borrowed(name);
    }
    let is_absolute = name.starts_with(b"/");
    let inside = if is_absolute { &name[1..] } else { name };
    let is_superfluous = |part: &[u8]| part.is_empty() || part == b".";
    if !inside.is_empty() && !inside.split(|&byte| byte == b'/').any(is_superfluous) {
        return Cow::Borrowed(name);
    }
    let mut normal = Vec::with_capacity(name.len());
    for part in inside.split(|&byte| byte == b'/').filter(|part| !is_superfluous(part)) {
        if is_absolute || !normal.is_empty() {
            normal.push(b'/');
        }
        normal.extend(part);
    }
    if normal.is_empty() {
        normal.push(if is_absolute { b'/' } else { b'.' });
    }
    Cow::Owned(normal)
}

/// Whether two consecutive bytes are such a pair. Without an early exit, so that the loop is
/// vectorized.
fn has_pair(name: &[u8], is_pair: impl Fn(u8, u8) -> bool) -> bool {
    name.iter().zip(name.iter().skip(1)).fold(false, |found, (&a, &b)| found | is_pair(a, b))
}

/// Whether the name itself, without symlinks, leads out of its base directory.
pub fn leads_out(name: &[u8]) -> bool {
    name.starts_with(b"/")
        || has_pair(name, |a, b| a == b'.' && b == b'.')
            && name.split(|&byte| byte == b'/').any(|part| part == b"..")
}

/// The order in which a walk visits files: everything in a directory is consecutive, sorted by the bytes of
/// names. This is byte order, except that a slash precedes every other byte.
///
/// ```
/// use lanesum_manifest::path_order;
///
/// assert!(path_order(b"a/x", b"a.b").is_lt());
/// assert!(path_order(b"a", b"a/x").is_lt());
/// ```
pub fn path_order(a: &[u8], b: &[u8]) -> Ordering {
    // Consecutive names share a prefix: compare eight bytes at a time.
    let (eights, _) = a.as_chunks::<8>();
    let (others, _) = b.as_chunks::<8>();
    let alike = eights.iter().zip(others).take_while(|(a, b)| a == b).count() * 8;
    let differing = a[alike..].iter().zip(&b[alike..]).find(|(a, b)| a != b);
    match differing {
        // No name contains NUL, so no byte precedes the slash.
        Some((b'/', _)) => Ordering::Less,
        Some((_, b'/')) => Ordering::Greater,
        Some((a, b)) => a.cmp(b),
        None => a.len().cmp(&b.len()),
    }
}
