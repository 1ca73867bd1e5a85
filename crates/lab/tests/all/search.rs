//! The search command: killed in progress, repeated, and its results used.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use lanesum_kernels::emit::{Isa, Kernel, LaneKernel, LaneTarget, Orderable, Target, WordSource};
use lanesum_kernels::proof;
use lanesum_kernels::search::compiler;
use lanesum_model::Orders;
use lanesum_spec::{Algorithm, Family};
use lanesum_testkit::{Kind, left_out};

fn program(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lanesum-graph"));
    command.args(args);
    command
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

#[test]
fn a_killed_search_leaves_the_last_good_order() {
    let file = scratch("killed").join("orders.toml");
    let path = file.to_str().unwrap();
    // The file contains another kernel's order, which must remain.
    let other = ["search", "sha1_rounds_bmi2", "--machine", "zen4", "--method", "list"];
    text(&program(&other).args(["--orders", path]).output().unwrap());
    let name = "sha256_rounds_bmi2";
    let kernel = Kernel::new(Target::named(name).unwrap()).unwrap();
    let mut kept = Vec::new();
    for turn in 0..12u32 {
        let before = fs::read_to_string(&file).unwrap();
        let seed = turn.to_string();
        let endless = ["search", name, "--machine", "zen4", "--evaluations", "100000000"];
        let mut search = program(&endless)
            .args(["--seed", &seed, "--orders", path])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // From before the first improved order to after several.
        std::thread::sleep(Duration::from_millis(u64::from(20 + 37 * turn)));
        assert!(search.try_wait().unwrap().is_none(), "the search ended early");
        search.kill().unwrap();
        search.wait().unwrap();
        let after = fs::read_to_string(&file).unwrap();
        let orders = Orders::from_text(&after).unwrap();
        assert!(orders.of("sha1_rounds_bmi2").is_some());
        if let Some(order) = orders.of(name) {
            let times = kernel.operations.times(order).unwrap();
            let text = kernel.listing(&times).to_string();
            proof::emitted(kernel.target, &text).unwrap().prove().unwrap();
            kept.push(after != before);
        }
    }
    assert!(
        kept.iter().any(|changed| *changed),
        "no search found a better order before it was killed"
    );
}

#[test]
fn a_search_by_a_model_is_reproducible_from_its_seed() {
    let args =
        ["converge", "sha1_rounds_bmi2", "--machine", "zen4", "--evaluations", "80", "--seed"];
    let run = |seed: &str| text(&program(&args).arg(seed).output().unwrap());
    let first = run("3");
    assert_eq!(first, run("3"));
    assert_ne!(first, run("4"));
    let mut lines = first.lines();
    assert_eq!(lines.next(), Some("kernel,machine,seed,method,stage,evaluations,cycles"));
    for method in ["list", "local", "genetic"] {
        let cycles: Vec<f64> = first
            .lines()
            .map(|line| line.split(',').collect::<Vec<_>>())
            .filter(|fields| fields[3] == method)
            .map(|fields| fields[6].parse().unwrap())
            .collect();
        assert!(cycles.windows(2).all(|pair| pair[1] <= pair[0]), "{method}: {cycles:?}");
        assert_eq!(cycles.len() > 1, method != "list", "{method}: {cycles:?}");
    }
}

#[test]
fn orders_are_compared_on_every_machine_and_measured_ones_shown_on_the_page() {
    let folder = scratch("page");
    let records = folder.join("records/somewhere");
    fs::create_dir_all(&records).unwrap();
    let cross = text(&program(&["cross", "sha1_i686", "--evaluations", "30"]).output().unwrap());
    let lines: Vec<Vec<&str>> =
        cross.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let machines: Vec<&str> = lines.iter().filter(|l| l[1] == "list").map(|l| l[2]).collect();
    assert!(machines.contains(&"k7") && machines.contains(&"zen5"), "{machines:?}");
    assert!(!machines.contains(&"neoverse"), "{machines:?}");
    let cost = |order: &str, machine: &str| -> f64 {
        lines.iter().find(|l| l[1] == order && l[2] == machine).unwrap()[3].parse().unwrap()
    };
    for machine in &machines {
        assert!(cost(machine, machine) <= cost("list", machine), "{machine}");
    }
    let converge = ["converge", "sha1_rounds_bmi2", "--machine", "zen4", "--evaluations", "40"];
    let converge = text(&program(&converge).output().unwrap());
    let counted = "algorithm,kernel,block_bytes,instructions_per_block,cycles_per_block\n\
                   sha1,portable_x1,64,1391.3,290.5\n";
    let head = "# machine: Intel(R) Xeon(R) Processor, family 6 model 167\n";
    // Models determined the costs of all orders; the page shows measured ones only.
    let measured = format!("{cross}sha1_i686,list,here,200\nsha1_i686,k7,here,210\n");
    for (kind, table) in
        [("orders", &measured[..]), ("convergence", &converge[..]), ("instructions", counted)]
    {
        fs::write(records.join(format!("2026-01-02-{kind}.csv")), format!("{head}{table}"))
            .unwrap();
    }
    let docs = folder.join("docs");
    let page = program(&["orders", "--records", folder.join("records").to_str().unwrap()])
        .arg(&docs)
        .output()
        .unwrap();
    text(&page);
    let page = fs::read_to_string(docs.join("orders.md")).unwrap();
    assert!(page.contains("(figures/sha1_rounds_bmi2-zen4.svg)"), "{page}");
    let figure = fs::read_to_string(docs.join("figures/sha1_rounds_bmi2-zen4.svg")).unwrap();
    assert!(figure.starts_with("<svg") && figure.contains("genetic"), "{figure}");
    assert!(page.contains("| order for | sha1_i686 (200) |"), "{page}");
    // The two measured orders, and no others.
    assert!(page.contains("| --- | --- |\n| list | 0.0 |\n| k7 | 5.0 |\n\n"), "{page}");
    // 1391.3 instructions in 290.5 cycles of 64 bytes.
    assert!(page.contains("| sha1 | portable_x1 | 1391 | 290 | 4.79 | 4.54 |"), "{page}");
    let optimal = fs::read_to_string(docs.join("optimal.md")).unwrap();
    assert!(optimal.contains("| AMD Zen 5 | SHA-224, SHA-256 | 339.7 (alu) | "), "{optimal}");
    assert!(optimal.contains("| both | 2800 | 2544 | too large by 256 |"), "{optimal}");
    // A measurement below its bound: five ALUs need 176.2 cycles for a block.
    let impossible = counted.replace("290.5", "100.5");
    fs::write(records.join("2026-01-04-instructions.csv"), format!("{head}{impossible}")).unwrap();
    let wrong = program(&["orders", "--records", folder.join("records").to_str().unwrap()])
        .arg(&docs)
        .output()
        .unwrap();
    assert!(!wrong.status.success());
    let said = String::from_utf8_lossy(&wrong.stderr).into_owned();
    let expected = "sha1 by portable_x1 on somewhere, 2026-01-04, is 1.570 cycles per byte, below its bound 2.7";
    assert!(said.contains(expected) && said.contains("(alu; from Intel 64"), "{said}");
    fs::remove_file(records.join("2026-01-04-instructions.csv")).unwrap();
    // A missing column is named.
    fs::write(records.join("2026-01-03-orders.csv"), "kernel,machine,cycles\n").unwrap();
    let wrong = program(&["orders", "--records", folder.join("records").to_str().unwrap()])
        .arg(&docs)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert!(said.contains("no column `found_for`"), "{said}");
}

#[test]
fn unsupported_kernels_and_machines_are_rejected_by_name() {
    for (args, expected) in [
        (&["converge", "sha3_bmi2"][..], "unknown kernel `sha3_bmi2`; there are sha1_rounds_"),
        (&["converge", "sha1_bmi2", "--machine", "zen99"], "unknown machine `zen99`; there are "),
        (&["converge", "sha1_i686"], "32-bit code is not timed here"),
        (&["cross", "sha1_i686", "--measure"], "32-bit code is not timed here"),
        (&["search", "sha1_i686"], "32-bit code is not timed here"),
        (&["search", "sha1_mmx_x2"], "sha512_avx512_x8"),
        (
            &["search", "sha1_avx2_x8", "--machine", "zen4"],
            "lane kernels are searched by measuring",
        ),
    ] {
        let output = program(args).output().unwrap();
        assert!(!output.status.success(), "{args:?}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(expected), "{args:?}: {said}");
    }
}

/// A search of lanes measures here, and stores an order of the kernel.
#[test]
fn an_order_of_a_lane_kernel_is_found_by_measuring() {
    let name = "sha1_avx2_x8";
    if !lanesum::Kernel::all().any(|kernel| kernel.name() == "avx2_x8") {
        left_out(Kind::Kernel, "avx2_x8", "this CPU cannot run it");
        return;
    }
    let file = scratch("lanes").join("orders.toml");
    let path = file.to_str().unwrap();
    text(&program(&["search", name, "--evaluations", "17", "--orders", path]).output().unwrap());
    let orders = Orders::from_text(&fs::read_to_string(&file).unwrap()).unwrap();
    let order = orders.of(name).unwrap();
    assert!(order.cycles > 100.0, "{} cycles for eight blocks", order.cycles);
    let kernel = LaneKernel::new(LaneTarget::named(name).unwrap()).unwrap();
    assert_eq!(kernel.operations.times(order).unwrap().len(), order.times.len());
}

/// The compiler's code, which orders are compared with, computes the same function.
#[test]
fn compiled_code_also_computes_the_specification() {
    let folder = scratch("compiled");
    for (family, algorithm) in
        [(Family::Sha1, "sha1"), (Family::Sha256, "sha256"), (Family::Sha512, "sha512")]
    {
        let target = Target { family, words: WordSource::Block, isa: Isa::X86_64 };
        let (bits, words) = (family.word_bits(), family.state_words());
        let mut state = Algorithm::from_name(algorithm).unwrap().iv();
        let iv: Vec<String> = state[..words].iter().map(|w| format!("{w:#x}")).collect();
        let main = format!(
            "\n#include <stdio.h>\nint main(void) {{ word s[] = {{ {} }};\n\
             unsigned char data[{len}]; for (int i = 0; i < {len}; i++) data[i] = (unsigned char)(7 * i);\n\
             compiled(s, data, 0); compiled(s, data, 2);\n\
             for (int i = 0; i < {words}; i++) printf(\"%0*llx \", {bits} / 4, (unsigned long long)s[i]);\n}}\n",
            iv.join(", "),
            len = 2 * family.block_len()
        );
        let (source, built) = (folder.join(format!("{algorithm}.c")), folder.join(algorithm));
        fs::write(&source, compiler::source(target, "compiled") + &main).unwrap();
        let cc = Command::new("cc")
            .args(compiler::flags(target))
            .arg("-o")
            .args([&built, &source])
            .output()
            .expect("a C compiler");
        text(&cc);
        let data: Vec<u8> = (0..2 * family.block_len()).map(|i| (7 * i) as u8).collect();
        data.chunks(family.block_len())
            .for_each(|block| lanesum_spec::compress(family, &mut state, block));
        let mut expected = String::new();
        let digits = bits as usize / 4;
        state[..words].iter().for_each(|w| write!(expected, "{w:0digits$x} ").unwrap());
        assert_eq!(text(&Command::new(&built).output().unwrap()), expected, "{algorithm}");
    }
}
