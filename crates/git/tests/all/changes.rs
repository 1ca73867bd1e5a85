//! Other programs change the repository meanwhile.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use std::{fs, path::PathBuf};

use lanesum_git::Found;

use crate::common::{Folder, checked_by};

/// No object is missed or reported because git moves it to another pack.
#[test]
fn a_repository_is_repacked_meanwhile() {
    let folder = Folder::new();
    folder.repository("r", "sha1", 3);
    let listed = |folder: &Folder| {
        let all = folder.git("r", "cat-file --batch-all-objects --batch-check=%(objectname)");
        all.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let ids = listed(&folder);
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            for commit in 10..40 {
                folder.write("r/d/1", crate::common::text(1, commit));
                folder.git("r", "add -A");
                folder.git("r", &format!("commit -q -m {commit}"));
                // The new objects require another pack each time.
                folder.git("r", "repack -q -a -d");
            }
            is_done.store(true, Ordering::Relaxed);
        });
        let mut runs = 0;
        while !is_done.load(Ordering::Relaxed) || runs == 0 {
            let found = checked_by(&folder.at("r"), 2, usize::MAX);
            found.is_well();
            for id in &ids {
                found.of(id);
            }
            runs += 1;
        }
    });
    checked_by(&folder.at("r"), 2, usize::MAX).is_well();
}

/// An index may outlive its pack for a moment while git removes both.
#[test]
fn a_pack_is_removed_before_its_index() {
    let folder = Folder::new();
    folder.repository("r", "sha1", 3);
    folder.git("r", "repack -q -a -d");
    let directory = folder.at("r").join(".git/objects/pack");
    let all: Vec<PathBuf> =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    let is = |path: &&PathBuf, extension: &str| path.extension().is_some_and(|of| of == extension);
    fs::remove_file(all.iter().find(|path| is(path, "pack")).unwrap()).unwrap();
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(100));
            for path in all.iter().filter(|path| !is(path, "pack")) {
                fs::remove_file(path).unwrap();
            }
        });
        checked_by(&folder.at("r"), 2, usize::MAX).is_well();
    });
}

/// Git adds an index after its pack. Meanwhile the pack is not missing its index, and then it is verified.
#[test]
fn an_index_is_added_after_its_pack() {
    let folder = Folder::new();
    folder.repository("r", "sha1", 3);
    folder.git("r", "repack -q -a -d");
    let index = folder.only("r/.git/objects/pack", "idx");
    let aside = index.with_extension("aside");
    fs::rename(&index, &aside).unwrap();
    let found = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(100));
            fs::rename(&aside, &index).unwrap();
        });
        checked_by(&folder.at("r"), 2, usize::MAX)
    });
    found.is_well();
    assert!(found.counts.found(Found::Packed) > 0);
}

/// The pause in which git may complete a pair of a pack and its index does not grow with the number of pairs.
#[test]
fn all_incomplete_pairs_share_one_pause() {
    let folder = Folder::new();
    folder.repository("r", "sha1", 1);
    for commit in 0..8 {
        folder.write("r/new", commit.to_string());
        folder.git("r", "add -A");
        folder.git("r", &format!("commit -q -m {commit}"));
        folder.git("r", "repack -q -d");
    }
    let packs = folder.all("r/.git/objects/pack", "pack");
    assert!(packs.len() >= 6, "{packs:?}");
    for (i, pack) in packs.iter().enumerate() {
        fs::remove_file(if i % 2 == 0 { pack.clone() } else { pack.with_extension("idx") })
            .unwrap();
    }
    let start = Instant::now();
    let found = checked_by(&folder.at("r"), 2, usize::MAX);
    let elapsed = start.elapsed();
    assert_eq!(found.counts.faults(), packs.len() as u64);
    assert!(elapsed < Duration::from_millis(1500), "{elapsed:?} for {} pairs", packs.len());
}
