//! An engine: an algorithm with the kernels and threads that run it. Every call takes one, or
//! an algorithm, first.

use core::fmt;
use core::sync::atomic::{AtomicU8, Ordering};

use lanesum_spec::Algorithm;

use super::environment::{automatic_plan, for_one};
use super::plan::{Plan, Shape};
use super::policy::{Policy, PolicyError};
use super::trial::{Clock, Turns};
use crate::kernel::{Kernel, Select, Single, Watcher};
use crate::words::MAX_LANES;

/// An algorithm, the kernels that run it, and how many threads share a batch.
///
/// Most programs have no need of one: where a call takes an engine, an [`Algorithm`] is
/// enough and means the automatic engine, found once in a process. An engine is made by
/// [`Policy::engine`], which is where a choice that cannot be is refused; no call that is
/// given one can fail for want of a kernel.
///
/// ```
/// use lanesum::{Algorithm, Policy, hash, hash_many};
///
/// let engine = Policy::parse("portable")?.engine(Algorithm::SHA256)?;
/// assert_eq!(hash(&engine, b"abc"), hash(Algorithm::SHA256, b"abc"));
///
/// let mut digests = [[0; 32]; 2];
/// hash_many(&engine, &["first", "second"], &mut digests);
/// # Ok::<(), lanesum::PolicyError>(())
/// ```
#[derive(Clone)]
pub struct Engine {
    algorithm: Algorithm,
    plan: Plan,
    clock: Clock,
    threads: usize,
}

impl Policy {
    /// The engine for `algorithm` by what the policy allows.
    ///
    /// # Errors
    ///
    /// If the policy leaves no kernel for the algorithm; the message lists those that there
    /// are for it.
    pub fn engine(&self, algorithm: Algorithm) -> Result<Engine, PolicyError> {
        let plan = self.plan(algorithm)?;
        Ok(Engine { algorithm, plan, clock: self.clock(algorithm), threads: 1 })
    }

    /// The engine for one message at a time, with the kernel that [`engine`](Self::engine) uses for one
    /// message and no other.
    ///
    /// Creating it is much cheaper, because the wide kernels are not tested. Use it in a process that hashes
    /// a single message.
    ///
    /// # Errors
    ///
    /// Returns an error under the same conditions as [`engine`](Self::engine).
    pub fn engine_for_one(&self, algorithm: Algorithm) -> Result<Engine, PolicyError> {
        let plan = self.plan_for_one(algorithm)?;
        Ok(Engine { algorithm, plan, clock: self.clock(algorithm), threads: 1 })
    }
}

impl Engine {
    /// The automatic engine for `algorithm`: the one that calls use which are given the
    /// algorithm alone.
    pub fn new(algorithm: Algorithm) -> Self {
        let plan = Plan::clone(&automatic_plan(algorithm));
        Self { algorithm, plan, clock: Clock::automatic(algorithm.family()), threads: 1 }
    }

    /// The same engine, with batches shared by at most `threads` of rayon's threads; 0 means all
    /// of them. An engine begins with 1, the thread that calls.
    #[cfg(feature = "rayon")]
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// The algorithm.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// How many messages are hashed side by side when there are enough.
    pub fn lanes(&self) -> usize {
        self.plan.lanes()
    }

    /// The kernel for a turn with `live` messages. If the turn takes more than one call, it is
    /// the kernel of the first.
    ///
    /// # Panics
    ///
    /// If `live` is 0 or more than 32.
    #[track_caller]
    pub fn kernel(&self, live: usize) -> Kernel {
        assert!(
            (1..=MAX_LANES).contains(&live),
            "a kernel for 1 to {MAX_LANES} messages, not {live}"
        );
        self.plan.chosen(live)
    }

