//! Hashing many files: order, limits, errors and panics.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Write;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, ThreadId};
use std::time::Duration;

use lanesum::{Algorithm, Policy};
use lanesum_files::{
    Checksum, Digests, Error, Foreign, ForeignHasher, Input, Job, Progress, Settings, hash,
};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use tempfile::TempDir;

const SHA1: Checksum = Checksum::Lanesum(Algorithm::SHA1);
const SHA224: Checksum = Checksum::Lanesum(Algorithm::SHA224);
const SHA256: Checksum = Checksum::Lanesum(Algorithm::SHA256);
const SHA512: Checksum = Checksum::Lanesum(Algorithm::SHA512);
const SHA512_256: Checksum = Checksum::Lanesum(Algorithm::SHA512_256);

struct Item {
    path: Option<PathBuf>,
    algorithms: Vec<Checksum>,
    number: usize,
}

impl Job for Item {
    fn input(&self) -> Input<'_> {
        self.path.as_deref().map_or(Input::Nothing, Input::File)
    }

    fn algorithms(&self) -> &[Checksum] {
        &self.algorithms
    }
}

fn settings(workers: Option<usize>) -> Settings {
    let workers = workers.and_then(NonZeroUsize::new);
    Settings { workers, ..Settings::new(Policy::automatic()) }
}

fn bytes(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i % 251) as u8 ^ (i / 251) as u8).collect()
}

fn is_right(algorithm: Checksum, digest: lanesum::Digest, message: &[u8]) -> bool {
    let expected = lanesum_spec::digest(algorithm.lanesum().unwrap(), message);
    digest.as_bytes() == &expected[..algorithm.digest_len()]
}

/// Creates `count` files of lengths from 0 to several buffers, in shuffled order.
fn files(folder: &Path, count: usize) -> Vec<(PathBuf, Vec<u8>)> {
    (0..count)
        .map(|i| {
            let len = match i % 97 {
                0 => 700_000 + i,
                1 => 65_536,
                _ => i * i % 30_011,
            };
            let path = folder.join(i.to_string());
            let message = bytes(len);
            fs::write(&path, &message).unwrap();
            (path, message)
        })
        .collect()
}

#[test]
fn results_are_in_order_with_every_requested_algorithm_despite_failures() {
    let folder = TempDir::new().unwrap();
    let files = files(folder.path(), 1000);
    let mixes = [vec![SHA256], vec![SHA1], vec![SHA512, SHA256, SHA512], vec![SHA256], vec![]];
    for workers in [None, Some(1), Some(2), Some(9)] {
        let jobs = files.iter().enumerate().map(|(number, (path, _))| {
            let path = match number % 11 {
                3 => Some(folder.path().join("missing")),
                4 => None,
                5 => Some(folder.path().to_owned()),
                _ => Some(path.clone()),
            };
            Item { path, algorithms: mixes[number % mixes.len()].clone(), number }
        });
        let progress = Progress::default();
        let mut next = 0;
        hash(jobs, &settings(workers), &progress, |item, result| {
            assert_eq!(item.number, next);
            match (next % 11, result) {
                (_, Ok(digests)) if item.algorithms.is_empty() => assert!(digests.is_empty()),
                (3 | 5, Err(_)) => {}
                (4, Ok(digests)) => assert!(digests.is_empty()),
                (_, result) => {
                    let digests = result.unwrap();
                    assert_eq!(digests.len(), item.algorithms.len());
                    for (&algorithm, &digest) in item.algorithms.iter().zip(digests.iter()) {
                        assert!(is_right(algorithm, digest, &files[next].1), "{algorithm} {next}");
                    }
                }
            }
            next += 1;
            ControlFlow::Continue(())
        });
        assert_eq!(next, files.len());
        let read: usize = files
            .iter()
            .enumerate()
            .filter(|(i, _)| !matches!(i % 11, 3..=5) && !mixes[i % mixes.len()].is_empty())
            .map(|(_, (_, message))| message.len())
            .sum();
        assert_eq!(progress.bytes(), read as u64, "each file is read once");
    }
}

