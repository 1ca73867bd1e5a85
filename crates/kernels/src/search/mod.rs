//! The search for an order: local search and a genetic algorithm over a time for each
//! kind of operation, with measured cycles or a model. With a model, a seed is
//! reproducible.

pub mod compiler;
pub mod measure;
pub mod model;
pub mod steady;
pub mod study;

use crate::emit::order::Times;

/// The cost of a kernel's orders, in cycles per block.
pub trait OrderCost<K> {
    /// The error of an evaluation.
    type Error;

    /// Returns the cost of each candidate.
    ///
    /// # Errors
    ///
    /// If candidates cannot be evaluated.
    fn cost(&mut self, kernel: &K, candidates: &[Times]) -> Result<Vec<f64>, Self::Error>;
}

/// A search method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Only the list scheduler's order.
    List,
    /// Small changes to the best few orders.
    Local,
    /// Crossover of parents selected by tournament, and small changes.
    Genetic,
}

impl Method {
    /// Every value.
    pub const ALL: [Self; 3] = [Self::List, Self::Local, Self::Genetic];

    /// The name, on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Local => "local",
            Self::Genetic => "genetic",
        }
    }
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Found {
    /// The best order.
    pub times: Times,
    /// Its cost.
    pub cycles: f64,
    /// The number of evaluations and the best cost, each time that it improved.
    pub progress: Vec<(usize, f64)>,
}

/// The number of candidates that are evaluated together.
const BATCH: usize = 16;

/// Searches from `start` with at most `evaluations` evaluations, and calls `better`
/// with each new best order.
///
/// # Errors
///
/// If candidates cannot be evaluated.
pub fn search<K, C: OrderCost<K>>(
    kernel: &K,
    cost: &mut C,
    method: Method,
    start: &Times,
    evaluations: usize,
    seed: u64,
    mut better: impl FnMut(&Times, f64),
) -> Result<Found, C::Error> {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let cycles = cost.cost(kernel, std::slice::from_ref(start))?[0];
    let mut found = Found { times: start.clone(), cycles, progress: vec![(1, cycles)] };
    better(&found.times, cycles);
    if method == Method::List {
        return Ok(found);
    }
    let size = if method == Method::Local { 6 } else { 32 };
    let mut pool = vec![(cycles, start.clone())];
    let mut spent = 1;
    while spent < evaluations {
        let candidates: Vec<Times> = (0..BATCH.min(evaluations - spent))
            .map(|_| match method {
                // The initial population is scattered around the list scheduler's order.
                Method::Genetic if spent < size => random.change(start, 4),
                Method::Genetic => {
                    let (x, y) = (random.tournament(&pool), random.tournament(&pool));
                    let crossed = x.iter().zip(y).map(|(x, y)| if random.flip() { *x } else { *y });
                    let crossed: Times = crossed.collect();
                    random.change(&crossed, 2)
                }
                _ => {
                    let parent = random.below(pool.len());
                    random.change(&pool[parent].1, 3)
                }
            })
            .collect();
        let costs = cost.cost(kernel, &candidates)?;
        for (times, cycles) in candidates.into_iter().zip(costs) {
            spent += 1;
            if cycles < found.cycles {
                found.cycles = cycles;
                found.times.clone_from(&times);
                found.progress.push((spent, cycles));
                better(&times, cycles);
            }
            pool.push((cycles, times));
        }
        pool.sort_by(|x, y| x.0.total_cmp(&y.0));
        pool.truncate(size);
    }
    found.progress.push((spent, found.cycles));
    Ok(found)
}

/// Pseudorandom numbers: xorshift with 64 bits.
#[derive(Clone, Copy, Debug)]
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 33) as usize % n
    }

    fn flip(&mut self) -> bool {
        self.next() >> 63 == 1
    }

    /// The better of two random candidates.
    fn tournament<'p>(&mut self, pool: &'p [(f64, Times)]) -> &'p Times {
        let (x, y) = (self.below(pool.len()), self.below(pool.len()));
        &pool[x.min(y)].1
    }

    /// Moves one to `most` times by a quarter of a cycle to three cycles each.
    fn change(&mut self, times: &Times, most: usize) -> Times {
        let mut changed = times.clone();
        for _ in 0..=self.below(most) {
            let kind = self.below(times.len());
            let quarters = 1 + self.below(4) * self.below(4);
            let by = quarters as f64 / 4.0;
            changed[kind] += if self.flip() { by } else { -by };
        }
        changed
    }
}
