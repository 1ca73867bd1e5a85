//! Modulo schedules: whether a loop can start an iteration every `period` cycles.
//!
//! A schedule assigns a start time to each operation of one iteration. Every later iteration starts the same
//! operations `period` cycles later. [`Cyclic::check`] verifies a schedule, [`Cyclic::refute`] proves that
//! none exists by a pool or by a chain, [`Cyclic::schedule`] searches for one (Rau's iterative modulo
//! scheduling), and [`Cyclic::decide`] tries all start times modulo the period.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::constant::ConstantValue;
use crate::machine::Units;

/// A number of units or cycles in a schedule.
pub(super) fn whole(value: f64) -> i64 {
    assert!(value.fract() == 0.0, "{value} is not whole");
    value as i64
}

/// An operation must start at least `latency` cycles after another one of `distance` iterations earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dependence {
    /// The earlier operation.
    pub from: usize,
    /// The later operation.
    pub to: usize,
    /// The cycles between their starts.
    pub latency: i64,
    /// The number of iterations between them.
    pub distance: i64,
}

/// The body of a loop: its operations, their dependences, and the pools of units that they occupy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cyclic {
    /// The number of units of each pool.
    pub units: Vec<i64>,
    /// For each operation, the units that it occupies in its first cycle, as (pool, units).
    pub operations: Vec<Vec<(usize, i64)>>,
    /// The dependences.
    pub dependences: Vec<Dependence>,
}

/// A proof that no schedule has a period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The operations occupy more units of this pool than a period has.
    Pool(usize),
    /// These dependences form a loop that takes longer than its iterations, by index.
    Chain(Vec<usize>),
    /// A search tried all start times modulo the period.
    Exhausted,
}

/// A schedule that violates a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Violation {
    /// An operation has no start time, or a time has no operation.
    Length,
    /// The operations of a cycle modulo the period occupy more units of a pool than it has.
    Pool {
        /// The pool.
        pool: usize,
        /// The cycle.
        cycle: i64,
    },
    /// A dependence, by index.
    Dependence(usize),
}

impl Cyclic {
    /// A loop without operations, on the pools of a machine in their order.
    ///
    /// # Panics
    ///
    /// If a number of units is not whole.
    pub fn of_units<C: ConstantValue>(units: &Units<C>) -> Self {
        let units = units.pools.values().map(|units| whole(units.value())).collect();
        Self { units, ..Self::default() }
    }

    /// Adds an instruction with these operations, on the pools of the same machine.
    ///
    /// # Panics
    ///
    /// If a number of cycles is not whole.
    pub fn push<C: ConstantValue>(&mut self, units: &Units<C>, operations: &[&str]) {
        let operations = operations.iter().filter_map(|op| units.ops.get(*op));
        let occupied = |pool: &String| {
            let uses = operations.clone().filter_map(|op| Some(op.uses.get(pool)?.value()));
            whole(uses.sum()) + i64::from(pool == "issue")
        };
        let uses = units.pools.keys().map(occupied).enumerate();
        self.operations.push(uses.filter(|u| u.1 > 0).collect());
    }

    /// Checks a schedule. This is independent of the searches.
    ///
    /// # Errors
    ///
    /// The first violated rule.
    pub fn check(&self, period: i64, starts: &[i64]) -> Result<(), Violation> {
        if starts.len() != self.operations.len() {
            return Err(Violation::Length);
        }
        for (pool, &units) in self.units.iter().enumerate() {
            let mut occupied = vec![0; period as usize];
            for (uses, start) in self.operations.iter().zip(starts) {
                let cycle = start.rem_euclid(period);
                let here = uses.iter().filter(|u| u.0 == pool);
                occupied[cycle as usize] += here.map(|u| u.1).sum::<i64>();
                if occupied[cycle as usize] > units {
                    return Err(Violation::Pool { pool, cycle });
                }
            }
        }
        let broken =
            |d: &Dependence| starts[d.to] < starts[d.from] + d.latency - period * d.distance;
        self.dependences.iter().position(broken).map_or(Ok(()), |i| Err(Violation::Dependence(i)))
    }

