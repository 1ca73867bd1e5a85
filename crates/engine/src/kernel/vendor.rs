//! The CPU vendor: relative kernel costs differ between vendors.

use super::costs::VENDORS;

/// A CPU vendor, as an index in [`VENDORS`].
#[derive(Clone, Copy)]
pub(crate) struct Vendor(usize);

impl Vendor {
    /// Identifies this CPU's vendor; an unknown one gets the costs of the first. Executes CPUID, which takes
    /// microseconds in a virtual machine.
    pub(crate) fn detect() -> Self {
        Self(place(&vendor()))
    }

    pub(super) fn index(self) -> usize {
        self.0
    }
}

fn place(vendor: &[u8; 12]) -> usize {
    VENDORS.iter().position(|known| known.as_bytes() == vendor).unwrap_or(0)
}

/// Returns CPUID's vendor string; zeros where the instruction is not available.
fn vendor() -> [u8; 12] {
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
        let mut name = [0; 12];
        for (to, part) in name.as_chunks_mut().0.iter_mut().zip([leaf.ebx, leaf.edx, leaf.ecx]) {
            *to = part.to_le_bytes();
        }
        name
    }
    #[cfg(not(all(
        any(target_arch = "x86", target_arch = "x86_64"),
        not(any(miri, target_env = "sgx"))
    )))]
    [0; 12]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_vendor_has_its_own_costs_and_others_the_first() {
        for (i, name) in VENDORS.iter().enumerate() {
            assert_eq!(place(name.as_bytes().try_into().unwrap()), i);
        }
        assert_eq!(place(b"HygonGenuine"), 0);
        assert_eq!(place(&[0; 12]), 0);
    }

    /// Compares with the vendor in `/proc/cpuinfo`.
    #[test]
    #[cfg(all(target_os = "linux", any(target_arch = "x86", target_arch = "x86_64"), not(miri)))]
    fn the_vendor_is_the_one_that_linux_names() {
        let list = std::fs::read_to_string("/proc/cpuinfo").unwrap();
        let line = list.lines().find(|line| line.starts_with("vendor_id")).unwrap();
        let name = line.split(": ").nth(1).unwrap();
        assert_eq!(vendor(), name.as_bytes());
    }
}
