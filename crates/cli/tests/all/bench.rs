//! `lanesum bench`: its output and invalid usage. The tests do not depend on measured speeds.

use crate::common;

use crate::common::Folder;
use lanesum_testkit::Kind;
use serde_json::Value;

#[test]
fn each_kernel_and_length_has_a_line_with_figures_and_a_bar() {
    let ran = Folder::new().run("bench -a sha256 -k portable_x1,hash -l 64,1024 -s 0");
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    let lines: Vec<Vec<&str>> =
        ran.out.lines().map(|line| line.split_whitespace().collect()).collect();
    for (kernel, len) in
        [("portable_x1", "64"), ("portable_x1", "1024"), ("hash", "64"), ("hash", "1024")]
    {
        let line = lines
            .iter()
            .find(|line| line.len() > 8 && line[0] == kernel && line[2] == len)
            .unwrap_or_else(|| panic!("no line of {kernel} at {len} in {}", ran.out));
        assert_eq!(line[1], "1", "one message at a time");
        assert!(line[7].parse::<f64>().unwrap() > 0.0, "{line:?}");
        assert!(line[8].chars().all(|c| c == '#'), "{line:?}");
    }
    assert!(ran.out.contains("core: "), "{}", ran.out);
    assert!(ran.out.contains("discarded samples: "), "{}", ran.out);
    assert!(ran.out.contains("quartiles"), "{}", ran.out);
}

#[test]
fn all_supported_kernels_are_measured_by_default() {
    let folder = Folder::new();
    let ran = folder.run("bench -a sha1,sha512 -l 128 -s 0 --json");
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    let all: Value = serde_json::from_str(&ran.out).unwrap();
    let cases = all["cases"].as_array().unwrap();
    for algorithm in [lanesum::Algorithm::SHA1, lanesum::Algorithm::SHA512] {
        let kernels = lanesum::Kernel::all().filter(|kernel| kernel.supports(algorithm));
        for kernel in kernels.map(lanesum::Kernel::name).chain(["hash"]) {
            let case = cases
                .iter()
                .find(|case| case["kernel"] == kernel && case["algorithm"] == algorithm.name())
                .unwrap_or_else(|| panic!("{kernel} was not measured for {algorithm}"));
            assert_eq!(case["bytes"], 128);
            assert!(case["samples"].as_u64().unwrap() >= 1);
            let rate = &case["gb_per_s"];
            assert!(rate["max"].as_f64().unwrap() >= rate["median"].as_f64().unwrap());
            assert!(rate["p75"].as_f64().unwrap() >= rate["p25"].as_f64().unwrap());
        }
    }
    assert!(all["core"]["before"]["ghz"].as_f64().unwrap() > 0.0);
    let thrown = &all["thrown_away"];
    let parts = ["clock", "width", "unsteady"].map(|part| thrown[part].as_u64().unwrap());
    assert!(parts.iter().sum::<u64>() <= thrown["samples"].as_u64().unwrap());
    assert_eq!(all["peer"], Value::Null, "no peer was requested");
}

#[test]
fn kernels_accept_whole_blocks_and_public_calls_any_length() {
    let ran = Folder::new().run("bench -a sha512 -k portable_x1,hash -l 0,64,100,128 -s 0 --json");
    let all: Value = serde_json::from_str(&ran.out).unwrap();
    let lengths = |kernel: &str| -> Vec<u64> {
        let cases = all["cases"].as_array().unwrap().iter();
        cases
            .filter(|case| case["kernel"] == kernel)
            .map(|case| case["bytes"].as_u64().unwrap())
            .collect()
    };
    assert_eq!(lengths("portable_x1"), [128]);
    assert_eq!(lengths("hash"), [0, 64, 100, 128]);
}

#[test]
fn a_peer_is_compared_or_reported_as_missing() {
    let folder = Folder::new();
    let words = "bench -a sha256 -k hash -l 1024 -s 0 --against openssl";
    let ran = folder.run(words);
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    let line = ran.out.lines().find(|line| line.starts_with("openssl  "));
    let rate: f64 = line.unwrap().split_whitespace().nth(4).unwrap().parse().unwrap();
    assert!(rate > 0.0, "{}", ran.out);
    assert!(ran.out.contains("OpenSSL "), "its version: {}", ran.out);

    let absent = folder.lanesum().args(words.split(' ')).env("PATH", folder.path()).output();
    let absent = common::ran(&absent.unwrap());
    assert_eq!((absent.status, absent.err.as_str()), (Some(0), ""));
    assert!(absent.out.contains("openssl: not found"), "{}", absent.out);
}

