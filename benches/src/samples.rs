//! Samples that another program took between two probes, judged as our own are.

use anyhow::{Context, Result, ensure};
use lanesum_measure::{Core, Judge, Probe, Spread, Thrown};

/// What a sample is, in the last columns of a table: its time, and the core before and after.
const SAMPLE: [&str; 5] = ["ns", "ghz_before", "width_before", "ghz_after", "width_after"];

/// What the samples of a case come to.
const FIGURES: [&str; 6] =
    ["cycles_min", "cycles_p25", "cycles_median", "cycles_p75", "ns_min", "ns_median"];

/// A table of one line for each case, and what was thrown away.
pub(crate) struct Judged {
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
    pub(crate) thrown: Thrown,
}

/// What a table of samples comes to by those that `core` can have made; none if it is another table.
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
        let numbers = numbers.with_context(|| format!("no sample: {}", row.join(",")))?;
        let probe = |at: usize| Probe { ghz: numbers[at], width: numbers[at + 1] };
        samples.push((name, numbers[0], probe(1), probe(3)));
    }
    let probes: Vec<Probe> =
        samples.iter().flat_map(|&(_, _, before, after)| [before, after]).collect();
    let judge = Judge::new(core, &probes);
    let mut thrown = Thrown::default();
    // Libraries take turns, so that the samples of a case do not follow each other.
    let mut cases: Vec<(&[String], Vec<f64>, Vec<f64>)> = Vec::new();
    for (name, ns, before, after) in samples {
        if !judge.accepts(before, after, &mut thrown) {
            continue;
        }
        let place = cases.iter().rposition(|case| case.0 == name).unwrap_or(cases.len());
        if place == cases.len() {
            cases.push((name, Vec::new(), Vec::new()));
        }
        cases[place].1.push(ns * f64::midpoint(before.ghz, after.ghz));
        cases[place].2.push(ns);
    }
    ensure!(!cases.is_empty(), "no sample is one that the core can have made: {thrown}");
    let mut rows = Vec::new();
    for (name, cycles, ns) in cases {
        let (cycles, ns) =
            Spread::of(&cycles).zip(Spread::of(&ns)).context("a case has samples")?;
        let figures =
            [cycles.least, cycles.lower, cycles.median, cycles.upper, ns.least, ns.median];
        rows.push(
            name.iter().cloned().chain(figures.map(|figure| format!("{figure:.1}"))).collect(),
        );
    }
    let columns = columns[..case].iter().cloned().chain(FIGURES.map(str::to_owned)).collect();
    Ok(Some(Judged { columns, rows, thrown }))
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
        // The cycle read twice too long, before and after; too many moves; probes that differ.
        text += "ours,10,2.0,5.6,2.0,5.6\nours,20,4.0,13.0,4.0,5.6\nours,30,4.0,5.6,3.8,5.6\n";
        let lines = table(&text);
        let core = Core { width: Some(6.0), ..Core::default() };
        let judged = judge(&core, &lines[0], &lines[1..]).unwrap().unwrap();
        let thrown = judged.thrown;
        assert_eq!((thrown.clock, thrown.width, thrown.unsteady), (1, 1, 1));
        assert_eq!(judged.columns.join(","), format!("library,{}", FIGURES.join(",")));
        let rows: Vec<String> = judged.rows.iter().map(|row| row.join(",")).collect();
        assert_eq!(
            rows,
            [
                "ours,400.0,400.0,400.0,400.0,100.0,100.0",
                "theirs,800.0,800.0,800.0,800.0,200.0,200.0"
            ]
        );
        let other = table("library,ns_min\nours,100\n");
        assert!(judge(&core, &other[0], &other[1..]).unwrap().is_none());
    }
}
