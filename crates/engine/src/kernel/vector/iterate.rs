//! The loop of PBKDF2 in lanes: digests stay in words from one block to the next.

use lanesum_spec::Compression;

use super::{Vector, load, store};
use crate::kernel::iterate::{Iterations, Link, iterate};

/// Runs `iterations` of HMAC on `u` in each lane and XORs the result of each into `sum`.
///
/// # Safety
///
/// See [`Iterate`](crate::kernel::abi::Iterate).
#[inline(always)]
pub(in crate::kernel) unsafe fn iterate<C, const N: usize, V>(
    chains: [&[C::Int]; 2],
    link: &Link<C::Int>,
    u: &mut [C::Int],
    sum: &mut [C::Int],
    stride: usize,
    iterations: Iterations,
) where
    C: Compression<N>,
    V: Vector<Int = C::Int>,
{
    // SAFETY: the caller guarantees the CPU features and all lengths.
    unsafe {
        let mut words = load::<N, V>(u, stride);
        iterate!(iterations, half => {
            let start = load::<N, V>(chains[half], stride);
            words = C::compress(start, block::<N, V>(words, link));
        }, {
            let mut i = 0;
            while i < N {
                let place = sum.get_unchecked_mut(i * stride..);
                (V::load(place) ^ words[i]).store(place);
                i += 1;
            }
        });
        store(words, u, stride);
    }
}

/// Pads a digest to a block.
#[inline(always)]
fn block<const N: usize, V: Vector>(words: [V; N], link: &Link<V::Int>) -> [V; 16] {
    let nought = words[0].zero();
    let mut w = [nought; 16];
    let mut i = 0;
    while i < N {
        w[i] = (words[i] & (nought + link.mask[i])) + link.pad[i];
        i += 1;
    }
    // The bit after the digest is in word N at the latest and the length in the last two words. The
    // words between are zeros, which the compiler knows.
    w[N] = nought + link.pad[N];
    w[14] = nought + link.pad[14];
    w[15] = nought + link.pad[15];
    w
}
