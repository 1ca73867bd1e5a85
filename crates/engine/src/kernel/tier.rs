//! Tiers: the instruction sets by which users select kernels.

macro_rules! tiers {
    ($($(#[$doc:meta])* $tier:ident $name:literal,)*) => {
        /// An instruction set that kernels use.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Tier {
            $($(#[$doc])* $tier,)*
        }

        impl Tier {
            /// Every tier.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$tier),*];

            /// The name that `LANESUM_KERNEL` accepts.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$tier => $name,)*
                }
            }
        }
    };
}

tiers! {
    /// No instructions beyond the target's baseline.
    Portable "portable",
    /// SSE2, which every x86-64 has.
    Sse2 "sse2",
    /// SSSE3: byte shuffles.
    Ssse3 "ssse3",
    /// AVX: three-operand vector instructions.
    Avx "avx",
    /// BMI1 and BMI2: non-destructive rotates in general registers.
    Bmi2 "bmi2",
    /// AVX2.
    Avx2 "avx2",
    /// AVX-512 F and BW.
    Avx512 "avx512",
    /// The SHA instructions of x86.
    ShaNi "sha_ni",
    /// The SHA512 instructions of x86.
    Sha512Ni "sha512_ni",
    /// NEON, which every AArch64 with an operating system has.
    Neon "neon",
    /// The SHA-1 and SHA-256 instructions of ARMv8.
    ShaCe "sha_ce",
    /// The SHA-512 instructions of ARMv8.2.
    Sha512Ce "sha512_ce",
}

impl Tier {
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
