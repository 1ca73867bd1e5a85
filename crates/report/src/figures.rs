//! The drawings of the page.

use crate::svg::{COLOURS, Svg};
use lanesum_graph::graph::Graph;
use lanesum_model::analyse::{KernelBound, Loop};

/// Cycles (on a scale of logarithms) against 1, 2 ... units.
pub(crate) fn curves(lines: &[(String, Vec<f64>)]) -> String {
    let mut svg = Svg::new(560.0, 320.0);
    let most = lines.iter().flat_map(|l| l.1.iter()).copied().fold(1.0, f64::max);
    let least = lines.iter().flat_map(|l| l.1.iter()).copied().fold(most, f64::min);
    let (low, high) = (least.log2().floor(), most.log2().ceil());
    let x = |k: usize| 50.0 + 31.0 * k as f64;
    let y = |cycles: f64| 280.0 - 250.0 * (cycles.log2() - low) / (high - low);
    for power in low as i32..=high as i32 {
        let cycles = 2f64.powi(power);
        svg.line((50.0, y(cycles)), (550.0, y(cycles)), "#ddd", 1.0);
        svg.text((45.0, y(cycles) + 4.0), "end", &format!("{cycles}"));
    }
    for k in 0..16 {
        svg.text((x(k), 296.0), "middle", &(k + 1).to_string());
    }
    svg.text((300.0, 313.0), "middle", "units");
    for (i, (name, cycles)) in lines.iter().enumerate() {
        let colour = COLOURS[i % COLOURS.len()];
        for k in 0..cycles.len() {
            if k > 0 {
                svg.line((x(k - 1), y(cycles[k - 1])), (x(k), y(cycles[k])), colour, 2.0);
            }
            svg.circle((x(k), y(cycles[k])), 3.0, colour, colour);
        }
        svg.rect((360.0, 24.0 + 16.0 * i as f64), (10.0, 10.0), colour);
        svg.text((375.0, 33.0 + 16.0 * i as f64), "start", name);
    }
    svg.finish()
}

/// The best cost of a search by the number of evaluations.
pub(crate) struct Curve<'a> {
    pub(crate) name: &'a str,
    pub(crate) points: Vec<(f64, f64)>,
}

/// Plots cycles over evaluations, with horizontal lines at `levels`. Both axes span only their
/// values.
pub(crate) fn convergence(curves: &[Curve<'_>], levels: &[(&str, f64)]) -> String {
    let mut svg = Svg::new(640.0, 340.0);
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let cycles = || points().map(|p| p.1).chain(levels.iter().map(|level| level.1));
    let (least, most) = (cycles().fold(f64::INFINITY, f64::min), cycles().fold(1.0, f64::max));
    // Ten to twenty grid lines at round numbers of cycles.
    let step = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0];
    let step = step.into_iter().find(|s| (most - least) / s <= 12.0).unwrap_or(500.0);
    let (low, high) = ((least / step).floor() * step, (most / step).ceil() * step);
    let high = high.max(low + step);
    let end = points().map(|p| p.0).fold(10.0, f64::max);
    let x = |evaluations: f64| 55.0 + 445.0 * evaluations.max(1.0).log10() / end.log10();
    let y = |cycles: f64| 290.0 - 270.0 * (cycles - low) / (high - low);
    let mut at = low;
    while at <= high + step / 2.0 {
        svg.line((55.0, y(at)), (500.0, y(at)), "#ddd", 1.0);
        svg.text((50.0, y(at) + 4.0), "end", &format!("{at:.0}"));
        at += step;
    }
    let mut tick = 1.0;
    while tick <= end {
        svg.line((x(tick), 20.0), (x(tick), 290.0), "#ddd", 1.0);
        svg.text((x(tick), 306.0), "middle", &format!("{tick:.0}"));
        tick *= 10.0;
    }
    svg.text((277.0, 326.0), "middle", "evaluations");
    svg.text((55.0, 13.0), "start", "cycles per block");
    for (i, (name, cycles)) in levels.iter().enumerate() {
        let colour = COLOURS[2 + i % 2];
        svg.line((55.0, y(*cycles)), (500.0, y(*cycles)), colour, 1.5);
        svg.text((506.0, y(*cycles) + 4.0), "start", &format!("{name} {cycles:.0}"));
    }
    for (i, curve) in curves.iter().enumerate() {
        let colour = COLOURS[i % 2];
        for pair in curve.points.windows(2) {
            // The best cost is constant until a better one is found.
            svg.line((x(pair[0].0), y(pair[0].1)), (x(pair[1].0), y(pair[0].1)), colour, 2.0);
            svg.line((x(pair[1].0), y(pair[0].1)), (x(pair[1].0), y(pair[1].1)), colour, 2.0);
        }
        let top = 40.0 + 16.0 * i as f64;
        svg.rect((380.0, top - 9.0), (10.0, 10.0), colour);
        svg.text((395.0, top), "start", curve.name);
    }
    svg.finish()
}

