//! Sums of words with different arrival times, built from adders and carry-save rows.

use std::fmt;

use crate::Technology;

/// The arrival time of a signal after a clock edge, with a breakdown of its path.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Arrival {
    /// The arrival time, in the unit of the technology.
    pub value: f64,
    /// Number of additions on the path, A.
    pub additions: u32,
    /// Number of nonlinear functions on the path, F.
    pub functions: u32,
    /// Number of Σ and σ functions on the path, S.
    pub sigmas: u32,
    /// Number of carry-save rows on the path, C.
    pub rows: u32,
}

impl Arrival {
    /// The later of two arrivals.
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
    /// Formats the path in the notation of the paper: `10A+3F`.
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

/// One step of a sum. It consumes the earliest of the available words, and its results become
/// available words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SumStep {
    /// Adds the two earliest words.
    Add,
    /// Reduces the three earliest words to two by a carry-save row.
    Row,
}

/// The steps that compute the sum of words with these arrival times as early as possible, at the
/// lowest cost among such sequences. With adders only, adding the two earliest words each time is
/// optimal because max is monotone; with rows, both choices are searched.
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

impl Technology {
    /// The delay of an addition.
    pub(crate) fn addition(&self) -> Arrival {
        Arrival { value: self.add, additions: 1, ..Arrival::default() }
    }

    /// The delay of a carry-save row.
    pub(crate) fn carry_save_row(&self) -> Arrival {
        Arrival { value: self.row, rows: 1, ..Arrival::default() }
    }

    /// The delay of a row that adds its lowest bits completely: a 5-bit prefix adder has three levels of carries, a
    /// 32-bit one five.
    pub(crate) fn low_row(&self) -> Arrival {
        Arrival { value: self.row.max(0.6 * self.add), rows: 1, ..Arrival::default() }
    }
}
