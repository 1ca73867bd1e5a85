//! liblanesum_md: a drop-in for libmd, and the forms of its functions that Solaris
//! and FreeBSD have.
//!
//! A call copies what it needs of a context, works on the copy ([`live`]) and copies
//! it back: threads that race on a context get wrong digests, and nothing worse. What
//! these functions are given is in [`layout`], which is their callers' by header.
//! Wrong pointers that can be seen are passed over in silence, as `void` leaves
//! nothing else.
//!
//! Tables of names: [`bsd`], [`sha3`], [`solaris`], [`freebsd`].

pub mod bsd;
mod door;
mod file;
pub mod freebsd;
mod layout;
mod live;
mod md2;
mod md4;
pub mod sha3;
pub mod solaris;
#[cfg(test)]
mod tests;

// SAFETY: the section holds pointers to functions that the loader calls.
#[cfg(not(test))]
#[used]
#[unsafe(link_section = ".init_array")]
static QUIET: extern "C" fn() = lanesum_door::quiet;
