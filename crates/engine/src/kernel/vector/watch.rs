//! Screening for blocks of collision attacks on SHA-1, in lanes.

use core::hint::black_box;

use lanesum_spec::sha1dc;

use super::{Vector, load};
use crate::kernel::abi::Pairs;
use crate::words::MAX_LANES;

/// Writes [`sha1dc::left_of`] for the first `blocks` blocks of each of `data`.
///
/// # Safety
///
/// See [`Screen`](crate::kernel::abi::Screen).
#[inline(always)]
pub(in crate::kernel) unsafe fn screen<V: Vector<Int = u32>>(
    data: &[&[u8]],
    blocks: usize,
    suspects: &mut [u32],
) {
    if !V::WATCHES {
        return;
    }
    let mut block = 0;
    while block < blocks {
        // SAFETY: the caller guarantees the CPU features and all lengths.
        unsafe {
            let suspects = suspects.get_unchecked_mut(block * V::LANES..);
            if V::LANES == 1 {
                let bytes = data[0][block * 64..].first_chunk().expect("a block");
                suspects[0] = sha1dc::left_alone(bytes);
            } else {
                let words = sha1dc::shared_words(V::load_block(data, block * 64, true));
                // In memory, as in `left_alone`.
                sha1dc::left_of(black_box(&words)).store(suspects);
            }
        }
        block += 1;
    }
}

/// Runs [`sha1dc::apart`] in every lane.
///
/// # Safety
///
/// See [`Apart`](crate::kernel::abi::Apart).
#[inline(always)]
pub(in crate::kernel) unsafe fn apart<V: Vector<Int = u32>>(
    pairs: &Pairs<'_>,
    apart: &mut [[u32; MAX_LANES]; 2],
) {
    if !V::WATCHES {
        return;
    }
    // SAFETY: the caller guarantees the CPU features and all lengths.
    unsafe {
        let block = V::load_block(&pairs.blocks[..V::LANES], 0, true);
        let mut difference = [block[0]; 80];
        let mut first = 0;
        while first < 80 {
            let words = V::load_block(&pairs.differences[..V::LANES], 4 * first, false);
            let mut i = 0;
            while i < 16 {
                difference[first + i] = words[i];
                i += 1;
            }
            first += 16;
        }
        let before = load::<5, V>(pairs.before.as_flattened(), MAX_LANES);
        let after = load::<5, V>(pairs.after.as_flattened(), MAX_LANES);
        let late = V::load(&pairs.late);
        let [whole, reduced] = sha1dc::apart(block, &difference, late, before, after);
        whole.store(&mut apart[0]);
        reduced.store(&mut apart[1]);
    }
}
