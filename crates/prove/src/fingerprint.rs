//! Fingerprints of proven code. A file that is stripped after its proof is checked against them.

use std::fmt::Write as _;

use lanesum_spec::{Algorithm, digest};

use super::fault::Fault;
use super::image::{Dispatched, Image};

const HEAD: &str = "# lanesum-graph prove: what is proven, before symbols are stripped";

/// Formats a line for each proven function, with its address and the SHA-256 of its code, one for
/// each entry of the engine's tables, and one for all segments, constants and relocations.
pub fn fingerprints(image: &Image, proven: &[u64]) -> String {
    let mut text = format!("{HEAD}\n");
    let mut all: Vec<u64> = proven.to_vec();
    all.sort_unstable();
    all.dedup();
    for function in all.iter().filter_map(|&at| image.function(at)) {
        let (at, len) = (function.address, function.code.len());
        let digest = sha256(&function.code);
        let _ = writeln!(text, "function {at:#x} {len} {digest} {}", function.name);
    }
    for Dispatched { kernel, address } in image.dispatched() {
        let _ = writeln!(text, "entry {address:#x} {kernel}");
    }
    let _ = writeln!(text, "data {}", sha256(&image.constant_bytes()));
    text
}

/// Checks a file against these lines, and returns the number of functions.
///
/// # Errors
///
/// If a function has other code, an entry refers to another function, or a segment, a constant or a relocation differs.
pub fn check_fingerprints(image: &Image, text: &str) -> Result<usize, Fault> {
    let wrong = |what: &str| Fault::whole(format!("fingerprints: {what}"));
    let mut lines = text.lines();
    if lines.next() != Some(HEAD) {
        return Err(wrong("not a fingerprint file"));
    }
    let number = |word: &str| u64::from_str_radix(word.trim_start_matches("0x"), 16).ok();
    let (mut count, mut entries, mut has_data) = (0, Vec::new(), false);
    for line in lines {
        match line.splitn(5, ' ').collect::<Vec<_>>()[..] {
            ["function", at, len, digest, name] => {
                let code = number(at).zip(len.parse().ok());
                let code = code.and_then(|(at, len)| image.constant(at, len));
                if code.map(sha256).as_deref() != Some(digest) {
                    return Err(wrong(&format!("{name} at {at} has different code")));
                }
                count += 1;
            }
            ["entry", ..] => entries.push(line.to_owned()),
            ["data", digest] => {
                has_data = true;
                if sha256(&image.constant_bytes()) != digest {
                    return Err(wrong("constants or relocations differ"));
                }
            }
            _ => return Err(wrong(&format!("malformed line: {line}"))),
        }
    }
    let own =
        image.dispatched().iter().map(|one| format!("entry {:#x} {}", one.address, one.kernel));
    if own.collect::<Vec<_>>() != entries {
        return Err(wrong("the table of kernels differs"));
    }
    if count == 0 || !has_data {
        return Err(wrong("no function is listed"));
    }
    Ok(count)
}

/// The SHA-256 of these bytes, in hexadecimal.
fn sha256(bytes: &[u8]) -> String {
    let digest = digest(Algorithm::SHA256, bytes);
    let digest = &digest[..Algorithm::SHA256.digest_len()];
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
