//! Fitting recovers the constants that a synthetic record was generated from.

use std::path::Path;

use lanesum_kernels::emit::{Kernel, Target};
use lanesum_kernels::fit::{fit, window};
use lanesum_kernels::search::model::Model;
use lanesum_measure::Table;
use lanesum_model::analyse::Kernels;
use lanesum_model::{
    Constant, ConstantValue, Fitted, FittedConstants, Machine, Measured, Models, Orders, Record,
};
use lanesum_spec::Family;

const RECORD: &str = "amd-epyc-x2/2026-11-22-kernels.csv";

fn fitted(alus: f64, loads: f64, overlap: f64) -> FittedConstants {
    let pool = |name: &str, units: f64| [(name.to_owned(), Fitted::new(units, RECORD))].into();
    FittedConstants {
        overlap: Fitted::new(overlap, RECORD),
        pools: pool("alu", alus),
        widths: ["128", "256"].map(|bits| (bits.to_owned(), pool("load", loads))).into(),
    }
}

fn record(rows: Vec<Measured>) -> Record {
    let (machine, date) = ("amd-epyc-x2".to_owned(), "2026-11-22".to_owned());
    Record { machine, processor: String::new(), date, rows }
}

#[test]
fn fitting_recovers_the_constants_of_a_record() {
    let models = Models::built_in().unwrap();
    let machine = models.machine("zen5").unwrap();
    let made = Machine { fitted: Some(fitted(3.4, 2.7, 3.6)), ..machine.clone() };
    let mut kernels = Kernels::new(&models);
    let mut rows = Vec::new();
    for (algorithm, family) in [("sha1", Family::Sha1), ("sha256", Family::Sha256)] {
        for estimate in kernels.estimates(&made, family).unwrap() {
            let name = match &estimate.kernel[..] {
                "scalar" => "bmi2_asm_x1",
                "sse2_stitched" => "sse2_x1",
                kernel => kernel,
            };
            // Short messages take longer, and are ignored by the fit.
            for (blocks, times) in [(1, 1.5), (64, 1.0)] {
                let cycles_per_byte = times * estimate.predicted(3.6) / estimate.bytes;
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
    let record = record(rows);
    let found = fit(&models, machine, &record).unwrap();
    assert_eq!(found.rows, record.rows.len() / 2);
    assert!(found.off[1] < 0.005 && found.off[0] > 10.0 * found.off[1], "{:?}", found.off);
    let near = |found: &Fitted, made: f64| {
        assert!((found.value() - made).abs() < 0.15, "{found:?}, not {made}");
        assert_eq!(found.record(), RECORD);
    };
    let FittedConstants { overlap, pools, widths } = found.machine.fitted.as_ref().unwrap();
    near(&pools["alu"], 3.4);
    near(&widths["128"]["load"], 2.7);
    near(overlap, 3.6);
}

#[test]
fn fitted_constants_change_predictions_and_no_bound() {
    let models = Models::built_in().unwrap();
    let machine = models.machine("zen5").unwrap();
    let mut kernels = Kernels::new(&models);
    let bounds = kernels.bounds(machine, Family::Sha256).unwrap();
    let scalar = bounds.iter().find(|bound| bound.kernel == "scalar").unwrap();
    let row = |cycles_per_byte| Measured {
        algorithm: "sha256".to_owned(),
        kernel: "bmi2_asm_x1".to_owned(),
        lanes: 1,
        blocks: 64,
        cycles_per_byte_min: cycles_per_byte,
        cycles_per_byte_median: cycles_per_byte,
    };
    // The second is faster than the ALUs permit: the fit may explain it, but the bound remains.
    for cycles_per_byte in [1.5 * scalar.cycles_per_byte(), 0.92 * scalar.cycles_per_byte()] {
        let found = fit(&models, machine, &record(vec![row(cycles_per_byte)])).unwrap();
        assert_ne!(found.machine, *machine);
        assert_eq!(kernels.bounds(&found.machine, Family::Sha256).unwrap(), bounds);
        assert_ne!(
            kernels.estimates(&found.machine, Family::Sha256).unwrap(),
            kernels.estimates(machine, Family::Sha256).unwrap()
        );
    }
}

#[test]
fn fitting_recovers_the_scheduling_window() {
    let models = Models::built_in().unwrap();
    let mut machine = models.machine("zen5").unwrap().clone();
    machine.window = Constant::Assumed(24.0);
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
