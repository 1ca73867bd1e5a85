//! liblanesum_md: drop-in replacements for libmd, with the variants of its functions in Solaris and
//! FreeBSD, and for sha1collisiondetection.
//!
//! A call copies the context, works on the copy ([`live`]) and writes it back, so a data race on a
//! context causes wrong digests and nothing worse. [`layout`] defines the contexts as the headers
//! of callers declare them. Visibly invalid pointers are ignored without a report, as the functions
//! return `void`.
//!
//! Exported functions: [`bsd`], [`sha3`], [`solaris`], [`freebsd`], [`sha1dc`].

pub mod bsd;
mod door;
mod file;
pub mod freebsd;
mod layout;
mod live;
mod md2;
mod md4;
pub mod sha1dc;
pub mod sha3;
pub mod solaris;
#[cfg(test)]
mod tests;

#[cfg(not(test))]
use engine::{Algorithm, Policy};

// SAFETY: the section consists of pointers to functions that the loader calls.
#[cfg(not(test))]
#[used]
#[unsafe(link_section = ".init_array")]
static LOADED: extern "C" fn() = loaded;

/// Reads `LANESUM_KERNEL` and `LANESUM_COSTS`. The functions of these libraries cannot report an invalid value, so this prints a
/// line to standard error.
#[cfg(not(test))]
extern "C" fn loaded() {
    use std::io::Write;

    lanesum_door::quiet();
    lanesum_door::barrier((), || {
        if ["LANESUM_KERNEL", "LANESUM_COSTS"].iter().all(|name| std::env::var_os(name).is_none()) {
            return;
        }
        let error = Algorithm::all().find_map(|algorithm| Policy::check_env(algorithm).err());
        if let Some(error) = error {
            // If writing to standard error fails, the error cannot be reported elsewhere.
            let name = error.variable();
            let _ = writeln!(std::io::stderr(), "lanesum: {name} is ignored: {error}");
        }
    });
}
