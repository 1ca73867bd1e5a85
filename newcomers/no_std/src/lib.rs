//! Every way to hand messages over that needs an allocator.
#![no_std]

extern crate alloc;

use alloc::boxed::Box;
use alloc::vec::Vec;

use lanesum::{Algorithm, Digest, HmacKey, Keys, Messages, hash_many, mac_many};

/// The digests of the same messages in a vector and in a box.
pub fn digests(messages: &[&str]) -> [Vec<Digest>; 2] {
    let vector: Vec<&str> = messages.to_vec();
    let boxed: Box<[&str]> = messages.into();
    [digests_of(&vector), digests_of(&boxed)]
}

/// The digests of messages in a counted reference, where the target can count.
#[cfg(target_has_atomic = "ptr")]
pub fn counted(messages: &[&str]) -> Vec<Digest> {
    digests_of(&alloc::sync::Arc::<[&str]>::from(messages))
}

fn digests_of(messages: &(impl Messages + Sync + ?Sized)) -> Vec<Digest> {
    let mut digests = Vec::new();
    hash_many(Algorithm::SHA256, messages, &mut digests);
    digests
}

/// The tag of each message under its key.
pub fn tags(keys: &Vec<HmacKey>, messages: &Vec<&str>) -> Vec<[u8; 32]> {
    let mut tags = Vec::new();
    mac_many(Algorithm::SHA256, Keys::from(keys), messages, &mut tags);
    tags
}
