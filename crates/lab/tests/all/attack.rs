//! An adversary that knows the prover. By a fixed seed it inserts code into kernels, and changes what
//! loaders read of a library (`attack_files.rs`). Every accepted change runs on the CPU, against functions
//! that share nothing with the specification (`fips.h`): any difference is a hole.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::attack_files;
use crate::common::{random, shipped};
use crate::mutants::Judge;
use crate::refused::shipped as shipped_text;
use lanesum_kernels::emit::Target;
use lanesum_kernels::proof;
use lanesum_prove::{Binary, Image, Operand, Shipped, Task, check_fingerprints, fingerprints};
use lanesum_spec::Family;

const CONDITIONS: [&str; 14] =
    ["e", "ne", "b", "ae", "be", "a", "s", "ns", "l", "ge", "le", "g", "o", "no"];

/// Numbers around which counts, pointers and flags change.
const EDGES: [i128; 24] = [
    0,
    1,
    2,
    7,
    8,
    63,
    64,
    70,
    1000,
    4096,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    1 << 32,
    1 << 47,
    1 << 57,
    1 << 58,
    1 << 61,
    1 << 62,
    i64::MAX as i128,
    1 << 63,
    (1 << 63) + 1,
    -1,
    -64,
];

/// A random element of `of`.
pub(crate) fn one<T: Copy>(of: &[T], seed: &mut u64) -> T {
    of[random(seed) as usize % of.len()]
}

fn number(seed: &mut u64) -> u64 {
    (one(&EDGES, seed) + one(&[-1, 0, 0, 0, 1], seed)) as u64
}

/// The registers and locations that a guard may read and change.
struct Prey {
    /// Registers and locations with counts, pointers and lengths.
    reads: &'static [&'static str],
    /// Registers that a sum may use.
    registers: &'static [&'static str],
    harms: &'static [&'static str],
}

/// A kernel for one message: a chaining value, blocks and their number.
const TEXT: Prey = Prey {
    reads: &["rdx", "rdx", "rdx", "rsi", "rdi", "rsp"],
    registers: &["rdx"],
    harms: &[
        "ret",
        "xor dword ptr [rdi], 1",
        "add rsi, 64",
        "sub rdx, 1",
        "mov edx, edx",
        "shr rdx, 1",
        "xor edx, edx",
        "mov byte ptr [rsp + 8], 0",
        "mov rax, [rsi - 8]",
    ],
};

/// `compress` or `finish` of the library: chaining values, their number, the stride, slices, their number
/// and the number of blocks (`compress`) or of earlier bytes (`finish`).
const LANES: Prey = Prey {
    reads: &[
        "r9",
        "[rcx]",
        "[rcx + 8]",
        "[rcx + 8]",
        "rdx",
        "rsi",
        "rdi",
        "rcx",
        "r8",
        "[rsp + 8]",
        "rsp",
    ],
    registers: &["r9", "rdx"],
    harms: &[
        "ret",
        "xor dword ptr [rdi], 1",
        "add rcx, 16",
        "add r9, 64",
        "add rdx, 1",
        "mov r9d, r9d",
        "shr r9, 1",
        "mov qword ptr [rsp + 8], 0",
    ],
};

/// `write` of the library: chaining values, their number, the stride, output slots and the number
/// of lanes.
const WRITE: Prey = Prey {
    reads: &["rdx", "rsi", "rdi", "rcx", "r8", "rsp"],
    registers: &["rdx", "rsi"],
    harms: &["ret", "xor dword ptr [rdi], 1", "add rcx, 64", "add rdx, 1", "mov byte ptr [rcx], 0"],
};

/// `iterate` of the library: initial values, the padding, chaining values and their number, sums
/// and their number. The stride, the first hash and the number of iterations are on the stack.
const ITERATE: Prey = Prey {
    reads: &["dword [rsp + 24]", "[rsp + 16]", "[rsp + 8]", "rcx", "r9", "rdx", "r8", "rsi", "rsp"],
    registers: &["rcx", "r9"],
    harms: &[
        "ret",
        "xor dword ptr [rdx], 1",
        "xor dword ptr [r8], 1",
        "sub dword ptr [rsp + 24], 1",
        "mov qword ptr [rsp + 16], 1",
        "add rsi, 8",
        "mov qword ptr [rsp + 24], 0",
    ],
};

