//! The page's tables of what the paper has not: cores of other forms, and what was predicted.

use std::fmt::Write;

use super::records::{Row, TargetRecord};
use super::tables::{dash, period};

/// A block in every clock, from the newest record that has such cores: they take hours.
pub(super) fn each_clock(records: &[TargetRecord]) -> String {
    let mut out = "\n## A block in every clock\n\n\
         As many stages as rounds, each of a block of its own; one netlist. Of a record without the\n\
         word in carry-save form if it has no `sha1_u1_retimed`.\n\n\
         | core | record | GE | ns | Mbps | Mbps per kGE |\n|---|---|---:|---:|---:|---:|\n"
        .to_owned();
    for name in ["sha1_u1_p80", "sha256_u1_p64"] {
        let found = records.iter().find_map(|record| Some((record, record.find(name)?)));
        let Some((record, row)) = found else { continue };
        let _ = writeln!(
            out,
            "| `{name}` | `{}` | {} | {} | {} | {} |",
            record.name,
            dash(row.get("area"), 0),
            dash(row.get("ns_best"), 2),
            dash(row.mbps(), 0),
            dash(row.get("mbps_best_per_k"), 0)
        );
    }
    out
}

/// 16 or 80 words of the schedule.
pub(super) fn schedule(cells: &TargetRecord) -> String {
    let mut out = "\n## Sixteen words of the schedule, or all eighty\n\n\
         The paper weighed both and took 16 (`--schedule 16`, the default). With 80 each W_t has a\n\
         register and its own three ⊕, and what a clock reads is chosen among them a clock before.\n\n\
         | core | words | GE | ns (median, worst) | Mbps | nJ a block |\n|---|---:|---:|---:|---:|---:|\n"
        .to_owned();
    for name in ["sha1_u1_paper", "sha1_u1_paper_w80", "sha1_u1", "sha1_u1_w80"] {
        let Some(row) = cells.find(name) else { continue };
        let _ = writeln!(
            out,
            "| `{name}` | {} | {} | {} | {} | {} |",
            if row.whole { 80 } else { 16 },
            dash(row.get("area"), 0),
            period(Some(row)),
            dash(row.mbps(), 0),
            dash(row.get("energy_pj").map(|e| e / 1000.0), 1)
        );
    }
    let both = cells.find("sha1_u1").zip(cells.find("sha1_u1_w80"));
    if let Some((window, whole)) = both
        && let Some((x, y)) = whole.get("area").zip(window.get("area"))
    {
        let _ = writeln!(
            out,
            "\nThe schedule is on no critical path with either, so that the clock gains nothing but what netlists\n\
             differ by, for {:.1} times the area: sixteen it is.",
            x / y
        );
    }
    out
}

/// What the carry-save form gave.
pub(super) fn kept(cells: &TargetRecord) -> String {
    let mut out = "\n## A word kept in carry-save form\n\n\
         A rotation splits: ROTL^5(x) = 32x + (x >> 27) modulo 2^32. Of the newest word the next sum then\n\
         waits for five bits alone; all else is added a round earlier, from the two words that the\n\
         newest one's own addition was given. Between words there is one addition of two operands, and the\n\
         loop through F has a carry-save adder and an addition for two rounds: about A a round, below the bound\n\
         A + F/2 of sums that take the rotated word whole. `--registers retimed` leaves this out.\n\n\
         | n | retimed: GE | ns (median, worst) | Mbps | kept: GE | ns (median, worst) | Mbps | gain |\n\
         |---:|---:|---:|---:|---:|---:|---:|---:|\n"
        .to_owned();
    for n in [1, 2, 4] {
        let (before, after) = (format!("sha1_u{n}_retimed"), format!("sha1_u{n}"));
        let (Some(before), Some(after)) = (cells.find(&before), cells.find(&after)) else {
            continue;
        };
        let show = |row: &Row| {
            format!(
                "{} | {} | {}",
                dash(row.get("area"), 0),
                period(Some(row)),
                dash(row.mbps(), 0)
            )
        };
        let gain = after.mbps().zip(before.mbps()).map(|(x, y)| 100.0 * (x / y - 1.0));
        let _ = writeln!(out, "| {n} | {} | {} | {} % |", show(before), show(after), dash(gain, 0));
    }
    out
}

