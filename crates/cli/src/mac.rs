//! `lanesum mac`: HMACs of files, under a key that stands in no list of processes.

use std::env;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use data_encoding::HEXLOWER_PERMISSIVE;
use lanesum::HmacKey;
use zeroize::Zeroizing;

use crate::args::{KeySource, Mac, Sum};
use crate::say::{Shown, reason, say};
use crate::{Verdict, settings, sum};

pub(crate) fn run(args: Mac) -> Verdict {
    match try_run(args) {
        Ok(verdict) | Err(verdict) => verdict,
    }
}

fn try_run(args: Mac) -> Result<Verdict, Verdict> {
    let policy = settings(&args.jobs, &[args.algorithm])?.policy;
    let bytes = secret(&args.key, args.key_hex)?;
    if bytes.is_empty() {
        say("the key is empty");
        return Err(Verdict::Usage);
    }
    let key = HmacKey::with_policy(args.algorithm, &bytes, &policy);
    drop(bytes);
    let sum = Sum {
        paths: args.paths,
        algorithms: vec![args.algorithm],
        recursive: args.recursive,
        follow: args.follow,
        one_file_system: false,
        max_depth: None,
        globs: Vec::new(),
        format: None,
        tag: false,
        zero: args.zero,
        output: args.output,
        jobs: args.jobs,
    };
    Ok(sum::run_keyed(&sum, &key))
}

/// The bytes of the key.
fn secret(source: &KeySource, is_hex: bool) -> Result<Zeroizing<Vec<u8>>, Verdict> {
    let bytes = if let Some(path) = &source.key_file {
        read(path)?
    } else if let Some(descriptor) = source.key_fd {
        read(Path::new(&format!("/dev/fd/{descriptor}")))?
    } else if let Some(name) = &source.key_env {
        let value = env::var_os(name).ok_or_else(|| {
            say(format_args!("{} is not in the environment", Shown(name)));
            Verdict::Usage
        })?;
        Zeroizing::new(std::os::unix::ffi::OsStringExt::into_vec(value))
    } else {
        say(
            "warning: a key among the arguments is seen by every user of this machine, and kept by \
             shells; --key-file, --key-fd and --key-env keep it to yourself",
        );
        let text = source.key_text.as_deref().unwrap_or_default();
        Zeroizing::new(text.as_bytes().to_vec())
    };
    if !is_hex {
        return Ok(bytes);
    }
    HEXLOWER_PERMISSIVE.decode(bytes.trim_ascii()).map(Zeroizing::new).map_err(|_| {
        // Where it goes wrong would tell of the key.
        say("the key is not hexadecimal");
        Verdict::Usage
    })
}

fn read(path: &Path) -> Result<Zeroizing<Vec<u8>>, Verdict> {
    let mut key = Zeroizing::new(Vec::new());
    let read = match path.to_str() {
        Some("-") => io::stdin().read_to_end(&mut key),
        _ => File::open(path).and_then(|mut file| file.read_to_end(&mut key)),
    };
    read.map(|_| key).map_err(|error| {
        say(format_args!(
            "cannot read the key from {}: {}",
            Shown(path.as_os_str()),
            reason(&error)
        ));
        Verdict::Failed
    })
}