/// `digest_blocks` of the library: a chaining value, slices and their number, the bytes before them, the expanded
/// padding, digests and their number.
const DIGEST_BLOCKS: Prey = Prey {
    reads: &[
        "dword [rdi]",
        "[rsi + 8]",
        "dword [r8]",
        "rdi",
        "rsi",
        "rdx",
        "rcx",
        "r8",
        "r9",
        "[rsp + 8]",
        "rsp",
    ],
    registers: &["rdx", "rcx"],
    harms: &[
        "ret",
        "add rdi, 4",
        "add rsi, 8",
        "add rcx, 64",
        "add r8, 4",
        "add r9, 64",
        "mov byte ptr [r9], 0",
    ],
};

/// `sha1_traced` of the library: a chaining value and its number of words, a slice, the number of blocks,
/// and a slice of traces.
const TRACED: Prey = Prey {
    reads: &["r8", "rcx", "[rsp + 8]", "rsi", "rdx", "rdi", "r9", "rsp"],
    registers: &["r8", "rcx"],
    harms: &[
        "ret",
        "xor dword ptr [rdi], 1",
        "xor dword ptr [r9], 1",
        "sub r8, 1",
        "mov r8d, r8d",
        "add rdx, 64",
        "add r9, 4",
        "mov eax, [rdx - 8]",
    ],
};

/// `screen` of the library: slices and their number, the number of blocks, and a slice of suspects.
const SCREEN: Prey = Prey {
    reads: &["rdx", "rdx", "r8", "rsi", "[rdi]", "[rdi + 8]", "rdi", "rcx", "rsp"],
    registers: &["rdx", "r8"],
    harms: &[
        "ret",
        "mov dword ptr [rcx], 0",
        "add rdi, 16",
        "sub rdx, 1",
        "mov edx, edx",
        "add rcx, 4",
        "mov eax, [rcx - 8]",
    ],
};

/// The specification's `read`: a schedule and vectors.
const READ: Prey = Prey {
    reads: &["rsi", "rdi", "[rdi]", "[rdi + 136]", "dword [rdi]", "dword [rdi + 140]", "rsp"],
    registers: &["rsi", "rdi"],
    harms: &[
        "ret",
        "xor esi, 1",
        "and esi, -2",
        "or esi, 1",
        "mov esi, esi",
        "xor dword ptr [rdi], 1",
        "add rdi, 4",
        "mov eax, [rdi - 8]",
    ],
};

/// A guard before the first instruction: a condition on an argument, and harm if it holds or does not. It changes registers that hold no argument.
fn guard(prey: &Prey, seed: &mut u64) -> String {
    let read = one(prey.reads, seed);
    let mut lines = vec![match read.strip_prefix("dword ") {
        Some(place) => format!("mov eax, dword ptr {place}"),
        None => format!("mov rax, {read}"),
    }];
    for _ in 0..random(seed) % 3 {
        let k = number(seed);
        lines.push(format!("movabs r10, {k:#x}"));
        let (shift, register) = (random(seed) % 64, one(prey.registers, seed));
        let line = match random(seed) % 12 {
            0 => "add rax, r10".into(),
            1 => "sub rax, r10".into(),
            2 => "lea rax, [rax + r10]".into(),
            3 => format!("lea rax, [rax + {}]", k as i32),
            4 => format!("shl rax, {}", shift % 8),
            5 => format!("shr rax, {shift}"),
            6 => format!("imul rax, rax, {}", k as i8),
            7 => "and rax, r10".into(),
            8 => "or rax, r10".into(),
            9 => format!("sub rax, {register}"),
            10 => format!("add rax, {register}"),
            _ => format!("lea rax, [rax + {register} * {}]", 1 << (shift % 4)),
        };
        lines.push(line);
    }
    let (k, register) = (number(seed), one(prey.registers, seed));
    lines.push(format!("movabs r10, {k:#x}"));
    lines.push(match random(seed) % 10 {
        0 | 1 => "cmp rax, r10".into(),
        2 => "cmp r10, rax".into(),
        3 => "test rax, rax".into(),
        4 => "sub rax, r10".into(),
        5 => "add rax, r10".into(),
        6 => "cmp eax, r10d".into(),
        7 => format!("cmp rax, {register}"),
        8 => "inc rax".into(),
        _ => "dec rax".into(),
    });
    let condition = one(&CONDITIONS, seed);
    // Detours by flags, bytes and registers.
    lines.extend(match random(seed) % 5 {
        0 | 1 => vec![format!("j{condition} 78f")],
        2 => vec![format!("set{condition} al"), "test al, al".into(), "jnz 78f".into()],
        3 => vec![
            "mov r10d, 0".into(),
            "mov r11d, 1".into(),
            format!("cmov{condition} r10, r11"),
            "cmp r10, 0".into(),
            "jne 78f".into(),
        ],
        _ => vec![
            "lea r10, [rip + 76f]".into(),
            "lea r11, [rip + 78f]".into(),
            format!("cmov{condition} r10, r11"),
            "jmp r10".into(),
        ],
    });
    let harm = one(prey.harms, seed);
    if random(seed).is_multiple_of(2) {
        lines.extend(["76:".into(), harm.into(), "78:".into()]);
    } else {
        lines.extend(["76: jmp 77f".into(), "78:".into(), harm.into(), "77:".into()]);
    }
    lines.join("\n") + "\n"
}

