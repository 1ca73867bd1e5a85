//! The state of an application between `C_Initialize` and `C_Finalize`: sessions and objects.

use core::ffi::c_int;
use core::iter::repeat_with;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError, RwLock};

use cryptoki_sys::*;
use engine::Policy;
use engine::unstable::Locked;

use super::key::Key;
use super::operation::Session;

/// The maximum number of open sessions.
pub const MAX_SESSIONS: usize = 1 << PLACE_BITS;

/// The number of bits of a handle that are the session's index. The other bits are a counter, so
/// that a stale handle does not match a newer session.
const PLACE_BITS: u32 = 12;

/// Returns the index of the session that has or had this handle.
fn place_of(handle: CK_SESSION_HANDLE) -> usize {
    handle as usize & (MAX_SESSIONS - 1)
}

/// The operations of a session, separate from the shared state, so that a thread working in one
/// session locks nothing that others need. Each is on a separate cache line.
#[derive(Default)]
#[repr(align(64))]
struct Room(Mutex<Option<Locked<(CK_SESSION_HANDLE, Session)>>>);

/// An open session.
struct Open {
    handle: CK_SESSION_HANDLE,
    /// Whether the session may write objects on the token (R/W session).
    writes: bool,
}

/// The state between `C_Initialize` and `C_Finalize`, except the sessions' operations.
#[derive(Default)]
pub struct Library {
    /// The sessions by index.
    sessions: Vec<Option<Open>>,
    free: Vec<usize>,
    opened: CK_ULONG,
    objects: BTreeMap<CK_OBJECT_HANDLE, Arc<Key>>,
    made: CK_OBJECT_HANDLE,
    pub logged_in: bool,
}

impl Library {
    fn open(&self, handle: CK_SESSION_HANDLE) -> Result<&Open, CK_RV> {
        match self.sessions.get(place_of(handle)) {
            Some(Some(open)) if open.handle == handle => Ok(open),
            _ => Err(CKR_SESSION_HANDLE_INVALID),
        }
    }

    /// Checks that the session is open.
    pub fn session(&self, handle: CK_SESSION_HANDLE) -> Result<(), CK_RV> {
        self.open(handle).map(drop)
    }

    /// Whether the session may write objects on the token.
    pub fn writes(&self, handle: CK_SESSION_HANDLE) -> Result<bool, CK_RV> {
        self.open(handle).map(|open| open.writes)
    }

    /// Opens a session. The caller stores its operations.
    fn open_session(&mut self, writes: bool) -> Result<CK_SESSION_HANDLE, CK_RV> {
        let place = match self.free.pop() {
            Some(place) => place,
            None if self.sessions.len() < MAX_SESSIONS => {
                self.sessions.push(None);
                self.sessions.len() - 1
            }
            None => return Err(CKR_SESSION_COUNT),
        };
        // Never 0, which is an invalid handle.
        self.opened = self.opened % (CK_ULONG::MAX >> PLACE_BITS) + 1;
        let handle = self.opened << PLACE_BITS | place as CK_ULONG;
        self.sessions[place] = Some(Open { handle, writes });
        Ok(handle)
    }

    /// Closes a session and destroys its objects. Closing the last session ends the login.
    fn close_session(&mut self, handle: CK_SESSION_HANDLE) -> Result<(), CK_RV> {
        self.open(handle)?;
        self.sessions[place_of(handle)] = None;
        self.free.push(place_of(handle));
        self.objects.retain(|_, object| object.owner != handle);
        self.logged_in &= self.sessions.iter().any(Option::is_some);
        Ok(())
    }

    /// Returns the handles of all open sessions.
    fn handles(&self) -> Vec<CK_SESSION_HANDLE> {
        self.sessions.iter().flatten().map(|open| open.handle).collect()
    }

    /// Returns the number of open sessions, and the number of R/W sessions.
    pub fn counts(&self) -> (usize, usize) {
        let open = || self.sessions.iter().flatten();
        (open().count(), open().filter(|open| open.writes).count())
    }

    /// Ends the login and destroys private objects. Returns the handles of the open sessions.
    fn logout(&mut self) -> Result<Vec<CK_SESSION_HANDLE>, CK_RV> {
        if !self.logged_in {
            return Err(CKR_USER_NOT_LOGGED_IN);
        }
        self.logged_in = false;
        self.objects.retain(|_, object| !object.is_private());
        Ok(self.handles())
    }

