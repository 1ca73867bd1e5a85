//! Register placement: builds every candidate placement, finds its critical path, and selects the
//! one with the shortest.

use crate::chained::chained;
use crate::control::{Built, Ledger, iterative};
use crate::datapath::{Class, CoreFrame, Placement, classes, sorted_parts};
use crate::options::Chaining;
use crate::pipeline::{full_buffer, pipelined, steady_interval};
use crate::recurrence::Part;
use crate::ring::ring;
use crate::{
    Arrival, Gate, Goal, MeasuredCore, Netlist, Options, Recurrence, Registers, RtlError,
    Technology,
};

/// A core: its netlist, placement and predicted properties.
#[derive(Clone, Debug)]
pub struct Core {
    /// The requested options.
    pub options: Options,
    /// The circuit.
    pub netlist: Netlist,
    /// The placement of its registers.
    pub placement: Placement,
    /// Cycles between the starts of two blocks of independent messages. If a small output buffer
    /// stalls a pipeline, the average, rounded up.
    pub interval: usize,
    /// Cycles from a block to its value.
    pub latency: usize,
    /// Number of values that the output can buffer.
    pub buffer: usize,
    /// The critical path from register to register, without the register overhead.
    pub path: Arrival,
    /// The contents of its registers in each cycle, for cores with one set of registers.
    pub(crate) ledger: Option<Ledger>,
}

impl Core {
    /// The predicted clock period, in the unit of the technology.
    pub fn period(&self) -> f64 {
        self.path.value + self.options.technology.overhead
    }

    /// The predicted area, in the unit of the technology's areas.
    pub fn area(&self) -> f64 {
        let areas = &self.options.technology.area;
        let of = |(gate, width): &(Gate, u32)| {
            let each = match gate {
                Gate::Add(..) | Gate::Sub(..) => areas.add,
                Gate::Save(..) | Gate::LowSave(..) => areas.row,
                Gate::Ch(..) | Gate::Maj(..) | Gate::Xor3(..) => areas.function,
                _ => 0.0,
            };
            each * f64::from(*width) / 32.0
        };
        let gates: f64 = self.netlist.gates.iter().map(of).sum();
        gates + areas.bit * f64::from(self.netlist.register_bits())
    }

    /// The measurement of this core, if the target's data contain one.
    pub fn measured(&self) -> Option<&MeasuredCore> {
        let Options { algorithm, unfold, stages, technology, registers, chain, .. } = &self.options;
        if self.options.stream || self.options.clock_gate {
            return None;
        }
        let same = |m: &&MeasuredCore| {
            let place = (m.unfold, m.stages, m.chain) == (*unfold, *stages, *chain);
            place && m.algorithm == algorithm.name() && *registers == Registers::Free
        };
        technology.measured.iter().find(same)
    }

    /// Total throughput, in bits per unit of time.
    pub fn throughput(&self) -> f64 {
        let bits = 8 * self.options.algorithm.block_len();
        bits as f64 / (self.interval as f64 * self.period())
    }
}

/// Selects the best unfolding for `goal`, from one to sixteen rounds per cycle. Uses measurements
/// where they exist, and predictions otherwise.
///
/// # Errors
///
/// [`RtlError`], if no unfolding is compatible with the other options.
pub fn best_unfold(options: &Options, goal: Goal) -> Result<Core, RtlError> {
    options.check_for_any_unfold()?;
    let rounds = options.rounds();
    let cores: Vec<Core> = (1..=16)
        .filter(|n| rounds.is_multiple_of(*n))
        .filter_map(|unfold| core(&Options { unfold, ..options.clone() }).ok())
        .collect();
    let worth = |core: &Core, period: f64, area: f64| {
        let rate = 1.0 / (core.interval as f64 * period);
        if goal == Goal::PerArea { rate / area } else { rate }
    };
    let predicted = |core: &Core| worth(core, core.period(), core.area());
    let measured = |core: &Core| core.measured().map(|m| worth(core, m.period, m.area));
    // Prediction errors exceed the differences between cores. So scale the prediction of an
    // unmeasured core by the worst ratio of measurement to prediction: it wins only if it is better
    // even then.
    let off = cores.iter().filter_map(|core| Some(measured(core)? / predicted(core)));
    let worst = off.reduce(f64::min).unwrap_or(1.0);
    let value = |core: &Core| measured(core).unwrap_or_else(|| worst * predicted(core));
    let best = cores.into_iter().reduce(|best, core| {
        // On a tie, prefer fewer rounds per cycle.
        if value(&core) > value(&best) { core } else { best }
    });
    best.ok_or(RtlError::Placement)
}

