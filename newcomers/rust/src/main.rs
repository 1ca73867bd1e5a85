//! Runs each call of the crate's table "What to call when" in a thread with a small stack, in a new process, so that
//! each is the first to use the library.
//!
//! `newcomer` runs them all, `newcomer CALL STACK` one of them with a stack of STACK bytes.

use std::convert::Infallible;
use std::process::{self, Command};
use std::{env, thread};

use lanesum::sha1dc::{self, Checked, Detection, Sha1Dc};
use lanesum::tree::{FileBuilder, Log, Tree};
use lanesum::{
    Algorithm, Digest, Hasher, Hkdf, Hmac, HmacKey, Kernel, Keys, Lanes, Message, Policy, Sha256,
    Sha512, chain, chain_many, double_hash_many, hash, hash_iter, hash_many, hkdf_extract, hkdf_many,
    mac_many, pbkdf2, pbkdf2_many, update_many, verify_many,
};

/// The stack of each thread in bytes, an eighth of Rust's default: no call may need more.
const STACK: usize = 256 << 10;

/// The optimization level of this program and of the library.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
const OPT_LEVEL: &str = env!("OPT_LEVEL");

const CALLS: &[(&str, fn())] = &[
    ("sha256", || assert_eq!(lanesum::sha256("abc")[..4], [0xba, 0x78, 0x16, 0xbf])),
    ("sha512", || assert_eq!(lanesum::sha512("abc")[..4], [0xdd, 0xaf, 0x35, 0xa1])),
    ("hash", || every_algorithm(|algorithm| _ = reference(algorithm, b"abc"))),
    ("Sha256", typed),
    ("Hasher", || every_algorithm(pieces)),
    ("hash_many", || every_algorithm(many)),
    ("hash_iter", || every_algorithm(iterator)),
    ("double_hash_many", || every_algorithm(double)),
    ("chain", || every_algorithm(chains)),
    ("Hasher::finish_many", || every_algorithm(common_prefix)),
    ("Lanes", || every_algorithm(lanes)),
    ("update_many", || every_algorithm(pieces_of_many)),
    ("HmacKey::mac", || every_algorithm(mac)),
    ("mac_many", || every_algorithm(macs)),
    ("Hkdf", || every_algorithm(hkdf)),
    ("pbkdf2", || every_algorithm(passwords)),
    ("tree", trees),
    ("sha1dc", collisions),
    ("Policy", || every_algorithm(every_kernel)),
    ("Policy::parse", kernels_by_name),
];

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let call = |name: &str| CALLS.iter().find(|(of, _)| *of == name).map(|&(_, call)| call);
    match &arguments[..] {
        [] => process::exit(i32::from(!run_all())),
        [name, stack] => {
            let (Some(call), Ok(stack)) = (call(name), stack.parse()) else { usage() };
            thread::Builder::new().stack_size(stack).spawn(call).unwrap().join().unwrap();
        }
        _ => usage(),
    }
}

fn usage() -> ! {
    let names = CALLS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    eprintln!("usage: newcomer [CALL STACK], CALL one of {names}");
    process::exit(2);
}

/// Runs every call in a new process and reports the failures.
fn run_all() -> bool {
    let program = env::current_exe().unwrap();
    let mut all = true;
    for (name, _) in CALLS {
        let status = Command::new(&program).args([name, &STACK.to_string()[..]]).status().unwrap();
        match status.code() {
            Some(0) => continue,
            Some(_) => eprintln!("newcomer: {name} failed: {status}"),
            None => eprintln!(
                "newcomer: {name} crashed in a thread with {STACK} bytes of stack: {status}"
            ),
        }
        all = false;
    }
    all
}

fn every_algorithm(call: impl Fn(Algorithm)) {
    Algorithm::all().for_each(call);
}

/// Messages of different lengths, more than any kernel has lanes.
fn messages() -> Vec<Vec<u8>> {
    (0..70).map(|i| vec![i as u8; i * 7]).collect()
}

fn reference(algorithm: Algorithm, message: &[u8]) -> Digest {
    hash(algorithm, message)
}

fn typed() {
    let mut sha256 = Sha256::new();
    sha256.update("a").update("bc");
    assert_eq!(sha256.finish(), lanesum::sha256("abc"));
    let mut sha512 = Sha512::new();
    sha512.update([0; 1000]);
    assert_eq!(sha512.finish(), lanesum::sha512([0; 1000]));
}