/// A function of the library that gets a guard.
struct Victim {
    kernel: Shipped,
    entry: u64,
    /// The bytes of its first instructions, which move elsewhere.
    moved: Vec<u8>,
    /// The places of distances within these bytes, and the addresses that they lead to.
    distances: Vec<(usize, u64)>,
    /// Another function of an engine kernel, which it does not call: the guard overwrites it.
    cave: u64,
}

const TASKS: [Task; 8] = [
    Task::Compress,
    Task::Finish,
    Task::Write,
    Task::Iterate,
    Task::DigestBlocks,
    Task::Traced,
    Task::Screen,
    Task::Read,
];

/// The length of a near jump, and of the distance in it.
pub(crate) const JUMP: usize = 5;
const DISTANCE: usize = 4;

/// The functions of the families of FIPS 180-4 with few lanes that this CPU can run.
fn victims() -> Vec<Victim> {
    const MOST_LANES: usize = 8;
    let image = shipped();
    let here: Vec<&str> =
        lanesum::Kernel::table().filter_map(Result::ok).map(lanesum::Kernel::name).collect();
    let mut all = Vec::new();
    for kernel in Shipped::all() {
        let is_few = kernel.lanes <= MOST_LANES && here.contains(&kernel.name);
        if !is_few || fips(kernel) == 0 || !TASKS.contains(&kernel.task) {
            continue;
        }
        let binary = Binary::find(image, kernel).unwrap();
        let own: Vec<u64> = binary.code().functions().collect();
        let (mut moved, mut distances, mut next) = (Vec::new(), Vec::new(), binary.entry());
        while moved.len() < JUMP {
            let Ok(first) = binary.code().at(next) else { break };
            let bytes = image.code(first).unwrap();
            let is_relative = |operand: &Operand| match operand {
                Operand::Target(_) => true,
                Operand::Memory(place) => place.image,
                _ => false,
            };
            match (&first.operands[..], bytes) {
                // A conditional near jump.
                (&[Operand::Target(to)], [0x0f, 0x80..=0x8f, ..]) => {
                    distances.push((moved.len() + bytes.len() - DISTANCE, to));
                }
                (all, _) if all.iter().any(is_relative) => break,
                _ => {}
            }
            moved.extend_from_slice(bytes);
            next = first.next;
        }
        let others = image.dispatched().iter().filter(|one| !own.contains(&one.address));
        let cave = others.max_by_key(|one| image.function(one.address).map(|f| f.code.len()));
        if moved.len() >= JUMP {
            let (entry, cave) = (binary.entry(), cave.expect("another function").address);
            all.push(Victim { kernel, entry, moved, distances, cave });
        }
    }
    all
}

/// The judge's number of a family of FIPS 180-4; 0 for others.
fn fips(kernel: Shipped) -> u32 {
    match kernel.family {
        Family::Sha1 => 1,
        Family::Sha256 => 256,
        Family::Sha512 => 512,
        _ => 0,
    }
}

