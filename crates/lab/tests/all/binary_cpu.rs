//! Compares the prover's model of each instruction with the CPU: every form of an instruction that
//! occurs in a kernel, with its exact encoding, runs in a child process from random registers.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{Named, random, shipped};
use lanesum_kernels::emit::{LaneTarget, Target};
use lanesum_kernels::proof;
use lanesum_kernels::stitch::{Order, VectorIsa};
use lanesum_prove::concrete::{Concrete, MEMORY, OPERAND, pointer};
use lanesum_prove::{Binary, Flags, Instruction, Operand, Shipped, Task};
use lanesum_spec::Family;

/// Number of trials per form.
const TIMES: usize = 24;

/// Bytes per trial that the child reads and writes.
pub(crate) const RECORD: usize = MASKS + 8 * 8;

/// Offset of the mask registers in a record.
pub(crate) const MASKS: usize = 8 * 16 + 8 + 8 + 64 * 32 + MEMORY;

/// The instructions of a kernel. If its constants follow its code, only the executed ones.
fn instructions<'a>(binary: &'a Binary<'_>) -> impl Iterator<Item = &'a Instruction> {
    let kernel = binary.kernel;
    let is_lanes = |text: LaneTarget| text.family == kernel.family && text.kernel() == kernel.name;
    let compresses = matches!(kernel.task, Task::Compress | Task::Finish | Task::DigestBlocks);
    let has_constants =
        kernel.name.ends_with("_asm_x1") || compresses && LaneTarget::shipped().any(is_lanes);
    let executed = has_constants.then(|| binary.executed().unwrap());
    binary.code().instructions().filter(move |instruction| {
        executed.as_ref().is_none_or(|executed| executed.contains(&instruction.address))
    })
}

/// Additions with carry, and double-register shifts.
const NARROW: &str = "adc eax, ecx\nadc ecx, dword ptr [rdi]\nadc dword ptr [rdi], ecx\nadc edx, 77\n\
    adc edx, -5\nadc rax, rcx\nadc al, cl\nshrd eax, ecx, 1\nshrd eax, ecx, 7\nshrd eax, ecx, 31\n\
    shrd eax, ecx, 32\nshrd eax, eax, 5\nshld eax, ecx, 1\nshld eax, ecx, 9\nshld eax, ecx, 31\n\
    add eax, ecx\nadd eax, dword ptr [rdi]\nadd eax, 77\nsub eax, ecx\nxor eax, ecx\nand eax, ecx\n\
    or eax, ecx\nnot eax\nshr eax, 7\nshl eax, 9\nror eax, 8\nbswap eax\nmovsx eax, cl\nret";

/// Vector instructions that only 32-bit kernels use.
const OF_SSE2: &str = "movsd qword ptr [rdi], xmm1\nmovss dword ptr [rdi], xmm1\nmovsd xmm2, qword ptr [rdi]\n\
    movlhps xmm1, xmm2\nmovhlps xmm3, xmm4\nunpckhpd xmm5, xmm6\nret";
const OF_AVX2: &str = "vbroadcasti128 ymm1, [rdi]\nvbroadcastf128 ymm2, [rdi]\n\
    vbroadcastss xmm3, dword ptr [rdi]\nvshufps xmm4, xmm5, xmm6, 78\nret";

/// Instruction forms that the prover supports, including forms that no kernel uses.
const GENERAL: &str = include_str!("forms_general.s");
const VECTORS: &str = include_str!("forms_vectors.s");

/// Instructions that the child itself uses to call a case.
pub(crate) const CARRIES_THE_TEST: [&str; 5] = ["push", "pop", "call", "ret", "jmp"];

/// An instruction's form: everything that distinguishes it except its registers.
pub(crate) fn form(instruction: &Instruction) -> String {
    let mut text = format!("{} {}", instruction.name(), instruction.broadcast);
    for operand in &instruction.operands {
        match operand {
            Operand::General(_, len) => write!(text, " general {len}"),
            Operand::High(_) => write!(text, " high"),
            Operand::Vector(_, len) => write!(text, " vector {len}"),
            Operand::Memory(place) if instruction.name() == "lea" => {
                let scale = place.index.map(|index| index.1);
                write!(text, " {:?} {scale:?} {}", place.base.is_some(), place.image)
            }
            Operand::Memory(place) => write!(text, " memory {}", place.bytes),
            Operand::Immediate(n) if instruction.operands.len() > 2 => write!(text, " {n}"),
            Operand::Immediate(_) => write!(text, " immediate"),
            Operand::Mask(_) | Operand::Target(_) => Ok(()),
        }
        .unwrap();
    }
    if instruction.mask.is_some() {
        write!(text, " masked {}", instruction.zeroes).unwrap();
    }
    // Equal operands can select a different operation, such as a zero idiom.
    let first = instruction.operands.first();
    let again = instruction.operands.iter().skip(1).filter(|operand| Some(*operand) == first);
    write!(text, " {}", again.count()).unwrap();
    text
}

