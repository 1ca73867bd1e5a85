//! How C programs are compiled for a library that is built in some other way.

use std::env;

/// What they need beside: the runtime of the sanitizer (`make sanitize`).
pub fn flags() -> Vec<String> {
    let flags = env::var("LANESUM_TEST_CC_FLAGS").unwrap_or_default();
    flags.split_whitespace().map(str::to_owned).collect()
}

/// Whether the library has a sanitizer within, which valgrind cannot run, nor another stand beside.
pub fn is_sanitized() -> bool {
    !flags().is_empty()
}
