//! Reports which standard streams were closed when the process started.
//!
//! Rust's runtime opens `/dev/null` in place of closed ones before `main`, so results written there
//! would be lost without an error, and input read from there would be empty. Only code that runs
//! before the runtime can detect closed streams.

use std::sync::atomic::{AtomicU8, Ordering};

/// Bit `n` is set if descriptor `n` was closed.
static CLOSED: AtomicU8 = AtomicU8::new(0);

/// Whether standard input, output or error, as descriptor 0, 1 or 2, was closed when the process
/// started. Always `false` on systems other than Linux.
pub fn was_closed(descriptor: u8) -> bool {
    // The linker keeps the entry only in programs that refer to it.
    #[cfg(target_os = "linux")]
    std::hint::black_box(&linux::ENTRY);
    CLOSED.load(Ordering::Relaxed) >> descriptor & 1 == 1
}

/// Duplicates an open descriptor, with the same offset. Closing the duplicate leaves the original
/// open.
///
/// # Errors
///
/// If `descriptor` is not open, or no more can be opened.
#[cfg(unix)]
pub fn duplicate(descriptor: std::os::fd::RawFd) -> std::io::Result<std::os::fd::OwnedFd> {
    use std::os::fd::FromRawFd;

    // SAFETY: F_DUPFD_CLOEXEC accepts any number, and an int as its argument.
    let duplicate = unsafe { libc::fcntl(descriptor, libc::F_DUPFD_CLOEXEC, 3) };
    if duplicate == -1 {
        return Err(std::io::Error::last_os_error());
    }
    // SAFETY: the call has opened the descriptor, and nothing else owns it.
    Ok(unsafe { std::os::fd::OwnedFd::from_raw_fd(duplicate) })
}

#[cfg(target_os = "linux")]
mod linux {
    use std::sync::atomic::Ordering;

    use super::CLOSED;

    /// Runs [`record`] before the runtime, with glibc and with musl, also in static programs.
    // SAFETY: the section holds pointers to C functions that the C library calls once, when it is
    // initialized. It may pass arguments, which a C function without parameters ignores.
    #[unsafe(link_section = ".init_array")]
    #[used]
    pub(super) static ENTRY: extern "C" fn() = record;

    extern "C" fn record() {
        for descriptor in 0..3 {
            // SAFETY: F_GETFD has no argument, accepts any number, and only reports flags.
            let flags = unsafe { libc::fcntl(descriptor, libc::F_GETFD) };
            if flags == -1 {
                CLOSED.fetch_or(1 << descriptor, Ordering::Relaxed);
            }
        }
    }
}
