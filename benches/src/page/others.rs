//! Tables of whole messages by the row that Lanesum takes of itself, beside other libraries.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::ALGORITHMS;
use super::table::Table;

/// What a record calls a library, and what it calls itself.
const LIBRARIES: [(&str, &str); 5] = [
    ("lanesum_hash", "Lanesum"),
    ("openssl", "OpenSSL"),
    ("aws-lc-rs", "AWS-LC"),
    ("ring", "ring"),
    ("rustcrypto", "RustCrypto"),
];

/// A figure that may be missing: least and median.
type Pair = Option<(f64, f64)>;

/// One line of a table: what was hashed, and each library's figures.
fn line(out: &mut String, what: &str, figures: &[Pair], digits: usize) {
    let _ = write!(out, "| {what} |");
    for figure in figures {
        match figure {
            Some((least, median)) => {
                let _ = write!(out, " {least:.digits$} / {median:.digits$} |");
            }
            None => out.push_str(" |"),
        }
    }
    let best = figures[1..].iter().flatten().map(|pair| pair.1).reduce(f64::min);
    let ratio = figures[0].zip(best).map(|(ours, best)| format!("{:.3}", ours.1 / best));
    let _ = writeln!(out, " {} |", ratio.unwrap_or_default());
}

fn heading(out: &mut String, what: &str) {
    let names: String = LIBRARIES.iter().map(|(_, name)| format!(" {name} |")).collect();
    let _ = writeln!(out, "| {what} |{names} ours / best other, median |");
    let _ = writeln!(out, "|---|{}", "---:|".repeat(LIBRARIES.len() + 1));
}

fn begin(out: &mut String, table: &Table) {
    let _ = writeln!(out, "\n### {}, {}\n", table.machine, table.day);
    for (key, value) in &table.head {
        if ["libraries", "noise before", "noise after"].contains(&key.as_str()) {
            let _ = writeln!(out, "- {key}: {value}");
        }
    }
}

/// Cycles a byte, from the records of `kernels`.
pub(super) fn messages(tables: &[Table]) -> String {
    let mut out = String::from(
        "\n## Whole messages, by the CPU's best row\n\n\
         One call for each message, cycles of the core for each byte, least and median; nothing is\n\
         forced or masked.\n",
    );
    for table in tables {
        begin(&mut out, table);
        for (algorithm, title, block) in ALGORITHMS {
            let of = |name: &str, blocks: &str| -> Pair {
                let wanted =
                    [("algorithm", algorithm), ("row", name), ("lanes", "1"), ("blocks", blocks)];
                Some((
                    table.number(&wanted, "cycles_per_byte_min")?,
                    table.number(&wanted, "cycles_per_byte_median")?,
                ))
            };
            let lines = table.lines.iter().filter(|line| table.of(line, "algorithm") == algorithm);
            let blocks: BTreeSet<u64> =
                lines.filter_map(|line| table.of(line, "blocks").parse().ok()).collect();
            out.push('\n');
            heading(&mut out, title);
            for n in blocks {
                let figures = LIBRARIES.map(|(name, _)| of(name, &n.to_string()));
                if figures[0].is_some() {
                    line(&mut out, &format!("{} B", n * block), &figures, 3);
                }
            }
        }
    }
    out
}

/// Cycles a call, from the records of `calls`.
pub(super) fn calls(tables: &[Table]) -> String {
    if tables.is_empty() {
        return String::new();
    }
    let mut out = String::from(
        "\n## Short messages, one call after another\n\n\
         Cycles of the core for each call, least and median. *Fed back*: a message begins with the\n\
         digest of the one before, so that a call waits for the last.\n",
    );
    for table in tables {
        begin(&mut out, table);
        for (algorithm, title, _) in ALGORITHMS {
            let mut shapes: Vec<(&str, &str)> = table
                .lines
                .iter()
                .map(|line| (table.of(line, "bytes"), table.of(line, "fed_back")))
                .collect();
            shapes.dedup();
            shapes.sort_by_key(|&(bytes, fed)| (fed == "yes", bytes.parse::<u64>().ok()));
            shapes.dedup();
            out.push('\n');
            heading(&mut out, title);
            for (bytes, fed) in shapes {
                let of = |(name, _): (&str, &str)| -> Pair {
                    let wanted = [
                        ("algorithm", algorithm),
                        ("library", name),
                        ("bytes", bytes),
                        ("fed_back", fed),
                    ];
                    Some((
                        table.number(&wanted, "cycles_min")?,
                        table.number(&wanted, "cycles_median")?,
                    ))
                };
                let what = if fed == "yes" { ", fed back" } else { "" };
                line(&mut out, &format!("{bytes} B{what}"), &LIBRARIES.map(of), 0);
            }
        }
    }
    out
}
