//! The paper's figures, drawn from the graph and from its netlists.

use std::collections::HashMap;

use lanesum_spec::Family;

use crate::svg::{COLOURS, Svg};
use lanesum_graph::graph::{Graph, Id, Op};
use lanesum_graph::record::record;
use lanesum_model::analyse::{Loop, round_form};
use lanesum_rtl::{Core, Gate, Netlist, Options, Registers, RtlError, Signal, core};

/// An operation of a drawing, or an input word.
struct Drawn {
    label: String,
    operands: Vec<usize>,
    /// 1 for an addition, less for a function, 0 for an input word.
    time: f64,
}

/// Draws operations from left to right by their ready times, with the critical path to the last
/// one in another colour.
fn flow(nodes: &[Drawn]) -> String {
    let mut ready = vec![0.0; nodes.len()];
    let mut depth = vec![0usize; nodes.len()];
    for (i, node) in nodes.iter().enumerate() {
        let late = node.operands.iter().map(|&x| ready[x]).fold(0.0, f64::max);
        ready[i] = late + node.time;
        depth[i] = node.operands.iter().map(|&x| depth[x] + 1).max().unwrap_or(0);
    }
    let mut critical = vec![false; nodes.len()];
    let last = (0..nodes.len()).max_by(|&x, &y| ready[x].total_cmp(&ready[y]));
    let mut at = last;
    while let Some(i) = at {
        critical[i] = true;
        at = nodes[i].operands.iter().copied().max_by(|&x, &y| ready[x].total_cmp(&ready[y]));
    }
    // Inputs are above their first reader, which keeps lines short.
    for i in (0..nodes.len()).rev() {
        if nodes[i].operands.is_empty() {
            let readers = (0..nodes.len()).filter(|&j| nodes[j].operands.contains(&i));
            depth[i] = readers.map(|j| depth[j]).min().unwrap_or(1).saturating_sub(1);
        }
    }
    let columns = depth.iter().max().map_or(1, |d| d + 1);
    let mut filled = vec![0; columns];
    let place: Vec<(f64, f64)> = depth
        .iter()
        .map(|&d| {
            filled[d] += 1;
            (40.0 + 90.0 * d as f64, 10.0 + 44.0 * f64::from(filled[d]) - 10.0 * (d % 2) as f64)
        })
        .collect();
    let rows = filled.iter().max().copied().unwrap_or(1);
    let mut svg = Svg::new(90.0 * columns as f64, 44.0 * f64::from(rows) + 40.0);
    for (i, node) in nodes.iter().enumerate() {
        for &x in &node.operands {
            let both = critical[i] && critical[x];
            svg.line(
                place[x],
                place[i],
                if both { COLOURS[1] } else { "#999" },
                if both { 2.0 } else { 1.0 },
            );
        }
    }
    for (i, node) in nodes.iter().enumerate() {
        let colour = if critical[i] { COLOURS[1] } else { COLOURS[0] };
        if node.operands.is_empty() {
            svg.rect((place[i].0 - 17.0, place[i].1 - 9.0), (34.0, 18.0), "#e8e8e8");
        } else {
            svg.circle(place[i], 14.0, "white", colour);
        }
        svg.text((place[i].0, place[i].1 + 4.0), "middle", &node.label);
    }
    svg.finish()
}

/// Figure 1: a round in the order of FIPS 180-4.
pub(crate) fn round() -> String {
    let block = record(Family::Sha1, false);
    let form = round_form(&block.spec, 1);
    let graph = &block.graph;
    let round = &block.spec.rounds[0];
    let mut nodes: Vec<Drawn> = Vec::new();
    let mut number: HashMap<Id, usize> = HashMap::new();
    for id in graph.reachable(form.outputs[..1].iter().copied()) {
        let state = block.state.iter().position(|&s| s == id);
        let (label, time) = match graph.op(id) {
            _ if state.is_some() => (["A", "B", "C", "D", "E"][state.unwrap_or(0)].to_owned(), 0.0),
            _ if id == round.w => ("W_t".to_owned(), 0.0),
            Op::Add(..) | Op::AddConst(..) => ("+".to_owned(), 1.0),
            Op::Ch(..) | Op::Maj(..) | Op::Xor3(..) => ("F_t".to_owned(), 0.2),
            Op::Rotr(_, n) => (format!("S{}", 32 - n), 0.0),
            op => (format!("{op:?}"), 0.0),
        };
        let mut operands: Vec<usize> = if time == 0.0 && (state.is_some() || id == round.w) {
            vec![]
        } else {
            graph.op(id).operands().map(|x| number[&x]).collect()
        };
        if matches!(graph.op(id), Op::AddConst(..)) {
            nodes.push(Drawn { label: "K_t".to_owned(), operands: vec![], time: 0.0 });
            operands.push(nodes.len() - 1);
        }
        number.insert(id, nodes.len());
        nodes.push(Drawn { label, operands, time });
    }
    flow(&nodes)
}

