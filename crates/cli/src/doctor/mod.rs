//! `lanesum doctor`: reports which programs use Lanesum, and why others do not.

mod commands;
mod costs;
mod libraries;
mod openssl;
mod pkcs11;
mod proof;

use std::fmt::{self, Display};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::args::{Doctor, List};
use crate::{CommandResult, list, print};

pub(crate) fn run(args: &Doctor) -> CommandResult {
    if args.proof {
        return proof::run();
    }
    let mut text = String::new();
    section(&mut text, "Commands", commands::findings());
    section(&mut text, "Libraries", libraries::findings());
    section(&mut text, "Programs linked with these libraries", libraries::programs());
    section(&mut text, "OpenSSL", openssl::findings());
    section(&mut text, "PKCS #11", pkcs11::findings());
    section(&mut text, "Costs of kernels", costs::findings());
    text.push_str("Kernels\n\n");
    match list::text(&List { all: true, json: false }) {
        Ok(kernels) => text.push_str(&String::from_utf8_lossy(&kernels)),
        Err(error) => {
            print(text.as_bytes())?;
            return Err(error);
        }
    }
    print(text.as_bytes())
}

fn section(text: &mut String, title: &str, findings: Vec<Finding>) {
    text.push_str(&format!("{title}\n\n"));
    if findings.is_empty() {
        text.push_str("  none\n");
    }
    for Finding { what, through, why } in findings {
        let through = if through { "yes" } else { "no" };
        text.push_str(&format!("  {what:<20} {through:<3}  {why}\n"));
    }
    text.push('\n');
}

/// A program or library, and whether it uses Lanesum.
struct Finding {
    what: String,
    through: bool,
    /// How it uses Lanesum, or why it does not.
    why: String,
}

impl Finding {
    fn yes(what: impl Display, why: impl Display) -> Self {
        Self { what: what.to_string(), through: true, why: why.to_string() }
    }

    fn no(what: impl Display, why: impl Display) -> Self {
        Self { what: what.to_string(), through: false, why: why.to_string() }
    }
}

/// Returns the device and inode number of a file, to recognize files with several names.
fn identity(path: &Path) -> Option<(u64, u64)> {
    fs::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

/// A path, displayed with its symlink target.
struct Place<'a>(&'a Path);

impl Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.display())?;
        match fs::canonicalize(self.0) {
            Ok(target) if target != self.0 => write!(f, " -> {}", target.display()),
            _ => Ok(()),
        }
    }
}
