//! The kit's own judges, and what is asked of the whole workspace.

mod circles;
mod links;
mod named;
mod planted;
mod tables;
mod tree;
