//! Sums of words that arrive at different times, from adders and carry-save rows.

use std::fmt;

use crate::rtl::Technology;

/// When a signal is ready after a clock edge, and of what that time is made.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Arrival {
    /// In the unit of the technology.
    pub value: f64,
    /// Additions on the way, A.
    pub additions: u32,
    /// Non-linear functions on the way, F.
    pub functions: u32,
    /// Σ and σ on the way, S.
    pub sigmas: u32,
    /// Carry-save rows on the way, C.
    pub rows: u32,
}

impl Arrival {
    /// The later of two.
    pub fn max(self, other: Self) -> Self {
        if other.value > self.value { other } else { self }
    }
}

impl std::ops::Add for Arrival {
    type Output = Self;
    fn add(self, y: Self) -> Self {
        Self {
            value: self.value + y.value,
            additions: self.additions + y.additions,
            functions: self.functions + y.functions,
            sigmas: self.sigmas + y.sigmas,
            rows: self.rows + y.rows,
        }
    }
}

impl fmt::Display for Arrival {
    /// As the paper writes delays: `10A+3F`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts =
            [(self.additions, "A"), (self.functions, "F"), (self.sigmas, "S"), (self.rows, "C")];
        let terms: Vec<String> = counts
            .into_iter()
            .filter(|&(n, _)| n > 0)
            .map(|(n, name)| if n == 1 { name.to_owned() } else { format!("{n}{name}") })
            .collect();
        f.pad(&if terms.is_empty() { "0".to_owned() } else { terms.join("+") })
    }
}

/// One step of a sum: which of the words at hand, in order of arrival, it takes.
/// What it makes joins them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SumStep {
    /// An addition of the two earliest.
    Add,
    /// A carry-save row on the three earliest, which leaves two words.
    Row,
}

/// The steps that make the sum of words with these arrivals as early as can be,
/// and of such steps the cheapest. Additions alone take the two earliest each
/// time, which is optimal since max is monotone; with rows both are tried.
pub(crate) fn steps(arrivals: &[f64], technology: &Technology, rows: bool) -> Vec<SumStep> {
    let mut times = arrivals.to_vec();
    let mut best: Option<(f64, f64, Vec<SumStep>)> = None;
    search(&mut times, technology, rows, &mut Vec::new(), 0.0, &mut best);
    best.expect("a sum of at least one word").2
}

fn search(
    times: &mut [f64],
    technology: &Technology,
    rows: bool,
    done: &mut Vec<SumStep>,
    cost: f64,
    best: &mut Option<(f64, f64, Vec<SumStep>)>,
) {
    times.sort_by(|x, y| y.total_cmp(x));
    if times.len() == 1 {
        let better = match best {
            None => true,
            Some((time, price, _)) => {
                times[0] < *time - 1e-9 || (times[0] < *time + 1e-9 && cost < *price - 1e-9)
            }
        };
        if better {
            *best = Some((times[0], cost, done.clone()));
        }
        return;
    }
    let mut attempt = |step: SumStep, taken: usize, made: usize, delay: f64, price: f64| {
        let mut rest = times.to_vec();
        let late = rest.split_off(rest.len() - taken)[0];
        rest.extend(std::iter::repeat_n(late + delay, made));
        done.push(step);
        search(&mut rest, technology, rows, done, cost + price, best);
        done.pop();
    };
    attempt(SumStep::Add, 2, 1, technology.add, 1.0);
    if rows && times.len() >= 3 {
        attempt(SumStep::Row, 3, 2, technology.row, 0.5);
    }
}
