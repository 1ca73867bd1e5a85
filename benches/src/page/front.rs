//! The table of the front page: a few jobs, Lanesum and its peers, on every machine, and when they were measured.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::Result;
use lanesum_measure::{Reader, Table};

use crate::cores;

/// A job, the kind of record that holds it, and the row of each program.
struct Job {
    kind: &'static str,
    title: &'static str,
    unit: &'static str,
    /// The figure of a program, by its name in the record.
    figure: fn(&Table, &str) -> Option<String>,
    /// The name of each program in the record and on the page. The first is Lanesum.
    programs: &'static [(&'static str, &'static str)],
}

const JOBS: [Job; 4] = [
    Job {
        kind: "jobs",
        title: "a tree of 100,000 files, 1.6 GB, two cores",
        unit: "s",
        figure: |table, peer| job(table, "tree-small", peer),
        programs: &[
            ("lanesum", "`lanesum sum -r`"),
            ("go", "a parallel Go program, written for this comparison"),
            ("rhash", "`rhash -r`"),
            ("b3sum", "`b3sum` (BLAKE3)"),
            ("openssl xargs -P2", "`xargs -0 -P2 -n64 openssl dgst`"),
            ("coreutils xargs -P2", "`xargs -0 -P2 -n64 sha256sum`"),
        ],
    },
    Job {
        kind: "jobs",
        title: "one file of 4 GiB, two cores",
        unit: "s",
        figure: |table, peer| job(table, "file-large", peer),
        programs: &[
            ("lanesum", "`lanesum sum`"),
            ("go", "the Go program"),
            ("openssl xargs -P2", "`openssl dgst`"),
            ("b3sum", "`b3sum` (BLAKE3)"),
        ],
    },
    Job {
        kind: "batch",
        title: "2,048 messages of 64 B, one core",
        unit: "million/s",
        figure: batch,
        programs: &[
            ("lanesum", "`lanesum_hash_many`"),
            ("hashtree", "hashtree, for nodes of 64 B only"),
            ("commonware", "commonware-cryptography, a Rust crate"),
            ("tape-sha256", "tape-sha256, a Rust crate"),
            ("stringzilla", "StringZilla"),
            ("openssl", "OpenSSL, a call per message"),
        ],
    },
    Job {
        kind: "python",
        title: "Python, a list of 2,000,000 `bytes`, mean 60 B, one core",
        unit: "s",
        figure: python,
        programs: &[
            ("lanesum list", "`lanesum.digest_many`"),
            ("hashlib loop", "`hashlib.sha256` in a loop"),
        ],
    },
];

/// Median seconds of a whole program.
fn job(table: &Table, job: &str, peer: &str) -> Option<String> {
    let wanted = [("job", job), ("algorithm", "sha256"), ("cache", "warm"), ("peer", peer)];
    table.figure(&wanted, "wall_s_median").map(|seconds| format!("{seconds:.2}"))
}

fn batch(table: &Table, library: &str) -> Option<String> {
    let wanted =
        [("algorithm", "SHA256"), ("library", library), ("messages", "2048"), ("bytes", "64")];
    table.figure(&wanted, "ns_median").map(|ns| format!("{:.1}", 1e3 / ns))
}

fn python(table: &Table, peer: &str) -> Option<String> {
    let wanted = [("task", "list"), ("peer", peer), ("threads", "1")];
    table.figure(&wanted, "seconds_median").map(|seconds| format!("{seconds:.2}"))
}

/// The table, with a column for each machine, and a sentence for each machine on its records.
pub(super) fn table(reader: &Reader) -> Result<String> {
    let mut records: Vec<(&str, Vec<Table>)> = Vec::new();
    for job in &JOBS {
        if records.iter().all(|(kind, _)| *kind != job.kind) {
            records.push((job.kind, reader.newest(job.kind)?));
        }
    }
    Ok(rows(&records))
}

