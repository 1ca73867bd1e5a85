//! The simulator of a core, and the limits of the shipped kernels' machine code.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use lanesum_kernels::simulated::{SimulationError, Trace, Waterfall};
use lanesum_measure::Table;
use lanesum_model::analyse::EXACT;
use lanesum_model::simulate::{CoreLimits, MicroOp, MicroProgram, Pipes, Queue, Scheduler};
use lanesum_model::{Constant, Cycles, Machine, Models};
use lanesum_prove::{Binary, Image, Shipped, Task, read};
use lanesum_report::{Simulated, Sources, markdown, waterfall};
use lanesum_testkit::{has_tool, release_library};

/// A core with one pool of `units`, which is otherwise not limited.
fn core(units: f64) -> CoreLimits {
    CoreLimits {
        issue: 100.0,
        retire: f64::INFINITY,
        reorder: usize::MAX,
        units: vec![units],
        general: Scheduler::UNLIMITED,
        vector: None,
        bound: Vec::new(),
    }
}

/// An operation of one cycle in the first pool.
fn one(after: &[usize], latency: f64) -> MicroOp {
    MicroOp {
        after: after.iter().map(|&from| (from, 0.0)).collect(),
        latency,
        takes: vec![(0, 1.0)],
        queue: Queue::General,
    }
}

/// `chains` chains of `links` operations, whose links alternate.
fn chains(chains: usize, links: usize, latency: f64) -> MicroProgram {
    let mut program = MicroProgram::default();
    for i in 0..chains * links {
        let after: Vec<usize> = i.checked_sub(chains).into_iter().collect();
        program.push([one(&after, latency)]);
    }
    program
}

fn cycles(core: &CoreLimits, program: &MicroProgram) -> f64 {
    *core.run(program).last().unwrap()
}

#[test]
fn each_limit_of_a_core_is_the_bottleneck_of_a_program_for_it() {
    // The last operation starts after the latencies of all others.
    assert_eq!(cycles(&core(4.0), &chains(1, 100, 3.0)), 3.0 * 99.0 + 1.0);
    assert_eq!(chains(1, 100, 3.0).chains().last(), Some(&300.0));
    // Four chains share one unit, or two.
    assert_eq!(cycles(&core(1.0), &chains(4, 100, 1.0)), 400.0);
    assert_eq!(cycles(&core(2.0), &chains(4, 100, 1.0)), 200.0);
    // A third of a unit takes three cycles.
    let third = cycles(&core(1.0 / 3.0), &chains(1, 300, 0.0));
    assert!((890.0..=900.0).contains(&third), "{third}");
    let dispatched = CoreLimits { issue: 2.0, ..core(9.0) };
    assert_eq!(cycles(&dispatched, &chains(9, 20, 0.0)), 90.0);
    let retired = CoreLimits { retire: 1.0, reorder: 4, ..core(9.0) };
    assert!(cycles(&retired, &chains(9, 20, 0.0)) >= 170.0);
    // Eight chains of latency 4, one after another in the program: with two entries only two operations wait.
    let narrow = Scheduler { entries: 2, queue: 0 };
    let mut program = MicroProgram::default();
    for i in 0..160_usize {
        let after: Vec<usize> = if i.is_multiple_of(20) { vec![] } else { vec![i - 1] };
        program.push([one(&after, 4.0)]);
    }
    let wide = cycles(&core(8.0), &program);
    let limited = cycles(&CoreLimits { general: narrow, ..core(8.0) }, &program);
    assert!(wide < 90.0 && limited > 500.0, "{wide}, {limited}");
    // The reorder buffer has the same effect.
    let reordered = cycles(&CoreLimits { reorder: 2, ..core(8.0) }, &program);
    assert!(reordered > 500.0, "{reordered}");
}

#[test]
fn an_operand_that_is_needed_late_shortens_the_chain() {
    let mut program = MicroProgram::default();
    for i in 0..10_usize {
        let after = i.checked_sub(1).map(|from| (from, 2.0)).into_iter().collect();
        program.push([MicroOp { after, ..one(&[], 6.0) }]);
    }
    assert_eq!(program.chains().last(), Some(&(6.0 + 9.0 * 4.0)));
    assert_eq!(cycles(&core(1.0), &program), 9.0 * 4.0 + 1.0);
}

