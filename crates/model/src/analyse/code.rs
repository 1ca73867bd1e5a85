//! Bounds of machine code: its chain, its work in each pool of units, and its dispatch.

use std::collections::{BTreeMap, BTreeSet};

use crate::constant::{Bound, Cycles, Derived, Stated};
use crate::machine::Units;

/// The work of machine code.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CodeCost {
    /// The number of instructions.
    pub instructions: f64,
    /// The number of each operation, by its name in the machines' models and the bits of its registers (0: general
    /// registers).
    pub counts: BTreeMap<(&'static str, u32), f64>,
}

/// The lower bounds of machine code.
#[derive(Clone, Debug, PartialEq)]
pub struct CodeBounds {
    /// Its longest chain.
    pub chain: Bound,
    /// The busiest pool, and its time; no pool if no unit has a source.
    pub ports: (String, Bound),
    /// The time to dispatch its instructions.
    pub dispatch: Bound,
}

/// The bounds of code with this `cost`, and a `chain` in cycles that was computed from `units`.
pub fn code_bounds(units: &Units<Stated>, cost: &CodeCost, chain: f64) -> CodeBounds {
    let widths = units.widths.values().flat_map(BTreeMap::keys);
    let pools: BTreeSet<&String> = units.pools.keys().chain(widths).collect();
    let time = |pool: &String| {
        let mut by_width: BTreeMap<u32, Vec<(f64, &Stated)>> = BTreeMap::new();
        for ((op, bits), n) in &cost.counts {
            let used = units.ops.get(*op).and_then(|op| op.uses.get(pool));
            by_width.entry(*bits).or_default().extend(used.map(|used| (*n, used)));
        }
        // A wider register occupies more of the same units, so the times of all widths add up.
        let of = by_width.into_iter().filter_map(|(bits, work)| {
            Some(Bound::work(0.0, work.into_iter(), units.pool(pool, bits)?))
        });
        of.reduce(|x, y| x + y).unwrap_or_default()
    };
    let times = pools.into_iter().map(|pool| (pool.clone(), time(pool)));
    let busiest = times.max_by(|x, y| x.1.cycles().total_cmp(&y.1.cycles()));
    let dispatch = units.pools.get("issue");
    let latencies = cost.counts.keys().flat_map(|(op, _)| units.latencies(op));
    CodeBounds {
        chain: Bound::chain(chain, latencies),
        ports: busiest.unwrap_or_default(),
        dispatch: dispatch
            .map(|issue| Bound::of_work(cost.instructions, issue))
            .unwrap_or_default(),
    }
}