fn pieces(algorithm: Algorithm) {
    let mut hasher = Hasher::new(algorithm);
    hasher.update("a").update_reader(&b"bc"[..]).unwrap();
    assert_eq!(hasher.finish(), reference(algorithm, b"abc"));
}

fn pieces_of_many(algorithm: Algorithm) {
    let messages = messages();
    for count in [1, 2, 5, 70] {
        let mut hashers = vec![Hasher::new(algorithm); count];
        update_many(algorithm, hashers.iter_mut().zip(&messages));
        for (message, hasher) in messages.iter().zip(hashers) {
            assert_eq!(hasher.finish(), reference(algorithm, message));
        }
    }
}

fn many(algorithm: Algorithm) {
    let messages = messages();
    for count in [1, 2, 5, 70] {
        let mut digests = vec![Digest::EMPTY; count];
        hash_many(algorithm, &messages[..count], &mut digests);
        for (message, digest) in messages.iter().zip(digests) {
            assert_eq!(digest, reference(algorithm, message));
        }
    }
}

fn iterator(algorithm: Algorithm) {
    let digests: Vec<Digest> = hash_iter(algorithm, messages()).collect();
    assert_eq!(digests[3], reference(algorithm, &[3; 21]));
}

fn common_prefix(algorithm: Algorithm) {
    let mut salted = Hasher::new(algorithm);
    salted.update("salt");
    let mut digests = [Digest::EMPTY; 3];
    salted.finish_many(algorithm, &["first", "second", "abc"], &mut digests);
    assert_eq!(digests[2], reference(algorithm, b"saltabc"));
}

/// A message that arrives a byte at a time.
struct Slow(Vec<u8>);

impl Message for Slow {
    type Error = Infallible;

    fn fill(&mut self) -> Result<&[u8], Infallible> {
        Ok(&self.0[..self.0.len().min(1)])
    }

    fn consume(&mut self, n: usize) {
        self.0.drain(..n);
    }
}

fn lanes(algorithm: Algorithm) {
    let mut lanes = Lanes::new(algorithm);
    let mut count = 0;
    for message in messages() {
        count += usize::from(lanes.push(Slow(message)).is_some());
    }
    count += lanes.drain().count();
    assert_eq!(count, 70);
}

fn mac(algorithm: Algorithm) {
    let key = HmacKey::new(algorithm, "key");
    let tag = key.mac("message");
    key.verify("message", tag).unwrap();
    let mut hmac = Hmac::new(&key);
    hmac.update("mess").update("age");
    hmac.verify(tag).unwrap();
    assert!(key.verify("another", tag).is_err());
}

fn macs(algorithm: Algorithm) {
    let messages = messages();
    let keys: Vec<HmacKey> = (0..70).map(|i| HmacKey::new(algorithm, [i; 20])).collect();
    let mut tags = vec![Digest::EMPTY; 70];
    for keys in [Keys::Same(&keys[0]), Keys::Each(&keys)] {
        mac_many(algorithm, keys, &messages, &mut tags);
        verify_many(algorithm, keys, &messages, &tags).unwrap();
    }
    assert_eq!(tags[5], keys[5].mac(&messages[5]));
}

fn hkdf(algorithm: Algorithm) {
    let mut key = [0; 40];
    Hkdf::new(algorithm, "salt", "secret").expand("info", &mut key).unwrap();
    let extracted = hkdf_extract(algorithm, "salt", "secret");
    let mut again = [0; 40];
    Hkdf::from_extracted(algorithm, extracted).unwrap().expand("info", &mut again).unwrap();
    assert_eq!(key, again);
    let mut keys = [0; 3 * 40];
    hkdf_many(algorithm, &["salt"; 3], &["secret"; 3], &["info"; 3], &mut keys).unwrap();
    assert_eq!(keys[80..], key);
}

fn passwords(algorithm: Algorithm) {
    let mut key = [0; 40];
    pbkdf2(algorithm, "password", "salt", 3, &mut key).unwrap();
    let mut keys = [0; 20 * 40];
    pbkdf2_many(algorithm, &["password"; 20], &["salt"; 20], 3, &mut keys).unwrap();
    assert_eq!(keys[760..], key);
}

fn double(algorithm: Algorithm) {
    let messages = messages();
    let mut digests = vec![Digest::EMPTY; messages.len()];
    double_hash_many(algorithm, &messages, &mut digests);
    assert_eq!(digests[69], hash(algorithm, hash(algorithm, &messages[69])));
}

