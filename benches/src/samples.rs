//! Samples that another program took between two probes, judged like our own.

use anyhow::{Context, Result, ensure};
use lanesum_measure::{Core, Discarded, Judge, Probe, Spread, interval_of_median, median};

/// The columns of a sample, the last ones of a table: its time, and the probes before and after.
const SAMPLE: [&str; 5] = ["ns", "ghz_before", "width_before", "ghz_after", "width_after"];

/// The columns that summarize the samples of a case.
const FIGURES: [&str; 6] =
    ["cycles_min", "cycles_p25", "cycles_median", "cycles_p75", "ns_min", "ns_median"];

/// The time of a case's first library divided by that of the row's, by round: the median and its
/// 95 % confidence interval.
const RATIOS: [&str; 3] = ["ratio_median", "ratio_low", "ratio_high"];

/// The samples of a case: the cycles and nanoseconds of each round that is not discarded.
struct Case<'s> {
    name: &'s [String],
    rounds: Vec<Option<(f64, f64)>>,
}

impl Case<'_> {
    fn of(&self, figure: impl Fn((f64, f64)) -> f64) -> Vec<f64> {
        self.rounds.iter().flatten().map(|&sample| figure(sample)).collect()
    }

    /// The ratios of `first`'s time to this one's, in the rounds that are valid for both.
    fn ratios(&self, first: &Self) -> Vec<f64> {
        let rounds = first.rounds.iter().zip(&self.rounds);
        rounds.filter_map(|(first, own)| Some(first.as_ref()?.0 / own.as_ref()?.0)).collect()
    }
}

/// A table with one row per case, and a description of the discarded samples.
pub(crate) struct Judged {
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
    pub(crate) discarded: Discarded,
}

/// Summarizes a table by its samples that are plausible for `core`. Returns `None` if it is not a table
/// of samples.
pub(crate) fn judge(
    core: &Core,
    columns: &[String],
    rows: &[Vec<String>],
) -> Result<Option<Judged>> {
    let Some(case) = columns.len().checked_sub(SAMPLE.len()) else { return Ok(None) };
    if columns[case..] != SAMPLE {
        return Ok(None);
    }
    let mut samples: Vec<(&[String], f64, Probe, Probe)> = Vec::new();
    for row in rows {
        let (name, numbers) = row.split_at(case);
        let numbers: Result<Vec<f64>, _> = numbers.iter().map(|number| number.parse()).collect();
        let numbers = numbers.with_context(|| format!("not a sample: {}", row.join(",")))?;
        let probe = |at: usize| Probe { ghz: numbers[at], width: numbers[at + 1] };
        samples.push((name, numbers[0], probe(1), probe(3)));
    }
    let probes: Vec<Probe> =
        samples.iter().flat_map(|&(_, _, before, after)| [before, after]).collect();
    let judge = Judge::new(core, &probes);
    let mut discarded = Discarded::default();
    // Libraries alternate, so the samples of a case are not consecutive.
    let mut cases: Vec<Case<'_>> = Vec::new();
    for (name, ns, before, after) in samples {
        let counts = judge.accepts(before, after, &mut discarded);
        let sample = counts.then(|| (ns * f64::midpoint(before.ghz, after.ghz), ns));
        match cases.iter_mut().rev().find(|case| case.name == name) {
            Some(case) => case.rounds.push(sample),
            None => cases.push(Case { name, rounds: vec![sample] }),
        }
    }
    cases.retain(|case| case.rounds.iter().any(Option::is_some));
    ensure!(!cases.is_empty(), "no sample is plausible for the core: {discarded}");
    let library = columns[..case].iter().position(|column| column == "library");
    // The cases that differ only in the library.
    let first = |of: &Case<'_>| {
        let library = library?;
        let places = 0..of.name.len();
        let alike =
            |case: &&Case<'_>| places.clone().all(|i| i == library || case.name[i] == of.name[i]);
        cases.iter().find(alike).filter(|first| first.name != of.name)
    };
    let mut rows = Vec::new();
    for case in &cases {
        let spread = |samples: Vec<f64>| Spread::of(&samples).context("a case has samples");
        let (cycles, ns) =
            (spread(case.of(|sample| sample.0))?, spread(case.of(|sample| sample.1))?);
        let figures =
            [cycles.least, cycles.lower, cycles.median, cycles.upper, ns.least, ns.median];
        let ratios = first(case).map(|first| case.ratios(first)).unwrap_or_default();
        let interval = interval_of_median(&ratios);
        let ratios =
            [median(&ratios), interval.map(|[low, _]| low), interval.map(|[_, high]| high)];
        let figures = figures.map(|figure| format!("{figure:.1}"));
        let ratios = ratios.map(|ratio| ratio.map_or(String::new(), |ratio| format!("{ratio:.4}")));
        rows.push(case.name.iter().cloned().chain(figures).chain(ratios).collect());
    }
    let names = FIGURES.iter().chain(&RATIOS).map(|name| (*name).to_owned());
    let columns = columns[..case].iter().cloned().chain(names).collect();
    Ok(Some(Judged { columns, rows, discarded }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Vec<Vec<String>> {
        text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
    }

    #[test]
    fn samples_that_no_core_can_have_made_do_not_count() {
        let mut text = "library,ns,ghz_before,width_before,ghz_after,width_after\n".to_owned();
        for _ in 0..10 {
            text += "ours,100,4.0,5.6,4.0,5.7\ntheirs,200,4.0,5.6,4.0,5.7\n";
        }
        // A cycle measured as twice too long, before and after; too many moves; differing probes.
        text += "ours,10,2.0,5.6,2.0,5.6\nours,20,4.0,13.0,4.0,5.6\nours,30,4.0,5.6,3.8,5.6\n";
        let lines = table(&text);
        let core = Core { width: Some(6.0), ..Core::default() };
        let judged = judge(&core, &lines[0], &lines[1..]).unwrap().unwrap();
        let discarded = judged.discarded;
        assert_eq!((discarded.clock, discarded.width, discarded.unsteady), (1, 1, 1));
        let columns = [&["library"][..], &FIGURES, &RATIOS].concat().join(",");
        assert_eq!(judged.columns.join(","), columns);
        let rows: Vec<String> = judged.rows.iter().map(|row| row.join(",")).collect();
        assert_eq!(
            rows,
            [
                "ours,400.0,400.0,400.0,400.0,100.0,100.0,,,",
                "theirs,800.0,800.0,800.0,800.0,200.0,200.0,0.5000,0.5000,0.5000"
            ]
        );
        let other = table("library,ns_min\nours,100\n");
        assert!(judge(&core, &other[0], &other[1..]).unwrap().is_none());
    }
}
