//! Constants of machines, by their origin.
//!
//! A [`Stated`] constant has a source other than this project's kernels; a [`Bound`] accepts no other. No constant is
//! fitted to measurements of these kernels, so no simulation of them is circular either.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use serde::Deserialize;

/// The source of a stated constant.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
pub enum ConstantSource {
    /// A manual of the vendor: title, number and sections.
    Manual(String),
    /// Another project's table, such as a scheduling model of LLVM.
    Table(String),
    /// A record of our microbenchmark, `lanesum-bench latencies`: its path in `benches/record`.
    Record(String),
    /// A publication of `figures.toml`, by its name.
    Text(String),
    /// The definition of an abstract machine.
    Definition(String),
}

impl fmt::Display for ConstantSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Manual(title) | Self::Table(title) => f.write_str(title),
            Self::Record(file) => write!(f, "benches/record/{file}"),
            Self::Text(name) => write!(f, "publication `{name}`"),
            Self::Definition(what) => write!(f, "definition: {what}"),
        }
    }
}

/// A constant with a source.
#[derive(Clone, Debug, PartialEq)]
pub struct Stated {
    value: f64,
    source: Arc<ConstantSource>,
}

impl Stated {
    /// The constant `value` from `source`.
    pub fn new(value: f64, source: impl Into<Arc<ConstantSource>>) -> Self {
        Self { value, source: source.into() }
    }

    /// The source.
    pub fn source(&self) -> &ConstantSource {
        &self.source
    }
}

/// A constant of a machine.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// With a source.
    Stated(Stated),
    /// Without a source.
    Assumed(f64),
}

impl Constant {
    /// The constant, if it is stated.
    pub fn stated(&self) -> Option<&Stated> {
        match self {
            Self::Stated(stated) => Some(stated),
            Self::Assumed(_) => None,
        }
    }
}

/// A number of any origin.
pub trait ConstantValue {
    /// The number.
    fn value(&self) -> f64;
}

impl ConstantValue for Stated {
    fn value(&self) -> f64 {
        self.value
    }
}

impl ConstantValue for Constant {
    fn value(&self) -> f64 {
        match self {
            Self::Stated(stated) => stated.value,
            Self::Assumed(value) => *value,
        }
    }
}

/// A lower bound in cycles. It is derived from stated constants only:
///
/// ```
/// use lanesum_model::{Bound, Cycles, ConstantSource, Stated};
/// let alus = Stated::new(6.0, ConstantSource::Manual("58455, 2.10.2".to_owned()));
/// assert_eq!(Bound::of_work(2040.0, &alus).cycles(), 340.0);
/// ```
///
/// A constant whose origin is not known when it is compiled does not compile:
///
/// ```compile_fail,E0308
/// use lanesum_model::{Bound, Constant};
/// Bound::of_chain(80.0, &Constant::Assumed(2.0));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bound {
    cycles: f64,
    sources: BTreeSet<Arc<ConstantSource>>,
}

impl Bound {
    /// The time of `operations` on `units` units of a pool.
    pub fn of_work(operations: f64, units: &Stated) -> Self {
        Self::work(operations, std::iter::empty(), units)
    }

    /// The time of `operations` that depend on each other.
    pub fn of_chain(operations: f64, latency: &Stated) -> Self {
        Self::chain(operations * latency.value, std::iter::once(latency))
    }

    /// The sources of its constants.
    pub fn sources(&self) -> impl Iterator<Item = &ConstantSource> {
        self.sources.iter().map(|source| &**source)
    }
}

/// A time in cycles that was computed from constants of any origin, which is not a bound.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate(f64);

impl Estimate {
    /// An estimate of `cycles`.
    pub fn new(cycles: f64) -> Self {
        Self(cycles)
    }
}

/// A time in cycles.
pub trait Cycles {
    /// The cycles.
    fn cycles(&self) -> f64;
}

impl Cycles for Bound {
    fn cycles(&self) -> f64 {
        self.cycles
    }
}

impl Cycles for Estimate {
    fn cycles(&self) -> f64 {
        self.0
    }
}

/// A time that is computed from constants of one origin. The trait is private to this crate, so
/// that nothing else makes a [`Bound`] of a number.
pub(crate) trait Derived: Cycles + Clone {
    /// The constants.
    type Constant: ConstantValue + Clone;

    /// `work` in units of a pool: counts, and the cycles for which each operation occupies a unit.
    /// `slots` operations occupy one for a cycle.
    fn work<'a>(
        slots: f64,
        work: impl Iterator<Item = (f64, &'a Self::Constant)>,
        units: &'a Self::Constant,
    ) -> Self
    where
        Self::Constant: 'a;

    /// A chain of `cycles`, which were computed from `latencies`.
    fn chain<'a>(cycles: f64, latencies: impl Iterator<Item = &'a Self::Constant>) -> Self
    where
        Self::Constant: 'a;
}

impl std::ops::Add for Bound {
    type Output = Self;

    /// The time of two pieces of work on the same units.
    fn add(mut self, other: Self) -> Self {
        self.cycles += other.cycles;
        self.sources.extend(other.sources);
        self
    }
}

impl Derived for Bound {
    type Constant = Stated;

    fn work<'a>(
        slots: f64,
        work: impl Iterator<Item = (f64, &'a Stated)>,
        units: &'a Stated,
    ) -> Self {
        let (mut total, mut sources) = (slots, BTreeSet::from([units.source.clone()]));
        for (operations, occupied) in work {
            total += operations * occupied.value;
            sources.insert(occupied.source.clone());
        }
        Self { cycles: total / units.value, sources }
    }

    fn chain<'a>(cycles: f64, latencies: impl Iterator<Item = &'a Stated>) -> Self {
        Self { cycles, sources: latencies.map(|latency| latency.source.clone()).collect() }
    }
}

impl Derived for Estimate {
    type Constant = Constant;

    fn work<'a>(
        slots: f64,
        work: impl Iterator<Item = (f64, &'a Constant)>,
        units: &'a Constant,
    ) -> Self {
        let work = work.map(|(operations, occupied)| operations * occupied.value());
        Self(work.fold(slots, |total, cycles| total + cycles) / units.value())
    }

    fn chain<'a>(cycles: f64, _: impl Iterator<Item = &'a Constant>) -> Self {
        Self(cycles)
    }
}