/// The judge's number of the family, for tasks that FIPS 180-4 specifies. Others are compared with the
/// unchanged function.
fn judged(kernel: Shipped) -> u32 {
    match kernel.task {
        Task::Traced | Task::Screen | Task::Read => 0,
        _ => fips(kernel),
    }
}

/// The distance at an address that leads to another one: the last bytes of a near jump.
fn distance(at: u64, to: u64) -> [u8; DISTANCE] {
    (to.wrapping_sub(at + DISTANCE as u64) as i32).to_le_bytes()
}

/// A jump from one address to another.
pub(crate) fn jump(from: u64, to: u64) -> Vec<u8> {
    [&[0xe9][..], &distance(from + 1, to)].concat()
}

struct Adversary {
    judge: PathBuf,
    folder: PathBuf,
    seed: u64,
    /// The number of attacks of each kind that were refused, accepted and equal, and accepted and wrong.
    sums: BTreeMap<&'static str, [usize; 3]>,
    failures: Vec<String>,
    original: Original,
    victims: Vec<Victim>,
    /// Runs functions of the library.
    runner: Judge,
}

/// The outcome of an attack.
enum Outcome {
    Refused,
    /// Accepted; it has the effects of the original, or cannot be loaded.
    Equal,
    /// Accepted; it does something else.
    Wrong(String),
}

/// The library as it ships.
struct Original {
    file: Vec<u8>,
    lines: String,
    /// The addresses of kernels and tables, for the judge.
    places: String,
    memset: u64,
    loaded: String,
}

