//! Compares trees and manifests.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use lanesum_files::{Options as WalkOptions, Progress, Walk};
use lanesum_manifest::{Checksum, Options};

use crate::{Audit, Manifest, Outcome, Records, Sink, Survey, audit, diff, hashed};

/// One side of a comparison.
pub enum Side {
    /// A directory, which names are relative to.
    Tree(PathBuf),
    /// A manifest and its path.
    Manifest(PathBuf, Box<Manifest>),
}

impl Survey {
    /// Returns the algorithms of the entries.
    pub fn algorithms(&self) -> Vec<Checksum> {
        self.algorithms.iter().map(|(algorithm, _)| *algorithm).collect()
    }
}

impl Side {
    /// Opens the directory or manifest at `path`.
    ///
    /// # Errors
    ///
    /// If it is a manifest that cannot be read.
    pub fn open(path: &Path, options: Options) -> io::Result<Self> {
        if path.is_dir() {
            return Ok(Self::Tree(path.to_owned()));
        }
        Ok(Self::Manifest(path.to_owned(), Manifest::open(path, options)?.into()))
    }

    /// Returns the summary of a manifest; `None` for a tree.
    pub fn survey(&self) -> Option<&Survey> {
        match self {
            Self::Tree(_) => None,
            Self::Manifest(_, manifest) => Some(manifest.survey()),
        }
    }

    fn path(&self) -> &Path {
        match self {
            Self::Tree(path) | Self::Manifest(path, _) => path,
        }
    }
}

/// Returns the algorithms for a comparison, and the one that identifies moved files. `wanted` is
/// the algorithm if both sides are trees.
pub fn compared_by(before: &Side, now: &Side, wanted: Checksum) -> (Vec<Checksum>, Checksum) {
    let survey = before.survey().or(now.survey());
    let listed = survey.map(Survey::algorithms).filter(|listed| !listed.is_empty());
    let algorithms = listed.unwrap_or_else(|| vec![wanted]);
    let moves = survey.and_then(Survey::algorithm_of_moves).unwrap_or(algorithms[0]);
    (algorithms, moves)
}

/// Compares two sides. `how.root` is ignored. Read errors in the earlier tree, if both are trees,
/// are passed to `failed`.
///
/// # Errors
///
/// If a side cannot be read, with its path, or a temporary file cannot be written.
pub fn compare(
    mut before: Side,
    mut now: Side,
    walk: &WalkOptions,
    how: &Audit<'_>,
    progress: &Progress,
    failed: impl FnMut(Outcome) + Send,
    sink: &mut impl Sink,
) -> Result<(), (PathBuf, io::Error)> {
    match (&mut before, &mut now) {
        (Side::Tree(tree), Side::Manifest(_, manifest))
        | (Side::Manifest(_, manifest), Side::Tree(tree)) => manifest.strip(tree),
        _ => {}
    }
    let walk_of = |root: &Path| {
        Walk::new([root.to_owned()], walk)
            .map_err(|error| io::Error::new(ErrorKind::InvalidInput, error.to_string()))
    };
    let (left, right) = (before.path().to_owned(), now.path().to_owned());
    let records = |side: Side, failed| -> io::Result<Records> {
        match side {
            Side::Tree(path) => {
                let how = Audit { root: Some(&path), ..*how };
                hashed(walk_of(&path)?, &how, progress, failed)
            }
            Side::Manifest(_, manifest) => manifest.records(),
        }
    };
    let records = records(before, failed).map_err(|error| (left, error))?;
    let compared = match now {
        Side::Tree(path) => walk_of(&path).and_then(|walk| {
            let whole = [PathBuf::from(".")];
            let how = Audit { root: Some(&path), scope: &whole, ..*how };
            audit(records, walk, &how, progress, sink)
        }),
        Side::Manifest(_, manifest) => {
            manifest.records().and_then(|now| diff(records, now, how.moves, sink))
        }
    };
    compared.map_err(|error| (right, error))
}
