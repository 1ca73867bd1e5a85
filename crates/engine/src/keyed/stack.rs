//! Overwrites the copies of secrets that calls leave on the stack and in registers.
//!
//! A value that is moved, spilled or read by vectors leaves copies in stack frames that no
//! destructor knows of. So a call that has a key in its hands is run by [`below`], which overwrites
//! the stack under its caller once it has ended, as far down as such a call goes, and the registers.
//! Who calls one such call from another does the same for the frames between, and for those alone.

use core::mem::MaybeUninit;

use crate::base::{clear_bytes, clear_registers};
use crate::run::One;

/// How far down the stack a call writes, at most. `tests/all/secrets` looks at what calls of each
/// kind leave there, on every kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// The frames of a door of C, down to the engine's.
    Call,
    /// Those of a door to a framework; or a key copied.
    Door,
    /// One message under a key that is ready, on a kernel for one message of 32-bit words.
    Short,
    /// The same through a door of C.
    ShortCall,
    /// One message, or a key made ready, on a kernel for one message.
    One,
    /// The same through a door of C.
    OneCall,
    /// The same on a kernel of many lanes, which a policy has forced.
    Lanes,
    /// Short messages on kernels of two lanes of 32-bit words.
    Pairs,
    /// The same on kernels of four.
    Few,
    /// As many short messages as there are lanes at most.
    Group,
    /// Many messages in lanes.
    Batch,
    /// Many keys derived in lanes.
    Keys,
}

impl Depth {
    /// That of a call for one message on the kernel `one`.
    #[inline]
    pub(super) fn of_one(one: One) -> Self {
        if one.is_single() { Self::One } else { Self::Lanes }
    }

    /// The same of a call through a door of C, whose frames lie above the engine's.
    #[inline]
    pub(crate) fn through_a_door(self) -> Self {
        match self {
            Self::Short => Self::ShortCall,
            Self::One => Self::OneCall,
            deeper => deeper,
        }
    }
}

/// Runs `call`, and overwrites what it left in registers and on the stack below the caller.
///
/// What the call returns is the caller's, and so is what the call owned: secrets come by reference.
#[inline(always)]
pub fn below<R>(depth: Depth, call: impl FnOnce() -> R) -> R {
    // Dropped once the result is where the caller wants it: a variable of its own here would stay
    // behind when it is moved there.
    let _after = After(depth);
    apart(call)
}

/// The same for a call that finds out itself how far down it goes, before it does: until it says so,
/// that is [`Depth::Call`].
#[inline(always)]
pub fn below_as_said<R>(call: impl FnOnce(&mut Depth) -> R) -> R {
    let mut after = After(Depth::Call);
    let depth = &mut after.0;
    apart(move || call(depth))
}

/// What is overwritten when it is dropped.
struct After(Depth);

impl Drop for After {
    #[inline(always)]
    fn drop(&mut self) {
        match self.0 {
            Depth::Call => overwrite::<{ 1 << 10 }>(),
            Depth::Door | Depth::Short => overwrite::<{ 2 << 10 }>(),
            Depth::ShortCall => overwrite::<{ 3 << 10 }>(),
            Depth::One => overwrite::<{ 4 << 10 }>(),
            Depth::OneCall => overwrite::<{ 5 << 10 }>(),
            Depth::Lanes => overwrite::<{ 16 << 10 }>(),
            Depth::Pairs => overwrite::<{ 8 << 10 }>(),
            Depth::Few => overwrite::<{ 20 << 10 }>(),
            Depth::Group => overwrite::<{ 24 << 10 }>(),
            Depth::Batch => overwrite::<{ 48 << 10 }>(),
            Depth::Keys => overwrite::<{ 88 << 10 }>(),
        }
        clear_registers();
    }
}

/// Runs `call` in frames of its own, which begin where those of [`overwrite`] do.
#[inline(never)]
fn apart<R>(call: impl FnOnce() -> R) -> R {
    call()
}

/// Overwrites so many bytes of the stack below the caller.
#[inline(never)]
fn overwrite<const BYTES: usize>() {
    clear_bytes(&mut [const { MaybeUninit::uninit() }; BYTES]);
}
