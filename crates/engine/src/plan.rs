//! Plans: which rows take how many live lanes.

use crate::kernel::{Backend, ROW_COUNT};
use crate::words::MAX_LANES;

/// A backend, and what a block in each of its lanes is taken to cost.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) backend: Backend,
    pub(crate) cost: u32,
}

/// Which of two rows of different width runs when all lanes are live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Preference {
    /// The cheaper one by the table of costs.
    Chosen = 1,
    /// The other.
    Rival = 2,
}

impl Preference {
    pub(crate) fn from_u8(value: u8) -> Option<Self> {
        [Self::Chosen, Self::Rival].into_iter().find(|&preference| preference as u8 == value)
    }
}

/// For each number of live lanes, the cheapest backends that cover them.
#[derive(Clone)]
pub(crate) struct Plan {
    /// Widest first; the first is there.
    candidates: [Option<Candidate>; ROW_COUNT],
    lanes: usize,
    rivals: Option<[Backend; 2]>,
    chosen: Cover,
    rival: Cover,
}

/// `cover[n]`: which candidate takes the first lanes of n live ones.
type Cover = [u8; MAX_LANES + 1];

impl Plan {
    pub(crate) fn new(candidates: [Option<Candidate>; ROW_COUNT]) -> Option<Self> {
        candidates[0]?;
        // As many lanes as the widest row that is not much dearer a lane than
        // the best: it may prove the better one.
        let best = candidates.iter().flatten().map(Candidate::per_lane).min()?;
        let good = |c: &&Candidate| c.per_lane() * 4 <= best * 5;
        let lanes = candidates.iter().flatten().filter(good).map(|c| c.backend.lanes()).max()?;

        let chosen = solve(&candidates);
        let first = candidates[usize::from(chosen[lanes])]?;
        // The next best of another width, if it is dearer by a third at most.
        let other = candidates
            .iter()
            .flatten()
            .filter(|c| c.backend.lanes() <= lanes && c.backend.lanes() > 1)
            .filter(|c| c.backend != first.backend && c.per_lane() * 3 <= first.per_lane() * 4)
            .min_by_key(|c| c.per_lane());
        let rivals = other.map(|other| [first.backend, other.backend]);

        let mut rival = chosen;
        if let Some(other) = other {
            // The rival a tenth cheaper than the chosen one, lane by lane.
            let mut candidates = candidates;
            for candidate in candidates.iter_mut().flatten() {
                if candidate.backend == other.backend {
                    let lanes = candidate.backend.lanes() as u64;
                    candidate.cost = (first.per_lane() * lanes * 9 / 10_000).max(1) as u32;
                }
            }
            rival = solve(&candidates);
        }
        Some(Self { candidates, lanes, rivals, chosen, rival })
    }

    /// How many messages to have in lanes.
    pub(crate) fn lanes(&self) -> usize {
        self.lanes
    }

    /// The backend for the first lanes of `live` ones.
    pub(crate) fn group(&self, preference: Preference, live: usize) -> Backend {
        let cover = match preference {
            Preference::Chosen => &self.chosen,
            Preference::Rival => &self.rival,
        };
        self.candidates[usize::from(cover[live])].expect("a cover leads to candidates").backend
    }

    /// The two backends worth timing against each other when all lanes are
    /// live: the one chosen by cost, and the next best of another width.
    pub(crate) fn rivals(&self) -> Option<[Backend; 2]> {
        self.rivals
    }
}

impl Candidate {
    /// What a block in one lane costs, in ten-thousandths of a cycle.
    fn per_lane(&self) -> u64 {
        u64::from(self.cost) * 1000 / self.backend.lanes() as u64
    }
}

/// Finds the cheapest cover of every number of lanes. Among covers of one cost
/// the first group is the widest, so groups come widest first, and each begins
/// at a multiple of its own lanes.
fn solve(candidates: &[Option<Candidate>; ROW_COUNT]) -> Cover {
    let mut cover = [0; MAX_LANES + 1];
    let mut total = [0u64; MAX_LANES + 1];
    for n in 1..=MAX_LANES {
        total[n] = u64::MAX;
        for (i, candidate) in candidates.iter().flatten().enumerate() {
            let rest = n.saturating_sub(candidate.backend.lanes());
            let cost = u64::from(candidate.cost) + total[rest];
            if cost < total[n] {
                total[n] = cost;
                cover[n] = i as u8;
            }
        }
    }
    cover
}
