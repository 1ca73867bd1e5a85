//! Every line of the table of instructions against the CPU, in a child program.
#![cfg(target_arch = "x86_64")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use lanesum_graph::emit::instruction::Name;
use lanesum_graph::emit::semantics::{Function, Semantics, TABLE, value};

const VALUES: [u64; 9] = [
    0,
    1,
    0x8000_0000_0000_0000,
    0xffff_ffff,
    0x1_0000_0000,
    0x8000_0000,
    u64::MAX,
    0x0123_4567_89ab_cdef,
    0xfedc_ba98_7654_3210,
];

/// A form of an instruction: rax is the destination, rcx and rdx are sources, and
/// [rdi + 8] and [rdi + 16] hold the same as these.
struct Case {
    line: &'static Semantics,
    bits: u32,
    text: String,
    /// The sources: `None` is the constant.
    sources: [Option<usize>; 2],
    constant: u64,
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for line in &TABLE {
        for bits in [32, 64] {
            let (a, c, d) = if bits == 64 { ("rax", "rcx", "rdx") } else { ("eax", "ecx", "edx") };
            let memory = |at: u32| {
                format!("{} ptr [rdi + {at}]", if bits == 64 { "qword" } else { "dword" })
            };
            let name = line.name.text();
            let mut add = |operands: String, sources, constant| {
                let text = format!("{name} {operands}");
                cases.push(Case { line, bits, text, sources, constant });
            };
            let (x, y, z) = (Some(0), Some(1), Some(2));
            match line.function {
                Function::Copy => {
                    add(format!("{a}, {c}"), [y, None], 0);
                    add(format!("{a}, {}", memory(8)), [y, None], 0);
                }
                Function::Address => {
                    add(format!("{a}, [rcx + rdx]"), [y, z], 0);
                    add(format!("{a}, [rcx + 77]"), [y, None], 77);
                    add(format!("{a}, [rcx - 5]"), [y, None], (-5i64) as u64);
                }
                Function::Add | Function::Sub | Function::And | Function::Or | Function::Xor => {
                    add(format!("{a}, {c}"), [x, y], 0);
                    add(format!("{a}, {}", memory(8)), [x, y], 0);
                    for k in [1i64, -5, 0x7fff_ffff, -0x8000_0000] {
                        add(format!("{a}, {k}"), [x, None], k as u64);
                    }
                }
                Function::Test => add(format!("{a}, {c}"), [x, y], 0),
                Function::Not | Function::Swap => add(a.to_owned(), [x, None], 0),
                Function::NotAnd => {
                    add(format!("{a}, {c}, {d}"), [y, z], 0);
                    add(format!("{a}, {c}, {}", memory(16)), [y, z], 0);
                }
                Function::RotateRight if line.name == Name::Rorx => {
                    for n in 1..bits {
                        add(format!("{a}, {c}, {n}"), [y, None], n.into());
                        add(format!("{a}, {}, {n}", memory(8)), [y, None], n.into());
                    }
                }
                Function::RotateRight
                | Function::RotateLeft
                | Function::ShiftRight
                | Function::ShiftLeft => {
                    (1..bits).for_each(|n| add(format!("{a}, {n}"), [x, None], n.into()));
                }
                // They have three sources: see the test below.
                Function::AddCarry | Function::ShiftRightFrom => {}
                // The program's own frame stands on these; see below.
                Function::Push
                | Function::Pop
                | Function::IfZero
                | Function::IfNotZero
                | Function::Return => {}
            }
        }
    }
    cases
}

