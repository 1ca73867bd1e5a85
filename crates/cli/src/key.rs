//! Keys in locked memory that is excluded from core dumps, if the system supports it.

use std::fs::File;
use std::io::{self, ErrorKind, Read};

use lanesum::unstable::{Depth, Locked, wiping_stack};
use lanesum::{AsEngine, HmacKey};

/// Initial size of the key buffer, in bytes.
const INITIAL_BUFFER_BYTES: usize = 4096;

/// Maximum length of a key, in bytes.
const MAX_KEY_BYTES: usize = 1 << 20;

/// Reads a whole file without buffers, which would retain a copy of the key.
pub(crate) fn read(mut file: File) -> io::Result<Locked<[u8]>> {
    let (mut bytes, mut len) = (Locked::zeros(INITIAL_BUFFER_BYTES), 0);
    loop {
        if len > MAX_KEY_BYTES {
            return Err(io::Error::other(format!("the key is longer than {MAX_KEY_BYTES} bytes")));
        }
        if len == bytes.len() {
            let mut more = Locked::zeros(2 * len);
            more[..len].copy_from_slice(&bytes);
            bytes = more;
        }
        match file.read(&mut bytes[len..]) {
            Ok(0) => return Ok(Locked::copy(&bytes[..len])),
            Ok(read) => len += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Prepares a key for hashing messages.
pub(crate) fn ready(engine: impl AsEngine, bytes: &[u8]) -> Locked<HmacKey> {
    wiping_stack(Depth::Short, || Locked::new(HmacKey::new(engine, bytes)))
}
