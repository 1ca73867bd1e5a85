//! The system's assembler and linker. Their output for an assembly file or an object is the code
//! that a CPU executes.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use object::{Object, ObjectSymbol};

use super::fault::{Fault, unreadable};
use super::image::Image;
use super::unambiguous::check_object;

/// The reason why an assembly file is not proven.
#[derive(Debug)]
pub enum TextError {
    /// A file cannot be read or written, or a tool cannot be started.
    Io(PathBuf, io::Error),
    /// An error message of the assembler or linker.
    Refused(&'static str, String),
    /// A fault, and its line in the assembly file.
    Fault(Option<usize>, Fault),
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, _) => write!(f, "cannot use {}", path.display()),
            Self::Refused(program, what) => write!(f, "{program} failed: {what}"),
            Self::Fault(Some(line), fault) => write!(f, "line {line}: {fault}"),
            Self::Fault(None, fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for TextError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(_, source) => Some(source),
            _ => None,
        }
    }
}

impl From<Fault> for TextError {
    fn from(fault: Fault) -> Self {
        Self::Fault(None, fault)
    }
}

/// A temporary directory, removed when dropped.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    pub(super) fn new() -> Result<Self, TextError> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("lanesum-text-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        // Only this user may change the files in it.
        let mut folder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
        match folder.create(&path) {
            Ok(()) => Ok(Self(path)),
            // A process that had the same number was killed, or another user guessed the name.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Self::new(),
            Err(error) => Err(TextError::Io(path, error)),
        }
    }

    /// The path of a file in the directory.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Leftover files are harmless.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs a program and returns its output.
pub(super) fn run(program: &'static str, arguments: &[&Path]) -> Result<Vec<u8>, TextError> {
    let output = Command::new(program).args(arguments).output();
    let output = output.map_err(|error| TextError::Io(program.into(), error))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(TextError::Refused(program, said))
}

/// Reads a library, a program, or an object, which the linker first turns into a library.
///
/// # Errors
///
/// If the file cannot be read, or has another format.
pub fn read(path: &Path) -> Result<Image, TextError> {
    let file = fs::read(path).map_err(|error| TextError::Io(path.to_owned(), error))?;
    if Image::is_linked(&file) {
        return Image::new(&file).map_err(|fault| TextError::Fault(None, fault));
    }
    linked(&file)
}

/// Do not join sections, orphans included: another link may place sections of one name elsewhere, with
/// the alignment of each. [`Image`] relies on it for these names.
const UNIQUE: [&str; 3] = ["--unique", "--unique=.*text*", "--unique=.*rodata*"];

/// Links an object as a library.
pub(super) fn linked(object: &[u8]) -> Result<Image, TextError> {
    let library = link(object, &UNIQUE.map(Path::new))?;
    let file = object::File::parse(object).map_err(unreadable)?;
    let undefined = file.symbols().filter(|symbol| symbol.is_undefined());
    let names: Result<_, _> = undefined.map(|symbol| symbol.name().map(str::to_owned)).collect();
    image_of(&library, names.map_err(unreadable)?)
}

/// Reads a library that was linked from an object, which does not define these symbols itself.
pub(super) fn image_of(library: &[u8], undefined: BTreeSet<String>) -> Result<Image, TextError> {
    Image::of_object(library, undefined).map_err(|fault| TextError::Fault(None, fault))
}

/// Links an object with other objects or options, and returns the library's bytes.
///
/// # Errors
///
/// If it cannot be linked, or if other linkers or objects could change its contents.
pub(super) fn link(object: &[u8], others: &[&Path]) -> Result<Vec<u8>, TextError> {
    check_object(object)?;
    let bits = Image::bits(object);
    let format = if bits == Some(32) { "elf_i386" } else { "elf_x86_64" };
    let folder = Scratch::new()?;
    let [copy, library] = ["linked.o", "linked.so"].map(|name| folder.file(name));
    fs::write(&copy, object).map_err(|error| TextError::Io(copy.clone(), error))?;
    let flag = Path::new;
    // Relocations identify the section that an address refers to. Other linkers do not replace the same instructions.
    let shared = ["-shared", "--emit-relocs", "--no-relax"].map(flag);
    let shared = [&shared[..], &["-z", "noexecstack", "-m", format, "-o"].map(flag)].concat();
    run("ld", &[&shared[..], &[&library, &copy], others].concat())?;
    fs::read(&library).map_err(|error| TextError::Io(library.clone(), error))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Another user may have created a directory of the next name, to replace files in it.
    #[cfg(unix)]
    #[test]
    fn a_scratch_directory_is_new_and_private() {
        use std::os::unix::fs::PermissionsExt;

        let first = Scratch::new().unwrap();
        let name = first.0.to_str().unwrap();
        let (head, number) = name.rsplit_once('-').unwrap();
        let next = PathBuf::from(format!("{head}-{}", number.parse::<u32>().unwrap() + 1));
        fs::create_dir_all(&next).unwrap();
        let second = Scratch::new().unwrap();
        fs::remove_dir(&next).unwrap();
        assert_ne!(second.0, next);
        assert_eq!(fs::metadata(&second.0).unwrap().permissions().mode() & 0o077, 0);
    }
}
