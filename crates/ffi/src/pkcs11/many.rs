//! The vendor's interface, "Vendor Lanesum": many messages in one call, side by
//! side in lanes, which PKCS #11 has no function for. `lanesum-pkcs11.h` is for its
//! users.

use cryptoki_sys::*;
use engine::{Bytes, HmacKey, hash_many};
use zeroize::Zeroizing;

use super::library::read;
use super::{Place, Status, call, keyed, mechanism, place};
use crate::guard::{apart, slice};

/// `LANESUM_FUNCTION_LIST`: like every function list it begins with its version.
#[repr(C)]
pub struct Functions {
    pub version: CK_VERSION,
    pub digest_many: Many,
    pub sign_many: ManyWithKey,
}

type Many = unsafe extern "C" fn(
    CK_SESSION_HANDLE,
    *mut CK_MECHANISM,
    *const *const CK_BYTE,
    *const CK_ULONG,
    CK_ULONG,
    *mut CK_BYTE,
    *mut CK_ULONG,
) -> CK_RV;

type ManyWithKey = unsafe extern "C" fn(
    CK_SESSION_HANDLE,
    *mut CK_MECHANISM,
    CK_OBJECT_HANDLE,
    *const *const CK_BYTE,
    *const CK_ULONG,
    CK_ULONG,
    *mut CK_BYTE,
    *mut CK_ULONG,
) -> CK_RV;

pub static FUNCTIONS: Functions =
    Functions { version: CK_VERSION { major: 1, minor: 0 }, digest_many: digest, sign_many: sign };

/// The messages of a call.
///
/// # Safety
///
/// So many pointers and lengths are there, and each message.
unsafe fn messages<'m>(
    data: *const *const CK_BYTE,
    lens: *const CK_ULONG,
    count: CK_ULONG,
) -> Result<Vec<&'m [u8]>, CK_RV> {
    // SAFETY: as the caller says.
    let (data, lens) =
        unsafe { (slice(data, count as usize).status()?, slice(lens, count as usize).status()?) };
    let message = |(&data, &len): (&*const CK_BYTE, &CK_ULONG)| {
        // SAFETY: as the caller says.
        unsafe { slice(data, len as usize) }.status()
    };
    data.iter().zip(lens).map(message).collect()
}

/// The length of so many results.
fn total(count: usize, each: usize) -> Result<usize, CK_RV> {
    count.checked_mul(each).ok_or(CKR_ARGUMENTS_BAD)
}

/// Has `write` fill the place with what it makes of the messages. Where messages are there too,
/// by way of memory of our own: some results are written before other messages are read.
///
/// # Safety
///
/// As of [`place`](super::place).
unsafe fn fill(place: Place, messages: Vec<&[u8]>, write: impl FnOnce(&[&[u8]], &mut [u8])) {
    let written = core::ptr::slice_from_raw_parts(place.first, place.len);
    if messages.iter().all(|message| apart(message, written).is_ok()) {
        // SAFETY: as the caller says; nothing is read there.
        write(&messages, unsafe { core::slice::from_raw_parts_mut(place.first, place.len) });
        return;
    }
    let mut own = vec![0; place.len];
    write(&messages, &mut own);
    drop(messages);
    // SAFETY: as the caller says.
    unsafe { place.put(&own) };
}

unsafe extern "C" fn digest(
    session: CK_SESSION_HANDLE,
    how: *mut CK_MECHANISM,
    data: *const *const CK_BYTE,
    lens: *const CK_ULONG,
    count: CK_ULONG,
    out: *mut CK_BYTE,
    out_len: *mut CK_ULONG,
) -> CK_RV {
    call(|| {
        read(|library| library.session(session))?;
        // SAFETY: the application passes a mechanism, so many messages, and a place for
        // as many digests and their length in all.
        unsafe {
            let algorithm = mechanism::digest(how)?;
            let messages = messages(data, lens, count)?;
            let len = total(messages.len(), algorithm.digest_len())?;
            let Some(place) = place(out, out_len, len)? else { return Ok(()) };
            fill(place, messages, |messages, out| {
                hash_many(algorithm, messages, Bytes(out));
            });
        }
        Ok(())
    })
}

unsafe extern "C" fn sign(
    session: CK_SESSION_HANDLE,
    how: *mut CK_MECHANISM,
    key: CK_OBJECT_HANDLE,
    data: *const *const CK_BYTE,
    lens: *const CK_ULONG,
    count: CK_ULONG,
    out: *mut CK_BYTE,
    out_len: *mut CK_ULONG,
) -> CK_RV {
    keyed(|| {
        let key = read(|library| {
            library.session(session)?;
            library.key(key)
        })?;
        // SAFETY: the application passes a mechanism, so many messages, and a place for
        // as many tags and their length in all.
        unsafe {
            let (algorithm, each) = mechanism::hmac(how)?;
            if !mechanism::fits(key.key_type(), algorithm) {
                return Err(CKR_KEY_TYPE_INCONSISTENT);
            }
            if !key.allows(CKA_SIGN, (*how).mechanism) {
                return Err(CKR_KEY_FUNCTION_NOT_PERMITTED);
            }
            let messages = messages(data, lens, count)?;
            let len = total(messages.len(), each)?;
            let whole_len = total(messages.len(), algorithm.digest_len())?;
            let Some(place) = place(out, out_len, len)? else { return Ok(()) };
            let key = HmacKey::new(algorithm, key.value());
            fill(place, messages, |messages, out| {
                if each == algorithm.digest_len() {
                    return key.mac_many(messages, Bytes(out));
                }
                let mut tags = Zeroizing::new(vec![0; whole_len]);
                key.mac_many(messages, Bytes(&mut tags));
                let whole = tags.chunks_exact(algorithm.digest_len());
                for (to, tag) in out.chunks_exact_mut(each).zip(whole) {
                    to.copy_from_slice(&tag[..each]);
                }
            });
        }
        Ok(())
    })
}
