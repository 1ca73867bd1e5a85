//! Writing a record: lines `# key: value`, then a table of comma-separated values.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::machine::{self, Head};

/// Where a record goes.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder for the record: by default this machine's among the records,
    /// for a trial that is no full run `target/trial`
    #[arg(long)]
    record: Option<PathBuf>,
}

impl Arguments {
    /// Writes a record called `what` and prints its path. Nothing is overwritten: the second of
    /// a day is called `<date>.2-<what>.csv`.
    pub(crate) fn write(
        &self,
        what: &str,
        is_full: bool,
        head: &Head,
        columns: &[&str],
        rows: &[Vec<String>],
    ) -> Result<()> {
        let folder = match &self.record {
            Some(folder) => folder.clone(),
            None if is_full => machine::records(),
            None => Path::new(env!("CARGO_MANIFEST_DIR")).join("target/trial"),
        };
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let (path, mut file) = create(&folder, what)?;
        for (key, value) in head {
            writeln!(file, "# {key}: {value}")?;
        }
        let mut table = csv::Writer::from_writer(file);
        table.write_record(columns)?;
        for row in rows {
            table.write_record(row)?;
        }
        table.flush()?;
        println!("{}", path.display());
        Ok(())
    }
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
    unreachable!("there is a number that is not taken")
}
