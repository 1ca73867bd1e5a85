//! The Merkle tree hash of RFC 6962 (Certificate Transparency) over the lines of standard input:
//! `seq 7 | cargo run --example merkle`.
//!
//! A leaf is the digest of a byte 0 and an entry, a node that of a byte 1 and two digests. Each level
//! is one batch that begins from a prefix.

use std::io;

use lanesum::{Algorithm, Digest, Hasher, Strided, sha256};

/// A hasher that has taken one byte.
fn prefix(byte: u8) -> Hasher {
    let mut hasher = Hasher::new(Algorithm::SHA256);
    hasher.update([byte]);
    hasher
}

/// The root of the tree over these entries.
fn root(entries: &[String]) -> Digest {
    if entries.is_empty() {
        return sha256("").into();
    }
    let node = prefix(1);
    let mut level: Vec<[u8; 32]> = Vec::new();
    prefix(0).finish_many(Algorithm::SHA256, entries, &mut level);
    while level.len() > 1 {
        // A node without a sibling goes up as it is.
        let odd = (level.len() % 2 == 1).then(|| level.pop().unwrap());
        let pairs = Strided::new(level.as_flattened(), 64).expect("whole pairs");
        let mut parents = Vec::new();
        node.finish_many(Algorithm::SHA256, &pairs, &mut parents);
        parents.extend(odd);
        level = parents;
    }
    level[0].into()
}

fn main() -> io::Result<()> {
    let entries = io::stdin().lines().collect::<io::Result<Vec<_>>>()?;
    println!("{}", root(&entries));
    Ok(())
}