#[test]
fn operations_that_are_bound_to_units_wait_for_them() {
    // Pairs of a short chain and an operation that only the first unit can execute.
    let mut program = MicroProgram::default();
    for i in 0..100_usize {
        program.push([MicroOp { takes: vec![(0, 1.0), (1, 1.0)], ..one(&[], 1.0) }]);
        let after: Vec<usize> = (2 * i + 1).checked_sub(2).into_iter().collect();
        program.push([one(&after, 1.0)]);
    }
    let free = CoreLimits { issue: 2.0, units: vec![2.0, 1.0], ..core(2.0) };
    let pipes = Pipes { count: 2, pool: 0, parts: vec![(1, 1)] };
    let bound = CoreLimits { bound: vec![pipes], ..free.clone() };
    let (free, bound) = (cycles(&free, &program), cycles(&bound, &program));
    assert!(free <= 102.0 && bound > free, "{free}, {bound}");
}

fn library() -> Image {
    read(&release_library()).unwrap()
}

fn compressing(image: &Image) -> Vec<Shipped> {
    let shipped = image.shipped().filter(|kernel| kernel.task == Task::Compress);
    shipped.filter(|kernel| kernel.family.is_fips()).collect()
}

fn traced(image: &Image, name: &str) -> Trace {
    let kernel = compressing(image).into_iter().find(|kernel| kernel.to_string() == name);
    Trace::of(&Binary::find(image, kernel.unwrap()).unwrap()).unwrap()
}

fn limits(trace: &Trace, machine: &Machine) -> Waterfall {
    trace.on(machine).unwrap()
}

#[test]
fn every_shipped_kernel_is_simulated_within_its_bounds() {
    let (image, models) = (library(), Models::built_in().unwrap());
    let kernels = compressing(&image);
    assert!(kernels.len() > 40, "{}", kernels.len());
    let mut unknown = Vec::new();
    for kernel in kernels {
        let trace = match Trace::of(&Binary::find(&image, kernel).unwrap()) {
            Ok(trace) => trace,
            Err(SimulationError::Unknown(text)) => {
                unknown.push((kernel.name, text));
                continue;
            }
            Err(error) => panic!("{kernel}: {error}"),
        };
        for name in ["zen4", "zen5", "goldencove"] {
            let found = limits(&trace, models.machine(name).unwrap());
            let bound = [&found.chain, &found.ports.1, &found.dispatch].map(Cycles::cycles);
            // A few blocks start in a partly empty core.
            let least = 0.99 * bound.into_iter().fold(0.0, f64::max) - 2.0;
            for simulated in [found.order, found.window, found.memory, found.binding] {
                assert!(simulated >= least, "{kernel} on {name}: {found:?}");
            }
        }
    }
    // No machine of the models has the SHA512 instructions.
    assert!(
        unknown.iter().all(|(name, text)| { *name == "sha512_ni_x1" && text.contains("sha512") }),
        "{unknown:?}"
    );
}

#[test]
fn the_chain_of_a_kernel_is_derived_from_its_machine_code() {
    let (image, models) = (library(), Models::built_in().unwrap());
    let zen4 = models.machine("zen4").unwrap();
    let (sha1, sha256) = (traced(&image, "sha_ni_x1/sha1"), traced(&image, "sha_ni_x1/sha256"));
    let chain = |trace: &Trace, machine: &Machine| limits(trace, machine).chain.cycles();
    // 20 times six cycles, 32 times four, and the addition of the chaining value.
    assert_eq!(chain(&sha1, zen4), 121.0);
    assert_eq!(chain(&sha256, zen4), 129.0);
    // A latency that is wrong by one cycle changes the chain by that in each instruction.
    let mut changed = zen4.clone();
    let op = changed.units.ops.get_mut("sha256rnds2").unwrap();
    let longer = |constant: &mut Constant| {
        let source = constant.stated().unwrap().source().clone();
        *constant = Constant::Stated(lanesum_model::Stated::new(5.0, source));
    };
    op.latency.as_mut().into_iter().chain(&mut op.from).for_each(longer);
    assert_eq!(chain(&sha256, &changed), 161.0);
    // An assumed latency is not part of a bound.
    let mut assumed = zen4.clone();
    let op = assumed.units.ops.get_mut("sha256rnds2").unwrap();
    (op.latency, op.from) = (Some(Constant::Assumed(4.0)), Vec::new());
    assert!(chain(&sha256, &assumed) < 40.0);
    // Four streams of SHA-1 saturate the SHA unit: 80 instructions of two cycles.
    let four = limits(&traced(&image, "sha_ni_x4/sha1"), zen4);
    assert_eq!((&four.ports.0[..], four.ports.1.cycles()), ("sha", 160.0));
}

