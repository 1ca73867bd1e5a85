//! Hashes a level of a Merkle tree. The linker removes unused functions of the crate; `cargo xtask prove` proves the others.

use lanesum::{Algorithm, Strided, hash_many};

fn main() -> Result<(), lanesum::BatchError> {
    let children = [7; 8 * 64];
    let mut parents = [[0; 32]; 8];
    hash_many(Algorithm::SHA256, &Strided::new(&children, 64)?, &mut parents);
    assert!(parents.iter().all(|parent| *parent == lanesum::sha256(&children[..64])));
    Ok(())
}
