//! Constants whose source is a record of `lanesum-bench latencies`, compared with that record.

use std::collections::BTreeSet;
use std::path::Path;

use lanesum_measure::{Column, Table};

use crate::constant::{Constant, ConstantSource, ConstantValue, Stated};
use crate::{Machine, ModelError, Models};

/// An operation of a model, the instruction of the record, and its operands in the order of
/// [`Operation::from`](crate::Operation::from).
type RecordedInstruction = (&'static str, &'static str, &'static [&'static str]);

const INSTRUCTIONS: [RecordedInstruction; 28] = [
    ("add", "add", &["first", "second"]),
    ("lea", "lea", &["base", "index"]),
    ("lea3", "lea of three", &["base"]),
    ("logic", "xor", &["first", "second"]),
    ("rotate", "rorx", &["second"]),
    ("shift", "shr", &["first"]),
    ("mov", "mov", &["second"]),
    ("load", "mov load", &["address"]),
    ("store", "mov store", &[]),
    ("forward", "mov forward", &["second"]),
    ("swap", "bswap", &["first"]),
    ("vadd", "paddd", &["first", "second"]),
    ("vlogic", "pxor", &["first", "second"]),
    ("vmov", "movdqa", &["second"]),
    ("vternary", "vpternlogd", &["first", "second"]),
    ("vrotate", "vprold", &["second"]),
    ("vshift", "pslld", &["first"]),
    ("vshuffle", "pshufb", &["first"]),
    ("vunpack", "punpckldq", &["first", "second"]),
    ("vstore", "movdqa store", &[]),
    ("vforward", "movdqa forward", &["second"]),
    ("sha1rnds4", "sha1rnds4", &["abcd", "e+w"]),
    ("sha1nexte", "sha1nexte", &["abcd", "w"]),
    ("sha1msg1", "sha1msg1", &["first", "second"]),
    ("sha1msg2", "sha1msg2", &["first", "second"]),
    ("sha256rnds2", "sha256rnds2", &["cdgh", "abef", "wk"]),
    ("sha256msg1", "sha256msg1", &["first", "second"]),
    ("sha256msg2", "sha256msg2", &["first", "second"]),
];

/// The instruction that saturates each pool.
const SATURATED: [(&str, &str); 15] = [
    ("issue", "mov"),
    ("alu", "add"),
    ("shift", "rorx"),
    ("load", "mov load"),
    ("store", "mov store"),
    ("vector", "paddd"),
    ("vector_shift", "pslld"),
    ("shuffle", "pshufb"),
    ("unpack", "punpckldq"),
    ("sha", "sha256rnds2"),
    ("message", "sha256msg2"),
    ("sha1nexte", "sha1nexte"),
    ("sha1msg1", "sha1msg1"),
    ("sha1msg2", "sha1msg2"),
    ("sha256msg1", "sha256msg1"),
];

/// The instruction that saturates each pool by vectors of a number of bits.
const SATURATED_BY_VECTORS: [(&str, &str, &str); 9] = [
    ("128", "load", "movdqa load"),
    ("128", "store", "movdqa store"),
    ("256", "load", "vmovdqa load ymm"),
    ("256", "store", "vmovdqa store ymm"),
    ("512", "vector", "vpaddd zmm"),
    ("512", "vector_shift", "vprold zmm"),
    ("512", "shuffle", "vpshufb zmm"),
    ("512", "load", "vmovdqa64 load zmm"),
    ("512", "store", "vmovdqa64 store zmm"),
];

/// The accuracy of the measured length of a cycle.
const CLOCK: f64 = 0.015;

/// Constants are whole numbers of cycles and of units. The loop around a chain makes a measured latency
/// longer than the constant, never shorter.
fn latency(cycles: f64) -> f64 {
    ((1.0 + CLOCK) * cycles).floor()
}

/// No measurement uses more units than there are.
fn units(cycles: f64) -> f64 {
    ((1.0 - CLOCK) / cycles).ceil()
}

/// The units for vectors. A wide operation can occupy the only unit for several cycles.
fn vector_units(cycles: f64) -> f64 {
    if latency(cycles) > 1.0 { 1.0 / latency(cycles) } else { units(cycles) }
}

