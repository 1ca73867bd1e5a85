//! The cache of digests: its place, and its errors.

use std::path::PathBuf;
use std::{env, fs};

use lanesum_files::Identity;
use lanesum_keep::{Cache, SharedCache};

use crate::args::CacheArgs;
use crate::message::{Shown, print_message, reason};

/// Opens the requested cache. If that fails, reports the error; the run continues without a cache.
pub(crate) fn open(args: &CacheArgs) -> Option<SharedCache> {
    let named = args.cache.as_ref()?;
    let path = match named.is_empty() {
        true => default_path()?,
        false => named.into(),
    };
    let shown = Shown(path.as_os_str());
    match Cache::open(&path) {
        Ok(cache) => {
            if cache.was_damaged {
                print_message(format_args!("the cache {shown} was corrupt and has been replaced"));
            }
            Some(SharedCache::new(cache, args.checkpoint))
        }
        Err(error) => {
            let reason = reason(&error);
            print_message(format_args!(
                "cannot use the cache {shown}: {reason}; continuing without it"
            ));
            None
        }
    }
}

/// Returns the path of the default cache file.
pub(crate) fn default_path() -> Option<PathBuf> {
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = absolute("XDG_CACHE_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".cache")))
        .or_else(|| {
            print_message("HOME is not set; continuing without a cache, use --cache=FILE");
            None
        })?;
    Some(folder.join("lanesum/cache.sqlite"))
}

/// Flushes the cache, and reports errors.
pub(crate) fn close(cache: Option<&SharedCache>) {
    let Some(mut cache) = cache.map(SharedCache::lock) else { return };
    let written = cache.write();
    let path = Shown(cache.path().as_os_str()).to_string();
    if let Err(error) = written {
        print_message(format_args!("cannot write the cache {path}: {}", reason(&error)));
    } else if let Some(error) = cache.broken() {
        print_message(format_args!("cannot read the cache {path}: {}; remove it", reason(error)));
    }
}

/// Returns the identity of the cache file, which walks exclude.
pub(crate) fn identity(cache: Option<&SharedCache>) -> Option<Identity> {
    let path = cache?.lock().path().to_owned();
    fs::metadata(path).ok().as_ref().map(Identity::of)
}