#[test]
fn long_files_among_short_ones_are_distributed_and_reported_in_order() {
    const LONG: usize = 5 << 20;
    let folder = TempDir::new().unwrap();
    // The total length is large enough for prefetching of metadata.
    let files: Vec<_> = (0..60)
        .map(|i: usize| {
            let len = match i {
                7 | 8 | 20 | 57..60 => LONG + i,
                _ => 400_000 + i,
            };
            let path = folder.path().join(i.to_string());
            let message = bytes(len);
            fs::write(&path, &message).unwrap();
            (path, message)
        })
        .collect();
    let mixes = [vec![SHA256], vec![SHA1, SHA512]];
    for (workers, mix) in [(1, 0), (2, 0), (2, 1), (9, 0), (9, 1)] {
        let jobs = files.iter().enumerate().map(|(number, (path, _))| Item {
            path: Some(path.clone()),
            algorithms: mixes[mix].clone(),
            number,
        });
        let progress = Progress::default();
        let mut next = 0;
        hash(jobs, &settings(Some(workers)), &progress, |item, result| {
            assert_eq!(item.number, next);
            for (&algorithm, &digest) in item.algorithms.iter().zip(result.unwrap().iter()) {
                assert!(is_right(algorithm, digest, &files[next].1), "{algorithm} {next}");
            }
            next += 1;
            ControlFlow::Continue(())
        });
        assert_eq!(next, files.len());
        let total: usize = files.iter().map(|(_, message)| message.len()).sum();
        assert_eq!(progress.bytes(), total as u64, "a file that is opened twice counts once");
    }
}

/// Published digests of `abc` and of the empty message: RFC 7693, FIPS 202 and BLAKE3's test
/// vectors.
const OF_ABC: [(Foreign, &str); 6] = [
    (
        Foreign::Blake2b,
        "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1\
         7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923",
    ),
    (Foreign::Blake3, "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85"),
    (Foreign::Sha3_224, "e642824c3f8cf24ad09234ee7d3c766fc9a3a5168d0c94ad73b46fdf"),
    (Foreign::Sha3_256, "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"),
    (
        Foreign::Sha3_384,
        "ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c2596da7cf0e49be4b2\
         98d88cea927ac7f539f1edf228376d25",
    ),
    (
        Foreign::Sha3_512,
        "b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e\
         10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0",
    ),
];

#[test]
fn foreign_algorithms_match_published_digests() {
    assert_eq!(OF_ABC.map(|(foreign, _)| foreign), Foreign::ALL);
    for (foreign, of_abc) in OF_ABC {
        let mut hasher = ForeignHasher::new(foreign);
        let empty = hasher.finish();
        assert_eq!(empty.as_bytes(), Checksum::Foreign(foreign).empty_digest(), "{foreign:?}");
        hasher.update(b"a");
        hasher.update(b"bc");
        assert_eq!(hasher.finish().to_string(), of_abc, "{foreign:?}");
    }
}

#[test]
fn foreign_algorithms_mix_with_ours() {
    let folder = TempDir::new().unwrap();
    let mut algorithms: Vec<_> = Foreign::ALL.map(Checksum::Foreign).to_vec();
    algorithms.splice(1..1, [SHA256, SHA1]);
    algorithms.push(SHA512);
    let one = vec![Checksum::Foreign(Foreign::Blake3)];
    // Files that are read at once, in several reads, and as long files.
    let files: Vec<_> = [0, 3, 65_536, 65_537, 900_000, (9 << 20) + 1]
        .into_iter()
        .map(|len: usize| {
            let path = folder.path().join(len.to_string());
            let message = bytes(len);
            fs::write(&path, &message).unwrap();
            (path, message)
        })
        .collect();
    for workers in [Some(1), Some(3)] {
        let jobs = files.iter().cycle().take(2 * files.len()).enumerate().map(|(number, file)| {
            let algorithms = if number < files.len() { &one } else { &algorithms };
            Item { path: Some(file.0.clone()), algorithms: algorithms.clone(), number }
        });
        let mut next = 0;
        hash(jobs, &settings(workers), &Progress::default(), |item, result| {
            assert_eq!(item.number, next);
            let message = &files[next % files.len()].1;
            let digests = result.unwrap();
            assert_eq!(digests.len(), item.algorithms.len());
            for (&algorithm, &digest) in item.algorithms.iter().zip(digests.iter()) {
                match algorithm {
                    Checksum::Lanesum(_) => assert!(is_right(algorithm, digest, message)),
                    Checksum::Foreign(foreign) => {
                        let mut hasher = ForeignHasher::new(foreign);
                        hasher.update(message);
                        assert_eq!(digest, hasher.finish(), "{algorithm}");
                    }
                }
            }
            next += 1;
            ControlFlow::Continue(())
        });
        assert_eq!(next, 2 * files.len());
    }
}

