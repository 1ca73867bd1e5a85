//! Emitted kernels in a C program: built by the system's compiler, compared with the
//! specification, run with an undefined message under valgrind, walked through by gdb.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use heddle_graph::emit::generated::{assembly, header};
use heddle_graph::emit::{Isa, Target, Words, emit};
use heddle_graph::model::Orders;
use heddle_spec::Algorithm;

fn targets() -> Vec<Target> {
    let bmi2 = is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2");
    if !bmi2 {
        eprintln!("LEFT OUT: this CPU has no BMI1 and BMI2");
    }
    let shipped = Target::all().filter(|target| target.words == Words::Block);
    shipped.filter(|target| bmi2 || target.isa != Isa::Bmi2).collect()
}

fn run(command: &mut Command) -> Output {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .unwrap_or_else(|e| panic!("cannot run {name} ({e}): `make tools` installs it"));
    assert!(
        output.status.success(),
        "{name}: {}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

/// The example program, of the kernels that this CPU has.
fn build(folder: &str, flags: &[&str]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    fs::create_dir_all(&folder).unwrap();
    let orders = Orders::built_in().unwrap();
    let mut all = String::new();
    let mut sources = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/example.c")];
    let mut flags = flags.to_vec();
    for target in targets() {
        let name = target.name();
        let listing = emit(target, &orders).unwrap();
        fs::write(folder.join(format!("{name}.S")), assembly(target, &listing)).unwrap();
        fs::write(folder.join(format!("{name}.h")), header(target)).unwrap();
        sources.push(folder.join(format!("{name}.S")));
        writeln!(all, "#include \"{name}.h\"").unwrap();
        if target.isa == Isa::Bmi2 && !flags.contains(&"-DBMI2") {
            flags.push("-DBMI2");
        }
    }
    fs::write(folder.join("heddle.h"), all).unwrap();
    let program = folder.join("example");
    let mut cc = Command::new("cc");
    cc.args(["-g", "-O1", "-Wall", "-Wextra", "-Werror", "-pedantic"]).args(flags);
    cc.arg("-I").arg(&folder).arg("-o").arg(&program).args(sources);
    run(&mut cc);
    program
}

/// What the program is to print.
fn expected() -> String {
    let mut text = String::new();
    let mut targets = targets();
    // The program has those without BMI2 first.
    targets.sort_by_key(|target| (target.isa, target.family));
    for target in targets {
        let family = target.family;
        let algorithm = Algorithm::all()
            .find(|a| a.family() == family && ["sha1", "sha256", "sha512"].contains(&a.name()));
        let mut state = algorithm.unwrap().iv();
        let (words, digits) = (family.state_words(), family.word_bits() as usize / 4);
        let len = family.block_len();
        let mut data = vec![0; 2 * len];
        data[..4].copy_from_slice(b"abc\x80");
        data[len - 1] = 24;
        (0..len).for_each(|i| data[len + i] = (7 * i) as u8);
        text += &target.name();
        heddle_spec::compress(family, &mut state, &data[..len]);
        let mut print = |state: &[u64]| {
            state[..words].iter().for_each(|w| write!(text, " {w:0digits$x}").unwrap());
        };
        print(&state);
        heddle_spec::compress(family, &mut state, &data[..len]);
        heddle_spec::compress(family, &mut state, &data[len..]);
        print(&state);
        text += "\n";
    }
    text
}

#[test]
fn a_c_program_takes_the_kernels_as_they_are() {
    let program = build("c_abi", &[]);
    let output = run(&mut Command::new(program));
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected());
}

#[test]
fn no_branch_and_no_address_depends_on_the_message() {
    let program = build("c_memcheck", &["-DMEMCHECK"]);
    let mut valgrind = Command::new("valgrind");
    let output = run(valgrind.args(["--error-exitcode=9", "-q"]).arg(program));
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected());
}

#[test]
fn debuggers_walk_through_a_kernel() {
    let program = build("c_gdb", &[]);
    let mut gdb = Command::new("gdb");
    gdb.args(["-nx", "-batch", "-iex", "set debuginfod enabled off"]);
    let command = |gdb: &mut Command, line: &str| {
        gdb.args(["-ex", line]);
    };
    for (i, target) in targets().iter().enumerate() {
        let number = i + 1;
        command(&mut gdb, &format!("break *heddle_{}", target.name()));
        // The first call is of no blocks and returns at once.
        command(&mut gdb, &format!("ignore {number} 1"));
    }
    command(&mut gdb, "run");
    for _ in targets() {
        // Among the pushes, and in the rounds; then past the last call.
        for line in ["stepi 5", "bt", "stepi 700", "bt", "ignore $bpnum 1", "continue"] {
            command(&mut gdb, line);
        }
    }
    let output = run(gdb.arg(&program).env("LC_ALL", "C"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let frames: Vec<&str> = text.lines().filter(|line| line.starts_with('#')).collect();
    // Each backtrace is of two frames: the kernel's and its caller's.
    let kernels = frames.iter().filter(|line| line.contains(" heddle_")).count();
    let callers = frames.iter().filter(|line| line.contains(" main ()")).count();
    assert!(kernels == callers && frames.len() == kernels + callers, "{text}");
    assert!(kernels >= 2 * targets().len(), "{text}");
}
