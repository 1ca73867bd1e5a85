//! Objects, §5.7, and their making, §5.14: secret keys, in session memory.

use std::sync::Arc;

use cryptoki_sys::*;
use engine::unstable::{Depth, Locked, below};
use engine::{Algorithm, hash};
use subtle::ConstantTimeEq;

use super::attribute::{self, Values, When};
use super::library::{Library, read, within, write};
use super::mechanism::{self, MAX_KEY};
use super::template::{self, Given};
use super::{Status, at, keyed, random};
use crate::guard::slice_mut;

/// A secret key.
#[derive(Clone)]
pub struct Object {
    /// The session that it goes with.
    pub owner: CK_SESSION_HANDLE,
    values: Values,
    /// The same in copies.
    value: Arc<Locked<[u8]>>,
}

impl Object {
    pub fn is_private(&self) -> bool {
        self.values.flag(CKA_PRIVATE)
    }

    pub fn key_type(&self) -> CK_KEY_TYPE {
        self.values.number(CKA_KEY_TYPE)
    }

    /// The key itself.
    pub fn value(&self) -> &[u8] {
        &self.value
    }

    /// Whether it may be used so, by that mechanism.
    pub fn allows(&self, usage: CK_ATTRIBUTE_TYPE, mechanism: CK_MECHANISM_TYPE) -> bool {
        let listed = self.values.get(CKA_ALLOWED_MECHANISMS).unwrap_or_default();
        let mut listed = listed.chunks_exact(size_of::<CK_MECHANISM_TYPE>());
        let free = listed.len() == 0;
        self.values.flag(usage) && (free || listed.any(|number| number == mechanism.to_ne_bytes()))
    }

    /// An attribute, as an application may see it.
    fn tell(&self, kind: CK_ATTRIBUTE_TYPE) -> Result<Vec<u8>, CK_RV> {
        match kind {
            CKA_VALUE if self.is_secret() => Err(CKR_ATTRIBUTE_SENSITIVE),
            CKA_VALUE => Ok(self.value.to_vec()),
            CKA_VALUE_LEN => Ok((self.value.len() as CK_ULONG).to_ne_bytes().to_vec()),
            // The first bytes of a digest tell two keys apart (§4.10.2).
            CKA_CHECK_VALUE => {
                let digest = below(Depth::Lanes, || hash(Algorithm::SHA1, &self.value));
                Ok(digest.as_bytes()[..3].to_vec())
            }
            _ => self.values.get(kind).map(<[u8]>::to_vec).ok_or(CKR_ATTRIBUTE_TYPE_INVALID),
        }
    }

    /// Whether an attribute has this value, as far as an application may know. Of the key itself
    /// only the length makes a difference to the time.
    fn is(&self, given: &Given<'_>) -> bool {
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
    fn set(&mut self, template: &[Given<'_>], when: When) -> Result<(), CK_RV> {
        for &Given { kind, value } in template {
            let known = match kind {
                CKA_VALUE | CKA_VALUE_LEN => return Err(CKR_ATTRIBUTE_READ_ONLY),
                CKA_CHECK_VALUE if self.tell(kind)? == value => continue,
                CKA_CHECK_VALUE => return Err(CKR_ATTRIBUTE_VALUE_INVALID),
                _ => attribute::find(kind).ok_or(CKR_ATTRIBUTE_TYPE_INVALID)?,
            };
            known.may_become(when, self.values.get(kind), value)?;
            self.values.put(kind, value.to_vec());
        }
        Ok(())
    }

    /// Keeps it, if the session may have such an object.
    fn keep(self, library: &mut Library) -> Result<CK_OBJECT_HANDLE, CK_RV> {
        if self.values.flag(CKA_TOKEN) {
            // The token has no memory.
            let writes = library.writes(self.owner)?;
            return Err(if writes { CKR_DEVICE_MEMORY } else { CKR_SESSION_READ_ONLY });
        }
        if self.is_private() && !library.logged_in {
            return Err(CKR_USER_NOT_LOGGED_IN);
        }
        Ok(library.insert(self))
    }
}

/// The attribute of that number in a template.
fn asked<'t>(template: &[Given<'t>], kind: CK_ATTRIBUTE_TYPE) -> Option<&'t [u8]> {
    template.iter().find(|given| given.kind == kind).map(|given| given.value)
}

