//! Git LFS: pointers in blobs, and the files that contain the objects.

use std::ops::ControlFlow;
use std::path::Path;

use lanesum::Digest;
use lanesum_files::{Digests, Error, Sha256File, hash};

use crate::object::{Object, Type};
use crate::report::{Counts, Fault, Found, reason};
use crate::run::Run;

/// Exclusive upper bound on a pointer's length, in bytes, by the specification.
const MAX_POINTER: usize = 1024;

/// Parses a pointer. Returns the SHA-256 and the length of its object.
fn parse(contents: &[u8]) -> Option<([u8; 32], u64)> {
    if contents.len() >= MAX_POINTER || !contents.starts_with(b"version ") {
        return None;
    }
    let mut lines = str::from_utf8(contents).ok()?.lines();
    let version = lines.next()?.strip_prefix("version ")?;
    // The second URL is the preview release's, which Git LFS also accepts.
    let is_known = ["https://git-lfs.github.com/spec/v1", "https://hawser.github.com/spec/v1"]
        .contains(&version);
    let (mut oid, mut len) = (None, None);
    for line in lines {
        match line.split_once(' ')? {
            ("oid", value) => oid = value.strip_prefix("sha256:"),
            ("size", value) => len = value.parse().ok(),
            _ => {}
        }
    }
    let digest: Digest = oid.filter(|oid| is_known && oid.len() == 64)?.parse().ok()?;
    Some((digest.try_into().ok()?, len?))
}

/// Records the pointer in an object, if it contains one.
pub(crate) fn notice(run: &Run<'_>, object: &Object) {
    if object.of_type == Type::Blob
        && let Some((digest, len)) = parse(object.contents())
    {
        run.add_pointer(digest, len);
    }
}

/// A pointer with an existing object, and the object's file.
type Stored = Sha256File<(Digest, u64)>;

/// Verifies the objects of all pointers that were found.
pub(crate) fn verify(run: &Run<'_>, common: &Path) {
    let directory = common.join("lfs/objects");
    let mut counts = Counts::default();
    let mut stored = Vec::new();
    for (digest, len) in run.take_pointers() {
        let digest = Digest::from(digest);
        let name = digest.to_string();
        let path = directory.join(&name[..2]).join(&name[2..4]).join(&name);
        if path.symlink_metadata().is_ok() {
            stored.push(Stored { path, data: (digest, len) });
        } else {
            counts.find(Found::LfsAbsent, 1);
        }
    }
    counts.find(Found::Lfs, stored.len() as u64);
    // Without jobs it would still start threads.
    if !stored.is_empty() {
        verify_stored(run, stored, &mut counts);
    }
    run.add(&counts);
}

fn verify_stored(run: &Run<'_>, stored: Vec<Stored>, counts: &mut Counts) {
    hash(stored.into_iter(), run.settings, run.progress, |job, digests| {
        let result = matches(&job, digests);
        run.object(counts, job.data.0, &job.path, None, result);
        if run.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
}

fn matches(job: &Stored, digests: Result<Digests, Error>) -> Result<(), Fault> {
    let Sha256File { path, data: (digest, len) } = job;
    let digests = digests.map_err(|error| {
        let described = error.describe(&path.display());
        let cause = error.into_source().map(|source| format!(": {}", reason(&source)));
        Fault::unreadable(described + &cause.unwrap_or_default())
    })?;
    if digests[0] != *digest {
        return Err(Fault::rotted(format!("its contents have the SHA-256 {}", digests[0])));
    }
    let found = path.metadata()?.len();
    if found != *len {
        let reason = format!("it has {found} bytes, but its pointer declares {len}");
        return Err(Fault::rotted(reason));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_are_recognized() {
        let oid = "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393";
        let pointer = |version: &str, oid: &str, size: &str| {
            parse(format!("version https://{version}/spec/v1\noid {oid}\nsize {size}\n").as_bytes())
        };
        let (digest, len) =
            pointer("git-lfs.github.com", &format!("sha256:{oid}"), "12345").unwrap();
        assert_eq!((Digest::from(digest).to_string().as_str(), len), (oid, 12345));
        assert!(pointer("hawser.github.com", &format!("sha256:{oid}"), "0").is_some());
        assert!(pointer("example.org", &format!("sha256:{oid}"), "0").is_none());
        assert!(pointer("git-lfs.github.com", &format!("sha512:{oid}"), "0").is_none());
        assert!(pointer("git-lfs.github.com", &format!("sha256:{}", &oid[2..]), "0").is_none());
        assert!(pointer("git-lfs.github.com", &format!("sha256:{oid}"), "-1").is_none());
        assert!(parse(b"version https://git-lfs.github.com/spec/v1\n").is_none());
        assert!(parse(b"").is_none());
    }
}
