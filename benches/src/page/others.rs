//! Tables of whole messages with the kernel that Lanesum selects, compared with other libraries.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use lanesum_measure::{Reader, Table};

use super::{ALGORITHMS, Figures, NOT_MEASURED, about};

/// The name of a library in records, and its own name.
pub(super) const LIBRARIES: [(&str, &str); 5] = [
    ("lanesum_hash", "Lanesum"),
    ("openssl", "OpenSSL"),
    ("aws-lc-rs", "AWS-LC"),
    ("ring", "ring"),
    ("rustcrypto", "RustCrypto"),
];

/// One line of a table: the message, and each library's figures.
fn line(out: &mut String, what: &str, figures: &[Option<Figures>], digits: usize) {
    let _ = write!(out, "| {what} |");
    for figure in figures {
        match figure {
            Some(figures) => {
                let _ = write!(out, " {} |", figures.shown(digits));
            }
            None => out.push_str(" |"),
        }
    }
    let best = figures[1..].iter().flatten().map(|figures| figures.median).reduce(f64::min);
    let ratio = figures[0].zip(best).map(|(ours, best)| format!("{:.3}", ours.median / best));
    let _ = writeln!(out, " {} |", ratio.unwrap_or_default());
}

/// The lines of one algorithm with their heading, or a note if Lanesum's figures are outdated.
fn table_of(
    out: &mut String,
    title: &str,
    lines: &[(String, Vec<Option<Figures>>)],
    digits: usize,
) {
    // Other libraries' figures without ours compare nothing.
    let lines: Vec<_> = lines.iter().filter(|(_, figures)| figures[0].is_some()).collect();
    out.push('\n');
    if lines.is_empty() {
        let _ =
            writeln!(out, "{title}: no current figures, because its kernels have changed since.");
        return;
    }
    heading(out, title);
    lines.iter().for_each(|(what, figures)| line(out, what, figures, digits));
}

fn heading(out: &mut String, what: &str) {
    let names: String = LIBRARIES.iter().map(|(_, name)| format!(" {name} |")).collect();
    let _ = writeln!(out, "| {what} |{names} ours / best other, median |");
    let _ = writeln!(out, "|---|{}", "---:|".repeat(LIBRARIES.len() + 1));
}

fn begin(out: &mut String, reader: &Reader, table: &Table) {
    let _ = writeln!(out, "\n### {}, {}\n", table.machine, table.date);
    out.push_str(&about(reader, table));
}

/// Cycles per byte, from the records of `kernels`.
pub(super) fn messages(reader: &Reader, tables: &[Table]) -> String {
    let mut out = String::from(
        "\n## Whole messages, by the CPU's best kernel\n\n\
         Core cycles per byte, one call per message. Every library selects its own code for this CPU; no CPU features are masked.\n",
    );
    if tables.is_empty() {
        let _ = writeln!(out, "\n{NOT_MEASURED}");
    }
    for table in tables {
        begin(&mut out, reader, table);
        for (algorithm, title, block) in ALGORITHMS {
            let of = |name: &str, blocks: &str| -> Option<Figures> {
                let wanted = [
                    ("algorithm", algorithm),
                    ("kernel", name),
                    ("lanes", "1"),
                    ("blocks", blocks),
                ];
                Figures::of(table, table.find(&wanted)?, "cycles_per_byte")
            };
            let lines = table.rows().iter().filter(|line| table.of(line, "algorithm") == algorithm);
            let blocks: BTreeSet<u64> =
                lines.filter_map(|line| table.of(line, "blocks").parse().ok()).collect();
            let line = |n: u64| {
                let figures = LIBRARIES.map(|(name, _)| of(name, &n.to_string()));
                (format!("{} B", n * block), figures.into())
            };
            table_of(&mut out, title, &blocks.into_iter().map(line).collect::<Vec<_>>(), 3);
        }
    }
    out
}

/// Cycles per call, from the records of `calls`.
pub(super) fn calls(reader: &Reader, tables: &[Table]) -> String {
    let mut out = String::from(
        "\n## Short messages, one call after another\n\n\
         Core cycles per call. *Fed back* means that each message begins with the previous digest, so each call depends on the\n\
         previous one.\n",
    );
    if tables.is_empty() {
        let _ = writeln!(out, "\n{NOT_MEASURED}");
    }
    for table in tables {
        begin(&mut out, reader, table);
        for (algorithm, title, _) in ALGORITHMS {
            let mut shapes: Vec<(&str, &str)> = table
                .rows()
                .iter()
                .map(|line| (table.of(line, "bytes"), table.of(line, "fed_back")))
                .collect();
            shapes.dedup();
            shapes.sort_by_key(|&(bytes, fed)| (fed == "yes", bytes.parse::<u64>().ok()));
            shapes.dedup();
            let line = |(bytes, fed): (&str, &str)| {
                let of = |(name, _): (&str, &str)| -> Option<Figures> {
                    let wanted = [
                        ("algorithm", algorithm),
                        ("library", name),
                        ("bytes", bytes),
                        ("fed_back", fed),
                    ];
                    Figures::of(table, table.find(&wanted)?, "cycles")
                };
                let what = if fed == "yes" { ", fed back" } else { "" };
                (format!("{bytes} B{what}"), LIBRARIES.map(of).into())
            };
            table_of(&mut out, title, &shapes.into_iter().map(line).collect::<Vec<_>>(), 0);
        }
    }
    out
}
