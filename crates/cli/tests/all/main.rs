//! Runs the command as users do.
//! One test binary, because linking each with the whole crate and its peers is slow.

mod algorithms;
mod audit;
mod bench;
mod cache;
mod check;
mod closed;
mod common;
mod coreutils;
mod doctor;
mod face;
mod formats;
mod git;
mod integrity;
mod kills;
mod limits;
mod mac;
mod manifest;
mod memory;
mod output;
mod pages;
mod proof;
mod readme;
mod scrub;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod secrets;
mod solaris;
mod special;
mod sum;
mod terminal;
mod torrent;
mod tree;
mod tune;
mod update;
