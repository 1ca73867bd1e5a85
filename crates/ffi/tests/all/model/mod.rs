//! Calls of a PKCS #11 module, and a small model of the behavior that the standard requires.

use std::collections::BTreeMap;
use std::path::Path;
use std::ptr::null_mut;

use cryptoki_sys::*;
use lanesum_spec::Algorithm;
use libloading::Library;

/// A PKCS #11 module.
pub struct Module {
    list: *mut CK_FUNCTION_LIST,
    /// The library that it was loaded from; `None` if it is linked in.
    _library: Option<Library>,
}

// SAFETY: the functions are thread-safe, and `list` is never written to.
unsafe impl Sync for Module {}
// SAFETY: the functions may be called by any thread, and `list` is never written to.
unsafe impl Send for Module {}

macro_rules! ck {
    ($module:expr, $name:ident($($argument:expr),*)) => {
        // SAFETY: the list has every function, and the arguments are valid by the standard.
        unsafe { ((*$module.list).$name.unwrap())($($argument),*) }
    };
}

fn pointer(bytes: &[u8]) -> *mut u8 {
    // The standard declares inputs without `const`, but modules do not write to them.
    bytes.as_ptr().cast_mut()
}

/// Returns the output of `call`. First queries its length and tries a buffer that is too small:
/// neither may change anything.
fn output(mut call: impl FnMut(*mut u8, *mut CK_ULONG) -> CK_RV) -> Result<Vec<u8>, CK_RV> {
    let mut len = 0;
    match call(null_mut(), &mut len) {
        CKR_OK => {}
        status => return Err(status),
    }
    let mut out = vec![0; len as usize];
    let mut short = len - 1;
    assert_eq!((call(out.as_mut_ptr(), &mut short), short), (CKR_BUFFER_TOO_SMALL, len));
    assert!(out.iter().all(|&byte| byte == 0), "a buffer that is too small was written to");
    match call(out.as_mut_ptr(), &mut len) {
        CKR_OK => Ok(out[..len as usize].to_vec()),
        status => Err(status),
    }
}

/// `C_GetFunctionList`.
type GetFunctionList = unsafe extern "C" fn(*mut *mut CK_FUNCTION_LIST) -> CK_RV;

#[allow(dead_code, reason = "not by every user")]
impl Module {
    pub fn load(path: &Path) -> Self {
        // SAFETY: the library is trusted, and `C_GetFunctionList` has this type.
        unsafe {
            let library = Library::new(path).unwrap();
            let get = *library.get::<GetFunctionList>(b"C_GetFunctionList").unwrap();
            Self { _library: Some(library), ..Self::linked(get) }
        }
    }

    /// The module whose `C_GetFunctionList` is `get`.
    ///
    /// # Safety
    ///
    /// `get` must be the `C_GetFunctionList` of a PKCS #11 module.
    pub unsafe fn linked(get: GetFunctionList) -> Self {
        let mut list = null_mut();
        // SAFETY: `get` is the function of a module, as required of the caller.
        assert_eq!(unsafe { get(&mut list) }, CKR_OK);
        Self { list, _library: None }
    }

    pub fn initialize(&self) -> CK_RV {
        ck!(self, C_Initialize(null_mut()))
    }

    pub fn finalize(&self) -> CK_RV {
        ck!(self, C_Finalize(null_mut()))
    }

    pub fn open(&self) -> CK_SESSION_HANDLE {
        let mut session = 0;
        let flags = CKF_SERIAL_SESSION | CKF_RW_SESSION;
        assert_eq!(ck!(self, C_OpenSession(0, flags, null_mut(), None, &mut session)), CKR_OK);
        session
    }

    pub fn close(&self, session: CK_SESSION_HANDLE) -> CK_RV {
        ck!(self, C_CloseSession(session))
    }

    pub fn digest_init(&self, session: CK_SESSION_HANDLE, how: CK_MECHANISM_TYPE) -> CK_RV {
        self.digest_init_with(session, how, None)
    }

    pub fn digest_init_with(
        &self,
        session: CK_SESSION_HANDLE,
        how: CK_MECHANISM_TYPE,
        parameter: Option<CK_ULONG>,
    ) -> CK_RV {
        with_mechanism(how, parameter, |how| ck!(self, C_DigestInit(session, how)))
    }

