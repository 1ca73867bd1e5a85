//! Audits and updates of manifests.

mod assumed;
pub(crate) mod check;
pub(crate) mod diff;
mod report;
pub(crate) mod update;

use std::path::{Path, PathBuf};

use lanesum_files::{Identity, Options, Walk};
use lanesum_keep::{Audit, Manifest, SharedCache, Sink, Trust};

use crate::args::{self, CacheArgs};
use crate::message::print_message;
use crate::progress::Progress;
use crate::{Reported, cache};
use assumed::AlgorithmCheck;
use check::cannot_read;

/// Returns which files may be skipped.
fn trust(args: &CacheArgs) -> Trust {
    if args.cache.is_some() && !args.paranoid { Trust::Cache } else { Trust::Nothing }
}

/// Creates a walk from `roots` that excludes `outputs` and the cache. Also returns its options.
fn walk(
    args: &args::Walk,
    roots: Vec<PathBuf>,
    outputs: Vec<Identity>,
    cache: Option<&SharedCache>,
) -> Result<(Walk, Options), Reported> {
    let mut options = Options::from(args);
    options.outputs = outputs;
    options.outputs.extend(cache::identity(cache));
    match Walk::new(roots, &options) {
        Ok(walk) => Ok((walk, options)),
        Err(error) => {
            print_message(error);
            Err(Reported::Usage)
        }
    }
}

/// Runs `work` and shows progress, as a share of `entries` if given. Then flushes the cache and
/// prints the `--explain` report.
fn with_progress<T>(
    how: &Audit<'_>,
    progress: &Progress,
    entries: Option<u64>,
    work: impl FnOnce() -> T,
) -> T {
    let entries = entries.map(|entries| entries.max(1) as f64);
    let result = progress.watch(|counters| entries.map(|all| counters.files() as f64 / all), work);
    cache::close(how.cache);
    progress.explain(&how.settings.policy, how.algorithms);
    result
}

/// Compares the files of a walk with the manifest at `path`.
fn audit_manifest(
    path: &Path,
    manifest: Manifest,
    walk: Walk,
    how: &Audit<'_>,
    progress: &Progress,
    sink: &mut impl Sink,
) -> Result<(), Reported> {
    let survey = manifest.survey();
    let entries = survey.entries;
    let root = how.root.unwrap_or(Path::new(""));
    let mut sink = AlgorithmCheck::new(sink, how.settings, survey, root, true);
    with_progress(how, progress, Some(entries), || {
        lanesum_keep::audit(manifest.records()?, walk, how, &progress.counters, &mut sink)
    })
    .map_err(|error| cannot_read(path, &error))?;
    sink.finish(path)
}
