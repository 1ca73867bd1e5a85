//! The identity of this CPU: two CPUs with one identity run kernels equally fast.

use core::fmt;

/// A CPU, as reported by CPUID. Elsewhere only the architecture is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cpu {
    /// CPUID's vendor string; zeros if the instruction is not available.
    pub vendor: [u8; 12],
    /// The family, including the extended family.
    pub family: u32,
    /// The model, including the extended model.
    pub model: u32,
    /// Whether the CPU and the operating system support AVX-512.
    pub avx512: bool,
}

impl Cpu {
    /// Executes CPUID, which takes microseconds in a virtual machine.
    pub fn this() -> Self {
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
            let (family, model) = numbers(__cpuid(1).eax);
            Self { vendor, family, model, avx512: crate::base::supported!(["avx512f"]) }
        }
        #[cfg(not(all(
            any(target_arch = "x86", target_arch = "x86_64"),
            not(any(miri, target_env = "sgx"))
        )))]
        Self { vendor: [0; 12], family: 0, model: 0, avx512: false }
    }
}

/// Returns the family and the model of a signature, EAX of CPUID's leaf 1.
#[cfg_attr(not(any(target_arch = "x86", target_arch = "x86_64")), allow(dead_code))]
fn numbers(signature: u32) -> (u32, u32) {
    let [family, model] = [8, 4].map(|at| signature >> at & 0xf);
    let extended = (signature >> 16 & 0xf) << 4;
    match family {
        0xf => (0xf + (signature >> 20 & 0xff), extended + model),
        6 => (family, extended + model),
        _ => (family, model),
    }
}

/// As in a costs file: `x86_64 GenuineIntel family 6 model 143 avx512`.
impl fmt::Display for Cpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(ARCHITECTURE)?;
        if self.vendor == [0; 12] {
            return Ok(());
        }
        let Self { vendor, family, model, avx512 } = self;
        write!(f, " {} family {family} model {model}", vendor.escape_ascii())?;
        f.write_str(if *avx512 { " avx512" } else { "" })
    }
}

const ARCHITECTURE: &str = if cfg!(target_arch = "x86_64") {
    "x86_64"
} else if cfg!(target_arch = "x86") {
    "x86"
} else if cfg!(target_arch = "aarch64") {
    "aarch64"
} else {
    "other"
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_contains_the_family_and_the_model() {
        assert_eq!(numbers(0x0008_06f8), (6, 143), "Sapphire Rapids");
        assert_eq!(numbers(0x00a1_0f11), (25, 17), "Zen 4");
        assert_eq!(numbers(0x00b4_0f40), (26, 68), "Zen 5");
        // Extended numbers count only in families 6 and 15.
        assert_eq!(numbers(0x0ff0_0543), (5, 4));
    }

    #[test]
    fn the_name_has_all_fields_in_one_line() {
        let mut cpu = Cpu { vendor: *b"GenuineIntel", family: 6, model: 143, avx512: true };
        let name = |cpu: Cpu| cpu.to_string().strip_prefix(ARCHITECTURE).unwrap().to_owned();
        assert_eq!(name(cpu), " GenuineIntel family 6 model 143 avx512");
        cpu.avx512 = false;
        assert_eq!(name(cpu), " GenuineIntel family 6 model 143");
        assert_eq!(name(Cpu { vendor: *b"a\nb\xff\0 \r  cd ", ..cpu }).lines().count(), 1);
        assert_eq!(name(Cpu { vendor: [0; 12], ..cpu }), "");
    }

    /// Compares with `/proc/cpuinfo`.
    #[test]
    #[cfg(all(target_os = "linux", any(target_arch = "x86", target_arch = "x86_64"), not(miri)))]
    fn this_cpu_is_the_one_that_linux_names() {
        let list = std::fs::read_to_string("/proc/cpuinfo").unwrap();
        let value = |key: &str| {
            let line = list.lines().find(|line| line.split('\t').next() == Some(key)).unwrap();
            line.split(": ").nth(1).unwrap()
        };
        let avx512 = value("flags").split(' ').any(|flag| flag == "avx512f");
        let number = |key| value(key).parse().unwrap();
        let vendor = *value("vendor_id").as_bytes().first_chunk().unwrap();
        let linux = Cpu { vendor, family: number("cpu family"), model: number("model"), avx512 };
        assert_eq!(Cpu::this(), linux);
    }
}
