//! The command, run as its users run it.
//! One program: each is linked with all of its crate and its peers.

mod bench;
mod check;
mod common;
mod coreutils;
mod doctor;
mod mac;
mod memory;
mod output;
mod solaris;
mod sum;
