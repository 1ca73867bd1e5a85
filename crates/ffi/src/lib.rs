//! liblanesum: the engine behind C's calling conventions.
//!
//! [`guard`] is what stands at every door: no panic leaves, no pointer comes in
//! unchecked. [`c`] is the library of `lanesum.h`, [`openssl`] a provider for OpenSSL,
//! [`pkcs11`] a module.

pub mod c;
mod context;
mod guard;
mod openssl;
mod pkcs11;
#[cfg(test)]
mod tests;

// SAFETY: the section holds pointers to functions that the loader calls.
#[cfg(not(test))]
#[used]
#[unsafe(link_section = ".init_array")]
static QUIET: extern "C" fn() = lanesum_door::quiet;