#[test]
fn a_record_has_the_columns_of_the_projects_own() {
    let folder = Folder::new();
    let ran = folder
        .run("bench -a sha1,sha512 -k portable_x1,hash -l 128,1024 -s 0.05 --record mine.csv");
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    let record = std::fs::read_to_string(folder.at("mine.csv")).unwrap();
    assert!(record.starts_with("# machine: "), "{record}");
    let mut table = record.lines().filter(|line| !line.starts_with('#'));
    let columns: Vec<_> = table.next().unwrap().split(',').collect();
    assert_eq!(columns[..4], ["algorithm", "kernel", "lanes", "blocks"]);
    assert_eq!(
        columns[4..8],
        [
            "cycles_per_byte_min",
            "cycles_per_byte_p25",
            "cycles_per_byte_median",
            "cycles_per_byte_p75"
        ]
    );
    let rows: Vec<Vec<&str>> = table.map(|line| line.split(',').collect()).collect();
    assert!(rows.iter().all(|row| row.len() == columns.len()), "{record}");
    assert!(rows.iter().any(|row| row[..4] == ["sha512", "portable_x1", "1", "8"]), "{record}");
    assert!(rows.iter().any(|row| row[..4] == ["sha1", "lanesum_hash", "1", "2"]), "{record}");
}

#[test]
fn a_plan_is_compared_with_each_kernel() {
    let folder = Folder::new();
    let words =
        "bench --plan -a sha1,sha512 -k portable_x1 -l 0,100 --messages 1,5 -s 0 --record plan.csv";
    let ran = folder.run(words);
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    let record = std::fs::read_to_string(folder.at("plan.csv")).unwrap();
    let mut table = record.lines().filter(|line| !line.starts_with('#'));
    let columns: Vec<_> = table.next().unwrap().split(',').collect();
    let rows: Vec<Vec<&str>> = table.map(|line| line.split(',').collect()).collect();
    let wanted: Vec<[&str; 3]> = ["sha1", "sha512"]
        .into_iter()
        .flat_map(|name| {
            [("1", "0"), ("1", "100"), ("5", "0"), ("5", "100")].map(|(n, len)| [name, len, n])
        })
        .collect();
    let thrown = ran.out.lines().find(|line| line.starts_with("discarded samples")).unwrap();
    for row in &rows {
        assert_eq!((row.len(), row[6]), (columns.len(), "portable_x1"), "{record}");
        assert!(wanted.iter().any(|of| row[..3] == of[..]), "{record}");
        let [plan, kernel, ratio] = [4, 8, 10].map(|i| row[i].parse::<f64>().unwrap());
        assert!((plan / kernel - ratio).abs() < 0.01 * ratio + 0.001, "{record}");
    }
    // Samples that no core can have produced are discarded, which may leave nothing to compare.
    assert!(rows.len() == wanted.len() || !thrown.contains(" 0 of "), "{thrown}\n{record}");
    for (row, line) in rows.iter().zip(ran.out.lines().filter(|line| line.contains("portable_x1")))
    {
        let ratio: f64 = row[10].parse().unwrap();
        let is_behind = ratio > 1.03;
        assert!(is_behind == line.ends_with('<') || (ratio - 1.03).abs() < 0.001, "{line}");
    }
    let json = folder.run("bench --plan -a sha1 -k portable_x1 -l 64 --messages 2 -s 0 --json");
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    let names: Vec<_> =
        json["cases"].as_array().unwrap().iter().map(|case| &case["kernel"]).collect();
    assert_eq!(names, ["plan", "portable_x1"]);
}

#[test]
fn invalid_usage_is_reported_and_nothing_is_measured() {
    let folder = Folder::new();
    for (words, says) in [
        ("bench -k warp_x9", "unknown kernel 'warp_x9'"),
        ("bench -a sha3-256", "unknown algorithm"),
        ("bench -l 99999999999", "99999999999"),
        ("bench -l many", "many"),
        ("bench -s -1", "-1"),
        ("bench -s 1e9", "from 0 to 3600"),
        ("bench --against abacus", "abacus"),
        ("bench -k portable_x1 -l 100", "nothing to measure"),
    ] {
        let ran = folder.run(words);
        assert_eq!(ran.status, Some(2), "{words}: {ran:?}");
        assert!(ran.err.contains(says), "{words}: {}", ran.err);
        assert_eq!(ran.out, "", "{words}");
    }
    let lacks = |kernel: &lanesum::Kernel| !kernel.supports(lanesum::Algorithm::MD5);
    let kernel = lanesum::Kernel::all().find(lacks).expect("every CPU has a kernel without MD5");
    let ran = folder.run(&format!("bench -a md5 -k {kernel}"));
    assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""));
    assert!(
        ran.err.contains("nothing to measure: no kernel supports the algorithms"),
        "{}",
        ran.err
    );
    let ran = folder.run("bench -a sha1 -k hash -l 64 -s 0 --record missing/mine.csv");
    assert_eq!((ran.status, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.contains("cannot write missing/mine.csv"), "{}", ran.err);
}

#[test]
fn an_unsupported_kernel_is_rejected_by_name() {
    let folder = Folder::new();
    let mut lacking = 0;
    for kernel in lanesum::Kernel::table().filter_map(Result::err) {
        let ran = folder.run(&format!("bench -k {kernel} -s 0"));
        assert_eq!(ran.status, Some(2));
        assert!(ran.err.contains(&format!("this CPU cannot run '{kernel}'")), "{}", ran.err);
        lacking += 1;
    }
    if lacking == 0 {
        let why = "this CPU has every kernel";
        lanesum_testkit::left_out(Kind::Test, "a_kernel_that_the_cpu_lacks", why);
    }
}