    /// Checks a proof that no schedule has a period. [`Obstacle::Exhausted`] cannot be checked.
    pub fn confirms(&self, period: i64, obstacle: &Obstacle) -> bool {
        match obstacle {
            Obstacle::Pool(pool) => self.work(*pool) > period * self.units[*pool],
            Obstacle::Chain(path) => {
                let links: Vec<_> = path.iter().map(|&i| self.dependences[i]).collect();
                let next = links.iter().cycle().skip(1);
                let latency: i64 = links.iter().map(|d| d.latency).sum();
                let distance: i64 = links.iter().map(|d| d.distance).sum();
                links.iter().zip(next).all(|(d, next)| d.to == next.from)
                    && latency > period * distance
            }
            Obstacle::Exhausted => false,
        }
    }

    /// The units of a pool that one iteration occupies.
    pub fn work(&self, pool: usize) -> i64 {
        let uses = self.operations.iter().flatten().filter(|u| u.0 == pool);
        uses.map(|u| u.1).sum()
    }

    /// The schedule with the shortest period that the search finds, from the bound to 2 % above it.
    pub fn shortest(&self) -> Option<(i64, Vec<i64>)> {
        let bound = self.bound();
        let steps = 40 * self.operations.len();
        (bound..=bound + bound / 50).find_map(|p| Some((p, self.schedule(p, steps).ok()?)))
    }

    /// A proof by a pool or a chain that no schedule has a period, if one exists.
    pub fn refute(&self, period: i64) -> Option<Obstacle> {
        let overloaded = |&pool: &usize| self.work(pool) > period * self.units[pool];
        match (0..self.units.len()).find(overloaded) {
            Some(pool) => Some(Obstacle::Pool(pool)),
            None => self.longest(period).err().map(Obstacle::Chain),
        }
    }

    /// The first period that neither a pool nor a chain excludes: no schedule has a shorter one.
    ///
    /// # Panics
    ///
    /// If a loop of dependences within one iteration takes time: then no schedule exists.
    pub fn bound(&self) -> i64 {
        let total: i64 = self.dependences.iter().map(|d| d.latency.max(0)).sum();
        let mut bound = (0..self.units.len())
            .map(|pool| (self.work(pool) + self.units[pool] - 1) / self.units[pool])
            .fold(1, i64::max);
        while let Some(Obstacle::Chain(path)) = self.refute(bound) {
            let sum = |f: fn(&Dependence) -> i64| -> i64 {
                path.iter().map(|&i| f(&self.dependences[i])).sum()
            };
            let (latency, distance) = (sum(|d| d.latency), sum(|d| d.distance));
            assert!(distance > 0 && bound <= total, "a loop within one iteration");
            bound = (latency + distance - 1) / distance;
        }
        bound
    }

    /// For each operation, the longest path to any operation at this period; or a loop without a schedule.
    fn longest(&self, period: i64) -> Result<Vec<i64>, Vec<usize>> {
        let n = self.operations.len();
        let mut height = vec![0i64; n];
        let mut by: Vec<Option<usize>> = vec![None; n];
        let mut changed = None;
        for _ in 0..=n {
            changed = None;
            for (i, d) in self.dependences.iter().enumerate().rev() {
                let longer = height[d.to] + d.latency - period * d.distance;
                if longer > height[d.from] {
                    (height[d.from], by[d.from], changed) = (longer, Some(i), Some(d.from));
                }
            }
            if changed.is_none() {
                return Ok(height);
            }
        }
        // After n steps, the walk is on the loop.
        let step = |at: usize| self.dependences[by[at].expect("on a path")].to;
        let start = (0..n).fold(changed.expect("a change"), |at, _| step(at));
        let mut path = Vec::new();
        let mut at = start;
        while path.is_empty() || at != start {
            path.push(by[at].expect("on a path"));
            at = step(at);
        }
        Err(path)
    }

