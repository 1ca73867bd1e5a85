//! One stream in general registers, in an instruction order that compilers do not find.
//! `lanesum-graph emit` generates each `.s` file from the specification's graph, which is also the
//! basis of its proof; `cargo xtask generated` regenerates the files.

use super::bmi2_x1;
use super::text::text_kernel;
use crate::kernel::abi::FunctionsOf;
use crate::kernel::copied::copied_finish;
use crate::kernel::entry::kernel;

kernel!(BMI2_ASM_X1 = bmi2_asm_x1, Bmi2, lanes = 1, features = ["bmi1", "bmi2"],
    Sha1: FunctionsOf::new(
        bmi2_asm_x1::sha1::compress, bmi2_asm_x1::sha1::finish, bmi2_x1::sha1::iterate),
    Sha256: FunctionsOf::new(
        bmi2_asm_x1::sha256::compress, bmi2_asm_x1::sha256::finish, bmi2_x1::sha256::iterate),
    Sha512: FunctionsOf::new(
        bmi2_asm_x1::sha512::compress, bmi2_asm_x1::sha512::finish, bmi2_x1::sha512::iterate),
);

/// A module for each family, so that the object code has a symbol for each function.
pub(super) mod bmi2_asm_x1 {
    pub(in crate::kernel::x86) mod sha1 {
        super::super::text_kernel!(compress, u32, 5, "sha1_bmi2.s");
        super::super::copied_finish!(finish, u32, lanesum_spec::sha1::Sha1, compress, 1);
    }
    pub(in crate::kernel::x86) mod sha256 {
        super::super::text_kernel!(compress, u32, 8, "sha256_bmi2.s");
        super::super::copied_finish!(finish, u32, lanesum_spec::sha2::Sha256, compress, 1);
    }
    pub(in crate::kernel::x86) mod sha512 {
        super::super::text_kernel!(compress, u64, 8, "sha512_bmi2.s");
        super::super::copied_finish!(finish, u64, lanesum_spec::sha2::Sha512, compress, 1);
    }
}
