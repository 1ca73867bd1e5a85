//! Emitted kernels in a C program: built by the system's compiler, compared with the specification,
//! run under valgrind with an undefined message, and stepped through in gdb.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use lanesum_kernels::emit::generated::{assembly, header, lanes_header};
use lanesum_kernels::emit::{Isa, LaneIsa, LaneTarget, Target, WordSource, emit, emit_lanes};
use lanesum_kernels::stitch;
use lanesum_model::Orders;
use lanesum_spec::{Algorithm, Family};
use lanesum_testkit::{Kind, left_out};

/// A kernel for C: its assembly file and header.
struct Taken {
    name: String,
    family: Family,
    assembly: String,
    header: String,
}

/// The emitted kernels that this CPU can run.
fn emitted() -> Vec<Taken> {
    let bmi2 = is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2");
    if !bmi2 {
        left_out(Kind::Kernel, "bmi2_asm_x1", "this CPU cannot run it");
    }
    let orders = Orders::built_in().unwrap();
    let shipped = Target::all().filter(|target| target.words == WordSource::Block);
    let taken = |target: Target| {
        let assembly = assembly(&target.name(), &emit(target, &orders).unwrap());
        Taken { name: target.name(), family: target.family, assembly, header: header(target) }
    };
    let runs = |target: &Target| target.isa.bits() == 64 && (bmi2 || target.isa != Isa::Bmi2);
    shipped.filter(runs).map(taken).collect()
}

/// The stitched kernels that this CPU can run; with `under_valgrind`, only those valgrind supports.
fn stitched(under_valgrind: bool) -> Vec<Taken> {
    let bmi2 = is_x86_feature_detected!("bmi2");
    let runs = |isa| match isa {
        stitch::VectorIsa::Sse2 => true,
        stitch::VectorIsa::Ssse3 => is_x86_feature_detected!("ssse3"),
        stitch::VectorIsa::Avx => is_x86_feature_detected!("avx"),
        stitch::VectorIsa::AvxBmi => is_x86_feature_detected!("avx") && bmi2,
        stitch::VectorIsa::Avx2 => is_x86_feature_detected!("avx2") && bmi2,
        stitch::VectorIsa::Avx512 => is_x86_feature_detected!("avx512vl"),
    };
    let taken = |kernel: stitch::StitchedKernel| Taken {
        assembly: kernel.assembly(),
        header: kernel.header(),
        family: kernel.family,
        name: kernel.name,
    };
    let name = |isa| match isa {
        stitch::VectorIsa::Sse2 => "sse2_x1",
        stitch::VectorIsa::Ssse3 => "ssse3_x1",
        stitch::VectorIsa::Avx | stitch::VectorIsa::AvxBmi => "avx_x1",
        stitch::VectorIsa::Avx2 => "avx2_x1",
        stitch::VectorIsa::Avx512 => "avx512_x1",
    };
    let is_run = |kernel: &stitch::StitchedKernel| {
        if !runs(kernel.isa) {
            left_out(Kind::Kernel, name(kernel.isa), "this CPU cannot run it");
            false
        } else if under_valgrind && kernel.isa == stitch::VectorIsa::Avx512 {
            left_out(Kind::Test, "valgrind_of_avx512", "valgrind does not know AVX-512");
            false
        } else {
            true
        }
    };
    stitch::kernels().into_iter().filter(is_run).map(taken).collect()
}

