//! The table that a kernel reads, in the engine's layout: K of every round, once for each block in a
//! register, and then shuffle masks.

use lanesum_spec::sha2::{Sha256, Sha512, Variant};
use lanesum_spec::{Family, sha1};

use super::text::VectorIsa;

/// Returns the table of the kernel of `family` for a tier.
///
/// # Panics
///
/// If `family` is a compatibility function, which has no such kernel.
pub fn table(family: Family, isa: VectorIsa) -> Vec<u8> {
    let k: Vec<u8> = match family {
        Family::Sha1 => sha1::K.iter().flat_map(|k| [*k; 4]).flat_map(u32::to_le_bytes).collect(),
        Family::Sha256 => {
            let k = &<Sha256 as Variant>::K[..Sha256::ROUNDS];
            k.iter().flat_map(|k| k.to_le_bytes()).collect()
        }
        Family::Sha512 => <Sha512 as Variant>::K.iter().flat_map(|k| k.to_le_bytes()).collect(),
        other => panic!("{other:?} has no stitched kernel"),
    };
    /// A mask byte that produces zero.
    const NONE: u8 = 0x80;
    let word = family.word_bits() as usize / 8;
    let order = |of: &dyn Fn(usize) -> usize| -> [u8; 16] { std::array::from_fn(|i| of(i) as u8) };
    let turned = order(&|i| i ^ (word - 1));
    let orders = match family {
        // ROTR^8 of 8-byte words.
        Family::Sha512 => [turned, order(&|i| i / 8 * 8 + (i + 1) % 8), [0; 16]],
        // Words 0 and 2 of four, as the first two and as the last two.
        _ => {
            let packed = |i: usize| i / 4 * 8 + i % 4;
            let first = order(&|i| if i < 8 { packed(i) } else { NONE.into() });
            let last = order(&|i| if i < 8 { NONE.into() } else { packed(i - 8) });
            [turned, first, last]
        }
    };
    let copies = isa.bytes() / 16;
    let sixteen = k.chunks_exact(16).chain(orders.iter().map(|order| &order[..]));
    sixteen.flat_map(|bytes| bytes.repeat(copies)).collect()
}
