//! The doors of C, OpenSSL and PKCS #11, under the programs that use them.
//! One program: each is linked with all of its crate and its peers.

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