    /// Stores an object and returns its handle.
    pub fn insert(&mut self, object: Key) -> CK_OBJECT_HANDLE {
        self.made += 1;
        self.objects.insert(self.made, Arc::new(object));
        self.made
    }

    /// Returns an object, if the application may access it.
    pub fn object(&self, handle: CK_OBJECT_HANDLE) -> Result<&Arc<Key>, CK_RV> {
        let object = self.objects.get(&handle).ok_or(CKR_OBJECT_HANDLE_INVALID)?;
        if object.is_private() && !self.logged_in {
            return Err(CKR_OBJECT_HANDLE_INVALID);
        }
        Ok(object)
    }

    /// Replaces an object.
    pub fn replace(&mut self, handle: CK_OBJECT_HANDLE, object: Key) {
        self.objects.insert(handle, Arc::new(object));
    }

    pub fn remove(&mut self, handle: CK_OBJECT_HANDLE) {
        self.objects.remove(&handle);
    }

    /// Iterates over the objects that the application may access.
    pub fn objects(&self) -> impl Iterator<Item = (CK_OBJECT_HANDLE, &Key)> {
        let seen = |object: &Key| !object.is_private() || self.logged_in;
        self.objects
            .iter()
            .filter(move |(_, object)| seen(object))
            .map(|(&handle, object)| (handle, &**object))
    }
}

/// The state of a process. The session table outlives the library, so that a thread can find its
/// session without checking that the library is initialized.
struct Shared {
    library: RwLock<Option<Library>>,
    places: &'static [Room],
}

/// The state of the process that loaded the library. The table is zeroed, so it uses no memory
/// until sessions are stored.
static PLACES: [Room; MAX_SESSIONS] = [const { Room(Mutex::new(None)) }; _];
static FIRST: Shared = Shared { library: RwLock::new(None), places: &PLACES };

/// The state of this process; null in a child after a fork, until its first call. The child's copy
/// of the parent's state may stay locked forever, by threads that exist only in the parent.
static HERE: AtomicPtr<Shared> = AtomicPtr::new((&raw const FIRST).cast_mut());

fn shared() -> &'static Shared {
    // SAFETY: if not null, it points to a static, or to memory that was leaked.
    unsafe { HERE.load(Ordering::Acquire).as_ref() }.unwrap_or_else(a_childs_own)
}

/// Allocates the state of a child process, and never frees it.
#[cold]
fn a_childs_own() -> &'static Shared {
    let places: Vec<Room> = repeat_with(Room::default).take(MAX_SESSIONS).collect();
    let shared = Box::new(Shared { library: RwLock::new(None), places: places.leak() });
    let own: *mut Shared = Box::leak(shared);
    // If two threads race, the state of the second is unused.
    let exchanged = HERE.compare_exchange(null_mut(), own, Ordering::AcqRel, Ordering::Acquire);
    let here = exchanged.err().unwrap_or(own);
    // SAFETY: both were leaked, here or by another thread.
    unsafe { &*here }
}

extern "C" fn forked() {
    // A child starts uninitialized, PKCS #11 §5.4 (C_Initialize).
    HERE.store(null_mut(), Ordering::Release);
}

unsafe extern "C" {
    /// POSIX: registers functions to call before a fork, and after it in the parent and in the
    /// child.
    fn pthread_atfork(
        before: Option<extern "C" fn()>,
        in_parent: Option<extern "C" fn()>,
        in_child: Option<extern "C" fn()>,
    ) -> c_int;
}

/// Initializes the library. If LANESUM_KERNEL or LANESUM_COSTS is invalid, prints the error to standard error
/// and fails, since no status of PKCS #11 describes this cause.
pub fn initialize() -> Result<(), CK_RV> {
    Policy::use_env();
    if let Err(error) = Policy::from_env() {
        let _ = writeln!(std::io::stderr(), "lanesum: {}: {error}", error.variable());
        return Err(CKR_GENERAL_ERROR);
    }
    static AT_FORK: Once = Once::new();
    // SAFETY: `forked` exists while the library is loaded, and applications do not unload it while
    // it is initialized. If registration fails because memory is exhausted, a child sees its
    // parent's state.
    AT_FORK.call_once(|| unsafe {
        pthread_atfork(None, None, Some(forked));
    });
    let mut library = shared().library.write().unwrap_or_else(PoisonError::into_inner);
    if library.is_some() {
        return Err(CKR_CRYPTOKI_ALREADY_INITIALIZED);
    }
    *library = Some(Library::default());
    Ok(())
}

