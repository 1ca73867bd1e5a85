//! Secrets overwritten.

/// Overwrites `values` with `zero`, though nobody reads them again: at the speed
/// of a copy, where `zeroize` alone writes them one by one.
#[inline]
pub(crate) fn wipe<T: Copy>(values: &mut [T], zero: T) {
    values.fill(zero);
    zeroize::optimization_barrier(values);
}