    /// Searches for a schedule with this period. The largest set of operations that all depend on each other is
    /// scheduled first, with at most `steps` assignments: the operation with the longest path behind it first,
    /// at its first free cycle. If none is free, it displaces others. The operations before this set then start
    /// as late as possible, and all others as early as possible.
    ///
    /// # Errors
    ///
    /// The proof that none exists, or `None` if the search found none.
    pub fn schedule(&self, period: i64, steps: usize) -> Result<Vec<i64>, Option<Obstacle>> {
        if let Some(obstacle) = self.refute(period) {
            return Err(Some(obstacle));
        }
        let height = self.longest(period).map_err(|path| Some(Obstacle::Chain(path)))?;
        let components = self.components();
        let core = components.iter().max_by_key(|c| c.len()).ok_or(None)?;
        let mut table = Table::new(self, period);
        table.iterate(core, &height, steps).ok_or(None)?;
        // Components are sorted: users first.
        let mut is_before = vec![false; height.len()];
        core.iter().for_each(|&i| is_before[i] = true);
        let mut others = Vec::new();
        for component in components.iter().filter(|c| *c != core) {
            let needed =
                |&i: &usize| self.dependences.iter().any(|d| d.from == i && is_before[d.to]);
            if !component.iter().any(needed) {
                others.push(component);
                continue;
            }
            component.iter().for_each(|&i| is_before[i] = true);
            // An operation whose result one that has started needs.
            let mut left = component.clone();
            while let Some(at) = left.iter().position(|&i| table.window(i)[1] < FAR) {
                let i = left.remove(at);
                let [ready, late] = table.window(i);
                let times: Vec<i64> = (ready.max(late - period + 1)..=late).rev().collect();
                table.put(i, &times).ok_or(None)?;
            }
        }
        for &i in others.into_iter().rev().flat_map(|component| component.iter().rev()) {
            let [ready, late] = table.window(i);
            let ready = ready.max(0);
            let times: Vec<i64> = (ready..=late.min(ready + period - 1)).collect();
            table.put(i, &times).ok_or(None)?;
        }
        table.starts.into_iter().collect::<Option<Vec<i64>>>().ok_or(None)
    }

    /// The strongly connected components, each after all that depend on it (Tarjan).
    fn components(&self) -> Vec<Vec<usize>> {
        let n = self.operations.len();
        let mut users = vec![Vec::new(); n];
        self.dependences.iter().for_each(|d| users[d.from].push(d.to));
        let (mut number, mut low) = (vec![usize::MAX; n], vec![0; n]);
        let (mut open, mut found, mut next) = (Vec::new(), Vec::new(), 0);
        let mut is_open = vec![false; n];
        for root in 0..n {
            let mut path = vec![(root, 0)];
            while let Some((at, user)) = path.pop() {
                if user == 0 {
                    if number[at] != usize::MAX {
                        continue;
                    }
                    (number[at], low[at], is_open[at]) = (next, next, true);
                    next += 1;
                    open.push(at);
                } else if is_open[users[at][user - 1]] {
                    low[at] = low[at].min(low[users[at][user - 1]]);
                }
                if let Some(&to) = users[at].get(user) {
                    path.push((at, user + 1));
                    path.push((to, 0));
                } else if low[at] == number[at] {
                    let first = open.iter().position(|&i| i == at).expect("open");
                    let component = open.split_off(first);
                    component.iter().for_each(|&i| is_open[i] = false);
                    // The later ones first.
                    found.push(component.into_iter().rev().collect());
                }
            }
        }
        found
    }

    /// Decides whether a schedule with this period exists, by trying all start times modulo the period. The
    /// iterations of the start times then follow from the dependences.
    ///
    /// # Errors
    ///
    /// The proof that none exists; `None` if `steps` assignments do not suffice to decide.
    pub fn decide(&self, period: i64, mut steps: u64) -> Result<Vec<i64>, Option<Obstacle>> {
        if let Some(obstacle) = self.refute(period) {
            return Err(Some(obstacle));
        }
        let mut used = vec![vec![0; period as usize]; self.units.len()];
        let mut cycles = Vec::new();
        match self.extend(period, &mut cycles, &mut used, &mut steps) {
            Some(starts) => Ok(starts),
            None if steps > 0 => Err(Some(Obstacle::Exhausted)),
            None => Err(None),
        }
    }