/// The lane kernels that this CPU can run; with `under_valgrind`, only those valgrind supports. The
/// program calls each lane through an adapter, next to messages of other contents.
fn lanes(under_valgrind: bool) -> Vec<Taken> {
    let taken = |target: LaneTarget| {
        let (inner, lanes) = (target.name(), target.lanes());
        let name = format!("each_lane_of_{inner}");
        let (words, bits) = (target.family.state_words(), target.family.word_bits());
        let adapter = format!(
            "#include <stdlib.h>
             static void lanesum_{name}(uint{bits}_t *state, const unsigned char *data, size_t blocks) {{
               enum {{ LANES = {lanes}, WORDS = {words}, STRIDE = LANES + 3, BLOCK = 2 * {bits} }};
               static unsigned char others[LANES * BLOCK * 2];
               for (size_t i = 0; i < sizeof others; i++) others[i] = (unsigned char)(i * 31 % 251);
               uint{bits}_t first[WORDS];
               for (int lane = 0; lane < LANES; lane++) {{
                 uint{bits}_t all[WORDS * STRIDE];
                 const void *messages[2 * LANES];
                 for (int i = 0; i < WORDS * STRIDE; i++) all[i] = (uint{bits}_t)i;
                 for (int i = 0; i < WORDS; i++) all[i * STRIDE + lane] = state[i];
                 for (int l = 0; l < LANES; l++)
                   messages[2 * l] = l == lane ? data : others + (size_t)l * BLOCK * 2;
                 lanesum_{inner}(all, STRIDE, messages, blocks);
                 for (int i = 0; i < WORDS; i++) {{
                   VALGRIND_MAKE_MEM_DEFINED(&all[i * STRIDE + lane], sizeof *all);
                   if (lane == 0) first[i] = all[i * STRIDE];
                   else if (first[i] != all[i * STRIDE + lane]) abort();
                   for (int l = LANES; l < STRIDE; l++)
                     if (all[i * STRIDE + l] != (uint{bits}_t)(i * STRIDE + l)) abort();
                 }}
               }}
               for (int i = 0; i < WORDS; i++) state[i] = first[i];
             }}
"
        );
        Taken {
            name,
            family: target.family,
            assembly: assembly(&inner, &emit_lanes(target, &Orders::built_in().unwrap()).unwrap()),
            header: lanes_header(target) + &adapter,
        }
    };
    let runs = |target: &LaneTarget| match target.isa {
        LaneIsa::Avx2 => is_x86_feature_detected!("avx2"),
        LaneIsa::Avx512Vl => is_x86_feature_detected!("avx512vl") && !under_valgrind,
        LaneIsa::Avx512 => is_x86_feature_detected!("avx512bw") && !under_valgrind,
    };
    let is_run = |target: &LaneTarget| {
        if !runs(target) {
            left_out(Kind::Kernel, &target.kernel(), "this CPU or valgrind cannot run it");
        }
        runs(target)
    };
    LaneTarget::all().filter(is_run).map(taken).collect()
}

fn run(command: &mut Command) -> Output {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .unwrap_or_else(|e| panic!("cannot run {name} ({e}): `cargo xtask tools` installs it"));
    assert!(
        output.status.success(),
        "{name}: {}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

/// Builds the example program with these kernels.
fn build(folder: &str, kernels: &[Taken], flags: &[&str]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    fs::create_dir_all(&folder).unwrap();
    let (mut includes, mut all) = (String::new(), "#define KERNELS".to_owned());
    let mut sources = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/example.c")];
    for Taken { name, family, assembly, header } in kernels {
        fs::write(folder.join(format!("{name}.S")), assembly).unwrap();
        fs::write(folder.join(format!("{name}.h")), header).unwrap();
        sources.push(folder.join(format!("{name}.S")));
        let (bits, words) = (family.word_bits(), family.state_words());
        let iv = named(*family).trim_start_matches("sha");
        writeln!(includes, "#include \"{name}.h\"").unwrap();
        write!(all, " RUN({name}, {bits}, {words}, IV{iv});").unwrap();
    }
    fs::write(folder.join("lanesum.h"), includes + &all + "\n").unwrap();
    let program = folder.join("example");
    let mut cc = Command::new("cc");
    cc.args(["-g", "-O1", "-Wall", "-Wextra", "-Werror", "-pedantic"]).args(flags);
    cc.arg("-I").arg(&folder).arg("-o").arg(&program).args(sources);
    run(&mut cc);
    program
}

/// The algorithm whose initial value is used with a family's kernels.
fn named(family: Family) -> &'static str {
    match family {
        Family::Sha1 => "sha1",
        Family::Sha256 => "sha256",
        _ => "sha512",
    }
}

/// The 32-bit kernels.
fn narrow() -> Vec<Taken> {
    let orders = Orders::built_in().unwrap();
    let targets = Target::all().filter(|t| t.words == WordSource::Block && t.isa == Isa::I686);
    let taken = |target: Target| {
        let assembly = assembly(&target.name(), &emit(target, &orders).unwrap());
        Taken { name: target.name(), family: target.family, assembly, header: header(target) }
    };
    targets.map(taken).collect()
}

/// Compiler flags for a 32-bit program; no 32-bit C library is installed.
const NARROW: [&str; 6] =
    ["-m32", "-ffreestanding", "-nostdlib", "-static", "-fno-stack-protector", "-DNARROW"];

/// The expected output of the program.
fn expected(kernels: &[Taken]) -> String {
    let mut text = String::new();
    for Taken { name, family, .. } in kernels {
        let family = *family;
        let mut state = Algorithm::from_name(named(family)).unwrap().iv();
        let (words, digits) = (family.state_words(), family.word_bits() as usize / 4);
        let len = family.block_len();
        let mut data = vec![0; 2 * len];
        data[..4].copy_from_slice(b"abc\x80");
        data[len - 1] = 24;
        (0..len).for_each(|i| data[len + i] = (7 * i) as u8);
        text += name;
        lanesum_spec::compress(family, &mut state, &data[..len]);
        let mut print = |state: &[u64]| {
            state[..words].iter().for_each(|w| write!(text, " {w:0digits$x}").unwrap());
        };
        print(&state);
        lanesum_spec::compress(family, &mut state, &data[..len]);
        lanesum_spec::compress(family, &mut state, &data[len..]);
        print(&state);
        text += "\n";
    }
    text
}

/// All kernels that the CPU can run.
fn all(under_valgrind: bool) -> Vec<Taken> {
    emitted().into_iter().chain(stitched(under_valgrind)).chain(lanes(under_valgrind)).collect()
}

#[test]
fn c_programs_can_call_the_kernels() {
    let kernels = all(false);
    let program = build("c_abi", &kernels, &[]);
    let output = run(&mut Command::new(program));
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected(&kernels));
}

