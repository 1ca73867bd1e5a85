//! Kernels of AArch64. Their costs are estimates, not measurements: a plan depends only on how they
//! compare with one another on one core.

mod neon;
mod sha_ce;

pub(super) use neon::{NEON_X2, NEON_X4};
pub(super) use sha_ce::{SHA_CE_X1, SHA_CE_X2, SHA512_CE_X1};
