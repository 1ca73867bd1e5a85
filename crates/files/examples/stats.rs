//! Walks trees and queries the metadata of every file, in one thread, and does nothing else: the
//! minimum work of a scan for changed files.
//!
//!     stats FOLDER...

use std::env;
use std::fs;
use std::path::PathBuf;

use lanesum_files::{Found, Options, Walk};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let walk = Walk::new(env::args_os().skip(1).map(PathBuf::from), &Options::default())?;
    let (mut files, mut bytes) = (0_u64, 0_u64);
    for found in walk {
        match found {
            Found::File(path) => {
                bytes += fs::metadata(&path)?.len();
                files += 1;
            }
            Found::Unreadable(error) => return Err(error.into()),
            _ => {}
        }
    }
    println!("{files} files, {bytes} bytes");
    Ok(())
}
