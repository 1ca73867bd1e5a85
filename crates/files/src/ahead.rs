//! A thread that reads a long file ahead, while another thread hashes it.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::{self, JoinHandle};

use crate::buffer::{Buffer, retry};

/// Runs that have been read and not yet taken, at most: enough that neither side waits
/// for the other, few enough to stay in a second-level cache.
const RUNS: usize = 2;

/// A file that a thread reads ahead.
pub(crate) struct Ahead {
    full: Receiver<(Box<[u8]>, io::Result<usize>)>,
    empty: Sender<Box<[u8]>>,
    thread: JoinHandle<Arc<File>>,
}

impl Ahead {
    /// Starts to read the rest of the file, in runs of so many bytes, or hands it back when there
    /// is no thread to be had.
    pub(crate) fn start(file: Arc<File>, run_len: usize) -> Result<Self, Arc<File>> {
        let (fill, full) = sync_channel(RUNS);
        let (empty, drained) = channel();
        for _ in 0..RUNS {
            // Not fallible: the receiver is right here.
            let _ = empty.send(vec![0; run_len].into_boxed_slice());
        }
        // A thread that could not be started drops what it was given.
        let other = file.clone();
        match thread::Builder::new().spawn(move || run(other, &drained, &fill)) {
            Ok(thread) => Ok(Self { full, empty, thread }),
            Err(_) => Err(file),
        }
    }

    /// Puts the next run in place of the buffer's bytes, and returns its length: 0 at the end.
    pub(crate) fn next(&mut self, buffer: &mut Buffer) -> io::Result<usize> {
        // The thread ends only after an empty run or an error, neither of which is asked beyond.
        let (bytes, len) = self.full.recv().map_err(|_| io::ErrorKind::UnexpectedEof)?;
        let _ = self.empty.send(buffer.replace(bytes));
        len
    }

    /// The file, when it has been read to its end.
    pub(crate) fn finish(self) -> Arc<File> {
        drop(self.empty);
        drop(self.full);
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

fn run(
    file: Arc<File>,
    drained: &Receiver<Box<[u8]>>,
    fill: &SyncSender<(Box<[u8]>, io::Result<usize>)>,
) -> Arc<File> {
    // Either end may be gone: then nobody waits for more.
    while let Ok(mut bytes) = drained.recv() {
        let len = retry(|| (&*file).read(&mut bytes));
        let ended = !matches!(len, Ok(1..));
        if fill.send((bytes, len)).is_err() || ended {
            break;
        }
    }
    file
}