/// Builds the requested core with the register placement of the shortest block time.
///
/// # Errors
///
/// [`RtlError`], if the options are invalid or no placement works.
pub fn core(options: &Options) -> Result<Core, RtlError> {
    options.check()?;
    let family = options.algorithm.family();
    let recurrence = Recurrence::new(family);
    let classes = classes(&recurrence);
    let parts = sorted_parts(&recurrence);
    let technology = options.technology.for_width(family.word_bits());
    let mut best: Option<(f64, u32, Core)> = None;
    for placement in placements(options, &recurrence, &classes) {
        let Some(core) = attempt(options, &recurrence, (&classes, &parts), &technology, placement)
        else {
            continue;
        };
        // Minimize the time of a block; for a pipeline, this is the clock period.
        let time = core.period() * core.interval as f64;
        let bits = core.netlist.register_bits();
        let better = best.as_ref().is_none_or(|(t, b, _)| {
            time < t * (1.0 - 1e-6) || (time < t * (1.0 + 1e-6) && bits < *b)
        });
        if better {
            best = Some((time, bits, core));
        }
    }
    let (_, _, mut core) = best.ok_or(RtlError::Placement)?;
    let pipeline = options.stages > 1 && core.buffer > 0;
    if pipeline && core.buffer < full_buffer(core.latency, core.interval) {
        core.interval = steady_interval(&core.netlist, core.buffer);
    }
    Ok(core)
}

fn attempt(
    options: &Options,
    recurrence: &Recurrence,
    (classes, parts): (&[Vec<Class>], &[Vec<Vec<Part>>]),
    technology: &Technology,
    placement: Placement,
) -> Option<Core> {
    let frame =
        CoreFrame { recurrence, placement: &placement, technology, options, classes, parts };
    let overlap = matches!(options.registers, Registers::Free | Registers::Retimed);
    let Built { netlist, interval, latency, buffer, ledger } = match options.chaining() {
        Chaining::Ring => ring(&frame),
        Chaining::Turn => chained(&frame),
        Chaining::Outside if options.stages == 1 => iterative(&frame, overlap),
        Chaining::Outside => pipelined(&frame, options.stages, options.buffer),
    }
    .ok()?;
    let path = longest(&netlist);
    let options = options.clone();
    Some(Core { options, netlist, placement, interval, latency, buffer, path, ledger })
}

/// The latest arrival at a register input.
fn longest(netlist: &Netlist) -> Arrival {
    let at = |r: &crate::ClockedRegister| {
        let next = r.next.expect("driven");
        netlist.arrival(next)
    };
    netlist.registers.iter().map(at).fold(Arrival::default(), Arrival::max)
}

/// The distance back to the newest state word that a part reads. Schedule words do not count, since
/// they are known much earlier.
fn newest(class: &Class, schedule: usize) -> isize {
    let state = class.iter().filter(|read| read.0 != schedule);
    state.map(|read| read.1).min().unwrap_or(isize::MAX)
}

/// Nested sets of parts that are known early, smallest first, for the words of one sequence. The
/// parts with the oldest operands are added first.
fn nested(classes: &[Class], schedule: usize, allowed: impl Fn(&Class) -> bool) -> Vec<Vec<usize>> {
    let age = |class: &Class| newest(class, schedule);
    let mut order: Vec<usize> = (0..classes.len()).filter(|&p| allowed(&classes[p])).collect();
    order.sort_by_key(|&p| std::cmp::Reverse(age(&classes[p])));
    (2..=order.len())
        .map(|n| {
            let mut set = order[..n].to_vec();
            set.sort_unstable();
            set
        })
        .collect()
}

/// Partial sums to register for the words of one sequence: for each level, its groups of parts.
type Levels = Vec<Vec<Vec<usize>>>;

/// All choices, up to `most` levels, in which no level has more parts than an earlier one.
fn levels(choices: &[Vec<Vec<usize>>], most: usize) -> Vec<Levels> {
    let mut all: Vec<Levels> = vec![vec![]];
    let mut last: Vec<(Levels, usize)> = vec![(vec![], choices.len())];
    for _ in 0..most {
        let mut longer = Vec::new();
        for (levels, rank) in &last {
            for (i, groups) in choices.iter().enumerate().take(*rank) {
                let mut more = levels.clone();
                more.push(groups.clone());
                longer.push((more, i + 1));
            }
        }
        all.extend(longer.iter().map(|(levels, _)| levels.clone()));
        last = longer;
    }
    all
}

