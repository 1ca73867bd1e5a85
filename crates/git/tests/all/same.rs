//! Repositories that git created have no faults, and every object is counted.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::ControlFlow;

use lanesum::{Digest, Policy, sha256};
use lanesum_files::{Progress, Settings, Walk};
use lanesum_git::{Class, Counts, Found, OpenError, Options, Repository, check};

use crate::common::{Checked, Folder, checked};

/// Compares the counts and the ids with git's.
#[track_caller]
fn agrees(folder: &Folder, name: &str, found: &Checked) {
    found.is_well();
    let counted = folder.git(name, "count-objects -v");
    let count = |key: &str| -> u64 {
        let line = counted.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
        line.unwrap().parse().unwrap()
    };
    assert_eq!(found.counts.found(Found::Loose), count("count"));
    assert_eq!(found.counts.found(Found::Packed), count("in-pack"));
    assert_eq!(found.counts.found(Found::Pack), count("packs"));
    assert_eq!(ids(found), listed(folder, name));
}

fn ids(found: &Checked) -> BTreeSet<String> {
    found.findings.iter().filter_map(|finding| Some(finding.object?.to_string())).collect()
}

fn listed(folder: &Folder, name: &str) -> BTreeSet<String> {
    let listed = folder.git(name, "cat-file --batch-all-objects --batch-check=%(objectname)");
    listed.lines().map(str::to_owned).collect()
}

#[test]
fn loose_and_packed_objects_of_both_hash_functions() {
    for format in ["sha1", "sha256"] {
        let folder = Folder::new();
        folder.repository("r", format, 6);
        agrees(&folder, "r", &checked(&folder.at("r")));
        folder.git("r", "repack -q -d");
        folder.write("r/new", "new");
        folder.git("r", "add -A");
        let found = checked(&folder.at("r"));
        assert!(found.counts.found(Found::Loose) > 0 && found.counts.found(Found::Packed) > 0);
        agrees(&folder, "r", &found);
        for depth in ["0", "1", "50"] {
            folder.git("r", &format!("repack -q -a -d -f --depth={depth} --window=20"));
            agrees(&folder, "r", &checked(&folder.at("r")));
        }
        let delta = folder.git("r", "cat-file --batch-all-objects --batch-check=%(deltabase)");
        assert!(delta.lines().any(|base| base.contains(|c| c != '0')), "there are no deltas");
    }
}

#[test]
fn progress_counts_files_and_about_as_many_bytes_as_estimated() {
    let folder = Folder::new();
    folder.repository("r", "sha1", 6);
    let contents: Vec<u8> =
        (0..100_000_u32).flat_map(|i| i.wrapping_mul(i).to_ne_bytes()).collect();
    folder.write("r/long", &contents);
    folder.git("r", "-c core.compression=0 add -A");
    let repository = Repository::open(&folder.at("r")).unwrap();
    for _ in 0..2 {
        let progress = Progress::default();
        let settings = Settings::new(Policy::automatic());
        let options = Options { settings: &settings, progress: &progress, reports_same: true };
        let counts = check(&repository, &options, &|_| ControlFlow::Continue(()));
        assert_eq!(progress.files(), counts.found(Found::Loose) + counts.found(Found::File));
        let (read, estimated) = (progress.bytes() as f64, repository.bytes_to_read() as f64);
        assert!((0.98..1.02).contains(&(read / estimated)), "{read} bytes, not {estimated}");
        assert_eq!(counts.faults(), 0);
        // The run ends early if the sink breaks, as here, or if it is cancelled.
        let counts = check(&repository, &options, &|_| ControlFlow::Break(()));
        assert!(progress.is_cancelled() && counts.of(Class::Same) > 0);
        let counts = check(&repository, &options, &|_| panic!("cancelled"));
        assert_eq!(counts.of(Class::Same), 0);
        folder.git("r", "-c core.compression=0 repack -q -a -d");
        folder.git("r", "prune-packed");
    }
}

/// Checks a repository that has no faults.
fn counted(repository: &Repository) -> (Counts, Progress) {
    let progress = Progress::default();
    let settings = Settings::new(Policy::automatic());
    let options = Options { settings: &settings, progress: &progress, reports_same: false };
    let counts = check(repository, &options, &|finding| panic!("{finding:?}"));
    (counts, progress)
}

