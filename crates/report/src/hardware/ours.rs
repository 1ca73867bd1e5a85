//! The page's tables beyond the paper: other forms of cores, and predictions.

use std::fmt::Write;

use lanesum_spec::Algorithm;

use super::records::{Row, TargetRecord};
use super::tables::{dash, period};

/// Cores that accept a block in every clock cycle, from the newest record that contains them:
/// measuring them takes hours.
pub(super) fn each_clock(records: &[TargetRecord]) -> String {
    let mut out = "\n## A block in every clock\n\n\
         These cores have as many stages as rounds, each with its own block; one netlist each. Records without\n\
         `sha1_u1_retimed` predate the carry-save form, and records of 2026-11-22 and earlier predate `zeroize_i` and\n\
         quiet registers.\n\n\
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

/// The energy of a clock without a block. Older records lack it.
pub(super) fn idle(cells: &TargetRecord) -> String {
    let mut rows = String::new();
    for row in &cells.rows {
        let get = |column: &str| row.get(column);
        let [Some(block), Some(clocks), Some(idle), Some(moving), Some(pins)] =
            ["energy_pj", "clocks_a_block", "idle_pj", "moving_pj", "clock_pj"].map(get)
        else {
            continue;
        };
        let busy = block / clocks - pins;
        // A sum of zero turns -0 into 0.
        let percent = |part: f64| format!("{:.1} ({:.1} %)", part + 0.0, 100.0 * part / busy + 0.0);
        let _ = writeln!(
            rows,
            "| `{}` | {busy:.1} | {} | {} | {pins:.1} |",
            row.name,
            percent(idle),
            percent(moving)
        );
    }
    if rows.is_empty() {
        return rows;
    }
    format!(
        "\n## Energy of an idle clock\n\n\
         After the last value was taken, in the same simulation: the energy of the gates per clock with a block, and\n\
         without one while the inputs hold still, and while `block_i` and `state_i` change in every clock. In\n\
         the last case no register changes; the energy is that of the input pins, and, without `--chain`, of the\n\
         adders that prepare the first round from the inputs. The flip-flops' clock pins add the same energy to\n\
         every clock, unless the clock is gated.\n\n\
         | core | gates, with a block: pJ per clock | idle | idle, inputs changing | clock pins |\n\
         |---|---:|---:|---:|---:|\n{rows}"
    )
}

/// The gain of the carry-save form.
pub(super) fn kept(cells: &TargetRecord) -> String {
    let mut out = "\n## A word in carry-save form\n\n\
         Each round adds ROTL^5 of the newest word x. If x is the sum of two words, x = S + C, the rotation\n\
         splits, modulo 2^32:\n\n\
         ```text\n\
         ROTL^5(x) = 32x + (x >> 27) = 32S + 32C + (x >> 27)\n\
         ```\n\n\
         A carry-save adder adds 32S and 32C to the other operands of the next sum a round earlier, without\n\
         waiting for x; only the five bits of x >> 27 arrive late. So from word to word there is one addition,\n\
         and the loop through F has a carry-save adder and an addition for two rounds. That is about A per\n\
         round, below the bound A + F/2, which applies to sums that need the whole rotated word. `--registers\n\
         retimed` omits this form.\n\n\
         | n | retimed: GE | ns (median, worst) | Mbps | carry-save: GE | ns (median, worst) | Mbps | gain |\n\
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
         With `--chain` the core stores the chaining value, and the blocks of a message continue from it: the clock\n\
         that ends a block starts the next, and a block of a message takes 80/n clocks. Without it, the value passes\n\
         through the ports, from a register: the next block of the same message starts a clock later than a block of\n\
         another message. The last column includes this clock.\n\n\
         | n | `--chain`: clocks | GE | ns (median, worst) | Mbps | Mbps per kGE | without: clocks | GE | ns | Mbps, blocks of many messages | Mbps, one message |\n\
         |---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n"
        .to_owned();
    for row in cells.rows.iter().filter(|row| row.chain && row.algorithm == Algorithm::SHA1) {
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
    out += "\nWithout idle clocks to amortize, the throughputs of four to sixteen rounds per clock differ by less than\n\
         5 %, and the core with the fewest rounds is the smallest.\n";
    out
}

/// SHA-512 compared with SHA-256.
pub(super) fn wide(cells: &TargetRecord) -> String {
    let mut out = "\n## SHA-256 and SHA-512\n\n\
         One round per clock. Without `--chain`, at the bound of their critical loop: A + C + Σ through one register.\n\
         With it, the chaining value is added in the last rounds and one more clock, and no clock is idle between the\n\
         blocks of a message.\n\n\
         | core | clocks | GE | ns (median, worst) | Mbps | Mbps per kGE | Mbps predicted |\n\
         |---|---:|---:|---:|---:|---:|---:|\n"
        .to_owned();
    let predicted = |row: &Row| row.mbps_at(row.get("clocks_a_block")?, row.get("predicted_ns")?);
    let found =
        |names: [&'static str; 2]| names.into_iter().filter_map(move |name| cells.find(name));
    let rows: Vec<&Row> = found(["sha256_u1", "sha512_u1"]).collect();
    for row in rows.iter().copied().chain(found(["sha256_u1_chain", "sha512_u1_chain"])) {
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

/// The goals: the quantity, the figure, and the core and column that should reach it.
const GOALS: [(&str, f64, bool, &str, &str); 7] = [
    ("SHA-1, one message, Mbps", 4200.0, true, "sha1_u4_chain", "mbps_best"),
    ("Mbps per kGE, above 4,000 Mbps", 230.0, true, "sha1_u4_chain", "mbps_best_per_k"),
    ("SHA-1 in eight stages, Mbps", 30000.0, true, "sha1_u2_p8", "mbps_best"),
    ("SHA-256, one block, Mbps", 2700.0, true, "sha256_u1", "mbps_best"),
    ("SHA-1 on ECP5, one block, Mbps", 1300.0, false, "sha1_u2", "mbps_best"),
    ("SHA-1 on ECP5, one message, Mbps", 1300.0, false, "sha1_u4_chain", "mbps_best"),
    ("SHA-1 on ECP5 in four stages, Mbps", 4000.0, false, "sha1_u2_p4", "mbps_best"),
];

/// The goals and the results.
pub(super) fn goals(cells: &TargetRecord, ecp5: Option<&TargetRecord>) -> String {
    let mut out =
        "\n## Goals\n\n| | goal | core | result | |\n|---|---:|---|---:|---|\n".to_owned();
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

/// The figures, and the residuals of Figure 7's lines.
pub(super) fn figures(cells: &TargetRecord) -> String {
    let mut out = "\n## Figures\n\n\
         Drawn from the graph; the critical path to the last addition is orange. S5 is a rotation to the left by\n\
         five.\n"
        .to_owned();
    for (name, text) in [
        ("1", "Figure 1: a round in the order of FIPS 180-4"),
        ("2", "Figure 2: a round as an equation, in the paper's order, with the delay of each sum"),
        ("3", "Figure 3: the loop that bounds the rounds, F and two additions over two registers"),
        ("4", "Figure 4: one round per clock, the paper's registers: 3A"),
        ("5", "Figure 5: two rounds per clock: 4A"),
        ("6", "Figure 6: eight rounds per clock, as equations: 10A + 3F"),
        ("7", "Figure 7: additions on a block's critical path and its time, with fitted lines"),
        ("t", "T_n: a round's share of the clock, falling to the bound as n grows"),
        ("area", "Area and throughput of every core tried in osu018"),
    ] {
        let _ = writeln!(out, "\n![{text}](figures/hardware-{name}.svg)\n\n*{text}.*");
    }
    out += "\nThe residuals of Figure 7's lines, in ns per block:\n\n| | ns per addition | at 0 | n = 1 | 2 | 4 | 8 |\n|---|---:|---:|---:|---:|---:|---:|\n";
    for (points, name) in super::block_times(cells).iter().zip(["paper", "here"]) {
        let (slope, rest) = super::drawings::fit(points);
        let left: Vec<String> =
            points.iter().map(|p| format!("{:+.1}", p.1 - slope * p.0 - rest)).collect();
        let _ = writeln!(out, "| {name} | {slope:.3} | {rest:.1} | {} |", left.join(" | "));
    }
    out
}

/// Predictions compared with measurements.
pub(super) fn predicted(records: &[(&str, Option<&TargetRecord>)]) -> String {
    let mut out = "\n## Predicted and measured clock\n\n\
         The delays of a target are fitted to small circuits, and the overhead of registers, selection and fan-out\n\
         only to `sha1_u1_retimed` (older records: `sha1_u1`). The other cores are not part of the fit. For the\n\
         paper's form on FPGAs the prediction is too high: consecutive sums overlap there, because the second\n\
         starts at the low bits while the first still carries into the high ones.\n\n\
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

/// All cores in standard cells.
pub(super) fn all(cells: &TargetRecord) -> String {
    let mut out = "\n## Every core tried in osu018\n\n\
         | core | clocks per block | GE | ns best | median | worst | netlists | Mbps | Mbps per kGE | nJ per block |\n\
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
