//! Results about kernels that are cached for the whole process.

use core::sync::atomic::{AtomicU8, Ordering};

use lanesum_spec::Family;

use super::{KERNEL_COUNT, Kernel};

/// The results of a kernel's known-answer tests.
pub(super) struct Tested {
    pub(super) families: [KnownAnswer; Family::ALL.len()],
    /// Screening for blocks of collision attacks.
    pub(super) screening: KnownAnswer,
}

/// The tests of each kernel of the table.
static TESTED: [Tested; KERNEL_COUNT] = [const {
    Tested { families: [const { KnownAnswer::new() }; _], screening: KnownAnswer::new() }
}; _];

impl Tested {
    pub(super) fn of(kernel: Kernel) -> &'static Self {
        &TESTED[kernel.index()]
    }
}

/// The result of a known-answer test.
pub(super) struct KnownAnswer(AtomicU8);

impl KnownAnswer {
    const UNTRIED: u8 = 0;
    const SOUND: u8 = 1;
    const WRONG: u8 = 2;

    const fn new() -> Self {
        Self(AtomicU8::new(Self::UNTRIED))
    }

    /// Returns the cached result, or that of `test`.
    pub(super) fn is_sound(&self, test: impl FnOnce() -> bool) -> bool {
        match self.0.load(Ordering::Relaxed) {
            Self::UNTRIED => {
                let is_sound = test();
                self.0.store(if is_sound { Self::SOUND } else { Self::WRONG }, Ordering::Relaxed);
                is_sound
            }
            result => result == Self::SOUND,
        }
    }

    #[cfg(test)]
    pub(super) fn is_tried(&self) -> bool {
        self.0.load(Ordering::Relaxed) != Self::UNTRIED
    }

    #[cfg(test)]
    pub(super) fn forget(&self) {
        self.0.store(Self::UNTRIED, Ordering::Relaxed);
    }
}