/// The reads of small files count, too. The maximum rate covers the counted reads.
#[test]
fn progress_counts_every_byte_that_is_read() {
    let folder = Folder::new();
    folder.repository("r", "sha1", 3);
    folder.git("r", "-c pack.writeReverseIndex=true repack -q -a -d -b");
    folder.git("r", "prune-packed");
    folder.git("r", "multi-pack-index write --bitmap");
    folder.git("r", "commit-graph write --reachable --split");
    let contents = b"contents";
    let digest = Digest::from(sha256(contents)).to_string();
    folder.write(
        &format!("r/.git/lfs/objects/{}/{}/{digest}", &digest[..2], &digest[2..4]),
        contents,
    );
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:";
    folder.write("r/pointer", format!("{pointer}{digest}\nsize {}\n", contents.len()));
    folder.git("r", "add pointer");

    let directories = ["objects", "lfs"].map(|name| folder.at("r/.git").join(name));
    let walk = Walk::new(directories, &lanesum_files::Options::default()).unwrap();
    let mut expected = BTreeMap::new();
    for found in walk {
        let lanesum_files::Found::File(path) = found else { panic!("{found:?}") };
        // A list for other programs, which git itself does not read.
        if path.ends_with("info/packs") {
            continue;
        }
        let len = fs::metadata(&path).unwrap().len();
        let kind = path.extension().unwrap_or_default().to_str().unwrap().to_owned();
        let is_sum = ["bitmap", "graph"].contains(&&kind[..]) || path.ends_with("multi-pack-index");
        let is_reverse = path.to_str().unwrap().contains("multi-pack-index") && kind == "rev";
        let bytes = match &kind[..] {
            // The header and the checksum; all bytes before the checksum; all entries, twice.
            "pack" => 12 + 20 + (len - 20) + 2 * (len - 12 - 20),
            // The head, the checksum, and all bytes before it.
            _ if is_sum || is_reverse => 16 + 20 + (len - 20),
            _ => len,
        };
        *expected.entry(kind).or_insert(0) += bytes;
    }
    for kind in ["", "bitmap", "graph", "idx", "pack", "rev"] {
        assert!(expected.contains_key(kind), "{kind}: {expected:?}");
    }
    let (counts, progress) = counted(&Repository::open(&folder.at("r")).unwrap());
    assert_eq!(counts.found(Found::Lfs), 1);
    assert_eq!(progress.bytes(), expected.values().sum::<u64>(), "{expected:?}");
    assert_eq!(
        progress.files(),
        counts.found(Found::Loose) + counts.found(Found::File) + counts.found(Found::Lfs)
    );
}

#[test]
fn files_with_checksums_are_verified() {
    for format in ["sha1", "sha256"] {
        let folder = Folder::new();
        folder.repository("r", format, 3);
        folder.git("r", "-c pack.writeReverseIndex=true repack -q -a -d -b");
        folder.git("r", "commit-graph write --reachable");
        folder.git("r", "multi-pack-index write --bitmap");
        let found = checked(&folder.at("r"));
        // A pack with an index, a reverse index and a bitmap; a commit-graph; a multi-pack-index with a bitmap.
        let files: Vec<_> =
            found.findings.iter().filter(|finding| finding.object.is_none()).collect();
        assert!(files.len() >= 6, "{files:#?}");
        assert_eq!(found.counts.found(Found::File), files.len() as u64);
        agrees(&folder, "r", &found);
        folder.write("r/more", "more");
        folder.git("r", "add -A");
        folder.git("r", "commit -q -m more");
        folder.git("r", "commit-graph write --reachable --split=no-merge");
        let found = checked(&folder.at("r"));
        found.is_well();
        assert!(!folder.all("r/.git/objects/info/commit-graphs", "graph").is_empty());
    }
}

#[test]
fn packs_with_bases_by_id_and_an_index_of_version_1() {
    let folder = Folder::new();
    folder.repository("r", "sha1", 6);
    // Deltas by id, as older versions of git wrote them.
    folder.git("r", "-c repack.useDeltaBaseOffset=false repack -q -a -d -f --window=20");
    agrees(&folder, "r", &checked(&folder.at("r")));
    let index = folder.only("r/.git/objects/pack", "idx");
    fs::remove_file(&index).unwrap();
    let pack = folder.only("r/.git/objects/pack", "pack");
    folder.git("r", &format!("index-pack --index-version=1 {}", pack.display()));
    assert!(!fs::read(&index).unwrap().starts_with(b"\xfftOc"));
    agrees(&folder, "r", &checked(&folder.at("r")));
    // Use 64-bit offsets.
    fs::remove_file(&index).unwrap();
    folder.git("r", &format!("index-pack --index-version=2,100 {}", pack.display()));
    agrees(&folder, "r", &checked(&folder.at("r")));
}