/// An instruction to test, and the kernel that it is attributed to.
pub(crate) struct Case {
    pub(crate) kernel: usize,
    pub(crate) instruction: Instruction,
    pub(crate) bytes: Vec<u8>,
}

/// A random number, with a bias to boundary values.
fn number(seed: &mut u64) -> [u8; 8] {
    let edges = [0, 1, u64::MAX, 0x8000_0000, 0x7fff_ffff_ffff_ffff, 1 << 63];
    let n = random(seed);
    let k = if n.is_multiple_of(4) { edges[(n >> 8) as usize % edges.len()] } else { random(seed) };
    k.to_le_bytes()
}

fn start(seed: &mut u64) -> Concrete<u8> {
    let mut bytes = |len: usize| -> Vec<u8> { (0..len / 8).flat_map(|_| number(seed)).collect() };
    let general = std::array::from_fn(|_| bytes(8).try_into().unwrap());
    let vectors = (0..32).map(|_| bytes(64).try_into().unwrap()).collect();
    let memory = bytes(MEMORY);
    let masks = std::array::from_fn(|_| bytes(8).try_into().unwrap());
    let bits = random(seed);
    let flag = |i: u32| Some(bits >> i & 1 == 1);
    let flags = Flags { zero: flag(0), carry: flag(1), sign: flag(2), overflow: flag(3) };
    Concrete { general, vectors, memory, masks, flags }
}

/// A random start state for an instruction. The indices of a gather point into the test memory.
pub(crate) fn start_of(instruction: &Instruction, seed: &mut u64) -> Concrete<u8> {
    let mut start = start(seed);
    let gathers = instruction.operands.iter().find_map(|operand| match operand {
        Operand::Memory(place) => place.gathers,
        _ => None,
    });
    if let Some((index, scale)) = gathers {
        let places = (MEMORY as u64 - 8) / scale;
        for four in start.vectors[index].chunks_exact_mut(4) {
            let place = (random(seed) % places) as i32 - (OPERAND as u64 / scale) as i32;
            four.copy_from_slice(&place.to_le_bytes());
        }
    }
    start
}

/// Reads one flag.
type Flag = fn(&Flags) -> Option<bool>;

/// Bit positions in the flags register.
const FLAGS: [(u32, Flag); 4] = [
    (6, |flags| flags.zero),
    (0, |flags| flags.carry),
    (7, |flags| flags.sign),
    (11, |flags| flags.overflow),
];

/// A case and its start state, as a child reads it.
pub(crate) fn record(case: &Case, start: &Concrete<u8>) -> Vec<u8> {
    let mut out = Vec::with_capacity(RECORD);
    start.general.iter().for_each(|register| out.extend(register));
    let flags = FLAGS.iter().map(|(bit, of)| u64::from(of(&start.flags) == Some(true)) << bit);
    out.extend(flags.sum::<u64>().to_le_bytes());
    // The register that points into the test memory, if any, and its offset there.
    let base = pointer(&case.instruction, &start.general);
    if let Some((base, more)) = base {
        out[8 * base..8 * base + 8].copy_from_slice(&more.to_le_bytes());
    }
    out.extend((base.map_or(-1, |(base, _)| base as i64)).to_le_bytes());
    start.vectors.iter().for_each(|vector| out.extend(vector));
    out.extend(&start.memory);
    start.masks.iter().for_each(|mask| out.extend(mask));
    out
}

