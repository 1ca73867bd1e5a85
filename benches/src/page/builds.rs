//! Builds: CPU seconds of the commands that users run, and the speed in cargo's dev profile.

use std::fmt::Write as _;

use lanesum_measure::Table;

/// The figures of a record as tables.
pub(super) fn in_words(table: &Table) -> Option<String> {
    let mut out = String::new();
    for row in table.rows() {
        let of = |column| table.of(row, column);
        if of("cpu_s_median").is_empty() {
            continue;
        }
        if out.is_empty() {
            out.push_str(
                "With an empty target directory and all crates downloaded before, median, and minimum to maximum of CPU seconds:\n\n\
                 | command | CPU seconds | seconds |\n|---|---:|---:|\n",
            );
        }
        let seconds = ["cpu_s_median", "cpu_s_min", "cpu_s_max", "wall_s_median"].map(|column| {
            of(column).parse::<f64>().map_or_else(|_| "-".into(), |value| format!("{value:.0}"))
        });
        let [median, least, most, wall] = seconds;
        let _ = writeln!(out, "| `{}` | {median} ({least} to {most}) | {wall} |", of("what"));
    }
    let batches = ["1000", "64"].iter().zip(["64", "16384"]).filter_map(|(messages, bytes)| {
        let case = |library| {
            [("what", "SHA-256"), ("library", library), ("messages", *messages), ("bytes", bytes)]
        };
        let ns = |library| table.figure(&case(library), "ns_median");
        let (ours, theirs) = (ns("lanesum")?, ns("sha2")?);
        let [ratio, low, high] = ["ratio_median", "ratio_low", "ratio_high"]
            .map(|column| Some(1.0 / table.figure(&case("sha2"), column)?));
        let (ratio, low, high) = (ratio?, high?, low?);
        Some(format!(
            "| {messages} messages of {bytes} bytes | {ours:.0} | {theirs:.0} | {ratio:.2} ({low:.2} to {high:.2}) |\n"
        ))
    });
    let batches: String = batches.collect();
    if !batches.is_empty() {
        let _ = write!(
            out,
            "\nIn cargo's dev profile, `lanesum::hash_many` and a loop with the crate `sha2`, SHA-256, median ns per message; the\n\
             median of the ratio, and its 95 % confidence interval. Above 1, Lanesum is faster.\n\n\
             | batch | Lanesum | sha2 | ratio |\n|---|---:|---:|---:|\n{batches}"
        );
    }
    (!out.is_empty()).then_some(out)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn commands_and_batches_have_a_table_each() {
        let text = "\
what,library,messages,bytes,ns_median,ratio_median,ratio_low,ratio_high,cpu_s_min,cpu_s_median,cpu_s_max,wall_s_median
SHA-256,lanesum,1000,64,500,,,,,,,
SHA-256,sha2,1000,64,1000,0.5,0.4,0.8,,,,
pip install,,,,,,,,90.4,100.6,110,60
";
        let shown = in_words(&Table::parse(Path::new("a/2026-11-29-builds.csv"), text)).unwrap();
        assert!(shown.contains("| `pip install` | 101 (90 to 110) | 60 |"), "{shown}");
        assert!(
            shown.contains("| 1000 messages of 64 bytes | 500 | 1000 | 2.00 (1.25 to 2.50) |"),
            "{shown}"
        );
        let none = "what,library,messages,bytes,ns_median,cpu_s_median\n";
        assert_eq!(in_words(&Table::parse(Path::new("a/2026-11-29-builds.csv"), none)), None);
    }
}
