//! Reads a long file ahead on a separate thread while another thread hashes it.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::{self, JoinHandle};

use crate::buffer::{Buffer, retry};

/// Maximum number of runs read but not yet consumed: enough that neither side stalls, few enough to
/// fit in the L2 cache.
const MAX_RUNS: usize = 2;

/// Reads a file ahead on a separate thread.
pub(crate) struct ReadAhead {
    full: Receiver<(Box<[u8]>, io::Result<usize>)>,
    empty: Sender<Box<[u8]>>,
    thread: JoinHandle<Arc<File>>,
}

impl ReadAhead {
    /// Starts reading the rest of `file` in runs of `run_len` bytes. Returns `file` as an error if
    /// no thread can be started.
    pub(crate) fn start(file: Arc<File>, run_len: usize) -> Result<Self, Arc<File>> {
        let (fill, full) = sync_channel(MAX_RUNS);
        let (empty, drained) = channel();
        for _ in 0..MAX_RUNS {
            // Cannot fail: the receiver is in scope.
            let _ = empty.send(vec![0; run_len].into_boxed_slice());
        }
        // If the thread cannot be started, `spawn` drops the closure and its clone.
        let other = file.clone();
        match thread::Builder::new().spawn(move || run(other, &drained, &fill)) {
            Ok(thread) => Ok(Self { full, empty, thread }),
            Err(_) => Err(file),
        }
    }

    /// Replaces the contents of `buffer` with the next run and returns its length, 0 at end of
    /// file.
    pub(crate) fn next(&mut self, buffer: &mut Buffer) -> io::Result<usize> {
        // The thread ends only after an empty run or an error, and no caller reads past either.
        let (bytes, len) = self.full.recv().map_err(|_| io::ErrorKind::UnexpectedEof)?;
        let _ = self.empty.send(buffer.replace(bytes));
        len
    }

    /// Stops reading ahead and returns the file.
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
    // Either channel may be closed: then no reader waits for more.
    while let Ok(mut bytes) = drained.recv() {
        let len = retry(|| (&*file).read(&mut bytes));
        let ended = !matches!(len, Ok(1..));
        if fill.send((bytes, len)).is_err() || ended {
            break;
        }
    }
    file
}
