//! An adversary that knows the prover. By a fixed seed it inserts code into kernels, and changes what
//! loaders read of a library. What the prover accepts runs on the CPU, against functions that are
//! written apart from the specification (`attack.c`): any difference is a hole.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::{random, shipped};
use crate::refused::shipped as shipped_text;
use lanesum_graph::emit::Target;
use lanesum_graph::prove::text::Text;
use lanesum_graph::prove::{Binary, Image, Shipped, check_fingerprints, fingerprints};

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

/// One of these.
fn one<T: Copy>(of: &[T], seed: &mut u64) -> T {
    of[random(seed) as usize % of.len()]
}

fn number(seed: &mut u64) -> u64 {
    (one(&EDGES, seed) + one(&[-1, 0, 0, 0, 1], seed)) as u64
}

/// A guard before the first instruction: a condition on a count or a pointer, and harm if it holds or
/// does not.
fn guard(seed: &mut u64) -> String {
    let mut lines =
        vec![format!("mov rax, {}", one(&["rdx", "rdx", "rdx", "rsi", "rdi", "rsp"], seed))];
    for _ in 0..random(seed) % 3 {
        let k = number(seed);
        lines.push(format!("movabs rcx, {k:#x}"));
        let shift = random(seed) % 64;
        let line = match random(seed) % 12 {
            0 => "add rax, rcx".into(),
            1 => "sub rax, rcx".into(),
            2 => "lea rax, [rax + rcx]".into(),
            3 => format!("lea rax, [rax + {}]", k as i32),
            4 => format!("shl rax, {}", shift % 8),
            5 => format!("shr rax, {shift}"),
            6 => format!("imul rax, rax, {}", k as i8),
            7 => "and rax, rcx".into(),
            8 => "or rax, rcx".into(),
            9 => "sub rax, rdx".into(),
            10 => "add rax, rdx".into(),
            _ => format!("lea rax, [rax + rdx * {}]", 1 << (shift % 4)),
        };
        lines.push(line);
    }
    let k = number(seed);
    lines.push(format!("movabs rcx, {k:#x}"));
    lines.push(
        match random(seed) % 10 {
            0 | 1 => "cmp rax, rcx",
            2 => "cmp rcx, rax",
            3 => "test rax, rax",
            4 => "sub rax, rcx",
            5 => "add rax, rcx",
            6 => "cmp eax, ecx",
            7 => "cmp rax, rdx",
            8 => "inc rax",
            _ => "dec rax",
        }
        .into(),
    );
    let condition = one(&CONDITIONS, seed);
    // Detours by flags, bytes and registers.
    lines.extend(match random(seed) % 5 {
        0 | 1 => vec![format!("j{condition} 78f")],
        2 => vec![format!("set{condition} al"), "test al, al".into(), "jnz 78f".into()],
        3 => vec![
            "mov r8d, 0".into(),
            "mov r9d, 1".into(),
            format!("cmov{condition} r8, r9"),
            "cmp r8, 0".into(),
            "jne 78f".into(),
        ],
        _ => vec![
            "lea r8, [rip + 76f]".into(),
            "lea r9, [rip + 78f]".into(),
            format!("cmov{condition} r8, r9"),
            "jmp r8".into(),
        ],
    });
    let harm = one(
        &[
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
        seed,
    );
    if random(seed).is_multiple_of(2) {
        lines.extend(["76:".into(), harm.into(), "78:".into()]);
    } else {
        lines.extend(["76: jmp 77f".into(), "78:".into(), harm.into(), "77:".into()]);
    }
    lines.join("\n") + "\n"
}

struct Adversary {
    judge: PathBuf,
    folder: PathBuf,
    seed: u64,
    /// How many attacks of each kind were refused, and how many accepted.
    sums: BTreeMap<&'static str, [usize; 2]>,
    failures: Vec<String>,
    original: Original,
}

/// The library as it ships.
struct Original {
    file: Vec<u8>,
    lines: String,
    /// Where kernels and tables are, for the judge.
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
        let all = read_relocations(&file);
        let memset = all.iter().map(|&(at, _)| at).find(of_memset).unwrap_or(0);
        let entries: Vec<u64> = image.dispatched().iter().map(|one| one.address).collect();
        for (at, to) in all.iter().filter(|(_, to)| entries.contains(to)) {
            let _ = to;
            places += &format!("{at:x} 0\n");
        }
        let lines = fingerprints(image, &functions);
        let loaded = String::new();
        let original = Original { file, lines, places, memset, loaded };
        let sums = BTreeMap::new();
        let mut adversary = Self { judge, folder, seed, sums, failures: Vec::new(), original };
        adversary.original.loaded = adversary.loaded(&library).expect("the library is loaded");
        assert!(adversary.original.loaded.ends_with("fills"), "{}", adversary.original.loaded);
        adversary
    }

    fn count(&mut self, kind: &'static str, accepted: bool) {
        self.sums.entry(kind).or_default()[usize::from(accepted)] += 1;
    }

    /// What is in memory of a library; none if it cannot be loaded.
    fn loaded(&self, library: &Path) -> Option<String> {
        let mut command = Command::new(&self.judge);
        command.args([Path::new("file"), library]).arg(format!("{:x}", self.original.memset));
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // One that does not come so far does not read.
        let _ = child.stdin.take().unwrap().write_all(self.original.places.as_bytes());
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        output.status.success().then_some(said)
    }

    /// A kernel for one message, with a guard at its beginning.
    fn guarded(&mut self) {
        let (family, number) =
            one(&[("sha1", 1), ("sha256", 256), ("sha512", 512)], &mut self.seed);
        let target = Target::named(&format!("{family}_x86_64")).unwrap();
        let guard = guard(&mut self.seed);
        let kernel = shipped_text(&target.name());
        let text = format!("{guard}{kernel}");
        let proven = Text::emitted(target, &text).and_then(|text| text.prove());
        self.count("guard", proven.is_ok());
        if proven.is_err() {
            return;
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
        if !status.success() {
            self.failures.push(format!("{family} is proven, and {status}, with\n{guard}"));
        }
    }

    /// The library with something else where loaders read it.
    fn tricked(&mut self) {
        let mut file = self.original.file.clone();
        let word = |file: &[u8], at: usize| {
            u64::from_le_bytes(file[at..at + 8].try_into().unwrap()) as usize
        };
        let headers = word(&file, 32);
        let header_count = usize::from(file[56]);
        let dynamic =
            (0..header_count).map(|i| headers + 56 * i).find(|&at| file[at] == 2).unwrap();
        let (dynamic, len) = (word(&file, dynamic + 8), word(&file, dynamic + 32));
        let tag = |file: &[u8], tag: usize| {
            let mut all = (dynamic..dynamic + len).step_by(16);
            all.find(|&at| word(file, at) == tag).map(|at| word(file, at + 8)).unwrap()
        };
        let (rela, rela_len) = (tag(&file, 7), tag(&file, 8));
        let (strings, symbols) = (tag(&file, 5), tag(&file, 6));
        let seed = &mut self.seed;
        let kind = one(
            &["header", "segment", "dynamic", "relocation", "string", "symbol", "table", "cave"],
            seed,
        );
        let at = |from: usize, len: usize, seed: &mut u64| from + random(seed) as usize % len;
        let places: Vec<usize> = match kind {
            "header" => vec![at(0, 64, seed)],
            "segment" => vec![at(headers, 56 * header_count, seed)],
            "dynamic" => vec![at(dynamic, len, seed)],
            "relocation" => vec![at(rela, rela_len, seed)],
            "string" => vec![at(strings, tag(&file, 10), seed)],
            "symbol" => vec![at(symbols, 24 * 64, seed)],
            _ => Vec::new(),
        };
        for at in places {
            file[at] = match random(seed) % 3 {
                0 => file[at] ^ 1 << (random(seed) % 8),
                1 => file[at].wrapping_add(8),
                _ => random(seed) as u8,
            };
        }
        let kernels: Vec<u64> = shipped().dispatched().iter().map(|one| one.address).collect();
        if kind == "table" {
            // An entry leads to another kernel's function.
            let to = one(&kernels, seed);
            let all = (rela..rela + rela_len).step_by(24);
            let leads = |at: &usize| kernels.contains(&(word(&file, at + 16) as u64));
            let entries: Vec<usize> = all.filter(leads).collect();
            let at = one(&entries, seed) + 16;
            file[at..at + 8].copy_from_slice(&to.to_le_bytes());
        }
        if kind == "cave" {
            // A jump from somewhere in a function to padding, or into another one.
            let code = (0..header_count).map(|i| headers + 56 * i);
            let code = code.into_iter().find(|&at| file[at] == 1 && file[at + 4] & 1 == 1).unwrap();
            let (from, to) = (one(&kernels, seed), one(&kernels, seed));
            let from = from + random(seed) % 64;
            let place = from as usize - word(&file, code + 16) + word(&file, code + 8);
            let by = (to as i64 - random(seed) as i64 % 16 - from as i64 - 5) as i32;
            file[place] = 0xe9;
            file[place + 1..place + 5].copy_from_slice(&by.to_le_bytes());
        }
        let seen =
            Image::new(&file).and_then(|image| check_fingerprints(&image, &self.original.lines));
        self.count(kind, seen.is_ok());
        if seen.is_err() || file == self.original.file {
            return;
        }
        let library = self.folder.join("tricked.so");
        fs::write(&library, &file).unwrap();
        // What cannot be loaded runs nothing.
        if let Some(loaded) = self.loaded(&library).filter(|loaded| *loaded != self.original.loaded)
        {
            let changed: Vec<String> = file
                .iter()
                .zip(&self.original.file)
                .enumerate()
                .filter(|(_, (new, old))| new != old)
                .map(|(at, (new, old))| format!("{old:02x} at {at:#x} is {new:02x}"))
                .collect();
            self.failures
                .push(format!("{kind}: {changed:?} is accepted, and {loaded} is in memory"));
        }
    }

    fn run(&mut self, count: usize) {
        for i in 0..count {
            if i % 2 == 0 {
                self.guarded();
            } else {
                self.tricked();
            }
            if (i + 1).is_multiple_of(1000) {
                println!("{} attacks: {:?}", i + 1, self.sums);
            }
        }
        println!("attack,refused,accepted");
        for (kind, [refused, accepted]) in &self.sums {
            println!("{kind},{refused},{accepted}");
        }
        assert!(self.failures.is_empty(), "{}", self.failures.join("\n"));
    }
}

/// Where relocations put addresses of the program, and which.
fn read_relocations(file: &[u8]) -> Vec<(u64, u64)> {
    let word = |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().unwrap());
    let (headers, count) = (word(32) as usize, usize::from(file[56]));
    let dynamic = (0..count).map(|i| headers + 56 * i).find(|&at| file[at] == 2).unwrap();
    let (from, len) = (word(dynamic + 8) as usize, word(dynamic + 32) as usize);
    let tag = |tag: u64| {
        let mut all = (from..from + len).step_by(16);
        all.find(|&at| word(at) == tag).map(|at| word(at + 8) as usize).unwrap()
    };
    let table = (tag(7)..tag(7) + tag(8)).step_by(24);
    table.map(|at| (word(at), word(at + 16))).collect()
}

#[test]
fn a_sample_of_attacks_is_refused_or_does_no_harm() {
    let mut adversary = Adversary::new(1);
    adversary.run(160);
    let accepted: usize = adversary.sums.values().map(|[_, accepted]| accepted).sum();
    assert!(accepted > 0, "nothing is accepted: nothing was tried on the CPU");
}

/// As many as `LANESUM_ATTACKS` says.
#[test]
#[ignore = "long: run by `make attack`"]
fn attacks_are_refused_or_do_no_harm() {
    let count = std::env::var("LANESUM_ATTACKS").map_or(2000, |count| count.parse().unwrap());
    Adversary::new(2).run(count);
}