/// No operation is free because a model lacks it.
#[test]
fn an_operation_that_a_model_lacks_is_an_error() {
    let (image, models) = (library(), Models::built_in().unwrap());
    let trace = traced(&image, "bmi2_asm_x1/sha256");
    let zen4 = models.machine("zen4").unwrap();
    let mut without = zen4.clone();
    without.units.ops.remove("rotate");
    let error = trace.on(&without).unwrap_err().to_string();
    assert!(error.contains("the model of `zen4` lacks `rotate`"), "{error}");
    // Golden Cove's `andn` has fewer units than its other logic; elsewhere it is like it.
    let mut own = zen4.clone();
    own.units.ops.insert("andn".to_owned(), zen4.units.ops["logic"].clone());
    assert_eq!(limits(&trace, &own), limits(&trace, zen4));
}

#[test]
fn a_chain_through_memory_is_followed() {
    // Rounds in memory: the schedule of the kernel for one message in general registers is on its stack.
    let (image, models) = (library(), Models::built_in().unwrap());
    let zen4 = models.machine("zen4").unwrap();
    let trace = traced(&image, "bmi2_asm_x1/sha256");
    let before = limits(&trace, zen4);
    let forwarding = |cycles: f64| {
        let mut machine = zen4.clone();
        machine.units.ops.get_mut("forward").unwrap().latency = Some(Constant::Assumed(cycles));
        let after = limits(&trace, &machine);
        assert_eq!(before.window, after.window);
        after.memory
    };
    assert!(forwarding(400.0) > before.memory + 400.0, "{before:?}");
    // The latency of forwarding replaces that of the store and of the load.
    let mut without = zen4.clone();
    without.units.ops.remove("forward");
    assert_eq!(limits(&trace, &without).memory, forwarding(5.0));
}

#[test]
fn the_page_has_every_measured_kernel_and_rejects_a_sample_below_its_bound() {
    let records = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/record");
    let models = || Models::built_in().unwrap();
    let mut sources = Sources::new(models(), &records).unwrap();
    let (page, _) = markdown(&waterfall(&sources).unwrap(), "figures");
    let (image, mut names) = (library(), BTreeSet::new());
    for kernel in compressing(&image).iter().filter(|kernel| kernel.name != "sha512_ni_x1") {
        names.insert(kernel.name);
    }
    let section = page.split("AMD Zen 4").nth(1).unwrap();
    for name in names {
        assert!(section.contains(&format!("`{name}`")), "{name}");
    }
    let zen4 = sources.records.iter_mut().find(|record| record.machine == "amd-epyc-x2-25-17");
    let row = zen4.unwrap().rows.iter_mut().find(|row| {
        (&row.algorithm[..], &row.kernel[..], row.blocks) == ("sha256", "sha_ni_x1", 256)
    });
    row.unwrap().cycles_per_byte_min = EXACT * 129.0 / 64.0 - 0.01;
    let error = waterfall(&sources).unwrap_err().to_string();
    assert!(error.contains("sha256 by sha_ni_x1 on amd-epyc-x2-25-17"), "{error}");
    assert!(error.contains("below its bound 2.016 (chain;"), "{error}");
}

#[test]
fn the_record_is_the_output_of_the_command() {
    if !has_tool("llvm-mca-19") {
        return;
    }
    let output = Command::new(env!("CARGO_BIN_EXE_lanesum-graph"))
        .args(["simulate", "--machine", "zen4", "--kernel", "sha_ni_x1/sha256", "--binary"])
        .arg(release_library())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let table = Table::parse(
        Path::new("here/2026-11-29-simulated.csv"),
        &String::from_utf8(output.stdout).unwrap(),
    );
    assert_eq!(Simulated::from_table(&table).unwrap().len(), 1);
    let of = [("model", "zen4"), ("kernel", "sha_ni_x1"), ("algorithm", "sha256")];
    assert_eq!(table.figure(&of, "chain"), Some(129.0));
    assert_eq!(table.figure(&of, "llvm_mca"), Some(129.0));
}

#[test]
fn an_unknown_kernel_or_machine_is_rejected() {
    let library = release_library();
    for (arguments, expected) in [
        (["--kernel", "mmx"], "unknown kernel `mmx`; there are "),
        (["--machine", "zen99"], "unknown machine `zen99`; there are risc, "),
        (["--mca", "/nonexistent"], "cannot run /nonexistent: "),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_lanesum-graph"))
            .args(["simulate", "--binary"])
            .arg(&library)
            .args(arguments)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains(expected), "{said}");
    }
}