    pub fn digest_update(&self, session: CK_SESSION_HANDLE, part: &[u8]) -> CK_RV {
        ck!(self, C_DigestUpdate(session, pointer(part), part.len() as CK_ULONG))
    }

    /// Passes NULL as a part of `len` bytes.
    pub fn digest_update_of_nothing(&self, session: CK_SESSION_HANDLE, len: usize) -> CK_RV {
        ck!(self, C_DigestUpdate(session, null_mut(), len as CK_ULONG))
    }

    pub fn digest_key(&self, session: CK_SESSION_HANDLE, key: CK_OBJECT_HANDLE) -> CK_RV {
        ck!(self, C_DigestKey(session, key))
    }

    pub fn digest_final(&self, session: CK_SESSION_HANDLE) -> Result<Vec<u8>, CK_RV> {
        output(|out, len| ck!(self, C_DigestFinal(session, out, len)))
    }

    /// Ends the digest operation, if one is active.
    pub fn digest_abandon(&self, session: CK_SESSION_HANDLE) {
        let (mut out, mut len) = ([0; 64], 64);
        ck!(self, C_DigestFinal(session, out.as_mut_ptr(), &mut len));
    }

    pub fn digest(&self, session: CK_SESSION_HANDLE, message: &[u8]) -> Result<Vec<u8>, CK_RV> {
        let (data, data_len) = (pointer(message), message.len() as CK_ULONG);
        output(|out, len| ck!(self, C_Digest(session, data, data_len, out, len)))
    }

    pub fn get_state(&self, session: CK_SESSION_HANDLE) -> Result<Vec<u8>, CK_RV> {
        output(|out, len| ck!(self, C_GetOperationState(session, out, len)))
    }

    pub fn set_state(&self, session: CK_SESSION_HANDLE, state: &[u8]) -> CK_RV {
        let len = state.len() as CK_ULONG;
        ck!(self, C_SetOperationState(session, pointer(state), len, 0, 0))
    }

    /// Creates a key.
    pub fn key(
        &self,
        session: CK_SESSION_HANDLE,
        key_type: CK_KEY_TYPE,
        value: &[u8],
    ) -> CK_OBJECT_HANDLE {
        let attribute = |kind, value: &[u8]| CK_ATTRIBUTE {
            type_: kind,
            pValue: pointer(value).cast(),
            ulValueLen: value.len() as CK_ULONG,
        };
        let (class, key_type) = (CKO_SECRET_KEY.to_ne_bytes(), key_type.to_ne_bytes());
        let mut template = [
            attribute(CKA_CLASS, &class),
            attribute(CKA_KEY_TYPE, &key_type),
            attribute(CKA_VALUE, value),
        ];
        let mut key = 0;
        let status = ck!(self, C_CreateObject(session, template.as_mut_ptr(), 3, &mut key));
        assert_eq!(status, CKR_OK);
        key
    }

    pub fn destroy(&self, session: CK_SESSION_HANDLE, key: CK_OBJECT_HANDLE) -> CK_RV {
        ck!(self, C_DestroyObject(session, key))
    }

    pub fn sign_init(
        &self,
        session: CK_SESSION_HANDLE,
        how: CK_MECHANISM_TYPE,
        parameter: Option<CK_ULONG>,
        key: CK_OBJECT_HANDLE,
    ) -> CK_RV {
        with_mechanism(how, parameter, |how| ck!(self, C_SignInit(session, how, key)))
    }

    pub fn sign_update(&self, session: CK_SESSION_HANDLE, part: &[u8]) -> CK_RV {
        ck!(self, C_SignUpdate(session, pointer(part), part.len() as CK_ULONG))
    }

    pub fn sign(&self, session: CK_SESSION_HANDLE, message: &[u8]) -> Result<Vec<u8>, CK_RV> {
        let (data, data_len) = (pointer(message), message.len() as CK_ULONG);
        output(|out, len| ck!(self, C_Sign(session, data, data_len, out, len)))
    }

    pub fn sign_final(&self, session: CK_SESSION_HANDLE) -> Result<Vec<u8>, CK_RV> {
        output(|out, len| ck!(self, C_SignFinal(session, out, len)))
    }

