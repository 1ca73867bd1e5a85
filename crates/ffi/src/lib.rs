//! liblanesum: the engine behind C's calling conventions.
//!
//! [`guard`] is what stands at every door: no panic leaves, no pointer comes in
//! unchecked. [`c`] is the library of `lanesum.h`, [`openssl`] a provider for OpenSSL,
//! [`pkcs11`] a module. Whoever hashes calls [`fork::ready`] first.

pub mod c;
mod context;
mod fork;
mod guard;
mod openssl;
mod pkcs11;
#[cfg(test)]
mod tests;
