//! Comparisons through temporary files have the same results as in memory.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Seek, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, SystemTime};

use lanesum::{Algorithm, Policy, hash};
use lanesum_files::{Progress, Settings, Stamp, Walk};
use lanesum_keep::{Audit, Cache, Kept, Manifest, Outcome, Witness, audit, diff};
use lanesum_manifest::{Class, Entry, Finding, Format, Named, Options, Record, Terminator};
use proptest::prelude::*;
use tempfile::TempDir;

/// Collects all findings.
#[derive(Default)]
struct All(Vec<Finding>);

impl Witness for All {
    fn place(&mut self, _: Option<&Record>, _: Option<&Record>) {}

    fn outside(&mut self, _: &Record) {}

    fn found(&mut self, outcome: Outcome) -> ControlFlow<()> {
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
            format.write(&entry, Terminator::Newline, &mut text);
        }
    }
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&text).unwrap();
    file.rewind().unwrap();
    Manifest::read(file, Path::new("SUMS"), Options::default()).unwrap()
}

fn record(name: &str, contents: &[u8]) -> Record {
    let mut record = Record::new(name.as_bytes());
    record.add(Algorithm::SHA256, hash(Algorithm::SHA256, contents).as_bytes());
    record
}

fn tree() -> impl Strategy<Value = Vec<Record>> {
    let name = prop::sample::select(vec!["a", "a.b", "a/b", "a/b/c", "ab", "b", "b/a", "c", "./a"]);
    let one = (name, 0..4_u8).prop_map(|(name, contents)| record(name, &vec![0; contents.into()]));
    prop::collection::vec(one, 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn differences_of_manifests_in_any_order_are_as_in_memory(before in tree(), now in tree()) {
        let (old, new) = (manifest(&before, "bsd"), manifest(&now, "json"));
        let moves = old.survey().algorithm_of_moves();
        let mut all = All::default();
        diff(old.records().unwrap(), new.records().unwrap(), moves, &mut all).unwrap();
        let by_name = |findings: Vec<Finding>| -> BTreeMap<Vec<u8>, (Class, Option<Vec<u8>>)> {
            findings
                .into_iter()
                .map(|f| (f.name().to_vec(), (f.class, f.from().map(<[u8]>::to_vec))))
                .collect()
        };
        let expected = lanesum_manifest::diff(before, now);
        prop_assert_eq!(all.0.len(), expected.len());
        prop_assert_eq!(by_name(all.0), by_name(expected));
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
        cache.learn(&file, &stamp, [(Algorithm::SHA256.into(), digest)].into_iter(), began);
        cache.write().unwrap();
        let kept = Kept::new(cache, 1 << 30);
        let root = folder.path().join("tree");
        let how = Audit {
            root: Some(&root),
            cache: Some(&kept),
            ..Audit::new(&settings, &algorithms, None)
        };
        let records = manifest(&[record("f", b"was")], "gnu").records().unwrap();
        let walk = Walk::new([folder.path().join("tree")], &Default::default()).unwrap();
        let mut all = All::default();
        audit(records, walk, &how, &Progress::default(), &mut all).unwrap();
        assert_eq!(all.0.iter().map(|found| found.class).collect::<Vec<_>>(), [class], "{known}");
        // The digest of a rotted file is not cached.
        let recalled = kept.lock().recall(&file, &stamp, &algorithms);
        assert!(recalled.is_none_or(|digests| digests[..] == [digest]), "{known}");
    }
}
