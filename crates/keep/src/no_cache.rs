//! Uninhabited types in place of the cache, for builds without the feature `cache`.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use lanesum::{Digest, Hasher};
use lanesum_files::{Digests, Stamp};
use lanesum_manifest::Checksum;

/// A cache, which cannot exist: the feature `cache` is disabled.
pub enum Cache {}

/// A row of the cache, which cannot exist: the feature `cache` is disabled.
pub enum Row {}

impl Cache {
    pub(crate) fn row(&mut self, _: &Path) -> Arc<Row> {
        match *self {}
    }

    pub(crate) fn insert(
        &mut self,
        _: &Path,
        _: &Stamp,
        _: impl Iterator<Item = (Checksum, Digest)>,
        _: SystemTime,
    ) {
        match *self {}
    }

    pub(crate) fn write(&mut self) -> io::Result<()> {
        match *self {}
    }

    pub(crate) fn states(&self, _: &Path, _: &Stamp, _: &[Checksum]) -> Option<Vec<Hasher>> {
        match *self {}
    }

    pub(crate) fn insert_states(&self, _: &Path, _: &Stamp, _: SystemTime, _: &[Hasher]) {
        match *self {}
    }
}

impl Row {
    pub(crate) fn get(&self, _: &OsStr, _: &Stamp, _: &[Checksum]) -> Option<Digests> {
        match *self {}
    }
}
