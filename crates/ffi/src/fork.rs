//! First use, and fork: a child has the forking thread alone, so that what
//! another thread was setting up would never be ready there.
//!
//! Everything that is set up once is set up under one lock, which is held over
//! every fork.

use core::ffi::c_int;
use core::sync::atomic::{AtomicBool, Ordering};

use engine::{Algorithm, Bytes, Family, hash, hash_many};

/// Which families are set up.
static READY: [AtomicBool; Family::ALL.len()] = [const { AtomicBool::new(false) }; _];

/// A lock, held while something is set up and over every fork: parent and child
/// both open it after, as a lock with an owner would not let them. It is held for
/// less than a millisecond, a few times in a process.
static SETTING_UP: AtomicBool = AtomicBool::new(false);

/// Has the engine find out what it needs to know for `algorithm`, once. To be
/// called before it is used.
#[inline]
pub(crate) fn ready(algorithm: Algorithm) {
    if !READY[algorithm.family() as usize].load(Ordering::Acquire) {
        set_up(algorithm);
    }
}

#[cold]
fn set_up(algorithm: Algorithm) {
    /// Opens the lock, also if the engine panics.
    struct Held;
    impl Drop for Held {
        fn drop(&mut self) {
            open();
        }
    }
    close();
    let _held = Held;
    let mut digests = [0; 2 * 64];
    let places = &mut digests[..2 * algorithm.digest_len()];
    hash_many(algorithm, &[[0_u8; 0]; 2], Bytes(places));
    hash(algorithm, b"");
    READY[algorithm.family() as usize].store(true, Ordering::Release);
}

extern "C" fn close() {
    while SETTING_UP.swap(true, Ordering::Acquire) {
        std::thread::yield_now();
    }
}

extern "C" fn open() {
    SETTING_UP.store(false, Ordering::Release);
}

unsafe extern "C" {
    /// POSIX's: what to call before a fork, and after it in both processes.
    fn pthread_atfork(
        before: Option<extern "C" fn()>,
        in_parent: Option<extern "C" fn()>,
        in_child: Option<extern "C" fn()>,
    ) -> c_int;
}

/// Asks for a word before and after every fork, when the library is loaded: later
/// there may be other threads that fork meanwhile. And has panics, which end as a
/// status, print nothing into somebody else's program.
extern "C" fn register() {
    #[cfg(not(test))]
    std::panic::set_hook(Box::new(|_| {}));
    // SAFETY: the functions are there as long as the library is: what a library
    // registers is forgotten when it is unloaded. Without memory for it, a fork
    // during first use is as it would be without all this.
    unsafe { pthread_atfork(Some(close), Some(open), Some(open)) };
}

// SAFETY: the section holds pointers to functions that the loader calls.
#[used]
#[unsafe(link_section = ".init_array")]
static REGISTER: extern "C" fn() = register;
