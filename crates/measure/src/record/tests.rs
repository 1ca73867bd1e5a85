use super::*;
use crate::source::Source;

fn golden_cove() -> Core {
    Core {
        name: "goldencove".into(),
        recognised_by: vec!["model 167".into()],
        width: Some(6.0),
        ghz: Some([0.8, 4.2]),
        ..Core::default()
    }
}

fn reader(folder: &Path) -> Reader {
    Reader::new(folder, Cores::new([golden_cove()]))
}

const QUIET: &str = "fixed work, median 1.010, maximum 1.05 times the minimum; 3.90 GHz (median 3.89); \
                     5.9 moves per cycle (median 5.6)";

fn record(noise: &str, rows: &str) -> String {
    format!(
        "# machine: Xeon, model 167\n# noise before: {noise}\n# kernels: sha_ni 1234abcd\n\
         kernel,tier,cycles_per_byte_min,cycles_per_byte_median,dispatch_max\n{rows}\n"
    )
}

fn taint(text: &str) -> Option<String> {
    Table::parse(Path::new("x/2026-11-21-kernels.csv"), text).taint(Some(&golden_cove()))
}

#[test]
fn a_record_of_a_quiet_machine_is_read() {
    assert_eq!(taint(&record(QUIET, "sha_ni_x1,sha_ni,1.9,1.91,5.9")), None);
}

#[test]
fn a_record_that_says_what_its_core_cannot_do_is_tainted() {
    let with = |from: &str, to: &str| taint(&record(&QUIET.replace(from, to), "")).unwrap();
    assert!(with("5.9 moves", "13.0 moves").contains("13 moves per cycle on a core of 6"));
    assert!(with("3.90 GHz", "7.80 GHz").contains("7.8 GHz"));
    assert!(with("maximum 1.05", "maximum 3.40").contains("3.4 times as long"));
}

#[test]
fn noise_does_not_taint_a_synthesis() {
    let folder = Folder::new("synthesis");
    let noisy =
        record(&QUIET.replace("maximum 1.05", "maximum 3.40"), "sha_ni_x1,sha_ni,1.9,1.91,5.9");
    folder.write("2026-11-22-rtl-sg13g2.csv", &noisy);
    folder.write("2026-11-22-sweep.csv", &noisy);
    assert_eq!(reader(&folder.0).newest("rtl-sg13g2").unwrap().len(), 1);
    assert_eq!(reader(&folder.0).newest("sweep").unwrap().len(), 0);
    let simulated = Table::parse(Path::new("x/2026-11-22-simulated.csv"), &noisy);
    assert_eq!(simulated.taint(Some(&golden_cove())), None);
}

#[test]
fn an_impossible_sample_is_refused_when_it_is_read() {
    let tainted = taint(&record(QUIET, "sha_ni_x1,sha_ni,1.9,1.91,13.0")).unwrap();
    assert!(tainted.contains("13 moves per cycle"));
    // One sample's cycles were measured twice too long.
    let folder = Folder::new("impossible");
    let rows = "sha_ni_x1,sha_ni,0.58,1.1,5.9\nsha_ni_x2,sha_ni,1.08,1.1,5.9";
    folder.write("2026-11-22-kernels.csv", &record(QUIET, rows));
    let tables = reader(&folder.0).newest("kernels").unwrap();
    let left: Vec<&str> = tables[0].rows().iter().map(|row| tables[0].of(row, "kernel")).collect();
    assert_eq!(left, ["sha_ni_x2"]);
}

#[test]
fn a_row_of_two_speeds_is_kept_if_a_quarter_of_its_samples_has_the_faster() {
    let table = |quartile: &str| {
        let text = format!("kernel,cycles_min,cycles_p25,cycles_median\nhash,3.0,{quartile},4.9\n");
        Table::parse(Path::new("x/2026-11-22-calls.csv"), &text)
    };
    let is_apart = |table: Table| table.is_apart(&table.rows()[0]);
    assert!(!is_apart(table("3.03")));
    assert!(is_apart(table("4.8")));
    assert!(is_apart(table("")), "of a record without quartiles");
}

#[test]
fn of_a_machine_that_nobody_knows_the_spread_is_judged_alone() {
    let of = |text: &str| Table::parse(Path::new("x/y.csv"), text).taint(None);
    assert_eq!(of(&record(&QUIET.replace("5.9 moves", "13.0 moves"), "")), None);
    assert!(of(&record(&QUIET.replace("maximum 1.05", "maximum 3.40"), "")).is_some());
}

