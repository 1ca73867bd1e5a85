//! Figures as records have them.

use lanesum_measure::Spread;

/// A figure for a record: nothing where there is none.
pub(crate) fn figure(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(String::new, |value| format!("{value:.digits$}"))
}

/// The least, the lower quartile, the median and the upper quartile, as a record has them.
pub(crate) fn spread(samples: &[f64], digits: usize) -> [String; 4] {
    let spread = Spread::of(samples);
    let of = |value: fn(Spread) -> f64| figure(spread.map(value), digits);
    [of(|s| s.least), of(|s| s.lower), of(|s| s.median), of(|s| s.upper)]
}