    /// Turns by its plan, as many as there may be.
    pub(crate) fn into_turns(self) -> Turns<Plan> {
        Turns::new(self.plan, self.clock)
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine")
            .field("algorithm", &self.algorithm)
            .field("lanes", &self.lanes())
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

/// What says how to hash: an [`Algorithm`], which means its automatic engine, or an
/// [`Engine`] or a reference to one. There are no others.
pub trait AsEngine {
    #[doc(hidden)]
    fn choice(&self) -> Choice<'_>;

    /// The engine itself.
    fn to_engine(&self) -> Engine {
        let choice = self.choice();
        choice.engine.cloned().unwrap_or_else(|| Engine::new(choice.algorithm))
    }
}

impl AsEngine for Algorithm {
    #[inline]
    fn choice(&self) -> Choice<'_> {
        Choice { algorithm: *self, engine: None }
    }
}

impl AsEngine for Engine {
    #[inline]
    fn choice(&self) -> Choice<'_> {
        Choice { algorithm: self.algorithm, engine: Some(self) }
    }
}

impl<E: AsEngine + ?Sized> AsEngine for &E {
    #[inline]
    fn choice(&self) -> Choice<'_> {
        (**self).choice()
    }
}

/// What a call was given: the algorithm, and the engine's kernels or the automatic ones. Its name cannot be said outside, so that nobody else is an
/// [`AsEngine`].
#[derive(Clone, Copy)]
pub struct Choice<'e> {
    algorithm: Algorithm,
    /// None: the automatic one.
    engine: Option<&'e Engine>,
}

impl Choice<'_> {
    /// The automatic choice.
    #[inline]
    pub(crate) fn automatic(algorithm: Algorithm) -> Self {
        Self { algorithm, engine: None }
    }

    #[inline]
    pub(crate) fn algorithm(self) -> Algorithm {
        self.algorithm
    }

    /// Whether the plan is kept, so that to ask for it costs next to nothing.
    pub(crate) fn is_kept(self) -> bool {
        self.engine.is_some() || cfg!(feature = "std")
    }

    /// How many threads share a batch; 0: all.
    #[cfg(feature = "rayon")]
    pub(crate) fn threads(self) -> usize {
        self.engine.map_or(1, |engine| engine.threads)
    }

    /// The kernel for one message.
    #[inline]
    pub(crate) fn for_one(self) -> Kernel {
        match self.engine {
            None => for_one(self.algorithm),
            Some(engine) => engine.plan.chosen(1),
        }
    }

    /// The same, ready to be called; none if it is of more lanes than one.
    #[inline]
    pub(crate) fn single<I: Select>(self) -> Option<Single<I>> {
        let family = self.algorithm.family();
        match self.engine {
            None => Single::kept(family, || for_one(self.algorithm)),
            Some(engine) => Single::with(engine.plan.chosen(1), family),
        }
    }

    /// Whether tags of messages are made no later one by one.
    #[inline]
    pub(crate) fn are_tagged_alone(self, shape: &Shape) -> bool {
        match self.engine {
            // To ask for a plan that is not kept takes longer.
            None if !self.is_kept() => false,
            None => automatic_plan(self.algorithm).are_tagged_alone(shape),
            Some(engine) => engine.plan.are_tagged_alone(shape),
        }
    }

    /// The kernel that looks for collisions of SHA-1, of those that may run.
    pub(crate) fn watcher(self) -> Watcher {
        match self.engine {
            None => {
                /// One more than the place in the table; 0: not yet found.
                static FOUND: AtomicU8 = AtomicU8::new(0);
                let index = FOUND.load(Ordering::Relaxed);
                let kept = index.checked_sub(1).and_then(Kernel::at).and_then(Watcher::with);
                kept.unwrap_or_else(|| {
                    let watcher = Watcher::of(automatic_plan(self.algorithm).allowed());
                    FOUND.store(watcher.index() as u8 + 1, Ordering::Relaxed);
                    watcher
                })
            }
            Some(engine) => Watcher::of(engine.plan.allowed()),
        }
    }

    /// Runs a call by its plan.
    #[inline]
    pub(crate) fn with_turns<R>(self, run: impl FnOnce(Turns<&Plan>) -> R) -> R {
        match self.engine {
            None => {
                let plan = automatic_plan(self.algorithm);
                run(Turns::new(&*plan, Clock::automatic(self.algorithm.family())))
            }
            Some(engine) => run(Turns::new(&engine.plan, engine.clock)),
        }
    }
}
