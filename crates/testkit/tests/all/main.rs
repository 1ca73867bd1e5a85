//! Tests of the kit's own checks, and checks of the whole workspace.

mod caches;
mod circles;
mod crates;
mod links;
mod named;
mod planted;
mod speeds;
mod tables;
mod tree;
