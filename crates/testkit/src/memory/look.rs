//! Takes a program through each step on each kernel, and says what its memory may hold after
//! it.

use std::process::Command;

use lanesum_spec::{Algorithm, Family};

use super::derived::{hkdf, hkdf_extract, hmac, pbkdf2};
use super::{Found, Secrets, Stepped, leavings, search};

/// Each family of algorithms once.
#[must_use]
pub fn algorithms() -> [Algorithm; Family::ALL.len()] {
    Family::ALL.map(Family::algorithm)
}

/// A key that fits in a block, and one that does not.
const KEY_LENS: [usize; 2] = [20, 200];

/// How much of the stack programs paint before a step.
const PAINTED: usize = 256 << 10;

/// How many bytes may be left deep down, none of which tells of a key: return addresses of what
/// overwrites the rest, and where a door has found its arguments.
const ADDRESSES: usize = 160;

/// A step that has just been done.
#[derive(Debug)]
pub struct Done {
    /// The program.
    pub process: u32,
    /// Where its stack ended before the step.
    pub stack: u64,
    /// Where something lives on, if the program knows.
    pub live: u64,
    /// How many bytes that are; none if nothing lives on.
    pub live_len: u64,
}

/// How to look at a program.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Whether a secret is where the step keeps something alive. It is asked only of steps that
    /// do.
    pub lives: fn(&Done, &Found) -> bool,
    /// How much of the stack below are frames of the step itself, in bytes, if all below them
    /// is to be overwritten.
    pub own: Option<usize>,
}

/// Keys that no two steps share.
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

/// What a step of this name must not leave. The names say what is done with the key, always with
/// the same salt, info, lengths and iterations.
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
        // Nobody is told the right tag of what is compared with a wrong one.
        let message = |len: usize| (0..len).map(|i| (i % 251) as u8).collect::<Vec<_>>();
        for message in [message(100), [message(10), message(300)].concat()] {
            secrets.bytes("the right tag", &hmac(algorithm, key, &message));
        }
    }
    secrets
}

/// Has a program do each of its steps under each of the algorithms, one after the other: what is
/// left in its memory that may not be, a line each. Steps that plant a key are to leave it.
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
        // The first use of a kernel is not what later ones are.
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
