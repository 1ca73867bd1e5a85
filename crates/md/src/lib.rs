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

#[cfg(not(test))]
use engine::{Algorithm, Policy};

// SAFETY: the section holds pointers to functions that the loader calls.
#[cfg(not(test))]
#[used]
#[unsafe(link_section = ".init_array")]
static LOADED: extern "C" fn() = loaded;

/// Reads `LANESUM_KERNEL`. The functions of libmd cannot report that it is invalid, so a line on standard
/// error does.
#[cfg(not(test))]
extern "C" fn loaded() {
    use std::io::Write;

    lanesum_door::quiet();
    lanesum_door::barrier((), || {
        if std::env::var_os("LANESUM_KERNEL").is_none() {
            return;
        }
        let error = Algorithm::all().find_map(|algorithm| Policy::check_env(algorithm).err());
        if let Some(error) = error {
            // If standard error cannot be written to, there is nowhere else to report it.
            let _ = writeln!(std::io::stderr(), "lanesum: LANESUM_KERNEL is ignored: {error}");
        }
    });
}
