//! Runs each step of a program on each kernel, and checks its memory for secrets afterwards.

use std::process::Command;

use lanesum_spec::{Algorithm, Family};

use super::derived::{hkdf, hkdf_extract, hmac, pbkdf2};
use super::{Found, Secrets, Stepped, leavings, search};

/// Returns one algorithm of each family.
#[must_use]
pub fn algorithms() -> [Algorithm; Family::ALL.len()] {
    Family::ALL.map(Family::algorithm)
}

/// Lengths of a key that fits in a block, and of one that does not.
const KEY_LENS: [usize; 2] = [20, 200];

/// Number of stack bytes that programs paint before a step.
const PAINTED: usize = 256 << 10;

/// Maximum number of other bytes left deep in the stack, which reveal nothing about a key: return
/// addresses of the code that overwrites the rest, and the C entry point's pointers to its
/// arguments.
const ADDRESSES: usize = 160;

/// A completed step.
#[derive(Debug)]
pub struct Done {
    /// The process ID of the program.
    pub process: u32,
    /// The end of its stack before the step.
    pub stack: u64,
    /// The address of live data, if the program knows it.
    pub live: u64,
    /// The length of the live data; 0 if there is none.
    pub live_len: u64,
}

/// How to check a program.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Whether a secret is inside the live data of a step. Only called for steps with live data.
    pub lives: fn(&Done, &Found) -> bool,
    /// Size of the step's own frames below `stack`, in bytes, if everything below them must be
    /// overwritten.
    pub own: Option<usize>,
}

/// A generator of distinct keys.
struct Keys(u64);

impl Keys {
    fn next(&mut self, len: usize) -> Vec<u8> {
        let byte = |_| {
            self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (self.0 >> 56) as u8
        };
        (0..len).map(byte).collect()
    }
}

/// Returns the secrets that a step must not leave. The name specifies the operation on the key;
/// salt, info, lengths and iterations are always the same.
fn secrets(step: &str, algorithm: Algorithm, key: &[u8]) -> Secrets {
    let mut secrets = Secrets::default();
    if step.starts_with("hkdf") && step != "hkdf_expand" {
        let extracted = hkdf_extract(algorithm, b"salt", key);
        secrets.bytes("the key", key);
        secrets.hmac(algorithm, &extracted);
        if step != "hkdf_extract" {
            secrets.bytes("HKDF's output", &hkdf(algorithm, &extracted, b"info", 100));
        }
        return secrets;
    }
    secrets.hmac(algorithm, key);
    if step == "hkdf_expand" {
        secrets.bytes("HKDF's output", &hkdf(algorithm, key, b"info", 100));
    }
    if step.starts_with("pbkdf2") {
        secrets.bytes("PBKDF2's output", &pbkdf2(algorithm, key, b"salt", 3, 100));
    }
    if step.contains("verif") {
        // The correct tag of a message compared with a wrong tag must stay secret.
        let message = |len: usize| (0..len).map(|i| (i % 251) as u8).collect::<Vec<_>>();
        for message in [message(100), [message(10), message(300)].concat()] {
            secrets.bytes("the right tag", &hmac(algorithm, key, &message));
        }
    }
    secrets
}

/// Runs all steps of a program for each of the algorithms. Returns a line for each secret left in
/// its memory that must not be there. Steps that plant a key must leave it.
///
/// # Panics
///
/// If a planted or a live key is not found, or the program ends.
pub fn look(program: &mut Command, algorithms: &[Algorithm], how: Look) -> Vec<String> {
    let mut program = Stepped::new(program);
    let steps = program.steps().to_vec();
    let (mut keys, mut wrong) = (Keys(1), Vec::new());
    for &algorithm in algorithms {
        let mut kept = Secrets::default();
        // The first use of a kernel differs from later ones.
        for (time, &len) in [KEY_LENS[0]].iter().chain(&KEY_LENS).enumerate() {
            for step in &steps {
                if step == "hkdf_expand" && len < algorithm.digest_len() {
                    continue;
                }
                let key = keys.next(len);
                let mut name = algorithm.name().as_bytes().to_vec();
                name.resize(16, 0);
                let bytes = [&name[..], &key].concat();
                let [stack, live, live_len] = program.step(step, &[len as u32], &bytes);
                let done = Done { process: program.id(), stack, live, live_len };
                let own = secrets(step, algorithm, &key);
                let mut secrets = own.clone();
                secrets.add(&kept);
                kept = if live_len > 0 { own } else { Secrets::default() };
                let mut found = search(program.id(), stack, &secrets);
                let place = format!("{algorithm}, key of {len}: {step}");
                if let Some(planted) = step.strip_prefix("plant_") {
                    let is_there = |found: &Found| {
                        let in_stack = (stack - PAINTED as u64..stack).contains(&found.at);
                        let in_heap = found.mapping == "[heap]";
                        found.what == "the key"
                            && match planted {
                                "on_the_stack" => in_stack,
                                "in_the_heap" => in_heap,
                                _ => !in_stack && !in_heap,
                            }
                    };
                    assert!(found.iter().any(is_there), "{place}: a planted key is not found");
                    continue;
                }
                if live_len > 0 {
                    let all = found.len();
                    found.retain(|found| !(how.lives)(&done, found));
                    let lines: Vec<_> = found.iter().map(Found::to_string).collect();
                    assert!(all > found.len(), "{place}: no live key is found, but {lines:?}");
                }
                wrong.extend(found.iter().map(|found| format!("{place}: {found}")));
                if let (Some(own), 1..) = (how.own, time) {
                    let leavings = leavings(program.id(), stack, PAINTED, own);
                    if leavings.bytes > ADDRESSES {
                        wrong.push(format!("{place}: {leavings:?}"));
                    }
                }
            }
        }
    }
    program.end();
    wrong
}
