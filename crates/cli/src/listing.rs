//! Hashes files and writes a line of a manifest for each: the part that `sum` and `mac`
//! share.

use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::{fs, thread, vec};

use lanesum::{Algorithm, HmacKey};
use lanesum_files::{
    Digests, Error, Found, GlobError, Input, Job, Options, Progress as Counters, Settings, Walk,
    hash,
};
use lanesum_manifest::{Entry, Format, Terminator};

use crate::Verdict;
use crate::output::{Output, Stop};
use crate::progress::Progress;
use crate::say::{Shown, failure, say};

/// What is to be listed, and how.
pub(crate) struct Listing<'a> {
    /// Files, or with `recursive` folders too; none is standard input, or the working folder.
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) recursive: bool,
    /// How folders are walked. What is written to is left out besides.
    pub(crate) walk: Options,
    pub(crate) algorithms: &'a [Algorithm],
    /// Whether SHA-1 looks for blocks of collision attacks.
    pub(crate) watches: bool,
    /// The key under which it is to be HMACs, of one algorithm.
    pub(crate) key: Option<&'a HmacKey>,
    pub(crate) format: Format,
    /// Lines end with NUL.
    pub(crate) zero: bool,
    /// Where they go, if not to standard output.
    pub(crate) output: Option<&'a Path>,
}

impl Listing<'_> {
    pub(crate) fn run(mut self, settings: &Settings) -> Result<Verdict, Verdict> {
        let output = self.output.map_or_else(Output::standard, Output::file);
        let output = output.map_err(|stop| stop.say())?;
        self.walk.outputs = output.identities();
        if self.paths.is_empty() {
            self.paths.push(if self.recursive { "." } else { "-" }.into());
        }
        let jobs = Jobs::new(&self).map_err(|error| {
            say(error);
            Verdict::Usage
        })?;

        let progress = Progress::default();
        let mut writer = Writer {
            output,
            format: self.format,
            terminator: if self.zero { Terminator::Nul } else { Terminator::Newline },
            progress: &progress,
            failed: false,
            links: 0,
            stop: None,
        };
        let total = OnceLock::new();
        let share = |counters: &Counters| {
            let bytes = total.get_or_init(|| self.total_bytes()).get()?;
            (*bytes > 0).then(|| counters.bytes() as f64 / *bytes as f64)
        };
        progress.watch(share, || {
            hash(jobs, settings, &progress.counters, |item, result| writer.take(item, result));
        });
        Ok(writer.finish())
    }

    /// Finds out how many bytes there are to hash, beside the work. It ends with the process.
    fn total_bytes(&self) -> Arc<OnceLock<u64>> {
        let total = Arc::new(OnceLock::new());
        let (paths, options) = (self.paths.clone(), self.recursive.then(|| self.walk.clone()));
        let theirs = total.clone();
        // Without it there is no time left to show, and no other harm.
        let _ = thread::Builder::new().spawn(move || {
            let len = |path: &Path| fs::metadata(path).map_or(0, |metadata| metadata.len());
            let bytes = match options {
                Some(options) => {
                    let found = Walk::new(paths, &options).into_iter().flatten();
                    let lens = found.map(|found| match found {
                        Found::File(path) => len(&path),
                        _ => 0,
                    });
                    lens.sum()
                }
                None => paths.iter().map(|path| len(path)).sum(),
            };
            let _ = theirs.set(bytes);
        });
        total
    }
}

/// What is at a place of the order in which results are printed.
struct Item<'a> {
    place: Place,
    algorithms: &'a [Algorithm],
    watches: bool,
    key: Option<&'a HmacKey>,
}

enum Place {
    StandardInput,
    File(PathBuf),
    Link,
    Special(PathBuf),
    Output(PathBuf),
    Unreadable(Error),
}

impl Job for Item<'_> {
    fn input(&self) -> Input<'_> {
        match &self.place {
            Place::StandardInput => Input::StandardInput,
            Place::File(path) => Input::File(path),
            _ => Input::Nothing,
        }
    }

    fn algorithms(&self) -> &[Algorithm] {
        self.algorithms
    }

    fn watches(&self) -> bool {
        self.watches
    }

    fn key(&self) -> Option<&HmacKey> {
        self.key
    }
}

