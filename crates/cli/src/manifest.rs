//! `lanesum manifest`: runs `lanesum-manifest`, the command of the Python package.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::os::unix::process::CommandExt;
use std::process::Command;

use crate::Reported;
use crate::message::{print_message, reason};

/// Replaces this process; returns only if it cannot.
pub(crate) fn run(arguments: &[OsString]) -> Reported {
    let error = Command::new("lanesum-manifest").args(arguments).exec();
    let remedy = match error.kind() {
        ErrorKind::NotFound => {
            "; install the Python package lanesum with the extra 'manifest', \
             or activate the virtual environment that has it"
        }
        _ => "",
    };
    print_message(format_args!("cannot run lanesum-manifest: {}{remedy}", reason(&error)));
    Reported::Failed
}
