//! Published data: figures of kernels, and numbers of claims.

use serde::{Deserialize, Serialize};

use super::{ModelError, Models, find, unknown};

/// A publication with figures.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Publication {
    /// The name by which figures refer to it.
    pub name: String,
    /// Its authors, title, place and date.
    pub title: String,
}

/// A published figure for a machine.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// The author.
    pub who: String,
    /// The publication.
    pub source: String,
    /// The name of the machine's model.
    pub machine: String,
    /// The machine's name in the publication.
    pub called: String,
    /// The family's algorithm.
    pub algorithm: String,
    /// The shape of the kernel: `scalar` or `stitched`.
    pub kernel: String,
    /// Cycles per byte, as published or derived from published figures.
    pub cycles_per_byte: f64,
    /// The clock, if published.
    pub ghz: Option<f64>,
    /// Bytes per second, if published.
    pub bytes_per_second: Option<f64>,
    /// Instructions per block, if published.
    pub instructions: Option<u32>,
    /// Cycles per block, if published.
    pub cycles: Option<u32>,
    /// Instructions per cycle, if published.
    pub ipc: Option<f64>,
}

/// Numbers of a publication, unchanged.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// The name by which claims refer to them.
    pub name: String,
    /// The publication.
    pub source: String,
    /// Their description.
    pub what: String,
    /// The numbers.
    pub values: Vec<f64>,
}

/// The file of all publications, figures and numbers.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(super) struct FigureFile {
    pub(super) text: Vec<Publication>,
    pub(super) figure: Vec<Figure>,
    pub(super) published: Vec<Published>,
}

impl Models {
    /// Checks that each figure names a publication and a machine.
    pub(super) fn check_figures(&self) -> Result<(), ModelError> {
        for figure in &self.figures {
            self.machine(&figure.machine)?;
        }
        let figures = self.figures.iter().map(|f| (&f.called, &f.source));
        for (place, source) in figures.chain(self.published.iter().map(|p| (&p.name, &p.source))) {
            if self.texts.iter().all(|text| text.name != *source) {
                let valid = self.texts.iter().map(|text| text.name.clone()).collect();
                return Err(unknown("text", source, &format!("figure `{place}`"), valid));
            }
        }
        Ok(())
    }

    /// Returns the published numbers called `name`.
    ///
    /// # Errors
    ///
    /// The name is unknown; the error lists the valid names.
    pub fn published(&self, name: &str) -> Result<&[f64], ModelError> {
        Ok(&find(&self.published, |p| &p.name, "published figure", name)?.values)
    }

    /// Returns the single number called `name`.
    ///
    /// # Errors
    ///
    /// The name is unknown, or has more than one number.
    pub fn number(&self, name: &str) -> Result<f64, ModelError> {
        let [number] = self.numbers(name)?;
        Ok(number)
    }

    /// Returns the `N` numbers called `name`.
    ///
    /// # Errors
    ///
    /// The name is unknown, or has another number of numbers.
    pub fn numbers<const N: usize>(&self, name: &str) -> Result<[f64; N], ModelError> {
        let found = self.published(name)?;
        <[f64; N]>::try_from(found).map_err(|_| ModelError::Count {
            name: name.to_owned(),
            found: found.len(),
            wanted: N,
        })
    }

    /// Returns an author's figures for an algorithm on a machine, in the order of the file.
    pub fn figures_of<'a>(
        &'a self,
        who: &'a str,
        machine: &'a str,
        algorithm: &'a str,
    ) -> impl Iterator<Item = &'a Figure> {
        self.figures.iter().filter(move |figure| {
            figure.who.starts_with(who)
                && figure.machine == machine
                && figure.algorithm == algorithm
        })
    }
}
