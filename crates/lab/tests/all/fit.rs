//! Fitting recovers the constants that a synthetic record was generated from.

use std::path::Path;

use lanesum_kernels::emit::{Kernel, Target};
use lanesum_kernels::fit::{fit, window};
use lanesum_kernels::search::model::Model;
use lanesum_measure::Table;
use lanesum_model::analyse::Kernels;
use lanesum_model::{Measured, Models, Orders, Record};
use lanesum_spec::Family;

#[test]
fn fitting_recovers_the_constants_of_a_record() {
    let models = Models::built_in().unwrap();
    let machine = models.machine("zen5").unwrap();
    let mut made = machine.clone();
    made.pools.insert("alu".to_owned(), 3.4);
    for bits in ["128", "256"] {
        made.widths.entry(bits.to_owned()).or_default().insert("load".to_owned(), 2.7);
    }
    made.overlap = 3.6;
    let mut kernels = Kernels::new(&models);
    let mut rows = Vec::new();
    for (algorithm, family) in [("sha1", Family::Sha1), ("sha256", Family::Sha256)] {
        for bound in kernels.bounds(&made, family).unwrap() {
            let name = match &bound.kernel[..] {
                "scalar" => "bmi2_asm_x1",
                "sse2_stitched" => "sse2_x1",
                kernel => kernel,
            };
            // Short messages take longer, and are ignored by the fit.
            for (blocks, times) in [(1, 1.5), (64, 1.0)] {
                let cycles_per_byte = times * bound.predicted() / bound.bytes;
                rows.push(Measured {
                    algorithm: algorithm.to_owned(),
                    kernel: name.to_owned(),
                    lanes: 1,
                    blocks,
                    cycles_per_byte_min: cycles_per_byte,
                    cycles_per_byte_median: cycles_per_byte,
                });
            }
        }
    }
    let record = Record {
        machine: "amd-epyc-x2".to_owned(),
        processor: String::new(),
        date: "2026-11-22".to_owned(),
        rows,
    };
    let found = fit(&models, machine, &record).unwrap();
    assert_eq!(found.rows, record.rows.len() / 2);
    assert!(found.off[1] < 0.005 && found.off[0] > 10.0 * found.off[1], "{:?}", found.off);
    let near = |found: f64, made: f64| assert!((found - made).abs() < 0.15, "{found}, not {made}");
    near(found.machine.pools["alu"], 3.4);
    near(found.machine.pool("load", 128), 2.7);
    assert_eq!(found.machine.pool("load", 0), machine.pool("load", 0));
    near(found.machine.overlap, 3.6);
    assert_eq!(found.refuted, 0);
}

#[test]
fn a_measurement_below_its_bound_changes_the_constants() {
    let models = Models::built_in().unwrap();
    let machine = models.machine("zen5").unwrap();
    let bounds = Kernels::new(&models).bounds(machine, Family::Sha256).unwrap();
    // Faster than the ALUs permit: only more ALUs explain it.
    let scalar = bounds.iter().find(|bound| bound.kernel == "scalar").unwrap();
    let row = Measured {
        algorithm: "sha256".to_owned(),
        kernel: "bmi2_asm_x1".to_owned(),
        lanes: 1,
        blocks: 64,
        cycles_per_byte_min: 0.92 * scalar.cycles_per_byte(),
        cycles_per_byte_median: 1.0,
    };
    let record = Record {
        machine: "amd-epyc-x2".to_owned(),
        processor: String::new(),
        date: "2026-11-22".to_owned(),
        rows: vec![row],
    };
    let found = fit(&models, machine, &record).unwrap();
    let alus = found.machine.pools["alu"];
    assert!(found.refuted == 0 && alus > machine.pools["alu"], "{alus} {}", found.refuted);
}

#[test]
fn fitting_recovers_the_scheduling_window() {
    let models = Models::built_in().unwrap();
    let mut machine = models.machine("zen5").unwrap().clone();
    machine.window = 24;
    let orders = Orders::built_in().unwrap();
    let mut text = "algorithm,kernel,cycles_per_block\n".to_owned();
    for algorithm in ["sha1", "sha256"] {
        let kernel = Kernel::new(Target::named(&format!("{algorithm}_bmi2")).unwrap()).unwrap();
        let order = orders.of(&kernel.target.name()).unwrap();
        let times = kernel.operations.times(order).unwrap();
        let cycles = Model { machine: &machine }.cycles(&kernel.body(&times).instructions);
        text += &format!("{algorithm},bmi2_asm_x1,{cycles}\n");
    }
    let table = Table::parse(Path::new("here/2026-11-22-instructions.csv"), &text);
    let plain = models.machine("zen5").unwrap();
    assert_eq!(window(plain, &table).unwrap(), Some(24));
    let none = Table::parse(Path::new("here/2026-11-22-instructions.csv"), "algorithm,kernel\n");
    assert_eq!(window(plain, &none).unwrap(), None);
}
