//! A secret key: the one kind of object, §4.3 to §4.10.

use std::sync::Arc;

use cryptoki_sys::*;
use engine::unstable::{Depth, Locked, below};
use engine::{Algorithm, HmacKey, hash};
use subtle::ConstantTimeEq;

use super::attribute::{self, Values, When};
use super::mechanism::{self, MAX_KEY};
use super::template::Given;

/// A secret key.
#[derive(Clone)]
pub struct Key {
    /// The session that it goes with.
    pub owner: CK_SESSION_HANDLE,
    values: Values,
    /// The same in copies.
    value: Arc<Locked<[u8]>>,
}

impl Key {
    /// A new key, with all but the attributes of `unlike` set by the template.
    pub fn new(
        owner: CK_SESSION_HANDLE,
        value: Locked<[u8]>,
        template: &[Given<'_>],
        unlike: CK_ATTRIBUTE_TYPE,
    ) -> Result<Self, CK_RV> {
        if value.is_empty() || value.len() > MAX_KEY {
            return Err(CKR_ATTRIBUTE_VALUE_INVALID);
        }
        let mut key = Self { owner, values: Values::default(), value: Arc::new(value) };
        let mut others = template.iter().filter(|given| given.kind != unlike);
        others.try_for_each(|given| key.set_one(given, When::Made))?;
        Ok(key)
    }

    /// Says that it was made here, as a key of this type, by this mechanism.
    pub fn generated(mut self, key_type: CK_KEY_TYPE, mechanism: CK_MECHANISM_TYPE) -> Self {
        let values = &mut self.values;
        values.put_number(CKA_CLASS, CKO_SECRET_KEY);
        values.put_number(CKA_KEY_TYPE, key_type);
        values.put_number(CKA_KEY_GEN_MECHANISM, mechanism);
        values.put_flag(CKA_LOCAL, true);
        values.put_flag(CKA_ALWAYS_SENSITIVE, values.flag(CKA_SENSITIVE));
        values.put_flag(CKA_NEVER_EXTRACTABLE, !values.flag(CKA_EXTRACTABLE));
        self
    }

    pub fn flag(&self, kind: CK_ATTRIBUTE_TYPE) -> bool {
        self.values.flag(kind)
    }

    pub fn is_private(&self) -> bool {
        self.flag(CKA_PRIVATE)
    }

    /// The key itself.
    pub fn value(&self) -> &[u8] {
        &self.value
    }

    /// How much memory it takes, in bytes.
    pub fn len(&self) -> usize {
        self.values.len() + self.value.len()
    }

    /// The key made ready for an HMAC, if it may be used so, by that mechanism.
    pub fn hmac(
        &self,
        algorithm: Algorithm,
        usage: CK_ATTRIBUTE_TYPE,
        mechanism: CK_MECHANISM_TYPE,
    ) -> Result<HmacKey, CK_RV> {
        if !mechanism::fits(self.values.number(CKA_KEY_TYPE), algorithm) {
            return Err(CKR_KEY_TYPE_INCONSISTENT);
        }
        let listed = self.values.get(CKA_ALLOWED_MECHANISMS).unwrap_or_default();
        let mut listed = listed.chunks_exact(size_of::<CK_MECHANISM_TYPE>());
        let free = listed.len() == 0;
        if !self.flag(usage) || !free && listed.all(|number| number != mechanism.to_ne_bytes()) {
            return Err(CKR_KEY_FUNCTION_NOT_PERMITTED);
        }
        Ok(HmacKey::new(algorithm, &**self.value))
    }

    /// An attribute, as an application may see it.
    pub fn tell(&self, kind: CK_ATTRIBUTE_TYPE) -> Result<Vec<u8>, CK_RV> {
        match kind {
            CKA_VALUE if self.is_secret() => Err(CKR_ATTRIBUTE_SENSITIVE),
            CKA_VALUE => Ok(self.value.to_vec()),
            CKA_VALUE_LEN => Ok((self.value.len() as CK_ULONG).to_ne_bytes().to_vec()),
            // The first bytes of a digest tell two keys apart (§4.10.2).
            CKA_CHECK_VALUE => {
                let digest = below(Depth::Lanes, || hash(Algorithm::SHA1, &**self.value));
                Ok(digest.as_bytes()[..3].to_vec())
            }
            _ => self.values.get(kind).map(<[u8]>::to_vec).ok_or(CKR_ATTRIBUTE_TYPE_INVALID),
        }
    }

    /// Whether an attribute has this value, as far as an application may know. Of the key itself
    /// only the length makes a difference to the time.
    pub fn is(&self, given: &Given<'_>) -> bool {
        match given.kind {
            CKA_VALUE => !self.is_secret() && self.value.ct_eq(given.value).into(),
            kind => self.tell(kind).is_ok_and(|value| value == given.value),
        }
    }

    /// Whether nobody is told the key itself.
    fn is_secret(&self) -> bool {
        self.values.flag(CKA_SENSITIVE) || !self.values.flag(CKA_EXTRACTABLE)
    }

    /// Sets attributes, each if it may be.
    pub fn set(&mut self, template: &[Given<'_>], when: When) -> Result<(), CK_RV> {
        template.iter().try_for_each(|given| self.set_one(given, when))
    }

    fn set_one(&mut self, &Given { kind, value }: &Given<'_>, when: When) -> Result<(), CK_RV> {
        let known = match kind {
            CKA_VALUE | CKA_VALUE_LEN => return Err(CKR_ATTRIBUTE_READ_ONLY),
            CKA_CHECK_VALUE if self.tell(kind)? == value => return Ok(()),
            CKA_CHECK_VALUE => return Err(CKR_ATTRIBUTE_VALUE_INVALID),
            _ => attribute::find(kind).ok_or(CKR_ATTRIBUTE_TYPE_INVALID)?,
        };
        known.may_become(when, self.values.get(kind), value)?;
        self.values.put(kind, value.to_vec());
        Ok(())
    }
}
