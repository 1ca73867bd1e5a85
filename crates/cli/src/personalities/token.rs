//! Keys on tokens, for Solaris's `mac -K`: found by label, through any PKCS #11 module.
//!
//! If a key can be extracted from its token, this process hashes the files on all cores. Otherwise
//! the token signs them one at a time.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::{env, fmt};

use cryptoki::context::{CInitializeArgs, CInitializeFlags, Pkcs11};
use cryptoki::error::{Error, RvError};
use cryptoki::mechanism::Mechanism;
use cryptoki::object::{Attribute, AttributeType, ObjectClass, ObjectHandle};
use cryptoki::session::{Session, UserType};
use cryptoki::slot::Slot;
use lanesum::Algorithm;
use zeroize::{Zeroize, Zeroizing};

use crate::standard;

/// Environment variable that selects a module; without it, p11-kit lists the modules.
const MODULE: &str = "LANESUM_PKCS11_MODULE";
/// p11-kit's module that combines all registered modules.
const ALL_MODULES: &str = "p11-kit-proxy.so";

/// A key found by its label.
pub(super) enum Key {
    /// The value of the key.
    Value(Zeroizing<Vec<u8>>),
    /// A key that cannot be extracted.
    OnToken(TokenKey),
}

/// A key with which its token signs.
pub(super) struct TokenKey {
    session: Session,
    key: ObjectHandle,
    mechanism: Mechanism<'static>,
}

/// Why no key was found: the message of `mac`, with or without the program's name as in Solaris.
pub(super) enum Failure {
    Named(Vec<u8>),
    Raw(Vec<u8>),
}

/// Returns the name of the cause, from PKCS #11 if possible.
fn cause(error: &Error) -> String {
    match error {
        Error::Pkcs11(error, _) => name(error),
        error => error.to_string(),
    }
}

fn name(error: &RvError) -> String {
    // Like `pkcs11_strerror`: CKR_PIN_INCORRECT for PinIncorrect.
    let mut name = String::from("CKR");
    for letter in format!("{error:?}").chars().take_while(char::is_ascii_alphanumeric) {
        if letter.is_ascii_uppercase() {
            name.push('_');
        }
        name.push(letter.to_ascii_uppercase());
    }
    name
}

fn named(text: impl fmt::Display) -> Failure {
    Failure::Named(text.to_string().into_bytes())
}

/// The HMAC mechanism of an algorithm, if tokens support it.
fn mechanism(algorithm: Algorithm) -> Option<Mechanism<'static>> {
    match algorithm {
        Algorithm::SHA1 => Some(Mechanism::Sha1Hmac),
        Algorithm::SHA256 => Some(Mechanism::Sha256Hmac),
        Algorithm::SHA384 => Some(Mechanism::Sha384Hmac),
        Algorithm::SHA512 => Some(Mechanism::Sha512Hmac),
        _ => None,
    }
}

