//! Identifies the algorithm of an untagged digest.

use std::fs::Metadata;
use std::iter;
use std::ops::ControlFlow;
use std::path::Path;

use lanesum_files::{Checksum, Input, Job, Progress, Settings, hash, metadata};

/// A file and the algorithms to try.
struct Candidates<'a>(&'a Path, Vec<Checksum>);

impl Job for Candidates<'_> {
    fn input(&self) -> Input<'_> {
        Input::File(self.0)
    }

    fn algorithms(&self) -> &[Checksum] {
        &self.1
    }
}

/// Returns the algorithm that yields `digest` for the regular file at `path`, if one does. Tries
/// every algorithm with digests of this length except `excluded`, which is known not to match.
pub(crate) fn identify(
    path: &Path,
    excluded: Option<Checksum>,
    digest: &[u8],
    settings: &Settings,
) -> Option<Checksum> {
    metadata(path).ok().filter(Metadata::is_file)?;
    let is_possible = |algorithm: &Checksum| {
        let has_kernel = || algorithm.lanesum().is_none_or(|a| settings.policy.check(a).is_ok());
        Some(*algorithm) != excluded && algorithm.digest_len() == digest.len() && has_kernel()
    };
    let job = Candidates(path, Checksum::all().filter(is_possible).collect());
    let mut found = None;
    hash(iter::once(job), settings, &Progress::default(), |job, result| {
        let digests = result.unwrap_or_default();
        let matching = digests.iter().position(|found| found.as_bytes() == digest);
        found = matching.map(|place| job.1[place]);
        ControlFlow::Break(())
    });
    found
}
