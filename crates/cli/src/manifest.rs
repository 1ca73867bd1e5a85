//! `lanesum manifest`: hands over to the Python package, which makes manifests and checks them.

use std::env;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::Command;

use crate::Verdict;
use crate::say::{Shown, reason, say};

/// Runs the package's command, or explains how to install it. Nothing is imported from the working directory.
const PROGRAM: &str = "\
import sys
sys.path[:] = filter(None, sys.path)
import importlib.util
missing = [name for name in ('lanesum', 'fsspec', 'numpy', 'pyarrow') if not importlib.util.find_spec(name)]
if missing:
    sys.exit(f\"lanesum: {sys.executable} lacks {' and '.join(missing)}: install lanesum with the extra 'manifest', \"
             \"or set LANESUM_PYTHON to another interpreter\")
from lanesum.manifest.__main__ import main
sys.exit(main())
";

pub(crate) fn run(arguments: &[OsString]) -> Verdict {
    let python = env::var_os("LANESUM_PYTHON").unwrap_or_else(|| "python3".into());
    let error = Command::new(&python).arg("-c").arg(PROGRAM).args(arguments).exec();
    let python = Shown(&python);
    say(format_args!(
        "cannot run {python}, which 'lanesum manifest' requires: {}; set LANESUM_PYTHON to another interpreter",
        reason(&error)
    ));
    Verdict::Failed
}