impl Models {
    /// Compares each constant whose source is a record with this record in `directory`, and returns the number
    /// of compared constants. A record that is not in `directory` is skipped.
    ///
    /// # Errors
    ///
    /// [`ModelError::NotRecorded`], which names the constant and both values; or a record cannot be read.
    pub fn check_records(&self, directory: &Path) -> Result<usize, ModelError> {
        let mut compared = 0;
        for machine in &self.machines {
            let mut check = |name: String, constant: &Constant, found: &dyn Fn(&Table) -> Check| {
                let Some(ConstantSource::Record(file)) = constant.stated().map(Stated::source)
                else {
                    return Ok(());
                };
                let path = directory.join(file);
                if !path.exists() {
                    return Ok(());
                }
                let table = Table::read(&path).map_err(ModelError::Record)?;
                let check = found(&table);
                let value = constant.value();
                let holds = match check {
                    Check::Is(found) => found == Some(value),
                    Check::AtMost(most) => most.is_some_and(|most| value <= most),
                };
                compared += 1;
                let (Check::Is(found) | Check::AtMost(found)) = check;
                let (machine, record) = (machine.name.clone(), path.display().to_string());
                let error =
                    ModelError::NotRecorded { machine, constant: name, value, found, record };
                if holds { Ok(()) } else { Err(error) }
            };
            let cycles = |table: &Table, instruction: &str, operand: &str| {
                let wanted = [("instruction", instruction), ("operand", operand)];
                table.figure(&wanted, "cycles_median")
            };
            self.check_pairs(machine, directory)?;
            for (pool, constant) in &machine.units.pools {
                let by = SATURATED.iter().find(|(name, _)| name == pool);
                check(pool.clone(), constant, &|table| {
                    Check::Is(by.and_then(|by| cycles(table, by.1, "independent")).map(units))
                })?;
            }
            for (bits, pools) in &machine.units.widths {
                for (pool, constant) in pools {
                    let by = SATURATED_BY_VECTORS
                        .iter()
                        .find(|by| (by.0, by.1) == (&bits[..], &pool[..]));
                    check(format!("{pool}/{bits}"), constant, &|table| {
                        let found = by.and_then(|by| cycles(table, by.2, "independent"));
                        Check::Is(found.map(vector_units))
                    })?;
                }
            }
            for (name, op) in &machine.units.ops {
                let instruction = INSTRUCTIONS.iter().find(|(of, ..)| of == name);
                let (_, instruction, operands) = instruction.copied().unwrap_or(("", "", &[]));
                // A link of a chain through memory is a store and a load.
                let link = if name.ends_with("forward") { 2.0 } else { 1.0 };
                let of = |table: &Table, operand: &str| {
                    cycles(table, instruction, operand).map(|cycles| latency(link * cycles))
                };
                for (i, constant) in op.from.iter().enumerate() {
                    let operand = operands.get(i).copied().unwrap_or_default();
                    let shown = format!("{name} latency from {operand}");
                    check(shown, constant, &|table| Check::Is(of(table, operand)))?;
                }
                if let Some(constant) = &op.latency {
                    // The maximum over all operands. The record must contain every operand.
                    check(format!("{name} latency"), constant, &|table| {
                        let found: Option<Vec<f64>> =
                            operands.iter().map(|operand| of(table, operand)).collect();
                        Check::Is(found.and_then(|found| found.into_iter().reduce(f64::max)))
                    })?;
                }
                for (pool, constant) in &op.uses {
                    let units = machine.pool(pool, 0);
                    check(format!("{name} in {pool}"), constant, &|table| {
                        let found = cycles(table, instruction, "independent");
                        Check::AtMost(found.map(|cycles| (1.0 + CLOCK) * cycles * units))
                    })?;
                }
            }
        }
        Ok(compared)
    }
}

impl Models {
    /// Compares each pair of independent instructions in the records that are sources of `machine` with the pools
    /// that both occupy: two instructions on the same units take at least the sum of their work.
    fn check_pairs(&self, machine: &Machine, directory: &Path) -> Result<(), ModelError> {
        let sources =
            machine.origins().filter_map(|(_, constant)| match constant.stated()?.source() {
                ConstantSource::Record(file) => Some(directory.join(file)),
                _ => None,
            });
        let units = machine.stated();
        for path in sources.filter(|path| path.exists()).collect::<BTreeSet<_>>() {
            let table = Table::read(&path).map_err(ModelError::Record)?;
            let (name, operand) = (column(&table, "instruction")?, column(&table, "operand")?);
            let median = column(&table, "cycles_median")?;
            for row in table.rows().iter().filter(|row| row.text(&operand) == "independent") {
                let op = |instruction: &str| {
                    let found = INSTRUCTIONS.iter().find(|(_, of, _)| *of == instruction)?;
                    units.ops.get(found.0)
                };
                let Some((first, second)) = row.text(&name).split_once(" + ") else { continue };
                let Some((first, second)) = op(first).zip(op(second)) else { continue };
                let cycles = table.number(row, &median).map_err(ModelError::Record)?;
                for (pool, used) in &first.uses {
                    let Some((also, of)) = second.uses.get(pool).zip(units.pools.get(pool)) else {
                        continue;
                    };
                    let value = (used.value() + also.value()) / (2.0 * of.value());
                    if cycles < (1.0 - CLOCK) * value {
                        return Err(ModelError::NotRecorded {
                            machine: machine.name.clone(),
                            constant: format!("{} in {pool}", row.text(&name)),
                            value,
                            found: Some(cycles),
                            record: path.display().to_string(),
                        });
                    }
                }
            }
        }
        Ok(())
    }
}

fn column(table: &Table, name: &str) -> Result<Column, ModelError> {
    table.column(name).map_err(ModelError::Record)
}

/// The value of a constant according to the record, or its maximum; `None` if the record lacks it.
#[derive(Clone, Copy)]
enum Check {
    Is(Option<f64>),
    AtMost(Option<f64>),
}
