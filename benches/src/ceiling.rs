//! The ceiling: open, read and close every file, and nothing else.
//!
//! No program that reads whole files needs fewer calls: directories are read
//! through their descriptors, files are opened relative to them, and a short read
//! is the end of a file.

use std::collections::VecDeque;
use std::ffi::CString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};

use anyhow::{Context, Result};
use rustix::fd::OwnedFd;
use rustix::fs::{CWD, Dir, FileType, Mode, OFlags, openat};
use rustix::path::Arg;

/// The files to read, and the method.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Threads
    #[arg(short = 'j', long, default_value_t = 1)]
    threads: usize,
    /// Bytes per read
    #[arg(long, default_value_t = 256 << 10)]
    buffer: usize,
    /// Files, and directories to read recursively
    #[arg(required = true)]
    paths: Vec<PathBuf>,
}

/// The number of files of a directory that a thread takes at once.
const BATCH: usize = 16;

enum Work {
    Folder(Arc<OwnedFd>, CString),
    Files(Arc<OwnedFd>, Vec<CString>),
}

/// The pending work, newest first, and the number of busy threads.
struct Queue {
    state: Mutex<(VecDeque<Work>, usize)>,
    changed: Condvar,
}

impl Queue {
    fn push(&self, work: Work) {
        self.state.lock().unwrap().0.push_back(work);
        self.changed.notify_one();
    }

    /// The next piece of work; `None` if all work is done and no busy thread can add more.
    fn next(&self, was_at_work: bool) -> Option<Work> {
        let mut state = self.state.lock().unwrap();
        state.1 -= usize::from(was_at_work);
        loop {
            if let Some(work) = state.0.pop_back() {
                state.1 += 1;
                return Some(work);
            }
            if state.1 == 0 {
                self.changed.notify_all();
                return None;
            }
            state = self.changed.wait(state).unwrap();
        }
    }
}

#[derive(Default)]
struct Read {
    files: AtomicU64,
    bytes: AtomicU64,
}

pub(crate) fn main(arguments: &Arguments) -> Result<()> {
    let queue = Queue { state: Mutex::default(), changed: Condvar::new() };
    let here = Arc::new(openat(CWD, ".", OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?);
    for path in &arguments.paths {
        let is_folder =
            path.metadata().with_context(|| format!("cannot read {}", path.display()))?.is_dir();
        let name = path.as_os_str().into_c_str()?.into_owned();
        queue.push(if is_folder {
            Work::Folder(here.clone(), name)
        } else {
            Work::Files(here.clone(), vec![name])
        });
    }

    let read = Read::default();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..arguments.threads.max(1))
            .map(|_| scope.spawn(|| work(&queue, &read, arguments.buffer)))
            .collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no thread panics"))
    })?;
    println!("{} files, {} bytes", read.files.into_inner(), read.bytes.into_inner());
    Ok(())
}

fn work(queue: &Queue, read: &Read, buffer_len: usize) -> Result<()> {
    let mut buffer = vec![0; buffer_len];
    let (mut files, mut bytes) = (0, 0);
    let mut at_work = false;
    let mut result = Ok(());
    while let Some(work) = queue.next(at_work) {
        at_work = true;
        if result.is_err() {
            continue; // the others wait for the queue to be empty
        }
        result = match work {
            Work::Folder(parent, name) => open_folder(queue, &parent, &name)
                .with_context(|| format!("cannot read directory {}", name.to_string_lossy())),
            Work::Files(folder, names) => names.iter().try_for_each(|name| {
                files += 1;
                bytes += read_file(&folder, name, &mut buffer)
                    .with_context(|| format!("cannot read {}", name.to_string_lossy()))?;
                Ok(())
            }),
        };
    }
    read.files.fetch_add(files, Ordering::Relaxed);
    read.bytes.fetch_add(bytes, Ordering::Relaxed);
    result
}

fn open_folder(queue: &Queue, parent: &OwnedFd, name: &CString) -> Result<()> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let folder = Arc::new(openat(parent, name, flags, Mode::empty())?);
    let mut files = Vec::new();
    for entry in Dir::read_from(&folder)? {
        let entry = entry?;
        let name = entry.file_name().to_owned();
        match entry.file_type() {
            FileType::Directory if name.as_bytes() != b"." && name.as_bytes() != b".." => {
                queue.push(Work::Folder(folder.clone(), name));
            }
            FileType::RegularFile => {
                files.push(name);
                if files.len() == BATCH {
                    queue.push(Work::Files(folder.clone(), std::mem::take(&mut files)));
                }
            }
            _ => {}
        }
    }
    if !files.is_empty() {
        queue.push(Work::Files(folder, files));
    }
    Ok(())
}

fn read_file(folder: &OwnedFd, name: &CString, buffer: &mut [u8]) -> Result<u64> {
    let file = openat(folder, name, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
    let mut bytes = 0;
    loop {
        let len = rustix::io::read(&file, &mut *buffer)?;
        bytes += len as u64;
        if len < buffer.len() {
            return Ok(bytes);
        }
    }
}
