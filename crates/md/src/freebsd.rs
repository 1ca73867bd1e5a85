//! FreeBSD's functions, such as `SHA256_Init`, in a separate library. libcrypto exports functions
//! of the same names. A program that expects libcrypto's but is linked with these still gets
//! correct digests: contexts are no larger, arguments have the same order, and calls return 1.

use core::ffi::{c_char, c_int};

use engine::Algorithm;
use libc::off_t;

use crate::bsd::{streaming, whole};
use crate::door;
use crate::file::{self, Whole};
use crate::layout::{Half, Sha2, Short};
use crate::live::Hash;

macro_rules! algorithm {
    ($module:ident, $prefix:literal, $algorithm:ident, $context:ty) => {
        #[doc = concat!("`", $prefix, "Init` and its like.")]
        #[allow(clippy::missing_safety_doc, reason = "the system's manual page has it")]
        pub mod $module {
            use super::*;

            const HASH: Hash = Hash::Engine(Algorithm::$algorithm);

            streaming!($prefix, HASH, $context, c_int = 1);
            whole!($prefix, Whole(Some(HASH)));

            #[doc = concat!("`", $prefix, "Fd`.")]
            #[unsafe(export_name = concat!($prefix, "Fd"))]
            pub unsafe extern "C" fn fd(fd: c_int, text: *mut c_char) -> *mut c_char {
                // SAFETY: the caller guarantees room for the text.
                unsafe { file::fd_chunk(Whole(Some(HASH)), fd, text, 0, 0) }
            }

            #[doc = concat!("`", $prefix, "FdChunk`.")]
            #[unsafe(export_name = concat!($prefix, "FdChunk"))]
            pub unsafe extern "C" fn fd_chunk(
                fd: c_int,
                text: *mut c_char,
                from: off_t,
                len: off_t,
            ) -> *mut c_char {
                // SAFETY: the caller guarantees room for the text.
                unsafe { file::fd_chunk(Whole(Some(HASH)), fd, text, from, len) }
            }
        }
    };
}

algorithm!(ripemd160, "RIPEMD160_", RIPEMD160, Short);
algorithm!(sha1, "SHA1_", SHA1, Short);
algorithm!(sha224, "SHA224_", SHA224, Half);
algorithm!(sha256, "SHA256_", SHA256, Half);
algorithm!(sha384, "SHA384_", SHA384, Sha2);
algorithm!(sha512, "SHA512_", SHA512, Sha2);
algorithm!(sha512_224, "SHA512_224_", SHA512_224, Sha2);
algorithm!(sha512_256, "SHA512_256_", SHA512_256, Sha2);
