//! Key derivation, provider-kdf(7): HKDF (EVP_KDF-HKDF(7)) and PBKDF2
//! (EVP_KDF-PBKDF2(7)).

use core::ffi::{c_int, c_void};

use engine::{Algorithm, Hkdf, hkdf_extract, pbkdf2};
use zeroize::Zeroizing;

use super::abi::*;
use super::error::Reason;
use super::handle::Handle;
use super::keyed::{Keyed, change, dupctx, freectx, look};
use super::params::{Params, Value};
use super::{Provider, digest, ours};
use crate::guard::{barrier, slice_mut};

/// A key derivation function and its parameters.
trait Derive: Clone + Default + Sync + 'static {
    /// Returns the settable parameters, in the order in which OpenSSL's default provider processes
    /// them, which determines the error reported if several are invalid.
    fn settable() -> &'static [Param];

    /// Called before the parameters of each call.
    fn begin(&mut self) {}

    /// Sets a parameter. Ignores unknown names.
    fn set(&mut self, name: &[u8], value: &Value<'_>) -> Result<(), Reason>;

    /// Returns the maximum output length in bytes, or `None` if it is not yet known.
    fn most(&self) -> Option<usize>;

    fn derive(&self, out: &mut [u8]) -> Result<(), Reason>;
}

/// The bytes of a parameter, wiped when dropped.
type Secret = Zeroizing<Vec<u8>>;

fn secret(value: &Value<'_>) -> Result<Secret, Reason> {
    Ok(Zeroizing::new(value.bytes().ok_or(Reason::BadParameter)?.to_vec()))
}

fn algorithm(value: &Value<'_>) -> Result<Algorithm, Reason> {
    digest::asked_for(value.text().ok_or(Reason::BadParameter)?)
}

/// The mode of HKDF, with OpenSSL's numbers.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Mode {
    #[default]
    ExtractAndExpand = 0,
    ExtractOnly = 1,
    ExpandOnly = 2,
}

impl Mode {
    fn from(value: &Value<'_>) -> Option<Self> {
        let modes = [Self::ExtractAndExpand, Self::ExtractOnly, Self::ExpandOnly];
        let names = ["EXTRACT_AND_EXPAND", "EXTRACT_ONLY", "EXPAND_ONLY"];
        modes.into_iter().zip(names).find_map(|(mode, name)| {
            let by_name = || value.text().is_some_and(|text| text.eq_ignore_ascii_case(name));
            (value.number() == Some(mode as u64) || by_name()).then_some(mode)
        })
    }
}

/// The maximum length of context information, in bytes, as in OpenSSL's HKDF.
const MAX_INFO: usize = 32 << 10;

#[derive(Clone, Default)]
struct HkdfAsked {
    algorithm: Option<Algorithm>,
    mode: Mode,
    key: Option<Secret>,
    salt: Secret,
    info: Secret,
    /// Whether this call has already set `info`, which replaces that of previous calls.
    more: bool,
}

impl Derive for HkdfAsked {
    fn settable() -> &'static [Param] {
        static SETTABLE: [Param; 7] = [
            Param::describe(c"digest", UTF8_STRING),
            Param::describe(c"mode", UTF8_STRING),
            Param::describe(c"mode", INTEGER),
            Param::describe(c"key", OCTET_STRING),
            Param::describe(c"salt", OCTET_STRING),
            Param::describe(c"info", OCTET_STRING),
            Param::END,
        ];
        &SETTABLE
    }

    fn begin(&mut self) {
        self.more = false;
    }

    fn set(&mut self, name: &[u8], value: &Value<'_>) -> Result<(), Reason> {
        match name {
            b"digest" => self.algorithm = Some(algorithm(value)?),
            b"mode" => self.mode = Mode::from(value).ok_or(Reason::BadMode)?,
            b"key" => self.key = Some(secret(value)?),
            b"salt" => self.salt = secret(value)?,
            // Several `info` parameters of one call are concatenated.
            b"info" => {
                let info = value.bytes().ok_or(Reason::BadParameter)?;
                let before = if self.more { &self.info[..] } else { &[] };
                if before.len() + info.len() > MAX_INFO {
                    return Err(Reason::TooLong);
                }
                self.info = Zeroizing::new([before, info].concat());
                self.more = true;
            }
            _ => {}
        }
        Ok(())
    }

    fn most(&self) -> Option<usize> {
        match self.mode {
            Mode::ExtractOnly => self.algorithm.map(Algorithm::digest_len),
            _ => Some(usize::MAX),
        }
    }

    fn derive(&self, out: &mut [u8]) -> Result<(), Reason> {
        let algorithm = self.algorithm.ok_or(Reason::NoDigest)?;
        let key = self.key.as_ref().ok_or(Reason::NoKey)?;
        if out.is_empty() {
            return Err(Reason::WrongLength);
        }
        let hkdf = match self.mode {
            Mode::ExtractOnly if out.len() != algorithm.digest_len() => {
                return Err(Reason::OutputLength);
            }
            Mode::ExtractOnly => {
                out.copy_from_slice(hkdf_extract(algorithm, &self.salt, key).as_bytes());
                return Ok(());
            }
            Mode::ExtractAndExpand => Hkdf::new(algorithm, &self.salt, key),
            Mode::ExpandOnly => {
                Hkdf::from_extracted(algorithm, key).map_err(|_| Reason::WrongLength)?
            }
        };
        hkdf.expand(&self.info, out).map_err(|_| Reason::TooLong)
    }
}

