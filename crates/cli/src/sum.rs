//! `lanesum sum`: digests of files, as a manifest.

use lanesum::Algorithm;
use lanesum_files::Options;
use lanesum_manifest::Format;

use crate::args::Sum;
use crate::listing::Listing;
use crate::say::say;
use crate::{Verdict, settings};

pub(crate) fn run(args: Sum) -> Verdict {
    try_run(args).unwrap_or_else(|verdict| verdict)
}

fn try_run(args: Sum) -> Result<Verdict, Verdict> {
    let algorithms: Vec<Algorithm> = args.algorithms.iter().map(|of| of.algorithm).collect();
    let settings = settings(&args.jobs, &algorithms)?;
    let listing = Listing {
        format: format(&args)?,
        paths: args.paths,
        recursive: args.recursive,
        walk: Options {
            follow: args.follow,
            one_file_system: args.one_file_system,
            max_depth: args.max_depth,
            globs: args.globs,
            ..Options::default()
        },
        algorithms: &algorithms,
        watches: args.algorithms.iter().any(|of| of.watches),
        key: None,
        zero: args.zero,
        output: args.output.as_deref(),
    };
    listing.run(&settings)
}

/// The format asked for, if it can say all that is to be said.
fn format(args: &Sum) -> Result<Format, Verdict> {
    let named = |name| Format::from_name(name).expect("a format of the table");
    let several = args.algorithms.len() > 1;
    match args.format {
        Some(format) if several && !format.names_algorithm() => {
            say(format_args!(
                "lines of format {} do not say their algorithm, and there are several: use --format bsd or json",
                format.name()
            ));
            Err(Verdict::Usage)
        }
        Some(format) => Ok(format),
        None => Ok(named(if args.tag || several { "bsd" } else { "gnu" })),
    }
}
