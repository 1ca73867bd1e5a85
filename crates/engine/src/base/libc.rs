//! Functions of the C library on Linux, for reading a file that the environment names. No-ops on other systems.

#[cfg(all(target_os = "linux", not(miri)))]
mod linux {
    use core::ffi::{c_int, c_ulong};

    unsafe extern "C" {
        pub(super) safe fn getauxval(entry: c_ulong) -> c_ulong;
        pub(super) safe fn __errno_location() -> *mut c_int;
    }
}

/// Whether the process has more rights than the user who started it, such as a set-user-ID program, so that its
/// environment cannot be trusted.
pub(crate) fn is_secure() -> bool {
    #[cfg(all(target_os = "linux", not(miri)))]
    {
        const AT_SECURE: core::ffi::c_ulong = 23;

        linux::getauxval(AT_SECURE) != 0
    }
    #[cfg(not(all(target_os = "linux", not(miri))))]
    false
}

/// Calls `run` and restores `errno`, which calls of the C interface leave unchanged.
pub(crate) fn with_errno_restored<R>(run: impl FnOnce() -> R) -> R {
    #[cfg(all(target_os = "linux", not(miri)))]
    {
        let errno = linux::__errno_location();
        // SAFETY: the thread's `errno` is valid while the thread runs.
        let before = unsafe { errno.read() };
        let result = run();
        // SAFETY: as above.
        unsafe { errno.write(before) };
        result
    }
    #[cfg(not(all(target_os = "linux", not(miri))))]
    run()
}
