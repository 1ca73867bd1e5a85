//! `lanesum diff`: trees or manifests, one against the other.

use std::path::Path;

use lanesum::Algorithm;
use lanesum_files::Walk;
use lanesum_keep::{Audit, Side, Told, compare, compared_by};
use lanesum_manifest::{Options, Terminator};

use super::audit::{cannot_open, cannot_read, say_of};
use super::report::{Report, why};
use crate::args::Diff;
use crate::progress::Progress;
use crate::say::say;
use crate::{Verdict, settings};

pub(crate) fn run(args: &Diff) -> Verdict {
    try_run(args).unwrap_or_else(|verdict| verdict)
}

fn try_run(args: &Diff) -> Result<Verdict, Verdict> {
    let mut well = true;
    let terminator = if args.zero { Terminator::Nul } else { Terminator::Newline };
    let options = Options { algorithm: args.algorithm, terminator };
    let mut side = |path: &Path| {
        let side = Side::open(path, options).map_err(|error| cannot_open(path, &error))?;
        well &= side.survey().is_none_or(|survey| say_of(path, survey, args.warn));
        Ok(side)
    };
    let (before, now) = (side(&args.before)?, side(&args.now)?);
    let wanted = args.algorithm.unwrap_or(Algorithm::SHA256);
    let (algorithms, moves) = compared_by(&before, &now, wanted);
    let settings = settings(&args.jobs, &algorithms)?.at(args.pace.max_rate);
    let cache = super::cache(&args.cache)?;
    let mut walk = super::walk(&args.walk);
    walk.outputs.extend(super::own(cache.as_ref()));
    if let Err(error) = Walk::new([], &walk) {
        say(error);
        return Err(Verdict::Usage);
    }
    let progress = Progress::new(args.pace.explain);
    let mut report = Report::new(&args.findings, &progress)?;
    let how = Audit {
        settings: &settings,
        algorithms: &algorithms,
        moves: Some(moves),
        root: None,
        cache: cache.as_ref(),
        trust: super::trust(&args.cache),
    };
    let failed = |told: Told| {
        well = false;
        if let Some(reason) = &told.why {
            progress.fault(why(reason));
        }
    };
    let result = progress.watch(
        |_| None,
        || compare(before, now, &walk, &how, &progress.counters, failed, &mut report),
    );
    super::close(cache.as_ref());
    progress.explain(&settings.policy, &algorithms);
    result.map_err(|(path, error)| cannot_read(&path, &error))?;
    Ok(report.finish(well))
}
