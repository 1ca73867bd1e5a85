//! The format of what `lanesum sum` writes.

use lanesum_manifest::Format;

use crate::Verdict;
use crate::args::Sum;
use crate::say::say;

/// The format asked for, if it can say all that is to be said.
pub(crate) fn of(args: &Sum) -> Result<Format, Verdict> {
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
