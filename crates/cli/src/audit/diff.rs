//! `lanesum diff`: compares two trees, two manifests, or one of each.

use std::path::Path;

use lanesum::Algorithm;
use lanesum_keep::{Audit, Outcome, Side, Survey, compare, compared_by};
use lanesum_manifest::{Options, Terminator};

use super::assumed::AlgorithmCheck;
use super::check::{cannot_open, cannot_read, report_malformed};
use super::report::{Report, describe};
use crate::args::Diff;
use crate::progress::Progress;
use crate::{CommandResult, settings};

pub(crate) fn run(args: &Diff) -> CommandResult {
    let mut success = true;
    let terminator = if args.zero { Terminator::Nul } else { Terminator::Newline };
    let options = Options { algorithm: args.algorithm, terminator };
    let mut side = |path: &Path| {
        let side = Side::open(path, options).map_err(|error| cannot_open(path, &error))?;
        success &= side.survey().is_none_or(|survey| report_malformed(path, survey, args.warn));
        Ok(side)
    };
    let (before, now) = (side(&args.before)?, side(&args.now)?);
    let wanted = args.algorithm.unwrap_or(Algorithm::SHA256.into());
    let (algorithms, moves) = compared_by(&before, &now, wanted);
    let settings = settings(&args.jobs, &algorithms)?.at(args.pace.max_rate);
    let cache = crate::cache::open(&args.cache);
    let (_, walk) = super::walk(&args.walk, Vec::new(), Vec::new(), cache.as_ref())?;
    let progress = Progress::new(args.pace.explain);
    let mut report = Report::new(&args.findings, &progress)?;
    let how = Audit {
        cache: cache.as_ref(),
        trust: super::trust(&args.cache),
        ..Audit::new(&settings, &algorithms, Some(moves))
    };
    let failed = |outcome: Outcome| {
        success = false;
        if let Some(reason) = &outcome.reason {
            progress.fault(describe(reason));
        }
    };
    // Two manifests need no hashing, and two trees have no lines.
    let (survey, manifest, root) = match (before.survey(), now.survey()) {
        (Some(survey), None) => (survey.clone(), &args.before, &args.now),
        (None, Some(survey)) => (survey.clone(), &args.now, &args.before),
        _ => (Survey::default(), &args.before, &args.now),
    };
    let is_before = before.survey().is_some();
    let mut sink = AlgorithmCheck::new(&mut report, &settings, &survey, root, is_before);
    super::with_progress(&how, &progress, None, || {
        compare(before, now, &walk, &how, &progress.counters, failed, &mut sink)
    })
    .map_err(|(path, error)| cannot_read(&path, &error))?;
    sink.finish(manifest)?;
    report.finish(success)
}
