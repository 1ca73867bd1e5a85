//! Comparisons of manifests, and of a tree with a manifest and a cache.

use std::fs;
use std::io::{Seek, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, SystemTime};

use lanesum::{Algorithm, Policy, hash};
use lanesum_files::{Progress, Settings, Stamp, Walk};
use lanesum_keep::{Audit, Cache, Manifest, Outcome, SharedCache, Sink, audit, diff};
use lanesum_manifest::{
    Class, Entry, Finding, Format, Named, Options, Record, Terminator, Time, path_order,
};
use proptest::prelude::*;
use tempfile::TempDir;

/// Collects all findings.
#[derive(Default)]
struct All(Vec<Finding>);

impl Sink for All {
    fn entry(&mut self, _: Option<&Record>, _: Option<&Record>) {}

    fn out_of_scope(&mut self, _: &Record) {}

    fn finding(&mut self, outcome: Outcome) -> ControlFlow<()> {
        self.0.push(outcome.finding);
        ControlFlow::Continue(())
    }
}

fn manifest(records: &[Record], format: &str) -> Manifest {
    let format = Format::from_name(format).unwrap();
    let mut text = Vec::new();
    for record in records {
        for (algorithm, digest) in record.digests() {
            let entry = Entry::new(algorithm, digest, record.name()).unwrap();
            let entry = entry.with_stat(record.len_of_file(), record.modified());
            format.write(&entry, Terminator::Newline, &mut text);
        }
    }
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&text).unwrap();
    file.rewind().unwrap();
    Manifest::read(file, Path::new("SUMS"), Options::default()).unwrap()
}

fn of(algorithm: Algorithm, name: &[u8], contents: &[u8]) -> Record {
    let mut record = Record::new(name);
    record.add(algorithm, hash(algorithm, contents).as_bytes());
    record
}

fn file(name: &str, contents: &str) -> Record {
    of(Algorithm::SHA256, name.as_bytes(), contents.as_bytes())
}

fn seen(record: Record, len: u64, seconds: i64) -> Record {
    record.with_stat(Some(len), Some(Time::new(seconds, 0)))
}

/// Compares two manifests. The findings are sorted by name.
fn compared(before: Manifest, now: Manifest) -> Vec<Finding> {
    let moves = before.survey().algorithm_of_moves();
    let mut all = All::default();
    diff(before.records().unwrap(), now.records().unwrap(), moves, &mut all).unwrap();
    all.0.sort_by(|a, b| path_order(a.name(), b.name()));
    all.0
}

/// Returns the class, the name and the former name of each finding.
fn found(before: Vec<Record>, now: Vec<Record>) -> Vec<(Class, String, Option<String>)> {
    let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
    compared(manifest(&before, "json"), manifest(&now, "json"))
        .iter()
        .map(|found| (found.class, text(found.name()), found.moved_from().map(text)))
        .collect()
}

fn owned((class, name, from): (Class, &str, Option<&str>)) -> (Class, String, Option<String>) {
    (class, name.to_owned(), from.map(str::to_owned))
}

#[test]
fn every_class_is_distinguished() {
    let before = vec![
        file("same", "same"),
        file("gone", "gone"),
        file("b/moved", "moved"),
        seen(file("rotted", "before"), 6, 100),
        seen(file("changed", "before"), 6, 100),
        of(Algorithm::SHA1, b"other", b"other"),
    ];
    let now = vec![
        seen(file("./same", "same"), 4, 100),
        file("new", "new"),
        file("copy", "same"),
        file("a/moved", "moved"),
        seen(file("rotted", "after!"), 6, 100),
        seen(file("changed", "after!"), 6, 101),
        of(Algorithm::SHA512, b"other", b"other"),
    ];
    // Moved files are matched by the algorithm of most records.
    let class = |found: &[(Class, String, Option<String>)], name: &str| {
        found.iter().find(|found| found.1 == name).unwrap().0
    };
    let mixed = found(before.clone(), now.clone());
    assert_eq!(class(&mixed, "other"), Class::Incomparable);
    assert_eq!(class(&mixed, "a/moved"), Class::Moved);
    let one = |records: Vec<Record>| -> Vec<Record> {
        records.into_iter().filter(|record| record.name() != b"other").collect()
    };
    let found = found(one(before), one(now));
    let expected = [
        (Class::Moved, "a/moved", Some("b/moved")),
        (Class::Changed, "changed", None),
        (Class::New, "copy", None),
        (Class::Missing, "gone", None),
        (Class::New, "new", None),
        (Class::Rotted, "rotted", None),
        (Class::Same, "same", None),
    ];
    assert_eq!(found, expected.map(owned));
}

#[test]
fn a_missing_file_is_paired_with_a_new_one_unless_empty() {
    let before = vec![file("a1", "x"), file("a2", "x"), file("e", ""), file("one", "y")];
    let now = vec![file("b1", "x"), file("f", ""), file("two", "y"), file("three", "y")];
    let expected = [
        (Class::Missing, "a2", None),
        (Class::Moved, "b1", Some("a1")),
        (Class::Missing, "e", None),
        (Class::New, "f", None),
        (Class::Moved, "three", Some("one")),
        (Class::New, "two", None),
    ];
    assert_eq!(found(before, now), expected.map(owned));
}

