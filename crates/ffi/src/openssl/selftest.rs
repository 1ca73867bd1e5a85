//! The provider's self-test: each digest against the specification, alone, in lanes and under
//! a key.

use crate::guard::usable;
use engine::{Algorithm, Digest, HmacKey, Kernel, hash, hash_many};

/// Whether there is an algorithm that LANESUM_KERNEL leaves a kernel for, and every such one
/// gives what the specification gives, alone, in lanes and under a key. The message is longer than
/// a block, and no two of its blocks are alike.
///
/// It is also what makes every algorithm ready, before the first of them is used.
pub fn passes() -> bool {
    let message: [u8; 300] = core::array::from_fn(|i| (i % 251) as u8);
    let mut usable = Algorithm::all().filter(|&algorithm| usable(algorithm).is_ok()).peekable();
    usable.peek().is_some()
        && usable.all(|algorithm| {
            let right = &specified(algorithm, &message)[..];
            let mut digests = [Digest::default(); 40];
            hash_many(algorithm, &[&message[..]; 40], &mut digests[..]);
            let in_lanes = digests.iter().all(|digest| digest.as_bytes() == right);
            hash(algorithm, message).as_bytes() == right
                && in_lanes
                && HmacKey::new(algorithm, &message[..20]).mac(message)
                    == hmac(algorithm, &message)[..]
        })
}

/// HMAC as FIPS 198-1 §4 writes it, under the first 20 bytes of the message.
fn hmac(algorithm: Algorithm, message: &[u8]) -> Vec<u8> {
    let pad = |byte: u8| {
        let mut key = vec![byte; algorithm.block_len()];
        key.iter_mut().zip(&message[..20]).for_each(|(pad, key)| *pad ^= key);
        key
    };
    let mut inner = pad(0x36);
    inner.extend(message);
    let mut outer = pad(0x5c);
    outer.extend(specified(algorithm, &inner));
    specified(algorithm, &outer)
}

fn specified(algorithm: Algorithm, message: &[u8]) -> Vec<u8> {
    lanesum_spec::digest(algorithm, message)[..algorithm.digest_len()].to_vec()
}

/// The version, and the kernels that this CPU can run, for people to see that
/// the provider is there and what it would use.
pub fn build() -> String {
    let kernels: Vec<_> = Kernel::all().map(|kernel| kernel.to_string()).collect();
    format!("lanesum {} ({})", env!("CARGO_PKG_VERSION"), kernels.join(" "))
}
