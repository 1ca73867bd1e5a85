//! Objects (§5.7) and key generation (§5.14): secret keys in session memory.

use cryptoki_sys::*;
use engine::unstable::Locked;

use super::attribute::When;
use super::key::Key;
use super::library::{object_of, read, within, write};
use super::mechanism::{self, MAX_KEY};
use super::template::{self, asked, asked_number};
use super::{Status, at, in_session, keyed, random};
use crate::guard::slice_mut;

/// Stores a key, if its session may create it, and returns its handle.
fn keep(key: Key) -> Result<CK_OBJECT_HANDLE, CK_RV> {
    write(|library| {
        let writes = library.writes(key.owner)?;
        if key.flag(CKA_TOKEN) {
            // The token has no storage.
            return Err(if writes { CKR_DEVICE_MEMORY } else { CKR_SESSION_READ_ONLY });
        }
        if key.is_private() && !library.logged_in {
            return Err(CKR_USER_NOT_LOGGED_IN);
        }
        Ok(library.insert(key))
    })
}

pub unsafe extern "C" fn create(
    session: CK_SESSION_HANDLE,
    attributes: *mut CK_ATTRIBUTE,
    count: CK_ULONG,
    handle: *mut CK_OBJECT_HANDLE,
) -> CK_RV {
    keyed(|| {
        read(|library| library.session(session))?;
        // SAFETY: the application passes `count` valid attributes, and a valid output pointer.
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
        *handle = keep(Key::new(session, Locked::copy(value), &template, CKA_VALUE)?)?;
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
        // SAFETY: the application passes a valid mechanism, `count` valid attributes, and a valid
        // output pointer.
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
        let key = Key::new(session, value, &template, CKA_VALUE_LEN)?;
        *handle = keep(key.generated(key_type, number))?;
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
        let original = object_of(session, object)?;
        // SAFETY: the application passes `count` valid attributes, and a valid output pointer.
        let (template, handle) =
            unsafe { (template::given(attributes, count)?, at(handle).status()?) };
        if !original.flag(CKA_COPYABLE) {
            return Err(CKR_ACTION_PROHIBITED);
        }
        let mut copy = (*original).clone();
        copy.owner = session;
        copy.set(&template, When::Copied)?;
        *handle = keep(copy)?;
        Ok(())
    })
}

pub unsafe extern "C" fn destroy(session: CK_SESSION_HANDLE, object: CK_OBJECT_HANDLE) -> CK_RV {
    keyed(|| {
        write(|library| {
            library.session(session)?;
            if !library.object(object)?.flag(CKA_DESTROYABLE) {
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
        let bytes = object_of(session, object)?.len();
        // SAFETY: the application passes a valid output pointer.
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
        let object = object_of(session, object)?;
        // SAFETY: the application passes `count` valid attributes, with buffers for their values.
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
            // SAFETY: the application passes `count` valid attributes.
            let template = unsafe { template::given(attributes, count) }?;
            if !object.flag(CKA_MODIFIABLE) {
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
        // SAFETY: the application passes `count` valid attributes.
        let template = unsafe { template::given(attributes, count) };
        let found = read(|library| {
            let Ok(template) = &template else { return Ok(Vec::new()) };
            let matches = |object: &Key| template.iter().all(|given| object.is(given));
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
    in_session(session, |session| {
        let left = session.find.as_mut().ok_or(CKR_OPERATION_NOT_INITIALIZED)?;
        let some = left.len().min(most as usize);
        // SAFETY: the application passes room for `most` handles, and a valid output pointer.
        let (out, count) = unsafe { (slice_mut(out, some).status()?, at(count).status()?) };
        for place in out {
            // `left` has at least `some` elements.
            *place = left.pop().unwrap_or(CK_INVALID_HANDLE);
        }
        *count = some as CK_ULONG;
        Ok(())
    })
}

pub unsafe extern "C" fn find_final(session: CK_SESSION_HANDLE) -> CK_RV {
    in_session(session, |session| {
        session.find.take().map(drop).ok_or(CKR_OPERATION_NOT_INITIALIZED)
    })
}
