//! The kit's own judges, and what is asked of the whole workspace.

mod circles;
mod named;
mod planted;
