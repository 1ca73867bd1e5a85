//! Mutation tests: machine code of shipped kernels with a few bytes changed. Each mutant is
//! rejected, or is equivalent: a child process runs it on the CPU and compares the results.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::common::{random, shipped};
use lanesum_prove::{Binary, Instruction, Shipped, Task};

/// The kinds of mutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// Flips one bit.
    Bit,
    /// Exchanges two consecutive instructions.
    Exchanged,
    /// Replaces an instruction by no-ops.
    Dropped,
    /// Changes the operand width.
    Width,
    /// Changes the last byte: a count, an offset or a constant.
    Last,
    /// Changes the condition code.
    Condition,
}

const KINDS: [Kind; 6] =
    [Kind::Bit, Kind::Exchanged, Kind::Dropped, Kind::Width, Kind::Last, Kind::Condition];

/// Mutates the instructions from `i` on. Returns the new bytes from that address on, or `None` if
/// this mutation does not apply.
fn change(kind: Kind, code: &[(u64, Vec<u8>)], i: usize, seed: &mut u64) -> Option<Vec<u8>> {
    let (address, old) = &code[i];
    let mut bytes = old.clone();
    let number = random(seed);
    match kind {
        Kind::Bit => {
            let bit = number as usize % (8 * bytes.len());
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        Kind::Exchanged => {
            let (next, other) = code.get(i + 1)?;
            if *next != address + old.len() as u64 {
                return None;
            }
            bytes = [&other[..], old].concat();
            if bytes == [&old[..], other].concat() {
                return None;
            }
        }
        Kind::Dropped => bytes.fill(0x90),
        Kind::Width => {
            // REX.W, VEX.L and EVEX.L'L; SSE2 has one width.
            let (at, bit) = match bytes[..] {
                [0x40..=0x4f, ..] => (0, 3),
                [0xc5, ..] => (1, 2),
                [0xc4, ..] => (2, if number & 1 == 0 { 2 } else { 7 }),
                [0x62, ..] => (3, if number & 1 == 0 { 5 } else { 6 }),
                _ => return None,
            };
            bytes[at] ^= 1 << bit;
        }
        Kind::Last => {
            let last = bytes.last_mut()?;
            *last = match number % 4 {
                0 => last.wrapping_add(1),
                1 => last.wrapping_sub(8),
                2 => last.wrapping_add(32),
                _ => *last ^ (number >> 8) as u8,
            };
        }
        Kind::Condition => {
            let at = match bytes[..] {
                [0x70..=0x7f, ..] => 0,
                [0x0f, 0x40..=0x4f | 0x80..=0x9f, ..] => 1,
                [0x40..=0x4f, 0x0f, 0x40..=0x4f, ..] => 2,
                _ => return None,
            };
            bytes[at] ^= 1 + (number % 15) as u8;
        }
    }
    (bytes != *old).then_some(bytes)
}

/// The child process that runs mutated functions.
pub(crate) struct Judge {
    child: Child,
    input: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Judge {
    pub(crate) fn new() -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutants");
        fs::create_dir_all(&folder).unwrap();
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let program = folder.join(format!("judge-{}-{number}", std::process::id()));
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/all/mutants.c");
        let built = Command::new("cc")
            .args(["-O1", "-D_GNU_SOURCE", "-o"])
            .arg(&program)
            .args([source, "-ldl"])
            .output()
            .expect("a C compiler");
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let mut child = Command::new(&program)
            .arg(lanesum_testkit::release_library())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        Self { child, input, answers }
    }

    /// Runs a kernel before and after changes, each an address and its new bytes. `family` selects
    /// the functions of FIPS 180-4 that the results are compared with: 1, 256, 512, or 0 for none.
    pub(crate) fn ask(
        &mut self,
        kernel: Shipped,
        entry: u64,
        family: u32,
        changes: &[(u64, &[u8])],
    ) -> String {
        let word_len = kernel.family.word_bits() / 8;
        let words = kernel.family.state_words();
        let hex = |(at, bytes): &(u64, &[u8])| {
            let bytes: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            format!(" {at:x} {bytes}")
        };
        let hex: String = changes.iter().map(hex).collect();
        let (lanes, big_endian) = (kernel.lanes, u8::from(kernel.family.is_big_endian()));
        let task = match kernel.task {
            Task::Compress => 0,
            Task::Finish => 1,
            Task::Write => 2,
            Task::Iterate => 3,
            Task::Traced => 4,
            Task::Screen => 5,
            Task::Apart => 6,
            Task::Read => 7,
            Task::DigestBlocks => 8,
        };
        let kind = format!("{task} {word_len:x} {words:x} {lanes:x} {big_endian}");
        writeln!(self.input, "{entry:x} {kind} {family:x} {:x}{hex}", changes.len()).unwrap();
        let mut answer = String::new();
        self.answers.read_line(&mut answer).unwrap();
        answer.trim_end().to_owned()
    }

    pub(crate) fn done(self) {
        drop(self.input);
        let mut child = self.child;
        assert!(child.wait().unwrap().success());
    }
}

/// The executed instructions, with their bytes.
fn executed(binary: &Binary<'_>) -> Vec<(u64, Vec<u8>)> {
    let executed = binary.executed().unwrap();
    let of = |i: &Instruction| (i.address, shipped().code(i).expect("its bytes").to_vec());
    binary.code().instructions().filter(|i| executed.contains(&i.address)).map(of).collect()
}

/// A function, and its instructions that are mutated.
struct Original {
    kernel: Shipped,
    entry: u64,
    code: Vec<(u64, Vec<u8>)>,
}

/// The functions of every kernel that this CPU can run.
fn originals(judge: &mut Judge) -> Vec<Original> {
    let rows: BTreeSet<&str> =
        lanesum::Kernel::table().filter_map(Result::ok).map(lanesum::Kernel::name).collect();
    let mut all = Vec::new();
    for kernel in Shipped::all() {
        if !rows.contains(kernel.name) {
            let why = "this CPU cannot run it, nor its mutants";
            lanesum_testkit::left_out(lanesum_testkit::Kind::Kernel, kernel.name, why);
            continue;
        }
        let binary = Binary::find(shipped(), kernel).unwrap();
        let (entry, code) = (binary.entry(), executed(&binary));
        let (at, bytes) = code.iter().find(|(_, bytes)| bytes.len() > 1).unwrap();
        // Check that the judge accepts the kernel itself and detects a trap.
        assert_eq!(judge.ask(kernel, entry, 0, &[(*at, bytes)]), "same", "{kernel}");
        let trap = vec![0xcc; bytes.len()];
        assert_eq!(judge.ask(kernel, entry, 0, &[(*at, &trap)]), "ends by signal 5", "{kernel}");
        all.push(Original { kernel, entry, code });
    }
    all
}

/// A random mutant: its kind, the index of the instruction, and its bytes.
fn mutant(code: &[(u64, Vec<u8>)], seed: &mut u64) -> (Kind, usize, Vec<u8>) {
    loop {
        let kind = KINDS[random(seed) as usize % KINDS.len()];
        // Conditions are rare, so select among the instructions that have one. `write` functions
        // lack them.
        let able: Vec<usize> = match kind {
            Kind::Condition => {
                (0..code.len()).filter(|&i| change(kind, code, i, &mut 0).is_some()).collect()
            }
            _ => (0..code.len()).collect(),
        };
        if able.is_empty() {
            continue;
        }
        let i = able[random(seed) as usize % able.len()];
        if let Some(bytes) = change(kind, code, i, seed) {
            return (kind, i, bytes);
        }
    }
}

/// Numbers of rejected and of proven mutants, for each task and kind.
type Sums = BTreeMap<(Task, Kind), [usize; 2]>;

/// Prints a table in the format of the records.
fn report(round: usize, functions: usize, sums: &Sums) {
    println!("# {round} mutants of each of {functions} functions");
    println!("function,change,refused,proven");
    for ((task, kind), [refused, proven]) in sums {
        println!("{task:?},{kind:?},{refused},{proven}");
    }
}

/// Tests `count` mutants of every function, in rounds of one each, so that an interrupted run has
/// tested all functions equally.
fn are_rejected_or_equivalent(count: usize, mut seed: u64) {
    let mut judge = Judge::new();
    let originals = originals(&mut judge);
    let (mut sums, mut failures) = (Sums::new(), Vec::new());
    for round in 1..=count {
        for Original { kernel, entry, code } in &originals {
            let (kind, i, bytes) = mutant(code, &mut seed);
            let (at, old) = &code[i];
            let image = shipped().patched(*at, &bytes);
            let mutant = Binary::at(&image, *entry, *kernel).expect("a function at this address");
            let proven = mutant.refute().and_then(|()| mutant.prove()).is_ok();
            sums.entry((kernel.task, kind)).or_default()[usize::from(proven)] += 1;
            if proven {
                let answer = judge.ask(*kernel, *entry, 0, &[(*at, &bytes)]);
                let text = format!("{kernel} at {at:#x}: {bytes:02x?} for {old:02x?} ({kind:?})");
                println!("proven, and {answer}: {text}");
                if answer != "same" {
                    failures.push(format!("{text} is proven, and {answer}"));
                }
            }
        }
        if round.is_multiple_of(20) || round == count {
            report(round, originals.len(), &sums);
        }
    }
    judge.done();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    // Most mutations change the function, but many consecutive instructions commute.
    let [refused, proven] =
        sums.values().fold([0, 0], |[x, y], [refused, proven]| [x + refused, y + proven]);
    assert!(2 * proven < refused, "{proven} of {} are proven", refused + proven);
}

#[test]
fn a_sample_of_mutants_is_rejected_or_equivalent() {
    are_rejected_or_equivalent(2, 1);
}

/// `LANESUM_MUTANTS` is the number of mutants per function.
#[test]
#[ignore = "long: run by `cargo xtask test-long`"]
fn mutants_are_rejected_or_equivalent() {
    let count = std::env::var("LANESUM_MUTANTS").map_or(5, |count| count.parse().unwrap());
    are_rejected_or_equivalent(count, 2);
}
