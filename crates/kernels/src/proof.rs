//! The contracts of the generated functions, for their proofs.

use lanesum_prove::Features;
use lanesum_prove::linux::LinuxFunction;
use lanesum_prove::text::{BlockWords, Text, TextError};
use lanesum_spec::Family;

use crate::emit::{Isa, LaneIsa, LaneTarget, Target, WordSource};
use crate::stitch::{self, Order, ShaNiText, VectorIsa};

impl Isa {
    fn proven_features(self) -> Features {
        match self {
            Self::X86_64 => Features::SCALAR,
            Self::Bmi2 => Features::BMI2,
            Self::I686 => Features::I686,
        }
    }
}

impl LaneIsa {
    fn proven_features(self) -> Features {
        match self {
            Self::Avx2 => Features::AVX2_LANES,
            Self::Avx512Vl => Features::AVX512_VL_LANES,
            Self::Avx512 => Features::AVX512_LANES,
        }
    }
}

impl VectorIsa {
    fn proven_features(self) -> Features {
        match self {
            Self::Sse2 => Features::SSE2,
            Self::Ssse3 => Features::SSSE3,
            Self::Avx => Features::AVX,
            Self::AvxBmi | Self::Avx2 => Features::AVX2,
            Self::Avx512 => Features::AVX512_VL,
        }
    }
}

/// Assembles an emitted kernel.
///
/// # Errors
///
/// If the assembler or linker fails.
pub fn emitted(target: Target, text: &str) -> Result<Text, TextError> {
    let blocks = match target.words {
        WordSource::Block => BlockWords::Message,
        WordSource::Expanded => {
            BlockWords::Expanded((target.block_len() / target.word_len()) as usize)
        }
    };
    Text::function(target.family, blocks, target.isa.proven_features(), target.isa.bits(), text)
}

/// Assembles a lane kernel.
///
/// # Errors
///
/// If the assembler or linker fails.
pub fn lanes(target: LaneTarget, text: &str) -> Result<Text, TextError> {
    Text::lanes(target.family, target.lanes(), target.isa.proven_features(), text)
}

/// Assembles a stitched kernel for blocks with this byte order.
///
/// # Errors
///
/// If the assembler or linker fails.
pub fn stitched(
    family: Family,
    isa: VectorIsa,
    order: Order,
    text: &str,
) -> Result<Text, TextError> {
    let table = stitch::table(family, isa);
    Text::with_table(family, &table, order == Order::Big, isa.proven_features(), text)
}

/// The functions of the Linux module.
pub fn linux_functions() -> Vec<LinuxFunction> {
    let families = [("sha1", Family::Sha1), ("sha256", Family::Sha256), ("sha512", Family::Sha512)];
    let emitted = families.into_iter().flat_map(|(name, family)| {
        [Isa::X86_64, Isa::Bmi2].map(|isa| LinuxFunction {
            name: format!("{name}_{}", isa.name()),
            family,
            features: isa.proven_features(),
        })
    });
    let stitched = stitch::kernels().into_iter().filter(|kernel| kernel.isa != VectorIsa::Sse2);
    let stitched = stitched.map(|kernel| LinuxFunction {
        features: kernel.isa.proven_features(),
        name: kernel.name,
        family: kernel.family,
    });
    let instructions = ShaNiText::all().map(|text| LinuxFunction {
        features: Features::SHA_NI,
        name: text.name.to_owned(),
        family: text.family,
    });
    emitted.chain(stitched).chain(instructions).collect()
}
