//! One stream in general registers, in an instruction order that compilers do not find.
//! `lanesum-graph emit` generates each `.s` file from the specification's graph, which is also the
//! basis of its proof; `make generated` regenerates the files.

#[cfg(target_arch = "x86_64")]
use super::bmi2_x1;
use super::text::text_kernel;
use crate::kernel::abi::FunctionsOf;
use crate::kernel::copied::copied_finish;
use crate::kernel::entry::kernel;
#[cfg(target_arch = "x86")]
use crate::kernel::portable::portable_x1;

/// Defines a generated kernel, and a module with its functions for each family so that the object
/// code has a symbol for each. `$iterate` is the kernel whose PBKDF2 loop it uses.
macro_rules! scalar_kernel {
    ($kernel:ident = $name:ident, $tier:ident, $features:tt, $abi:literal, $iterate:ident,
        $sha1:literal, $sha256:literal, $sha512:literal) => {
        kernel!($kernel = $name, $tier, lanes = 1, features = $features,
            Sha1: FunctionsOf::new(
                $name::sha1::compress, $name::sha1::finish, $iterate::sha1::iterate),
            Sha256: FunctionsOf::new(
                $name::sha256::compress, $name::sha256::finish, $iterate::sha256::iterate),
            Sha512: FunctionsOf::new(
                $name::sha512::compress, $name::sha512::finish, $iterate::sha512::iterate),
        );

        mod $name {
            pub(super) mod sha1 {
                super::super::text_kernel!(compress, u32, 5, $abi, $sha1);
                super::super::copied_finish!(finish, u32, lanesum_spec::sha1::Sha1, compress, 1);
            }
            pub(super) mod sha256 {
                super::super::text_kernel!(compress, u32, 8, $abi, $sha256);
                super::super::copied_finish!(finish, u32, lanesum_spec::sha2::Sha256, compress, 1);
            }
            pub(super) mod sha512 {
                super::super::text_kernel!(compress, u64, 8, $abi, $sha512);
                super::super::copied_finish!(finish, u64, lanesum_spec::sha2::Sha512, compress, 1);
            }
        }
    };
}
#[cfg(target_arch = "x86_64")]
scalar_kernel!(
    BMI2_ASM_X1 = bmi2_asm_x1,
    Bmi2,
    ["bmi1", "bmi2"],
    "sysv64",
    bmi2_x1,
    "sha1_bmi2.s",
    "sha256_bmi2.s",
    "sha512_bmi2.s"
);
#[cfg(target_arch = "x86")]
scalar_kernel!(
    I686_ASM_X1 = i686_asm_x1,
    Portable,
    [],
    "C",
    portable_x1,
    "sha1_i686.s",
    "sha256_i686.s",
    "sha512_i686.s"
);