fn rows(records: &[(&str, Vec<Table>)]) -> String {
    let all = || records.iter().flat_map(|(_, tables)| tables);
    let of = |kind: &str, machine: &str| {
        let (_, tables) = records.iter().find(|(name, _)| *name == kind)?;
        tables.iter().find(|table| table.machine == machine)
    };
    let mut machines: Vec<&str> = all().map(|table| &table.machine[..]).collect();
    machines.sort_unstable();
    machines.dedup();
    if machines.is_empty() {
        return super::NOT_MEASURED.to_owned();
    }
    let mut lines = Vec::new();
    for job in &JOBS {
        let cells = |program: &str| -> Vec<Option<String>> {
            let figure = |machine: &&str| (job.figure)(of(job.kind, machine)?, program);
            machines.iter().map(figure).collect()
        };
        let ours = cells(job.programs[0].0);
        for (i, &(program, shown)) in job.programs.iter().enumerate() {
            // A peer's figure without ours compares nothing.
            let cells: Vec<_> = cells(program)
                .into_iter()
                .zip(&ours)
                .map(|(cell, ours)| cell.filter(|_| ours.is_some()))
                .collect();
            if cells.iter().any(Option::is_some) {
                let title =
                    if i == 0 { format!("{} ({})", job.title, job.unit) } else { String::new() };
                let cells = cells.into_iter().map(|cell| cell.unwrap_or_else(|| "-".into()));
                lines.push(format!(
                    "| {title} | {shown} | {} |",
                    cells.collect::<Vec<_>>().join(" | ")
                ));
            }
        }
    }
    let titles = machines.iter().filter_map(|&machine| {
        let table = all().find(|table| table.machine == machine)?;
        let core = cores::known().of(&table.processor, &table.machine);
        // Without the parenthesis that lists products with this core.
        Some(core.map_or(machine, |core| core.title.split(" (").next().unwrap_or_default()))
    });
    let titles: Vec<_> = titles.collect();
    let mut out = format!("| SHA-256 | program | {} |\n", titles.join(" | "));
    let _ = writeln!(out, "|---|---|{}", "---:|".repeat(machines.len()));
    lines.iter().for_each(|line| out.extend([line, "\n"]));
    let dash =
        if lines.iter().any(|line| line.contains("| - |")) { "; `-`: not measured" } else { "" };
    let _ = write!(out, "\nMedians, files in the page cache ([how](benches/README.md)){dash}.");
    for (machine, title) in machines.iter().zip(&titles) {
        let tables = records.iter().filter_map(|(kind, _)| of(kind, machine));
        let _ = write!(out, " {}", measured(title, &tables.collect::<Vec<_>>()));
    }
    out
}

/// A sentence on when a machine was measured.
fn measured(machine: &str, tables: &[&Table]) -> String {
    let shown = |kind: &str| match kind {
        "jobs" => "files".to_owned(),
        "batch" => "batches".to_owned(),
        "python" => "Python".to_owned(),
        kind => kind.to_owned(),
    };
    let of = |tables: &[&Table]| {
        tables.iter().map(|table| shown(&table.kind)).collect::<Vec<_>>().join(", ")
    };
    let mut days: BTreeMap<&str, Vec<&Table>> = BTreeMap::new();
    tables.iter().for_each(|table| days.entry(&table.date).or_default().push(table));
    let on: Vec<String> = match days.len() {
        1 => days.keys().map(|date| (*date).to_owned()).collect(),
        _ => days.iter().map(|(date, tables)| format!("{date} ({})", of(tables))).collect(),
    };
    let on = on.join(" and ");
    format!("{machine} was measured on {on}.")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn parsed(machine: &str, kind: &str, text: &str) -> Table {
        Table::parse(Path::new(&format!("{machine}/2026-11-23-{kind}.csv")), text)
    }

    #[test]
    fn every_machine_has_a_column_and_a_job_that_lanesum_loses_stays() {
        let head = "job,algorithm,cache,peer,wall_s_median\n";
        let text = format!(
            "{head}file-large,sha256,warm,lanesum,2.883\nfile-large,sha256,warm,go,2.757\n"
        );
        let jobs = vec![parsed("a", "jobs", &text)];
        let head = "algorithm,library,messages,bytes,ns_median\n";
        let batch = |ours: &str| {
            format!("{head}SHA256,lanesum,2048,64,{ours}\nSHA256,openssl,2048,64,200\n")
        };
        let batches = vec![parsed("a", "batch", &batch("50")), parsed("b", "batch", &batch("40"))];
        let shown = rows(&[("jobs", jobs), ("batch", batches)]);
        let expected = "| SHA-256 | program | a | b |\n|---|---|---:|---:|\n\
            | one file of 4 GiB, two cores (s) | `lanesum sum` | 2.88 | - |\n\
            |  | the Go program | 2.76 | - |\n\
            | 2,048 messages of 64 B, one core (million/s) | `lanesum_hash_many` | 20.0 | 25.0 |\n\
            |  | OpenSSL, a call per message | 5.0 | 5.0 |\n\n\
            Medians, files in the page cache ([how](benches/README.md)); `-`: not measured. \
            a was measured on 2026-11-23. b was measured on 2026-11-23.";
        assert_eq!(shown, expected);
    }

    #[test]
    fn records_of_two_days_have_two_dates() {
        let jobs = Table::parse(Path::new("a/2026-11-22-jobs.csv"), "job\n");
        let [batch, python] = ["batch", "python"].map(|kind| parsed("a", kind, "library\n"));
        let shown = measured("Zen", &[&jobs, &batch, &python]);
        assert_eq!(
            shown,
            "Zen was measured on 2026-11-22 (files) and 2026-11-23 (batches, Python)."
        );
    }

    #[test]
    fn a_peer_without_our_figure_is_not_shown() {
        let text = "task,peer,threads,seconds_median\nlist,hashlib loop,1,0.7\n";
        let shown = rows(&[("python", vec![parsed("a", "python", text)])]);
        assert!(!shown.contains("hashlib"), "{shown}");
        assert!(!shown.contains("not measured"), "{shown}");
    }
}
