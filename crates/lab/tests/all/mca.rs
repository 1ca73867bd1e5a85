//! The table of llvm-mca's cycles matches the shipped kernels, and the tool.

use std::process::Command;

use lanesum_kernels::mca::{lines, table, turns};
use lanesum_model::Models;
use lanesum_testkit::has_tool;

#[test]
fn the_table_has_every_shipped_kernel() {
    let table = table();
    let models = Models::built_in().unwrap();
    let found = lines(&models, |turn, cpu| {
        let fingerprint = turn.fingerprint();
        let wanted = [("kernel", &turn.kernel[..]), ("fingerprint", &fingerprint), ("cpu", cpu)];
        let cycles = table.figure(&wanted, "cycles");
        let missing = || format!("{} on {cpu}: `lanesum-graph mca` makes it", turn.kernel);
        Ok::<_, Box<dyn std::error::Error>>(cycles.ok_or_else(missing)? * turn.blocks as f64)
    });
    // The table has no other rows.
    assert_eq!(found.unwrap().lines().count(), table.rows().len() + 1);
}

#[test]
fn an_iteration_has_the_rounds_of_its_blocks() {
    for turn in turns().unwrap() {
        let rounds = if turn.kernel.starts_with("sha256") { 64 } else { 80 };
        // Σ1 and ROTL^5, or Ch, take at least eight instructions per round; no round has 60.
        let each = turn.text.lines().count() as f64 / (rounds * turn.blocks) as f64;
        assert!((8.0..60.0).contains(&each), "{}: {each} instructions a round", turn.kernel);
        assert!(turn.text.lines().all(|line| !line.starts_with('j')), "{}", turn.kernel);
    }
}

#[test]
fn the_table_matches_the_tool() {
    if !has_tool("llvm-mca-19") {
        return;
    }
    let output = Command::new(env!("CARGO_BIN_EXE_lanesum-graph"))
        .args(["mca", "--kernel", "sha1_bmi2"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8(output.stdout).unwrap();
    let kept = include_str!("../../../kernels/llvm-mca.csv");
    let of = |text: &str| -> Vec<String> {
        text.lines().filter(|line| line.starts_with("sha1_bmi2,")).map(str::to_owned).collect()
    };
    assert!(of(kept).len() == 3, "{kept}");
    assert_eq!(of(&said), of(kept));
}
