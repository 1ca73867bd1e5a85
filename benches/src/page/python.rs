//! Columns and calls in Python: the picture and the table of `docs/python-columns.md`.

use std::fmt::Write as _;

use lanesum_measure::Table;

use super::bars::{Of, Panel};

/// The name of a peer in records, and its common name.
type Name = (&'static str, &'static str);

/// Tasks with many values: title, task, the peers to compare with, and ours.
const MANY: [(&str, &str, &[Name], Name); 4] = [
    (
        "a column of strings, digests as bytes or, where marked, hexadecimal",
        "column",
        &[
            ("clickhouse", "ClickHouse (chdb)"),
            ("datafusion", "DataFusion"),
            ("polars-hash hex", "polars-hash (hexadecimal)"),
            ("duckdb hex", "DuckDB (hexadecimal)"),
            ("hashlib str loop", "hashlib, in a loop (hexadecimal)"),
        ],
        ("lanesum", "digest_many"),
    ),
    (
        "the same column, digests as hexadecimal",
        "column",
        &[("polars-hash hex", "polars-hash"), ("duckdb hex", "DuckDB")],
        ("lanesum hex", "digest_many"),
    ),
    (
        "a list of bytes",
        "list",
        &[("hashlib loop", "hashlib, in a loop")],
        ("lanesum list", "digest_many"),
    ),
    (
        "a list of bytes, HMAC",
        "list",
        &[("hmac loop", "hmac.digest, in a loop")],
        ("lanesum hmac list", "hmac_many"),
    ),
];

/// Millions of values per second.
fn rate(table: &Table, task: &str, peer: &str, threads: &str) -> Option<f64> {
    let wanted = [("task", task), ("peer", peer), ("threads", threads)];
    let rows = table.figure(&wanted, "rows")?;
    Some(rows / table.figure(&wanted, "seconds_median")? / 1e6)
}

/// Seconds of a call that has no rows.
fn seconds(table: &Table, task: &str, peer: &str) -> Option<f64> {
    table.figure(&[("task", task), ("peer", peer)], "seconds_median")
}

/// Bars before and after, for each task that the record has.
pub(super) fn panels(table: &Table) -> Vec<Panel> {
    let panel = |&(title, task, before, after): &(&str, &str, &[Name], Name)| {
        let title = format!("Python: {title}, SHA-256, one core");
        let mut panel = Panel::new(title, "million/s", table);
        for (peer, shown) in before {
            // A loop always uses a list, also when compared with a column.
            let task = if peer.ends_with("loop") { "list" } else { task };
            panel.bar(shown, Of::Others, rate(table, task, peer, "1"));
        }
        panel.bar(after.1, Of::Ours, rate(table, task, after.0, "1"));
        panel.compares(&[Of::Ours, Of::Others]).then_some(panel)
    };
    MANY.iter().filter_map(panel).collect()
}

/// A table of the rates with one and two threads, and sentences on tasks without rows.
pub(super) fn in_words(table: &Table) -> Option<String> {
    let mut out = String::from(
        "Millions of values per second, SHA-256 of strings of mean 60 bytes, median \
         (-: not measured):\n\n\
         | | one core | two |\n|---|---:|---:|\n",
    );
    let mut any = false;
    let mut line = |shown: &str, task: &str, peer: &str| {
        let [one, two] = ["1", "2"].map(|threads| rate(table, task, peer, threads));
        if let Some(one) = one {
            any = true;
            let two = two.map_or("-".into(), |two| format!("{two:.1}"));
            let _ = writeln!(out, "| {shown} | {one:.1} | {two} |");
        }
    };
    for (shown, task, peer) in [
        ("`digest_many` of an Arrow column", "column", "lanesum"),
        ("`digest_many` of it, hexadecimal", "column", "lanesum hex"),
        ("`hmac_many` of it", "column", "lanesum hmac"),
        ("ClickHouse (chdb)", "column", "clickhouse"),
        ("DataFusion", "column", "datafusion"),
        ("polars-hash, hexadecimal", "column", "polars-hash hex"),
        ("DuckDB, hexadecimal", "column", "duckdb hex"),
        ("`digest_many` of a list of `bytes`", "list", "lanesum list"),
        ("`hashlib` in a loop", "list", "hashlib loop"),
        ("`digest_many` of a list of `str`, hexadecimal", "list", "lanesum str list"),
        ("`hashlib` in a loop over `str`, hexadecimal", "list", "hashlib str loop"),
        ("`hmac_many` of a list", "list", "lanesum hmac list"),
        ("`hmac.digest` in a loop", "list", "hmac loop"),
    ] {
        line(shown, task, peer);
    }
    let beside =
        |ours, theirs| Some((seconds(table, "call", ours)?, seconds(table, "call", theirs)?));
    if let Some((ours, theirs)) = beside("lanesum call", "hashlib call") {
        let _ = writeln!(
            out,
            "\nOne call `sha256(b).digest()` of 64 bytes takes {:.0} ns, `hashlib`'s {:.0} ns.",
            1e3 * ours,
            1e3 * theirs
        );
    }
    if let Some((ours, theirs)) = beside("lanesum pbkdf2", "hashlib pbkdf2") {
        let _ = writeln!(
            out,
            "PBKDF2 of 1,000 passwords with 1,000 iterations each takes {ours:.2} s with `pbkdf2_many`, and {theirs:.2} s with\n\
             `hashlib.pbkdf2_hmac`, one core."
        );
    }
    if let Some(import) = seconds(table, "import", "lanesum") {
        let _ = writeln!(out, "`import lanesum` takes {:.0} ms.", 1e3 * import);
    }
    any.then_some(out)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn what_a_record_has_is_drawn_and_said() {
        let text = "task,peer,threads,rows,rounds,seconds_min,seconds_median\n\
                    column,lanesum,1,10000000,5,0.3,0.4\ncolumn,lanesum,2,10000000,5,0.2,0.2\n\
                    column,clickhouse,1,10000000,0,absent,absent\n\
                    column,datafusion,1,10000000,5,0.9,1.0\n\
                    call,lanesum call,1,0,5,0.15,0.15\ncall,hashlib call,1,0,5,0.25,0.25\n";
        let table = Table::parse(Path::new("here/2026-11-23-python.csv"), text);
        let [panel] = &panels(&table)[..] else { panic!("a panel for what has ours and theirs") };
        let shown: Vec<_> = panel.bars.iter().map(|bar| (&bar.0[..], bar.2.round())).collect();
        assert_eq!(shown, [("DataFusion", 10.0), ("digest_many", 25.0)]);
        let words = in_words(&table).unwrap();
        assert!(words.contains("| `digest_many` of an Arrow column | 25.0 | 50.0 |"), "{words}");
        assert!(words.contains("150 ns") && words.contains("250 ns"), "{words}");
        assert!(!words.contains("ClickHouse"), "{words}");
    }
}
