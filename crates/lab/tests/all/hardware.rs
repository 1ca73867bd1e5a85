//! The hardware page.

use std::fs;
use std::path::Path;

use lanesum_report::hardware::{PageError, page};

/// `lanesum-graph hardware` regenerates the page and its figures.
#[test]
fn the_page_matches_the_records() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let files = page(&root.join("benches/record")).unwrap();
    assert!(files.iter().any(|(name, _)| name == "hardware.md"));
    for (name, text) in files {
        let kept = fs::read_to_string(root.join("docs").join(&name)).unwrap();
        assert!(kept == text, "docs/{name} does not match the newest records: run `make rtl-page`");
    }
}

/// With a synthetic record, the page computes ratios, claims and prediction errors from its rows.
#[test]
fn claims_are_evaluated_from_the_record() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("records");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("machine")).unwrap();
    let missing = page(&folder).unwrap_err();
    assert!(matches!(missing, PageError::Missing("osu018")), "{missing}");
    let head = "# tools: none\ncore,clocks_a_block,area,ns,ns_best,ns_worst,runs,mbps_best,\
                predicted_ns,energy_pj\n";
    let row = |name: &str, clocks, ns: f64, energy| {
        let mbps = 512_000.0 / (f64::from(clocks) * ns);
        format!("{name},{clocks},1000,{ns},{ns},{ns},1,{mbps:.0},{:.2},{energy}\n", ns * 1.1)
    };
    // Older, and ignored.
    fs::write(folder.join("machine/2001-01-01-rtl-osu018.csv"), head).unwrap();
    let text = head.to_owned()
        + &row("sha1_u1_paper", 82, 4.0, 30_000)
        + &row("sha1_u2_paper", 42, 5.0, 40_000)
        + &row("sha1_u4_p4_paper", 6, 8.0, 20_000);
    fs::write(folder.join("machine/2001-01-02-rtl-osu018.csv"), text).unwrap();
    let files = page(&folder).unwrap();
    let page = &files.iter().find(|(name, _)| name == "hardware.md").unwrap().1;
    for line in [
        "| throughput, sha1_u2 | 1.46 | 1.56 | +7 % | within 10 % |",
        "| gates, sha1_u2 | 1.14 | 1.00 | -13 % | not within 10 % |",
        "* The pipeline needs the least energy: **confirmed** for its architecture here",
        "* Without a pipeline, 42 clocks (n = 2) need the least: **refuted** for its architecture here \
         (`sha1_u1_paper`)",
        "| osu018 | `sha1_u2_paper` | 5.50 | 5.00 | +10 % |",
        "| 5 | 126 / 27 | 126 / 36 (differs) |",
    ] {
        assert!(page.contains(line), "{line}\n{page}");
    }
}