    /// Assigns a cycle modulo the period to every further operation.
    fn extend(
        &self,
        period: i64,
        cycles: &mut Vec<i64>,
        used: &mut [Vec<i64>],
        steps: &mut u64,
    ) -> Option<Vec<i64>> {
        let at = cycles.len();
        // In units of iterations, a dependence between fixed cycles is again a dependence.
        let fixed = |d: &&Dependence| d.from < at && d.to < at;
        let links = self.dependences.iter().filter(fixed).map(|d| {
            let gap = d.latency - period * d.distance + cycles[d.from] - cycles[d.to];
            Dependence { latency: -(-gap).div_euclid(period), distance: 0, ..*d }
        });
        let whole = Self { dependences: links.collect(), ..self.clone() };
        let height = whole.longest(period).ok()?;
        if at == self.operations.len() {
            return Some((0..at).map(|i| cycles[i] - period * height[i]).collect());
        }
        // All schedules are equal up to the first operation's cycle.
        for cycle in 0..if at == 0 { 1 } else { period } {
            *steps = steps.checked_sub(1)?;
            let uses = &self.operations[at];
            let column = cycle as usize;
            if uses.iter().all(|&(pool, n)| used[pool][column] + n <= self.units[pool]) {
                uses.iter().for_each(|&(pool, n)| used[pool][column] += n);
                cycles.push(cycle);
                if let Some(starts) = self.extend(period, cycles, used, steps) {
                    return Some(starts);
                }
                cycles.pop();
                uses.iter().for_each(|&(pool, n)| used[pool][column] -= n);
            }
        }
        None
    }
}

/// A time beyond all others, to which times can be added.
const FAR: i64 = 1 << 40;

/// A partial schedule.
struct Table<'a> {
    cyclic: &'a Cyclic,
    period: i64,
    /// For each operation, its dependences, by index.
    of: Vec<Vec<usize>>,
    starts: Vec<Option<i64>>,
    /// For each cycle modulo the period, the occupied units of each pool, and the operations.
    used: Vec<(Vec<i64>, Vec<usize>)>,
    /// A weight of each pool, which grows fast with its utilization.
    busy: Vec<f64>,
}

impl<'a> Table<'a> {
    fn new(cyclic: &'a Cyclic, period: i64) -> Self {
        let n = cyclic.operations.len();
        let mut of = vec![Vec::new(); n];
        for (i, d) in cyclic.dependences.iter().enumerate() {
            of[d.from].push(i);
            of[d.to].push(i);
        }
        let used = vec![(vec![0; cyclic.units.len()], Vec::new()); period as usize];
        let busy =
            |pool| (cyclic.work(pool) as f64 / (period * cyclic.units[pool]) as f64).powi(16);
        let busy = (0..cyclic.units.len()).map(busy).collect();
        Self { cyclic, period, of, starts: vec![None; n], used, busy }
    }

    fn dependences(&self, i: usize) -> impl Iterator<Item = Dependence> {
        self.of[i].iter().map(|&d| self.cyclic.dependences[d])
    }

    fn is_free(&self, i: usize, time: i64) -> bool {
        let (used, _) = &self.used[time.rem_euclid(self.period) as usize];
        self.cyclic.operations[i].iter().all(|&(pool, n)| used[pool] + n <= self.cyclic.units[pool])
    }

    /// The free units of a cycle that an operation leaves to others, weighted by how busy each pool is.
    fn unused(&self, i: usize, time: i64) -> f64 {
        let (used, _) = &self.used[time.rem_euclid(self.period) as usize];
        let others =
            (0..used.len()).filter(|p| self.cyclic.operations[i].iter().all(|u| u.0 != *p));
        others.map(|p| (self.cyclic.units[p] - used[p]) as f64 * self.busy[p]).sum()
    }

    fn start(&mut self, i: usize, time: i64) {
        let (used, here) = &mut self.used[time.rem_euclid(self.period) as usize];
        self.cyclic.operations[i].iter().for_each(|&(pool, n)| used[pool] += n);
        here.push(i);
        self.starts[i] = Some(time);
    }

    fn remove(&mut self, i: usize) -> bool {
        let Some(time) = self.starts[i].take() else { return false };
        let (used, here) = &mut self.used[time.rem_euclid(self.period) as usize];
        self.cyclic.operations[i].iter().for_each(|&(pool, n)| used[pool] -= n);
        here.retain(|&other| other != i);
        true
    }

