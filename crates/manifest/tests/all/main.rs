//! Tests of the readers and writers of manifests.
//! One test binary, because linking each with the whole crate and its peers is slow.

mod audit;
mod common;
mod coreutils;
mod foreign;
mod gnu;
mod lines;
mod names;
