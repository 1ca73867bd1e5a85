//! The measured speed of Lanesum's OpenSSL provider relative to OpenSSL's own, by CPU.

use lanesum_spec::Family;

/// The speed of a digest through EVP with Lanesum's provider, in percent of the speed with OpenSSL's own.
/// Measured for messages from 0 bytes to 64 KiB, with `EVP_Digest` and with a reused context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BesideOpenssl {
    /// The minimum.
    pub min: u32,
    /// The median.
    pub median: u32,
    /// The maximum.
    pub max: u32,
}

impl BesideOpenssl {
    /// Returns the speed on this CPU, or `None` if this CPU was not measured.
    pub fn here(family: Family) -> Option<Self> {
        let core = core()?;
        let measured = MEASURED.iter().find(|(of, known, _)| *of == core && *known == family);
        measured.map(|&(_, _, [min, median, max])| Self { min, median, max })
    }

    /// Whether a program that hashes messages of all these lengths is slower with Lanesum.
    pub fn is_slower(self) -> bool {
        self.median < 100
    }

    /// Returns the name of this CPU's core, if it was measured.
    pub fn core() -> Option<&'static str> {
        core().map(Core::name)
    }
}

/// A measured CPU core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Core {
    Zen3,
    Zen4,
    Zen5,
    GoldenCove,
    RaptorCove,
}

impl Core {
    fn name(self) -> &'static str {
        match self {
            Self::Zen3 => "AMD Zen 3",
            Self::Zen4 => "AMD Zen 4",
            Self::Zen5 => "AMD Zen 5",
            Self::GoldenCove => "Intel Golden Cove",
            Self::RaptorCove => "Intel Raptor Cove",
        }
    }
}

/// The newest records `evp` in `benches/record` (`cargo xtask bench-doors`, OpenSSL 3.0, all instructions of
/// the CPU enabled); a test of `lanesum-testkit` compares them.
const MEASURED: [(Core, Family, [u32; 3]); 28] = [
    (Core::Zen3, Family::Sha1, [98, 100, 109]),
    (Core::Zen3, Family::Sha256, [97, 99, 109]),
    (Core::Zen3, Family::Sha512, [86, 90, 96]),
    (Core::Zen3, Family::Md5, [95, 101, 105]),
    (Core::Zen3, Family::Ripemd160, [107, 127, 135]),
    (Core::Zen3, Family::Sm3, [99, 107, 110]),
    (Core::Zen4, Family::Sha1, [98, 101, 107]),
    (Core::Zen4, Family::Sha256, [90, 100, 106]),
    (Core::Zen4, Family::Sha512, [91, 98, 102]),
    (Core::Zen4, Family::Md5, [95, 104, 105]),
    (Core::Zen4, Family::Ripemd160, [136, 158, 173]),
    (Core::Zen4, Family::Sm3, [90, 101, 113]),
    (Core::Zen5, Family::Sha1, [92, 98, 99]),
    (Core::Zen5, Family::Sha256, [89, 96, 100]),
    (Core::Zen5, Family::Sha512, [84, 94, 102]),
    (Core::Zen5, Family::Md5, [97, 103, 105]),
    (Core::GoldenCove, Family::Sha1, [100, 106, 127]),
    (Core::GoldenCove, Family::Sha256, [100, 102, 118]),
    (Core::GoldenCove, Family::Sha512, [109, 110, 117]),
    (Core::GoldenCove, Family::Md5, [94, 105, 105]),
    (Core::GoldenCove, Family::Ripemd160, [141, 168, 172]),
    (Core::GoldenCove, Family::Sm3, [102, 103, 107]),
    (Core::RaptorCove, Family::Sha1, [91, 102, 114]),
    (Core::RaptorCove, Family::Sha256, [86, 97, 102]),
    (Core::RaptorCove, Family::Sha512, [91, 94, 104]),
    (Core::RaptorCove, Family::Md5, [88, 98, 106]),
    (Core::RaptorCove, Family::Ripemd160, [97, 110, 124]),
    (Core::RaptorCove, Family::Sm3, [95, 105, 106]),
];

/// Returns this CPU's core, by the family and model that CPUID reports.
fn core() -> Option<Core> {
    #[cfg(all(target_arch = "x86_64", not(any(miri, target_env = "sgx"))))]
    {
        use core::arch::x86_64::__cpuid;

        let (leaf, signature) = (__cpuid(0), __cpuid(1).eax);
        let family = (signature >> 8 & 15) + (signature >> 20 & 255);
        let model = (signature >> 4 & 15) | (signature >> 12 & 0xf0);
        let is_by = |name: &[u8; 12]| {
            [leaf.ebx, leaf.edx, leaf.ecx].map(u32::to_le_bytes).as_flattened() == name
        };
        of(is_by(b"AuthenticAMD"), is_by(b"GenuineIntel"), family, model)
    }
    #[cfg(not(all(target_arch = "x86_64", not(any(miri, target_env = "sgx")))))]
    None
}

#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only x86-64 was measured"))]
fn of(is_amd: bool, is_intel: bool, family: u32, model: u32) -> Option<Core> {
    match (family, model) {
        (0x19, 0x00..=0x0f | 0x20..=0x2f | 0x50..=0x5f) if is_amd => Some(Core::Zen3),
        (0x19, 0x10..=0x1f | 0x60..=0x7f | 0xa0..=0xaf) if is_amd => Some(Core::Zen4),
        (0x1a, _) if is_amd => Some(Core::Zen5),
        (6, 0x8f) if is_intel => Some(Core::GoldenCove),
        (6, 0xcf) if is_intel => Some(Core::RaptorCove),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_are_known_by_their_numbers() {
        assert_eq!(of(true, false, 0x19, 0x11), Some(Core::Zen4));
        assert_eq!(of(true, false, 0x19, 0x01), Some(Core::Zen3));
        assert_eq!(of(true, false, 0x19, 0x21), Some(Core::Zen3));
        assert_eq!(of(true, false, 0x17, 0x31), None, "Zen 2");
        assert_eq!(of(true, false, 0x1a, 2), Some(Core::Zen5));
        assert_eq!(of(false, true, 6, 0x8f), Some(Core::GoldenCove));
        assert_eq!(of(false, true, 6, 0xcf), Some(Core::RaptorCove));
        assert_eq!(of(true, false, 6, 0x8f), None);
        assert_eq!(of(false, true, 6, 0x55), None);
    }

    #[test]
    fn measurements_are_in_order_and_of_each_family_once() {
        for (i, (core, family, [min, median, max])) in MEASURED.iter().enumerate() {
            assert!(min <= median && median <= max);
            assert!(!MEASURED[..i].iter().any(|(c, f, _)| c == core && f == family));
        }
    }
}