/// Figure 3: the critical loop of the rounds.
pub(crate) fn critical_loop(graph: &Graph, critical: &Loop) -> String {
    crate::figures::critical_loop(graph, critical)
}

/// The core with `unfold` rounds per clock cycle and the paper's registers.
pub(crate) fn papers(unfold: usize) -> Result<Core, RtlError> {
    let mut options = Options::new(lanesum_spec::Algorithm::SHA1, unfold);
    options.registers = Registers::Paper;
    core(&options)
}

/// The operands of Ch, Parity or Maj if `signal` selects among them.
fn function(netlist: &Netlist, signal: Signal) -> Option<[Signal; 3]> {
    match *netlist.driver(signal) {
        Gate::Ch(x, y, z) | Gate::Maj(x, y, z) | Gate::Xor3(x, y, z) => Some([x, y, z]),
        Gate::Or(x, _) | Gate::Mask(_, x) => function(netlist, x),
        _ => None,
    }
}

/// The paper's name for a register of the state, the schedule or a constant.
fn word(netlist: &Netlist, signal: Signal) -> String {
    let Gate::Register(number) = *netlist.driver(signal) else { return String::new() };
    let name = &netlist.registers[number].name;
    match name.as_str() {
        "a0" => "A".to_owned(),
        "a1" => "B".to_owned(),
        name if name.starts_with('k') => "K".to_owned(),
        name => name.to_uppercase(),
    }
}

/// C, D or E, which registers hold before their rotation.
fn rotated(netlist: &Netlist, signal: Signal) -> Option<&'static str> {
    let Gate::Rotr(x, 2) = *netlist.driver(signal) else { return None };
    let Gate::Register(number) = *netlist.driver(x) else { return None };
    let names = [("a2", "C"), ("a3", "D"), ("a4", "E")];
    let name = &netlist.registers[number].name;
    names.into_iter().find(|(register, _)| register == name).map(|found| found.1)
}

/// Figures 4 and 5: the operations in one clock cycle of n rounds.
pub(crate) fn rounds(core: &Core) -> String {
    let netlist = &core.netlist;
    let ends = (1..=core.options.unfold).filter_map(|i| netlist.named(&format!("a_t{i}")));
    let mut nodes: Vec<Drawn> = Vec::new();
    let mut number: HashMap<Signal, usize> = HashMap::new();
    for end in ends {
        node(netlist, end, &mut nodes, &mut number);
    }
    flow(&nodes)
}

fn node(
    netlist: &Netlist,
    signal: Signal,
    nodes: &mut Vec<Drawn>,
    number: &mut HashMap<Signal, usize>,
) -> usize {
    if let Some(&known) = number.get(&signal) {
        return known;
    }
    let gate = netlist.driver(signal);
    let (label, operands, time) = match gate {
        Gate::Add(x, y) => ("+".to_owned(), vec![*x, *y], 1.0),
        Gate::Rotr(x, n) => match rotated(netlist, signal) {
            Some(name) => (name.to_owned(), vec![], 0.0),
            None => (format!("S{}", 32 - n), vec![*x], 0.0),
        },
        Gate::Register(_) => (word(netlist, signal), vec![], 0.0),
        _ => match function(netlist, signal) {
            Some(words) => ("F".to_owned(), words.to_vec(), 0.2),
            None => ("W".to_owned(), vec![], 0.0),
        },
    };
    let operands = operands.into_iter().map(|x| node(netlist, x, nodes, number)).collect();
    nodes.push(Drawn { label, operands, time });
    number.insert(signal, nodes.len() - 1);
    nodes.len() - 1
}

