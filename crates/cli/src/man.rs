//! `lanesum man`: manual pages, made of the flags.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use crate::args::Cli;
use crate::say::{Shown, reason, say};
use crate::{Verdict, personalities};

/// Writes a page for the command and for each of its subcommands into a folder.
pub(crate) fn run(folder: &Path) -> Verdict {
    match write(folder) {
        Ok(()) => Verdict::Well,
        Err(error) => {
            let folder = Shown(folder.as_os_str());
            say(format_args!("cannot write pages to {folder}: {}", reason(&error)));
            Verdict::Failed
        }
    }
}

fn write(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let mut page = Vec::new();
    render(&command, &mut page)?;
    names(&mut page)?;
    fs::write(folder.join("lanesum.1"), page)?;
    let mut subcommands: Vec<_> = command.get_subcommands().collect();
    while let Some(subcommand) = subcommands.pop() {
        subcommands.extend(subcommand.get_subcommands());
        let name = subcommand.get_display_name().unwrap_or(subcommand.get_name());
        let mut page = Vec::new();
        render(subcommand, &mut page)?;
        fs::write(folder.join(format!("{name}.1")), page)?;
    }
    Ok(())
}

fn render(command: &Command, page: &mut Vec<u8>) -> io::Result<()> {
    Man::new(command.clone()).render(page)
}

/// What else the command is, by the table of its names.
fn names(page: &mut Vec<u8>) -> io::Result<()> {
    let names: Vec<&str> = personalities::all().map(|personality| personality.name).collect();
    writeln!(
        page,
        ".SH \"OTHER NAMES\"\n\
         Called by one of these names, also by a symbolic link, this command is the tool of \
         that name, with its flags, output and exit status: \\fB{}\\fR.",
        names.join("\\fR, \\fB")
    )
}
