//! The loop of PBKDF2 (RFC 8018 §5.2) inside a kernel. Each digest is the next message, and
//! stays in words all the time.

use lanesum_spec::{Algorithm, Family, MAX_BLOCK, pad};

use super::{Kernel, Select};
use crate::words::{Columns, MAX_LANES, bytes};

/// How the chaining value at the end of one hash is the last block of the next,
/// which goes on from one block of key: word i of the block is
/// `(word & mask[i]) + pad[i]`.
///
/// The proof of machine code has it in memory as it is written here.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Link<I> {
    /// The padding after the digest: one bit, zeros, the length.
    pub(crate) pad: [I; 16],
    /// Which bits of the chaining value are in the digest.
    pub(crate) mask: [I; 8],
}

impl<I: Select> Link<I> {
    pub(crate) fn new(algorithm: Algorithm) -> Self {
        let (family, len) = (algorithm.family(), algorithm.digest_len());
        let word = |bytes: u64| {
            let word = I::truncate(bytes >> (64 - I::BITS));
            if family.is_big_endian() { word } else { word.swap_bytes() }
        };
        // In the digest are so many whole words, and so many bytes of the next.
        let (whole, rest) = (len / I::BYTES, len % I::BYTES);
        let mut mask = [word(u64::MAX); 8];
        if let Some(([partial], left_out)) = mask[whole..].split_first_chunk_mut() {
            *partial = word(!(u64::MAX >> (8 * rest)));
            left_out.fill(I::ZERO);
        }
        let mut pad = [I::ZERO; 16];
        pad[whole] = word(0x80 << (56 - 8 * rest));
        let bits = I::truncate(8 * (family.block_len() + len) as u64);
        pad[if family.is_big_endian() { 15 } else { 14 }] = bits;
        Self { pad, mask }
    }
}

/// One of the two hashes of HMAC.
#[derive(Clone, Copy)]
pub(crate) enum Half {
    Inner,
    Outer,
}

/// The loop over iterations, as a kernel is given them: `$hash` is one hash of HMAC, the inner if
/// `$half` is 0, and `$add` is done with what comes out of the outer one. (A function would want
/// closures, which compilers may leave without the instructions of the kernel around them.)
macro_rules! iterate {
    ($iterations:expr, $half:ident => $hash:block, $add:block) => {
        let (mut $half, mut left): (usize, u32) = $iterations;
        while left > 0 {
            // One copy of the compression function, so that it is found where
            // instructions are cached.
            while $half < 2 {
                $hash
                $half += 1;
            }
            $add
            $half = 0;
            left -= 1;
        }
    };
}
pub(super) use iterate;

/// Whether one iteration in every lane, different in each, is what the
/// specification makes of it, read as numbers and by bytes; for the shortest
/// digest of the family.
pub(super) fn known_answer<I: Select>(kernel: Kernel, family: Family) -> bool {
    let of_family = Algorithm::all().filter(|algorithm| algorithm.family() == family);
    let Some(algorithm) = of_family.min_by_key(|algorithm| algorithm.digest_len()) else {
        return false;
    };
    let columns = |of: u64| {
        let mut columns = Columns::<I>::new();
        for (place, word) in (1u64..).zip(columns.words_mut(0)) {
            let i = place * (of + 3);
            *word = I::truncate(i.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_right(20));
        }
        columns
    };
    let chains = [columns(0), columns(1)];
    let (before, sum_before) = (columns(2), columns(3));
    let (mut u, mut sum) = (before.clone(), sum_before.clone());
    let (link, starts) = (Link::new(algorithm), chains.each_ref().map(|chain| chain.words(0)));
    let (u_words, sum_words) = (u.words_mut(0), sum.words_mut(0));
    kernel.iterate(family, starts, &link, u_words, sum_words, MAX_LANES, Half::Inner, 1);

    let lane = |columns: &Columns<I>, l: usize| columns.lane(l).map(I::widen);
    (0..kernel.lanes()).all(|l| {
        let mut words = lane(&before, l);
        for chain in &chains {
            let mut block = [0; 2 * MAX_BLOCK];
            let len = algorithm.digest_len();
            let digest = bytes::<I>(family, &words.map(I::truncate));
            block[..len].copy_from_slice(&digest[..len]);
            let padded = pad(family, &mut block, len, (family.block_len() + len) as u64);
            words = lane(chain, l);
            lanesum_spec::compress(family, &mut words, &block[..padded]);
        }
        let (u, sum, sum_before) = (lane(&u, l), lane(&sum, l), lane(&sum_before, l));
        (0..family.state_words()).all(|i| u[i] == words[i] && sum[i] == sum_before[i] ^ words[i])
    })
}
