//! One lane of the state that a kernel is given: word i of lane l is at `i * stride + l`.

/// The first `N` words of lane `l`.
///
/// # Safety
///
/// `state` reaches the last of them.
#[inline(always)]
pub(super) unsafe fn lane<I: Copy, const N: usize>(state: &[I], stride: usize, l: usize) -> [I; N] {
    // SAFETY: as the caller vouches.
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
/// As for [`lane`].
#[inline(always)]
pub(super) unsafe fn set_lane<I: Copy, const N: usize>(
    state: &mut [I],
    stride: usize,
    l: usize,
    words: &[I; N],
) {
    let mut i = 0;
    while i < N {
        // SAFETY: as the caller vouches.
        unsafe { *state.get_unchecked_mut(i * stride + l) = words[i] };
        i += 1;
    }
}
