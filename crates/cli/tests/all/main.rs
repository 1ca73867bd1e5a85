//! The command, run as its users run it.
//! One program: each is linked with all of its crate and its peers.

mod bench;
mod check;
mod common;
mod coreutils;
mod doctor;
mod mac;
mod manifest;
mod memory;
mod output;
mod readme;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod secrets;
mod solaris;
mod sum;
mod tree;
