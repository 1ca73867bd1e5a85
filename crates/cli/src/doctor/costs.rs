//! Checks whether the assumed costs of kernels were measured on this CPU.

use std::env;

use lanesum::Policy;
use lanesum::unstable::Cpu;

use super::Finding;
use crate::message::Shown;

/// The CPUs on which kernels were measured, in the project's records: CPUID's vendor, family and model.
const MEASURED: [(&[u8; 12], u32, u32); 5] = [
    (b"AuthenticAMD", 25, 1),
    (b"AuthenticAMD", 25, 17),
    (b"AuthenticAMD", 26, 2),
    (b"GenuineIntel", 6, 167),
    (b"GenuineIntel", 6, 207),
];

fn is_measured(cpu: &Cpu) -> bool {
    MEASURED.contains(&(&cpu.vendor, cpu.family, cpu.model))
}

/// Reports which costs are used: the built-in ones, or a file.
pub(super) fn findings() -> Vec<Finding> {
    let cpu = Cpu::this();
    let built_in = match is_measured(&cpu) {
        true => Finding::yes("built-in", format_args!("measured on a CPU like this one: {cpu}")),
        false => Finding::no(
            "built-in",
            format_args!(
                "measured on other CPUs than {cpu}: run 'lanesum tune --output FILE' and set \
                 LANESUM_COSTS to its path"
            ),
        ),
    };
    const NAME: &str = "LANESUM_COSTS";
    let path = env::var_os(NAME).filter(|path| !path.is_empty());
    let file = match (path, Policy::from_env()) {
        (None, _) => Finding::no(NAME, "not set, so the built-in costs are used"),
        (_, Err(error)) if error.variable() == NAME => Finding::no(NAME, error),
        (Some(path), _) => Finding::yes(NAME, Shown(&path)),
    };
    vec![built_in, file]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use super::*;

    #[test]
    fn the_measured_cpus_are_those_of_the_records() {
        let mut recorded = BTreeSet::new();
        let records = concat!(env!("CARGO_MANIFEST_DIR"), "/../../benches/record");
        for machine in fs::read_dir(records).unwrap() {
            for record in fs::read_dir(machine.unwrap().path()).unwrap() {
                let text = fs::read_to_string(record.unwrap().path()).unwrap_or_default();
                let head = text.lines().find_map(|line| line.strip_prefix("# machine: "));
                let Some(head) = head else { continue };
                let number = |key: &str| -> u32 {
                    let after = head.split(key).nth(1).unwrap();
                    after.split([' ', ',']).next().unwrap().parse().unwrap()
                };
                recorded.insert((head.starts_with("AMD"), number("family "), number("model ")));
            }
        }
        let known =
            MEASURED.map(|(vendor, family, model)| (vendor == b"AuthenticAMD", family, model));
        assert_eq!(recorded, BTreeSet::from(known));
    }

    #[test]
    fn other_models_and_vendors_are_not_measured() {
        let cpu = |vendor: &[u8; 12], family, model| {
            is_measured(&Cpu { vendor: *vendor, family, model, avx512: true })
        };
        assert!(cpu(b"AuthenticAMD", 25, 17));
        assert!(!cpu(b"AuthenticAMD", 25, 97));
        assert!(!cpu(b"HygonGenuine", 25, 17));
        assert!(!cpu(&[0; 12], 0, 0));
    }
}
