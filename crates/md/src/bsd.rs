//! The libmd functions of the BSDs and Debian, such as `SHA256Init`. Contexts have the layout that
//! the headers declare.

use core::ffi::{c_char, c_uchar, c_uint};

use engine::Algorithm;
use libc::off_t;

use crate::door;
use crate::file::{self, Whole};
use crate::layout::{Md2, Sha2, Small};
use crate::live::Hash;

/// `…File`, `…FileChunk` and `…Data`, which have the same signatures for all algorithms.
macro_rules! whole {
    ($prefix:literal, $whole:expr) => {
        #[doc = concat!("`", $prefix, "File`.")]
        #[unsafe(export_name = concat!($prefix, "File"))]
        pub unsafe extern "C" fn file(name: *const c_char, text: *mut c_char) -> *mut c_char {
            // SAFETY: the caller guarantees valid strings and buffers, as libmd requires.
            unsafe { file::file_chunk($whole, name, text, 0, 0) }
        }

        #[doc = concat!("`", $prefix, "FileChunk`.")]
        #[unsafe(export_name = concat!($prefix, "FileChunk"))]
        pub unsafe extern "C" fn file_chunk(
            name: *const c_char,
            text: *mut c_char,
            from: off_t,
            len: off_t,
        ) -> *mut c_char {
            // SAFETY: the caller guarantees valid strings and buffers, as libmd requires.
            unsafe { file::file_chunk($whole, name, text, from, len) }
        }

        #[doc = concat!("`", $prefix, "Data`.")]
        #[unsafe(export_name = concat!($prefix, "Data"))]
        pub unsafe extern "C" fn data(
            data: *const u8,
            len: usize,
            text: *mut c_char,
        ) -> *mut c_char {
            // SAFETY: the caller guarantees valid buffers, as libmd requires.
            unsafe { file::data($whole, data, len, text) }
        }
    };
}
pub(crate) use whole;

/// `…Init`, `…Update`, `…Final`, `…End`.
macro_rules! streaming {
    ($prefix:literal, $hash:expr, $context:ty, $returned:ty = $done:expr) => {
        #[doc = concat!("`", $prefix, "Init`.")]
        #[unsafe(export_name = concat!($prefix, "Init"))]
        pub unsafe extern "C" fn init(context: *mut $context) -> $returned {
            // SAFETY: the caller guarantees a valid context.
            unsafe { door::init($hash, context) };
            $done
        }

        #[doc = concat!("`", $prefix, "Update`.")]
        #[unsafe(export_name = concat!($prefix, "Update"))]
        pub unsafe extern "C" fn update(
            context: *mut $context,
            data: *const u8,
            len: usize,
        ) -> $returned {
            // SAFETY: the caller guarantees a valid context and `len` readable bytes.
            unsafe { door::update($hash, context, data, len) };
            $done
        }

        #[doc = concat!("`", $prefix, "Final`.")]
        #[unsafe(export_name = concat!($prefix, "Final"))]
        pub unsafe extern "C" fn last(digest: *mut u8, context: *mut $context) -> $returned {
            // SAFETY: the caller guarantees a valid context and room for a digest.
            unsafe { door::last($hash, digest, context) };
            $done
        }

        #[doc = concat!("`", $prefix, "End`.")]
        #[unsafe(export_name = concat!($prefix, "End"))]
        pub unsafe extern "C" fn end(context: *mut $context, text: *mut c_char) -> *mut c_char {
            // SAFETY: the caller guarantees a valid context and room for the text.
            unsafe { door::end($hash, context, text) }
        }
    };
}
pub(crate) use streaming;

