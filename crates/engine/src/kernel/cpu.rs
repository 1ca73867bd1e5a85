//! The cores with their own kernel costs: relative costs differ between microarchitectures.

use super::costs::{CORE_COUNT, CORES, Core};
use crate::base::Cpu;

/// An index into the costs of a kernel.
#[derive(Clone, Copy)]
pub(crate) struct CoreIndex(usize);

impl CoreIndex {
    /// Identifies this CPU's core; an unknown one gets the first costs. Executes CPUID, which takes
    /// microseconds in a virtual machine.
    pub(crate) fn detect() -> Self {
        Self(place(&Cpu::this()))
    }

    pub(super) fn index(self) -> usize {
        self.0
    }
}

const _: () = assert!(CORES.len() + 1 == CORE_COUNT);

fn place(cpu: &Cpu) -> usize {
    let is_like = |&(vendor, newest, avx512): &Core| {
        vendor == cpu.vendor
            && cpu.family <= newest
            && avx512.is_none_or(|avx512| avx512 == cpu.avx512)
    };
    CORES.iter().position(is_like).map_or(0, |place| place + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpus_get_the_costs_of_their_core_and_others_the_first() {
        let cpu = |vendor: &[u8; 12], family, avx512| {
            place(&Cpu { vendor: *vendor, family, model: 0, avx512 })
        };
        let [zen3, zen4, golden_cove] = [1, 2, 3];
        assert_eq!(cpu(b"AuthenticAMD", 23, false), zen3);
        assert_eq!(cpu(b"AuthenticAMD", 25, false), zen3);
        assert_eq!(cpu(b"AuthenticAMD", 25, true), zen4);
        assert_eq!(cpu(b"AuthenticAMD", 26, true), 0);
        assert_eq!(cpu(b"GenuineIntel", 6, true), golden_cove);
        assert_eq!(cpu(b"HygonGenuine", 24, false), 0);
        assert_eq!(cpu(&[0; 12], 0, false), 0);
    }
}
