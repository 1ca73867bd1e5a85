//! Bounds of machine code: its chain, its work in each pool of units, and its dispatch.

use std::collections::{BTreeMap, BTreeSet};

use crate::code::CodeTrace;
use crate::constant::{Bound, Cycles, Derived, Stated};
use crate::machine::Units;

/// The lower bounds of machine code, in cycles per block.
#[derive(Clone, Debug, PartialEq)]
pub struct CodeBounds {
    /// Its longest chain.
    pub chain: Bound,
    /// The busiest pool, and its time; no pool if no unit has a source.
    pub ports: (String, Bound),
    /// The time to dispatch its instructions.
    pub dispatch: Bound,
}

/// The bounds of the blocks by which the second execution is longer than the first.
pub fn code_bounds(
    units: &Units<Stated>,
    [fewer, more]: [&CodeTrace; 2],
    blocks: usize,
) -> CodeBounds {
    let blocks = blocks as f64;
    let mut counts: BTreeMap<(&str, u32), f64> = BTreeMap::new();
    for (code, sign) in [(more, 1.0), (fewer, -1.0)] {
        for op in code.instructions().iter().flatten() {
            *counts.entry((units.name(op.name), op.bits)).or_default() += sign / blocks;
        }
    }
    let widths = units.widths.values().flat_map(BTreeMap::keys);
    let pools: BTreeSet<&String> = units.pools.keys().chain(widths).collect();
    let time = |pool: &String| {
        let mut by_width: BTreeMap<u32, Vec<(f64, &Stated)>> = BTreeMap::new();
        for ((op, bits), n) in &counts {
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
    let instructions = (more.instructions().len() - fewer.instructions().len()) as f64 / blocks;
    let chain =
        |code: &CodeTrace| code.on(units, &[], false).chains().last().copied().unwrap_or(0.0);
    let latencies = counts.keys().flat_map(|(op, _)| units.latencies(op));
    CodeBounds {
        chain: Bound::chain((chain(more) - chain(fewer)) / blocks, latencies),
        ports: busiest.unwrap_or_default(),
        dispatch: units
            .pools
            .get("issue")
            .map(|issue| Bound::of_work(instructions, issue))
            .unwrap_or_default(),
    }
}