#[test]
fn c_programs_of_32_bits_can_call_the_kernels() {
    let kernels = narrow();
    assert_eq!(kernels.len(), 3);
    let program = build("c_narrow", &kernels, &NARROW);
    let output = run(&mut Command::new(program));
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected(&kernels));
}

#[test]
fn no_branch_and_no_address_depends_on_the_message() {
    let kernels = all(true);
    let program = build("c_memcheck", &kernels, &["-DMEMCHECK"]);
    let mut valgrind = Command::new("valgrind");
    let output = run(valgrind.args(["--error-exitcode=9", "-q"]).arg(program));
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected(&kernels));
}

#[test]
fn debuggers_unwind_the_stack_within_a_kernel() {
    walk_through(&emitted(), "c_gdb", &[]);
    walk_through(&narrow(), "c_gdb_narrow", &NARROW);
}

fn walk_through(kernels: &[Taken], folder: &str, flags: &[&str]) {
    let program = build(folder, kernels, flags);
    let mut gdb = Command::new("gdb");
    gdb.args(["-nx", "-batch", "-iex", "set debuginfod enabled off"]);
    let command = |gdb: &mut Command, line: &str| {
        gdb.args(["-ex", line]);
    };
    for (i, kernel) in kernels.iter().enumerate() {
        let number = i + 1;
        command(&mut gdb, &format!("break *lanesum_{}", kernel.name));
        // The first call has zero blocks and returns immediately.
        command(&mut gdb, &format!("ignore {number} 1"));
    }
    command(&mut gdb, "run");
    for _ in kernels {
        // Stop among the pushes and in the rounds; then continue past the last call.
        for line in ["stepi 5", "bt", "stepi 700", "bt", "ignore $bpnum 1", "continue"] {
            command(&mut gdb, line);
        }
    }
    let output = run(gdb.arg(&program).env("LC_ALL", "C"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let frames: Vec<&str> = text.lines().filter(|line| line.starts_with('#')).collect();
    // Each backtrace has two frames: the kernel and its caller.
    let callees = frames.iter().filter(|line| line.contains(" lanesum_")).count();
    let callers = frames.iter().filter(|line| line.contains(" main ()")).count();
    assert!(callees == callers && frames.len() == callees + callers, "{text}");
    assert!(callees >= 2 * kernels.len(), "{text}");
}
