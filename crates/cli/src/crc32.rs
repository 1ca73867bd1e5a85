//! CRC-32 of Ethernet, gzip and SFV files, which detects accidental corruption only.

use std::fs::File;
use std::io::{self, Read};

use crc::{CRC_32_ISO_HDLC, Crc, Table};

static CRC: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_ISO_HDLC);

/// Returns the CRC of the rest of a file, and the number of bytes read.
pub(crate) fn of(file: File) -> io::Result<(u32, u64)> {
    let mut state = CRC.digest();
    let len = each(file, |bytes| state.update(bytes))?;
    Ok((state.finalize(), len))
}

/// Calls `take` with each chunk of the rest of a file. Returns the number of bytes read.
pub(crate) fn each(mut file: File, mut take: impl FnMut(&[u8])) -> io::Result<u64> {
    let mut buffer = vec![0; 256 << 10];
    let mut len = 0;
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(len),
            Ok(count) => {
                take(&buffer[..count]);
                len += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