/// The child program: loads all registers, runs one instruction, and stores all registers.
fn program(cases: &[Case], times: usize) -> (String, String) {
    let (vector, move_, count) = if is_x86_feature_detected!("avx512f") {
        ("zmm", "vmovdqu64", 32)
    } else if is_x86_feature_detected!("avx") {
        ("ymm", "vmovdqu", 16)
    } else {
        ("xmm", "movdqu", 16)
    };
    const GENERAL: [&str; 16] = [
        "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12",
        "r13", "r14", "r15",
    ];
    let at = |i: usize| format!("[rip + place + {}]", 8 * i);
    let mut text = String::from(
        ".intel_syntax noprefix\n.text\n.globl run\nrun:\npush rbx\npush rbp\npush r12\npush r13\n\
         push r14\npush r15\nmov [rip + saved], rsp\npush [rip + place + 128]\npopfq\n",
    );
    let vectors: Vec<(String, String)> = (0..count)
        .map(|i| (format!("{vector}{i}"), format!("[rip + place + {}]", 144 + 64 * i)))
        .collect();
    vectors.iter().for_each(|(name, at)| writeln!(text, "{move_} {name}, {at}").unwrap());
    let masks: Vec<(String, String)> =
        (0..if is_x86_feature_detected!("avx512bw") { 8 } else { 0 })
            .map(|i| (format!("k{i}"), format!("[rip + place + {}]", MASKS + 8 * i)))
            .collect();
    masks.iter().for_each(|(name, at)| writeln!(text, "kmovq {name}, {at}").unwrap());
    (0..16).for_each(|i| writeln!(text, "mov {}, {}", GENERAL[i], at(i)).unwrap());
    text += "jmp [rip + target]\nsave_jumped: mov qword ptr [rip + place + 136], 1\nsave:\n";
    (0..16).for_each(|i| writeln!(text, "mov {}, {}", at(i), GENERAL[i]).unwrap());
    text += "mov rsp, [rip + saved]\npushfq\npop [rip + place + 128]\n";
    vectors.iter().for_each(|(name, at)| writeln!(text, "{move_} {at}, {name}").unwrap());
    masks.iter().for_each(|(name, at)| writeln!(text, "kmovq {at}, {name}").unwrap());
    // After a fault, only this code is reported; the registers are not stored.
    text += "jmp done\n.globl faulted\nfaulted: mov qword ptr [rip + place + 136], 2\n\
             mov rsp, [rip + saved]\ndone: ";
    text += "cld\npop r15\npop r14\npop r13\npop r12\npop rbp\npop rbx\nret\n";
    for (i, case) in cases.iter().enumerate() {
        writeln!(text, "case_{i}:").unwrap();
        let bytes =
            |bytes: &[u8]| bytes.iter().map(|byte| format!(".byte {byte}\n")).collect::<String>();
        let image = case.instruction.operands.iter().find_map(|operand| match operand {
            Operand::Memory(place) if place.image => Some(place.offset),
            _ => None,
        });
        match (&case.instruction.operands[..], image) {
            ([Operand::Target(_)], _) => {
                writeln!(text, "{} save_jumped", case.instruction.name()).unwrap();
            }
            (_, Some(address)) => {
                // The RIP-relative displacement.
                let distance = address.wrapping_sub(case.instruction.next as i64) as i32;
                let place = case.bytes.windows(4).rposition(|w| w == distance.to_le_bytes());
                let place = place.expect("a displacement");
                let (before, after) = (&case.bytes[..place], &case.bytes[place + 4..]);
                text += &bytes(before);
                let rest = 4 + after.len();
                writeln!(text, ".long place + {} - . - {rest}", 144 + 2048 + OPERAND).unwrap();
                text += &bytes(after);
            }
            (_, None) => text += &bytes(&case.bytes),
        }
        text += "jmp save\n";
    }
    text += ".section .data.rel.ro, \"aw\"\n.globl cases\ncases:\n";
    (0..cases.len()).for_each(|i| writeln!(text, ".quad case_{i}").unwrap());
    write!(
        text,
        ".bss\n.balign 64\n.skip 48\n.globl place\nplace: .skip {RECORD}\n\
         .globl target\ntarget: .skip 8\nsaved: .skip 8\n\
         .section .note.GNU-stack, \"\", @progbits\n"
    )
    .unwrap();
    let memory = 144 + 2048;
    let main = format!(
        "#define _GNU_SOURCE\n#include <signal.h>\n#include <stdint.h>\n#include <stdio.h>\n\
         #include <string.h>\n#include <ucontext.h>\n\
         extern char faulted[];\n\
         static void go_on(int signal, siginfo_t *info, void *context) {{\n\
         (void)signal, (void)info;\n\
         greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;\n\
         registers[REG_RIP] = (greg_t)faulted; }}\n\
         extern void *const cases[];\nextern void *target;\n\
         extern unsigned char place[{RECORD}];\nvoid run(void);\n\
         static void point(int i) {{\n\
         uint64_t at; memcpy(&at, place + 8 * i, 8); at += (uint64_t)(place + {memory});\n\
         memcpy(place + 8 * i, &at, 8); }}\n\
         int main(void) {{\n\
         static char other[1 << 16]; stack_t stack = {{.ss_sp = other, .ss_size = sizeof other}};\n\
         sigaltstack(&stack, NULL);\n\
         struct sigaction action = {{.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER}};\n\
         action.sa_sigaction = go_on;\n\
         const int all[] = {{SIGSEGV, SIGILL, SIGBUS, SIGFPE, SIGTRAP}};\n\
         for (int i = 0; i < 5; i++) sigaction(all[i], &action, NULL);\n\
         for (int i = 0; i < {}; i++) for (int t = 0; t < {times}; t++) {{\n\
         if (fread(place, {RECORD}, 1, stdin) != 1) return 1;\n\
         int64_t base; memcpy(&base, place + 136, 8); memset(place + 136, 0, 8);\n\
         if (base != 4) memset(place + 32, 0, 8);\n\
         point(4); if (base >= 0 && base != 4) point(base);\n\
         target = cases[i]; run(); fwrite(place, {RECORD}, 1, stdout); }} }}\n",
        cases.len(),
    );
    (text, main)
}

