//! Stores another program's measurements as a record.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::{machine, record, samples};

/// A program's table as a record, with the machine's state in its head.
///
/// The program prints comma-separated values, with the column names first; lines `# key: value`
/// become part of the head. If the last columns are a time and the probes before and after, each line
/// is a sample; the record then has the quartiles of each case's plausible samples.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Name of the record
    name: String,
    /// Program and its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<String>,
    #[command(flatten)]
    record: record::Arguments,
}

pub(crate) fn main(arguments: &Arguments) -> Result<()> {
    let mut head = machine::head();
    let (program, rest) = arguments.command.split_first().context("no command is given")?;
    // The head of a record has one line per field.
    let words = arguments.command.iter().flat_map(|argument| argument.split_whitespace());
    let words: Vec<&str> = words.filter(|word| *word != "\\").collect();
    head.push(("command", words.join(" ")));
    let output = Command::new(program)
        .args(rest)
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot run {program}"))?;
    ensure!(output.status.success(), "{program} failed: {}", output.status);
    let text = String::from_utf8(output.stdout).context("its output is not UTF-8")?;
    for line in text.lines().filter_map(|line| line.strip_prefix("# ")) {
        let (key, value) = line.split_once(": ").with_context(|| format!("no `key: `: {line}"))?;
        // The head outlives this function.
        head.push((key.to_owned().leak(), value.to_owned()));
    }
    head.extend(machine::state(["load after", "noise after"]));
    let table: String =
        text.lines().filter(|line| !line.starts_with('#')).flat_map(|l| [l, "\n"]).collect();
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let columns = reader.headers().context("no table")?.clone();
    let rows: Result<Vec<Vec<String>>, csv::Error> =
        reader.records().map(|row| Ok(row?.iter().map(str::to_owned).collect())).collect();
    let mut rows = rows.context("no table")?;
    ensure!(!rows.is_empty(), "{program} has measured nothing");
    let mut columns: Vec<String> = columns.iter().map(str::to_owned).collect();
    if let Some(judged) = samples::judge(&machine::core(), &columns, &rows)? {
        head.push(("discarded", judged.discarded.to_string()));
        (columns, rows) = (judged.columns, judged.rows);
    }
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    arguments.record.write(&arguments.name, true, &head, &columns, &rows)
}
