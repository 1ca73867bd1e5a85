//! How the length of reads bears on the time that one long file takes: the curve by which the
//! length is chosen. `cargo run --release --example buffers -p lanesum-files -- FILE [RUNS]`
//! prints a table; a file on tmpfs leaves the disk out of it.

use std::env;
use std::error::Error;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use lanesum::{Algorithm, Policy};
use lanesum_files::{Checksum, Input, Job, Progress, Settings, hash_by_buffers};

struct Long(PathBuf, [Checksum; 1]);

impl Job for Long {
    fn input(&self) -> Input<'_> {
        Input::File(&self.0)
    }

    fn algorithms(&self) -> &[Checksum] {
        &self.1
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args_os().skip(1);
    let path = PathBuf::from(arguments.next().ok_or("which file?")?);
    let runs = arguments.next().and_then(|n| n.to_str()?.parse().ok()).unwrap_or(5);
    println!("algorithm,threads,buffer_bytes,seconds_min,seconds_median");
    for algorithm in [Algorithm::SHA1, Algorithm::SHA256] {
        // With one thread, and with another that reads ahead.
        for threads in [1, 2] {
            // Round robin, so that a disturbance does not affect only one length.
            let lengths: Vec<usize> = (12..=22).map(|bits| 1 << bits).collect();
            let mut seconds = vec![Vec::new(); lengths.len()];
            for _ in 0..runs {
                for (length, seconds) in lengths.iter().zip(&mut seconds) {
                    seconds.push(time(&path, algorithm, threads, *length)?);
                }
            }
            for (length, mut seconds) in lengths.into_iter().zip(seconds) {
                seconds.sort_by(f64::total_cmp);
                let (least, median) = (seconds[0], seconds[seconds.len() / 2]);
                println!("{algorithm},{threads},{length},{least:.4},{median:.4}");
            }
        }
    }
    Ok(())
}

fn time(
    path: &Path,
    algorithm: Algorithm,
    threads: usize,
    buffer_len: usize,
) -> Result<f64, Box<dyn Error>> {
    let settings =
        Settings { workers: NonZeroUsize::new(threads), ..Settings::new(Policy::automatic()) };
    let mut failed = None;
    let start = Instant::now();
    let jobs = [Long(path.to_owned(), [algorithm.into()])].into_iter();
    hash_by_buffers(buffer_len, jobs, &settings, &Progress::default(), |_, digests| {
        failed = digests.err();
        ControlFlow::Continue(())
    });
    let seconds = start.elapsed().as_secs_f64();
    failed.map_or(Ok(seconds), |error| Err(error.into()))
}
