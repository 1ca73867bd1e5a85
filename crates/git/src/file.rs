//! Reads files. FIFOs are rejected, because the repository may be untrusted.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::Path;

use lanesum_files::{Kinds, Meter, open};

/// Reads a whole file, before the run has a meter.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path, Kinds::Storage)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a whole file, at the rate of the meter.
pub(crate) fn read_whole(meter: &Meter<'_>, path: &Path) -> io::Result<Vec<u8>> {
    let bytes = read(path)?;
    meter.read(bytes.len());
    Ok(bytes)
}

/// Reads `buffer.len()` bytes, at the rate of the meter.
pub(crate) fn read_at(
    meter: &Meter<'_>,
    file: &File,
    buffer: &mut [u8],
    position: u64,
) -> io::Result<()> {
    file.read_exact_at(buffer, position).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => io::Error::other("the file became shorter"),
        _ => error,
    })?;
    meter.read(buffer.len());
    Ok(())
}
