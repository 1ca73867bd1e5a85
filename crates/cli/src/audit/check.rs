//! `lanesum check --audit`: compares a tree with its manifest.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use lanesum_files::Identity;
use lanesum_keep::{Audit, Manifest, SeveralRoots, Survey};
use lanesum_manifest::{Checksum, Options, Terminator, normal_name, path_order};

use super::report::{Report, shown};
use crate::args::Check;
use crate::message::{print_message, reason};
use crate::progress::Progress;
use crate::{CommandResult, Reported, names, settings};

pub(crate) fn run(args: &Check) -> CommandResult {
    let [path] = match &args.manifests[..] {
        [] => [Path::new("-")],
        [path] => [path.as_path()],
        _ => {
            print_message("--audit accepts only one manifest");
            return Err(Reported::Usage);
        }
    };
    let manifest = open(path, args.algorithm, args.zero)?;
    let survey = manifest.survey().clone();
    let success = report_malformed(path, &survey, args.warn);
    let algorithms = survey.algorithms();
    if algorithms.is_empty() {
        print_message(format_args!("{}: no properly formatted checksum lines found", shown(path)));
        return Err(Reported::Failed);
    }
    let settings = settings(&args.jobs, &algorithms)?.at(args.pace.max_rate);
    let cache = crate::cache::open(&args.cache);
    let outputs = fs::metadata(path).iter().map(Identity::of).collect();
    let scope = match &args.trees[..] {
        [] => implied_scope(path, &survey, "--tree ")?,
        trees => sorted_trees(trees)?,
    };
    let base = args.names.base(path);
    let roots = scope.iter().map(|root| names::path(base.as_deref(), root)).collect();
    let (walk, _) = super::walk(&args.walk, roots, outputs, cache.as_ref())?;
    let progress = Progress::new(args.pace.explain);
    let mut report = Report::new(&args.findings, &progress)?;
    let how = Audit {
        root: base.as_deref(),
        scope: &scope,
        cache: cache.as_ref(),
        trust: super::trust(&args.cache),
        ..Audit::new(&settings, &algorithms, survey.algorithm_of_moves())
    };
    super::audit_manifest(path, manifest, walk, &how, &progress, &mut report)?;
    let success = success & report.has_audited_lines(path);
    report.finish(success)
}

pub(super) fn cannot_read(path: &Path, error: &io::Error) -> Reported {
    print_message(format_args!("cannot read {}: {}", shown(path), reason(error)));
    Reported::Failed
}

/// Opens and scans a manifest.
fn open(path: &Path, algorithm: Option<Checksum>, zero: bool) -> Result<Manifest, Reported> {
    let terminator = if zero { Terminator::Nul } else { Terminator::Newline };
    Manifest::open(path, Options { algorithm, terminator })
        .map_err(|error| cannot_open(path, &error))
}

pub(super) fn cannot_open(path: &Path, error: &io::Error) -> Reported {
    let step = if error.kind() == io::ErrorKind::IsADirectory { "read" } else { "open" };
    print_message(format_args!("cannot {step} {}: {}", shown(path), reason(error)));
    Reported::Failed
}

/// Reports the malformed lines of a manifest. Returns whether all lines are well-formed.
pub(super) fn report_malformed(path: &Path, survey: &Survey, warn: bool) -> bool {
    if warn {
        let kinds: Vec<_> = survey.kinds.iter().map(ToString::to_string).collect();
        print_message(format_args!("{}: read as {}", shown(path), kinds.join(" and ")));
    }
    for (line, why) in &survey.reasons {
        print_message(format_args!(
            "{}: {line}: improperly formatted checksum line: {why}",
            shown(path)
        ));
    }
    let more = survey.malformed - survey.reasons.len() as u64;
    if more > 0 {
        print_message(format_args!("{}: {more} more lines are improperly formatted", shown(path)));
    }
    survey.malformed == 0
}

/// Sorts trees by path. Reports a usage error if they overlap.
pub(super) fn sorted_trees(trees: &[PathBuf]) -> Result<Vec<PathBuf>, Reported> {
    let name = |path: &PathBuf| normal_name(path.as_os_str().as_bytes()).into_owned();
    let mut named: Vec<_> = trees.iter().map(|path| (name(path), path.clone())).collect();
    named.sort_by(|a, b| path_order(&a.0, &b.0));
    for pair in named.windows(2) {
        let [(outer, first), (inner, second)] = pair else { continue };
        if Path::new(OsStr::from_bytes(inner)).starts_with(OsStr::from_bytes(outer)) {
            print_message(format_args!("{} is inside {}", shown(second), shown(first)));
            return Err(Reported::Usage);
        }
    }
    if named.len() > 1 && named.iter().any(|(name, _)| name == b".") {
        print_message("'.' cannot be combined with other trees: run the command once for each");
        return Err(Reported::Usage);
    }
    Ok(named.into_iter().map(|(_, path)| path).collect())
}

/// Returns the directory that contains all names of a manifest. Reports a usage error if there are
/// several.
pub(super) fn implied_scope(
    path: &Path,
    survey: &Survey,
    flag: &str,
) -> Result<Vec<PathBuf>, Reported> {
    survey.root().map(|root| vec![root]).map_err(|SeveralRoots(roots)| {
        let roots: Vec<_> = roots.iter().map(|root| format!(" {flag}{}", shown(root))).collect();
        let (path, roots) = (shown(path), roots.concat());
        print_message(format_args!(
            "{path}: its names are in several trees; name one or more of:{roots}"
        ));
        Reported::Usage
    })
}
