//! Checks which shared libraries are Lanesum's, and which programs load them.

use std::collections::BTreeSet;
use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use object::read::elf::{Dyn, FileHeader};
use object::{Endianness, FileKind, ReadCache, ReadRef, elf};

use super::{Finding, Place, commands};

/// Sonames of Lanesum's libraries, and their purposes.
const NAMES: [(&str, &str); 4] = [
    ("liblanesum.so.0", "the C library, the provider and the PKCS #11 module"),
    ("libmd.so.0", "programs that use libmd"),
    ("liblanesum_freebsd_md.so.0", "programs that use FreeBSD's libmd"),
    ("libsha1detectcoll.so.1", "git built with DC_SHA1_EXTERNAL"),
];

/// Checks for each library whether the dynamic linker would load Lanesum's.
pub(super) fn findings() -> Vec<Finding> {
    let finding = |(name, purpose): (&str, &str)| {
        // `make install` puts libraries that must not be loaded by default in a separate directory.
        let own = private_library(name).map(|path| {
            let folder = path.parent().unwrap_or(Path::new("/")).display();
            format!("; to load Lanesum's, set LD_LIBRARY_PATH={folder}")
        });
        match find(name) {
            Some(path) if is_lanesum(&path) => Finding::yes(name, Place(&path)),
            Some(path) => {
                let how = own.unwrap_or("; Lanesum's is not installed".into());
                Finding::no(name, format!("{} is another library{how}", Place(&path)))
            }
            None => {
                let how = own.unwrap_or_default();
                Finding::no(name, format!("for {purpose}: not found by the dynamic linker{how}"))
            }
        }
    };
    NAMES.into_iter().map(finding).collect()
}

/// Returns Lanesum's library of this name in its separate directory, below this command's prefix.
fn private_library(name: &str) -> Option<PathBuf> {
    let prefix = env::current_exe().ok()?.ancestors().nth(2)?.to_owned();
    let libraries = ["lib", "lib64"].map(|lib| prefix.join(lib));
    // On Debian, `lib` has a subdirectory per architecture.
    let below = libraries.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let below: Vec<PathBuf> = below.map(|entry| entry.path()).collect();
    let folders = libraries.iter().chain(&below).map(|folder| folder.join("lanesum").join(name));
    folders.into_iter().find(|path| is_lanesum(path))
}

/// Returns the programs in `PATH` that are linked directly with one of Lanesum's libraries.
pub(super) fn programs() -> Vec<Finding> {
    let found = NAMES.map(|(name, _)| (name, find(name)));
    let linked = linked_with(|name| found.iter().any(|(known, _)| known == &name));
    let finding = |(program, name): (String, String)| {
        let library = found.iter().find(|(known, _)| *known == name);
        match library.and_then(|(_, library)| library.as_deref()) {
            Some(library) if is_lanesum(library) => Finding::yes(program, Place(library)),
            Some(library) => Finding::no(program, format!("{name} is {}", Place(library))),
            None => Finding::no(program, format!("{name} is not found")),
        }
    };
    linked.into_iter().map(finding).collect()
}

/// Returns the programs in `PATH` that are linked directly with a library whose name `accepts` accepts,
/// with the name of that library.
pub(super) fn linked_with(accepts: impl Fn(&str) -> bool) -> Vec<(String, String)> {
    let mut seen = BTreeSet::new();
    let mut linked = Vec::new();
    for folder in commands::folders() {
        let files = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut paths: Vec<_> = files.map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            let Ok(target) = fs::canonicalize(&path) else { continue };
            if !target.is_file() || !seen.insert(target) {
                continue;
            }
            let program = path.file_name().unwrap_or_default().to_string_lossy();
            let needed = needed_libraries(&path).unwrap_or_default().into_iter();
            linked.extend(
                needed
                    .filter(|name| accepts(name))
                    .map(|name| (program.clone().into_owned(), name)),
            );
        }
    }
    linked
}

/// Returns the file that the dynamic linker would load for a soname.
fn find(name: &str) -> Option<PathBuf> {
    folders().into_iter().map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Returns the search path of the dynamic linker: the environment, its configuration, its defaults.
fn folders() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = env::var_os("LD_LIBRARY_PATH")
        .map(|path| env::split_paths(&path).collect())
        .unwrap_or_default();
    configured(Path::new("/etc/ld.so.conf"), &mut folders);
    folders.extend(["/lib64", "/usr/lib64", "/lib", "/usr/lib"].map(PathBuf::from));
    folders
}

/// Appends the directories in a configuration file of the dynamic linker, including nested files.
fn configured(path: &Path, folders: &mut Vec<PathBuf>) {
    let text = fs::read_to_string(path).unwrap_or_default();
    for line in text.lines().map(|line| line.split('#').next().unwrap_or_default().trim()) {
        match line.strip_prefix("include") {
            Some(pattern) => {
                // Only the last component may be a pattern.
                let pattern = Path::new(pattern.trim());
                let folder = pattern.parent().unwrap_or(Path::new("/etc"));
                let files = fs::read_dir(folder).into_iter().flatten().flatten();
                let mut paths: Vec<_> = files.map(|entry| entry.path()).collect();
                paths.sort();
                for path in paths.iter().filter(|path| path.extension() == pattern.extension()) {
                    configured(path, folders);
                }
            }
            None if !line.is_empty() => folders.push(line.into()),
            None => {}
        }
    }
}

/// Whether a library is Lanesum's: whether it contains `MARK`.
fn is_lanesum(path: &Path) -> bool {
    /// A string that every Lanesum library contains: the name of its environment variable.
    const MARK: &[u8] = b"LANESUM_KERNEL";
    fs::read(path).is_ok_and(|bytes| bytes.windows(MARK.len()).any(|text| text == MARK))
}

/// Returns the sonames that a program needs; `None` if it is not an ELF file.
fn needed_libraries(path: &Path) -> Option<Vec<String>> {
    let file = ReadCache::new(File::open(path).ok()?);
    match FileKind::parse(&file).ok()? {
        FileKind::Elf64 => dynamic::<elf::FileHeader64<Endianness>, _>(&file),
        FileKind::Elf32 => dynamic::<elf::FileHeader32<Endianness>, _>(&file),
        _ => None,
    }
}

fn dynamic<'data, E, R>(file: R) -> Option<Vec<String>>
where
    E: FileHeader<Endian = Endianness>,
    R: ReadRef<'data>,
{
    let header = E::parse(file).ok()?;
    let endian = header.endian().ok()?;
    let sections = header.sections(endian, file).ok()?;
    let (dynamic, link) = sections.dynamic(endian, file).ok()??;
    let strings = sections.strings(endian, file, link).ok()?;
    let needed = dynamic.iter().filter(|entry| entry.tag(endian) == elf::DT_NEEDED);
    let name = |entry: &E::Dyn| {
        let name = entry.string(endian, strings).ok()?;
        Some(String::from_utf8_lossy(name).into_owned())
    };
    Some(needed.filter_map(name).collect())
}
