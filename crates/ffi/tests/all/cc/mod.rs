//! Flags of C programs for a library that is built with a sanitizer.

use std::env;

/// Additional compiler flags, which link the sanitizer's runtime (`cargo xtask sanitize`).
pub fn flags() -> Vec<String> {
    let flags = env::var("LANESUM_TEST_CC_FLAGS").unwrap_or_default();
    flags.split_whitespace().map(str::to_owned).collect()
}

/// Whether the library is built with a sanitizer, which excludes valgrind and other sanitizers.
pub fn is_sanitized() -> bool {
    !flags().is_empty()
}
