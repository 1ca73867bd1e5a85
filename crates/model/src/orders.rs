//! The orders of kernels found by searches: `orders.toml`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::ModelError;

/// An order and its origin.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct FoundOrder {
    /// The kernel.
    pub kernel: String,
    /// The machine that it was found for, and whether by a model or by measurement.
    pub machine: String,
    /// The search method.
    pub method: String,
    /// The seed of the search.
    pub seed: u64,
    /// The number of evaluated orders.
    pub evaluations: usize,
    /// Its final cost in cycles per block.
    pub cycles: f64,
    /// The time of each kind of operation, in cycles from the start of its round.
    pub times: BTreeMap<String, f64>,
}

/// Orders, at most one per kernel.
#[derive(Clone, Debug, Default, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Orders {
    /// The orders.
    #[serde(default)]
    pub order: Vec<FoundOrder>,
}

impl Orders {
    /// Returns the built-in orders.
    ///
    /// # Errors
    ///
    /// The errors of [`from_text`](Self::from_text); a test checks that none occurs.
    pub fn built_in() -> Result<Self, ModelError> {
        Self::from_text(include_str!("../orders.toml"))
    }

    /// Reads orders.
    ///
    /// # Errors
    ///
    /// [`ModelError::Syntax`].
    pub fn from_text(text: &str) -> Result<Self, ModelError> {
        toml::from_str(text)
            .map_err(|source| ModelError::Syntax { file: "orders.toml", source: Box::new(source) })
    }

    /// The order of a kernel, if one was found.
    pub fn of(&self, kernel: &str) -> Option<&FoundOrder> {
        self.order.iter().find(|order| order.kernel == kernel)
    }

    /// Replaces the order of a kernel.
    pub fn put(&mut self, order: FoundOrder) {
        self.order.retain(|old| old.kernel != order.kernel);
        self.order.push(order);
        self.order.sort_by(|x, y| x.kernel.cmp(&y.kernel));
    }

    /// Formats the file. The `toml` crate is used only for reading.
    pub fn to_text(&self) -> String {
        let mut text = String::from(
            "# Orders of kernels, as `lanesum-graph search` found them: a time for each kind of\n\
             # operation, in cycles from the beginning of its round. Kinds that are not named\n\
             # come as late as the chain lets them.\n",
        );
        for order in &self.order {
            let FoundOrder { kernel, machine, method, seed, evaluations, cycles, times } = order;
            text += &format!(
                "\n[[order]]\nkernel = \"{kernel}\"\nmachine = \"{machine}\"\nmethod = \"{method}\"\n\
                 seed = {seed}\nevaluations = {evaluations}\ncycles = {cycles:?}\n\n[order.times]\n"
            );
            times.iter().for_each(|(kind, time)| text += &format!("\"{kind}\" = {time:?}\n"));
        }
        text
    }
}