#[test]
fn instructions_do_what_the_table_says() {
    let cases: Vec<Case> = cases()
        .into_iter()
        .filter(|case| match case.line.feature {
            None => true,
            Some("bmi1") => is_x86_feature_detected!("bmi1"),
            Some("bmi2") => is_x86_feature_detected!("bmi2"),
            Some(other) => panic!("{other} is not looked for"),
        })
        .collect();
    let left_out: Vec<&str> = TABLE
        .iter()
        .filter(|line| line.feature.is_some() && !cases.iter().any(|c| c.line.name == line.name))
        .map(|line| line.name.text())
        .collect();
    if !left_out.is_empty() {
        let why = format!("this CPU has no {}", left_out.join(", "));
        lanesum_testkit::left_out(lanesum_testkit::Kind::Test, "forms_of_instructions", &why);
    }

    // Each case is a function of a place: rax, rcx, rdx and the zero flag go in, rax
    // and the flag come out. `push`, `pop`, `jz`, `jnz` and `ret` do the rest.
    let mut text = String::from(".intel_syntax noprefix\n.text\n");
    for (i, case) in cases.iter().enumerate() {
        write!(
            text,
            "case_{i}:\nmov rax, [rdi]\nmov rcx, [rdi + 8]\nmov rdx, [rdi + 16]\npush rcx\npop r8\n\
             xor r8, rcx\nmov r9, [rdi + 24]\ntest r9, r9\n{}\nmov [rdi + 32], rax\nmov r10d, 1\njz 1f\nmov r10d, 0\n\
             1: jnz 2f\nmov r11d, 1\njz 3f\n2: mov r11d, 0\n3: add r10, r11\nadd r10, r8\nmov [rdi + 40], r10\nret\n",
            case.text
        )
        .unwrap();
    }
    text += ".section .data.rel.ro, \"aw\"\n.globl cases\ncases:\n";
    (0..cases.len()).for_each(|i| writeln!(text, ".quad case_{i}").unwrap());
    text += ".section .note.GNU-stack, \"\", @progbits\n";

    let values: Vec<String> = VALUES.iter().map(|v| format!("{v:#x}u")).collect();
    let program = format!(
        "#include <stdint.h>\n#include <stdio.h>\nextern void (*const cases[])(uint64_t *);\n\
         static const uint64_t values[] = {{{}}};\nint main(void) {{\n\
         for (int i = 0; i < {}; i++) for (int x = 0; x < {n}; x++) for (int y = 0; y < {n}; y++)\n\
         for (uint64_t flag = 0; flag < 2; flag++) {{\n\
         uint64_t place[6] = {{values[x], values[y], values[(x + 2 * y) % {n}], flag, 0, 0}};\n\
         cases[i](place); printf(\"%lx %lx\\n\", place[4], place[5]); }}\n}}\n",
        values.join(", "),
        cases.len(),
        n = VALUES.len()
    );
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("semantics");
    fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name);
    fs::write(path("cases.s"), text).unwrap();
    fs::write(path("main.c"), program).unwrap();
    let built = Command::new("cc")
        .args(["-o"])
        .args([path("cases"), path("cases.s"), path("main.c")])
        .output()
        .expect("a C compiler");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let output = Command::new(path("cases")).output().unwrap();
    assert!(output.status.success());
    let printed = String::from_utf8(output.stdout).unwrap();
    let mut lines = printed.lines();

    for case in &cases {
        let mask = u64::MAX >> (64 - case.bits);
        for x in 0..VALUES.len() {
            for y in 0..VALUES.len() {
                for flag in 0..2u64 {
                    let inputs = [VALUES[x], VALUES[y], VALUES[(x + 2 * y) % VALUES.len()]];
                    let [first, second] =
                        case.sources.map(|s| s.map_or(case.constant, |i| inputs[i]));
                    let expected = value(case.line.function, case.bits, first, second).unwrap();
                    let tests = case.line.function == Function::Test;
                    let result = if tests { inputs[0] } else { expected };
                    let line = lines.next().expect("a line for each case");
                    let (found, zero) = line.split_once(' ').unwrap();
                    let found = u64::from_str_radix(found, 16).unwrap();
                    // Both branches saw the same flag.
                    let zero = match zero {
                        "0" => false,
                        "2" => true,
                        other => panic!("{}: branches and stack give {other}", case.text),
                    };
                    let at = format!("{} of {inputs:x?}", case.text);
                    assert_eq!(found, result, "{at}");
                    if case.line.keeps_flags {
                        assert_eq!(zero, flag == 0, "{at}: the flag is changed");
                    } else if case.line.sets_zero {
                        assert_eq!(zero, expected & mask == 0, "{at}: the flag");
                    }
                }
            }
        }
    }
    assert_eq!(lines.next(), None);
}

#[test]
fn the_table_is_in_the_order_of_the_names() {
    for (line, name) in TABLE.iter().zip(Name::ALL) {
        assert_eq!(line.name, name);
    }
}

/// The carry of `add` in `adc`, moves between them included, and `shrd` with every count: by
/// them words of 64 bits are summed and rotated in halves.
#[test]
fn pairs_of_registers_are_one_word() {
    let mut text = String::from(".intel_syntax noprefix\n.text\n");
    let mut case = |name: &str, body: &str| {
        write!(
            text,
            ".globl {name}\n{name}:\nmov eax, edi\nmov rdx, rdi\nshr rdx, 32\n{body}\n\
             mov eax, eax\nmov edx, edx\nshl rdx, 32\nor rax, rdx\nret\n"
        )
        .unwrap();
    };
    case(
        "sum",
        "mov r8, rsi\nshr r8, 32\nadd eax, esi\nmov r9d, eax\nmov dword ptr [rsp - 8], eax\n\
         mov eax, r9d\nadc edx, r8d",
    );
    case("constant", "add eax, -3\nadc edx, 77");
    for n in 1..32 {
        let body = format!("mov r9d, eax\nshrd eax, edx, {n}\nshrd edx, r9d, {n}");
        case(&format!("rotate_{n}"), &body);
    }
    text += ".section .note.GNU-stack, \"\", @progbits\n";
    let mut program = String::from(
        "#include <stdint.h>\n#include <stdio.h>\n\
         #define RUN(name) { uint64_t name(uint64_t, uint64_t); printf(\"%lx\\n\", name(x, y)); }\n\
         int main(void) { uint64_t x, y; while (scanf(\"%lx %lx\", &x, &y) == 2) {\n\
         RUN(sum) RUN(constant)\n",
    );
    (1..32).for_each(|n| writeln!(program, "RUN(rotate_{n})").unwrap());
    program += "} }\n";
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pairs");
    fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name);
    fs::write(path("cases.s"), text).unwrap();
    fs::write(path("main.c"), program).unwrap();
    let built = Command::new("cc")
        .arg("-o")
        .args([path("cases"), path("cases.s"), path("main.c")])
        .output()
        .expect("a C compiler");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let mut input = String::new();
    let mut expected = String::new();
    for x in VALUES {
        for y in VALUES {
            writeln!(input, "{x:x} {y:x}").unwrap();
            writeln!(expected, "{:x}", x.wrapping_add(y)).unwrap();
            writeln!(expected, "{:x}", x.wrapping_add(77 << 32 | 0xffff_fffd)).unwrap();
            (1..32).for_each(|n| writeln!(expected, "{:x}", x.rotate_right(n)).unwrap());
        }
    }
    fs::write(path("input"), input).unwrap();
    let input = fs::File::open(path("input")).unwrap();
    let output = Command::new(path("cases")).stdin(input).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
}