#[test]
fn the_newest_is_by_date_then_by_number_and_not_by_name() {
    let folder = Folder::new("newest");
    for name in ["2026-11-21", "2026-11-21.2", "2026-11-21.10", "2026-11-20.30"] {
        folder.write(&format!("{name}-kernels.csv"), &record(QUIET, name));
    }
    folder.write("2026-11-22-c-kernels.csv", &record(QUIET, "another kind"));
    folder.write("notes.csv", "no record");
    let tables = reader(&folder.0).newest("kernels").unwrap();
    let [table] = &tables[..] else { panic!("one for the machine") };
    assert_eq!(table.of(&table.rows()[0], "kernel"), "2026-11-21.10");
    assert_eq!((&table.machine[..], &table.date[..]), ("m-x2", "2026-11-21"));
    assert_eq!(reader(&folder.0).refused().unwrap().len(), 3);
}

#[test]
fn of_one_day_the_newest_is_by_time_whatever_the_files_and_machines_are_called() {
    let folder = Folder::new("times");
    let at = |time: &str| format!("# date: 2026-11-23T{time}Z\n{}", record(QUIET, time));
    folder.write("2026-11-23-kernels.csv", &at("22:34:12"));
    folder.write("2026-11-23.2-kernels.csv", &at("03:48:14"));
    folder.write("2026-11-23.3-kernels.csv", &record(QUIET, "without a time"));
    let newest = |tables: Vec<Table>| tables[0].of(&tables[0].rows()[0], "kernel").to_owned();
    assert_eq!(newest(reader(&folder.0).newest("kernels").unwrap()), "22:34:12");
    // With several machines: alphabetically the one in the middle.
    for (machine, time) in [("a-x2", "22:34:11"), ("z-x2", "22:34:13"), ("b-x2", "22:34:14")] {
        fs::create_dir(folder.0.join(machine)).unwrap();
        fs::write(folder.0.join(machine).join("2026-11-23-kernels.csv"), at(time)).unwrap();
    }
    assert_eq!(newest(reader(&folder.0).all("kernels").unwrap()), "22:34:14");
    // Without a time the text decides, so renaming the machines changes nothing.
    let first = [["c-x2", "d-x2"], ["d-x2", "c-x2"]].map(|machines| {
        for (machine, text) in machines.iter().zip(["one", "two"]) {
            let machine = folder.0.join(machine);
            fs::create_dir_all(&machine).unwrap();
            fs::write(machine.join("2026-11-23-calls.csv"), record(QUIET, text)).unwrap();
        }
        newest(reader(&folder.0).all("calls").unwrap())
    });
    assert_eq!(first[0], first[1]);
}

#[test]
fn figures_of_code_that_has_changed_are_skipped_or_marked_stale() {
    let folder = Folder::new("stale");
    let sources = "spec 1, engine 2, kernel 3, choose 4, keyed 5, ffi 6, sha_ni 1234abcd";
    let stated =
        |text: &str| format!("# sources: {text}\n{}", record(QUIET, "openssl,,1.9,1.9,5.9"));
    folder.write("2026-11-22-tiers.csv", &stated(sources));
    folder.write("2026-11-22-batch.csv", &stated(sources));
    folder.write("2026-11-22-calls.csv", &record(QUIET, "openssl,,1.9,1.9,5.9"));
    let reader = |now: &str| reader(&folder.0).of_sources(Fingerprints::parse(now));
    let note = |kind: &str, now: &str| {
        let tables = reader(now).newest(kind).unwrap();
        let stale = tables[0].stale().map(str::to_owned);
        let source = Source::of(&tables[0]).shown(&Cores::default());
        assert!(stale.iter().all(|stale| source.ends_with(&format!("; {stale}"))), "{source}");
        stale
    };
    assert_eq!(note("tiers", sources), None);
    assert_eq!(note("batch", sources), None);
    assert_eq!(note("tiers", &sources.replace("sha_ni", "keyed")), None, "no tier depends on it");
    let changed = sources.replace("choose 4", "choose 5");
    // Each row of `tiers` names its kernel; a batch depends on the rest of the engine too.
    assert_eq!(note("tiers", &changed).unwrap(), "the code has changed since (choose)");
    assert!(reader(&changed).newest("batch").unwrap().is_empty());
    let refused = reader(&changed).refused().unwrap();
    assert!(refused.iter().any(|(path, why)| {
        path.ends_with("2026-11-22-batch.csv") && why == "the code has changed since (choose)"
    }));
    assert!(reader(sources).refused().unwrap().is_empty());
    assert_eq!(note("calls", sources).unwrap(), "the code has changed since", "not recorded which");
}