    /// Starts an operation at the time that suits the other ones best, the first of them on a tie. If none is
    /// free, moves another operation.
    fn put(&mut self, i: usize, times: &[i64]) -> Option<()> {
        let free = times.iter().filter(|&&time| self.is_free(i, time));
        let best = free.min_by(|&&x, &&y| self.unused(i, x).total_cmp(&self.unused(i, y)));
        if let Some(&time) = best {
            self.start(i, time);
            return Some(());
        }
        for &time in times {
            for other in self.used[time.rem_euclid(self.period) as usize].1.clone() {
                let old = self.starts[other].expect("here");
                self.remove(other);
                let fits = self.is_free(i, time);
                let [ready, late] = self.window(other);
                let range = ready.max(old - self.period / 2)..=late.min(old + self.period / 2);
                for new in range.filter(|_| fits) {
                    if self.is_free(other, new)
                        && new.rem_euclid(self.period) != time.rem_euclid(self.period)
                    {
                        self.start(other, new);
                        let [ready, late] = self.window(i);
                        if ready <= time && time <= late {
                            self.start(i, time);
                            return Some(());
                        }
                        self.remove(other);
                    }
                }
                self.start(other, old);
            }
        }
        None
    }

    /// The first and last time that the started operations allow.
    fn window(&self, i: usize) -> [i64; 2] {
        let gap = |d: &Dependence| d.latency - self.period * d.distance;
        let others = || self.dependences(i).filter(|d| d.from != d.to);
        let before = others().filter(|d| d.to == i);
        let after = others().filter(|d| d.from == i);
        let ready = before.filter_map(|d| Some(self.starts[d.from]? + gap(&d)));
        let late = after.filter_map(|d| Some(self.starts[d.to]? - gap(&d)));
        [ready.fold(-FAR, i64::max), late.fold(FAR, i64::min)]
    }

    /// Iterative modulo scheduling of these operations.
    fn iterate(&mut self, operations: &[usize], height: &[i64], steps: usize) -> Option<()> {
        let mut earliest = vec![i64::MIN; height.len()];
        let key = |i: usize| (height[i], Reverse(i));
        let mut queue: BinaryHeap<_> = operations.iter().map(|&i| key(i)).collect();
        for _ in 0..steps {
            let Some((_, Reverse(at))) = queue.pop() else { return Some(()) };
            let ready = self.window(at)[0].max(-height[at]);
            let free = (ready..ready + self.period).find(|&time| self.is_free(at, time));
            let start = free.unwrap_or(ready).max(earliest[at]);
            earliest[at] = start + 1;
            let mut displaced = Vec::new();
            if !self.is_free(at, start) {
                let uses = |i: usize| self.cyclic.operations[i].iter().map(|u| u.0);
                let shares = |&i: &usize| uses(i).any(|pool| uses(at).any(|p| p == pool));
                let here = &self.used[start.rem_euclid(self.period) as usize].1;
                displaced.extend(here.iter().copied().filter(shares));
            }
            let late = |d: &Dependence| {
                let ready = start + d.latency - self.period * d.distance;
                d.from == at && d.to != at && self.starts[d.to].is_some_and(|time| time < ready)
            };
            displaced.extend(self.dependences(at).filter(late).map(|d| d.to));
            for other in displaced {
                if self.remove(other) {
                    queue.push(key(other));
                }
            }
            self.start(at, start);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reproducible sequence of numbers.
    struct Random(u64);

    impl Random {
        fn below(&mut self, n: u64) -> i64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 20).rem_euclid(n) as i64
        }
    }

    fn tiny(random: &mut Random) -> Cyclic {
        let n = 2 + random.below(2);
        let units = vec![1 + random.below(2), 1];
        let operations = (0..n).map(|_| match random.below(3) {
            0 => vec![(0, 1)],
            1 => vec![(0, 1), (1, 1)],
            _ => vec![(1, 1)],
        });
        let operations = operations.collect();
        let dependences = (0..1 + random.below(5)).map(|_| {
            let (from, to) = (random.below(n as u64), random.below(n as u64));
            // Within an iteration, only later operations depend on earlier ones.
            let distance = i64::from(from >= to) + random.below(2);
            let latency = random.below(4);
            Dependence { from: from as usize, to: to as usize, latency, distance }
        });
        Cyclic { units, operations, dependences: dependences.collect() }
    }

