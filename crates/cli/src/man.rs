//! `lanesum man`: manual pages, generated from the arguments.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use clap::builder::Resettable;
use clap::{Command, CommandFactory};
use clap_mangen::Man;

use crate::args::Cli;
use crate::message::{Shown, print_message, reason};
use crate::pages::Page;
use crate::{CommandResult, Reported, Verdict, personalities};

/// Writes a page for the command and for each subcommand to a directory.
pub(crate) fn run(folder: &Path) -> CommandResult {
    write(folder).map(|()| Verdict::Success).map_err(|error| {
        let folder = Shown(folder.as_os_str());
        print_message(format_args!("cannot write pages to {folder}: {}", reason(&error)));
        Reported::Failed
    })
}

fn write(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let mut page = Vec::new();
    render(&command, "lanesum", &mut page)?;
    writeln!(
        page,
        ".SH ENVIRONMENT\n.TP\n\\fBLANESUM_KERNEL\\fR\n\
         Selects the kernels; see \\fBlanesum list \\-\\-all\\fR.\n\
         .TP\n\\fBLANESUM_COSTS\\fR\n\
         A file with the costs of kernels; see \\fBlanesum\\-tune\\fR(1)."
    )?;
    names(&mut page)?;
    fs::write(folder.join("lanesum.1"), page)?;
    let with_names = |before: &str, command: &'_ Command| -> Vec<(String, Command)> {
        let below = command.get_subcommands();
        below.map(|below| (format!("{before} {}", below.get_name()), below.clone())).collect()
    };
    let mut subcommands = with_names("lanesum", &command);
    while let Some((full_name, subcommand)) = subcommands.pop() {
        subcommands.extend(with_names(&full_name, &subcommand));
        let name = subcommand.get_display_name().unwrap_or(subcommand.get_name());
        let mut page = Vec::new();
        render(&subcommand, &full_name, &mut page)?;
        fs::write(folder.join(format!("{name}.1")), page)?;
    }
    Ok(())
}

/// Renders a page with sections for the exit status and examples.
fn render(command: &Command, full_name: &str, page: &mut Vec<u8>) -> io::Result<()> {
    let command = command.clone().after_help(Resettable::Reset).after_long_help(Resettable::Reset);
    Man::new(command).render(page)?;
    let Some(Page { failure, examples, .. }) = Page::of(full_name) else { return Ok(()) };
    let failure = escaped(failure);
    writeln!(
        page,
        ".SH \"EXIT STATUS\"\n.TP\n\\fB0\\fR\nSuccess.\n.TP\n\\fB1\\fR\n{failure}\n\
         .TP\n\\fB2\\fR\nUsage error."
    )?;
    writeln!(page, ".SH EXAMPLES")?;
    for (purpose, line) in *examples {
        writeln!(page, ".PP\n{purpose}:\n.PP\n.RS 4\n.nf\n{}\n.fi\n.RE", escaped(line))?;
    }
    Ok(())
}

/// Escapes characters that roff would interpret.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq")
}

/// Writes the list of the command's other names.
fn names(page: &mut Vec<u8>) -> io::Result<()> {
    let names: Vec<&str> = personalities::all().map(|personality| personality.name).collect();
    writeln!(
        page,
        ".SH \"OTHER NAMES\"\n\
         Run by one of these names, for example through a symlink, this command behaves like the tool \
         of that name, with its options, output and exit status: \\fB{}\\fR.",
        names.join("\\fR, \\fB")
    )
}
