//! Functions of whole messages: `…File`, `…FileChunk`, `…Fd` and `…Data`.

use core::ffi::{CStr, c_char, c_int};
use core::mem::MaybeUninit;
use core::ptr;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;

use engine::Digest;
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

    fn finish(self) -> Digest {
        match self {
            Self::Live(live) => live.finish(),
            Self::Md2(mut md2) => md2.finish(),
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
        let digest =
            File::open(name).and_then(|file| read(whole, Descriptor(file.as_raw_fd()), from, len));
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
        let digest = read(whole, Descriptor(fd), from, len);
        // SAFETY: the caller's promise.
        unsafe { give(whole, digest, text) }
    })
}

unsafe fn give(whole: Whole, digest: io::Result<Digest>, text: *mut c_char) -> Option<*mut c_char> {
    match digest {
        // SAFETY: the caller's promise.
        Ok(digest) => unsafe { hex(text, whole.digest_len(), || Some(digest)) },
        Err(error) => {
            set_errno(error.raw_os_error().unwrap_or(libc::EIO));
            None
        }
    }
}

/// A number that may be an open file's. It is the caller's, who may have closed it or close it
/// meanwhile: it is passed to the system, which says so, and is no file of Rust's, which must be
/// open.
#[derive(Clone, Copy)]
struct Descriptor(c_int);

impl Descriptor {
    /// The file's length, in bytes; 0 of what does not know it.
    fn len(self) -> io::Result<u64> {
        let mut about = MaybeUninit::<libc::stat64>::uninit();
        // SAFETY: there is a place for what the system says.
        match unsafe { libc::fstat64(self.0, about.as_mut_ptr()) } {
            // SAFETY: it has said it.
            0 => Ok(unsafe { about.assume_init() }.st_size as u64),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// Goes to a place in the file.
    fn seek(self, to: off_t) -> io::Result<()> {
        // SAFETY: no memory is involved.
        match unsafe { libc::lseek(self.0, to, libc::SEEK_SET) } {
            -1 => Err(io::Error::last_os_error()),
            _ => Ok(()),
        }
    }

    /// Reads what there is, at most as much as there is room for: how much.
    fn read(self, to: &mut [u8]) -> io::Result<usize> {
        loop {
            // SAFETY: there is so much room.
            let len = unsafe { libc::read(self.0, to.as_mut_ptr().cast(), to.len()) };
            match usize::try_from(len) {
                Ok(len) => return Ok(len),
                Err(_) => match io::Error::last_os_error() {
                    error if error.kind() == io::ErrorKind::Interrupted => {}
                    error => return Err(error),
                },
            }
        }
    }
}

/// The digest of a part of a file.
fn read(whole: Whole, file: Descriptor, from: off_t, len: off_t) -> io::Result<Digest> {
    // What comes while it is read is not part of it; but what does not know its
    // size, as a pipe, is read to the end.
    let mut rest = match u64::try_from(len) {
        Ok(0) => file.len()?,
        Ok(len) => len,
        Err(_) => 0,
    };
    if rest == 0 {
        rest = u64::MAX;
    }
    if from > 0 {
        file.seek(from)?;
    }
    let mut any = whole.begin();
    let mut buffer = [0; BUFFER];
    while rest > 0 {
        let room = buffer.len().min(usize::try_from(rest).unwrap_or(usize::MAX));
        match file.read(&mut buffer[..room])? {
            0 => break,
            len => {
                any.update(&buffer[..len]);
                rest -= len as u64;
            }
        }
    }
    Ok(any.finish())
}
