//! Policies: the allowed kernels and their assumed costs.

use core::fmt;

use lanesum_spec::{Algorithm, Family};

use super::costs::{self, CostsFault};
use super::plan::{Candidate, Plan};
use super::process::PerFamily;
use super::trial::{Clock, default_clock};
use crate::kernel::{CoreIndex, KERNEL_COUNT, Kernel, KernelSet, Tier};

/// The allowed kernels and their assumed costs. Digests do not depend on it.
///
/// [`automatic`](Self::automatic) suits nearly every program.
#[derive(Clone)]
pub struct Policy {
    /// The cost of a block in every lane, in tenths of a cycle; `None`: not allowed.
    costs: [[Option<u32>; Family::ALL.len()]; KERNEL_COUNT],
    core: CoreIndex,
    /// A clock for long runs, in nanoseconds since an arbitrary start.
    clock: Option<fn() -> u64>,
    /// Whether timing results are shared across the process.
    shared: bool,
    /// Whether an algorithm without an allowed kernel may use every kernel.
    yields: bool,
}

impl Policy {
    /// Allows every kernel, at its built-in measured cost.
    pub(super) fn all() -> Self {
        let core = CoreIndex::detect();
        let mut policy = Self {
            costs: [[None; _]; _],
            core,
            clock: default_clock(),
            shared: true,
            yields: false,
        };
        for kernel in Kernel::all() {
            for family in Family::ALL {
                policy.costs[kernel.index()][family as usize] = kernel.cost(family, core);
            }
        }
        policy
    }

    /// Falls back to all kernels for algorithms without an allowed kernel, for calls that cannot fail.
    #[cfg(feature = "std")]
    pub(super) fn yielding(self) -> Self {
        Self { yields: true, ..self }
    }

    /// Allows only `kernel`. Algorithms that it does not support cannot run: see
    /// [`check`](Self::check).
    pub fn fixed(kernel: Kernel) -> Self {
        Self::all().keep(|other| other == kernel)
    }

    /// Keeps only the kernels that satisfy `keep`.
    fn keep(mut self, keep: impl Fn(Kernel) -> bool) -> Self {
        self.shared = false;
        for kernel in Kernel::all().filter(|&kernel| !keep(kernel)) {
            self.costs[kernel.index()] = [None; _];
        }
        self
    }

    /// Sets the assumed cost of one block in each lane of `kernel` to `cost` tenths of a cycle. Only the
    /// ratio to other kernels' costs matters. Has no effect if `kernel` does not support `algorithm`.
    #[must_use]
    pub fn with_cost(mut self, kernel: Kernel, algorithm: Algorithm, cost: u32) -> Self {
        self.shared = false;
        if kernel.supports(algorithm) {
            self.costs[kernel.index()][algorithm.family() as usize] = Some(cost.max(1));
        }
        self
    }

    /// Replaces the assumed costs of allowed kernels by those in `text`, the contents of a file that
    /// `lanesum tune` has written on this CPU. Unknown kernels and families are ignored, because `text` may come
    /// from another version of Lanesum.
    ///
    /// # Errors
    ///
    /// If `text` is not a costs file, has a malformed line or a cost that is 0 or absurd, or was measured on another
    /// CPU.
    ///
    /// ```
    /// use lanesum::Policy;
    ///
    /// let error = Policy::automatic().with_costs("portable_x1 sha256 0").unwrap_err();
    /// assert!(error.to_string().contains("is not a costs file"));
    /// ```
    pub fn with_costs(mut self, text: &str) -> Result<Self, PolicyError> {
        self.shared = false;
        costs::parse(text, |kernel, family, cost| {
            if let Some(assumed) = &mut self.costs[kernel.index()][family as usize] {
                *assumed = cost;
            }
        })?;
        Ok(self)
    }

    /// Replaces the clock for long runs (nanoseconds since an arbitrary start). `None` disables timing.
    pub(crate) fn with_clock(mut self, clock: Option<fn() -> u64>) -> Self {
        self.shared = false;
        self.clock = clock;
        self
    }