/// A message without an idle clock.
pub(super) fn chained(cells: &TargetRecord) -> String {
    let mut out = "\n## A message without an idle clock\n\n\
         With `--chain` the core keeps the chaining value, and `chain_i` makes a block go on from the one\n\
         before it: the clock that ends a block begins the next, and a block of a message takes 80/n clocks.\n\
         A core without it has its value go around through the ports. Within the clock that makes it, that is a\n\
         longer way than any in the core; with a register on it each block of a message takes a clock more than\n\
         a block of another message would, which is what the last column counts.\n\n\
         | n | kept: clocks | GE | ns (median, worst) | Mbps | Mbps per kGE | without: clocks | GE | ns | Mbps, blocks of many messages | Mbps, one message |\n\
         |---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n"
        .to_owned();
    for row in cells.rows.iter().filter(|row| row.chain) {
        let without = cells.find(row.name.trim_end_matches("_chain"));
        let get = |c: &str| without.and_then(|r| r.get(c));
        let around =
            without.and_then(|r| r.mbps_at(r.get("clocks_a_block")? + 1.0, r.get("ns_best")?));
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            row.unfold,
            dash(row.get("clocks_a_block"), 0),
            dash(row.get("area"), 0),
            period(Some(row)),
            dash(row.mbps(), 0),
            dash(row.get("mbps_best_per_k"), 0),
            dash(get("clocks_a_block"), 0),
            dash(get("area"), 0),
            dash(get("ns_best"), 2),
            dash(get("mbps_best"), 0),
            dash(around, 0),
        );
    }
    out += "\nWithout idle clocks to share out, four to sixteen rounds a clock differ by less than a twentieth,\n\
         and the fewest take the least room.\n";
    out
}

/// SHA-512 beside SHA-256.
pub(super) fn wide(cells: &TargetRecord) -> String {
    let mut out = "\n## SHA-256 and SHA-512\n\n\
         One round a clock, at the bound of their loop, which has one register: A, C and Σ.\n\n\
         | core | clocks | GE | ns (median, worst) | Mbps | Mbps per kGE | Mbps predicted |\n\
         |---|---:|---:|---:|---:|---:|---:|\n"
        .to_owned();
    let predicted = |row: &Row| row.mbps_at(row.get("clocks_a_block")?, row.get("predicted_ns")?);
    let rows: Vec<&Row> =
        ["sha256_u1", "sha512_u1"].iter().filter_map(|name| cells.find(name)).collect();
    for row in &rows {
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | {} | {} | {} | {} |",
            row.name,
            dash(row.get("clocks_a_block"), 0),
            dash(row.get("area"), 0),
            period(Some(row)),
            dash(row.mbps(), 0),
            dash(row.get("mbps_best_per_k"), 0),
            dash(predicted(row), 0),
        );
    }
    if let [narrow, wide] = rows[..]
        && let Some((x, y)) = wide.mbps().zip(narrow.mbps())
        && let Some((p, q)) = predicted(wide).zip(predicted(narrow))
    {
        let _ = writeln!(
            out,
            "\nSHA-512 has {:.2} times the throughput of SHA-256, {:.2} times by the model: twice the bits, and\n\
             more rounds and longer carries.",
            x / y,
            p / q
        );
    }
    out
}

/// What was aimed at: what it is, the figure, and the core and column that are to reach it.
const GOALS: [(&str, f64, bool, &str, &str); 7] = [
    ("SHA-1, one message, Mbps", 4200.0, true, "sha1_u4_chain", "mbps_best"),
    ("the same, Mbps per kGE above 4,000 Mbps", 230.0, true, "sha1_u4_chain", "mbps_best_per_k"),
    ("SHA-1 in eight stages, Mbps", 30000.0, true, "sha1_u2_p8", "mbps_best"),
    ("SHA-256, one block, Mbps", 2700.0, true, "sha256_u1", "mbps_best"),
    ("SHA-1 on ECP5, one block, Mbps", 1300.0, false, "sha1_u2", "mbps_best"),
    ("SHA-1 on ECP5, one message, Mbps", 1300.0, false, "sha1_u4_chain", "mbps_best"),
    ("SHA-1 on ECP5 in four stages, Mbps", 4000.0, false, "sha1_u2_p4", "mbps_best"),
];

/// What was aimed at, and what is.
pub(super) fn goals(cells: &TargetRecord, ecp5: Option<&TargetRecord>) -> String {
    let mut out =
        "\n## What was aimed at\n\n| | aim | core | is | |\n|---|---:|---|---:|---|\n".to_owned();
    for (what, aim, in_cells, name, column) in GOALS {
        let record = if in_cells { Some(cells) } else { ecp5 };
        let found = record.and_then(|r| r.find(name)).and_then(|row| row.get(column));
        let verdict = match found {
            Some(found) if found >= aim => "reached",
            Some(_) => "missed",
            None => "not measured",
        };
        let _ = writeln!(out, "| {what} | {aim} | `{name}` | {} | {verdict} |", dash(found, 0));
    }
    out
}

