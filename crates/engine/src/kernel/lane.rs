//! One lane of a kernel's state: word i of lane l is at `i * stride + l`.

/// Returns the first `N` words of lane `l`.
///
/// # Safety
///
/// `state` contains the last of them.
#[inline(always)]
pub(super) unsafe fn lane<I: Copy, const N: usize>(state: &[I], stride: usize, l: usize) -> [I; N] {
    // SAFETY: the caller guarantees the extent of `state`.
    unsafe {
        let mut words = [*state.get_unchecked(l); N];
        let mut i = 1;
        while i < N {
            words[i] = *state.get_unchecked(i * stride + l);
            i += 1;
        }
        words
    }
}

/// Sets the first `N` words of lane `l`.
///
/// # Safety
///
/// `state` contains the last of them.
#[inline(always)]
pub(super) unsafe fn set_lane<I: Copy, const N: usize>(
    state: &mut [I],
    stride: usize,
    l: usize,
    words: &[I; N],
) {
    let mut i = 0;
    while i < N {
        // SAFETY: the caller guarantees the extent of `state`.
        unsafe { *state.get_unchecked_mut(i * stride + l) = words[i] };
        i += 1;
    }
}
