//! The known cores: `machines.toml` of the graph, which uses the other figures in it, and `cores.toml` for
//! machines that the graph has no model of.

use std::sync::LazyLock;

use lanesum_measure::{Core, Cores};
use serde::Deserialize;

const TEXTS: [&str; 2] =
    [include_str!("../../crates/model/machines.toml"), include_str!("../cores.toml")];

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
        // A test parses these files.
        let files = TEXTS.into_iter().flat_map(toml::from_str::<File>);
        Cores::new(files.flat_map(|file| file.machine).map(Core::from))
    });
    &CORES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machines_of_the_records_are_known_whatever_they_call_themselves() {
        TEXTS.map(|text| toml::from_str::<File>(text).unwrap());
        let core = |says| known().of(says, "").unwrap();
        assert_eq!(core("AMD EPYC, family 26 model 2").name, "zen5");
        assert_eq!(core("AMD EPYC, family 25 model 17, 2 logical CPUs").name, "zen4");
        assert_eq!(core("AMD EPYC, family 25 model 1, 2 logical CPUs").title, "AMD Zen 3");
        let xeon = core("Intel(R) Xeon(R) Processor, family 6 model 167, 2 logical CPUs");
        assert_eq!((&xeon.name[..], xeon.width), ("goldencove", Some(6.0)));
        assert!(xeon.ghz.is_some());
    }
}
