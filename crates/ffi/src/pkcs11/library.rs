//! What an application shares: its sessions and its objects, from
//! `C_Initialize` to `C_Finalize`.

use core::ffi::c_int;
use core::sync::atomic::{AtomicPtr, Ordering};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError, RwLock};

use cryptoki_sys::*;

use super::digest::Digesting;
use super::mac::Authenticating;
use super::object::Object;

/// One after the other's operations: at most one of each kind at a time.
#[derive(Default)]
pub struct Session {
    pub digest: Option<Digesting>,
    pub sign: Option<Authenticating>,
    pub verify: Option<Authenticating>,
    /// The objects found and not yet told, last first.
    pub find: Option<Vec<CK_OBJECT_HANDLE>>,
}

/// A session that is open.
struct Open {
    handle: CK_SESSION_HANDLE,
    /// Whether it may write what is on the token.
    writes: bool,
    session: Arc<Mutex<Session>>,
}

/// All that there is between `C_Initialize` and `C_Finalize`.
#[derive(Default)]
pub struct Library {
    /// A session's place is in the low bits of its handle.
    sessions: Vec<Option<Open>>,
    free: Vec<usize>,
    opened: CK_ULONG,
    objects: BTreeMap<CK_OBJECT_HANDLE, Arc<Object>>,
    made: CK_OBJECT_HANDLE,
    pub logged_in: bool,
}

/// How many bits of a handle are the session's place. The others count sessions,
/// so that a stale handle is not another session's.
const PLACE_BITS: u32 = 16;

impl Library {
    fn open(&self, handle: CK_SESSION_HANDLE) -> Result<&Open, CK_RV> {
        let place = handle as usize & ((1 << PLACE_BITS) - 1);
        match self.sessions.get(place) {
            Some(Some(open)) if open.handle == handle => Ok(open),
            _ => Err(CKR_SESSION_HANDLE_INVALID),
        }
    }

    /// The session, for a thread to use.
    pub fn session(&self, handle: CK_SESSION_HANDLE) -> Result<Arc<Mutex<Session>>, CK_RV> {
        self.open(handle).map(|open| Arc::clone(&open.session))
    }

    /// Whether the session may write what is on the token.
    pub fn writes(&self, handle: CK_SESSION_HANDLE) -> Result<bool, CK_RV> {
        self.open(handle).map(|open| open.writes)
    }

    /// Opens a session.
    pub fn open_session(&mut self, writes: bool) -> Result<CK_SESSION_HANDLE, CK_RV> {
        let place = match self.free.pop() {
            Some(place) => place,
            None if self.sessions.len() < 1 << PLACE_BITS => {
                self.sessions.push(None);
                self.sessions.len() - 1
            }
            None => return Err(CKR_SESSION_COUNT),
        };
        // Never 0, which is no handle.
        self.opened = self.opened % (CK_ULONG::MAX >> PLACE_BITS) + 1;
        let handle = self.opened << PLACE_BITS | place as CK_ULONG;
        self.sessions[place] = Some(Open { handle, writes, session: Arc::default() });
        Ok(handle)
    }

    /// Closes a session and destroys its objects; with the last one, the login ends.
    pub fn close_session(&mut self, handle: CK_SESSION_HANDLE) -> Result<(), CK_RV> {
        self.open(handle)?;
        let place = handle as usize & ((1 << PLACE_BITS) - 1);
        self.sessions[place] = None;
        self.free.push(place);
        self.objects.retain(|_, object| object.owner != handle);
        self.logged_in &= self.sessions.iter().any(Option::is_some);
        Ok(())
    }

    /// Closes all of them.
    pub fn close_all(&mut self) {
        let open: Vec<_> = self.sessions.iter().flatten().map(|open| open.handle).collect();
        for handle in open {
            // It was open a moment ago, and nobody else is here.
            let _ = self.close_session(handle);
        }
    }

    /// How many sessions are open, and how many of them may write.
    pub fn counts(&self) -> (usize, usize) {
        let open = || self.sessions.iter().flatten();
        (open().count(), open().filter(|open| open.writes).count())
    }

    /// Ends the login, destroys private objects. The sessions' operations end too:
    /// they are for the caller to clear, who may have to wait for each.
    pub fn logout(&mut self) -> Vec<Arc<Mutex<Session>>> {
        self.logged_in = false;
        self.objects.retain(|_, object| !object.is_private());
        self.sessions.iter().flatten().map(|open| Arc::clone(&open.session)).collect()
    }

    /// Keeps an object: its handle.
    pub fn insert(&mut self, object: Object) -> CK_OBJECT_HANDLE {
        self.made += 1;
        self.objects.insert(self.made, Arc::new(object));
        self.made
    }

