//! The CPU features that each kernel requires. An instruction of any other feature may fault.

use iced_x86::CpuidFeature;

/// The features of every x86-64 CPU, except vectors.
fn is_plain(feature: CpuidFeature) -> bool {
    use CpuidFeature::{
        CET_IBT, CMOV, INTEL186, INTEL286, INTEL386, INTEL486, INTEL8086, MULTIBYTENOP, X64,
    };
    matches!(
        feature,
        INTEL8086 | INTEL186 | INTEL286 | INTEL386 | INTEL486 | X64 | CMOV | MULTIBYTENOP | CET_IBT
    )
}

/// The features of Rust's i686 target, except vectors.
fn is_old(feature: CpuidFeature) -> bool {
    is_plain(feature) && feature != CpuidFeature::X64
}

fn is_bmi(feature: CpuidFeature) -> bool {
    matches!(feature, CpuidFeature::BMI1 | CpuidFeature::BMI2)
}

fn has_sse2(feature: CpuidFeature) -> bool {
    is_plain(feature) || matches!(feature, CpuidFeature::SSE | CpuidFeature::SSE2)
}

fn has_ssse3(feature: CpuidFeature) -> bool {
    has_sse2(feature) || matches!(feature, CpuidFeature::SSE3 | CpuidFeature::SSSE3)
}

fn has_avx(feature: CpuidFeature) -> bool {
    use CpuidFeature::{AVX, SSE4_1, SSE4_2};
    has_ssse3(feature) || matches!(feature, SSE4_1 | SSE4_2 | AVX)
}

fn has_avx2(feature: CpuidFeature) -> bool {
    has_avx(feature) || feature == CpuidFeature::AVX2
}

fn has_avx512(feature: CpuidFeature) -> bool {
    use CpuidFeature::{AVX512BW, AVX512F};
    has_avx2(feature) || matches!(feature, AVX512F | AVX512BW)
}

fn has_avx512_and_bmi2(feature: CpuidFeature) -> bool {
    has_avx512(feature) || feature == CpuidFeature::BMI2
}

fn has_avx2_and_bmi(feature: CpuidFeature) -> bool {
    has_avx2(feature) || is_bmi(feature)
}

/// The CPU features that code may require.
#[derive(Clone, Copy, Debug)]
pub struct Features(fn(CpuidFeature) -> bool);

impl Features {
    /// Every 32-bit x86 CPU.
    pub const I686: Self = Self(is_old);
    /// Every x86-64 CPU, without its vectors.
    pub const SCALAR: Self = Self(is_plain);
    /// [`SCALAR`](Self::SCALAR) with BMI1 and BMI2.
    pub const BMI2: Self = Self(|feature| is_plain(feature) || is_bmi(feature));
    /// Every x86-64 CPU.
    pub const SSE2: Self = Self(has_sse2);
    /// SSSE3.
    pub const SSSE3: Self = Self(has_ssse3);
    /// AVX.
    pub const AVX: Self = Self(has_avx);
    /// AVX2, BMI1 and BMI2.
    pub const AVX2: Self = Self(has_avx2_and_bmi);
    /// AVX2, without BMI.
    pub const AVX2_LANES: Self = Self(has_avx2);
    /// AVX-512 F and BW, without BMI.
    pub const AVX512_LANES: Self = Self(has_avx512);
    /// AVX-512 F, BW and VL, without BMI.
    pub const AVX512_VL_LANES: Self =
        Self(|feature| has_avx512(feature) || feature == CpuidFeature::AVX512VL);
    /// [`AVX2`](Self::AVX2) with AVX-512 F and VL.
    pub const AVX512_VL: Self = Self(|feature| {
        use CpuidFeature::{AVX512F, AVX512VL};
        has_avx2_and_bmi(feature) || matches!(feature, AVX512F | AVX512VL)
    });
    /// SSE4.1 and the SHA extensions.
    pub const SHA_NI: Self = Self(|feature| {
        use CpuidFeature::{SHA, SSE4_1};
        has_ssse3(feature) || matches!(feature, SSE4_1 | SHA)
    });

    /// The SHA extensions, and AVX-512 F, BW and VL.
    pub const SHA_NI_VL: Self = Self(|feature| {
        use CpuidFeature::{AVX512VL, SHA};
        has_avx512(feature) || matches!(feature, AVX512VL | SHA)
    });

    /// The features that the engine requires before it uses a kernel.
    pub fn of_kernel(name: &str) -> Self {
        use CpuidFeature::{AVX512VL, SHA512};
        match name {
            "avx512_x1" => Self::AVX512_VL,
            "avx2_x1" => Self::AVX2,
            "avx_x1" => Self::AVX,
            "ssse3_x1" => Self::SSSE3,
            "sha512_ni_x1" => Self(|feature| has_avx2_and_bmi(feature) || feature == SHA512),
            _ if name.starts_with("sha_ni_vl_") => Self::SHA_NI_VL,
            _ if name.starts_with("sha_ni_") => Self::SHA_NI,
            _ if name.starts_with("avx512_vl_") => {
                Self(|feature| has_avx512_and_bmi2(feature) || feature == AVX512VL)
            }
            _ if name.starts_with("avx512_") => Self(has_avx512_and_bmi2),
            _ if name.starts_with("avx2_") => Self(has_avx2),
            _ if name.starts_with("bmi2_") => Self(|feature| has_sse2(feature) || is_bmi(feature)),
            _ => Self::SSE2,
        }
    }

    /// Whether code may require this feature.
    pub(super) fn has(self, feature: CpuidFeature) -> bool {
        (self.0)(feature)
    }
}