/// Figures 2 and 6: the sums of a clock cycle as equations, with their ready times.
pub(crate) fn equations(core: &Core) -> String {
    let netlist = &core.netlist;
    let n = core.options.unfold;
    let mut lines = Vec::new();
    for i in 1..=n {
        let Some(signal) = netlist.named(&format!("a_t{i}")) else { continue };
        let Gate::Add(x, y) = *netlist.driver(signal) else { continue };
        let text = format!("TEMP_t+{} = {} + {}", i - 1, sum(netlist, x), sum(netlist, y));
        lines.push((text.replace("t+0", "t"), netlist.arrival(signal).to_string()));
    }
    let wide = lines.iter().map(|l| l.0.len()).max().unwrap_or(10) as f64 * 6.4 + 120.0;
    let mut svg = Svg::new(wide, 22.0 * lines.len() as f64 + 20.0);
    for (i, (text, arrival)) in lines.iter().enumerate() {
        let y = 22.0 * (i + 1) as f64;
        svg.text((10.0, y), "start", text);
        svg.text((wide - 10.0, y), "end", &format!("⇒ {arrival}"));
    }
    svg.finish()
}

fn sum(netlist: &Netlist, signal: Signal) -> String {
    let name = netlist.name_of(signal).and_then(|n| n.strip_prefix("a_t"));
    if let Some(name) = rotated(netlist, signal) {
        return name.to_owned();
    }
    if let Some(i) = name.and_then(|i| i.parse::<usize>().ok()) {
        return format!("TEMP_t+{}", i - 1).replace("t+0", "t");
    }
    match netlist.driver(signal) {
        Gate::Add(x, y) => format!("({} + {})", sum(netlist, *x), sum(netlist, *y)),
        Gate::Rotr(x, n) => format!("S{}({})", 32 - n, sum(netlist, *x)),
        Gate::Register(_) => word(netlist, signal),
        _ => match function(netlist, signal) {
            Some(words) => format!("F({})", words.map(|x| sum(netlist, x)).join(", ")),
            None => "W".to_owned(),
        },
    }
}

/// A least-squares line through points: slope and intercept.
pub(crate) fn fit(points: &[(f64, f64)]) -> (f64, f64) {
    let n = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(a, b), p| (a + p.0 / n, b + p.1 / n));
    let (top, bottom) = points
        .iter()
        .fold((0.0, 0.0), |(t, b), p| (t + (p.0 - x) * (p.1 - y), b + (p.0 - x) * (p.0 - x)));
    (top / bottom, y - top / bottom * x)
}

/// Lines and points on two axes that begin at zero, and a legend.
pub(crate) struct Series {
    pub name: String,
    pub points: Vec<(f64, f64)>,
    /// Text at each point.
    pub labels: Vec<String>,
    pub line: bool,
}

