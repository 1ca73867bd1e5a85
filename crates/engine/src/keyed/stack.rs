//! Overwrites copies of secrets that calls leave on the stack and in registers.
//!
//! Values that are moved, spilled, or loaded into vectors leave copies in stack frames that no
//! destructor reaches. So [`below`] runs each call that handles a key. After the call it overwrites
//! the stack below its caller, down to the depth that such a call reaches, and the registers.
//! Nested calls wipe only their own frames.

use core::mem::MaybeUninit;

use crate::base::{clear_bytes, clear_registers};
use crate::kernel::One;

/// The maximum stack depth of a kind of call. `tests/all/secrets` inspects the stack after calls of
/// each kind, on every kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// The frames of a C entry point, above the engine's frames.
    Call,
    /// The frames of a framework's entry point, or copying a key.
    Door,
    /// One message under a prepared key, on a kernel for one message of 32-bit words.
    Short,
    /// One message under a prepared key, on a kernel of 32-bit words, through a C entry point.
    ShortCall,
    /// One message, or preparing a key, on a kernel for one message.
    One,
    /// One message, or preparing a key, through a C entry point.
    OneCall,
    /// One message on a multi-lane kernel that a policy forces.
    Lanes,
    /// At most as many short messages as lanes, on kernels with up to two lanes of 32-bit words.
    Pairs,
    /// At most as many short messages as lanes, on kernels with one group of lanes.
    Group,
    /// At most as many short messages as lanes, on any kernel.
    TwoGroups,
    /// Many messages in lanes.
    Batch,
    /// Many keys derived in lanes.
    Keys,
}

impl Depth {
    /// The stack depth of a call for one message on the kernel `one`.
    #[inline]
    pub(super) fn of_one(one: One) -> Self {
        if one.is_single() { Self::One } else { Self::Lanes }
    }

    /// Adds the frames of a C entry point, which are above the engine's.
    #[inline]
    pub(crate) fn through_a_door(self) -> Self {
        match self {
            Self::Short => Self::ShortCall,
            Self::One => Self::OneCall,
            deeper => deeper,
        }
    }
}

/// Runs `call`, then overwrites the registers and the stack below the caller.
///
/// The result and the values that `call` owns are not overwritten, so pass secrets by reference.
#[inline(always)]
pub fn below<R>(depth: Depth, call: impl FnOnce() -> R) -> R {
    // Dropped after the result is in the caller's place. A local variable for the result would leave a
    // copy when moved there.
    let _after = After(depth);
    apart(call)
}

/// Runs `call`, which sets the stack depth before it goes deeper than the initial [`Depth::Call`], then
/// overwrites the registers and the stack below the caller.
#[inline(always)]
pub fn below_as_said<R>(call: impl FnOnce(&mut Depth) -> R) -> R {
    let mut after = After(Depth::Call);
    let depth = &mut after.0;
    apart(move || call(depth))
}

/// Overwrites the stack and the registers when dropped.
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
            Depth::Lanes => overwrite::<{ 20 << 10 }>(),
            Depth::Pairs => overwrite::<{ 6 << 10 }>(),
            Depth::Group => overwrite::<{ 12 << 10 }>(),
            Depth::TwoGroups => overwrite::<{ 20 << 10 }>(),
            Depth::Batch => overwrite::<{ 48 << 10 }>(),
            Depth::Keys => overwrite::<{ 88 << 10 }>(),
        }
        clear_registers();
    }
}

/// Runs `call` in frames that begin where the frames of [`overwrite`] do.
#[inline(never)]
fn apart<R>(call: impl FnOnce() -> R) -> R {
    call()
}

/// Overwrites `BYTES` bytes of the stack below the caller.
#[inline(never)]
fn overwrite<const BYTES: usize>() {
    clear_bytes(&mut [const { MaybeUninit::uninit() }; BYTES]);
}
