//! Overwrites secret values.

/// Overwrites `values` with `zero` at the speed of a copy; the optimizer cannot remove the stores. The
/// functions of `zeroize` write the values individually.
#[inline]
pub(crate) fn wipe<T: Copy>(values: &mut [T], zero: T) {
    values.fill(zero);
    zeroize::optimization_barrier(values);
}
