//! Assembly kernels for one message, generated from the specification.
//!
//! [`emit`] prints kernels for general registers from the graph; [`stitch`] interleaves rounds in
//! general registers with the message schedule in vector registers; [`search`] finds fast orders of
//! their instructions; [`proof`] states their contracts; [`simulated`] splits the time of a kernel's machine code into
//! limits of the core.
#![forbid(unsafe_code)]

pub mod emit;
pub mod proof;
pub mod search;
pub mod simulated;
pub mod stitch;
