//! HMAC, provider-mac(7) and EVP_MAC-HMAC(7).

use core::ffi::{c_int, c_void};

use engine::{Algorithm, Hmac, HmacKey};
use zeroize::Zeroizing;

use super::abi::*;
use super::error::Reason;
use super::handle::Handle;
use super::keyed::{Keyed, change, dupctx, freectx, look};
use super::params::Params;
use super::{Provider, digest, ours, output};
use crate::guard::slice;

/// A key and an incremental HMAC.
#[derive(Clone)]
struct Mac<'p> {
    provider: &'p Provider,
    algorithm: Option<Algorithm>,
    /// The key bytes, since a digest may be set after the key.
    bytes: Option<Zeroizing<Vec<u8>>>,
    /// The key expanded for the digest; `None` after either has changed.
    key: Option<HmacKey>,
    /// `None` before initialization and after the end.
    running: Option<Hmac>,
}

impl Mac<'_> {
    /// Sets the supported parameters. Ignores unknown names.
    fn set(&mut self, params: Params<'_>) -> Result<(), Reason> {
        for (name, value) in params.iter() {
            match name {
                b"digest" => {
                    let name = value.text().ok_or(Reason::BadParameter)?;
                    self.algorithm = Some(digest::asked_for(name)?);
                }
                b"key" => self.set_key(value.bytes().ok_or(Reason::BadParameter)?),
                // Ignoring this parameter would authenticate different data.
                b"tls-data-size" => return Err(Reason::Record),
                _ => continue,
            }
            (self.key, self.running) = (None, None);
        }
        Ok(())
    }

    fn set_key(&mut self, key: &[u8]) {
        self.bytes = Some(Zeroizing::new(key.to_vec()));
        self.key = None;
    }

    /// Begins a message. Fails if the digest or the key is not set.
    fn start(&mut self) -> Result<(), Reason> {
        let algorithm = self.algorithm.ok_or(Reason::NoDigest)?;
        let bytes = self.bytes.as_ref().ok_or(Reason::NoKey)?;
        let key = self.key.get_or_insert_with(|| HmacKey::new(algorithm, bytes));
        self.running = Some(Hmac::new(key));
        Ok(())
    }
}

impl<'p> Keyed<'p> for Mac<'p> {
    fn provider(&self) -> &'p Provider {
        self.provider
    }
}

unsafe extern "C" fn newctx(provider: *mut c_void) -> *mut c_void {
    Handle::make(|| {
        // SAFETY: the core passes its provider handle, and the provider outlives its contexts.
        let provider = unsafe { ours(provider) }?;
        Some(Mac { provider, algorithm: None, bytes: None, key: None, running: None })
    })
}

unsafe extern "C" fn init(
    context: *mut c_void,
    key: *const u8,
    key_len: usize,
    params: *const Param,
) -> c_int {
    // SAFETY: the core passes a valid context, unused by others during the call, valid parameters
    // and a key of `key_len` bytes.
    unsafe {
        change(context, |mac: &mut Mac<'_>| {
            mac.set(Params::new(params))?;
            if !key.is_null() {
                mac.set_key(slice(key, key_len)?);
            }
            mac.start()
        })
    }
}

unsafe extern "C" fn update(context: *mut c_void, data: *const u8, len: usize) -> c_int {
    // SAFETY: the core passes a valid context, unused by others during the call, and `len` readable
    // bytes.
    unsafe {
        change(context, |mac: &mut Mac<'_>| {
            let data = slice(data, len)?;
            mac.running.as_mut().ok_or(Reason::Finished)?.update(data);
            Ok(())
        })
    }
}

unsafe extern "C" fn last(
    context: *mut c_void,
    out: *mut u8,
    out_len: *mut usize,
    room: usize,
) -> c_int {
    // SAFETY: the core passes a valid context, unused by others during the call, and `room`
    // writable bytes.
    unsafe {
        change(context, |mac: &mut Mac<'_>| {
            let running = mac.running.as_ref().ok_or(Reason::Finished)?;
            if out.is_null() || room < running.algorithm().digest_len() {
                return Err(Reason::NoRoom);
            }
            let tag = mac.running.take().ok_or(Reason::Finished)?.finish();
            output(tag.as_bytes(), out, out_len);
            Ok(())
        })
    }
}

static GETTABLE: [Param; 3] =
    [Param::describe(c"size", UNSIGNED), Param::describe(c"block-size", UNSIGNED), Param::END];

unsafe extern "C" fn gettable(_context: *mut c_void, _provider: *mut c_void) -> *const Param {
    GETTABLE.as_ptr()
}

unsafe extern "C" fn get(context: *mut c_void, params: *mut Param) -> c_int {
    // SAFETY: the core passes a valid context and array, which it does not change during the call.
    unsafe {
        look(context, |mac: &Mac<'_>| {
            // Without a digest, both are 0.
            let [block, len] = mac
                .algorithm
                .map_or([0; 2], |algorithm| [algorithm.block_len(), algorithm.digest_len()]);
            let all = Params::new(params).iter().all(|(key, value)| match key {
                b"size" => value.set_number(len as u64),
                b"block-size" => value.set_number(block as u64),
                _ => true,
            });
            if all { Ok(()) } else { Err(Reason::BadParameter) }
        })
    }
}

static SETTABLE: [Param; 3] =
    [Param::describe(c"digest", UTF8_STRING), Param::describe(c"key", OCTET_STRING), Param::END];

unsafe extern "C" fn settable(_context: *mut c_void, _provider: *mut c_void) -> *const Param {
    SETTABLE.as_ptr()
}

unsafe extern "C" fn set(context: *mut c_void, params: *const Param) -> c_int {
    // SAFETY: the core passes a valid context, unused by others during the call, and a valid array.
    unsafe {
        change(context, |mac: &mut Mac<'_>| {
            mac.set(Params::new(params))?;
            // Digest and key are enough to begin a message, even without a call of `init`.
            if mac.running.is_none() && mac.algorithm.is_some() && mac.bytes.is_some() {
                mac.start()?;
            }
            Ok(())
        })
    }
}

/// The dispatch table of HMAC.
pub static FUNCTIONS: [Dispatch; 11] = [
    dispatch!(MAC_NEWCTX, newctx, fn(*mut c_void) -> *mut c_void),
    dispatch!(MAC_DUPCTX, dupctx::<Mac<'static>>, fn(*mut c_void) -> *mut c_void),
    dispatch!(MAC_FREECTX, freectx::<Mac<'static>>, fn(*mut c_void)),
    dispatch!(MAC_INIT, init, fn(*mut c_void, *const u8, usize, *const Param) -> c_int),
    dispatch!(MAC_UPDATE, update, fn(*mut c_void, *const u8, usize) -> c_int),
    dispatch!(MAC_FINAL, last, fn(*mut c_void, *mut u8, *mut usize, usize) -> c_int),
    dispatch!(MAC_GET_CTX_PARAMS, get, fn(*mut c_void, *mut Param) -> c_int),
    dispatch!(MAC_SET_CTX_PARAMS, set, fn(*mut c_void, *const Param) -> c_int),
    dispatch!(MAC_GETTABLE_CTX_PARAMS, gettable, fn(*mut c_void, *mut c_void) -> *const Param),
    dispatch!(MAC_SETTABLE_CTX_PARAMS, settable, fn(*mut c_void, *mut c_void) -> *const Param),
    Dispatch::END,
];
