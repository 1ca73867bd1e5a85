//! Git LFS objects, with pointers written by hand.

use std::fs;
use std::num::NonZeroU64;
use std::time::{Duration, Instant};

use lanesum::{Digest, Policy, sha256};
use lanesum_files::{Progress, Settings};
use lanesum_git::{Class, Found, Options, Repository, check};

use crate::common::{Folder, checked};

#[test]
fn objects_are_compared_with_their_pointers() {
    let folder = Folder::new();
    folder.git("", "init -q -b main r");
    let contents = |number: u8| vec![number; 100_000 + usize::from(number)];
    let digest = |number: u8| Digest::from(sha256(contents(number))).to_string();
    let path = |number: u8| {
        let digest = digest(number);
        format!("r/.git/lfs/objects/{}/{}/{digest}", &digest[..2], &digest[2..4])
    };
    for number in 0..5 {
        let pointer = format!(
            "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize {}\n",
            digest(number),
            contents(number).len() + usize::from(number == 4),
        );
        folder.write(&format!("r/{number}"), pointer);
        if number > 0 {
            folder.write(&path(number), contents(number));
        }
    }
    folder.git("r", "add -A");
    folder.git("r", "commit -q -m pointers");
    for _ in 0..2 {
        let found = checked(&folder.at("r"));
        assert_eq!(found.counts.found(Found::Lfs), 4);
        assert_eq!(found.counts.found(Found::LfsAbsent), 1);
        found.is_one(
            Class::Rotted,
            &digest(4),
            "it has 100004 bytes, but its pointer declares 100005",
        );
        // Repeat with the pointers in a pack.
        folder.git("r", "repack -q -a -d");
    }
    let mut rotten = contents(2);
    rotten[70_000] ^= 1;
    folder.write(&path(2), &rotten);
    fs::remove_file(folder.at(path(3))).unwrap();
    fs::create_dir(folder.at(path(3))).unwrap();
    let found = checked(&folder.at("r"));
    assert_eq!(found.of(&digest(2)).class, Class::Rotted);
    let reason = format!("its contents have the SHA-256 {}", Digest::from(sha256(&rotten)));
    assert_eq!(found.of(&digest(2)).reason, reason);
    assert_eq!(found.of(&digest(3)).class, Class::Unreadable);
    assert_eq!(found.of(&digest(1)).class, Class::Same);
}

#[test]
fn the_maximum_rate_limits_objects_and_lfs_objects() {
    let folder = Folder::new();
    folder.git("", "init -q -b main r");
    let contents = vec![1; 400_000];
    let digest = Digest::from(sha256(&contents)).to_string();
    folder.write(
        &format!("r/.git/lfs/objects/{}/{}/{digest}", &digest[..2], &digest[2..4]),
        &contents,
    );
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:";
    folder.write("r/pointer", format!("{pointer}{digest}\nsize {}\n", contents.len()));
    folder.write("r/long", vec![2; 400_000]);
    folder.git("r", "-c core.compression=0 add -A");
    let settings = Settings::new(Policy::automatic()).at(NonZeroU64::new(400_000));
    let (repository, progress) = (Repository::open(&folder.at("r")).unwrap(), Progress::default());
    let options = Options { settings: &settings, progress: &progress, reports_same: false };
    let start = Instant::now();
    let counts = check(&repository, &options, &|finding| panic!("{finding:?}"));
    assert_eq!(counts.found(Found::Lfs), 1);
    assert!(start.elapsed() >= Duration::from_millis(1900), "{:?}", start.elapsed());
}
