//! `lanesum-graph fit`: fits the constants of a machine's model to that machine's records.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use lanesum_kernels::fit::{fit, window};
use lanesum_measure::Reader;
use lanesum_model::{ConstantValue, Fitted, Models, Record};

use crate::cli::{Outcome, usage};

#[derive(Args)]
pub(crate) struct FitArguments {
    /// The machine's model.
    machine: String,
    /// Where records of measurements are, a directory for each machine.
    #[arg(long, default_value = "benches/record", value_name = "DIR")]
    records: PathBuf,
}

pub(crate) fn run(asked: &FitArguments) -> Outcome {
    let models = Models::built_in()?;
    let valid = models.machines.iter().map(|m| m.name.clone()).collect();
    let machine = models.machine(&asked.machine).map_err(|error| usage(error, valid))?;
    let cores = models.cores();
    let reader = Reader::new(&asked.records, cores.clone());
    let is_one = |processor: &str, name: &str| {
        cores.of(processor, name).is_some_and(|core| core.name == machine.name)
    };
    let records = Record::newest(&reader)?;
    let record = records.iter().find(|record| is_one(&record.processor, &record.machine));
    let record = record.ok_or_else(|| {
        format!("no record of kernels on {} in {}", machine.name, asked.records.display())
    })?;
    let found = fit(&models, machine, record)?;
    let [before, after] = found.off.map(|off| 100.0 * off);
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "# {}: fitted to {} rows; predictions are off by {after:.1} %, and by {before:.1} % before the fit",
        machine.name, found.rows
    )?;
    let Some(fitted) = &found.machine.fitted else {
        return Err("no constant improves the predictions".into());
    };
    writeln!(out, "[machine.fitted]")?;
    writeln!(out, "record = \"{}\"", fitted.overlap.record())?;
    writeln!(out, "overlap = {:.1}", fitted.overlap.value())?;
    let shown = |pools: &BTreeMap<String, Fitted>| {
        let pools = pools.iter().map(|(pool, units)| format!("{pool} = {:.1}", units.value()));
        format!("{{ {} }}", pools.collect::<Vec<_>>().join(", "))
    };
    writeln!(out, "pools = {}", shown(&fitted.pools))?;
    let widths = fitted.widths.iter().map(|(bits, pools)| format!("{bits} = {}", shown(pools)));
    writeln!(out, "widths = {{ {} }}", widths.collect::<Vec<_>>().join(", "))?;
    let tables = reader.newest("instructions")?;
    let table = tables.iter().find(|table| is_one(&table.processor, &table.machine));
    let waiting = table.map(|table| window(&found.machine, table)).transpose()?.flatten();
    match waiting {
        Some(entries) => writeln!(out, "# window = {entries}")?,
        None => writeln!(out, "# window: not determined by any record")?,
    }
    Ok(ExitCode::SUCCESS)
}