/// The files that the flags name, in order.
struct Jobs<'a> {
    paths: vec::IntoIter<PathBuf>,
    /// For folders, if they are to be walked.
    walk: Option<Walk>,
    algorithms: &'a [Algorithm],
    watches: bool,
    key: Option<&'a HmacKey>,
}

impl<'a> Jobs<'a> {
    fn new(listing: &Listing<'a>) -> Result<Self, GlobError> {
        let walk = listing.recursive.then(|| Walk::new([], &listing.walk)).transpose()?;
        let paths = listing.paths.clone().into_iter();
        let Listing { algorithms, watches, key, .. } = *listing;
        Ok(Self { paths, walk, algorithms, watches, key })
    }
}

impl<'a> Iterator for Jobs<'a> {
    type Item = Item<'a>;

    fn next(&mut self) -> Option<Item<'a>> {
        let place = loop {
            if let Some(found) = self.walk.as_mut().and_then(Walk::next) {
                break match found {
                    Found::File(path) => Place::File(path),
                    Found::Link(_) => Place::Link,
                    Found::Special(path) => Place::Special(path),
                    Found::Output(path) => Place::Output(path),
                    Found::Unreadable(error) => Place::Unreadable(error),
                };
            }
            let path = self.paths.next()?;
            match &mut self.walk {
                _ if path.as_os_str() == "-" => break Place::StandardInput,
                Some(walk) => walk.add(path),
                None => break Place::File(path),
            }
        };
        let Self { algorithms, watches, key, .. } = *self;
        Some(Item { place, algorithms, watches, key })
    }
}

/// Prints results.
struct Writer<'a> {
    output: Output,
    format: Format,
    terminator: Terminator,
    progress: &'a Progress,
    failed: bool,
    /// Symbolic links that were not followed.
    links: u64,
    stop: Option<Stop>,
}

impl Writer<'_> {
    fn take(&mut self, item: Item<'_>, result: Result<Digests, Error>) -> ControlFlow<()> {
        match (item.place, result) {
            (_, Err(error)) | (Place::Unreadable(error), _) => self.fail(&error),
            (Place::File(path), Ok(digests)) => {
                self.write(path.as_os_str().as_bytes(), item.algorithms, &digests);
            }
            (Place::StandardInput, Ok(digests)) => self.write(b"-", item.algorithms, &digests),
            (Place::Link, Ok(_)) => self.links += 1,
            (Place::Special(path), Ok(_)) => {
                self.note(format_args!(
                    "passing over {}, no regular file",
                    Shown(path.as_os_str())
                ));
            }
            (Place::Output(path), Ok(_)) if self.output.is_temporary(&path) => {}
            (Place::Output(path), Ok(_)) => {
                self.note(format_args!(
                    "passing over {}, the output goes there",
                    Shown(path.as_os_str())
                ));
            }
        }
        match self.output.write_if_due(self.progress) {
            Ok(()) => ControlFlow::Continue(()),
            Err(stop) => {
                self.stop = Some(stop);
                ControlFlow::Break(())
            }
        }
    }

    fn write(&mut self, name: &[u8], algorithms: &[Algorithm], digests: &Digests) {
        for (&algorithm, digest) in algorithms.iter().zip(digests.iter()) {
            let entry = Entry::new(algorithm, digest.as_bytes(), name)
                .expect("a file's name is not empty and holds no NUL");
            self.format.write(&entry, self.terminator, self.output.buffer());
        }
    }

    fn fail(&mut self, error: &Error) {
        let is_folder = error.kind() == std::io::ErrorKind::IsADirectory;
        let hint = if is_folder { "; -r hashes the files below it" } else { "" };
        self.failed = true;
        self.note(failure(error, hint));
    }

    fn note(&self, message: impl std::fmt::Display) {
        self.progress.aside(|| say(message));
    }

    fn finish(self) -> Verdict {
        if let Some(stop) = self.stop {
            return stop.say();
        }
        if let Err(stop) = self.output.finish() {
            return stop.say();
        }
        if self.links > 0 {
            let s = if self.links == 1 { "link was" } else { "links were" };
            say(format_args!("{} symbolic {s} not followed; -L follows them", self.links));
        }
        if self.failed { Verdict::Failed } else { Verdict::Well }
    }
}