    /// Parses a policy: a comma-separated list of
    /// - kernels, such as `sse2_x4`: only this kernel is allowed;
    /// - tiers, such as `avx2`: kernels of this tier and lower ones are allowed;
    /// - excluded tiers, such as `-avx512`.
    ///
    /// # Errors
    ///
    /// If `words` names an unknown kernel or tier, or one that cannot run here, or leaves no kernel.
    pub fn parse(words: &str) -> Result<Self, PolicyError> {
        let mut policy = Self::all();
        for word in words.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let tier = |name| Tier::ALL.into_iter().find(|tier| tier.name() == name);
            if let Some(left_out) = word.strip_prefix('-') {
                let tier = tier(left_out).ok_or_else(|| PolicyError::unknown(word))?;
                policy = policy.keep(|kernel| kernel.tier() != tier);
            } else if let Some(cap) = tier(word) {
                if !Kernel::all().any(|kernel| kernel.tier() == cap) {
                    return Err(PolicyError::absent(word, |_, tier| tier == cap));
                }
                policy = policy.keep(|kernel| cap.includes(kernel.tier()));
            } else if let Some(only) = Kernel::all().find(|kernel| kernel.name() == word) {
                policy = policy.keep(|kernel| kernel == only);
            } else if Kernel::table().any(|kernel| kernel.err() == Some(word)) {
                return Err(PolicyError::absent(word, |name, _| name == word));
            } else {
                return Err(PolicyError::unknown(word));
            }
        }
        if policy.costs.iter().flatten().all(Option::is_none) {
            return Err(PolicyError { word: Word::new(words), reason: Reason::NothingLeft });
        }
        Ok(policy)
    }

    /// Checks whether [`engine`](Self::engine) would succeed for `algorithm`. Faster than creating the
    /// engine.
    ///
    /// # Errors
    ///
    /// Fails if `engine` would.
    pub fn check(&self, algorithm: Algorithm) -> Result<(), PolicyError> {
        self.for_one(algorithm).map(|_| ())
    }

    /// Returns the kernels that may run `algorithm`, widest first: supported, allowed, and correct
    /// on a known-answer test.
    pub fn kernels(&self, algorithm: Algorithm) -> impl Iterator<Item = Kernel> + '_ {
        self.candidates(algorithm).map(|candidate| candidate.kernel)
    }

    fn candidates(&self, algorithm: Algorithm) -> impl Iterator<Item = Candidate> + '_ {
        let family = algorithm.family();
        self.untried(algorithm).filter(move |candidate| candidate.kernel.is_sound(family))
    }

    /// Returns the candidates without running their known-answer tests.
    fn untried(&self, algorithm: Algorithm) -> impl Iterator<Item = Candidate> + '_ {
        let family = algorithm.family();
        let of = move |own: bool| {
            let cost = move |kernel: Kernel| match own {
                true => self.costs[kernel.index()][family as usize],
                false => kernel.cost(family, self.core),
            };
            Kernel::all().filter_map(move |kernel| {
                let digests_blocks = kernel.digests_blocks(family);
                Some(Candidate { kernel, cost: cost(kernel)?, digests_blocks })
            })
        };
        let own = !self.yields || of(true).any(move |candidate| candidate.kernel.is_sound(family));
        of(own)
    }

    /// The cheapest kernel for one message, with its cost. No costlier kernel is tested: testing the wide ones
    /// takes longer than hashing a short message.
    pub(super) fn for_one(&self, algorithm: Algorithm) -> Result<Candidate, PolicyError> {
        let mut wrong = KernelSet::default();
        loop {
            let left = self.untried(algorithm).filter(|c| !wrong.contains(c.kernel));
            let cheapest = left.min_by_key(|candidate| candidate.cost);
            let cheapest = cheapest.ok_or(PolicyError::no_kernel(algorithm))?;
            if cheapest.kernel.is_sound(algorithm.family()) {
                return Ok(cheapest);
            }
            wrong.insert(cheapest.kernel);
        }
    }

    /// A plan with the cheapest kernel for one message and no other.
    pub(super) fn plan_for_one(&self, algorithm: Algorithm) -> Result<Plan, PolicyError> {
        let mut candidates = [None; KERNEL_COUNT];
        candidates[0] = Some(self.for_one(algorithm)?);
        Plan::new(&candidates).ok_or(PolicyError::no_kernel(algorithm))
    }

    /// Computes the plan for `algorithm`. Kernels that the plan does not run are not tested: testing takes a
    /// considerable part of a short run.
    pub(super) fn plan(&self, algorithm: Algorithm) -> Result<Plan, PolicyError> {
        let mut wrong = KernelSet::default();
        loop {
            let mut candidates = [None; KERNEL_COUNT];
            let left = self.untried(algorithm).filter(|c| !wrong.contains(c.kernel));
            candidates.iter_mut().zip(left).for_each(|(to, candidate)| *to = Some(candidate));
            let plan = Plan::new(&candidates).ok_or(PolicyError::no_kernel(algorithm))?;
            let unsound = plan.kernels().find(|kernel| !kernel.is_sound(algorithm.family()));
            match unsound {
                Some(kernel) => wrong.insert(kernel),
                None => return Ok(plan),
            }
        }
    }

    /// Returns the clock for long runs of `algorithm`, with the shared results if the policy shares them.
    pub(super) fn clock(&self, algorithm: Algorithm) -> Clock {
        let learned = || PerFamily::of(algorithm.family()).learned();
        Clock::new(self.clock, self.shared.then(learned).flatten())
    }
}