fn chains(algorithm: Algorithm) {
    let start = hash(algorithm, "start");
    let mut ends = vec![Digest::EMPTY; 70];
    let counts: Vec<u64> = (0..70).collect();
    chain_many(algorithm, &[start; 70], &counts, &mut ends);
    assert_eq!(ends[1], hash(algorithm, start));
    assert_eq!(ends[69], chain(algorithm, start, 69));
}

fn trees() {
    let bytes = vec![7; 100_000];
    let tree = Tree::rfc6962(Algorithm::SHA256);
    let levels = tree.build_entries(&messages());
    let (leaf, proof) = (tree.entry([3; 21]), levels.proof(3).unwrap());
    tree.verify(3, 70, &leaf, &proof, &levels.root()).unwrap();
    let mut log = Log::new(Algorithm::SHA256);
    log.append(&messages());
    assert_eq!(log.root(), levels.root());
    for tree in [
        Tree::torrent2(),
        Tree::new(Algorithm::SHA512, 4096, 2),
        Tree::fs_verity(Algorithm::SHA256, 4096, b"salt").unwrap(),
    ] {
        let mut builder = tree.root_builder();
        builder.update(&bytes);
        assert_eq!(builder.finish(), tree.build(&bytes).root());
    }
    let mut file = FileBuilder::fs_verity(Algorithm::SHA256, 4096, b"salt").unwrap();
    file.update(&bytes);
    file.finish().unwrap();
}

/// A pair of messages with one SHA-1.
const COLLISION: &[u8] =
    include_bytes!("../../../crates/engine/tests/all/data/sha1dc/sha-mbles-1.bin");

fn collisions() {
    assert!(!Sha1Dc::new().update("abc").finish().is_collision());
    assert!(Sha1Dc::new().update(COLLISION).finish().is_collision());
    let safe = Detection::new().safe().reduced();
    assert!(Sha1Dc::with(Algorithm::SHA1, safe).update(COLLISION).finish().is_collision());
    for detection in [Detection::new(), safe] {
        let mut found = [Checked::default(); 70];
        let messages: [&[u8]; 70] =
            std::array::from_fn(|i| if i % 7 == 0 { COLLISION } else { b"abc" });
        sha1dc::hash_many(Algorithm::SHA1, detection, &messages, &mut found);
        assert_eq!(found.iter().filter(|checked| checked.is_collision()).count(), 10);
        let mut lanes = sha1dc::Lanes::new(Algorithm::SHA1, detection);
        let mut count = 0;
        for message in messages {
            count += usize::from(lanes.push(message).is_some());
        }
        count += lanes.drain().count();
        assert_eq!(count, 70);
    }
}

/// A name of the table is a kernel, or an error that says why it cannot run.
fn kernels_by_name() {
    for kernel in Kernel::table() {
        match kernel {
            Ok(kernel) => _ = Policy::parse(kernel.name()).unwrap(),
            Err(name) => {
                let error = Policy::parse(name).unwrap_err().to_string();
                let expected = ["this CPU cannot run", "is available only in optimized builds"];
                assert!(expected.iter().any(|reason| error.contains(reason)), "{error}");
            }
        }
    }
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    match Policy::parse("sse2_x4") {
        Ok(_) => assert_ne!(OPT_LEVEL, "0", "a kernel of several lanes without optimization"),
        Err(error) => {
            assert_eq!(OPT_LEVEL, "0");
            assert!(error.to_string().contains("'sse2_x4' is available only"), "{error}");
        }
    }
}

/// An engine for each kernel, as `LANESUM_KERNEL` may select it.
fn every_kernel(algorithm: Algorithm) {
    let messages = messages();
    for kernel in Kernel::all().filter(|kernel| kernel.supports(algorithm)) {
        let engine = Policy::fixed(kernel).engine(algorithm).unwrap();
        let mut digests = vec![Digest::EMPTY; messages.len()];
        hash_many(&engine, &messages, &mut digests);
        assert_eq!(digests[69], reference(algorithm, &messages[69]));
        let mut key = [0; 40];
        pbkdf2(&engine, "password", "salt", 2, &mut key).unwrap();
        assert_eq!(chain(&engine, digests[69], 1), hash(algorithm, digests[69]));
    }
}
