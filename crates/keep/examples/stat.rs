//! A walk that only asks each file for its length and times: what looking costs at least.

use std::{env, fs};

use lanesum_files::{Found, Options, Walk};

fn main() {
    let roots = env::args_os().skip(1).map(Into::into);
    let walk = Walk::new(roots, &Options::default()).expect("no globs");
    let (mut files, mut bytes) = (0_u64, 0);
    for found in walk {
        if let Found::File(path) = found {
            files += 1;
            bytes += fs::metadata(path).map_or(0, |metadata| metadata.len());
        }
    }
    println!("{files} files, {bytes} bytes");
}