#[derive(Clone)]
struct Pbkdf2Asked {
    algorithm: Algorithm,
    password: Option<Secret>,
    salt: Option<Secret>,
    iterations: u64,
    /// Whether the minimum lengths of SP 800-132 are enforced.
    bounded: bool,
}

impl Default for Pbkdf2Asked {
    /// The defaults of OpenSSL's PBKDF2.
    fn default() -> Self {
        Self {
            algorithm: Algorithm::SHA1,
            password: None,
            salt: None,
            iterations: 2048,
            bounded: false,
        }
    }
}

/// The bounds of SP 800-132, as OpenSSL's PBKDF2 enforces them.
impl Pbkdf2Asked {
    fn check_salt(&self, salt: &[u8]) -> Result<(), Reason> {
        if self.bounded && salt.len() < 16 { Err(Reason::SaltLength) } else { Ok(()) }
    }

    fn check_iterations(&self, iterations: u64) -> Result<(), Reason> {
        let least = if self.bounded { 1000 } else { 1 };
        if iterations < least { Err(Reason::Iterations) } else { Ok(()) }
    }
}

impl Derive for Pbkdf2Asked {
    fn settable() -> &'static [Param] {
        static SETTABLE: [Param; 6] = [
            Param::describe(c"digest", UTF8_STRING),
            Param::describe(c"pkcs5", INTEGER),
            Param::describe(c"pass", OCTET_STRING),
            Param::describe(c"salt", OCTET_STRING),
            Param::describe(c"iter", UNSIGNED),
            Param::END,
        ];
        &SETTABLE
    }

    fn set(&mut self, name: &[u8], value: &Value<'_>) -> Result<(), Reason> {
        match name {
            b"digest" => self.algorithm = algorithm(value)?,
            // 1 disables the bounds of SP 800-132 (plain PKCS #5), 0 enables them.
            b"pkcs5" => self.bounded = value.number().ok_or(Reason::BadParameter)? == 0,
            b"pass" => self.password = Some(secret(value)?),
            b"salt" => {
                let salt = secret(value)?;
                self.check_salt(&salt)?;
                self.salt = Some(salt);
            }
            b"iter" => {
                let iterations = value.number().ok_or(Reason::BadParameter)?;
                self.check_iterations(iterations)?;
                self.iterations = iterations;
            }
            _ => {}
        }
        Ok(())
    }

    fn most(&self) -> Option<usize> {
        Some(usize::MAX)
    }

    fn derive(&self, out: &mut [u8]) -> Result<(), Reason> {
        let password = self.password.as_ref().ok_or(Reason::NoPassword)?;
        let salt = self.salt.as_ref().ok_or(Reason::NoSalt)?;
        if self.bounded && out.len() < 14 {
            return Err(Reason::KeyLength);
        }
        // Check again: these parameters may have been set before the bounds were enabled.
        self.check_salt(salt)?;
        self.check_iterations(self.iterations)?;
        let iterations = u32::try_from(self.iterations).map_err(|_| Reason::Iterations)?;
        pbkdf2(self.algorithm, password, salt, iterations, out).map_err(|_| Reason::WrongLength)
    }
}

/// A context for a key derivation.
#[derive(Clone)]
struct Kdf<'p, D> {
    provider: &'p Provider,
    asked: D,
}