/// A number in a template.
fn asked_number(
    template: &[Given<'_>],
    kind: CK_ATTRIBUTE_TYPE,
) -> Result<Option<CK_ULONG>, CK_RV> {
    let Some(value) = asked(template, kind) else { return Ok(None) };
    let bytes = value.try_into().map_err(|_| CKR_ATTRIBUTE_VALUE_INVALID)?;
    Ok(Some(CK_ULONG::from_ne_bytes(bytes)))
}

/// A new key of a session, with all but the attributes of `unlike` set by the template.
fn make(
    owner: CK_SESSION_HANDLE,
    value: Locked<[u8]>,
    template: &[Given<'_>],
    unlike: CK_ATTRIBUTE_TYPE,
) -> Result<Object, CK_RV> {
    if value.is_empty() || value.len() > MAX_KEY {
        return Err(CKR_ATTRIBUTE_VALUE_INVALID);
    }
    let mut object = Object { owner, values: Values::default(), value: Arc::new(value) };
    let others: Vec<_> = template.iter().copied().filter(|given| given.kind != unlike).collect();
    object.set(&others, When::Made)?;
    Ok(object)
}

pub unsafe extern "C" fn create(
    session: CK_SESSION_HANDLE,
    attributes: *mut CK_ATTRIBUTE,
    count: CK_ULONG,
    handle: *mut CK_OBJECT_HANDLE,
) -> CK_RV {
    keyed(|| {
        read(|library| library.session(session))?;
        // SAFETY: the application passes so many attributes, and a place for a handle.
        let (template, handle) =
            unsafe { (template::given(attributes, count)?, at(handle).status()?) };
        let class = asked_number(&template, CKA_CLASS)?;
        let key_type = asked_number(&template, CKA_KEY_TYPE)?;
        if class.is_some_and(|class| class != CKO_SECRET_KEY)
            || key_type.is_some_and(|key_type| !mechanism::is_key_type(key_type))
        {
            return Err(CKR_ATTRIBUTE_VALUE_INVALID);
        }
        let (Some(_), Some(_), Some(value)) = (class, key_type, asked(&template, CKA_VALUE)) else {
            return Err(CKR_TEMPLATE_INCOMPLETE);
        };
        let value = Locked::copy(value);
        let object = make(session, value, &template, CKA_VALUE)?;
        *handle = write(|library| {
            library.session(session)?;
            object.keep(library)
        })?;
        Ok(())
    })
}

pub unsafe extern "C" fn generate(
    session: CK_SESSION_HANDLE,
    how: *mut CK_MECHANISM,
    attributes: *mut CK_ATTRIBUTE,
    count: CK_ULONG,
    handle: *mut CK_OBJECT_HANDLE,
) -> CK_RV {
    keyed(|| {
        read(|library| library.session(session))?;
        // SAFETY: the application passes a mechanism, so many attributes, and a place for
        // a handle.
        let ((number, key_type, len), template, handle) = unsafe {
            (mechanism::key_gen(how)?, template::given(attributes, count)?, at(handle).status()?)
        };
        for (kind, right) in [(CKA_CLASS, CKO_SECRET_KEY), (CKA_KEY_TYPE, key_type)] {
            if asked_number(&template, kind)?.is_some_and(|number| number != right) {
                return Err(CKR_TEMPLATE_INCONSISTENT);
            }
        }
        let len = match asked_number(&template, CKA_VALUE_LEN)? {
            Some(len) => usize::try_from(len).map_err(|_| CKR_KEY_SIZE_RANGE)?,
            None => len.ok_or(CKR_TEMPLATE_INCOMPLETE)?,
        };
        if !(1..=MAX_KEY).contains(&len) {
            return Err(CKR_KEY_SIZE_RANGE);
        }
        let mut value = Locked::zeros(len);
        random::fill(&mut value)?;
        let mut object = make(session, value, &template, CKA_VALUE_LEN)?;
        let values = &mut object.values;
        values.put_number(CKA_CLASS, CKO_SECRET_KEY);
        values.put_number(CKA_KEY_TYPE, key_type);
        values.put_number(CKA_KEY_GEN_MECHANISM, number);
        values.put_flag(CKA_LOCAL, true);
        values.put_flag(CKA_ALWAYS_SENSITIVE, values.flag(CKA_SENSITIVE));
        values.put_flag(CKA_NEVER_EXTRACTABLE, !values.flag(CKA_EXTRACTABLE));
        *handle = write(|library| {
            library.session(session)?;
            object.keep(library)
        })?;
        Ok(())
    })
}

pub unsafe extern "C" fn copy(
    session: CK_SESSION_HANDLE,
    object: CK_OBJECT_HANDLE,
    attributes: *mut CK_ATTRIBUTE,
    count: CK_ULONG,
    handle: *mut CK_OBJECT_HANDLE,
) -> CK_RV {
    keyed(|| {
        let original = read(|library| {
            library.session(session)?;
            library.object(object).cloned()
        })?;
        // SAFETY: the application passes so many attributes, and a place for a handle.
        let (template, handle) =
            unsafe { (template::given(attributes, count)?, at(handle).status()?) };
        if !original.values.flag(CKA_COPYABLE) {
            return Err(CKR_ACTION_PROHIBITED);
        }
        let mut copy = Object { owner: session, ..(*original).clone() };
        copy.set(&template, When::Copied)?;
        *handle = write(|library| {
            library.session(session)?;
            copy.keep(library)
        })?;
        Ok(())
    })
}

pub unsafe extern "C" fn destroy(session: CK_SESSION_HANDLE, object: CK_OBJECT_HANDLE) -> CK_RV {
    keyed(|| {
        write(|library| {
            library.session(session)?;
            if !library.object(object)?.values.flag(CKA_DESTROYABLE) {
                return Err(CKR_ACTION_PROHIBITED);
            }
            library.remove(object);
            Ok(())
        })
    })
}

pub unsafe extern "C" fn len(
    session: CK_SESSION_HANDLE,
    object: CK_OBJECT_HANDLE,
    len: *mut CK_ULONG,
) -> CK_RV {
    keyed(|| {
        let bytes = read(|library| {
            library.session(session)?;
            let object = library.object(object)?;
            Ok(object.values.len() + object.value.len())
        })?;
        // SAFETY: the application passes a place for it.
        *unsafe { at(len) }.status()? = bytes as CK_ULONG;
        Ok(())
    })
}

pub unsafe extern "C" fn get(
    session: CK_SESSION_HANDLE,
    object: CK_OBJECT_HANDLE,
    attributes: *mut CK_ATTRIBUTE,
    count: CK_ULONG,
) -> CK_RV {
    keyed(|| {
        let object = read(|library| {
            library.session(session)?;
            library.object(object).cloned()
        })?;
        // SAFETY: the application passes so many attributes, and room for their values.
        unsafe { template::answer(attributes, count, |kind| object.tell(kind)) }
    })
}

pub unsafe extern "C" fn set(
    session: CK_SESSION_HANDLE,
    handle: CK_OBJECT_HANDLE,
    attributes: *mut CK_ATTRIBUTE,
    count: CK_ULONG,
) -> CK_RV {
    keyed(|| {
        write(|library| {
            library.session(session)?;
            let mut object = (**library.object(handle)?).clone();
            // SAFETY: the application passes so many attributes.
            let template = unsafe { template::given(attributes, count) }?;
            if !object.values.flag(CKA_MODIFIABLE) {
                return Err(CKR_ACTION_PROHIBITED);
            }
            object.set(&template, When::Later)?;
            library.replace(handle, object);
            Ok(())
        })
    })
}

pub unsafe extern "C" fn find_init(
    session: CK_SESSION_HANDLE,
    attributes: *mut CK_ATTRIBUTE,
    count: CK_ULONG,
) -> CK_RV {
    keyed(|| {
        read(|library| library.session(session))?;
        // SAFETY: the application passes so many attributes.
        let template = unsafe { template::given(attributes, count) };
        let found = read(|library| {
            let Ok(template) = &template else { return Ok(Vec::new()) };
            let matches = |object: &Object| template.iter().all(|given| object.is(given));
            let found = library.objects().filter(|(_, object)| matches(object));
            Ok(found.map(|(handle, _)| handle).collect::<Vec<_>>())
        })?;
        within(session, |session| {
            if session.find.is_some() {
                return Err(CKR_OPERATION_ACTIVE);
            }
            template?;
            session.find = Some(found.into_iter().rev().collect());
            Ok(())
        })
    })
}

pub unsafe extern "C" fn find(
    session: CK_SESSION_HANDLE,
    out: *mut CK_OBJECT_HANDLE,
    most: CK_ULONG,
    count: *mut CK_ULONG,
) -> CK_RV {
    keyed(|| {
        within(session, |session| {
            let left = session.find.as_mut().ok_or(CKR_OPERATION_NOT_INITIALIZED)?;
            let some = left.len().min(most as usize);
            // SAFETY: the application passes room for `most` handles, and a place for
            // their number.
            let (out, count) = unsafe { (slice_mut(out, some).status()?, at(count).status()?) };
            for place in out {
                // There are at least so many left.
                *place = left.pop().unwrap_or(CK_INVALID_HANDLE);
            }
            *count = some as CK_ULONG;
            Ok(())
        })
    })
}

pub unsafe extern "C" fn find_final(session: CK_SESSION_HANDLE) -> CK_RV {
    keyed(|| {
        within(session, |session| {
            session.find.take().map(drop).ok_or(CKR_OPERATION_NOT_INITIALIZED)
        })
    })
}
