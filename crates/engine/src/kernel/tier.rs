//! Tiers: the instruction sets by which users select kernels.

/// An instruction set that kernels use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tier {
    /// No instructions beyond the target's baseline.
    Portable,
    /// BMI1 and BMI2: non-destructive rotates in general registers.
    Bmi2,
    /// SSE2, which every x86-64 has.
    Sse2,
    /// SSSE3: byte shuffles.
    Ssse3,
    /// AVX: three-operand vector instructions.
    Avx,
    /// AVX2.
    Avx2,
    /// AVX-512 F and BW.
    Avx512,
    /// The SHA instructions of x86.
    ShaNi,
    /// The SHA512 instructions of x86.
    Sha512Ni,
    /// NEON, which every AArch64 with an operating system has.
    Neon,
    /// The SHA-1 and SHA-256 instructions of ARMv8.
    ShaCe,
    /// The SHA-512 instructions of ARMv8.2.
    Sha512Ce,
}

impl Tier {
    /// Every tier.
    pub const ALL: [Self; 12] = [
        Self::Portable,
        Self::Sse2,
        Self::Ssse3,
        Self::Avx,
        Self::Bmi2,
        Self::Avx2,
        Self::Avx512,
        Self::ShaNi,
        Self::Sha512Ni,
        Self::Neon,
        Self::ShaCe,
        Self::Sha512Ce,
    ];

    /// The name that `LANESUM_KERNEL` accepts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Bmi2 => "bmi2",
            Self::Sse2 => "sse2",
            Self::Ssse3 => "ssse3",
            Self::Avx => "avx",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::ShaNi => "sha_ni",
            Self::Sha512Ni => "sha512_ni",
            Self::Neon => "neon",
            Self::ShaCe => "sha_ce",
            Self::Sha512Ce => "sha512_ce",
        }
    }

    /// Whether a cap at `self` admits `other`. General tiers are ordered; the SHA instructions of
    /// x86 are outside that order and are selected only by name.
    pub const fn includes(self, other: Self) -> bool {
        const fn rank(tier: Tier) -> u32 {
            match tier {
                Tier::Portable => 0,
                Tier::Sse2 | Tier::Neon => 1,
                Tier::Ssse3 | Tier::ShaNi | Tier::ShaCe => 2,
                Tier::Avx | Tier::Sha512Ce | Tier::Sha512Ni => 3,
                Tier::Bmi2 => 4,
                Tier::Avx2 => 5,
                Tier::Avx512 => 6,
            }
        }
        match (self, other) {
            (Self::ShaNi, Self::ShaNi) | (Self::Sha512Ni, Self::Sha512Ni) => true,
            (_, Self::ShaNi | Self::Sha512Ni) => false,
            _ => rank(other) <= rank(self),
        }
    }
}
