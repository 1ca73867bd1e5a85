//! Tests of the engine's public interface: vectors, peers, properties, object code.
//! One test binary, because linking each with the whole crate and its peers is slow.

mod asm;
mod chains;
mod common;
mod costs;
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
