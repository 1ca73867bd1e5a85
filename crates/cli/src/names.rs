//! The base directory of names in manifests.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::{env, path};

use lanesum_manifest::{Options, Reader};

use crate::Reported;
use crate::args::{Base, Names};
use crate::message::{Shown, print_message, reason};

impl Names {
    /// Changes to the directory of `-C`. `others` are paths that remain relative to the original
    /// directory.
    pub(crate) fn enter<'p>(
        &self,
        others: impl IntoIterator<Item = &'p mut OsString>,
    ) -> Result<(), Reported> {
        let Some(directory) = &self.directory else { return Ok(()) };
        let absolute = |path: &mut OsString| {
            // `-` is standard input, and an empty path selects the default cache.
            if path != "-" && !path.is_empty() {
                *path = path::absolute(&*path)?.into();
            }
            Ok(())
        };
        let entered = others.into_iter().try_for_each(absolute);
        entered.and_then(|()| env::set_current_dir(directory)).map_err(|error| {
            let directory = Shown(directory.as_os_str());
            print_message(format_args!("cannot change to {directory}: {}", reason(&error)));
            Reported::Usage
        })
    }

    /// Returns the directory that the names of the manifest at `path` are relative to, or `None`
    /// for the working directory. In a BagIt manifest, names are relative to the bag.
    pub(crate) fn base(&self, path: &Path) -> Option<PathBuf> {
        let is_of_manifest = match (&self.directory, self.names_from) {
            (Some(_), _) | (None, Some(Base::Cwd)) => false,
            (None, Some(Base::Manifest)) => true,
            (None, None) => {
                Reader::new(Options::default()).of_file(path.as_os_str().as_bytes()).is_bagit()
            }
        };
        let base = path.parent().filter(|_| is_of_manifest && path.as_os_str() != "-")?;
        (base != Path::new("")).then(|| base.to_owned())
    }
}

/// Joins a base directory and a name.
pub(crate) fn path(base: Option<&Path>, name: &Path) -> PathBuf {
    match base {
        Some(base) if name == Path::new(".") => base.to_owned(),
        Some(base) => base.join(name),
        None => name.to_owned(),
    }
}
