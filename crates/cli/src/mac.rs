//! `lanesum mac`: HMACs of files. Keys are not passed as arguments, which other users can see.

use std::env;
use std::fs::{self, File};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER_PERMISSIVE;
use lanesum::unstable::Locked;
use lanesum_files::Options;
use lanesum_manifest::Format;
use zeroize::Zeroizing;

use crate::args::{KeySource, Mac};
use crate::listing::{Hashing, Listing};
use crate::message::{Shown, print_message, reason};
use crate::{CommandResult, Reported, key, refuse_environment, settings, standard};

pub(crate) fn run(args: Mac) -> CommandResult {
    let algorithms = [args.algorithm.into()];
    let settings = settings(&args.jobs, &algorithms)?;
    if is_stdin_key(&args.key) && is_stdin_hashed(&args) {
        print_message(
            "standard input already supplies the key: name files to hash, or use another key source",
        );
        return Err(Reported::Usage);
    }
    let place = |path: &Option<PathBuf>| fs::canonicalize(path.as_ref()?).ok();
    if let Some(key) = place(&args.key.key_file)
        && Some(&key) == place(&args.output).as_ref()
    {
        print_message(format_args!(
            "{} is the key file: name another output",
            Shown(key.as_os_str())
        ));
        return Err(Reported::Usage);
    }
    let bytes = read_key(&args.key, args.key_hex)?;
    if bytes.is_empty() {
        print_message("the key is empty: anyone could forge the tags");
        return Err(Reported::Usage);
    }
    let engine = settings.policy.engine(args.algorithm);
    let engine = engine.map_err(|error| refuse_environment(&error))?;
    let key = key::ready(&engine, &bytes);
    drop(bytes);
    let listing = Listing {
        paths: args.paths,
        recursive: args.recursive,
        walk: Options { follow: args.follow, ..Options::default() },
        format: Format::from_name("gnu").expect("a format of the table"),
        zero: args.zero,
        output: args.output.as_deref(),
        partial: args.partial,
        files0_from: None,
        explain: false,
        hashing: Hashing {
            algorithms: &algorithms,
            detects_collisions: false,
            key: Some(&key),
            stat: false,
            cache: None,
            skips_unchanged: false,
        },
    };
    listing.run(&settings)
}

/// Whether a path refers to standard input, by any of its names.
fn is_stdin(path: &Path) -> bool {
    let names = ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];
    names.iter().any(|name| path.as_os_str() == *name)
}

fn is_stdin_key(source: &KeySource) -> bool {
    source.key_fd == Some(0) || source.key_file.as_deref().is_some_and(is_stdin)
}

fn is_stdin_hashed(args: &Mac) -> bool {
    args.paths.is_empty() && !args.recursive || args.paths.iter().any(|path| is_stdin(path))
}

/// Reads the key.
fn read_key(source: &KeySource, is_hex: bool) -> Result<Locked<[u8]>, Reported> {
    let bytes = if let Some(path) = &source.key_file {
        read(path)?
    } else if let Some(descriptor) = source.key_fd {
        read(Path::new(&format!("/dev/fd/{descriptor}")))?
    } else if let Some(name) = &source.key_env {
        let value = env::var_os(name).ok_or_else(|| {
            print_message(format_args!("environment variable {} is not set", Shown(name)));
            Reported::Usage
        })?;
        Locked::copy(&Zeroizing::new(value.into_vec()))
    } else {
        print_message(
            "warning: --key-text exposes the key to other users and to the shell's history; use --key-file, --key-fd or --key-env",
        );
        let text = source.key_text.as_deref().unwrap_or_default();
        Locked::copy(text.as_bytes())
    };
    if !is_hex {
        return Ok(bytes);
    }
    // The position of the error would leak information about the key.
    let wrong = || {
        print_message("the key is not hexadecimal; omit --key-hex to use it as raw bytes");
        Reported::Usage
    };
    let digits = bytes.trim_ascii();
    let len = HEXLOWER_PERMISSIVE.decode_len(digits.len()).map_err(|_| wrong())?;
    let mut decoded = Locked::zeros(len);
    HEXLOWER_PERMISSIVE.decode_mut(digits, &mut decoded).map_err(|_| wrong())?;
    Ok(decoded)
}

fn read(path: &Path) -> Result<Locked<[u8]>, Reported> {
    let file = match path.to_str() {
        // Bypass the buffer of the process's standard input, which would retain a copy.
        Some("-") => standard::input(),
        _ => File::open(path),
    };
    file.and_then(key::read).map_err(|error| {
        print_message(format_args!(
            "cannot read the key from {}: {}",
            Shown(path.as_os_str()),
            reason(&error)
        ));
        Reported::Failed
    })
}