impl fmt::Debug for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let costs = &self.costs;
        let allowed = Kernel::all().filter(|b| costs[b.index()].iter().any(Option::is_some));
        f.debug_set().entries(allowed).finish()
    }
}

/// A part of a user's input, for an error message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Word {
    bytes: [u8; Self::MAX],
    len: u8,
}

impl Word {
    const MAX: usize = 32;

    /// The beginning of `word`.
    fn new(word: &str) -> Self {
        let mut end = word.len().min(Self::MAX);
        while !word.is_char_boundary(end) {
            end -= 1;
        }
        let mut bytes = [0; Self::MAX];
        bytes[..end].copy_from_slice(&word.as_bytes()[..end]);
        Self { bytes, len: end as u8 }
    }

    /// The path, or its end, which distinguishes files.
    #[cfg(feature = "std")]
    fn path(path: &str) -> Self {
        const OMITTED: &str = "…";

        if path.len() <= Self::MAX {
            return Self::new(path);
        }
        let mut start = path.len() - (Self::MAX - OMITTED.len());
        while !path.is_char_boundary(start) {
            start += 1;
        }
        Self::new(&format!("{OMITTED}{}", &path[start..]))
    }

    fn as_str(&self) -> &str {
        str::from_utf8(&self.bytes[..self.len.into()]).unwrap_or_default()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    Unknown,
    Absent,
    NotCompiled,
    NothingLeft,
    NoKernel(Algorithm),
    /// The word is the file's path; empty if there is no file.
    Costs(CostsFault),
}

/// An invalid choice of kernels: no kernel or tier has that name, this CPU cannot run it, it is not compiled
/// without optimization, or none is left. The message lists the kernels that can run. Or invalid costs of
/// kernels: see [`Policy::with_costs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolicyError {
    word: Word,
    reason: Reason,
}

impl PolicyError {
    pub(super) fn unknown(word: &str) -> Self {
        Self { word: Word::new(word), reason: Reason::Unknown }
    }

    /// The error for a word that selects the kernels of `is_meant`, if this process can run none of them.
    fn absent(word: &str, is_meant: impl Fn(&str, Tier) -> bool) -> Self {
        let reason = match Kernel::needs_optimization(is_meant) {
            true => Reason::NotCompiled,
            false => Reason::Absent,
        };
        Self { word: Word::new(word), reason }
    }

    fn no_kernel(algorithm: Algorithm) -> Self {
        Self { word: Word::new(algorithm.name()), reason: Reason::NoKernel(algorithm) }
    }

    /// Sets the path of the file that an error about costs names.
    #[cfg(feature = "std")]
    pub(super) fn in_file(self, path: &str) -> Self {
        Self { word: Word::path(path), ..self }
    }

    /// The environment variable whose value is invalid, if [`Policy::from_env`] returned this error:
    /// `LANESUM_KERNEL` or `LANESUM_COSTS`.
    pub fn variable(&self) -> &'static str {
        match self.reason {
            Reason::Costs(_) => "LANESUM_COSTS",
            _ => "LANESUM_KERNEL",
        }
    }
}

impl From<CostsFault> for PolicyError {
    fn from(fault: CostsFault) -> Self {
        Self { word: Word::new(""), reason: Reason::Costs(fault) }
    }
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = self.word.as_str();
        match self.reason {
            Reason::Unknown => write!(f, "there is no kernel or tier '{word}'")?,
            Reason::Absent => write!(f, "this CPU cannot run '{word}'")?,
            Reason::NotCompiled => write!(
                f,
                "'{word}' is available only in optimized builds: set opt-level = 3 for the package lanesum"
            )?,
            Reason::NothingLeft => write!(f, "'{word}' leaves no kernel")?,
            Reason::NoKernel(algorithm) => write!(f, "no allowed kernel has {algorithm}")?,
            Reason::Costs(fault) => return fault.message(word, f),
        }
        let fits = |kernel: &Kernel| match self.reason {
            Reason::NoKernel(algorithm) => kernel.supports(algorithm),
            _ => true,
        };
        f.write_str("; available kernels: ")?;
        for (i, kernel) in Kernel::all().filter(fits).enumerate() {
            write!(f, "{}{kernel}", if i == 0 { "" } else { ", " })?;
        }
        if !matches!(self.reason, Reason::NoKernel(_)) {
            f.write_str("; available tiers: ")?;
            let here = |tier: &Tier| Kernel::all().any(|kernel| kernel.tier() == *tier);
            for (i, tier) in Tier::ALL.into_iter().filter(here).enumerate() {
                write!(f, "{}{}", if i == 0 { "" } else { ", " }, tier.name())?;
            }
            f.write_str("; prefix a tier with '-' to exclude it")?;
        }
        Ok(())
    }
}

impl core::error::Error for PolicyError {}
