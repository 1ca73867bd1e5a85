//! The known cores: the machines of `lanesum-model`, and `cores.toml` for machines that have no model.

use std::sync::LazyLock;

use lanesum_measure::{Core, Cores, Table};
use lanesum_model::Models;
use serde::Deserialize;

const OTHERS: &str = include_str!("../cores.toml");

#[derive(Deserialize)]
struct File {
    machine: Vec<Machine>,
}

#[derive(Deserialize)]
struct Machine {
    name: String,
    title: String,
    #[serde(default)]
    recognised_by: Vec<String>,
    ghz: Option<[f64; 2]>,
    pools: Pools,
}

#[derive(Deserialize)]
struct Pools {
    issue: f64,
}

impl From<Machine> for Core {
    fn from(machine: Machine) -> Self {
        let Machine { name, title, recognised_by, ghz, pools } = machine;
        Self { name, title, recognised_by, ghz, width: Some(pools.issue) }
    }
}

/// The models of machines.
pub(crate) fn models() -> &'static Models {
    static MODELS: LazyLock<Models> =
        LazyLock::new(|| Models::built_in().expect("a test of the models reads them"));
    &MODELS
}

/// The model of the machine of a record.
pub(crate) fn model(table: &Table) -> Option<&'static lanesum_model::Machine> {
    let core = known().of(&table.processor, &table.machine)?;
    models().machine(&core.name).ok()
}

/// The known cores.
pub(crate) fn known() -> &'static Cores {
    static CORES: LazyLock<Cores> = LazyLock::new(|| {
        // A test parses this file.
        let others = toml::from_str::<File>(OTHERS).map(|file| file.machine).unwrap_or_default();
        Cores::new(models().known_cores().chain(others.into_iter().map(Core::from)))
    });
    &CORES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machines_of_the_records_are_known_whatever_they_call_themselves() {
        toml::from_str::<File>(OTHERS).unwrap();
        let core = |says| known().of(says, "").unwrap();
        assert_eq!(core("AMD EPYC, family 26 model 2").name, "zen5");
        assert_eq!(core("AMD EPYC, family 25 model 17, 2 logical CPUs").name, "zen4");
        assert_eq!(core("AMD EPYC, family 25 model 1, 2 logical CPUs").title, "AMD Zen 3");
        let xeon = core("Intel(R) Xeon(R) Processor, family 6 model 167, 2 logical CPUs");
        assert_eq!((&xeon.name[..], xeon.width), ("goldencove", Some(6.0)));
        assert!(xeon.ghz.is_some());
    }
}
