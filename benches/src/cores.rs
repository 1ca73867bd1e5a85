//! The known cores: `machines.toml` of the graph, which uses the other figures in it.

use std::sync::LazyLock;

use lanesum_measure::{Core, Cores};
use serde::Deserialize;

const TEXT: &str = include_str!("../../crates/graph/models/machines.toml");

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

/// The known cores.
pub(crate) fn known() -> &'static Cores {
    static CORES: LazyLock<Cores> = LazyLock::new(|| {
        // A test checks this file.
        let file = toml::from_str::<File>(TEXT);
        Cores::new(file.into_iter().flat_map(|file| file.machine).map(Core::from))
    });
    &CORES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machines_of_the_records_are_known_whatever_they_call_themselves() {
        toml::from_str::<File>(TEXT).unwrap();
        let core = |says| known().of(says, "").unwrap();
        assert_eq!(core("AMD EPYC, family 26 model 2").name, "zen5");
        let xeon = core("Intel(R) Xeon(R) Processor, family 6 model 167, 2 logical CPUs");
        assert_eq!((&xeon.name[..], xeon.width), ("goldencove", Some(6.0)));
        assert!(xeon.ghz.is_some());
    }
}