/// All nine functions of an algorithm.
macro_rules! algorithm {
    ($module:ident, $prefix:literal, $hash:expr, $context:ty, $words:literal of $word:ty) => {
        #[doc = concat!("`", $prefix, "Init` and its like.")]
        #[allow(clippy::missing_safety_doc, reason = "the system's manual page has it")]
        pub mod $module {
            use super::*;

            const HASH: Hash = $hash;

            streaming!($prefix, HASH, $context, () = ());
            whole!($prefix, Whole(Some(HASH)));

            #[doc = concat!("`", $prefix, "Pad`.")]
            #[unsafe(export_name = concat!($prefix, "Pad"))]
            pub unsafe extern "C" fn pad(context: *mut $context) {
                // SAFETY: the caller guarantees a valid context.
                unsafe { door::pad(HASH, context) };
            }

            #[doc = concat!("`", $prefix, "Transform`.")]
            #[unsafe(export_name = concat!($prefix, "Transform"))]
            pub unsafe extern "C" fn transform(state: *mut $word, block: *const u8) {
                // SAFETY: the caller guarantees a valid state and a whole block.
                unsafe { door::transform::<$word, $words>(HASH, state, block) };
            }
        }
    };
}

algorithm!(md4, "MD4", Hash::Md4, Small<4>, 4 of u32);
algorithm!(md5, "MD5", Hash::Engine(Algorithm::MD5), Small<4>, 4 of u32);
algorithm!(rmd160, "RMD160", Hash::Engine(Algorithm::RIPEMD160), Small<5>, 5 of u32);
algorithm!(sha1, "SHA1", Hash::Engine(Algorithm::SHA1), Small<5>, 5 of u32);
algorithm!(sha224, "SHA224", Hash::Engine(Algorithm::SHA224), Sha2, 8 of u32);
algorithm!(sha256, "SHA256", Hash::Engine(Algorithm::SHA256), Sha2, 8 of u32);
algorithm!(sha384, "SHA384", Hash::Engine(Algorithm::SHA384), Sha2, 8 of u64);
algorithm!(sha512, "SHA512", Hash::Engine(Algorithm::SHA512), Sha2, 8 of u64);
algorithm!(sha512_224, "SHA512_224", Hash::Engine(Algorithm::SHA512_224), Sha2, 8 of u64);
algorithm!(sha512_256, "SHA512_256", Hash::Engine(Algorithm::SHA512_256), Sha2, 8 of u64);

/// `MD2Init` and the other MD2 functions. libmd has no `MD2Pad`.
#[allow(clippy::missing_safety_doc, reason = "the system's manual page has it")]
pub mod md2 {
    use super::*;

    whole!("MD2", Whole(None));

    /// `MD2Init`.
    #[unsafe(export_name = "MD2Init")]
    pub unsafe extern "C" fn init(context: *mut Md2) {
        // SAFETY: the caller guarantees memory for a context.
        door::barrier((), || unsafe { door::copy_out(context, Md2::NEW) });
    }

    /// `MD2Update`.
    #[unsafe(export_name = "MD2Update")]
    pub unsafe extern "C" fn update(context: *mut Md2, data: *const c_uchar, len: c_uint) {
        // SAFETY: the caller guarantees a valid context and `len` readable bytes.
        unsafe {
            let Some(data) = door::bytes(data, len as usize) else { return };
            door::with(context, |md2: &mut Md2| md2.update(data));
        }
    }

    /// `MD2Transform`: compresses the block in the middle of the context.
    #[unsafe(export_name = "MD2Transform")]
    pub unsafe extern "C" fn transform(context: *mut Md2) {
        // SAFETY: the caller guarantees a valid context.
        unsafe { door::with(context, Md2::transform) };
    }

    /// `MD2Final`.
    #[unsafe(export_name = "MD2Final")]
    pub unsafe extern "C" fn last(digest: *mut c_uchar, context: *mut Md2) {
        // SAFETY: the caller guarantees a valid context and room for a digest.
        unsafe {
            door::with(context, Md2::finish).and_then(|bytes| door::put(digest, bytes.as_bytes()))
        };
    }

    /// `MD2End`.
    #[unsafe(export_name = "MD2End")]
    pub unsafe extern "C" fn end(context: *mut Md2, text: *mut c_char) -> *mut c_char {
        door::barrier(core::ptr::null_mut(), || {
            // SAFETY: the caller guarantees a valid context and room for the text.
            unsafe { door::hex(text, 16, || door::with(context, Md2::finish)) }
        })
    }
}
