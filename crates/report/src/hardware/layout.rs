//! What figures before layout leave out: wires, a clock tree, and the paths from and to ports.

use std::fmt::Write;

use super::records::{Row, TargetRecord};
use super::tables::dash;

/// The kinds of wires in a record of `cargo xtask rtl-report RTL=layout`.
const WIRES: [(&str, &str); 3] = [
    ("none", "none: before layout"),
    ("placed", "estimated after placement"),
    ("routed", "extracted after routing"),
];

const TITLE: &str = "\n## What figures before layout leave out\n\n";

/// The section on laid-out cores.
pub(super) fn layout(record: Option<&TargetRecord>) -> String {
    let Some(record) = record else {
        return format!(
            "{TITLE}Not measured: `cargo xtask rtl-report RTL=layout` makes a record.\n"
        );
    };
    let mut out = format!(
        "{TITLE}Record: `{}`. The periods of Table 3 are of netlists whose pins are the only loads, with an ideal clock.\n\
         `rtl/flow/layout` builds the rest with Debian's tools: a tree of clock buffers with twelve loads each, placement by\n\
         graywolf, and routing on six layers by qrouter. Wires have the resistance and capacitance that the cells' LEF file\n\
         states for each layer, and vias 6 ohm (assumed); estimated wires are half the perimeter around the pins of a net. yosys proves the netlist\n\
         of the layout equivalent to the synthesized one, and a check of the geometry requires that the metal of each net\n\
         touches all its pins and no other net (qrouter sometimes writes the via to a pin at the wrong end of a wire, and\n\
         `layout.py mend` moves it). An input arrives 0.2 ns after the clock, and an output is due 0.1 ns\n\
         before it. ns between registers are with an ideal clock, and with the clock tree.\n\n\
         | core | wires | mm | pF | ns, ideal clock | ns, clock tree | skew, ns | ns from inputs | ns to outputs |\n\
         |---|---|---:|---:|---:|---:|---:|---:|---:|\n",
        record.name
    );
    let mut verdicts = String::new();
    let mut names: Vec<&str> = record.rows.iter().map(|row| row.name.as_str()).collect();
    names.dedup();
    for name in names {
        let of = |wires: &str| {
            record.rows.iter().find(|row| row.name == name && row.word("wires") == Some(wires))
        };
        for (wires, title) in WIRES {
            let Some(row) = of(wires) else { continue };
            let get = |column: &str, digits: usize| dash(row.get(column), digits);
            let _ = writeln!(
                out,
                "| `{name}` | {title} | {} | {} | {} | {} | {} | {} | {} |",
                dash(row.get("wire_um").map(|um| um / 1000.0), 1),
                get("wire_pf", 1),
                get("ns_ideal", 2),
                get("ns", 2),
                get("skew_ns", 2),
                get("ns_in", 2),
                get("ns_out", 2),
            );
        }
        if let (Some(before), Some(last)) = (of("none"), of("routed").or(of("placed"))) {
            verdicts += &verdict(name, before, of("placed"), last).unwrap_or_default();
        }
    }
    out + &verdicts
}

/// Compares the period before layout with the one with the wires of `last`, and with the paths of the ports.
fn verdict(name: &str, before: &Row, placed: Option<&Row>, last: &Row) -> Option<String> {
    let (early, ideal, late) = (before.get("ns_ideal")?, last.get("ns_ideal")?, last.get("ns")?);
    let percent = |from: f64, to: f64| format!("{:+.0} %", 100.0 * (to / from - 1.0));
    let routed = last.word("wires") == Some("routed");
    let estimated = placed.filter(|_| routed).and_then(|row| row.get("ns_ideal"));
    let estimated = estimated.map_or_else(String::new, |ns| {
        format!(" ({} as estimated after placement)", percent(early, ns))
    });
    let ports = last.get("ns_in")?.max(last.get("ns_out")?);
    let ports = if ports <= ideal {
        format!(
            "The longest path of a port is {ports:.2} ns, shorter than the longest between registers, so registers at the\n\
             ports would not shorten the period"
        )
    } else {
        format!(
            "The longest path of a port is {ports:.2} ns, longer than the longest between registers: without registers at\n\
             the ports the period is {} longer",
            percent(ideal, ports).trim_start_matches('+')
        )
    };
    Some(format!(
        "\nThe period of `{name}` {} is {late:.2} ns, {} over the {early:.2} ns before it: wires {}{estimated},\n\
         the clock tree {}. {ports}. The cells fill {} % of {:.2} mm². The\n\
         {} took {} CPU minutes.\n",
        if routed { "after layout" } else { "after placement, with estimated wires," },
        percent(early, late),
        percent(early, ideal),
        percent(ideal, late),
        dash(last.get("used_percent"), 0),
        last.get("um2")? / 1e6,
        if routed { "layout" } else { "placement" },
        dash(last.get("cpu_minutes"), 0),
    ))
}