    /// An object that the application may see.
    pub fn object(&self, handle: CK_OBJECT_HANDLE) -> Result<&Arc<Object>, CK_RV> {
        let object = self.objects.get(&handle).ok_or(CKR_OBJECT_HANDLE_INVALID)?;
        if object.is_private() && !self.logged_in {
            return Err(CKR_OBJECT_HANDLE_INVALID);
        }
        Ok(object)
    }

    /// A key, for use.
    pub fn key(&self, handle: CK_OBJECT_HANDLE) -> Result<Arc<Object>, CK_RV> {
        self.object(handle).map(Arc::clone).map_err(|_| CKR_KEY_HANDLE_INVALID)
    }

    /// Puts an object in another's place.
    pub fn replace(&mut self, handle: CK_OBJECT_HANDLE, object: Object) {
        self.objects.insert(handle, Arc::new(object));
    }

    /// Destroys an object.
    pub fn remove(&mut self, handle: CK_OBJECT_HANDLE) {
        self.objects.remove(&handle);
    }

    /// The objects that the application may see.
    pub fn objects(&self) -> impl Iterator<Item = (CK_OBJECT_HANDLE, &Object)> {
        let seen = |object: &Object| !object.is_private() || self.logged_in;
        self.objects
            .iter()
            .filter(move |(_, object)| seen(object))
            .map(|(&handle, object)| (handle, &**object))
    }
}

type Shared = RwLock<Option<Library>>;

/// The application's, in the process that loaded us.
static FIRST: Shared = RwLock::new(None);

/// A child's own after a fork; null before any. The parent's, of which the child
/// has a copy, may be locked there for ever, by threads that only the parent has.
static AFTER_FORK: AtomicPtr<Shared> = AtomicPtr::new(core::ptr::null_mut());

fn shared() -> &'static Shared {
    // SAFETY: what is not null was leaked, and is there for ever.
    unsafe { AFTER_FORK.load(Ordering::Acquire).as_ref() }.unwrap_or(&FIRST)
}

extern "C" fn forked() {
    // Nothing is initialised in a child, PKCS #11 §5.4 (C_Initialize).
    AFTER_FORK.store(Box::leak(Box::default()), Ordering::Release);
}

unsafe extern "C" {
    /// POSIX's: what to call before a fork, and after it in both processes.
    fn pthread_atfork(
        before: Option<extern "C" fn()>,
        in_parent: Option<extern "C" fn()>,
        in_child: Option<extern "C" fn()>,
    ) -> c_int;
}

/// Begins: an application's first call but for those that list functions.
pub fn initialize() -> Result<(), CK_RV> {
    static AT_FORK: Once = Once::new();
    // SAFETY: the function is there as long as the library, which is never unloaded
    // while it is initialised; without memory for it, a child sees its parent's.
    AT_FORK.call_once(|| unsafe {
        pthread_atfork(None, None, Some(forked));
    });
    let mut library = shared().write().unwrap_or_else(PoisonError::into_inner);
    if library.is_some() {
        return Err(CKR_CRYPTOKI_ALREADY_INITIALIZED);
    }
    *library = Some(Library::default());
    Ok(())
}

/// Ends: all sessions and objects are gone.
pub fn finalize() -> Result<(), CK_RV> {
    let mut library = shared().write().unwrap_or_else(PoisonError::into_inner);
    library.take().map(drop).ok_or(CKR_CRYPTOKI_NOT_INITIALIZED)
}

/// Looks at what is shared, beside others who look.
pub fn read<T>(look: impl FnOnce(&Library) -> Result<T, CK_RV>) -> Result<T, CK_RV> {
    let library = shared().read().unwrap_or_else(PoisonError::into_inner);
    look(library.as_ref().ok_or(CKR_CRYPTOKI_NOT_INITIALIZED)?)
}

/// Changes what is shared, alone.
pub fn write<T>(change: impl FnOnce(&mut Library) -> Result<T, CK_RV>) -> Result<T, CK_RV> {
    let mut library = shared().write().unwrap_or_else(PoisonError::into_inner);
    change(library.as_mut().ok_or(CKR_CRYPTOKI_NOT_INITIALIZED)?)
}

/// Works in a session, alone: of threads that use the same, each waits its turn.
/// Nothing shared is locked meanwhile.
pub fn within<T>(
    handle: CK_SESSION_HANDLE,
    work: impl FnOnce(&mut Session) -> Result<T, CK_RV>,
) -> Result<T, CK_RV> {
    let session = read(|library| library.session(handle))?;
    work(&mut lock(&session))
}

/// The session, though a call in it may have panicked: it was told so.
pub fn lock(session: &Mutex<Session>) -> MutexGuard<'_, Session> {
    session.lock().unwrap_or_else(PoisonError::into_inner)
}