/// A plot of series; `logarithms` selects logarithmic axes.
pub(crate) fn plot(series: &[Series], axes: (&str, &str), logarithms: bool) -> String {
    let all = || series.iter().flat_map(|s| s.points.iter().copied());
    let scale = |v: f64| if logarithms { v.max(1e-9).log10() } else { v };
    let bounds = |pick: fn((f64, f64)) -> f64| {
        let most = all().map(|p| scale(pick(p))).fold(f64::MIN, f64::max);
        let least = all().map(|p| scale(pick(p))).fold(f64::MAX, f64::min);
        if logarithms { (least - 0.1, most + 0.1) } else { (0.0, most * 1.08) }
    };
    let ((x0, x1), (y0, y1)) = (bounds(|p| p.0), bounds(|p| p.1));
    let x = |v: f64| 70.0 + 600.0 * (scale(v) - x0) / (x1 - x0);
    let y = |v: f64| 380.0 - 350.0 * (scale(v) - y0) / (y1 - y0);
    let mut svg = Svg::new(700.0, 430.0 + 16.0 * series.len() as f64);
    for i in 0..=5 {
        let at = |low: f64, high: f64| low + (high - low) * f64::from(i) / 5.0;
        let value = |v: f64| if logarithms { 10f64.powf(v) } else { v };
        let (vx, vy) = (value(at(x0, x1)), value(at(y0, y1)));
        svg.line((x(vx), 30.0), (x(vx), 380.0), "#e4e4e4", 1.0);
        svg.line((70.0, y(vy)), (670.0, y(vy)), "#e4e4e4", 1.0);
        svg.text((x(vx), 394.0), "middle", &short(vx));
        svg.text((64.0, y(vy) + 4.0), "end", &short(vy));
    }
    svg.text((370.0, 412.0), "middle", axes.0);
    svg.text((70.0, 20.0), "start", axes.1);
    let mut labels = Labels::default();
    for (i, one) in series.iter().enumerate() {
        let colour = COLOURS[i % COLOURS.len()];
        for (j, &p) in one.points.iter().enumerate() {
            if one.line && j > 0 {
                let q = one.points[j - 1];
                svg.line((x(q.0), y(q.1)), (x(p.0), y(p.1)), colour, 1.5);
            }
            if !one.line || one.points.len() > 2 {
                svg.circle((x(p.0), y(p.1)), 3.5, colour, colour);
            }
            if let Some(label) = one.labels.get(j) {
                labels.put(&mut svg, (x(p.0), y(p.1)), label);
            }
        }
        let at = 424.0 + 16.0 * i as f64;
        svg.rect((80.0, at), (10.0, 10.0), colour);
        svg.text((95.0, at + 9.0), "start", &one.name);
    }
    svg.finish()
}

/// The rectangles of labels, each as its left, upper, right and lower edge.
#[derive(Default)]
struct Labels(Vec<[f64; 4]>);

impl Labels {
    /// Writes a label near this point, at the nearest place where it overlaps no other label, with a line to
    /// the point if it is not next to it.
    fn put(&mut self, svg: &mut Svg, (x, y): (f64, f64), label: &str) {
        let width = 6.6 * label.len() as f64;
        let places = (0..20).flat_map(|step| {
            let away = 13.0 * f64::from(step);
            [(false, -5.0 - away), (false, 13.0 + away), (true, -5.0 - away), (true, 13.0 + away)]
        });
        let free = places.map(|(left, dy)| {
            let start = if left { x - 6.0 - width } else { x + 6.0 };
            (left, dy, [start, y + dy - 10.0, start + width, y + dy + 3.0])
        });
        let inside = |r: &[f64; 4]| r[0] > 70.0 && r[1] > 22.0 && r[2] < 698.0 && r[3] < 380.0;
        let overlaps =
            |a: &[f64; 4], b: &[f64; 4]| a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
        let mut free = free.filter(|(.., r)| inside(r) && !self.0.iter().any(|o| overlaps(r, o)));
        let (left, dy, rectangle) = free.next().expect("the plot has room for its labels");
        let sign = if left { -1.0 } else { 1.0 };
        if !(-6.0..=14.0).contains(&dy) {
            let end = if dy < 0.0 { y + dy + 3.0 } else { y + dy - 10.0 };
            svg.line((x, y), (x + 8.0 * sign, end), "#909090", 0.6);
        }
        svg.text((x + 6.0 * sign, y + dy), if left { "end" } else { "start" }, label);
        self.0.push(rectangle);
    }
}

fn short(v: f64) -> String {
    match v {
        v if v >= 100.0 => format!("{v:.0}"),
        v if v >= 10.0 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_equal_points_do_not_overlap() {
        let (mut svg, mut labels) = (Svg::new(700.0, 400.0), Labels::default());
        for _ in 0..12 {
            labels.put(&mut svg, (640.0, 200.0), "sha1_u10_chain");
        }
        let lines = |r: &[f64; 4]| (r[1].round() as i64, r[0].round() as i64);
        let mut places: Vec<_> = labels.0.iter().map(lines).collect();
        places.sort_unstable();
        for pair in places.windows(2) {
            assert!(
                pair[1].0 - pair[0].0 >= 13 || (pair[1].1 - pair[0].1).abs() > 90,
                "{places:?}"
            );
        }
    }
}