impl<D: Derive> Kdf<'_, D> {
    fn set(&mut self, params: Params<'_>) -> Result<(), Reason> {
        self.asked.begin();
        // SAFETY: the array is constant and ends with a null key.
        let settable = unsafe { Params::new(D::settable().as_ptr()) };
        settable.iter().try_for_each(|(known, _)| {
            let mut values = params.iter().filter(|(name, _)| *name == known);
            values.try_for_each(|(name, value)| self.asked.set(name, &value))
        })
    }
}

impl<'p, D> Keyed<'p> for Kdf<'p, D> {
    fn provider(&self) -> &'p Provider {
        self.provider
    }
}

unsafe extern "C" fn newctx<D: Derive>(provider: *mut c_void) -> *mut c_void {
    Handle::make(|| {
        // SAFETY: the core passes its provider handle, and the provider outlives its contexts.
        Some(Kdf { provider: unsafe { ours(provider) }?, asked: D::default() })
    })
}

unsafe extern "C" fn reset<D: Derive>(context: *mut c_void) {
    barrier((), || {
        // SAFETY: the core passes a valid context, which it does not otherwise use during the call.
        if let Some(kdf) = unsafe { Handle::<Kdf<'_, D>>::borrow(context) } {
            kdf.asked = D::default();
        }
    });
}

unsafe extern "C" fn derive<D: Derive>(
    context: *mut c_void,
    out: *mut u8,
    len: usize,
    params: *const Param,
) -> c_int {
    // SAFETY: the core passes a valid context, unused by others during the call, valid parameters
    // and `len` writable bytes.
    unsafe {
        change(context, |kdf: &mut Kdf<'_, D>| {
            kdf.set(Params::new(params))?;
            kdf.asked.derive(slice_mut(out, len)?)
        })
    }
}

static GETTABLE: [Param; 2] = [Param::describe(c"size", UNSIGNED), Param::END];

unsafe extern "C" fn gettable(_context: *mut c_void, _provider: *mut c_void) -> *const Param {
    GETTABLE.as_ptr()
}

unsafe extern "C" fn get<D: Derive>(context: *mut c_void, params: *mut Param) -> c_int {
    // SAFETY: the core passes a valid context and array, which it does not change during the call.
    unsafe {
        look(context, |kdf: &Kdf<'_, D>| {
            let mut sizes = Params::new(params).iter().filter(|(key, _)| key == b"size");
            sizes.try_for_each(|(_, value)| {
                let most = kdf.asked.most().ok_or(Reason::NoDigest)?;
                if value.set_number(most as u64) { Ok(()) } else { Err(Reason::BadParameter) }
            })
        })
    }
}

unsafe extern "C" fn settable<D: Derive>(
    _context: *mut c_void,
    _provider: *mut c_void,
) -> *const Param {
    D::settable().as_ptr()
}

unsafe extern "C" fn set<D: Derive>(context: *mut c_void, params: *const Param) -> c_int {
    // SAFETY: the core passes a valid context, unused by others during the call, and a valid array.
    unsafe { change(context, |kdf: &mut Kdf<'_, D>| kdf.set(Params::new(params))) }
}

const fn functions<D: Derive>() -> [Dispatch; 10] {
    [
        dispatch!(KDF_NEWCTX, newctx::<D>, fn(*mut c_void) -> *mut c_void),
        dispatch!(KDF_DUPCTX, dupctx::<Kdf<'static, D>>, fn(*mut c_void) -> *mut c_void),
        dispatch!(KDF_FREECTX, freectx::<Kdf<'static, D>>, fn(*mut c_void)),
        dispatch!(KDF_RESET, reset::<D>, fn(*mut c_void)),
        dispatch!(KDF_DERIVE, derive::<D>, fn(*mut c_void, *mut u8, usize, *const Param) -> c_int),
        dispatch!(KDF_GETTABLE_CTX_PARAMS, gettable, fn(*mut c_void, *mut c_void) -> *const Param),
        dispatch!(
            KDF_SETTABLE_CTX_PARAMS,
            settable::<D>,
            fn(*mut c_void, *mut c_void) -> *const Param
        ),
        dispatch!(KDF_GET_CTX_PARAMS, get::<D>, fn(*mut c_void, *mut Param) -> c_int),
        dispatch!(KDF_SET_CTX_PARAMS, set::<D>, fn(*mut c_void, *const Param) -> c_int),
        Dispatch::END,
    ]
}

/// The dispatch table of HKDF.
pub static HKDF: [Dispatch; 10] = functions::<HkdfAsked>();

/// The dispatch table of PBKDF2.
pub static PBKDF2: [Dispatch; 10] = functions::<Pbkdf2Asked>();
