//! The state that an application shares between its sessions: the sessions themselves and the
//! objects, from `C_Initialize` to `C_Finalize`.

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

/// How many sessions there may be at once.
pub const MAX_SESSIONS: usize = 1 << PLACE_BITS;

/// How many bits of a handle are the session's place. The others count sessions,
/// so that a stale handle is not another session's.
const PLACE_BITS: u32 = 12;

/// The place of the session that has this handle, or had it.
fn place_of(handle: CK_SESSION_HANDLE) -> usize {
    handle as usize & (MAX_SESSIONS - 1)
}

/// Where a session's operations are: apart from what is shared, so that a thread which works
/// in one locks nothing that another wants, and on a cache line of its own.
#[derive(Default)]
#[repr(align(64))]
struct Room(Mutex<Option<Locked<(CK_SESSION_HANDLE, Session)>>>);

/// What is known of a session that is open.
struct Open {
    handle: CK_SESSION_HANDLE,
    /// Whether it may write what is on the token.
    writes: bool,
}

/// All that there is between `C_Initialize` and `C_Finalize`, but for sessions' operations.
#[derive(Default)]
pub struct Library {
    /// Each session at its place.
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

    /// Whether the session is open.
    pub fn session(&self, handle: CK_SESSION_HANDLE) -> Result<(), CK_RV> {
        self.open(handle).map(drop)
    }

    /// Whether the session may write what is on the token.
    pub fn writes(&self, handle: CK_SESSION_HANDLE) -> Result<bool, CK_RV> {
        self.open(handle).map(|open| open.writes)
    }

    /// Opens a session, which has no place yet.
    fn open_session(&mut self, writes: bool) -> Result<CK_SESSION_HANDLE, CK_RV> {
        let place = match self.free.pop() {
            Some(place) => place,
            None if self.sessions.len() < MAX_SESSIONS => {
                self.sessions.push(None);
                self.sessions.len() - 1
            }
            None => return Err(CKR_SESSION_COUNT),
        };
        // Never 0, which is no handle.
        self.opened = self.opened % (CK_ULONG::MAX >> PLACE_BITS) + 1;
        let handle = self.opened << PLACE_BITS | place as CK_ULONG;
        self.sessions[place] = Some(Open { handle, writes });
        Ok(handle)
    }

    /// Closes a session and destroys its objects; with the last one, the login ends.
    fn close_session(&mut self, handle: CK_SESSION_HANDLE) -> Result<(), CK_RV> {
        self.open(handle)?;
        self.sessions[place_of(handle)] = None;
        self.free.push(place_of(handle));
        self.objects.retain(|_, object| object.owner != handle);
        self.logged_in &= self.sessions.iter().any(Option::is_some);
        Ok(())
    }

    /// The handles of all that are open.
    fn handles(&self) -> Vec<CK_SESSION_HANDLE> {
        self.sessions.iter().flatten().map(|open| open.handle).collect()
    }

    /// How many sessions are open, and how many of them may write.
    pub fn counts(&self) -> (usize, usize) {
        let open = || self.sessions.iter().flatten();
        (open().count(), open().filter(|open| open.writes).count())
    }

    /// Ends the login, destroys private objects.
    fn logout(&mut self) -> Result<Vec<CK_SESSION_HANDLE>, CK_RV> {
        if !self.logged_in {
            return Err(CKR_USER_NOT_LOGGED_IN);
        }
        self.logged_in = false;
        self.objects.retain(|_, object| !object.is_private());
        Ok(self.handles())
    }

    /// Keeps an object: its handle.
    pub fn insert(&mut self, object: Key) -> CK_OBJECT_HANDLE {
        self.made += 1;
        self.objects.insert(self.made, Arc::new(object));
        self.made
    }

    /// An object that the application may see.
    pub fn object(&self, handle: CK_OBJECT_HANDLE) -> Result<&Arc<Key>, CK_RV> {
        let object = self.objects.get(&handle).ok_or(CKR_OBJECT_HANDLE_INVALID)?;
        if object.is_private() && !self.logged_in {
            return Err(CKR_OBJECT_HANDLE_INVALID);
        }
        Ok(object)
    }

    /// Puts an object in another's place.
    pub fn replace(&mut self, handle: CK_OBJECT_HANDLE, object: Key) {
        self.objects.insert(handle, Arc::new(object));
    }

    /// Destroys an object.
    pub fn remove(&mut self, handle: CK_OBJECT_HANDLE) {
        self.objects.remove(&handle);
    }

    /// The objects that the application may see.
    pub fn objects(&self) -> impl Iterator<Item = (CK_OBJECT_HANDLE, &Key)> {
        let seen = |object: &Key| !object.is_private() || self.logged_in;
        self.objects
            .iter()
            .filter(move |(_, object)| seen(object))
            .map(|(&handle, object)| (handle, &**object))
    }
}

/// What a process shares. Places outlive the library that has sessions in them: a thread finds
/// its session's without asking whether there is one.
struct Shared {
    library: RwLock<Option<Library>>,
    places: &'static [Room],
}

/// In the process that loaded us. Zeros take no memory until a session is put there.
static PLACES: [Room; MAX_SESSIONS] = [const { Room(Mutex::new(None)) }; _];
static FIRST: Shared = Shared { library: RwLock::new(None), places: &PLACES };

