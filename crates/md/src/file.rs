//! `…File`, `…FileChunk`, `…Fd` and `…Data`: whole messages.

use core::ffi::{CStr, c_char, c_int};
use core::ptr;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::mem::ManuallyDrop;
use std::os::fd::FromRawFd;
use std::os::unix::ffi::OsStrExt;

use libc::off_t;

use crate::door::{barrier, bytes, hex, set_errno};
use crate::layout::Md2;
use crate::live::{Hash, Live};

/// How much is read at a time, in bytes: no more than fits in the nearest cache
/// twice, but enough that a call of the kernel's is not felt.
const BUFFER: usize = 64 << 10;

/// A message that comes in pieces: MD2 is of a kind of its own.
pub(crate) enum Any {
    Live(Live),
    Md2(Md2),
}

impl Any {
    fn update(&mut self, data: &[u8]) {
        match self {
            Self::Live(live) => live.update(data),
            Self::Md2(md2) => md2.update(data),
        }
    }

    fn finish(self) -> [u8; 64] {
        match self {
            Self::Live(mut live) => {
                live.pad();
                live.bytes()
            }
            Self::Md2(mut md2) => {
                let mut bytes = [0; 64];
                bytes[..16].copy_from_slice(&md2.finish());
                bytes
            }
        }
    }
}

/// A function of whole messages: what it begins with, and the length of its digest
/// in bytes.
#[derive(Clone, Copy)]
pub(crate) struct Whole(pub(crate) Option<Hash>);

impl Whole {
    fn begin(self) -> Any {
        match self.0 {
            Some(hash) => Any::Live(Live::new(hash)),
            None => Any::Md2(Md2::NEW),
        }
    }

    fn digest_len(self) -> usize {
        self.0.map_or(16, Hash::digest_len)
    }
}

/// `…Data`: the digest of memory in hexadecimal.
///
/// # Safety
///
/// As [`bytes`] and [`hex`].
pub(crate) unsafe fn data(
    whole: Whole,
    data: *const u8,
    len: usize,
    text: *mut c_char,
) -> *mut c_char {
    barrier(ptr::null_mut(), || {
        // SAFETY: the caller's promise.
        unsafe {
            let data = bytes(data, len)?;
            hex(text, whole.digest_len(), || {
                let mut any = whole.begin();
                any.update(data);
                Some(any.finish())
            })
        }
    })
}

/// `…FileChunk`: the digest of a part of a file in hexadecimal; of all from `from`
/// on if `len` is 0 or less. Null, with `errno`, if it cannot be read.
///
/// # Safety
///
/// `name` is null or a text that ends with a zero; as [`hex`].
pub(crate) unsafe fn file_chunk(
    whole: Whole,
    name: *const c_char,
    text: *mut c_char,
    from: off_t,
    len: off_t,
) -> *mut c_char {
    barrier(ptr::null_mut(), || {
        if name.is_null() {
            set_errno(libc::EFAULT);
            return None;
        }
        // SAFETY: the caller's promise.
        let name = OsStr::from_bytes(unsafe { CStr::from_ptr(name) }.to_bytes());
        let digest = File::open(name).and_then(|file| read(whole, &file, from, len));
        // SAFETY: the caller's promise.
        unsafe { give(whole, digest, text) }
    })
}

/// `…FdChunk`: the same of a file that is open, from where it is if `from` is 0.
///
/// # Safety
///
/// As [`hex`].
pub(crate) unsafe fn fd_chunk(
    whole: Whole,
    fd: c_int,
    text: *mut c_char,
    from: off_t,
    len: off_t,
) -> *mut c_char {
    barrier(ptr::null_mut(), || {
        if fd < 0 {
            set_errno(libc::EBADF);
            return None;
        }
        // SAFETY: the descriptor is only used for this call, and not closed; if none
        // is open, reading says so.
        let file = ManuallyDrop::new(unsafe { File::from_raw_fd(fd) });
        let digest = read(whole, &file, from, len);
        // SAFETY: the caller's promise.
        unsafe { give(whole, digest, text) }
    })
}

unsafe fn give(
    whole: Whole,
    digest: io::Result<[u8; 64]>,
    text: *mut c_char,
) -> Option<*mut c_char> {
    match digest {
        // SAFETY: the caller's promise.
        Ok(digest) => unsafe { hex(text, whole.digest_len(), || Some(digest)) },
        Err(error) => {
            set_errno(error.raw_os_error().unwrap_or(libc::EIO));
            None
        }
    }
}

/// The digest of a part of a file.
fn read(whole: Whole, mut file: &File, from: off_t, len: off_t) -> io::Result<[u8; 64]> {
    // What comes while it is read is not part of it; but what does not know its
    // size, as a pipe, is read to the end.
    let mut rest = match u64::try_from(len) {
        Ok(0) => file.metadata()?.len(),
        Ok(len) => len,
        Err(_) => 0,
    };
    if rest == 0 {
        rest = u64::MAX;
    }
    if from > 0 {
        file.seek(SeekFrom::Start(from as u64))?;
    }
    let mut any = whole.begin();
    let mut buffer = [0; BUFFER];
    while rest > 0 {
        let room = buffer.len().min(usize::try_from(rest).unwrap_or(usize::MAX));
        match file.read(&mut buffer[..room]) {
            Ok(0) => break,
            Ok(len) => {
                any.update(&buffer[..len]);
                rest -= len as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(any.finish())
}
