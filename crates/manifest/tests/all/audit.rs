//! Changes of files between two records of a tree.

use lanesum_manifest::{
    Class, Counts, Entry, Finding, Format, Line, Named, Options, Pair, Pairs, Reader, Record,
    Terminator, Time, leads_out, merged, normal_name, path_order,
};
use lanesum_spec::{Algorithm, digest};
use proptest::prelude::*;

fn of(algorithm: Algorithm, name: &[u8], contents: &[u8]) -> Record {
    let mut record = Record::new(name);
    record.add(algorithm, &digest(algorithm, contents)[..algorithm.digest_len()]);
    record
}

fn file(name: &str, contents: &str) -> Record {
    of(Algorithm::SHA256, name.as_bytes(), contents.as_bytes())
}

fn seen(record: Record, len: u64, seconds: i64) -> Record {
    record.with_stat(Some(len), Some(Time::new(seconds, 0)))
}

#[test]
fn rot_requires_equal_lengths_and_times() {
    let before = file("f", "a");
    let now = file("f", "b");
    let time = |record: &Record| record.clone().with_stat(None, Some(Time::new(1, 0)));
    let len = |record: &Record| record.clone().with_stat(Some(1), None);
    for (before, now) in [
        (before.clone(), now.clone()),
        (time(&before), time(&now)),
        (len(&before), len(&now)),
        (seen(before.clone(), 1, 1), now.clone()),
        (seen(before.clone(), 1, 1), seen(now.clone(), 2, 1)),
        (seen(before.clone(), 1, 1), seen(now.clone(), 1, 2)),
    ] {
        assert_eq!(before.compare(&now), Class::Changed, "{before:?} {now:?}");
    }
    assert_eq!(seen(before, 1, 1).compare(&seen(now, 1, 1)), Class::Rotted);
    // Without a common digest, lengths can still differ.
    let sha1 = |len| of(Algorithm::SHA1, b"f", b"a").with_stat(len, None);
    let md5 = |len| of(Algorithm::MD5, b"f", b"a").with_stat(len, None);
    assert_eq!(sha1(Some(1)).compare(&md5(Some(1))), Class::Incomparable);
    assert_eq!(sha1(Some(1)).compare(&md5(None)), Class::Incomparable);
    assert_eq!(sha1(Some(1)).compare(&md5(Some(2))), Class::Changed);
}

#[test]
fn records_of_one_file_are_merged() {
    let twice = vec![file("f", "a"), of(Algorithm::SHA1, b"f", b"a"), file("./f", "a")];
    let once = merged(twice.into_iter()).collect::<Vec<_>>();
    assert_eq!((once.len(), once[0].digests().len()), (1, 2));
}

#[test]
fn names_are_normalized_and_checked_for_leaving_the_tree() {
    for (name, normal) in [
        ("a", "a"),
        ("./a", "a"),
        ("a/./b", "a/b"),
        ("a//b", "a/b"),
        ("a/", "a"),
        (".", "."),
        ("./", "."),
        ("..", ".."),
        ("a/../b", "a/../b"),
        ("/", "/"),
        ("//a/.", "/a"),
        (".a/..b", ".a/..b"),
    ] {
        assert_eq!(&*normal_name(name.as_bytes()), normal.as_bytes(), "{name}");
    }
    for name in ["/a", "..", "../a", "a/..", "a/../b"] {
        assert!(leads_out(name.as_bytes()), "{name}");
    }
    for name in ["a", "..a", "a..", "a/..b", "..."] {
        assert!(!leads_out(name.as_bytes()), "{name}");
    }
}

