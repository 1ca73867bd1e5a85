//! Verifies repositories that git created, damaged ones, and packs that git would not write.

mod changes;
mod common;
mod faults;
mod hostile;
mod lfs;
mod same;
