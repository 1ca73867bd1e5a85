//! Detects untagged manifests whose algorithm is not the assumed one.

use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use lanesum_files::{Checksum, Settings};
use lanesum_keep::{Outcome, Sink, Survey};
use lanesum_manifest::{Class, Named, Record};

use super::report::shown;
use crate::Reported;
use crate::identify::identify;
use crate::message::print_message;

/// Maximum number of unread records that are retained for confirming an algorithm at the end.
const MAX_UNREAD: usize = 16;

/// Forwards findings to `sink`. Stops at the first file that matches its line by an algorithm
/// other than the assumed one: findings by the wrong algorithm are meaningless.
pub(super) struct AlgorithmCheck<'a, W> {
    sink: &'a mut W,
    settings: &'a Settings,
    /// The directory that names are relative to.
    root: &'a Path,
    /// Whether the manifest is the earlier side of the comparison.
    is_before: bool,
    /// The assumed algorithms that no digest has confirmed yet. Once one digest matches, all of its
    /// length are trusted to be of the same algorithm: hashing every changed file by all algorithms
    /// would cost too much. A tagged line confirms an algorithm for untagged ones, too.
    unconfirmed: Vec<Checksum>,
    /// Unread records with an unconfirmed algorithm, at most `MAX_UNREAD`.
    unread: Vec<Record>,
    has_new: bool,
    /// The assumed algorithm and the actual one.
    wrong_algorithm: Option<(Checksum, Checksum)>,
}

impl<'a, W: Sink> AlgorithmCheck<'a, W> {
    /// Creates a forwarder for a manifest with this `survey` and for files below `root`.
    pub(super) fn new(
        sink: &'a mut W,
        settings: &'a Settings,
        survey: &Survey,
        root: &'a Path,
        is_before: bool,
    ) -> Self {
        let unconfirmed = survey.assumed.clone();
        Self {
            sink,
            settings,
            root,
            is_before,
            unconfirmed,
            unread: Vec::new(),
            has_new: false,
            wrong_algorithm: None,
        }
    }

    /// Reports an error if the lines of the manifest at `path` are of another algorithm.
    pub(super) fn finish(mut self, path: &Path) -> Result<(), Reported> {
        // New lines must not join lines of an unconfirmed algorithm, so read one of the listed
        // files.
        if self.has_new && !self.unconfirmed.is_empty() && self.wrong_algorithm.is_none() {
            self.wrong_algorithm = self.compare_unread();
        }
        let Some((assumed, found)) = self.wrong_algorithm else { return Ok(()) };
        print_message(format_args!(
            "{}: its lines match {}, not {}: use -a {found}",
            shown(path),
            found.title(),
            assumed.title()
        ));
        Err(Reported::Failed)
    }

    /// Reads the first file that identifies the algorithm of its line. Returns the assumed and the
    /// actual algorithm if they differ.
    fn compare_unread(&self) -> Option<(Checksum, Checksum)> {
        let identified = self.unread.iter().find_map(|record| {
            let path = self.root.join(OsStr::from_bytes(record.name()));
            let mut assumed = record.digests().filter(|(a, _)| self.unconfirmed.contains(a));
            assumed.find_map(|(assumed, digest)| {
                Some((assumed, identify(&path, None, digest, self.settings)?))
            })
        });
        identified.filter(|(assumed, found)| assumed != found)
    }

    fn retain_unread(&mut self, record: &Record) {
        if !self.unconfirmed.is_empty() && self.is_before && self.unread.len() < MAX_UNREAD {
            self.unread.push(record.clone());
        }
    }

    fn wrong_algorithm(&self, outcome: &Outcome) -> Option<(Checksum, Checksum)> {
        let finding = &outcome.finding;
        let record = if self.is_before { &finding.before } else { &finding.now };
        let path = self.root.join(OsStr::from_bytes(finding.name()));
        let digests = record.as_ref()?.digests();
        digests.filter(|(assumed, _)| self.unconfirmed.contains(assumed)).find_map(
            |(assumed, digest)| {
                Some((assumed, identify(&path, Some(assumed), digest, self.settings)?))
            },
        )
    }
}

impl<W: Sink> Sink for AlgorithmCheck<'_, W> {
    fn entry(&mut self, before: Option<&Record>, now: Option<&Record>) {
        if let (Some(before), Some(_)) = (before, now) {
            self.retain_unread(before);
        }
        self.sink.entry(before, now);
    }

    fn out_of_scope(&mut self, record: &Record) {
        self.retain_unread(record);
        self.sink.out_of_scope(record);
    }

    fn finding(&mut self, outcome: Outcome) -> ControlFlow<()> {
        if !self.unconfirmed.is_empty() {
            match outcome.finding.class {
                Class::New => self.has_new = true,
                Class::Same | Class::Moved => {
                    let before = outcome.finding.before.iter().flat_map(Record::digests);
                    let confirmed: Vec<_> = before.map(|(algorithm, _)| algorithm).collect();
                    self.unconfirmed.retain(|algorithm| !confirmed.contains(algorithm));
                }
                Class::Changed | Class::Rotted => {
                    self.wrong_algorithm = self.wrong_algorithm(&outcome);
                    if self.wrong_algorithm.is_some() {
                        return ControlFlow::Break(());
                    }
                }
                _ => {}
            }
        }
        self.sink.finding(outcome)
    }
}