    pub fn sign_with(
        &self,
        session: CK_SESSION_HANDLE,
        how: CK_MECHANISM_TYPE,
        parameter: Option<CK_ULONG>,
        key: CK_OBJECT_HANDLE,
        message: &[u8],
    ) -> Result<Vec<u8>, CK_RV> {
        match self.sign_init(session, how, parameter, key) {
            CKR_OK => self.sign(session, message),
            status => Err(status),
        }
    }

    pub fn verify_with(
        &self,
        session: CK_SESSION_HANDLE,
        how: CK_MECHANISM_TYPE,
        parameter: Option<CK_ULONG>,
        key: CK_OBJECT_HANDLE,
        message: &[u8],
        tag: &[u8],
    ) -> CK_RV {
        let begun =
            with_mechanism(how, parameter, |how| ck!(self, C_VerifyInit(session, how, key)));
        if begun != CKR_OK {
            return begun;
        }
        let (len, tag_len) = (message.len() as CK_ULONG, tag.len() as CK_ULONG);
        ck!(self, C_Verify(session, pointer(message), len, pointer(tag), tag_len))
    }
}

fn with_mechanism(
    how: CK_MECHANISM_TYPE,
    parameter: Option<CK_ULONG>,
    call: impl FnOnce(*mut CK_MECHANISM) -> CK_RV,
) -> CK_RV {
    let mut number = parameter.unwrap_or(0);
    let mut mechanism = CK_MECHANISM {
        mechanism: how,
        pParameter: if parameter.is_some() { (&raw mut number).cast() } else { null_mut() },
        ulParameterLen: if parameter.is_some() { size_of::<CK_ULONG>() as CK_ULONG } else { 0 },
    };
    call(&mut mechanism)
}

/// The model of an operation: its input so far.
#[derive(Clone)]
struct Operation {
    algorithm: Algorithm,
    message: Vec<u8>,
    in_parts: bool,
    /// The value of the key of a MAC; `None` for a digest.
    key: Option<Vec<u8>>,
}

impl Operation {
    fn result(&self) -> Vec<u8> {
        let digest = |message: &[u8]| {
            lanesum_spec::digest(self.algorithm, message)[..self.algorithm.digest_len()].to_vec()
        };
        let Some(key) = &self.key else { return digest(&self.message) };
        let key = if key.len() > self.algorithm.block_len() { digest(key) } else { key.clone() };
        let pad = |byte: u8| {
            let mut block = vec![byte; self.algorithm.block_len()];
            block.iter_mut().zip(&key).for_each(|(pad, key)| *pad ^= key);
            block
        };
        digest(&[pad(0x5c), digest(&[pad(0x36), self.message.clone()].concat())].concat())
    }
}

#[derive(Default)]
struct Session {
    digest: Option<Operation>,
    sign: Option<Operation>,
}

/// A source of choices: random numbers or a fuzzer.
pub trait Choices {
    /// Whether to make another call.
    fn more(&mut self) -> bool;

    /// Returns a number less than `bound`.
    fn below(&mut self, bound: usize) -> usize;

    /// Returns one of `things`.
    fn of<T: Copy>(&mut self, things: &[T]) -> T {
        things[self.below(things.len())]
    }
}

/// The state of a xorshift64 generator, and the number of remaining calls.
pub struct Random(u64, usize);

impl Random {
    #[allow(dead_code, reason = "not by every user")]
    pub fn new(seed: u64, calls: usize) -> Self {
        Self(0x9e37_79b9_7f4a_7c15 ^ (seed + 1).wrapping_mul(0xbf58_476d_1ce4_e5b9), calls)
    }
}

impl Choices for Random {
    fn more(&mut self) -> bool {
        let more = self.1 > 0;
        self.1 = self.1.saturating_sub(1);
        more
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % bound
    }
}

