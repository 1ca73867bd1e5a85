//! The engine from outside: vectors, peers, properties, object code.
//! One program: each is linked with all of its crate and its peers.

mod asm;
mod common;
mod examples;
mod fork;
mod freestanding;
mod gdb;
mod hkdf;
mod hmac;
mod huge;
#[path = "common/keyed.rs"]
mod keyed;
mod known;
mod lanes;
mod many;
mod panics;
mod pbkdf2;
mod props;
#[path = "../../../../vectors/rsp.rs"]
mod rsp;
mod rustcrypto;
mod secrets;
mod serialized;
mod sha1dc;
mod single;
mod trees;
mod update;
