//! `lanesum sum`: digests of files, as a manifest.

use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::{fs, thread, vec};

use lanesum::{Algorithm, HmacKey};
use lanesum_files::{
    Digests, Error, Found, GlobError, Input, Job, Options, Progress as Counters, Walk, hash,
};
use lanesum_manifest::{Entry, Format, Terminator};

use crate::args::Sum;
use crate::output::{Output, Stop};
use crate::progress::Progress;
use crate::say::{Shown, failure, say};
use crate::{Verdict, settings};

pub(crate) fn run(args: &Sum) -> Verdict {
    try_run(args, None).unwrap_or_else(|verdict| verdict)
}

/// The same with HMACs under a key in the place of digests.
pub(crate) fn run_keyed(args: &Sum, key: &HmacKey) -> Verdict {
    try_run(args, Some(key)).unwrap_or_else(|verdict| verdict)
}

fn try_run(args: &Sum, key: Option<&HmacKey>) -> Result<Verdict, Verdict> {
    let settings = settings(&args.jobs, &args.algorithms)?;
    let format = format(args)?;
    let output = match &args.output {
        Some(path) => Output::file(path),
        None => Output::standard(),
    };
    let output = output.map_err(|stop| stop.say())?;
    let options = Options {
        follow: args.follow,
        one_file_system: args.one_file_system,
        max_depth: args.max_depth,
        globs: args.globs.clone(),
        outputs: output.identities(),
    };
    let jobs = Jobs::new(args, key, &options).map_err(|error| {
        say(error);
        Verdict::Usage
    })?;

    let progress = Progress::default();
    let mut writer = Writer {
        output,
        format,
        terminator: if args.zero { Terminator::Nul } else { Terminator::Newline },
        progress: &progress,
        failed: false,
        links: 0,
        stop: None,
    };
    let total = OnceLock::new();
    let share = |counters: &Counters| {
        let bytes = total.get_or_init(|| total_bytes(args, options.clone())).get()?;
        (*bytes > 0).then(|| counters.bytes() as f64 / *bytes as f64)
    };
    progress.watch(share, || {
        hash(jobs, &settings, &progress.counters, |item, result| writer.take(item, result));
    });
    Ok(writer.finish())
}

/// The format asked for, if it can say all that is to be said.
fn format(args: &Sum) -> Result<Format, Verdict> {
    let named = |name| Format::from_name(name).expect("a format of the table");
    let several = args.algorithms.len() > 1;
    match args.format {
        Some(format) if several && !format.names_algorithm() => {
            say(format_args!(
                "lines of format {} do not say their algorithm, and there are several: use bsd or json",
                format.name()
            ));
            Err(Verdict::Usage)
        }
        Some(format) => Ok(format),
        None => Ok(named(if args.tag || several { "bsd" } else { "gnu" })),
    }
}

/// What is at a place of the order in which results are printed.
struct Item<'a> {
    place: Place,
    algorithms: &'a [Algorithm],
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
    key: Option<&'a HmacKey>,
}

impl<'a> Jobs<'a> {
    fn new(args: &'a Sum, key: Option<&'a HmacKey>, options: &Options) -> Result<Self, GlobError> {
        let mut paths = args.paths.clone();
        if paths.is_empty() {
            paths.push(if args.recursive { "." } else { "-" }.into());
        }
        let walk = args.recursive.then(|| Walk::new([], options)).transpose()?;
        Ok(Self { paths: paths.into_iter(), walk, algorithms: &args.algorithms, key })
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
        Some(Item { place, algorithms: self.algorithms, key: self.key })
    }
}

/// Finds out how many bytes there are to hash, beside the work. It ends with the process.
fn total_bytes(args: &Sum, options: Options) -> Arc<OnceLock<u64>> {
    let total = Arc::new(OnceLock::new());
    let (paths, recursive) = (args.paths.clone(), args.recursive);
    let theirs = total.clone();
    // Without it there is no time left to show, and no other harm.
    let _ = thread::Builder::new().spawn(move || {
        let len = |path: &Path| fs::metadata(path).map_or(0, |metadata| metadata.len());
        let bytes = if recursive {
            let paths = if paths.is_empty() { vec![".".into()] } else { paths };
            let found = Walk::new(paths, &options).into_iter().flatten();
            let lens = found.map(|found| match found {
                Found::File(path) => len(&path),
                _ => 0,
            });
            lens.sum()
        } else {
            paths.iter().map(|path| len(path)).sum()
        };
        let _ = theirs.set(bytes);
    });
    total
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
            (Place::Output(path), Ok(_)) => {
                self.note(format_args!(
                    "passing over {}, the output goes there",
                    Shown(path.as_os_str())
                ));
            }
        }
        match self.output.advance(self.progress) {
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