/// Makes random calls and compares each result with the model. The module must be initialized.
pub fn play(module: &Module, random: &mut impl Choices, name: &str) {
    let mut sessions: BTreeMap<CK_SESSION_HANDLE, Session> = BTreeMap::new();
    let mut keys: BTreeMap<CK_OBJECT_HANDLE, (CK_SESSION_HANDLE, CK_KEY_TYPE, Vec<u8>)> =
        BTreeMap::new();
    // Every handle so far, most of them stale after a while.
    let mut known: (Vec<CK_SESSION_HANDLE>, Vec<CK_OBJECT_HANDLE>) = (vec![0], vec![0]);
    let mechanisms = [
        (CKM_SHA_1, CKM_SHA_1_HMAC, CKK_SHA_1_HMAC, Algorithm::SHA1),
        (CKM_SHA256, CKM_SHA256_HMAC, CKK_SHA256_HMAC, Algorithm::SHA256),
        (CKM_SHA512, CKM_SHA512_HMAC, CKK_SHA512_HMAC, Algorithm::SHA512),
        (CKM_MD5, CKM_MD5_HMAC, CKK_MD5_HMAC, Algorithm::MD5),
    ];
    let message: Vec<u8> = (0..300).map(|i| (i * 7 % 251) as u8).collect();
    while random.more() {
        let handle = random.of(&known.0);
        let key = random.of(&known.1);
        let data = &message[..random.below(message.len())];
        let mechanism = random.of(&mechanisms);
        let place = format!("{name}, session {handle:x}, key {key}");
        let session = sessions.get_mut(&handle);
        match random.below(18) {
            0 => {
                let opened = module.open();
                assert!(
                    sessions.insert(opened, Session::default()).is_none(),
                    "{place}: the handle is in use"
                );
                assert!(!known.0.contains(&opened), "{place}: a session handle was reused");
                known.0.push(opened);
            }
            1 if random.below(4) == 0 => {
                let expected = if session.is_some() { CKR_OK } else { CKR_SESSION_HANDLE_INVALID };
                assert_eq!(module.close(handle), expected, "{place}");
                sessions.remove(&handle);
                keys.retain(|_, (owner, ..)| *owner != handle);
            }
            1 | 2 if session.is_some() => {
                let key_type = random.of(&[CKK_GENERIC_SECRET, mechanism.2]);
                let value = &message[..1 + random.below(200)];
                let made = module.key(handle, key_type, value);
                assert!(!known.1.contains(&made), "{place}: an object handle was reused");
                known.1.push(made);
                keys.insert(made, (handle, key_type, value.to_vec()));
            }
            3 => {
                let expected = match (session, keys.contains_key(&key)) {
                    (None, _) => CKR_SESSION_HANDLE_INVALID,
                    (_, false) => CKR_OBJECT_HANDLE_INVALID,
                    _ => CKR_OK,
                };
                assert_eq!(module.destroy(handle, key), expected, "{place}");
                if expected == CKR_OK {
                    keys.remove(&key);
                }
            }
            4 | 5 => {
                let how = random.of(&[mechanism.0, mechanism.0, mechanism.1, 0x7fff_ffff]);
                let expected = match &session {
                    None => CKR_SESSION_HANDLE_INVALID,
                    Some(session) if session.digest.is_some() => CKR_OPERATION_ACTIVE,
                    _ if how != mechanism.0 => CKR_MECHANISM_INVALID,
                    _ => CKR_OK,
                };
                assert_eq!(module.digest_init(handle, how), expected, "{place}");
                if let (Some(session), CKR_OK) = (session, expected) {
                    let algorithm = mechanism.3;
                    session.digest = Some(Operation {
                        algorithm,
                        message: Vec::new(),
                        in_parts: false,
                        key: None,
                    });
                }
            }
            6 | 7 => {
                let expected = match session {
                    None => CKR_SESSION_HANDLE_INVALID,
                    Some(session) => begun(&mut session.digest, data),
                };
                assert_eq!(module.digest_update(handle, data), expected, "{place}");
            }
            8 => {
                // A missing key ends the operation, as any error does.
                let expected = match (session, keys.get(&key)) {
                    (None, _) => CKR_SESSION_HANDLE_INVALID,
                    (Some(session), Some((.., value))) => begun(&mut session.digest, value),
                    (Some(session), None) => match session.digest.take() {
                        Some(_) => CKR_KEY_HANDLE_INVALID,
                        None => CKR_OPERATION_NOT_INITIALIZED,
                    },
                };
                assert_eq!(module.digest_key(handle, key), expected, "{place}");
            }
            9 => {
                let expected = match session {
                    None => Err(CKR_SESSION_HANDLE_INVALID),
                    Some(session) => finished(&mut session.digest),
                };
                assert_eq!(module.digest_final(handle), expected, "{place}");
            }
            10 => {
                let expected = match session {
                    None => Err(CKR_SESSION_HANDLE_INVALID),
                    Some(session) => at_once(&mut session.digest, data),
                };
                assert_eq!(module.digest(handle, data), expected, "{place}");
            }
            11 | 12 => {
                let how = random.of(&[mechanism.1, mechanism.1, mechanism.0]);
                let parameter = random.of(&[None, None, Some(20)]);
                let expected = match (&session, keys.get(&key)) {
                    (None, _) => CKR_SESSION_HANDLE_INVALID,
                    (Some(session), _) if session.sign.is_some() => CKR_OPERATION_ACTIVE,
                    _ if how != mechanism.1 => CKR_MECHANISM_INVALID,
                    _ if parameter.is_some() => CKR_MECHANISM_PARAM_INVALID,
                    (_, None) => CKR_KEY_HANDLE_INVALID,
                    (_, Some((_, kind, _)))
                        if ![CKK_GENERIC_SECRET, mechanism.2].contains(kind) =>
                    {
                        CKR_KEY_TYPE_INCONSISTENT
                    }
                    _ => CKR_OK,
                };
                assert_eq!(module.sign_init(handle, how, parameter, key), expected, "{place}");
                if let (Some(session), CKR_OK) = (session, expected) {
                    let (algorithm, message) = (mechanism.3, Vec::new());
                    let key = keys.get(&key).map(|(.., value)| value.clone());
                    session.sign = Some(Operation { algorithm, message, in_parts: false, key });
                }
            }
            13 => {
                let expected = match session {
                    None => CKR_SESSION_HANDLE_INVALID,
                    Some(session) => begun(&mut session.sign, data),
                };
                assert_eq!(module.sign_update(handle, data), expected, "{place}");
            }
            14 => {
                let expected = match session {
                    None => Err(CKR_SESSION_HANDLE_INVALID),
                    Some(session) => finished(&mut session.sign),
                };
                assert_eq!(module.sign_final(handle), expected, "{place}");
            }
            15 => {
                // A NULL part ends the operation, as any error does.
                let expected = match session.map(|session| session.digest.take()) {
                    None => CKR_SESSION_HANDLE_INVALID,
                    Some(None) => CKR_OPERATION_NOT_INITIALIZED,
                    Some(Some(_)) => CKR_ARGUMENTS_BAD,
                };
                let len = random.of(&[1, 64, usize::MAX]);
                assert_eq!(module.digest_update_of_nothing(handle, len), expected, "{place}");
            }
            16 if random.below(16) == 0 => {
                // Finalizing discards everything. Handles may be reused after that.
                assert_eq!(module.finalize(), CKR_OK, "{place}");
                assert_eq!(module.digest_init(handle, mechanism.0), CKR_CRYPTOKI_NOT_INITIALIZED);
                assert_eq!(module.finalize(), CKR_CRYPTOKI_NOT_INITIALIZED, "{place}");
                assert_eq!(module.initialize(), CKR_OK, "{place}");
                assert_eq!(module.initialize(), CKR_CRYPTOKI_ALREADY_INITIALIZED, "{place}");
                (sessions, keys, known) = (BTreeMap::new(), BTreeMap::new(), (vec![0], vec![0]));
            }
            _ => {
                let expected = match session {
                    None => Err(CKR_SESSION_HANDLE_INVALID),
                    Some(session) => at_once(&mut session.sign, data),
                };
                assert_eq!(module.sign(handle, data), expected, "{place}");
            }
        }
    }
    for handle in sessions.into_keys() {
        assert_eq!(module.close(handle), CKR_OK);
    }
}

/// Adds a part to the message.
fn begun(operation: &mut Option<Operation>, part: &[u8]) -> CK_RV {
    let Some(operation) = operation else { return CKR_OPERATION_NOT_INITIALIZED };
    operation.message.extend(part);
    operation.in_parts = true;
    CKR_OK
}

/// Ends a message in parts.
fn finished(operation: &mut Option<Operation>) -> Result<Vec<u8>, CK_RV> {
    operation.take().map(|operation| operation.result()).ok_or(CKR_OPERATION_NOT_INITIALIZED)
}

/// Processes a message in one part, which ends the operation even if it has begun in parts.
fn at_once(operation: &mut Option<Operation>, message: &[u8]) -> Result<Vec<u8>, CK_RV> {
    let mut operation = operation.take().ok_or(CKR_OPERATION_NOT_INITIALIZED)?;
    if operation.in_parts {
        return Err(CKR_OPERATION_ACTIVE);
    }
    operation.message.extend(message);
    Ok(operation.result())
}