#[test]
fn what_is_tainted_counts_as_not_there() {
    let folder = Folder::new("tainted");
    let tainted = QUIET.replace("5.9 moves", "8.3 moves");
    folder.write("2026-11-21-kernels.csv", &record(QUIET, "good"));
    folder.write("2026-11-22-kernels.csv", &record(&tainted, "tainted"));
    folder.write("2026-11-22-calls.csv", &record(&tainted, "tainted"));
    folder.write("2026-11-22-rtl-ecp5.csv", &record(&tainted, "no clock is in it"));
    let reader = reader(&folder.0);
    let tables = reader.newest("kernels").unwrap();
    assert_eq!(tables[0].of(&tables[0].rows()[0], "kernel"), "good");
    assert!(reader.newest("calls").unwrap().is_empty());
    assert_eq!(reader.refused().unwrap().len(), 2);
}

#[test]
fn rows_that_are_older_than_their_kernel_are_left_out() {
    let folder = Folder::new("older");
    let rows = "sha_ni_x1,sha_ni,1.9,1.91,5.9\nlanesum_hash,sha_ni,1.9,1.91,5.9\n\
                openssl,sha_ni,1.9,1.91,5.9";
    folder.write("2026-11-22-tiers.csv", &record(QUIET, rows));
    let rows = |kernels| {
        let tables =
            reader(&folder.0).of_sources(Fingerprints::parse(kernels)).newest("tiers").unwrap();
        tables[0].rows().len()
    };
    assert_eq!(rows("sha_ni 1234abcd"), 2, "the call may have taken another kernel");
    assert_eq!(rows("sha_ni 00000000"), 1, "of another kernel OpenSSL's figure alone is left");
}

#[test]
fn old_names_are_read_as_the_new() {
    let table = Table::parse(
        Path::new("x/2026-11-21.3-evp.csv"),
        "# what: Heddle\nprovider,\"a, b\"\nheddle,\"1, 2\"\n",
    );
    assert_eq!(table.says("what"), Some("Lanesum"));
    assert_eq!(
        table.find(&[("provider", "lanesum")]).map(|row| table.of(row, "a, b")),
        Some("1, 2")
    );
    let table = Table::parse(Path::new("x/2026-11-21-tiers.csv"), "tier,row\nsha_ni,sha_ni_x1\n");
    assert!(table.find(&[("kernel", "sha_ni_x1")]).is_some());
}

#[test]
fn a_record_is_of_what_its_name_says_and_not_of_a_part_of_it() {
    let of = |name| parts(Path::new(name));
    assert_eq!(of("record/x/2026-11-21-calls.csv"), Some(("2026-11-21", 1, "calls")));
    assert_eq!(of("record/x/2026-11-21.12-c-calls.csv"), Some(("2026-11-21", 12, "c-calls")));
    assert_eq!(of("record/x/notes.csv"), None);
}

#[test]
fn the_clock_of_a_record_is_what_its_probes_found() {
    let clock = |head: &str| Table::parse(Path::new("m/2026-11-22-x.csv"), head).ghz();
    let noise = |when: &str, ghz: &str| {
        format!(
            "# noise {when}: fixed work, median 1.01; 3.90 GHz (median {ghz}); 5.7 moves per cycle\n"
        )
    };
    let both = noise("before", "3.60") + &noise("after", "3.80");
    assert!(clock(&both).is_some_and(|ghz| (ghz - 3.7).abs() < 1e-9));
    assert_eq!(clock(&noise("before", "3.60")), Some(3.6));
    assert_eq!(clock("# load before: 1 2 3\n"), None);
}

/// A temporary directory with that of a machine, removed on drop.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("lanesum-{name}-{}", std::process::id()));
        fs::create_dir_all(path.join("m-x2")).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join("m-x2").join(name), text).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
