//! Hashes every file below a directory, one in each SIMD lane:
//! `cargo run --example tree FOLDER` prints lines like those of `sha256sum`, sorted by path.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::{env, process};

use lanesum::{Algorithm, Digest, Done, Lanes, Message};

/// A file that is read while it is hashed.
struct Open {
    path: PathBuf,
    reader: BufReader<File>,
}

impl Message for Open {
    type Error = io::Error;

    fn fill(&mut self) -> io::Result<&[u8]> {
        self.reader.fill_buf()
    }

    fn consume(&mut self, n: usize) {
        self.reader.consume(n);
    }
}

/// Appends the paths of the files below `folder` to `found`.
fn walk(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            walk(&entry.path(), found)?;
        } else {
            found.push(entry.path());
        }
    }
    Ok(())
}

fn tree(folder: &Path) -> io::Result<Vec<(PathBuf, Digest)>> {
    let mut paths = Vec::new();
    walk(folder, &mut paths)?;
    let mut lanes = Lanes::new(Algorithm::SHA256);
    let mut digests = Vec::new();
    let mut keep = |done: Done<Open>| -> io::Result<()> {
        digests.push((done.message.path, done.digest?));
        Ok(())
    };
    for path in paths {
        let reader = BufReader::with_capacity(1 << 16, File::open(&path)?);
        if let Some(done) = lanes.push(Open { path, reader }) {
            keep(done)?;
        }
    }
    lanes.drain().try_for_each(keep)?;
    digests.sort();
    Ok(digests)
}

fn main() {
    let Some(folder) = env::args_os().nth(1) else {
        eprintln!("usage: tree FOLDER");
        process::exit(2);
    };
    match tree(Path::new(&folder)) {
        Ok(digests) => {
            for (path, digest) in digests {
                println!("{digest}  {}", path.display());
            }
        }
        Err(error) => {
            eprintln!("tree: {error}");
            process::exit(1);
        }
    }
}