#[test]
fn a_long_file_is_hashed_with_several_algorithms() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("long");
    let message = bytes((9 << 20) + 4321);
    fs::write(&path, &message).unwrap();
    let mixes: [&[Checksum]; 3] =
        [&[SHA1, SHA256], &[SHA512, SHA1, SHA256, SHA512_256], &[SHA224; 7]];
    // With one worker, no core is idle.
    for workers in [Some(1), Some(5)] {
        for algorithms in mixes {
            let item =
                Item { path: Some(path.clone()), algorithms: algorithms.to_vec(), number: 0 };
            let progress = Progress::default();
            let mut found = Vec::new();
            hash([item].into_iter(), &settings(workers), &progress, |_, result| {
                found.extend(result.unwrap().iter().copied());
                ControlFlow::Continue(())
            });
            assert_eq!(found.len(), algorithms.len());
            for (&algorithm, digest) in algorithms.iter().zip(found) {
                assert!(is_right(algorithm, digest, &message), "{algorithm}");
            }
            assert_eq!(progress.bytes(), message.len() as u64);
        }
    }
}

#[test]
fn results_behind_a_slow_file_are_limited_and_in_order() {
    const COUNT: usize = 200_000;
    let folder = TempDir::new().unwrap();
    let slow = folder.path().join("slow");
    mknodat(CWD, &slow, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
    let quick = folder.path().join("quick");
    fs::write(&quick, "abc").unwrap();

    let pulled = AtomicUsize::new(0);
    let jobs = (0..COUNT).map(|number| {
        pulled.fetch_add(1, Ordering::Relaxed);
        let path = Some(if number == 0 { slow.clone() } else { quick.clone() });
        Item { path, algorithms: vec![SHA256], number }
    });
    let mut next = 0;
    thread::scope(|scope| {
        let run = scope.spawn(|| {
            hash(jobs, &settings(Some(3)), &Progress::default(), |item, result| {
                assert_eq!(item.number, next);
                let message: &[u8] = if next == 0 { b"slow" } else { b"abc" };
                assert!(is_right(SHA256, result.unwrap()[0], message));
                next += 1;
                ControlFlow::Continue(())
            });
        });
        // Returns once the reader has opened the FIFO and waits.
        let mut pipe = File::options().write(true).open(&slow).unwrap();
        let mut seen = 0;
        let capped = loop {
            thread::sleep(Duration::from_millis(300));
            let now = pulled.load(Ordering::Relaxed);
            if now == seen {
                break now;
            }
            seen = now;
        };
        assert!((1000..70_000).contains(&capped), "{capped} jobs begun behind a slow one");
        pipe.write_all(b"slow").unwrap();
        drop(pipe);
        run.join().unwrap();
    });
    assert_eq!(next, COUNT);
}

#[test]
fn the_total_is_known_when_all_files_are_found_and_counts_only_files_to_read() {
    let folder = TempDir::new().unwrap();
    let files = files(folder.path(), 100);
    let total: u64 = files.iter().map(|(_, message)| message.len() as u64).sum();
    for workers in [1, 2] {
        let progress = Progress::default().counting_total();
        let paths = files.iter().map(|(path, _)| path.clone()).inspect(|_| {
            assert_eq!(progress.total(), None);
        });
        // Neither has bytes to read.
        let others = [folder.path().to_owned(), folder.path().join("missing")];
        let items = paths.chain(others).zip(0..);
        let jobs =
            items.map(|(path, number)| Item { path: Some(path), algorithms: vec![SHA256], number });
        hash(jobs, &settings(Some(workers)), &progress, |_, _| {
            assert_eq!(progress.total(), Some(total));
            ControlFlow::Continue(())
        });
        assert_eq!((progress.total(), progress.bytes()), (Some(total), total));
    }
    let progress = Progress::default();
    let jobs = [Item { path: Some(files[0].0.clone()), algorithms: vec![SHA256], number: 0 }];
    hash(jobs.into_iter(), &settings(None), &progress, |_, _| ControlFlow::Continue(()));
    assert_eq!(progress.total(), None, "not requested");
}

#[test]
fn a_sink_that_returns_break_is_not_called_again() {
    let folder = TempDir::new().unwrap();
    let quick = folder.path().join("quick");
    fs::write(&quick, "abc").unwrap();
    let jobs =
        (0..).map(|number| Item { path: Some(quick.clone()), algorithms: vec![SHA1], number });
    let mut taken = 0;
    hash(jobs, &settings(Some(2)), &Progress::default(), |_, _: Result<Digests, Error>| {
        taken += 1;
        if taken == 1000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!(taken, 1000);
}

#[test]
fn a_panic_of_the_sink_or_the_source_propagates_and_leaves_no_thread_waiting() {
    let folder = TempDir::new().unwrap();
    let quick = folder.path().join("quick");
    fs::write(&quick, "abc").unwrap();
    for (in_source, in_sink) in [(500, usize::MAX), (usize::MAX, 500)] {
        let jobs = (0..100_000).map(|number| {
            assert!(number != in_source, "on purpose");
            Item { path: Some(quick.clone()), algorithms: vec![SHA1], number }
        });
        let ended = catch_unwind(AssertUnwindSafe(|| {
            hash(jobs, &settings(Some(3)), &Progress::default(), |item, _| {
                assert!(item.number != in_sink, "on purpose");
                ControlFlow::Continue(())
            });
        }));
        assert!(ended.is_err());
    }
}

/// Records the threads that query its algorithms.
struct Seen<'t> {
    item: Item,
    threads: &'t Mutex<HashSet<ThreadId>>,
}

impl Job for Seen<'_> {
    fn input(&self) -> Input<'_> {
        self.item.input()
    }

    fn algorithms(&self) -> &[Checksum] {
        self.threads.lock().unwrap().insert(thread::current().id());
        self.item.algorithms()
    }
}

#[test]
fn a_single_file_starts_no_thread_among_jobs_without_a_file() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, bytes(1000)).unwrap();
    for (before, after) in [(0, 0), (0, 1), (1, 0), (3, 3), (100, 100)] {
        let threads = Mutex::new(HashSet::new());
        let jobs = (0..before + 1 + after).map(|number| {
            let path = (number == before).then(|| path.clone());
            let algorithms = path.iter().map(|_| Algorithm::SHA256.into()).collect();
            Seen { item: Item { path, algorithms, number }, threads: &threads }
        });
        let mut numbers = Vec::new();
        hash(jobs, &settings(Some(4)), &Progress::default(), |job, result| {
            numbers.push(job.item.number);
            let digests = result.unwrap();
            assert_eq!(digests.len(), usize::from(job.item.path.is_some()));
            assert!(digests.iter().all(|&d| is_right(Algorithm::SHA256.into(), d, &bytes(1000))));
            ControlFlow::Continue(())
        });
        assert!(numbers.into_iter().eq(0..before + 1 + after));
        let threads = threads.into_inner().unwrap();
        assert!(threads.into_iter().eq([thread::current().id()]), "{before} before, {after} after");
    }
}
