//! Detects untagged manifests whose algorithm is not the assumed one.

use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use lanesum_files::{Checksum, Settings};
use lanesum_keep::{Survey, Told, Witness};
use lanesum_manifest::{Class, Named, Record};

use super::report::shown;
use crate::Verdict;
use crate::identify::identify;
use crate::say::say;

/// Forwards findings to `witness`. Stops at the first file that matches its line by another
/// algorithm than the assumed one: findings by the wrong algorithm are meaningless.
pub(super) struct Assumed<'a, W> {
    witness: &'a mut W,
    settings: &'a Settings,
    /// The directory that names are relative to.
    root: &'a Path,
    /// Whether the manifest is the earlier side of the comparison.
    is_before: bool,
    /// The assumed algorithms that no digest has confirmed yet. Once one digest matches, all of its
    /// length are trusted to be of the same algorithm: hashing every changed file by all algorithms
    /// would cost too much.
    unconfirmed: Vec<Checksum>,
    /// The algorithm that was assumed, and the one that lines are of.
    mistaken: Option<(Checksum, Checksum)>,
}

impl<'a, W: Witness> Assumed<'a, W> {
    /// Forwards the findings of a manifest with this `survey` about files below `root`.
    pub(super) fn new(
        witness: &'a mut W,
        settings: &'a Settings,
        survey: &Survey,
        root: &'a Path,
        is_before: bool,
    ) -> Self {
        let unconfirmed = survey.assumed.clone();
        Self { witness, settings, root, is_before, unconfirmed, mistaken: None }
    }

    /// Reports that the lines of the manifest at `path` are of another algorithm, if they are.
    pub(super) fn finish(self, path: &Path) -> Result<(), Verdict> {
        let Some((assumed, found)) = self.mistaken else { return Ok(()) };
        say(format_args!(
            "{}: its lines match {}, not {}: use -a {found}",
            shown(path),
            found.title(),
            assumed.title()
        ));
        Err(Verdict::Failed)
    }

    fn mistaken(&self, told: &Told) -> Option<(Checksum, Checksum)> {
        let finding = &told.finding;
        let record = if self.is_before { &finding.before } else { &finding.now };
        let path = self.root.join(OsStr::from_bytes(finding.name()));
        let digests = record.as_ref()?.digests();
        digests.filter(|(assumed, _)| self.unconfirmed.contains(assumed)).find_map(
            |(assumed, digest)| Some((assumed, identify(&path, assumed, digest, self.settings)?)),
        )
    }
}

impl<W: Witness> Witness for Assumed<'_, W> {
    fn place(&mut self, before: Option<&Record>, now: Option<&Record>) {
        self.witness.place(before, now);
    }

    fn outside(&mut self, record: &Record) {
        self.witness.outside(record);
    }

    fn found(&mut self, told: Told) -> ControlFlow<()> {
        if !self.unconfirmed.is_empty() {
            match told.finding.class {
                Class::Same => {
                    let before = told.finding.before.iter().flat_map(Record::digests);
                    let confirmed: Vec<_> = before.map(|(algorithm, _)| algorithm).collect();
                    self.unconfirmed.retain(|algorithm| !confirmed.contains(algorithm));
                }
                Class::Changed | Class::Rotted => {
                    self.mistaken = self.mistaken(&told);
                    if self.mistaken.is_some() {
                        return ControlFlow::Break(());
                    }
                }
                _ => {}
            }
        }
        self.witness.found(told)
    }
}
