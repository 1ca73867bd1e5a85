//! The cores with their own kernel costs: relative costs differ between microarchitectures.

use super::costs::{CORE_COUNT, CORES, Core};

/// An index into the costs of a kernel.
#[derive(Clone, Copy)]
pub(crate) struct CoreIndex(usize);

/// A CPU, as reported by CPUID.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cpu {
    vendor: [u8; 12],
    family: u32,
    avx512: bool,
}

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

impl Cpu {
    /// Executes CPUID; all is zero where the instruction is not available.
    fn this() -> Self {
        #[cfg(all(
            any(target_arch = "x86", target_arch = "x86_64"),
            not(any(miri, target_env = "sgx"))
        ))]
        {
            #[cfg(target_arch = "x86")]
            use core::arch::x86::__cpuid;
            #[cfg(target_arch = "x86_64")]
            use core::arch::x86_64::__cpuid;

            let leaf = __cpuid(0);
            let mut vendor = [0; 12];
            let parts = [leaf.ebx, leaf.edx, leaf.ecx];
            for (to, part) in vendor.as_chunks_mut().0.iter_mut().zip(parts) {
                *to = part.to_le_bytes();
            }
            let signature = __cpuid(1).eax;
            let family = match signature >> 8 & 0xf {
                0xf => 0xf + (signature >> 20 & 0xff),
                family => family,
            };
            Self { vendor, family, avx512: crate::base::supported!(["avx512f"]) }
        }
        #[cfg(not(all(
            any(target_arch = "x86", target_arch = "x86_64"),
            not(any(miri, target_env = "sgx"))
        )))]
        Self { vendor: [0; 12], family: 0, avx512: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpus_get_the_costs_of_their_core_and_others_the_first() {
        let cpu =
            |vendor: &[u8; 12], family, avx512| place(&Cpu { vendor: *vendor, family, avx512 });
        let [zen3, zen4, golden_cove] = [1, 2, 3];
        assert_eq!(cpu(b"AuthenticAMD", 23, false), zen3);
        assert_eq!(cpu(b"AuthenticAMD", 25, false), zen3);
        assert_eq!(cpu(b"AuthenticAMD", 25, true), zen4);
        assert_eq!(cpu(b"AuthenticAMD", 26, true), 0);
        assert_eq!(cpu(b"GenuineIntel", 6, true), golden_cove);
        assert_eq!(cpu(b"HygonGenuine", 24, false), 0);
        assert_eq!(cpu(&[0; 12], 0, false), 0);
    }

    /// Compares with `/proc/cpuinfo`.
    #[test]
    #[cfg(all(target_os = "linux", any(target_arch = "x86", target_arch = "x86_64"), not(miri)))]
    fn the_cpu_is_the_one_that_linux_names() {
        let list = std::fs::read_to_string("/proc/cpuinfo").unwrap();
        let value = |key: &str| {
            let line = list.lines().find(|line| line.starts_with(key)).unwrap();
            line.split(": ").nth(1).unwrap()
        };
        let vendor = *value("vendor_id").as_bytes().first_chunk().unwrap();
        let family = value("cpu family").parse().unwrap();
        let avx512 = value("flags").split(' ').any(|flag| flag == "avx512f");
        assert_eq!(Cpu::this(), Cpu { vendor, family, avx512 });
    }
}
