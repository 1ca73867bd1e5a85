//! State that persists between runs: audits and updates of manifests, and the cache.

mod assumed;
pub(crate) mod check;
pub(crate) mod diff;
mod report;
pub(crate) mod update;

use std::path::{Path, PathBuf};
use std::{env, fs};

use lanesum_files::{Identity, Options, Walk};
use lanesum_keep::{Audit, Cache, Manifest, SharedCache, Sink, Trust};

use crate::Verdict;
use crate::args::{self, CacheArgs};
use crate::message::{Shown, print_message, reason};
use crate::progress::Progress;
use assumed::AlgorithmCheck;
use check::cannot_read;

/// Opens the requested cache. If that fails, reports the error; the run continues without a cache.
pub(crate) fn cache(args: &CacheArgs) -> Option<SharedCache> {
    let named = args.cache.as_ref()?;
    let path = match named.is_empty() {
        true => usual_cache()?,
        false => named.into(),
    };
    let shown = Shown(path.as_os_str());
    match Cache::open(&path) {
        Ok(cache) => {
            if cache.was_damaged {
                print_message(format_args!("the cache {shown} was corrupt and has been replaced"));
            }
            Some(SharedCache::new(cache, args.checkpoint))
        }
        Err(error) => {
            let reason = reason(&error);
            print_message(format_args!(
                "cannot use the cache {shown}: {reason}; continuing without it"
            ));
            None
        }
    }
}

/// Returns the path of the default cache file.
fn usual_cache() -> Option<PathBuf> {
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = absolute("XDG_CACHE_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".cache")))
        .or_else(|| {
            print_message("HOME is not set; continuing without a cache, use --cache=FILE");
            None
        })?;
    Some(folder.join("lanesum/cache.sqlite"))
}

/// Flushes the cache, and reports errors.
pub(crate) fn close(cache: Option<&SharedCache>) {
    let Some(mut cache) = cache.map(SharedCache::lock) else { return };
    let written = cache.write();
    let path = Shown(cache.path().as_os_str()).to_string();
    if let Err(error) = written {
        print_message(format_args!("cannot write the cache {path}: {}", reason(&error)));
    } else if let Some(error) = cache.broken() {
        print_message(format_args!("cannot read the cache {path}: {}; remove it", reason(error)));
    }
}

/// Returns which files may be skipped.
fn trust(args: &CacheArgs) -> Trust {
    if args.cache.is_some() && !args.paranoid { Trust::Cache } else { Trust::Nothing }
}

/// Returns the identity of the cache file, which walks exclude.
pub(crate) fn cache_identity(cache: Option<&SharedCache>) -> Option<Identity> {
    let path = cache?.lock().path().to_owned();
    fs::metadata(path).ok().as_ref().map(Identity::of)
}

/// Returns the options of a walk, without the identities of outputs.
pub(crate) fn options(args: &args::Walk) -> Options {
    Options {
        follow: args.follow,
        one_file_system: args.one_file_system,
        max_depth: args.max_depth,
        globs: args.globs.clone(),
        gitignore: args.gitignore,
        ..Options::default()
    }
}

/// Creates a walk from `roots` that excludes `outputs` and the cache. Also returns its options.
fn walk(
    args: &args::Walk,
    roots: Vec<PathBuf>,
    outputs: Vec<Identity>,
    cache: Option<&SharedCache>,
) -> Result<(Walk, Options), Verdict> {
    let mut options = options(args);
    options.outputs = outputs;
    options.outputs.extend(cache_identity(cache));
    match Walk::new(roots, &options) {
        Ok(walk) => Ok((walk, options)),
        Err(error) => {
            print_message(error);
            Err(Verdict::Usage)
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
    close(how.cache);
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
) -> Result<(), Verdict> {
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