/// The figures, and what Figure 7's lines leave.
pub(super) fn figures(cells: &TargetRecord) -> String {
    let mut out = "\n## Figures\n\n\
         Drawn from the graph; in orange what the last addition waits for. S5 is a rotation to the left by\n\
         five.\n"
        .to_owned();
    for (name, text) in [
        ("1", "Figure 1: a round in the order of FIPS 180-4"),
        ("2", "Figure 2: the same as an equation, in the paper's order, with when it is ready"),
        ("3", "Figure 3: the loop that bounds the rounds, F and two additions over two registers"),
        ("4", "Figure 4: one round a clock, the paper's registers: 3A"),
        ("5", "Figure 5: two rounds a clock: 4A"),
        ("6", "Figure 6: eight rounds a clock, as equations: 10A + 3F"),
        (
            "7",
            "Figure 7: additions on a block's critical path and its time, with lines through them",
        ),
        ("t", "T_n: a round's share of the clock, falling to the bound as n grows"),
        ("area", "Area and throughput of every core tried in osu018"),
    ] {
        let _ = writeln!(out, "\n![{text}](figures/hardware-{name}.svg)\n\n*{text}.*");
    }
    out += "\nWhat the lines of Figure 7 leave, in ns of a block:\n\n| | ns for each addition | at 0 | n = 1 | 2 | 4 | 8 |\n|---|---:|---:|---:|---:|---:|---:|\n";
    for (points, name) in super::block_times(cells).iter().zip(["paper", "here"]) {
        let (slope, rest) = super::drawings::fit(points);
        let left: Vec<String> =
            points.iter().map(|p| format!("{:+.1}", p.1 - slope * p.0 - rest)).collect();
        let _ = writeln!(out, "| {name} | {slope:.3} | {rest:.1} | {} |", left.join(" | "));
    }
    out
}

/// Predictions beside what was measured.
pub(super) fn predicted(records: &[(&str, Option<&TargetRecord>)]) -> String {
    let mut out = "\n## Predicted and measured clock\n\n\
         Delays of a target are fitted to small circuits, and what registers, selection and fan-out add to\n\
         `sha1_u1_retimed` alone (older records: `sha1_u1`); every other core is held out of the fit.\n\
         Of the paper's form a prediction for FPGAs is too long: sums one after another overlap there, the\n\
         second beginning at the low bits while the first still carries to the high ones.\n\n\
         | target | core | predicted ns | measured ns (median) | error |\n|---|---|---:|---:|---:|\n"
        .to_owned();
    for (target, record) in records {
        let mut errors = Vec::new();
        for row in record.iter().flat_map(|r| &r.rows) {
            let Some((predicted, ns)) = row.get("predicted_ns").zip(row.get("ns")) else {
                continue;
            };
            let error = 100.0 * (predicted / ns - 1.0);
            errors.push(error.abs());
            let _ = writeln!(
                out,
                "| {target} | `{}` | {predicted:.2} | {ns:.2} | {error:+.0} % |",
                row.name
            );
        }
        if !errors.is_empty() {
            let mean = errors.iter().sum::<f64>() / errors.len() as f64;
            let most = errors.iter().copied().fold(0.0, f64::max);
            let _ = writeln!(out, "| {target} | *mean, greatest* | | | {mean:.0} %, {most:.0} % |");
        }
    }
    out
}

/// Everything that was tried in cells.
pub(super) fn all(cells: &TargetRecord) -> String {
    let mut out = "\n## Every core tried in osu018\n\n\
         | core | clocks a block | GE | ns best | median | worst | netlists | Mbps | Mbps per kGE | nJ a block |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n"
        .to_owned();
    for row in &cells.rows {
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            row.name,
            dash(row.get("clocks_a_block"), 0),
            dash(row.get("area"), 0),
            dash(row.get("ns_best"), 2),
            dash(row.get("ns"), 2),
            dash(row.get("ns_worst"), 2),
            dash(row.get("runs"), 0),
            dash(row.mbps(), 0),
            dash(row.get("mbps_best_per_k"), 0),
            dash(row.get("energy_pj").map(|e| e / 1000.0), 1)
        );
    }
    out
}