#[test]
fn instructions_behave_as_the_prover_models_them() {
    let rows: BTreeSet<&str> =
        lanesum::Kernel::table().filter_map(Result::ok).map(lanesum::Kernel::name).collect();
    let rows: BTreeSet<&str> = rows.into_iter().chain(["text"]).collect();
    let mut binaries: Vec<Binary<'_>> =
        Shipped::all().map(|kernel| Binary::find(shipped(), kernel).unwrap()).collect();
    // Also the instructions that only 32-bit kernels use, in their 64-bit encoding.
    let narrow = ["sha256_x86_64", "sha512_x86_64"]
        .map(|name| proof::emitted(Target::named(name).unwrap(), NARROW).unwrap());
    let vectors = [(VectorIsa::Sse2, OF_SSE2), (VectorIsa::Avx2, OF_AVX2)]
        .map(|(isa, text)| proof::stitched(Family::Sha256, isa, Order::Big, text).unwrap());
    let vectors = &vectors[..if is_x86_feature_detected!("avx2") { 2 } else { 1 }];
    binaries.extend(narrow.iter().chain(vectors).map(|text| text.binary().unwrap()));
    let general = ["sha256_bmi2", "sha512_bmi2"]
        .map(|name| proof::emitted(Target::named(name).unwrap(), GENERAL).unwrap());
    binaries.extend(general.iter().map(|text| text.binary().unwrap()));
    let wide = proof::stitched(Family::Sha256, VectorIsa::Avx512, Order::Big, VECTORS).unwrap();
    for name in ["avx512_vl_x8/sha256", "avx512_vl_x4/sha512"] {
        let kernel = Shipped::all().find(|kernel| kernel.to_string() == name).unwrap();
        binaries.push(wide.binary().unwrap().as_if(kernel));
    }
    // Only functions that screen blocks gather bits of several words.
    let gathers = |kernel: Shipped| matches!(kernel.task, Task::Traced | Task::Screen | Task::Read);
    // For each form, word width and meaning of mixed words, the first instruction that can be tested.
    let mut forms: BTreeMap<(String, u32, bool), Case> = BTreeMap::new();
    let mut left_out = BTreeSet::new();
    let mut seed = 1;
    // Some instructions cannot be tested because of their operands; stop after a few of one form.
    let mut attempts: BTreeMap<(String, u32, bool), usize> = BTreeMap::new();
    for (kernel, binary) in binaries.iter().enumerate() {
        for instruction in instructions(binary) {
            let name = &instruction.name()[..];
            let bytes = binary.bytes(instruction).expect("an instruction of the image").to_vec();
            if CARRIES_THE_TEST.contains(&name) || matches!(name, "int3" | "ud2") {
                continue;
            }
            let bits = binary.kernel.family.word_bits();
            let key = (form(instruction), bits, gathers(binary.kernel));
            if !rows.contains(binary.kernel.name) {
                left_out.insert(key);
                continue;
            }
            let attempts = attempts.entry(key.clone()).or_default();
            *attempts += 1;
            if forms.contains_key(&key) || *attempts > 10 {
                continue;
            }
            let tried = (0..4).any(|_| {
                let start = start_of(instruction, &mut seed);
                binary.execute(instruction, &start, || false).is_ok()
            });
            if tried {
                let instruction = instruction.clone();
                forms.insert(key, Case { kernel, instruction, bytes });
            }
        }
    }
    let tried: BTreeSet<&String> = forms.keys().map(|(form, ..)| form).collect();
    let untried = left_out.iter().filter(|(form, ..)| !tried.contains(form));
    let untried: BTreeSet<&str> = untried.map(|(form, ..)| &form[..]).collect();
    if !untried.is_empty() {
        // The summary is one line: the first few instruction names, without operands.
        let names = untried.iter().filter_map(|form| form.split(' ').next());
        let names = Vec::from_iter(BTreeSet::from_iter(names));
        let some = names[..names.len().min(5)].join(", ");
        let more = if names.len() > 5 { ", ..." } else { "" };
        let why =
            format!("no kernel that this CPU can run has {} of them: {some}{more}", untried.len());
        lanesum_testkit::left_out(lanesum_testkit::Kind::Test, "forms_of_instructions", &why);
    }
    let names: BTreeSet<String> = forms.values().map(|case| case.instruction.name()).collect();
    println!("{} forms of {} instructions", forms.len(), names.len());
    // Every instruction name is tested; only forms may lack a test because of their operands.
    for binary in binaries.iter().filter(|binary| rows.contains(binary.kernel.name)) {
        for instruction in instructions(binary) {
            let name = &instruction.name()[..];
            let other = CARRIES_THE_TEST.contains(&name) || matches!(name, "int3" | "ud2");
            assert!(other || names.contains(name), "{instruction} is not tested");
        }
    }

    let cases: Vec<Case> = forms.into_values().collect();
    let starts: Vec<Vec<Concrete<u8>>> = cases
        .iter()
        .map(|case| (0..TIMES).map(|_| start_of(&case.instruction, &mut seed)).collect())
        .collect();
    let found = executed("binary_cpu", &cases, &starts);
    let (mut failures, understood) = compared(&binaries, &cases, &starts, &found, &mut seed);
    for (case, times) in cases.iter().zip(understood) {
        assert!(times > 0, "the model predicts no run of {}", case.instruction);
    }
    failures.truncate(20);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The comparison rejects a model of `insertps` with another source, destination or mask of zeros.
#[test]
fn wrong_models_of_insertps_are_rejected() {
    let text = proof::stitched(Family::Sha256, VectorIsa::Avx512, Order::Big, VECTORS).unwrap();
    let kernel = Shipped::all().find(|kernel| kernel.to_string() == "avx512_vl_x8/sha256").unwrap();
    let binaries = [text.binary().unwrap().as_if(kernel)];
    let is_tested = |one: &&Instruction| match &one.name()[..] {
        "insertps" => is_x86_feature_detected!("sse4.1"),
        "vinsertps" => is_x86_feature_detected!("avx"),
        _ => false,
    };
    let (mut seed, mut forms) = (1, 0);
    for instruction in binaries[0].code().instructions().filter(is_tested) {
        let bytes = binaries[0].bytes(instruction).expect("its bytes").to_vec();
        let right = [Case { kernel: 0, instruction: instruction.clone(), bytes: bytes.clone() }];
        let starts = [(0..TIMES).map(|_| start_of(instruction, &mut seed)).collect()];
        let found = executed("insertps", &right, &starts);
        let mut compare = |cases: &[Case]| compared(&binaries, cases, &starts, &found, &mut seed);
        assert_eq!(compare(&right), (Vec::new(), vec![2 * TIMES]));
        // An operand in memory has a single element.
        let is_memory = |operand: &Operand| matches!(operand, Operand::Memory(_));
        let bits = if instruction.operands.iter().any(is_memory) { 6 } else { 8 };
        for bit in 0..bits {
            let mut changed = instruction.clone();
            let Some(Operand::Immediate(n)) = changed.operands.last_mut() else { unreachable!() };
            *n ^= 1 << bit;
            let wrong = Case { kernel: 0, instruction: changed, bytes: bytes.clone() };
            assert_eq!(compare(&[wrong]).0.len(), 1, "{instruction} with bit {bit} flipped");
        }
        forms += 1;
    }
    println!("{forms} forms");
}

/// Runs each case on the CPU from each of its start states, and returns one record per run.
pub(crate) fn executed(name: &str, cases: &[Case], starts: &[Vec<Concrete<u8>>]) -> Vec<u8> {
    let (text, main) = program(cases, starts[0].len());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name);
    fs::write(path("cases.s"), text).unwrap();
    fs::write(path("main.c"), main).unwrap();
    let built = Command::new("cc")
        .arg("-o")
        .args([path("cases"), path("cases.s"), path("main.c")])
        .output()
        .expect("a C compiler");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let input: Vec<u8> = cases
        .iter()
        .zip(starts)
        .flat_map(|(case, starts)| starts.iter().flat_map(move |start| record(case, start)))
        .collect();
    records(&path("cases"), input, starts)
}

