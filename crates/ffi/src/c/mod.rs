//! The C API. `lanesum.h` and its manual pages are generated from the doc comments in these files.
#![allow(non_camel_case_types, reason = "the names are C's")]
#![allow(clippy::missing_safety_doc, reason = "the header's preface says it once for all")]
#![allow(
    clippy::too_many_arguments,
    reason = "C has a pointer and a length where Rust has a slice"
)]

pub mod algorithm;
pub mod batch;
pub mod chain;
pub mod derive;
pub mod hasher;
pub mod hmac;
pub mod kernel;
pub mod log;
pub mod policy;
pub mod sha1dc;
pub mod status;
pub mod tree;