/// Finds the key by label on the token that `spec` describes, as label[:maker[:serial number]], or
/// by default on the first token that supports the algorithm.
pub(super) fn find(
    spec: Option<&OsStr>,
    label: &OsStr,
    algorithm: Algorithm,
) -> Result<Key, Failure> {
    let module = env::var_os(MODULE).unwrap_or_else(|| ALL_MODULES.into());
    let failed = |error: &Error| {
        named(format_args!("failed to initialize PKCS #11 framework: {}", cause(error)))
    };
    let module = Pkcs11::new(module).map_err(|error| failed(&error))?;
    let threads = CInitializeArgs::new(CInitializeFlags::OS_LOCKING_OK);
    module.initialize(threads).map_err(|error| failed(&error))?;
    let signs = |slot| {
        let known = |mechanism: Mechanism<'_>| {
            module
                .get_mechanism_info(slot, mechanism.mechanism_type())
                .is_ok_and(|info| info.sign())
        };
        mechanism(algorithm).is_some_and(known)
    };
    let slots = module.get_slots_with_initialized_token().unwrap_or_default();
    let slot = slots.into_iter().find(|&slot| match spec {
        Some(spec) => is_token(&module, slot, spec),
        None => signs(slot),
    });
    let slot = slot.ok_or_else(|| named("no matching PKCS#11 token"))?;
    let session = module
        .open_ro_session(slot)
        .map_err(|error| named(format_args!("can not open PKCS#11 session: {}", cause(&error))))?;
    log_in(&module, slot, &session)?;
    let wanted =
        [Attribute::Class(ObjectClass::SECRET_KEY), Attribute::Label(label.as_bytes().to_vec())];
    let keys = session.find_objects(&wanted).map_err(|error| {
        Failure::Raw(
            format!("Cannot retrieve key object. error = {}\n", cause(&error)).into_bytes(),
        )
    })?;
    let Some(&key) = keys.first() else {
        return Err(Failure::Raw(b"Cannot find the key object.\n".to_vec()));
    };
    // A token does not reveal the value of a sensitive key.
    let attributes = session.get_attributes(key, &[AttributeType::Value]).unwrap_or_default();
    for attribute in attributes {
        if let Attribute::Value(value) = attribute
            && !value.is_empty()
        {
            return Ok(Key::Value(Zeroizing::new(value)));
        }
    }
    let missing = || {
        named(format_args!(
            "no cryptographic provider was found for this algorithm -- {algorithm}_hmac"
        ))
    };
    let mechanism = mechanism(algorithm).filter(|_| signs(slot)).ok_or_else(missing)?;
    Ok(Key::OnToken(TokenKey { session, key, mechanism }))
}

/// Whether `spec` describes the token in a slot.
fn is_token(module: &Pkcs11, slot: Slot, spec: &OsStr) -> bool {
    let Ok(info) = module.get_token_info(slot) else { return false };
    let is = [info.label(), info.manufacturer_id(), info.serial_number()];
    // Empty fields match anything.
    let spec = spec.to_string_lossy();
    spec.split(':').zip(is).all(|(wanted, is)| wanted.is_empty() || wanted == is.trim_end())
}

/// Logs in, with a PIN from the terminal if the token requires one.
fn log_in(module: &Pkcs11, slot: Slot, session: &Session) -> Result<(), Failure> {
    let failed = |error: &Error| {
        let text = format!("Cannot login to the token. error = {}\n", cause(error));
        Failure::Raw(text.into_bytes())
    };
    let token = module.get_token_info(slot).map_err(|error| failed(&error))?;
    let done = if token.protected_authentication_path() {
        session.login(UserType::User, None)
    } else if token.login_required() {
        let prompt = format!("Enter PIN for {}: ", token.label().trim_end());
        let pin = rpassword::prompt_password(prompt).ok().filter(|pin| !pin.is_empty());
        let pin = pin.ok_or_else(|| named("invalid passphrase."))?;
        session.login(UserType::User, Some(&pin.into()))
    } else {
        Ok(())
    };
    done.map_err(|error| failed(&error))
}

/// Why a file has no MAC.
pub(super) enum Cause {
    Open,
    Read(io::Error),
    /// The name of the PKCS #11 error.
    Token(String),
}

impl TokenKey {
    /// Returns the MAC of a file, or standard input if `name` is `None`.
    pub(super) fn sign(&self, name: Option<&OsStr>) -> Result<Vec<u8>, Cause> {
        let file = match name {
            Some(name) => File::open(name),
            None => standard::input(),
        };
        let mut file = file.map_err(|_| Cause::Open)?;
        let failed = |error: Error| Cause::Token(cause(&error));
        self.session.sign_init(&self.mechanism, self.key).map_err(failed)?;
        let mut buffer = vec![0; 64 << 10];
        let tag = loop {
            match file.read(&mut buffer) {
                Ok(0) => break self.session.sign_final().map_err(failed),
                Ok(len) => self.session.sign_update(&buffer[..len]).map_err(failed)?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    // The operation must end before the next one starts.
                    let _ = self.session.sign_final();
                    break Err(Cause::Read(error));
                }
            }
        };
        buffer.zeroize();
        tag
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_have_the_names_of_the_standard() {
        assert_eq!(name(&RvError::PinIncorrect), "CKR_PIN_INCORRECT");
        assert_eq!(name(&RvError::KeyTypeInconsistent), "CKR_KEY_TYPE_INCONSISTENT");
    }
}
