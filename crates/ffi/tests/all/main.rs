//! Tests of the C, OpenSSL and PKCS #11 interfaces with the programs that use them.
//! One test binary, because linking each with the whole crate and its peers is slow.

mod build_systems;
mod cc;
mod doors;
mod header;
mod model;
mod openssl;
mod pkcs11;
mod pkcs11_tools;
mod programs;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod secrets;
