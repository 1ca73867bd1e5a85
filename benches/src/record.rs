//! Writes records: lines `# key: value`, then a table of comma-separated values.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use lanesum_measure::{Reader, Table};

use crate::cores;
use crate::machine::{self, Head};

/// The location of a record.
#[derive(clap::Args)]
// A group has the name of its type, which each command has, too.
#[group(skip)]
pub(crate) struct Arguments {
    /// Directory for the record [default: this machine's directory of records, or `target/trial` for
    /// a trial]
    #[arg(long)]
    record: Option<PathBuf>,
}

impl Arguments {
    /// Writes a record named `what` and prints its path. A full record replaces the machine's older
    /// records of that kind, which remain in the repository's history. If the machine was not idle,
    /// the record is stored as a trial and the call fails.
    pub(crate) fn write(
        &self,
        what: &str,
        is_full: bool,
        head: &Head,
        columns: &[&str],
        rows: &[Vec<String>],
    ) -> Result<()> {
        let trials = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/trial");
        let trial = write(&trials, what, head, columns, rows)?;
        if self.record.is_none() && !is_full {
            println!("{}", trial.display());
            return Ok(());
        }
        let table = Table::read(&trial)?;
        let core = machine::core();
        // Records of hardware cores do not depend on the machine's clock.
        if let Some(taint) =
            table.taint(Some(&core)).filter(|_| is_full && !what.starts_with("rtl-"))
        {
            bail!("the record is not used for pages and is at {}: {taint}", trial.display());
        }
        fs::remove_file(&trial)?;
        let folder = self.record.clone().unwrap_or_else(machine::records);
        let path = write(&folder, what, head, columns, rows)?;
        if is_full {
            replace(&folder, what, &path)?;
        }
        println!("{}", path.display());
        Ok(())
    }
}

/// Removes the records that a newer one of their machine and kind replaces.
fn replace(folder: &Path, what: &str, by: &Path) -> Result<()> {
    let Some((machines, machine)) = folder.parent().zip(folder.file_name()) else { return Ok(()) };
    for older in Reader::new(machines, cores::known().clone()).all(what)? {
        if older.machine == machine.to_string_lossy() && older.path != by {
            fs::remove_file(&older.path)?;
        }
    }
    Ok(())
}

fn write(
    folder: &Path,
    what: &str,
    head: &Head,
    columns: &[&str],
    rows: &[Vec<String>],
) -> Result<PathBuf> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let (path, mut file) = create(folder, what)?;
    for (key, value) in head {
        writeln!(file, "# {key}: {value}")?;
    }
    let mut table = csv::Writer::from_writer(file);
    table.write_record(columns)?;
    for row in rows {
        table.write_record(row)?;
    }
    table.flush()?;
    Ok(path)
}

fn create(folder: &Path, what: &str) -> Result<(PathBuf, File)> {
    let date = machine::today();
    for number in 1.. {
        let number = if number == 1 { String::new() } else { format!(".{number}") };
        let path = folder.join(format!("{date}{number}-{what}.csv"));
        match File::create_new(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => {
                return Err(error).with_context(|| format!("cannot write {}", path.display()));
            }
        }
    }
    unreachable!("an unused number exists")
}
