//! `lanesum manifest`: hands over to the Python package, which makes manifests and checks them.

use std::env;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::Command;

use crate::Verdict;
use crate::say::{Shown, reason, say};

/// What Python runs: the package's own command, or a word on how to install it. The working folder is no
/// place to import from.
const PROGRAM: &str = "\
import sys
sys.path[:] = filter(None, sys.path)
import importlib.util
missing = [name for name in ('lanesum', 'fsspec', 'numpy', 'pyarrow') if not importlib.util.find_spec(name)]
if missing:
    sys.exit(f\"lanesum: {sys.executable} has no {' and no '.join(missing)}: install the Python package \"
             \"with pip install 'lanesum[manifest]', or name another Python by LANESUM_PYTHON\")
from lanesum.manifest.__main__ import main
sys.exit(main())
";

pub(crate) fn run(arguments: &[OsString]) -> Verdict {
    let python = env::var_os("LANESUM_PYTHON").unwrap_or_else(|| "python3".into());
    let error = Command::new(&python).arg("-c").arg(PROGRAM).args(arguments).exec();
    let python = Shown(&python);
    say(format_args!(
        "cannot run {python}, which manifests need: {}; LANESUM_PYTHON names another",
        reason(&error)
    ));
    Verdict::Failed
}