/// This process's; null in a child after a fork, until it calls. The parent's, of which the
/// child has a copy, may be locked there for ever, by threads that only the parent has.
static HERE: AtomicPtr<Shared> = AtomicPtr::new((&raw const FIRST).cast_mut());

fn shared() -> &'static Shared {
    // SAFETY: what is not null is a static, or was leaked, and is there for ever.
    unsafe { HERE.load(Ordering::Acquire).as_ref() }.unwrap_or_else(a_childs_own)
}

/// A child's own, which is there for as long as the child.
#[cold]
fn a_childs_own() -> &'static Shared {
    let places: Vec<Room> = repeat_with(Room::default).take(MAX_SESSIONS).collect();
    let shared = Box::new(Shared { library: RwLock::new(None), places: places.leak() });
    let own: *mut Shared = Box::leak(shared);
    // That of a thread which comes second nobody uses.
    let exchanged = HERE.compare_exchange(null_mut(), own, Ordering::AcqRel, Ordering::Acquire);
    let here = exchanged.err().unwrap_or(own);
    // SAFETY: either was leaked, here or by another thread.
    unsafe { &*here }
}

extern "C" fn forked() {
    // Nothing is initialised in a child, PKCS #11 §5.4 (C_Initialize).
    HERE.store(null_mut(), Ordering::Release);
}

unsafe extern "C" {
    /// POSIX's: what to call before a fork, and after it in both processes.
    fn pthread_atfork(
        before: Option<extern "C" fn()>,
        in_parent: Option<extern "C" fn()>,
        in_child: Option<extern "C" fn()>,
    ) -> c_int;
}

/// Initialises the library. If LANESUM_KERNEL is invalid it fails, and reports why on standard error: no
/// status of PKCS #11 has that cause.
pub fn initialize() -> Result<(), CK_RV> {
    Policy::use_env();
    if let Err(error) = Policy::from_env() {
        let _ = writeln!(std::io::stderr(), "lanesum: LANESUM_KERNEL: {error}");
        return Err(CKR_GENERAL_ERROR);
    }
    static AT_FORK: Once = Once::new();
    // SAFETY: the function is there as long as the library, which is never unloaded
    // while it is initialised; without memory for it, a child sees its parent's.
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

/// Ends: all sessions and objects are gone.
pub fn finalize() -> Result<(), CK_RV> {
    let shared = shared();
    let mut library = shared.library.write().unwrap_or_else(PoisonError::into_inner);
    let ended = library.take().ok_or(CKR_CRYPTOKI_NOT_INITIALIZED)?;
    ended.handles().into_iter().for_each(clear);
    Ok(())
}

/// Looks at what is shared, beside others who look.
pub fn read<T>(look: impl FnOnce(&Library) -> Result<T, CK_RV>) -> Result<T, CK_RV> {
    let library = shared().library.read().unwrap_or_else(PoisonError::into_inner);
    look(library.as_ref().ok_or(CKR_CRYPTOKI_NOT_INITIALIZED)?)
}

/// An object that a session's application may see.
pub fn object_of(session: CK_SESSION_HANDLE, object: CK_OBJECT_HANDLE) -> Result<Arc<Key>, CK_RV> {
    read(|library| {
        library.session(session)?;
        library.object(object).cloned()
    })
}

/// A key for use in a session, if there is that session. It is asked for before the session is
/// locked, as whoever has one waits for nothing shared; that there is no such key may not be the
/// first thing to say.
pub fn key_of(
    session: CK_SESSION_HANDLE,
    key: CK_OBJECT_HANDLE,
) -> Result<Result<Arc<Key>, CK_RV>, CK_RV> {
    read(|library| {
        library.session(session)?;
        Ok(library.object(key).cloned().map_err(|_| CKR_KEY_HANDLE_INVALID))
    })
}

/// Changes what is shared, alone.
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

/// Closes a session. A thread that works in it is waited for, and nobody else.
pub fn close_session(handle: CK_SESSION_HANDLE) -> Result<(), CK_RV> {
    write(|library| library.close_session(handle))?;
    clear(handle);
    Ok(())
}

/// Closes all of them.
pub fn close_all() -> Result<(), CK_RV> {
    let handles = write(|library| {
        let handles = library.handles();
        handles.iter().try_for_each(|&handle| library.close_session(handle))?;
        Ok(handles)
    })?;
    handles.into_iter().for_each(clear);
    Ok(())
}

/// Ends the login: private objects are gone, and so are all sessions' operations.
pub fn logout() -> Result<(), CK_RV> {
    for handle in write(Library::logout)? {
        // One that was closed since has none.
        let _ = within(handle, |session| {
            *session = Session::default();
            Ok(())
        });
    }
    Ok(())
}

/// Works in a session, alone: of threads that use the same, each waits its turn.
/// Nothing shared is locked meanwhile, nor may `work` lock it.
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

/// Takes a session from its place, if it is still there.
fn clear(handle: CK_SESSION_HANDLE) {
    let mut place = lock(&shared().places[place_of(handle)].0);
    if place.as_ref().is_some_and(|open| open.0 == handle) {
        *place = None;
    }
}

/// What is locked, though a call may have panicked there: it was told so.
fn lock<T>(locked: &Mutex<T>) -> MutexGuard<'_, T> {
    locked.lock().unwrap_or_else(PoisonError::into_inner)
}