#[test]
fn a_manifest_that_contradicts_itself_is_never_the_same() {
    let both = vec![file("f", "a"), file("f", "b")];
    assert_eq!(found(both.clone(), vec![file("f", "a")])[0].0, Class::Changed);
    assert_eq!(found(vec![file("f", "a")], both)[0].0, Class::Changed);
    let twice = vec![file("f", "a"), of(Algorithm::SHA1, b"f", b"a"), file("./f", "a")];
    assert_eq!(found(twice, vec![file("f", "a")])[0].0, Class::Same);
}

fn tree() -> impl Strategy<Value = Vec<Record>> {
    let name = prop::sample::select(vec!["a", "a.b", "a/b", "a/b/c", "ab", "b", "b/a", "c", "./a"]);
    let record = (name, 0..4_u8).prop_map(|(name, contents)| {
        of(Algorithm::SHA256, name.as_bytes(), &vec![0; contents.into()])
    });
    prop::collection::vec(record, 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_name_of_either_side_is_reported_once(before in tree(), now in tree()) {
        let names = |records: &[Record]| {
            let mut names: Vec<_> = records.iter().map(|r| r.name().to_vec()).collect();
            names.sort();
            names.dedup();
            names
        };
        let (old, new) = (names(&before), names(&now));
        let found = compared(manifest(&before, "bsd"), manifest(&now, "json"));
        let side = |side: fn(&Finding) -> &Option<Record>| {
            let mut names: Vec<_> =
                found.iter().filter_map(|f| side(f).as_ref().map(|r| r.name().to_vec())).collect();
            names.sort();
            names
        };
        prop_assert_eq!(side(|f| &f.before), old.clone());
        prop_assert_eq!(side(|f| &f.now), new.clone());
        for finding in &found {
            let is_on = |names: &[Vec<u8>], record: &Option<Record>| {
                record.as_ref().is_some_and(|r| names.contains(&r.name().to_vec()))
            };
            match finding.class {
                Class::New => prop_assert!(!is_on(&old, &finding.now)),
                Class::Missing => prop_assert!(!is_on(&new, &finding.before)),
                Class::Moved => {
                    prop_assert!(!is_on(&old, &finding.now) && !is_on(&new, &finding.before));
                    let (before, now) = (finding.before.as_ref(), finding.now.as_ref());
                    prop_assert_eq!(before.unwrap().compare(now.unwrap()), Class::Same);
                }
                _ => prop_assert!(is_on(&old, &finding.now) && is_on(&new, &finding.before)),
            }
        }
        // Only empty files are both missing and new.
        let of_class = |class| found.iter().filter(move |f: &&Finding| f.class == class);
        for missing in of_class(Class::Missing) {
            for new in of_class(Class::New) {
                let (missing, new) = (missing.before.as_ref().unwrap(), new.now.as_ref().unwrap());
                let empty = of(Algorithm::SHA256, missing.name(), b"");
                // A file with contradictory digests cannot be matched.
                if missing.digests().len() > 1 || new.digests().len() > 1 {
                    continue;
                }
                let one = missing.digests().next() == new.digests().next();
                prop_assert!(!one || missing.digests().next() == empty.digests().next());
            }
        }
    }
}

#[test]
fn a_file_that_differs_from_manifest_and_cache_has_rotted() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("tree/f");
    fs::create_dir(folder.path().join("tree")).unwrap();
    fs::write(&file, "now").unwrap();
    let stamp = Stamp::of(&fs::metadata(&file).unwrap());
    let settings = Settings::new(Policy::automatic());
    let algorithms = [Algorithm::SHA256.into()];
    // The cached digest is for the current stamp. Only rot changes a file without changing its
    // stamp.
    let began = SystemTime::now() + Duration::from_secs(10);
    for (known, class) in
        [("was", Class::Rotted), ("other", Class::Rotted), ("now", Class::Changed)]
    {
        let mut cache = Cache::open(&folder.path().join(known)).unwrap();
        let digest = hash(Algorithm::SHA256, known);
        cache.insert(&file, &stamp, [(Algorithm::SHA256.into(), digest)].into_iter(), began);
        cache.write().unwrap();
        let shared = SharedCache::new(cache, 1 << 30);
        let root = folder.path().join("tree");
        let how = Audit {
            root: Some(&root),
            cache: Some(&shared),
            ..Audit::new(&settings, &algorithms, None)
        };
        let records = manifest(&[of(Algorithm::SHA256, b"f", b"was")], "gnu").records().unwrap();
        let walk = Walk::new([folder.path().join("tree")], &Default::default()).unwrap();
        let mut all = All::default();
        audit(records, walk, &how, &Progress::default(), &mut all).unwrap();
        assert_eq!(all.0.iter().map(|found| found.class).collect::<Vec<_>>(), [class], "{known}");
        // The digest of a rotted file is not cached.
        let cached = shared.lock().get(&file, &stamp, &algorithms);
        assert!(cached.is_none_or(|digests| digests[..] == [digest]), "{known}");
    }
}
