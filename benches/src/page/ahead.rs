//! A plot: cycles per byte by the number of rounds by which the schedule runs ahead.

use std::fmt::Write as _;

use lanesum_measure::Table;

use super::{COLOURS, svg};

pub(super) fn plot(table: &Table) -> String {
    let (width, height, left, top) = (640.0, 320.0, 56.0, 34.0);
    let (right, bottom) = (width - 90.0, height - 44.0);
    let series = ["sse2", "ssse3", "avx"].map(|isa| {
        let point = |ahead: u32| {
            let form = format!("ahead {ahead}");
            let wanted = [("algorithm", "sha1"), ("isa", isa), ("form", &form[..])];
            Some((f64::from(ahead), table.figure(&wanted, "cycles_per_byte")?))
        };
        (isa, (0..=24).filter_map(point).collect::<Vec<_>>())
    });
    let all = || series.iter().flat_map(|(_, points)| points.iter().map(|point| point.1));
    let least = (all().fold(f64::MAX, f64::min) * 0.98).min(2.5);
    let most = all().fold(2.6, f64::max) * 1.02;
    let x = |ahead: f64| left + (right - left) * ahead / 24.0;
    let y = |cycles: f64| bottom - (bottom - top) * (cycles - least) / (most - least);
    let mut out = svg(width, height, 12);
    let _ = writeln!(
        out,
        "<text x=\"{left}\" y=\"20\" font-size=\"14\">SHA-1, {}: cycles per byte by rounds ahead (dashed: \
         bound)</text>",
        table.machine
    );
    for i in 0..=4 {
        let value = least + (most - least) * f64::from(i) / 4.0;
        let _ = writeln!(
            out,
            "<path d=\"M{left} {at:.1}H{right}\" stroke=\"#ddd\"/><text x=\"{:.0}\" y=\"{:.1}\" \
             text-anchor=\"end\">{value:.2}</text>",
            left - 6.0,
            y(value) + 4.0,
            at = y(value)
        );
    }
    for ahead in (0..=24).step_by(4) {
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.0}\" text-anchor=\"middle\">{ahead}</text>",
            x(f64::from(ahead)),
            bottom + 18.0
        );
    }
    for (i, (isa, points)) in series.iter().enumerate() {
        let path: Vec<_> =
            points.iter().map(|point| format!("{:.1} {:.1}", x(point.0), y(point.1))).collect();
        let _ = writeln!(
            out,
            "<path d=\"M{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\
             <text x=\"{:.0}\" y=\"{:.0}\" fill=\"{colour}\">{isa}</text>",
            path.join("L"),
            right + 12.0,
            top + 14.0 + 18.0 * i as f64,
            colour = COLOURS[i]
        );
    }
    let at = y(2.5);
    let _ = writeln!(
        out,
        "<path d=\"M{left} {at:.1}H{right}\" stroke=\"#000\" stroke-dasharray=\"7 4\"/>"
    );
    out + "</svg>\n"
}
