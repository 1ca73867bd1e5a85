//! Locates the object directories of a repository.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::{error, fmt, fs, io};

use lanesum_files::{Found, Walk};

use crate::file::read;
use crate::object::ObjectHash;
use crate::report::{Class, Fault, reason};

/// Maximum depth of alternates of alternates, as in git.
const MAX_ALTERNATES: usize = 5;

/// A git repository: bare, with a working tree, or a linked working tree.
#[derive(Clone, Debug)]
pub struct Repository {
    pub(crate) hash: ObjectHash,
    /// The directory that linked working trees share.
    pub(crate) common: PathBuf,
    /// The repository's directory of objects, then the alternates'.
    pub(crate) objects: Vec<PathBuf>,
    /// Alternates that cannot be used.
    pub(crate) faults: Vec<(PathBuf, Fault)>,
}

/// Why a directory is not a repository that can be verified.
#[derive(Debug)]
pub enum OpenError {
    /// A file or directory cannot be read.
    Unreadable(PathBuf, io::Error),
    /// The path exists, but is not a repository.
    NotRepository(PathBuf),
    /// The configuration requires an unknown hash function.
    Unsupported(PathBuf, String),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(path, error) => {
                write!(f, "cannot read {}: {}", path.display(), reason(error))
            }
            Self::NotRepository(path) => write!(
                f,
                "{} is not a git repository; name its root or its .git directory",
                path.display()
            ),
            Self::Unsupported(path, format) => {
                write!(f, "{}: unsupported object format {format:?}", path.display())
            }
        }
    }
}

impl error::Error for OpenError {}

impl Repository {
    /// Opens the repository whose working tree or git directory is `path`. Parent directories are not searched.
    ///
    /// # Errors
    ///
    /// If `path` is not a repository, cannot be read, or has an unsupported format.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let git = git_directory(path)?;
        let common = match read_path(&git.join("commondir"), "")? {
            Some(common) => git.join(common),
            None => git,
        };
        let hash = object_hash(&common.join("config"))?;
        let objects = common.join("objects");
        let mut repository = Self { hash, common, objects: Vec::new(), faults: Vec::new() };
        let mut seen = HashSet::new();
        repository.add(objects, 0, &mut seen);
        Ok(repository)
    }

    /// Estimates the number of bytes that [`check`](crate::check()) reads: packs three times, and all other files of
    /// the directories of objects, including Git LFS objects, once.
    pub fn bytes_to_read(&self) -> u64 {
        let lfs = self.common.join("lfs/objects");
        let directories = self.objects.iter().cloned().chain([lfs]);
        let found = Walk::new(directories, &lanesum_files::Options::default());
        let lens = found.into_iter().flatten().map(|found| match found {
            Found::File(path) => {
                let passes = if path.extension() == Some(OsStr::new("pack")) { 3 } else { 1 };
                path.symlink_metadata().map_or(0, |metadata| passes * metadata.len())
            }
            _ => 0,
        });
        lens.sum()
    }

    /// Adds a directory of objects and its alternates, each once.
    fn add(&mut self, objects: PathBuf, depth: usize, seen: &mut HashSet<PathBuf>) {
        let missing = |reason: String| Fault { class: Class::Missing, reason };
        let real = match fs::canonicalize(&objects) {
            Ok(real) if real.is_dir() => real,
            Ok(_) => {
                self.faults.push((objects, missing("it is not a directory".into())));
                return;
            }
            Err(error) => {
                let fault =
                    missing(format!("{}; restore it, or correct info/alternates", reason(&error)));
                self.faults.push((objects, fault));
                return;
            }
        };
        if !seen.insert(real) {
            return;
        }
        let list = objects.join("info/alternates");
        self.objects.push(objects.clone());
        let text = match read(&list) {
            Ok(text) => text,
            Err(error) => {
                if error.kind() != io::ErrorKind::NotFound {
                    self.faults.push((list, error.into()));
                }
                return;
            }
        };
        for line in text.split(|byte| *byte == b'\n') {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if line.is_empty() || line.starts_with(b"#") {
                continue;
            }
            let unquoted = unquote(line);
            let alternate = Path::new(OsStr::from_bytes(unquoted.as_deref().unwrap_or(line)));
            let alternate = objects.join(alternate);
            if depth < MAX_ALTERNATES {
                self.add(alternate, depth + 1, seen);
            } else {
                let reason = format!("alternates are nested more than {MAX_ALTERNATES} deep");
                self.faults.push((alternate, Fault::unreadable(reason)));
            }
        }
    }
}

