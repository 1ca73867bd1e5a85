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
        assert!(
            kept == text,
            "docs/{name} does not match the newest records: run `cargo xtask rtl-page`"
        );
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
    let before = &text_of(&folder);
    assert!(before.contains("`cargo xtask rtl-report RTL=layout` makes a record"), "{before}");
    // The second core has a path from an input that is longer than each path between registers.
    let text = "# tools: none\ncore,wires,ge,cells,um2,used_percent,wire_um,wire_pf,ns_ideal,ns,ns_in,ns_out,skew_ns,cpu_minutes\n\
                sha1_u1,none,9,9,90000,80,0,0,2.0,2.2,1.5,1.0,0.1,7\n\
                sha1_u1,placed,9,9,90000,80,9000,1,2.4,2.6,1.8,1.2,0.1,7\n\
                sha1_u1,routed,9,9,90000,80,9900,1.2,2.5,3.0,2.0,1.3,0.1,7\n\
                sha1_u2,none,9,9,90000,80,0,0,2.0,2.2,1.5,1.0,0.1,7\n\
                sha1_u2,routed,9,9,90000,80,9900,1.2,2.5,3.0,3.5,1.3,0.1,7\n\
                sha1_u4,none,9,9,90000,80,0,0,2.0,2.2,1.5,1.0,0.1,7\n\
                sha1_u4,placed,9,9,90000,80,9000,1,2.4,2.6,1.8,1.2,0.1,7\n";
    fs::write(folder.join("machine/2001-01-02-rtl-layout.csv"), text).unwrap();
    let page = &text_of(&folder);
    for line in [
        "| `sha1_u1` | extracted after routing | 9.9 | 1.2 | 2.50 | 3.00 | 0.10 | 2.00 | 1.30 |",
        "The period of `sha1_u1` after layout is 3.00 ns, +50 % over the 2.00 ns before it: wires +25 % (+20 % as \
         estimated after placement),\nthe clock tree +20 %. The longest path of a port is 2.00 ns, shorter than",
        "The period of `sha1_u2` after layout is 3.00 ns, +50 % over the 2.00 ns before it: wires +25 %,\n",
        "The period of `sha1_u4` after placement, with estimated wires, is 2.60 ns, +30 % over the 2.00 ns before",
        "longer than the longest between registers: without registers at\nthe ports the period is 40 % longer",
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

fn text_of(records: &Path) -> String {
    let files = page(records).unwrap();
    files.into_iter().find(|(name, _)| name == "hardware.md").unwrap().1
}
