//! The command, run as its users run it.
//! One program: each is linked with all of its crate and its peers.

mod algorithms;
mod audit;
mod bench;
mod cache;
mod check;
mod common;
mod coreutils;
mod doctor;
mod face;
mod formats;
mod kills;
mod mac;
mod manifest;
mod memory;
mod output;
mod pages;
mod readme;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod secrets;
mod solaris;
mod sum;
mod torrent;
mod tree;
mod update;
