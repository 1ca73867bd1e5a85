//! The provider's self-test: compares each digest with the specification for one message, in SIMD
//! lanes, and as HMAC.

use crate::guard::usable;
use engine::{Algorithm, Digest, HmacKey, Kernel, hash, hash_many};

/// Returns true if LANESUM_KERNEL allows a kernel for at least one algorithm, and all such
/// algorithms match the specification: for one message, in SIMD lanes, and as HMAC. The message has
/// several blocks, all different.
///
/// The test also initializes every algorithm before its first use.
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

/// HMAC according to FIPS 198-1 §4, under the first 20 bytes of the message.
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

/// Returns the version and the kernels that this CPU can run, so that users can check the provider.
pub fn build() -> String {
    let kernels: Vec<_> = Kernel::all().map(|kernel| kernel.to_string()).collect();
    format!("lanesum {} ({})", env!("CARGO_PKG_VERSION"), kernels.join(" "))
}