    /// All start times up to a limit that no shortest schedule of so few operations exceeds.
    fn brute_force(cyclic: &Cyclic, period: i64) -> bool {
        let n = cyclic.operations.len() as u32;
        let times = 16i64;
        (0..times.pow(n)).any(|number| {
            let starts: Vec<i64> = (0..n).map(|i| number / times.pow(i) % times).collect();
            cyclic.check(period, &starts).is_ok()
        })
    }

    #[test]
    fn decisions_are_those_of_brute_force() {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let (mut found, mut proofs, mut exhausted) = (0, 0, 0);
        for _ in 0..400 {
            let cyclic = tiny(&mut random);
            for period in 1..=4 {
                let exists = brute_force(&cyclic, period);
                match cyclic.decide(period, 1 << 20) {
                    Ok(starts) => {
                        assert!(exists, "{cyclic:?}");
                        assert_eq!(cyclic.check(period, &starts), Ok(()), "{cyclic:?}");
                        found += 1;
                    }
                    Err(Some(obstacle)) => {
                        assert!(!exists, "{cyclic:?}, {period}: {obstacle:?}");
                        let is_proof = cyclic.confirms(period, &obstacle);
                        assert!(is_proof || obstacle == Obstacle::Exhausted);
                        proofs += i32::from(is_proof);
                        exhausted += i32::from(!is_proof);
                        assert!(cyclic.schedule(period, 1000).is_err());
                    }
                    Err(None) => panic!("undecided: {cyclic:?}"),
                }
                if let Ok(starts) = cyclic.schedule(period, 1000) {
                    assert_eq!(cyclic.check(period, &starts), Ok(()), "{cyclic:?}");
                }
                assert!(exists <= (period >= cyclic.bound()), "{cyclic:?}");
            }
        }
        // Each answer occurs.
        assert!(found > 400 && proofs > 100 && exhausted >= 5, "{found} {proofs} {exhausted}");
    }

    /// A loop of four operations in three cycles on one unit of two.
    fn example() -> Cyclic {
        let link = |from, to, latency, distance| Dependence { from, to, latency, distance };
        Cyclic {
            units: vec![2],
            operations: vec![vec![(0, 1)]; 4],
            dependences: vec![
                link(0, 1, 1, 0),
                link(1, 2, 1, 0),
                link(2, 0, 1, 1),
                link(3, 1, 2, 0),
            ],
        }
    }

    #[test]
    fn wrong_schedules_and_wrong_proofs_are_rejected() {
        let cyclic = example();
        assert_eq!(cyclic.bound(), 3);
        let starts = cyclic.schedule(3, 100).expect("a schedule");
        assert_eq!(cyclic.check(3, &starts), Ok(()));
        // This schedule is too long for a shorter period.
        assert!(cyclic.check(2, &starts).is_err());
        assert_eq!(cyclic.check(3, &starts[1..]), Err(Violation::Length));
        let mut early = starts.clone();
        early[1] -= 1;
        assert_eq!(cyclic.check(3, &early), Err(Violation::Dependence(0)));
        let crowded = Cyclic { units: vec![1], ..cyclic.clone() };
        assert!(matches!(crowded.check(3, &starts), Err(Violation::Pool { pool: 0, .. })));
        assert_eq!(crowded.schedule(3, 100), Err(Some(Obstacle::Pool(0))));
        assert!(!cyclic.confirms(3, &Obstacle::Pool(0)));
        let Some(Obstacle::Chain(path)) = cyclic.refute(2) else { panic!("a chain of three") };
        assert!(cyclic.confirms(2, &Obstacle::Chain(path.clone())));
        assert!(!cyclic.confirms(3, &Obstacle::Chain(path.clone())));
        // An open path is no proof.
        assert!(!cyclic.confirms(2, &Obstacle::Chain(path[1..].to_vec())));
        assert!(!cyclic.confirms(2, &Obstacle::Exhausted));
    }
}
