//! Overwrites copies of secrets that calls leave on the stack and in registers.
//!
//! Values that are moved, spilled, or loaded into vectors leave copies in stack frames that no
//! destructor reaches. So [`wiping_stack`] runs each call that handles a key. After the call it overwrites
//! the stack below its caller, down to the depth that such a call reaches, and the registers.
//! Nested calls wipe only their own frames.

use core::mem::MaybeUninit;

use crate::base::{clear_bytes, clear_registers};
use crate::kernel::One;

/// The maximum stack depth of a kind of call. `tests/all/secrets` inspects the stack after calls of
/// each kind, on every kernel.
///
/// Overwriting 1 KiB takes 8 ns on Zen 4. With a single depth for one message, an HMAC of 64 bytes
/// would take 27 % longer; with a single one for batches, one of eight messages 14 %.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// One message under a prepared key on a kernel for one message of 32-bit words, copying a key, or
    /// the frames of a C entry point.
    Short,
    /// One message, or preparing a key, on a kernel for one message. At most as many short messages as
    /// lanes, on kernels with up to two lanes of 32-bit words.
    One,
    /// At most as many short messages as lanes, on kernels with one group of lanes.
    Group,
    /// At most as many short messages as lanes, or one message, on any kernel.
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
        if one.is_single() { Self::One } else { Self::TwoGroups }
    }
}

/// Runs `call`, then overwrites the registers and the stack below the caller.
///
/// The result and the values that `call` owns are not overwritten, so pass secrets by reference.
#[inline(always)]
pub fn wiping_stack<R>(depth: Depth, call: impl FnOnce() -> R) -> R {
    // Dropped after the result is in the caller's place. A local variable for the result would leave a
    // copy when moved there.
    let _after = After { depth, is_entry: false };
    apart(call)
}

/// Runs `call`, which sets the stack depth before it goes deeper than the initial [`Depth::Short`]. Then overwrites the
/// registers and the stack below the caller.
#[inline(always)]
pub(super) fn wiping_reported_stack<R>(call: impl FnOnce(&mut Depth) -> R) -> R {
    let mut after = After { depth: Depth::Short, is_entry: false };
    let depth = &mut after.depth;
    apart(move || call(depth))
}

/// Runs `call`, a C entry point above the engine's frames, which sets the stack depth before it goes
/// deeper than the initial [`Depth::Short`]. Then overwrites the registers and the stack below the caller.
#[inline(always)]
pub fn wiping_entry_stack<R>(call: impl FnOnce(&mut Depth) -> R) -> R {
    let mut after = After { depth: Depth::Short, is_entry: true };
    let depth = &mut after.depth;
    apart(move || call(depth))
}

/// Overwrites the stack and the registers when dropped.
struct After {
    depth: Depth,
    /// Whether the frames of an entry point are above the engine's.
    is_entry: bool,
}

impl Drop for After {
    #[inline(always)]
    fn drop(&mut self) {
        match (self.depth, self.is_entry) {
            (Depth::Short, false) => overwrite::<{ 2 << 10 }>(),
            (Depth::Short, true) => overwrite::<{ 3 << 10 }>(),
            (Depth::One, false) => overwrite::<{ 4 << 10 }>(),
            (Depth::One, true) => overwrite::<{ 5 << 10 }>(),
            (Depth::Group, _) => overwrite::<{ 12 << 10 }>(),
            (Depth::TwoGroups, _) => overwrite::<{ 20 << 10 }>(),
            (Depth::Batch, _) => overwrite::<{ 48 << 10 }>(),
            (Depth::Keys, _) => overwrite::<{ 88 << 10 }>(),
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
