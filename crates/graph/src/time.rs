//! The time at which a word is ready in a delay model.

use std::fmt;
use std::ops::Add;

/// A time, and its numbers of additions, non-linear functions and Σ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Time {
    /// The time in the unit of the delay model.
    pub value: f64,
    /// The number of additions on the path, A.
    pub additions: u32,
    /// The number of non-linear functions on the path, F.
    pub functions: u32,
    /// The number of Σ and σ on the path, S.
    pub sigmas: u32,
}

impl Time {
    /// Time zero.
    pub const ZERO: Self = Self { value: 0.0, additions: 0, functions: 0, sigmas: 0 };
    /// A time before all others.
    pub const NEVER: Self =
        Self { value: f64::NEG_INFINITY, additions: 0, functions: 0, sigmas: 0 };

    /// A time without numbers of operations.
    pub fn of(value: f64) -> Self {
        Self { value, ..Self::ZERO }
    }

    /// Compares by value.
    pub fn total_cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.value.total_cmp(&other.value)
    }

    /// The later of two times; the first one if they are equal.
    pub fn max(self, other: Self) -> Self {
        if other.value > self.value { other } else { self }
    }

    /// The earlier of two times; the first one if they are equal.
    pub fn min(self, other: Self) -> Self {
        if other.value < self.value { other } else { self }
    }
}

impl Add for Time {
    type Output = Self;
    fn add(self, y: Self) -> Self {
        Self {
            value: self.value + y.value,
            additions: self.additions + y.additions,
            functions: self.functions + y.functions,
            sigmas: self.sigmas + y.sigmas,
        }
    }
}

impl fmt::Display for Time {
    /// The paper's notation of delays: `10A+3F`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let terms: Vec<String> = [(self.additions, "A"), (self.functions, "F"), (self.sigmas, "S")]
            .into_iter()
            .filter(|&(n, _)| n > 0)
            .map(|(n, name)| if n == 1 { name.to_owned() } else { format!("{n}{name}") })
            .collect();
        f.pad(&if terms.is_empty() { "0".to_owned() } else { terms.join("+") })
    }
}
