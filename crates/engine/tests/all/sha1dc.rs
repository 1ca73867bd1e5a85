//! Published collisions, and nothing else, are detected on every kernel and in every lane. The
//! results are compared with the crate `sha1-checked`, a translation of git's implementation.

use lanesum::sha1dc::{self, Checked, Detection, Sha1Dc};
use lanesum::{Algorithm, Engine, Kernel, sha1};
use sha1_checked::Sha1 as Peer;

use crate::common;

/// Pairs of colliding messages, and their digests. SHAttered's are the first 320 bytes of its two
/// files, which are identical after them.
const PAIRS: [([&[u8]; 2], &str); 2] = [
    (
        [
            include_bytes!("data/sha1dc/shattered-1.bin"),
            include_bytes!("data/sha1dc/shattered-2.bin"),
        ],
        "f92d74e3874587aaf443d1db961d4e26dde13e9c",
    ),
    (
        [
            include_bytes!("data/sha1dc/sha-mbles-1.bin"),
            include_bytes!("data/sha1dc/sha-mbles-2.bin"),
        ],
        "8ac60ba76f1999a1ab70223f225aefdc78d4ddc0",
    ),
];

/// A message of a reduced-round collision, and its digest.
const REDUCED: (&[u8], &str) = (
    include_bytes!("data/sha1dc/sha1_reducedsha_coll.bin"),
    "a56374e1cf4c3746499bc7c0acb39498ad2ee185",
);

const ALL: [Detection; 4] = [
    Detection::new(),
    Detection::new().safe(),
    Detection::new().reduced(),
    Detection::new().safe().reduced(),
];

fn hex(checked: &Checked) -> String {
    lanesum::Digest::from(*checked).to_string()
}

/// Returns the digest that the peer computes, and whether it detects a collision.
fn peer(detection: Detection, message: &[u8]) -> ([u8; 20], bool) {
    let mut builder = Peer::builder();
    builder = builder.safe_hash(detection == detection.safe());
    builder = builder.detect_collision(true);
    builder = builder.reduced_round_collision(detection == detection.reduced());
    let mut hasher = builder.build();
    digest_10::update(&mut hasher, message);
    let result = hasher.try_finalize();
    ((*result.hash()).into(), result.has_collision())
}

/// The traits of the version of `digest` that the peer uses.
mod digest_10 {
    pub(super) fn update(hasher: &mut sha1_checked::Sha1, message: &[u8]) {
        sha1_checked::Digest::update(hasher, message);
    }
}

/// Returns the engine of every kernel that supports SHA-1.
fn engines() -> impl Iterator<Item = (Kernel, Engine)> {
    let of_sha1 = Kernel::all().filter(|kernel| kernel.supports(Algorithm::SHA1));
    of_sha1.map(|kernel| (kernel, common::engine(kernel, Algorithm::SHA1)))
}

