//! Prints the Merkle tree hash of RFC 6962 (Certificate Transparency) over the lines of standard
//! input: `seq 7 | cargo run --example merkle`.

use std::io;

use lanesum::Algorithm;
use lanesum::tree::Tree;

fn main() -> io::Result<()> {
    let entries = io::stdin().lines().collect::<io::Result<Vec<_>>>()?;
    println!("{}", Tree::rfc6962(Algorithm::SHA256).build_entries(&entries).root());
    Ok(())
}