impl Adversary {
    fn new(seed: u64) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("attack-{seed}"));
        fs::create_dir_all(&folder).unwrap();
        let judge = folder.join("judge");
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/all/attack.c");
        let mut cc = Command::new("cc");
        cc.args(["-O2", "-Wall", "-D_GNU_SOURCE", "-o"]).arg(&judge).args([source, "-ldl"]);
        let built = cc.output().expect("a C compiler");
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let library = lanesum_testkit::release_library();
        let file = fs::read(&library).unwrap();
        let image = shipped();
        let mut functions = Vec::new();
        for kernel in Shipped::all() {
            functions.extend(Binary::find(image, kernel).unwrap().code().functions());
        }
        functions.sort_unstable();
        functions.dedup();
        let mut places = String::new();
        for function in functions.iter().filter_map(|&at| image.function(at)) {
            places += &format!("{:x} {:x}\n", function.address, function.code.len());
        }
        let of_memset = |at: &u64| format!("{:?}", image.byte::<u64>(*at)).contains("Memset");
        let all = attack_files::relocations(&file);
        let memset = all.iter().map(|&(at, _)| at).find(of_memset).unwrap_or(0);
        let entries: Vec<u64> = image.dispatched().iter().map(|one| one.address).collect();
        for (at, _) in all.iter().filter(|(_, to)| entries.contains(to)) {
            places += &format!("{at:x} 0\n");
        }
        let is_number = |at: u64| format!("{:?}", image.byte::<u64>(at)).contains("Number");
        for at in attack_files::protected(&file).step_by(8).filter(|&at| is_number(at)) {
            places += &format!("{at:x} 8\n");
        }
        let lines = fingerprints(image, &functions);
        let loaded = String::new();
        let original = Original { file, lines, places, memset, loaded };
        let sums = BTreeMap::new();
        let failures = Vec::new();
        let (victims, mut runner) = (victims(), Judge::new());
        for task in TASKS {
            // The judge's own functions agree with the library's.
            let Some(one) = victims.iter().find(|one| one.kernel.task == task) else { continue };
            let nothing = [(one.entry, &one.moved[..])];
            let answer = runner.ask(one.kernel, one.entry, judged(one.kernel), &nothing);
            assert_eq!(answer, "same", "{}", one.kernel);
        }
        let mut adversary = Self { judge, folder, seed, sums, failures, original, victims, runner };
        adversary.original.loaded = adversary.loaded(&library).expect("the library is loaded");
        assert!(adversary.original.loaded.ends_with("fills"), "{}", adversary.original.loaded);
        adversary
    }

    fn count(&mut self, kind: &'static str, outcome: Outcome) {
        let place = match outcome {
            Outcome::Refused => 0,
            Outcome::Equal => 1,
            Outcome::Wrong(what) => {
                println!("ACCEPTED AND WRONG: {what}");
                self.failures.push(what);
                2
            }
        };
        self.sums.entry(kind).or_default()[place] += 1;
    }

    /// Describes the memory of a library once it is loaded, or the crash of the process that examines it;
    /// `None` if it cannot be loaded.
    fn loaded(&self, library: &Path) -> Option<String> {
        let mut command = Command::new(&self.judge);
        command.args([Path::new("file"), library]).arg(format!("{:x}", self.original.memset));
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // A child that fails earlier does not read its input.
        let _ = child.stdin.take().unwrap().write_all(self.original.places.as_bytes());
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        match output.status.success() {
            true => Some(said),
            false => said.starts_with("loaded").then(|| format!("{said}, then {}", output.status)),
        }
    }

    /// A kernel for one message, with a guard at its beginning.
    fn guarded(&mut self) -> Outcome {
        let (family, number) =
            one(&[("sha1", 1), ("sha256", 256), ("sha512", 512)], &mut self.seed);
        let target = Target::named(&format!("{family}_x86_64")).unwrap();
        let guard = guard(&TEXT, &mut self.seed);
        let kernel = shipped_text(&target.name());
        let text = format!("{guard}{kernel}");
        let proven = proof::emitted(target, &text).and_then(|text| text.prove());
        if proven.is_err() {
            return Outcome::Refused;
        }
        let [source, library] = ["text.s", "text.so"].map(|name| self.folder.join(name));
        let head =
            ".intel_syntax noprefix\n.text\n.globl lanesum_text\n.type lanesum_text, @function\n";
        let end = ".section .note.GNU-stack, \"\", @progbits\n";
        fs::write(&source, format!("{head}lanesum_text:\n{text}\n{end}")).unwrap();
        let mut cc = Command::new("cc");
        cc.args(["-shared", "-nostdlib", "-o"]).args([&library, &source]);
        assert!(cc.status().unwrap().success());
        let mut judge = Command::new(&self.judge);
        judge.args([Path::new("text"), &library]).arg(number.to_string());
        let status = judge.stderr(Stdio::null()).status().unwrap();
        match status.success() {
            true => Outcome::Equal,
            false => Outcome::Wrong(format!("{family} is proven, and {status}, with\n{guard}")),
        }
    }

    /// A function of the library whose first instructions jump to a guard in another function, and
    /// back.
    fn detoured(&mut self) -> (&'static str, Outcome) {
        // CPUs without AVX-512 have no `write`.
        let has = |task: &Task| self.victims.iter().any(|one| one.kernel.task == *task);
        let task = one(&TASKS.into_iter().filter(has).collect::<Vec<_>>(), &mut self.seed);
        let all: Vec<&Victim> = self.victims.iter().filter(|one| one.kernel.task == task).collect();
        let i = random(&mut self.seed) as usize % all.len();
        let Victim { kernel, entry, ref moved, ref distances, cave } = *all[i];
        let (kind, prey) = match kernel.task {
            Task::Compress => ("guard of compress", LANES),
            Task::Finish => ("guard of finish", LANES),
            Task::Write => ("guard of write", WRITE),
            Task::Iterate => ("guard of iterate", ITERATE),
            Task::DigestBlocks => ("guard of digest_blocks", DIGEST_BLOCKS),
            Task::Traced => ("guard of traced", TRACED),
            Task::Screen => ("guard of screen", SCREEN),
            Task::Read => ("guard of read", READ),
            Task::Apart => unreachable!("not a victim"),
        };
        let guard = guard(&prey, &mut self.seed);
        let [source, object, code] =
            ["cave.s", "cave.o", "cave"].map(|name| self.folder.join(name));
        fs::write(&source, format!(".intel_syntax noprefix\n{guard}")).unwrap();
        let ran = |command: &mut Command| assert!(command.status().unwrap().success(), "{guard}");
        ran(Command::new("as").arg("-o").args([&object, &source]));
        ran(Command::new("objcopy").args(["-O", "binary", "-j", ".text"]).args([&object, &code]));
        let mut bytes = fs::read(&code).unwrap();
        let start = bytes.len();
        bytes.extend_from_slice(moved);
        for &(place, to) in distances {
            let at = start + place;
            bytes[at..at + DISTANCE].copy_from_slice(&distance(cave + at as u64, to));
        }
        bytes.extend(jump(cave + bytes.len() as u64, entry + moved.len() as u64));
        let mut first = jump(entry, cave);
        first.resize(moved.len(), 0x90);
        let image = shipped().patched(entry, &first).patched(cave, &bytes);
        let changed = Binary::at(&image, entry, kernel).expect("the function is there");
        if changed.prove().is_err() {
            return (kind, Outcome::Refused);
        }
        let changes = [(entry, &first[..]), (cave, &bytes[..])];
        let answer = self.runner.ask(kernel, entry, judged(kernel), &changes);
        match &answer[..] {
            "same" => (kind, Outcome::Equal),
            _ => (kind, Outcome::Wrong(format!("{kernel} is proven, and {answer}, with\n{guard}"))),
        }
    }

    /// The library with a change to data that loaders read.
    fn tricked(&mut self) -> (&'static str, Outcome) {
        let original = &self.original.file;
        let mut file = original.clone();
        let kernels: Vec<u64> = shipped().dispatched().iter().map(|one| one.address).collect();
        let kind = attack_files::trick(&mut file, &kernels, self.original.memset, &mut self.seed);
        let seen =
            Image::new(&file).and_then(|image| check_fingerprints(&image, &self.original.lines));
        if seen.is_err() {
            return (kind, Outcome::Refused);
        }
        if file == *original {
            return (kind, Outcome::Equal);
        }
        let library = self.folder.join("tricked.so");
        fs::write(&library, &file).unwrap();
        // A library that cannot be loaded runs nothing.
        let loaded = self.loaded(&library).filter(|loaded| *loaded != self.original.loaded);
        let Some(loaded) = loaded else { return (kind, Outcome::Equal) };
        let pairs = file.iter().zip(original).enumerate().filter(|(_, (new, old))| new != old);
        let changed: Vec<String> =
            pairs.map(|(at, (new, old))| format!("{old:02x} at {at:#x} is {new:02x}")).collect();
        let what = format!("{kind}: {changed:?} is accepted, and {loaded} is in memory");
        (kind, Outcome::Wrong(what))
    }

    fn run(&mut self, count: usize) {
        for i in 0..count {
            // Proofs of functions of several lanes take longest.
            let (kind, outcome) = match i % 20 {
                0 => self.detoured(),
                i if i % 2 == 0 => ("guard of a text", self.guarded()),
                _ => self.tricked(),
            };
            self.count(kind, outcome);
            if (i + 1).is_multiple_of(500) {
                println!("{}", self.summary(i + 1));
            }
        }
        println!("attack,refused,accepted and equal,accepted and wrong");
        for (kind, [refused, equal, wrong]) in &self.sums {
            println!("{kind},{refused},{equal},{wrong}");
        }
        println!("{}", self.summary(count));
        assert!(self.failures.is_empty(), "{}", self.failures.join("\n"));
    }

    fn summary(&self, count: usize) -> String {
        let [refused, equal, wrong] =
            self.sums.values().fold([0; 3], |sum, one| std::array::from_fn(|i| sum[i] + one[i]));
        format!(
            "{count} attacks: {refused} refused, {equal} accepted and equal, {wrong} accepted and wrong"
        )
    }
}

#[test]
fn a_sample_of_attacks_is_refused_or_does_no_harm() {
    let mut adversary = Adversary::new(1);
    // Its first instructions include a relative jump.
    let is_read = |one: &Victim| one.kernel.task == Task::Read;
    assert!(adversary.victims.iter().any(is_read), "`read` is not attacked");
    adversary.run(160);
    let equal: usize = adversary.sums.values().map(|[_, equal, _]| equal).sum();
    assert!(equal > 0, "no attack is accepted, so none ran on the CPU");
    adversary.runner.done();
}

/// `LANESUM_ATTACKS` is the number of attacks.
#[test]
#[ignore = "long: run by `cargo xtask attack`"]
fn attacks_are_refused_or_do_no_harm() {
    let count = std::env::var("LANESUM_ATTACKS").map_or(2000, |count| count.parse().unwrap());
    let mut adversary = Adversary::new(2);
    adversary.run(count);
    adversary.runner.done();
}
