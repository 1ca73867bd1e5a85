//! Readers and writers of manifests. One program, since each is linked with all that the others are.

mod common;
mod coreutils;
mod gnu;
mod lines;
mod names;
