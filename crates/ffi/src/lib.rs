//! liblanesum: the engine for C callers.
//!
//! [`c`] is the library of `lanesum.h`, [`openssl`] an OpenSSL provider, [`pkcs11`] a PKCS #11
//! module. [`guard`] catches panics and checks pointers in each exported function.

pub mod c;
mod context;
mod guard;
mod openssl;
mod pkcs11;
#[cfg(test)]
mod tests;

// SAFETY: the section consists of pointers to functions that the loader calls.
#[cfg(not(test))]
#[used]
#[unsafe(link_section = ".init_array")]
static QUIET: extern "C" fn() = lanesum_door::quiet;