/// Runs a child that reads a case per start state from its standard input, and returns the records that it writes.
pub(crate) fn records(program: &Path, input: Vec<u8>, starts: &[Vec<Concrete<u8>>]) -> Vec<u8> {
    let mut child =
        Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "the child: {}", output.status);
    writer.join().unwrap().unwrap();
    let trials: usize = starts.iter().map(Vec::len).sum();
    assert_eq!(output.stdout.len(), trials * RECORD, "one record per trial");
    output.stdout
}

/// Compares the CPU's results with the prover's model. Returns the differences, and for each case
/// the number of runs in which the model predicts a result.
pub(crate) fn compared(
    binaries: &[Binary<'_>],
    cases: &[Case],
    starts: &[Vec<Concrete<u8>>],
    found: &[u8],
    seed: &mut u64,
) -> (Vec<String>, Vec<usize>) {
    let mut records = found.chunks_exact(RECORD);
    let (mut failures, mut understood) = (Vec::new(), vec![0; cases.len()]);
    for ((case, starts), understood) in cases.iter().zip(starts).zip(&mut understood) {
        for start in starts {
            let found = records.next().expect("one record per trial");
            let mut coin = || random(seed).is_multiple_of(2);
            for words in [false, true] {
                let outcome =
                    binaries[case.kernel].execute(&case.instruction, start, || words && coin());
                let Ok(outcome) = outcome else { continue };
                *understood += 1;
                if let Some(what) = difference(&outcome.left, outcome.jumps, found) {
                    let at = format!("{} {:02x?}", case.instruction, case.bytes);
                    // Report one difference per encoding.
                    if !failures.last().is_some_and(|last: &String| last.starts_with(&at)) {
                        failures.push(format!("{at}: {what}"));
                    }
                }
            }
        }
    }
    (failures, understood)
}

fn difference(left: &Concrete<Option<u8>>, jumps: bool, found: &[u8]) -> Option<String> {
    if found[136] == 2 {
        return Some("it faults".to_owned());
    }
    let differs = |wanted: &[Option<u8>], found: &[u8]| {
        wanted.iter().zip(found).any(|(wanted, found)| wanted.is_some_and(|byte| byte != *found))
    };
    for (i, register) in left.general.iter().enumerate() {
        let found = &found[8 * i..8 * i + 8];
        if differs(register, found) {
            return Some(format!("general register {i}: {register:?}, but {found:?}"));
        }
    }
    let flags = u64::from_le_bytes(found[128..136].try_into().unwrap());
    for (bit, of) in FLAGS {
        if of(&left.flags).is_some_and(|flag| flag != (flags >> bit & 1 == 1)) {
            return Some(format!("flag {bit}"));
        }
    }
    // Without mask registers, no instruction sets one.
    for (i, mask) in left.masks.iter().enumerate() {
        if differs(mask, &found[MASKS + 8 * i..][..8]) {
            return Some(format!("mask {i}"));
        }
    }
    if jumps != (found[136] == 1) {
        return Some("it jumps".to_owned());
    }
    // Only the vector registers, and the part of each, that the child can store.
    let (count, len) = if is_x86_feature_detected!("avx512f") {
        (32, 64)
    } else if is_x86_feature_detected!("avx") {
        (16, 32)
    } else {
        (16, 16)
    };
    for (i, vector) in left.vectors.iter().take(count).enumerate() {
        let found = &found[144 + 64 * i..][..len];
        if differs(&vector[..len], found) {
            return Some(format!("vector register {i}: {vector:?}, but {found:?}"));
        }
    }
    let memory = &found[144 + 2048..];
    differs(&left.memory, memory).then(|| format!("memory: {:?}, but {memory:?}", left.memory))
}
