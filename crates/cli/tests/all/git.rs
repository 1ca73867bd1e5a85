//! `lanesum check --git`: output, exit statuses and misuse. The tests of `lanesum-git` plant faults of every class.

use std::fs;
use std::time::Instant;

use serde_json::Value;

use crate::common::{Folder, Ran, bytes, hex, refused, well};

/// A repository with three loose objects: a commit, a tree and a blob.
fn repository(format: &str) -> (Folder, String) {
    let folder = Folder::new();
    let git = |words: &str| {
        let set = "-c user.name=A -c user.email=a@example.org -c core.fsync=none -C r";
        let ran = folder.peer(&format!("git {set} {words}"));
        assert_eq!(ran.status, Some(0), "git {words}: {}", ran.err);
        ran.out.trim().to_owned()
    };
    folder.file("r/abc", "abc");
    git(&format!("init -q --object-format={format}"));
    git("add -A");
    git("commit -q -m abc");
    let id = git("rev-parse HEAD:abc");
    assert_eq!(id, hex(format, b"blob 3\0abc"));
    (folder, id)
}

#[test]
fn a_report_names_the_object_and_its_file() {
    for format in ["sha1", "sha256"] {
        let (folder, id) = repository(format);
        let well_said = "3 loose objects, 0 objects in 0 packs, 0 checksums of files: 3 the same\n";
        well(folder.run("check --git r"), well_said);
        well(folder.run("check --git r/.git"), well_said);
        well(folder.run("check --quiet --git r"), "");
        well(folder.run("check --status --git r"), "");
        let all = folder.run("check --all --git r").out;
        let path = format!("r/.git/objects/{}/{}", &id[..2], &id[2..]);
        assert!(all.contains(&format!("same          {id} ({path})\n")), "{all}");
        // The contents of another object.
        let other =
            all.lines().find(|line| line.starts_with("same") && !line.contains(&id)).unwrap();
        let (other, from) = other["same".len()..].trim().split_once(" (").unwrap();
        let bytes = fs::read(folder.at(from.trim_end_matches(')'))).unwrap();
        fs::remove_file(folder.at(&path)).unwrap();
        folder.file(&path, bytes);
        let line = format!("rotted        {id} ({path}: its contents have the id {other})\n");
        let sum =
            "3 loose objects, 0 objects in 0 packs, 0 checksums of files: 2 the same, 1 rotted\n";
        let remedy = "lanesum: r: restore damaged objects from a backup or another clone\n";
        let expected = |out: String, err: &str| Ran { status: Some(1), out, err: err.into() };
        assert_eq!(folder.run("check --git r"), expected(format!("{line}{sum}"), remedy));
        assert_eq!(folder.run("check --quiet --git r"), expected(line, remedy));
        assert_eq!(folder.run("check --status --git r"), expected(String::new(), ""));
        let json = folder.run("check --json --git r");
        assert_eq!(json.status, Some(1));
        let objects: Vec<Value> =
            json.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(objects.len(), 2);
        assert_eq!(objects[0]["class"], "rotted");
        assert_eq!(objects[0]["object"], *id);
        assert_eq!(objects[0]["path"], *path);
        assert_eq!(objects[1]["summary"]["rotted"], 1);
        assert_eq!(objects[1]["summary"]["loose"], 3);
    }
}

#[test]
fn packed_objects_are_reported_with_their_offset() {
    let (folder, id) = repository("sha1");
    assert_eq!(folder.peer("git -C r repack -q -a -d").status, Some(0));
    well(
        folder.run("check --git r"),
        "0 loose objects, 3 objects in 1 pack, 2 checksums of files: 5 the same\n",
    );
    let mut packs = fs::read_dir(folder.at("r/.git/objects/pack")).unwrap();
    let is_pack = |path: &std::path::PathBuf| path.extension().is_some_and(|end| end == "pack");
    let pack = packs.find_map(|entry| Some(entry.unwrap().path()).filter(is_pack)).unwrap();
    let listed =
        folder.peer(&format!("git verify-pack -v {}", pack.with_extension("idx").display()));
    let line = listed.out.lines().find(|line| line.starts_with(&id)).unwrap();
    let words: Vec<&str> = line.split_whitespace().collect();
    let offset: usize = words[4].parse().unwrap();
    let mut bytes = fs::read(&pack).unwrap();
    bytes[offset + 1] ^= 1;
    fs::remove_file(&pack).unwrap();
    fs::write(&pack, bytes).unwrap();
    let ran = folder.run("check --git r");
    let name = pack.strip_prefix(folder.path()).unwrap().display();
    let expected = format!("unreadable    {id} ({name} at {offset}: invalid zlib stream: ");
    assert!(ran.out.contains(&expected), "{expected}: {}", ran.out);
    assert!(ran.out.contains(&format!("rotted        {name} (its checksum is ")), "{}", ran.out);
    assert_eq!(ran.status, Some(1));
}

#[test]
fn max_rate_limits_reading() {
    let folder = Folder::new();
    folder.file("r/long", bytes(400_000));
    let git = |words: &str| {
        let set = "-c user.name=A -c user.email=a@example.org -c core.compression=0 -C r";
        assert_eq!(folder.peer(&format!("git {set} {words}")).status, Some(0), "{words}");
    };
    let time = |words: &str| {
        let start = Instant::now();
        assert_eq!(folder.run(words).status, Some(0), "{words}");
        start.elapsed().as_secs_f64()
    };
    git("init -q");
    git("add -A");
    git("commit -q -m long");
    let slow = time("check --git r --max-rate 200kB");
    assert!((1.9..8.0).contains(&slow), "{slow} s for 400 kB");
    git("repack -q -a -d");
    let slow = time("check --git r --max-rate 600kB");
    assert!((1.9..8.0).contains(&slow), "{slow} s for a pack of 400 kB, which is read three times");
}

#[test]
fn misuse_is_refused() {
    let (folder, _) = repository("sha1");
    folder.file("SUMS", "");
    refused(&folder.run("check --git nothing"), 1, "nothing: No such file or directory");
    refused(&folder.run("check --git SUMS"), 1, "SUMS is not a git repository");
    for other in ["SUMS", "--audit", "--allow missing", "--cache", "-C .", "--explain", "-z"] {
        refused(&folder.run(&format!("check --git r {other}")), 2, "cannot be used with");
    }
    assert_eq!(folder.peer("git init -q empty").status, Some(0));
    let ran = folder.run("check --git empty");
    assert_eq!((ran.status, &ran.err[..]), (Some(1), "lanesum: empty: no objects found\n"));
}
