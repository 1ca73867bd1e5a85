//! Readers and writers of manifests.
//! One program: each is linked with all of its crate and its peers.

mod common;
mod coreutils;
mod gnu;
mod lines;
mod names;
