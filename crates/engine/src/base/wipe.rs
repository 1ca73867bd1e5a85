//! Overwrites values that hold secrets.

/// Overwrites `values` with `zero` although nobody reads them again, at the speed of a copy; `zeroize`
/// alone writes them one by one.
#[inline]
pub(crate) fn wipe<T: Copy>(values: &mut [T], zero: T) {
    values.fill(zero);
    zeroize::optimization_barrier(values);
}
