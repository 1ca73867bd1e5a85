//! An engine: an algorithm with its kernels and thread count, the first argument of every call.

use core::fmt;
use core::ops::Deref;

use lanesum_spec::Algorithm;

use super::plan::Plan;
use super::policy::{Policy, PolicyError};
use super::process::PerFamily;
use super::shape::Shape;
use super::trial::{Clock, Steps};
use crate::kernel::{Kernel, One, Watcher};
use crate::words::MAX_LANES;

/// An algorithm, the kernels that run it, and the number of threads that share a batch.
///
/// Most programs do not need one: passing an [`Algorithm`] selects the automatic engine, which is
/// computed once per process. [`Policy::engine`] creates an engine and rejects configurations that
/// cannot run, so calls with an engine never fail because of a missing kernel.
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
    /// Creates the engine for `algorithm` from the allowed kernels.
    ///
    /// # Errors
    ///
    /// If no allowed kernel supports the algorithm. The message lists the kernels that can run it.
    pub fn engine(&self, algorithm: Algorithm) -> Result<Engine, PolicyError> {
        let plan = self.plan(algorithm)?;
        Ok(Engine { algorithm, plan, clock: self.clock(algorithm), threads: 1 })
    }

    /// Creates an engine for one message at a time, with only the kernel that [`engine`](Self::engine) uses
    /// for one message.
    ///
    /// Much cheaper than `engine`, because the wide kernels are not tested. Use it in a process that hashes
    /// a single message.
    ///
    /// # Errors
    ///
    /// If no allowed kernel supports the algorithm. The message lists the kernels that can run it.
    pub fn engine_for_one(&self, algorithm: Algorithm) -> Result<Engine, PolicyError> {
        let plan = self.plan_for_one(algorithm)?;
        Ok(Engine { algorithm, plan, clock: self.clock(algorithm), threads: 1 })
    }
}

impl Engine {
    /// Returns the automatic engine for `algorithm`, which calls use when passed only the algorithm.
    pub fn new(algorithm: Algorithm) -> Self {
        let plan = Plan::clone(&automatic_plan(algorithm));
        Self { algorithm, plan, clock: Clock::automatic(algorithm.family()), threads: 1 }
    }

    /// Sets the maximum number of rayon threads that share a batch; 0 means all of them. The default is 1, the
    /// calling thread.
    #[cfg(feature = "rayon")]
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Returns the algorithm.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Returns the number of messages hashed in parallel when enough are available.
    pub fn lanes(&self) -> usize {
        self.plan.lanes()
    }

    /// Returns the kernel for a step with `live` messages. If the step takes several calls, it is
    /// the kernel of the first call.
    ///
    /// # Panics
    ///
    /// If `live` is 0 or more than 32.
    #[track_caller]
    pub fn kernel(&self, live: usize) -> Kernel {
        assert!(
            (1..=MAX_LANES).contains(&live),
            "live is {live}; it must be from 1 to {MAX_LANES}"
        );
        self.plan.chosen(live)
    }

    /// Creates a run that owns the engine's plan.
    pub(crate) fn into_steps(self) -> Steps<Plan> {
        Steps::new(self.plan, self.clock)
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

/// Selects how to hash: an [`Algorithm`] (its automatic engine), an [`Engine`], or a reference to either.
/// This trait is sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` selects no hash algorithm",
    note = "the first argument is an `Algorithm`, such as `Algorithm::SHA256`, or an `Engine`"
)]
pub trait AsEngine {
    #[doc(hidden)]
    fn choice(&self) -> Selected<'_>;

    /// Returns the engine; for an algorithm, its automatic engine.
    fn to_engine(&self) -> Engine {
        let choice = self.choice();
        choice.engine.cloned().unwrap_or_else(|| Engine::new(choice.algorithm))
    }
}

impl AsEngine for Algorithm {
    #[inline]
    fn choice(&self) -> Selected<'_> {
        Selected { algorithm: *self, engine: None }
    }
}

impl AsEngine for Engine {
    #[inline]
    fn choice(&self) -> Selected<'_> {
        Selected { algorithm: self.algorithm, engine: Some(self) }
    }
}

impl<E: AsEngine + ?Sized> AsEngine for &E {
    #[inline]
    fn choice(&self) -> Selected<'_> {
        (**self).choice()
    }
}

