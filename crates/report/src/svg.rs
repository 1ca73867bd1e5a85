//! A small writer of SVG: lines, rectangles, text.

use std::fmt::Write as _;

/// Colours that are distinguishable with colour blindness and in print.
pub(crate) const COLOURS: [&str; 6] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

/// A drawing of a fixed size, in pixels.
pub(crate) struct Svg {
    out: String,
}

impl Svg {
    pub(crate) fn new(width: f64, height: f64) -> Self {
        let out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"11\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
        );
        Self { out }
    }

    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: &str, wide: f64) {
        let _ = writeln!(
            self.out,
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" \
             stroke-width=\"{wide}\"/>",
            from.0, from.1, to.0, to.1
        );
    }

    pub(crate) fn rect(&mut self, at: (f64, f64), size: (f64, f64), colour: &str) {
        let _ = writeln!(
            self.out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{colour}\"/>",
            at.0, at.1, size.0, size.1
        );
    }

    pub(crate) fn circle(&mut self, at: (f64, f64), radius: f64, fill: &str, stroke: &str) {
        let _ = writeln!(
            self.out,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"{stroke}\"/>",
            at.0, at.1
        );
    }

    /// Text; `anchor` is `start`, `middle` or `end`.
    pub(crate) fn text(&mut self, at: (f64, f64), anchor: &str, text: &str) {
        let _ = writeln!(
            self.out,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>",
            at.0,
            at.1,
            escape(text)
        );
    }

    pub(crate) fn finish(mut self) -> String {
        self.out.push_str("</svg>\n");
        self.out
    }
}

/// Text for XML and HTML.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
