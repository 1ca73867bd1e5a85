//! Tests of the kit's own checks, and checks of the whole workspace.

mod circles;
mod links;
mod named;
mod planted;
mod speeds;
mod tables;
mod tree;