#[test]
fn length_and_time_round_trip_through_json() {
    let hash = digest(Algorithm::SHA1, b"x");
    let entry = Entry::new(Algorithm::SHA1, &hash[..20], "f").unwrap();
    let entry = entry.with_stat(Some(1 << 60), Some(Time::new(-2, 1)));
    let mut line = Vec::new();
    Format::from_name("json").unwrap().write(&entry, Terminator::Newline, &mut line);
    assert!(
        line.ends_with(
            b"\"path\":\"f\",\"size\":1152921504606846976,\"mtime\":\"-1.999999999\"}\n"
        )
    );
    assert_eq!(Reader::new(Options::default()).line(&line), Line::Entry(entry.clone()));
    // Other programs may use these field names with another meaning.
    let other = String::from_utf8(line).unwrap().replace("\"-1.999999999\"", "17");
    let Line::Entry(read) = Reader::new(Options::default()).line(other.as_bytes()) else {
        panic!()
    };
    assert_eq!((read.len_of_file(), read.modified()), (Some(1 << 60), None));
}

#[test]
fn a_finding_is_a_json_object() {
    let sha1 = |name: &[u8]| of(Algorithm::SHA1, name, b"abc");
    let hex = "a9993e364706816aba3e25717850c26c9cd0d89d";
    let before = sha1(b"a").with_stat(Some(3), Some(Time::new(1, 0)));
    let moved = Finding { class: Class::Moved, before: Some(before), now: Some(sha1(b"\xff")) };
    assert_eq!(
        moved.to_json(None),
        format!(
            r#"{{"before":{{"digests":{{"sha1":"{hex}"}},"mtime":"1.000000000","size":3}},"class":"moved","moved_from":"a","now":{{"digests":{{"sha1":"{hex}"}}}},"path_base64":"/w=="}}"#
        )
    );
    let finding = Finding { class: Class::Unreadable, before: None, now: Some(Record::new(b"d")) };
    assert_eq!(finding.to_json(Some("so")), r#"{"class":"unreadable","path":"d","reason":"so"}"#);
}

#[test]
fn counts_are_of_each_class() {
    let mut counts = Counts::default();
    for class in Class::ALL {
        counts.add(class);
        assert_eq!((counts.of(class), class.name().parse()), (1, Ok(class)));
    }
    assert_eq!(counts.differences(), 7);
    assert!("beans".parse::<Class>().unwrap_err().to_string().contains("same, new, changed"));
}

fn tree() -> impl Strategy<Value = Vec<Record>> {
    let name = prop::sample::select(vec!["a", "a.b", "a/b", "a/b/c", "ab", "b", "b/a", "c", "./a"]);
    let record = (name, 0..4_u8).prop_map(|(name, contents)| {
        of(Algorithm::SHA256, name.as_bytes(), &vec![0; contents.into()])
    });
    prop::collection::vec(record, 0..12)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn paths_are_ordered_by_components(a in "[a./-]{1,8}", b in "[a./-]{1,8}") {
        let parts = |name: &str| name.split('/').map(str::to_owned).collect::<Vec<_>>();
        prop_assert_eq!(path_order(a.as_bytes(), b.as_bytes()), parts(&a).cmp(&parts(&b)));
    }

    #[test]
    fn pairs_are_by_name(before in tree(), now in tree()) {
        let sorted = |mut records: Vec<Record>| {
            records.sort_by(|a, b| path_order(a.name(), b.name()));
            merged(records.into_iter()).collect::<Vec<_>>()
        };
        let (before, now) = (sorted(before), sorted(now));
        let mut last = Vec::new();
        for pair in Pairs::new(before.iter().cloned(), now.iter().cloned()) {
            let name = match &pair {
                Pair::Both(a, b) => {
                    prop_assert_eq!(a.name(), b.name());
                    a.name()
                }
                Pair::Before(a) => {
                    prop_assert!(now.iter().all(|b| b.name() != a.name()));
                    a.name()
                }
                Pair::Now(b) => {
                    prop_assert!(before.iter().all(|a| a.name() != b.name()));
                    b.name()
                }
            };
            prop_assert!(last.is_empty() || path_order(&last, name).is_lt());
            last = name.to_vec();
        }
    }
}
