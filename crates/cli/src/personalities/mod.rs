//! Other names of the command. Called through a link named, for example, `sha256sum`, it behaves
//! like that tool.

mod getopt;
mod gnu;
pub(crate) mod quote;
mod solaris;
mod streams;
mod token;

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitCode;

use gnu::Tool;
use lanesum::Algorithm;

/// The entry point of a tool. Its arguments are the name it was called by, and the arguments.
type Run = fn(&OsStr, Vec<OsString>) -> ExitCode;

/// A name and its tool.
pub(crate) struct Personality {
    pub(crate) name: &'static str,
    run: Run,
}

macro_rules! gnu_sums {
    ($($name:literal: $algorithm:ident,)*) => {
        [$(Personality {
            name: $name,
            run: |name, arguments| gnu::run(Tool::One($name, Algorithm::$algorithm), name, arguments),
        },)*]
    };
}

static GNU_SUMS: [Personality; 6] = gnu_sums! {
    "md5sum": MD5,
    "sha1sum": SHA1,
    "sha224sum": SHA224,
    "sha256sum": SHA256,
    "sha384sum": SHA384,
    "sha512sum": SHA512,
};

static OTHERS: [Personality; 5] = [
    Personality { name: "b2sum", run: |name, arguments| gnu::run(Tool::B2sum, name, arguments) },
    Personality { name: "sum", run: |name, arguments| gnu::run(Tool::Sum, name, arguments) },
    Personality { name: "cksum", run: |name, arguments| gnu::run(Tool::Cksum, name, arguments) },
    Personality {
        name: "digest",
        run: |name, arguments| solaris::run(solaris::Tool::Digest, name, arguments),
    },
    Personality {
        name: "mac",
        run: |name, arguments| solaris::run(solaris::Tool::Mac, name, arguments),
    },
];

/// Returns all tools, current ones first.
pub(crate) fn all() -> impl Iterator<Item = &'static Personality> {
    GNU_SUMS.iter().chain(&OTHERS)
}

/// Returns the tool that `called`, the process's first argument, names.
pub(crate) fn find(called: &OsStr) -> Option<&'static Personality> {
    let name = Path::new(called).file_name()?;
    all().find(|personality| name == personality.name)
}

impl Personality {
    pub(crate) fn run(&self, called: &OsStr, arguments: Vec<OsString>) -> ExitCode {
        (self.run)(called, arguments)
    }
}
