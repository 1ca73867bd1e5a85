//! Verifies a repository.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io, thread};

use lanesum::Digest;

use crate::checksums::{Checksummed, of_file};
use crate::file::read_whole;
use crate::pack::{self, End};
use crate::report::{Class, Counts, Fault, Finding, Found};
use crate::repository::Repository;
use crate::run::{Options, Run};
use crate::{lfs, loose};

/// Maximum number of times that a directory is listed because a pack or an object has vanished.
const MAX_LISTINGS: usize = 8;

/// Time to wait for the other file of a pair if a pack lacks its index, or an index its pack,
/// because git may be adding or removing them.
const PAIR_WAIT: Duration = Duration::from_millis(500);

/// Memory of all decoded objects, in bytes, above which bases are dropped and decoded again when
/// needed.
const MAX_LIVE_BYTES: usize = 256 << 20;

/// A multi-pack-index.
const MULTI_PACK_INDEX: Checksummed = Checksummed {
    signature: b"MIDX",
    hash_at: Some((5, 1)),
    remedy: "rebuild it with 'git multi-pack-index write'",
};

/// A commit-graph, or a file of a chain of them.
const COMMIT_GRAPH: Checksummed = Checksummed {
    signature: b"CGPH",
    hash_at: Some((5, 1)),
    remedy: "rebuild it with 'git commit-graph write --reachable'",
};

/// A reachability bitmap.
const BITMAP: Checksummed =
    Checksummed { signature: b"BITM", hash_at: None, remedy: "rebuild it with 'git repack -adb'" };

/// The modification times of a cruft pack's objects.
const MTIMES: Checksummed = Checksummed {
    signature: b"MTME",
    hash_at: Some((8, 4)),
    remedy: "rebuild it with 'git repack --cruft -d'",
};

/// The reverse index of a multi-pack-index.
const MULTI_PACK_REVERSE_INDEX: Checksummed = Checksummed {
    signature: b"RIDX",
    hash_at: Some((8, 4)),
    remedy: "rebuild it with 'git multi-pack-index write --bitmap'",
};

/// Verifies every object and checksum of a repository. Passes findings to `sink`, from any thread and in any order,
/// until it breaks.
///
/// # Panics
///
/// If the policy has no kernel for the hash function of the repository, or for SHA-256.
pub fn check(
    repository: &Repository,
    options: &Options<'_>,
    sink: &(dyn Fn(Finding) -> ControlFlow<()> + Sync),
) -> Counts {
    check_within(MAX_LIVE_BYTES, repository, options, sink)
}

/// Like [`check`], but drops bases while all decoded objects exceed `max_live_bytes`, for tests.
#[doc(hidden)]
pub fn check_within(
    max_live_bytes: usize,
    repository: &Repository,
    options: &Options<'_>,
    sink: &(dyn Fn(Finding) -> ControlFlow<()> + Sync),
) -> Counts {
    let run = Run::new(repository.hash, *options, max_live_bytes, sink);
    for (path, fault) in &repository.faults {
        run.file(path, Err(fault.clone()));
    }
    for objects in &repository.objects {
        verify_objects(&run, objects);
    }
    lfs::verify(&run, &repository.common);
    run.counts()
}

/// The objects and packs of a directory that have been verified.
#[derive(Default)]
struct Done {
    loose: HashSet<Digest>,
    packs: HashSet<OsString>,
}

/// Verifies a directory of objects.
fn verify_objects(run: &Run<'_>, objects: &Path) {
    let mut done = Done::default();
    verify_listed(run, objects, &mut done);
    let mut missing = verify_derived(run, objects);
    missing.retain(|path| is_missing(path));
    if missing.is_empty() || run.is_stopped() {
        return;
    }
    // Git adds an index after its pack. Some versions remove the index first, others the pack.
    thread::sleep(PAIR_WAIT);
    verify_listed(run, objects, &mut done);
    missing.retain(|path| is_missing(path));
    for path in missing {
        let reason = match has_extension(path.as_os_str(), "pack") {
            true => "the pack of this index is missing; restore it from a backup",
            false => "the index of this pack is missing; run 'git index-pack' on the pack",
        };
        run.file(&path, Err(Fault { class: Class::Missing, reason: reason.into() }));
    }
}

/// Whether `path` does not exist, but the other file of the pair of a pack and its index does.
fn is_missing(path: &Path) -> bool {
    let other = if has_extension(path.as_os_str(), "pack") { "idx" } else { "pack" };
    !path.exists() && path.with_extension(other).is_file()
}

