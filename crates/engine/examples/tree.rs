//! Hashes every file below a directory, one in each SIMD lane:
//! `cargo run --example tree DIRECTORY` prints lines like those of `sha256sum`, sorted by path.

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

/// Prefixes an error with the path that caused it.
fn of(path: &Path) -> impl Fn(io::Error) -> io::Error {
    move |error| io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Appends the paths of the files below `directory` to `found`.
fn walk(directory: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(directory).map_err(of(directory))? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            walk(&entry.path(), found)?;
        } else {
            found.push(entry.path());
        }
    }
    Ok(())
}

fn tree(directory: &Path) -> io::Result<Vec<(PathBuf, Digest)>> {
    let mut paths = Vec::new();
    walk(directory, &mut paths)?;
    let mut lanes = Lanes::new(Algorithm::SHA256);
    let mut digests = Vec::new();
    let mut keep = |done: Done<Open>| -> io::Result<()> {
        let digest = done.digest.map_err(of(&done.message.path))?;
        digests.push((done.message.path, digest));
        Ok(())
    };
    for path in paths {
        let reader = BufReader::with_capacity(1 << 16, File::open(&path).map_err(of(&path))?);
        if let Some(done) = lanes.push(Open { path, reader }) {
            keep(done)?;
        }
    }
    lanes.drain().try_for_each(keep)?;
    digests.sort();
    Ok(digests)
}

fn main() {
    let Some(directory) = env::args_os().nth(1) else {
        eprintln!("usage: tree DIRECTORY");
        process::exit(2);
    };
    match tree(Path::new(&directory)) {
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
