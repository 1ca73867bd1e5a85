//! The format of figures in records.

use lanesum_measure::Spread;

/// Formats a figure for a record; a missing one is empty.
pub(crate) fn figure(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(String::new, |value| format!("{value:.digits$}"))
}

/// Formats the minimum, lower quartile, median and upper quartile for a record.
pub(crate) fn spread(samples: &[f64], digits: usize) -> [String; 4] {
    let spread = Spread::of(samples);
    let of = |value: fn(Spread) -> f64| figure(spread.map(value), digits);
    [of(|s| s.least), of(|s| s.lower), of(|s| s.median), of(|s| s.upper)]
}
