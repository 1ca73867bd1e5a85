//! The features of the CPUs that a kernel is for. An instruction of any other feature would end
//! the program there.

use iced_x86::CpuidFeature;

use crate::emit;
use crate::stitch;

/// Whether CPUs have a feature.
pub(super) type Features = fn(CpuidFeature) -> bool;

/// What every x86-64 has, but for vectors.
fn is_plain(feature: CpuidFeature) -> bool {
    use CpuidFeature::{
        CET_IBT, CMOV, INTEL186, INTEL286, INTEL386, INTEL486, INTEL8086, MULTIBYTENOP, X64,
    };
    matches!(
        feature,
        INTEL8086 | INTEL186 | INTEL286 | INTEL386 | INTEL486 | X64 | CMOV | MULTIBYTENOP | CET_IBT
    )
}

/// What every x86 of 32 bits has that Rust's i686 is for, but for vectors.
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
    use CpuidFeature::{AVX512BW, AVX512F, BMI2};
    has_avx2(feature) || matches!(feature, AVX512F | AVX512BW | BMI2)
}

fn has_avx2_and_bmi(feature: CpuidFeature) -> bool {
    has_avx2(feature) || is_bmi(feature)
}

/// Those of an emitted text.
pub(super) fn of_emitted(isa: emit::Isa) -> Features {
    match isa {
        emit::Isa::I686 => is_old,
        emit::Isa::Bmi2 => |feature| is_plain(feature) || is_bmi(feature),
        _ => is_plain,
    }
}

/// Those of a stitched kernel.
pub(super) fn of_stitched(isa: stitch::VectorIsa) -> Features {
    use stitch::VectorIsa;
    match isa {
        VectorIsa::Sse2 => has_sse2,
        VectorIsa::Ssse3 => has_ssse3,
        VectorIsa::Avx => has_avx,
        VectorIsa::AvxBmi | VectorIsa::Avx2 => has_avx2_and_bmi,
        VectorIsa::Avx512 => |feature| {
            use CpuidFeature::{AVX512F, AVX512VL};
            has_avx2_and_bmi(feature) || matches!(feature, AVX512F | AVX512VL)
        },
    }
}

/// Those that the engine asks for before it uses a row.
pub(super) fn of_kernel(name: &str) -> Features {
    use CpuidFeature::{AVX512VL, SHA, SHA512, SSE4_1};
    match name {
        "avx512_x1" => of_stitched(stitch::VectorIsa::Avx512),
        "avx2_x1" => has_avx2_and_bmi,
        "avx_x1" => has_avx,
        "ssse3_x1" => has_ssse3,
        "sha512_ni_x1" => |feature| has_avx2_and_bmi(feature) || feature == SHA512,
        _ if name.starts_with("sha_ni_") => {
            |feature| has_ssse3(feature) || matches!(feature, SSE4_1 | SHA)
        }
        _ if name.starts_with("avx512_vl_") => |feature| has_avx512(feature) || feature == AVX512VL,
        _ if name.starts_with("avx512_") => has_avx512,
        _ if name.starts_with("avx2_") => has_avx2,
        _ if name.starts_with("bmi2_") => |feature| has_sse2(feature) || is_bmi(feature),
        _ => has_sse2,
    }
}