impl AsEngine for Selected<'_> {
    #[inline]
    fn choice(&self) -> Selected<'_> {
        *self
    }
}

/// The resolved argument of a call: the algorithm, and the engine if one was passed. Only
/// [`unstable`](crate::unstable) exports the type, which seals [`AsEngine`].
#[derive(Clone, Copy)]
pub struct Selected<'e> {
    algorithm: Algorithm,
    /// `None` selects the automatic engine.
    engine: Option<&'e Engine>,
}

impl Selected<'_> {
    /// Selects the automatic engine for `algorithm`.
    #[inline]
    pub(crate) fn automatic(algorithm: Algorithm) -> Self {
        Self { algorithm, engine: None }
    }

    #[inline]
    pub(crate) fn algorithm(self) -> Algorithm {
        self.algorithm
    }

    /// Whether the plan is cached, so that accessing it is cheap.
    pub(crate) fn has_cached_plan(self) -> bool {
        self.engine.is_some() || cfg!(feature = "std")
    }

    #[inline]
    fn record(self) -> &'static PerFamily {
        PerFamily::of(self.algorithm.family())
    }

    /// The number of threads that share a batch; 0 means all.
    #[cfg(feature = "rayon")]
    pub(crate) fn threads(self) -> usize {
        self.engine.map_or(1, |engine| engine.threads)
    }

    /// Returns the kernel for one message.
    #[inline]
    pub(crate) fn one(self) -> One {
        let family = self.algorithm.family();
        match self.engine {
            None => self.record().one(family, || select_for_one(self.algorithm)),
            Some(engine) => One::new(engine.plan.chosen(1), family),
        }
    }

    /// Whether computing the tags one message at a time is at least as fast as in lanes.
    #[inline]
    pub(crate) fn is_faster_one_by_one_for_tags(self, shape: &Shape) -> bool {
        match self.engine {
            // Computing a plan that is not cached takes longer than it saves.
            None if !self.has_cached_plan() => false,
            None => automatic_plan(self.algorithm).is_faster_one_by_one_for_tags(shape),
            Some(engine) => engine.plan.is_faster_one_by_one_for_tags(shape),
        }
    }

    /// Returns the best allowed kernel with SHA-1 collision detection.
    pub(crate) fn watcher(self) -> Watcher {
        match self.engine {
            None => {
                let allowed = || Watcher::of(automatic_plan(self.algorithm).allowed());
                self.record().watcher(|| self.one(), allowed)
            }
            Some(engine) => Watcher::of(engine.plan.allowed()).with_one(self.one()),
        }
    }

    /// Calls `run` with a run of the plan.
    #[inline]
    pub(crate) fn with_steps<R>(self, run: impl FnOnce(Steps<&Plan>) -> R) -> R {
        self.with_plan(|plan, clock| run(Steps::new(plan, clock)))
    }

    /// Calls `run` with the plan and the clock of a run. Unlike a run, they are passed in registers.
    #[inline]
    pub(crate) fn with_plan<R>(self, run: impl FnOnce(&Plan, Clock) -> R) -> R {
        match self.engine {
            None => {
                let plan = automatic_plan(self.algorithm);
                run(&plan, Clock::automatic(self.algorithm.family()))
            }
            Some(engine) => run(&engine.plan, engine.clock),
        }
    }
}

/// Returns the automatic policy's plan.
#[inline]
fn automatic_plan(algorithm: Algorithm) -> impl Deref<Target = Plan> {
    PerFamily::of(algorithm.family()).plan(|| compute_plan(algorithm))
}

/// Not inlined: callers with a key overwrite the stack below their own frame, and inlining this would leave more of it
/// intact.
#[cold]
#[inline(never)]
fn compute_plan(algorithm: Algorithm) -> Plan {
    // The automatic policy allows all kernels if the environment leaves none, and every build
    // has portable kernels.
    Policy::automatic().plan(algorithm).expect("a kernel for every algorithm")
}

/// Not inlined: callers with a key overwrite the stack below their own frame, and inlining this would leave more of it
/// intact.
#[cold]
#[inline(never)]
fn select_for_one(algorithm: Algorithm) -> Kernel {
    // As in `compute_plan`.
    Policy::automatic().for_one(algorithm).expect("a kernel for every algorithm").kernel
}
