//! Readers and writers of manifests.
//! One program: each is linked with all of its crate and its peers.

mod audit;
mod common;
mod coreutils;
mod foreign;
mod gnu;
mod lines;
mod names;
