//! Selects a format for `lanesum sum` that preserves algorithm and name when it is read back.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use lanesum_manifest::{Checksum, Format, Options, Reader};

use crate::Reported;
use crate::message::{Shown, print_message};

/// Returns the format for digests of `algorithms` in the manifest at `path`, or on standard output:
/// `requested`; or the tagged format if `tag` is set; or the first format that can be read back.
pub(crate) fn of(
    requested: Option<Format>,
    tag: bool,
    algorithms: &[Checksum],
    path: Option<&Path>,
) -> Result<Format, Reported> {
    let several = algorithms.len() > 1;
    match requested {
        Some(format) if several && !format.names_algorithm() => {
            print_message(format_args!(
                "format {} does not record the algorithm, and there are several: use --format bsd or json",
                format.name()
            ));
            Err(Reported::Usage)
        }
        Some(format) => checked(format, algorithms, path),
        None => {
            let reader = reader(path);
            let untagged = named(if reader.is_bagit() { "bagit" } else { "gnu" });
            let is_tagged = tag || several || !is_identified(&reader, algorithms);
            Ok(if is_tagged { named("bsd") } else { untagged })
        }
    }
}

/// Returns `format`, or an error if its lines could not be read back from the manifest at `path`.
pub(crate) fn checked(
    format: Format,
    algorithms: &[Checksum],
    path: Option<&Path>,
) -> Result<Format, Reported> {
    if format.names_algorithm() {
        return Ok(format);
    }
    let (reader, name) = (reader(path), format.name());
    let shown = path.map(|path| Shown(path.as_os_str()).to_string()).unwrap_or_default();
    if let Some(algorithm) =
        algorithms.iter().find(|&&algorithm| !is_identified(&reader, &[algorithm]))
    {
        let len = algorithm.digest_len();
        let why = match (reader.algorithm_of_len(len), algorithm_of_len(len)) {
            (Some(read), usual) if Some(read) != usual => {
                format!("and {shown} selects {}", read.title())
            }
            (Some(read), _) => {
                format!("and {} digests are as long as {} digests", algorithm.title(), read.title())
            }
            (None, _) => format!("and a digest of {len} bytes identifies no algorithm"),
        };
        print_message(format_args!(
            "format {name} does not record the algorithm, {why}: use --format bsd or json"
        ));
        return Err(Reported::Usage);
    }
    match path {
        Some(_) if format.is_known_by_file() && !reader.is_bagit() => {
            let algorithm = algorithms.first().map_or("sha256", |algorithm| algorithm.name());
            let algorithm = algorithm.replace('/', "-");
            print_message(format_args!(
                "{shown} is not a BagIt file name: rename it to manifest-{algorithm}.txt, or use --format gnu"
            ));
            Err(Reported::Usage)
        }
        Some(_) if reader.is_bagit() && !format.is_known_by_file() => {
            print_message(format_args!(
                "{shown} is a BagIt file name: use --format bagit, or rename it"
            ));
            Err(Reported::Usage)
        }
        _ => Ok(format),
    }
}

/// Rejects `--stat` if `format` does not record both size and time.
pub(crate) fn check_stat(stat: bool, format: Format) -> Result<(), Reported> {
    if stat && !matches!(format.name(), "json" | "csv") {
        print_message("--stat requires --format json or csv");
        return Err(Reported::Usage);
    }
    Ok(())
}

fn named(name: &str) -> Format {
    Format::from_name(name).expect("a format of the table")
}

/// Creates a reader for a manifest at `path`, or on standard input.
fn reader(path: Option<&Path>) -> Reader {
    let reader = Reader::new(Options::default());
    match path {
        Some(path) => reader.of_file(path.as_os_str().as_bytes()),
        None => reader,
    }
}

/// Returns the algorithm that a reader assumes for digests of `len` bytes unless the manifest's
/// name selects another.
fn algorithm_of_len(len: usize) -> Option<Checksum> {
    reader(None).algorithm_of_len(len)
}

/// Whether untagged lines of each of `algorithms` are read back as that algorithm.
fn is_identified(reader: &Reader, algorithms: &[Checksum]) -> bool {
    algorithms.iter().all(|a| reader.algorithm_of_len(a.digest_len()) == Some(*a))
}

#[cfg(test)]
mod tests {
    use lanesum::{Algorithm, sha256};
    use lanesum_manifest::{Entry, Line, Terminator, Time};

    use super::*;

    #[test]
    fn stat_is_accepted_for_the_formats_that_record_it() {
        let (digest, time) = (sha256("abc"), Time::new(1_700_000_000, 5));
        let entry = Entry::new(Algorithm::SHA256, &digest, "f").unwrap();
        let entry = entry.with_stat(Some(3), Some(time));
        for format in Format::all() {
            let (mut text, mut reader) = (Vec::new(), Reader::new(Options::default()));
            format.head(&[Algorithm::SHA256.into()], Terminator::Newline, &mut text);
            format.write(&entry, Terminator::Newline, &mut text);
            let is_recorded = text.split_inclusive(|byte| *byte == b'\n').any(|line| {
                matches!(reader.line(line), Line::Entry(read) if read.modified() == Some(time))
            });
            assert_eq!(check_stat(true, format).is_ok(), is_recorded, "{format:?}");
            assert!(check_stat(false, format).is_ok());
        }
    }
}
