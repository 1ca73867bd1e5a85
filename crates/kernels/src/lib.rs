//! Assembly kernels for one message, generated from the specification.
//!
//! [`emit`] prints kernels for general registers from the graph; [`stitch`] interleaves rounds in
//! general registers with the message schedule in vector registers; [`search`] finds fast orders of
//! their instructions; [`proof`] states their contracts; [`mca`] and [`fit`] compare their
//! measured and simulated times.
#![forbid(unsafe_code)]

pub mod emit;
pub mod fit;
pub mod mca;
pub mod proof;
pub mod search;
pub mod stitch;
