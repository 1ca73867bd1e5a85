//! Tests `gdb/lanesum.py` in gdb, stopped in lane kernels of this test program.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

use lanesum::unstable::Chains;
use lanesum::{Algorithm, Kernel};

/// A kernel, an algorithm that it supports, and the width of its words.
const STOPS: [(&str, Algorithm, u32); 5] = [
    ("sse2_x4", Algorithm::SHA256, 32),
    ("avx2_x8", Algorithm::SHA256, 32),
    ("avx2_x4", Algorithm::SHA512, 64),
    ("avx512_x16", Algorithm::SHA1, 32),
    ("avx512_x8", Algorithm::SHA512, 64),
];

fn block(lane: usize, len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 7 + lane * 31 + 1) as u8).collect()
}

/// Calls a kernel twice, the second time with chaining values that differ in every lane. gdb stops
/// there.
fn hash(algorithm: Algorithm, kernel: Kernel) {
    let blocks: Vec<Vec<u8>> =
        (0..kernel.lanes()).map(|lane| block(lane, algorithm.block_len())).collect();
    let blocks: Vec<&[u8]> = blocks.iter().map(|block| &block[..]).collect();
    let mut chains = Chains::new(algorithm, kernel).expect("the kernel supports it");
    (0..2).for_each(|_| chains.compress(&blocks, 1));
}

#[test]
#[ignore = "gdb runs it"]
fn what_gdb_stops_in() {
    let name = env::var("LANESUM_GDB_KERNEL").unwrap();
    let &(name, algorithm, _) = STOPS.iter().find(|stop| stop.0 == name).unwrap();
    hash(algorithm, Kernel::all().find(|kernel| kernel.name() == name).unwrap());
}

fn run(command: &mut Command) -> Output {
    let name = command.get_program().to_string_lossy().into_owned();
    command
        .output()
        .unwrap_or_else(|e| panic!("cannot run {name} ({e}): `cargo xtask tools` installs it"))
}

/// Returns the mangled name of a kernel's `compress`: the length of each path segment precedes it.
fn symbol(program: &Path, kernel: &str, algorithm: Algorithm) -> String {
    let output = run(Command::new("nm").arg(program));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let part = |name: &str| format!("{}{name}", name.len());
    let path = part(kernel) + &part(algorithm.name()) + &part("compress");
    let names = text.lines().filter_map(|line| line.split_whitespace().last());
    let found: Vec<&str> = names.filter(|name| name.contains(&path)).collect();
    assert!(!found.is_empty(), "{}: no symbol has {path}", program.display());
    found[0].to_owned()
}

/// Returns word `i` of the chaining value of every lane after the first block, as gdb must show
/// them.
fn words(algorithm: Algorithm, lanes: usize, i: usize) -> String {
    let mut line = String::new();
    for lane in 0..lanes {
        let mut state = algorithm.iv();
        let data = block(lane, algorithm.block_len());
        lanesum_spec::compress(algorithm.family(), &mut state, &data);
        let digits = algorithm.family().word_bits() as usize / 4;
        write!(line, " {:0digits$x}", state[i]).unwrap();
    }
    line.trim_start().to_owned()
}

fn gdb(kernel: &str, commands: &[String]) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("gdb/lanesum.py");
    let mut gdb = Command::new("gdb");
    gdb.args(["-nx", "-batch", "-iex", "set debuginfod enabled off", "-ex"]);
    gdb.arg(format!("source {}", script.display()));
    commands.iter().for_each(|line| {
        gdb.args(["-ex", line]);
    });
    gdb.arg("--args").arg(env::current_exe().unwrap());
    gdb.args(["--exact", "gdb::what_gdb_stops_in", "--ignored", "--test-threads=1"]);
    let output = run(gdb.env("LANESUM_GDB_KERNEL", kernel).env("LC_ALL", "C"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

/// A script that steps until a register has all `words`, and then shows that register and the
/// location of the word of the last lane.
fn stepping(bits: u32, words: &str) -> String {
    let first = words.split(' ').next().unwrap();
    let last = words.split(' ').next_back().unwrap();
    format!(
        "import gdb\n\
         def run(line): return gdb.execute('lanesum ' + line, to_string=True)\n\
         for step in range(3000):\n\
         \x20   found = [line.split()[0] for line in run('find -w {bits} {first}').splitlines()]\n\
         \x20   found = [run('lanes -w {bits} ' + name) for name in found]\n\
         \x20   found = [line for line in found if '{words}' in line]\n\
         \x20   if found:\n\
         \x20       print(found[0] + run('find -w {bits} {last}'))\n\
         \x20       break\n\
         \x20   gdb.execute('stepi', to_string=True)\n"
    )
}

/// The tools that these tests need.
const TOOLS: [&str; 2] = ["gdb", "nm"];

#[test]
fn gdb_shows_vector_registers_as_words_by_lane() {
    if !TOOLS.into_iter().all(lanesum_testkit::has_tool) {
        return;
    }
    let program: PathBuf = env::current_exe().unwrap();
    for (name, algorithm, bits) in STOPS {
        let Some(kernel) = Kernel::all().find(|kernel| kernel.name() == name) else {
            lanesum_testkit::left_out(
                lanesum_testkit::Kind::Kernel,
                name,
                "this CPU cannot run it",
            );
            continue;
        };
        let lanes = kernel.lanes();
        // A kernel loads each row of the chaining values into a register.
        let expected = words(algorithm, lanes, 0);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gdb");
        fs::create_dir_all(&folder).unwrap();
        let stepping_file = folder.join(format!("{name}.py"));
        fs::write(&stepping_file, stepping(bits, &expected)).unwrap();
        let text = gdb(
            name,
            &[
                format!("break {}", symbol(&program, name, algorithm)),
                // Skip the first call, which begins with the same value in every lane.
                "ignore 1 1".to_owned(),
                "run".to_owned(),
                format!("source {}", stepping_file.display()),
                "bt 3".to_owned(),
            ],
        );
        let line = text
            .lines()
            .find(|line| line.contains("mm") && line.contains(&expected))
            .unwrap_or_else(|| panic!("{name}: no register shows {expected}:\n{text}"));
        let register = line.split_whitespace().next().unwrap();
        let wide = line.split_whitespace().count() - 1;
        assert!(wide >= lanes, "{name}: {line}");
        // Lanes are in order: the last word is that of the last lane.
        let last = format!("{register:<6}lane {}", lanes - 1);
        assert!(text.lines().any(|line| line == last), "{name}: no line `{last}`:\n{text}");
        assert!(text.contains("#1 "), "{name}: no backtrace:\n{text}");
    }
}

#[test]
fn gdb_reports_invalid_arguments() {
    if !TOOLS.into_iter().all(lanesum_testkit::has_tool) {
        return;
    }
    let commands = [
        ("lanesum lanes", "no program is stopped here"),
        ("lanesum lanes -w 16", "words have 32 or 64 bits, not 16"),
        ("lanesum lanes -w", "-w wants the bits of a word"),
        ("lanesum find xyz", "find wants one word, in hexadecimal"),
        ("lanesum find", "find wants one word, in hexadecimal"),
    ];
    for (command, expected) in commands {
        let text = gdb("sse2_x4", &[command.to_owned()]);
        assert!(text.contains(expected), "{command}: {text}");
    }
    let text = gdb(
        "sse2_x4",
        &["break main".to_owned(), "run".to_owned(), "lanesum lanes mm99".to_owned()],
    );
    assert!(text.contains("no vector register `mm99`"), "{text}");
}
