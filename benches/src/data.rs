//! The files that the jobs hash, made from a fixed seed.
//!
//! | folder | what |
//! |---|---|
//! | `small` | 100,000 files of log-normal length, 10-40 in a folder, 8 levels |
//! | `mixed` | 2,000 files of 1 MiB, 10 of 200 MiB |
//! | `large` | one file of 4 GiB |
//! | `many` | 1,000,000 names in 10 folders, for memory: links to 1,000 files |
//! | `start` | one file of 1 KiB, for start-up |
//! | `manifests` | what the installed tools print of them, made by the jobs |

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::LogNormal;

/// What is written in the stamp; to be raised when other files are made.
const VERSION: u32 = 1;
const SEED: u64 = 0x0048_6564_646c_6521;
const STAMP: &str = "lanesum-bench-data";

/// Where the files are and how many.
#[derive(clap::Args, Clone)]
pub(crate) struct Arguments {
    /// The folder for the files
    #[arg(long, env = "LANESUM_BENCH_DATA", default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/bench-data"))]
    data: PathBuf,
    /// Make this part of the files only, for trials
    #[arg(long, default_value_t = 1.0, value_parser = scale)]
    scale: f64,
}

fn scale(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(scale) if scale > 0.0 && scale <= 1.0 => Ok(scale),
        _ => Err("a scale is over 0 and at most 1".into()),
    }
}

impl Arguments {
    /// Whether these are the full files, on which a record is made.
    pub(crate) fn is_full(&self) -> bool {
        self.scale == 1.0
    }

    /// The scale, of 1.
    pub(crate) fn scale(&self) -> f64 {
        self.scale
    }

    /// The folder, which differs by scale.
    pub(crate) fn folder(&self) -> PathBuf {
        if self.is_full() {
            self.data.clone()
        } else {
            self.data.join(format!("scale-{}", self.scale))
        }
    }

    /// `number`, to scale, and at least 1.
    fn part(&self, number: u64) -> u64 {
        ((number as f64 * self.scale).round() as u64).max(1)
    }
}

pub(crate) fn main(arguments: &Arguments) -> Result<()> {
    println!("{}", make(arguments)?.display());
    Ok(())
}

/// Makes the files unless they are there. Returns their folder, an absolute path.
pub(crate) fn make(arguments: &Arguments) -> Result<PathBuf> {
    let folder = arguments.folder();
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let folder = folder.canonicalize()?;
    let stamp = folder.join(STAMP);
    let whole = format!("version {VERSION}, seed {SEED:#x}, scale {}, whole\n", arguments.scale);
    match fs::read_to_string(&stamp) {
        Ok(found) if found == whole => return Ok(folder),
        Ok(_) => {}
        Err(_) if fs::read_dir(&folder)?.next().is_some() => bail!(
            "{} holds files that this program did not make; name another folder with --data",
            folder.display()
        ),
        Err(_) => {}
    }

    // Ours, and not whole: begin again.
    fs::write(&stamp, "in the making\n")?;
    for (name, fill) in FOLDERS {
        let into = folder.join(name);
        if into.exists() {
            fs::remove_dir_all(&into)?;
        }
        eprintln!("making {}", into.display());
        fs::create_dir(&into)?;
        fill(&into, arguments).with_context(|| format!("cannot fill {}", into.display()))?;
    }
    rustix::fs::sync(); // or the first runs share the disk with the writing of these files
    fs::write(&stamp, whole)?;
    Ok(folder)
}

type Fill = fn(&Path, &Arguments) -> Result<()>;
const FOLDERS: [(&str, Fill); 6] = [
    ("small", small),
    ("mixed", mixed),
    ("large", large),
    ("many", many),
    ("start", start),
    ("manifests", |_, _| Ok(())),
];

/// Random bytes: what is in a file does not change the work, but a disk or a
/// file system may compress or share what repeats.
struct Writer {
    random: ChaCha8Rng,
    buffer: Vec<u8>,
}

impl Writer {
    fn new(stream: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(SEED);
        random.set_stream(stream); // so that no folder's files depend on another's
        Self { random, buffer: vec![0; 1 << 20] }
    }

    fn file(&mut self, path: &Path, len: u64) -> Result<()> {
        let mut file = File::create_new(path)?;
        let mut rest = len;
        while rest > 0 {
            let now = rest.min(self.buffer.len() as u64) as usize;
            self.random.fill_bytes(&mut self.buffer[..now]);
            file.write_all(&self.buffer[..now])?;
            rest -= now as u64;
        }
        Ok(())
    }

    /// Log-normal, median 4 KiB, sigma 1.65: the mean is 16 kB.
    fn small_len(&mut self) -> u64 {
        let lengths = LogNormal::new(4096f64.ln(), 1.65).expect("finite and positive");
        self.random.sample(lengths) as u64
    }
}