fn placements(
    options: &Options,
    recurrence: &Recurrence,
    classes: &[Vec<Class>],
) -> Vec<Placement> {
    let schedule = recurrence.schedule();
    let unfold = options.unfold;
    let nothing = vec![vec![]; recurrence.sequences.len()];
    let skew = |late: isize, prologue: usize| {
        let mut skew = vec![0; schedule];
        if schedule == 2 {
            skew[0] = late;
        }
        skew.push(-15 - (prologue * unfold) as isize);
        skew
    };
    if matches!(options.registers, Registers::Paper | Registers::Rows) {
        let rows = options.registers == Registers::Rows;
        return vec![Placement {
            skew: skew(0, 0),
            ahead: nothing,
            rows,
            prologue: 0,
            kept: false,
        }];
    }
    if options.chaining() == Chaining::Ring {
        // K, W and H, which both sums have in common, are added a round ahead.
        let common = |class: &Class| class.len() <= 1 && classes[0].contains(class);
        let terms = |s: usize| {
            let all = 0..classes[s].len();
            vec![vec![all.filter(|&p| common(&classes[s][p])).collect()]]
        };
        let ahead = [(0..schedule).map(terms).collect(), vec![vec![]]].concat();
        let schedule_skew = if options.stream { -1 } else { -16 };
        let skew = [vec![0; schedule], vec![schedule_skew]].concat();
        return vec![Placement { skew, ahead, rows: true, prologue: 1, kept: false }];
    }
    let mut found = Vec::new();
    // The more rounds per cycle, the smaller the benefit of precomputation.
    let (prologues, most): (&[usize], usize) = match unfold {
        1 => (&[0, 1, 2, 3], 4),
        2 => (&[0, 1, 2], 4),
        3..=4 => (&[0, 1], 2),
        _ => (&[0], 1),
    };
    // The words of a block are loaded one cycle before its rounds.
    let prologues = if options.chain { &[1] } else { prologues };
    // Permits carry-save rows; a sum may still use adders only.
    let rows = true;
    for &prologue in prologues {
        if schedule == 1 {
            // SHA-1: K + W, E + K + W and F + E + K + W; or F in a separate register.
            let sets = nested(&classes[0], schedule, |c| newest(c, schedule) > 1);
            let mut choices: Vec<Vec<Vec<usize>>> = sets.iter().map(|s| vec![s.clone()]).collect();
            if let [.., fewer, more] = &sets[..] {
                let apart = more.iter().copied().filter(|p| !fewer.contains(p)).collect();
                choices.push(vec![apart, fewer.clone()]);
            }
            for ahead in levels(&choices, most) {
                let mut all = nothing.clone();
                all[0] = ahead;
                let skew = skew(0, prologue);
                found.push(Placement { skew, ahead: all, rows, prologue, kept: false });
            }
            // A pair in carry-save form, with F added by its row. The first pair is available at
            // the load or, if it belongs to a word of the chaining value, one cycle later.
            let can = if options.chain { unfold > 1 } else { prologue * unfold <= 1 };
            if options.registers == Registers::Free && can {
                let choices: Vec<Vec<Vec<usize>>> =
                    sets[..sets.len() - 1].iter().map(|s| vec![s.clone()]).collect();
                for mut ahead in levels(&choices, most) {
                    ahead.insert(0, vec![]);
                    let mut all = nothing.clone();
                    all[0] = ahead;
                    let skew = skew(0, prologue);
                    found.push(Placement { skew, ahead: all, rows, prologue, kept: true });
                }
            }
            continue;
        }
        // SHA-2: the parts of E with older operands, and for A the same parts without D. A may be
        // one round late, computed from the registered sum of all parts except Σ0 and Maj.
        let of_e = nested(&classes[1], schedule, |c| newest(c, schedule) > 1);
        let of_a = nested(&classes[0], schedule, |c| newest(c, schedule) > 1);
        let late: Vec<usize> =
            (0..classes[0].len()).filter(|&p| classes[0][p].iter().all(|r| r.0 != 0)).collect();
        let single = |sets: &[Vec<usize>]| sets.iter().map(|s| vec![s.clone()]).collect::<Vec<_>>();
        let early = nested(&classes[2], usize::MAX, |c| newest(c, usize::MAX) > 2).pop();
        let schedules: Vec<Levels> = if most == 1 {
            vec![vec![]]
        } else {
            vec![vec![], early.map(|set| vec![vec![set]]).unwrap_or_default()]
        };
        let lates: &[isize] = if options.chain { &[0] } else { &[0, 1] };
        for &a_late in lates {
            for e in levels(&single(&of_e), most.min(2)) {
                for a in levels(&single(&of_a), most.min(2)) {
                    for w in &schedules {
                        let mut a = a.clone();
                        if a_late == 1 {
                            a.insert(0, vec![late.clone()]);
                        }
                        let ahead = vec![e.clone(), w.clone()];
                        let ahead = [vec![a], ahead].concat();
                        let skew = skew(a_late, prologue);
                        found.push(Placement { skew, ahead, rows, prologue, kept: false });
                    }
                }
            }
        }
    }
    found
}
