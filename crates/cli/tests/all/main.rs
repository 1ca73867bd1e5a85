//! The command, run as its users run it. One program, since each is linked with all that the others are.

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
