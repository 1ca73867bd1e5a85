//! What others published: figures of their kernels, and numbers that they claim.

use serde::{Deserialize, Serialize};

use super::{ModelError, Models, find, unknown};

/// A text in which figures were published.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Publication {
    /// The name by which figures refer to it.
    pub name: String,
    /// Whose it is, its title, and where and when it was published.
    pub title: String,
}

/// A figure somebody gave for a machine.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// Who.
    pub who: String,
    /// The text that gives it.
    pub source: String,
    /// The name of the machine's model.
    pub machine: String,
    /// What it was called there.
    pub called: String,
    /// The family's algorithm.
    pub algorithm: String,
    /// The shape of the kernel: `scalar` or `stitched`.
    pub kernel: String,
    /// Cycles per byte, as given or as follows from what was given.
    pub cycles_per_byte: f64,
    /// The clock, if given.
    pub ghz: Option<f64>,
    /// Bytes a second, if given.
    pub bytes_per_second: Option<f64>,
    /// Instructions of a block, if given.
    pub instructions: Option<u32>,
    /// Cycles of a block, if given.
    pub cycles: Option<u32>,
    /// Instructions per cycle, if given.
    pub ipc: Option<f64>,
}

/// Numbers that a text gives, as they stand there.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// The name by which claims refer to them.
    pub name: String,
    /// The text that gives them.
    pub source: String,
    /// What they are.
    pub what: String,
    /// The numbers.
    pub values: Vec<f64>,
}

/// The file of them all.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(super) struct FigureFile {
    pub(super) text: Vec<Publication>,
    pub(super) figure: Vec<Figure>,
    pub(super) published: Vec<Published>,
}

impl Models {
    /// Whether each figure names its text and a machine.
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

    /// The numbers that were published under that name.
    ///
    /// # Errors
    ///
    /// When there are none, with the names there are.
    pub fn published(&self, name: &str) -> Result<&[f64], ModelError> {
        Ok(&find(&self.published, |p| &p.name, "published figure", name)?.values)
    }

    /// The one number of that name.
    ///
    /// # Errors
    ///
    /// When there is none, or more than one.
    pub fn number(&self, name: &str) -> Result<f64, ModelError> {
        let [number] = self.numbers(name)?;
        Ok(number)
    }

    /// The numbers of that name, which are so many.
    ///
    /// # Errors
    ///
    /// When there are not so many.
    pub fn numbers<const N: usize>(&self, name: &str) -> Result<[f64; N], ModelError> {
        let found = self.published(name)?;
        <[f64; N]>::try_from(found).map_err(|_| ModelError::Count {
            name: name.to_owned(),
            found: found.len(),
            wanted: N,
        })
    }

    /// The figures of one for an algorithm on a machine, in the order of the file.
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