#[test]
fn long_objects_are_hashed_in_pieces() {
    let folder = Folder::new();
    folder.git("", "init -q -b main r");
    let noise = |seed: u64, len: usize| -> Vec<u8> {
        let mut state = seed;
        let next = std::iter::repeat_with(|| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 56) as u8
        });
        next.take(len).collect()
    };
    // Objects longer than 8 MiB: compressible, incompressible, and nearly equal to another.
    folder.write("r/zeros", vec![0; 9 << 20]);
    folder.write("r/noise", noise(1, 9 << 20));
    folder.write("r/longer", [noise(1, 9 << 20), noise(2, 1000)].concat());
    folder.git("r", "add -A");
    folder.git("r", "commit -q -m long");
    agrees(&folder, "r", &checked(&folder.at("r")));
    folder.git("r", "repack -q -a -d -f");
    agrees(&folder, "r", &checked(&folder.at("r")));
    // Long entries are read three times, as are all others.
    let repository = Repository::open(&folder.at("r")).unwrap();
    let (read, estimated) =
        (counted(&repository).1.bytes() as f64, repository.bytes_to_read() as f64);
    assert!((0.99..1.01).contains(&(read / estimated)), "{read} bytes, not {estimated}");
}

#[test]
fn every_form_of_a_repository_is_opened() {
    let folder = Folder::new();
    folder.repository("r", "sha256", 2);
    let all = ids(&checked(&folder.at("r")));
    folder.git("r", "worktree add -q ../linked");
    folder.git("", "clone -q --bare r bare.git");
    folder.git("", "clone -q --separate-git-dir=separate r apart");
    for name in ["r/.git", "linked", "r/.git/worktrees/linked", "bare.git", "separate", "apart"] {
        let found = checked(&folder.at(name));
        found.is_well();
        assert_eq!(ids(&found), all, "{name}");
    }
}

#[test]
fn other_paths_are_rejected() {
    let folder = Folder::new();
    folder.repository("r", "sha1", 1);
    let error = |name: &str| Repository::open(&folder.at(name)).unwrap_err().to_string();
    assert!(error("nothing").ends_with("nothing: No such file or directory"));
    assert!(error("r/d").ends_with("is not a git repository; name its root or its .git directory"));
    assert!(error("r/d/1").contains("is not a git repository"));
    folder.write("broken/.git", "beans");
    assert!(error("broken").contains("is not a git repository"));
    folder.write("dangling/.git", "gitdir: ../nowhere\n");
    assert!(error("dangling").contains("is not a git repository"));
    let config = fs::read_to_string(folder.at("r/.git/config")).unwrap();
    folder.write("r/.git/config", config + "[Extensions] # new\n\tobjectFormat = md5 ; new\n");
    assert!(error("r").contains("unsupported object format \"md5\""));
    assert!(matches!(Repository::open(&folder.at("r")), Err(OpenError::Unsupported(..))));
}

#[test]
fn alternates_are_followed_once() {
    let folder = Folder::new();
    folder.repository("origin", "sha1", 2);
    let of_origin = ids(&checked(&folder.at("origin")));
    folder.git("", "clone -q --shared origin shared");
    folder.write("shared/own", "own");
    folder.git("shared", "add -A");
    let found = checked(&folder.at("shared"));
    found.is_well();
    assert_eq!(ids(&found), listed(&folder, "shared"));
    assert_eq!(ids(&found).len(), of_origin.len() + 1);
    // A relative path with a comment, in quotes, and back: a cycle.
    folder.write(
        "origin/.git/objects/info/alternates",
        "# comment\n\n\"../../../shared/.git\\057objects\"\n",
    );
    let found = checked(&folder.at("origin"));
    found.is_well();
    assert_eq!(ids(&found).len(), of_origin.len() + 1);
    assert_eq!(found.counts.found(Found::Loose), of_origin.len() as u64 + 1);
}
