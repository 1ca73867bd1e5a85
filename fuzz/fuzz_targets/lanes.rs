//! The scheduler returns every message once, with the digest that the specification
//! computes, or with the message's error: for messages of any lengths, in any pieces and
//! combinations, while policies change and digests are taken or dropped.
#![no_main]

use lanesum::{Algorithm, Done, Engine, Kernel, Lanes, Message, Policy};
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
struct Run {
    algorithm: u8,
    policy: Choice,
    steps: Vec<Step>,
}

#[derive(Arbitrary, Debug)]
enum Step {
    Push {
        len: Len,
        seed: u8,
        /// The maximum length of a piece, minus one.
        piece: u8,
        fails_at: Option<u16>,
    },
    Take,
    /// Drains this many messages, and leaves the rest inside.
    Drain(u8),
    Policy(Choice),
}

/// A length: those at the ends of blocks and of padding are as likely as all others together.
#[derive(Arbitrary, Debug)]
enum Len {
    Any(u16),
    Edge { blocks: u8, beside: u8 },
}

#[derive(Arbitrary, Debug)]
enum Choice {
    Automatic,
    Fixed(u8),
    /// A kernel with another cost.
    Cost(u8, u32),
}

fuzz_target!(|run: Run| {
    let algorithms: Vec<Algorithm> = Algorithm::all().collect();
    let algorithm = algorithms[usize::from(run.algorithm) % algorithms.len()];
    let mut lanes = Lanes::new(run.policy.engine(algorithm));
    let mut inside = Vec::new();
    for (name, step) in run.steps.into_iter().enumerate() {
        match step {
            Step::Push { len, seed, piece, fails_at } => {
                inside.push(name);
                let len = len.bytes(algorithm);
                check(
                    algorithm,
                    &mut inside,
                    lanes.push(Piecewise::new(name, len, seed, piece, fails_at)),
                );
            }
            Step::Take => check(algorithm, &mut inside, lanes.take()),
            Step::Drain(n) => {
                for done in lanes.drain().take(n.into()) {
                    check(algorithm, &mut inside, Some(done));
                }
            }
            Step::Policy(choice) => lanes.set_engine(&choice.engine(algorithm)),
        }
        assert_eq!(lanes.len(), inside.len());
    }
    for done in lanes.drain() {
        check(algorithm, &mut inside, Some(done));
    }
    assert!(lanes.is_empty() && inside.is_empty(), "left inside: {inside:?}");
});

/// Removes a finished message from `inside`, and checks its digest.
fn check(algorithm: Algorithm, inside: &mut Vec<usize>, done: Option<Done<Piecewise>>) {
    let Some(Done { message, digest }) = done else { return };
    let at = inside.iter().position(|&name| name == message.name).expect("given back once");
    inside.swap_remove(at);
    match (digest, message.fails_at) {
        (Ok(digest), None) => {
            assert_eq!(message.at, message.bytes.len(), "consumed");
            let expected = lanesum_spec::digest(algorithm, &message.bytes);
            assert_eq!(digest.as_bytes(), &expected[..algorithm.digest_len()], "{algorithm}");
        }
        (Err(fails_at), Some(expected)) => assert_eq!(fails_at, expected),
        (digest, fails_at) => panic!("{digest:?} of a message that fails at {fails_at:?}"),
    }
}

impl Len {
    fn bytes(&self, algorithm: Algorithm) -> usize {
        match *self {
            Self::Any(len) => usize::from(len) % 5000,
            Self::Edge { blocks, beside } => {
                let block = algorithm.block_len();
                // From one byte past the end of a block to before the position of the length field.
                let beside = usize::from(beside) % (block / 8 + 4);
                ((1 + usize::from(blocks) % 9) * block + 1).saturating_sub(beside)
            }
        }
    }
}

impl Choice {
    fn engine(&self, algorithm: Algorithm) -> Engine {
        let kernels: Vec<Kernel> = Kernel::all().filter(|b| b.supports(algorithm)).collect();
        let kernel = |i: u8| kernels[usize::from(i) % kernels.len()];
        let policy = match *self {
            Self::Automatic => Policy::automatic(),
            Self::Fixed(i) => Policy::fixed(kernel(i)),
            Self::Cost(i, cost) => Policy::automatic().with_cost(kernel(i), algorithm, cost),
        };
        policy.engine(algorithm).expect("a kernel that supports it")
    }
}

/// A message in pieces of many lengths, which may fail at a byte.
#[derive(Debug)]
struct Piecewise {
    name: usize,
    bytes: Vec<u8>,
    at: usize,
    /// The end of the current piece.
    end: usize,
    longest: usize,
    fails_at: Option<usize>,
}

impl Piecewise {
    fn new(name: usize, len: usize, seed: u8, piece: u8, fails_at: Option<u16>) -> Self {
        let byte = |i: usize| (i.wrapping_mul(0x9e37_79b1) >> 7) as u8 ^ seed;
        let bytes: Vec<u8> = (0..len).map(byte).collect();
        // In pieces of up to 256 bytes, or whole.
        let longest = if piece == u8::MAX { len.max(1) } else { 1 + usize::from(piece) };
        let fails_at = fails_at.map(|at| usize::from(at) % (len + 1));
        Self { name, bytes, at: 0, end: 0, longest, fails_at }
    }
}

impl Message for Piecewise {
    /// The position of the failure.
    type Error = usize;

    fn fill(&mut self) -> Result<&[u8], usize> {
        if self.at == self.end {
            if self.fails_at == Some(self.at) {
                return Err(self.at);
            }
            // Lengths vary within the message, but are the same in every run.
            let piece = 1 + self.at.wrapping_mul(0x85eb_ca6b) / 64 % self.longest;
            let stop = self.fails_at.unwrap_or(self.bytes.len());
            self.end = stop.min(self.at + piece);
        }
        Ok(&self.bytes[self.at..self.end])
    }

    fn consume(&mut self, n: usize) {
        assert!(n <= self.end - self.at, "no more than was available");
        self.at += n;
    }
}