/// Decodes a path in C's quotes.
fn unquote(line: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = line.strip_prefix(b"\"")?.strip_suffix(b"\"")?.iter().copied();
    let mut path = Vec::new();
    while let Some(byte) = bytes.next() {
        path.push(match byte {
            b'"' => return None,
            b'\\' => match bytes.next()? {
                b'a' => 7,
                b'b' => 8,
                b't' => 9,
                b'n' => 10,
                b'v' => 11,
                b'f' => 12,
                b'r' => 13,
                same @ (b'"' | b'\\') => same,
                first @ b'0'..=b'3' => {
                    let mut number = first - b'0';
                    for _ in 0..2 {
                        let digit = bytes.next().filter(|digit| (b'0'..=b'7').contains(digit))?;
                        number = number << 3 | (digit - b'0');
                    }
                    number
                }
                _ => return None,
            },
            other => other,
        });
    }
    Some(path)
}

/// The git directory of a path: itself, its `.git`, or the directory that a `.git` file names.
fn git_directory(path: &Path) -> Result<PathBuf, OpenError> {
    let unreadable = |error| OpenError::Unreadable(path.to_owned(), error);
    if !fs::metadata(path).map_err(unreadable)?.is_dir() {
        return Err(OpenError::NotRepository(path.to_owned()));
    }
    let inner = path.join(".git");
    let found = match fs::metadata(&inner) {
        Ok(metadata) if metadata.is_dir() => inner,
        Ok(_) => match read_path(&inner, "gitdir: ")? {
            Some(target) => path.join(target),
            None => return Err(OpenError::NotRepository(path.to_owned())),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_owned(),
        Err(error) => return Err(OpenError::Unreadable(inner, error)),
    };
    // As git: a directory with HEAD, and with objects and refs unless a linked working tree shares them.
    let is_shared = found.join("commondir").exists();
    let has = |name: &str| found.join(name).symlink_metadata().is_ok();
    if has("HEAD") && (is_shared || (has("objects") && has("refs"))) {
        Ok(found)
    } else {
        Err(OpenError::NotRepository(path.to_owned()))
    }
}

/// Reads a file that contains a path after `prefix`. `None` if it does not exist, or has another prefix.
fn read_path(file: &Path, prefix: &str) -> Result<Option<PathBuf>, OpenError> {
    let bytes = match read(file) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(OpenError::Unreadable(file.to_owned(), error)),
    };
    let path = bytes.strip_prefix(prefix.as_bytes()).map(<[u8]>::trim_ascii_end);
    Ok(path.map(|path| PathBuf::from(OsStr::from_bytes(path))))
}

/// Returns the hash function in the configuration.
fn object_hash(config: &Path) -> Result<ObjectHash, OpenError> {
    let text = match read(config) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(ObjectHash::Sha1),
        Err(error) => return Err(OpenError::Unreadable(config.to_owned(), error)),
    };
    let text = String::from_utf8_lossy(&text);
    let mut hash = ObjectHash::Sha1;
    let mut section = String::new();
    for line in text.lines().map(str::trim) {
        let mut line = line;
        if let Some((name, rest)) = line.strip_prefix('[').and_then(|line| line.split_once(']')) {
            section = name.trim().to_ascii_lowercase();
            line = rest.trim();
        }
        let Some((key, value)) = line.split_once('=') else { continue };
        if section == "extensions" && key.trim().eq_ignore_ascii_case("objectformat") {
            let value = value.split(['#', ';']).next().unwrap_or_default();
            let value = value.trim().trim_matches('"');
            hash = match value {
                "sha1" => ObjectHash::Sha1,
                "sha256" => ObjectHash::Sha256,
                other => {
                    return Err(OpenError::Unsupported(config.to_owned(), other.to_owned()));
                }
            };
        }
    }
    Ok(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_paths_are_decoded() {
        assert_eq!(unquote(br#""a\tb\\\"\303\274""#).unwrap(), "a\tb\\\"ü".as_bytes());
        for line in
            [&b"plain"[..], b"\"", b"\"a", br#""a\q""#, br#""a\40""#, br#""\777""#, br#""a"b""#]
        {
            assert_eq!(unquote(line), None, "{line:?}");
        }
    }
}
