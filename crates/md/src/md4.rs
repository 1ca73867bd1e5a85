//! MD4, RFC 1320, for compatibility only: collisions can be computed by hand.

/// Compresses one block into the chaining value, RFC 1320 §3.4.
pub(crate) fn compress(state: &mut [u32; 4], block: &[u8; 64]) {
    let mut x = [0; 16];
    for (word, bytes) in x.iter_mut().zip(block.as_chunks().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    let [mut a, mut b, mut c, mut d] = *state;
    let mut step = |f: fn(u32, u32, u32) -> u32, word: u32, rotation: u32| {
        let sum = a.wrapping_add(f(b, c, d)).wrapping_add(word);
        (a, b, c, d) = (d, sum.rotate_left(rotation), b, c);
    };
    for i in 0..16 {
        step(|x, y, z| (x & y) | (!x & z), x[i], [3, 7, 11, 19][i % 4]);
    }
    for i in 0..16 {
        let word = x[i / 4 + 4 * (i % 4)].wrapping_add(0x5a82_7999);
        step(|x, y, z| (x & y) | (x & z) | (y & z), word, [3, 5, 9, 13][i % 4]);
    }
    for i in 0..16 {
        // The bit-reversed index i.
        let word = x[((i as u8).reverse_bits() >> 4) as usize].wrapping_add(0x6ed9_eba1);
        step(|x, y, z| x ^ y ^ z, word, [3, 9, 11, 15][i % 4]);
    }
    for (word, new) in state.iter_mut().zip([a, b, c, d]) {
        *word = word.wrapping_add(new);
    }
}
