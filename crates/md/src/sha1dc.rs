//! The functions of sha1collisiondetection, the library of git: SHA-1 that detects blocks of collision
//! attacks.
#![allow(clippy::missing_safety_doc, reason = "the header `sha1dc/sha1.h` has it")]

use core::ffi::{c_char, c_int};

use engine::sha1dc::Detection;
use engine::{Algorithm, unstable};
use lanesum_spec::sha1dc::{VECTORS, pair};

use crate::door;
use crate::layout::{Callback, Settings, Sha1Dc};
use crate::live::{self, Hash};

/// The length of a block, in bytes.
const BLOCK: usize = 64;

/// The result of `SHA1DCFinal` if there is no digest. Like every result but 0, it warns of a collision.
const FAILED: c_int = -1;

impl Settings {
    fn detection(self) -> Detection {
        let mut detection = Detection::new();
        if self.safe_hash != 0 {
            detection = detection.safe();
        }
        if self.reduced_round_coll != 0 {
            detection = detection.reduced();
        }
        detection
    }

    /// Compresses `blocks`, which begin at `offset` in the message. Returns true if one is part of a
    /// collision.
    fn compress(self, words: &mut [u32; 5], offset: u64, blocks: &[u8]) -> bool {
        if self.detect_coll == 0 {
            live::compress(Hash::Engine(Algorithm::SHA1), words, blocks);
            return false;
        }
        let mut is_collision = false;
        let screens = self.ubc_check != 0;
        unstable::compress_sha1dc(self.detection(), screens, words, blocks, |found| {
            is_collision = true;
            if let Some(callback) = self.callback {
                let ([ours, theirs], before) =
                    pair(found.block, &VECTORS[found.vector], found.before);
                let offset = offset.wrapping_add((found.index * BLOCK) as u64);
                let values = [&found.before, &before].map(|words| words.as_ptr());
                // SAFETY: the caller has set a function of this type. The arrays live as long as the call.
                unsafe { callback(offset, values[0], values[1], ours.as_ptr(), theirs.as_ptr()) };
            }
        });
        is_collision
    }
}

impl Sha1Dc {
    fn new() -> Self {
        let settings = Settings {
            safe_hash: 1,
            detect_coll: 1,
            ubc_check: 1,
            reduced_round_coll: 0,
            callback: None,
        };
        let words = Algorithm::SHA1.iv();
        Self {
            total: 0,
            words: core::array::from_fn(|i| words[i] as u32),
            block: [0; BLOCK],
            found_collision: 0,
            settings,
        }
    }

    /// Appends `data` to the message.
    fn update(&mut self, data: &[u8]) {
        let filled = self.total as usize % BLOCK;
        let mut offset = self.total.wrapping_sub(filled as u64);
        self.total = self.total.wrapping_add(data.len() as u64);
        unstable::fill(&mut self.block, filled, data, |blocks| {
            let is_collision = self.settings.compress(&mut self.words, offset, blocks);
            self.found_collision |= c_int::from(is_collision);
            offset = offset.wrapping_add(blocks.len() as u64);
        });
    }

    /// Pads the message and returns its digest. As in the original library, the padded block remains in
    /// `block`, and `total` includes the padding without the length.
    fn finish(&mut self) -> [u8; 20] {
        let filled = self.total as usize % BLOCK;
        let mut padded = [0; 2 * BLOCK];
        let len = unstable::pad(&mut padded, &self.block[..filled], BLOCK, true, self.total);
        let offset = self.total.wrapping_sub(filled as u64);
        let is_collision = self.settings.compress(&mut self.words, offset, &padded[..len]);
        self.found_collision |= c_int::from(is_collision);
        self.block.copy_from_slice(&padded[len - BLOCK..len]);
        self.total = offset.wrapping_add(len as u64 - 8);
        let mut digest = [0; 20];
        let bytes = self.words.map(u32::to_be_bytes);
        digest.copy_from_slice(bytes.as_flattened());
        digest
    }
}

/// `SHA1DCInit`: begins a message.
#[unsafe(export_name = "SHA1DCInit")]
pub unsafe extern "C" fn init(context: *mut Sha1Dc) {
    // SAFETY: the caller guarantees memory for a context.
    door::barrier((), || unsafe { door::copy_out(context, Sha1Dc::new()) });
}

/// `SHA1DCUpdate`: appends `len` bytes to the message.
#[unsafe(export_name = "SHA1DCUpdate")]
pub unsafe extern "C" fn update(context: *mut Sha1Dc, data: *const c_char, len: usize) {
    // SAFETY: the caller guarantees a valid context and `len` readable bytes.
    unsafe {
        let Some(data) = door::bytes(data.cast(), len) else { return };
        if append(context, data).is_none() {
            door::with(context, |context: &mut Sha1Dc| context.update(data));
        }
    }
}

/// Appends `data` to the last block if that remains incomplete, without copying the context, which takes longer.
///
/// # Safety
///
/// As [`door::with`].
unsafe fn append(context: *mut Sha1Dc, data: &[u8]) -> Option<()> {
    if context.is_null() {
        return None;
    }
    // SAFETY: the caller guarantees memory of this size, which has these fields.
    unsafe {
        let total = door::copy_in(&raw const (*context).total)?;
        let filled = total as usize % BLOCK;
        if data.len() >= BLOCK - filled {
            return None;
        }
        let rest = (&raw mut (*context).block).cast::<u8>().add(filled);
        rest.copy_from_nonoverlapping(data.as_ptr(), data.len());
        door::copy_out(&raw mut (*context).total, total.wrapping_add(data.len() as u64))
    }
}

/// `SHA1DCFinal`: writes the digest. Returns 0 if no collision was found.
#[unsafe(export_name = "SHA1DCFinal")]
pub unsafe extern "C" fn last(digest: *mut u8, context: *mut Sha1Dc) -> c_int {
    let finish = |context: &mut Sha1Dc| (context.finish(), context.found_collision);
    door::barrier(FAILED, || {
        // SAFETY: the caller guarantees a valid context and room for a digest.
        unsafe {
            let (bytes, found_collision) = door::with(context, finish)?;
            door::put(digest, &bytes)?;
            Some(found_collision)
        }
    })
}

/// Defines a function that sets a field of the settings.
macro_rules! setting {
    ($function:ident, $name:literal, $field:ident, $type:ty, $value:ident => $stored:expr) => {
        #[doc = concat!("`", $name, "`.")]
        #[unsafe(export_name = $name)]
        pub unsafe extern "C" fn $function(context: *mut Sha1Dc, $value: $type) {
            if !context.is_null() {
                // SAFETY: the caller guarantees a valid context, which has this field.
                unsafe { door::copy_out(&raw mut (*context).settings.$field, $stored) };
            }
        }
    };
    ($function:ident, $name:literal, $field:ident) => {
        setting!($function, $name, $field, c_int, value => c_int::from(value != 0));
    };
}

setting!(set_safe_hash, "SHA1DCSetSafeHash", safe_hash);
setting!(set_use_ubc, "SHA1DCSetUseUBC", ubc_check);
setting!(set_use_detect_coll, "SHA1DCSetUseDetectColl", detect_coll);
setting!(set_detect_reduced, "SHA1DCSetDetectReducedRoundCollision", reduced_round_coll);
setting!(set_callback, "SHA1DCSetCallback", callback, Option<Callback>, callback => callback);