/// A loop as a ring of its operations.
pub(crate) fn critical_loop(graph: &Graph, critical: &Loop) -> String {
    let name = critical.name(graph);
    let names: Vec<&str> = name.split(" → ").collect();
    let mut svg = Svg::new(420.0, 240.0);
    let n = names.len() as f64;
    let at = |i: f64| {
        let angle = std::f64::consts::TAU * i / n - std::f64::consts::FRAC_PI_2;
        (130.0 + 85.0 * angle.cos(), 120.0 + 85.0 * angle.sin())
    };
    for i in 0..names.len() {
        svg.line(at(i as f64), at((i + 1) as f64), "#888", 1.5);
        // A dot near the end shows the direction of the line.
        let ((x0, y0), (x1, y1)) = (at(i as f64), at((i + 1) as f64));
        svg.circle((x0 + 0.75 * (x1 - x0), y0 + 0.75 * (y1 - y0)), 3.5, "#444", "#444");
    }
    for (i, name) in names.iter().enumerate() {
        let (x, y) = at(i as f64);
        svg.circle((x, y), 18.0, "white", COLOURS[0]);
        svg.text((x, y + 4.0), "middle", name);
    }
    svg.text((130.0, 118.0), "middle", &format!("{} / {}", critical.time, critical.registers));
    svg.text((130.0, 132.0), "middle", "time / registers");
    svg.text((250.0, 120.0), "start", &format!("bound {:.2} per round", critical.ratio()));
    svg.finish()
}

/// A line of the roofline: a kernel's bounds and its measured rate.
pub(crate) struct Roof<'a> {
    pub(crate) bound: &'a KernelBound,
    pub(crate) label: String,
    pub(crate) measured: Option<f64>,
}

/// Bytes per cycle of each kernel: the bounds of the ports and of the chain, and the
/// measured rate.
pub(crate) fn roofline(rows: &[Roof<'_>]) -> String {
    let height = 50.0 + 18.0 * rows.len() as f64;
    let mut svg = Svg::new(760.0, height);
    let rate = |cycles: f64, bound: &KernelBound| bound.bytes / cycles.max(1e-9);
    let bounded = rows.iter().filter(|row| row.bound.cycles() > 0.0);
    let most = bounded.map(|row| rate(row.bound.cycles(), row.bound)).fold(0.1, f64::max);
    let x = |bytes: f64| 180.0 + 540.0 * (bytes / most).min(1.04);
    for i in 0..=5 {
        let bytes = most * f64::from(i) / 5.0;
        svg.line((x(bytes), 10.0), (x(bytes), height - 30.0), "#ddd", 1.0);
        svg.text((x(bytes), height - 16.0), "middle", &format!("{bytes:.1}"));
    }
    svg.text((450.0, height - 3.0), "middle", "bytes per cycle");
    for (i, row) in rows.iter().enumerate() {
        let y = 14.0 + 18.0 * i as f64;
        svg.text((174.0, y + 9.0), "end", &row.label);
        let colour = if row.bound.limit() == "chain" { COLOURS[1] } else { COLOURS[0] };
        let ports = x(rate(row.bound.ports(), row.bound));
        svg.rect((180.0, y + 3.0), (ports - 180.0, 4.0), "#bbb");
        let end = x(rate(row.bound.cycles(), row.bound));
        svg.rect((180.0, y), (end - 180.0, 10.0), colour);
        if let Some(cycles_per_byte) = row.measured {
            let at = x(1.0 / cycles_per_byte);
            svg.line((at, y - 2.0), (at, y + 12.0), "black", 2.0);
        }
    }
    svg.finish()
}
