//! Medians, quartiles and spreads of a series of samples.

/// The distribution of samples: the minimum shows the possible speed, the rest how often it is
/// reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The minimum.
    pub least: f64,
    /// The lower quartile.
    pub lower: f64,
    /// The median.
    pub median: f64,
    /// The upper quartile.
    pub upper: f64,
    /// The 90th percentile.
    pub tenth: f64,
    /// The maximum.
    pub most: f64,
    /// The number of samples.
    pub samples: usize,
}

impl Spread {
    /// Computes the spread of `samples`; `None` if empty.
    pub fn of(samples: &[f64]) -> Option<Self> {
        let sorted = sorted(samples);
        Some(Self {
            least: *sorted.first()?,
            lower: quantile(&sorted, 0.25)?,
            median: quantile(&sorted, 0.5)?,
            upper: quantile(&sorted, 0.75)?,
            tenth: quantile(&sorted, 0.9)?,
            most: *sorted.last()?,
            samples: sorted.len(),
        })
    }
}

/// Returns the minimum; `None` if `samples` is empty.
pub fn minimum(samples: &[f64]) -> Option<f64> {
    samples.iter().copied().min_by(f64::total_cmp)
}

/// Returns the median, or the mean of the middle two samples; `None` if `samples` is empty.
pub fn median(samples: &[f64]) -> Option<f64> {
    quantile(&sorted(samples), 0.5)
}

/// Returns a 95 % confidence interval of the population median, for any distribution: two samples,
/// selected by rank. `None` for fewer than six samples.
pub fn interval_of_median(samples: &[f64]) -> Option<[f64; 2]> {
    let sorted = sorted(samples);
    let count = sorted.len() as f64;
    // The number of samples below the median is binomial, approximately normal.
    let below = ((count - 1.96 * count.sqrt()) / 2.0).floor();
    if count < 6.0 || below < 0.0 {
        return None;
    }
    let below = below as usize;
    Some([sorted[below], sorted[sorted.len() - 1 - below]])
}

fn sorted(samples: &[f64]) -> Vec<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// Returns the quantile at `share` of sorted samples, with linear interpolation.
fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = share * last as f64;
    let (below, part) = (place.floor() as usize, place.fract());
    let above = (below + 1).min(last);
    Some(sorted[below] + part * (sorted[above] - sorted[below]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_of_samples_lies_between_the_middle_two() {
        assert_eq!(median(&[9.0, 1.0, 2.0, 4.0]), Some(3.0));
        assert_eq!(median(&[9.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[]), None);
        assert_eq!(minimum(&[9.0, 1.0, 2.0]), Some(1.0));
    }

    #[test]
    fn half_of_the_samples_lie_between_the_quartiles() {
        let samples: Vec<f64> = (0..=100).rev().map(f64::from).collect();
        let spread = Spread::of(&samples).unwrap();
        assert_eq!((spread.least, spread.most, spread.samples), (0.0, 100.0, 101));
        assert_eq!((spread.lower, spread.median, spread.upper), (25.0, 50.0, 75.0));
        assert_eq!(spread.tenth, 90.0);
        let one = Spread::of(&[3.0]).unwrap();
        assert_eq!((one.least, one.lower, one.upper), (3.0, 3.0, 3.0));
        assert_eq!(Spread::of(&[]), None);
    }

    #[test]
    fn the_median_lies_in_its_interval_nineteen_times_of_twenty() {
        assert_eq!(interval_of_median(&[1.0; 5]), None);
        let samples: Vec<f64> = (0..101).map(f64::from).collect();
        // Ranks 41 and 61 of 101.
        assert_eq!(interval_of_median(&samples), Some([40.0, 60.0]));
        // Samples of a known median, by a generator with a fixed seed.
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let held = (0..2000).filter(|_| {
            let samples: Vec<f64> = (0..101).map(|_| random() * random()).collect();
            let [low, high] = interval_of_median(&samples).unwrap();
            // Half of the products of two such numbers are below this.
            (low..=high).contains(&0.186_682)
        });
        let held = held.count();
        assert!((1860..1960).contains(&held), "{held} of 2000");
    }
}