/// Verifies the objects and packs that are not in `done`. Repeats it if objects moved to a new pack meanwhile.
fn verify_listed(run: &Run<'_>, objects: &Path, done: &mut Done) {
    for _ in 0..MAX_LISTINGS {
        // Objects move from files to packs: in this order none is missed.
        let mut has_vanished = loose::verify(run, objects, &mut done.loose);
        has_vanished |= verify_packs(run, &objects.join("pack"), &mut done.packs);
        if !has_vanished || run.is_stopped() {
            break;
        }
    }
}

/// Returns the names in a directory, sorted; none if it does not exist.
fn names(run: &Run<'_>, directory: &Path) -> Vec<OsString> {
    let listed = fs::read_dir(directory)
        .and_then(|entries| entries.map(|entry| Ok(entry?.file_name())).collect());
    match listed {
        Ok(names) => {
            let mut names: Vec<OsString> = names;
            names.sort();
            names
        }
        Err(error) => {
            if error.kind() != io::ErrorKind::NotFound {
                run.file(directory, Err(error.into()));
            }
            Vec::new()
        }
    }
}

fn has_extension(name: &OsStr, extension: &str) -> bool {
    Path::new(name).extension() == Some(OsStr::new(extension))
}

/// Verifies the packs that are not in `done`. Returns whether another program removed one.
fn verify_packs(run: &Run<'_>, directory: &Path, done: &mut HashSet<OsString>) -> bool {
    let mut has_vanished = false;
    for name in names(run, directory) {
        if run.is_stopped() {
            break;
        }
        if !has_extension(&name, "idx") || !done.insert(name.clone()) {
            continue;
        }
        match pack::verify(run, &directory.join(&name)) {
            End::Verified => {}
            End::Vanished => {
                has_vanished = true;
                let mut counts = Counts::default();
                counts.find(Found::Vanished, 1);
                run.add(&counts);
            }
            End::Unpaired => _ = done.remove(&name),
        }
    }
    has_vanished
}

/// Verifies the files that are derived from packs and commits. Returns the indexes of all packs, and the packs of all
/// indexes.
fn verify_derived(run: &Run<'_>, objects: &Path) -> Vec<PathBuf> {
    let packs = objects.join("pack");
    let verify = |path: PathBuf, kind: &Checksummed| {
        if !run.is_stopped()
            && let Some(result) = of_file(run, &path, kind)
        {
            run.file(&path, result);
        }
    };
    let mut pairs = Vec::new();
    for name in names(run, &packs) {
        let path = packs.join(&name);
        let is_of_several = name.as_encoded_bytes().starts_with(b"multi-pack-index");
        if name == "multi-pack-index" {
            verify(path, &MULTI_PACK_INDEX);
        } else if has_extension(&name, "bitmap") {
            verify(path, &BITMAP);
        } else if has_extension(&name, "mtimes") {
            verify(path, &MTIMES);
        } else if has_extension(&name, "rev") && is_of_several {
            verify(path, &MULTI_PACK_REVERSE_INDEX);
        } else if has_extension(&name, "pack") && !is_temporary(&name) {
            pairs.push(path.with_extension("idx"));
        } else if has_extension(&name, "idx") {
            pairs.push(path.with_extension("pack"));
        }
    }
    let incremental = packs.join("multi-pack-index.d");
    for name in names(run, &incremental) {
        if has_extension(&name, "midx") {
            verify(incremental.join(name), &MULTI_PACK_INDEX);
        }
    }
    verify(objects.join("info/commit-graph"), &COMMIT_GRAPH);
    let graphs = objects.join("info/commit-graphs");
    for name in names(run, &graphs) {
        if has_extension(&name, "graph") {
            verify(graphs.join(name), &COMMIT_GRAPH);
        }
    }
    verify_chain(run, &graphs);
    pairs
}

fn is_temporary(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b"tmp_") || name.as_encoded_bytes().starts_with(b".tmp-")
}

/// Checks that the commit-graphs of a chain exist.
fn verify_chain(run: &Run<'_>, graphs: &Path) {
    let chain = graphs.join("commit-graph-chain");
    let text = match read_whole(&run.meter, &chain) {
        Ok(text) => String::from_utf8_lossy(&text).into_owned(),
        Err(error) => {
            if error.kind() != io::ErrorKind::NotFound {
                run.file(&chain, Err(error.into()));
            }
            return;
        }
    };
    for line in text.lines() {
        let graph = graphs.join(format!("graph-{line}.graph"));
        if !graph.exists() {
            let reason = format!("the chain lists it; {}", COMMIT_GRAPH.remedy);
            run.file(&graph, Err(Fault { class: Class::Missing, reason }));
        }
    }
}
