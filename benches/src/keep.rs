//! Keeping what another program measured.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::{machine, record, samples};

/// A program's table as a record, with what is known of the machine before it.
///
/// The program prints comma-separated values, the columns' names first; lines `# key: value`
/// go to the head. Where the last columns are a time and the core before and after, each line is a
/// sample: of each case those are kept that the core can have made, as their quartiles.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// What the record is called
    name: String,
    /// The program and its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<String>,
    #[command(flatten)]
    record: record::Arguments,
}

pub(crate) fn main(arguments: &Arguments) -> Result<()> {
    let mut head = machine::head();
    let (program, rest) = arguments.command.split_first().context("there is no command")?;
    // The head of a record has one line for each field.
    let words = arguments.command.iter().flat_map(|argument| argument.split_whitespace());
    let words: Vec<&str> = words.filter(|word| *word != "\\").collect();
    head.push(("command", words.join(" ")));
    let output = Command::new(program)
        .args(rest)
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot run {program}"))?;
    ensure!(output.status.success(), "{program} failed: {}", output.status);
    let text = String::from_utf8(output.stdout).context("what it printed is no text")?;
    for line in text.lines().filter_map(|line| line.strip_prefix("# ")) {
        let (key, value) = line.split_once(": ").with_context(|| format!("no `key: `: {line}"))?;
        // A head lasts as long as the program.
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
        head.push(("thrown away", judged.thrown.to_string()));
        (columns, rows) = (judged.columns, judged.rows);
    }
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    arguments.record.write(&arguments.name, true, &head, &columns, &rows)
}
