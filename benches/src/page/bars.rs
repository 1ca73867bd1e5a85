//! Bar charts in panels, one below the other, without a legend.

use std::fmt::Write as _;

use lanesum_measure::{Source, Table};

use super::svg;
use crate::cores;

/// Whose figure a bar shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    Ours,
    Others,
    /// A lower bound.
    Bound,
}

impl Of {
    fn colour(self) -> &'static str {
        match self {
            Self::Ours => "#0b6e4f",
            Self::Others => "#9aa5b1",
            Self::Bound => "#c06014",
        }
    }
}

/// The most characters of a caption's line that fit the width.
const LINE: usize = 120;

/// Bars with one unit, a title, and the source of their figures in a line or two.
pub(super) struct Panel {
    title: String,
    unit: &'static str,
    source: String,
    pub(super) bars: Vec<(String, Of, f64)>,
}

impl Panel {
    pub(super) fn new(title: String, unit: &'static str, table: &Table) -> Self {
        // A second line, because one would be wider than the picture.
        let mut source =
            Source::of(table).shown(cores::known()).replace("; the code", "\nthe code");
        if source.lines().any(|line| line.len() > LINE) {
            source = source.replacen("; `", "\n`", 1);
        }
        Self { title, unit, source, bars: Vec::new() }
    }

    /// Adds a bar if `figure` is present.
    pub(super) fn bar(&mut self, name: &str, of: Of, figure: Option<f64>) {
        self.bars.extend(figure.map(|figure| (name.to_owned(), of, figure)));
    }

    /// Whether there is a bar of each kind that is compared.
    pub(super) fn compares(&self, kinds: &[Of]) -> bool {
        kinds.iter().all(|kind| self.bars.iter().any(|bar| bar.1 == *kind))
    }
}

/// The panels as an SVG.
pub(super) fn draw(panels: &[Panel]) -> String {
    let (width, left, right) = (760.0, 230.0, 650.0);
    let (row, head, foot) = (22.0, 30.0, 26.0);
    let caption = |panel: &Panel| 12.0 * (panel.source.lines().count() as f64 - 1.0);
    let of = |panel: &Panel| head + row * panel.bars.len() as f64 + foot + caption(panel);
    let height: f64 = panels.iter().map(of).sum::<f64>() + 8.0;
    let mut out = svg(width, height, 13);
    let mut top = 0.0;
    for panel in panels {
        let _ = writeln!(
            out,
            "<text x=\"8\" y=\"{:.0}\" font-weight=\"bold\">{}</text>",
            top + 22.0,
            panel.title
        );
        let most = panel.bars.iter().map(|bar| bar.2).fold(0.0, f64::max);
        for (i, (name, of, figure)) in panel.bars.iter().enumerate() {
            let y = top + head + row * i as f64;
            let colour = of.colour();
            let long = (right - left) * figure / most;
            let digits = if *figure < 10.0 { 2 } else { 1 };
            let _ = writeln!(
                out,
                "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\">{name}</text>\
                 <rect x=\"{left}\" y=\"{y:.0}\" width=\"{long:.1}\" height=\"{:.0}\" fill=\"{colour}\"/>\
                 <text x=\"{:.1}\" y=\"{:.0}\">{figure:.digits$} {}</text>",
                left - 8.0,
                y + 14.0,
                row - 5.0,
                left + long + 6.0,
                y + 14.0,
                panel.unit
            );
        }
        top += of(panel);
        for (i, line) in panel.source.lines().enumerate() {
            let y = top - 10.0 - caption(panel) + 12.0 * i as f64;
            let _ = writeln!(
                out,
                "<text x=\"8\" y=\"{y:.0}\" font-size=\"10\" fill=\"#666\">{line}</text>"
            );
        }
    }
    out + "</svg>\n"
}
