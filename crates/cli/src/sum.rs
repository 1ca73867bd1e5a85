//! `lanesum sum`: prints digests of files, as a manifest.

use std::path::PathBuf;

use lanesum_files::Options;

use crate::args::{Findings, Sum};
use crate::listing::{Hashing, Listing};
use crate::message::print_message;
use crate::{CommandResult, Reported, audit, cache, format, settings};

pub(crate) fn run(mut args: Sum) -> CommandResult {
    let others = [&mut args.output, &mut args.update, &mut args.files0_from];
    let others = others.into_iter().flatten().map(PathBuf::as_mut_os_string);
    let entered = args.names.enter(others.chain(&mut args.cache.cache));
    entered?;
    hash(args)
}

fn hash(args: Sum) -> CommandResult {
    let detects_collisions = args.detects_collisions();
    if detects_collisions && (args.update.is_some() || args.cache.cache.is_some()) {
        print_message("sha1dc must read every byte: omit --update and --cache");
        return Err(Reported::Usage);
    }
    if let Some(manifest) = &args.update {
        return audit::update::run(&args, manifest);
    }
    let needs = |flag: Option<&str>, other| match flag {
        Some(flag) => {
            print_message(format_args!("{flag} requires {other}"));
            Err(Reported::Usage)
        }
        None => Ok(()),
    };
    if !args.recursive {
        needs(args.walk.given(), "--recursive or --update")?;
    }
    needs(Findings::from(&args.findings).given(), "--update")?;
    needs(args.names.names_from.map(|_| "--names-from"), "--update")?;
    let algorithms = args.algorithms();
    let format = format::of(args.format, args.tag, &algorithms, args.output.as_deref())?;
    format::check_stat(args.stat, format)?;
    let settings = settings(&args.jobs, &algorithms)?.at(args.pace.max_rate);
    let cache = cache::open(&args.cache);
    let listing = Listing {
        format,
        walk: Options::from(&args.walk),
        files0_from: args.files0_from,
        paths: args.paths,
        recursive: args.recursive,
        zero: args.zero,
        output: args.output.as_deref(),
        partial: args.partial,
        explain: args.pace.explain,
        hashing: Hashing {
            algorithms: &algorithms,
            detects_collisions,
            key: None,
            stat: args.stat,
            cache: cache.as_ref(),
            skips_unchanged: !args.cache.paranoid,
        },
    };
    let verdict = listing.run(&settings);
    cache::close(cache.as_ref());
    verdict
}