/// Returns messages of all lengths up to a few blocks, and some longer ones.
fn messages() -> Vec<Vec<u8>> {
    let bytes: Vec<u8> =
        (0..70_000).map(|i: u32| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let lens = (0..300).chain([511, 512, 4096, 10_007, 70_000]);
    lens.map(|len| bytes[..len].to_vec()).collect()
}

#[test]
fn published_collisions_are_detected() {
    common::say_what_is_left_out();
    for (kernel, engine) in engines() {
        for (pair, digest) in PAIRS {
            let safe = pair.map(|message| {
                let of = |detection| Sha1Dc::with(&engine, detection);
                let checked = of(Detection::new()).update(message).finish();
                assert!(checked.is_collision(), "{kernel} {digest}");
                assert_eq!(hex(&checked), digest);
                // In pieces, and followed by more data.
                let mut hasher = of(Detection::new());
                message.chunks(7).for_each(|piece| _ = hasher.update(piece));
                assert_eq!(hasher.finish(), checked);
                assert!(hasher.update("more").finish().is_collision());
                // Elsewhere in a message the chaining value differs, and the block is harmless.
                let moved = of(Detection::new()).update([0; 64]).update(message).finish();
                assert!(!moved.is_collision());
                let checked = of(Detection::new().safe()).update(message).finish();
                assert!(checked.is_collision());
                assert_eq!((checked.digest(), true), peer(Detection::new().safe(), message));
                checked.digest()
            });
            assert_ne!(safe[0], safe[1]);
        }
    }
}

#[test]
fn reduced_round_collisions_are_detected_on_request() {
    let (message, digest) = REDUCED;
    for (kernel, engine) in engines() {
        let of = |detection| Sha1Dc::with(&engine, detection).update(message).finish();
        let plain = of(Detection::new());
        assert!(!plain.is_collision(), "{kernel}");
        assert_eq!(hex(&plain), digest);
        assert!(of(Detection::new().reduced()).is_collision(), "{kernel}");
    }
}

/// A message of a collision in each lane in turn, among short and long harmless messages.
#[test]
fn collisions_are_detected_in_every_lane() {
    let of_attacks: Vec<&[u8]> =
        PAIRS.iter().flat_map(|(pair, _)| *pair).chain([REDUCED.0]).collect();
    let harmless = common::bytes(3000);
    for (kernel, engine) in engines() {
        for lane in 0..kernel.lanes() {
            for (i, attack) in of_attacks.iter().enumerate() {
                let detection = ALL[(i + lane) % ALL.len()];
                let others = |l: usize| &harmless[l..l + 64 * (1 + (l * 7 + i) % 40)];
                let mut messages: Vec<&[u8]> = (0..kernel.lanes() + 3).map(others).collect();
                messages[lane] = attack;
                let mut checked = vec![Checked::default(); messages.len()];
                sha1dc::hash_many(&engine, detection, &messages, &mut checked);
                for (l, (checked, message)) in checked.iter().zip(&messages).enumerate() {
                    let theirs = peer(detection, message);
                    let ours = (checked.digest(), checked.is_collision());
                    assert_eq!(ours, theirs, "{kernel}, lane {l}, attack {i} in {lane}");
                }
            }
            let mut checked = vec![Checked::default(); kernel.lanes()];
            let mut messages = vec![&harmless[..64]; kernel.lanes()];
            messages[lane] = of_attacks[0];
            sha1dc::hash_many(&engine, Detection::new(), &messages, &mut checked);
            assert!(checked.iter().enumerate().all(|(l, c)| c.is_collision() == (l == lane)));
        }
    }
}

#[test]
fn harmless_messages_have_no_false_alarm() {
    let messages = messages();
    for (kernel, engine) in engines() {
        for detection in ALL {
            let mut checked = vec![Checked::default(); messages.len()];
            sha1dc::hash_many(&engine, detection, &messages, &mut checked);
            for (checked, message) in checked.iter().zip(&messages) {
                assert!(!checked.is_collision(), "{kernel} {}", message.len());
                assert_eq!(checked.digest(), sha1(message), "{kernel} {}", message.len());
                let one = Sha1Dc::with(&engine, detection).update(message).finish();
                assert_eq!(one, *checked, "{kernel} {}", message.len());
            }
        }
    }
}

#[cfg(feature = "rayon")]
#[test]
fn threads_share_a_batch() {
    let mut messages = vec![common::bytes(100); 3000];
    messages[1700] = PAIRS[0].0[0].to_vec();
    let mut checked = vec![Checked::default(); messages.len()];
    let engine = Engine::new(Algorithm::SHA1).threads(0);
    sha1dc::hash_many(&engine, Detection::new(), &messages, &mut checked);
    for (i, (checked, message)) in checked.iter().zip(&messages).enumerate() {
        assert_eq!((checked.digest(), checked.is_collision()), (sha1(message), i == 1700));
    }
}

#[test]
#[should_panic(expected = "collision detection requires sha1, but the engine uses")]
fn engines_of_other_algorithms_are_rejected() {
    let _ = Sha1Dc::with(Algorithm::SHA256, Detection::new());
}

#[test]
#[should_panic(expected = "number of outputs (1) does not match number of messages (2)")]
fn the_number_of_places_must_match() {
    sha1dc::hash_many(Algorithm::SHA1, Detection::new(), &["a", "b"], &mut [Checked::default()]);
}

/// Evaluating all conditions of the vectors that the shared ones leave has the same result as evaluating all in order.
#[test]
fn screening_one_block_matches_all_conditions() {
    use lanesum_spec::sha1dc::{last_words, left_alone, read, suspects_of};

    let files = PAIRS.iter().flat_map(|(pair, _)| pair).chain([&REDUCED.0]);
    let published: Vec<_> = files.flat_map(|file| file.as_chunks::<64>().0).copied().collect();
    let mut block = published[0];
    let mut suspected = 0;
    for i in 0..300_000_usize {
        if let Some(published) = published.get(i) {
            block = *published;
        }
        let suspects = suspects_of(&block);
        assert_eq!(read(&last_words(&block), left_alone(&block)), suspects, "{block:02x?}");
        suspected += usize::from(suspects != 0);
        let bytes = sha1(block);
        block[i % 48..][..16].copy_from_slice(&bytes[..16]);
    }
    assert!(suspected > 1000, "{suspected}");
}

/// Random blocks are never mistaken for an attack's. `LANESUM_SHA1DC_BLOCKS` is their
/// number. Every eight bytes are a number of a sequence that does not repeat.
#[test]
#[ignore = "long: run by `cargo xtask test-long`"]
fn random_blocks_give_no_alarm() {
    let blocks: u64 = std::env::var("LANESUM_SHA1DC_BLOCKS")
        .map_or(1 << 20, |blocks| blocks.parse().expect("a number of blocks"));
    const BLOCKS: usize = 1024;
    const MESSAGES: usize = 64;
    let mut bytes = vec![0; MESSAGES * BLOCKS * 64];
    let mut checked = [Checked::default(); MESSAGES];
    let mut seed = 0_u64;
    let start = std::time::Instant::now();
    let rounds = blocks.div_ceil((MESSAGES * BLOCKS) as u64);
    for _ in 0..rounds {
        for word in bytes.as_chunks_mut::<8>().0 {
            // splitmix64
            seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (seed ^ seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            *word = (z ^ z >> 31).to_le_bytes();
        }
        let messages: Vec<&[u8]> = bytes.chunks(BLOCKS * 64).collect();
        sha1dc::hash_many(Algorithm::SHA1, Detection::new().reduced(), &messages, &mut checked);
        assert!(!checked.iter().any(Checked::is_collision));
    }
    let seconds = start.elapsed().as_secs_f64();
    let blocks = rounds * (MESSAGES * BLOCKS) as u64;
    // `cargo xtask sha1dc-blocks` records these lines.
    println!("record: # what: random blocks by the automatic kernels, with those of fewer rounds");
    println!("record: blocks,alarms,seconds\nrecord: {blocks},0,{seconds:.0}");
}