fn small(folder: &Path, arguments: &Arguments) -> Result<()> {
    const LEVELS: usize = 8;
    let mut writer = Writer::new(0);
    let mut rest = arguments.part(100_000);
    let mut folders = vec![(folder.to_owned(), 1)];
    let mut current = 0;
    loop {
        let files = writer.random.random_range(10..=40).min(rest);
        for number in 0..files {
            let len = writer.small_len();
            writer.file(&folders[current].0.join(format!("file-{number:02}.bin")), len)?;
        }
        rest -= files;
        if rest == 0 {
            return Ok(());
        }
        let (parent, level) = loop {
            let (path, level) = &folders[writer.random.random_range(0..folders.len())];
            if *level < LEVELS {
                break (path, *level);
            }
        };
        let child = parent.join(format!("folder-{:04}", folders.len()));
        fs::create_dir(&child)?;
        folders.push((child, level + 1));
        current = folders.len() - 1;
    }
}

fn mixed(folder: &Path, arguments: &Arguments) -> Result<()> {
    let mut writer = Writer::new(1);
    for number in 0..arguments.part(2000) {
        writer.file(&folder.join(format!("1m-{number:04}.bin")), 1 << 20)?;
    }
    for number in 0..10 {
        writer.file(&folder.join(format!("200m-{number}.bin")), arguments.part(200 << 20))?;
    }
    Ok(())
}

fn large(folder: &Path, arguments: &Arguments) -> Result<()> {
    Writer::new(2).file(&folder.join("4g.bin"), arguments.part(4 << 30))
}

/// Names take memory, not bytes: so these are links, of which a file has 1,000.
fn many(folder: &Path, arguments: &Arguments) -> Result<()> {
    let mut writer = Writer::new(3);
    let files = 1000;
    let folders: Vec<_> = (0..10).map(|number| folder.join(format!("folder-{number}"))).collect();
    folders.iter().try_for_each(fs::create_dir)?;
    let mut file = PathBuf::new();
    for number in 0..arguments.part(1_000_000) {
        let name = folders[(number % 10) as usize].join(format!("name-{number:07}.bin"));
        if number % files == 0 {
            let len = writer.small_len();
            writer.file(&name, len)?;
            file = name;
        } else {
            fs::hard_link(&file, &name)?;
        }
    }
    Ok(())
}

fn start(folder: &Path, _: &Arguments) -> Result<()> {
    Writer::new(4).file(&folder.join("1k.bin"), 1024)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Of 100 files; as it was when the first record was made.
    const SMALL_BYTES: usize = 1_832_031;

    fn folder(name: &str) -> PathBuf {
        let folder =
            std::env::temp_dir().join(format!("lanesum-bench-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    fn files(folder: &Path, below: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
        for entry in fs::read_dir(folder.join(below)).unwrap() {
            let entry = entry.unwrap();
            let name = below.join(entry.file_name());
            if entry.file_type().unwrap().is_dir() {
                files(folder, &name, found);
            } else {
                found.insert(name, fs::read(entry.path()).unwrap());
            }
        }
    }

    #[test]
    fn the_files_are_the_same_on_every_machine_and_made_once() {
        let mut all = Vec::new();
        for name in ["one", "other"] {
            let arguments = Arguments { data: folder(name), scale: 0.001 };
            let made = make(&arguments).unwrap();
            let mut found = BTreeMap::new();
            files(&made, Path::new(""), &mut found);
            all.push(found);

            // A file that is not whole is noticed by its stamp alone.
            let touched = made.join("start/1k.bin");
            fs::write(&touched, "kept").unwrap();
            make(&arguments).unwrap();
            assert_eq!(fs::read(&touched).unwrap(), b"kept", "made twice");
            fs::write(made.join(STAMP), "in the making\n").unwrap();
            make(&arguments).unwrap();
            assert_eq!(fs::read(&touched).unwrap().len(), 1024, "not made again");
            fs::remove_dir_all(&arguments.data).unwrap();
        }
        assert!(all[0] == all[1], "two makes differ");
        let of =
            |below: &'static str| all[0].iter().filter(move |(name, _)| name.starts_with(below));
        assert_eq!(of("small").count(), 100);
        assert_eq!(of("many").count(), 1000);
        assert_eq!(of("large").map(|(_, bytes)| bytes.len()).sum::<usize>(), (4 << 30) / 1000);
        // Of the random numbers nothing may change, or old records do not compare with new ones.
        let small: usize = of("small").map(|(_, bytes)| bytes.len()).sum();
        assert_eq!(small, SMALL_BYTES);
    }

    #[test]
    fn a_folder_of_others_is_left_alone() {
        let arguments = Arguments { data: folder("foreign"), scale: 1.0 };
        fs::create_dir_all(&arguments.data).unwrap();
        fs::write(arguments.data.join("letter"), "dear").unwrap();
        let error = make(&arguments).unwrap_err().to_string();
        assert!(error.contains("name another folder"), "{error}");
        assert_eq!(fs::read_dir(&arguments.data).unwrap().count(), 1);
        fs::remove_dir_all(&arguments.data).unwrap();
    }
}
