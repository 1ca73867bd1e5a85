//! Functions that hash whole messages: `…File`, `…FileChunk`, `…Fd` and `…Data`.

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

/// The size of the read buffer, in bytes: at most twice the L1 data cache, but large enough to
/// amortize the system call.
const BUFFER: usize = 64 << 10;

/// An incremental hash. MD2 has a separate context type.
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

/// An algorithm for a whole message; `None` is MD2.
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

/// `…Data`: writes the digest of `len` bytes in hexadecimal.
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
        // SAFETY: the caller guarantees `len` readable bytes and room for the text.
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

/// `…FileChunk`: writes the digest of `len` bytes of a file, starting at offset `from`, in
/// hexadecimal. If `len` is 0 or less, hashes up to the end. Returns null and sets `errno` if the
/// file cannot be read.
///
/// # Safety
///
/// `name` is null or a NUL-terminated string; `text` is as [`hex`] requires.
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
        // SAFETY: the caller guarantees a NUL-terminated string, and it is not null.
        let name = OsStr::from_bytes(unsafe { CStr::from_ptr(name) }.to_bytes());
        let digest =
            File::open(name).and_then(|file| read(whole, Descriptor(file.as_raw_fd()), from, len));
        // SAFETY: the caller guarantees room for the text.
        unsafe { give(whole, digest, text) }
    })
}

/// `…FdChunk`: writes the digest of `len` bytes of an open file, starting at offset `from`, in
/// hexadecimal. If `from` is 0, starts at the current position. If `len` is 0 or less, hashes up to
/// the end. Returns null and sets `errno` if the file cannot be read.
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
        // SAFETY: the caller guarantees room for the text.
        unsafe { give(whole, digest, text) }
    })
}

unsafe fn give(whole: Whole, digest: io::Result<Digest>, text: *mut c_char) -> Option<*mut c_char> {
    match digest {
        // SAFETY: the caller guarantees room for the text.
        Ok(digest) => unsafe { hex(text, whole.digest_len(), || Some(digest)) },
        Err(error) => {
            set_errno(error.raw_os_error().unwrap_or(libc::EIO));
            None
        }
    }
}

/// A file descriptor of the caller, which may be closed at any time. It is passed to system calls,
/// which then fail, and is not a `std` file, which must be open.
#[derive(Clone, Copy)]
struct Descriptor(c_int);

impl Descriptor {
    /// Returns the length of the file in bytes; 0 if it has no length.
    fn len(self) -> io::Result<u64> {
        let mut about = MaybeUninit::<libc::stat64>::uninit();
        // SAFETY: `about` has room for the result.
        match unsafe { libc::fstat64(self.0, about.as_mut_ptr()) } {
            // SAFETY: `fstat64` succeeded, so it has initialized `about`.
            0 => Ok(unsafe { about.assume_init() }.st_size as u64),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// Seeks to offset `to`.
    fn seek(self, to: off_t) -> io::Result<()> {
        // SAFETY: `lseek` accesses no memory.
        match unsafe { libc::lseek(self.0, to, libc::SEEK_SET) } {
            -1 => Err(io::Error::last_os_error()),
            _ => Ok(()),
        }
    }

    /// Reads at most `to.len()` bytes, and returns the number of bytes read.
    fn read(self, to: &mut [u8]) -> io::Result<usize> {
        loop {
            // SAFETY: `to` is valid for writes of `to.len()` bytes.
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

/// Hashes a part of a file.
fn read(whole: Whole, file: Descriptor, from: off_t, len: off_t) -> io::Result<Digest> {
    // Data appended during the read is not hashed. A file without a length, such as a pipe, is read
    // to the end.
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