/// Ends all sessions and destroys all objects.
pub fn finalize() -> Result<(), CK_RV> {
    let shared = shared();
    let mut library = shared.library.write().unwrap_or_else(PoisonError::into_inner);
    let ended = library.take().ok_or(CKR_CRYPTOKI_NOT_INITIALIZED)?;
    ended.handles().into_iter().for_each(clear);
    Ok(())
}

/// Runs `look` on the shared state, concurrently with other readers.
pub fn read<T>(look: impl FnOnce(&Library) -> Result<T, CK_RV>) -> Result<T, CK_RV> {
    let library = shared().library.read().unwrap_or_else(PoisonError::into_inner);
    look(library.as_ref().ok_or(CKR_CRYPTOKI_NOT_INITIALIZED)?)
}

/// Returns an object, if the session is open and the application may access the object.
pub fn object_of(session: CK_SESSION_HANDLE, object: CK_OBJECT_HANDLE) -> Result<Arc<Key>, CK_RV> {
    read(|library| {
        library.session(session)?;
        library.object(object).cloned()
    })
}

/// Looks up a key for use in a session, if the session is open. Must be called before the session
/// is locked, because a thread must not wait for shared state with a session locked. The inner
/// error is for an invalid key, which other errors may take precedence over.
pub fn key_of(
    session: CK_SESSION_HANDLE,
    key: CK_OBJECT_HANDLE,
) -> Result<Result<Arc<Key>, CK_RV>, CK_RV> {
    read(|library| {
        library.session(session)?;
        Ok(library.object(key).cloned().map_err(|_| CKR_KEY_HANDLE_INVALID))
    })
}

/// Runs `change` on the shared state, with exclusive access.
pub fn write<T>(change: impl FnOnce(&mut Library) -> Result<T, CK_RV>) -> Result<T, CK_RV> {
    let mut library = shared().library.write().unwrap_or_else(PoisonError::into_inner);
    change(library.as_mut().ok_or(CKR_CRYPTOKI_NOT_INITIALIZED)?)
}

/// Opens a session.
pub fn open_session(writes: bool) -> Result<CK_SESSION_HANDLE, CK_RV> {
    write(|library| {
        let handle = library.open_session(writes)?;
        let session = Locked::new((handle, Session::default()));
        *lock(&shared().places[place_of(handle)].0) = Some(session);
        Ok(handle)
    })
}

/// Closes a session. Waits for a thread that works in it, but blocks no other session.
pub fn close_session(handle: CK_SESSION_HANDLE) -> Result<(), CK_RV> {
    write(|library| library.close_session(handle))?;
    clear(handle);
    Ok(())
}

/// Closes all sessions.
pub fn close_all() -> Result<(), CK_RV> {
    let handles = write(|library| {
        let handles = library.handles();
        handles.iter().try_for_each(|&handle| library.close_session(handle))?;
        Ok(handles)
    })?;
    handles.into_iter().for_each(clear);
    Ok(())
}

/// Ends the login: destroys private objects, and ends all operations of all sessions.
pub fn logout() -> Result<(), CK_RV> {
    for handle in write(Library::logout)? {
        // A session that was closed meanwhile has no operations.
        let _ = within(handle, |session| {
            *session = Session::default();
            Ok(())
        });
    }
    Ok(())
}

/// Runs `work` in a session, with exclusive access: threads that use the same session wait. The
/// shared state is not locked meanwhile, and `work` must not lock it.
pub fn within<T>(
    handle: CK_SESSION_HANDLE,
    work: impl FnOnce(&mut Session) -> Result<T, CK_RV>,
) -> Result<T, CK_RV> {
    if let Some(open) = &mut *lock(&shared().places[place_of(handle)].0)
        && open.0 == handle
    {
        return work(&mut open.1);
    }
    read(|_| Err(CKR_SESSION_HANDLE_INVALID))
}

/// Removes a session's operations, if they still exist.
fn clear(handle: CK_SESSION_HANDLE) {
    let mut place = lock(&shared().places[place_of(handle)].0);
    if place.as_ref().is_some_and(|open| open.0 == handle) {
        *place = None;
    }
}

/// Locks a mutex, ignoring poisoning: the call that panicked has already reported a failure.
fn lock<T>(locked: &Mutex<T>) -> MutexGuard<'_, T> {
    locked.lock().unwrap_or_else(PoisonError::into_inner)
}
