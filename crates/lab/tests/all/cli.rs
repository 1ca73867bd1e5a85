//! The command: its golden report, and its errors for invalid input.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lanesum-graph")).args(args).output().expect("the program runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// An empty directory for one test.
fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

#[test]
fn without_records_nothing_is_measured() {
    let output = run(&["bounds", "--machine", "zen5", "--records", "/nonexistent"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("not measured here"));
}

#[test]
#[ignore = "long: run by `cargo xtask test-long`"]
fn measurements_appear_next_to_bounds() {
    let records = scratch("records");
    // The record is matched by the machine in its head, as in the benchmarks' records.
    fs::create_dir(records.join("amd-epyc-x2")).unwrap();
    let write = |date: &str, text: &str| {
        fs::write(records.join(format!("amd-epyc-x2/{date}-kernels.csv")), text).unwrap();
    };
    let header = "# date: today\n# machine: AMD EPYC, family 26 model 2, 2 logical CPUs\nalgorithm,kernel,lanes,blocks,cycles_per_byte_min,cycles_per_byte_median\n";
    write("2026-01-01", &format!("{header}sha1,avx512_x16,16,64,9.99,9.99\n"));
    write("2026-11-20", &format!("{header}sha1,avx512_x16,16,64,0.32,0.33\n"));
    let args = ["bounds", "--machine", "zen5", "--records", records.to_str().unwrap()];
    let report = stdout(&run(&args));
    let row = report
        .lines()
        .find(|l| l.contains("sha1") && l.contains("avx512_x16") && l.contains("0.32"))
        .expect("the newest record's row");
    assert!(row.contains("| 0.20 |"), "{row}");
    assert!(report.contains("amd-epyc-x2, 2026-11-20"));

    write("2026-11-21", "algorithm,kernel,lanes,blocks,cycles_per_byte_min\nsha1,x,1,1,1\n");
    let output = run(&args);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("no column `cycles_per_byte_median`"), "{}", stderr(&output));

    write("2026-11-21", &format!("{header}sha1,avx512_x16,16,64,fast,0.33\n"));
    assert!(stderr(&run(&args)).contains(":4: `cycles_per_byte_min` is not a number"));
}

#[test]
fn invalid_input_lists_the_valid_choices() {
    for (args, code, expected) in [
        (&["trace", "sha3", "Cargo.toml"][..], 2, "unknown algorithm `sha3`; there are sha1, "),
        (&["trace", "md5", "Cargo.toml"], 2, "unknown algorithm `md5`; there are sha1, "),
        (&["trace", "sha256", "/nonexistent/file"], 1, "cannot read /nonexistent/file: "),
        (
            &["trace", "sha1", "Cargo.toml", "--kernel", "mmx"],
            2,
            "unknown kernel `mmx`; there are ",
        ),
        (&["bounds", "--machine", "zen99"], 2, "unknown machine `zen99`; there are risc, zen5"),
        (&["bounds", "--models", "/nonexistent"], 1, "cannot read /nonexistent: "),
        (
            &["emit", "sha256_bmi2", "--go"],
            2,
            "unknown lane kernel `sha256_bmi2`; there are sha1_avx2_x8, ",
        ),
        (&["unfold", "sha1", "3"], 2, "3, which does not divide 80`; there are 1, 2, 4, 5, 8"),
        (&["unfold", "sha256", "0"], 2, "there are 1, 2, 4, 8, 16, 32, 64"),
        (&["bounds", "--frobnicate"], 2, "--frobnicate"),
    ] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(code), "{args:?}");
        assert!(stderr(&output).contains(expected), "{args:?}: {}", stderr(&output));
    }
}

#[test]
fn errors_in_a_model_file_are_reported_by_name() {
    let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("../model/machines.toml");
    let text = fs::read_to_string(built_in).unwrap();
    let directory = scratch("models");
    for (from, to, expected) in [
        ("lea = { latency = 1, alu = 1 }\n", "", "machine `risc` has no unit `lea`; there are add"),
        (
            "add = { latency = 1, alu = 1 }",
            "add = { latency = 1, alo = 1 }",
            "no pool `alo`; there are alu",
        ),
        ("scalar = \"risc\"", "scalar = \"vax\"", "no instruction set `vax`; there are risc"),
        ("alu = 7,", "alu = 0,", "pool `alu` is not greater than 0"),
        ("title = \"RISC", "titel = \"RISC", "unknown field `titel`"),
    ] {
        assert!(text.contains(from), "{from}");
        fs::write(directory.join("machines.toml"), text.replacen(from, to, 1)).unwrap();
        let output = run(&["bounds", "--models", directory.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(1), "{from}");
        assert!(stderr(&output).contains(expected), "{from}: {}", stderr(&output));
    }
}

#[test]
fn a_trace_matches_the_fips_example() {
    let file = scratch("trace").join("abc");
    fs::write(&file, b"abc").unwrap();
    let file = file.to_str().unwrap();
    // The examples of NIST for SHA-256("abc") and of FIPS 180-1 for SHA-1("abc").
    for (algorithm, lines) in [
        (
            "sha256",
            &[
                "W[ 0] = 61626380",
                "t= 0:  5d6aebcd 6a09e667 bb67ae85 3c6ef372 fa2a4622 510e527f 9b05688c 1f83d9ab",
                "t=63:  506e3058 d39a2165 04d24d6c b85e2ce9 5ef50f24 fb121210 948d25b6 961f4894",
                "H[0] = 6a09e667 + 506e3058 = ba7816bf",
            ][..],
        ),
        (
            "sha1",
            &[
                "t= 0:  0116fc33 67452301 7bf36ae2 98badcfe 10325476",
                "t=79:  42541b35 5738d5e1 21834873 681e6df6 d8fdf6ad",
                "H[4] = c3d2e1f0 + d8fdf6ad = 9cd0d89d",
            ],
        ),
    ] {
        let output = run(&["trace", algorithm, file]);
        let trace = stdout(&output);
        for line in lines {
            assert!(trace.lines().any(|l| l == *line), "{algorithm}: {line}\n{trace}");
        }
    }
}

#[test]
fn every_kernel_of_the_engine_traces_like_the_specification() {
    let file = scratch("kernels").join("message");
    fs::write(&file, (0..1000u32).map(|i| (i % 251) as u8).collect::<Vec<_>>()).unwrap();
    for algorithm in
        [lanesum::Algorithm::SHA1, lanesum::Algorithm::SHA256, lanesum::Algorithm::SHA512]
    {
        for kernel in lanesum::Kernel::all().filter(|b| b.supports(algorithm)) {
            let args =
                ["trace", algorithm.name(), file.to_str().unwrap(), "--kernel", kernel.name()];
            let output = run(&args);
            assert!(output.status.success(), "{}{}", stdout(&output), stderr(&output));
            assert!(stdout(&output).contains(&format!("{} lanes", kernel.lanes())));
        }
    }
}
